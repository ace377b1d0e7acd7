#include "engine/store_db.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/log.h"
#include "engine/cells/cell_key.h"
#include "engine/testing/store_db_fixture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rocksdb/db.h"
#include "rocksdb/iterator.h"
#include "rocksdb/sst_file_reader.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using StoreDbTest = StoreDbFixture;

TEST_F(StoreDbTest, CellsComeBackInStoreOrder) {
  const auto store = Create("r1/f", {}, {.name = "f", .max_versions = 2});
  Put(store, "b", "q", 1, "b1");
  Put(store, "a", "q", 1, "a1");
  Put(store, "a", "q", 2, "a2");
  Put(store, "a", "p", 9, "a9");
  EXPECT_THAT(Cells(store), ElementsAre("a:p@9=a9", "a:q@2=a2", "a:q@1=a1", "b:q@1=b1"));
  Flush(store);
  EXPECT_THAT(Cells(store), ElementsAre("a:p@9=a9", "a:q@2=a2", "a:q@1=a1", "b:q@1=b1"));
}

// The memstore's index leads to the newest version of each column.
TEST_F(StoreDbTest, SeeksInARowOfManyVersionsFindWhatStepsFind) {
  const auto store = Create("r1/f", {}, {.name = "f", .max_versions = 1000});
  std::mt19937 random(3);
  const auto write = [&](int cells, int64_t first_ms) {
    for (int i = 0; i < cells; ++i) {
      const std::string qualifier = "q" + std::to_string(random() % 12);
      Put(store, "hot", qualifier, first_ms + static_cast<int64_t>(random() % 1000), "v");
    }
  };
  Put(store, "before", "q", 1, "v");
  Put(store, "hounds", "q", 1, "v");
  write(600, 1);
  const auto open = [&](bool one_row) {
    std::vector<std::unique_ptr<rocksdb::Iterator>> iterators;
    const std::string row = RowPrefix("hot");
    std::string behind = row;
    ++behind.back();
    EXPECT_TRUE(db_->NewIterators({&store, 1}, {.lower = row, .upper = behind, .one_row = one_row}, &iterators).ok());
    return std::move(iterators.at(0));
  };
  const auto steps = open(/*one_row=*/false);
  std::vector<std::string> keys;
  for (steps->SeekToFirst(); steps->Valid(); steps->Next()) keys.push_back(steps->key().ToString());
  ASSERT_GT(keys.size(), 400u);
  const auto seeks = open(/*one_row=*/true);
  write(300, 500);  // not seen by either
  for (int i = 0; i < 3000; ++i) {
    std::string target = keys[random() % keys.size()];
    const auto kind = random() % 3;
    if (kind > 0) target.resize(target.size() - kKeySuffixLength);  // the column's begin
    if (kind > 1) ++target.back();                                  // its end
    auto expected = std::lower_bound(keys.begin(), keys.end(), target);
    seeks->Seek(target);
    for (int step = 0; step < 3 && expected != keys.end(); ++step, ++expected, seeks->Next()) {
      ASSERT_TRUE(seeks->Valid());
      ASSERT_EQ(seeks->key().ToString(), *expected);
    }
    if (expected == keys.end()) {
      ASSERT_FALSE(seeks->Valid());
    }
  }
}

TEST_F(StoreDbTest, WhatWasWrittenIsThereAfterAReopenFlushedOrNot) {
  auto store = Create("r1/f");
  Put(store, "a", "q", 1, "flushed");
  Flush(store);
  for (int i = 0; i < 1000; ++i) Put(store, "b" + std::to_string(i), "q", 1, "in the log");
  const StoreMetrics before = store->Metrics();
  store.reset();
  Reopen();
  store = db_->Find("r1/f");
  ASSERT_NE(store, nullptr);
  EXPECT_EQ(Cells(store).size(), 1001u);
  const StoreMetrics after = store->Metrics();
  EXPECT_EQ(after.store_files, 1);
  EXPECT_EQ(after.memstore_cells, 1000);
  EXPECT_NEAR(after.memstore_bytes, before.memstore_bytes, static_cast<double>(before.memstore_bytes) / 20)
      << "the gauge survives too";
  EXPECT_EQ(db_->MemstoreBytes(), store->MemstoreBytes());
  Flush(store);
  EXPECT_EQ(store->MemstoreBytes(), 0);
  EXPECT_EQ(db_->MemstoreBytes(), 0);
}

