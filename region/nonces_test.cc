// The nonces of operations on regions (engine/nonce_store.h).
#include <gmock/gmock.h>

#include <filesystem>
#include <system_error>

#include "engine/nonce_store.h"

#include "base/testing/wait_for.h"
#include "region/maintenance.h"
#include "region/testing/region_harness.h"

namespace vaquita {
namespace {

using ::testing::IsEmpty;
using testing::MakeCell;
using testing::MakeMutation;
using testing::MakePut;
using ::testing::Optional;
using testing::ScanTexts;
using ::testing::SizeIs;

class RegionNoncesTest : public testing::RegionHarness {
 protected:
  RegionNoncesTest() { region_ = OpenRegion(table_); }

  static Mutation Increment(const std::string& row) {
    return MakeMutation(MutationType::kIncrement, row, {MakeCell("f:n", testing::LongBytes(1))});
  }
  static void Write(Region& region, const Mutation& mutation, const Nonce& nonce) {
    const auto result = region.Mutate(mutation, nonce);
    ASSERT_TRUE(result.ok()) << result.status();
  }
  static std::optional<int64_t> Find(Region& region, const std::string& row, const Nonce& nonce,
                                     Region::Done done = Region::Done::kBeforeItsOpening) {
    const auto found = region.FindEarlier(row, nonce, done);
    EXPECT_TRUE(found.ok()) << found.status();
    return found.value_or(std::nullopt);
  }
  std::shared_ptr<Store> NoncesStore() const { return db_->nonces()->store(); }
  int64_t LogBytes() const {
    int64_t bytes = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder_.path() + "/db")) {
      std::error_code gone;
      const auto size = file.path().extension() == ".log" ? file.file_size(gone) : 0;
      if (!gone) bytes += static_cast<int64_t>(size);
    }
    return bytes;
  }
  // Opens the database and the region again, as after a restart.
  void Restart() {
    const RegionInfo info = region_->info();
    region_.reset();
    ReopenDatabase(*table_, {info});
    region_ = OpenRegion(table_);
  }

  std::shared_ptr<TableDescriptor> table_ = testing::MakeTable({testing::MakeFamily("f"), testing::MakeFamily("g")});
  std::shared_ptr<Region> region_;
};

TEST_F(RegionNoncesTest, ADatabaseWithoutNoncesHasNoStoreForThem) {
  Write(*region_, Increment("a"), {});
  EXPECT_EQ(NoncesStore(), nullptr);
  EXPECT_EQ(Find(*region_, "a", {1, 1}), std::nullopt);
}

TEST_F(RegionNoncesTest, WhatWasDoneBeforeTheOpeningIsKnownForHalfAnHour) {
  Write(*region_, Increment("a"), {1, 1});
  Write(*region_, MakePut("b", "f:q", "v"), {1, 2});
  EXPECT_EQ(Find(*region_, "a", {1, 1}), std::nullopt) << "who did it knows it";
  EXPECT_THAT(Find(*region_, "a", {1, 1}, Region::Done::kEver), Optional(1000)) << "unless it forgot it";
  clock_.Advance(kNonceMs - 1);
  Restart();
  EXPECT_THAT(Find(*region_, "a", {1, 1}), Optional(1000));
  EXPECT_THAT(Find(*region_, "b", {1, 2}), Optional(0)) << "it answered no cell";
  EXPECT_EQ(Find(*region_, "a", {1, 2}), std::nullopt) << "another row's";
  EXPECT_EQ(Find(*region_, "a", {2, 1}), std::nullopt) << "another client's";
  clock_.Advance(2);
  EXPECT_EQ(Find(*region_, "a", {1, 1}), std::nullopt);
}

