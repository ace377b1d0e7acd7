// Scans: ranges, directions, limits, and the filter protocol.
#include "region/row_scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "region/read_plan.h"
#include "region/testing/region_harness.h"

namespace vaquita {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace vaquita::testing;  // NOLINT

using Results = std::vector<std::vector<std::string>>;

// Rows r1 to r5 in the region [b, y): f:a and g:a in all, f:b in odd rows.
class RowScanTest : public RegionHarness {
 protected:
  void SetUp() override {
    region_ = OpenRegion(MakeTable({MakeFamily("f", 3), MakeFamily("g")}), "b", "y");
    for (int i = 1; i <= 5; ++i) {
      const std::string row = "r" + std::to_string(i);
      Apply(region_.get(), MakePut(row, {MakeCell("f:a", "1", i), MakeCell("g:a", "3", i)}));
      if (i % 2 == 1) Apply(region_.get(), MakePut(row, "f:b", "2", i));
      if (i == 2) {
        ASSERT_TRUE(region_->Flush().ok());
      }
    }
  }
  Results Run(const Scan& scan, const ScanLimits& limits = {}) { return ScanResults(region_.get(), scan, limits); }
  // The rows that came, one digit each.
  std::string Rows(const Scan& scan, const ScanLimits& limits = {}) {
    std::string rows;
    for (const auto& result : Run(scan, limits)) rows += result.front()[1];
    return rows;
  }
  static Scan Range(std::string_view start, std::string_view stop) {
    Scan scan;
    scan.rows.start = start;
    scan.rows.stop = stop;
    return scan;
  }

