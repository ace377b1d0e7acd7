// Distributed scans against a real server: compared with the same scans of a plain table.
#include "client/distribution/distributed_scanner.h"

#include <algorithm>
#include <atomic>
#include <random>
#include <thread>

#include "client/distribution/distributed_table.h"
#include "client/distribution/input_splits.h"
#include "client/testing/test_cluster.h"
#include "region/filter/filter_language.h"

namespace vaquita::client {
namespace {

using ::testing::Contains;
using testing::HasKind;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Put;
using testing::RowOf;
using testing::ScanTexts;
using ::testing::SizeIs;

// Two bytes, the largest among them, by the key's last byte.
class EdgeHasher : public KeyHasher {
 public:
  std::string PrefixOf(std::string_view key) const override { return AllPrefixes()[key.back() & 3]; }
  std::vector<std::string> AllPrefixes() const override {
    return {"\xff\xff", std::string("\0\0", 2), "a\xff", std::string("b\0", 2)};
  }
  std::string ToText() const override { return "Edge()"; }
};

absl::StatusOr<std::shared_ptr<const KeyHasher>> Hashers(std::string_view text) {
  if (text == "Edge()") return std::make_shared<EdgeHasher>();
  return ParseKeyHasher(text);
}

RowKeyDistributorPtr ParsedDistributor(const std::string& text) { return *ParseRowKeyDistributor(text, Hashers); }

std::vector<std::string> RowsOf(int begin, int end) {
  std::vector<std::string> rows;
  for (int i = begin; i < end; ++i) rows.push_back(RowOf(i));
  return rows;
}

std::string IdKey(uint64_t id) {
  std::string key;
  for (int shift = 56; shift >= 0; shift -= 8) key.push_back(static_cast<char>(id >> shift));
  return key;
}

class DistributedScannerTest : public testing::EachTransport {
 protected:
  std::unique_ptr<Table> Distributed(const std::string& name, const std::string& distributor) {
    return MakeDistributedTable(Open(name), ParsedDistributor(distributor));
  }
};

TEST_P(DistributedScannerTest, GivesRowsOfAllBucketsInOrder) {
  Create("t", {"\2", "\5"});
  auto table = Distributed("t", "OneBytePrefix(7)");
  Fill(*table, 0, 500);
  EXPECT_EQ(Rows(ScanAll(*table)), RowsOf(0, 500));
  EXPECT_EQ(Rows(ScanAll(*table, {.rows = {RowOf(5), RowOf(21)}, .caching = 1})), RowsOf(5, 21));
  EXPECT_EQ(Rows(ScanAll(*table, {.rows = {RowOf(5), RowOf(21), false, true}})), RowsOf(6, 22));
  for (const int limit : {1, 6, 7, 8, 499, 500, 501}) {
    EXPECT_EQ(Rows(ScanAll(*table, {.limit = limit, .caching = 3})), RowsOf(0, std::min(limit, 500))) << limit;
  }
  std::vector<std::string> last = Rows(ScanAll(*table, {.reversed = true, .limit = 10}));
  std::reverse(last.begin(), last.end());
  EXPECT_EQ(last, RowsOf(490, 500));
  EXPECT_THAT(ScanAll(*table, {.rows = {"x", "y"}}), IsEmpty());
}

// Random scans of random rows give what they give on a table with the original keys.
class RandomScans {
 public:
  explicit RandomScans(uint32_t seed) : random_(seed) {}

