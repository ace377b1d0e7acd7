// A master and region servers with all that lies between them, as objects of one process.
#include "server/process/master_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/status.h"
#include "region/testing/region_harness.h"
#include "server/data_root/backup_masters.h"
#include "server/fsck/finding.h"
#include "server/fsck/fsck.h"
#include "server/master/master.h"
#include "tests/server/cluster_harness.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing::WaitFor;

class MasterProcessTest : public testing::ClusterHarness {};

TEST_F(MasterProcessTest, ATableIsSpreadAndServed) {
  Lead();
  AddServers(3);
  MakeTable();
  EXPECT_THAT(ServersWithRegions(), SizeIs(3));
  EXPECT_THAT(Rows(), ElementsAre("a", "b", "c"));
  EXPECT_EQ(master().GrpcAddress(servers_[0]->server_name()), servers_[0]->grpc_address());
  EXPECT_THAT(master().Status().servers, SizeIs(3));
}

TEST_F(MasterProcessTest, ARegionMovesWithItsData) {
  Lead();
  AddServers(2);
  MakeTable();
  const AssignedRegion before = Locate("a");
  const std::string to = servers_[before.server_name == servers_[0]->server_name() ? 1 : 0]->server_name();
  ASSERT_TRUE(master().MoveRegion(before.info.EncodedName(), to).ok());
  EXPECT_EQ(Locate("a").server_name, to);
  EXPECT_THAT(Rows(), ElementsAre("a", "b", "c"));
  ASSERT_TRUE(master().MoveRegion(before.info.EncodedName(), "").ok());  // anywhere else
  EXPECT_EQ(Locate("a").server_name, before.server_name);
  EXPECT_THAT(Rows(), ElementsAre("a", "b", "c"));
}

TEST_F(MasterProcessTest, RegionsSplitAndMergeAcrossServers) {
  Lead();
  AddServers(2);
  MakeTable();
  for (const char* row : {"a1", "a2"}) ASSERT_TRUE(Put(row).ok());
  ASSERT_TRUE(Finish(master().SplitRegionAsync(Locate("a").info.EncodedName(), "a2")).ok());
  EXPECT_THAT(Regions("t"), SizeIs(4));
  EXPECT_THAT(Rows(), ElementsAre("a", "a1", "a2", "b", "c"));
  const std::string last = Locate("c").info.EncodedName();
  ASSERT_TRUE(Finish(master().MergeRegionsAsync({Locate("b").info.EncodedName(), last}, false)).ok());
  EXPECT_THAT(Regions("t"), SizeIs(3));
  EXPECT_THAT(Rows(), ElementsAre("a", "a1", "a2", "b", "c"));
}

TEST_F(MasterProcessTest, ASplitAndAMoveGoOnWhenTheirServerIsDead) {
  Lead();
  AddServers(3);
  MakeTable();
  for (const bool split : {true, false}) {
    const AssignedRegion region = Locate("a");
    size_t home = 0;
    while (servers_.at(home)->server_name() != region.server_name) ++home;
    Kill(home);
    const std::string name = region.info.EncodedName();
    const absl::Status done = split ? Finish(master().SplitRegionAsync(name, "a")) : master().MoveRegion(name, "");
    EXPECT_TRUE(done.ok()) << done;
  }
  EXPECT_THAT(Regions("t"), SizeIs(4));
  ExpectRows({"a", "b", "c"});
}

