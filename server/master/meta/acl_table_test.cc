#include "server/master/meta/acl_table.h"

#include <gmock/gmock.h>

#include <functional>
#include <thread>
#include <utility>

#include "base/status.h"
#include "region/testing/region_harness.h"
#include "server/access/permission_cells.h"
#include "server/master/meta/cell_writes.h"
#include "server/master/meta/scan_all.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using enum UserAction;

class AclTableTest : public testing::RegionHarness {
 protected:
  AclTableTest() {
    OpenDatabase();
    region_ = *Region::OpenOrCreate(db_.get(), AclTable::Info(), AclTable::Descriptor());
    Load(/*epoch=*/1);
  }
  void Load(int64_t epoch) {
    table_ = *AclTable::Load(region_, &clock_);
    const absl::Status begun = table_->Begin(epoch, [this](const std::shared_ptr<const Permissions>& permissions) {
      if (const auto act = std::exchange(before_publication_, nullptr)) act();
      published_.push_back(permissions->version());
      return publication_;
    });
    EXPECT_TRUE(begun.ok()) << begun;
  }
  static UserPermission On(const std::string& user, const std::string& family, UserActions actions) {
    return {user, {.scope = Permission::Scope::kTable, .table = {"ns", "t"}, .family = family, .actions = actions}};
  }
  // "row column=letters" of each cell.
  std::vector<std::string> Cells() {
    const ResultBatch batch = *ScanAll(*region_, Scan{});
    std::vector<std::string> cells;
    for (size_t i = 0; i < batch.cells.size(); ++i) {
      const CellView cell = batch.cells[i];
      cells.push_back(std::string(cell.row) + " " + std::string(cell.qualifier) + "=" + std::string(cell.value));
    }
    return cells;
  }

  std::shared_ptr<Region> region_;
  std::unique_ptr<AclTable> table_;
  std::function<void()> before_publication_;
  std::vector<int64_t> published_;
  absl::Status publication_;
};

TEST_F(AclTableTest, GrantsReplaceOrMergeAndRevokesTakeAway) {
  EXPECT_TRUE(table_->Grant(On("bob", "f", {kRead, kWrite}), false).ok());
  EXPECT_TRUE(table_->Grant(On("bob", "", {kAdmin}), false).ok());
  EXPECT_THAT(Cells(), ElementsAre("ns:t bob=A", "ns:t bob,f=RW"));
  EXPECT_TRUE(table_->Grant(On("bob", "f", {kExec}), false).ok());
  EXPECT_TRUE(table_->Grant(On("bob", "", {kRead}), true).ok());
  EXPECT_THAT(Cells(), ElementsAre("ns:t bob=RA", "ns:t bob,f=X"));
  EXPECT_TRUE(table_->Revoke(On("bob", "", {kAdmin, kCreate})).ok());
  EXPECT_TRUE(table_->Revoke(On("bob", "f", {})).ok()) << "without actions: all";
  EXPECT_TRUE(table_->Revoke(On("eve", "f", {kRead})).ok()) << "what is not there";
  EXPECT_THAT(Cells(), ElementsAre("ns:t bob=R"));
  EXPECT_FALSE(table_->Grant(On("bob", "", {}), false).ok());
  EXPECT_FALSE(table_->Grant(On("@group", "", {kRead}), false).ok());
  EXPECT_TRUE(table_->Revoke(On("bob", "", {kRead})).ok());
  EXPECT_THAT(Cells(), IsEmpty());
  EXPECT_TRUE(table_->Grant(On("bob", "", {kRead}), false).ok()) << "after a delete in the same millisecond";
  EXPECT_THAT(Cells(), ElementsAre("ns:t bob=R"));
}

TEST_F(AclTableTest, ACellWhoseUserIsNotUtf8HoldsForNobody) {
  EXPECT_TRUE(table_->Grant(On("bob", "", {kRead}), false).ok());
  EXPECT_FALSE(table_->Grant(On("\xff", "", {kRead}), false).ok());
  ASSERT_TRUE(PutCell(*region_, "ns:t", kAclFamily, "\xff", "R", clock_.NowMs()).ok()) << "an older server put it";
  Load(/*epoch=*/2);
  EXPECT_THAT(table_->permissions()->all(), ElementsAre(On("bob", "", {kRead})));
}