TEST_F(RegionNoncesTest, WhatWasNotDoneIsNotKnown) {
  vaquita::CheckAndMutate check;
  check.row = "a";
  check.family = "f";
  check.qualifier = "q";
  check.mutations = {MakePut("a", "f:q", "v")};
  ASSERT_TRUE(region_->CheckAndMutate(check, {1, 1})->processed);   // it is absent
  ASSERT_FALSE(region_->CheckAndMutate(check, {1, 2})->processed);  // not any more
  EXPECT_FALSE(region_->Mutate(MakePut("a", "h:q", "v"), {1, 3}).ok());
  Restart();
  EXPECT_THAT(Find(*region_, "a", {1, 1}), Optional(0));
  EXPECT_EQ(Find(*region_, "a", {1, 2}), std::nullopt);
  EXPECT_EQ(Find(*region_, "a", {1, 3}), std::nullopt);
}

TEST_F(RegionNoncesTest, NobodyElseSeesThem) {
  Write(*region_, Increment("a"), {1, 1});
  ASSERT_TRUE(region_->Flush().ok());
  EXPECT_THAT(ScanTexts(region_.get(), Scan{}), SizeIs(1));
  EXPECT_THAT(region_->Metrics().stores, SizeIs(2));
  EXPECT_EQ(region_->Metrics().store_files, 1);
  EXPECT_FALSE(region_->StoreFiles(NonceStore::kFamily).ok());
  const auto files = region_->Export(folder_.path() + "/snapshot", true);
  ASSERT_TRUE(files.ok()) << files.status();
  EXPECT_FALSE(files->contains(std::string(NonceStore::kFamily)));
  Write(*region_, testing::MakeDelete("a", {}), {1, 2});
  EXPECT_THAT(ScanTexts(region_.get(), Scan{}), IsEmpty());
  Restart();
  EXPECT_THAT(Find(*region_, "a", {1, 1}), Optional(1000)) << "a deleted row's, too";
}

TEST_F(RegionNoncesTest, AllRegionsHaveOneStoreThatTheirFlushesLeaveAlone) {
  auto other_table = std::make_shared<TableDescriptor>(*table_);
  other_table->name = {"default", "other"};
  auto other = OpenRegion(other_table);
  Write(*region_, Increment("a"), {1, 1});
  auto store = NoncesStore();
  Write(*other, Increment("a"), {1, 2});
  EXPECT_EQ(NoncesStore(), store);
  const int64_t bytes = store->MemstoreBytes();
  EXPECT_GT(bytes, 0);
  ASSERT_TRUE(region_->Flush().ok());
  ASSERT_TRUE(region_->Compact(CompactionKind::kMajor, "").ok());
  EXPECT_EQ(store->MemstoreBytes(), bytes);
  EXPECT_THAT(store->Files(), IsEmpty());
  store.reset();  // it keeps the database open
  other.reset();
  Restart();
  EXPECT_THAT(Find(*region_, "a", {1, 1}), Optional(1000));
  EXPECT_EQ(Find(*region_, "a", {1, 2}), std::nullopt) << "another table's";
}

TEST_F(RegionNoncesTest, TheyAreDroppedInTime) {
  Write(*region_, Increment("a"), {1, 1});
  const auto store = NoncesStore();
  ASSERT_TRUE(db_->Flush({&store, 1}).ok());
  EXPECT_THAT(store->Files(), SizeIs(1));
  clock_.Advance(kNonceMs + 1);
  ASSERT_TRUE(db_->Compact(store, CompactionKind::kMajor).ok());
  EXPECT_THAT(store->Files(), IsEmpty());
}

TEST_F(RegionNoncesTest, WhatHasANonceIsInTheLog) {
  const int64_t before = db_->Metrics().log_writes;
  Mutation increment = Increment("a");
  increment.durability = Durability::kSkipWal;
  Write(*region_, increment, {});
  EXPECT_EQ(db_->Metrics().log_writes, before);
  Write(*region_, increment, {1, 1});
  EXPECT_EQ(db_->Metrics().log_writes, before + 1) << "else a crash after a flush could lose the nonce alone";
}

