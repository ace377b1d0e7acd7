// Tests the findings of checks in hand-made pictures.
#include "server/fsck/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace vaquita::fsck {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kHome = "a,1,1";

class CheckTest : public ::testing::Test {
 protected:
  CheckTest() {
    auto table = std::make_shared<TableDescriptor>();
    table->name.qualifier = "t";
    table->families["f"].name = "f";
    picture_.descriptors[table->name] = table;
    picture_.states[table->name] = TableState::kEnabled;
    picture_.is_stopped = true;
  }

  static RegionInfo Info(const std::string& start, const std::string& end, int64_t id = 1) {
    return {.table = {"default", "t"}, .start_key = start, .end_key = end, .id = id};
  }
  MetaTable::Row& AddRow(const RegionInfo& info, const std::string& home = kHome) {
    MetaTable::Row& row = picture_.rows.emplace_back();
    row.key = info.Name();
    row.region = {info, RegionState::kOpen, home, home};
    picture_.known_regions.emplace(info.EncodedName(), info);
    return row;
  }
  RegionData& AddData(const std::string& region, const std::string& owner = kHome, const std::string& first = "b",
                      const std::string& last = "b") {
    picture_.data.push_back({.region = region, .place = "server/" + owner, .owners = {owner}});
    picture_.data.back().stores.push_back(
        {.family = "f", .empty = false, .first_row = first, .last_row = last, .files = {++last_file_}});
    return picture_.data.back();
  }
  void AddRegion(const std::string& start, const std::string& end, int64_t id = 1) {
    const RegionInfo info = Info(start, end, id);
    AddRow(info);
    AddData(info.EncodedName());
  }
  // "KIND step" of each finding.
  std::vector<std::string> Found() {
    std::vector<std::string> found;
    for (const Finding& finding : Check(picture_)) {
      std::string text = KindName(finding.kind);
      const RegionInfo& info = finding.repair.region;
      switch (finding.repair.step) {
        case RepairStep::kMakeEmpty:
          text += " empty " + info.start_key + ".." + info.end_key;
          break;
        case RepairStep::kAdopt:
          text += " adopt " + info.start_key + ".." + info.end_key;
          break;
        case RepairStep::kAdoptAs:
          text += " as " + info.start_key + ".." + info.end_key;
          break;
        case RepairStep::kRemoveRow:
          text += " remove " + info.start_key + ".." + info.end_key;
          break;
        case RepairStep::kMergeByCopy:
          text += " merge";
          break;
        case RepairStep::kSideline:
          text += " sideline";
          break;
        default:
          break;
      }
      found.push_back(text + (finding.repair.loses_data ? " (loses data)" : ""));
    }
    return found;
  }

  Picture picture_;
  uint64_t last_file_ = 0;
};

TEST_F(CheckTest, AWholeTableHasNothingWrong) {
  AddRegion("", "b");
  AddRegion("b", "");
  EXPECT_THAT(Found(), IsEmpty());
}

TEST_F(CheckTest, HolesAtEachPlace) {
  AddRegion("b", "c");
  AddRegion("d", "e");
  EXPECT_THAT(Found(), ElementsAre("FIRST_REGION_STARTKEY_NOT_EMPTY empty ..b", "HOLE_IN_REGION_CHAIN empty c..d",
                                   "LAST_REGION_ENDKEY_NOT_EMPTY empty e.."));
}

TEST_F(CheckTest, AHoleStaysWhileItsDataMayBeInAFolderThatCannotBeRead) {
  AddRegion("", "b");
  picture_.unreadable_folders.push_back({"server/b,2,2", "its MANIFEST is damaged", Remedy::kRebuild});
  EXPECT_THAT(Found(), ElementsAre("LAST_REGION_ENDKEY_NOT_EMPTY", "UNREADABLE_FOLDER (loses data)"));
}

TEST_F(CheckTest, AHoleWhoseDataMayBeInTheSidelineIsEmptiedOnlyIfThatIsAccepted) {
  AddRegion("", "b");
  EXPECT_THAT(Found(), ElementsAre("LAST_REGION_ENDKEY_NOT_EMPTY empty b.."));
  picture_.unreadable_sideline.push_back({"sideline/5/r", "cf/1.sst is missing, or cut"});
  EXPECT_THAT(Found(), ElementsAre("LAST_REGION_ENDKEY_NOT_EMPTY empty b.. (loses data)"));
}

