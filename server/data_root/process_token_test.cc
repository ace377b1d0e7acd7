#include "server/data_root/process_token.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include "base/durable_files.h"
#include "base/testing/temporary_folder.h"

namespace vaquita {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

TEST(ProcessTokenTest, AllHaveOneAndOnlyTheUserMayReadIt) {
  const testing::TemporaryFolder folder;
  const std::string& root = folder.path();
  std::vector<std::string> tokens(8);
  std::vector<std::thread> processes;
  for (std::string& token : tokens) {
    processes.emplace_back([&] { token = ProcessToken(root).value_or(""); });
  }
  for (std::thread& process : processes) process.join();
  EXPECT_EQ(tokens[0].size(), 64u);
  EXPECT_THAT(tokens, Each(tokens[0]));
  EXPECT_THAT(*ListFolder(root), ElementsAre("process-token")) << "nothing is left beside it";
  struct stat status;
  ASSERT_EQ(stat((root + "/process-token").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

// A process on another host may have this one's id and be in the middle of making the token.
TEST(ProcessTokenTest, LeavesWhatAProcessOfThisIdWrites) {
  const testing::TemporaryFolder root;
  const std::string others = root.path() + "/process-token." + std::to_string(getpid());
  ASSERT_TRUE(WriteFile(others, "half").ok());
  ASSERT_TRUE(ProcessToken(root.path()).ok());
  EXPECT_EQ(ReadFile(others).value_or(""), "half");
}

TEST(ProcessTokenTest, AFileWithoutATokenIsAnError) {
  const testing::TemporaryFolder root;
  ASSERT_TRUE(WriteFile(root.path() + "/process-token", "half").ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(ProcessToken(root.path()).status()));
  EXPECT_FALSE(ProcessToken(root.path() + "/none").ok());
}

}  // namespace
}  // namespace vaquita