TEST_F(MasterProcessTest, TablesAreDisabledEnabledTruncatedSnapshottedAndDeleted) {
  Lead();
  AddServers(2);
  MakeTable();
  SnapshotDescription snapshot;
  snapshot.name = "s";
  snapshot.table = Name("t");
  ASSERT_TRUE(Finish(master().SnapshotAsync(snapshot, false)).ok());
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  EXPECT_FALSE(Put("a").ok());
  ASSERT_TRUE(Finish(master().EnableTableAsync(Name("t"))).ok());
  EXPECT_THAT(Rows(), ElementsAre("a", "b", "c"));
  ASSERT_TRUE(Finish(master().TruncateRegionAsync(Locate("b").info.EncodedName())).ok());
  EXPECT_THAT(Rows(), ElementsAre("a", "c"));
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  ASSERT_TRUE(Finish(master().RestoreSnapshotAsync("s", Name("t"), "")).ok());
  ASSERT_TRUE(Finish(master().EnableTableAsync(Name("t"))).ok());
  EXPECT_THAT(Rows(), ElementsAre("a", "b", "c"));
  ASSERT_TRUE(Finish(master().RestoreSnapshotAsync("s", Name("clone"), "")).ok());
  EXPECT_THAT(Rows("clone"), ElementsAre("a", "b", "c"));
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  ASSERT_TRUE(Finish(master().TruncateTableAsync(Name("t"), true)).ok());
  EXPECT_THAT(Rows(), IsEmpty());
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  ASSERT_TRUE(Finish(master().DeleteTableAsync(Name("t"))).ok());
  EXPECT_THAT(master().ListTables(false), ElementsAre(Name("clone")));
}

TEST_F(MasterProcessTest, ASecondMasterWaitsAndTakesOver) {
  Lead();
  AddServers(2);
  MakeTable();
  auto second = MakeMaster();
  EXPECT_FALSE(second->TryToLead().value());
  EXPECT_THAT(ListBackupMasters(root_.path()), ElementsAre(second->server_name()));
  const int64_t epoch = master().epoch();
  master_ = std::move(second);  // the first one ends
  ASSERT_TRUE(master_->TryToLead().value());
  EXPECT_EQ(master().epoch(), epoch + 1);
  EXPECT_THAT(ListBackupMasters(root_.path()), IsEmpty());
  // Each server answers again once it has registered.
  WaitFor([&] { return Put("a").ok() && Put("b").ok() && Put("c").ok(); });
  EXPECT_THAT(Rows(), ElementsAre("a", "b", "c"));
  absl::Status disabled;
  WaitFor([&] {
    disabled = Finish(master().DisableTableAsync(Name("t")));
    return !IsError(disabled, ErrorKind::kPleaseHold);
  });
  EXPECT_TRUE(disabled.ok()) << disabled;
}

TEST_F(MasterProcessTest, AServerThatStopsLosesItsRegionsFirst) {
  Lead();
  AddServers(2);
  MakeTable();
  const std::string stopped = servers_.back()->server_name();
  servers_.back()->Stop();
  servers_.pop_back();
  WaitFor([&] { return master().Status().regions_in_transition == 0; });  // the last one opens
  EXPECT_THAT(ServersWithRegions(), ElementsAre(servers_[0]->server_name()));
  EXPECT_THAT(Rows(), ElementsAre("a", "b", "c"));
  EXPECT_FALSE(std::filesystem::exists(root_.path() + "/server/" + stopped));
}

TEST_F(MasterProcessTest, ADecommissionedServerLosesItsRegionsAndGetsThemBack) {
  Lead();
  AddServers(2);
  MakeTable();
  const std::string name = servers_[0]->server_name();
  ASSERT_TRUE(master().Decommission({name, "gone,1,2"}, /*offload=*/true).ok());
  EXPECT_THAT(master().DecommissionedServers(), ElementsAre(name));
  WaitFor([&] {
    return ServersWithRegions() == std::set<std::string>{servers_[1]->server_name()} &&
           master().Status().regions_in_transition == 0;
  });
  EXPECT_THAT(Rows(), ElementsAre("a", "b", "c"));
  ASSERT_TRUE(master().Recommission(name, {Locate("a").info.EncodedName()}).ok());
  EXPECT_THAT(master().DecommissionedServers(), IsEmpty());
  WaitFor([&] { return Locate("a").server_name == name && Locate("a").state == RegionState::kOpen; });
  WaitFor([&] { return master().Status().regions_in_transition == 0; });
  EXPECT_THAT(Rows(), ElementsAre("a", "b", "c"));
}

