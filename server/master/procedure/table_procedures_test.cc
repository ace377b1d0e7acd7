#include "server/master/procedure/table_procedures.h"

#include <deque>

#include "base/status.h"
#include "gtest/gtest.h"
#include "region/testing/region_harness.h"
#include "server/master/procedure/master_parts.h"

namespace vaquita {
namespace {

// Each change of rights is told with the next one of these, and then with success.
class TableOwnerTest : public testing::RegionHarness {
 protected:
  TableOwnerTest() {
    OpenDatabase();
    master_.acl = *AclTable::Load(*Region::OpenOrCreate(db_.get(), AclTable::Info(), AclTable::Descriptor()), &clock_);
    const absl::Status begun = master_.acl->Begin(1, [this](const auto&) {
      if (told_.empty()) return absl::OkStatus();
      absl::Status status = told_.front();
      told_.pop_front();
      return status;
    });
    EXPECT_TRUE(begun.ok()) << begun;
  }
  size_t Rights() const { return master_.acl->permissions()->all().size(); }

  const TableName table_{"default", "t"};
  std::deque<absl::Status> told_;
  MasterParts master_{MasterOptions{.options = &options_, .clock = &clock_}};
};

TEST_F(TableOwnerTest, GetsItsRightsThoughAServerDoesNotAnswerAtFirst) {
  told_ = {absl::UnavailableError("a,1,1 does not know it yet")};
  const absl::Status granted = GrantToOwner(master_, table_, "alice");
  EXPECT_TRUE(granted.ok()) << granted;
  EXPECT_TRUE(told_.empty());
  EXPECT_EQ(Rights(), 1u);
}

TEST_F(TableOwnerTest, WhatWillNotPassIsAnError) {
  EXPECT_TRUE(IsError(GrantToOwner(master_, table_, "@group"), ErrorKind::kUnsupportedOperation));
  EXPECT_EQ(Rights(), 0u);
}

TEST_F(TableOwnerTest, TheNextMasterDoesItIfThisOneStops) {
  master_.stopping = true;
  told_ = {absl::UnavailableError("a,1,1 does not know it yet")};
  EXPECT_TRUE(IsError(GrantToOwner(master_, table_, "alice"), ErrorKind::kMasterNotRunning));
}

}  // namespace
}  // namespace vaquita
