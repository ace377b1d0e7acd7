// The life of tables: creation to deletion, their states, HBase's errors, and what hbase:meta says meanwhile.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "model/store_file_tracker.h"
#include "server/master/master.h"
#include "tests/server/server_harness.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class TablesTest : public testing::ServerHarness {};

TEST_F(TablesTest, ANewServerHasTheSystemTables) {
  EXPECT_THAT(master().ListTables(false), IsEmpty());
  EXPECT_THAT(master().ListTables(true), ElementsAre(TableName{"hbase", "meta"}, TableName{"hbase", "namespace"}));
  EXPECT_EQ(*master().GetTableState(kMetaTableName), TableState::kEnabled);
  EXPECT_EQ(Regions("hbase:meta")[0].info.Name(), "hbase:meta,,1");
  EXPECT_EQ(Regions("hbase:meta")[0].info.EncodedName(), "1588230740");
}

TEST_F(TablesTest, CreatesATableWithItsSplits) {
  ASSERT_TRUE(Create("t", {"m", "c"}).ok());
  EXPECT_THAT(Ranges("t"), ElementsAre("..c", "c..m", "m.."));
  EXPECT_EQ(*master().GetTableState(Name("t")), TableState::kEnabled);
  for (const char* row : {"a", "c", "z"}) ASSERT_TRUE(Put("t", row).ok());
  EXPECT_THAT(Rows("t"), ElementsAre("a=v", "c=v", "z=v"));
  EXPECT_EQ(master().LocateRow(Name("t"), "c")->info.start_key, "c");
  EXPECT_EQ(master().LocateRow(Name("t"), "bzz")->info.start_key, "");
}

TEST_F(TablesTest, MetaHasHBasesRowsAndColumns) {
  ASSERT_TRUE(Create("t", {"m"}).ok());
  const std::vector<std::string> region = {
      "info:regioninfo", "info:seqnumDuringOpen", "info:server", "info:serverstartcode", "info:sn", "info:state"};
  const auto columns = MetaColumns();
  for (const auto& column : region) {
    EXPECT_THAT(columns, ::testing::Contains("t, " + column));
    EXPECT_THAT(columns, ::testing::Contains("t,m " + column));
    EXPECT_THAT(columns, ::testing::Contains("hbase:namespace, " + column));
  }
  EXPECT_THAT(columns, ::testing::Contains("t table:state"));
  EXPECT_THAT(columns, SizeIs(3 * 6 + 2));
  EXPECT_EQ(MetaValue("t", "state"), std::string("\x08\x00", 2));  // TableState ENABLED
  EXPECT_EQ(MetaValue("t,m", "state"), "OPEN");
  EXPECT_EQ(MetaValue("t,m", "sn"), server_->server_name());
  EXPECT_EQ(MetaValue("t,m", "server") + "," + std::to_string(testing::LongOf(MetaValue("t,m", "serverstartcode"))),
            std::string("127.0.0.1:16020,") + std::to_string(clock_.NowMs()));
  EXPECT_EQ(MetaValue("t,m", "regioninfo").substr(0, 4), "PBUF");
}

TEST_F(TablesTest, CreationIsRefusedInHBasesWords) {
  ASSERT_TRUE(Create("t").ok());
  EXPECT_THAT(Create("t"), FailsWith(ErrorKind::kTableExists, "t"));
  EXPECT_THAT(Create("hbase:meta"), FailsWith(ErrorKind::kTableExists, "hbase:meta"));
  EXPECT_THAT(Create("nope:t"), FailsWith(ErrorKind::kNamespaceNotFound, "nope"));
  EXPECT_THAT(Create("u", {"a", "a"}),
              FailsWith(ErrorKind::kIllegalArgument, "All split keys must be unique, found duplicate: a, a"));
  EXPECT_TRUE(IsError(Create("u", {"a", ""}), ErrorKind::kIllegalArgument));
  EXPECT_TRUE(IsError(Create("u", {}, {}), ErrorKind::kFailedSanityCheck) ||
              IsError(Create("u", {}, {}), ErrorKind::kDoNotRetryIO));
  EXPECT_FALSE(master().GetDescriptor(Name("u")).ok());
}