// As in HBase, so that a client's request for a thousand regions keeps no handler.
TEST_F(MasterProcessTest, WhoRecommissionsAServerDoesNotWaitForItsRegions) {
  Lead();
  AddServers(2);
  MakeTable();
  const AssignedRegion region = Locate("a");
  const std::string other = servers_[region.server_name == servers_[0]->server_name() ? 1 : 0]->server_name();
  std::atomic<bool> checked = false, let_go = false;
  const int64_t holder = *master().AlterTableAsync(Name("t"), [&](TableDescriptor*) {
    if (checked.exchange(true)) let_go.wait(false);
    return absl::OkStatus();
  });
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(master().Recommission(other, {region.info.EncodedName(), "nope"}).ok());
  }
  const auto procedures = master().ListProcedures();
  EXPECT_EQ(std::count_if(procedures.begin(), procedures.end(),
                          [](const Procedure& p) { return p.description.find("MOVE") != std::string::npos; }),
            1);
  let_go = true;
  let_go.notify_all();
  EXPECT_TRUE(master().Wait(holder).ok());
  for (const Procedure& procedure : procedures) EXPECT_TRUE(master().Wait(procedure.id).ok());
  EXPECT_EQ(Locate("a").server_name, other);
}

// HBase: decommissionRegionServers without offload.
TEST_F(MasterProcessTest, AServerThatIsClosedToNewRegionsKeepsItsOwn) {
  Lead();
  AddServers(2);
  MakeTable();
  const std::set<std::string> before = ServersWithRegions();
  const std::string name = servers_[0]->server_name();
  ASSERT_TRUE(master().Decommission({name}, /*offload=*/false).ok());
  EXPECT_THAT(master().DecommissionedServers(), ElementsAre(name));
  TableDescriptor table;
  table.name = Name("new");
  table.families["f"] = testing::MakeFamily("f");
  ASSERT_TRUE(Finish(master().CreateTableAsync(table, {"b", "c", "d"})).ok());
  for (const AssignedRegion& region : Regions("new")) EXPECT_EQ(region.server_name, servers_[1]->server_name());
  EXPECT_EQ(ServersWithRegions(), before);
  Lead();  // the next master knows
  WaitFor([&] { return master().ServerNames().size() == 2 && master().DecommissionedServers().size() == 1; });
  ASSERT_TRUE(master().Recommission(name, {}).ok());
  EXPECT_THAT(master().DecommissionedServers(), IsEmpty());
}

TEST_F(MasterProcessTest, WaitingMastersAreInTheStatus) {
  Lead();
  const auto waiting = MakeMaster();
  WaitFor([&] { return !master().Status().backup_masters.empty(); });
  EXPECT_THAT(master().Status().backup_masters, ElementsAre(waiting->server_name()));
}

// Its data are in the handoffs of the recovery then.
TEST_F(MasterProcessTest, ADisabledTableWhoseServerDiedHasItsSnapshot) {
  Lead();
  AddServers(2);
  MakeTable();
  const std::string dead = Locate("a").home;
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  servers_.erase(servers_.begin() + (dead == servers_[0]->server_name() ? 0 : 1));
  WaitFor([&] { return master().ServerNames().size() == 1; });
  const absl::Status taken = Finish(master().SnapshotAsync({.name = "s", .table = Name("t")}, false));
  ASSERT_TRUE(taken.ok()) << taken;
  ASSERT_TRUE(Finish(master().RestoreSnapshotAsync("s", Name("clone"), "")).ok());
  EXPECT_THAT(Rows("clone"), ElementsAre("a", "b", "c"));
  ASSERT_TRUE(Finish(master().EnableTableAsync(Name("t"))).ok());
  EXPECT_THAT(Rows(), ElementsAre("a", "b", "c"));
}

