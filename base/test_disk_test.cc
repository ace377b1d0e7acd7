#include "base/test_disk.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "base/durable_files.h"
#include "base/testing/temporary_folder.h"
#include "gtest/gtest.h"

namespace vaquita {
namespace {

class TestDiskTest : public ::testing::Test {
 protected:
  std::string In(const std::string& name) { return folder_.path() + "/" + name; }
  void PowerCut(TestDisk* disk) {
    ASSERT_TRUE(disk->CutPower().ok());
    EXPECT_FALSE(WriteFile(In("late"), "x").ok());
    EXPECT_FALSE(ReadFile(In("late")).ok());
    const absl::Status on = disk->PowerOn();
    ASSERT_TRUE(on.ok()) << on;
  }

  testing::TemporaryFolder folder_;
};

TEST_F(TestDiskTest, APowerCutKeepsWhatWasSynced) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    ASSERT_TRUE(WriteFile(In("old"), "before").ok());
    TestDisk disk(folder_.path(), {.seed = seed});
    ASSERT_TRUE(ReplaceFile(In("file"), "first").ok());
    std::ofstream(In("file"), std::ios::app) << "second";
    PowerCut(&disk);
    const auto file = ReadFile(In("file"));
    ASSERT_TRUE(file.ok()) << file.status();
    EXPECT_EQ(file->substr(0, 5), "first");
    EXPECT_EQ(*ReadFile(In("old")), "before");
    EXPECT_FALSE(PathExists(In("late")));
  }
}

TEST_F(TestDiskTest, NamesThatWereNotSyncedMayGoOrComeBack) {
  int lost = 0, undone = 0, back = 0;
  constexpr int kSeeds = 40;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    for (const char* name : {"renamed", "deleted"}) ASSERT_TRUE(WriteFile(In(name), name).ok());
    TestDisk disk(folder_.path(), {.seed = seed});
    ASSERT_TRUE(std::filesystem::create_directory(In("folder")));  // CreateFolder syncs the name
    ASSERT_TRUE(WriteFile(In("folder/file"), "x").ok());
    ASSERT_TRUE(SyncPath(In("folder/file")).ok());
    ASSERT_TRUE(RenamePath(In("renamed"), In("new")).ok());
    ASSERT_TRUE(RemoveAll(In("deleted")).ok());
    PowerCut(&disk);
    EXPECT_NE(PathExists(In("renamed")), PathExists(In("new")));
    if (!PathExists(In("folder"))) ++lost;
    if (PathExists(In("renamed"))) ++undone;
    if (PathExists(In("deleted"))) ++back;
    ASSERT_TRUE(RemoveAll(In("folder")).ok());
    ASSERT_TRUE(RemoveAll(In("new")).ok());
  }
  for (const int count : {lost, undone, back}) {
    EXPECT_GT(count, 0);
    EXPECT_LT(count, kSeeds);
  }
}

TEST_F(TestDiskTest, AMappedFileHasPagesOfEarlierMoments) {
  int earlier = 0, latest = 0;
  for (uint64_t seed = 0; seed < 5; ++seed) {
    const std::string pages(8192, 'a');
    ASSERT_TRUE(WriteFile(In("mapped"), pages).ok());
    TestDisk disk(folder_.path(), {.seed = seed});
    disk.NoteMapped(In("mapped"));
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(WriteFile(In("other"), "x").ok());
    std::ofstream(In("mapped")) << std::string(8192, 'b');
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(WriteFile(In("other"), "x").ok());
    PowerCut(&disk);
    const auto found = ReadFile(In("mapped"));
    ASSERT_TRUE(found.ok()) << found.status();
    if (found->find('a') != found->npos) ++earlier;
    if (found->find('b') != found->npos) ++latest;
  }
  EXPECT_GT(earlier, 0);
  EXPECT_GT(latest, 0);
}

