// Damage done to real data roots, found, repaired, and the data read back by the servers that start again.
#include "server/fsck/fsck.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "engine/store_survey.h"
#include "proto/hbase/stored_values.h"
#include "server/master/master.h"
#include "tests/server/cluster_harness.h"
#include "tests/server/fsck_harness.h"

namespace vaquita::fsck {
namespace {

namespace fs = std::filesystem;

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSubsetOf;
using testing::KindsOf;
using testing::MakeCell;
using testing::MakeDelete;
using testing::MakePut;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

// Table "t" of a standalone server: regions from "", "b" and "c" on, with a row each, "b" in a file.
class FsckTest : public testing::FsckHarness {
 protected:
  void SetUp() override {
    ServerHarness::SetUp();
    ASSERT_TRUE(Create("t", {"b", "c"}).ok());
    ASSERT_TRUE(Put("t", "b").ok());
    ASSERT_TRUE(region_server().FlushRegion(RegionOf("t", "b")).ok());
    for (const char* row : {"a", "c"}) ASSERT_TRUE(Put("t", row).ok());
  }

  void DeleteMetaRow(const std::string& key) { EditMeta(testing::MakeMutation(MutationType::kDelete, key, {})); }
  void RemoveFiles() {
    for (const auto& entry : fs::directory_iterator(ServerPath())) {
      if (entry.path().extension() == ".sst") fs::remove(entry.path());
    }
  }

