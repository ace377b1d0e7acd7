// HBase's own filters have run over the same tables (region/testdata/filter_cases.txt); ours must give the same
// answers, cell by cell.
#include "region/filter/filter.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/absl_text.h"
#include "base/status.h"
#include "region/testdata/case_text.h"
#include "region/testdata/filter_text.h"

namespace vaquita {
namespace {

constexpr std::string_view kFamilies[] = {"a", "b"};

// The order of a row's cells.
bool IsBeforeInRow(const CellView& a, const CellView& b) {
  if (a.family != b.family) return a.family < b.family;
  if (a.qualifier != b.qualifier) return a.qualifier < b.qualifier;
  return a.timestamp_ms > b.timestamp_ms;
}

using Row = std::vector<Cell>;

// One pass over a table, each family a scanner of its own that obeys the filter's answers; writes down what happens.
class LoggedScan {
 public:
  LoggedScan(const std::vector<Row>& rows, Filter* filter, bool reversed)
      : rows_(rows), filter_(*filter), reversed_(reversed) {}

  std::string Run() {
    log_ = filter_.HasFilterRow() ? "F" : "-";
    for (const std::string_view family : kFamilies) log_ += filter_.IsFamilyEssential(family) ? "E" : "-";
    for (size_t i = 0; i < rows_.size(); ++i) {
      const size_t index = reversed_ ? rows_.size() - 1 - i : i;
      const std::vector<CellView> row = Visible(rows_[index]);
      if (row.empty()) continue;
      if (filter_.FilterAllRemaining()) return log_ + " end";
      log_ += " " + std::to_string(index);
      filter_.Reset();
      if (filter_.FilterAllRemaining() || filter_.FilterRowKey(row[0].row)) {
        log_ += "x";
      } else {
        ScanRow(row);
      }
    }
    return log_;
  }

 private:
  struct Kept {
    size_t index;
    std::string value;
  };

  bool IsBefore(std::string_view a, std::string_view b) const { return reversed_ ? a > b : a < b; }

  std::vector<CellView> Visible(const Row& row) const {
    std::vector<CellView> visible;
    for (const Cell& cell : row) {
      const auto& resume = resume_row_[cell.family == kFamilies[0] ? 0 : 1];
      if (!resume || !IsBefore(cell.row, *resume)) visible.push_back(cell.view());
    }
    return visible;
  }

  void ScanRow(const std::vector<CellView>& row) {
    std::vector<Kept> included;
    log_ += "[";
    for (size_t family = 0; family < 2; ++family) ScanFamily(family, row, &included);
    log_ += "]";
    std::vector<bool> keep(included.size(), true);
    if (filter_.HasFilterRow()) {
      std::vector<CellView> cells;
      for (const Kept& k : included) {
        cells.push_back(row[k.index]);
        cells.back().value = k.value;
      }
      filter_.FilterRowCells(cells, &keep);
    }
    std::string kept;
    for (size_t i = 0; i < included.size(); ++i) {
      if (!keep[i]) continue;
      if (!kept.empty()) kept += ",";
      kept += std::to_string(included[i].index);
      if (included[i].value != row[included[i].index].value) kept += "=" + cases::Token(included[i].value);
    }
    log_ += !kept.empty() && filter_.FilterRow() ? "!" : "{" + kept + "}";
  }

  void ScanFamily(size_t family, const std::vector<CellView>& row, std::vector<Kept>* included) {
    size_t i = 0;
    while (i < row.size() && row[i].family != kFamilies[family]) ++i;
    size_t end = i;
    while (end < row.size() && row[end].family == kFamilies[family]) ++end;
    while (i < end) {
      // The filter sees bytes that are gone afterwards, as a scanner's are.
      const Cell copy(row[i]);
      const FilterCode code = filter_.FilterCell(copy.view());
      static constexpr char kLetters[] = "ICRscrh";
      log_ += kLetters[static_cast<int>(code)];
      if (code == FilterCode::kInclude || code == FilterCode::kIncludeAndNextCol ||
          code == FilterCode::kIncludeAndSeekNextRow) {
        included->push_back({i, std::string(filter_.TransformCell(copy.view()).value)});
      }
      i = Next(family, row, i, end, code);
    }
  }

