// tools/demo/demo.h: loads the flights of New York 2013 twice, to show the effect of a row key.
//
// Both tables have 8 regions and the same rows. One is keyed by departure time, its regions cut by year: every write of
// 2013 hits the last one. The other has a hashed byte before the same key: all regions share the writes. The
// demonstration then checks every count and a sample of rows, flushes, compacts, splits the largest region at its
// midkey, and checks again.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"

namespace vaquita::demo {

struct DemoOptions {
  std::string flights_path;  // flights.csv
  std::string address;  // gRPC host:port of a running server; tables flights_by_time and flights_by_hash are made anew
  int64_t expected_rows = -1;  // the rows that the file must have; -1: any number
};

// Prints its steps. If a figure is wrong, returns an error with its name, its value and the right one.
absl::Status RunDemo(const DemoOptions& options);

}  // namespace vaquita::demo
