#include "base/durable_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/testing/temporary_folder.h"

namespace vaquita {
namespace {

TEST(DurableFilesTest, PathsExchangeTheirNames) {
  const testing::TemporaryFolder folder;
  const std::string a = folder.path() + "/a", b = folder.path() + "/b";
  for (const std::string& path : {a, b}) {
    ASSERT_TRUE(CreateFolder(path).ok());
    ASSERT_TRUE(WriteFile(path + "/file", "first in " + path).ok());
  }
  ASSERT_TRUE(ExchangePaths(a, b).ok());
  EXPECT_EQ(*ReadFile(a + "/file"), "first in " + b);
  EXPECT_EQ(*ReadFile(b + "/file"), "first in " + a);
  EXPECT_THAT(*ListFolder(folder.path()), ::testing::ElementsAre("a", "b"));
  EXPECT_TRUE(absl::IsNotFound(ExchangePaths(a, folder.path() + "/c")));
}

TEST(DurableFilesTest, APathBecomesAbsoluteUnlessTheCurrentFolderIsGone) {
  EXPECT_EQ(AbsolutePath("/a/./b/../c"), "/a/c");
  const std::string before = std::filesystem::current_path();
  const std::string gone = testing::TemporaryFolder().path() + "-gone";
  std::filesystem::create_directory(gone);
  std::filesystem::current_path(gone);
  EXPECT_EQ(AbsolutePath("a/../b"), std::filesystem::current_path().string() + "/b");
  std::filesystem::remove(gone);
  EXPECT_EQ(AbsolutePath("a"), "a");
  EXPECT_FALSE(CreateFolder("a").ok());
  std::filesystem::current_path(before);
}

TEST(DurableFilesTest, AFileIsNoFolder) {
  const testing::TemporaryFolder folder;
  const std::string file = folder.path() + "/file", link = folder.path() + "/link";
  ASSERT_TRUE(WriteFile(file, "").ok());
  std::filesystem::create_symlink(folder.path() + "/nowhere", link);
  for (const std::string& path : {file, link}) {
    EXPECT_EQ(CreateFolder(path).message(), "create " + path + ": it is there, and no folder");
    EXPECT_EQ(CreateFolder(path + "/sub").message(), "create " + path + ": it is there, and no folder");
  }
}

}  // namespace
}  // namespace vaquita
