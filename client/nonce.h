// client/nonce.h: numbers by which a server knows a request that it has had before.
//
// Source: PerClientRandomNonceGenerator (hbase-client 2.6). Threads: any.
#pragma once

#include <cstdint>

namespace vaquita::client {

// Random, and never 0, which stands for none.
uint64_t NextNonce();

}  // namespace vaquita::client
