// engine/rocksdb/write_numbers.h: the largest number of a write (engine/write_counter.h) in a store file.
#pragma once

#include <cstdint>

namespace rocksdb {
struct TableProperties;
}  // namespace rocksdb

namespace vaquita {

// Returns 0 if its cells have no numbers.
int64_t MaxWriteNumber(const rocksdb::TableProperties& properties);

}  // namespace vaquita