  std::string Key(int min_length = 1) {
    static constexpr char kBytes[] = {'\0', '\1', 'a', 'b', '\xff'};
    std::string key(min_length + Pick(5 - min_length), '\0');
    for (char& byte : key) byte = kBytes[Pick(std::size(kBytes))];
    return key;
  }
  std::vector<Action> Puts(int rows) {
    std::vector<Action> puts;
    std::set<std::string> keys;
    // HBase's FuzzyRowFilter decides about a row that is shorter than its pattern by the rows before it.
    while (static_cast<int>(keys.size()) < rows) keys.insert(Key(/*min_length=*/2));
    for (const std::string& key : keys) {
      Mutation& put = std::get<Mutation>(puts.emplace_back(Put(key, "a", std::to_string(Pick(3)))));
      put.cells[0].timestamp_ms = 1 + Pick(5);
      for (const char* qualifier : {"b", "c"}) {
        if (Pick(2) == 0) continue;
        put.cells.push_back(Put(key, qualifier, std::to_string(Pick(3))).cells[0]);
        put.cells.back().timestamp_ms = 1 + Pick(5);
      }
    }
    std::shuffle(puts.begin(), puts.end(), random_);
    return puts;
  }
  Scan Next() {
    Scan scan;
    scan.reversed = Pick(3) == 0;
    std::string low = Pick(3) == 0 ? "" : Key(), high = Pick(3) == 0 ? "" : Key();
    if (!high.empty() && high < low) std::swap(low, high);
    scan.rows = {low, high, Pick(2) == 0, Pick(2) == 0};
    if (scan.reversed) std::swap(scan.rows.start, scan.rows.stop);
    scan.limit = Pick(2) == 0 ? -1 : 1 + Pick(30);
    scan.caching = Pick(2) == 0 ? -1 : 1 + Pick(10);
    scan.batch = Pick(4) == 0 ? 1 + Pick(2) : -1;
    if (Pick(2) == 0) scan.filter = Filter(scan.reversed);
    if (scan.filter && !FitsBatch(*scan.filter)) scan.batch = -1;
    if (Pick(5) == 0) scan.time_range = {2, 4};
    return scan;
  }

 private:
  int Pick(int n) { return static_cast<int>(random_() % n); }

  static bool FitsBatch(const FilterSpec& filter) {
    return !std::holds_alternative<SkipFilterSpec>(filter.kind) &&
           !std::holds_alternative<FilterListSpec>(filter.kind) &&
           !std::holds_alternative<SingleColumnValueFilterSpec>(filter.kind);
  }
  FilterSpec RowFilter() {
    using Type = ComparatorSpec::Type;
    const CompareOp op = static_cast<CompareOp>(Pick(6));
    ComparatorSpec comparator{.type = std::array{Type::kBinary, Type::kBinaryPrefix}[Pick(2)], .bytes = Key()};
    if (Pick(4) == 0) comparator = {.type = Type::kBinaryComponent, .bytes = "a", .offset = Pick(2)};
    return {CompareFilterSpec{CompareFilterSpec::What::kRow, op, comparator}};
  }
  FilterSpec Filter(bool reversed) {
    switch (Pick(reversed ? 6 : 8)) {
      case 0:
        return {PrefixFilterSpec{Key().substr(0, 2)}};
      case 1:
        return {InclusiveStopFilterSpec{Key()}};
      case 2:
        return RowFilter();
      case 3:
        return {SkipFilterSpec{{RowFilter()}}};
      case 4:
        return {FilterListSpec{
            Pick(2) == 0 ? FilterListSpec::Operator::kMustPassAll : FilterListSpec::Operator::kMustPassOne,
            {RowFilter(), {ColumnPrefixFilterSpec{"b"}}}}};
      case 5:
        return {SingleColumnValueFilterSpec{"f", "a", CompareOp::kEqual, {.bytes = "1"}}};
      case 6:
        return {FuzzyRowFilterSpec{{{"?a", std::string("\1\0", 2)}, {Key(2).substr(0, 2), std::string(2, '\0')}}}};
      default:
        return {MultiRowRangeFilterSpec{{{"", "\1", true, false}, {"a", "b", false, true}, {"b\1", "", true, false}}}};
    }
  }

