// server/access/delegation_tokens.h: the tokens by which a client that had a Kerberos ticket lets others, as the tasks
// of a job, call in its name.
//
// A token is an identifier, which has the user and the times, and a password, which is a hash of the identifier and a
// secret of the cluster's processes. So nothing is kept of a token, every process knows it, and it stays valid over
// restarts. In SASL's exchange a token's name and its password are both in base64. Threads: any.
// Source: AuthenticationTokenSecretManager, AuthenticationTokenIdentifier (HBase 2.6).
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"

namespace vaquita {

class DelegationTokens {
 public:
  struct Token {
    std::string identifier;
    std::string password;
  };

  DelegationTokens(std::string secret, int64_t lifetime_ms) : secret_(std::move(secret)), lifetime_ms_(lifetime_ms) {}

  // A client that proved by a certificate who it is has no principal, but is a user.
  struct Holder {
    std::string name;
    bool is_principal = true;
  };

  Token Make(const Holder& holder, int64_t now_ms);
  // Returns the password, in base64, of the token with this name. kAccessDenied if it is none of ours, or too old.
  absl::StatusOr<std::string> PasswordOf(std::string_view name, int64_t now_ms) const;
  // Returns the holder of a token whose password was shown to be known.
  static absl::StatusOr<Holder> HolderOf(std::string_view name);

 private:
  std::string Password(std::string_view identifier) const;

  const std::string secret_;
  const int64_t lifetime_ms_;
  std::atomic<int64_t> made_ = 0;
};

}  // namespace vaquita
