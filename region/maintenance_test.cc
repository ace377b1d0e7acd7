// When regions are flushed, compacted and split by themselves. The regions are real; their settings are small.
#include "region/maintenance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "region/testing/region_harness.h"

namespace vaquita {
namespace {

using namespace vaquita::testing;  // NOLINT

class MaintenanceTest : public RegionHarness {
 protected:
  MaintenanceTest() {
    options_.memstore_flush_bytes = 64 * kKiB;
    options_.upkeep_tick_ms = 1;
    options_.blocking_wait_ms = 3'600'000;
    table_ = MakeTable({MakeFamily("f"), MakeFamily("g")});
  }
  ~MaintenanceTest() override { maintenance_.reset(); }

  void Start() {
    OpenDatabase();
    maintenance_ = std::make_unique<Maintenance>(db_.get(), [this](std::shared_ptr<Region> region) {
      std::lock_guard lock(mutex_);
      wanted_splits_.push_back(region->info().EncodedName());
      changed_.notify_all();
    });
  }
  std::shared_ptr<Region> AddRegion(std::string_view start_key = "", std::string_view end_key = "") {
    auto region = OpenRegion(table_, start_key, end_key);
    maintenance_->Add(region);
    return region;
  }

  // Puts `count` cells of 1 KB, telling the maintenance of each as a server does, and trying again as a client does.
  void PutCells(const std::shared_ptr<Region>& region, int count, const std::string& family = "f") {
    for (int i = 0; i < count; ++i) {
      const auto put = MakePut(region->info().start_key + "row" + std::to_string(next_row_++), family + ":q",
                               std::string(1000, 'v'));
      absl::Status status = region->Mutate(put).status();
      for (; IsError(status, ErrorKind::kRegionTooBusy); status = region->Mutate(put).status())
        std::this_thread::yield();
      ASSERT_TRUE(status.ok()) << status;
      maintenance_->AfterWrite(region);
    }
  }
  // Writes a cell again and again.
  static void MakeVersions(const std::shared_ptr<Region>& region, const std::string& row, const std::string& column,
                           int count) {
    for (int i = 0; i < count; ++i) Apply(region.get(), MakePut(row, column, "v" + std::to_string(i), 1'000 + i));
  }
  // Makes a store file that the maintenance is not told of.
  void MakeFile(const std::shared_ptr<Region>& region, const std::string& family = "f") {
    Apply(region.get(), MakePut(region->info().start_key + "row" + std::to_string(next_row_++), family + ":q", "v"));
    ASSERT_TRUE(region->Flush().ok());
  }

  static StoreMetrics Metrics(const std::shared_ptr<Region>& region, const std::string& family = "f") {
    for (const auto& store : region->Metrics().stores) {
      if (store.family == family) return store.metrics;
    }
    ADD_FAILURE() << "no family " << family;
    return {};
  }
  // Waits until `holds` does; the test's time limit ends it if it never does.
  template <typename Condition>
  static void WaitUntil(const Condition& holds) {
    while (!holds()) std::this_thread::yield();
  }

  std::shared_ptr<TableDescriptor> table_;
  std::unique_ptr<Maintenance> maintenance_;
  int next_row_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> wanted_splits_;
};

// AddressSanitizer, or MALLOC_PERTURB_, shows a table that is read after its end.
TEST_F(MaintenanceTest, ATableIsAlteredWhileCompactionsAreAskedFor) {
  Start();
  const auto region = AddRegion();
  MakeFile(region);
  MakeFile(region);
  std::atomic<bool> done = false;
  std::thread altering([&] {
    for (int i = 0; i < 2000; ++i) EXPECT_TRUE(region->Alter(std::make_shared<TableDescriptor>(*table_)).ok());
    done = true;
  });
  while (!done) maintenance_->RequestCompaction(region, CompactionKind::kMinor, "");
  altering.join();
}

TEST_F(MaintenanceTest, ARegionIsFlushedWhenItsMemstoresPassItsFlushSize) {
  Start();
  const auto region = AddRegion();
  PutCells(region, 20, "f");
  PutCells(region, 20, "g");
  maintenance_->WaitIdle();
  EXPECT_EQ(Metrics(region).flushes, 0) << "40 KB of 64";
  PutCells(region, 30, "g");
  maintenance_->WaitIdle();
  EXPECT_GE(Metrics(region, "f").flushes, 1) << "all families together, as HBase does by default";
  EXPECT_GE(Metrics(region, "g").flushes, 1);
  EXPECT_LT(region->Metrics().memstore_bytes, options_.memstore_flush_bytes);
}

TEST_F(MaintenanceTest, ARegionThatNobodyLooksAfterIsLeftAlone) {
  Start();
  const auto region = AddRegion();
  maintenance_->Remove(region);
  PutCells(region, 70);
  maintenance_->WaitIdle();
  EXPECT_EQ(Metrics(region).flushes, 0);
  maintenance_->Add(region);
  maintenance_->WaitIdle();
  EXPECT_EQ(Metrics(region).flushes, 1) << "what is due is done when it is added (again)";
}

TEST_F(MaintenanceTest, FilesAreCompactedAsTheyCome) {
  Start();
  const auto region = AddRegion();
  PutCells(region, 600);
  maintenance_->WaitIdle();
  const StoreMetrics metrics = Metrics(region);
  EXPECT_GE(metrics.flushes, 3);
  EXPECT_GE(metrics.minor_compactions, 1);
  EXPECT_LT(metrics.store_files, metrics.flushes);
  EXPECT_FALSE(region->Compact(CompactionKind::kMinor, "").value()) << "nothing due is left";
  EXPECT_EQ(ScanTexts(region.get(), Scan{}).size(), 600u);
}

TEST_F(MaintenanceTest, AFlushThatSomebodyElseDidIsFollowedByItsCompaction) {
  Start();
  const auto region = AddRegion();
  for (int file = 0; file < 3; ++file) {
    MakeFile(region);
    maintenance_->AfterFlush(region);
  }
  maintenance_->WaitIdle();
  EXPECT_EQ(Metrics(region).store_files, 1);
  EXPECT_EQ(Metrics(region, "g").store_files, 0);
}

TEST_F(MaintenanceTest, ACompactionThatWasAskedForIsDone) {
  Start();
  const auto region = AddRegion();
  for (int file = 0; file < 2; ++file) {
    MakeFile(region, "f");
    MakeFile(region, "g");
  }
  maintenance_->RequestCompaction(region, CompactionKind::kMajor, "g");
  maintenance_->WaitIdle();
  EXPECT_EQ(Metrics(region, "f").store_files, 2);
  EXPECT_EQ(Metrics(region, "g").store_files, 1);
  maintenance_->RequestCompaction(region, CompactionKind::kMajor, "");
  maintenance_->WaitIdle();
  EXPECT_EQ(Metrics(region, "f").major_compactions, 1);
  EXPECT_EQ(Metrics(region, "g").major_compactions, 2);
  maintenance_->RequestCompaction(region, CompactionKind::kMinor, "");  // nothing to do
  maintenance_->WaitIdle();
}

TEST_F(MaintenanceTest, ATableWithoutCompactionsGetsNone) {
  table_->compaction_enabled = false;
  options_.blocking_store_files = 2;
  Start();
  const auto region = AddRegion();
  for (int file = 0; file < 5; ++file) {
    MakeFile(region);
    maintenance_->AfterFlush(region);
  }
  maintenance_->RequestCompaction(region, CompactionKind::kMajor, "");
  PutCells(region, 100);
  maintenance_->WaitIdle();
  EXPECT_EQ(Metrics(region).minor_compactions + Metrics(region).major_compactions, 0);
  EXPECT_GE(Metrics(region).flushes, 6) << "and its flushes do not wait for any";
}

TEST_F(MaintenanceTest, HalvesOfASplitAreCompactedWhenTheyAreAdded) {
  Start();
  const auto region = AddRegion();
  for (int row = 0; row < 10; ++row) Apply(region.get(), MakePut(std::to_string(row), "f:q", "v"));
  maintenance_->Remove(region);
  const auto halves = Complete(PrepareSplit(db_.get(), region, "5"));
  ASSERT_EQ(halves.size(), 2u);
  for (const auto& half : halves) {
    EXPECT_TRUE(half->HasReferences());
    maintenance_->Add(half);
  }
  maintenance_->WaitIdle();
  for (const auto& half : halves) {
    EXPECT_FALSE(half->HasReferences());
    EXPECT_EQ(ScanTexts(half.get(), Scan{}).size(), 5u);
  }
}

// With too many files a flush waits; the memstore grows and writes get slower, until the region refuses them. Once the
// files are fewer, the flush follows.
TEST_F(MaintenanceTest, AFlushWaitsForTheCompactionOfTooManyFiles) {
  options_.blocking_store_files = 4;
  options_.compaction_min_files = 1000;  // no compaction comes by itself
  options_.compaction_max_files = 1000;
  options_.memstore_block_multiplier = 2;
  Start();
  const auto region = AddRegion();
  for (int file = 0; file < 5; ++file) MakeFile(region);
  absl::Status status;
  int puts = 0;
  for (; status.ok() && puts < 1000; ++puts) {
    status = region->Mutate(MakePut("row" + std::to_string(puts), "f:q", std::string(1000, 'v'))).status();
    if (status.ok()) maintenance_->AfterWrite(region);
  }
  EXPECT_TRUE(IsError(status, ErrorKind::kRegionTooBusy)) << status;
  EXPECT_GT(puts, 100) << "twice 64 KB";
  EXPECT_EQ(Metrics(region).flushes, 5);
  maintenance_->RequestCompaction(region, CompactionKind::kMajor, "");
  maintenance_->WaitIdle();
  EXPECT_EQ(Metrics(region).flushes, 6);
  EXPECT_TRUE(region->Mutate(MakePut("row", "f:q", "v")).ok());
}

TEST_F(MaintenanceTest, AFlushWaitsOnlySoLong) {
  options_.blocking_store_files = 4;
  options_.compaction_min_files = options_.compaction_max_files = 1000;
  options_.blocking_wait_ms = 20;
  Start();
  const auto region = AddRegion();
  for (int file = 0; file < 5; ++file) MakeFile(region);
  PutCells(region, 70);
  maintenance_->WaitIdle();
  EXPECT_EQ(Metrics(region).store_files, 6);
}

TEST_F(MaintenanceTest, UnderTheGlobalLimitTheLargestRegionIsFlushedFirst) {
  options_.memstore_flush_bytes = 10 * kMiB;
  options_.global_memstore_bytes = 1 * kMiB;
  Start();
  const auto small = AddRegion("a", "m"), large = AddRegion("m", "");
  PutCells(small, 200);
  PutCells(large, 740);  // together under 95%
  maintenance_->WaitIdle();
  EXPECT_EQ(Metrics(small).flushes + Metrics(large).flushes, 0);
  PutCells(small, 100);  // past the limit: it flushes in time, so that no write waits for long
  maintenance_->WaitIdle();
  EXPECT_EQ(Metrics(small).flushes, 0);
  EXPECT_EQ(Metrics(large).flushes, 1);
  EXPECT_LT(db_->MemstoreBytes(), options_.global_memstore_bytes);
}

TEST_F(MaintenanceTest, AnOldMemstoreIsFlushed) {
  options_.periodic_flush_ms = 60'000;
  Start();
  const auto region = AddRegion(), idle = AddRegion("x", "y");
  PutCells(region, 1);
  WaitUntil([&] {  // each time the periodic check has looked, so the memstore's age is counted from some moment before
    clock_.Advance(10'000);
    std::this_thread::yield();
    return Metrics(region).flushes == 1;
  });
  EXPECT_EQ(region->Metrics().memstore_bytes, 0);
  EXPECT_EQ(Metrics(idle).flushes, 0);
}

TEST_F(MaintenanceTest, AnOldMemstoreIsFlushedThoughTheClockWasSetBack) {
  options_.periodic_flush_ms = 60'000;
  Start();
  const auto region = AddRegion();
  PutCells(region, 1);
  clock_.Advance(1'000'000'000);
  maintenance_->CheckNow();
  clock_.Advance(-1'000'000'000);
  maintenance_->CheckNow();
  clock_.Advance(60'000);
  maintenance_->CheckNow();
  maintenance_->WaitIdle();
  EXPECT_EQ(Metrics(region).flushes, 1);
}

TEST_F(MaintenanceTest, AMemstoreWhoseDeadVersionsCostReadsIsFlushed) {
  options_.memstore_flush_bytes = 64 << 20;
  table_->families["g"].max_versions = 5'000;
  Start();
  const auto dead = AddRegion("", "m"), kept = AddRegion("m", "");
  MakeVersions(dead, "a", "f:q", 1'500);
  MakeVersions(kept, "m", "g:q", 1'500);
  Get get_dead, get_kept;
  get_dead.row = "a";
  get_kept.row = "m";
  for (int i = 0; i < 22'000; ++i) {
    CellBlock cells;
    ASSERT_TRUE(dead->Get(get_dead, &cells).ok());
    ASSERT_TRUE(kept->Get(get_kept, &cells).ok());
    ASSERT_EQ(cells.size(), 2u);
  }
  WaitUntil([&] { return Metrics(dead).flushes == 1; });
  WaitUntil([&] { return dead->Metrics().memstore_bytes == 0; });
  EXPECT_FALSE(dead->NeedsFlush());
  maintenance_->CheckNow();
  maintenance_->WaitIdle();
  EXPECT_EQ(Metrics(kept, "g").flushes, 0);
}

TEST_F(MaintenanceTest, PeriodicMajorCompactionsAreFoundByTheCheck) {
  options_.memstore_flush_bytes = 64 << 20;
  options_.major_compaction_period_ms = 1000;
  options_.major_compaction_jitter = 0;
  options_.compaction_check_ticks = 2;
  Start();
  const auto region = AddRegion();
  PutCells(region, 3000);  // so much that the check comes again while they are compacted
  MakeFile(region);
  MakeFile(region);
  EXPECT_EQ(Metrics(region).major_compactions, 0);
  clock_.Advance(1001);
  WaitUntil([&] { return Metrics(region).major_compactions > 0; });
  maintenance_->WaitIdle();
  EXPECT_EQ(Metrics(region).major_compactions, 1);
  EXPECT_EQ(Metrics(region).store_files, 1);
}

TEST_F(MaintenanceTest, ALargeRegionIsNamedForASplit) {
  options_.max_file_bytes = 200 * kKiB;
  options_.split_policy = "ConstantSizeRegionSplitPolicy";
  Start();
  const auto region = AddRegion(), other = AddRegion("x", "y");
  PutCells(region, 60);
  maintenance_->WaitIdle();
  EXPECT_TRUE(wanted_splits_.empty());
  PutCells(region, 400);
  PutCells(other, 1);
  maintenance_->WaitIdle();
  ASSERT_FALSE(wanted_splits_.empty());
  EXPECT_EQ(std::count(wanted_splits_.begin(), wanted_splits_.end(), region->info().EncodedName()),
            static_cast<int64_t>(wanted_splits_.size()));
}

TEST_F(MaintenanceTest, TheWishForASplitMayRemoveTheRegionAtOnce) {
  options_.max_file_bytes = 1;
  options_.split_policy = "ConstantSizeRegionSplitPolicy";
  OpenDatabase();
  std::atomic<int> wishes = 0;
  maintenance_ = std::make_unique<Maintenance>(db_.get(), [&](std::shared_ptr<Region> region) {
    maintenance_->Remove(region);
    ++wishes;
  });
  const auto region = AddRegion();
  PutCells(region, 70);
  maintenance_->WaitIdle();
  EXPECT_EQ(wishes, 1);
}

TEST_F(MaintenanceTest, ItsEndInterruptsCompactions) {
  Start();
  const auto region = AddRegion();
  for (int i = 0; i < 2; ++i) {
    PutCells(region, 10);
    ASSERT_TRUE(region->Flush().ok());
  }
  maintenance_->InterruptCompactions();
  EXPECT_FALSE(*region->Compact(CompactionKind::kMajor, "")) << "it is held";
  region->HoldCompactions(false);
  maintenance_.reset();
  EXPECT_FALSE(*region->Compact(CompactionKind::kMajor, ""));
  region->HoldCompactions(false);
  EXPECT_TRUE(*region->Compact(CompactionKind::kMajor, ""));
}

TEST_F(MaintenanceTest, ItStopsWhileThereIsWorkLeft) {
  Start();
  std::vector<std::shared_ptr<Region>> regions;
  for (int i = 0; i < 10; ++i) regions.push_back(AddRegion(std::to_string(i), std::to_string(i) + "x"));
  for (const auto& region : regions) PutCells(region, 100);
  maintenance_.reset();
  for (const auto& region : regions) EXPECT_EQ(ScanTexts(region.get(), Scan{}).size(), 100u);
}

TEST_F(MaintenanceTest, ManyWritersAndRegionsThatComeAndGo) {
  options_.memstore_flush_bytes = 32 * kKiB;
  options_.periodic_flush_ms = 1;
  options_.compaction_check_ticks = 1;
  Start();
  std::vector<std::shared_ptr<Region>> regions;
  for (int i = 0; i < 4; ++i) regions.push_back(AddRegion(std::to_string(i), std::to_string(i) + "x"));
  std::vector<std::thread> writers;
  for (int writer = 0; writer < 4; ++writer) {
    writers.emplace_back([&, writer] {
      for (int i = 0; i < 300; ++i) {
        const auto& region = regions[i % 4];
        const std::string row = region->info().start_key + std::to_string(writer) + "row" + std::to_string(i);
        while (!region->Mutate(MakePut(row, "f:q", std::string(1000, 'v'))).ok()) std::this_thread::yield();
        maintenance_->AfterWrite(region);
      }
    });
  }
  for (int round = 0; round < 50; ++round) {
    maintenance_->Remove(regions[round % 4]);
    maintenance_->Add(regions[round % 4]);
  }
  for (std::thread& writer : writers) writer.join();
  maintenance_->WaitIdle();
  for (const auto& region : regions) EXPECT_EQ(ScanTexts(region.get(), Scan{}).size(), 300u);
}

}  // namespace
}  // namespace vaquita
