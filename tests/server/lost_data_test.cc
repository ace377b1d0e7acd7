// Damage to the records of whose the data are: hbase:meta, descriptors, servers' folders. Every loss is reported, and
// `vaquita fsck` restores whatever the folders still have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/disk_stand_in.h"
#include "base/durable_files.h"
#include "proto/hbase/stored_values.h"
#include "server/fsck/check.h"
#include "server/fsck/data_root.h"
#include "server/fsck/fsck.h"
#include "server/fsck/root_check.h"
#include "server/master/master.h"
#include "server/master/master_metrics.h"
#include "server/master/meta/master_store.h"
#include "tests/server/cluster_harness.h"
#include "tests/server/fsck_harness.h"

namespace vaquita::fsck {
namespace {

namespace fs = std::filesystem;

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::KindsOf;
using testing::MakeCell;
using testing::MakePut;
using ::testing::Not;
using ::testing::SizeIs;

size_t StoreFilesBelow(const std::string& folder) {
  size_t count = 0;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error)) count += entry.path().extension() == ".sst";
  return count;
}

// Tables "t" (regions from "", "b" and "c" on, with a row each, "b" in a file) and "ns:wide" (two families, one row).
class LostDataTest : public testing::FsckHarness {
 protected:
  void SetUp() override {
    ServerHarness::SetUp();
    TableDescriptor table = Descriptor("t");
    table.families["f"].max_versions = 5;
    table.families["f"].ttl_seconds = 1'000'000;
    table.attributes["OWNER"] = "somebody";
    ASSERT_TRUE(Finish(master().CreateTableAsync(table, {"b", "c"})).ok());
    ASSERT_TRUE(master().CreateNamespace({.name = "ns"}).ok());
    ASSERT_TRUE(Create("ns:wide", {}, {"f", "g"}).ok());
    ASSERT_TRUE(Put("t", "b").ok());
    ASSERT_TRUE(region_server().FlushRegion(RegionOf("t", "b")).ok());
    for (const char* row : {"a", "c"}) ASSERT_TRUE(Put("t", row).ok());
    ASSERT_TRUE(Put("ns:wide", "x").ok());
    ASSERT_TRUE(Put("ns:wide", "x", "w", "g:q").ok());
  }

  absl::Status TryToStart() {
    clock_.Advance(1000);
    auto server =
        Standalone::Start({.data_path = folder_.path(), .options = &options_, .clock = &clock_, .serve = false});
    if (!server.ok()) return server.status();
    server_ = *std::move(server);
    return absl::OkStatus();
  }
  // As a release left the folder that kept none.
  void RemoveNotes() {
    const auto db = StoreDb::Open({ServerPath(), &options_, &clock_},
                                  [](std::string_view name) { return std::make_unique<StoreSpec>(KeepAllOf(name)); });
    ASSERT_TRUE(db.ok()) << db.status();
    auto notes = (*db)->Notes();
    ASSERT_TRUE(notes.ok()) << notes.status();
    for (auto& [name, value] : *notes) value.clear();
    ASSERT_TRUE((*db)->PutNotes(*notes).ok());
  }
  void ExpectAllIsThere() {
    EXPECT_THAT(Ranges("t"), ElementsAre("..b", "b..c", "c.."));
    EXPECT_THAT(Rows("t"), ElementsAre("a=v", "b=v", "c=v"));
    EXPECT_THAT(Rows("ns:wide"), ElementsAre("x=v", "x=w"));
  }
};

TEST_F(LostDataTest, AMasterThatIsGoneIsRefusedAndMadeAnew) {
  const std::string cluster_id = master().Status().cluster_id;
  const auto table = *master().GetDescriptor(Name("t"));
  Stop();
  fs::remove_all(Path("master"));
  const size_t files = StoreFilesBelow(Path("server"));
  const absl::Status refused = TryToStart();
  EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << refused;
  EXPECT_THAT(std::string(refused.message()), HasSubstr("vaquita fsck --data " + folder_.path() + " --repair"));
  EXPECT_EQ(StoreFilesBelow(Path("server")), files);
  EXPECT_FALSE(fs::exists(Path("master/CURRENT")));

  EXPECT_THAT(Check(), ElementsAre("NO_META"));
  EXPECT_FALSE(fs::exists(Path("master/CURRENT"))) << "looking makes nothing";
  Repair();
  ExpectAllIsThere();
  EXPECT_EQ(**master().GetDescriptor(Name("t")), *table);
  EXPECT_EQ(master().Status().cluster_id, cluster_id);
  EXPECT_TRUE(master().GetNamespace("ns").ok());
  EXPECT_TRUE(Put("t", "bb").ok());
}

