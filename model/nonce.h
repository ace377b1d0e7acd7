// model/nonce.h: the name that a client gives a request, so that a repeated one is not applied twice.
//
// Source: NonceGenerator, NonceKey (2.6).
#pragma once

#include <compare>
#include <cstdint>

namespace vaquita {

// Value 0 means that the request has no nonce.
struct Nonce {
  uint64_t group = 0;
  uint64_t value = 0;
  friend auto operator<=>(const Nonce&, const Nonce&) = default;
};

// The shortest time for which a nonce is known after its operation; HBase: hbase.server.hashNonce.gracePeriod.
inline constexpr int64_t kNonceMs = 30 * 60 * 1000;

}  // namespace vaquita
