#include "bench/region_setup.h"

#include "base/status.h"
#include "bench/bench_data.h"

namespace vaquita::bench {
namespace {

constexpr int64_t kNeverCompact = 1000;  // files

}  // namespace

absl::StatusOr<std::unique_ptr<RegionSetup>> OpenBenchRegion(const std::string& folder) {
  auto setup = std::make_unique<RegionSetup>();
  setup->options.compaction_min_files = kNeverCompact;
  setup->options.blocking_store_files = kNeverCompact;
  VAQUITA_ASSIGN_OR_RETURN(
      setup->db, StoreDb::Open({folder, &setup->options, Clock::System()}, [](std::string_view) { return nullptr; }));
  auto table = std::make_shared<TableDescriptor>(BenchTable("bench"));
  RegionInfo info;
  info.table = table->name;
  info.id = Clock::System()->NowMs();
  VAQUITA_ASSIGN_OR_RETURN(auto regions, Region::CreateAll(setup->db.get(), {info}, table));
  setup->region = regions.front();
  setup->maintenance = std::make_unique<Maintenance>(setup->db.get(), nullptr);
  setup->maintenance->Add(setup->region);
  return setup;
}

}  // namespace vaquita::bench