TEST_F(CheckTest, ALostMetaIsNotRebuiltWithoutAFolderThatCannotBeRead) {
  picture_.meta_damage = {"master", "it is missing"};
  EXPECT_THAT(Found(), ElementsAre("NO_META"));
  picture_.unreadable_folders.push_back({"server/b,2,2", "its MANIFEST is damaged", Remedy::kRebuild});
  EXPECT_THAT(Found(), ElementsAre("NO_META (loses data)", "UNREADABLE_FOLDER (loses data)"));
}

TEST_F(CheckTest, ATableWithoutARegionIsOneHole) {
  EXPECT_THAT(Found(), ElementsAre("FIRST_REGION_STARTKEY_NOT_EMPTY empty .."));
}

TEST_F(CheckTest, ALargeRegionHidesNoHoleAndNoOverlap) {
  AddRegion("", "g");
  AddRegion("b", "c");
  AddRegion("d", "e");
  AddRegion("g", "");
  EXPECT_THAT(Found(), ElementsAre("OVERLAP_IN_REGION_CHAIN merge", "OVERLAP_IN_REGION_CHAIN merge"));
}

TEST_F(CheckTest, OfTwoThatOverlapTheOneWithoutDataGoes) {
  AddRegion("", "");
  AddRow(Info("", "b", 2), "");
  EXPECT_THAT(Found(), ElementsAre("OVERLAP_IN_REGION_CHAIN remove ..b"));
}

TEST_F(CheckTest, AParentThatWasMergedGoes) {
  AddRegion("", "b");
  AddRegion("b", "");
  AddRegion("", "", 2);
  picture_.rows.back().merge_parents = {Info("", "b"), Info("b", "")};
  EXPECT_THAT(Found(), ElementsAre("LINGERING_PARENT remove ..b", "LINGERING_PARENT remove b.."));
}

TEST_F(CheckTest, ASplitParentIsNeitherARegionNorAnOverlap) {
  AddRegion("", "b", 2);
  AddRegion("b", "", 2);
  MetaTable::Row& parent = AddRow(Info("", ""));
  parent.region.info.split = parent.region.info.offline = true;
  parent.daughters = {Info("", "b", 2), Info("b", "", 2)};
  const auto files = picture_.data.back().stores[0].files;
  AddData(Info("", "").EncodedName()).stores[0].files = files;
  EXPECT_THAT(Found(), ElementsAre("LEFTOVER"));
  picture_.data.back().stores[0].has_memstore = true;
  EXPECT_THAT(Found(), ElementsAre("ORPHAN_REGION sideline")) << "somebody wrote to it";
}

TEST_F(CheckTest, RowsThatCannotBe) {
  AddRegion("", "");
  picture_.bad_rows.push_back({"t,x", absl::DataLossError("it has no info:regioninfo")});
  AddRow(Info("", "")).key = "t,copy,1.x.";
  AddRow(Info("c", "b"));
  EXPECT_THAT(Found(), ElementsAre("EMPTY_META_CELL remove ..", "WRONG_META_ROW_KEY remove ..",
                                   "DEGENERATE_REGION remove c..b", "NOT_ON_DISK (loses data)"));
}

TEST_F(CheckTest, ATableNeedsAStateAndADescriptor) {
  AddRegion("", "");
  picture_.states.clear();
  EXPECT_THAT(Found(), ElementsAre("NO_TABLE_STATE"));
  picture_.descriptors.clear();
  EXPECT_THAT(Found(), ElementsAre("NO_TABLE_STATE", "NO_TABLE_DESCRIPTOR"));
}

TEST_F(CheckTest, OrphansFillTheHolesThatTheyComeFrom) {
  AddRegion("", "b");
  const RegionInfo parent = Info("b", "");
  const RegionInfo daughters[] = {Info("b", "d", 2), Info("d", "", 2)};
  for (const RegionInfo& info : {parent, daughters[0], daughters[1]}) {
    picture_.known_regions.emplace(info.EncodedName(), info);
    AddData(info.EncodedName());
  }
  EXPECT_THAT(Found(), ElementsAre("LAST_REGION_ENDKEY_NOT_EMPTY", "ORPHAN_REGION sideline", "ORPHAN_REGION adopt b..d",
                                   "ORPHAN_REGION adopt d.."));
}

TEST_F(CheckTest, OrphansThatNobodyKnowsFillAHoleInTheOrderOfTheirRows) {
  AddRegion("", "b");
  AddData("2222", kHome, "m", "p");
  AddData("1111", kHome, "c", "d");
  EXPECT_THAT(Found(), ElementsAre("LAST_REGION_ENDKEY_NOT_EMPTY", "ORPHAN_REGION as m..", "ORPHAN_REGION as b..m"));
}

