// tools/bench/region_load.h: counts the requests to each region of a table, on the client's side.
//
// The regions are those of the run's beginning. A scan counts for the region where it starts. Threads: Count() by
// thread number, each from its own thread; the others by any.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace vaquita::bench {

class RegionLoad {
 public:
  // `start_keys` are in order; the first is empty.
  RegionLoad(std::vector<std::string> start_keys, int threads);

  // Counts a request to a row.
  void Count(int thread, std::string_view row);

  // Returns the requests to each region so far.
  std::vector<uint64_t> Totals() const;
  const std::vector<std::string>& start_keys() const { return start_keys_; }

 private:
  const std::vector<std::string> start_keys_;
  std::vector<std::unique_ptr<std::atomic<uint64_t>[]>> counts_;  // by thread, then by region
};

struct HottestRegion {
  size_t region = 0;
  double share = 0;  // a part of all requests, from 0 to 1; 0 if there were none
};
// Returns the region with the most requests between two totals.
HottestRegion HottestBetween(const std::vector<uint64_t>& before, const std::vector<uint64_t>& after);

}  // namespace vaquita::bench
