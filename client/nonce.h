// client/nonce.h: numbers by which a server recognizes a repeated request.
//
// Source: PerClientRandomNonceGenerator (hbase-client 2.6). Threads: any.
#pragma once

#include <cstdint>

namespace vaquita::client {

// Returns a random number other than 0, which means "no nonce".
uint64_t NextNonce();

}  // namespace vaquita::client