TEST_F(StoreDbTest, SyncsOfTheLogCanBeHeld) {
  const auto made = db_->Create({Spec("r1/f")});
  ASSERT_TRUE(made.ok()) << made.status();
  const int64_t before = db_->Metrics().log_syncs;
  const auto put = [&](const std::string& row) {
    StoreBatch batch;
    batch.Add(*made->front(), row, "q", 1, CellType::kPut, "v");
    ASSERT_TRUE(db_->Write(&batch, Durability::kFsyncWal).ok());
  };
  db_->HoldLogSyncs();
  for (const char* row : {"a", "b", "c"}) put(row);
  ASSERT_TRUE(db_->PutNotes({{"note", "1"}}).ok());
  EXPECT_EQ(db_->Metrics().log_syncs, before);
  ASSERT_TRUE(db_->ReleaseLogSyncs().ok());
  put("d");
  EXPECT_EQ(db_->Metrics().log_syncs, before + 1);
}

TEST_F(StoreDbTest, TheManifestForgetsDroppedStores) {
  const std::string long_name(1 << 20, 'n');  // an edit of the manifest has the store's name
  for (int i = 0; i < 80; ++i) {
    const std::string name = long_name + std::to_string(i) + "/f";
    ASSERT_TRUE(db_->Create({Spec(name)}).ok());
    const std::string names[] = {name};
    ASSERT_TRUE(db_->Drop(names).ok());
    known_.erase(name);
  }
  uintmax_t bytes = 0;
  for (const auto& file : std::filesystem::directory_iterator(path_)) {
    if (file.path().filename().string().starts_with("MANIFEST-")) bytes += file.file_size();
  }
  EXPECT_LT(bytes, uintmax_t{66} << 20);
}

TEST_F(StoreDbTest, ABatchGoesToAllItsStores) {
  const auto f = Create("r1/f"), g = Create("r1/g");
  StoreBatch batch;
  EXPECT_TRUE(batch.empty());
  batch.Add(*f, "a", "q", 1, CellType::kPut, "1");
  batch.Add(*g, "a", "q", 1, CellType::kPut, "2");
  batch.Add(*f, "b", "q", 1, CellType::kDeleteFamily, "");
  EXPECT_FALSE(batch.empty());
  ASSERT_TRUE(db_->Write(&batch, Durability::kFsyncWal).ok());
  EXPECT_THAT(Cells(f), ElementsAre("a:q@1=1", "b:q@1 DeleteFamily"));
  EXPECT_THAT(Cells(g), ElementsAre("a:q@1=2"));
  EXPECT_EQ(f->Metrics().memstore_cells, 2);
  EXPECT_EQ(g->Metrics().memstore_cells, 1);
  EXPECT_EQ(f->MemstoreBytes() + g->MemstoreBytes(), db_->MemstoreBytes());
}

