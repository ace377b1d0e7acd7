// Splits and merges: what they make, what they refuse, and that they can be undone.
#include "region/split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_format.h"
#include "region/testing/region_harness.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace vaquita::testing;  // NOLINT

std::string RowNumber(int number) { return absl::StrFormat("row%05d", number); }

class SplitTest : public RegionHarness {
 protected:
  void SetUp() override { table_ = MakeTable({MakeFamily("f"), MakeFamily("g")}); }

  static void Fill(Region* region, int begin, int end) {
    std::vector<Mutation> puts;
    for (int i = begin; i < end; ++i)
      puts.push_back(MakePut(RowNumber(i), {MakeCell("f:a", std::string(100, 'v')), MakeCell("g:a", "w")}));
    std::vector<const Mutation*> batch;
    for (const Mutation& put : puts) batch.push_back(&put);
    for (const absl::Status& status : region->MutateBatch(batch)) ASSERT_TRUE(status.ok()) << status;
  }
  static int CountRows(Region* region) { return static_cast<int>(ScanResults(region, Scan{}).size()); }
  void ExpectRefused(const absl::Status& status, ErrorKind kind, std::string_view message) {
    EXPECT_TRUE(IsError(status, kind)) << status;
    EXPECT_THAT(status.ToString(), HasSubstr(std::string(message)));
  }

  std::shared_ptr<TableDescriptor> table_;
};

TEST_F(SplitTest, ASplitAtTheMidkeyHalvesTheLargestStore) {
  auto parent = OpenRegion(table_);
  Fill(parent.get(), 0, 4000);
  ASSERT_TRUE(parent->Flush().ok());
  const auto point = parent->SplitPoint();
  ASSERT_TRUE(point.ok()) << point.status();
  EXPECT_GT(*point, RowNumber(1500));
  EXPECT_LT(*point, RowNumber(2500));

  const auto before = ScanTexts(parent.get(), Scan{});
  const auto daughters = Complete(PrepareSplit(db_.get(), parent, ""));
  ASSERT_THAT(daughters, SizeIs(2));
  EXPECT_EQ(daughters[0]->info().end_key, *point);
  EXPECT_EQ(daughters[1]->info().start_key, *point);
  EXPECT_EQ(daughters[0]->info().id, 1000) << "the clock's time, for the parent's id is lower";
  EXPECT_TRUE(parent->closed());

  auto after = ScanTexts(daughters[0].get(), Scan{});
  const auto high = ScanTexts(daughters[1].get(), Scan{});
  after.insert(after.end(), high.begin(), high.end());
  EXPECT_EQ(after, before);
  EXPECT_TRUE(daughters[0]->HasReferences());
  for (const auto& daughter : daughters) {
    ASSERT_TRUE(daughter->Compact(CompactionKind::kMajor, "").ok());
    EXPECT_FALSE(daughter->HasReferences());
  }
  EXPECT_EQ(CountRows(daughters[0].get()) + CountRows(daughters[1].get()), 4000);
  EXPECT_EQ(db_->Find(Region::StoreName(parent->info().EncodedName(), "f")), nullptr);
}

TEST_F(SplitTest, ADaughterIsYoungerThanItsParent) {
  clock_.Set(3);
  auto parent = OpenRegion(table_);  // its id is 7
  Fill(parent.get(), 0, 10);
  const auto daughters = Complete(PrepareSplit(db_.get(), parent, RowNumber(5)));
  ASSERT_THAT(daughters, SizeIs(2));
  EXPECT_EQ(daughters[0]->info().id, 8);
}

TEST_F(SplitTest, WhatWasNotFlushedMovesToo) {
  auto parent = OpenRegion(table_);
  Fill(parent.get(), 0, 10);
  const auto daughters = Complete(PrepareSplit(db_.get(), parent, RowNumber(3)));
  ASSERT_THAT(daughters, SizeIs(2));
  EXPECT_EQ(CountRows(daughters[0].get()), 3);
  EXPECT_EQ(CountRows(daughters[1].get()), 7);
  Apply(daughters[0].get(), MakePut(RowNumber(0), "f:a", "after"));
  EXPECT_THAT(daughters[0]->Mutate(MakePut(RowNumber(3), "f:a", "v")).status().ToString(),
              HasSubstr("Requested row out of range"));
}