  std::shared_ptr<Region> region_;
};

TEST_F(RowScanTest, StoresAreMergedByRow) {
  EXPECT_THAT(Run(Range("r1", "r3")), ElementsAre(ElementsAre("r1 f:a @1 1", "r1 f:b @1 2", "r1 g:a @1 3"),
                                                  ElementsAre("r2 f:a @2 1", "r2 g:a @2 3")));
}

// A row has some 25 bytes a cell here.
TEST_F(RowScanTest, ALargerRowThanIsAllowedIsRefused) {
  options_.max_row_bytes = 60;
  Scan scan = Range("r1", "r4");
  ResultBatch batch;
  const auto next = [&](const Scan& asked) {
    batch.Clear();
    return region_->NewScanner(asked).value()->Next({}, &batch).status();
  };
  const absl::Status refused = next(scan);
  EXPECT_TRUE(IsError(refused, ErrorKind::kRowTooBig)) << refused;
  EXPECT_THAT(std::string(refused.message()), HasSubstr("Max row size allowed: 60"));
  scan.batch = 1;
  EXPECT_TRUE(next(scan).ok());
  EXPECT_TRUE(next(Range("r2", "r3")).ok());
  Get get;
  get.row = "r1";
  CellBlock cells;
  EXPECT_TRUE(IsError(region_->Get(get, &cells), ErrorKind::kRowTooBig));
  get.existence_only = true;
  EXPECT_TRUE(region_->Get(get, &cells).ok());
  get.existence_only = false;
  get.row = "r2";
  EXPECT_TRUE(region_->Get(get, &cells).ok());
}

TEST_F(RowScanTest, RangesAreClippedToTheRegion) {
  EXPECT_EQ(Rows(Range("", "")), "12345");
  EXPECT_EQ(Rows(Range("a", "z")), "12345");
  EXPECT_EQ(Rows(Range("y", "z")), "");
  EXPECT_EQ(Rows(Range("a", "b")), "");
  Scan scan = Range("r2", "r4");
  EXPECT_EQ(Rows(scan), "23");
  scan.rows.start_inclusive = false;
  EXPECT_EQ(Rows(scan), "3");
  scan.rows.stop_inclusive = true;
  EXPECT_EQ(Rows(scan), "34");
  scan = Range("r3", "r3");
  EXPECT_EQ(Rows(scan), "");
  scan.rows.stop_inclusive = true;
  EXPECT_EQ(Rows(scan), "3");
}

// No row lies between a bound that is longer than rows are and the row of its first bytes.
TEST_F(RowScanTest, ABoundMayBeLongerThanARow) {
  const std::string row(kMaxRowLength, 's');
  Apply(region_.get(), MakePut(row, "f:a", "6", 6));
  Apply(region_.get(), MakePut("t7", "f:a", "7", 7));
  const std::string longer = row + "s";
  EXPECT_EQ(Rows(Range(row, "")), "s7");
  EXPECT_EQ(Rows(Range(longer, "")), "7");
  EXPECT_EQ(Rows(Range("r5", row)), "5");
  EXPECT_EQ(Rows(Range("r5", longer)), "5s");
  EXPECT_EQ(Rows(Range(longer, longer)), "");
  Scan reversed = Range(longer, "r5");
  reversed.reversed = true;
  EXPECT_EQ(Rows(reversed), "s");
  reversed = Range("u", longer);
  reversed.reversed = true;
  EXPECT_EQ(Rows(reversed), "7");
  reversed.rows.stop = row;
  reversed.rows.stop_inclusive = true;
  EXPECT_EQ(Rows(reversed), "7s");
  const auto clipped = ClipRows({std::string(1 << 20, 's'), std::string(1 << 20, 't')}, false, region_->info());
  ASSERT_TRUE(clipped.has_value());
  EXPECT_LE(clipped->start.capacity() + clipped->stop.capacity(), 4 * kMaxRowLength);
}

TEST_F(RowScanTest, ReversedScansBeginAtTheLargerRow) {
  Scan scan = Range("", "");
  scan.reversed = true;
  EXPECT_EQ(Rows(scan), "54321");
  EXPECT_THAT(Run(scan).front(), ElementsAre("r5 f:a @5 1", "r5 f:b @5 2", "r5 g:a @5 3"));
  scan.rows = {"z", "a"};
  EXPECT_EQ(Rows(scan), "54321");
  scan.rows = {"r4", "r2"};
  EXPECT_EQ(Rows(scan), "43");
  scan.rows.start_inclusive = false;
  scan.rows.stop_inclusive = true;
  EXPECT_EQ(Rows(scan), "32");
  scan.rows = {"r3", "r3", true, true};
  EXPECT_EQ(Rows(scan), "3");
  scan.rows = {"y", "x"};
  EXPECT_EQ(Rows(scan), "");
}

TEST_F(RowScanTest, LimitCountsRowsOverAnswers) {
  Scan scan;
  scan.limit = 3;
  EXPECT_EQ(Rows(scan), "123");
  EXPECT_EQ(Rows(scan, {.max_results = 1}), "123");
}

TEST_F(RowScanTest, AnAnswerEndsAtItsResults) {
  Scan scan;
  scan.caching = 2;
  auto scanner = region_->NewScanner(scan);
  ASSERT_TRUE(scanner.ok());
  std::vector<size_t> sizes;
  for (bool more = true; more;) {
    ResultBatch batch;
    auto next = (*scanner)->Next({}, &batch);
    ASSERT_TRUE(next.ok());
    more = *next;
    sizes.push_back(batch.results.size());
  }
  EXPECT_THAT(sizes, ElementsAre(2, 2, 1));
  ResultBatch batch;
  scanner = region_->NewScanner(scan);
  ASSERT_TRUE((*scanner)->Next({.max_results = 4}, &batch).ok());
  EXPECT_EQ(batch.results.size(), 4u) << "the call's limit goes first";
  batch.Clear();
  EXPECT_TRUE(*(*scanner)->Next({.max_results = 0}, &batch));
  EXPECT_THAT(batch.results, IsEmpty());
}

TEST_F(RowScanTest, BatchCutsRows) {
  Scan scan = Range("r1", "r4");
  scan.batch = 2;
  EXPECT_THAT(Run(scan), ElementsAre(ElementsAre("r1 f:a @1 1", "r1 f:b @1 2"), ElementsAre("r1 g:a @1 3"),
                                     ElementsAre("r2 f:a @2 1", "r2 g:a @2 3"),
                                     ElementsAre("r3 f:a @3 1", "r3 f:b @3 2"), ElementsAre("r3 g:a @3 3")));
  // The row is cut again, each piece in an answer of its own; a row counts once it is complete.
  scan.limit = 2;
  EXPECT_EQ(Rows(scan, {.max_results = 1}), "112");

  auto scanner = region_->NewScanner(scan);
  ResultBatch batch;
  ASSERT_TRUE((*scanner)->Next({}, &batch).ok());
  ASSERT_EQ(batch.results.size(), 3u);
  EXPECT_TRUE(batch.results[0].partial);
  EXPECT_FALSE(batch.results[1].partial);
  EXPECT_FALSE(batch.results[2].partial) << "it ends exactly at the batch";
}

TEST_F(RowScanTest, AnAnswerEndsAtItsBytes) {
  // A cell has 24 + 2 + 1 + 1 + 1 bytes, and counts 28 more; the first row has three of them.
  Scan scan;
  scan.max_result_bytes = 172;
  auto scanner = region_->NewScanner(scan);
  ResultBatch batch;
  ASSERT_TRUE(*(*scanner)->Next({}, &batch));
  EXPECT_EQ(batch.results.size(), 2u) << "the row that passes the limit is complete";
  EXPECT_EQ(Rows(scan), "12345");

  scan.allow_partial_results = true;
  scan.max_result_bytes = 58;
  scanner = region_->NewScanner(scan);
  batch.Clear();
  ASSERT_TRUE(*(*scanner)->Next({}, &batch));
  ASSERT_EQ(batch.results.size(), 1u);
  EXPECT_EQ(batch.results[0].count, 2u);
  EXPECT_TRUE(batch.results[0].partial);
  EXPECT_THAT(ScanTexts(region_.get(), scan), ::testing::SizeIs(13));
}

TEST_F(RowScanTest, FamiliesHaveTheirLimitsInEachRow) {
  Scan scan;
  scan.store_limit = 1;
  EXPECT_THAT(Run(Range("r1", "r2")).front(), ::testing::SizeIs(3));
  EXPECT_THAT(ScanTexts(region_.get(), scan), ::testing::SizeIs(10));
  scan.store_offset = 1;
  EXPECT_THAT(ScanTexts(region_.get(), scan), ElementsAre("r1 f:b @1 2", "r3 f:b @3 2", "r5 f:b @5 2"));
}

TEST_F(RowScanTest, RawScansShowMarkers) {
  Apply(region_.get(), MakeDelete("r2", "f:a", CellType::kDeleteColumn, 4));
  Scan scan = Range("r2", "r3");
  scan.columns["f"] = {};
  EXPECT_THAT(ScanTexts(region_.get(), scan), IsEmpty());
  scan.raw = true;
  EXPECT_THAT(ScanTexts(region_.get(), scan), ElementsAre("r2 f:a @4 DeleteColumn", "r2 f:a @2 1"));
  scan.columns["f"] = {"a"};
  EXPECT_THAT(region_->NewScanner(scan).status().ToString(), HasSubstr("Cannot specify any column for a raw scan"));
}

TEST_F(RowScanTest, AScannerReadsTheMomentItWasOpened) {
  Scan scan;
  scan.columns["f"] = {"a"};
  auto scanner = region_->NewScanner(scan);
  Apply(region_.get(), MakePut("r2", "f:a", "changed"));
  Apply(region_.get(), MakeDelete("r3", std::vector<Cell>{}));
  ASSERT_TRUE(region_->Flush().ok());
  ASSERT_TRUE(region_->Compact(CompactionKind::kMajor, "").ok());
  ResultBatch batch;
  ASSERT_TRUE((*scanner)->Next({}, &batch).ok());
  EXPECT_THAT(Texts(batch.cells),
              ElementsAre("r1 f:a @1 1", "r2 f:a @2 1", "r3 f:a @3 1", "r4 f:a @4 1", "r5 f:a @5 1"));
}

TEST_F(RowScanTest, AHeartbeatComesWhenTheDeadlinePasses) {
  for (int i = 0; i < 500; ++i) Apply(region_.get(), MakePut("s" + std::to_string(i), "f:a", "v", 5));
  Scan scan;
  scan.filter = FilterSpec{CompareFilterSpec{
      .what = CompareFilterSpec::What::kRow, .op = CompareOp::kEqual, .comparator = {.bytes = "s499"}}};
  auto scanner = region_->NewScanner(scan);
  ResultBatch batch;
  auto more = (*scanner)->Next({.deadline_ms = clock_.NowMs()}, &batch);
  ASSERT_TRUE(more.ok());
  EXPECT_TRUE(*more) << "it has not come to the end";
  EXPECT_THAT(batch.results, IsEmpty());
  EXPECT_FALSE((*scanner)->filter_finished());
  more = (*scanner)->Next({}, &batch);
  EXPECT_THAT(Texts(batch.cells), ElementsAre("s499 f:a @5 v"));
}

// --- Reads that take long.

// Says after some looks that the client has gone.
class GoneClient : public ReadWatch {
 public:
  explicit GoneClient(int looks = 1) : looks_left_(looks) {}
  absl::Status Check() override {
    if (--looks_left_ > 0) return absl::OkStatus();
    return Error(ErrorKind::kCallerDisconnected, "gone");
  }
  bool asked() const { return looks_left_ <= 0; }

