// Random histories of a database on a disk that fails and loses power (base/test_disk.h).
//
// After each power cut and each error the database is opened again, and must hold what was promised. The seeds begin at
// VAQUITA_DISK_SEED (1) and are VAQUITA_DISK_SEEDS (a few). A failure prints its seed. The threads of flushes make
// a repetition differ a little.
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/disk_stand_in.h"
#include "base/test_disk.h"
#include "base/testing/temporary_folder.h"
#include "engine/append_marks.h"
#include "engine/cells/cell_key.h"
#include "engine/manifest_check.h"
#include "engine/store_db.h"
#include "gtest/gtest.h"
#include "rocksdb/iterator.h"

namespace vaquita {
namespace {

constexpr int kMostStoresOnDisk = 6;

int64_t FromEnvironment(const char* name, int64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoll(text, nullptr, 10);
}

// The rows that were written to a store: their numbers, in the order of the writes.
struct WrittenRows {
  std::set<int64_t> acknowledged;
  std::set<int64_t> maybe;     // the write failed: the row may be there
  std::set<int64_t> promised;  // acknowledged, and durable even if the power is cut

  void PromiseAll() { promised = acknowledged; }
};

// A disk with a database, and what must be in it.
class DiskHistory {
 public:
  explicit DiskHistory(uint64_t seed) : random_(seed), disk_(folder_.path(), {.seed = seed}), faults_{.seed = seed} {}
  ~DiskHistory() { db_.reset(); }

  TestDisk& disk() { return disk_; }
  void SetFaults(const DiskFaults& faults) {
    faults_ = faults;
    disk_.SetFaults(faults);
  }
  uint64_t Random(uint64_t below) { return random_() % below; }

  absl::Status Open() {
    auto opened = StoreDb::Open({database(), &options_, &clock_}, [](std::string_view name) {
      return std::make_unique<StoreSpec>(StoreSpec{.name = std::string(name), .family = {.name = "f"}});
    });
    if (!opened.ok()) return opened.status();
    db_ = *std::move(opened);
    return absl::OkStatus();
  }
  void Close() { db_.reset(); }
  StoreDb* db() { return db_.get(); }

  void DoSomething() {
    const uint64_t what = Random(100);
    if (stores_.empty() || (what < 6 && stores_.size() < kMostStoresOnDisk)) return CreateStore();
    const auto store = std::next(stores_.begin(), static_cast<ptrdiff_t>(Random(stores_.size())));
    if (what < 70) return Write(Random(3) == 0 ? Durability::kFsyncWal : Durability::kSyncWal);
    if (what < 80) return Flush(store->first, &store->second);
    if (what < 85) return Compact(store->first);
    if (what < 88) return LinkStore(store->first);
    if (what < 90) return DropStore(store->first);
    if (what < 95) return PutNote();
    CheckRows(store->first, store->second, /*all=*/true);
  }

