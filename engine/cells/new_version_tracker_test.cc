#include "engine/cells/new_version_tracker.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace vaquita
