// Scans over many regions, against a real server.
#include <algorithm>
#include <atomic>
#include <thread>

#include "client/testing/test_cluster.h"
#include "server/process/standalone.h"

namespace vaquita::client {
namespace {

using ::testing::ElementsAre;
using testing::HasKind;
using ::testing::IsEmpty;
using testing::Put;
using testing::RowOf;
using ::testing::SizeIs;

class ResultScannerTest : public testing::EachTransport {
 protected:
  static std::vector<std::string> RowsOf(int begin, int end) {
    std::vector<std::string> rows;
    for (int i = begin; i < end; ++i) rows.push_back(RowOf(i));
    return rows;
  }
  static std::vector<std::string> Reversed(std::vector<std::string> rows) {
    std::reverse(rows.begin(), rows.end());
    return rows;
  }
};

TEST_P(ResultScannerTest, CrossesRegionsInOrder) {
  auto table = Create("t", {RowOf(10), RowOf(20), RowOf(21)});
  Fill(*table, 0, 50);
  EXPECT_EQ(Rows(ScanAll(*table)), RowsOf(0, 50));
  EXPECT_EQ(Rows(ScanAll(*table, {.rows = {RowOf(5), RowOf(21)}})), RowsOf(5, 21));
  EXPECT_EQ(Rows(ScanAll(*table, {.rows = {RowOf(5), RowOf(21), false, true}})), RowsOf(6, 22));
  EXPECT_EQ(Rows(ScanAll(*table, {.rows = {RowOf(10), RowOf(20), true, true}})), RowsOf(10, 21));
  EXPECT_EQ(Rows(ScanAll(*table, {.rows = {RowOf(20), RowOf(20), true, true}})), RowsOf(20, 21));
}

TEST_P(ResultScannerTest, ReversedCrossesRegionsToo) {
  auto table = Create("t", {RowOf(10), RowOf(20), RowOf(21)});
  Fill(*table, 0, 50);
  EXPECT_EQ(Rows(ScanAll(*table, {.reversed = true})), Reversed(RowsOf(0, 50)));
  EXPECT_EQ(Rows(ScanAll(*table, {.rows = {RowOf(21), RowOf(10)}, .reversed = true})), Reversed(RowsOf(11, 22)));
  EXPECT_EQ(Rows(ScanAll(*table, {.rows = {RowOf(21), RowOf(10), false, true}, .reversed = true})),
            Reversed(RowsOf(10, 21)));
  EXPECT_EQ(Rows(ScanAll(*table, {.rows = {RowOf(20), RowOf(10), false, false}, .reversed = true})),
            Reversed(RowsOf(11, 20)));
}

// The row before a border is guessed (CloseRowBefore); here a whole region lies between the guess and the border.
TEST_P(ResultScannerTest, ReversedFindsRegionsOfRowsCloseToABorder) {
  const std::string nearly = "l" + std::string(9, '\xff');
  auto table = Create("t", {nearly + "1", nearly + "2", "m", std::string(12, '\xff')});
  for (const std::string& row :
       {std::string("a"), nearly + "1", nearly + "2x", std::string("m"), std::string(13, '\xff')}) {
    ASSERT_OK(table->Mutate(Put(row, "q", "v")).status());
  }
  EXPECT_THAT(Rows(ScanAll(*table, {.reversed = true})),
              ElementsAre(std::string(13, '\xff'), "m", nearly + "2x", nearly + "1", "a"));
}

TEST_P(ResultScannerTest, TheLimitCountsRowsOverRegions) {
  auto table = Create("t", {RowOf(10), RowOf(20)});
  Fill(*table, 0, 50);
  for (const int limit : {1, 9, 10, 11, 25, 49, 50, 51}) {
    EXPECT_EQ(Rows(ScanAll(*table, {.limit = limit})), RowsOf(0, std::min(limit, 50))) << limit;
    EXPECT_EQ(Rows(ScanAll(*table, {.limit = limit, .caching = 3})), RowsOf(0, std::min(limit, 50))) << limit;
  }
}

TEST_P(ResultScannerTest, BatchCutsRowsAndTheLimitStillCountsRows) {
  auto table = Create("t", {"m"});
  for (const std::string row : {"a", "b", "n"}) {
    Mutation put = Put(row, "1", "v");
    for (const char* qualifier : {"2", "3", "4", "5"}) put.cells.push_back(Put(row, qualifier, "v").cells[0]);
    ASSERT_OK(table->Mutate(put).status());
  }
  const std::vector<Result> results = ScanAll(*table, {.limit = 2, .batch = 2});
  std::vector<size_t> sizes;
  for (const Result& result : results) sizes.push_back(result.cells.size());
  EXPECT_THAT(sizes, ElementsAre(2, 2, 1, 2, 2, 1));
  EXPECT_TRUE(results[0].partial);
  EXPECT_FALSE(results[2].partial);
  EXPECT_THAT(ScanAll(*table, {.batch = 5}), SizeIs(3));
}

TEST_P(ResultScannerTest, FiltersAndColumnsTravelWithTheScan) {
  auto table = Create("t", {RowOf(10)}, {"f", "g"});
  Fill(*table, 0, 20);
  for (int i = 0; i < 20; i += 5) ASSERT_OK(table->Mutate(Put(RowOf(i), "x", "1", "g")).status());
  Scan scan;
  scan.columns["g"] = {};
  EXPECT_THAT(ScanAll(*table, scan), SizeIs(4));
  Scan filtered;
  filtered.filter = FilterSpec{PrefixFilterSpec{"00001"}};
  EXPECT_EQ(Rows(ScanAll(*table, filtered)), RowsOf(10, 20));
  Scan nothing;
  nothing.filter = FilterSpec{PrefixFilterSpec{"x"}};
  EXPECT_THAT(ScanAll(*table, nothing), IsEmpty());
}

TEST_P(ResultScannerTest, EmptyTablesAndRanges) {
  auto table = Create("t", {"m"});
  EXPECT_THAT(ScanAll(*table), IsEmpty());
  EXPECT_THAT(ScanAll(*table, {.reversed = true}), IsEmpty());
  Fill(*table, 0, 3);
  EXPECT_THAT(ScanAll(*table, {.rows = {"x", "y"}}), IsEmpty());
}

TEST_P(ResultScannerTest, ErrorsComeFromNext) {
  auto scanner = Open("nope")->GetScanner({});
  ASSERT_OK(scanner.status());
  EXPECT_THAT((*scanner)->Next().status(), HasKind(ErrorKind::kTableNotFound));
  auto table = Create("t");
  Scan scan;
  scan.columns["g"] = {};
  EXPECT_THAT((*table->GetScanner(scan))->Next().status(), HasKind(ErrorKind::kNoSuchColumnFamily));
}

// Answers of one row, so that the scan is still under way when its region goes.
TEST_P(ResultScannerTest, GoesOnAfterASplitAndAMergeUnderIt) {
  auto table = Create("t");
  const std::string large(100'000, 'x');  // so that the server cannot have sent everything at once
  std::vector<Action> puts;
  for (int i = 0; i < 300; ++i) puts.emplace_back(Put(RowOf(i), "q", large));
  for (const ActionResult& result : table->Batch(puts)) ASSERT_OK(result.status);
  for (const bool reversed : {false, true}) {
    const std::vector<std::string> want = reversed ? Reversed(RowsOf(0, 300)) : RowsOf(0, 300);
    auto scanner = table->GetScanner({.reversed = reversed, .caching = 1});
    ASSERT_OK(scanner.status());
    std::vector<std::string> rows;
    for (int i = 0; i < 300; ++i) {
      if (i == 20) ASSERT_OK(admin()->SplitTable(table->name(), RowOf(150)));
      if (i == 200) {
        const auto regions = table->RegionLocations();
        ASSERT_OK(regions.status());
        ASSERT_OK(admin()->MergeRegions({(*regions)[0].info.EncodedName(), (*regions)[1].info.EncodedName()}, false));
      }
      auto next = (*scanner)->Next();
      ASSERT_OK(next.status());
      ASSERT_TRUE(next->has_value()) << i;
      rows.push_back((*next)->cells[0].row);
    }
    EXPECT_EQ(rows, want);
    EXPECT_FALSE((*scanner)->Next()->has_value());
  }
}

// A client that stops in the middle of a scan for longer than the scanner's lease finds the rest all the same.
TEST_P(ResultScannerTest, GoesOnAfterItsLeaseExpired) {
  server_.reset();
  options_.scanner_lease_ms = 1;
  StartServer();
  connection_ = Connect({});
  auto table = Create("t");
  const std::string large(500'000, 'x');
  std::vector<Action> puts;
  for (int i = 0; i < 100; ++i) puts.emplace_back(Put(RowOf(i), "q", large));
  for (const ActionResult& result : table->Batch(puts)) ASSERT_OK(result.status);
  EXPECT_EQ(Rows(ScanAll(*table, {.caching = 1})), RowsOf(0, 100));
}

// Each answer has the time of one call, as in HBase: the server here would take an hour.
TEST_P(ResultScannerTest, AnAnswerThatDoesNotComeInTimeIsAnError) {
  control_ = std::make_unique<TestControl>(/*from_anywhere=*/false);
  StartServer();
  control_->Serve(server_.get(), nullptr);
  connection_ = Connect({.retries = 1, .rpc_timeout_ms = 500});
  auto table = Create("t");
  Fill(*table, 0, 3);
  v1::Fault slow;
  slow.mutable_match()->add_methods("Scan");
  slow.set_delay("1h");
  ASSERT_OK(control_->AddFault(slow, &slow));
  auto scanner = table->GetScanner({});
  EXPECT_EQ((*scanner)->Next().status().code(), absl::StatusCode::kDeadlineExceeded);
  scanner->reset();
  v1::ClearFaultsResponse cleared;
  ASSERT_OK(control_->ClearFaults({}, &cleared));
  EXPECT_EQ(Rows(ScanAll(*table)), RowsOf(0, 3));
}

TEST_P(ResultScannerTest, AScannerThatIsGivenUpEndsItsStream) {
  auto table = Create("t");
  const std::string large(500'000, 'x');
  std::vector<Action> puts;
  for (int i = 0; i < 100; ++i) puts.emplace_back(Put(RowOf(i), "q", large));
  for (const ActionResult& result : table->Batch(puts)) ASSERT_OK(result.status);
  auto scanner = table->GetScanner({});
  ASSERT_OK((*scanner)->Next().status());
  scanner->reset();
  ASSERT_OK(admin()->DisableTable(table->name()));  // would wait for nothing that the stream holds
}

// Writers and scanners run while the table splits: no acknowledged row is lost, doubled or out of order.
TEST_P(ResultScannerTest, ScansAndWritesRunThroughSplits) {
  auto table = Create("t");
  Fill(*table, 0, 1000);
  std::atomic<bool> stop = false;
  std::atomic<int> written = 1000;
  std::vector<std::thread> threads;
  threads.emplace_back([&] {
    auto own = Open("t");
    for (int i = 1000; !stop; ++i) {
      const std::vector<Action> put = {Put(RowOf(i), "q", RowOf(i))};
      const absl::Status status = own->Batch(put)[0].status;
      ASSERT_TRUE(status.ok()) << status;
      written = i + 1;
    }
  });
  std::atomic<int> scans = 0;
  for (const bool reversed : {false, true}) {
    threads.emplace_back([&, reversed] {
      auto own = Open("t");
      while (!stop) {
        const int before = written;
        std::vector<std::string> rows = Rows(ScanAll(*own, {.reversed = reversed}));
        if (reversed) std::reverse(rows.begin(), rows.end());
        ASSERT_GE(static_cast<int>(rows.size()), before);
        rows.resize(before);
        ASSERT_EQ(rows, RowsOf(0, before));
        ++scans;
      }
    });
  }
  for (const int at : {500, 250, 750, 125, 900}) {
    const int seen = scans;
    while (scans < seen + 2) std::this_thread::yield();
    const absl::Status compacted = admin()->Compact(table->name(), "", /*major=*/true);
    EXPECT_TRUE(compacted.ok()) << compacted;  // a daughter is split only when it has its own files
    const absl::Status split = admin()->SplitTable(table->name(), RowOf(at));
    EXPECT_TRUE(split.ok()) << split;
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(*table->RegionLocations(), SizeIs(6));
  EXPECT_EQ(Rows(ScanAll(*table)), RowsOf(0, written));
}

INSTANTIATE_OVER_EACH_TRANSPORT(ResultScannerTest);

}  // namespace
}  // namespace vaquita::client
