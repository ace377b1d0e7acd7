#include "engine/cells/new_version_tracker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace vaquita {
namespace {

class NewVersionTrackerTest : public ::testing::Test {
 protected:
  static CellView Cell(CellType type, int64_t timestamp_ms, std::string_view qualifier = "q") {
    CellView cell;
    cell.qualifier = qualifier;
    cell.type = type;
    cell.timestamp_ms = timestamp_ms;
    return cell;
  }
  void Mark(CellType type, int64_t timestamp_ms, int64_t sequence, std::string_view qualifier = "q") {
    tracker_.Add(Cell(type, timestamp_ms, qualifier), sequence);
  }
  bool Masked(int64_t timestamp_ms, int64_t sequence, std::string_view qualifier = "q") {
    return tracker_.Masks(Cell(CellType::kPut, timestamp_ms, qualifier), sequence);
  }

  NewVersionTracker tracker_{2};
};

TEST_F(NewVersionTrackerTest, AMarkerMasksWhatCameBeforeIt) {
  Mark(CellType::kDeleteColumn, 9, 5);
  EXPECT_FALSE(Masked(9, 6));
  EXPECT_TRUE(Masked(8, 4));
  EXPECT_FALSE(Masked(7, 7));
  EXPECT_FALSE(Masked(9, 1, "r")) << "another column";
}

TEST_F(NewVersionTrackerTest, AFamilysMarkerMasksAllColumns) {
  Mark(CellType::kDeleteFamily, 9, 5, "");
  EXPECT_TRUE(Masked(9, 4, ""));
  EXPECT_FALSE(Masked(8, 6, ""));
  EXPECT_TRUE(Masked(9, 4, "q"));
  EXPECT_FALSE(Masked(9, 6, "r"));
  tracker_.StartRow();
  EXPECT_FALSE(Masked(9, 4, "q"));
}

TEST_F(NewVersionTrackerTest, AFamilysMarkerMayComeAmongThePutsOfTheEmptyQualifier) {
  EXPECT_FALSE(Masked(9, 1, ""));
  Mark(CellType::kDeleteFamily, 5, 3, "");
  EXPECT_TRUE(Masked(5, 2, ""));
  EXPECT_FALSE(Masked(4, 4, ""));
  EXPECT_TRUE(Masked(4, 2, "q"));
}

TEST_F(NewVersionTrackerTest, OneVersionIsDeletedUntilItIsPutAgain) {
  Mark(CellType::kDelete, 5, 3);
  EXPECT_TRUE(Masked(5, 2));
  EXPECT_FALSE(Masked(4, 1));
  tracker_.StartRow();
  Mark(CellType::kDelete, 5, 3);
  EXPECT_FALSE(Masked(5, 4));
  tracker_.StartRow();
  Mark(CellType::kDeleteFamilyVersion, 5, 3, "");
  EXPECT_TRUE(Masked(5, 2, "a"));
  EXPECT_FALSE(Masked(5, 4, "b"));
  EXPECT_FALSE(Masked(4, 2, "b"));
}

TEST_F(NewVersionTrackerTest, DeletedVersionsCount) {
  // Three puts, then the newest is deleted: the oldest was one too many before.
  Mark(CellType::kDelete, 3, 4);
  EXPECT_TRUE(Masked(3, 3));
  EXPECT_FALSE(Masked(2, 2));
  EXPECT_TRUE(Masked(1, 1));
  tracker_.StartRow();
  // The oldest was put after that.
  Mark(CellType::kDelete, 3, 4);
  EXPECT_TRUE(Masked(3, 3));
  EXPECT_FALSE(Masked(2, 2));
  EXPECT_FALSE(Masked(1, 5));
}

TEST_F(NewVersionTrackerTest, CellsWithoutAnOrderAreMaskedByTimestamps) {
  Mark(CellType::kDeleteColumn, 9, 0);
  EXPECT_TRUE(Masked(9, 0));
  EXPECT_TRUE(Masked(8, 0));
  EXPECT_FALSE(Masked(7, 1));
}

TEST_F(NewVersionTrackerTest, TheGreatestNumberIsOneLikeOthers) {
  constexpr int64_t kGreatest = std::numeric_limits<int64_t>::max();
  Mark(CellType::kDelete, 5, kGreatest);
  EXPECT_TRUE(Masked(5, 2));
  EXPECT_FALSE(Masked(4, 1));
  tracker_.StartRow();
  Mark(CellType::kDeleteColumn, 9, kGreatest);
  Mark(CellType::kDeleteColumn, 8, kGreatest);
  Mark(CellType::kDelete, 9, kGreatest);
  EXPECT_TRUE(Masked(9, 2));
  EXPECT_TRUE(Masked(8, kGreatest));
  EXPECT_FALSE(Masked(7, 1, "r"));
}

// HBase's algorithm as it is: each deletion has the set of the puts that were visible before it.
class SetsTracker {
 public:
  explicit SetsTracker(size_t max_versions) : max_versions_(max_versions) { of_family_.emplace(kNever, Node()); }

  void Add(const CellView& cell, int64_t sequence) {
    if (cell.type == CellType::kDeleteFamily || cell.type == CellType::kDeleteFamilyVersion) {
      AddTo(&of_family_, cell, sequence);
      if (!in_column_) return;
    } else {
      EnterColumn(cell);
    }
    AddTo(&of_column_, cell, sequence);
  }

