// tools/bench/row_values.h: the bytes of a workload's values, which say whether an answer is right.
//
// A value is a function of its row key, its column's number and its tag, the number of the operation that wrote it. The
// tag stands in its first bytes, so any value that is read can be made again and compared. Threads: functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vaquita::bench {

// Makes a value of `bytes` bytes: the tag, random bytes, and equal bytes as the share `compressible` of it, from 0
// to 1.
std::string MakeValue(std::string_view row, int column, uint64_t tag, size_t bytes, double compressible);

// Returns the tag of a value; of one below 8 bytes, as much of it as that holds.
uint64_t TagOf(std::string_view value);

// Returns as much of `tag` as a value of `bytes` bytes holds.
uint64_t TagThatFits(uint64_t tag, size_t bytes);

}  // namespace vaquita::bench
