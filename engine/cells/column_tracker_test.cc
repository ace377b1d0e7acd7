#include "engine/cells/column_tracker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/cells/cell_key.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using Fate = CompactionTracker::Fate;

constexpr int64_t kNow = 1'000'000;

FamilyDescriptor Family(int32_t max_versions = 1) {
  FamilyDescriptor family;
  family.name = "f";
  family.max_versions = max_versions;
  return family;
}

CellView Put(std::string_view qualifier, int64_t timestamp_ms) {
  return {"r", "f", qualifier, timestamp_ms, CellType::kPut, "v"};
}
CellView Marker(CellType type, std::string_view qualifier, int64_t timestamp_ms) {
  return {"r", "f", qualifier, timestamp_ms, type, ""};
}

// Feeds one row's cells, all of them, and gives the verdicts.
std::vector<Verdict> Verdicts(ReadTracker* tracker, const std::vector<CellView>& cells) {
  std::vector<Verdict> verdicts;
  tracker->StartRow();
  for (size_t i = 0; i < cells.size(); ++i) {
    const bool new_column = i == 0 || cells[i].qualifier != cells[i - 1].qualifier;
    verdicts.push_back(tracker->Match(cells[i], new_column));
  }
  return verdicts;
}

TEST(ReadTrackerTest, VersionsAreTheLesserOfAskedAndKept) {
  const std::vector<CellView> cells = {Put("a", 3), Put("a", 2), Put("a", 1), Put("b", 1)};
  TrackerQuery query;
  query.max_versions = 2;
  ReadTracker asked(Family(5), query, kNow);
  EXPECT_THAT(Verdicts(&asked, cells),
              ElementsAre(Verdict::kInclude, Verdict::kIncludeNextCol, Verdict::kNextCol, Verdict::kInclude));
  query.max_versions = 5;
  ReadTracker kept(Family(1), query, kNow);
  EXPECT_THAT(Verdicts(&kept, cells),
              ElementsAre(Verdict::kIncludeNextCol, Verdict::kNextCol, Verdict::kNextCol, Verdict::kIncludeNextCol));
}

TEST(ReadTrackerTest, ARawReadSeesMarkersAndAsManyVersionsAsItAsks) {
  TrackerQuery query;
  query.raw = true;
  query.max_versions = 2;
  ReadTracker tracker(Family(1), query, kNow);
  EXPECT_THAT(
      Verdicts(&tracker, {Marker(CellType::kDeleteFamily, "", 9), Put("a", 3), Marker(CellType::kDelete, "a", 2),
                          Put("a", 2), Marker(CellType::kDelete, "a", 1), Put("a", 1)}),
      ElementsAre(Verdict::kInclude, Verdict::kInclude, Verdict::kInclude, Verdict::kInclude, Verdict::kInclude,
                  Verdict::kNextCol));
}

TEST(ReadTrackerTest, AskedColumnsLeadFromOneToTheNext) {
  TrackerQuery query;
  query.qualifiers = {"b", "d"};
  ReadTracker tracker(Family(3), query, kNow);
  tracker.StartRow();
  EXPECT_EQ(tracker.Match(Put("a", 1), true), Verdict::kNextCol);
  ASSERT_NE(tracker.NextQualifier(), nullptr);
  EXPECT_EQ(*tracker.NextQualifier(), "b");
  EXPECT_EQ(tracker.Match(Put("b", 1), true), Verdict::kIncludeNextCol);
  EXPECT_EQ(*tracker.NextQualifier(), "d");
  EXPECT_EQ(tracker.Match(Put("c", 1), true), Verdict::kNextCol);
  EXPECT_EQ(tracker.Match(Put("d", 1), true), Verdict::kIncludeNextRow);
  EXPECT_EQ(tracker.NextQualifier(), nullptr);
  EXPECT_EQ(tracker.Match(Put("d", 0), false), Verdict::kNextRow);
}

TEST(ReadTrackerTest, AskedColumnsThatAreMissingEndTheRow) {
  TrackerQuery query;
  query.qualifiers = {"b"};
  ReadTracker tracker(Family(), query, kNow);
  EXPECT_THAT(Verdicts(&tracker, {Put("c", 1)}), ElementsAre(Verdict::kNextRow));
}