TEST_F(LostDataTest, AMasterThatTheDiskDoesNotGiveIsNotReplaced) {
  Stop();
  const std::string current = Path("master/CURRENT"), away = Path("away");
  fs::rename(current, away);
  fs::create_symlink(current, current);  // any error but that nothing is there
  const absl::Status refused = TryToStart();
  EXPECT_TRUE(absl::IsUnavailable(refused)) << refused;
  EXPECT_THAT(std::string(refused.message()), AllOf(HasSubstr("master/CURRENT"), Not(HasSubstr("--repair"))));
  const auto repaired = CheckDataRoot(
      {.path = folder_.path(), .repair = true, .accept_data_loss = true, .options = &options_, .clock = &clock_});
  EXPECT_TRUE(absl::IsUnavailable(repaired.status())) << repaired.status();
  EXPECT_THAT(std::string(repaired.status().message()), HasSubstr("nothing was checked"));
  fs::rename(away, current);
  EXPECT_THAT(Check(), IsEmpty());
  ASSERT_TRUE(TryToStart().ok());
  ExpectAllIsThere();
}

TEST_F(LostDataTest, FoldersThatTheDiskDoesNotGiveAreNoReasonToBeginAnew) {
  Stop();
  fs::remove_all(Path("master"));
  fs::rename(Path("server"), Path("away"));
  fs::create_symlink(Path("server"), Path("server"));
  const absl::Status refused = CheckMetaIsThere(folder_.path());
  EXPECT_THAT(std::string(refused.message()), HasSubstr("list " + Path("server")));
  fs::remove(Path("server"));
  fs::rename(Path("away"), Path("server"));
  Repair();
  ExpectAllIsThere();
}

TEST_F(LostDataTest, TheOldMasterStaysUntilTheNewOneIsWhole) {
  Stop();
  fs::remove(Path("master/CURRENT"));
  for (const auto& entry : fs::directory_iterator(Path("master"))) {
    if (entry.path().filename().string().find("MANIFEST-") != std::string::npos) fs::remove(entry.path());
  }
  ASSERT_TRUE(WriteFile(Path("master/mine"), "x").ok());
  {
    auto root = DataRoot::Open(folder_.path(), &options_, &clock_);
    ASSERT_TRUE(root.ok()) << root.status();
    const absl::Status rebuilt =
        (*root)->RebuildMeta(Path("sideline/1"), [] { return absl::ResourceExhaustedError("the disk is full"); });
    EXPECT_TRUE(absl::IsResourceExhausted(rebuilt)) << rebuilt;
    EXPECT_TRUE(fs::exists(Path("master/mine")));
    EXPECT_THAT(KindsOf(fsck::Check(*(*root)->Survey())), ElementsAre("NO_META"));
  }
  Repair();
  EXPECT_FALSE(fs::exists(Path("master/mine")));
  ExpectAllIsThere();
}

// CURRENT says no more than the MANIFEST's name, and the MANIFEST has a copy.
TEST_F(LostDataTest, AMasterThatLostCurrentGoesOn) {
  Stop();
  fs::remove(Path("master/CURRENT"));
  ASSERT_TRUE(TryToStart().ok());
  ExpectAllIsThere();
}

TEST_F(LostDataTest, AMasterThatLostItsManifestIsRefusedAndKept) {
  Stop();
  for (const auto& entry : fs::directory_iterator(Path("master"))) {
    if (entry.path().filename().string().find("MANIFEST-") != std::string::npos) fs::remove(entry.path());
  }
  const absl::Status refused = TryToStart();
  EXPECT_FALSE(refused.ok());
  EXPECT_THAT(std::string(refused.message()), HasSubstr("vaquita fsck"));
  Repair();
  ExpectAllIsThere();
  bool kept = false;
  for (const auto& entry : fs::recursive_directory_iterator(Path("sideline"))) {
    kept |= entry.path().parent_path().filename() == "master";
  }
  EXPECT_TRUE(kept) << "what was there of master/ is in the sideline";
}

TEST_F(LostDataTest, AManifestOfAServerIsMendedByItsStartAndByFsck) {
  for (const bool by_fsck : {false, true}) {
    Stop();
    for (const auto& entry : fs::directory_iterator(ServerPath())) {
      if (entry.path().filename().string().starts_with("MANIFEST-")) fs::resize_file(entry.path(), 40);
    }
    if (by_fsck) {
      const FsckReport report = Fsck();
      ASSERT_THAT(KindsOf(report.found), ElementsAre("UNREADABLE_FOLDER"));
      EXPECT_THAT(ToString(report.found[0]), ContainsRegex("MANIFEST-[0-9]+ has 40 bytes instead of"));
      EXPECT_THAT(Check(), ElementsAre("UNREADABLE_FOLDER")) << "looking mends nothing";
      EXPECT_THAT(KindsOf(Fsck(/*repair=*/true).left), IsEmpty());
    }
    ASSERT_TRUE(TryToStart().ok());
    ExpectAllIsThere();
  }
}