TEST_F(TablesTest, NumbersOfFamiliesAndRegionsHaveABound) {
  options_.max_table_families = 1;
  options_.max_table_regions = 2;
  EXPECT_TRUE(Create("t", {"m"}).ok());
  EXPECT_THAT(Create("u", {"g", "m"}),
              FailsWith(ErrorKind::kDoNotRetryIO, "table u would have 3 regions; vaquita.table.max.regions is 2"));
  TableDescriptor wide = Descriptor("v");
  wide.families["more"] = {.name = "more"};
  EXPECT_THAT(Finish(master().CreateTableAsync(wide, {})),
              FailsWith(ErrorKind::kDoNotRetryIO, "table v would have 2 families; vaquita.table.max.families is 1"));
}

TEST_F(TablesTest, ATableWhoseRegionsHaveNoRoomInMetaLeavesNothingThere) {
  const auto before = MetaColumns();
  const auto too_long = FailsWith(ErrorKind::kIllegalArgument, HasSubstr("too long for a row of hbase:meta"));
  EXPECT_THAT(Create("t", {"m", std::string(32'712, 'z')}), too_long);
  EXPECT_THAT(Create(std::string(32'713, 't')), too_long);
  EXPECT_EQ(MetaColumns(), before);
  EXPECT_TRUE(Create("t", {"m", std::string(32'711, 'z')}).ok());
  EXPECT_TRUE(Create(std::string(32'712, 't')).ok());
  Restart();
  EXPECT_EQ(Regions("t").size(), 3u);
  EXPECT_EQ(Regions(std::string(32'712, 't')).size(), 1u);
}

TEST_F(TablesTest, SanityChecksAreSwitchedOffByTheConfigurationOrTheTable) {
  TableDescriptor insane = Descriptor("t");
  insane.families["f"].block_size_bytes = -1;
  insane.families["f"].ttl_seconds = -1;
  EXPECT_TRUE(IsError(Finish(master().CreateTableAsync(insane, {})), ErrorKind::kDoNotRetryIO));
  options_.table_sanity_checks = false;
  ASSERT_TRUE(Finish(master().CreateTableAsync(insane, {})).ok());
  ASSERT_TRUE(Put("t", "r").ok());
  ASSERT_TRUE(master().FlushTable(Name("t")).ok());
  clock_.Advance(1'000'000);
  EXPECT_THAT(Rows("t"), ElementsAre("r=v"));
  options_.table_sanity_checks = true;
  EXPECT_TRUE(IsError(Finish(master().ModifyTableAsync(insane)), ErrorKind::kDoNotRetryIO));
  insane.configuration["hbase.table.sanity.checks"] = "false";
  EXPECT_TRUE(Finish(master().ModifyTableAsync(insane)).ok());
  Restart();
  EXPECT_THAT(Rows("t"), ElementsAre("r=v"));
}

TEST_F(TablesTest, UnknownTablesAreNotFound) {
  const TableName name = Name("nope");
  EXPECT_THAT(master().GetDescriptor(name).status(), FailsWith(ErrorKind::kTableNotFound, "nope"));
  EXPECT_THAT(master().GetTableState(name).status(), FailsWith(ErrorKind::kTableNotFound, "nope"));
  EXPECT_THAT(master().LocateRow(name, "r").status(), FailsWith(ErrorKind::kTableNotFound, "nope"));
  EXPECT_THAT(Finish(master().DeleteTableAsync(name)), FailsWith(ErrorKind::kTableNotFound, "nope"));
  EXPECT_THAT(Finish(master().EnableTableAsync(name)), FailsWith(ErrorKind::kTableNotFound, "nope"));
  EXPECT_THAT(Finish(master().DisableTableAsync(name)), FailsWith(ErrorKind::kTableNotFound, "nope"));
  EXPECT_THAT(Finish(master().TruncateTableAsync(name, true)), FailsWith(ErrorKind::kTableNotFound, "nope"));
  EXPECT_THAT(Finish(master().ModifyTableAsync(Descriptor("nope"))), FailsWith(ErrorKind::kTableNotFound, "nope"));
  EXPECT_THAT(master().FlushTable(name), FailsWith(ErrorKind::kTableNotFound, "nope"));
}

TEST_F(TablesTest, StatesGuardOperations) {
  ASSERT_TRUE(Create("t").ok());
  EXPECT_THAT(Finish(master().EnableTableAsync(Name("t"))),
              FailsWith(ErrorKind::kTableNotDisabled, "tableName=t, state=ENABLED"));
  EXPECT_THAT(Finish(master().DeleteTableAsync(Name("t"))),
              FailsWith(ErrorKind::kTableNotDisabled, "Not DISABLED; tableName=t, state=ENABLED"));
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  EXPECT_THAT(Finish(master().DisableTableAsync(Name("t"))), FailsWith(ErrorKind::kTableNotEnabled, "t"));
  EXPECT_THAT(master().FlushTable(Name("t")), FailsWith(ErrorKind::kTableNotEnabled, "t"));
  EXPECT_THAT(Finish(master().DisableTableAsync(kMetaTableName)),
              FailsWith(ErrorKind::kConstraint, "Cannot disable hbase:meta"));
  EXPECT_THAT(Finish(master().DeleteTableAsync(kMetaTableName)),
              FailsWith(ErrorKind::kDoNotRetryIO, "Can't modify catalog tables"));
}

TEST_F(TablesTest, ADisabledTableIsClosedAndComesBackWithItsRows) {
  ASSERT_TRUE(Create("t", {"m"}).ok());
  ASSERT_TRUE(Put("t", "a").ok());
  ASSERT_TRUE(Put("t", "z").ok());
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  EXPECT_EQ(*master().GetTableState(Name("t")), TableState::kDisabled);
  EXPECT_EQ(MetaValue("t", "state"), "\x08\x01");
  EXPECT_EQ(MetaValue("t,", "state"), "CLOSED");
  EXPECT_EQ(Regions("t")[0].state, RegionState::kClosed);
  EXPECT_EQ(Regions("t")[0].server_name, "");
  EXPECT_TRUE(IsError(Put("t", "b"), ErrorKind::kNotServingRegion));

  Restart();
  EXPECT_TRUE(IsError(Put("t", "b"), ErrorKind::kNotServingRegion));
  ASSERT_TRUE(Finish(master().EnableTableAsync(Name("t"))).ok());
  EXPECT_EQ(MetaValue("t,", "state"), "OPEN");
  EXPECT_THAT(Rows("t"), ElementsAre("a=v", "z=v"));
}

TEST_F(TablesTest, ADeletedTableIsGoneAndItsNameFree) {
  ASSERT_TRUE(Create("t", {"m"}).ok());
  ASSERT_TRUE(Put("t", "a").ok());
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  ASSERT_TRUE(Finish(master().DeleteTableAsync(Name("t"))).ok());
  EXPECT_TRUE(IsError(master().GetDescriptor(Name("t")).status(), ErrorKind::kTableNotFound));
  EXPECT_THAT(MetaColumns(), SizeIs(7));  // hbase:namespace's
  ASSERT_TRUE(Create("t").ok());          // in the same millisecond: no marker of the old rows may mask the new ones
  EXPECT_THAT(Rows("t"), IsEmpty());
  Restart();
  EXPECT_THAT(Ranges("t"), ElementsAre(".."));
  EXPECT_THAT(Rows("t"), IsEmpty());
}

TEST_F(TablesTest, TruncationEmptiesATableAndKeepsItsSplitsIfAsked) {
  for (const bool preserve : {true, false}) {
    const std::string table = preserve ? "kept" : "lost";
    ASSERT_TRUE(Create(table, {"m"}).ok());
    ASSERT_TRUE(Put(table, "a").ok());
    EXPECT_TRUE(IsError(Finish(master().TruncateTableAsync(Name(table), preserve)), ErrorKind::kTableNotDisabled));
    ASSERT_TRUE(Finish(master().DisableTableAsync(Name(table))).ok());
    ASSERT_TRUE(Finish(master().TruncateTableAsync(Name(table), preserve)).ok());
    EXPECT_EQ(*master().GetTableState(Name(table)), TableState::kEnabled);
    EXPECT_THAT(Rows(table), IsEmpty());
    ASSERT_TRUE(Put(table, "z", "after").ok());
  }
  Restart();
  EXPECT_THAT(Ranges("kept"), ElementsAre("..m", "m.."));
  EXPECT_THAT(Ranges("lost"), ElementsAre(".."));
  EXPECT_THAT(Rows("kept"), ElementsAre("z=after"));
  EXPECT_THAT(Rows("lost"), ElementsAre("z=after"));
}

TEST_F(TablesTest, ModificationAddsChangesAndRemovesFamilies) {
  ASSERT_TRUE(Create("t", {"m"}, {"f", "g"}).ok());
  ASSERT_TRUE(Put("t", "a", "1", "f:q").ok());
  ASSERT_TRUE(Put("t", "a", "2", "g:q").ok());
  TableDescriptor table = Descriptor("t", {"f", "h"});
  table.families["f"].max_versions = 5;
  ASSERT_TRUE(Finish(master().ModifyTableAsync(table)).ok());
  EXPECT_EQ((*master().GetDescriptor(Name("t")))->families.at("f").max_versions, 5);
  EXPECT_TRUE(IsError(Put("t", "a", "3", "g:q"), ErrorKind::kNoSuchColumnFamily));
  ASSERT_TRUE(Put("t", "a", "4", "h:q").ok());
  EXPECT_THAT(Rows("t"), ElementsAre("a=1", "a=4"));
  Restart();
  EXPECT_EQ(**master().GetDescriptor(Name("t")), table);
  EXPECT_THAT(Rows("t"), ElementsAre("a=1", "a=4"));
  // A family that comes back under its old name is empty.
  ASSERT_TRUE(Finish(master().ModifyTableAsync(Descriptor("t", {"f", "g"}))).ok());
  EXPECT_THAT(Rows("t"), ElementsAre("a=1"));
}

TEST_F(TablesTest, ADisabledTableIsModifiedToo) {
  ASSERT_TRUE(Create("t", {}, {"f", "g"}).ok());
  ASSERT_TRUE(Put("t", "a", "1", "f:q").ok());
  ASSERT_TRUE(Put("t", "a", "2", "g:q").ok());
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  ASSERT_TRUE(Finish(master().ModifyTableAsync(Descriptor("t", {"f"}))).ok());
  ASSERT_TRUE(Finish(master().ModifyTableAsync(Descriptor("t", {"f", "g", "h"}))).ok());
  ASSERT_TRUE(Finish(master().EnableTableAsync(Name("t"))).ok());
  EXPECT_THAT(Rows("t"), ElementsAre("a=1"));
  ASSERT_TRUE(Put("t", "b", "3", "h:q").ok());
}

TEST_F(TablesTest, EveryDescriptorSurvivesARestart) {
  TableDescriptor table = Descriptor("ns1:t", {"f", "g"});
  ASSERT_TRUE(master().CreateNamespace({.name = "ns1", .configuration = {{"k", "v"}}}).ok());
  table.max_file_bytes = 123456789;
  table.durability = Durability::kAsyncWal;
  table.split_enabled = false;
  table.attributes["OWNER"] = "me";
  table.configuration["hbase.x"] = "y";
  FamilyDescriptor& f = table.families["f"];
  f.max_versions = 7;
  f.ttl_seconds = 86400;
  f.keep_deleted_cells = KeepDeletedCells::kTtl;
  f.compression = Compression::kZstd;
  f.bloom_filter = BloomType::kRowCol;
  f.block_size_bytes = 4096;
  f.in_memory = true;
  f.data_block_encoding = "FAST_DIFF";
  f.configuration["a"] = "b";
  ASSERT_TRUE(Finish(master().CreateTableAsync(table, {})).ok());
  Restart();
  table.attributes[kStoreFileTracker] = "DEFAULT";  // each new table is marked so
  EXPECT_EQ(**master().GetDescriptor(table.name), table);
  EXPECT_EQ(master().GetNamespace("ns1")->configuration.at("k"), "v");
}

TEST_F(TablesTest, ProceduresTellTheirProgressAndOutcome) {
  std::vector<std::string> splits;
  for (int i = 0; i < 450; ++i) splits.push_back("r" + std::to_string(1000 + i));
  const auto id = master().CreateTableAsync(Descriptor("t"), splits);
  ASSERT_TRUE(id.ok()) << id.status();
  int64_t seen = 0;
  while (true) {
    const auto procedure = master().GetProcedure(*id);
    ASSERT_TRUE(procedure.ok());
    EXPECT_EQ(procedure->description, "CreateTableProcedure table=t");
    EXPECT_GE(procedure->steps_done, seen);
    seen = procedure->steps_done;
    if (procedure->state != Procedure::State::kRunning) break;
    std::this_thread::yield();
  }
  const auto procedure = master().GetProcedure(*id);
  EXPECT_EQ(procedure->state, Procedure::State::kDone);
  EXPECT_EQ(procedure->steps_done, 451);
  EXPECT_EQ(procedure->steps_total, 451);
  EXPECT_EQ(Regions("t").size(), 451u);
  EXPECT_FALSE(master().GetProcedure(*id + 100).ok());
}

TEST_F(TablesTest, OfTwoCreationsOfOneNameOneWins) {
  const auto first = master().CreateTableAsync(Descriptor("t"), {"a", "b", "c"});
  const auto second = master().CreateTableAsync(Descriptor("t"), {"x"});
  const absl::Status one = Finish(first), two = Finish(second);
  EXPECT_TRUE(one.ok()) << one;
  EXPECT_THAT(two, FailsWith(ErrorKind::kTableExists, "t"));
  EXPECT_THAT(Ranges("t"), SizeIs(4));
}

// Deleted cells must not hide new ones, though the next life's clock is behind.
TEST_F(TablesTest, TablesAndNamespacesAreMadeAgainAfterARestartWithAClockThatWasSetBack) {
  ASSERT_TRUE(Create("t").ok());
  ASSERT_TRUE(master().CreateNamespace({.name = "ns"}).ok());
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  ASSERT_TRUE(Finish(master().DeleteTableAsync(Name("t"))).ok());
  ASSERT_TRUE(master().DeleteNamespace("ns").ok());
  clock_.Advance(-60'000);
  Restart();
  ASSERT_TRUE(Create("t").ok());
  ASSERT_TRUE(master().CreateNamespace({.name = "ns"}).ok());
  Restart();
  EXPECT_TRUE(master().GetDescriptor(Name("t")).ok());
  EXPECT_TRUE(master().GetNamespace("ns").ok());
  EXPECT_TRUE(Put("t", "r").ok());
}

TEST_F(TablesTest, ProcedureIdsAreNotUsedAgainAfterARestart) {
  const auto before = master().CreateTableAsync(Descriptor("t"), {});
  ASSERT_TRUE(Finish(before).ok());
  Restart();
  const auto after = master().CreateTableAsync(Descriptor("u"), {});
  ASSERT_TRUE(Finish(after).ok());
  EXPECT_GT(*after, *before);
  EXPECT_EQ(master().GetProcedure(*before)->description, "CreateTableProcedure table=t");
}

TEST_F(TablesTest, FlushAndCompactWorkOnEveryRegion) {
  ASSERT_TRUE(Create("t", {"m"}).ok());
  for (const char* row : {"a", "z"}) ASSERT_TRUE(Put("t", row).ok());
  ASSERT_TRUE(master().FlushTable(Name("t")).ok());
  for (const char* row : {"b", "y"}) ASSERT_TRUE(Put("t", row).ok());
  ASSERT_TRUE(master().FlushTable(Name("t")).ok());
  for (const RegionMetrics& region : region_server().Metrics().regions) {
    if (region.info.table == Name("t")) {
      EXPECT_EQ(region.store_files, 2);
    }
  }
  ASSERT_TRUE(master().CompactTable(Name("t"), "", CompactionKind::kMajor, true).ok());
  for (const RegionMetrics& region : region_server().Metrics().regions) {
    if (region.info.table == Name("t")) {
      EXPECT_EQ(region.store_files, 1);
    }
  }
  EXPECT_TRUE(
      IsError(master().CompactTable(Name("t"), "nope", CompactionKind::kMajor, true), ErrorKind::kNoSuchColumnFamily));
  EXPECT_TRUE(master().FlushTable(kMetaTableName).ok());
}

TEST_F(TablesTest, SwitchesSurviveARestart) {
  EXPECT_TRUE(master().IsOn(MasterSwitch::kBalancer));
  EXPECT_TRUE(master().Balance({})->ran);
  EXPECT_TRUE(*master().SetSwitch(MasterSwitch::kBalancer, false));
  EXPECT_FALSE(master().Balance({})->ran);
  EXPECT_TRUE(*master().SetSwitch(MasterSwitch::kMerge, false));
  Restart();
  EXPECT_FALSE(*master().SetSwitch(MasterSwitch::kBalancer, true));
  EXPECT_TRUE(master().IsOn(MasterSwitch::kSplit));
  EXPECT_FALSE(master().IsOn(MasterSwitch::kMerge));
}

TEST_F(TablesTest, StatusNamesTheClusterAndCountsItsRegions) {
  ASSERT_TRUE(Create("t", {"m"}).ok());
  const ClusterStatus before = master().Status();
  ASSERT_EQ(before.servers.size(), 1u);
  EXPECT_EQ(before.servers[0].regions.size(), 4u);  // meta, namespace, two of t
  EXPECT_GT(before.servers[0].memory_bytes, 1 << 20);
  EXPECT_EQ(before.master, "127.0.0.1,16000," + std::to_string(clock_.NowMs()));
  EXPECT_EQ(before.servers[0].server_name, server_->server_name());
  EXPECT_EQ(before.cluster_id.size(), 36u);
  Restart();
  EXPECT_EQ(master().Status().cluster_id, before.cluster_id);
}

TEST_F(TablesTest, NamespacesFollowHBasesRules) {
  EXPECT_THAT(master().ListNamespaces(),
              ElementsAre(NamespaceDescriptor{"default", {}}, NamespaceDescriptor{"hbase", {}}));
  ASSERT_TRUE(master().CreateNamespace({.name = "ns1"}).ok());
  EXPECT_THAT(master().CreateNamespace({.name = "ns1"}),
              FailsWith(ErrorKind::kTableExistsNamespace, "Namespace ns1 already exists"));
  EXPECT_FALSE(master().CreateNamespace({.name = "no-good"}).ok());
  ASSERT_TRUE(master().ModifyNamespace({.name = "ns1", .configuration = {{"a", "b"}}}).ok());
  EXPECT_EQ(master().GetNamespace("ns1")->configuration.at("a"), "b");
  EXPECT_THAT(master().ModifyNamespace({.name = "ns2"}), FailsWith(ErrorKind::kNamespaceNotFound, "ns2"));
  EXPECT_THAT(master().GetNamespace("ns2").status(), FailsWith(ErrorKind::kNamespaceNotFound, "ns2"));
  EXPECT_THAT(master().DeleteNamespace("ns2"), FailsWith(ErrorKind::kNamespaceNotFound, "ns2"));
  EXPECT_THAT(master().DeleteNamespace("hbase"),
              FailsWith(ErrorKind::kConstraint, "Reserved namespace hbase cannot be removed."));
  ASSERT_TRUE(Create("ns1:t").ok());
  EXPECT_THAT(master().DeleteNamespace("ns1"),
              FailsWith(ErrorKind::kConstraint, "Only empty namespaces can be removed. Namespace ns1 has 1 tables"));
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("ns1:t"))).ok());
  ASSERT_TRUE(Finish(master().DeleteTableAsync(Name("ns1:t"))).ok());
  ASSERT_TRUE(master().DeleteNamespace("ns1").ok());
  ASSERT_TRUE(master().CreateNamespace({.name = "ns1"}).ok());
  Restart();
  EXPECT_THAT(master().ListNamespaces(), SizeIs(3));
}

TEST_F(TablesTest, ASecondServerOnTheFolderIsRefusedInOneLine) {
  const auto second =
      Standalone::Start({.data_path = folder_.path(), .options = &options_, .clock = &clock_, .serve = false});
  EXPECT_EQ(second.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(std::string(second.status().message()), "data folder " + folder_.path() +
                                                        " is in use by another Vaquita server (process " +
                                                        std::to_string(getpid()) + ")");
  ASSERT_TRUE(Create("t").ok());  // and the first one does not notice
}

TEST_F(TablesTest, AFolderOfAnotherFormatIsRefused) {
  server_.reset();
  std::ofstream(folder_.path() + "/FORMAT") << "5\n";
  const auto server =
      Standalone::Start({.data_path = folder_.path(), .options = &options_, .clock = &clock_, .serve = false});
  EXPECT_EQ(std::string(server.status().message()),
            "data folder " + folder_.path() + " is in format 5, this version of Vaquita reads format 4");
}

TEST_F(TablesTest, AnEphemeralFolderIsRemovedAtStop) {
  auto server = Standalone::Start({.options = &options_, .clock = &clock_, .serve = false});
  ASSERT_TRUE(server.ok()) << server.status();
  const std::string path = (*server)->data_path();
  EXPECT_TRUE(std::filesystem::exists(path));
  (*server)->Stop();
  EXPECT_FALSE(std::filesystem::exists(path));
}

class MetaDescriptorTest : public testing::ServerHarness {
 protected:
  TableDescriptor Meta() { return **master().GetDescriptor(kMetaTableName); }
  absl::Status Modify(const TableDescriptor& table) { return Finish(master().ModifyTableAsync(table)); }
};

TEST_F(MetaDescriptorTest, IsAlteredAndKept) {
  TableDescriptor table = Meta();
  table.families["info"].max_versions = 7;
  table.families["extra"] = testing::MakeFamily("extra");
  table.attributes["REGION_REPLICATION"] = "2";
  ASSERT_TRUE(Modify(table).ok());
  EXPECT_EQ(Meta(), table);
  Mutation put = testing::MakePut("row", "extra:q", "v");
  ASSERT_TRUE(region_server().Mutate("1588230740", put).ok());
  ASSERT_TRUE(Create("t").ok());
  Restart();
  EXPECT_EQ(Meta(), table);
  EXPECT_EQ(MetaValue("row", "q"), "v");
  EXPECT_EQ(*master().GetTableState(Name("t")), TableState::kEnabled);
  EXPECT_EQ(master().MetaReplicas(), 2);
  const RegionInfo replica = ReplicaOf(MetaTable::Info(), 1);
  EXPECT_EQ(replica.Name(), "hbase:meta,,1_0001");
  Scan scan;
  EXPECT_TRUE(region_server().AnswerScan({.region = replica.Name(), .scan = &scan})->stale);
  EXPECT_TRUE(region_server().AnswerScan({.region = replica.EncodedName(), .scan = &scan})->stale);
  table.families.erase("extra");
  table.attributes.erase("REGION_REPLICATION");
  ASSERT_TRUE(Modify(table).ok());
  EXPECT_FALSE(region_server().AnswerScan({.region = replica.Name(), .scan = &scan}).ok());
  EXPECT_EQ(MetaValue("row", "q"), "");
  Restart();
  EXPECT_EQ(Meta(), table);
  table.families["extra"] = testing::MakeFamily("extra");
  ASSERT_TRUE(Modify(table).ok());
  EXPECT_EQ(MetaValue("row", "q"), "") << "a family of the name of one that was removed begins empty";
}

TEST_F(MetaDescriptorTest, ALimitOfCellsIsNotForTheMastersEdits) {
  TableDescriptor table = Meta();
  table.attributes["hbase.server.keyvalue.maxsize"] = "10";
  ASSERT_TRUE(Modify(table).ok());
  EXPECT_TRUE(Create("t").ok());
  Restart();
  EXPECT_EQ(Meta(), table);
  EXPECT_TRUE(Create("u").ok());
}

TEST_F(MetaDescriptorTest, WhatTheClusterNeedsStays) {
  for (const char* family : {"info", "table", "rep_barrier"}) {
    TableDescriptor table = Meta();
    table.families[family].ttl_seconds = 10;
    EXPECT_THAT(Modify(table), FailsWith(ErrorKind::kDoNotRetryIO, HasSubstr("must be FOREVER")));
    table.families.erase(family);
    EXPECT_THAT(Modify(table),
                FailsWith(ErrorKind::kDoNotRetryIO, std::string("Delete of hbase:meta column family ") + family));
  }
  TableDescriptor table = Meta();
  table.read_only = true;
  EXPECT_TRUE(IsError(Modify(table), ErrorKind::kDoNotRetryIO));
}

}  // namespace
}  // namespace vaquita
