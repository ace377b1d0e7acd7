// region/testing/region_harness.h: a database with regions in a temporary folder, and short ways to write and read
// them. For tests only.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
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
#include "region/known_stores.h"
#include "region/region.h"
#include "region/split.h"

namespace vaquita::testing {

// A table called "t".
inline std::shared_ptr<TableDescriptor> MakeTable(const std::vector<FamilyDescriptor>& families) {
  auto table = std::make_shared<TableDescriptor>();
  table->name.qualifier = "t";
  for (const FamilyDescriptor& family : families) table->families[family.name] = family;
  return table;
}

inline FamilyDescriptor MakeFamily(std::string_view name, int32_t max_versions = 1) {
  FamilyDescriptor family;
  family.name = name;
  family.max_versions = max_versions;
  return family;
}

// Makes a cell of "family:qualifier" ("family" alone: an empty qualifier).
inline Cell MakeCell(std::string_view column, std::string_view value, int64_t timestamp_ms = kLatestTimestamp,
                     CellType type = CellType::kPut) {
  Cell cell;
  cell.family = column.substr(0, column.find(':'));
  if (column.find(':') != column.npos) cell.qualifier = column.substr(column.find(':') + 1);
  cell.value = value;
  cell.timestamp_ms = timestamp_ms;
  cell.type = type;
  return cell;
}

inline Mutation MakeMutation(MutationType type, std::string_view row, std::vector<Cell> cells) {
  Mutation mutation;
  mutation.type = type;
  mutation.row = row;
  mutation.cells = std::move(cells);
  return mutation;
}
inline Mutation MakePut(std::string_view row, std::vector<Cell> cells) {
  return MakeMutation(MutationType::kPut, row, std::move(cells));
}
inline Mutation MakePut(std::string_view row, std::string_view column, std::string_view value,
                        int64_t timestamp_ms = kLatestTimestamp) {
  return MakePut(row, {MakeCell(column, value, timestamp_ms)});
}
inline Mutation MakeDelete(std::string_view row, std::vector<Cell> cells) {
  return MakeMutation(MutationType::kDelete, row, std::move(cells));
}
inline Mutation MakeDelete(std::string_view row, std::string_view column, CellType type,
                           int64_t timestamp_ms = kLatestTimestamp) {
  return MakeDelete(row, {MakeCell(column, "", timestamp_ms, type)});
}

// Returns eight bytes, big-endian, as increments have them.
inline std::string LongBytes(int64_t number) {
  std::string bytes;
  for (int shift = 56; shift >= 0; shift -= 8)
    bytes.push_back(static_cast<char>(static_cast<uint64_t>(number) >> shift));
  return bytes;
}
inline int64_t LongOf(std::string_view bytes) {
  uint64_t number = 0;
  for (char byte : bytes) number = number << 8 | static_cast<uint8_t>(byte);
  return static_cast<int64_t>(number);
}

// Returns "row family:qualifier @timestamp value", with the type's name instead of a value for markers.
inline std::string CellText(const CellView& cell) {
  std::string text = ToStringBinary(cell.row) + " " + std::string(cell.family) + ":" + ToStringBinary(cell.qualifier) +
                     " @" + std::to_string(cell.timestamp_ms) + " ";
  return text + (IsDelete(cell.type) ? CellTypeName(cell.type) : ToStringBinary(cell.value));
}
inline std::vector<std::string> Texts(const CellBlock& cells) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < cells.size(); ++i) texts.push_back(CellText(cells[i]));
  return texts;
}

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
