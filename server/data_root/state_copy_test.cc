#include "server/data_root/state_copy.h"

#include <gmock/gmock.h>

#include "base/durable_files.h"
#include "base/testing/temporary_folder.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

class StateCopyTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Write("master/1.sst", "old");
    Write("LOCK", "");
    ASSERT_TRUE(CopyState(Path(""), Path("saved/a")).ok());
    Write("master/1.sst.new", "new");
    Write("server/2.log", "new");
  }
  std::string Path(const std::string& name) const { return data_.path() + (name.empty() ? "" : "/" + name); }
  void Write(const std::string& name, const std::string& text) const {
    ASSERT_TRUE(CreateFolder(Path(name.substr(0, name.rfind('/') + 1))).ok());
    ASSERT_TRUE(WriteFile(Path(name), text).ok());
  }
  std::vector<std::string> Names(const std::string& folder) const { return ListFolder(Path(folder)).value(); }

  testing::TemporaryFolder data_;
};

TEST_F(StateCopyTest, AStateIsReplacedByAnother) {
  ASSERT_TRUE(ReplaceState(Path("saved/a"), Path("")).ok());
  EXPECT_THAT(Names(""), UnorderedElementsAre("LOCK", "master", "saved"));
  EXPECT_THAT(Names("master"), ElementsAre("1.sst"));
  EXPECT_THAT(Names("saved"), ElementsAre("a")) << "nothing is left behind";
  EXPECT_EQ(ReadFile(Path("saved/a/master/1.sst")).value(), "old");
}

TEST_F(StateCopyTest, AStateStaysIfItsReplacementCannotBeRead) {
  Write("saved/.restoring/server/3.log", "of a restore that was killed");
  EXPECT_TRUE(absl::IsUnavailable(ReplaceState(Path("saved/gone"), Path(""))));
  EXPECT_THAT(Names(""), UnorderedElementsAre("LOCK", "master", "saved", "server"));
  EXPECT_EQ(ReadFile(Path("server/2.log")).value(), "new");
  ASSERT_TRUE(ReplaceState(Path("saved/a"), Path("")).ok());
  EXPECT_THAT(Names(""), UnorderedElementsAre("LOCK", "master", "saved"));
}

}  // namespace
}  // namespace vaquita
