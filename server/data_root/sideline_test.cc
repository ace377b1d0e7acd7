#include "server/data_root/sideline.h"

#include <filesystem>

#include "base/clock.h"
#include "base/durable_files.h"
#include "base/options.h"
#include "base/testing/temporary_folder.h"
#include "engine/store_db.h"
#include "gtest/gtest.h"
#include "model/testing/cells.h"
#include "region/region.h"

namespace vaquita {
namespace {

namespace fs = std::filesystem;

// A server's folder with region "t" and its family "f".
class SidelineTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(CreateFolder(root_.path() + "/server").ok());
    const auto db = StoreDb::Open(database_, [](std::string_view) { return nullptr; });
    ASSERT_TRUE(db.ok()) << db.status();
    auto notes = RegionNotes::Load(db->get());
    ASSERT_TRUE(notes.ok()) << notes.status();
    auto region = Region::OpenOrCreate(db->get(), info_, table_);
    ASSERT_TRUE(region.ok()) << region.status();
    ASSERT_TRUE((*notes)->Put({{info_, table_}}).ok());
    ASSERT_TRUE((*region)->Close().ok());
  }
  void Put() {
    const auto db = StoreDb::Open(database_, [](std::string_view) { return nullptr; });
    ASSERT_TRUE(db.ok()) << db.status();
    auto region = Region::Open(db->get(), info_, table_);
    ASSERT_TRUE(region.ok()) << region.status();
    ASSERT_TRUE((*region)->Mutate(testing::MakePut("row", "f:q", "v")).ok());
    ASSERT_TRUE((*region)->Close().ok());
  }
  // Flushes the store, and returns the name of its first file.
  std::string FlushedFile() const {
    const auto db = StoreDb::Open(database_, [](std::string_view) { return nullptr; });
    EXPECT_TRUE(db.ok()) << db.status();
    const auto store = (*db)->Find(Region::StoreName(info_.EncodedName(), "f"));
    EXPECT_TRUE((*db)->Flush({&store, 1}).ok());
    return fs::path(store->Files().at(0).name).filename().string();
  }
  std::string Sideline() const { return SidelineFolder(root_.path(), clock_.NowMs()); }

  testing::TemporaryFolder root_;
  Options options_;
  mutable ManualClock clock_{1'700'000'000'000};
  const StoreDbOptions database_{.path = root_.path() + "/server/a,1,1", .options = &options_, .clock = &clock_};
  const std::shared_ptr<const TableDescriptor> table_ = testing::MakeTable({testing::MakeFamily("f")});
  const RegionInfo info_{.table = table_->name, .start_key = "", .end_key = "", .id = 1};
};

TEST_F(SidelineTest, AnUnneededFolderWithoutDataGoes) {
  RemoveUnneededFolder(root_.path(), database_);
  EXPECT_FALSE(PathExists(database_.path));
  EXPECT_FALSE(PathExists(Sideline()));
}

TEST_F(SidelineTest, DataOfAnUnneededFolderStayWithTheNameOfTheirRegion) {
  Put();
  RemoveUnneededFolder(root_.path(), database_);
  EXPECT_FALSE(PathExists(database_.path));
  const auto manifest = ReadFile(Sideline() + "/" + info_.EncodedName() + "/region.manifest");
  ASSERT_TRUE(manifest.ok()) << manifest.status();
  const auto region = DecodeSnapshotRegion(*manifest);
  ASSERT_TRUE(region.ok()) << region.status();
  EXPECT_EQ(region->info, info_);
  EXPECT_EQ(region->files.at("f").size(), 1);
  EXPECT_EQ(region->table->name, table_->name);
}

TEST_F(SidelineTest, CellsThatWereNeverFlushedAreData) {
  StoreDbOptions database = database_;
  for (const bool for_export : {false, true}) {
    SCOPED_TRACE(for_export);
    {
      const auto db = StoreDb::Open(database_, [](std::string_view) { return nullptr; });
      ASSERT_TRUE(db.ok()) << db.status();
      const auto region = Region::OpenOrCreate(db->get(), info_, table_);
      ASSERT_TRUE(region.ok()) << region.status();
      ASSERT_TRUE((*region)->Mutate(testing::MakePut("\xff\x01", "f:q", "v")).ok());
      ASSERT_TRUE((*region)->Close().ok());
    }
    database.for_export = for_export;  // as the recovery of a dead server opens it
    const auto db = StoreDb::Open(database, [](std::string_view) { return nullptr; });
    ASSERT_TRUE(db.ok()) << db.status();
    const auto store = (*db)->Find(Region::StoreName(info_.EncodedName(), "f"));
    ASSERT_NE(store, nullptr);
    EXPECT_EQ(store->StoreFileCount(), 0);
    EXPECT_GT(store->MemstoreBytes(), 0);
    const UnknownStores unknown{.db = db->get(), .path = database_.path, .sideline = Sideline()};
    const auto moved = SetUnknownStoresAside(unknown);
    ASSERT_TRUE(moved.ok()) << moved.status();
    EXPECT_EQ(*moved, 1);
  }
}

