#include "server/data_root/server_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/durable_files.h"
#include "base/testing/temporary_folder.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;

class ServerFolderTest : public ::testing::Test {
 protected:
  void Make(const std::string& place) const {
    ASSERT_TRUE(CreateFolder(root() + "/" + place).ok());
    ASSERT_TRUE(WriteFile(root() + "/" + place + "/000012.sst", "data").ok());
  }
  std::vector<std::string> Recovering() const { return ListFolder(root() + "/recovering").value(); }
  const std::string& root() const { return root_.path(); }

  const testing::TemporaryFolder root_;
};

// The name of a host may begin as the names of removed folders did.
TEST_F(ServerFolderTest, ARemovalLeavesTheFolderOfAServerWhoseNameBeginsWithGone) {
  const std::string dead = "gone-web1,16020,1";
  Make("server/" + dead);
  const auto taken = TakeDeadServerFolder(root(), dead, "b,16020,2", true);
  ASSERT_TRUE(taken.ok()) << taken.status();
  Make("server/a,16020,1");
  ASSERT_TRUE(RemoveServerFolder(root(), root() + "/server/a,16020,1").ok());
  EXPECT_THAT(Recovering(), ElementsAre(dead + "@b,16020,2"));
  EXPECT_TRUE(PathExists(*taken + "/000012.sst"));
  const auto again = TakeDeadServerFolder(root(), dead, "c,16020,3", true);
  ASSERT_TRUE(again.ok()) << again.status();
  ASSERT_TRUE(RemoveServerFolder(root(), *again).ok());
  EXPECT_THAT(Recovering(), ElementsAre());
}

TEST_F(ServerFolderTest, ARemovalRemovesWhatAnEarlierOneLeft) {
  Make("recovering/gone@a,16020,1@b,16020,2");
  Make("recovering/gone-a,16020,1");            // by an earlier release
  Make("recovering/gone-a,16020,1@b,16020,2");  // by an earlier release, or that of host gone-a
  Make("server/c,16020,1");
  ASSERT_TRUE(RemoveServerFolder(root(), root() + "/server/c,16020,1").ok());
  EXPECT_THAT(Recovering(), ElementsAre("gone-a,16020,1@b,16020,2"));
}

TEST_F(ServerFolderTest, NobodyTakesALeftoverForAFolder) {
  for (const char* name : {"gone@a,16020,1@b,16020,2", "gone-a,16020,1@b,16020,2"}) {
    Make(std::string("recovering/") + name);
    ASSERT_TRUE(WriteFile(root() + "/recovering/" + name + "/EARLIER_SERVERS", "a,16020,0\n").ok());
  }
  for (const char* dead : {"a,16020,0", "a,16020,1"}) {
    EXPECT_TRUE(absl::IsNotFound(TakeDeadServerFolder(root(), dead, "c,16020,3", true).status())) << dead;
  }
}

}  // namespace
}  // namespace vaquita