  void CreateStore() {
    const std::string name = "store" + std::to_string(++last_store_) + "/f";
    const auto made = db_->Create({StoreSpec{.name = name, .family = {.name = "f"}}});
    if (made.ok()) stores_[name];
  }
  void LinkStore(const std::string& from) {
    // RocksDB 7.8 ends the process by an assertion if it cannot read a file that it links.
    DiskFaults faults = faults_;
    faults.reads_fail = false;
    disk_.SetFaults(faults);
    const std::string to = "linked" + std::to_string(++last_store_) + "/f";
    const auto linked = db_->Link({{db_->Find(from)}}, StoreSpec{.name = to, .family = {.name = "f"}});
    disk_.SetFaults(faults_);
    if (!linked.ok()) return;
    stores_[from].PromiseAll();
    stores_[to] = stores_[from];
  }
  // Writes to any store. REQUIRES: there is one.
  void Write(Durability durability) {
    const auto at = std::next(stores_.begin(), static_cast<ptrdiff_t>(Random(stores_.size())));
    WrittenRows* const rows = &at->second;
    const std::shared_ptr<Store> store = db_->Find(at->first);
    ASSERT_NE(store, nullptr) << at->first;
    StoreBatch batch;
    std::vector<int64_t> numbers;
    for (uint64_t left = 1 + Random(3); left > 0; --left) numbers.push_back(++last_row_);
    const std::string value(Random(10) == 0 ? 20'000 : 20, 'v');
    for (const int64_t row : numbers) batch.Add(*store, Row(row), "q", row, CellType::kPut, value);
    const absl::Status written = db_->Write(&batch, durability);
    auto& kept = written.ok() ? rows->acknowledged : rows->maybe;
    kept.insert(numbers.begin(), numbers.end());
    if (!written.ok() || durability != Durability::kFsyncWal) return;
    for (auto& [other, other_rows] : stores_) other_rows.PromiseAll();  // one log for all
  }

  // After a power cut nothing but the promised rows must be there; `all`: every acknowledged one. `in_order`: a row
  // that is there has all that were written before it.
  void Check(bool all, bool in_order = true) {
    for (const auto& [name, rows] : stores_) CheckRows(name, rows, all, in_order);
    const auto notes = db_->Notes();
    ASSERT_TRUE(notes.ok()) << notes.status();
    const auto note = notes->find("note");
    const int64_t number = note == notes->end() ? 0 : std::stoll(note->second);
    EXPECT_GE(number, note_);
    EXPECT_LE(number, next_note_);
    EXPECT_TRUE(db_->DamagedStores().empty()) << db_->DamageOf(db_->DamagedStores().front());
    TakeOver();
  }
  // Rows that are there now stay there: they were recovered from the disk. If the disk cannot be read now, what was
  // known of them is.
  void TakeOver() {
    for (auto& [name, rows] : stores_) {
      const std::shared_ptr<Store> store = db_->Find(name);
      auto found = store == nullptr ? std::nullopt : Read(store);
      if (found.has_value()) rows = {.acknowledged = *std::move(found), .maybe = {}, .promised = {}};
    }
  }
  std::string database() const { return folder_.path() + "/db"; }
  bool is_open() const { return db_ != nullptr; }

 private:
  void Flush(const std::string& name, WrittenRows* rows) {
    if (db_->Flush({{db_->Find(name)}}).ok()) rows->PromiseAll();
  }
  void Compact(const std::string& name) {
    db_->Compact(db_->Find(name), Random(2) == 0 ? CompactionKind::kMajor : CompactionKind::kMinor)
        .status()
        .IgnoreError();
  }
  void DropStore(const std::string& name) {
    const std::string names[] = {name};
    db_->Drop(names).IgnoreError();
    stores_.erase(name);
  }
  void PutNote() {
    if (db_->PutNotes({{"note", std::to_string(++next_note_)}}).ok()) note_ = next_note_;
  }

  static std::string Row(int64_t number) {
    std::string text = std::to_string(number);
    return std::string(9 - text.size(), '0') + text;
  }
  // Returns the rows of a store, or nothing if reading failed.
  std::optional<std::set<int64_t>> Read(const std::shared_ptr<Store>& store) {
    std::vector<std::unique_ptr<rocksdb::Iterator>> iterators;
    if (!db_->NewIterators({{store}}, {}, &iterators).ok()) return std::nullopt;
    std::set<int64_t> rows;
    std::string scratch;
    for (iterators[0]->SeekToFirst(); iterators[0]->Valid(); iterators[0]->Next()) {
      CellKey key;
      EXPECT_TRUE(ParseCellKey({iterators[0]->key().data(), iterators[0]->key().size()}, &scratch, &key).ok());
      rows.insert(key.timestamp_ms);
    }
    if (!iterators[0]->status().ok()) return std::nullopt;
    return rows;
  }
  void CheckRows(const std::string& name, const WrittenRows& written, bool all, bool in_order = true) {
    const std::shared_ptr<Store> store = db_->Find(name);
    ASSERT_NE(store, nullptr) << name << " is gone: " << db_->DamageOf(name);
    const auto found = Read(store);
    if (!found.has_value()) return;  // the disk failed, and the reader knows
    for (const int64_t row : all ? written.acknowledged : written.promised) {
      EXPECT_TRUE(found->contains(row)) << name << " lost row " << row;
    }
    int64_t first_missing = last_row_ + 1;
    for (const int64_t row : written.acknowledged) {
      if (!found->contains(row)) first_missing = std::min(first_missing, row);
    }
    for (const int64_t row : *found) {
      EXPECT_TRUE(written.acknowledged.contains(row) || written.maybe.contains(row)) << name << " invented row " << row;
      EXPECT_TRUE(!in_order || row < first_missing) << name << " has a row, and lost one that was written before";
    }
  }

  const testing::TemporaryFolder folder_;
  std::mt19937_64 random_;
  Options options_;
  ManualClock clock_{1'700'000'000'000};
  TestDisk disk_;
  DiskFaults faults_;
  std::unique_ptr<StoreDb> db_;
  std::map<std::string, WrittenRows> stores_;
  int64_t last_row_ = 0;
  int last_store_ = 0;
  int64_t note_ = 0;
  int64_t next_note_ = 0;
};

class DiskFaultsTest : public ::testing::Test {
 protected:
  template <typename Run>
  void ForEachSeed(int64_t count, Run run) {
    const int64_t first = FromEnvironment("VAQUITA_DISK_SEED", 1);
    count = FromEnvironment("VAQUITA_DISK_SEEDS", count);
    for (int64_t seed = first; seed < first + count && !HasFailure(); ++seed) {
      SCOPED_TRACE("VAQUITA_DISK_SEED=" + std::to_string(seed));
      run(static_cast<uint64_t>(seed));
    }
  }
};

TEST_F(DiskFaultsTest, WhatWasSyncedSurvivesPowerCuts) {
  ForEachSeed(3, [](uint64_t seed) {
    DiskHistory history(seed);
    const absl::Status opened = history.Open();
    ASSERT_TRUE(opened.ok()) << opened;
    for (int life = 0; life < 4; ++life) {
      history.disk().CutPowerAfter(static_cast<int64_t>(history.Random(150)));
      if (!history.is_open()) history.Open().IgnoreError();  // the power may go meanwhile
      for (int step = 0; step < 400 && history.is_open() && !history.disk().is_off(); ++step) history.DoSomething();
      ASSERT_TRUE(history.disk().CutPower().ok());
      history.Close();
      const absl::Status on = history.disk().PowerOn();
      ASSERT_TRUE(on.ok()) << on;
      const absl::Status again = history.Open();
      ASSERT_TRUE(again.ok()) << again;
      history.Check(/*all=*/false);
      if (::testing::Test::HasFailure()) return;
      if (history.Random(2) == 0) history.Close();
    }
  });
}

TEST_F(DiskFaultsTest, LogsOfAnEarlierProcessAreSyncedBeforeLaterOnes) {
  for (uint64_t seed = 0; seed < 10; ++seed) {
    DiskHistory history(seed);
    ASSERT_TRUE(history.Open().ok());
    history.CreateStore();
    history.Write(Durability::kSyncWal);
    history.Close();
    ASSERT_TRUE(history.Open().ok());
    history.Write(Durability::kFsyncWal);
    ASSERT_TRUE(history.disk().CutPower().ok());
    history.Close();
    ASSERT_TRUE(history.disk().PowerOn().ok());
    const absl::Status again = history.Open();
    ASSERT_TRUE(again.ok()) << again;
    history.Check(/*all=*/true);
  }
}

TEST_F(DiskFaultsTest, HeldSyncsOfTheLogAreDoneAtTheRelease) {
  for (uint64_t seed = 0; seed < 10; ++seed) {
    DiskHistory history(seed);
    ASSERT_TRUE(history.Open().ok());
    history.CreateStore();
    history.db()->HoldLogSyncs();
    for (int i = 0; i < 3; ++i) history.Write(Durability::kFsyncWal);
    ASSERT_TRUE(history.db()->ReleaseLogSyncs().ok());
    ASSERT_TRUE(history.disk().CutPower().ok());
    history.Close();
    ASSERT_TRUE(history.disk().PowerOn().ok());
    ASSERT_TRUE(history.Open().ok());
    history.Check(/*all=*/true);
  }
}

TEST_F(DiskFaultsTest, AHoleInBytesThatWereNotSyncedIsNoDamage) {
  for (uint64_t seed = 0; seed < 12; ++seed) {
    DiskHistory history(seed);
    ASSERT_TRUE(history.Open().ok());
    history.CreateStore();
    history.Write(Durability::kFsyncWal);
    for (int i = 0; i < 60; ++i) history.Write(Durability::kSyncWal);
    ASSERT_TRUE(history.disk().CutPower().ok());
    for (int open = 0; open < 2; ++open) {
      history.Close();
      if (open == 0) {
        ASSERT_TRUE(history.disk().PowerOn().ok());
      }
      const absl::Status again = history.Open();
      ASSERT_TRUE(again.ok()) << again;
      history.Check(/*all=*/open > 0);
      history.Write(Durability::kFsyncWal);
    }
  }
}

TEST_F(DiskFaultsTest, AnErrorIsToldAndLosesNothing) {
  ForEachSeed(3, [](uint64_t seed) {
    DiskHistory history(seed);
    ASSERT_TRUE(history.Open().ok());
    for (int life = 0; life < 3; ++life) {
      for (int step = 0; step < 30; ++step) history.DoSomething();
      history.SetFaults({.seed = seed, .fail = 0.01, .tear = 0.02, .late = 0.01, .delay_ms = 1});
      for (int step = 0; step < 150; ++step) history.DoSomething();
      history.Close();
      history.Open().IgnoreError();
      if (history.is_open()) history.Check(/*all=*/true);
      history.SetFaults({.seed = seed});
      history.Close();
      const absl::Status again = history.Open();
      ASSERT_TRUE(again.ok()) << again;
      history.Check(/*all=*/true);
      if (::testing::Test::HasFailure()) return;
    }
  });
}

// An earlier write that was not synced may be lost here, and a later one not.
TEST_F(DiskFaultsTest, APowerCutAfterErrorsTakesNothingThatWasSynced) {
  const auto run = [](uint64_t seed) {
    DiskHistory history(seed);
    ASSERT_TRUE(history.Open().ok());
    for (int life = 0; life < 4; ++life) {
      for (int step = 0; step < 30; ++step) history.DoSomething();
      history.SetFaults({.seed = seed, .fail = 0.01, .tear = 0.02});
      for (int step = 0; step < 100; ++step) history.DoSomething();
      ASSERT_TRUE(history.disk().CutPower().ok());
      history.Close();
      history.SetFaults({.seed = seed});
      const absl::Status on = history.disk().PowerOn();
      ASSERT_TRUE(on.ok()) << on;
      const absl::Status again = history.Open();
      ASSERT_TRUE(again.ok()) << again;
      history.Check(/*all=*/false, /*in_order=*/false);
      if (::testing::Test::HasFailure()) return;
    }
  };
  ForEachSeed(3, run);
  run(978);  // a store's files had writes of a log after one that was cut
}

// Its maker drops the sources next.
TEST_F(DiskFaultsTest, ALinkedStoreIsOnTheDiskAlsoWhileSomebodyKeepsFiles) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    DiskHistory history(seed);
    ASSERT_TRUE(history.Open().ok());
    history.CreateStore();
    history.Write(Durability::kFsyncWal);
    auto kept = history.db()->KeepFiles();
    ASSERT_TRUE(kept.ok()) << kept.status();
    history.LinkStore("store1/f");
    ASSERT_NE(history.db()->Find("linked2/f"), nullptr);
    ASSERT_TRUE(history.disk().CutPower().ok());
    kept->reset();
    history.Close();
    ASSERT_TRUE(history.disk().PowerOn().ok());
    const absl::Status again = history.Open();
    ASSERT_TRUE(again.ok()) << again;
    history.Check(/*all=*/true);
  }
}

// A second sync of the same bytes would succeed, and promise what is not true.
TEST_F(DiskFaultsTest, AFailedSyncThatWasPutOffEndsTheDatabase) {
  DiskHistory history(1);
  ASSERT_TRUE(history.Open().ok());
  history.CreateStore();
  history.Write(Durability::kFsyncWal);
  auto kept = history.db()->KeepFiles();
  ASSERT_TRUE(kept.ok()) << kept.status();
  ASSERT_TRUE(history.db()->Flush({{history.db()->Find("store1/f")}}).ok());
  EXPECT_TRUE(history.db()->Writes().why.ok());
  history.SetFaults({.fail = 1});
  kept->reset();
  history.SetFaults({});
  EXPECT_FALSE(history.db()->Writes().why.ok());
  EXPECT_TRUE(history.db()->Writes().for_good);
  EXPECT_FALSE(history.db()->Create({StoreSpec{.name = "late/f", .family = {.name = "f"}}}).ok());
  history.Close();
  ASSERT_TRUE(history.Open().ok());
  history.Check(/*all=*/true);
}

// A disk whose writes fail after some that work.
class FailingWrites final : public DiskStandIn {
 public:
  explicit FailingWrites(const std::string& folder) : DiskStandIn(folder) { Install(this); }
  ~FailingWrites() override { Install(nullptr); }
  void FailAfter(int writes) { left_ = writes; }
  void Mend() { left_ = std::numeric_limits<int>::max(); }
  int Begin(Call call) override { return call == Call::kWrite && left_-- <= 0 ? EIO : 0; }
  size_t Stored(size_t bytes) override { return bytes; }
  int Sync(const std::string&) override { return 0; }
  void NoteMapped(const std::string&) override {}

