#include "server/master/assignment/assignment_journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/options.h"
#include "base/testing/temporary_folder.h"
#include "engine/store_db.h"
#include "region/known_stores.h"
#include "region/region.h"
#include "server/data_root/handoff.h"
#include "server/data_root/server_folder.h"
#include "server/master/procedure/master_parts.h"

namespace vaquita {
namespace {

using assignment::LoadedMeta;
using assignment::LoadedRegion;
using assignment::Outputs;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

constexpr const char* kOne = "a,1,10";
constexpr const char* kOther = "b,1,10";

// A master's parts, as far as a journal needs them, on a folder that is opened anew at will.
class AssignmentJournalTest : public ::testing::Test {
 protected:
  AssignmentJournalTest() { Open(); }

  void Open() {
    journal_.reset();
    parts_.reset();
    MasterOptions options;
    options.root = root_.path();
    options.options = &options_;
    options.clock = &clock_;
    parts_ = std::make_unique<MasterParts>(options);
    clock_.Advance(1000);
    KnownStores known(&options_);
    known.Add(MetaTable::Info(), *MetaTable::Descriptor());
    known.Add(MasterStore::Info(), *MasterStore::Descriptor());
    auto db = StoreDb::Open({root_.path() + "/master", &options_, &clock_},
                            [&](std::string_view store) { return known.Find(store); });
    ASSERT_TRUE(db.ok()) << db.status();
    parts_->db = *std::move(db);
    auto meta = Region::OpenOrCreate(parts_->db.get(), MetaTable::Info(), MetaTable::Descriptor());
    auto store = Region::OpenOrCreate(parts_->db.get(), MasterStore::Info(), MasterStore::Descriptor());
    ASSERT_TRUE(meta.ok() && store.ok());
    parts_->meta = *MetaTable::Open(*meta, &clock_);
    auto loaded = MasterStore::Load(*store, &clock_);
    ASSERT_TRUE(loaded.ok()) << loaded.status();
    parts_->store = *std::move(loaded);
    journal_ = MakeAssignmentJournal(parts_->records(), parts_->store.get(), parts_->options);
  }
  // The table and its regions, in meta and in the catalog.
  void MakeTable(const std::string& name, TableState state, const std::vector<AssignedRegion>& regions) {
    auto table = std::make_shared<TableDescriptor>();
    table->name = *TableName::Parse(name);
    MetaEdit edit;
    for (const AssignedRegion& region : regions) {
      const std::string target = region.state == RegionState::kOpening ? region.server_name : "";
      edit.PutAssignment(region.info, region.state, region.home, target);
    }
    edit.PutTableState(table->name, state);
    ASSERT_TRUE(parts_->meta->Apply(std::move(edit)).ok());
    parts_->catalog.PutTable(table, state, regions);
  }
  static RegionInfo Info(const std::string& start, const std::string& end, int64_t id = 1,
                         const std::string& table = "t") {
    return {.table = {"default", table}, .start_key = start, .end_key = end, .id = id};
  }
  static std::shared_ptr<const RegionInfo> Shared(const RegionInfo& info) {
    return std::make_shared<const RegionInfo>(info);
  }
  void Write(const Outputs& outputs) {
    const absl::Status written = journal_->Write(outputs);
    ASSERT_TRUE(written.ok()) << written;
  }
  LoadedMeta Load() {
    auto meta = journal_->Load();
    EXPECT_TRUE(meta.ok()) << meta.status();
    return meta.ok() ? *std::move(meta) : LoadedMeta();
  }
  // "start..end STATE home>target" of each region that is loaded.
  std::vector<std::string> Loaded() {
    std::vector<std::string> texts;
    for (const LoadedRegion& region : Load().regions) {
      texts.push_back(region.info.start_key + ".." + region.info.end_key + " " +
                      std::string(RegionStateName(region.state)) + " " + region.home + ">" + region.target);
    }
    return texts;
  }
  // Returns the catalog's regions: "start..end STATE where home".
  std::vector<std::string> Known() {
    std::vector<std::string> texts;
    auto regions = parts_->catalog.Regions({"default", "t"});
    EXPECT_TRUE(regions.ok()) << regions.status();
    for (const AssignedRegion& region : *regions) {
      texts.push_back(region.info.start_key + ".." + region.info.end_key + " " +
                      std::string(RegionStateName(region.state)) + " " + region.server_name + " " + region.home);
    }
    return texts;
  }
  void MakeHandoff(const RegionInfo& info) {
    MakeServerFolder(kOne);
    auto draft = HandoffDraft::Begin(root_.path(), ServerFolder(root_.path(), kOne), info.EncodedName());
    ASSERT_TRUE(draft.ok()) << draft.status();
    const absl::Status published = draft->Publish({.info = info, .files = {}});
    ASSERT_TRUE(published.ok()) << published;
  }
  bool HasHandoff(const RegionInfo& info) { return vaquita::HasHandoff(root_.path(), info.EncodedName()); }
  void MakeServerFolder(const std::string& server) {
    std::filesystem::create_directories(ServerFolder(root_.path(), server));
  }
  std::vector<std::string> ServerFolders() {
    std::vector<std::string> names = Load().folders;
    std::sort(names.begin(), names.end());
    return names;
  }

