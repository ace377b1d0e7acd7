#include "engine/cells/delete_tracker.h"

#include <gtest/gtest.h>

namespace vaquita {
namespace {

using Mask = DeleteTracker::Mask;

TEST(DeleteTrackerTest, AFamilyMarkerMasksAllThatIsNotNewer) {
  DeleteTracker deletes;
  EXPECT_TRUE(deletes.empty());
  deletes.Add(CellType::kDeleteFamily, 10);
  deletes.StartColumn();
  EXPECT_FALSE(deletes.empty());
  EXPECT_EQ(deletes.MaskOf(11), Mask::kNone);
  EXPECT_EQ(deletes.MaskOf(10), Mask::kRestOfColumn);
  EXPECT_EQ(deletes.MaskOf(1), Mask::kRestOfColumn);
  deletes.StartRow();
  EXPECT_TRUE(deletes.empty());
  EXPECT_EQ(deletes.MaskOf(1), Mask::kNone);
}

TEST(DeleteTrackerTest, AFamilyVersionMarkerMasksOneTimestampOfEveryColumn) {
  DeleteTracker deletes;
  deletes.Add(CellType::kDeleteFamilyVersion, 9);
  deletes.Add(CellType::kDeleteFamilyVersion, 5);
  deletes.Add(CellType::kDeleteFamilyVersion, 2);
  for (int column = 0; column < 2; ++column) {
    deletes.StartColumn();
    EXPECT_EQ(deletes.MaskOf(9), Mask::kCell);
    EXPECT_EQ(deletes.MaskOf(8), Mask::kNone);
    EXPECT_EQ(deletes.MaskOf(5), Mask::kCell);
    EXPECT_EQ(deletes.MaskOf(2), Mask::kCell);
    EXPECT_EQ(deletes.MaskOf(1), Mask::kNone);
  }
}

TEST(DeleteTrackerTest, AColumnMarkerEndsWithItsColumn) {
  DeleteTracker deletes;
  deletes.Add(CellType::kDeleteColumn, 10);
  EXPECT_EQ(deletes.MaskOf(7), Mask::kRestOfColumn);
  deletes.Add(CellType::kDelete, 7);  // masks less than what is there already
  EXPECT_EQ(deletes.MaskOf(6), Mask::kRestOfColumn);
  deletes.StartColumn();
  EXPECT_TRUE(deletes.empty());
}

TEST(DeleteTrackerTest, AVersionMarkerMasksItsTimestampOnly) {
  DeleteTracker deletes;
  deletes.Add(CellType::kDelete, 10);
  EXPECT_EQ(deletes.MaskOf(10), Mask::kCell);
  EXPECT_EQ(deletes.MaskOf(9), Mask::kNone);
  deletes.Add(CellType::kDelete, 8);
  EXPECT_EQ(deletes.MaskOf(8), Mask::kCell);
  deletes.Add(CellType::kDeleteColumn, 6);
  EXPECT_EQ(deletes.MaskOf(6), Mask::kRestOfColumn);
}

}  // namespace
}  // namespace vaquita
