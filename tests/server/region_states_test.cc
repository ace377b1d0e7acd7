// Regions that are closed and opened by themselves, moved, and emptied; altered tables; switches and procedure lists.
#include "base/testing/wait_for.h"
#include "server/master/master.h"
#include "tests/server/server_harness.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::MakePut;
using ::testing::SizeIs;

class RegionStatesTest : public testing::ServerHarness {
 protected:
  void SetUp() override {
    ServerHarness::SetUp();
    ASSERT_TRUE(Create("t", {"m"}, {"f", "g"}).ok());
    ASSERT_TRUE(Put("t", "a").ok());
    ASSERT_TRUE(Put("t", "n").ok());
    ASSERT_TRUE(Put("t", "n", "w", "g:q").ok());
    region_ = RegionOf("t", "n");
  }
  bool IsServed() { return region_server().FindRegion(region_).ok(); }
  RegionState State() { return Regions("t")[1].state; }

  std::string region_;
};

TEST_F(RegionStatesTest, AnUnassignedRegionIsClosedUntilItIsAssigned) {
  ASSERT_TRUE(Finish(master().UnassignRegionAsync(region_)).ok());
  EXPECT_FALSE(IsServed());
  EXPECT_EQ(State(), RegionState::kClosed);
  EXPECT_EQ(MetaValue("t,m", "state"), "CLOSED");
  EXPECT_EQ(MetaValue("t,,", "state"), "OPEN");
  for (const char* server : {"", "elsewhere,16020,1"}) {
    EXPECT_TRUE(IsError(master().MoveRegion(region_, server), ErrorKind::kDoNotRetryRegion)) << "to " << server;
  }
  ASSERT_TRUE(Finish(master().AssignRegionAsync(region_)).ok());
  EXPECT_EQ(MetaValue("t,m", "state"), "OPEN");
  EXPECT_THAT(Rows("t"), ElementsAre("a=v", "n=v", "n=w"));
}

TEST_F(RegionStatesTest, AnUnassignedRegionStaysClosedOverARestart) {
  ASSERT_TRUE(Finish(master().UnassignRegionAsync(region_)).ok());
  Restart();
  EXPECT_FALSE(IsServed());
  EXPECT_EQ(State(), RegionState::kClosed);
  ASSERT_TRUE(Finish(master().AssignRegionAsync(region_)).ok());
  Restart();
  EXPECT_TRUE(IsServed());
  EXPECT_THAT(Rows("t"), ElementsAre("a=v", "n=v", "n=w"));
}

TEST_F(RegionStatesTest, AStartFlushesALotOfMetaThatItReadFromTheLog) {
  const auto files = [&] { return master().meta()->StoreFiles("info")->size(); };
  const std::string row = Regions("t").front().info.Name();
  ASSERT_TRUE(master().meta()->Mutate(MakePut(row, "info:other", std::string(1000, 'v'))).ok());
  Restart();
  ASSERT_TRUE(master().meta()->Mutate(MakePut(row, "info:other", std::string(2 * kMiB, 'v'))).ok());
  EXPECT_EQ(files(), 0u) << "the log was short";
  Restart();
  testing::WaitFor([&] { return files() == 1u; });
  EXPECT_EQ(MetaValue("t,m", "state"), "OPEN");
}

TEST_F(RegionStatesTest, EnablingATableOpensItsUnassignedRegions) {
  ASSERT_TRUE(Finish(master().UnassignRegionAsync(region_)).ok());
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  ASSERT_TRUE(Finish(master().EnableTableAsync(Name("t"))).ok());
  EXPECT_TRUE(IsServed());
  EXPECT_EQ(State(), RegionState::kOpen);
}

