#include "engine/store_scanner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/scanner_group.h"
#include "engine/testing/memory_iterator.h"

namespace vaquita {
namespace {

using testing::AddCell;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MemoryIterator;
using ::testing::SizeIs;
using testing::StoredCells;
using std::string_literals::operator""s;

class StoreScannerTest : public ::testing::Test {
 protected:
  StoreScannerTest() {
    family_.name = "f";
    family_.max_versions = 3;
  }

  void Put(std::string row, std::string qualifier, int64_t timestamp_ms, CellType type = CellType::kPut) {
    Cell cell;
    cell.row = std::move(row);
    cell.qualifier = std::move(qualifier);
    cell.timestamp_ms = timestamp_ms;
    cell.type = type;
    cell.value = "v" + std::to_string(timestamp_ms);
    AddCell(cell, &cells_);
  }

  std::unique_ptr<StoreScanner> Open(StoreScanOptions options = {}, const StoreDb::IteratorBounds& bounds = {}) {
    counts_ = {};
    options.one_row = bounds.one_row;
    return std::make_unique<StoreScanner>(std::make_shared<StoreSpec>(StoreSpec{.family = family_}),
                                          std::make_unique<MemoryIterator>(cells_, bounds, &counts_),
                                          std::move(options));
  }

  // "row:qualifier@timestamp" of every visible cell.
  std::vector<std::string> Scan(StoreScanOptions options = {}, const StoreDb::IteratorBounds& bounds = {}) {
    const auto scanner = Open(std::move(options), bounds);
    std::vector<std::string> seen;
    CellView cell;
    for (; scanner->Valid(); scanner->NextRow()) {
      while (scanner->NextCell(&cell)) {
        EXPECT_EQ(cell.row, scanner->row());
        EXPECT_EQ(cell.family, "f");
        seen.push_back(std::string(cell.row) + ":" + std::string(cell.qualifier) + "@" +
                       std::to_string(cell.timestamp_ms));
      }
    }
    EXPECT_TRUE(scanner->status().ok());
    return seen;
  }

  std::vector<std::string> Rows(RowRange rows, bool reversed = false) {
    StoreScanOptions options;
    options.reversed = reversed;
    std::vector<std::string> seen;
    const auto scanner = Open(std::move(options), BoundsOfRows(RowOrder::kBytes, rows, reversed));
    for (; scanner->Valid(); scanner->NextRow()) seen.emplace_back(scanner->row());
    return seen;
  }

