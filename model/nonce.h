// model/nonce.h: what a client names a request with, so that sending it again does not do it twice.
//
// Source: NonceGenerator, NonceKey (2.6).
#pragma once

#include <compare>
#include <cstdint>

namespace vaquita {

// Value 0: the request has none.
struct Nonce {
  uint64_t group = 0;
  uint64_t value = 0;
  friend auto operator<=>(const Nonce&, const Nonce&) = default;
};

// How long a nonce is known after its operation, at least; HBase: hbase.server.hashNonce.gracePeriod.
inline constexpr int64_t kNonceMs = 30 * 60 * 1000;

}  // namespace vaquita