// Neither its handoff, nor its folder that is not recovered yet, nor a snapshot gives the removed family's cells back.
TEST_F(MasterProcessTest, AFamilyThatIsAddedAgainBeginsEmptyWhereverTheRemovedOneWas) {
  Lead();
  AddServers(3);
  MakeTable();
  const auto change = [&](const std::function<void(TableDescriptor*)>& change) {
    TableDescriptor table = **master().GetDescriptor(Name("t"));
    change(&table);
    return Finish(master().ModifyTableAsync(table));
  };
  const auto add = [&] { return change([](TableDescriptor* t) { t->families["g"] = testing::MakeFamily("g"); }); };
  const auto remove = [&] { return change([](TableDescriptor* table) { table->families.erase("g"); }); };
  const auto put = [&](const std::string& row) {
    const AssignedRegion region = Locate(row);
    return ServerOf(region)->Mutate(region.info.EncodedName(), testing::MakePut(row, "g:q", "v")).status();
  };
  ASSERT_TRUE(add().ok());
  for (const char* row : {"ag", "bg", "cg"}) ASSERT_TRUE(put(row).ok());
  ASSERT_TRUE(Finish(master().SnapshotAsync({.name = "with", .table = Name("t")}, false)).ok());
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  servers_.erase(servers_.begin());
  WaitFor([&] { return master().ServerNames().size() == 2; });
  Kill(0);  // the master does not know it yet
  absl::Status changed = remove();
  ASSERT_TRUE(changed.ok()) << changed;
  changed = add();
  ASSERT_TRUE(changed.ok()) << changed;
  changed = Finish(master().SnapshotAsync({.name = "without", .table = Name("t")}, false));
  ASSERT_TRUE(changed.ok()) << changed;
  ASSERT_TRUE(Finish(master().EnableTableAsync(Name("t"))).ok());
  EXPECT_THAT(Rows(), ElementsAre("a", "b", "c"));
  for (const std::string snapshot : {"with", "without"}) {
    ASSERT_TRUE(Finish(master().RestoreSnapshotAsync(snapshot, Name("of-" + snapshot), "")).ok());
  }
  EXPECT_THAT(Rows("of-with"), ElementsAre("a", "ag", "b", "bg", "c", "cg"));
  EXPECT_THAT(Rows("of-without"), ElementsAre("a", "b", "c"));
  ASSERT_TRUE(put("ah").ok());
  EXPECT_THAT(Rows(), ElementsAre("a", "ah", "b", "c"));
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  ASSERT_TRUE(Finish(master().RestoreSnapshotAsync("with", Name("t"), "")).ok());
  ASSERT_TRUE(Finish(master().EnableTableAsync(Name("t"))).ok());
  EXPECT_THAT(Rows(), ElementsAre("a", "ag", "b", "bg", "c", "cg"));
}

// The server's folder went with the server: its regions fail to open, the others go on, and the check tells.
TEST_F(MasterProcessTest, RegionsWhoseDataAreNowhereFailToOpen) {
  Lead();
  AddServers(2);
  MakeTable();
  const AssignedRegion lost = Locate("a");
  const bool first = lost.server_name == servers_[0]->server_name();
  const auto server = servers_.begin() + (first ? 0 : 1);
  (*server)->StopNow();
  std::filesystem::remove_all(root_.path() + "/server/" + lost.server_name);
  servers_.erase(server);
  WaitFor([&] { return Locate("a").state == RegionState::kFailedOpen; });
  WaitFor([&] { return master().Status().regions_in_transition == 0; });
  const auto findings = master().CheckConsistency();
  ASSERT_TRUE(findings.ok()) << findings.status();
  ASSERT_FALSE(findings->empty());
  for (const fsck::Finding& finding : *findings) EXPECT_EQ(finding.kind, fsck::FindingKind::kNotDeployed);
  // `assign` tries again.
  const absl::Status again = Finish(master().AssignRegionAsync(lost.info.EncodedName()));
  EXPECT_TRUE(IsError(again, ErrorKind::kCorruptHFile)) << again;
  EXPECT_THAT(std::string(again.message()), ::testing::HasSubstr("its data are nowhere"));
}

