#include "engine/rocksdb/delayed_syncs.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "base/durable_files.h"
#include "base/test_disk.h"
#include "base/testing/temporary_folder.h"
#include "engine/rocksdb/disk_stand_in_files.h"
#include "gtest/gtest.h"

namespace vaquita {
namespace {

// Files that hold nothing and count their syncs.
class CountingFile final : public rocksdb::FSWritableFile {
 public:
  explicit CountingFile(int* syncs) : syncs_(syncs) {}
  using FSWritableFile::Append;
  rocksdb::IOStatus Append(const rocksdb::Slice&, const rocksdb::IOOptions&, rocksdb::IODebugContext*) override {
    return rocksdb::IOStatus::OK();
  }
  rocksdb::IOStatus Close(const rocksdb::IOOptions&, rocksdb::IODebugContext*) override {
    return rocksdb::IOStatus::OK();
  }
  rocksdb::IOStatus Flush(const rocksdb::IOOptions&, rocksdb::IODebugContext*) override {
    return rocksdb::IOStatus::OK();
  }
  rocksdb::IOStatus Sync(const rocksdb::IOOptions&, rocksdb::IODebugContext*) override {
    ++*syncs_;
    return rocksdb::IOStatus::OK();
  }

 private:
  int* const syncs_;
};

class CountingFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  explicit CountingFileSystem(int* syncs) : FileSystemWrapper(rocksdb::FileSystem::Default()), syncs_(syncs) {}
  const char* Name() const override { return "CountingFileSystem"; }
  rocksdb::IOStatus NewWritableFile(const std::string&, const rocksdb::FileOptions&,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file, rocksdb::IODebugContext*) override {
    *file = std::make_unique<CountingFile>(syncs_);
    return rocksdb::IOStatus::OK();
  }

 private:
  int* const syncs_;
};

class DelayedSyncsTest : public ::testing::Test {
 protected:
  std::unique_ptr<rocksdb::FSWritableFile> NewFile(const std::string& path) {
    std::unique_ptr<rocksdb::FSWritableFile> file;
    EXPECT_TRUE(fs_->NewWritableFile(path, {}, &file, nullptr).ok());
    return file;
  }
  static void Sync(const std::unique_ptr<rocksdb::FSWritableFile>& file) {
    EXPECT_TRUE(file->Sync(rocksdb::IOOptions(), nullptr).ok());
  }