TEST_F(SplitTest, RollbackReopensTheParent) {
  auto parent = OpenRegion(table_);
  Fill(parent.get(), 0, 10);
  auto split = PrepareSplit(db_.get(), parent, RowNumber(3));
  ASSERT_TRUE(split.ok()) << split.status();
  auto daughters = (*split)->Begin();
  ASSERT_TRUE(daughters.ok()) << daughters.status();
  ExpectRefused(parent->Mutate(MakePut(RowNumber(1), "f:a", "v")).status(), ErrorKind::kNotServingRegion, "is closing");
  ASSERT_TRUE((*split)->Rollback().ok());
  Apply(parent.get(), MakePut(RowNumber(11), "f:a", "after"));
  EXPECT_EQ(CountRows(parent.get()), 11);
  EXPECT_TRUE((*daughters)[0]->closed());
  EXPECT_EQ(db_->Find(Region::StoreName((*daughters)[0]->info().EncodedName(), "f")), nullptr);
  // It can be tried again, also by letting go of it.
  {
    auto dropped = PrepareSplit(db_.get(), parent, RowNumber(3));
    ASSERT_TRUE((*dropped)->Begin().ok());
  }
  EXPECT_EQ(CountRows(parent.get()), 11);
  EXPECT_THAT(Complete(PrepareSplit(db_.get(), parent, RowNumber(3))), SizeIs(2));
}

TEST_F(SplitTest, TwoSplitsOfOneRegionDoNotBothBegin) {
  auto parent = OpenRegion(table_);
  Fill(parent.get(), 0, 10);
  auto first = PrepareSplit(db_.get(), parent, RowNumber(3));
  auto second = PrepareSplit(db_.get(), parent, RowNumber(4));
  ASSERT_TRUE((*first)->Begin().ok());
  ExpectRefused((*second)->Begin().status(), ErrorKind::kNotServingRegion, "is closing");
  EXPECT_TRUE(parent->closed()) << "the second one's failure does not reopen it";
  ASSERT_TRUE((*first)->Finish().ok());
}

TEST_F(SplitTest, SplitsAreRefusedInHBasesWords) {
  auto parent = OpenRegion(table_, RowNumber(10), RowNumber(90));
  ExpectRefused(PrepareSplit(db_.get(), parent, "").status(), ErrorKind::kDoNotRetryIO,
                "Region not splittable because bestSplitPoint = null");
  ExpectRefused(PrepareSplit(db_.get(), parent, RowNumber(10)).status(), ErrorKind::kDoNotRetryIO,
                "Split row is equal to startkey: row00010");
  ExpectRefused(PrepareSplit(db_.get(), parent, RowNumber(90)).status(), ErrorKind::kDoNotRetryIO,
                "Split row is not inside region key range splitKey:row00090 region: {ENCODED => ");
  Fill(parent.get(), 10, 90);
  const auto daughters = Complete(PrepareSplit(db_.get(), parent, RowNumber(50)));
  ASSERT_THAT(daughters, SizeIs(2));
  ExpectRefused(PrepareSplit(db_.get(), daughters[0], RowNumber(30)).status(), ErrorKind::kDoNotRetryIO,
                "NOT splittable");
  ExpectRefused(PrepareSplit(db_.get(), parent, RowNumber(30)).status(), ErrorKind::kDoNotRetryIO, "NOT splittable");

  auto table = std::make_shared<TableDescriptor>(*table_);
  table->split_policy = "DisabledRegionSplitPolicy";
  ASSERT_TRUE(daughters[1]->Compact(CompactionKind::kMajor, "").ok());
  ASSERT_TRUE(daughters[1]->Alter(table).ok());
  ExpectRefused(PrepareSplit(db_.get(), daughters[1], RowNumber(70)).status(), ErrorKind::kDoNotRetryIO,
                "NOT splittable");
  table = std::make_shared<TableDescriptor>(*table_);
  table->split_enabled = false;
  ASSERT_TRUE(daughters[1]->Alter(table).ok());
  ExpectRefused(PrepareSplit(db_.get(), daughters[1], RowNumber(70)).status(), ErrorKind::kIO,
                "failed as region split is disabled for the table");
}