TEST_F(MasterProcessTest, DamageIsFoundWhileTheClusterRuns) {
  Lead();
  AddServers(2);
  MakeTable();
  const auto kinds = [&] {
    const auto findings = master().CheckConsistency();
    EXPECT_TRUE(findings.ok()) << findings.status();
    std::vector<std::string> names;
    for (const fsck::Finding& finding : findings.ok() ? *findings : std::vector<fsck::Finding>()) {
      names.emplace_back(fsck::KindName(finding.kind));
    }
    return names;
  };
  EXPECT_THAT(kinds(), IsEmpty());
  const AssignedRegion region = Locate("b");
  // It serves a region that another one has.
  RegionServer& other = *servers_[region.server_name == servers_[0]->server_name() ? 1 : 0]->region_server();
  ASSERT_TRUE(other.CreateRegions({region.info}, *master().GetDescriptor(Name("t"))).ok());
  ASSERT_TRUE(other.ServeRegions({region.info.EncodedName()})[0].ok());
  EXPECT_THAT(kinds(), ElementsAre("MULTI_DEPLOYED"));
  ASSERT_TRUE(other.CloseRegions({region.info.EncodedName()}, "")[0].ok());
  // It serves a region that meta has no more.
  const Mutation gone = testing::MakeMutation(MutationType::kDelete, region.info.Name(), {});
  ASSERT_TRUE(master().meta()->Mutate(gone).ok());
  EXPECT_THAT(kinds(), ElementsAre("HOLE_IN_REGION_CHAIN", "NOT_IN_META"));
  // Nobody serves a region.
  const AssignedRegion closed = Locate("a");
  ASSERT_TRUE(ServerOf(closed)->CloseRegions({closed.info.EncodedName()}, "")[0].ok());
  EXPECT_THAT(kinds(), ElementsAre("HOLE_IN_REGION_CHAIN", "NOT_IN_META", "NOT_DEPLOYED"));
}

// ---- a server dies that gets some of a table's new regions, or has its old ones ----

// Table "t" and its snapshot "s"; table "on" is served by every server, too.
class DyingServerTest : public testing::ClusterHarness {
 protected:
  void SetUp() override {
    Lead();
    AddServers(3);
    MakeTable();
    ASSERT_TRUE(Finish(master().SnapshotAsync({.name = "s", .table = Name("t")}, false)).ok());
    ASSERT_TRUE(Finish(master().RestoreSnapshotAsync("s", Name("on"), "")).ok());
    ASSERT_THAT(ServersWithRegions("on"), SizeIs(3));
    dead_ = servers_[0]->server_name();
  }
  void Disable() {
    const absl::Status disabled = Finish(master().DisableTableAsync(Name("t")));
    ASSERT_TRUE(disabled.ok()) << disabled;
  }
  // When the dead server's regions are with the others: nothing is left of any regions that no table has.
  void ExpectWhole() {
    EXPECT_THAT(Rows("on"), ElementsAre("a", "b", "c"));
    servers_.clear();
    master_.reset();
    const auto report = fsck::CheckDataRoot({.path = root_.path(), .options = &options_, .clock = Clock::System()});
    ASSERT_TRUE(report.ok()) << report.status();
    for (const fsck::Finding& finding : report->found) {
      EXPECT_FALSE(finding.is_inconsistency()) << fsck::ToString(finding);
    }
  }
  void AwaitRecovery() {
    WaitFor([&] { return !std::filesystem::exists(root_.path() + "/server/" + dead_); });
    WaitFor([&] { return ServersWithRegions("on").size() == 2 && master().Status().regions_in_transition == 0; });
  }

  std::string dead_;
};

TEST_F(DyingServerTest, ATableIsCreated) {
  TableDescriptor table;
  table.name = Name("new");
  table.families["f"] = testing::MakeFamily("f");
  Kill(0);
  const absl::Status created = Finish(master().CreateTableAsync(table, {"b", "c"}));
  ASSERT_TRUE(created.ok()) << created;
  EXPECT_THAT(ServersWithRegions("new"), SizeIs(2));
  AwaitRecovery();
  EXPECT_THAT(Rows("new"), IsEmpty());
  ExpectWhole();
}

