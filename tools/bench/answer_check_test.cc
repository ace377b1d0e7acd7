#include "tools/bench/answer_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/big_endian.h"
#include "tools/bench/row_values.h"

namespace vaquita::bench {
namespace {

using ::testing::HasSubstr;

// A table of ten rows with two columns of 20 bytes, in the order of their numbers.
class AnswerCheckTest : public ::testing::Test {
 protected:
  AnswerCheckTest() {
    workload_.rows = 10;
    workload_.fields = 2;
    workload_.field_bytes = 20;
    workload_.hashed_keys = false;
    workload_.key_prefix = "r";
    Make();
  }
  void Make(bool rows_are_new = true) {
    keys_ = *RowKeys::Make(workload_, 42);
    auto check = AnswerCheck::Make(&workload_, *keys_, rows_are_new);
    ASSERT_TRUE(check.ok()) << check.status();
    check_ = *std::move(check);
  }
  Cell MakeCell(uint64_t row, int field, uint64_t tag) const {
    Cell cell;
    cell.row = "r" + std::to_string(row);
    cell.family = workload_.family;
    cell.qualifier = "field" + std::to_string(field);
    cell.value = MakeValue(cell.row, field, tag, 20, 0);
    return cell;
  }
  client::Result RowOf(uint64_t row, uint64_t tag) const {
    client::Result result;
    result.cells = {MakeCell(row, 0, tag), MakeCell(row, 1, tag)};
    return result;
  }
  std::string Get(uint64_t row, const client::Result& result) {
    return check_->CheckGet(row, "r" + std::to_string(row), kAllFields, result);
  }
  // Returns the first thing that is wrong with these rows as the answer to a scan.
  std::string ScanOf(const std::vector<uint64_t>& rows, const std::string& start, const std::string& stop,
                     int64_t limit) {
    AnswerCheck::ScanCheck scan(check_.get(), start, stop, limit);
    for (const uint64_t row : rows) {
      if (std::string wrong = scan.Row(RowOf(row, 0)); !wrong.empty()) return wrong;
    }
    return scan.End();
  }

