#include "client/nonce.h"

#include <random>

namespace vaquita::client {

uint64_t NextNonce() {
  thread_local std::mt19937_64 random(static_cast<uint64_t>(std::random_device{}()) << 32 | std::random_device{}());
  const uint64_t nonce = random();
  return nonce != 0 ? nonce : 1;
}

}  // namespace vaquita::client