// Nobody knows any more which files make which store. A split, a region that was moved out, a dropped table and rows
// that are in the log only must come out right.
TEST_F(LostDataTest, ADatabaseWithoutAManifestIsMadeAnewOfItsFiles) {
  ASSERT_TRUE(Put("t", "bm").ok());
  ASSERT_TRUE(Finish(master().SplitRegionAsync(RegionOf("t", "b"), "bh")).ok());
  ASSERT_TRUE(Put("t", "b", "later").ok());
  ASSERT_TRUE(Create("gone").ok());
  ASSERT_TRUE(Put("gone", "x").ok());
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("gone"))).ok());
  ASSERT_TRUE(Finish(master().DeleteTableAsync(Name("gone"))).ok());
  ASSERT_TRUE(Create("empty").ok());
  const auto rows = Rows("t");
  const auto ranges = Ranges("t");
  Stop();
  for (const auto& entry : fs::directory_iterator(ServerPath())) {
    if (entry.path().filename().string().find("MANIFEST-") != std::string::npos) fs::remove(entry.path());
  }
  const absl::Status refused = TryToStart();
  EXPECT_THAT(std::string(refused.message()), HasSubstr("MANIFEST-"));
  EXPECT_THAT(Check(), ElementsAre("UNREADABLE_FOLDER"));
  EXPECT_THAT(KindsOf(Fsck(/*repair=*/true).left), ElementsAre("UNREADABLE_FOLDER")) << "only with the operator's word";
  const FsckReport report = Fsck(/*repair=*/true, /*accept_data_loss=*/true);
  EXPECT_THAT(KindsOf(report.left), IsEmpty()) << ::testing::PrintToString(report.done);
  ASSERT_THAT(report.done, SizeIs(1)) << ::testing::PrintToString(report.done);
  EXPECT_THAT(report.done[0], ContainsRegex("from [0-9]+ store files and [0-9]+ logs: [0-9]+ cells in [0-9]+ stores"));
  EXPECT_THAT(report.done[0], HasSubstr("rows may be back that were deleted"));
  Restart();
  EXPECT_EQ(Rows("t"), rows);
  EXPECT_EQ(Ranges("t"), ranges);
  EXPECT_THAT(Rows("ns:wide"), ElementsAre("x=v", "x=w"));
  EXPECT_THAT(Rows("empty"), IsEmpty());
  EXPECT_FALSE(master().GetRegions(Name("gone")).ok());
  Stop();
  EXPECT_THAT(Check(), IsEmpty());
}

// Ends every change of a name in a folder with an error, after so many that work: as after a crash there.
class NamesEnd final : public DiskStandIn {
 public:
  NamesEnd(const std::string& folder, int after) : DiskStandIn(folder), left_(after) { Install(this); }
  ~NamesEnd() override { Install(nullptr); }
  int Begin(Call call) override { return call == Call::kNames && left_-- <= 0 ? EIO : 0; }
  size_t Stored(size_t bytes) override { return bytes; }
  int Sync(const std::string&) override { return 0; }
  void NoteMapped(const std::string&) override {}
  int left() const { return left_; }

 private:
  std::atomic<int> left_;
};

TEST_F(LostDataTest, ARebuildingThatIsInterruptedIsDoneAnewOrIsDone) {
  constexpr int kMany = 1'000'000, kLast = 4;
  const auto rebuild = [this](int changes) {
    const NamesEnd names(folder_.path(), changes);
    const FsckOptions options{
        .path = folder_.path(), .repair = true, .accept_data_loss = true, .options = &options_, .clock = &clock_};
    clock_.Advance(1000);
    CheckDataRoot(options).status().IgnoreError();
    return kMany - names.left();
  };
  const auto manifests = [this] {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(ServerPath())) {
      if (entry.path().filename().string().find("MANIFEST-") != std::string::npos) found.push_back(entry.path());
    }
    return found;
  };
  Stop();
  for (const fs::path& manifest : manifests()) fs::remove(manifest);
  const testing::TemporaryFolder copy;
  fs::copy(folder_.path(), copy.path(), fs::copy_options::recursive);
  const int changes = rebuild(kMany);
  int undone = 0;
  for (int last = 0; last <= kLast; ++last) {
    SCOPED_TRACE(last);
    Stop();
    fs::remove_all(folder_.path());
    fs::copy(copy.path(), folder_.path(), fs::copy_options::recursive);
    rebuild(changes - last);
    undone += manifests().empty();
    Repair(/*accept_data_loss=*/true);
    ExpectAllIsThere();
  }
  EXPECT_THAT(undone, ::testing::AllOf(::testing::Gt(0), ::testing::Lt(kLast)));
}

// As a log that was cut at its beginning is.
TEST_F(LostDataTest, AnEmptyMetaIsNotBelieved) {
  Stop();
  {
    testing::TemporaryFolder other;
    const auto empty =
        Standalone::Start({.data_path = other.path(), .options = &options_, .clock = &clock_, .serve = false});
    ASSERT_TRUE(empty.ok()) << empty.status();
    (*empty)->Stop();
    fs::remove_all(Path("master"));
    fs::copy(other.path() + "/master", Path("master"), fs::copy_options::recursive);
  }
  const absl::Status refused = TryToStart();
  EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << refused;
  EXPECT_THAT(std::string(refused.message()), HasSubstr("has no region at all"));
  EXPECT_THAT(Check(), ElementsAre("NO_META"));
  Repair();
  ExpectAllIsThere();
}

