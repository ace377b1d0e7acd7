// model/filter_size.h: the size of a filter, in parts and bytes.
//
// A filter comes from a client, works on every cell, and lives as long as its scanner. Its parts bound the work; its
// bytes are an estimate of the memory that the running filter takes.
#pragma once

#include <cstdint>

#include "model/filter_spec.h"

namespace vaquita {

struct FilterSize {
  // Filters, values in lists, letters of regular expressions, and kPartsOfARegex more for each of these.
  int64_t parts = 0;
  int64_t bytes = 0;
};

// A regular expression takes as long as a hundred other filters to make, and to run.
inline constexpr int64_t kPartsOfARegex = 100;
// A filter of so many parts takes some milliseconds for a cell.
inline constexpr int64_t kMostFilterParts = 100'000;

FilterSize SizeOf(const FilterSpec& spec);

}  // namespace vaquita