TEST_F(SplitTest, TheSplitPointFollowsThePolicy) {
  table_->split_policy = "KeyPrefixRegionSplitPolicy";
  table_->attributes["KeyPrefixRegionSplitPolicy.prefix_length"] = "5";
  auto region = OpenRegion(table_);
  Fill(region.get(), 0, 4000);
  ASSERT_TRUE(region->Flush().ok());
  const auto point = region->SplitPoint();
  ASSERT_TRUE(point.ok());
  EXPECT_THAT(*point, ::testing::AnyOf("row01", "row02"));
}

TEST_F(SplitTest, APrefixThatIsTheRegionsStartSplitsNothing) {
  table_->split_policy = "KeyPrefixRegionSplitPolicy";
  table_->attributes["KeyPrefixRegionSplitPolicy.prefix_length"] = "3";
  auto region = OpenRegion(table_, "row", "s");
  Fill(region.get(), 0, 4000);
  ASSERT_TRUE(region->Flush().ok());
  EXPECT_EQ(*region->SplitPoint(), "");
}

// hbase:meta has no room for the name of a region that begins at a longer key.
TEST_F(SplitTest, ASplitRowIsNoLongerThanAStartKeyMayBe) {
  const size_t most = MaxStartKeyLength(table_->name);
  const auto row = [](int i) { return RowNumber(i) + std::string(kMaxRowLength - RowNumber(i).size(), 'k'); };
  auto region = OpenRegion(table_);
  for (int i = 0; i < 16; ++i) Apply(region.get(), MakePut(row(i), "f:a", std::string(1000, 'v')));
  ASSERT_TRUE(region->Flush().ok());
  ExpectRefused(PrepareSplit(db_.get(), region, row(8)).status(), ErrorKind::kIllegalArgument,
                "a region's start key of 32767 bytes");
  const auto point = region->SplitPoint();
  ASSERT_TRUE(point.ok()) << point.status();
  EXPECT_EQ(point->size(), most);
  const auto daughters = Complete(PrepareSplit(db_.get(), region, ""));
  ASSERT_THAT(daughters, SizeIs(2));
  EXPECT_EQ(daughters[1]->info().start_key, *point);
  EXPECT_GT(CountRows(daughters[0].get()), 4);
  EXPECT_GT(CountRows(daughters[1].get()), 4);
  EXPECT_EQ(CountRows(daughters[0].get()) + CountRows(daughters[1].get()), 16);
}

TEST_F(SplitTest, RowsThatDifferBehindTheLongestStartKeyStayTogether) {
  const std::string start(MaxStartKeyLength(table_->name), 'k');
  auto region = OpenRegion(table_, start, "");
  for (int i = 0; i < 16; ++i) Apply(region.get(), MakePut(start + RowNumber(i), "f:a", std::string(1000, 'v')));
  ASSERT_TRUE(region->Flush().ok());
  EXPECT_EQ(*region->SplitPoint(), "");
  ExpectRefused(PrepareSplit(db_.get(), region, "").status(), ErrorKind::kDoNotRetryIO, "Region not splittable");
  EXPECT_FALSE(region->closed());
}

