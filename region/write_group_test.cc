#include "region/write_group.h"

#include <gmock/gmock.h>

#include "base/call_context.h"
#include "region/testing/region_harness.h"

namespace vaquita {
namespace {

using namespace vaquita::testing;  // NOLINT
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr CallContext kMoments{.short_waits = true};

class WriteGroupTest : public RegionHarness {
 protected:
  WriteGroupTest() {
    low_ = OpenRegion(MakeTable({MakeFamily("f")}), "", "m");
    high_ = OpenRegion(MakeTable({MakeFamily("f")}), "m", "");
  }
  static bool Adds(Region* region, const Mutation& put, WriteGroup* group) {
    const absl::StatusOr<bool> added = region->AddToGroup(put, kMoments, group);
    EXPECT_TRUE(added.ok()) << added.status();
    return added.ok() && *added;
  }

  std::shared_ptr<Region> low_, high_;
};

TEST_F(WriteGroupTest, PutsOfSeveralRegionsAreSeenWhenTheyAreCommitted) {
  WriteGroup group;
  EXPECT_TRUE(group.empty());
  EXPECT_TRUE(Adds(low_.get(), MakePut("a", "f:q", "1"), &group));
  EXPECT_TRUE(Adds(high_.get(), MakePut("x", "f:q", "2"), &group));
  EXPECT_TRUE(Adds(low_.get(), MakePut("b", "f:q", "3"), &group));
  EXPECT_FALSE(group.empty());
  EXPECT_EQ(group.Regions().size(), 2u);
  EXPECT_THAT(GetTexts(low_.get(), "a"), IsEmpty());
  ASSERT_TRUE(group.Commit().ok());
  EXPECT_TRUE(group.empty());
  EXPECT_THAT(ScanTexts(low_.get(), {}), ElementsAre("a f:q @1000 1", "b f:q @1000 3"));
  EXPECT_THAT(ScanTexts(high_.get(), {}), ElementsAre("x f:q @1000 2"));
  EXPECT_EQ(low_->Metrics().write_requests, 2);
  // It can be used again.
  EXPECT_TRUE(Adds(low_.get(), MakePut("a", "f:q", "4", 2000), &group));
  ASSERT_TRUE(group.Commit().ok());
  EXPECT_THAT(GetTexts(low_.get(), "a"), ElementsAre("a f:q @2000 4"));
}

TEST_F(WriteGroupTest, ItsRowsAreLockedUntilThen) {
  WriteGroup group;
  EXPECT_TRUE(Adds(low_.get(), MakePut("a", "f:q", "1"), &group));
  EXPECT_TRUE(IsWouldWait(low_->Mutate(MakePut("a", "f:q", "other"), {}, kMoments).status()));
  EXPECT_FALSE(Adds(low_.get(), MakePut("a", "f:q", "again"), &group));  // nor does it wait for itself
  ASSERT_TRUE(low_->Mutate(MakePut("b", "f:q", "other"), {}, kMoments).ok());
  ASSERT_TRUE(group.Commit().ok());
  EXPECT_TRUE(low_->Mutate(MakePut("a", "f:q", "later", 2000), {}, kMoments).ok());
  EXPECT_THAT(ScanTexts(low_.get(), {}), ElementsAre("a f:q @2000 later", "b f:q @1000 other"));
}

TEST_F(WriteGroupTest, WhatHasToBeWrittenAloneIsNotAdded) {
  WriteGroup group;
  EXPECT_FALSE(Adds(low_.get(), MakeDelete("a", {}), &group));
  EXPECT_FALSE(Adds(low_.get(), MakeMutation(MutationType::kIncrement, "a", {MakeCell("f:n", LongBytes(1))}), &group));
  for (const Durability durability : {Durability::kSkipWal, Durability::kFsyncWal}) {
    Mutation put = MakePut("a", "f:q", "1");
    put.durability = durability;
    EXPECT_FALSE(Adds(low_.get(), put, &group));
  }
  EXPECT_TRUE(group.empty());
  EXPECT_TRUE(low_->Mutate(MakePut("a", "f:q", "1"), {}, kMoments).ok());  // no lock is left
}

TEST_F(WriteGroupTest, AWrongPutLeavesTheOthersAlone) {
  WriteGroup group;
  EXPECT_TRUE(Adds(low_.get(), MakePut("a", "f:q", "1"), &group));
  EXPECT_TRUE(IsError(low_->AddToGroup(MakePut("x", "f:q", "2"), kMoments, &group).status(), ErrorKind::kWrongRegion));
  EXPECT_TRUE(IsError(low_->AddToGroup(MakePut("b", "none:q", "2"), kMoments, &group).status(),
                      ErrorKind::kNoSuchColumnFamily));
  ASSERT_TRUE(group.Commit().ok());
  EXPECT_THAT(ScanTexts(low_.get(), {}), ElementsAre("a f:q @1000 1"));
}

TEST_F(WriteGroupTest, PutsThatAreNotCommittedAreNotDone) {
  {
    WriteGroup group;
    EXPECT_TRUE(Adds(low_.get(), MakePut("a", "f:q", "1"), &group));
  }
  EXPECT_THAT(ScanTexts(low_.get(), {}), IsEmpty());
  EXPECT_TRUE(low_->Mutate(MakePut("a", "f:q", "2"), {}, kMoments).ok());
  EXPECT_TRUE(low_->Close().ok());  // nobody is inside any more
}

}  // namespace
}  // namespace vaquita
