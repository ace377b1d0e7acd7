// Tables with REGION_REPLICATION above 1: what hbase:meta says of the replicas, and who answers for them.
#include <algorithm>

#include "server/master/master.h"
#include "tests/server/server_harness.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ReplicasTest : public testing::ServerHarness {
 protected:
  static TableDescriptor Replicated(int replicas) {
    TableDescriptor table = Descriptor("t");
    table.attributes["REGION_REPLICATION"] = std::to_string(replicas);
    return table;
  }
  absl::Status CreateReplicated(int replicas) { return Finish(master().CreateTableAsync(Replicated(replicas), {"m"})); }
  absl::Status Alter(int replicas) { return Finish(master().ModifyTableAsync(Replicated(replicas))); }

  RegionInfo Info(const std::string& row) { return master().LocateRow(Name("t"), row)->info; }
  std::string Replica(const std::string& row, int id) { return ReplicaOf(Info(row), id).Name(); }

  // The ids of the replicas that the row of the region in hbase:meta has, for each column that replicas have.
  std::vector<std::string> ReplicaColumns(const std::string& row) {
    std::vector<std::string> columns;
    for (const std::string& column : MetaColumns()) {
      if (column.starts_with(row + " info:") && column.find('_') != column.npos) {
        columns.push_back(column.substr(row.size() + 6));
      }
    }
    return columns;
  }
  static std::vector<std::string> ColumnsOf(int replicas) {
    std::vector<std::string> columns;
    for (const char* column : {"seqnumDuringOpen", "server", "serverstartcode", "sn", "state"}) {
      for (int id = 1; id < replicas; ++id) columns.push_back(column + ReplicaSuffix(id));
    }
    return columns;
  }
  void ExpectConsistent() {
    const auto findings = master().CheckConsistency();
    ASSERT_TRUE(findings.ok()) << findings.status();
    for (const fsck::Finding& finding : *findings) EXPECT_FALSE(finding.is_inconsistency()) << fsck::ToString(finding);
  }
  std::string Read(const std::string& region, const std::string& row) {
    Get get;
    get.row = row;
    CellBlock cells;
    const absl::Status status = region_server().Get(region, get, &cells);
    if (!status.ok()) return std::string(ExceptionClass(status));
    return cells.empty() ? "" : std::string(cells[0].value);
  }
};

TEST_F(ReplicasTest, MetaHasTheirColumns) {
  ASSERT_TRUE(CreateReplicated(3).ok());
  for (const char* row : {"t,", "t,m"}) {
    EXPECT_EQ(ReplicaColumns(row), ColumnsOf(3));
    for (const char* column : {"server", "serverstartcode", "sn", "state", "seqnumDuringOpen"}) {
      EXPECT_EQ(MetaValue(row, column + std::string("_0002")), MetaValue(row, column)) << column;
    }
  }
  ExpectConsistent();
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  EXPECT_EQ(MetaValue("t,m", "state_0001"), "CLOSED");
  ASSERT_TRUE(Finish(master().DeleteTableAsync(Name("t"))).ok());
  EXPECT_THAT(ReplicaColumns("t,m"), IsEmpty());
  ASSERT_TRUE(Create("t", {"m"}).ok());
  EXPECT_THAT(ReplicaColumns("t,m"), IsEmpty()) << "a new table of the name";
}

// A server that refuses the new table ends an alteration before it writes the columns.
TEST_F(ReplicasTest, AnAlterationThatIsRepeatedEndsTheOneBefore) {
  ASSERT_TRUE(CreateReplicated(2).ok());
  const std::string row = Info("a").Name();
  clock_.Advance(1000);
  ASSERT_TRUE(master().meta()->Mutate(testing::MakeDelete(row, "info:state_0001", CellType::kDeleteColumn)).ok());
  EXPECT_NE(ReplicaColumns("t,"), ColumnsOf(2));
  clock_.Advance(1000);
  ASSERT_TRUE(Alter(2).ok());
  EXPECT_EQ(ReplicaColumns("t,"), ColumnsOf(2));
}