TEST_F(RegionStatesTest, WhatIsDoneToTheTableLeavesAnUnassignedRegionAlone) {
  ASSERT_TRUE(Finish(master().UnassignRegionAsync(region_)).ok());
  EXPECT_TRUE(master().FlushTable(Name("t")).ok());
  EXPECT_TRUE(master().CompactTable(Name("t"), "", CompactionKind::kMajor, true).ok());
  ASSERT_TRUE(Finish(master().AlterTableAsync(Name("t"), [](TableDescriptor* table) {
                table->families.erase("g");
                return absl::OkStatus();
              })).ok());
  EXPECT_FALSE(IsServed());
  ASSERT_TRUE(Finish(master().AssignRegionAsync(region_)).ok());
  EXPECT_THAT(Rows("t"), ElementsAre("a=v", "n=v"));
}

TEST_F(RegionStatesTest, AssignmentsAreRefusedInHBasesWords) {
  const std::string where = ", table=t, region=" + region_;
  EXPECT_THAT(Finish(master().AssignRegionAsync(region_)),
              FailsWith(ErrorKind::kDoNotRetryRegion,
                        "Unexpected state for state=OPEN, location=" + server_->server_name() + where));
  ASSERT_TRUE(Finish(master().UnassignRegionAsync(region_)).ok());
  EXPECT_THAT(Finish(master().UnassignRegionAsync(region_)),
              FailsWith(ErrorKind::kDoNotRetryRegion, "Unexpected state for state=CLOSED, location=null" + where));
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  EXPECT_THAT(Finish(master().AssignRegionAsync(region_)),
              FailsWith(ErrorKind::kDoNotRetryIO, "t is disabled for state=CLOSED, location=null" + where));
  EXPECT_THAT(Finish(master().AssignRegionAsync("nope")), FailsWith(ErrorKind::kUnknownRegion, "nope"));
  EXPECT_TRUE(IsError(Finish(master().UnassignRegionAsync("1588230740")), ErrorKind::kDoNotRetryIO));
}

TEST_F(RegionStatesTest, AMoveElsewhereOpensTheRegionAnew) {
  const auto before = *region_server().FindRegion(region_);
  EXPECT_TRUE(master().MoveRegion(region_, "").ok());
  EXPECT_TRUE(master().MoveRegion(region_, server_->server_name()).ok());
  EXPECT_EQ(*region_server().FindRegion(region_), before);
  EXPECT_TRUE(master().MoveRegion(region_, "elsewhere,16020,1").ok());
  EXPECT_NE(*region_server().FindRegion(region_), before);
  EXPECT_EQ(State(), RegionState::kOpen);
  EXPECT_THAT(Rows("t"), ElementsAre("a=v", "n=v", "n=w"));
  EXPECT_THAT(master().MoveRegion("nope", ""), FailsWith(ErrorKind::kUnknownRegion, "nope"));
}

TEST_F(RegionStatesTest, ATruncatedRegionIsEmptyAndOpen) {
  ASSERT_TRUE(region_server().FlushRegion(region_).ok());
  ASSERT_TRUE(Finish(master().TruncateRegionAsync(region_)).ok());
  EXPECT_THAT(Rows("t"), ElementsAre("a=v"));
  ASSERT_TRUE(Put("t", "n", "new").ok());
  Restart();
  EXPECT_THAT(Rows("t"), ElementsAre("a=v", "n=new"));
  EXPECT_THAT(Finish(master().TruncateRegionAsync("1588230740")),
              FailsWith(ErrorKind::kDoNotRetryIO, "Can't truncate region in catalog tables"));
  ASSERT_TRUE(Finish(master().UnassignRegionAsync(region_)).ok());
  EXPECT_THAT(Finish(master().TruncateRegionAsync(region_)),
              FailsWith(ErrorKind::kDoNotRetryRegion, region_ + " is not OPEN; state=CLOSED"));
}