  int synced_ = 0;
  DelayedSyncs syncs_;
  std::shared_ptr<rocksdb::FileSystem> fs_ = syncs_.Wrap(std::make_shared<CountingFileSystem>(&synced_), "/db");
};

TEST_F(DelayedSyncsTest, OneSyncStandsForAllThatWerePutOff) {
  const auto manifest = NewFile("/db/MANIFEST-000004");
  Sync(manifest);
  EXPECT_EQ(synced_, 1);
  syncs_.HoldManifest();
  syncs_.HoldManifest();
  for (int i = 0; i < 800; ++i) Sync(manifest);
  EXPECT_EQ(synced_, 1);
  EXPECT_TRUE(syncs_.SyncManifest().ok());
  EXPECT_EQ(synced_, 2) << "somebody cannot wait";
  EXPECT_TRUE(syncs_.SyncManifest().ok());
  EXPECT_EQ(synced_, 2) << "there was nothing new";
  Sync(manifest);
  EXPECT_TRUE(syncs_.ReleaseManifest().ok());
  EXPECT_EQ(synced_, 2) << "held twice";
  EXPECT_TRUE(syncs_.ReleaseManifest().ok());
  EXPECT_EQ(synced_, 3);
  Sync(manifest);
  EXPECT_EQ(synced_, 4);
}

TEST_F(DelayedSyncsTest, TheFirstSyncOfAManifestIsNeverPutOff) {
  syncs_.HoldManifest();
  const auto manifest = NewFile("/db/MANIFEST-000004");
  Sync(manifest);
  EXPECT_EQ(synced_, 1) << "CURRENT names it next";
  Sync(manifest);
  EXPECT_EQ(synced_, 1);
  EXPECT_TRUE(syncs_.ReleaseManifest().ok());
  EXPECT_EQ(synced_, 2);
}

TEST_F(DelayedSyncsTest, NothingPutOffNothingToSync) {
  syncs_.HoldManifest();
  EXPECT_TRUE(syncs_.ReleaseManifest().ok());
  EXPECT_EQ(synced_, 0);
}

TEST_F(DelayedSyncsTest, OtherFilesAreSyncedAtOnce) {
  const auto log = NewFile("/db/000003.log");
  syncs_.HoldManifest();
  Sync(log);
  EXPECT_EQ(synced_, 1);
  EXPECT_TRUE(syncs_.ReleaseManifest().ok());
}

TEST_F(DelayedSyncsTest, WhileADatabaseIsMadeNothingIsSyncedAndThenEverything) {
  syncs_.HoldAll();
  const auto log = NewFile("/db/000003.log"), manifest = NewFile("/db/MANIFEST-000004");
  Sync(log);
  Sync(manifest);
  EXPECT_EQ(synced_, 0);
  std::string folder = ::testing::TempDir() + "vaquita_delayed_syncs_XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  std::ofstream(folder + "/file") << "bytes";
  EXPECT_TRUE(syncs_.ReleaseAll(folder, "").ok());
  std::filesystem::remove_all(folder);
  Sync(log);
  Sync(manifest);
  EXPECT_EQ(synced_, 2) << "later syncs are syncs again";
  EXPECT_FALSE(syncs_.ReleaseAll("/no/such/folder", "").ok());
}

TEST_F(DelayedSyncsTest, AManifestThatIsClosedMeanwhileIsSyncedBefore) {
  for (const bool closed : {true, false}) {
    synced_ = 0;
    auto manifest = NewFile("/db/MANIFEST-000004");
    Sync(manifest);
    syncs_.HoldManifest();
    Sync(manifest);
    if (closed) {
      EXPECT_TRUE(manifest->Close(rocksdb::IOOptions(), nullptr).ok());
    }
    manifest.reset();
    EXPECT_EQ(synced_, 2);
    EXPECT_TRUE(syncs_.ReleaseManifest().ok());
    EXPECT_EQ(synced_, 2);
  }
}

// Links a file on a disk, writes a manifest with or without holding its syncs, and cuts the power. Returns whether the
// link's name survived.
bool LinkSurvives(uint64_t seed, bool held) {
  const testing::TemporaryFolder folder;
  const std::string file = folder.path() + "/000001.sst", link = folder.path() + "/000002.sst";
  EXPECT_TRUE(WriteFile(file, "bytes").ok());
  TestDisk disk(folder.path(), {.seed = seed});
  DelayedSyncs syncs;
  const auto fs = syncs.Wrap(NewDiskFileSystem(folder.path()), folder.path());
  std::unique_ptr<rocksdb::FSWritableFile> manifest;
  EXPECT_TRUE(fs->NewWritableFile(folder.path() + "/MANIFEST-000004", {}, &manifest, nullptr).ok());
  EXPECT_TRUE(SyncPath(folder.path()).ok());
  EXPECT_TRUE(manifest->Sync(rocksdb::IOOptions(), nullptr).ok());
  if (held) syncs.HoldManifest();
  EXPECT_TRUE(fs->LinkFile(file, link, rocksdb::IOOptions(), nullptr).ok());
  EXPECT_TRUE(manifest->Append("names 000002.sst", rocksdb::IOOptions(), nullptr).ok());
  if (held) {
    EXPECT_TRUE(manifest->Sync(rocksdb::IOOptions(), nullptr).ok());
    EXPECT_TRUE(syncs.ReleaseManifest().ok());
  }
  EXPECT_TRUE(disk.CutPower().ok());
  EXPECT_TRUE(disk.PowerOn().ok());
  return PathExists(link);
}

TEST(LinksTest, NamesOfLinkedFilesAreSyncedBeforeAManifestNamesThem) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_TRUE(LinkSurvives(seed, /*held=*/false)) << seed;
    EXPECT_TRUE(LinkSurvives(seed, /*held=*/true)) << seed;
  }
}

TEST(LinksTest, NamesInOtherFoldersAreNotTheManifests) {
  const testing::TemporaryFolder folder;
  const std::string exports = folder.path() + "/exports";
  ASSERT_TRUE(CreateFolder(exports).ok());
  ASSERT_TRUE(WriteFile(folder.path() + "/000001.sst", "bytes").ok());
  DelayedSyncs syncs;
  const auto fs = syncs.Wrap(rocksdb::FileSystem::Default(), folder.path());
  std::unique_ptr<rocksdb::FSWritableFile> manifest;
  ASSERT_TRUE(fs->NewWritableFile(folder.path() + "/MANIFEST-000004", {}, &manifest, nullptr).ok());
  ASSERT_TRUE(fs->LinkFile(folder.path() + "/000001.sst", exports + "/000001.sst", {}, nullptr).ok());
  ASSERT_TRUE(RemoveAll(exports).ok());
  EXPECT_TRUE(manifest->Append("an edit", rocksdb::IOOptions(), nullptr).ok());
}

}  // namespace
}  // namespace vaquita