  size_t Next(size_t family, const std::vector<CellView>& row, size_t i, size_t end, FilterCode code) {
    switch (code) {
      case FilterCode::kInclude:
      case FilterCode::kSkip:
        return i + 1;
      case FilterCode::kNextCol:
      case FilterCode::kIncludeAndNextCol: {
        const std::string_view qualifier = row[i].qualifier;
        while (i < end && row[i].qualifier == qualifier) ++i;
        return i;
      }
      case FilterCode::kNextRow:
      case FilterCode::kIncludeAndSeekNextRow:
        return end;
      case FilterCode::kSeekNextUsingHint:
        break;
    }
    return Seek(family, row, i, end);
  }

  size_t Seek(size_t family, const std::vector<CellView>& row, size_t i, size_t end) {
    CellView hint;
    if (!filter_.GetNextCellHint(row[i], &hint)) {
      log_ += "<>";
      return i + 1;
    }
    log_ += "<" + cases::Token(hint.row) + "/" + cases::Token(hint.family) + "/" + cases::Token(hint.qualifier);
    if (hint.timestamp_ms != kLatestTimestamp) log_ += "/" + std::to_string(hint.timestamp_ms);
    log_ += ">";
    if (hint.row != row[i].row) {
      if (!IsBefore(row[i].row, hint.row)) return i + 1;  // not ahead
      resume_row_[family] = std::string(hint.row);
      return end;
    }
    ++i;
    while (i < end && IsBeforeInRow(row[i], hint)) ++i;
    return i;
  }

