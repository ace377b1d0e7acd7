// base/sasl/sasl_server.h: the server's side of SASL: a client proves who it is by an exchange of tokens.
//
// After it a connection may carry each message in a wrapped form, signed or encrypted. Threads: one for the exchange;
// then Wrap and Unwrap may be called at the same time, each by one thread. Source: RFC 4422, SaslServer of the JDK.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace vaquita {

// Protections of the messages after the exchange, as bits of a mask (RFC 4752).
enum SaslProtection : uint8_t {
  kSaslAuthentication = 1,  // nothing
  kSaslIntegrity = 2,       // each is signed
  kSaslPrivacy = 4,         // each is signed and encrypted
};

class SaslServer {
 public:
  virtual ~SaslServer() = default;

  // Takes the client's next token. Returns the token to answer with; nothing if the exchange ends without one.
  // kAccessDenied, with the reason, if the client does not prove who it is.
  virtual absl::StatusOr<std::optional<std::string>> Step(std::string_view token) = 0;
  virtual bool complete() const = 0;

  // After the exchange.
  // The user whom the client has proved to be.
  virtual const std::string& user() const = 0;
  // Returns whether messages are wrapped from now on.
  virtual bool wraps() const = 0;
  // REQUIRES: wraps(). An error means that the connection cannot go on.
  virtual absl::StatusOr<std::string> Wrap(std::string_view message) = 0;
  virtual absl::StatusOr<std::string> Unwrap(std::string_view wrapped) = 0;
};

}  // namespace vaquita
