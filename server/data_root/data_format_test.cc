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

}  // namespace
}  // namespace vaquita
