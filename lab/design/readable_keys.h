// lab/design/readable_keys.h: row keys as people read them: `2026-01-01 01:09` in place of eight bytes.
//
// A design says which bytes of a key are a number, a time, a bucket or a hash. Text stands as it is. A key may be a
// split key, which ends anywhere; what cannot be decoded stands as Bytes.toStringBinary writes it. Threads: any.
#pragma once

#include <string>
#include <vector>

#include "lab/design/key_compiler.h"
#include "lab/records/record.h"

namespace vaquita::lab {

// Returns a text for each of `keys`, which are in their order. Times are in UTC, and as exact as the distances between
// the keys ask for.
std::vector<std::string> ReadableKeys(const CompiledKey& design, const Schema& schema,
                                      const std::vector<std::string>& keys);

}  // namespace vaquita::lab
