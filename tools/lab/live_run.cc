#include "tools/lab/live_run.h"

#include <chrono>
#include <cmath>
#include <thread>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status.h"
#include "client/admin.h"
#include "client/table.h"

namespace vaquita {
namespace {

using SteadyClock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

constexpr std::chrono::milliseconds kCountInterval{20};  // between two readings of the counters
constexpr std::chrono::minutes kRunPatience{5};          // with a cluster that goes on flushing or compacting

TableDescriptor Describe(const TableName& name, const lab::EmulatedLoad& load) {
  TableDescriptor table;
  table.name = name;
  for (const lab::EmulatedFamily& family : load.families) table.families[family.name].name = family.name;
  if (load.table_flush_bytes > 0) table.memstore_flush_bytes = load.table_flush_bytes;
  if (load.table_max_file_bytes > 0) table.max_file_bytes = load.table_max_file_bytes;
  return table;
}

Mutation MakePut(std::string_view row, const lab::EmulatedLoad& load) {
  Mutation put;
  put.row = std::string(row);
  for (const lab::EmulatedFamily& family : load.families) {
    for (int column = 0; column < family.columns; ++column) {
      Cell& cell = put.cells.emplace_back();
      cell.family = family.name;
      cell.qualifier = absl::StrFormat("%0*d", static_cast<int>(family.qualifier_bytes), column);
      cell.value.assign(static_cast<size_t>(family.value_bytes), 'v');
    }
  }
  return put;
}

// Writes the records in the order of their arrival, none before its time.
absl::Status WriteLoad(client::Connection* cluster, const TableName& table, const lab::EmulatedLoad& load,
                       const lab::KeySample& sample, LiveCounter* counter,
                       const std::function<void(uint64_t)>& progress) {
  // Small batches spread the load over time as the records do.
  const auto mutator = cluster->GetBufferedMutator(table, {.write_buffer_bytes = 64 << 10});
  const auto start = SteadyClock::now();
  auto next_look = start;
  const double record_ms = load.duration_ms / sample.size();
  for (uint32_t record = 0; record < sample.size(); ++record) {
    VAQUITA_RETURN_IF_ERROR(mutator->Mutate(MakePut(sample.KeyOfArrival(record), load)));
    const Milliseconds ahead = Milliseconds(record * record_ms) - (SteadyClock::now() - start);
    if (ahead > kCountInterval / 4) {
      VAQUITA_RETURN_IF_ERROR(mutator->Flush());
      std::this_thread::sleep_for(ahead);
    }
    if (SteadyClock::now() < next_look) continue;
    VAQUITA_RETURN_IF_ERROR(counter->Read().status());
    if (progress != nullptr) progress(record);
    next_look = SteadyClock::now() + kCountInterval;
  }
  return mutator->Close();
}

struct Standing {
  LiveCounts counts;
  int64_t regions = 0;
  int64_t files = 0;
  int64_t data_bytes = 0;
  bool references = false;
  friend bool operator==(const Standing&, const Standing&) = default;
};

absl::StatusOr<Standing> ReadStanding(client::Admin* admin, const TableName& table, LiveCounter* counter) {
  Standing state;
  VAQUITA_ASSIGN_OR_RETURN(state.counts, counter->Read());
  VAQUITA_ASSIGN_OR_RETURN(const auto regions, admin->GetRegionMetrics(table));
  state.regions = static_cast<int64_t>(regions.size());
  for (const RegionMetrics& region : regions) {
    state.files += region.store_files;
    state.data_bytes += region.store_file_bytes;
    state.references |= region.has_references;
  }
  return state;
}

absl::StatusOr<Standing> WaitUntilQuiet(client::Admin* admin, const TableName& table, LiveCounter* counter) {
  const auto start = SteadyClock::now();
  auto since = start;
  VAQUITA_ASSIGN_OR_RETURN(Standing state, ReadStanding(admin, table, counter));
  while (state.references || SteadyClock::now() - since < std::chrono::milliseconds(counter->quiet_ms())) {
    if (SteadyClock::now() - start > kRunPatience) {
      return absl::DeadlineExceededError(absl::StrCat("table ", table.ToString(), " still flushes or compacts after ",
                                                      kRunPatience.count(), " minutes"));
    }
    std::this_thread::sleep_for(kCountInterval);
    VAQUITA_ASSIGN_OR_RETURN(const Standing now, ReadStanding(admin, table, counter));
    if (now == state) continue;
    state = now;
    since = SteadyClock::now();
  }
  return state;
}

}  // namespace

absl::StatusOr<LiveRun> RunLive(client::Connection* cluster, const TableName& table, const lab::EmulatedLoad& load,
                                const lab::KeySample& sample, const lab::SplitKeys& splits, LiveCounter* counter,
                                const std::function<void(uint64_t)>& progress) {
  if (std::llround(load.records) != sample.size()) {
    return absl::InvalidArgumentError(absl::StrCat("a live run writes every record: the load has ", load.records,
                                                   ", the sample ", sample.size(), " of them"));
  }
  const auto admin = cluster->GetAdmin();
  VAQUITA_RETURN_IF_ERROR(admin->CreateTable(Describe(table, load), splits.keys()));
  VAQUITA_RETURN_IF_ERROR(counter->Read().status());  // counts begin here
  const auto start = SteadyClock::now();
  VAQUITA_RETURN_IF_ERROR(WriteLoad(cluster, table, load, sample, counter, progress));
  LiveRun run;
  run.load_ms = Milliseconds(SteadyClock::now() - start).count();
  VAQUITA_ASSIGN_OR_RETURN(const Standing state, WaitUntilQuiet(admin.get(), table, counter));
  run.counts = state.counts;
  run.regions = state.regions;
  run.splits = state.regions - splits.regions();
  run.files = state.files;
  run.data_bytes = state.data_bytes;
  return run;
}

}  // namespace vaquita
