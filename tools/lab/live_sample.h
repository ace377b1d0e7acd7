// tools/lab/live_sample.h: samples the row keys of a running cluster's table, in the order in which its rows were
// written.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/connection.h"
#include "model/table_name.h"

namespace vaquita {

struct LiveSample {
  std::vector<std::string> keys;        // by the time of each row's first cell
  bool in_order_of_arrival = false;     // the times tell rows apart
  std::vector<uint64_t> region_writes;  // each region's count since it was opened, in key order
  std::vector<uint64_t> region_reads;
  std::vector<std::string> region_starts;
};

// Reads the first rows of each region, about `most` in all. Each region is asked for the same number of rows.
absl::StatusOr<LiveSample> SampleTable(client::Connection* connection, const TableName& table, uint64_t most);

}  // namespace vaquita