TEST_F(RegionStatesTest, AnOfflinedRegionIsServedAndCanBeAssigned) {
  ASSERT_TRUE(master().OfflineRegion(region_).ok());
  EXPECT_EQ(State(), RegionState::kOffline);
  EXPECT_TRUE(IsServed());
  ASSERT_TRUE(master().FlushTable(Name("t")).ok());
  EXPECT_EQ((*region_server().FindRegion(region_))->StoreFiles("f")->size(), 1u);
  ASSERT_TRUE(master().CompactRegion(region_, "", CompactionKind::kMajor, true).ok());
  ASSERT_TRUE(Finish(master().SnapshotAsync({.name = "s", .table = Name("t")}, false)).ok());
  ASSERT_TRUE(Finish(master().RestoreSnapshotAsync("s", Name("copy"), "")).ok());
  EXPECT_THAT(Rows("copy"), ElementsAre("a=v", "n=v", "n=w"));
  ASSERT_TRUE(Finish(master().AssignRegionAsync(region_)).ok());
  EXPECT_EQ(State(), RegionState::kOpen);
}

TEST_F(RegionStatesTest, AFlushOfAFamilyLeavesTheOthers) {
  ASSERT_TRUE(Finish(master().FlushTableAsync(Name("t"), {"g"})).ok());
  for (const auto& store : (*region_server().FindRegion(region_))->Metrics().stores) {
    EXPECT_EQ(store.metrics.store_files, store.family == "g" ? 1 : 0) << store.family;
  }
  EXPECT_TRUE(IsError(Finish(master().FlushTableAsync(Name("t"), {"x"})), ErrorKind::kNoSuchColumnFamily));
  EXPECT_THAT(Finish(master().FlushTableAsync(Name("u"), {})), FailsWith(ErrorKind::kTableNotFound, "u"));
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  EXPECT_THAT(Finish(master().FlushTableAsync(Name("t"), {})), FailsWith(ErrorKind::kTableNotEnabled, "t"));
}

TEST_F(RegionStatesTest, TheTimeOfTheLastMajorCompactionIsTheOldestOfTheRegions) {
  EXPECT_EQ(master().LastMajorCompactionMs(Name("t")), 0);
  ASSERT_TRUE(master().FlushTable(Name("t")).ok());
  EXPECT_EQ(master().LastMajorCompactionMs(Name("t")), 0);
  const int64_t first_ms = clock_.NowMs();
  ASSERT_TRUE(region_server().CompactRegion(region_, "", CompactionKind::kMajor, true).ok());
  EXPECT_EQ(master().LastMajorCompactionMs(region_), first_ms);
  EXPECT_EQ(master().LastMajorCompactionMs(Name("t")), 0) << "the other region was never compacted";
  clock_.Advance(1000);
  ASSERT_TRUE(region_server().CompactRegion(RegionOf("t", "a"), "", CompactionKind::kMajor, true).ok());
  EXPECT_EQ(master().LastMajorCompactionMs(Name("t")), first_ms);
  EXPECT_EQ(master().LastMajorCompactionMs(Name("nope")), 0);
}

TEST_F(RegionStatesTest, TwoChangesOfATableAtATimeAreBothMade) {
  std::vector<int64_t> ids;
  for (int i = 0; i < 8; ++i) {
    const std::string name = "h" + std::to_string(i);
    const auto id = master().AlterTableAsync(Name("t"), [name](TableDescriptor* table) {
      table->families[name] = testing::MakeFamily(name);
      return absl::OkStatus();
    });
    ASSERT_TRUE(id.ok());
    ids.push_back(*id);
  }
  for (const int64_t id : ids) EXPECT_TRUE(master().Wait(id).ok());
  EXPECT_THAT((*master().GetDescriptor(Name("t")))->families, SizeIs(10));
  EXPECT_THAT(Finish(master().AlterTableAsync(Name("nope"), [](TableDescriptor*) { return absl::OkStatus(); })),
              FailsWith(ErrorKind::kTableNotFound, "nope"));
}