TEST_F(RegionNoncesTest, UpkeepFlushesThemWhenTheyKeepALongLog) {
  Maintenance maintenance(db_.get(), nullptr);
  Write(*region_, Increment("a"), {1, 1});
  maintenance.CheckNow();
  maintenance.WaitIdle();
  EXPECT_GT(NoncesStore()->MemstoreBytes(), 0);
  for (int i = 0; i < 65; ++i) Write(*region_, MakePut("b", "f:q", std::string(kMiB, 'v')), {});
  maintenance.CheckNow();
  maintenance.WaitIdle();
  EXPECT_EQ(NoncesStore()->MemstoreBytes(), 0);
  EXPECT_THAT(NoncesStore()->Files(), SizeIs(1));
}

TEST_F(RegionNoncesTest, UpkeepFlushesThemWhenNothingElseNeedsTheLog) {
  auto other_table = std::make_shared<TableDescriptor>(*table_);
  other_table->name = {"default", "other"};
  const auto other = OpenRegion(other_table);
  ASSERT_TRUE(db_->PutNotes({{"note", "is in the log, too"}}).ok());
  Maintenance maintenance(db_.get(), nullptr);
  const auto flush = [&](const std::shared_ptr<Region>& region) {
    ASSERT_TRUE(region->Flush().ok());
    maintenance.AfterFlush(region);
    maintenance.WaitIdle();
  };
  Write(*region_, Increment("a"), {1, 1});
  flush(region_);
  EXPECT_GT(NoncesStore()->MemstoreBytes(), 0) << "there is little log";
  for (const auto& region : {region_, other}) Write(*region, MakePut("b", "f:q", std::string(kMiB, 'v')), {});
  flush(region_);
  EXPECT_GT(NoncesStore()->MemstoreBytes(), 0) << "the other region needs the log";
  EXPECT_GT(LogBytes(), 2 * kMiB);
  flush(other);
  EXPECT_EQ(NoncesStore()->MemstoreBytes(), 0);
  EXPECT_THAT(NoncesStore()->Files(), SizeIs(1));
  testing::WaitFor([&] { return LogBytes() < kKiB; });
}

TEST_F(RegionNoncesTest, UpkeepCompactsThem) {
  Maintenance maintenance(db_.get(), nullptr);
  for (uint64_t i = 1; i <= 3; ++i) {
    Write(*region_, Increment("a"), {1, i});
    const auto store = NoncesStore();
    ASSERT_TRUE(db_->Flush({&store, 1}).ok());
  }
  maintenance.CheckNow();
  maintenance.WaitIdle();
  EXPECT_THAT(NoncesStore()->Files(), SizeIs(1));
}

TEST_F(RegionNoncesTest, TheyGoWhereTheRowGoes) {
  Write(*region_, Increment("a"), {1, 1});
  ASSERT_TRUE(region_->Flush().ok());
  Write(*region_, Increment("z"), {1, 2});
  const auto halves = Complete(PrepareSplit(db_.get(), region_, "m"));
  ASSERT_THAT(halves, SizeIs(2));
  EXPECT_THAT(Find(*halves[0], "a", {1, 1}), Optional(1000));
  EXPECT_THAT(Find(*halves[1], "z", {1, 2}), Optional(1000));
  EXPECT_EQ(Find(*halves[0], "z", {1, 2}), std::nullopt);
  Write(*halves[0], Increment("b"), {1, 3});

  const auto merged = Complete(PrepareMerge(db_.get(), halves, false));
  ASSERT_THAT(merged, SizeIs(1));
  EXPECT_THAT(Find(*merged[0], "a", {1, 1}), Optional(1000));
  EXPECT_THAT(Find(*merged[0], "b", {1, 3}), Optional(1000));
  EXPECT_THAT(Find(*merged[0], "z", {1, 2}), Optional(1000));
}

TEST_F(RegionNoncesTest, OneSideOfAMergeMayHaveNone) {
  const auto halves = Complete(PrepareSplit(db_.get(), region_, "m"));
  ASSERT_THAT(halves, SizeIs(2));
  Write(*halves[1], Increment("z"), {1, 1});
  const auto merged = Complete(PrepareMerge(db_.get(), halves, false));
  ASSERT_THAT(merged, SizeIs(1));
  EXPECT_THAT(Find(*merged[0], "z", {1, 1}), Optional(1000));
}

}  // namespace
}  // namespace vaquita