TEST_F(SplitTest, ShouldSplitOnceAStoreIsTooLarge) {
  table_->memstore_flush_bytes = 64 * kKiB;  // so the first region splits at 128 KiB
  auto region = OpenRegion(table_);
  Fill(region.get(), 0, 500);
  ASSERT_TRUE(region->Flush().ok());
  EXPECT_FALSE(region->ShouldSplit(1));
  Fill(region.get(), 500, 2000);
  ASSERT_TRUE(region->Flush().ok());
  EXPECT_TRUE(region->ShouldSplit(1));
  EXPECT_FALSE(region->ShouldSplit(2)) << "the second region may grow to the full size";
  const auto daughters = Complete(PrepareSplit(db_.get(), region, RowNumber(1)));
  ASSERT_THAT(daughters, SizeIs(2));
  EXPECT_FALSE(daughters[1]->ShouldSplit(1)) << "it still has references";
}

// --- Merges.

TEST_F(SplitTest, AMergeJoinsNeighbours) {
  auto low = OpenRegion(table_, "", RowNumber(50));
  auto high = OpenRegion(table_, RowNumber(50), "");
  Fill(low.get(), 0, 50);
  Fill(high.get(), 50, 120);
  ASSERT_TRUE(high->Flush().ok());
  Fill(high.get(), 100, 130);
  const auto merged = Complete(PrepareMerge(db_.get(), {high, low}, false));
  ASSERT_THAT(merged, SizeIs(1));
  EXPECT_EQ(merged[0]->info().start_key, "");
  EXPECT_EQ(merged[0]->info().end_key, "");
  EXPECT_EQ(merged[0]->info().id, 8);
  EXPECT_EQ(CountRows(merged[0].get()), 130);
  EXPECT_TRUE(low->closed());
  EXPECT_TRUE(high->closed());
  Apply(merged[0].get(), MakePut(RowNumber(50), "f:a", "after"));
  ASSERT_TRUE(merged[0]->Compact(CompactionKind::kMajor, "").ok());
  EXPECT_EQ(CountRows(merged[0].get()), 130);
}

TEST_F(SplitTest, DaughtersCanBeMergedAgainWithoutOldRowsComingBack) {
  auto parent = OpenRegion(table_);
  Fill(parent.get(), 0, 100);
  const auto daughters = Complete(PrepareSplit(db_.get(), parent, RowNumber(50)));
  ASSERT_THAT(daughters, SizeIs(2));
  // The low daughter's files still hold the rows of the high one.
  Apply(daughters[1].get(), MakeDelete(RowNumber(70), std::vector<Cell>{}));
  ASSERT_TRUE(daughters[1]->Compact(CompactionKind::kMajor, "").ok());
  const auto merged = Complete(PrepareMerge(db_.get(), daughters, false));
  ASSERT_THAT(merged, SizeIs(1));
  EXPECT_EQ(CountRows(merged[0].get()), 99);
  EXPECT_THAT(GetTexts(merged[0].get(), RowNumber(70)), IsEmpty());
}

TEST_F(SplitTest, AMergeCanBeRolledBack) {
  auto low = OpenRegion(table_, "", RowNumber(50));
  auto high = OpenRegion(table_, RowNumber(50), "");
  Fill(low.get(), 0, 50);
  Fill(high.get(), 50, 100);
  auto merge = PrepareMerge(db_.get(), {low, high}, false);
  ASSERT_TRUE((*merge)->Begin().ok());
  ASSERT_TRUE((*merge)->Rollback().ok());
  EXPECT_EQ(CountRows(low.get()), 50);
  EXPECT_EQ(CountRows(high.get()), 50);
}

// An alter that fails at one region leaves it with the old families.
TEST_F(SplitTest, RegionsOfDifferentDescriptorsAreNotMerged) {
  auto low = OpenRegion(table_, "", RowNumber(50));
  auto high = OpenRegion(table_, RowNumber(50), "");
  const auto with_h = MakeTable({MakeFamily("f"), MakeFamily("g"), MakeFamily("h")});
  ASSERT_TRUE(high->Alter(with_h).ok());
  Apply(high.get(), MakePut(RowNumber(60), "h:a", "new"));
  ExpectRefused(PrepareMerge(db_.get(), {low, high}, false).status(), ErrorKind::kMergeRegion, "alter the table again");
  ExpectRefused(PrepareMerge(db_.get(), {low, high}, true).status(), ErrorKind::kMergeRegion, "alter the table again");

  ASSERT_TRUE(low->Alter(with_h).ok());
  const auto merged = Complete(PrepareMerge(db_.get(), {low, high}, false));
  ASSERT_THAT(merged, SizeIs(1));
  EXPECT_THAT(GetTexts(merged[0].get(), RowNumber(60)), ElementsAre(RowNumber(60) + " h:a @1000 new"));
}