TEST_F(RegionStatesTest, SwitchesAreOnAtFirstAndSurviveARestart) {
  for (const MasterSwitch which : {MasterSwitch::kNormalizer, MasterSwitch::kCatalogJanitor, MasterSwitch::kCleaner,
                                   MasterSwitch::kSnapshotCleanup, MasterSwitch::kPeerModification}) {
    EXPECT_TRUE(master().IsOn(which));
    EXPECT_TRUE(*master().SetSwitch(which, false));
    EXPECT_FALSE(*master().SetSwitch(which, false));
  }
  Restart();
  EXPECT_FALSE(master().IsOn(MasterSwitch::kNormalizer));
  EXPECT_FALSE(master().IsOn(MasterSwitch::kPeerModification));
  EXPECT_TRUE(master().IsOn(MasterSwitch::kBalancer));
  EXPECT_FALSE(*master().SetSwitch(MasterSwitch::kNormalizer, true));
  EXPECT_TRUE(master().IsOn(MasterSwitch::kNormalizer));
}

TEST_F(RegionStatesTest, ProceduresAreListedWithWhatTheyHadForThemselves) {
  const std::vector<Procedure> procedures = master().ListProcedures();
  ASSERT_THAT(procedures, SizeIs(1));
  EXPECT_EQ(procedures[0].description, "CreateTableProcedure table=t");
  EXPECT_EQ(procedures[0].lock, "t");
  EXPECT_FALSE(procedures[0].locked);
  EXPECT_EQ(procedures[0].state, Procedure::State::kDone);
  EXPECT_EQ(procedures[0].submitted_ms, clock_.NowMs());
  EXPECT_EQ(master().AwaitProcedure(procedures[0].id, 1000)->state, Procedure::State::kDone);
  EXPECT_FALSE(master().AwaitProcedure(12345678, 0).ok());
}

TEST_F(RegionStatesTest, ARequestWithANonceIsServedOnce) {
  const auto create = [&] { return master().CreateTableAsync(Descriptor("u"), {}); };
  const auto id = master().SubmitOnce({1, 2}, create);
  ASSERT_TRUE(Finish(id).ok());
  EXPECT_EQ(*master().SubmitOnce({1, 2}, create), *id);
  EXPECT_THAT(Finish(master().SubmitOnce({1, 3}, create)), FailsWith(ErrorKind::kTableExists, "u"));
}

TEST_F(RegionStatesTest, NamespacesAreChangedByProcedures) {
  ASSERT_TRUE(Finish(master().CreateNamespaceAsync({.name = "n"})).ok());
  EXPECT_THAT(master().CreateNamespaceAsync({.name = "n"}).status(),
              FailsWith(ErrorKind::kTableExistsNamespace, "Namespace n already exists"));
  ASSERT_TRUE(Finish(master().ModifyNamespaceAsync({.name = "n", .configuration = {{"k", "v"}}})).ok());
  EXPECT_EQ(master().GetNamespace("n")->configuration.at("k"), "v");
  EXPECT_THAT(master()
                  .ModifyNamespaceAsync({.name = "n", .configuration = {{"hbase.namespace.quota.maxregions", "0"}}})
                  .status(),
              FailsWith(ErrorKind::kConstraint, "The max region quota for n is less than or equal to zero."));
  EXPECT_THAT(master()
                  .CreateNamespaceAsync({.name = "o", .configuration = {{"hbase.namespace.quota.maxtables", "many"}}})
                  .status(),
              FailsWith(ErrorKind::kDoNotRetryIO, "NumberFormatException while getting max tables."));
  EXPECT_THAT(master().ModifyNamespaceAsync({.name = "o"}).status(), FailsWith(ErrorKind::kNamespaceNotFound, "o"));
  ASSERT_TRUE(Create("n:t").ok());
  EXPECT_TRUE(IsError(master().DeleteNamespaceAsync("n").status(), ErrorKind::kConstraint));
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("n:t"))).ok());
  ASSERT_TRUE(Finish(master().DeleteTableAsync(Name("n:t"))).ok());
  ASSERT_TRUE(Finish(master().DeleteNamespaceAsync("n")).ok());
  EXPECT_FALSE(master().GetNamespace("n").ok());
}

}  // namespace
}  // namespace vaquita