TEST_F(ReplicasTest, TheServerAnswersForThem) {
  ASSERT_TRUE(CreateReplicated(3).ok());
  ASSERT_TRUE(Put("t", "a", "1").ok());
  EXPECT_EQ(Read(Replica("a", 1), "a"), "1");
  EXPECT_EQ(Read(ReplicaOf(Info("a"), 2).EncodedName(), "a"), "1");
  EXPECT_EQ(Read(Replica("a", 3), "a"), "org.apache.hadoop.hbase.NotServingRegionException");
  EXPECT_EQ(region_server().ReplicaIdOf(Replica("a", 2)), 2);
  EXPECT_EQ(region_server().ReplicaIdOf(Info("a").Name()), 0);
  Scan scan;
  const auto scanned = region_server().AnswerScan({.region = Replica("a", 1), .scan = &scan});
  ASSERT_TRUE(scanned.ok()) << scanned.status();
  EXPECT_TRUE(scanned->stale);
  EXPECT_FALSE(region_server().AnswerScan({.region = Info("a").Name(), .scan = &scan})->stale);
}

TEST_F(ReplicasTest, TheyTakeNoWrites) {
  ASSERT_TRUE(CreateReplicated(2).ok());
  const auto refused = FailsWith(ErrorKind::kDoNotRetryIO, "region is read only");
  const Mutation put = testing::MakePut("a", "f:q", "1");
  const std::string replica = Replica("a", 1);
  EXPECT_THAT(region_server().Mutate(replica, put).status(), refused);
  RowMutations mutations;
  mutations.row = "a";
  mutations.mutations = {put};
  EXPECT_THAT(region_server().Mutate(replica, mutations).status(), refused);
  EXPECT_THAT(region_server().MutateRows(replica, {&put, 1}, {}).status(), refused);
  CheckAndMutate check;
  check.row = "a";
  check.mutations = {put};
  EXPECT_THAT(region_server().CheckAndMutate(replica, check).status(), refused);
  Get get;
  get.row = "a";
  const std::vector<Action> actions = {put, get, mutations};
  const auto outcomes = region_server().Batch(replica, actions);
  EXPECT_THAT(outcomes[0].status, refused);
  EXPECT_TRUE(outcomes[1].status.ok()) << outcomes[1].status;
  EXPECT_THAT(outcomes[2].status, refused);
  EXPECT_THAT(Rows("t"), IsEmpty());
}