TEST_F(StoreDbTest, ASecondOpenIsRefusedInOneLineThatNamesTheFolder) {
  const auto second = StoreDb::Open({path_, &options_, &clock_}, Resolver());
  ASSERT_EQ(second.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(Text(second.status()), "data folder " + path_ + " is in use by another process");
  const int status = RunChild("StoreDbChild.DISABLED_OpensTheFolderThatIsInUse");
  EXPECT_EQ(status, 0) << "another process gets the same answer";
}

TEST_F(StoreDbTest, AFolderThatCannotBeMadeIsAnError) {
  const auto db = StoreDb::Open({"/proc/no/such", &options_, &clock_}, Resolver());
  ASSERT_FALSE(db.ok());
  EXPECT_THAT(Text(db.status()), HasSubstr("/proc/no/such"));
}

// ---- What flushes and compactions drop

TEST_F(StoreDbTest, AFlushDropsVersionsBeyondTheMostButKeepsMarkers) {
  const auto store = Create("r1/f");
  for (int version = 1; version <= 5; ++version) Put(store, "a", "q", version, "v");
  Delete(store, "a", "q", 2, CellType::kDeleteColumn);  // as in HBase it goes with the versions it stands among
  Delete(store, "a", "r", 2, CellType::kDeleteColumn);
  Flush(store);
  EXPECT_THAT(Cells(store), ElementsAre("a:q@5=v", "a:r@2 DeleteColumn"));
}

TEST_F(StoreDbTest, AMinorCompactionOfSomeFilesKeepsMarkersAndOneOfAllFilesDropsThem) {
  options_.compaction_min_size_bytes = 1;  // the ratio counts
  Reopen();
  const auto store = Create("r1/f");
  for (int row = 0; row < 2000; ++row) Put(store, "old" + std::to_string(row), "q", 1, "v");
  Flush(store);  // the large, oldest file
  Put(store, "a", "q", 1, "v");
  Flush(store);
  Delete(store, "a", "q", 1, CellType::kDeleteColumn);
  Flush(store);
  Put(store, "b", "q", 1, "v");
  Flush(store);
  ASSERT_TRUE(Compact(store, CompactionKind::kMinor));
  EXPECT_EQ(store->StoreFileCount(), 2);
  EXPECT_THAT(Cells(store, "a", "c"), ElementsAre("a:q@1 DeleteColumn", "b:q@1=v"));

  ASSERT_TRUE(Compact(store, CompactionKind::kMajor));
  EXPECT_EQ(store->StoreFileCount(), 1);
  EXPECT_THAT(Cells(store, "a", "c"), ElementsAre("b:q@1=v"));
  EXPECT_EQ(Cells(store).size(), 2001u);
}

TEST_F(StoreDbTest, CompactingWithNothingToDoSaysSo) {
  const auto store = Create("r1/f");
  EXPECT_FALSE(Compact(store, CompactionKind::kMinor));
  EXPECT_FALSE(Compact(store, CompactionKind::kMajor));
  Put(store, "a", "q", 1, "v");
  Flush(store);
  EXPECT_FALSE(Compact(store, CompactionKind::kMinor));
  CompactionKind kind;
  EXPECT_FALSE(db_->NeedsCompaction(*store, &kind));
  EXPECT_EQ(db_->CompactionBytes(*store, CompactionKind::kMinor), 0);
  EXPECT_GT(db_->CompactionBytes(*store, CompactionKind::kMajor), 0);
}

TEST_F(StoreDbTest, ThreeFilesNeedAMinorCompaction) {
  const auto store = Create("r1/f");
  CompactionKind kind;
  for (int file = 0; file < 3; ++file) {
    EXPECT_FALSE(db_->NeedsCompaction(*store, &kind)) << file;
    Put(store, "a" + std::to_string(file), "q", 1, "v");
    Flush(store);
  }
  EXPECT_TRUE(db_->NeedsCompaction(*store, &kind));
  EXPECT_EQ(kind, CompactionKind::kMinor);
  EXPECT_GT(db_->CompactionBytes(*store, kind), 0);
  EXPECT_TRUE(Compact(store, kind));
  EXPECT_EQ(store->StoreFileCount(), 1);
  EXPECT_FALSE(db_->NeedsCompaction(*store, &kind));
}

TEST_F(StoreDbTest, APeriodicMajorCompactionFallsDueByTheServersClock) {
  const auto store = Create("r1/f");
  for (int file = 0; file < 2; ++file) {
    Put(store, "a", "q", file, "v");
    Flush(store);
  }
  CompactionKind kind;
  EXPECT_FALSE(db_->NeedsCompaction(*store, &kind));
  clock_.Advance(options_.major_compaction_period_ms / 2);  // the jitter makes it half a period at the earliest
  EXPECT_FALSE(db_->NeedsCompaction(*store, &kind));
  clock_.Advance(options_.major_compaction_period_ms);  // and one and a half at the latest
  EXPECT_TRUE(db_->NeedsCompaction(*store, &kind));
  EXPECT_EQ(kind, CompactionKind::kMajor);
  ASSERT_TRUE(Compact(store, kind));
  EXPECT_EQ(store->Metrics().last_major_compaction_ms, clock_.NowMs());
  EXPECT_FALSE(db_->NeedsCompaction(*store, &kind));
}

TEST_F(StoreDbTest, WhatStoresDidCountsWhenTheyAreGone) {
  auto store = Create("a/f"), other = Create("b/f");
  for (int i = 0; i < 2; ++i) {
    Put(store, "r", "q", i, "v");
    Flush(store);
  }
  Put(other, "r", "q", 1, "v");
  Flush(other);
  EXPECT_TRUE(Compact(store, CompactionKind::kMajor));
  const StoreDbMetrics before = db_->Metrics();
  EXPECT_EQ(before.flushes, 3);
  EXPECT_EQ(before.flushed_bytes, store->Metrics().flushed_bytes + other->Metrics().flushed_bytes);
  EXPECT_EQ(before.major_compactions, 1);
  EXPECT_EQ(before.minor_compactions, 0);
  EXPECT_EQ(before.compacted_bytes_read, store->Metrics().compacted_bytes_read);
  EXPECT_GT(before.block_cache_capacity_bytes, 0);
  EXPECT_GE(before.log_writes, 3);
  EXPECT_GT(before.log_written_bytes, 3);
  store.reset();
  ASSERT_TRUE(db_->Drop({{"a/f"}}).ok());
  EXPECT_EQ(db_->Metrics().flushes, 3);
  EXPECT_EQ(db_->Metrics().major_compactions, 1);
}

TEST_F(StoreDbTest, CompactionsSayWhatTheyDropped) {
  FamilyDescriptor family{.name = "f", .max_versions = 1};
  family.ttl_seconds = 10;
  const auto store = Create("r1/f", {}, family);
  const int64_t now_ms = clock_.NowMs();
  Put(store, "expires", "q", now_ms - 9'000, "v");
  for (int version = 0; version < 20; ++version) {
    Put(store, "rewritten", "q", now_ms + version, "v");
    if (version == 0) Put(store, "deleted", "q", now_ms, "v");
    if (version == 1) Delete(store, "deleted", "q", now_ms + 1, CellType::kDeleteColumn);
    Flush(store);
  }
  EXPECT_EQ(store->Metrics().dropped, DroppedCells());
  clock_.Advance(5'000);
  ASSERT_TRUE(Compact(store, CompactionKind::kMajor));
  const StoreMetrics metrics = store->Metrics();
  EXPECT_EQ(metrics.compacted_files_read, 20);
  EXPECT_EQ(metrics.dropped.markers, 1);
  EXPECT_EQ(metrics.dropped.deleted, 1);
  EXPECT_EQ(metrics.dropped.expired, 1);
  EXPECT_GE(metrics.dropped.versions, 8);
  EXPECT_EQ(metrics.dropped.versions + metrics.dropped.skipped, 19) << "long runs are skipped without a look at each";
}

TEST_F(StoreDbTest, MetricsCountWhatHappened) {
  auto store = Create("r1/f");
  const std::string value(1000, 'v');
  for (int file = 0; file < 3; ++file) {
    for (int row = 0; row < 100; ++row) Put(store, "row" + std::to_string(file * 100 + row), "q", 1, value);
    Flush(store);
  }
  StoreMetrics metrics = store->Metrics();
  EXPECT_EQ(metrics.flushes, 3);
  EXPECT_EQ(metrics.store_files, 3);
  EXPECT_EQ(metrics.memstore_bytes, 0);
  EXPECT_EQ(metrics.memstore_cells, 0);
  EXPECT_NEAR(metrics.flushed_bytes, 300 * 1030, 15'000);
  EXPECT_NEAR(metrics.store_file_bytes, metrics.flushed_bytes, 10'000);
  EXPECT_EQ(metrics.last_major_compaction_ms, 0);

  ASSERT_TRUE(Compact(store, CompactionKind::kMajor));
  metrics = store->Metrics();
  EXPECT_EQ(metrics.major_compactions, 1);
  EXPECT_EQ(metrics.minor_compactions, 0);
  EXPECT_NEAR(metrics.compacted_bytes_read, 300 * 1030, 25'000);
  EXPECT_NEAR(metrics.compacted_bytes_written, 300 * 1030, 25'000);
  EXPECT_NEAR(metrics.write_amplification(), 2, 0.1);
  const int64_t compacted_ms = clock_.NowMs();
  EXPECT_EQ(metrics.last_major_compaction_ms, compacted_ms);
  const auto files = store->Files();
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0].entries, 300);
  EXPECT_EQ(files[0].first_row, "row0");
  EXPECT_EQ(files[0].last_row, "row99");
  EXPECT_FALSE(files[0].reference);

  store.reset();
  clock_.Advance(1000);
  Reopen();
  metrics = db_->Find("r1/f")->Metrics();
  EXPECT_EQ(metrics.last_major_compaction_ms, compacted_ms) << "the file tells of it";
  EXPECT_EQ(metrics.store_files, 1);
}

TEST_F(StoreDbTest, AnAlterHoldsForTheNextFilesAndCompactions) {
  FamilyDescriptor family{.name = "f", .max_versions = 3};
  const auto store = Create("r1/f", {}, family);
  const std::string value(500, 'v');
  for (int row = 0; row < 200; ++row) {
    for (int version = 1; version <= 3; ++version) Put(store, "row" + std::to_string(row), "q", version, value);
  }
  Flush(store);
  EXPECT_EQ(Cells(store).size(), 600u);
  const auto plain = TableProperties(store);
  EXPECT_EQ(plain.compression_name, "NoCompression");
  EXPECT_GT(plain.filter_size, 0u);

  family.max_versions = 1;
  family.compression = Compression::kLz4;
  family.block_size_bytes = 4096;
  family.bloom_filter = BloomType::kNone;
  ASSERT_TRUE(store->Alter(family).ok());
  EXPECT_EQ(store->spec().family, family);
  ASSERT_TRUE(Compact(store, CompactionKind::kMajor));
  EXPECT_EQ(Cells(store).size(), 200u);
  const auto altered = TableProperties(store);
  EXPECT_EQ(altered.compression_name, "LZ4");
  EXPECT_EQ(altered.filter_size, 0u);
  EXPECT_GT(altered.num_data_blocks, 20u);

  family.compression = Compression::kZstd;
  family.bloom_filter = BloomType::kRow;
  ASSERT_TRUE(store->Alter(family).ok());
  Put(store, "row0", "q", 9, value);
  Flush(store);
  ASSERT_TRUE(Compact(store, CompactionKind::kMajor));
  EXPECT_EQ(TableProperties(store).compression_name, "ZSTD");
  EXPECT_GT(TableProperties(store).filter_size, 0u);
  EXPECT_EQ(CellsOfRow(store, "row0").size(), 1u)
      << "a bloom filter that came later is asked only of files that have it";
}

TEST_F(StoreDbTest, ExpiredCellsGoAtACompaction) {
  const auto store = Create("r1/f", {}, {.name = "f", .ttl_seconds = 10});
  Put(store, "a", "q", clock_.NowMs(), "v");
  Put(store, "b", "q", clock_.NowMs() + 5000, "v");
  Flush(store);
  clock_.Advance(12'000);
  ASSERT_TRUE(Compact(store, CompactionKind::kMajor));
  EXPECT_EQ(Cells(store).size(), 1u);
  clock_.Advance(12'000);
  ASSERT_TRUE(Compact(store, CompactionKind::kMajor));
  EXPECT_THAT(Cells(store), IsEmpty());
  EXPECT_EQ(store->StoreFileCount(), 0);
}

// ---- Reads

TEST_F(StoreDbTest, OneRowIsReadFromWhicheverFilesHaveIt) {
  for (const BloomType bloom : {BloomType::kRow, BloomType::kNone, BloomType::kRowCol}) {
    const auto store =
        Create("r" + std::to_string(int(bloom)) + "/f", {}, {.name = "f", .max_versions = 3, .bloom_filter = bloom});
    const std::string tricky("row\0\xff\0\x01", 7);
    for (int file = 1; file <= 3; ++file) {
      for (int row = 0; row < 100; ++row) Put(store, "row" + std::to_string(file) + std::to_string(row), "q", 1, "v");
      Put(store, "row", "q", file, "v");
      if (file == 2) Put(store, tricky, "q", 1, "v");
      if (file < 3) Flush(store);
    }
    EXPECT_THAT(CellsOfRow(store, "row"), ElementsAre("row:q@3=v", "row:q@2=v", "row:q@1=v"));
    EXPECT_EQ(CellsOfRow(store, tricky).size(), 1u);
    EXPECT_THAT(CellsOfRow(store, "rox"), IsEmpty());
  }
}

TEST_F(StoreDbTest, AnOpenIteratorSeesItsMomentWhateverComesAfter) {
  auto store = Create("r1/f", {}, {.name = "f", .max_versions = 2});
  for (int row = 0; row < 1000; ++row) {
    Put(store, "row" + std::to_string(row), "q", 1, "v");
    Put(store, "row" + std::to_string(row), "q", 2, "v");
    if (row == 500) Flush(store);
  }
  std::vector<std::unique_ptr<rocksdb::Iterator>> iterators;
  ASSERT_TRUE(db_->NewIterators({{store}}, {}, &iterators).ok());
  iterators[0]->SeekToFirst();

  for (int row = 0; row < 1000; ++row) Delete(store, "row" + std::to_string(row), "", 9, CellType::kDeleteFamily);
  Flush(store);
  ASSERT_TRUE(Compact(store, CompactionKind::kMajor));
  EXPECT_THAT(Cells(store), IsEmpty());
  ASSERT_TRUE(db_->Drop({{"r1/f"}}).ok());
  EXPECT_EQ(db_->Find("r1/f"), nullptr);
  store.reset();

  int cells = 0;
  for (; iterators[0]->Valid(); iterators[0]->Next()) ++cells;
  EXPECT_TRUE(iterators[0]->status().ok());
  EXPECT_EQ(cells, 2000);
}

// Each batch writes the same number to three stores; readers must never see two numbers, whatever is flushed and
// compacted meanwhile.
TEST_F(StoreDbTest, IteratorsOverSeveralStoresShowOneMoment) {
  const std::vector<std::shared_ptr<Store>> stores = {Create("r1/f"), Create("r1/g"), Create("r1/h")};
  const auto write = [&](int64_t number) {
    StoreBatch batch;
    for (const auto& store : stores) batch.Add(*store, "row", "q", number, CellType::kPut, "v");
    ASSERT_TRUE(db_->Write(&batch, Durability::kSyncWal).ok());
  };
  write(1);
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    for (int64_t number = 2; !stop; ++number) write(number);
  });
  std::thread upkeep([&] {
    while (!stop) {
      for (const auto& store : stores) {
        ASSERT_TRUE(db_->Flush({{store}}).ok());
        ASSERT_TRUE(db_->Compact(store, CompactionKind::kMinor).ok());
      }
    }
  });
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::unique_ptr<rocksdb::Iterator>> iterators;
    ASSERT_TRUE(
        db_->NewIterators(stores, {.lower = RowPrefix("row"), .upper = AfterRow("row"), .one_row = true}, &iterators)
            .ok());
    std::vector<int64_t> newest;
    for (const auto& iterator : iterators) {
      iterator->Seek(RowPrefix("row"));
      ASSERT_TRUE(iterator->Valid()) << round;
      newest.push_back(KeyTimestamp({iterator->key().data(), iterator->key().size()}));
    }
    ASSERT_EQ(newest[0], newest[1]) << round;
    ASSERT_EQ(newest[0], newest[2]) << round;
  }
  stop = true;
  writer.join();
  upkeep.join();
}

// ---- Stores that come and go

TEST_F(StoreDbTest, AStoreThatNobodyKnowsIsKeptWithAllItsCells) {
  Create("r1/f");
  Create("r2/g");
  Put(db_->Find("r2/g"), "a", "q", 1, "1");
  Put(db_->Find("r2/g"), "a", "q", 2, "2");
  Delete(db_->Find("r2/g"), "a", "q", 2, CellType::kDelete);
  known_.erase("r2/g");
  std::filesystem::create_directories(path_ + "/exports/7");
  Reopen();
  EXPECT_FALSE(std::filesystem::exists(path_ + "/exports"));
  ASSERT_EQ(db_->UnknownStores().size(), 1u);
  const auto kept = db_->UnknownStores().front();
  EXPECT_EQ(kept->spec().name, "r2/g");
  EXPECT_EQ(kept->spec().family.name, "g");
  Flush(kept);
  ASSERT_EQ(kept->Files().size(), 1u);
  EXPECT_EQ(kept->Files()[0].entries, 3) << "a flush drops nothing of it";
  EXPECT_EQ(db_->Find("r2/g"), kept);
}

TEST_F(StoreDbTest, ADroppedStoreIsUnknownNoMore) {
  Put(Create("r1/f"), "a", "q", 1, "v");
  known_.clear();
  Reopen();
  ASSERT_EQ(db_->UnknownStores().size(), 1u);
  ASSERT_TRUE(db_->Drop({{"r1/f"}}).ok());
  EXPECT_TRUE(db_->UnknownStores().empty());
  Create("r1/f");
  EXPECT_TRUE(db_->UnknownStores().empty()) << "another store of that name";
  Reopen();
  EXPECT_TRUE(db_->UnknownStores().empty());
}

TEST_F(StoreDbTest, NotesStayUntilTheyAreRemoved) {
  Create("r1/f");
  ASSERT_TRUE(db_->PutNotes({{"region/r1", "one"}, {"table/t", "two"}}).ok());
  Reopen();
  EXPECT_EQ(*db_->Notes(), (StoreDb::NoteMap{{"region/r1", "one"}, {"table/t", "two"}}));
  ASSERT_TRUE(db_->PutNotes({{"region/r1", ""}, {"table/t", "new"}, {"no such", ""}}).ok());
  ASSERT_TRUE(db_->PutNotes({}).ok());
  Reopen();
  EXPECT_EQ(*db_->Notes(), (StoreDb::NoteMap{{"table/t", "new"}}));
}

TEST_F(StoreDbTest, ADroppedStoresFilesGoAndItsNameIsFreeAgain) {
  auto store = Create("r1/f");
  Put(store, "a", "q", 1, "v");
  Flush(store);
  Put(store, "b", "q", 1, "v");
  const auto files = [&] {
    int count = 0;
    for (const auto& file : std::filesystem::directory_iterator(path_)) count += file.path().extension() == ".sst";
    return count;
  };
  EXPECT_EQ(files(), 1);
  ASSERT_TRUE(db_->Drop({{"r1/f", "no/such"}}).ok());
  store.reset();
  EXPECT_EQ(files(), 0);
  EXPECT_EQ(db_->MemstoreBytes(), 0);
  EXPECT_THAT(Cells(Create("r1/f")), IsEmpty());
}

// RocksDB looks at the options of all stores after each of its calls that drops some. It takes the number of a file for
// that, so the numbers of files tell how often it did.
TEST_F(StoreDbTest, StoresAreDroppedInOneCall) {
  const auto kept = Create("kept/f");
  std::vector<std::string> names;
  std::vector<StoreSpec> specs;
  for (int i = 0; i < 50; ++i) {
    names.push_back("r" + std::to_string(i) + "/f");
    specs.push_back({.name = names.back(), .family = {.name = "f"}});
  }
  const auto next_number = [&] {
    Put(kept, "a", "q", 1, "v");
    Flush(kept);
    int highest = 0;
    for (const auto& file : std::filesystem::directory_iterator(path_)) {
      if (file.path().extension() == ".sst") highest = std::max(highest, std::stoi(file.path().stem().string()));
    }
    return highest;
  };
  ASSERT_TRUE(db_->Create(specs).ok());
  int before = next_number();
  ASSERT_TRUE(db_->Drop(names).ok());
  EXPECT_LT(next_number() - before, 10);

  // A creation that fails drops those that it has made.
  specs.push_back({.name = "kept/f", .family = {.name = "f"}});
  before = next_number();
  EXPECT_FALSE(db_->Create(specs).ok());
  EXPECT_LT(next_number() - before, 10);
  specs.pop_back();
  EXPECT_TRUE(db_->Create(specs).ok());
}

TEST_F(StoreDbTest, CreatingAStoreThatExistsIsAnErrorAndCreatesNone) {
  Create("r1/f");
  std::vector<StoreSpec> specs(2);
  specs[0] = {.name = "r2/f", .family = {.name = "f"}};
  specs[1] = {.name = "r1/f", .family = {.name = "f"}};
  EXPECT_FALSE(db_->Create(specs).ok());
  EXPECT_EQ(db_->Find("r2/f"), nullptr);
  Create("r2/f");
}

// The traps that this guards against make it ten to a hundred times slower. CPU time: a busy machine or a sanitizer
// takes a few times as long.
TEST_F(StoreDbTest, EightHundredStoresAreCreatedAndReopenedQuickly) {
  std::vector<StoreSpec> specs;
  for (int i = 0; i < 800; ++i) {
    specs.push_back({.name = "region" + std::to_string(i) + "/f", .family = {.name = "f"}});
    known_[specs.back().name] = specs.back();
  }
  const auto seconds = [](const auto& work) {
    const std::clock_t start = std::clock();
    work();
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  const double create = seconds([&] { ASSERT_TRUE(db_->Create(specs).ok()); });
  for (int i = 0; i < 800; ++i) Put(db_->Find(specs[i].name), "a", "q", 1, "v");
  const double close = seconds([&] { db_.reset(); });
  const double reopen = seconds([&] { Open(); });
  EXPECT_EQ(Cells(db_->Find("region799/f")).size(), 1u);
  std::printf("800 stores: create %.3f s, close %.3f s, reopen %.3f s\n", create, close, reopen);
  EXPECT_LT(create, 5.0);
  EXPECT_LT(reopen, 5.0);
  for (const auto& file : std::filesystem::directory_iterator(path_)) {
    EXPECT_FALSE(file.path().filename().string().starts_with("OPTIONS")) << file.path();
  }
}

TEST_F(StoreDbTest, WhoseFolderWasTakenAwayDoesNotMakeItAnew) {
  Create("r1/f");
  const std::string taken = path_ + "-taken";
  std::filesystem::rename(path_, taken);
  EXPECT_FALSE(db_->Create({Spec("r2/f")}).ok());
  db_.reset();
  EXPECT_FALSE(std::filesystem::exists(path_));
  std::filesystem::rename(taken, path_);
}

// ---- What a killed process leaves

// --- Errors of RocksDB's own work.

// The process has no file descriptor left while it lives.
class NoDescriptors {
 public:
  NoDescriptors() {
    // UBSan opens a pipe when it meets a class for the first time, so the log's classes have to be known before.
    spdlog::warn("there are no file descriptors left");
    getrlimit(RLIMIT_NOFILE, &before_);
    rlimit none = before_;
    none.rlim_cur = 3;
    setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NoDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

TEST_F(StoreDbTest, WritesGoOnWhenThereAreFileDescriptorsAgain) {
  const auto store = Create("r1/f");
  Put(store, "a", "q", 1, "before");
  absl::Status flushed;
  WriteHealth::State writes;
  {
    const NoDescriptors none;
    flushed = db_->Flush({{store}});
    writes = db_->Writes();
  }
  EXPECT_FALSE(flushed.ok());
  EXPECT_THAT(Text(writes.why), HasSubstr("Too many open files"));
  EXPECT_FALSE(writes.for_good);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!db_->Writes().why.ok() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  ASSERT_TRUE(db_->Writes().why.ok()) << db_->Writes().why;
  Put(store, "b", "q", 1, "after");
  Flush(store);
  EXPECT_THAT(Cells(store), ElementsAre("a:q@1=before", "b:q@1=after"));
}

TEST_F(StoreDbTest, AFolderThatIsGoneEndsWritesForGood) {
  const auto store = Create("r1/f");
  EXPECT_TRUE(db_->Writes().why.ok());
  std::filesystem::rename(path_, path_ + "_moved");
  EXPECT_THAT(Text(db_->Writes().why), HasSubstr("the data folder " + path_ + " is gone"));
  EXPECT_TRUE(db_->Writes().for_good);
  // Another folder in its place is not it.
  std::filesystem::create_directory(path_);
  EXPECT_TRUE(db_->Writes().for_good);
  std::filesystem::remove_all(path_);
  std::filesystem::rename(path_ + "_moved", path_);
  EXPECT_TRUE(db_->Writes().why.ok());
}

TEST_F(StoreDbTest, AFatalErrorOfAFlushEndsWritesForGood) {
  const auto store = Create("r1/f");
  Put(store, "a", "q", 1, "v");
  std::filesystem::rename(path_, path_ + "_moved");
  EXPECT_FALSE(db_->Flush({{store}}).ok());
  std::filesystem::rename(path_ + "_moved", path_);
  EXPECT_TRUE(db_->Writes().for_good);
  EXPECT_FALSE(db_->Writes().why.ok());
}

// RocksDB ends the process if a handle of another store is left.
TEST_F(StoreDbTest, AStoreThatCannotBeRecoveredFailsTheOpen) {
  StoreSpec spec = Spec("meta/f");
  spec.row_order = known_["meta/f"].row_order = RowOrder::kMeta;
  auto made = db_->Create({spec});
  ASSERT_TRUE(made.ok()) << made.status();
  Create("r1/f");
  const std::string no_cell = "\x03";
  ASSERT_TRUE(made->front()->rocksdb()->Put({}, made->front()->handle(), no_cell, "").ok());
  db_.reset();
  made->clear();
  const auto opened = StoreDb::Open({path_, &options_, &clock_}, Resolver());
  EXPECT_THAT(Text(opened.status()), HasSubstr("meta/f"));
}

TEST_F(StoreDbTest, ADamagedFileStopsTheCompactionsOfItsStoreAlone) {
  const auto damaged = Create("r1/f");
  const auto sound = Create("r2/f");
  for (const auto& store : {damaged, sound}) {
    for (int file = 0; file < 3; ++file) {
      for (int i = 0; i < 100; ++i) Put(store, "row" + std::to_string(i), "q", file + 1, "v" + std::to_string(i));
      Flush(store);
    }
  }
  const std::string name = damaged->Files().at(0).name;
  {
    std::fstream file(path_ + "/" + name, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(50);
    file.write("????", 4);
  }
  EXPECT_THAT(Text(db_->Compact(damaged, CompactionKind::kMajor).status()), HasSubstr(name));
  // It is not tried again; and everything else goes on, its own writes as well.
  CompactionKind kind;
  EXPECT_FALSE(db_->NeedsCompaction(*damaged, &kind));
  EXPECT_FALSE(Compact(damaged, CompactionKind::kMajor));
  EXPECT_TRUE(db_->Writes().why.ok()) << db_->Writes().why;
  Put(damaged, "z", "q", 1, "more");
  Flush(damaged);
  EXPECT_TRUE(Compact(sound, CompactionKind::kMajor));
  EXPECT_EQ(sound->StoreFileCount(), 1);
}

TEST_F(StoreDbTest, AKilledProcessLosesOnlyWhatSkippedTheLog) {
  Create("r1/f");
  db_.reset();
  EXPECT_EQ(RunChild("StoreDbChild.DISABLED_WritesAndDies"), SIGKILL);
  Open();
  EXPECT_THAT(Cells(db_->Find("r1/f")),
              ElementsAre("async:q@1=v", "default:q@1=v", "flushed skip:q@1=v", "fsync:q@1=v", "sync:q@1=v"));
}

TEST_F(StoreDbTest, AnOrderlyCloseKeepsWhatSkippedTheLog) {
  StoreBatch batch;
  batch.Add(*Create("r1/f"), "a", "q", 1, CellType::kPut, "v");
  ASSERT_TRUE(db_->Write(&batch, Durability::kSkipWal).ok());
  Reopen();
  EXPECT_THAT(Cells(db_->Find("r1/f")), ElementsAre("a:q@1=v"));
}

// The halves of the tests above that run in a process of their own, on the folder that the environment names.
class StoreDbChild : public ::testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<StoreDb>> Open() {
    return StoreDb::Open({std::getenv(kChildFolder), &options_, Clock::System()}, [](std::string_view name) {
      return std::make_unique<StoreSpec>(StoreSpec{.name = std::string(name), .family = {.name = "f"}});
    });
  }
  Options options_;
};

TEST_F(StoreDbChild, DISABLED_OpensTheFolderThatIsInUse) {
  const auto db = Open();
  ASSERT_EQ(db.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(Text(db.status()), HasSubstr("in use by another process"));
}

TEST_F(StoreDbChild, DISABLED_WritesAndDies) {
  auto db = Open();
  ASSERT_TRUE(db.ok()) << db.status();
  const auto store = (*db)->Find("r1/f");
  const auto put = [&](std::string_view row, Durability durability) {
    StoreBatch batch;
    batch.Add(*store, row, "q", 1, CellType::kPut, "v");
    ASSERT_TRUE((*db)->Write(&batch, durability).ok());
  };
  put("flushed skip", Durability::kSkipWal);
  ASSERT_TRUE((*db)->Flush({{store}}).ok());
  put("skip", Durability::kSkipWal);
  put("sync", Durability::kSyncWal);
  put("async", Durability::kAsyncWal);
  put("fsync", Durability::kFsyncWal);
  put("default", Durability::kUseDefault);
  kill(getpid(), SIGKILL);
}

}  // namespace
}  // namespace vaquita
