#include "server/test_control/saved_states.h"

#include <gmock/gmock.h>

#include "base/durable_files.h"
#include "base/status.h"
#include "base/testing/temporary_folder.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SavedStatesTest : public ::testing::Test {
 protected:
  absl::Status Save(const std::string& name, const absl::Status& filled = absl::OkStatus()) {
    v1::SavedState state;
    state.set_name(name);
    return states_.Save(state, [&](const std::string& folder) {
      VAQUITA_RETURN_IF_ERROR(CreateFolder(folder));
      return filled;
    });
  }
  std::vector<std::string> Files() const { return ListFolder(folder_.path()).value(); }

  testing::TemporaryFolder folder_;
  const SavedStates states_{folder_.path()};
};

TEST_F(SavedStatesTest, AStateHasADescriptionAndAFolder) {
  ASSERT_TRUE(Save("a").ok());
  ASSERT_TRUE(Save("a").ok());
  EXPECT_THAT(Files(), ElementsAre("a", "a.json"));
  ASSERT_TRUE(states_.Delete("a").ok());
  EXPECT_THAT(Files(), ElementsAre());
  EXPECT_TRUE(absl::IsNotFound(states_.Delete("a")));
}

TEST_F(SavedStatesTest, AStateThatCannotBeSavedLeavesTheOlderOne) {
  ASSERT_TRUE(Save("a").ok());
  EXPECT_FALSE(Save("a", absl::UnavailableError("the disk is full")).ok());
  EXPECT_TRUE(states_.Find("a").ok());
  EXPECT_TRUE(PathExists(states_.FolderOf("a")));
}

TEST_F(SavedStatesTest, ADamagedDescriptionIsNamed) {
  ASSERT_TRUE(WriteFile(folder_.path() + "/a.json", "{\"na").ok());
  EXPECT_THAT(std::string(states_.List().status().message()), HasSubstr("/a.json: "));
}

}  // namespace
}  // namespace vaquita