TEST_F(ReplicasTest, TheirNumberIsAltered) {
  ASSERT_TRUE(CreateReplicated(2).ok());
  ASSERT_TRUE(Put("t", "z", "1").ok());
  ASSERT_TRUE(Alter(4).ok());
  EXPECT_EQ(ReplicaColumns("t,m"), ColumnsOf(4));
  EXPECT_EQ(Read(Replica("z", 3), "z"), "1");
  Restart();
  EXPECT_EQ(ReplicaColumns("t,m"), ColumnsOf(4));
  EXPECT_EQ(MetaValue("t,m", "sn_0003"), server_->server_name());
  EXPECT_EQ(Read(Replica("z", 3), "z"), "1");
  ASSERT_TRUE(Alter(2).ok());
  EXPECT_EQ(ReplicaColumns("t,m"), ColumnsOf(2));
  EXPECT_EQ(Read(Replica("z", 2), "z"), "org.apache.hadoop.hbase.NotServingRegionException");
  EXPECT_EQ(Read(Replica("z", 1), "z"), "1");
  ASSERT_TRUE(Alter(1).ok());
  EXPECT_THAT(ReplicaColumns("t,m"), IsEmpty());
  EXPECT_THAT(Alter(0),
              FailsWith(ErrorKind::kDoNotRetryIO, HasSubstr("Table region replication should be at least one")));
  EXPECT_THAT(Alter(65'537), FailsWith(ErrorKind::kIllegalArgument, "Region Replication cannot exceed 65536."));
}

TEST_F(ReplicasTest, TheirNumberHasABound) {
  const auto too_many = FailsWith(ErrorKind::kDoNotRetryIO,
                                  "table t would have a REGION_REPLICATION of 129; at most 128 are possible here");
  EXPECT_THAT(CreateReplicated(129), too_many);
  options_.max_table_regions = 6;
  ASSERT_TRUE(CreateReplicated(3).ok());
  EXPECT_THAT(Alter(129), too_many);
  EXPECT_THAT(Alter(4), FailsWith(ErrorKind::kDoNotRetryIO,
                                  "table t would have 8 regions, replicas included; vaquita.table.max.regions is 6"));
  options_.max_table_regions = 4;
  EXPECT_TRUE(Alter(3).ok()) << "it has them";
  EXPECT_TRUE(Alter(2).ok());
  TableDescriptor meta = **master().GetDescriptor(kMetaTableName);
  meta.attributes["REGION_REPLICATION"] = "129";
  EXPECT_TRUE(IsError(Finish(master().ModifyTableAsync(meta)), ErrorKind::kDoNotRetryIO));
}

TEST_F(ReplicasTest, AreWhatTheTableSaysAfterAStart) {
  ASSERT_TRUE(CreateReplicated(3).ok());
  Mutation del;  // as of a release that did not know them, or of a crash between two steps
  del.type = MutationType::kDelete;
  del.row = Info("z").Name();
  for (const char* column : {"server_0001", "state_0002"}) {
    Cell& cell = del.cells.emplace_back();
    cell.family = "info";
    cell.qualifier = column;
    cell.type = CellType::kDeleteColumn;
  }
  const Mutation put = testing::MakePut(Info("a").Name(), "info:state_0005", "OPEN");
  clock_.Advance(1000);
  for (const Mutation& edit : {del, put}) ASSERT_TRUE(region_server().Mutate("1588230740", edit).ok());
  EXPECT_NE(ReplicaColumns("t,m"), ColumnsOf(3));
  Restart();
  EXPECT_EQ(ReplicaColumns("t,"), ColumnsOf(3));
  EXPECT_EQ(ReplicaColumns("t,m"), ColumnsOf(3));
}

TEST_F(ReplicasTest, SplitsAndMergesKeepThem) {
  ASSERT_TRUE(CreateReplicated(3).ok());
  for (const char* row : {"a", "f"}) ASSERT_TRUE(Put("t", row, "1").ok());
  EXPECT_THAT(master().SplitRegionAsync(Replica("a", 1), "c").status(),
              FailsWith(ErrorKind::kIllegalArgument, "Can't invoke split on non-default regions directly"));
  ASSERT_TRUE(Finish(master().SplitRegionAsync(RegionOf("t", "a"), "c")).ok());
  EXPECT_EQ(ReplicaColumns("t,c"), ColumnsOf(3));
  EXPECT_EQ(ReplicaColumns("t,"), ColumnsOf(3)) << "of the first daughter, and none of the parent";
  EXPECT_EQ(Read(Replica("f", 2), "f"), "1");
  EXPECT_THAT(master().MergeRegionsAsync({Replica("a", 1), Replica("f", 1)}, false).status(),
              FailsWith(ErrorKind::kMergeRegion, HasSubstr("Can't merge non-default replicas; ")));
  ASSERT_TRUE(Finish(master().MergeRegionsAsync({RegionOf("t", "f"), RegionOf("t", "z")}, false)).ok());
  EXPECT_EQ(ReplicaColumns("t,c"), ColumnsOf(3));
  EXPECT_EQ(Read(Replica("f", 1), "f"), "1");
  ExpectConsistent();
}

TEST_F(ReplicasTest, AreOpenAsLongAsTheirPrimary) {
  ASSERT_TRUE(CreateReplicated(2).ok());
  EXPECT_THAT(master().UnassignRegionAsync(Replica("a", 1)).status(),
              FailsWith(ErrorKind::kUnsupportedOperation, HasSubstr("opens and closes with its primary")));
  EXPECT_TRUE(master().MoveRegion(ReplicaOf(Info("a"), 1).EncodedName(), "").ok());
  EXPECT_EQ(Read(Replica("a", 1), "a"), "");
  ASSERT_TRUE(Finish(master().UnassignRegionAsync(RegionOf("t", "a"))).ok());
  EXPECT_EQ(MetaValue("t,", "state_0001"), "CLOSED");
  EXPECT_EQ(Read(Replica("a", 1), "a"), "org.apache.hadoop.hbase.NotServingRegionException");
}

TEST_F(ReplicasTest, MetaTakesNoUnreadableColumnOfOne) {
  ASSERT_TRUE(CreateReplicated(2).ok());
  const Mutation put = testing::MakePut(Info("a").Name(), "info:state_0001", "NONSENSE");
  EXPECT_THAT(region_server().Mutate("1588230740", put).status(),
              FailsWith(ErrorKind::kDoNotRetryIO, HasSubstr("the value is not the state of a region")));
}

}  // namespace
}  // namespace vaquita
