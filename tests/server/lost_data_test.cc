// Damage to the records of whose the data are: hbase:meta, descriptors, servers' folders. Every loss is reported, and
// `vaquita fsck` restores whatever the folders still have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/durable_files.h"
#include "proto/hbase/stored_values.h"
#include "server/fsck/fsck.h"
#include "server/master/master_metrics.h"
#include "server/master/meta/master_store.h"
#include "tests/server/cluster_harness.h"
#include "tests/server/server_harness.h"

namespace vaquita::fsck {
namespace {

namespace fs = std::filesystem;

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::MakeCell;
using testing::MakePut;
using ::testing::SizeIs;

std::vector<std::string> KindsFound(const std::vector<Finding>& findings) {
  std::vector<std::string> kinds;
  for (const Finding& finding : findings) {
    if (finding.is_inconsistency()) kinds.push_back(KindName(finding.kind));
  }
  return kinds;
}

size_t StoreFilesBelow(const std::string& folder) {
  size_t count = 0;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error)) count += entry.path().extension() == ".sst";
  return count;
}

// Tables "t" (regions from "", "b" and "c" on, with a row each, "b" in a file) and "ns:wide" (two families, one row).
class LostDataTest : public testing::ServerHarness {
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

  RegionInfo InfoOf(const std::string& row) {
    for (const AssignedRegion& region : Regions("t")) {
      if (region.info.ContainsRow(row)) return region.info;
    }
    return {};
  }
  void EditMeta(const Mutation& mutation) {
    clock_.Advance(1000);
    const absl::Status edited = master().meta()->Mutate(mutation).status();
    ASSERT_TRUE(edited.ok()) << edited;
  }
  void Stop() { server_.reset(); }
  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }
  absl::Status TryToStart() {
    clock_.Advance(1000);
    auto server =
        Standalone::Start({.data_path = folder_.path(), .options = &options_, .clock = &clock_, .serve = false});
    if (!server.ok()) return server.status();
    server_ = *std::move(server);
    return absl::OkStatus();
  }
  void DropStores(const std::function<bool(std::string_view)>& unwanted) {
    std::vector<std::string> names;
    const auto db = StoreDb::Open({Path("server/standalone"), &options_, &clock_}, [&](std::string_view name) {
      if (unwanted(name)) names.emplace_back(name);
      return std::make_unique<StoreSpec>(KeepAllOf(name));
    });
    ASSERT_TRUE(db.ok()) << db.status();
    ASSERT_TRUE((*db)->Drop(names).ok());
  }

  FsckReport Fsck(bool repair = false, bool accept_data_loss = false) {
    clock_.Advance(1000);
    auto report = CheckDataRoot({.path = folder_.path(),
                                 .repair = repair,
                                 .accept_data_loss = accept_data_loss,
                                 .options = &options_,
                                 .clock = &clock_});
    EXPECT_TRUE(report.ok()) << report.status();
    return report.ok() ? *std::move(report) : FsckReport();
  }
  std::vector<std::string> Check() { return KindsFound(Fsck().found); }
  void Repair(bool accept_data_loss = false) {
    const FsckReport report = Fsck(true, accept_data_loss);
    EXPECT_THAT(KindsFound(report.left), IsEmpty()) << ::testing::PrintToString(report.done);
    Restart();
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

TEST_F(LostDataTest, AMasterThatLostCurrentIsRefusedAndKept) {
  Stop();
  fs::remove(Path("master/CURRENT"));
  EXPECT_TRUE(absl::IsFailedPrecondition(TryToStart()));
  Repair();
  ExpectAllIsThere();
  bool kept = false;
  for (const auto& entry : fs::recursive_directory_iterator(Path("sideline"))) {
    kept |= entry.path().parent_path().filename() == "master";
  }
  EXPECT_TRUE(kept) << "what was there of master/ is in the sideline";
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
    auto db = StoreDb::Open({Path("server/standalone"), &options_, &clock_}, [](std::string_view) { return nullptr; });
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

TEST_F(LostDataTest, ADamagedFormatIsRefused) {
  Stop();
  for (const char* text : {"", "\n", "x", "1 and more", "99999999999"}) {
    ASSERT_TRUE(WriteFile(Path("FORMAT"), text).ok());
    const absl::Status refused = TryToStart();
    EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << refused;
    EXPECT_THAT(std::string(refused.message()), HasSubstr("FORMAT is damaged"));
  }
  ASSERT_TRUE(WriteFile(Path("FORMAT"), "1\n").ok());
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
  void Stop() {
    for (auto& server : servers_) server->StopNow();
    servers_.clear();
    master_.reset();
  }
  FsckReport Fsck(bool repair = false) {
    auto report =
        CheckDataRoot({.path = root_.path(), .repair = repair, .options = &options_, .clock = Clock::System()});
    EXPECT_TRUE(report.ok()) << report.status();
    return report.ok() ? *std::move(report) : FsckReport();
  }
  void ExpectRows(const std::vector<std::string>& rows) {
    testing::WaitFor([&] {
      const auto regions = Regions("t");
      return std::all_of(regions.begin(), regions.end(), [&](const AssignedRegion& region) {
        RegionServer* const server = ServerOf(region);
        return server != nullptr && server->FindRegion(region.info.EncodedName()).ok();
      });
    });
    EXPECT_EQ(Rows(), rows);
  }
};

TEST_F(LostDataClusterTest, AMasterThatIsGoneIsRefusedAndMadeAnew) {
  const std::string cluster_id = master().Status().cluster_id;
  Stop();
  fs::remove_all(root_.path() + "/master");
  master_ = MakeMaster();
  const absl::Status refused = master_->TryToLead().status();
  EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << refused;
  EXPECT_THAT(std::string(refused.message()), HasSubstr("vaquita fsck"));
  master_.reset();
  EXPECT_THAT(KindsFound(Fsck().found), ElementsAre("NO_META"));
  EXPECT_THAT(KindsFound(Fsck(true).left), IsEmpty());
  Start();
  ExpectRows({"a", "b", "c"});
  EXPECT_EQ(master().Status().cluster_id, cluster_id);
}

// Other servers recover it, and find that its folder lacks a store that its notes name.
TEST_F(LostDataClusterTest, ADeadServersRegionThatLostItsStoreIsOutOfServiceAndTheOthersServe) {
  const AssignedRegion lost = Locate("b");
  Stop();
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
}

TEST_F(LostDataClusterTest, AServersFolderThatMetaDoesNotNameIsNotRemoved) {
  const AssignedRegion region = Locate("b");
  ASSERT_TRUE(master().meta()->Mutate(testing::MakeMutation(MutationType::kDelete, region.info.Name(), {})).ok());
  Stop();
  Start();  // other lives, on other ports: the dead ones are recovered
  ExpectRows({"a", "c"});
  Stop();
  EXPECT_THAT(KindsFound(Fsck().found), Contains("HOLE_IN_REGION_CHAIN"));
  EXPECT_THAT(KindsFound(Fsck(true).left), IsEmpty());
  Start();
  ExpectRows({"a", "b", "c"});
}

}  // namespace
}  // namespace vaquita::fsck
