#include "base/ephemeral_folder.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "base/testing/temporary_folder.h"

namespace vaquita {
namespace {

namespace fs = std::filesystem;

class EphemeralFolderTest : public ::testing::Test {
 protected:
  EphemeralFolderTest() { setenv("TMPDIR", place_.path().c_str(), 1); }
  ~EphemeralFolderTest() override { unsetenv("TMPDIR"); }

  size_t Entries() const { return std::distance(fs::directory_iterator(place_.path()), fs::directory_iterator()); }

  const testing::TemporaryFolder place_;
};

TEST_F(EphemeralFolderTest, IsGoneAtItsEndAndLockedBefore) {
  std::string path;
  {
    const auto folder = EphemeralFolder::Make();
    ASSERT_TRUE(folder.ok()) << folder.status();
    path = (*folder)->path();
    std::ofstream(path + "/file") << "x";
    EXPECT_FALSE(FolderLock::Take(path).ok());
    const auto other = EphemeralFolder::Make();  // leaves one alone that is in use
    ASSERT_TRUE(other.ok());
    EXPECT_TRUE(fs::exists(path + "/file"));
  }
  EXPECT_EQ(Entries(), 0u);
}

TEST_F(EphemeralFolderTest, RemovesWhatKilledServersLeftAndNothingElse) {
  const std::string left = place_.path() + "/vaquita-ephemeral-000000";
  fs::create_directories(left + "/server");
  std::ofstream(left + "/LOCK") << "1";
  const std::string no_lock = place_.path() + "/vaquita-ephemeral-000001";
  const std::string others = place_.path() + "/vaquita-data";
  const std::string being_made = place_.path() + "/.vaquita-ephemeral-000002";
  for (const std::string& folder : {no_lock, others, being_made}) fs::create_directories(folder);
  std::ofstream(others + "/LOCK") << "1";
  const auto folder = EphemeralFolder::Make();
  ASSERT_TRUE(folder.ok()) << folder.status();
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(no_lock));
  EXPECT_TRUE(fs::exists(others));
  EXPECT_TRUE(fs::exists(being_made));
}

// A server that is killed while it removes its folder may have removed the lock, and not the data.
TEST_F(EphemeralFolderTest, AfterAnHourItRemovesThoseWithoutALock) {
  for (const char* const name : {"/vaquita-ephemeral-000001", "/.vaquita-ephemeral-000002"}) {
    const std::string left = place_.path() + name;
    fs::create_directories(left + "/server");
    fs::last_write_time(left, fs::file_time_type::clock::now() - std::chrono::hours(2));
  }
  const auto folder = EphemeralFolder::Make();
  ASSERT_TRUE(folder.ok()) << folder.status();
  EXPECT_EQ(Entries(), 1u);
}

TEST_F(EphemeralFolderTest, ManyAreMadeAtOnce) {
  std::vector<std::thread> threads;
  std::vector<absl::StatusOr<std::unique_ptr<EphemeralFolder>>> folders(20);
  for (auto& folder : folders) {
    threads.emplace_back([&folder] {
      for (int i = 0; i < 10; ++i) {
        folder = EphemeralFolder::Make();
        if (!folder.ok()) return;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& folder : folders) {
    ASSERT_TRUE(folder.ok()) << folder.status();
    EXPECT_TRUE(fs::exists((*folder)->path() + "/LOCK"));
  }
}

TEST_F(EphemeralFolderTest, SaysWhereItCannotBeMade) {
  setenv("TMPDIR", "/proc", 1);
  const auto folder = EphemeralFolder::Make();
  ASSERT_FALSE(folder.ok());
  EXPECT_NE(folder.status().message().find("/proc"), absl::string_view::npos);
  EXPECT_NE(folder.status().message().find("TMPDIR"), absl::string_view::npos);
}

}  // namespace
}  // namespace vaquita
