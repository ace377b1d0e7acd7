#include "server/data_root/data_format.h"

#include "base/durable_files.h"
#include "base/testing/temporary_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace vaquita {
namespace {

TEST(DataFormatTest, AnUnfinishedRestorationIsRefused) {
  const testing::TemporaryFolder root;
  ASSERT_TRUE(CreateFolder(root.path() + kRestoringFolder).ok());
  // A restoration may have ended in any of its last steps.
  for (const char* const moved : {"/handoff", "/master", "/server", "/snapshots"}) {
    for (const absl::Status& refused : {CheckNotForeign(root.path()), CheckDataFormat(root.path())}) {
      EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << refused;
      EXPECT_THAT(
          std::string(refused.message()),
          ::testing::HasSubstr(" has restoring/: a `vaquita restore` into it has not ended; if none runs, remove " +
                               root.path()));
    }
    EXPECT_FALSE(PathExists(root.path() + "/FORMAT"));
    ASSERT_TRUE(CreateFolder(root.path() + moved).ok());
  }
  ASSERT_TRUE(RemoveAll(root.path() + kRestoringFolder).ok());
  EXPECT_TRUE(CheckNotForeign(root.path()).ok());
  EXPECT_TRUE(CheckDataFormat(root.path()).ok());
}

TEST(DataFormatTest, AFolderThatCannotBeLookedIntoIsNoUnfinishedRestoration) {
  const testing::TemporaryFolder root;
  const std::string too_long = root.path() + "/" + std::string(300, 'a');
  for (const absl::Status& refused : {CheckRestored(too_long), CheckNotForeign(too_long), CheckDataFormat(too_long)}) {
    EXPECT_EQ(refused.message(), "data folder " + too_long + ": File name too long");
    EXPECT_TRUE(absl::IsInvalidArgument(refused));
  }
  const std::string file = root.path() + "/file";
  ASSERT_TRUE(WriteFile(file, "").ok());
  EXPECT_EQ(CheckNotForeign(file).message(), "data folder " + file + " is not a folder");
  EXPECT_TRUE(absl::IsInvalidArgument(CheckNotForeign(file)));
}

TEST(DataFormatTest, FoldersOfFormerFormatsBecomeOfThisOne) {
  const testing::TemporaryFolder root;
  const std::string path = root.path() + "/FORMAT", now = std::to_string(kDataFormat) + "\n";
  for (int format = 1; format <= kDataFormat; ++format) {
    ASSERT_TRUE(WriteFile(path, std::to_string(format) + "\n").ok());
    const absl::Status checked = CheckDataFormat(root.path());
    EXPECT_TRUE(checked.ok()) << checked;
    EXPECT_EQ(*ReadFile(path), now);
  }
  ASSERT_TRUE(WriteFile(path, std::to_string(kDataFormat + 1) + "\n").ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(CheckDataFormat(root.path()))) << "a later release's";
}

}  // namespace
}  // namespace vaquita