TEST(ReadTrackerTest, OnlyAMarkerOfTheFamilyLeadsPastTheEmptyQualifier) {
  TrackerQuery query;
  query.qualifiers = {"", "q"};
  ReadTracker tracker(Family(), query, kNow);
  EXPECT_THAT(Verdicts(&tracker, {Put("", 9), Put("", 8), Marker(CellType::kDeleteFamily, "", 7), Put("q", 7)}),
              ElementsAre(Verdict::kInclude, Verdict::kSkip, Verdict::kNextCol, Verdict::kNextRow));
  EXPECT_THAT(Verdicts(&tracker, {Marker(CellType::kDeleteColumn, "", 9), Put("", 8),
                                  Marker(CellType::kDeleteFamilyVersion, "", 7), Put("q", 7), Put("q", 6)}),
              ElementsAre(Verdict::kSkip, Verdict::kSkip, Verdict::kSkip, Verdict::kSkip, Verdict::kIncludeNextRow));
}

TEST(ReadTrackerTest, AMarkerOfAColumnEndsIt) {
  ReadTracker tracker(Family(), {}, kNow);
  EXPECT_THAT(Verdicts(&tracker, {Marker(CellType::kDeleteColumn, "a", 9), Marker(CellType::kDelete, "b", 9),
                                  Put("b", 8), Marker(CellType::kDeleteColumn, "c", 1)}),
              ElementsAre(Verdict::kNextCol, Verdict::kSkip, Verdict::kIncludeNextCol, Verdict::kNextCol));
}

TEST(ReadTrackerTest, TimeRangeSkipsTheNewAndLeavesTheOld) {
  TrackerQuery query;
  query.time_range = {5, 8};
  ReadTracker tracker(Family(3), query, kNow);
  EXPECT_THAT(Verdicts(&tracker, {Put("a", 8), Put("a", 7), Put("a", 4)}),
              ElementsAre(Verdict::kSkip, Verdict::kIncludeNextCol, Verdict::kNextCol));
}

TEST(ReadTrackerTest, OnlyAFamilyThatKeepsDeletedCellsShowsThemToThePast) {
  const std::vector<CellView> cells = {Marker(CellType::kDeleteColumn, "a", 9), Put("a", 5)};
  TrackerQuery query;
  query.time_range = {0, 9};
  FamilyDescriptor family = Family();
  ReadTracker drops(family, query, kNow);
  EXPECT_THAT(Verdicts(&drops, cells), ElementsAre(Verdict::kNextCol, Verdict::kNextCol));
  family.keep_deleted_cells = KeepDeletedCells::kTrue;
  ReadTracker keeps(family, query, kNow);
  EXPECT_THAT(Verdicts(&keeps, cells), ElementsAre(Verdict::kSkip, Verdict::kIncludeNextCol));
}