 private:
  std::atomic<int> left_ = std::numeric_limits<int>::max();
};

TEST(FailingWritesTest, AStoreThatCouldNotBeMadeOrDroppedLeavesItsNameFree) {
  const testing::TemporaryFolder folder;
  FailingWrites disk(folder.path());
  const Options options;
  ManualClock clock(1'700'000'000'000);
  const auto opened =
      StoreDb::Open({folder.path() + "/db", &options, &clock}, [](std::string_view) { return nullptr; });
  ASSERT_TRUE(opened.ok()) << opened.status();
  StoreDb& db = **opened;
  const std::vector<std::string> names = {"r1/f", "r2/f"};
  const auto create = [&] {
    std::vector<StoreSpec> specs;
    for (const std::string& name : names) specs.push_back({.name = name, .family = {.name = "f"}});
    return db.Create(std::move(specs)).status();
  };
  const auto drop = [&] { return db.Drop(names); };
  const auto fails_after = [&](int writes, const std::function<absl::Status()>& change) {
    disk.FailAfter(writes);
    const absl::Status changed = change();
    disk.Mend();
    return !changed.ok();
  };
  int failed = 0;
  for (; fails_after(failed, create); ++failed) {
    EXPECT_EQ(db.Find(names[0]), nullptr);
    const absl::Status made = create();
    ASSERT_TRUE(made.ok()) << failed << ": " << made;
    const absl::Status dropped = drop();
    ASSERT_TRUE(dropped.ok()) << failed << ": " << dropped;
  }
  EXPECT_GT(failed, 1);
  for (failed = 0;; ++failed) {
    StoreBatch batch;
    batch.Add(*db.Find(names[1]), "row", "q", 1, CellType::kPut, "v");
    db.Write(&batch, Durability::kSyncWal).IgnoreError();
    const bool has_failed = fails_after(failed, drop);
    EXPECT_EQ(db.Find(names[1]) != nullptr, has_failed);
    const absl::Status dropped = drop();
    ASSERT_TRUE(dropped.ok()) << failed << ": " << dropped;
    const absl::Status made = create();
    ASSERT_TRUE(made.ok()) << failed << ": " << made;
    EXPECT_EQ(db.Find(names[1])->Metrics().memstore_cells, 0);
    if (!has_failed) break;
  }
  EXPECT_GT(failed, 1);
}

TEST_F(DiskFaultsTest, AnErrorOfReadingCurrentIsNoDamage) {
  DiskHistory history(1);
  ASSERT_TRUE(history.Open().ok());
  history.Close();
  const FoundMarks marks = AppendMarks::Read(history.database());
  history.SetFaults({.fail = 1});
  const auto check = CheckManifest(history.database(), marks);
  EXPECT_TRUE(absl::IsUnavailable(check.status())) << check.status();
}

}  // namespace
}  // namespace vaquita