// Files of a snapshot are those of the table and of its clones.
TEST_F(SidelineTest, LinksToFilesOfAnotherTableAreDataLinksToItsOwnAreNot) {
  Put();
  for (const bool is_clone : {true, false}) {
    SCOPED_TRACE(is_clone);
    auto other_table = std::make_shared<TableDescriptor>(*table_);
    if (is_clone) other_table->name.qualifier = "clone";
    const RegionInfo other{.table = other_table->name, .id = 2};
    const std::string known = Region::StoreName(other.EncodedName(), "f");
    const auto db = StoreDb::Open(database_, [&](std::string_view store) {
      return store == known ? std::make_unique<StoreSpec>(KeepAllOf(store)) : nullptr;
    });
    ASSERT_TRUE(db.ok()) << db.status();
    const auto unknown = (*db)->Find(Region::StoreName(info_.EncodedName(), "f"));
    ASSERT_NE(unknown, nullptr);
    ASSERT_TRUE((*db)->Flush({&unknown, 1}).ok());
    ASSERT_TRUE((*db)->Link({&unknown, 1}, KeepAllOf(known)).ok());
    auto notes = RegionNotes::Load(db->get());
    ASSERT_TRUE(notes.ok()) << notes.status();
    ASSERT_TRUE((*notes)->Put({{other, other_table}}).ok());
    const auto all_notes = (*db)->Notes();
    ASSERT_TRUE(all_notes.ok()) << all_notes.status();
    const UnknownStores stores{
        .db = db->get(), .path = database_.path, .sideline = Sideline(), .notes = ReadNotes(*all_notes)};
    EXPECT_EQ(UnknownStoresWithData(stores).size(), is_clone ? 1 : 0);
    ASSERT_TRUE((*db)->Drop(std::vector<std::string>{known}).ok());
    ASSERT_TRUE((*notes)->Remove({other.EncodedName()}).ok());
  }
}

// A clone of a snapshot and the other daughter of a split have them, and serve other rows.
TEST_F(SidelineTest, FilesThatOthersHaveAreDataOfTheFolderToo) {
  Put();
  const std::string file = FlushedFile();
  for (const std::string place : {"/snapshots/s", "/server/b,2,2", "/recovering/b,2,2@c,3,3"}) {
    ASSERT_TRUE(CreateFolder(root_.path() + place).ok());
    fs::create_hard_link(database_.path + "/" + file, root_.path() + place + "/" + file);
  }
  RemoveUnneededFolder(root_.path(), database_);
  EXPECT_FALSE(PathExists(database_.path));
  EXPECT_TRUE(PathExists(Sideline() + "/" + info_.EncodedName() + "/f/" + file));
}

TEST_F(SidelineTest, DataOfARegionWithAHandoffGo) {
  Put();
  const std::string handoff = root_.path() + "/handoff/" + info_.EncodedName();
  ASSERT_TRUE(CreateFolder(handoff).ok());
  ASSERT_TRUE(WriteFile(handoff + "/region.manifest", "").ok());
  RemoveUnneededFolder(root_.path(), database_);
  EXPECT_FALSE(PathExists(database_.path));
  EXPECT_FALSE(PathExists(Sideline())) << "the region's next server gets it";
}

TEST_F(SidelineTest, ADropThatACrashHasCutShortIsFinished) {
  Put();
  {
    const auto db = StoreDb::Open(database_, [](std::string_view) { return nullptr; });
    ASSERT_TRUE(db.ok()) << db.status();
    const auto notes = RegionNotes::Load(db->get());
    ASSERT_TRUE(notes.ok()) << notes.status();
    const std::string gone = Region::StoreName(info_.EncodedName(), "g");
    ASSERT_TRUE((*notes)->BeginDrop({gone, Region::StoreName(info_.EncodedName(), "f")}).ok());
  }
  RemoveUnneededFolder(root_.path(), database_);
  EXPECT_FALSE(PathExists(database_.path));
  EXPECT_FALSE(PathExists(Sideline()));
}

TEST_F(SidelineTest, AnUnneededFolderWithDamagedDataStaysWhole) {
  std::string first_file;
  for (int i = 0; i < 2; ++i) {
    Put();
    const std::string file = FlushedFile();
    if (i == 0) first_file = database_.path + "/" + file;
  }
  ASSERT_TRUE(RemoveAll(first_file).ok());
  RemoveUnneededFolder(root_.path(), database_);
  EXPECT_FALSE(PathExists(database_.path));
  EXPECT_TRUE(HasData(Sideline() + "/a,1,1"));
}

TEST_F(SidelineTest, AnUnneededFolderThatCannotBeReadStaysWhole) {
  Put();
  ASSERT_TRUE(WriteFile(database_.path + "/CURRENT", "damaged").ok());
  for (const auto& entry : fs::directory_iterator(database_.path)) {
    if (entry.path().filename().string().find("MANIFEST") != std::string::npos) fs::remove(entry.path());
  }
  RemoveUnneededFolder(root_.path(), database_);
  EXPECT_FALSE(PathExists(database_.path));
  EXPECT_TRUE(PathExists(Sideline() + "/a,1,1/CURRENT"));
}

TEST_F(SidelineTest, SoDoesOneThatLostItsDatabase) {
  ASSERT_TRUE(RemoveAll(database_.path).ok());
  ASSERT_TRUE(CreateFolder(database_.path).ok());
  ASSERT_TRUE(WriteFile(database_.path + "/000009.sst", "cells").ok());
  RemoveUnneededFolder(root_.path(), database_);
  EXPECT_FALSE(PathExists(database_.path));
  EXPECT_TRUE(PathExists(Sideline() + "/a,1,1/000009.sst"));
  EXPECT_FALSE(PathExists(Sideline() + "/a,1,1/CURRENT"));
}

}  // namespace
}  // namespace vaquita
