// Administration, against a real server.
#include "client/admin.h"

#include "client/testing/test_cluster.h"
#include "server/process/standalone.h"

namespace vaquita::client {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using testing::GetRow;
using testing::HasKind;
using ::testing::IsEmpty;
using testing::Put;
using testing::RowOf;
using testing::ScanTexts;
using ::testing::SizeIs;
using testing::TableOf;

class AdminTest : public testing::EachTransport {
 protected:
  static TableName Name(std::string_view text) { return *TableName::Parse(text); }
  std::vector<std::string> Encoded(std::string_view table) {
    std::vector<std::string> names;
    const auto regions = admin()->GetRegions(Name(table));
    EXPECT_TRUE(regions.ok()) << regions.status();
    for (const RegionLocation& region : *regions) names.push_back(region.info.EncodedName());
    return names;
  }
  int64_t StoreFiles(std::string_view table) {
    int64_t files = 0;
    const auto metrics = admin()->GetRegionMetrics(Name(table));
    EXPECT_TRUE(metrics.ok()) << metrics.status();
    for (const RegionMetrics& region : *metrics) files += region.store_files;
    return files;
  }
};

TEST_P(AdminTest, ATablesLife) {
  TableDescriptor table = TableOf("t", {"f", "g"});
  table.families["f"].max_versions = 5;
  table.attributes["OWNER"] = "me";
  ASSERT_OK(admin()->CreateTable(table, {"m", "c"}));
  auto descriptor = admin()->GetDescriptor(table.name);
  ASSERT_OK(descriptor.status());
  EXPECT_EQ(descriptor->families, table.families);
  EXPECT_EQ(descriptor->attributes["OWNER"], "me");
  EXPECT_EQ(*admin()->GetTableState(table.name), TableState::kEnabled);
  EXPECT_TRUE(*admin()->TableExists(table.name));
  EXPECT_THAT(admin()->CreateTable(table), HasKind(ErrorKind::kTableExists));
  EXPECT_THAT(admin()->DeleteTable(table.name), HasKind(ErrorKind::kTableNotDisabled));

  descriptor->families.erase("g");
  descriptor->families["f"].max_versions = 2;
  descriptor->families["h"].name = "h";
  ASSERT_OK(admin()->ModifyTable(*descriptor));
  EXPECT_EQ(admin()->GetDescriptor(table.name)->families, descriptor->families);
  ASSERT_OK(Open("t")->Mutate(Put("r", "q", "v", "h")).status());
  EXPECT_THAT(Open("t")->Mutate(Put("r", "q", "v", "g")).status(), HasKind(ErrorKind::kNoSuchColumnFamily));

  ASSERT_OK(admin()->DisableTable(table.name));
  EXPECT_EQ(*admin()->GetTableState(table.name), TableState::kDisabled);
  EXPECT_THAT(admin()->DisableTable(table.name), HasKind(ErrorKind::kTableNotEnabled));
  ASSERT_OK(admin()->TruncateTable(table.name, /*preserve_splits=*/true));
  EXPECT_THAT(Encoded("t"), SizeIs(3));
  EXPECT_FALSE(*Open("t")->Exists(GetRow("r")));
  ASSERT_OK(admin()->DisableTable(table.name));
  ASSERT_OK(admin()->TruncateTable(table.name, /*preserve_splits=*/false));
  EXPECT_THAT(Encoded("t"), SizeIs(1));
  ASSERT_OK(admin()->DisableTable(table.name));
  ASSERT_OK(admin()->EnableTable(table.name));
  ASSERT_OK(admin()->DisableTable(table.name));
  ASSERT_OK(admin()->DeleteTable(table.name));
  EXPECT_FALSE(*admin()->TableExists(table.name));
  EXPECT_THAT(admin()->GetDescriptor(table.name).status(), HasKind(ErrorKind::kTableNotFound));
}

TEST_P(AdminTest, ATableWithoutFamiliesGetsItsFirstWhileItIsDisabled) {
  TableDescriptor table = TableOf("t", {});
  table.configuration["hbase.table.sanity.checks"] = "false";
  ASSERT_OK(admin()->CreateTable(table, {"m"}));
  ASSERT_OK(admin()->DisableTable(table.name));
  table.families["f"].name = "f";
  ASSERT_OK(admin()->ModifyTable(table));
  ASSERT_OK(admin()->EnableTable(table.name));
  ASSERT_OK(Open("t")->Mutate(Put("r", "q", "v", "f")).status());
  EXPECT_TRUE(*Open("t")->Exists(GetRow("r")));
}

TEST_P(AdminTest, ReplicationPeersAreKept) {
  ReplicationPeer peer{.id = "1", .enabled = false};
  peer.config.cluster_key = "zk1,zk2:2181:/hbase";
  peer.config.configuration["k"] = "v";
  peer.config.data["d"] = std::string("\xFF\0", 2);
  peer.config.replicate_all = false;
  peer.config.namespaces = {"ns"};
  peer.config.tables[Name("t")] = {};
  peer.config.tables[Name("other:t")] = {"f", "g"};
  peer.config.bandwidth = 77;
  peer.config.serial = true;
  ASSERT_OK(admin()->AddReplicationPeer(peer));
  EXPECT_THAT(*admin()->ListReplicationPeers(), ElementsAre(peer));
  EXPECT_THAT(admin()->AddReplicationPeer(peer), HasKind(ErrorKind::kDoNotRetryIO));

  ASSERT_OK(admin()->SwitchReplicationPeer("1", true));
  EXPECT_THAT(admin()->SwitchReplicationPeer("1", true), HasKind(ErrorKind::kDoNotRetryIO));
  peer.enabled = true;
  peer.config.tables.clear();
  peer.config.namespaces.clear();
  peer.config.replicate_all = true;
  peer.config.excluded_namespaces = {"ns"};
  peer.config.excluded_tables[Name("t")] = {"f"};
  ASSERT_OK(admin()->UpdateReplicationPeer("1", peer.config));
  EXPECT_THAT(*admin()->ListReplicationPeers(), ElementsAre(peer));
  peer.config.cluster_key = "zk3:2181:/hbase";
  EXPECT_THAT(admin()->UpdateReplicationPeer("1", peer.config), HasKind(ErrorKind::kDoNotRetryIO));

  ASSERT_OK(admin()->RemoveReplicationPeer("1"));
  EXPECT_THAT(*admin()->ListReplicationPeers(), IsEmpty());
  EXPECT_THAT(admin()->RemoveReplicationPeer("1"), HasKind(ErrorKind::kReplicationPeerNotFound));
}

TEST_P(AdminTest, TheBalancersRunsAreRecorded) {
  ASSERT_OK(admin()->Balance().status());
  ASSERT_OK(admin()->Balance().status());
  const auto rejections = admin()->ListBalancerRejections(1);
  ASSERT_OK(rejections.status());
  ASSERT_THAT(*rejections, SizeIs(1));
  EXPECT_THAT(rejections->front().reason, ::testing::HasSubstr("only 1 active regionserver"));
  EXPECT_THAT(*admin()->ListBalancerRejections(250), SizeIs(2));
  EXPECT_THAT(*admin()->ListBalancerDecisions(250), IsEmpty());
}

TEST_P(AdminTest, AServersOwnWork) {
  ASSERT_OK(admin()->CreateTable(TableOf("t")));
  ASSERT_OK(Open("t")->Mutate(Put("r", "q", "v")).status());
  const std::string server = admin()->GetClusterStatus()->servers.at(0).server_name;
  ASSERT_OK(admin()->RollLog(server));
  EXPECT_GT(StoreFiles("t"), 0) << "the log begins anew where a memstore is written";
  EXPECT_TRUE(*Open("t")->Exists(GetRow("r")));  // a block of the file is cached now
  const auto evicted = admin()->ClearBlockCache(Name("t"));
  ASSERT_OK(evicted.status());
  EXPECT_GT(evicted->evicted_bytes, 0);
  EXPECT_GT(evicted->capacity_bytes, evicted->evicted_bytes);
  EXPECT_THAT(admin()->ClearBlockCache(Name("nosuch")).status(), HasKind(ErrorKind::kTableNotFound));
  ASSERT_OK(admin()->FlushMasterStore());
  EXPECT_THAT(*admin()->ListSlowCalls(server, {}), IsEmpty());
  EXPECT_TRUE(*admin()->ClearSlowCalls(server));
}

// Every answer of HBase's RPC is a large one for this server.
class LargeAnswersTest : public testing::TestCluster {
 protected:
  void SetUp() override {
    transport_ = testing::Transport::kHBase;
    options_.large_answer_bytes = 0;
    TestCluster::SetUp();
  }
};

TEST_F(LargeAnswersTest, AreKeptByTheServer) {
  ASSERT_OK(admin()->CreateTable(TableOf("t")));
  ASSERT_OK(Open("t")->Mutate(Put("r", "q", "v")).status());
  ASSERT_OK(Open("t")->Get(GetRow("r")).status());
  const std::string server = admin()->GetClusterStatus()->servers.at(0).server_name;
  const auto calls = admin()->ListSlowCalls(server, {.large = true, .limit = 1, .table = "t,"});
  ASSERT_OK(calls.status());
  ASSERT_THAT(*calls, SizeIs(1));
  const SlowCall& call = calls->front();
  EXPECT_EQ(call.method, "Get");
  EXPECT_EQ(call.details, "Get(org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos$GetRequest)");
  EXPECT_EQ(call.parameter, "region= " + call.region + ", row= r");
  EXPECT_EQ(call.region, admin()->GetRegions(*TableName::Parse("t"))->at(0).info.Name());
  EXPECT_GT(call.response_bytes, 0);
  EXPECT_TRUE(call.large);
  EXPECT_FALSE(call.slow);
  EXPECT_THAT(*admin()->ListSlowCalls(server, {}), IsEmpty());
  EXPECT_TRUE(*admin()->ClearSlowCalls(server));
  EXPECT_THAT(*admin()->ListSlowCalls(server, {.large = true, .table = "t,"}), IsEmpty());
}

TEST_P(AdminTest, CreationCanBeWatched) {
  auto id = admin()->CreateTableAsync(TableOf("t"), {"m"});
  ASSERT_OK(id.status());
  ASSERT_OK(admin()->WaitForProcedure(*id));
  auto procedure = admin()->GetProcedure(*id);
  ASSERT_OK(procedure.status());
  EXPECT_EQ(procedure->state, Procedure::State::kDone);
  EXPECT_EQ(procedure->id, *id);
  EXPECT_EQ(procedure->steps_done, procedure->steps_total);
  EXPECT_FALSE(admin()->GetProcedure(987654321).ok());
}

TEST_P(AdminTest, ListsTablesByRegex) {
  ASSERT_OK(admin()->CreateNamespace({"ns", {}}));
  for (const char* name : {"apple", "apricot", "banana", "ns:apple"}) Create(name);
  EXPECT_THAT(*admin()->ListTableNames(),
              ElementsAre(Name("apple"), Name("apricot"), Name("banana"), Name("ns:apple")));
  EXPECT_THAT(*admin()->ListTableNames("ap.*"), ElementsAre(Name("apple"), Name("apricot")));
  EXPECT_THAT(*admin()->ListTableNames("ap"), IsEmpty());  // the whole name, or nothing
  EXPECT_THAT(*admin()->ListTableNames("default:.*"), SizeIs(3));
  EXPECT_THAT(*admin()->ListTableNames("ns:.*"), ElementsAre(Name("ns:apple")));
  EXPECT_THAT(*admin()->ListTableNames("", true), Contains(kMetaTableName));
  EXPECT_THAT(admin()->ListTableNames("(").status(), HasKind(ErrorKind::kDoNotRetryIO));
}

TEST_P(AdminTest, Namespaces) {
  const NamespaceDescriptor ns{"ns", {{"k", "v"}}};
  ASSERT_OK(admin()->CreateNamespace(ns));
  EXPECT_THAT(admin()->CreateNamespace(ns), HasKind(ErrorKind::kTableExistsNamespace));
  EXPECT_EQ(*admin()->GetNamespace("ns"), ns);
  const NamespaceDescriptor changed{"ns", {{"k", "w"}}};
  ASSERT_OK(admin()->ModifyNamespace(changed));
  EXPECT_THAT(*admin()->ListNamespaces(), Contains(changed));
  Create("ns:t");
  EXPECT_THAT(admin()->DeleteNamespace("ns"), HasKind(ErrorKind::kConstraint));
  ASSERT_OK(admin()->DisableTable(Name("ns:t")));
  ASSERT_OK(admin()->DeleteTable(Name("ns:t")));
  ASSERT_OK(admin()->DeleteNamespace("ns"));
  EXPECT_THAT(admin()->GetNamespace("ns").status(), HasKind(ErrorKind::kNamespaceNotFound));
  EXPECT_THAT(admin()->CreateTable(TableOf("ns:t")), HasKind(ErrorKind::kNamespaceNotFound));
}

TEST_P(AdminTest, FlushAndCompact) {
  auto table = Create("t", {"m"});
  for (int round = 0; round < 2; ++round) {
    ASSERT_OK(table->Mutate(Put("a", "q", "v")).status());
    ASSERT_OK(table->Mutate(Put("z", "q", "v")).status());
    ASSERT_OK(admin()->Flush(table->name()));
  }
  EXPECT_EQ(StoreFiles("t"), 4);
  ASSERT_OK(admin()->Compact(table->name(), "", /*major=*/true));
  EXPECT_EQ(StoreFiles("t"), 2);
  EXPECT_FALSE(*admin()->IsCompacting(table->name()));

  const std::string region = Encoded("t")[0];
  ASSERT_OK(table->Mutate(Put("a", "q", "w")).status());
  ASSERT_OK(admin()->FlushRegion(region));
  EXPECT_EQ(StoreFiles("t"), 3);
  ASSERT_OK(admin()->CompactRegion(region, "f", /*major=*/true));
  EXPECT_EQ(StoreFiles("t"), 2);
  ASSERT_OK(admin()->CompactAsync(table->name(), "", /*major=*/false));
}

TEST_P(AdminTest, RegionsThatAreNotThereAreUnknown) {
  EXPECT_THAT(admin()->FlushRegion("0123456789abcdef0123456789abcdef"), HasKind(ErrorKind::kUnknownRegion));
  EXPECT_THAT(admin()->CompactRegion("0123456789abcdef0123456789abcdef", "", true), HasKind(ErrorKind::kUnknownRegion));
  EXPECT_THAT(admin()->SplitRegion("0123456789abcdef0123456789abcdef", ""), HasKind(ErrorKind::kUnknownRegion));
  EXPECT_THAT(admin()->MoveRegion("0123456789abcdef0123456789abcdef"), HasKind(ErrorKind::kUnknownRegion));
  EXPECT_THAT(admin()->Flush(Name("nope")), HasKind(ErrorKind::kTableNotFound));
  EXPECT_THAT(admin()->GetRegions(Name("nope")).status(), HasKind(ErrorKind::kTableNotFound));
  EXPECT_THAT(admin()->GetRegionMetrics(Name("nope")).status(), HasKind(ErrorKind::kTableNotFound));
}

TEST_P(AdminTest, SplitAndMerge) {
  auto table = Create("t");
  Fill(*table, 0, 10'000);  // several blocks, so that there is a midkey
  ASSERT_OK(admin()->Flush(table->name()));
  ASSERT_OK(admin()->SplitTable(table->name(), ""));  // at the midkey
  std::vector<std::string> regions = Encoded("t");
  ASSERT_THAT(regions, SizeIs(2));
  ASSERT_OK(admin()->Compact(table->name(), "", /*major=*/true));  // a daughter is split only when it has its own files
  ASSERT_OK(admin()->SplitRegion(regions[1], RowOf(9000)));
  regions = Encoded("t");
  ASSERT_THAT(regions, SizeIs(3));
  EXPECT_FALSE(admin()->SplitRegion(regions[2], RowOf(10)).ok());                          // outside the region
  EXPECT_FALSE(admin()->MergeRegions({regions[0], regions[2]}, /*forcible=*/false).ok());  // no neighbours
  ASSERT_OK(admin()->MergeRegions({regions[0], regions[1]}, /*forcible=*/false));
  EXPECT_THAT(Encoded("t"), SizeIs(2));
  EXPECT_THAT(ScanAll(*table), SizeIs(10'000));
}

TEST_P(AdminTest, ATableIsClonedAndRestoredFromASnapshot) {
  auto table = Create("t", {"m"});
  ASSERT_OK(table->Mutate(Put("a", "q", "1")).status());
  ASSERT_OK(admin()->Snapshot({.name = "s", .table = table->name()}));
  ASSERT_OK(table->Mutate(Put("a", "q", "2")).status());
  ASSERT_OK(table->Mutate(Put("z", "q", "3")).status());

  ASSERT_OK(admin()->CloneSnapshot("s", Name("copy"), "FILE"));
  EXPECT_THAT(ScanTexts(*Open("copy"), {}), ElementsAre("a/f:q=1 "));
  EXPECT_THAT(Encoded("copy"), SizeIs(2));
  EXPECT_EQ(admin()->GetDescriptor(Name("copy"))->attributes["hbase.store.file-tracker.impl"], "FILE");
  EXPECT_THAT(admin()->CloneSnapshot("s", Name("copy")), HasKind(ErrorKind::kTableExists));
  EXPECT_THAT(admin()->CloneSnapshot("s", Name("nope:t")), HasKind(ErrorKind::kNamespaceNotFound));
  EXPECT_THAT(admin()->CloneSnapshot("s", Name("hbase:t")), HasKind(ErrorKind::kIllegalArgument));
  EXPECT_THAT(admin()->CloneSnapshot("nope", Name("c")), HasKind(ErrorKind::kSnapshotDoesNotExist));

  EXPECT_THAT(admin()->RestoreSnapshot("s"), HasKind(ErrorKind::kTableNotDisabled));
  EXPECT_THAT(admin()->RestoreSnapshot("nope"), HasKind(ErrorKind::kRestoreSnapshot));
  ASSERT_OK(admin()->DisableTable(table->name()));
  ASSERT_OK(admin()->RestoreSnapshot("s"));
  ASSERT_OK(admin()->EnableTable(table->name()));
  EXPECT_THAT(ScanTexts(*table, {}), ElementsAre("a/f:q=1 "));

  ASSERT_OK(admin()->DisableTable(table->name()));
  ASSERT_OK(admin()->DeleteTable(table->name()));
  ASSERT_OK(admin()->RestoreSnapshot("s"));  // makes the table anew
  EXPECT_THAT(ScanTexts(*table, {}), ElementsAre("a/f:q=1 "));
}

TEST_P(AdminTest, SnapshotsAreListedAndDeletedByRegex) {
  ASSERT_OK(admin()->CreateNamespace({"ns", {}}));
  for (const char* name : {"t1", "t2", "ns:t1"}) {
    ASSERT_OK(Create(name)->Mutate(Put("r", "q", "v")).status());
  }
  ASSERT_OK(admin()->Snapshot({.name = "b1", .table = Name("t1"), .type = SnapshotType::kSkipFlush, .ttl_s = 1000}));
  ASSERT_OK(admin()->Snapshot({.name = "a1", .table = Name("t1"), .max_file_bytes = 1 << 30}));
  ASSERT_OK(admin()->Snapshot({.name = "a2", .table = Name("t2")}));
  ASSERT_OK(admin()->Snapshot({.name = "a3", .table = Name("ns:t1")}));
  EXPECT_THAT(admin()->Snapshot({.name = "a3", .table = Name("t1")}), HasKind(ErrorKind::kSnapshotExists));
  EXPECT_THAT(admin()->Snapshot({.name = "x", .table = Name("nope")}), HasKind(ErrorKind::kSnapshotCreation));
  EXPECT_THAT(admin()->Snapshot({.name = "x:y", .table = Name("t1")}), HasKind(ErrorKind::kIllegalArgument));
  EXPECT_THAT(admin()->Snapshot({.name = "x", .table = kMetaTableName}), HasKind(ErrorKind::kIllegalArgument));

  const auto names = [](const absl::StatusOr<std::vector<SnapshotDescription>>& snapshots) {
    EXPECT_TRUE(snapshots.ok()) << snapshots.status();
    std::vector<std::string> found;
    for (const SnapshotDescription& snapshot : *snapshots) found.push_back(snapshot.name);
    return found;
  };
  EXPECT_THAT(names(admin()->ListSnapshots()), ElementsAre("a1", "a2", "a3", "b1"));
  EXPECT_THAT(names(admin()->ListSnapshots("a.*")), ElementsAre("a1", "a2", "a3"));
  EXPECT_THAT(names(admin()->ListSnapshots("a")), IsEmpty());  // the whole name, or nothing
  EXPECT_THAT(names(admin()->ListTableSnapshots("t.*")), ElementsAre("a1", "a2", "b1"));
  EXPECT_THAT(names(admin()->ListTableSnapshots("ns:.*", "a.")), ElementsAre("a3"));
  EXPECT_THAT(admin()->ListSnapshots("(").status(), HasKind(ErrorKind::kDoNotRetryIO));
  const auto taken = admin()->ListSnapshots("b1");
  EXPECT_EQ((*taken)[0].table, Name("t1"));
  EXPECT_EQ((*taken)[0].type, SnapshotType::kSkipFlush);
  EXPECT_EQ((*taken)[0].ttl_s, 1000);
  EXPECT_GT((*taken)[0].created_ms, 0);
  EXPECT_EQ((*admin()->ListSnapshots("a1"))[0].max_file_bytes, 1 << 30);
  ASSERT_OK(admin()->CloneSnapshot("b1", Name("empty")));
  EXPECT_THAT(ScanTexts(*Open("empty"), {}), IsEmpty());  // the put was in memory

  ASSERT_OK(admin()->DeleteTableSnapshots("t1", "a.*"));
  EXPECT_THAT(names(admin()->ListSnapshots()), ElementsAre("a2", "a3", "b1"));
  ASSERT_OK(admin()->DeleteSnapshots("a.*"));
  ASSERT_OK(admin()->DeleteSnapshot("b1"));
  EXPECT_THAT(names(admin()->ListSnapshots()), IsEmpty());
  EXPECT_THAT(admin()->DeleteSnapshot("b1"), HasKind(ErrorKind::kSnapshotDoesNotExist));
}

TEST_P(AdminTest, StatusAndMetrics) {
  auto table = Create("t", {"m"});
  for (int i = 0; i < 10; ++i) ASSERT_OK(table->Mutate(Put("z", "q", "v")).status());
  ASSERT_OK(table->Get(GetRow("z")).status());
  auto status = admin()->GetClusterStatus();
  ASSERT_OK(status.status());
  ASSERT_THAT(status->servers, SizeIs(1));
  EXPECT_EQ(status->servers[0].server_name, server_->server_name());
  // HBase's messages know neither gRPC nor a region's stores.
  const bool grpc = GetParam() == testing::Transport::kGrpc;
  EXPECT_EQ(status->servers[0].grpc_address, grpc ? server_->grpc_address() : "");
  EXPECT_GT(status->servers[0].memory_bytes, 0);
  EXPECT_THAT(status->dead_servers, IsEmpty());
  EXPECT_FALSE(status->version.empty());

  auto metrics = admin()->GetRegionMetrics(table->name());
  ASSERT_OK(metrics.status());
  ASSERT_THAT(*metrics, SizeIs(2));
  int64_t writes = 0, reads = 0;
  for (const RegionMetrics& region : *metrics) {
    EXPECT_EQ(region.info.table, table->name());
    writes += region.write_requests;
    reads += region.read_requests;
    EXPECT_THAT(region.stores, SizeIs(grpc ? 1 : 0));
  }
  EXPECT_EQ(writes, 10);
  EXPECT_EQ(reads, 1);
}

TEST_P(AdminTest, Switches) {
  EXPECT_TRUE(*admin()->IsOn(MasterSwitch::kBalancer));
  EXPECT_TRUE(*admin()->SetSwitch(MasterSwitch::kBalancer, false));
  EXPECT_FALSE(*admin()->IsOn(MasterSwitch::kBalancer));
  EXPECT_FALSE(admin()->Balance()->ran);
  EXPECT_FALSE(*admin()->SetSwitch(MasterSwitch::kBalancer, true));
  const auto balanced = admin()->Balance();
  EXPECT_TRUE(balanced->ran);
  EXPECT_EQ(balanced->moves_calculated, 0);  // there is one server
  EXPECT_EQ(balanced->moves_executed, 0);
  EXPECT_TRUE(admin()->Balance({.dry_run = true, .ignore_regions_in_transition = true})->ran);
  EXPECT_TRUE(*admin()->IsOn(MasterSwitch::kNormalizer));
  EXPECT_TRUE(*admin()->SetSwitch(MasterSwitch::kNormalizer, false));
  EXPECT_FALSE(*admin()->Normalize());
  EXPECT_FALSE(*admin()->SetSwitch(MasterSwitch::kNormalizer, true));
  EXPECT_TRUE(*admin()->Normalize());
  for (const MasterSwitch which :
       {MasterSwitch::kSplit, MasterSwitch::kMerge, MasterSwitch::kCatalogJanitor, MasterSwitch::kCleaner,
        MasterSwitch::kSnapshotCleanup, MasterSwitch::kPeerModification}) {
    EXPECT_TRUE(*admin()->IsOn(which));
    EXPECT_TRUE(*admin()->SetSwitch(which, false));
    EXPECT_FALSE(*admin()->IsOn(which));
    for (const MasterSwitch other : {MasterSwitch::kBalancer, MasterSwitch::kNormalizer}) {
      EXPECT_TRUE(*admin()->IsOn(other));
    }
    EXPECT_FALSE(*admin()->SetSwitch(which, true));
  }
  EXPECT_EQ(*admin()->RunCatalogJanitor(), 0);
}

TEST_P(AdminTest, RegionsAreClosedOpenedAndEmptied) {
  auto table = Create("t", {"m"});
  ASSERT_OK(table->Mutate(Put("a", "q", "v")).status());
  ASSERT_OK(table->Mutate(Put("z", "q", "v")).status());
  const std::vector<std::string> regions = Encoded("t");
  ASSERT_THAT(regions, SizeIs(2));
  ASSERT_OK(admin()->UnassignRegion(regions[1]));
  EXPECT_THAT(*admin()->GetRegionMetrics(table->name()), SizeIs(1));  // the open one's
  EXPECT_THAT(*admin()->ListRegionsInTransition(), IsEmpty());
  ASSERT_OK(admin()->AssignRegion(regions[1]));
  EXPECT_THAT(*admin()->GetRegionMetrics(table->name()), SizeIs(2));
  ASSERT_OK(admin()->TruncateRegion(regions[1]));
  EXPECT_FALSE(*Open("t")->Exists(GetRow("z")));
  EXPECT_TRUE(*Open("t")->Exists(GetRow("a")));
  const std::string nosuch(32, '0');
  EXPECT_THAT(admin()->AssignRegion(nosuch), HasKind(ErrorKind::kUnknownRegion));
  EXPECT_THAT(admin()->UnassignRegion(nosuch), HasKind(ErrorKind::kUnknownRegion));
  EXPECT_FALSE(admin()->TruncateRegion(nosuch).ok());
}

TEST_P(AdminTest, AServerIsDecommissioned) {
  EXPECT_THAT(*admin()->ListDecommissionedServers(), IsEmpty());
  ASSERT_OK(admin()->DecommissionServers({server_->server_name(), "nosuch,1,1"}, /*offload=*/false));
  EXPECT_THAT(*admin()->ListDecommissionedServers(), ElementsAre(server_->server_name()));
  ASSERT_OK(admin()->RecommissionServer(server_->server_name(), {}));
  EXPECT_THAT(*admin()->ListDecommissionedServers(), IsEmpty());
}

TEST_P(AdminTest, AServersCompactionsAreSwitchedOffAndOn) {
  const std::string& server = server_->server_name();
  EXPECT_TRUE(*admin()->SwitchCompactions(server, false));
  EXPECT_FALSE(*admin()->SwitchCompactions(server, false));
  EXPECT_FALSE(*admin()->SwitchCompactions(server, true));
  EXPECT_TRUE(*admin()->SwitchCompactions(server, true));
  EXPECT_FALSE(admin()->SwitchCompactions("nosuch", false).ok());
}

TEST_P(AdminTest, ProceduresAreListed) {
  Create("t");
  EXPECT_THAT(admin()->CreateTable(TableOf("t")), HasKind(ErrorKind::kTableExists));
  const auto procedures = admin()->ListProcedures();
  ASSERT_OK(procedures.status());
  EXPECT_THAT(*procedures, Contains(Field(&Procedure::description, ::testing::StartsWith("CreateTableProcedure"))));
  for (const Procedure& procedure : *procedures) {
    EXPECT_GT(procedure.id, 0);
    EXPECT_GT(procedure.submitted_ms, 0);
    EXPECT_EQ(procedure.state, Procedure::State::kDone) << procedure.description;
  }
  EXPECT_THAT(*admin()->ListLocks(), IsEmpty());
}

INSTANTIATE_OVER_EACH_TRANSPORT(AdminTest);

}  // namespace
}  // namespace vaquita::client