  bool Masks(const CellView& cell, int64_t sequence) {
    EnterColumn(cell);
    for (auto at = of_column_.lower_bound(sequence); at != of_column_.end(); ++at) {
      Node& node = at->second;
      int64_t until = kNever;
      if (const auto same_time = node.deletes.find(cell.timestamp_ms); same_time != node.deletes.end()) {
        const auto later = same_time->second.lower_bound(sequence);
        if (later != same_time->second.end()) until = *later;
      }
      for (auto puts = node.puts.lower_bound(sequence); puts != node.puts.end() && puts->first <= until; ++puts) {
        if (puts->second.size() >= max_versions_) return true;
        puts->second.insert(sequence);
      }
      if (until < kNever || cell.timestamp_ms <= node.timestamp_ms) return true;
    }
    return false;
  }

 private:
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
  using Sequences = std::set<int64_t>;
  struct Node {
    int64_t timestamp_ms = std::numeric_limits<int64_t>::min();
    std::map<int64_t, Sequences> deletes;
    std::map<int64_t, Sequences> puts = {{kNever, Sequences()}};
  };
  using Nodes = std::map<int64_t, Node>;

  void EnterColumn(const CellView& cell) {
    if (in_column_ && cell.qualifier == qualifier_) return;
    of_column_ = of_family_;
    in_column_ = true;
    qualifier_ = cell.qualifier;
  }
  static void AddTo(Nodes* nodes, const CellView& cell, int64_t sequence) {
    if (cell.type == CellType::kDeleteFamily || cell.type == CellType::kDeleteColumn) {
      Node node;
      node.timestamp_ms = cell.timestamp_ms;
      (*nodes)[sequence] = std::move(node);
      return;
    }
    Node& node = nodes->lower_bound(sequence)->second;
    node.deletes[cell.timestamp_ms].insert(sequence);
    const Sequences& next = node.puts.lower_bound(sequence)->second;
    node.puts[sequence] = Sequences(next.begin(), next.lower_bound(sequence));
  }

  const size_t max_versions_;
  Nodes of_family_, of_column_;
  bool in_column_ = false;
  std::string qualifier_;
};

struct Written {
  std::string qualifier;
  int64_t timestamp_ms;
  CellType type;
  int64_t sequence;
  auto Key() const { return std::tuple(qualifier, -timestamp_ms, -static_cast<int>(type)); }
};

// Returns up to `most` cells of a row in store order. Some writes have several cells.
std::vector<Written> RandomHistory(size_t most, std::minstd_rand* random) {
  const auto below = [random](size_t end) { return static_cast<int64_t>((*random)() % end); };
  static constexpr CellType kTypes[] = {
      CellType::kPut,          CellType::kPut,          CellType::kPut,
      CellType::kPut,          CellType::kDelete,       CellType::kDelete,
      CellType::kDeleteColumn, CellType::kDeleteFamily, CellType::kDeleteFamilyVersion};
  // Large histories have few markers, which leave many puts and deletions of versions.
  const size_t kinds = most > 100 && below(2) == 0 ? 6 : std::size(kTypes);
  const size_t writes = 1 + below(2 * most);
  const size_t columns = 1 + below(3);
  std::vector<Written> cells;
  for (size_t i = 0; i < most; ++i) {
    const CellType type = kTypes[below(kinds)];
    const bool of_family = type == CellType::kDeleteFamily || type == CellType::kDeleteFamilyVersion;
    cells.push_back({std::string(of_family ? 0 : below(columns), 'q'), below(most), type, below(writes)});
  }
  std::sort(cells.begin(), cells.end(), [](const Written& a, const Written& b) { return a.Key() < b.Key(); });
  const auto same = [](const Written& a, const Written& b) { return a.Key() == b.Key(); };
  cells.erase(std::unique(cells.begin(), cells.end(), same), cells.end());
  return cells;
}

TEST_F(NewVersionTrackerTest, AnswersAsTheSetsOfHBaseDo) {
  std::minstd_rand random(7);
  int masked = 0;
  int all = 0;
  for (int i = 0; i < 1'503; ++i) {
    const size_t most = i < 1'500 ? 1 + random() % 40 : 3'000;
    const int32_t max_versions = i % 3 == 0 ? std::numeric_limits<int32_t>::max() : 1 + random() % (most / 8 + 2);
    NewVersionTracker tracker(max_versions);
    SetsTracker sets(static_cast<size_t>(max_versions));
    for (const Written& written : RandomHistory(most, &random)) {
      const CellView cell = Cell(written.type, written.timestamp_ms, written.qualifier);
      if (IsDelete(written.type)) {
        tracker.Add(cell, written.sequence);
        sets.Add(cell, written.sequence);
        continue;
      }
      const bool expected = sets.Masks(cell, written.sequence);
      ASSERT_EQ(tracker.Masks(cell, written.sequence), expected)
          << "history " << i << ", " << written.qualifier << "@" << written.timestamp_ms << " #" << written.sequence;
      masked += expected;
      ++all;
    }
  }
  EXPECT_GT(masked, all / 4);
  EXPECT_LT(masked, all * 3 / 4);
}

// Sets of the puts would take a gigabyte here.
TEST_F(NewVersionTrackerTest, ManyDeletionsOfManyPutsTakeLittle) {
  constexpr int64_t kMany = 5'000;
  NewVersionTracker tracker(std::numeric_limits<int32_t>::max());
  for (int64_t i = kMany; i > 0; --i) tracker.Add(Cell(CellType::kDelete, kMany + i), 2 * i);
  for (int64_t i = kMany; i > 0; --i) EXPECT_FALSE(tracker.Masks(Cell(CellType::kPut, i), 2 * i - 1));
  tracker.StartRow();
  for (int64_t i = kMany; i > 0; --i) tracker.Add(Cell(CellType::kDeleteFamily, i, ""), i);
  for (int64_t i = kMany; i > 0; --i) {
    EXPECT_FALSE(tracker.Masks(Cell(CellType::kPut, kMany + i, std::to_string(i)), 0));
  }
}

}  // namespace
}  // namespace vaquita