// Grants wait for the change before them, which may take their right, or be the deletion of the table.
TEST_F(AclTableTest, WhoMayChangeIsAskedWhenEarlierChangesAreKnown) {
  const auto may = [this] {
    const auto permissions = table_->permissions();
    for (const UserPermission& each : permissions->all()) {
      if (each.user == "alice" && each.permission.actions.Has(kAdmin)) return absl::OkStatus();
    }
    return Error(ErrorKind::kAccessDenied, "alice");
  };
  ASSERT_TRUE(table_->Grant(On("alice", "", {kAdmin}), false).ok());
  EXPECT_TRUE(table_->Grant(On("bob", "", {kRead}), false, may).ok());
  std::vector<std::thread> late;
  std::vector<absl::Status> statuses(2);
  before_publication_ = [&] {
    late.emplace_back([&] { statuses[0] = table_->Grant(On("mallory", "", {kRead}), false, may); });
    late.emplace_back([&] { statuses[1] = table_->Revoke(On("bob", "", {}), may); });
  };
  ASSERT_TRUE(table_->ForgetTable({"ns", "t"}).ok());
  for (std::thread& each : late) each.join();
  for (const absl::Status& status : statuses) EXPECT_TRUE(IsError(status, ErrorKind::kAccessDenied)) << status;
  EXPECT_THAT(Cells(), IsEmpty());
}

TEST_F(AclTableTest, EachChangeIsPublishedWithAHigherVersionAlsoByTheNextMaster) {
  EXPECT_TRUE(table_->Grant(On("bob", "", {kRead}), false).ok());
  Load(/*epoch=*/2);
  EXPECT_TRUE(table_->Revoke(On("bob", "", {kRead})).ok());
  ASSERT_EQ(published_.size(), 4u);
  EXPECT_TRUE(std::is_sorted(published_.begin(), published_.end()));
  EXPECT_THAT(table_->permissions()->all(), IsEmpty());
}

TEST_F(AclTableTest, AChangeThatAServerDoesNotKnowIsAnErrorAndMayBeRepeated) {
  publication_ = absl::UnavailableError("a server sleeps");
  EXPECT_EQ(table_->Grant(On("bob", "", {kRead}), false), publication_);
  EXPECT_EQ(table_->Revoke(On("bob", "", {kRead})), publication_);
  publication_ = absl::OkStatus();
  EXPECT_TRUE(table_->Revoke(On("bob", "", {kRead})).ok());
  EXPECT_EQ(published_.size(), 4u);
}

TEST_F(AclTableTest, RightsEndWithWhatTheyAreFor) {
  EXPECT_TRUE(table_->Grant(On("bob", "f", {kRead}), false).ok());
  EXPECT_TRUE(
      table_->Grant({"bob", {.scope = Permission::Scope::kNamespace, .ns = "ns", .actions = {kRead}}}, false).ok());
  EXPECT_TRUE(table_->Grant({"bob", {.scope = Permission::Scope::kGlobal, .actions = {kRead}}}, false).ok());
  EXPECT_TRUE(table_->ForgetTable({"ns", "other"}).ok());
  EXPECT_THAT(Cells(), ElementsAre("@ns bob=R", "hbase:acl bob=R", "ns:t bob,f=R"));
  EXPECT_TRUE(table_->ForgetTable({"ns", "t"}).ok());
  EXPECT_TRUE(table_->ForgetNamespace("ns").ok());
  EXPECT_THAT(Cells(), ElementsAre("hbase:acl bob=R"));
}

TEST_F(AclTableTest, AllRightsEndAtOnce) {
  EXPECT_TRUE(table_->Grant(On("bob", "f", {kRead}), false).ok());
  EXPECT_TRUE(table_->Grant({"ann", {.scope = Permission::Scope::kGlobal, .actions = {kRead}}}, false).ok());
  EXPECT_TRUE(table_->ForgetAll().ok());
  EXPECT_THAT(Cells(), IsEmpty());
  EXPECT_THAT(table_->permissions()->all(), IsEmpty());
  const size_t published = published_.size();
  EXPECT_TRUE(table_->ForgetAll().ok());
  EXPECT_EQ(published_.size(), published) << "nothing has changed";
}

TEST_F(AclTableTest, AListHasWhatIsAskedFor) {
  EXPECT_TRUE(table_->Grant(On("bob", "f", {kRead}), false).ok());
  EXPECT_TRUE(table_->Grant(On("bob", "", {kWrite}), false).ok());
  EXPECT_TRUE(table_->Grant(On("eve", "f", {kRead}), false).ok());
  const auto list = [&](PermissionQuery query) {
    query.scope = Permission::Scope::kTable;
    query.table = {"ns", "t"};
    return table_->List(query);
  };
  EXPECT_EQ(list({}).size(), 3u);
  EXPECT_THAT(list({.family = "f", .user = "bob"}), ElementsAre(On("bob", "f", {kRead})));
  EXPECT_EQ(list({.family = "f"}).size(), 2u);
  EXPECT_THAT(table_->List({}), IsEmpty()) << "those that hold everywhere";
}

TEST_F(AclTableTest, ACellThatCannotBeReadGivesNobodyARight) {
  EXPECT_TRUE(region_->Mutate(testing::MakePut("ns:t", "l:bob", "R?")).ok());
  EXPECT_TRUE(region_->Mutate(testing::MakePut("ns:t", "l:eve", "R")).ok());
  Load(/*epoch=*/2);
  EXPECT_THAT(table_->permissions()->all(), ElementsAre(On("eve", "", {kRead})));
}

}  // namespace
}  // namespace vaquita