TEST_F(DyingServerTest, ASnapshotIsCloned) {
  Kill(0);
  const absl::Status cloned = Finish(master().RestoreSnapshotAsync("s", Name("clone"), ""));
  ASSERT_TRUE(cloned.ok()) << cloned;
  EXPECT_THAT(Rows("clone"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(ServersWithRegions("clone"), SizeIs(2));
  AwaitRecovery();
  ExpectWhole();
}

TEST_F(DyingServerTest, ATableIsRestored) {
  ASSERT_TRUE(Put("a2").ok());
  Disable();
  Kill(0);
  const absl::Status restored = Finish(master().RestoreSnapshotAsync("s", Name("t"), ""));
  ASSERT_TRUE(restored.ok()) << restored;
  AwaitRecovery();
  ASSERT_TRUE(Finish(master().EnableTableAsync(Name("t"))).ok());
  EXPECT_THAT(Rows(), ElementsAre("a", "b", "c"));
  ExpectWhole();
}

TEST_F(DyingServerTest, ATableIsTruncated) {
  Disable();
  Kill(0);
  const absl::Status truncated = Finish(master().TruncateTableAsync(Name("t"), /*preserve_splits=*/true));
  ASSERT_TRUE(truncated.ok()) << truncated;
  EXPECT_THAT(Regions("t"), SizeIs(3));
  EXPECT_THAT(Rows(), IsEmpty());
  AwaitRecovery();
  ExpectWhole();
}

// It gets no new regions, so that it is only the old ones that it cannot drop.
TEST_F(DyingServerTest, ATableIsTruncatedWhoseOldRegionsItHas) {
  ASSERT_TRUE(master().Decommission({dead_}, /*offload=*/false).ok());
  Disable();
  Kill(0);
  const absl::Status truncated = Finish(master().TruncateTableAsync(Name("t"), /*preserve_splits=*/true));
  ASSERT_TRUE(truncated.ok()) << truncated;
  EXPECT_THAT(Rows(), IsEmpty());
  AwaitRecovery();
  ExpectWhole();
}

TEST_F(DyingServerTest, ARegionIsTruncated) {
  const AssignedRegion region = Locate("b");
  Kill(static_cast<size_t>(
      std::find_if(servers_.begin(), servers_.end(), [&](auto& s) { return s->server_name() == region.server_name; }) -
      servers_.begin()));
  dead_ = region.server_name;
  const absl::Status truncated = Finish(master().TruncateRegionAsync(region.info.EncodedName()));
  ASSERT_TRUE(truncated.ok()) << truncated;
  AwaitRecovery();
  ExpectRows({"a", "c"});
  ExpectWhole();
}

// HBase's advice for some faults is to delete rows of hbase:meta.
TEST_F(DyingServerTest, ATableIsDeletedOfWhichMetaLostRegions) {
  Disable();
  const std::vector<AssignedRegion> regions = Regions("t");
  ASSERT_TRUE(master().meta()->Mutate(testing::MakeDelete(regions[0].info.Name(), {})).ok());
  ASSERT_TRUE(master()
                  .meta()
                  ->Mutate(testing::MakeDelete(regions[1].info.Name(), "info:regioninfo", CellType::kDeleteColumn))
                  .ok());
  ASSERT_TRUE(Finish(master().DeleteTableAsync(Name("t"))).ok());
  Scan scan;
  scan.rows = {"t,", "t-"};
  EXPECT_THAT(testing::ScanTexts(master().meta().get(), scan), IsEmpty());
  Kill(0);
  AwaitRecovery();
  ExpectWhole();
}

TEST_F(DyingServerTest, ATableIsDeleted) {
  Disable();
  Kill(0);
  const absl::Status deleted = Finish(master().DeleteTableAsync(Name("t")));
  ASSERT_TRUE(deleted.ok()) << deleted;
  EXPECT_THAT(master().ListTables(false), ElementsAre(Name("on")));
  AwaitRecovery();
  ExpectWhole();
}

}  // namespace
}  // namespace vaquita