TEST_F(LostDataTest, WhatADeletedTableLeftIsNoReasonToRefuse) {
  const std::string deleted = RegionOf("t", "b");
  for (const char* name : {"t", "ns:wide"}) {
    ASSERT_TRUE(Finish(master().DisableTableAsync(Name(name))).ok());
    ASSERT_TRUE(Finish(master().DeleteTableAsync(Name(name))).ok());
  }
  Stop();
  {
    auto db = StoreDb::Open({Path("server/" + testing::ServerFolderIn(folder_.path())), &options_, &clock_},
                            [](std::string_view) { return nullptr; });
    ASSERT_TRUE(db.ok()) << db.status();
    const auto stores = (*db)->Create({KeepAllOf(deleted + "/f")});
    ASSERT_TRUE(stores.ok()) << stores.status();
    StoreBatch batch;
    batch.Add(*stores->front(), "b", "q", 1, CellType::kPut, "v");
    ASSERT_TRUE((*db)->Write(&batch, Durability::kSyncWal).ok());
  }
  Restart();
  EXPECT_EQ(region_server().Trouble().sidelined_stores, 1);
}

TEST_F(LostDataTest, ADamagedFolderSaysNothingAgainstAMetaWithoutTables) {
  for (const char* name : {"t", "ns:wide"}) {
    ASSERT_TRUE(Finish(master().DisableTableAsync(Name(name))).ok());
    ASSERT_TRUE(Finish(master().DeleteTableAsync(Name(name))).ok());
  }
  Stop();
  fs::remove(Path("server/" + testing::ServerFolderIn(folder_.path()) + "/CURRENT"));
  EXPECT_THAT(Check(), ElementsAre("UNREADABLE_FOLDER"));
  Restart();
  EXPECT_TRUE(Create("later").ok());
}

TEST_F(LostDataTest, RebuildingKeepsSplitsAndEmptyRegions) {
  ASSERT_TRUE(Create("empty", {"k", "m"}).ok());
  ASSERT_TRUE(Finish(master().SplitRegionAsync(RegionOf("t", "c"), "cc")).ok());
  ASSERT_TRUE(Put("t", "cc").ok());
  Stop();
  fs::remove_all(Path("master"));
  Repair();
  EXPECT_THAT(Ranges("t"), ElementsAre("..b", "b..c", "c..cc", "cc.."));
  EXPECT_THAT(Rows("t"), ElementsAre("a=v", "b=v", "c=v", "cc=v"));
  EXPECT_THAT(Ranges("empty"), ElementsAre("..k", "k..m", "m.."));
}

TEST_F(LostDataTest, AnAlteredTableComesBackAsItWasLast) {
  TableDescriptor table = **master().GetDescriptor(Name("t"));
  table.families["f"].max_versions = 7;
  table.families["h"].name = "h";
  ASSERT_TRUE(Finish(master().ModifyTableAsync(table)).ok());
  Stop();
  fs::remove_all(Path("master"));
  Repair();
  EXPECT_EQ(**master().GetDescriptor(Name("t")), table);
}

TEST_F(LostDataTest, AFamilyThatWasAddedIsKnownByItsStores) {
  TableDescriptor table = **master().GetDescriptor(Name("t"));
  table.families["h"].name = "h";
  ASSERT_TRUE(Finish(master().ModifyTableAsync(table)).ok());
  ASSERT_TRUE(Put("t", "b", "w", "h:q").ok());
  Stop();
  EXPECT_THAT(Check(), IsEmpty());
  fs::remove_all(Path("master"));
  Repair();
  EXPECT_THAT(Rows("t"), ElementsAre("a=v", "b=v", "b=w", "c=v"));
}

TEST_F(LostDataTest, DataThatNoRegionHasMoveToTheSidelineAndComeBack) {
  const std::string name = InfoOf("b").EncodedName();
  EditMeta(testing::MakeMutation(MutationType::kDelete, InfoOf("b").Name(), {}));
  Restart();
  EXPECT_THAT(Rows("t"), ElementsAre("a=v", "c=v"));
  EXPECT_EQ(region_server().Trouble().sidelined_stores, 1);
  EXPECT_EQ(StoreFilesBelow(Path("sideline")), 1u);
  Restart();
  EXPECT_EQ(region_server().Trouble().sidelined_stores, 0) << "once";
  Stop();
  EXPECT_THAT(Check(), ElementsAre("HOLE_IN_REGION_CHAIN", "ORPHAN_REGION"));
  Repair();
  ExpectAllIsThere();
  EXPECT_EQ(InfoOf("b").EncodedName(), name) << "the same region";
}

TEST_F(LostDataTest, WhatIsOnlyInTheLogMovesToo) {
  EditMeta(testing::MakeMutation(MutationType::kDelete, InfoOf("c").Name(), {}));
  Restart();
  EXPECT_EQ(StoreFilesBelow(Path("sideline")), 1u);
  Stop();
  Repair();
  ExpectAllIsThere();
}