 private:
  int looks_left_;
};

// A row whose cells take a while to read.
class LongReadTest : public RowScanTest {
 protected:
  static constexpr int kCells = 200'000;

  void SetUp() override {
    region_ = OpenRegion(MakeTable({MakeFamily("f")}));
    std::vector<Cell> cells;
    for (int i = 0; i < kCells; ++i) cells.push_back(MakeCell("f:q" + std::to_string(1'000'000 + i), "v", 5));
    Apply(region_.get(), MakePut("long", std::move(cells)));
    Apply(region_.get(), MakePut("m", "f:last", "v", 5));
  }
  // Lets through none of the long row but its last cell.
  static FilterSpec LastCells() {
    return FilterSpec{CompareFilterSpec{.what = CompareFilterSpec::What::kQualifier,
                                        .op = CompareOp::kGreaterOrEqual,
                                        .comparator = {.bytes = "q" + std::to_string(1'000'000 + kCells - 1)}}};
  }
  static FilterSpec Nothing() {
    return FilterSpec{CompareFilterSpec{
        .what = CompareFilterSpec::What::kValue, .op = CompareOp::kEqual, .comparator = {.bytes = "none"}}};
  }
};

TEST_F(LongReadTest, AHeartbeatComesInsideARow) {
  Scan scan;
  scan.filter = LastCells();
  scan.allow_partial_results = true;
  auto scanner = *region_->NewScanner(scan);
  ResultBatch batch;
  std::vector<std::string> rows;  // in which the heartbeats came
  for (bool more = true; more;) {
    auto next = scanner->Next({.deadline_ms = clock_.NowMs()}, &batch);
    ASSERT_TRUE(next.ok()) << next.status();
    more = *next;
    if (scanner->progress().at_deadline) rows.push_back(scanner->progress().next_row);
  }
  EXPECT_THAT(rows, Contains("long").Times(Gt(1)));
  EXPECT_THAT(rows, Each(AnyOf("long", "m"))) << "the last one may come where the long row has ended";
  EXPECT_THAT(Texts(batch.cells), ElementsAre("long f:q" + std::to_string(1'000'000 + kCells - 1) + " @5 v"));
}

TEST_F(LongReadTest, PartsOfARowThatDeadlinesCutAreTheWholeRow) {
  Scan scan;
  scan.filter = FilterSpec{CompareFilterSpec{
      .what = CompareFilterSpec::What::kQualifier, .op = CompareOp::kLess, .comparator = {.bytes = "q1000010"}}};
  scan.allow_partial_results = true;
  scan.limit = 2;
  auto scanner = *region_->NewScanner(scan);
  ResultBatch batch;
  int32_t returned = 0;
  for (bool more = true; more;) {
    auto next = scanner->Next({.deadline_ms = clock_.NowMs()}, &batch);
    ASSERT_TRUE(next.ok()) << next.status();
    more = *next;
    returned += static_cast<int32_t>(scanner->progress().rows_ended - scanner->progress().rows_filtered);
  }
  EXPECT_EQ(batch.cells.size(), 11u) << "ten cells, and the next row's";
  EXPECT_TRUE(batch.results.front().partial);
  EXPECT_EQ(returned, 2) << "a row whose last part is empty was returned all the same";
}

TEST_F(LongReadTest, WhoeverHasGoneEndsItInsideARow) {
  for (const bool partial : {false, true}) {
    Scan scan;
    scan.filter = Nothing();
    scan.allow_partial_results = partial;
    auto scanner = *region_->NewScanner(scan);
    ResultBatch batch;
    GoneClient gone;
    const auto more = scanner->Next({.watch = &gone}, &batch);
    EXPECT_TRUE(IsError(more.status(), ErrorKind::kCallerDisconnected)) << more.status();
  }
}

TEST_F(LongReadTest, WhoeverHasGoneEndsAGet) {
  Get get;
  get.row = "long";
  CellBlock cells;
  GoneClient first;
  EXPECT_TRUE(IsError(region_->Get(get, &cells, {.watch = &first}), ErrorKind::kCallerDisconnected));
  EXPECT_LT(cells.size(), size_t{kCells});
  get.filter = Nothing();
  GoneClient second;
  EXPECT_TRUE(IsError(region_->Get(get, &cells, {.watch = &second}), ErrorKind::kCallerDisconnected));
}

TEST_F(LongReadTest, SomebodyWhoWaitsGetsEverything) {
  Get get;
  get.row = "long";
  CellBlock cells;
  GoneClient never(1 << 30);
  ASSERT_TRUE(region_->Get(get, &cells, {.watch = &never}).ok());
  EXPECT_EQ(cells.size(), size_t{kCells});
}

TEST_F(LongReadTest, AFilterThatIsSlowForEachRowIsLookedAfterByTime) {
  for (int i = 0; i < 60; ++i) Apply(region_.get(), MakePut("aaaaaaaaaaaaaaaaa!" + std::to_string(i), "f:a", "v", 5));
  Scan scan;
  scan.rows.stop = "b";
  scan.filter = FilterSpec{CompareFilterSpec{.what = CompareFilterSpec::What::kRow,
                                             .op = CompareOp::kEqual,
                                             .comparator = {.type = ComparatorSpec::Type::kRegex, .bytes = "^(a+)+$"}}};
  auto scanner = *region_->NewScanner(scan);
  ResultBatch batch;
  const auto more = scanner->Next({.deadline_ms = clock_.NowMs()}, &batch);
  ASSERT_TRUE(more.ok()) << more.status();
  EXPECT_TRUE(scanner->progress().at_deadline);
  EXPECT_LT(scanner->progress().rows_scanned, 60) << "each row takes milliseconds";
}

// --- Filters.

// A comparison that failed, wherever in the filter, fails the scan and the get; cells without it do not.
TEST_F(RowScanTest, AComparisonsErrorComesOut) {
  const ComparatorSpec is_long{ComparatorSpec::Type::kLong, std::string(8, '\0')};
  using What = CompareFilterSpec::What;
  std::vector<FilterSpec> filters;
  for (const What what : {What::kRow, What::kFamily, What::kQualifier, What::kValue}) {
    filters.push_back({CompareFilterSpec{.what = what, .op = CompareOp::kNotEqual, .comparator = is_long}});
  }
  filters.push_back({SingleColumnValueFilterSpec{.family = "f", .qualifier = "b", .comparator = is_long}});
  filters.push_back(
      {DependentColumnFilterSpec{.family = "f", .qualifier = "b", .op = CompareOp::kEqual, .comparator = {is_long}}});
  filters.push_back({ColumnValueFilterSpec{.family = "f", .qualifier = "b", .comparator = is_long}});
  const FilterSpec value = filters[3];
  filters.push_back({SkipFilterSpec{{value}}});
  filters.push_back({WhileMatchFilterSpec{{value}}});
  for (const auto op : {FilterListSpec::Operator::kMustPassAll, FilterListSpec::Operator::kMustPassOne}) {
    filters.push_back({FilterListSpec{op, {{PageFilterSpec{9}}, {SkipFilterSpec{{value}}}}}});
  }
  for (size_t i = 0; i < filters.size(); ++i) {
    for (const bool reversed : {false, true}) {
      Scan scan;
      scan.filter = filters[i];
      scan.reversed = reversed;
      scan.load_families_on_demand = false;  // a reversed scan cannot do so
      const auto scanner = region_->NewScanner(scan).value();
      for (int call = 0; call < 2; ++call) {  // the second one has not forgotten it
        ResultBatch batch;
        const absl::Status error = scanner->Next({}, &batch).status();
        EXPECT_TRUE(IsError(error, ErrorKind::kDoNotRetryIO)) << i << ": " << error;
      }
    }
    Get get;
    get.row = "r3";
    get.filter = filters[i];
    CellBlock cells;
    EXPECT_TRUE(IsError(region_->Get(get, &cells), ErrorKind::kDoNotRetryIO)) << i;
  }
  Scan scan = Range("r2", "r3");
  scan.filter = filters[4];
  EXPECT_EQ(Rows(scan), "2");  // row 2 has no f:b
}

TEST_F(RowScanTest, ARegularExpressionThatDoesNotEndIsNamed) {
  Apply(region_.get(), MakePut("r3", "f:a", std::string(28, 'a') + "!a", 9));
  Scan scan;
  scan.filter = FilterSpec{CompareFilterSpec{.what = CompareFilterSpec::What::kValue,
                                             .op = CompareOp::kEqual,
                                             .comparator = {ComparatorSpec::Type::kRegex, "(a+)+$"}}};
  ResultBatch batch;
  const absl::Status error = region_->NewScanner(scan).value()->Next({}, &batch).status();
  EXPECT_TRUE(IsError(error, ErrorKind::kDoNotRetryIO)) << error;
  EXPECT_FALSE(IsRetryable(error));
  EXPECT_THAT(error.ToString(), HasSubstr("(a+)+$"));
}

TEST_F(RowScanTest, APageFilterEndsTheScan) {
  Scan scan;
  scan.filter = FilterSpec{PageFilterSpec{2}};
  EXPECT_EQ(Rows(scan), "12");
  auto scanner = region_->NewScanner(scan);
  ResultBatch batch;
  auto more = (*scanner)->Next({}, &batch);
  EXPECT_FALSE(*more);
  EXPECT_TRUE((*scanner)->filter_finished());
}

TEST_F(RowScanTest, AFilterMayRefuseARowAfterItsCells) {
  Scan scan;
  scan.filter = FilterSpec{SingleColumnValueFilterSpec{.family = "f",
                                                       .qualifier = "b",
                                                       .op = CompareOp::kEqual,
                                                       .comparator = {.bytes = "2"},
                                                       .filter_if_missing = true}};
  EXPECT_EQ(Rows(scan), "135");
  EXPECT_EQ(region_->Metrics().filtered_read_requests, 2);
  scan.filter = FilterSpec{SkipFilterSpec{{FilterSpec{CompareFilterSpec{
      .what = CompareFilterSpec::What::kQualifier, .op = CompareOp::kNotEqual, .comparator = {.bytes = "b"}}}}}};
  EXPECT_EQ(Rows(scan), "24");
}

TEST_F(RowScanTest, AFilterMayDropCellsOfARow) {
  Scan scan = Range("r1", "r3");
  scan.filter = FilterSpec{SingleColumnValueFilterSpec{.family = "f",
                                                       .qualifier = "b",
                                                       .op = CompareOp::kEqual,
                                                       .comparator = {.bytes = "2"},
                                                       .filter_if_missing = true,
                                                       .exclude_column = true}};
  EXPECT_THAT(Run(scan), ElementsAre(ElementsAre("r1 f:a @1 1", "r1 g:a @1 3")));
}

TEST_F(RowScanTest, WhileMatchEndsInTheMiddleOfARow) {
  Scan scan;
  scan.filter = FilterSpec{WhileMatchFilterSpec{{FilterSpec{CompareFilterSpec{
      .what = CompareFilterSpec::What::kQualifier, .op = CompareOp::kNotEqual, .comparator = {.bytes = "b"}}}}}};
  scan.rows.start = "r2";
  EXPECT_THAT(Run(scan), ElementsAre(ElementsAre("r2 f:a @2 1", "r2 g:a @2 3"), ElementsAre("r3 f:a @3 1")));
}

// Its Reset revokes "all is done", so the scan continues. But each store in which the filter said so is closed.
TEST_F(RowScanTest, ColumnCountGetEndsTheStoresItGaveUp) {
  Scan scan;
  scan.filter = FilterSpec{ColumnCountGetFilterSpec{2}};
  EXPECT_THAT(Run(scan), ElementsAre(ElementsAre("r1 f:a @1 1", "r1 f:b @1 2"), ElementsAre("r2 f:a @2 1"),
                                     ElementsAre("r3 f:a @3 1", "r3 f:b @3 2"), ElementsAre("r4 f:a @4 1"),
                                     ElementsAre("r5 f:a @5 1", "r5 f:b @5 2")));
  scan.filter = FilterSpec{ColumnCountGetFilterSpec{1}};
  EXPECT_THAT(Run(scan), ElementsAre(ElementsAre("r1 f:a @1 1")));
}

TEST_F(RowScanTest, ATimeRangeBeginsBeforeItEnds) {
  Scan scan;
  scan.time_range = {9, 3};
  EXPECT_THAT(region_->NewScanner(scan).status().ToString(), HasSubstr("maxStamp is smaller than minStamp"));
  scan.time_range = {-5, 3};
  EXPECT_THAT(region_->NewScanner(scan).status().ToString(),
              HasSubstr("Timestamp cannot be negative. minStamp:-5, maxStamp:3"));
}

TEST_F(RowScanTest, KeyOnlyTakesTheValuesAway) {
  Scan scan = Range("r1", "r2");
  scan.filter = FilterSpec{KeyOnlyFilterSpec{.length_as_value = true}};
  EXPECT_THAT(ScanTexts(region_.get(), scan).front(), "r1 f:a @1 \\x00\\x00\\x00\\x01");
}

TEST_F(RowScanTest, FiltersSeekOverRowsOfSeveralStores) {
  Scan scan;
  scan.filter = FilterSpec{MultiRowRangeFilterSpec{{RowRange{"r2", "r3"}, RowRange{"r5", "r6"}}}};
  EXPECT_EQ(Rows(scan), "25");
  EXPECT_THAT(Run(scan).back(), ElementsAre("r5 f:a @5 1", "r5 f:b @5 2", "r5 g:a @5 3"));
}

TEST_F(RowScanTest, ABatchNeedsAFilterThatJudgesCells) {
  Scan scan;
  scan.batch = 1;
  scan.filter = FilterSpec{PageFilterSpec{2}};
  EXPECT_THAT(region_->NewScanner(scan).status().ToString(), HasSubstr("Cannot set batch on a scan using a filter"));
  scan.filter = FilterSpec{ColumnPrefixFilterSpec{"a"}};
  EXPECT_EQ(Rows(scan), "1122334455");
}

TEST_F(RowScanTest, AFilterForWholeRowsGetsThemWhateverTheAnswersSize) {
  Scan scan;
  scan.allow_partial_results = true;
  scan.max_result_bytes = 1;
  scan.filter = FilterSpec{PageFilterSpec{9}};
  EXPECT_EQ(Rows(scan), "12345");
}

// The figures are those of a real HBase 2.6.0 for the same rows.
class ScanMetricsTest : public RegionHarness {
 protected:
  void SetUp() override {
    region_ = OpenRegion(MakeTable({MakeFamily("f"), MakeFamily("g")}), "", "");
    for (int i = 0; i < 10; ++i) {
      const std::string row = "r" + std::to_string(i);
      Apply(region_.get(), MakePut(row, {MakeCell("f:a", "v" + std::to_string(i), 1), MakeCell("f:b", "w", 1)}));
      if (i % 2 == 0) Apply(region_.get(), MakePut(row, "g:c", "x", 1));
    }
  }
  // "RESULTS results, SCANNED scanned, FILTERED filtered", in as many answers as there are results of one row each.
  std::string Counts(const Scan& scan) {
    auto scanner = region_->NewScanner(scan);
    EXPECT_TRUE(scanner.ok()) << scanner.status();
    size_t results = 0;
    int64_t scanned = 0, filtered = 0;
    for (bool more = true; more;) {
      ResultBatch batch;
      const auto next = (*scanner)->Next({.max_results = 1}, &batch);
      EXPECT_TRUE(next.ok()) << next.status();
      more = next.ok() && *next;
      results += batch.results.size();
      scanned += (*scanner)->progress().rows_scanned;
      filtered += (*scanner)->progress().rows_filtered;
    }
    return std::to_string(results) + " results, " + std::to_string(scanned) + " scanned, " + std::to_string(filtered) +
           " filtered";
  }
  std::string Counts(const FilterSpec& filter) {
    Scan scan;
    scan.filter = filter;
    return Counts(scan);
  }
  static FilterSpec Compare(CompareFilterSpec::What what, CompareOp op, const std::string& bytes) {
    return {CompareFilterSpec{what, op, {ComparatorSpec::Type::kBinary, bytes}}};
  }
  std::shared_ptr<Region> region_;
};

TEST_F(ScanMetricsTest, RowsAreScannedAndFilteredAsInHBase) {
  using What = CompareFilterSpec::What;
  EXPECT_EQ(Counts(Scan()), "10 results, 10 scanned, 0 filtered");
  Scan batch;
  batch.batch = 1;
  EXPECT_EQ(Counts(batch), "25 results, 10 scanned, 0 filtered");
  Scan column;
  column.columns["g"] = {"c"};
  EXPECT_EQ(Counts(column), "5 results, 5 scanned, 0 filtered");
  column.columns = {{"f", {"zz"}}};
  EXPECT_EQ(Counts(column), "0 results, 10 scanned, 10 filtered");
  EXPECT_EQ(Counts(FilterSpec{PrefixFilterSpec{"r3"}}), "1 results, 4 scanned, 4 filtered");
  EXPECT_EQ(Counts(Compare(What::kRow, CompareOp::kEqual, "r3")), "1 results, 10 scanned, 9 filtered");
  const FilterSpec less = Compare(What::kRow, CompareOp::kLess, "r3");
  EXPECT_EQ(Counts(FilterSpec{WhileMatchFilterSpec{{less}}}), "3 results, 3 scanned, 1 filtered");
  EXPECT_EQ(Counts(FilterSpec{InclusiveStopFilterSpec{"r3"}}), "4 results, 4 scanned, 1 filtered");
  EXPECT_EQ(Counts(FilterSpec{PageFilterSpec{3}}), "3 results, 3 scanned, 0 filtered");
  EXPECT_EQ(Counts(FilterSpec{ColumnPrefixFilterSpec{"zz"}}), "0 results, 10 scanned, 10 filtered");
  EXPECT_EQ(Counts(Compare(What::kValue, CompareOp::kEqual, "v3")), "1 results, 10 scanned, 9 filtered");
  const FilterSpec not_v3 = Compare(What::kValue, CompareOp::kNotEqual, "v3");
  EXPECT_EQ(Counts(FilterSpec{SkipFilterSpec{{not_v3}}}), "9 results, 10 scanned, 1 filtered");
  EXPECT_EQ(Counts(FilterSpec{FuzzyRowFilterSpec{{{"r5", std::string(2, '\0')}}}}), "1 results, 3 scanned, 2 filtered");
  for (const char* row : {"r4", "r9"}) Apply(region_.get(), Mutation{.type = MutationType::kDelete, .row = row});
  EXPECT_EQ(Counts(Scan()), "8 results, 10 scanned, 2 filtered");
}

}  // namespace
}  // namespace vaquita
