#include "tools/lab/live_sample.h"

#include <algorithm>
#include <utility>

#include "base/status.h"
#include "client/admin.h"
#include "client/table.h"
#include "model/filter_spec.h"
#include "model/operations.h"

namespace vaquita {
namespace {

constexpr size_t kLeastTimes = 100;

struct TimedKey {
  int64_t timestamp_ms = 0;
  std::string key;
};

absl::Status SampleRegion(client::Table* table, const RegionInfo& region, int32_t rows, std::vector<TimedKey>* keys) {
  Scan scan;
  scan.rows = region.range();
  scan.limit = rows;
  scan.filter = FilterSpec{FirstKeyOnlyFilterSpec{}};
  scan.cache_blocks = false;
  VAQUITA_ASSIGN_OR_RETURN(const auto scanner, table->GetScanner(scan));
  for (;;) {
    VAQUITA_ASSIGN_OR_RETURN(const auto row, scanner->Next());
    if (!row) return absl::OkStatus();
    if (!row->cells.empty()) keys->push_back({row->cells[0].timestamp_ms, row->cells[0].row});
  }
}

absl::Status AddRequests(client::Admin* admin, const TableName& table, LiveSample* sample) {
  VAQUITA_ASSIGN_OR_RETURN(auto regions, admin->GetRegionMetrics(table));
  std::sort(regions.begin(), regions.end(),
            [](const RegionMetrics& a, const RegionMetrics& b) { return a.info.start_key < b.info.start_key; });
  for (const RegionMetrics& region : regions) {
    sample->region_starts.push_back(region.info.start_key);
    sample->region_writes.push_back(static_cast<uint64_t>(region.write_requests));
    sample->region_reads.push_back(static_cast<uint64_t>(region.read_requests));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<LiveSample> SampleTable(client::Connection* connection, const TableName& name, uint64_t most) {
  const auto admin = connection->GetAdmin();
  LiveSample sample;
  VAQUITA_RETURN_IF_ERROR(AddRequests(admin.get(), name, &sample));  // before this sample is counted itself
  VAQUITA_ASSIGN_OR_RETURN(const auto regions, admin->GetRegions(name));
  const auto table = connection->GetTable(name);
  const auto rows =
      static_cast<int32_t>(std::clamp<uint64_t>(most / std::max<size_t>(1, regions.size()), 1, 10'000'000));
  std::vector<TimedKey> keys;
  for (const client::RegionLocation& region : regions) {
    VAQUITA_RETURN_IF_ERROR(SampleRegion(table.get(), region.info, rows, &keys));
  }
  std::stable_sort(keys.begin(), keys.end(),
                   [](const TimedKey& a, const TimedKey& b) { return a.timestamp_ms < b.timestamp_ms; });
  // Rows of one batch share a time; among themselves they stand in key order. With many times that hides nothing.
  size_t times = keys.empty() ? 0 : 1;
  for (size_t i = 1; i < keys.size(); ++i) times += keys[i].timestamp_ms != keys[i - 1].timestamp_ms ? 1 : 0;
  sample.in_order_of_arrival = times >= kLeastTimes;
  for (TimedKey& key : keys) sample.keys.push_back(std::move(key.key));
  return sample;
}

}  // namespace vaquita