TEST_F(LostDataTest, RegionsWhoseServerFolderIsGoneAreOutOfService) {
  Stop();
  fs::remove_all(Path("server"));
  Restart();
  for (const AssignedRegion& region : Regions("t")) EXPECT_EQ(region.state, RegionState::kFailedOpen);
  EXPECT_EQ(MetaValue("t,", "state"), "FAILED_OPEN");
  EXPECT_THAT(region_server().Trouble().failed_regions, SizeIs(4));
  const absl::Status put = Put("t", "a");
  EXPECT_TRUE(IsError(put, ErrorKind::kCorruptHFile)) << put;
  EXPECT_FALSE(IsRetryable(put));
  EXPECT_THAT(std::string(put.message()), HasSubstr("vaquita fsck"));
  const absl::Status by_name = region_server().Mutate(Regions("t")[0].info.Name(), MakePut("a", "f:q", "v")).status();
  EXPECT_TRUE(IsError(by_name, ErrorKind::kCorruptHFile)) << by_name;
  ASSERT_TRUE(Create("other").ok());
  EXPECT_TRUE(Put("other", "x").ok()) << "the rest serves";
  const absl::Status assigned = Finish(master().AssignRegionAsync(RegionOf("t", "a")));
  EXPECT_TRUE(IsError(assigned, ErrorKind::kCorruptHFile)) << assigned;
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  ASSERT_TRUE(Finish(master().DeleteTableAsync(Name("t"))).ok());
  EXPECT_THAT(region_server().Trouble().failed_regions, SizeIs(1));
  Stop();
  EXPECT_THAT(Check(), ElementsAre("NOT_ON_DISK"));
  Repair(/*accept_data_loss=*/true);
  EXPECT_TRUE(Put("ns:wide", "x").ok());
}

// As in HBase, where nothing undoes the enabling of a table.
TEST_F(LostDataTest, ATableIsEnabledWithoutARegionThatCannotBeOpened) {
  const std::string lost = RegionOf("t", "b");
  Stop();
  DropStores([&](std::string_view store) { return store.starts_with(lost); });
  Restart();
  for (const bool begun_by_another_master : {false, true}) {
    SCOPED_TRACE(begun_by_another_master);
    ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
    if (begun_by_another_master) {
      EditMeta(MakePut("t", "table:state", EncodeTableState(TableState::kEnabling)));
      Restart();
      testing::WaitFor([&] { return *master().GetTableState(Name("t")) == TableState::kEnabled; });
    } else {
      const absl::Status enabled = Finish(master().EnableTableAsync(Name("t")));
      EXPECT_TRUE(IsError(enabled, ErrorKind::kCorruptHFile)) << enabled;
      EXPECT_THAT(std::string(enabled.message()),
                  HasSubstr("table t is enabled, but not all of its regions could be opened (" + lost + ")"));
    }
    EXPECT_EQ(*master().GetTableState(Name("t")), TableState::kEnabled);
    std::vector<RegionState> states;
    for (const AssignedRegion& region : Regions("t")) states.push_back(region.state);
    EXPECT_THAT(states, ElementsAre(RegionState::kOpen, RegionState::kFailedOpen, RegionState::kOpen));
    EXPECT_TRUE(Put("t", "a").ok());
    EXPECT_TRUE(Put("t", "c").ok());
  }
}

TEST_F(LostDataTest, ARegionThatLostAFamilyIsOutOfService) {
  Stop();
  DropStores([](std::string_view store) { return store.ends_with("/g"); });
  Restart();
  const absl::Status put = Put("ns:wide", "x");
  EXPECT_TRUE(IsError(put, ErrorKind::kCorruptHFile)) << put;
  EXPECT_THAT(std::string(put.message()), HasSubstr("family g"));
  EXPECT_THAT(Rows("t"), ElementsAre("a=v", "b=v", "c=v"));
  Stop();
  EXPECT_THAT(Check(), ElementsAre("MISSING_STORE"));
  Repair(/*accept_data_loss=*/true);
  EXPECT_THAT(Rows("ns:wide"), ElementsAre("x=v"));
}

// Nobody noted the families of its regions. Those of a region that was open had a store each.
TEST_F(LostDataTest, AnOlderFolderTellsALostFamilyFromOneThatWasAdded) {
  const std::string region = RegionOf("t", "b");
  ASSERT_TRUE(Finish(master().UnassignRegionAsync(region)).ok());
  TableDescriptor table = **master().GetDescriptor(Name("t"));
  table.families["h"].name = "h";
  ASSERT_TRUE(Finish(master().ModifyTableAsync(table)).ok());
  Stop();
  RemoveNotes();
  DropStores([](std::string_view store) { return store.ends_with("/g"); });
  EXPECT_THAT(Check(), ElementsAre("MISSING_STORE"));
  Restart();
  const absl::Status put = Put("ns:wide", "x");
  EXPECT_TRUE(IsError(put, ErrorKind::kCorruptHFile)) << put;
  EXPECT_THAT(std::string(put.message()), HasSubstr("family g"));
  ASSERT_TRUE(Finish(master().AssignRegionAsync(region)).ok());
  EXPECT_TRUE(Put("t", "b", "v", "h:q").ok());
  Stop();
  EXPECT_THAT(Check(), ElementsAre("MISSING_STORE"));
  Repair(/*accept_data_loss=*/true);
  EXPECT_THAT(Rows("ns:wide"), ElementsAre("x=v"));
}