TEST_F(TestDiskTest, FaultsComeAsOftenAsOrdered) {
  TestDisk disk(folder_.path(), {.seed = 7, .fail = 0.25});
  int failed = 0;
  for (int i = 0; i < 1000; ++i) failed += WriteFile(In("file"), "bytes").ok() ? 0 : 1;
  EXPECT_GT(failed, 200);
  EXPECT_LT(failed, 300);
  disk.SetFaults({.fail = 1, .reads_fail = false});
  EXPECT_FALSE(WriteFile(In("file"), "bytes").ok());
  EXPECT_TRUE(ReadFile(In("file")).ok());
  disk.SetFaults({.tear = 1});
  EXPECT_FALSE(WriteFile(In("file"), "bytes").ok());
  EXPECT_LT(std::filesystem::file_size(In("file")), 5u);
}

TEST_F(TestDiskTest, ASyncThatLiesKeepsNothing) {
  TestDisk disk(folder_.path(), {.seed = 1, .lie = 1});
  int kept = 0;
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(ReplaceFile(In("file"), "bytes").ok());
    PowerCut(&disk);
    const auto file = ReadFile(In("file"));
    kept += file.ok() && *file == "bytes" ? 1 : 0;
    ASSERT_TRUE(RemoveAll(In("file")).ok());
  }
  EXPECT_LT(kept, 20);
}

TEST_F(TestDiskTest, ThePowerGoesInTheCallThatIsOrdered) {
  TestDisk disk(folder_.path());
  disk.CutPowerAfter(2);
  EXPECT_TRUE(WriteFile(In("a"), "x").ok());
  EXPECT_TRUE(WriteFile(In("b"), "x").ok());
  EXPECT_FALSE(disk.is_off());
  EXPECT_FALSE(WriteFile(In("c"), "x").ok());
  EXPECT_TRUE(disk.is_off());
}

TEST_F(TestDiskTest, SurvivorsAreCopiedWhileCallsSucceed) {
  const testing::TemporaryFolder other;
  ASSERT_TRUE(CreateFolder(In("kept")).ok());
  ASSERT_TRUE(WriteFile(In("kept/state"), "x").ok());
  int lost = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    TestDisk disk(folder_.path(), {.seed = seed}, "kept");
    ASSERT_TRUE(ReplaceFile(In("synced"), "bytes").ok());
    ASSERT_TRUE(WriteFile(In("late"), "bytes").ok());
    const std::string survivors = other.path() + "/" + std::to_string(seed);
    const uint64_t cuts = TestDisk::power_cuts();
    ASSERT_TRUE(disk.CopySurvivors(survivors).ok());
    EXPECT_EQ(TestDisk::power_cuts(), cuts + 1);
    EXPECT_TRUE(WriteFile(In("later"), "x").ok());
    EXPECT_EQ(*ReadFile(survivors + "/synced"), "bytes");
    EXPECT_FALSE(PathExists(survivors + "/kept"));
    EXPECT_FALSE(PathExists(survivors + "/later"));
    const auto late = ReadFile(survivors + "/late");
    lost += late.ok() && *late == "bytes" ? 0 : 1;
    ASSERT_TRUE(RemoveAll(In("late")).ok());
    ASSERT_TRUE(RemoveAll(In("later")).ok());
  }
  EXPECT_GT(lost, 0);
}

TEST_F(TestDiskTest, AllMayCountAsSynced) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    TestDisk disk(folder_.path(), {.seed = seed});
    ASSERT_TRUE(WriteFile(In("file"), "bytes").ok());
    disk.SyncAll();
    PowerCut(&disk);
    EXPECT_EQ(*ReadFile(In("file")), "bytes");
    ASSERT_TRUE(RemoveAll(In("file")).ok());
  }
}

TEST_F(TestDiskTest, OtherFoldersAreOnAnotherDisk) {
  TestDisk disk(folder_.path(), {.fail = 1});
  EXPECT_EQ(TestDisk::Of(folder_.path()), &disk);
  EXPECT_EQ(TestDisk::Of(folder_.path() + "2/file"), nullptr);
  EXPECT_FALSE(WriteFile(In("file"), "x").ok());
  const testing::TemporaryFolder other;
  EXPECT_TRUE(WriteFile(other.path() + "/file", "x").ok());
}

}  // namespace
}  // namespace vaquita
