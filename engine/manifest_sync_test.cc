#include "engine/manifest_sync.h"

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

class ManifestSyncsTest : public testing::Test {
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
  ManifestSyncs syncs_;
  std::shared_ptr<rocksdb::FileSystem> fs_ = syncs_.Wrap(std::make_shared<CountingFileSystem>(&synced_));
};

TEST_F(ManifestSyncsTest, OneSyncStandsForAllThatWerePutOff) {
  const auto manifest = NewFile("/db/MANIFEST-000004");
  Sync(manifest);
  EXPECT_EQ(synced_, 1);
  syncs_.Hold();
  syncs_.Hold();
  for (int i = 0; i < 800; ++i) Sync(manifest);
  EXPECT_EQ(synced_, 1);
  EXPECT_TRUE(syncs_.Release().ok());
  EXPECT_EQ(synced_, 1) << "held twice";
  EXPECT_TRUE(syncs_.Release().ok());
  EXPECT_EQ(synced_, 2);
  Sync(manifest);
  EXPECT_EQ(synced_, 3);
}

TEST_F(ManifestSyncsTest, NothingPutOffNothingToSync) {
  syncs_.Hold();
  EXPECT_TRUE(syncs_.Release().ok());
  EXPECT_EQ(synced_, 0);
}

TEST_F(ManifestSyncsTest, OtherFilesAreSyncedAtOnce) {
  const auto log = NewFile("/db/000003.log");
  syncs_.Hold();
  Sync(log);
  EXPECT_EQ(synced_, 1);
  EXPECT_TRUE(syncs_.Release().ok());
}

TEST_F(ManifestSyncsTest, AManifestThatIsClosedMeanwhileIsSyncedBefore) {
  for (const bool closed : {true, false}) {
    synced_ = 0;
    auto manifest = NewFile("/db/MANIFEST-000004");
    syncs_.Hold();
    Sync(manifest);
    if (closed) {
      EXPECT_TRUE(manifest->Close(rocksdb::IOOptions(), nullptr).ok());
    }
    manifest.reset();
    EXPECT_EQ(synced_, 1);
    EXPECT_TRUE(syncs_.Release().ok());
    EXPECT_EQ(synced_, 1);
  }
}

}  // namespace
}  // namespace vaquita