TEST_F(LostDataTest, AFamilyThatWasAddedToAClosedRegionIsNotMissed) {
  const std::string region = RegionOf("t", "b");
  ASSERT_TRUE(Finish(master().UnassignRegionAsync(region)).ok());
  TableDescriptor table = **master().GetDescriptor(Name("t"));
  table.families["h"].name = "h";
  ASSERT_TRUE(Finish(master().ModifyTableAsync(table)).ok());
  Restart();
  ASSERT_TRUE(Finish(master().AssignRegionAsync(region)).ok());
  EXPECT_TRUE(Put("t", "b", "v", "h:q").ok());
  Stop();
  EXPECT_THAT(Check(), IsEmpty());
}

TEST_F(LostDataTest, RowsThatCannotBeReadArePassedOver) {
  EditMeta(MakePut(InfoOf("b").Name(), {MakeCell("info:state", "nonsense")}));
  EditMeta(MakePut("ns:wide", {MakeCell("table:state", "nonsense")}));
  Restart();
  EXPECT_THAT(Rows("t"), ElementsAre("a=v", "c=v"));
  EXPECT_EQ(master().Metrics().unreadable_meta_rows, 2);
  const absl::Status wide = master().GetDescriptor(Name("ns:wide")).status();
  EXPECT_TRUE(IsError(wide, ErrorKind::kDoNotRetryIO)) << wide;
  EXPECT_THAT(std::string(wide.message()), HasSubstr("out of service"));
  Stop();
  EXPECT_THAT(Check(), Contains("EMPTY_META_CELL"));
  Repair();
  ExpectAllIsThere();
}

TEST_F(LostDataTest, AStateOfMetaIsPassedOver) {
  EditMeta(MakePut("hbase:meta", {MakeCell("table:state", EncodeTableState(TableState::kDisabling))}));
  Restart();
  EXPECT_EQ(*master().GetTableState(kMetaTableName), TableState::kEnabled);
  ExpectAllIsThere();
}

TEST_F(LostDataTest, ATableWithoutADescriptorIsOutOfServiceAndTheRestServes) {
  Stop();
  {
    const auto db = StoreDb::Open({Path("master"), &options_, &clock_},
                                  [&](std::string_view name) { return std::make_unique<StoreSpec>(KeepAllOf(name)); });
    ASSERT_TRUE(db.ok()) << db.status();
    const auto store = Region::Open(db->get(), MasterStore::Info(), MasterStore::Descriptor());
    ASSERT_TRUE(store.ok()) << store.status();
    clock_.Advance(1000);
    const auto put = MakePut("table/t", {MakeCell("info:schema", "nonsense")});
    ASSERT_TRUE((*store)->Mutate(put).ok());
  }
  Restart();
  EXPECT_THAT(Rows("ns:wide"), ElementsAre("x=v", "x=w"));
  const absl::Status t = master().GetDescriptor(Name("t")).status();
  EXPECT_THAT(std::string(t.message()), HasSubstr("descriptor is missing"));
  Stop();
  EXPECT_THAT(Check(), Contains("NO_TABLE_DESCRIPTOR"));
  Repair();
  ExpectAllIsThere();
  EXPECT_EQ((*master().GetDescriptor(Name("t")))->families.at("f").max_versions, 5);
}

TEST_F(LostDataTest, NonsenseInMetaIsRefused) {
  const std::string row = InfoOf("b").Name();
  const auto write = [&](const Mutation& mutation) {
    return region_server().Mutate("hbase:meta,,1", mutation).status();
  };
  const std::vector<Mutation> refused = {
      MakePut(row, {MakeCell("info:regioninfo", "nonsense")}),
      MakePut(row, {MakeCell("info:regioninfo", EncodeRegionInfo(InfoOf("c")))}),
      MakePut(row, {MakeCell("info:state", "OPENED")}),
      MakePut(row, {MakeCell("info:server", "somewhere")}),
      MakePut(row, {MakeCell("info:serverstartcode", "123")}),
      MakePut(row, {MakeCell("info:sn", "host")}),
      MakePut("no region", {MakeCell("info:state", "OPEN")}),
      MakePut("t", {MakeCell("table:state", "nonsense")}),
      MakePut("no table!", {MakeCell("table:state", EncodeTableState(TableState::kEnabled))}),
      MakePut("hbase:meta", {MakeCell("table:state", EncodeTableState(TableState::kEnabled))}),
  };
  for (const Mutation& mutation : refused) {
    const absl::Status status = write(mutation);
    EXPECT_TRUE(IsError(status, ErrorKind::kDoNotRetryIO)) << mutation.row << " " << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(mutation.cells[0].qualifier));
    const Action action = mutation;
    EXPECT_FALSE(region_server().Batch("hbase:meta,,1", {&action, 1})[0].status.ok());
    EXPECT_FALSE(region_server().MutateRows("hbase:meta,,1", {&mutation, 1}, {}).ok());
  }
  EXPECT_TRUE(write(MakePut(row, {MakeCell("info:state", "CLOSED")})).ok()) << "as HBCK2's setRegionState";
  EXPECT_TRUE(write(MakePut("t", {MakeCell("table:state", EncodeTableState(TableState::kEnabled))})).ok());
  EXPECT_TRUE(write(MakePut(row, {MakeCell("info:regioninfo", EncodeRegionInfo(InfoOf("b")))})).ok());
  EXPECT_TRUE(write(MakePut(row, {MakeCell("info:mine", "anything")})).ok());
}