TEST(ReadTrackerTest, TtlOfFamilyAndCell) {
  FamilyDescriptor family = Family(5);
  family.ttl_seconds = 10;
  TrackerQuery query;
  query.max_versions = 5;
  CellView short_lived = Put("a", kNow - 2'000);
  short_lived.ttl_ms = 1'999;
  CellView just_alive = Put("a", kNow - 2'500);
  just_alive.ttl_ms = 2'500;
  ReadTracker tracker(family, query, kNow);
  EXPECT_THAT(Verdicts(&tracker, {short_lived, just_alive, Put("a", kNow - 10'000), Put("a", kNow - 10'001)}),
              ElementsAre(Verdict::kSkip, Verdict::kInclude, Verdict::kInclude, Verdict::kNextCol));

  family.min_versions = 3;
  ReadTracker saved(family, query, kNow);
  EXPECT_THAT(Verdicts(&saved, {Put("a", kNow - 20'000), Put("a", 3), Put("a", 2), Put("a", 1)}),
              ElementsAre(Verdict::kInclude, Verdict::kInclude, Verdict::kInclude, Verdict::kNextCol));
}

// Answers from a list, and remembers what it was asked.
class ScriptedFilter : public CellFilter {
 public:
  explicit ScriptedFilter(std::vector<FilterCode> answers) : answers_(std::move(answers)) {}
  FilterCode FilterCell(const CellView& cell) override {
    asked.push_back(cell.timestamp_ms);
    return asked.size() <= answers_.size() ? answers_[asked.size() - 1] : FilterCode::kInclude;
  }
  bool GetNextCellHint(const CellView&, CellView*) override { return false; }
  bool FilterAllRemaining() override { return done; }

  std::vector<int64_t> asked;
  bool done = false;

 private:
  std::vector<FilterCode> answers_;
};

TEST(ReadTrackerTest, VersionsAreCountedAfterTheFilter) {
  ScriptedFilter filter({FilterCode::kSkip, FilterCode::kInclude, FilterCode::kInclude});
  TrackerQuery query;
  query.filter = &filter;
  ReadTracker tracker(Family(5), query, kNow);
  EXPECT_THAT(Verdicts(&tracker, {Put("a", 3), Put("a", 2), Put("a", 1)}),
              ElementsAre(Verdict::kSkip, Verdict::kInclude, Verdict::kNextCol));
  EXPECT_THAT(filter.asked, ElementsAre(3, 2, 1));
}

TEST(ReadTrackerTest, TheFilterIsNotAskedAboutWhatIsNotVisible) {
  ScriptedFilter filter({});
  TrackerQuery query;
  query.filter = &filter;
  query.max_versions = 2;
  query.time_range = {2, 9};
  ReadTracker tracker(Family(2), query, kNow);
  Verdicts(&tracker, {Put("a", 9), Marker(CellType::kDelete, "a", 8), Put("a", 8), Put("a", 7), Put("a", 6),
                      Put("a", 5), Put("b", 1)});
  EXPECT_THAT(filter.asked, ElementsAre(7, 6));
}

TEST(ReadTrackerTest, FilterAnswersMergeWithTheColumns) {
  const struct {
    FilterCode answer;
    Verdict within;   // more versions of the column may come
    Verdict at_last;  // the last version of the last column
  } cases[] = {
      {FilterCode::kInclude, Verdict::kInclude, Verdict::kIncludeNextRow},
      {FilterCode::kIncludeAndNextCol, Verdict::kIncludeNextCol, Verdict::kIncludeNextRow},
      {FilterCode::kIncludeAndSeekNextRow, Verdict::kIncludeNextRow, Verdict::kIncludeNextRow},
      {FilterCode::kSkip, Verdict::kSkip, Verdict::kNextRow},
      {FilterCode::kNextRow, Verdict::kNextRow, Verdict::kNextRow},
      {FilterCode::kSeekNextUsingHint, Verdict::kSeekHint, Verdict::kSeekHint},
      {FilterCode::kNextCol, Verdict::kNextRow, Verdict::kNextRow},  // there is no other column
  };
  for (const auto& c : cases) {
    ScriptedFilter first({c.answer}), second({FilterCode::kInclude, c.answer});
    TrackerQuery query;
    query.qualifiers = {"a"};
    query.max_versions = 2;
    query.filter = &first;
    ReadTracker within(Family(2), query, kNow);
    EXPECT_THAT(Verdicts(&within, {Put("a", 3)}), ElementsAre(c.within)) << static_cast<int>(c.answer);
    query.filter = &second;
    ReadTracker at_last(Family(2), query, kNow);
    EXPECT_THAT(Verdicts(&at_last, {Put("a", 3), Put("a", 2)}), ElementsAre(Verdict::kInclude, c.at_last))
        << static_cast<int>(c.answer);
  }
}

TEST(ReadTrackerTest, AFilterThatIsDoneEndsTheRowInItsMiddle) {
  ScriptedFilter filter({});
  TrackerQuery query;
  query.filter = &filter;
  ReadTracker tracker(Family(), query, kNow);
  tracker.StartRow();
  EXPECT_EQ(tracker.Match(Put("a", 1), true), Verdict::kIncludeNextCol);
  filter.done = true;
  EXPECT_EQ(tracker.Match(Put("b", 1), true), Verdict::kNextRow);
  EXPECT_THAT(filter.asked, ElementsAre(1));
}

// --- Compactions.

struct Compacted {
  std::vector<Fate> fates;
  std::vector<std::string> targets;  // where each kDropToSkip leads
};

Compacted Compact(CompactionTracker* tracker, const std::vector<CellView>& cells) {
  Compacted compacted;
  for (const CellView& cell : cells) {
    std::string key, value, skip_until;
    AppendCellKey({cell.row, cell.qualifier, cell.timestamp_ms, cell.type}, &key);
    AppendStoredValue(cell.value, cell.ttl_ms, &value);
    compacted.fates.push_back(tracker->Next(key, value, &skip_until));
    if (compacted.fates.back() == Fate::kDropToSkip) {
      EXPECT_GT(skip_until, key);
      compacted.targets.push_back(skip_until);
    }
  }
  return compacted;
}

std::vector<Fate> Fates(const FamilyDescriptor& family, CompactionScope scope, const std::vector<CellView>& cells) {
  CompactionTracker tracker(family, {}, scope, kNow);
  return Compact(&tracker, cells).fates;
}

TEST(CompactionTrackerTest, TellsWhyACellGoes) {
  using Reason = CompactionTracker::Reason;
  FamilyDescriptor family = Family(1);
  family.ttl_seconds = 10;
  CellView short_lived = Put("e", kNow - 100);
  short_lived.ttl_ms = 50;
  CompactionTracker tracker(family, {}, CompactionScope::kMajor, kNow);
  const auto reason = [&](const CellView& cell) {
    EXPECT_NE(Compact(&tracker, {cell}).fates[0], Fate::kKeep);
    return tracker.reason();
  };
  EXPECT_EQ(reason(Put("", kNow - 20'000)), Reason::kExpired);
  EXPECT_EQ(reason(Marker(CellType::kDeleteColumn, "a", kNow - 1)), Reason::kMarker);
  EXPECT_EQ(reason(Put("a", kNow - 1)), Reason::kDeleted);
  EXPECT_EQ(reason(Put("a", kNow - 2)), Reason::kDeleted);
  EXPECT_EQ(reason(Put("b", kNow - 20'000)), Reason::kExpired);
  EXPECT_EQ(Compact(&tracker, {Put("c", kNow - 1)}).fates[0], Fate::kKeep);
  EXPECT_EQ(reason(Put("c", kNow - 2)), Reason::kVersions);
  EXPECT_EQ(reason(Put("c", kNow - 3)), Reason::kVersions) << "the rest of the column";
  EXPECT_EQ(reason(short_lived), Reason::kCellExpired);
}

TEST(CompactionTrackerTest, MarkersGoInAMajorCompactionOnly) {
  const std::vector<CellView> cells = {Marker(CellType::kDeleteFamilyVersion, "", 3), Put("a", 9),
                                       Marker(CellType::kDelete, "a", 4), Put("a", 4), Put("a", 3)};
  for (const auto scope : {CompactionScope::kFlush, CompactionScope::kMinor}) {
    EXPECT_THAT(Fates(Family(3), scope, cells),
                ElementsAre(Fate::kKeep, Fate::kKeep, Fate::kKeep, Fate::kDrop, Fate::kDrop));
  }
  EXPECT_THAT(Fates(Family(3), CompactionScope::kMajor, cells),
              ElementsAre(Fate::kDrop, Fate::kKeep, Fate::kDrop, Fate::kDrop, Fate::kDrop));
}

TEST(CompactionTrackerTest, TheRestOfAColumnGoesAtOnce) {
  CompactionTracker tracker(Family(1), {}, CompactionScope::kMinor, kNow);
  const Compacted compacted = Compact(&tracker, {Put("a", 3), Put("a", 2), Put("a", 1), Put("b", 3),
                                                 Marker(CellType::kDeleteColumn, "c", 3), Put("c", 2), Put("d", 1)});
  EXPECT_THAT(compacted.fates, ElementsAre(Fate::kKeep, Fate::kDropToSkip, Fate::kDropToSkip, Fate::kKeep, Fate::kKeep,
                                           Fate::kDropToSkip, Fate::kKeep));
  for (const auto& [target, qualifier, next] :
       {std::tuple{compacted.targets[0], "a", "b"}, std::tuple{compacted.targets[2], "c", "d"}}) {
    std::string last_of_column;
    AppendCellKey({"r", qualifier, 0, CellType::kPut}, &last_of_column);
    EXPECT_GT(target, last_of_column);
    EXPECT_LT(target, ColumnPrefix("r", std::string(qualifier) + '\0'));
    EXPECT_LT(target, ColumnPrefix("r", next));
  }
}

TEST(CompactionTrackerTest, CellsOfTheEmptyQualifierGoOneByOneBecauseFamilyMarkersStandAmongThem) {
  EXPECT_THAT(
      Fates(Family(1), CompactionScope::kMinor,
            {Put("", 9), Put("", 8), Marker(CellType::kDeleteFamily, "", 7), Put("", 6), Put("a", 5), Put("a", 8)}),
      ElementsAre(Fate::kKeep, Fate::kDrop, Fate::kKeep, Fate::kDrop, Fate::kDropToSkip, Fate::kDropToSkip));
}

TEST(CompactionTrackerTest, KeepDeletedCellsKeepsMarkersAsLongAsVersionsLive) {
  FamilyDescriptor family = Family(1);
  family.keep_deleted_cells = KeepDeletedCells::kTrue;
  EXPECT_THAT(
      Fates(family, CompactionScope::kMajor,
            {Marker(CellType::kDeleteColumn, "a", 9), Put("a", 9), Put("a", 8), Put("b", 9), Put("b", 8),
             Marker(CellType::kDelete, "b", 7)}),
      ElementsAre(Fate::kKeep, Fate::kKeep, Fate::kDropToSkip, Fate::kKeep, Fate::kDropToSkip, Fate::kDropToSkip));
}

TEST(CompactionTrackerTest, KeepDeletedCellsTtlKeepsMarkersUntilTheyExpire) {
  FamilyDescriptor family = Family(5);
  family.keep_deleted_cells = KeepDeletedCells::kTtl;
  family.ttl_seconds = 10;
  family.min_versions = 1;
  const int64_t young = kNow - 1'000, old = kNow - 20'000;
  EXPECT_THAT(Fates(family, CompactionScope::kMajor,
                    {Marker(CellType::kDeleteColumn, "a", young), Put("a", young),
                     Marker(CellType::kDeleteColumn, "b", old), Put("b", old)}),
              ElementsAre(Fate::kKeep, Fate::kKeep, Fate::kDrop, Fate::kDropToSkip));
}

TEST(CompactionTrackerTest, ExpiredCellsGoEvenFromAFlush) {
  FamilyDescriptor family = Family(5);
  family.ttl_seconds = 10;
  CellView short_lived = Put("a", kNow - 100);
  short_lived.ttl_ms = 50;
  EXPECT_THAT(Fates(family, CompactionScope::kFlush, {short_lived, Put("a", kNow - 200), Put("a", kNow - 20'000)}),
              ElementsAre(Fate::kDrop, Fate::kKeep, Fate::kDropToSkip));
}

TEST(CompactionTrackerTest, CellsOutsideTheRangeGo) {
  const auto cell = [](std::string_view row) { return CellView{row, "f", "q", 1, CellType::kPut, "v"}; };
  CompactionTracker tracker(Family(), RowRange{"b", "d", true, false}, CompactionScope::kMinor, kNow);
  const Compacted compacted = Compact(&tracker, {cell("a"), cell("b"), cell("c"), cell("d"), cell("e")});
  EXPECT_THAT(compacted.fates,
              ElementsAre(Fate::kDropToSkip, Fate::kKeep, Fate::kKeep, Fate::kDropToSkip, Fate::kDropToSkip));
  EXPECT_EQ(compacted.targets[0], RowPrefix("b"));
  EXPECT_GT(compacted.targets[1], AfterRow(std::string(kMaxRowLength, '\xff')));
}

TEST(CompactionTrackerTest, StartedInTheMiddleOfARowItKeepsMore) {
  const std::vector<CellView> cells = {Marker(CellType::kDeleteFamily, "", 5), Put("a", 9), Put("a", 8), Put("a", 4),
                                       Put("b", 4)};
  const std::vector<Fate> whole = Fates(Family(2), CompactionScope::kMinor, cells);
  for (size_t first = 1; first < cells.size(); ++first) {
    const std::vector<Fate> part =
        Fates(Family(2), CompactionScope::kMinor, {cells.begin() + static_cast<ptrdiff_t>(first), cells.end()});
    for (size_t i = 0; i < part.size(); ++i) {
      EXPECT_TRUE(part[i] == Fate::kKeep || whole[first + i] != Fate::kKeep) << first << " " << i;
    }
  }
}

TEST(CompactionTrackerTest, WhatItCannotReadItKeeps) {
  CompactionTracker tracker(Family(), {}, CompactionScope::kMajor, kNow);
  std::string skip_until;
  EXPECT_EQ(tracker.Next("no key", "", &skip_until), Fate::kKeep);
  const std::string only_suffix = std::string(8, '\xff') + static_cast<char>(CellType::kPut);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(tracker.Next(only_suffix, "", &skip_until), Fate::kKeep);
  EXPECT_THAT(Compact(&tracker, {Put("a", 2), Put("a", 1)}).fates, ElementsAre(Fate::kKeep, Fate::kDropToSkip));
}

}  // namespace
}  // namespace vaquita
