// server/frontend/hbase/authentication.h: the proofs that clients of HBase's RPC have to show by the settings:
// Kerberos tickets and delegation tokens (hbase.security.authentication).
//
// Threads: any, after Open.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/options.h"
#include "base/sasl/kerberos/gssapi_server.h"
#include "server/access/access_control.h"
#include "server/frontend/hbase/rpc/rpc_server.h"

namespace vaquita::hbase {

class Authentication {
 public:
  // Null unless hbase.security.authentication is kerberos. `of_master`, `of_region_server`: the process's roles.
  // `access` and `clock` outlive it. InvalidArgument, naming the setting.
  static absl::StatusOr<std::unique_ptr<Authentication>> Open(const Options& options, bool of_master,
                                                              bool of_region_server, const AccessControl* access,
                                                              Clock* clock);

  const std::string& principal() const { return principal_; }
  std::unique_ptr<SaslServer> NewServer(SaslMethod method) const;

 private:
  Authentication(std::string principal, uint8_t protections, std::unique_ptr<KerberosAcceptor> kerberos,
                 const AccessControl* access, Clock* clock);

  const std::string principal_;
  const uint8_t protections_;
  const std::unique_ptr<KerberosAcceptor> kerberos_;
  const AccessControl* const access_;
  Clock* const clock_;
};

}  // namespace vaquita::hbase
