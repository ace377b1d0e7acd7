// Scans over several calls: limits, sequence numbers, leases.
#include "base/read_watch.h"
#include "tests/server/server_harness.h"

namespace vaquita {
namespace {

using testing::FailsWith;
using ::testing::HasSubstr;

class ScannersTest : public testing::ServerHarness {
 protected:
  void SetUp() override {
    ServerHarness::SetUp();
    ASSERT_TRUE(Create("t").ok());
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(Put("t", "row" + std::to_string(100 + i)).ok());
    region_ = RegionOf("t", "");
  }
  absl::StatusOr<ScanResponse> Open(int32_t rows) {
    return region_server().AnswerScan({.region = region_, .scan = &scan_, .number_of_rows = rows});
  }
  absl::StatusOr<ScanResponse> Next(int64_t id, int32_t rows) {
    return region_server().AnswerScan({.scanner_id = id, .number_of_rows = rows});
  }
  Scan scan_;
  std::string region_;
};

TEST_F(ScannersTest, ACallGivesAsManyRowsAsItAsksFor) {
  auto response = Open(7);
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->batch.results.size(), 7u);
  EXPECT_TRUE(response->more_results_in_region);
  const int64_t id = response->scanner_id;
  response = Next(id, 7);
  EXPECT_EQ(response->batch.results.size(), 7u);
  EXPECT_EQ(response->batch.cells[0].row, "row107");
  response = Next(id, 7);
  EXPECT_EQ(response->batch.results.size(), 6u);
  EXPECT_FALSE(response->more_results_in_region);
  EXPECT_TRUE(response->more_results);
  EXPECT_EQ(response->scanner_id, 0);
}

TEST_F(ScannersTest, NoMoreThanSoManyAreOpen) {
  options_.max_scanners = 2;
  const auto first = Open(1);
  ASSERT_TRUE(first.ok()) << first.status();
  ASSERT_TRUE(Open(1).ok());
  EXPECT_THAT(Open(1).status(), FailsWith(ErrorKind::kRegionTooBusy, HasSubstr("2 scanners are open on")));
  ASSERT_TRUE(region_server().AnswerScan({.scanner_id = first->scanner_id, .fetch = false, .close = true}).ok());
  EXPECT_TRUE(Open(1).ok());
}

TEST_F(ScannersTest, WithAsManyOpenAsMayBeScansOfOneCallGoOn) {
  options_.max_scanners = 2;
  ASSERT_TRUE(Open(1).ok());
  ASSERT_TRUE(Open(1).ok());
  // All rows at once, or the first ones of a scan that its client ends.
  const auto all = Open(100);
  ASSERT_TRUE(all.ok()) << all.status();
  EXPECT_EQ(all->batch.results.size(), 20u);
  const auto closing =
      region_server().AnswerScan({.region = region_, .scan = &scan_, .number_of_rows = 1, .close = true});
  ASSERT_TRUE(closing.ok()) << closing.status();
  EXPECT_EQ(closing->batch.results.size(), 1u);
  EXPECT_EQ(region_server().OpenScannerCount(), 2);
  EXPECT_THAT(Open(1).status(), FailsWith(ErrorKind::kRegionTooBusy, HasSubstr("2 scanners are open on")));
  EXPECT_EQ(region_server().OpenScannerCount(), 2);
}

// A client that leaves scanners open keeps nobody from finding regions.
TEST_F(ScannersTest, HBaseMetaHasRoomForScannersOfItsOwn) {
  options_.max_scanners = 1;
  ASSERT_TRUE(Open(1).ok());
  EXPECT_FALSE(Open(1).ok());
  const auto open_meta = [this] {
    return region_server().AnswerScan({.region = RegionOf("hbase:meta", ""), .scan = &scan_, .fetch = false});
  };
  const auto meta = open_meta();
  ASSERT_TRUE(meta.ok()) << meta.status();
  EXPECT_NE(meta->scanner_id, 0);
  EXPECT_THAT(open_meta().status(), FailsWith(ErrorKind::kRegionTooBusy, HasSubstr("2 scanners are open on")));
}

// A filter lives as long as its scanner.
TEST_F(ScannersTest, FiltersOfOpenScannersKeepNoMoreThanSoManyBytes) {
  options_.max_request_bytes = 3000;
  Scan large;
  large.filter = FilterSpec(MultipleColumnPrefixFilterSpec{{"", std::string(2000, 'q')}});
  const auto open = [this](const Scan& scan) {
    return region_server().AnswerScan({.region = region_, .scan = &scan, .number_of_rows = 1});
  };
  const auto first = open(large);
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_THAT(open(large).status(), FailsWith(ErrorKind::kRegionTooBusy, HasSubstr("hbase.ipc.max.request.size")));
  EXPECT_TRUE(open({}).ok()) << "without a filter there is nothing to keep";
  ASSERT_TRUE(region_server().AnswerScan({.scanner_id = first->scanner_id, .fetch = false, .close = true}).ok());
  EXPECT_TRUE(open(large).ok());
}

TEST_F(ScannersTest, LongRowsOfOpenScannersKeepNoMoreThanSoManyBytes) {
  options_.max_request_bytes = 3000;
  scan_.rows.start = std::string(2000, 'a');
  ASSERT_TRUE(Open(1).ok());
  EXPECT_THAT(Open(1).status(), FailsWith(ErrorKind::kRegionTooBusy, HasSubstr("hbase.ipc.max.request.size")));
  scan_.rows.start = "a";
  EXPECT_TRUE(Open(1).ok()) << "a usual row is next to nothing";
}

// The rows of hbase:meta are not in the order of their bytes, so a longer bound has no row that stands for it.
TEST_F(ScannersTest, BoundsInMetaAreNoLongerThanRows) {
  region_ = "1588230740";
  scan_.rows.stop = std::string(kMaxRowLength + 1, 't');
  EXPECT_THAT(Open(1).status(), FailsWith(ErrorKind::kIllegalArgument, HasSubstr("stopRow's length")));
}

TEST_F(ScannersTest, ARefusalQuotesTheBeginningOfARegionsName) {
  region_ = std::string(100'000, 'r');
  EXPECT_THAT(Open(1).status(), FailsWith(ErrorKind::kNotServingRegion, HasSubstr("rrr... is not online on ")));
  const absl::Status unknown = master().TableOfRegion(region_).status();
  EXPECT_LT(unknown.message().size(), 1000u) << unknown;
}

// hbase-client's AsyncTableResultScanner hangs otherwise (server/regionserver/scan_rpc.cc).
TEST_F(ScannersTest, AScanThatGoesOnLearnsOfARegionsEndByItself) {
  ASSERT_TRUE(Create("u", {"m"}).ok());
  for (const char* row : {"a", "b", "n"}) ASSERT_TRUE(Put("u", row).ok());
  const auto scan = [this](const std::string& row, const Scan& scan) {
    return region_server().AnswerScan(
        {.region = RegionOf("u", row), .scan = &scan, .number_of_rows = 10, .region_ends_without_rows = true});
  };
  auto response = scan("a", {});
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->batch.results.size(), 2u);
  EXPECT_TRUE(response->more_results_in_region);
  response = region_server().AnswerScan({.scanner_id = response->scanner_id, .next_call_seq = 0, .number_of_rows = 10});
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_TRUE(response->batch.results.empty());
  EXPECT_FALSE(response->more_results_in_region);
  EXPECT_TRUE(response->more_results) << "the next region is still to be read";
  EXPECT_EQ(response->scanner_id, 0);

  // A scan that ends here needs no second answer.
  EXPECT_FALSE(scan("n", {})->more_results_in_region);
  Scan stops;
  stops.rows.stop = "m";
  EXPECT_FALSE(scan("a", stops)->more_results_in_region);
  stops.rows.stop_inclusive = true;
  EXPECT_TRUE(scan("a", stops)->more_results_in_region);
  Scan backwards;
  backwards.reversed = true;
  EXPECT_TRUE(scan("n", backwards)->more_results_in_region);
  EXPECT_FALSE(scan("a", backwards)->more_results_in_region);
  backwards.rows.stop = "m";
  EXPECT_FALSE(scan("n", backwards)->more_results_in_region);
  Scan nothing;
  nothing.rows.start = "c";
  EXPECT_FALSE(scan("c", nothing)->more_results_in_region) << "an answer without rows is the end already";
  // hbase-client takes an empty answer for one more row of a scan with batches and a limit.
  Scan batches;
  batches.batch = 2;
  EXPECT_TRUE(scan("a", batches)->more_results_in_region);
  response = region_server().AnswerScan({.region = RegionOf("u", "a"),
                                         .scan = &batches,
                                         .number_of_rows = 10,
                                         .limit_of_rows = 10,
                                         .region_ends_without_rows = true});
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_FALSE(response->more_results_in_region);
}

TEST_F(ScannersTest, CachingIsTheDefaultNumberOfRows) {
  scan_.caching = 4;
  EXPECT_EQ(Open(0)->batch.results.size(), 4u);
  scan_.caching = -1;
  EXPECT_EQ(Open(0)->batch.results.size(), 20u);
}

TEST_F(ScannersTest, TheLimitHoldsOverTheWholeScan) {
  scan_.limit = 9;
  auto response = Open(5);
  EXPECT_EQ(response->batch.results.size(), 5u);
  EXPECT_TRUE(response->more_results);
  response = Next(response->scanner_id, 5);
  EXPECT_EQ(response->batch.results.size(), 4u);
  EXPECT_FALSE(response->more_results);
  EXPECT_EQ(response->scanner_id, 0);
}

TEST_F(ScannersTest, BytesBoundAnAnswer) {
  scan_.max_result_bytes = 1;
  auto response = Open(100);
  EXPECT_EQ(response->batch.results.size(), 1u);
  EXPECT_TRUE(response->more_results_in_region);
}

TEST_F(ScannersTest, AnExpiredLeaseIsAnUnknownScanner) {
  const int64_t id = Open(5)->scanner_id;
  clock_.Advance(options_.scanner_lease_ms - 1);
  ASSERT_TRUE(Next(id, 5).ok());  // starts the lease anew
  clock_.Advance(options_.scanner_lease_ms - 1);
  ASSERT_TRUE(region_server().AnswerScan({.scanner_id = id, .renew = true}).ok());
  clock_.Advance(options_.scanner_lease_ms);
  const auto late = Next(id, 5);
  EXPECT_TRUE(IsError(late.status(), ErrorKind::kUnknownScanner)) << late.status();
  EXPECT_THAT(std::string(late.status().message()),
              HasSubstr("Unknown scanner '" + std::to_string(id) + "'. This can happen due to any of the following"));
}

TEST_F(ScannersTest, ARepeatedCallIsOutOfOrder) {
  auto response =
      region_server().AnswerScan({.region = region_, .scan = &scan_, .next_call_seq = 0, .number_of_rows = 5});
  const int64_t id = response->scanner_id;
  response = region_server().AnswerScan({.scanner_id = id, .next_call_seq = 1, .number_of_rows = 5});
  ASSERT_TRUE(response.ok());
  response = region_server().AnswerScan({.scanner_id = id, .next_call_seq = 1, .number_of_rows = 5});
  EXPECT_TRUE(IsError(response.status(), ErrorKind::kOutOfOrderScannerNext));
  EXPECT_THAT(std::string(response.status().message()),
              HasSubstr("Expected nextCallSeq: 2 But the nextCallSeq got from client: 1; request="));
  response = region_server().AnswerScan({.scanner_id = id, .next_call_seq = 2, .number_of_rows = 5});
  EXPECT_EQ(response->batch.cells[0].row, "row110");  // it did not move meanwhile
}

// The answer with the last rows may be lost (HBASE-28595): an answer without rows would pass them over.
TEST_F(ScannersTest, ARepeatedLastCallIsOutOfOrderToo) {
  const auto call = [this](int64_t id, int64_t seq, bool close = false) {
    return region_server().AnswerScan(
        {.scanner_id = id, .next_call_seq = seq, .number_of_rows = 20, .fetch = !close, .close = close});
  };
  const auto opened =
      region_server().AnswerScan({.region = region_, .scan = &scan_, .next_call_seq = 0, .number_of_rows = 5});
  ASSERT_TRUE(opened.ok()) << opened.status();
  const int64_t id = opened->scanner_id;
  auto last = call(id, 1);
  ASSERT_TRUE(last.ok()) << last.status();
  EXPECT_EQ(last->batch.results.size(), 15u);
  EXPECT_FALSE(last->more_results_in_region);
  EXPECT_THAT(call(id, 1).status(),
              FailsWith(ErrorKind::kOutOfOrderScannerNext,
                        HasSubstr("Expected nextCallSeq: 2 But the nextCallSeq got from client: 1")));
  // Clients of before 2.0 ask once more after the end, and close then; some do not count their calls.
  for (const int64_t seq : {2, -1}) {
    last = call(id, seq);
    ASSERT_TRUE(last.ok()) << last.status();
    EXPECT_TRUE(last->batch.results.empty());
    EXPECT_FALSE(last->more_results_in_region);
    EXPECT_TRUE(call(id, -1, /*close=*/true).ok());
  }
}

// The client may not get the error, and repeat the call.
TEST_F(ScannersTest, AScannerThatAnErrorEndedIsUnknown) {
  class Leaves final : public ReadWatch {
    absl::Status Check() override { return Error(ErrorKind::kCallerDisconnected, "the client is gone"); }
  } leaves;
  std::vector<Action> rows;  // so many that the read asks whether anybody waits
  for (int i = 0; i < 200; ++i) rows.push_back(testing::MakePut("s" + std::to_string(100 + i), "f:q", "v"));
  region_server().Batch(region_, rows);
  for (const int64_t seq : {0, -1}) {
    const int64_t id = Open(5)->scanner_id;
    ScanRequest next{.scanner_id = id, .next_call_seq = seq, .number_of_rows = 1000};
    next.context.watch = &leaves;
    EXPECT_FALSE(region_server().AnswerScan(next).ok());
    next.context.watch = nullptr;
    EXPECT_THAT(region_server().AnswerScan(next).status(), FailsWith(ErrorKind::kUnknownScanner, HasSubstr("")));
    EXPECT_EQ(region_server().OpenScannerCount(), 0);
  }
}

TEST_F(ScannersTest, AClosedScannerMayBeClosedAgain) {
  const int64_t id = Open(5)->scanner_id;
  auto response = region_server().AnswerScan({.scanner_id = id, .close = true});
  ASSERT_TRUE(response.ok());
  EXPECT_TRUE(response->batch.results.empty());
  EXPECT_TRUE(region_server().AnswerScan({.scanner_id = id, .close = true}).ok());
  EXPECT_TRUE(IsError(Next(id + 1000, 1).status(), ErrorKind::kUnknownScanner));
}

TEST_F(ScannersTest, ABatchsActionsFailOneByOne) {
  using testing::MakePut;
  Get get;
  get.row = "new1";
  std::vector<Action> actions = {MakePut("new1", "f:q", "1"), MakePut("new2", "nope:q", "2"),
                                 MakePut("new3", "f:q", "3"), get, MakePut("new4", "f:q", "4")};
  const int64_t requests = region_server().Metrics().requests;
  const auto outcomes = region_server().Batch(region_, actions);
  ASSERT_EQ(outcomes.size(), 5u);
  EXPECT_TRUE(outcomes[0].status.ok());
  EXPECT_TRUE(IsError(outcomes[1].status, ErrorKind::kNoSuchColumnFamily)) << outcomes[1].status;
  EXPECT_TRUE(outcomes[2].status.ok());
  EXPECT_TRUE(outcomes[3].status.ok());
  EXPECT_EQ(outcomes[3].cells.size(), 0u) << "the put just before it is written after it";
  EXPECT_TRUE(outcomes[4].status.ok());
  EXPECT_EQ(region_server().Metrics().requests, requests + 5);
  EXPECT_EQ(region_server().Batch(region_, {&actions[3], 1})[0].cells.size(), 1u);
  for (const auto& outcome : region_server().Batch("nope", actions)) {
    EXPECT_THAT(outcome.status,
                FailsWith(ErrorKind::kNotServingRegion, "nope is not online on " + server_->server_name()));
  }
}

}  // namespace
}  // namespace vaquita