TEST_F(CheckTest, OrphansThatFitNowhereAreSidelined) {
  AddRegion("", "b");
  AddRegion("c", "");
  AddData("1111", kHome, "a", "b");  // across the hole's side
  AddData("2222", kHome, "b", "b").stores[0].family = "g";
  EXPECT_THAT(Found(),
              ElementsAre("HOLE_IN_REGION_CHAIN empty b..c", "ORPHAN_REGION sideline", "ORPHAN_REGION sideline"));
}

TEST_F(CheckTest, WhatASplitThatDidNotComeAboutLeftIsNoOrphan) {
  AddRegion("", "");
  const auto files = picture_.data.back().stores[0].files;
  AddData("1111").stores[0].files = files;
  EXPECT_THAT(Found(), ElementsAre("LEFTOVER"));
  picture_.data.back().stores[0].has_memstore = true;
  EXPECT_THAT(Found(), ElementsAre("ORPHAN_REGION sideline"));
}

TEST_F(CheckTest, FilesThatOthersShareAreDataOfARegionWhoseRowIsLost) {
  AddRegion("", "b");
  const RegionInfo lost = Info("b", "");
  picture_.known_regions.emplace(lost.EncodedName(), lost);
  const auto files = AddData(lost.EncodedName()).stores[0].files;
  RegionInfo clone = Info("", "");
  clone.table.qualifier = "clone";
  auto table = std::make_shared<TableDescriptor>(*picture_.descriptors.begin()->second);
  table->name = clone.table;
  picture_.descriptors[clone.table] = table;
  picture_.states[clone.table] = TableState::kEnabled;
  AddRow(clone);
  AddData(clone.EncodedName()).stores[0].files = files;
  EXPECT_THAT(Found(), ElementsAre("LAST_REGION_ENDKEY_NOT_EMPTY", "ORPHAN_REGION adopt b..")) << "of a snapshot";
  picture_.data.front().stores[0].files = files;
  EXPECT_THAT(Found(), ElementsAre("LAST_REGION_ENDKEY_NOT_EMPTY", "ORPHAN_REGION adopt b..")) << "of a split";
}

TEST_F(CheckTest, WhatADeletedTableLeftIsNoOrphan) {
  AddRegion("", "");
  RegionInfo info = Info("", "");
  info.table.qualifier = "gone";
  picture_.known_regions.emplace(info.EncodedName(), info);
  AddData(info.EncodedName());
  EXPECT_THAT(Found(), ElementsAre("LEFTOVER"));
}

TEST_F(CheckTest, DataMustBeWhereMetaSays) {
  const RegionInfo info = Info("", "");
  AddRow(info);
  EXPECT_THAT(Found(), ElementsAre("NOT_ON_DISK (loses data)"));
  AddData(info.EncodedName(), "b,2,2");
  EXPECT_THAT(Found(), ElementsAre("HOME_DOES_NOT_MATCH_META adopt .."));
  AddData(info.EncodedName(), kHome);
  EXPECT_THAT(Found(), ElementsAre("LEFTOVER")) << "the copy";
  picture_.data.clear();
  AddData(info.EncodedName(), "a,1,0");
  EXPECT_THAT(Found(), IsEmpty()) << "an earlier life's folder, which its later one is to get";
  picture_.data[0].owners.clear();
  EXPECT_THAT(Found(), IsEmpty()) << "a handoff";
}

TEST_F(CheckTest, EachFamilyHasAStoreAndEachStoreAFamily) {
  AddRegion("", "");
  picture_.data[0].stores[0].family = "g";
  EXPECT_THAT(Found(), ElementsAre("MISSING_STORE (loses data)", "UNKNOWN_STORE sideline"));
  picture_.rows[0].region.state = RegionState::kClosed;
  EXPECT_THAT(Found(), ElementsAre("UNKNOWN_STORE sideline")) << "its stores come when it opens";
}

TEST_F(CheckTest, ServersServeWhatMetaSays) {
  picture_.is_stopped = false;
  const RegionInfo a = Info("", "b"), b = Info("b", "c"), c = Info("c", ""), lost = Info("", "", 9);
  AddRow(a);
  AddRow(b);
  AddRow(c);
  picture_.servers = {{kHome, {a, lost}}, {"b,2,2", {a, c}}};
  EXPECT_THAT(Found(), ElementsAre("NOT_IN_META", "MULTI_DEPLOYED", "NOT_DEPLOYED", "SERVER_DOES_NOT_MATCH_META"));
  picture_.in_transition = {a.EncodedName(), b.EncodedName(), c.EncodedName(), lost.EncodedName()};
  EXPECT_THAT(Found(), IsEmpty());
}

}  // namespace
}  // namespace vaquita::fsck