  FamilyDescriptor family_;
  StoredCells cells_;
  MemoryIterator::Counts counts_;
};

TEST_F(StoreScannerTest, AnEmptyStoreHasNoRow) {
  EXPECT_THAT(Rows({}), IsEmpty());
  EXPECT_THAT(Rows({}, true), IsEmpty());
  EXPECT_TRUE(Open()->status().ok());
}

TEST_F(StoreScannerTest, RowsInBothDirectionsAndBounds) {
  for (const char* row : {"a", "b", "bb", "c"}) {
    Put(row, "q", 1);
    Put(row, "q2", 1);
  }
  EXPECT_THAT(Rows({}), ElementsAre("a", "b", "bb", "c"));
  EXPECT_THAT(Rows({"b", "c"}), ElementsAre("b", "bb"));
  EXPECT_THAT(Rows({"b", "c", false, true}), ElementsAre("bb", "c"));
  EXPECT_THAT(Rows({"aa", "bz"}), ElementsAre("b", "bb"));
  EXPECT_THAT(Rows({"d", ""}), IsEmpty());

  EXPECT_THAT(Rows({}, true), ElementsAre("c", "bb", "b", "a"));
  EXPECT_THAT(Rows({"c", "b"}, true), ElementsAre("c", "bb"));
  EXPECT_THAT(Rows({"c", "b", false, true}, true), ElementsAre("bb", "b"));
  EXPECT_THAT(Rows({"bz", "aa"}, true), ElementsAre("bb", "b"));
  EXPECT_THAT(Rows({"b", "b", true, true}, true), ElementsAre("b"));
  EXPECT_THAT(Rows({"0", ""}, true), IsEmpty());
}

TEST_F(StoreScannerTest, CellsInARowKeepTheirOrderInAReversedScan) {
  Put("a", "q", 1);
  Put("b", "q1", 2);
  Put("b", "q2", 1);
  StoreScanOptions options;
  options.reversed = true;
  EXPECT_THAT(Scan(options), ElementsAre("b:q1@2", "b:q2@1", "a:q@1"));
}

TEST_F(StoreScannerTest, ZeroBytesInNames) {
  Put("a\0"s, "q\0"s, 1);
  Put("a", "q", 1);
  Put("a\0\xff"s, "", 1);
  EXPECT_THAT(Scan(), ElementsAre("a:q@1", "a\0:q\0@1"s, "a\0\xff:@1"s));
}

TEST_F(StoreScannerTest, ValuesAndTtl) {
  Cell cell;
  cell.row = "a";
  cell.qualifier = "q";
  cell.timestamp_ms = 7;
  cell.value = "value";
  cell.ttl_ms = 100;
  AddCell(cell, &cells_);
  StoreScanOptions options;
  options.now_ms = 107;
  const auto scanner = Open(options);
  CellView seen;
  ASSERT_TRUE(scanner->NextCell(&seen));
  EXPECT_EQ(seen.value, "value");
  EXPECT_EQ(seen.ttl_ms, 100);
  EXPECT_FALSE(scanner->NextCell(&seen));
  EXPECT_FALSE(scanner->NextCell(&seen));
  options.now_ms = 108;
  EXPECT_THAT(Scan(options), IsEmpty());
}

TEST_F(StoreScannerTest, ARowWithoutVisibleCellsIsStillARow) {
  Put("a", "", 9, CellType::kDeleteFamily);
  Put("a", "q", 8);
  Put("b", "q", 8);
  EXPECT_THAT(Rows({}), ElementsAre("a", "b"));
  EXPECT_THAT(Scan(), ElementsAre("b:q@8"));
}

// ---- what can no longer be seen is not stepped over cell by cell ----

class HotRowTest : public StoreScannerTest {
 protected:
  static constexpr int kColumns = 10;
  static constexpr int kVersions = 300;

  HotRowTest() { family_.max_versions = 1; }