  Workload workload_;
  std::optional<RowKeys> keys_;
  std::unique_ptr<AnswerCheck> check_;
};

// Nobody knows what an earlier run left in a row, but it stays until somebody writes.
TEST_F(AnswerCheckTest, TheFirstReadOfARowOfAnEarlierRunSaysWhatTheNextReadsAre) {
  Make(/*rows_are_new=*/false);
  EXPECT_EQ(Get(1, RowOf(1, 77)), "");
  EXPECT_EQ(Get(1, RowOf(1, 77)), "");
  EXPECT_THAT(Get(1, RowOf(1, 78)), HasSubstr("is of write 78, not 77"));
  EXPECT_EQ(Get(2, {}), "");
  EXPECT_THAT(Get(2, RowOf(2, 77)), HasSubstr("never written, and is there"));
  check_->Wrote(3, kAllFields, 5, /*done=*/true);
  EXPECT_THAT(Get(3, {}), HasSubstr("is not there"));
}

TEST_F(AnswerCheckTest, ALoadedRowHasItsValues) {
  EXPECT_EQ(Get(3, RowOf(3, 0)), "");
  EXPECT_THAT(Get(3, {}), HasSubstr("row 'r3': field0 is not there"));
  EXPECT_THAT(Get(3, RowOf(4, 0)), HasSubstr("row 'r3' has a cell of row 'r4'"));
  EXPECT_THAT(Get(3, RowOf(3, 9)), HasSubstr("field0 is of write 9, not 0"));
  client::Result damaged = RowOf(3, 0);
  damaged.cells[1].value[15] = static_cast<char>(damaged.cells[1].value[15] ^ 1);
  EXPECT_THAT(Get(3, damaged), HasSubstr("field1 has a value that was never written to it"));
  client::Result cut = RowOf(3, 0);
  cut.cells[0].value.resize(19);
  EXPECT_THAT(Get(3, cut), HasSubstr("field0 has 19 bytes, not 20"));
  client::Result twice = RowOf(3, 0);
  twice.cells[1] = twice.cells[0];
  EXPECT_THAT(Get(3, twice), HasSubstr("has field0 twice"));
  client::Result other = RowOf(3, 0);
  other.cells[0].qualifier = "field7";
  EXPECT_THAT(Get(3, other), HasSubstr("has a column 'field7'"));
}

TEST_F(AnswerCheckTest, AnAcknowledgedWriteIsSeenAndAFailedOneMayBe) {
  check_->Wrote(3, 0, 7, /*done=*/true);
  client::Result seen = RowOf(3, 0);
  EXPECT_THAT(Get(3, seen), HasSubstr("field0 is of write 0, not 7"));
  seen.cells[0] = MakeCell(3, 0, 7);
  EXPECT_EQ(Get(3, seen), "");
  check_->Wrote(3, 0, 8, /*done=*/false);
  EXPECT_EQ(Get(3, seen), "");
  seen.cells[0] = MakeCell(3, 0, 8);
  EXPECT_EQ(Get(3, seen), "");
}

TEST_F(AnswerCheckTest, ADeletedRowIsGone) {
  check_->Deleted(3, /*done=*/true);
  EXPECT_EQ(Get(3, {}), "");
  EXPECT_THAT(Get(3, RowOf(3, 0)), HasSubstr("was deleted, or never written, and is there"));
}

TEST_F(AnswerCheckTest, CountersCountAndAppendsAppend) {
  const auto answer = [&](std::string_view qualifier, const std::string& value) {
    client::Result result;
    Cell& cell = result.cells.emplace_back(MakeCell(1, 0, 0));
    cell.qualifier = qualifier;
    cell.value = value;
    return result;
  };
  const auto counter = [&](uint64_t number) {
    std::string value;
    AppendBigEndian(number, &value);
    return answer(kCounterColumn, value);
  };
  EXPECT_EQ(check_->CheckIncrement(1, "r1", counter(1), true), "");
  EXPECT_THAT(check_->CheckIncrement(1, "r1", counter(3), true), HasSubstr("went from 1 to 3"));
  EXPECT_EQ(check_->CheckIncrement(1, "r1", {}, false), "");
  EXPECT_EQ(check_->CheckIncrement(1, "r1", counter(9), true), "");  // nobody knows whether the failed one was done
  EXPECT_THAT(check_->CheckIncrement(1, "r1", {}, true), HasSubstr("no counter of 8 bytes"));
  EXPECT_EQ(check_->CheckAppend(1, "r1", answer(kAppendedColumn, "r1"), true), "");
  EXPECT_EQ(check_->CheckAppend(1, "r1", answer(kAppendedColumn, "r1r1"), true), "");
  EXPECT_THAT(check_->CheckAppend(1, "r1", answer(kAppendedColumn, "r1r1"), true),
              HasSubstr("made 4 bytes of 4 and 2"));
}

TEST_F(AnswerCheckTest, AScanHasAllRowsInOrder) {
  EXPECT_EQ(ScanOf({2, 3, 4}, "r2", "", 3), "");
  EXPECT_EQ(ScanOf({8, 9}, "r8", "", 3), "");
  EXPECT_EQ(ScanOf({2, 3}, "r2", "r4", -1), "");
  EXPECT_THAT(ScanOf({2, 4, 5}, "r2", "", 3), HasSubstr("row 'r3' is missing"));
  EXPECT_THAT(ScanOf({3, 4}, "r2", "", 2), HasSubstr("row 'r2' is missing"));
  EXPECT_THAT(ScanOf({2, 3}, "r2", "", 3), HasSubstr("row 'r4' is missing"));
  EXPECT_THAT(ScanOf({}, "r2", "r4", -1), HasSubstr("row 'r2' is missing"));
  EXPECT_THAT(ScanOf({2, 3, 3}, "r2", "", 3), HasSubstr("came behind row 'r3'"));
  EXPECT_THAT(ScanOf({2, 3, 4}, "r2", "", 2), HasSubstr("a scan of 2 rows returned one more"));
  EXPECT_THAT(ScanOf({1, 2}, "r2", "", 2), HasSubstr("came in a scan from row 'r2'"));
  EXPECT_THAT(ScanOf({2, 3, 4}, "r2", "r4", -1), HasSubstr("came in a scan to row 'r4'"));
}

TEST_F(AnswerCheckTest, AReversedScanToo) {
  workload_.reversed = true;
  EXPECT_EQ(ScanOf({4, 3, 2}, "r4", "", 3), "");
  EXPECT_EQ(ScanOf({1, 0}, "r1", "", 3), "");
  EXPECT_THAT(ScanOf({4, 2}, "r4", "", 2), HasSubstr("row 'r3' is missing"));
  EXPECT_THAT(ScanOf({9, 8}, "", "", 3), HasSubstr("row 'r7' is missing"));
  EXPECT_THAT(ScanOf({8}, "", "", 1), HasSubstr("row 'r9' is missing"));
  EXPECT_THAT(ScanOf({3, 4}, "r4", "", 2), HasSubstr("row 'r4' is missing"));
}

TEST_F(AnswerCheckTest, RowsWithTheSameKeyCannotBeChecked) {
  workload_.design = "text(id % 5)";
  workload_.records = "id=sequence()";
  keys_ = *RowKeys::Make(workload_, 42);
  const absl::Status status = AnswerCheck::Make(&workload_, *keys_, true).status();
  EXPECT_THAT(std::string(status.message()), HasSubstr("two rows have the key '0'"));
}

}  // namespace
}  // namespace vaquita::bench