  void DamageBlocks() {
    for (const auto& entry : fs::directory_iterator(ServerPath())) {
      if (entry.path().extension() != ".sst") continue;
      std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
      file.seekp(20);
      file.put('\xff');
    }
  }
  // The stopped server's stores that have cells only in its log, where a power cut may reach them.
  std::vector<std::string> StoresInLogs() const {
    std::vector<std::string> names;
    const auto stores = SurveyStores(ServerPath());
    EXPECT_TRUE(stores.ok()) << stores.status();
    if (!stores.ok()) return names;
    for (const SurveyedStore& store : *stores) {
      if (store.has_memstore) names.push_back(store.name);
    }
    return names;
  }
  std::vector<std::string> WholeTable() { return {"..b", "b..c", "c.."}; }
};

TEST_F(FsckTest, NothingIsWrongAfterAStop) {
  Stop();
  EXPECT_THAT(Check(), IsEmpty());
}

TEST_F(FsckTest, WhatRunsIsNotChecked) {
  const auto report = CheckDataRoot({.path = folder_.path(), .options = &options_, .clock = &clock_});
  EXPECT_TRUE(absl::IsFailedPrecondition(report.status())) << report.status();
  const auto nothing = CheckDataRoot({.path = folder_.path() + "/x", .options = &options_, .clock = &clock_});
  EXPECT_TRUE(absl::IsNotFound(nothing.status())) << nothing.status();
  EXPECT_FALSE(fs::exists(folder_.path() + "/x"));
}

TEST_F(FsckTest, ALostMetaRowIsMadeAnewForTheDataThatAreThere) {
  DeleteMetaRow(InfoOf("b").Name());
  Stop();
  EXPECT_THAT(Check(), ElementsAre("HOLE_IN_REGION_CHAIN", "ORPHAN_REGION"));
  Repair();
  EXPECT_EQ(Ranges("t"), WholeTable());
  EXPECT_THAT(Rows("t"), ElementsAre("a=v", "b=v", "c=v"));
}

TEST_F(FsckTest, AllMetaRowsOfATableMayBeLost) {
  for (const char* row : {"a", "b", "c"}) DeleteMetaRow(InfoOf(row).Name());
  Stop();
  EXPECT_THAT(Check(),
              ElementsAre("FIRST_REGION_STARTKEY_NOT_EMPTY", "ORPHAN_REGION", "ORPHAN_REGION", "ORPHAN_REGION"));
  Repair();
  EXPECT_EQ(Ranges("t"), WholeTable());
  EXPECT_THAT(Rows("t"), ElementsAre("a=v", "b=v", "c=v"));
}

// The clone has links to the same files.
TEST_F(FsckTest, DataThatACloneSharesAreStillTheRegions) {
  ASSERT_TRUE(Finish(master().SnapshotAsync({.name = "s", .table = Name("t")}, false)).ok());
  ASSERT_TRUE(Finish(master().RestoreSnapshotAsync("s", Name("clone"), "")).ok());
  for (const bool server_was_first : {false, true}) {
    SCOPED_TRACE(server_was_first);
    DeleteMetaRow(InfoOf("b").Name());
    Stop();
    if (server_was_first) {
      Restart();
      Stop();
    }
    EXPECT_THAT(Check(), ElementsAre("HOLE_IN_REGION_CHAIN", "ORPHAN_REGION"));
    Repair();
    EXPECT_EQ(Ranges("t"), WholeTable());
    EXPECT_THAT(Rows("t"), ElementsAre("a=v", "b=v", "c=v"));
    EXPECT_THAT(Rows("clone"), ElementsAre("a=v", "b=v", "c=v"));
  }
}

// Former cells of meta go with its compactions.
TEST_F(FsckTest, DataOfARegionThatNobodyKnowsBecomeANewRegion) {
  DeleteMetaRow(InfoOf("b").Name());
  ASSERT_TRUE(master().meta()->Flush().ok());
  ASSERT_TRUE(master().meta()->Compact(CompactionKind::kMajor, "").ok());
  Stop();
  EXPECT_THAT(Check(), ElementsAre("HOLE_IN_REGION_CHAIN", "ORPHAN_REGION"));
  Repair();
  EXPECT_EQ(Ranges("t"), WholeTable());
  EXPECT_THAT(Rows("t"), ElementsAre("a=v", "b=v", "c=v"));
}

TEST_F(FsckTest, AHoleWithoutDataBecomesAnEmptyRegion) {
  const std::string lost = InfoOf("b").EncodedName();
  DeleteMetaRow(InfoOf("b").Name());
  Stop();
  DropStores([&](std::string_view store) { return store.starts_with(lost); });
  EXPECT_THAT(Check(), ElementsAre("HOLE_IN_REGION_CHAIN"));
  Repair();
  EXPECT_EQ(Ranges("t"), WholeTable());
  EXPECT_THAT(Rows("t"), ElementsAre("a=v", "c=v"));
  EXPECT_TRUE(Put("t", "b").ok());
}

TEST_F(FsckTest, ACopiedMetaRowGoes) {
  const RegionInfo info = InfoOf("b");
  EditMeta(MakePut("t,b,77." + info.EncodedName() + ".", {MakeCell("info:regioninfo", EncodeRegionInfo(info))}));
  Stop();
  EXPECT_THAT(Check(), ElementsAre("WRONG_META_ROW_KEY"));
  Repair();
  EXPECT_EQ(Ranges("t"), WholeTable());
  EXPECT_THAT(Rows("t"), ElementsAre("a=v", "b=v", "c=v"));
}

TEST_F(FsckTest, ARegionThatNeverWasAndOverlapsGoes) {
  RegionInfo info = InfoOf("b");
  info.id += 7;
  EditMeta(MakePut(info.Name(), {MakeCell("info:regioninfo", EncodeRegionInfo(info))}));
  Stop();
  EXPECT_THAT(Check(), ElementsAre("OVERLAP_IN_REGION_CHAIN"));
  Repair();
  EXPECT_EQ(Ranges("t"), WholeTable());
  EXPECT_THAT(Rows("t"), ElementsAre("a=v", "b=v", "c=v"));
}

TEST_F(FsckTest, TwoRegionsWithDataThatOverlapBecomeOne) {
  RegionInfo wide = InfoOf("b");
  wide.end_key.clear();
  wide.id += 7;
  EditMeta(MakePut(wide.Name(), {MakeCell("info:regioninfo", EncodeRegionInfo(wide))}));
  ASSERT_TRUE(region_server().CreateRegions({wide}, *master().GetDescriptor(Name("t"))).ok());
  ASSERT_TRUE(region_server().ServeRegions({wide.EncodedName()})[0].ok());
  for (const char* row : {"bb", "d"}) {
    ASSERT_TRUE(region_server().Mutate(wide.EncodedName(), MakePut(row, "f:q", "wide")).ok());
  }
  ASSERT_TRUE(region_server().Mutate(wide.EncodedName(), MakeDelete("c", "f:q", CellType::kDeleteColumn)).ok());
  Stop();
  EXPECT_THAT(Check(), ElementsAre("OVERLAP_IN_REGION_CHAIN", "OVERLAP_IN_REGION_CHAIN"));
  const std::vector<std::string> in_logs = StoresInLogs();
  EXPECT_THAT(KindsOf(Fsck(/*repair=*/true).left), IsEmpty());
  EXPECT_THAT(StoresInLogs(), IsSubsetOf(in_logs)) << "the copies are on the disk before the sources go";
  Restart();
  EXPECT_THAT(Ranges("t"), ElementsAre("..b", "b.."));
  EXPECT_THAT(Rows("t"), ElementsAre("a=v", "b=v", "bb=wide", "d=wide")) << "the marker was copied, too";
}

TEST_F(FsckTest, ARowThatDoesNotParseIsTakenOutAndKept) {
  const RegionInfo info = InfoOf("b");
  EditMeta(MakePut(info.Name(), {MakeCell("info:regioninfo", "rubbish")}));
  Stop();
  EXPECT_THAT(Check(), ElementsAre("EMPTY_META_CELL", "HOLE_IN_REGION_CHAIN", "ORPHAN_REGION"));
  Repair();
  EXPECT_EQ(Ranges("t"), WholeTable());
  EXPECT_THAT(Rows("t"), ElementsAre("a=v", "b=v", "c=v"));
  for (const auto& entry : fs::directory_iterator(folder_.path() + "/sideline")) {
    EXPECT_TRUE(fs::exists(entry.path() / "meta-rows.txt"));
    EXPECT_TRUE(fs::exists(entry.path() / "repairs.log"));
  }
}

TEST_F(FsckTest, ATableWithoutAStateGetsItBack) {
  EditMeta(MakeDelete("t", "table:state", CellType::kDeleteColumn));
  Stop();
  EXPECT_THAT(Check(), ElementsAre("NO_TABLE_STATE"));
  Repair();
  EXPECT_THAT(Rows("t"), ElementsAre("a=v", "b=v", "c=v"));
}

TEST_F(FsckTest, AStoreThatIsGoneIsADataLossToBeAccepted) {
  ASSERT_TRUE(Create("two", {}, {"f", "g"}).ok());
  ASSERT_TRUE(Put("two", "x").ok());
  ASSERT_TRUE(Put("two", "x", "w", "g:q").ok());
  Stop();
  DropStores([](std::string_view store) { return store.ends_with("/g"); });
  EXPECT_THAT(Check(), ElementsAre("MISSING_STORE"));
  EXPECT_THAT(KindsOf(Fsck(/*repair=*/true).left), ElementsAre("MISSING_STORE"));
  Repair(/*accept_data_loss=*/true);
  EXPECT_THAT(Rows("two"), ElementsAre("x=v"));
}

TEST_F(FsckTest, ARegionWhoseDataAreNowhereIsADataLossToBeAccepted) {
  const std::string lost = InfoOf("b").EncodedName();
  Stop();
  DropStores([&](std::string_view store) { return store.starts_with(lost); });
  EXPECT_THAT(Check(), ElementsAre("NOT_ON_DISK"));
  EXPECT_THAT(KindsOf(Fsck(/*repair=*/true).left), ElementsAre("NOT_ON_DISK"));
  Repair(/*accept_data_loss=*/true);
  EXPECT_EQ(Ranges("t"), WholeTable());
  EXPECT_THAT(Rows("t"), ElementsAre("a=v", "c=v"));
  EXPECT_TRUE(Put("t", "b").ok());
}

TEST_F(FsckTest, AStoreThatLostAFileGoesOnWithTheRest) {
  ASSERT_TRUE(Put("t", "bb").ok());  // in the log
  Stop();
  RemoveFiles();
  EXPECT_THAT(Check(), ElementsAre("MISSING_STORE_FILES"));
  Restart();
  EXPECT_TRUE(Put("t", "aa").ok()) << "the other regions are served";
  EXPECT_TRUE(IsError(Put("t", "bb"), ErrorKind::kCorruptHFile));
  Stop();
  EXPECT_THAT(Check(), ElementsAre("DAMAGED_STORE")) << "the server has set it apart";
  EXPECT_THAT(KindsOf(Fsck(/*repair=*/true).left), ElementsAre("DAMAGED_STORE"));
  Repair(/*accept_data_loss=*/true);
  EXPECT_THAT(Rows("t"), ElementsAre("a=v", "aa=v", "bb=v", "c=v"));
}

TEST_F(FsckTest, ADamagedLogTakesItsRegionsOutOfServiceUntilTheLossIsAccepted) {
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(Put("t", "c" + std::to_string(1000 + i)).ok());
  Stop();
  for (const auto& entry : fs::directory_iterator(ServerPath())) {
    if (entry.path().extension() != ".log" || fs::file_size(entry.path()) < 4000) continue;
    std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(3000);
    file.put('\xff');
  }
  EXPECT_THAT(Check(), ElementsAre("DAMAGED_STORE"));
  Restart();
  EXPECT_TRUE(Put("t", "aa").ok()) << "the other regions are served";
  EXPECT_TRUE(IsError(Put("t", "cc"), ErrorKind::kCorruptHFile));
  Stop();
  EXPECT_THAT(KindsOf(Fsck(/*repair=*/true).left), ElementsAre("DAMAGED_STORE"));
  Repair(/*accept_data_loss=*/true);
  EXPECT_TRUE(Put("t", "cc").ok());
  EXPECT_LT(Rows("t").size(), 104u);
}

TEST_F(FsckTest, ADeepLookReadsEveryBlock) {
  Stop();
  DamageBlocks();
  EXPECT_THAT(Check(), ::testing::AnyOf(IsEmpty(), ElementsAre("MISSING_STORE_FILES")));
  EXPECT_THAT(KindsOf(Fsck(false, false, /*deep=*/true).found), Contains("DAMAGED_FILE"));
  Repair(/*accept_data_loss=*/true, /*deep=*/true);
  EXPECT_THAT(Rows("t"), ElementsAre("a=v", "c=v"));
}

TEST_F(FsckTest, AParentThatForgotItsDaughtersIsARegionAgain) {
  RegionInfo info = InfoOf("b");
  info.split = info.offline = true;
  EditMeta(
      MakePut(info.Name(), {MakeCell("info:regioninfo", EncodeRegionInfo(info)), MakeCell("info:state", "SPLIT")}));
  Stop();
  EXPECT_THAT(Check(), ElementsAre("LINGERING_SPLIT_PARENT", "HOLE_IN_REGION_CHAIN"));
  Repair();
  EXPECT_EQ(Ranges("t"), WholeTable());
  EXPECT_THAT(Rows("t"), ElementsAre("a=v", "b=v", "c=v"));
}

TEST_F(FsckTest, LostRowsOfDaughtersComeFromTheirParents) {
  ASSERT_TRUE(Finish(master().SplitRegionAsync(RegionOf("t", "c"), "cc")).ok());
  ASSERT_TRUE(Put("t", "cc").ok());
  DeleteMetaRow(InfoOf("c").Name());
  DeleteMetaRow(InfoOf("cc").Name());
  Stop();
  EXPECT_THAT(Check(), ElementsAre("LAST_REGION_ENDKEY_NOT_EMPTY", "ORPHAN_REGION", "ORPHAN_REGION"));
  Repair();
  EXPECT_THAT(Ranges("t"), ElementsAre("..b", "b..c", "c..cc", "cc.."));
  EXPECT_THAT(Rows("t"), ElementsAre("a=v", "b=v", "c=v", "cc=v"));
}

TEST_F(FsckTest, DraftsAreLeftoversAndNoInconsistency) {
  Stop();
  fs::create_directories(folder_.path() + "/snapshots/.tmp/s");
  fs::create_directories(ServerPath() + "/exports/import-1");
  const FsckReport report = Fsck();
  EXPECT_THAT(KindsOf(report.found), IsEmpty());
  EXPECT_EQ(report.found.size(), 2u);
}

TEST_F(FsckTest, ASnapshotThatLostAFileIsTold) {
  ASSERT_TRUE(Finish(master().SnapshotAsync({.name = "s", .table = Name("t")}, false)).ok());
  Stop();
  EXPECT_THAT(Check(), IsEmpty());
  for (const auto& entry : fs::recursive_directory_iterator(folder_.path() + "/snapshots")) {
    if (entry.path().extension() == ".sst") {
      fs::remove(entry.path());
      break;
    }
  }
  EXPECT_THAT(Check(), ElementsAre("CORRUPTED_SNAPSHOT"));
}

// ---- a cluster ----

// Table "t" with the regions and rows of the above, on two region servers.
class FsckClusterTest : public testing::ClusterHarness {
 protected:
  void SetUp() override {
    Start();
    MakeTable();
  }
  void Start() {
    Lead();
    AddServers(2);
  }
  void DeleteMetaRow(const std::string& key) {
    ASSERT_TRUE(master().meta()->Mutate(testing::MakeMutation(MutationType::kDelete, key, {})).ok());
  }
  absl::StatusOr<FsckReport> Fsck(bool repair = false, bool accept_data_loss = false) {
    return CheckDataRoot({.path = root_.path(),
                          .repair = repair,
                          .accept_data_loss = accept_data_loss,
                          .options = &options_,
                          .clock = Clock::System()});
  }
  // Whoever serves the row says it has it. Waits until somebody does.
  bool Has(const std::string& row) {
    CellBlock cells;
    testing::WaitFor([&] {
      const AssignedRegion region = Locate(row);
      RegionServer* const server = ServerOf(region);
      if (server == nullptr) return false;
      Get get;
      get.row = row;
      cells = CellBlock();
      return server->Get(region.info.EncodedName(), get, &cells).ok();
    });
    return !cells.empty();
  }
};

TEST_F(FsckClusterTest, ALostRowOfAClusterIsMadeAnew) {
  EXPECT_TRUE(absl::IsFailedPrecondition(Fsck().status()));
  DeleteMetaRow(Locate("b").info.Name());
  KillAll();
  auto report = Fsck(/*repair=*/true);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_THAT(KindsOf(report->found), ElementsAre("HOLE_IN_REGION_CHAIN", "ORPHAN_REGION"));
  EXPECT_THAT(KindsOf(report->left), IsEmpty());
  Start();
  for (const char* row : {"a", "b", "c"}) EXPECT_TRUE(Has(row)) << row;
}

TEST_F(FsckClusterTest, AServersFolderThatIsGoneIsADataLossToBeAccepted) {
  const AssignedRegion lost = Locate("b");
  std::set<std::string> kept;
  for (const char* row : {"a", "b", "c"}) {
    if (Locate(row).server_name != lost.server_name) kept.insert(row);
  }
  KillAll();
  fs::remove_all(root_.path() + "/server/" + lost.server_name);
  auto report = Fsck(/*repair=*/true);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_THAT(KindsOf(report->left), Contains("NOT_ON_DISK"));
  report = Fsck(/*repair=*/true, /*accept_data_loss=*/true);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_THAT(KindsOf(report->left), IsEmpty());
  Start();
  for (const char* row : {"a", "b", "c"}) EXPECT_EQ(Has(row), kept.contains(row)) << row;
}

TEST_F(FsckClusterTest, ARowThatNamesAnotherHomeIsCorrected) {
  const AssignedRegion region = Locate("b");
  ASSERT_TRUE(master()
                  .meta()
                  ->Mutate(MakePut(region.info.Name(), {MakeCell("info:server", "nowhere:1"),
                                                        MakeCell("info:serverstartcode", EncodeLong(1))}))
                  .ok());
  KillAll();
  auto report = Fsck(/*repair=*/true);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_THAT(KindsOf(report->found), ElementsAre("HOME_DOES_NOT_MATCH_META"));
  EXPECT_THAT(KindsOf(report->left), IsEmpty());
  Start();
  for (const char* row : {"a", "b", "c"}) EXPECT_TRUE(Has(row)) << row;
}

TEST_F(FsckClusterTest, AHandoffWithoutARowIsAdopted) {
  const AssignedRegion region = Locate("b");
  const absl::StatusOr<int64_t> closing = master().UnassignRegionAsync(region.info.EncodedName());
  ASSERT_TRUE(closing.ok() && master().Wait(*closing).ok());
  const auto released = ServerOf({.server_name = region.server_name})
                            ->ReleaseRegions({{region.info, *master().GetDescriptor(Name("t"))}});
  ASSERT_TRUE(released[0].ok()) << released[0];
  DeleteMetaRow(region.info.Name());
  KillAll();
  auto report = Fsck(/*repair=*/true);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_THAT(KindsOf(report->found), ElementsAre("HOLE_IN_REGION_CHAIN", "ORPHAN_REGION"));
  EXPECT_THAT(KindsOf(report->left), IsEmpty());
  Start();
  for (const char* row : {"a", "b", "c"}) EXPECT_TRUE(Has(row)) << row;
}

}  // namespace
}  // namespace vaquita::fsck