  const std::vector<Row>& rows_;
  Filter& filter_;
  const bool reversed_;
  std::string log_;
  std::optional<std::string> resume_row_[2];  // per family, where a hint led
};

TEST(FilterTest, AnswersAsHBasesOwn) {
  const std::vector<std::string> lines = cases::Lines("filter_cases.txt");
  std::vector<Row> rows;
  int failures = 0;
  for (size_t i = 0; i < lines.size() && failures < 10; ++i) {
    if (lines[i] == "table") {
      rows.clear();
      while (lines[i + 1].starts_with(' ')) {
        const std::vector<std::string> words = cases::Words(lines[++i]);
        Cell cell;
        cell.row = cases::Bytes(words.at(0));
        cell.family = cases::Bytes(words.at(1));
        cell.qualifier = cases::Bytes(words.at(2));
        cell.timestamp_ms = std::stoll(words.at(3));
        cell.value = cases::Bytes(words.at(4));
        if (rows.empty() || rows.back()[0].row != cell.row) rows.emplace_back();
        rows.back().push_back(cell);
      }
      continue;
    }
    const bool reversed = lines[i].starts_with("reversed ");
    const std::string text = lines[i].substr(lines[i].find(' ') + 1);
    const std::string expected = lines[++i].substr(2);
    auto filter = MakeFilter(cases::ReadFilter(text), reversed);
    ASSERT_TRUE(filter.ok()) << text << ": " << filter.status();
    const std::string outcome = LoggedScan(rows, filter->get(), reversed).Run();
    EXPECT_EQ(outcome, expected) << (reversed ? "reversed " : "") << text << ", table with " << rows.size()
                                 << " rows before line " << i;
    failures += outcome != expected;
  }
}

std::string ErrorOf(const FilterSpec& spec) {
  const auto filter = MakeFilter(spec);
  return std::string(StdText(filter.status().message()));
}

TEST(FilterTest, RefusesWhatHBasesConstructorsRefuse) {
  EXPECT_EQ(ErrorOf({ColumnCountGetFilterSpec{-1}}), "limit be positive -1");
  EXPECT_EQ(ErrorOf({ColumnPaginationFilterSpec{-2, 0, {}}}), "limit must be positive -2");
  EXPECT_EQ(ErrorOf({ColumnPaginationFilterSpec{1, -3, {}}}), "offset must be positive -3");
  EXPECT_EQ(ErrorOf({PageFilterSpec{-4}}), "must be positive -4");
  EXPECT_EQ(ErrorOf({TimestampsFilterSpec{{1, -5}}}), "must be positive -5");
  EXPECT_EQ(ErrorOf({MultipleColumnPrefixFilterSpec{{"a", "b", "a"}}}), "prefixes must be distinct");
  EXPECT_EQ(ErrorOf({FuzzyRowFilterSpec{{{"ab", std::string(1, '\0')}}}}),
            "Fuzzy pair lengths do not match: {ab,\\x00}");
  EXPECT_EQ(ErrorOf({MultiRowRangeFilterSpec{}}), "No ranges found.");
  EXPECT_EQ(ErrorOf({MultiRowRangeFilterSpec{{{"b", "a"}}}}),
            "1 invaild ranges.\nInvalid range: start row => b, stop row => a\n");
}

TEST(FilterTest, RefusesAPatternThatIsNone) {
  CompareFilterSpec spec;
  spec.comparator.type = ComparatorSpec::Type::kRegex;
  spec.comparator.bytes = "a(b";
  const auto filter = MakeFilter({spec});
  EXPECT_TRUE(IsError(filter.status(), ErrorKind::kDoNotRetryIO)) << filter.status();
  // Also where it stands inside others.
  EXPECT_FALSE(MakeFilter({FilterListSpec{FilterListSpec::Operator::kMustPassOne, {{SkipFilterSpec{{{spec}}}}}}}).ok());
}

CompareFilterSpec ByRegex(std::string_view pattern) {
  CompareFilterSpec spec;
  spec.what = CompareFilterSpec::What::kValue;
  spec.comparator.type = ComparatorSpec::Type::kRegex;
  spec.comparator.bytes = pattern;
  return spec;
}

// Fails for a value of any other length than 8.
CompareFilterSpec ByLong() {
  CompareFilterSpec spec;
  spec.what = CompareFilterSpec::What::kValue;
  spec.comparator = {ComparatorSpec::Type::kLong, std::string(8, '\0')};
  return spec;
}

// Each of the expressions behind the member that fails would take all of the time, and give its own error.
TEST(FilterTest, AListStopsWhenAMemberFailed) {
  CellView cell;
  const std::string value = std::string(30, 'a') + "!";
  cell.value = value;
  for (const auto op : {FilterListSpec::Operator::kMustPassOne, FilterListSpec::Operator::kMustPassAll}) {
    const FilterListSpec inner{op, {{ByLong()}, {ByRegex("^(a|aa|a?a)+$(?<!x)")}}};
    const FilterListSpec list{op, {{inner}, {ByRegex("^(a|aa|a?a)+$(?<!y)")}}};
    const auto filter = MakeFilter({list}).value();
    filter->FilterCell(cell);
    EXPECT_EQ(filter->FilterCell(cell), FilterCode::kNextRow);
    EXPECT_TRUE(filter->FilterRowKey("row"));
    EXPECT_TRUE(IsError(filter->status(), ErrorKind::kDoNotRetryIO)) << filter->status();
    EXPECT_NE(filter->status().message().find("LongComparator"), std::string::npos) << filter->status();
  }
}

TEST(FilterTest, APartOfAListHasTheTimeOfTheList) {
  // Each takes some 10 ms, so that one list of them takes more than all have.
  const std::string value = std::string(14, 'a') + "!";
  CellView cell;
  cell.value = value;
  FilterListSpec list{FilterListSpec::Operator::kMustPassOne, {}};
  const auto filter_of = [&](size_t members) {
    while (list.filters.size() < members) list.filters.push_back({ByRegex("^(a|aa|a?a)+$(?<!x)")});
    return MakeFilter({FilterListSpec{FilterListSpec::Operator::kMustPassAll, {{list}}}}).value();
  };
  const auto one = filter_of(1);
  for (int i = 0; i < 20; ++i) one->FilterCell(cell);
  EXPECT_TRUE(one->status().ok()) << "each cell has all of the time" << one->status();
  const auto many = filter_of(500);
  many->FilterCell(cell);
  EXPECT_TRUE(IsError(many->status(), ErrorKind::kDoNotRetryIO)) << many->status();
}

TEST(FilterTest, PartsOfAFilterAreBounded) {
  const auto refused = [](const FilterSpec& spec) {
    const absl::Status error = MakeFilter(spec).status();
    if (!error.ok()) {
      EXPECT_TRUE(IsError(error, ErrorKind::kDoNotRetryIO)) << error;
      EXPECT_NE(error.message().find("at most 100000 parts, and this one has "), std::string::npos) << error;
    }
    return !error.ok();
  };
  EXPECT_FALSE(refused({TimestampsFilterSpec{std::vector<int64_t>(99'999)}}));
  EXPECT_TRUE(refused({TimestampsFilterSpec{std::vector<int64_t>(100'000)}}));
  EXPECT_TRUE(refused({FuzzyRowFilterSpec{{100'000, {"a", std::string(1, '\0')}}}}));
  EXPECT_TRUE(refused({FirstKeyValueMatchingQualifiersFilterSpec{std::vector<std::string>(100'000)}}));
  EXPECT_TRUE(refused({ByRegex(std::string(100'000, 'a'))}));
  FilterListSpec list;
  list.filters.assign(981, {ByRegex("a")});  // of 102 parts each
  EXPECT_TRUE(refused({SkipFilterSpec{{{list}}}}));
  list.filters.pop_back();
  EXPECT_FALSE(refused({SkipFilterSpec{{{list}}}}));
}

// A hundred thousand keys and rows of 32 KB would take all of a server's memory.
TEST(FilterTest, AFuzzyFilterDoesNotKeepALongRowForEachKey) {
  constexpr size_t kKeys = 3'000;
  const std::string key("\0z", 2);
  const std::string free_first("\1\0", 2);
  const std::string row(30'000, 'a');
  const auto in_use = [] { return mallinfo2().uordblks; };  // 0 if a sanitizer has its own memory
  for (const bool reversed : {false, true}) {
    const auto filter = MakeFilter({FuzzyRowFilterSpec{{kKeys, {key, free_first}}}}).value();
    filter->set_reversed(reversed);
    const size_t before = in_use();
    CellView cell;
    cell.row = row;
    ASSERT_EQ(filter->FilterCell(cell), FilterCode::kSeekNextUsingHint);
    CellView hint;
    ASSERT_TRUE(filter->GetNextCellHint(cell, &hint));
    EXPECT_EQ(hint.row, reversed ? "`z" + std::string(row.size() - 2, '\xFF') : "az");
    EXPECT_LT(in_use() - before, 10 * kKeys * (key.size() + row.size()) / 100);
  }
}

// Goes through all rows of up to four bytes of 'a', 'b' and 0xFF. A row shorter than a pattern is not compared: it is
// passed if the scan meets it, but a hint may pass it by, as HBase's does.
TEST(FilterTest, AFuzzyFilterReadsBackwardsWhatItReadsForwards) {
  const std::string bytes = "ab\xFF";
  std::vector<std::string> rows = {""};
  for (size_t i = 0; i < rows.size(); ++i) {
    for (const char byte : bytes) {
      if (rows[i].size() < 4) rows.push_back(rows[i] + byte);
    }
  }
  rows.erase(rows.begin());
  std::sort(rows.begin(), rows.end());
  const FuzzyRowFilterSpec spec = {
      {{"ab", std::string("\1\0", 2)}, {"\xFF", std::string(1, '\0')}, {"bba", std::string("\0\1\0", 3)}}};
  const auto read = [&](bool reversed) {
    const auto filter = MakeFilter({spec}).value();
    filter->set_reversed(reversed);
    std::vector<std::string> fitting;
    std::string from;
    bool skips = false;
    for (const std::string& row : rows) {
      if (skips && (reversed ? row > from : row < from)) continue;
      filter->Reset();
      CellView cell;
      cell.row = row;
      if (filter->FilterCell(cell) == FilterCode::kInclude) {
        if (row.size() >= 3) fitting.push_back(row);
        continue;
      }
      CellView hint;
      if (!filter->GetNextCellHint(cell, &hint)) break;
      EXPECT_TRUE(reversed ? hint.row < row : hint.row > row) << row << " " << hint.row;
      from = hint.row;
      skips = true;
    }
    return fitting;
  };
  const std::vector<std::string> forwards = read(false);
  EXPECT_GT(forwards.size(), 40U);
  std::reverse(rows.begin(), rows.end());
  std::vector<std::string> backwards = read(true);
  std::reverse(backwards.begin(), backwards.end());
  EXPECT_EQ(backwards, forwards);
}

TEST(FilterTest, RandomRowsComeAboutAsOftenAsAsked) {
  auto filter = MakeFilter({RandomRowFilterSpec{0.25F}}).value();
  int passed = 0;
  for (int i = 0; i < 10'000; ++i) {
    filter->Reset();
    passed += !filter->FilterRowKey("row");
  }
  EXPECT_GT(passed, 2'000);
  EXPECT_LT(passed, 3'000);
  for (const float sure : {-1.F, 2.F}) {
    filter = MakeFilter({RandomRowFilterSpec{sure}}).value();
    for (int i = 0; i < 100; ++i) EXPECT_EQ(filter->FilterRowKey("row"), sure < 0);
  }
}

TEST(FilterTest, FilterAllEndsTheScanAtOnce) {
  EXPECT_TRUE(MakeFilter({FilterAllSpec{}}).value()->FilterAllRemaining());
}

}  // namespace
}  // namespace vaquita
