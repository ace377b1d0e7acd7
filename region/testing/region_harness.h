// region/testing/region_harness.h: a database with regions in a temporary folder, and short ways to read them. For
// tests only.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/options.h"
#include "base/status.h"
#include "base/testing/temporary_folder.h"
#include "engine/store_db.h"
#include "model/testing/cells.h"
#include "region/known_stores.h"
#include "region/region.h"
#include "region/split.h"

namespace vaquita::testing {

// Returns the scan's results, each as the texts of its cells, over as many answers as it takes.
inline std::vector<std::vector<std::string>> ScanResults(Region* region, const Scan& scan,
                                                         const ScanLimits& limits = {}) {
  std::vector<std::vector<std::string>> results;
  auto scanner = region->NewScanner(scan);
  EXPECT_TRUE(scanner.ok()) << scanner.status();
  if (!scanner.ok()) return results;
  for (bool more = true; more;) {
    ResultBatch batch;
    const auto next = (*scanner)->Next(limits, &batch);
    EXPECT_TRUE(next.ok()) << next.status();
    if (!next.ok()) break;
    more = *next;
    for (const ResultRange& range : batch.results) {
      auto& result = results.emplace_back();
      for (size_t i = range.first; i < range.first + range.count; ++i) result.push_back(CellText(batch.cells[i]));
    }
  }
  return results;
}
// Returns the texts of all cells of the scan.
inline std::vector<std::string> ScanTexts(Region* region, const Scan& scan, const ScanLimits& limits = {}) {
  std::vector<std::string> texts;
  for (const auto& result : ScanResults(region, scan, limits)) texts.insert(texts.end(), result.begin(), result.end());
  return texts;
}

// A database whose clock stands at 1000 until a test moves it.
class RegionHarness : public ::testing::Test {
 protected:
  RegionHarness() {
    // Files are compacted only when a test asks for it.
    options_.major_compaction_period_ms = 0;
  }

  void OpenDatabase() {
    auto db = StoreDb::Open({.path = folder_.path() + "/db", .options = &options_, .clock = clock()},
                            [](std::string_view) { return nullptr; });
    ASSERT_TRUE(db.ok()) << db.status();
    db_ = *std::move(db);
  }

  // Opens the database again, as after a restart, with the stores of `regions`.
  void ReopenDatabase(const TableDescriptor& table, const std::vector<RegionInfo>& regions) {
    db_.reset();
    KnownStores known(&options_);
    for (const RegionInfo& region : regions) known.Add(region, table);
    auto db = StoreDb::Open({.path = folder_.path() + "/db", .options = &options_, .clock = clock()},
                            [&](std::string_view store) { return known.Find(store); });
    ASSERT_TRUE(db.ok()) << db.status();
    db_ = *std::move(db);
  }

  std::shared_ptr<Region> OpenRegion(std::shared_ptr<const TableDescriptor> table, std::string_view start_key = "",
                                     std::string_view end_key = "") {
    if (db_ == nullptr) OpenDatabase();
    RegionInfo info;
    info.table = table->name;
    info.start_key = start_key;
    info.end_key = end_key;
    info.id = 7;
    auto region = Region::OpenOrCreate(db_.get(), info, std::move(table));
    EXPECT_TRUE(region.ok()) << region.status();
    return *region;
  }

  virtual Clock* clock() { return &clock_; }

  static std::vector<std::string> GetTexts(Region* region, const Get& get) {
    CellBlock cells;
    const absl::Status status = region->Get(get, &cells);
    EXPECT_TRUE(status.ok()) << status;
    return Texts(cells);
  }
  static std::vector<std::string> GetTexts(Region* region, std::string_view row, int32_t max_versions = 1) {
    Get get;
    get.row = row;
    get.max_versions = max_versions;
    return GetTexts(region, get);
  }
  // Applies the mutation, which must succeed, and gives back its results.
  static std::vector<std::string> Apply(Region* region, const Mutation& mutation) {
    auto result = region->Mutate(mutation);
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() ? Texts(result->cells) : std::vector<std::string>();
  }

  // Begins and finishes the transition, and returns the new regions.
  static std::vector<std::shared_ptr<Region>> Complete(absl::StatusOr<std::unique_ptr<RegionTransition>> transition) {
    EXPECT_TRUE(transition.ok()) << transition.status();
    if (!transition.ok()) return {};
    auto regions = (*transition)->Begin();
    EXPECT_TRUE(regions.ok()) << regions.status();
    if (!regions.ok()) return {};
    const absl::Status finished = (*transition)->Finish();
    EXPECT_TRUE(finished.ok()) << finished;
    return *std::move(regions);
  }

  TemporaryFolder folder_;
  Options options_;
  ManualClock clock_{1000};
  std::unique_ptr<StoreDb> db_;
};

}  // namespace vaquita::testing