  static std::string Column(int column) { return "q" + std::to_string(column); }
  void ExpectFewSteps() const {
    EXPECT_LE(counts_.nexts, 10 + 4 * kColumns);
    EXPECT_LE(counts_.seeks, 2 + 2 * kColumns);
  }
};

TEST_F(HotRowTest, SupersededVersions) {
  for (int c = 0; c < kColumns; ++c) {
    for (int v = 1; v <= kVersions; ++v) Put("a", Column(c), v);
  }
  EXPECT_THAT(Scan(), SizeIs(kColumns));
  ExpectFewSteps();
}

TEST_F(HotRowTest, MarkersOfColumnsAndWhatTheyMask) {
  for (int c = 0; c < kColumns; ++c) {
    for (int v = 1; v <= kVersions; ++v) Put("a", Column(c), v, v % 3 == 0 ? CellType::kPut : CellType::kDeleteColumn);
    Put("a", Column(c), kVersions + 1, CellType::kDeleteColumn);
  }
  EXPECT_THAT(Scan(), IsEmpty());
  ExpectFewSteps();
  for (int c = 0; c < kColumns; ++c) Put("a", Column(c), kVersions + 2);
  EXPECT_THAT(Scan(), SizeIs(kColumns));
  ExpectFewSteps();
}

TEST_F(HotRowTest, MarkersOfTheFamily) {
  for (int v = 1; v <= kVersions; ++v) {
    Put("a", "", v, CellType::kDeleteFamily);
    Put("a", "", v);
  }
  for (int c = 0; c < kColumns; ++c) {
    for (int v = 1; v <= kVersions + 1; ++v) Put("a", Column(c), v);
  }
  EXPECT_THAT(Scan(), SizeIs(kColumns));
  ExpectFewSteps();
}

// Markers of a family whose deleted cells a read of the past sees do not hide what is older than the read's range.
TEST_F(HotRowTest, AReadOfThePastSeesBehindLaterMarkers) {
  family_.keep_deleted_cells = KeepDeletedCells::kTrue;
  family_.max_versions = 1000;
  for (int v = 1; v <= kVersions; ++v) {
    Put("a", "", 2 * v, CellType::kDeleteFamily);
    Put("a", "q", 2 * v, CellType::kDeleteColumn);
    Put("a", "q", 2 * v + 1);
  }
  StoreScanOptions past;
  past.query.time_range = {0, 6};
  EXPECT_THAT(Scan(past), ElementsAre("a:q@5"));
  EXPECT_THAT(Scan(), ElementsAre("a:q@" + std::to_string(2 * kVersions + 1)));
}

TEST_F(StoreScannerTest, NextRowPassesUnreadCells) {
  for (int i = 0; i < 3; ++i) Put("a", "q" + std::to_string(i), 1);
  Put("b", "q", 1);
  const auto scanner = Open();
  CellView cell;
  ASSERT_TRUE(scanner->NextCell(&cell));
  scanner->NextRow();
  ASSERT_TRUE(scanner->Valid());
  EXPECT_EQ(scanner->row(), "b");
  ASSERT_TRUE(scanner->NextCell(&cell));
  EXPECT_EQ(cell.row, "b");
  scanner->NextRow();
  EXPECT_FALSE(scanner->Valid());
  EXPECT_FALSE(scanner->NextCell(&cell));
  scanner->NextRow();
  EXPECT_FALSE(scanner->Valid());
}

TEST_F(StoreScannerTest, OneColumnOfAWideRowIsSought) {
  Put("a", "", 3, CellType::kDeleteFamily);
  for (int i = 100; i < 600; ++i) {
    Put("a", "q" + std::to_string(i), i % 2 == 0 ? 9 : 3);
  }
  StoreScanOptions options;
  options.query.qualifiers = {"q300", "q301", "q500"};
  EXPECT_THAT(Scan(options, BoundsOfRow(RowOrder::kBytes, "a")), ElementsAre("a:q300@9", "a:q500@9"));
  EXPECT_LE(counts_.seeks, 3);
  EXPECT_LE(counts_.nexts, 40);
}

TEST_F(StoreScannerTest, ManyVersionsAreSoughtPast) {
  for (int i = 0; i < 1'000; ++i) Put("a", "q1", i);
  Put("a", "q2", 5);
  Put("b", "q1", 5);
  EXPECT_THAT(Scan(), ElementsAre("a:q1@999", "a:q2@5", "b:q1@5"));
  EXPECT_LE(counts_.nexts, 40);
}

// A scan must not leave the rows of few versions by seeks because it met one of many versions.
TEST_F(StoreScannerTest, ARowOfManyVersionsDoesNotMakeLaterRowsCostASeekEach) {
  family_.max_versions = 1;
  for (int i = 0; i < 1'000; ++i) Put("a", "q", i);
  for (int row = 100; row < 200; ++row) {
    for (int version = 0; version <= row % 3; ++version) Put("b" + std::to_string(row), "q", version);
  }
  constexpr int kSeeks = 1 + 2;  // out of the row of many versions, and out of the next two, which may have as many
  EXPECT_THAT(Rows({}), SizeIs(101));
  EXPECT_LE(counts_.seeks, kSeeks);
  EXPECT_THAT(Scan(), SizeIs(101));
  EXPECT_LE(counts_.seeks, kSeeks);
}

// Answers with a hint for every cell before `target`.
class HintFilter : public CellFilter {
 public:
  HintFilter(CellView target, bool backward) : target_(target), backward_(backward) {}
  FilterCode FilterCell(const CellView& cell) override {
    ++asked;
    if (cell.row == target_.row && (target_.qualifier.empty() || cell.qualifier >= target_.qualifier)) {
      return FilterCode::kInclude;
    }
    if (cell.row != target_.row && (cell.row > target_.row) != backward_) return FilterCode::kInclude;
    return FilterCode::kSeekNextUsingHint;
  }
  bool GetNextCellHint(const CellView&, CellView* hint) override {
    *hint = target_;
    return true;
  }
  int asked = 0;

 private:
  CellView target_;
  bool backward_;
};

TEST_F(StoreScannerTest, AHintLeadsToARow) {
  for (int i = 10; i < 90; ++i) {
    for (const char* qualifier : {"a", "b"}) Put("r" + std::to_string(i), qualifier, 1);
  }
  HintFilter forward({"r88", "", ""}, false);
  StoreScanOptions options;
  options.query.filter = &forward;
  EXPECT_THAT(Scan(options), ElementsAre("r88:a@1", "r88:b@1", "r89:a@1", "r89:b@1"));
  EXPECT_EQ(forward.asked, 5);

  HintFilter backward({"r11", "", ""}, true);
  options.query.filter = &backward;
  options.reversed = true;
  EXPECT_THAT(Scan(options), ElementsAre("r11:a@1", "r11:b@1", "r10:a@1", "r10:b@1"));
  EXPECT_EQ(backward.asked, 5);
}

TEST_F(StoreScannerTest, AHintLeadsToAColumn) {
  for (int i = 100; i < 600; ++i) Put("a", "q" + std::to_string(i), 1);
  HintFilter filter({"a", "f", "q598"}, false);
  StoreScanOptions options;
  options.query.filter = &filter;
  EXPECT_THAT(Scan(options), ElementsAre("a:q598@1", "a:q599@1"));
  EXPECT_EQ(filter.asked, 3);
  EXPECT_LE(counts_.nexts, 15);
}

TEST_F(StoreScannerTest, AHintIntoAnotherFamily) {
  Put("a", "q1", 1);
  Put("a", "q2", 1);
  HintFilter later({"a", "g", "q9"}, false);
  StoreScanOptions options;
  options.query.filter = &later;
  EXPECT_THAT(Scan(options), IsEmpty());
  EXPECT_EQ(later.asked, 1);  // nothing of this family lies behind the hint

  HintFilter earlier({"a", "e", "q9"}, false);
  options.query.filter = &earlier;
  EXPECT_THAT(Scan(options), IsEmpty());
  EXPECT_EQ(earlier.asked, 2);  // a hint that leads back counts as a skip
}

// Hints at one timestamp of the cell's column, as TimestampsFilter.
class TimestampHintFilter : public CellFilter {
 public:
  explicit TimestampHintFilter(int64_t wanted) : wanted_(wanted) {}
  FilterCode FilterCell(const CellView& cell) override {
    ++asked;
    if (cell.timestamp_ms == wanted_) return FilterCode::kInclude;
    return cell.timestamp_ms > wanted_ ? FilterCode::kSeekNextUsingHint : FilterCode::kNextCol;
  }
  bool GetNextCellHint(const CellView& cell, CellView* hint) override {
    *hint = cell;
    hint->timestamp_ms = wanted_;
    return true;
  }
  int asked = 0;

 private:
  int64_t wanted_;
};

TEST_F(StoreScannerTest, AHintLeadsToATimestamp) {
  family_.max_versions = 1'000;
  for (int i = 0; i < 500; ++i) Put("a", "q", i);
  Put("b", "q", 4);
  TimestampHintFilter filter(7);
  StoreScanOptions options;
  options.query.filter = &filter;
  EXPECT_THAT(Scan(options), ElementsAre("a:q@7"));
  EXPECT_EQ(filter.asked, 4);  // 499; 7; 6, which ends the column; and row b's
}

class LengthAsValueFilter : public CellFilter {
 public:
  FilterCode FilterCell(const CellView&) override { return FilterCode::kInclude; }
  bool GetNextCellHint(const CellView&, CellView*) override { return false; }
  CellView TransformCell(const CellView& cell) override {
    CellView transformed = cell;
    length_ = std::to_string(cell.value.size());
    transformed.value = length_;
    return transformed;
  }

 private:
  std::string length_;
};

TEST_F(StoreScannerTest, TheFilterTransformsWhatIsIncluded) {
  Put("a", "q", 1234);
  LengthAsValueFilter filter;
  StoreScanOptions options;
  options.query.filter = &filter;
  const auto scanner = Open(options);
  CellView cell;
  ASSERT_TRUE(scanner->NextCell(&cell));
  EXPECT_EQ(cell.value, "5");
}

TEST_F(StoreScannerTest, AMalformedCellIsAnErrorAndNotTheEnd) {
  Put("a", "q", 1);
  cells_["b no key"] = "";
  const auto scanner = Open();
  scanner->NextRow();
  EXPECT_FALSE(scanner->Valid());
  EXPECT_TRUE(absl::IsDataLoss(scanner->status()));

  cells_.clear();
  Put("a", "q", 1);
  cells_.begin()->second = "\x7f";  // no stored value
  const auto bad_value = Open();
  CellView cell;
  EXPECT_FALSE(bad_value->NextCell(&cell));
  EXPECT_FALSE(bad_value->Valid());
  EXPECT_TRUE(absl::IsDataLoss(bad_value->status()));
}

}  // namespace
}  // namespace vaquita
