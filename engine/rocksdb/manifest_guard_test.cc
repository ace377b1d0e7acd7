#include "engine/rocksdb/manifest_guard.h"

#include <memory>
#include <string>

#include "base/durable_files.h"
#include "base/test_disk.h"
#include "base/testing/temporary_folder.h"
#include "engine/rocksdb/disk_stand_in_files.h"
#include "gtest/gtest.h"

namespace vaquita {
namespace {

const rocksdb::IOOptions kNoOptions;

class ManifestGuardTest : public ::testing::Test {
 protected:
  std::string In(const std::string& name) { return folder_.path() + "/" + name; }
  void Write(const std::string& name, const std::string& bytes) { ASSERT_TRUE(WriteFile(In(name), bytes).ok()); }
  bool Deletes(const std::string& name) {
    const bool deleted = files_->DeleteFile(In(name), kNoOptions, nullptr).ok();
    EXPECT_NE(PathExists(In(name)), deleted) << name;
    return deleted;
  }

  testing::TemporaryFolder folder_;
  TestDisk disk_{folder_.path()};
  std::shared_ptr<rocksdb::FileSystem> files_ = NewManifestGuardingFileSystem(NewDiskFileSystem(folder_.path()));
};

TEST_F(ManifestGuardTest, TheManifestThatCurrentNamesStays) {
  for (const char* name : {"MANIFEST-000081", "MANIFEST-000115", "MANIFEST-000117"}) Write(name, "edits");
  Write("CURRENT", "MANIFEST-000081\n");
  EXPECT_FALSE(Deletes("MANIFEST-000081"));
  EXPECT_TRUE(Deletes("MANIFEST-000115"));
  Write("CURRENT", "MANIFEST-000117\n");
  EXPECT_TRUE(Deletes("MANIFEST-000081"));
  EXPECT_FALSE(Deletes("MANIFEST-000117"));
  ASSERT_TRUE(RemoveAll(In("CURRENT")).ok());
  EXPECT_TRUE(Deletes("MANIFEST-000117")) << "the database was not made";
}

TEST_F(ManifestGuardTest, StoreFilesStayWhileAManifestMayNameThem) {
  for (const char* name : {"000001.sst", "000002.sst", "000003.log", "NEXT"}) Write(name, "bytes");
  std::unique_ptr<rocksdb::FSWritableFile> manifest;
  ASSERT_TRUE(files_->NewWritableFile(In("MANIFEST-000004"), {}, &manifest, nullptr).ok());
  ASSERT_TRUE(manifest->Append("names 000002.sst", kNoOptions, nullptr).ok());
  EXPECT_TRUE(Deletes("000001.sst"));
  disk_.SetFaults({.fail = 1});
  EXPECT_FALSE(manifest->Sync(kNoOptions, nullptr).ok());
  disk_.SetFaults({});
  EXPECT_FALSE(Deletes("000002.sst"));
  EXPECT_TRUE(Deletes("000003.log"));
  std::unique_ptr<rocksdb::FSDirectory> folder;
  ASSERT_TRUE(files_->NewDirectory(folder_.path(), kNoOptions, &folder, nullptr).ok());
  ASSERT_TRUE(folder->Fsync(kNoOptions, nullptr).ok());
  ASSERT_TRUE(files_->RenameFile(In("NEXT"), In("CURRENT"), kNoOptions, nullptr).ok());
  EXPECT_FALSE(Deletes("000002.sst"));
  ASSERT_TRUE(folder->FsyncWithDirOptions(kNoOptions, nullptr, rocksdb::DirFsyncOptions(In("CURRENT"))).ok());
  EXPECT_TRUE(Deletes("000002.sst"));
}

TEST_F(ManifestGuardTest, StoreFilesStayIfTheNameOfCurrentIsNotSynced) {
  for (const char* name : {"000001.sst", "000002.sst", "NEXT", "LATER"}) Write(name, "bytes");
  std::unique_ptr<rocksdb::FSDirectory> folder;
  ASSERT_TRUE(files_->NewDirectory(folder_.path(), kNoOptions, &folder, nullptr).ok());
  const rocksdb::DirFsyncOptions current(In("CURRENT"));
  ASSERT_TRUE(files_->RenameFile(In("NEXT"), In("CURRENT"), kNoOptions, nullptr).ok());
  disk_.SetFaults({.fail = 1});
  EXPECT_FALSE(folder->FsyncWithDirOptions(kNoOptions, nullptr, current).ok());
  disk_.SetFaults({});
  EXPECT_FALSE(Deletes("000001.sst"));
  ASSERT_TRUE(folder->FsyncWithDirOptions(kNoOptions, nullptr, current).ok());
  EXPECT_TRUE(Deletes("000001.sst"));
  disk_.SetFaults({.fail = 1});
  EXPECT_FALSE(files_->RenameFile(In("LATER"), In("CURRENT"), kNoOptions, nullptr).ok());
  disk_.SetFaults({});
  EXPECT_FALSE(Deletes("000002.sst"));
}

}  // namespace
}  // namespace vaquita