// All later edits of the master would come after such a cell.
TEST_F(LostDataTest, SystemTablesTakeNoTimestampsOfTheFuture) {
  const int64_t soon_ms = clock_.NowMs() + 30'000, late_ms = soon_ms + 1;
  const auto write = [&](const std::string& table, const Mutation& mutation) {
    return region_server().Mutate(RegionOf(table, ""), mutation).status();
  };
  Mutation row = MakePut("x", {});
  row.type = MutationType::kDelete;
  row.timestamp_ms = late_ms;
  for (const char* table : {"hbase:meta", "hbase:namespace"}) {
    for (const Mutation& late : {MakePut("x", "info:foo", "v", late_ms), row}) {
      const absl::Status status = write(table, late);
      EXPECT_TRUE(IsError(status, ErrorKind::kDoNotRetryIO)) << status;
      EXPECT_THAT(std::string(status.message()),
                  HasSubstr("row x: the timestamp " + std::to_string(late_ms) + " is more than 30000 ms later than"));
    }
    EXPECT_TRUE(write(table, MakePut("x", "info:foo", "v", soon_ms)).ok()) << "a client's clock may be wrong";
    EXPECT_TRUE(write(table, MakePut("x", "info:foo", "v")).ok());
  }
  EXPECT_TRUE(write("t", MakePut("a", "f:q", "v", late_ms)).ok());
}

// HBCK2 and old faults leave such rows; `vaquita fsck` makes one region of the two.
TEST_F(LostDataTest, RegionsThatBeginAtOneKeyAreBothTheTables) {
  const RegionInfo data = Regions("t").front().info;
  RegionInfo other = data;
  other.id = 5;
  Mutation put = MakePut(other.Name(), "info:regioninfo", EncodeRegionInfo(other));
  put.cells.push_back(MakeCell("info:state", "OPEN"));
  ASSERT_TRUE(master().meta()->Mutate(put).ok());
  Restart();
  EXPECT_THAT(Ranges("t"), ElementsAre("..b", "..b", "b..c", "c.."));
  EXPECT_TRUE(region_server().FindRegion(data.EncodedName()).ok());
  EXPECT_TRUE(region_server().FindRegion(other.EncodedName()).ok());
  EXPECT_TRUE(
      IsError(Finish(master().SnapshotAsync({.name = "s", .table = Name("t")}, false)), ErrorKind::kSnapshotCreation));
  ASSERT_TRUE(Finish(master().UnassignRegionAsync(data.EncodedName())).ok());
  EXPECT_FALSE(region_server().FindRegion(data.EncodedName()).ok());
  EXPECT_TRUE(region_server().FindRegion(other.EncodedName()).ok());
  ASSERT_TRUE(Finish(master().AssignRegionAsync(data.EncodedName())).ok());
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  EXPECT_FALSE(region_server().FindRegion(data.EncodedName()).ok());
  EXPECT_FALSE(region_server().FindRegion(other.EncodedName()).ok());
  ASSERT_TRUE(Finish(master().DeleteTableAsync(Name("t"))).ok());
  ASSERT_TRUE(Create("t").ok());
  EXPECT_THAT(Rows("t"), IsEmpty());
}

// HBase's own tests write such rows. What is empty is as if it were not there, now and after a start.
TEST_F(LostDataTest, EmptyLocationsInMetaMeanNone) {
  const std::string row = InfoOf("b").Name();
  for (const char* column : {"info:server", "info:serverstartcode", "info:seqnumDuringOpen"}) {
    const absl::Status written = region_server().Mutate("hbase:meta,,1", MakePut(row, {MakeCell(column, "")})).status();
    ASSERT_TRUE(written.ok()) << column << " " << written;
  }
  Stop();
  ASSERT_TRUE(TryToStart().ok());
  EXPECT_EQ(master().Metrics().unreadable_meta_rows, 0);
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  EXPECT_TRUE(Finish(master().DeleteTableAsync(Name("t"))).ok());
}

TEST_F(LostDataTest, ADamagedFormatIsRefused) {
  Stop();
  for (const char* text : {"", "\n", "x", "3 and more", "99999999999"}) {
    ASSERT_TRUE(WriteFile(Path("FORMAT"), text).ok());
    const absl::Status refused = TryToStart();
    EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << refused;
    EXPECT_THAT(std::string(refused.message()), HasSubstr("FORMAT is damaged"));
  }
  ASSERT_TRUE(WriteFile(Path("FORMAT"), "2\n").ok());
  EXPECT_TRUE(TryToStart().ok());
}

// ---- a cluster ----

