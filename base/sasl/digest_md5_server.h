// base/sasl/digest_md5_server.h: SASL's mechanism DIGEST-MD5, by which clients prove that they know a password.
//
// HBase's clients prove the possession of a delegation token by it. It is old; TLS protects better than its own
// protections. With kSaslPrivacy messages are encrypted by 3DES. Threads: as SaslServer.
// Source: RFC 2831, DigestMD5Server of the JDK.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/sasl/sasl_server.h"

namespace vaquita {

struct DigestMd5Options {
  std::string realm;
  uint8_t protections = kSaslAuthentication;  // those that a client may choose from
  // Returns the password of a user; an error refuses the user, with its message. Called by Step.
  std::function<absl::StatusOr<std::string>(const std::string& user)> password_of;
  std::string nonce;  // for tests; empty: a random one
};

// The server's user() is the name that the client sends.
std::unique_ptr<SaslServer> NewDigestMd5Server(DigestMd5Options options);

// Reads comma-separated directives such as `realm="default",qop=auth`. Returns kAccessDenied if they are malformed, or
// if one is there twice.
absl::StatusOr<std::map<std::string, std::string, std::less<>>> ParseDigestDirectives(std::string_view text);

}  // namespace vaquita
