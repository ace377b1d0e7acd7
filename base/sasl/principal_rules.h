// base/sasl/principal_rules.h: finds the user of a Kerberos principal, by the rules of
// hadoop.security.auth_to_local.
//
// A rule is on a line, or between blanks: DEFAULT, or RULE:[COMPONENTS:FORMAT](REGEX)s/FROM/TO/g/L, of which all behind
// the brackets may be left out. FORMAT has the realm as $0 and the components as $1 and $2; TO has FROM's groups as $0,
// $1 and so on. The first rule that fits gives the user, which has neither / nor @. Threads: any.
// Source: KerberosName, KerberosUtil (Hadoop 3.3).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace vaquita {

class PrincipalRules {
 public:
  virtual ~PrincipalRules() = default;
  // `realm`: of the principals that DEFAULT fits, whose user is the first component. InvalidArgument, naming the rule
  // and the option, if a rule is malformed.
  static absl::StatusOr<std::unique_ptr<PrincipalRules>> Parse(std::string_view rules, const std::string& realm);
  // Returns the user of hbase/host@EXAMPLE.COM, of ada@EXAMPLE.COM or of a name without realm. kAccessDenied if no rule
  // fits, if the principal has another form, or if the result is no user.
  virtual absl::StatusOr<std::string> UserOf(std::string_view principal) const = 0;
};

}  // namespace vaquita
