// Reads and writes of one row, and batches, against a real server.
#include "client/table.h"

#include <unistd.h>

#include <filesystem>

#include "base/big_endian.h"
#include "base/testing/own_port.h"
#include "client/testing/test_cluster.h"
#include "server/process/standalone.h"

namespace vaquita::client {
namespace {

using testing::DeleteRow;
using ::testing::ElementsAre;
using testing::GetRow;
using testing::HasKind;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pointee;
using testing::Put;
using testing::RowOf;
using ::testing::SizeIs;
using testing::TableOf;
using testing::Texts;

class TableTest : public testing::EachTransport {};

std::string Long(int64_t value) {
  std::string bytes;
  AppendBigEndian(static_cast<uint64_t>(value), &bytes);
  return bytes;
}

TEST_P(TableTest, PutGetDelete) {
  auto table = Create("t");
  ASSERT_OK(table->Mutate(Put("r", "q", "v")).status());
  ASSERT_OK(table->Mutate(Put("r", "", std::string_view("\0\xff", 2))).status());
  auto result = table->Get(GetRow("r"));
  ASSERT_OK(result.status());
  EXPECT_THAT(Texts(result->cells), ElementsAre(std::string("r/f:=\0\xff", 7), "r/f:q=v"));
  EXPECT_THAT(result->Value("f", "q"), Pointee(std::string("v")));
  EXPECT_EQ(result->Value("f", "other"), nullptr);
  EXPECT_GT(result->cells[0].timestamp_ms, 1'600'000'000'000);

  ASSERT_OK(table->Mutate(DeleteRow("r")).status());
  result = table->Get(GetRow("r"));
  ASSERT_OK(result.status());
  EXPECT_TRUE(result->empty());
}

TEST_P(TableTest, ReadOptionsReachTheRegion) {
  TableDescriptor descriptor = TableOf("t", {"f", "g"});
  descriptor.families["f"].max_versions = 3;
  ASSERT_OK(admin()->CreateTable(descriptor));
  auto table = Open("t");
  for (int64_t t = 1; t <= 4; ++t) {
    Mutation put = Put("r", "q", "v" + std::to_string(t));
    put.cells[0].timestamp_ms = t;
    ASSERT_OK(table->Mutate(put).status());
  }
  ASSERT_OK(table->Mutate(Put("r", "x", "other", "g")).status());

  Get get = GetRow("r");
  get.columns["f"] = {"q"};
  get.max_versions = 10;
  EXPECT_THAT(Texts(table->Get(get)->cells), ElementsAre("r/f:q=v4", "r/f:q=v3", "r/f:q=v2"));
  get.time_range = {2, 4};
  EXPECT_THAT(Texts(table->Get(get)->cells), ElementsAre("r/f:q=v3", "r/f:q=v2"));
  get.family_time_ranges["f"] = {3, 4};
  EXPECT_THAT(Texts(table->Get(get)->cells), ElementsAre("r/f:q=v3"));

  Get filtered = GetRow("r");
  filtered.filter = FilterSpec{CompareFilterSpec{CompareFilterSpec::What::kFamily, CompareOp::kEqual, {.bytes = "g"}}};
  EXPECT_THAT(Texts(table->Get(filtered)->cells), ElementsAre("r/g:x=other"));
}

TEST_P(TableTest, Exists) {
  auto table = Create("t");
  ASSERT_OK(table->Mutate(Put("r", "q", "v")).status());
  EXPECT_TRUE(*table->Exists(GetRow("r")));
  EXPECT_FALSE(*table->Exists(GetRow("s")));
  Get get = GetRow("r");
  get.columns["f"] = {"other"};
  EXPECT_FALSE(*table->Exists(get));
}

TEST_P(TableTest, IncrementAndAppendGiveTheNewCells) {
  auto table = Create("t");
  Mutation increment = Put("r", "n", Long(5));
  increment.type = MutationType::kIncrement;
  ASSERT_OK(table->Mutate(increment).status());
  auto result = table->Mutate(increment);
  ASSERT_OK(result.status());
  EXPECT_THAT(result->Value("f", "n"), Pointee(Long(10)));

  Mutation append = Put("r", "s", "ab");
  append.type = MutationType::kAppend;
  ASSERT_OK(table->Mutate(append).status());
  result = table->Mutate(append);
  ASSERT_OK(result.status());
  EXPECT_THAT(result->Value("f", "s"), Pointee(std::string("abab")));
  append.return_results = false;
  EXPECT_TRUE(table->Mutate(append)->empty());
}

TEST_P(TableTest, ACellsOwnTimeToLiveReachesTheRegion) {
  auto table = Create("t");
  Mutation put = Put("r", "short", "v");
  put.cells[0].ttl_ms = 1;
  put.cells[0].timestamp_ms = 1000;  // long ago
  put.cells.push_back(Put("r", "long", "v").cells[0]);
  ASSERT_OK(table->Mutate(put).status());
  EXPECT_THAT(Texts(table->Get(GetRow("r"))->cells), ElementsAre("r/f:long=v"));
}

TEST_P(TableTest, RowMutationsAreOne) {
  auto table = Create("t", {}, {"f", "g"});
  ASSERT_OK(table->Mutate(Put("r", "old", "v")).status());
  Mutation remove = DeleteRow("r");
  remove.cells.push_back(Put("r", "old", "").cells[0]);
  remove.cells[0].type = CellType::kDeleteColumn;
  ASSERT_OK(table->MutateRow({"r", {Put("r", "new", "v"), Put("r", "new", "w", "g"), remove}}).status());
  EXPECT_THAT(Texts(table->Get(GetRow("r"))->cells), ElementsAre("r/f:new=v", "r/g:new=w"));
}

TEST_P(TableTest, CheckAndMutate) {
  auto table = Create("t");
  CheckAndMutate check{.row = "r", .family = "f", .qualifier = "q", .mutations = {Put("r", "q", "1")}};
  auto first = table->CheckAndMutate(check);  // no comparator: the column must be absent
  ASSERT_OK(first.status());
  EXPECT_TRUE(first->processed);
  EXPECT_FALSE(table->CheckAndMutate(check)->processed);

  check.comparator = ComparatorSpec{.bytes = "1"};
  check.mutations = {Put("r", "q", "2"), Put("r", "other", "3")};
  EXPECT_TRUE(table->CheckAndMutate(check)->processed);
  EXPECT_FALSE(table->CheckAndMutate(check)->processed);

  CheckAndMutate filtered{.row = "r", .mutations = {DeleteRow("r")}};
  filtered.filter = FilterSpec{SingleColumnValueFilterSpec{"f", "other", CompareOp::kEqual, {.bytes = "3"}}};
  EXPECT_TRUE(table->CheckAndMutate(filtered)->processed);
  EXPECT_FALSE(*table->Exists(GetRow("r")));
}

TEST_P(TableTest, ABatchHasAnOutcomePerActionInOrder) {
  auto table = Create("t", {"m"});
  ASSERT_OK(table->Mutate(Put("z", "q", "v")).status());
  Mutation increment = Put("n", "q", Long(3));
  increment.type = MutationType::kIncrement;
  const std::vector<Action> actions = {
      Put("a", "q", "1"),
      GetRow("z"),
      Put("b", "q", "1", "no_such_family"),
      increment,
      CheckAndMutate{.row = "z", .family = "f", .qualifier = "q", .mutations = {Put("z", "q", "no")}},
      RowMutations{"c", {Put("c", "q", "1"), Put("c", "p", "2")}},
      Put("", "q", "1"),
  };
  const std::vector<ActionResult> results = table->Batch(actions);
  ASSERT_THAT(results, SizeIs(7));
  ASSERT_OK(results[0].status);
  EXPECT_THAT(Texts(results[1].result.cells), ElementsAre("z/f:q=v"));
  EXPECT_THAT(results[2].status, HasKind(ErrorKind::kNoSuchColumnFamily));
  EXPECT_THAT(results[3].result.Value("f", "q"), Pointee(Long(3)));
  ASSERT_OK(results[4].status);
  EXPECT_FALSE(results[4].processed);
  ASSERT_OK(results[5].status);
  EXPECT_FALSE(results[6].status.ok());
  EXPECT_THAT(Texts(table->Get(GetRow("c"))->cells), ElementsAre("c/f:p=2", "c/f:q=1"));
  EXPECT_TRUE(*table->Exists(GetRow("a")));
}

TEST_P(TableTest, ABatchLargerThanOneRequestKeepsItsOrder) {
  auto table = Create("t", {"m"});
  const std::string large(1 << 20, 'x');
  std::vector<Action> actions;
  for (int i = 0; i < 12; ++i) actions.emplace_back(Put(i % 2 == 0 ? "a" : "z", "q", large + std::to_string(i)));
  for (const ActionResult& result : table->Batch(actions)) ASSERT_OK(result.status);
  EXPECT_THAT(table->Get(GetRow("a"))->Value("f", "q"), Pointee(large + "10"));
  EXPECT_THAT(table->Get(GetRow("z"))->Value("f", "q"), Pointee(large + "11"));
}

TEST_P(TableTest, BatchesFollowSplitsAndMerges) {
  auto table = Create("t");
  Fill(*table, 0, 100);  // the client now knows one region
  ASSERT_OK(admin()->SplitTable(table->name(), RowOf(50)));
  Fill(*table, 0, 100);
  auto locations = table->RegionLocations();
  ASSERT_OK(locations.status());
  ASSERT_THAT(*locations, SizeIs(2));
  EXPECT_EQ((*locations)[1].info.start_key, RowOf(50));
  EXPECT_EQ((*locations)[1].address, DataAddress());
  ASSERT_OK(admin()->MergeRegions({(*locations)[0].info.EncodedName(), (*locations)[1].info.EncodedName()}, false));
  Fill(*table, 0, 100);
  EXPECT_THAT(*table->RegionLocations(), SizeIs(1));
  EXPECT_THAT(ScanAll(*table), SizeIs(100));
}

// The merged regions, which the client knows, must not hide the new one.
TEST_P(TableTest, BatchesKeepTheirOrderAfterAMergeOfThreeRegions) {
  auto table = Create("t", {"g", "m"});
  for (const char* row : {"a", "h", "z"}) ASSERT_OK(table->Mutate(Put(row, "q", "v")).status());
  const auto regions = table->RegionLocations();
  ASSERT_OK(regions.status());
  std::vector<std::string> names;
  for (const RegionLocation& region : *regions) names.push_back(region.info.EncodedName());
  ASSERT_OK(admin()->MergeRegions(names, false));
  ASSERT_OK(table->Get(GetRow("z")).status());
  constexpr int kRows = 30, kPuts = 20;
  std::vector<Action> puts;
  for (int put = 0; put < kPuts; ++put) {
    for (int row = 0; row < kRows; ++row) {
      puts.emplace_back(Put("z" + std::to_string(row), "q", std::to_string(put)));
    }
  }
  for (const ActionResult& result : table->Batch(puts)) ASSERT_OK(result.status);
  for (int row = 0; row < kRows; ++row) {
    EXPECT_THAT(table->Get(GetRow("z" + std::to_string(row)))->Value("f", "q"), Pointee(std::to_string(kPuts - 1)));
  }
}

TEST_P(TableTest, LocateRow) {
  auto table = Create("t", {"g", "m"});
  EXPECT_EQ(table->LocateRow("a")->info.end_key, "g");
  EXPECT_EQ(table->LocateRow("g")->info.start_key, "g");
  EXPECT_EQ(table->LocateRow("z")->info.start_key, "m");
  EXPECT_EQ(table->LocateRow("z")->server_name, server_->server_name());
}

TEST_P(TableTest, ErrorsCarryHBasesClasses) {
  auto table = Create("t");
  EXPECT_THAT(Open("nope")->Get(GetRow("r")).status(), HasKind(ErrorKind::kTableNotFound));
  EXPECT_THAT(table->Mutate(Put("r", "q", "v", "g")).status(), HasKind(ErrorKind::kNoSuchColumnFamily));
  EXPECT_THAT(std::string(table->Mutate(Put("r", "q", "v", "g")).status().message()), HasSubstr("g"));
  Get get = GetRow("r");
  get.columns["g"] = {};
  EXPECT_THAT(table->Get(get).status(), HasKind(ErrorKind::kNoSuchColumnFamily));
  EXPECT_FALSE(table->Mutate(Put(std::string(kMaxRowLength + 1, 'r'), "q", "v")).ok());
  Get bad = GetRow("r");
  bad.filter = FilterSpec{CompareFilterSpec{.comparator = {.type = ComparatorSpec::Type::kRegex, .bytes = "(("}}};
  EXPECT_FALSE(table->Get(bad).ok());
}

// If the error counted as no match, a filter would drop the row, and a condition would be false.
TEST_P(TableTest, ARegularExpressionThatDoesNotEndIsAnErrorThatNamesIt) {
  auto table = Create("t");
  ASSERT_OK(table->Mutate(Put("r", "q", std::string(28, 'a') + "!a")).status());
  const ComparatorSpec regex{.type = ComparatorSpec::Type::kRegex, .bytes = "(a+)+$"};
  const FilterSpec filter{CompareFilterSpec{.what = CompareFilterSpec::What::kValue, .comparator = regex}};
  const auto expect_named = [](const char* operation, const absl::Status& error) {
    EXPECT_THAT(error, HasKind(ErrorKind::kDoNotRetryIO)) << operation;
    EXPECT_THAT(std::string(error.message()), HasSubstr("(a+)+$")) << operation;
  };
  Get get = GetRow("r");
  get.filter = filter;
  expect_named("get", table->Get(get).status());
  Scan scan;
  scan.filter = filter;
  expect_named("scan", table->GetScanner(scan).value()->Next().status());
  CheckAndMutate check{.row = "r", .family = "f", .qualifier = "q", .mutations = {Put("r", "done", "1")}};
  check.comparator = regex;
  // HBase compares such a condition's bytes (ProtobufUtil.toCheckAndMutate), so nothing is searched for.
  if (GetParam() == testing::Transport::kGrpc) expect_named("comparison", table->CheckAndMutate(check).status());
  CheckAndMutate filtered{.row = "r", .mutations = {Put("r", "done", "1")}};
  filtered.filter = filter;
  expect_named("filter", table->CheckAndMutate(filtered).status());
  EXPECT_THAT(table->Get(GetRow("r"))->cells, SizeIs(1));
}

TEST_P(TableTest, ADisabledTableSaysSoAtOnce) {
  auto table = Create("t");
  ASSERT_OK(table->Mutate(Put("r", "q", "v")).status());
  ASSERT_OK(admin()->DisableTable(table->name()));
  EXPECT_THAT(table->Get(GetRow("r")).status(), HasKind(ErrorKind::kTableNotEnabled));
  EXPECT_THAT(table->Batch(std::vector<Action>{Put("r", "q", "v")})[0].status, HasKind(ErrorKind::kTableNotEnabled));
  EXPECT_THAT((*table->GetScanner({}))->Next().status(), HasKind(ErrorKind::kTableNotEnabled));
  ASSERT_OK(admin()->EnableTable(table->name()));
  EXPECT_TRUE(*table->Exists(GetRow("r")));
  ASSERT_OK(admin()->DisableTable(table->name()));
  ASSERT_OK(admin()->DeleteTable(table->name()));
  EXPECT_THAT(table->Get(GetRow("r")).status(), HasKind(ErrorKind::kTableNotFound));
}

TEST_P(TableTest, MetaIsATable) {
  Create("t", {"m"});
  EXPECT_THAT(Rows(ScanAll(*Open("hbase:meta"))), ::testing::Contains(::testing::StartsWith("t,m,")));
}

TEST_P(TableTest, AServerThatComesBackIsFoundAgain) {
  auto table = Create("t");
  ASSERT_OK(table->Mutate(Put("r", "q", "v")).status());
  std::string folder = ::testing::TempDir() + "/vaquita_client_restart_" + std::to_string(getpid());
  // A server with a folder of its own, stopped and started on the same port under an open connection.
  server_->Stop();
  options_.grpc_port = vaquita::testing::OwnPort();
  options_.zookeeper_port = vaquita::testing::OwnPort();
  options_.master_port = vaquita::testing::OwnPort();
  options_.region_server_port = vaquita::testing::OwnPort();
  StartServer(folder);
  connection_ = Connect({});
  table = Create("t");
  ASSERT_OK(table->Mutate(Put("r", "q", "v")).status());
  server_.reset();
  StartServer(folder);
  auto result = table->Get(GetRow("r"));
  ASSERT_OK(result.status());
  EXPECT_THAT(Texts(result->cells), ElementsAre("r/f:q=v"));
  connection_.reset();
  server_.reset();
  std::filesystem::remove_all(folder);
}

TEST(ConnectionTest, OpenFailsWhereNothingListens) {
  const ConnectionOptions options{.address = "127.0.0.1:1", .rpc_timeout_ms = 50};
  const auto connection = Connection::Open(options);
  EXPECT_EQ(connection.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(connection.status().message()), HasSubstr("127.0.0.1:1"));
}

INSTANTIATE_OVER_EACH_TRANSPORT(TableTest);

}  // namespace
}  // namespace vaquita::client