  std::mt19937 random_;
};

TEST_P(DistributedScannerTest, RandomScansGiveWhatAPlainTableGives) {
  RandomScans random(20130101);
  auto plain = Create("plain", {"a", "b"});
  const std::vector<Action> puts = random.Puts(300);
  for (const ActionResult& put : plain->Batch(puts)) ASSERT_OK(put.status);
  std::map<std::string, std::unique_ptr<Table>> tables;
  for (const char* kind : {"Identity()", "OneBytePrefix(1)", "OneBytePrefix(5)", "HashPrefix(OneByteSimpleHash(7))",
                           "HashPrefix(OneByteSimpleHash(40))", "HashPrefix(Edge())"}) {
    const std::string name = "t" + std::to_string(tables.size());
    Create(name, {"\1", "\2a", "\5", "a\xff\1", "b"});
    tables[kind] = Distributed(name, kind);
    for (const ActionResult& put : tables[kind]->Batch(puts)) ASSERT_OK(put.status);
  }
  for (int i = 0; i < 150; ++i) {
    const Scan scan = random.Next();
    const std::vector<std::string> expected = ScanTexts(*plain, scan);
    for (const auto& [kind, table] : tables) {
      ASSERT_EQ(ScanTexts(*table, scan), expected)
          << kind << " scan " << i << " from " << ToStringBinary(scan.rows.start) << " to "
          << ToStringBinary(scan.rows.stop) << (scan.reversed ? " reversed" : "") << " limit " << scan.limit
          << " filter " << (scan.filter ? static_cast<int>(scan.filter->kind.index()) : -1);
    }
  }
}

// Writers and scanners run while the table splits: no acknowledged row is lost, doubled or out of order.
TEST_P(DistributedScannerTest, ScansAndWritesRunThroughSplits) {
  Create("t");
  Fill(*Distributed("t", "OneBytePrefix(4)"), 0, 1000);
  std::atomic<bool> stop = false;
  std::atomic<int> written = 1000;
  std::thread writer([&] {
    auto own = Distributed("t", "OneBytePrefix(4)");
    for (int i = 1000; !stop; ++i) {
      const absl::Status status = own->Mutate(Put(RowOf(i), "q", RowOf(i))).status();
      ASSERT_TRUE(status.ok()) << status;
      written = i + 1;
    }
  });
  std::atomic<int> scans = 0;
  std::thread reader([&] {
    auto own = Distributed("t", "OneBytePrefix(4)");
    while (!stop) {
      const bool reversed = scans % 2 == 1;
      const int before = written;
      std::vector<std::string> rows = Rows(ScanAll(*own, {.reversed = reversed, .caching = 20}));
      if (reversed) std::reverse(rows.begin(), rows.end());
      ASSERT_GE(static_cast<int>(rows.size()), before);
      rows.resize(before);
      ASSERT_EQ(rows, RowsOf(0, before));
      ++scans;
    }
  });
  for (const std::string& at : {std::string("\2"), "\1" + RowOf(500), "\3" + RowOf(700)}) {
    const int seen = scans;
    while (scans < seen + 2) std::this_thread::yield();
    EXPECT_TRUE(admin()->Compact(*TableName::Parse("t"), "", /*major=*/true).ok());
    const absl::Status split = admin()->SplitTable(*TableName::Parse("t"), at);
    EXPECT_TRUE(split.ok()) << split;
  }
  stop = true;
  writer.join();
  reader.join();
  EXPECT_THAT(*Open("t")->RegionLocations(), SizeIs(4));
  EXPECT_EQ(Rows(ScanAll(*Distributed("t", "OneBytePrefix(4)"))), RowsOf(0, written));
}

TEST_P(DistributedScannerTest, ReversedBitsAreReadIdByIdInOrder) {
  Create("t", {"\x40", "\x80", "\xc0"});
  auto table = Distributed("t", "BitReversal()");
  std::vector<Action> puts;
  std::vector<std::string> all;
  for (uint64_t id = 10; id < 300; id += 3) {
    puts.emplace_back(Put(IdKey(id), "q", std::to_string(id)));
    all.push_back(IdKey(id));
  }
  for (const ActionResult& put : table->Batch(puts)) ASSERT_OK(put.status);
  EXPECT_EQ(Rows(ScanAll(*table, {.rows = {"", IdKey(1000)}})), all);
  EXPECT_EQ(Rows(ScanAll(*table, {.rows = {IdKey(13), IdKey(22)}, .caching = 2})),
            (std::vector<std::string>{IdKey(13), IdKey(16), IdKey(19)}));
  EXPECT_EQ(Rows(ScanAll(*table, {.rows = {IdKey(22), IdKey(13), false, true}, .reversed = true, .caching = 4})),
            (std::vector<std::string>{IdKey(19), IdKey(16), IdKey(13)}));
  EXPECT_THAT(ScanAll(*table, {.rows = {IdKey(0), IdKey(1000)}, .limit = 7, .caching = 5}), SizeIs(7));
  const std::string last(8, '\xff');
  EXPECT_EQ(Rows(ScanAll(*table, {.rows = {"", last}, .limit = 1, .caching = INT32_MAX})),
            std::vector<std::string>{IdKey(10)});
  EXPECT_THAT(ScanAll(*table, {.rows = {IdKey(13), IdKey(13)}}), IsEmpty());
  EXPECT_THAT(ScanAll(*table, {.rows = {IdKey(13), IdKey(13), true, true}}), SizeIs(1));
  Scan filtered{.rows = {"", IdKey(1000)}};
  filtered.filter = *ParseFilterLanguage("ValueFilter (=, 'binary:100')");
  EXPECT_EQ(Rows(ScanAll(*table, filtered)), std::vector<std::string>{IdKey(100)});

  filtered.filter = *ParseFilterLanguage("PrefixFilter ('a')");
  EXPECT_THAT(table->GetScanner(filtered).status(), HasKind(ErrorKind::kIllegalArgument));
  const absl::Status open = table->GetScanner({.rows = {IdKey(5), ""}}).status();
  EXPECT_THAT(open, HasKind(ErrorKind::kIllegalArgument));
  EXPECT_THAT(open.message(), HasSubstr("BitReversal() does not keep the order of rows: a scan needs the largest row"));
}

// Each row is in exactly one piece; there are as many as buckets overlap regions.
TEST_P(DistributedScannerTest, InputSplitsHoldEachRowOnce) {
  std::shared_ptr<Table> table = Create("t", {"\1", "\2", "\2" + RowOf(50), "\3"});
  const auto rows_of = [&](const std::string& kind, const Scan& scan, size_t pieces) {
    const auto splits = MakeInputSplits(*ParsedDistributor(kind), scan, *table->RegionLocations());
    EXPECT_TRUE(splits.ok()) << splits.status();
    EXPECT_THAT(*splits, SizeIs(pieces)) << kind;
    std::vector<std::string> rows;
    for (const InputSplit& split : *splits) {
      auto scanner = MakeSplitScanner(*table, ParsedDistributor(kind), split);
      for (const std::string& row : Rows(ReadAll(**scanner))) rows.push_back(row);
    }
    std::sort(rows.begin(), rows.end());
    return rows;
  };
  Fill(*Distributed("t", "OneBytePrefix(6)"), 0, 200);
  EXPECT_EQ(rows_of("OneBytePrefix(6)", {}, 7), RowsOf(0, 200));  // \0; \1; \2 in two regions; \3, \4 and \5 in one
  EXPECT_EQ(rows_of("OneBytePrefix(6)", {.rows = {RowOf(60), RowOf(90)}}, 6), RowsOf(60, 90));
  EXPECT_EQ(rows_of("OneBytePrefix(6)", {.rows = {RowOf(60), RowOf(90), false, true}}, 6), RowsOf(61, 91));

  ASSERT_OK(admin()->DisableTable(table->name()));
  ASSERT_OK(admin()->TruncateTable(table->name(), /*preserve_splits=*/true));
  auto reversed = Distributed("t", "BitReversal()");
  std::vector<std::string> ids;
  for (int id = 0; id < 100; ++id) {
    ids.push_back(IdKey(id));
    ASSERT_OK(reversed->Mutate(Put(IdKey(id), "q", "v")).status());
  }
  EXPECT_EQ(rows_of("BitReversal()", {}, 5), ids);
  EXPECT_EQ(rows_of("BitReversal()", {.rows = {IdKey(20), IdKey(30)}}, 5),
            std::vector<std::string>(ids.begin() + 20, ids.begin() + 30));

  const auto locations = *table->RegionLocations();
  EXPECT_THAT(MakeInputSplits(*ParsedDistributor("Identity()"), {.reversed = true}, locations).status(),
              HasKind(ErrorKind::kIllegalArgument));
  EXPECT_THAT(MakeInputSplits(*ParsedDistributor("Identity()"), {.limit = 1}, locations).status(),
              HasKind(ErrorKind::kIllegalArgument));
}

TEST_P(DistributedScannerTest, ErrorsComeFromNextAndAScannerCanBeLeft) {
  Create("t");
  auto table = Distributed("t", "OneBytePrefix(3)");
  Fill(*table, 0, 2000);
  auto left = table->GetScanner({});
  ASSERT_OK((*left)->Next().status());
  left->reset();
  ASSERT_OK(admin()->DisableTable(table->name()));
  auto scanner = table->GetScanner({});
  ASSERT_OK(scanner.status());
  EXPECT_THAT((*scanner)->Next().status(), HasKind(ErrorKind::kTableNotEnabled));
  EXPECT_THAT((*scanner)->Next().status(), HasKind(ErrorKind::kTableNotEnabled));
  Scan refused;
  refused.filter = *ParseFilterLanguage("RowFilter (=, 'substring:a')");
  EXPECT_THAT(table->GetScanner(refused).status(), HasKind(ErrorKind::kIllegalArgument));
}

INSTANTIATE_OVER_EACH_TRANSPORT(DistributedScannerTest);

}  // namespace
}  // namespace vaquita::client