class LostDataClusterTest : public testing::ClusterHarness {
 protected:
  void SetUp() override {
    Start();
    MakeTable();
  }
  void Start() {
    Lead();
    AddServers(2);
  }
  FsckReport Fsck(bool repair = false) {
    auto report =
        CheckDataRoot({.path = root_.path(), .repair = repair, .options = &options_, .clock = Clock::System()});
    EXPECT_TRUE(report.ok()) << report.status();
    return report.ok() ? *std::move(report) : FsckReport();
  }
};

TEST_F(LostDataClusterTest, AMasterThatIsGoneIsRefusedAndMadeAnew) {
  const std::string cluster_id = master().Status().cluster_id;
  KillAll();
  fs::remove_all(root_.path() + "/master");
  master_ = MakeMaster();
  const absl::Status refused = master_->TryToLead().status();
  EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << refused;
  EXPECT_THAT(std::string(refused.message()), HasSubstr("vaquita fsck"));
  master_.reset();
  EXPECT_THAT(KindsOf(Fsck().found), ElementsAre("NO_META"));
  EXPECT_THAT(KindsOf(Fsck(true).left), IsEmpty());
  Start();
  ExpectRows({"a", "b", "c"});
  EXPECT_EQ(master().Status().cluster_id, cluster_id);
}

// Other servers recover it, and find that its folder lacks a store that its notes name.
TEST_F(LostDataClusterTest, ADeadServersRegionThatLostItsStoreIsOutOfServiceAndTheOthersServe) {
  const AssignedRegion lost = Locate("b");
  KillAll();
  {
    const auto db = StoreDb::Open({root_.path() + "/server/" + lost.server_name, &options_, Clock::System()},
                                  [](std::string_view name) { return std::make_unique<StoreSpec>(KeepAllOf(name)); });
    ASSERT_TRUE(db.ok()) << db.status();
    const std::vector<std::string> stores = {lost.info.EncodedName() + "/f"};
    ASSERT_NE((*db)->Find(stores[0]), nullptr);
    ASSERT_TRUE((*db)->Drop(stores).ok());
  }
  Start();
  testing::WaitFor([&] { return Locate("b").state == RegionState::kFailedOpen; });
  testing::WaitFor([&] { return ServerOf(Locate("a")) != nullptr && ServerOf(Locate("c")) != nullptr; });
  for (const char* row : {"a", "c"}) testing::WaitFor([&] { return Put(row).ok(); });
  // Clients ask the server that meta names, which lives and tells them; also when that one dies.
  for (const bool again : {false, true}) {
    SCOPED_TRACE(again);
    if (again) Kill(servers_[0]->server_name() == Locate("b").home ? 0 : 1);
    RegionServer* teller = nullptr;
    testing::WaitFor([&] {
      const AssignedRegion region = Locate("b");
      for (const auto& server : servers_)
        teller = server->server_name() == region.home ? server->region_server() : teller;
      return teller != nullptr && region.state == RegionState::kFailedOpen;
    });
    const absl::Status put = teller->Mutate(lost.info.EncodedName(), MakePut("b", "f:q", "v")).status();
    EXPECT_TRUE(IsError(put, ErrorKind::kCorruptHFile)) << put;
    EXPECT_THAT(std::string(put.message()), HasSubstr("vaquita fsck"));
  }
}

TEST_F(LostDataClusterTest, AServersFolderThatMetaDoesNotNameIsNotRemoved) {
  const AssignedRegion region = Locate("b");
  ASSERT_TRUE(master().meta()->Mutate(testing::MakeMutation(MutationType::kDelete, region.info.Name(), {})).ok());
  KillAll();
  Start();  // other lives, on other ports: the dead ones are recovered
  ExpectRows({"a", "c"});
  KillAll();
  EXPECT_THAT(KindsOf(Fsck().found), Contains("HOLE_IN_REGION_CHAIN"));
  EXPECT_THAT(KindsOf(Fsck(true).left), IsEmpty());
  Start();
  ExpectRows({"a", "b", "c"});
}

// Its cells were never flushed: those who recover the server have them from its log.
TEST_F(LostDataClusterTest, ARegionThatMetaDoesNotNameIsKeptWhenItsServerIsRecovered) {
  AssignedRegion lost;
  for (const char* row : {"a", "b", "c"}) {  // one of the two servers has two regions
    for (const char* other : {"a", "b", "c"}) {
      if (std::string(row) < other && Locate(row).server_name == Locate(other).server_name) lost = Locate(other);
    }
  }
  ASSERT_FALSE(lost.server_name.empty());
  ASSERT_TRUE(master().meta()->Mutate(testing::MakeMutation(MutationType::kDelete, lost.info.Name(), {})).ok());
  KillAll();
  Start();
  testing::WaitFor([&] {
    const auto regions = Regions("t");
    return regions.size() == 2 && std::all_of(regions.begin(), regions.end(), [&](const AssignedRegion& region) {
             return ServerOf(region) != nullptr;
           });
  });
  std::vector<std::string> kept;
  for (const auto& entry : fs::recursive_directory_iterator(root_.path() + "/sideline")) {
    if (entry.is_directory()) kept.push_back(entry.path().filename().string());
  }
  EXPECT_THAT(kept, Contains(lost.info.EncodedName()));
}

}  // namespace
}  // namespace vaquita::fsck
