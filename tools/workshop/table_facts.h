// tools/workshop/table_facts.h: the facts of a table that checks need: its regions with their requests, and its cells.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/connection.h"
#include "model/cluster_status.h"
#include "model/table_descriptor.h"

namespace vaquita::workshop {

struct FactsOfCell {
  std::string row;
  std::string column;  // "f:dest"
  std::string value;
  int64_t time_ms = 0;
  size_t region = 0;  // the region that has it
};

struct TableFacts {
  std::string name;
  TableDescriptor descriptor;
  std::vector<RegionMetrics> regions;  // by start key
  std::vector<FactsOfCell> cells;      // by row; raw ones have deleted and superseded cells, too

  size_t rows() const;
  // Returns for each region the number of its cells.
  std::vector<int64_t> CellsOfRegions() const;
};

// Returns the largest of `counts`, one for each region, as a multiple of an even share; 0 if all are 0.
double HottestShare(const std::vector<int64_t>& counts);

// Returns the average, over `slices` equal parts of the cells in the order of their times, of the hottest region's
// share in each. Rising keys give the number of regions, evenly spread ones 1.
double HottestAtATime(const TableFacts& facts, size_t slices);

// The cells are all in memory. Those of an exercise's table are fewer and smaller.
struct TableBounds {
  size_t cells = 200'000;
  size_t bytes = size_t{64} << 20;
};

// FailedPrecondition if there is no such table, or if it has more than `most`.
absl::StatusOr<TableFacts> ReadTable(client::Connection* connection, const std::string& name, bool raw = false,
                                     const TableBounds& most = {});

}  // namespace vaquita::workshop
