#include "engine/rocksdb/delayed_syncs.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>

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
  std::shared_ptr<rocksdb::FileSystem> fs_ = syncs_.Wrap(std::make_shared<CountingFileSystem>(&synced_));
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
  EXPECT_TRUE(syncs_.ReleaseAll(folder).ok());
  std::filesystem::remove_all(folder);
  Sync(log);
  Sync(manifest);
  EXPECT_EQ(synced_, 2) << "later syncs are syncs again";
  EXPECT_FALSE(syncs_.ReleaseAll("/no/such/folder").ok());
}

TEST_F(DelayedSyncsTest, AManifestThatIsClosedMeanwhileIsSyncedBefore) {
  for (const bool closed : {true, false}) {
    synced_ = 0;
    auto manifest = NewFile("/db/MANIFEST-000004");
    syncs_.HoldManifest();
    Sync(manifest);
    if (closed) {
      EXPECT_TRUE(manifest->Close(rocksdb::IOOptions(), nullptr).ok());
    }
    manifest.reset();
    EXPECT_EQ(synced_, 1);
    EXPECT_TRUE(syncs_.ReleaseManifest().ok());
    EXPECT_EQ(synced_, 1);
  }
}

}  // namespace
}  // namespace vaquita