  testing::TemporaryFolder root_;
  Options options_;
  ManualClock clock_{1'700'000'000'000};
  std::unique_ptr<MasterParts> parts_;
  std::unique_ptr<AssignmentJournal> journal_;
};

TEST_F(AssignmentJournalTest, LoadsWhatMetaHas) {
  MakeTable("t", TableState::kEnabled,
            {{Info("", "b"), RegionState::kOpen, kOne, kOne},
             {Info("b", "c"), RegionState::kOpening, kOther, kOne},
             {Info("c", ""), RegionState::kClosed, "", kOther}});
  MakeTable("off", TableState::kDisabling, {{Info("", "", 1, "off"), RegionState::kOpen, kOne, kOne}});
  MetaEdit edit;  // for a table that is being created, or was deleted
  edit.PutRegion(Info("", "", 1, "nostate"), RegionState::kOpen, kOne);
  ASSERT_TRUE(parts_->meta->Apply(std::move(edit)).ok());
  EXPECT_THAT(Loaded(),
              ElementsAre(".. OPEN a,1,10>", "..b OPEN a,1,10>", "b..c OPENING a,1,10>b,1,10", "c.. CLOSED b,1,10>"));
  const LoadedMeta meta = Load();
  EXPECT_FALSE(meta.regions[0].table_enabled);
  EXPECT_TRUE(meta.regions[0].table_changing);
  EXPECT_TRUE(meta.regions[1].table_enabled);
  EXPECT_FALSE(meta.regions[1].table_changing);
}

TEST_F(AssignmentJournalTest, ChangesAreInMetaAndInTheCatalog) {
  MakeTable("t", TableState::kEnabled, {{Info("", ""), RegionState::kOpen, kOne, kOne}});
  Write({.changes = {{Shared(Info("", "")), RegionState::kClosing, kOne, ""}}});
  EXPECT_THAT(Known(), ElementsAre(".. CLOSING  a,1,10")) << "clients are not sent there any more";
  Write({.changes = {{Shared(Info("", "")), RegionState::kOpening, kOne, kOther}}});
  EXPECT_THAT(Known(), ElementsAre(".. OPENING b,1,10 a,1,10"));
  EXPECT_THAT(Loaded(), ElementsAre(".. OPENING a,1,10>b,1,10"));
  Write({.changes = {{Shared(Info("", "")), RegionState::kOpen, kOther, ""}}});
  EXPECT_THAT(Known(), ElementsAre(".. OPEN b,1,10 b,1,10"));
  Open();
  EXPECT_THAT(Loaded(), ElementsAre(".. OPEN b,1,10>")) << "after a restart of the master, too";
}

TEST_F(AssignmentJournalTest, ASplitAndAMergeReplaceTheirParents) {
  MakeTable("t", TableState::kEnabled, {{Info("", ""), RegionState::kOpen, kOne, kOne}});
  const auto parent = Shared(Info("", "")), low = Shared(Info("", "m", 2)), high = Shared(Info("m", "", 2));
  Write({.transitions = {{.split = true, .parents = {parent}, .new_regions = {low, high}, .server = kOne}}});
  EXPECT_THAT(Known(), ElementsAre("..m OPEN a,1,10 a,1,10", "m.. OPEN a,1,10 a,1,10"));
  EXPECT_THAT(Loaded(), ElementsAre("..m OPEN a,1,10>", "m.. OPEN a,1,10>")) << "the parent is no region any more";
  auto rows = parts_->meta->LoadTable({"default", "t"});
  ASSERT_TRUE(rows.ok());
  ASSERT_THAT(*rows, SizeIs(3)) << "its row stays, for the janitor";
  EXPECT_THAT(rows->front().daughters, ElementsAre(*low, *high));

  const auto merged = Shared(Info("", "", 3));
  Write({.transitions = {{.split = false, .parents = {low, high}, .new_regions = {merged}, .server = kOne}}});
  EXPECT_THAT(Known(), ElementsAre(".. OPEN a,1,10 a,1,10"));
  EXPECT_THAT(Loaded(), ElementsAre(".. OPEN a,1,10>"));
  rows = parts_->meta->LoadTable({"default", "t"});
  EXPECT_THAT(rows->back().merge_parents, ElementsAre(*low, *high));
}

TEST_F(AssignmentJournalTest, ServersMarksStay) {
  Write({.now_dead = {kOne, kOther}});
  ASSERT_TRUE(journal_->SetDraining("c,1,1", assignment::Draining::kAllLeave).ok());
  ASSERT_TRUE(journal_->SetDraining("d,1,1", assignment::Draining::kNoNewRegions).ok());
  Open();
  EXPECT_THAT(Load().dead_servers, ElementsAre(kOne, kOther));
  EXPECT_THAT(Load().draining_servers, ElementsAre("c,1,1"));
  EXPECT_THAT(Load().closed_servers, ElementsAre("d,1,1"));
  Write({.no_longer_dead = {kOne}});
  ASSERT_TRUE(journal_->SetDraining("d,1,1", assignment::Draining::kAllLeave).ok());
  ASSERT_TRUE(journal_->SetDraining("c,1,1", assignment::Draining::kNo).ok());
  EXPECT_THAT(Load().dead_servers, ElementsAre(kOther));
  EXPECT_THAT(Load().draining_servers, ElementsAre("d,1,1"));
  EXPECT_THAT(Load().closed_servers, IsEmpty());
}

TEST_F(AssignmentJournalTest, AnAdoptedFolderTakesTheLaterName) {
  MakeServerFolder(kOne);
  const std::string later = "a,1,20";
  Write({.adoptions = {{kOne, later}}});
  EXPECT_THAT(ServerFolders(), ElementsAre(later));
  Write({.adoptions = {{kOne, later}}});  // by the next master, which does not know that it was done
  EXPECT_THAT(ServerFolders(), ElementsAre(later));
  Write({.adoptions = {{kOther, "b,1,20"}}});  // its folder is gone; its regions will say so when they open
  EXPECT_THAT(ServerFolders(), ElementsAre(later));
}

TEST_F(AssignmentJournalTest, FoldersOfEarlierLivesGoUnlessTheyAreHomes) {
  for (const char* server : {"a,1,5", "a,1,10", "a,1,20", "a,2,5", "b,1,5"}) MakeServerFolder(server);
  journal_->RemoveOldFolders("a,1,20", {"a,1,5"});
  EXPECT_THAT(ServerFolders(), ElementsAre("a,1,20", "a,1,5", "a,2,5", "b,1,5"));
}

TEST_F(AssignmentJournalTest, UnwantedHandoffsGo) {
  MakeHandoff(Info("", "b"));
  MakeHandoff(Info("b", ""));
  Write({.unwanted_handoffs = {Info("", "b").EncodedName(), Info("c", "").EncodedName()}});
  EXPECT_FALSE(HasHandoff(Info("", "b")));
  EXPECT_TRUE(HasHandoff(Info("b", "")));
}

TEST_F(AssignmentJournalTest, TheNextMasterRemovesHandoffsOfRegionsThatWereReplaced) {
  MakeTable("t", TableState::kEnabled,
            {{Info("", "b", 2), RegionState::kClosed, "", kOne}, {Info("d", "", 2), RegionState::kClosed, "", kOne}});
  const RegionInfo has = Info("d", "", 2), replaced = Info("a", "c"), in_the_hole = Info("b", "d"),
                   of_no_table = Info("b", "d", 1, "gone");
  for (const RegionInfo& info : {has, replaced, in_the_hole, of_no_table}) MakeHandoff(info);
  Load();
  EXPECT_TRUE(HasHandoff(has));
  EXPECT_FALSE(HasHandoff(replaced));
  EXPECT_TRUE(HasHandoff(in_the_hole)) << "fsck can make it a region again";
  EXPECT_FALSE(HasHandoff(of_no_table));
}

}  // namespace
}  // namespace vaquita