// The descriptors are equal, but the family of one region is older.
TEST_F(SplitTest, AFamilyThatWasRemovedAndAddedAgainIsNotMergedWithItsFormerSelf) {
  auto low = OpenRegion(table_, "", RowNumber(50));
  auto high = OpenRegion(table_, RowNumber(50), "");
  Apply(high.get(), MakePut(RowNumber(60), "g:a", "removed"));
  auto again = std::make_shared<TableDescriptor>(*table_);
  again->families["g"].generation.added_ms = 2000;
  ASSERT_TRUE(low->Alter(again).ok());
  ExpectRefused(PrepareMerge(db_.get(), {low, high}, false).status(), ErrorKind::kMergeRegion, "alter the table again");

  ASSERT_TRUE(high->Alter(again).ok());
  const auto merged = Complete(PrepareMerge(db_.get(), {low, high}, false));
  ASSERT_THAT(merged, SizeIs(1));
  EXPECT_THAT(GetTexts(merged[0].get(), RowNumber(60)), IsEmpty());
  const auto daughters = Complete(PrepareSplit(db_.get(), merged[0], RowNumber(50)));
  EXPECT_THAT(daughters, SizeIs(2)) << "stores of a later generation are found";
}

// A merge is refused for this before it begins; this is the last defence in front of the drop of the parents' stores.
TEST_F(SplitTest, AStoreThatNoNewRegionTakesEndsTheTransition) {
  auto low = OpenRegion(table_, "", RowNumber(50));
  auto high = OpenRegion(table_, RowNumber(50), "");
  ASSERT_TRUE(high->Alter(MakeTable({MakeFamily("f"), MakeFamily("g"), MakeFamily("h")})).ok());
  Apply(high.get(), MakePut(RowNumber(60), "h:a", "new"));
  RegionInfo both = low->info();
  both.end_key = "";
  both.id = 8;
  {
    RegionTransition merge(db_.get(), {low, high}, {both});
    const absl::Status status = merge.Begin().status();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
    EXPECT_THAT(status.ToString(), HasSubstr("no new region takes the store"));
  }
  EXPECT_THAT(GetTexts(high.get(), RowNumber(60)), ElementsAre(RowNumber(60) + " h:a @1000 new"));
  EXPECT_EQ(db_->Find(Region::StoreName(both.EncodedName(), "f")), nullptr);
}

TEST_F(SplitTest, MergesAreRefusedInHBasesWords) {
  auto a = OpenRegion(table_, "a", "b");
  auto b = OpenRegion(table_, "b", "c");
  auto d = OpenRegion(table_, "d", "e");
  ExpectRefused(PrepareMerge(db_.get(), {a}, false).status(), ErrorKind::kMergeRegion,
                "Need two Regions at least to run a Merge");
  ExpectRefused(PrepareMerge(db_.get(), {a, a}, false).status(), ErrorKind::kMergeRegion,
                "Duplicate regions specified; cannot merge a region to itself");
  ExpectRefused(PrepareMerge(db_.get(), {b, d}, false).status(), ErrorKind::kMergeRegion,
                "Unable to merge non-adjacent or non-overlapping regions '");
  const auto merged = Complete(PrepareMerge(db_.get(), {b, d}, true));
  ASSERT_THAT(merged, SizeIs(1));
  EXPECT_EQ(merged[0]->info().end_key, "e");
  ExpectRefused(PrepareMerge(db_.get(), {a, b}, false).status(), ErrorKind::kMergeRegion, "NOT online");
}

}  // namespace
}  // namespace vaquita
