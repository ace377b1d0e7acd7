// `vaquita fsck` as a program: on a cluster that runs, on its root when it has stopped, and on one that lost a folder.
#include <filesystem>

#include "tests/process/process_harness.h"

namespace vaquita {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class FsckProcessTest : public ProcessTest {
 protected:
  // Its exit code; what it printed is in output_ and errors_.
  int Fsck(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "fsck");
    const Outcome fsck = Vaquita(std::move(arguments));
    output_ = fsck.output;
    errors_ = fsck.errors;
    return fsck.code;
  }

  std::string output_;
  std::string errors_;
};

TEST_F(FsckProcessTest, AClusterIsCheckedRunningAndStoppedAndRepaired) {
  StartCluster(2);
  const std::string address = server_->address();
  const std::string data = server_->data();
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t"), {Row(100), Row(200), Row(300)}).ok());
  Fill("t", 400);
  EXPECT_EQ(Fsck({"--address", address}), 0) << output_ << errors_;
  EXPECT_THAT(output_, HasSubstr("0 inconsistencies detected.\nStatus: OK"));
  EXPECT_EQ(Fsck({"--address", address, "--repair"}), 2);
  EXPECT_THAT(errors_, HasSubstr("--repair needs the data of stopped servers"));
  EXPECT_EQ(Fsck({"--data", data}), 2);
  EXPECT_THAT(errors_, HasSubstr("is in use by another Vaquita server"));

  const auto regions = admin_->GetRegions(Name("t"));
  ASSERT_TRUE(regions.ok()) << regions.status();
  const std::string lost = regions->front().server_name;
  size_t kept = 0;  // a hundred rows each
  for (const auto& region : *regions) kept += region.server_name != lost;
  ASSERT_GT(kept, 0u);
  Stop();
  EXPECT_EQ(Fsck({"--data", data}), 0) << output_ << errors_;
  EXPECT_EQ(Fsck({"--address", address}), 2);
  std::filesystem::remove_all(data + "/server/" + lost);
  EXPECT_EQ(Fsck({"--data", data}), 1);
  EXPECT_THAT(output_, AllOf(HasSubstr("NOT_ON_DISK table=t"), HasSubstr("Status: INCONSISTENT")));
  EXPECT_EQ(Fsck({"--data", data, "--repair"}), 1);
  EXPECT_EQ(Fsck({"--data", data, "--repair", "--accept-data-loss"}), 0) << output_ << errors_;
  EXPECT_THAT(output_, HasSubstr("made the empty region"));

  StartCluster(2);
  EXPECT_THAT(Rows("t"), SizeIs(100 * kept));
  Fill("t", 400);
  EXPECT_THAT(Rows("t"), SizeIs(400));
  EXPECT_EQ(Fsck({"--address", server_->address()}), 0) << output_ << errors_;
}

TEST_F(FsckProcessTest, AStandaloneServersFolderIsChecked) {
  Start();
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t"), {Row(100)}).ok());
  Fill("t", 200);
  EXPECT_EQ(Fsck({"--address", server_->address()}), 0) << output_ << errors_;
  const std::string data = server_->data();
  server_->Signal(SIGKILL);
  server_->WaitForEnd();
  EXPECT_EQ(Fsck({"--data", data}), 0) << output_ << errors_;
  EXPECT_EQ(Fsck({"--data", data + "/nothing"}), 2);
  EXPECT_EQ(Fsck({}), 2);
  Start();
  EXPECT_THAT(Rows("t"), SizeIs(200)) << "the check changed nothing";
}

TEST_F(FsckProcessTest, AStandaloneServerThatLostItsMetaIsRefusedAndRepaired) {
  Start();
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t"), {Row(100)}).ok());
  Fill("t", 200);
  const std::string data = server_->data();
  server_->Signal(SIGKILL);
  server_->WaitForEnd();
  std::filesystem::remove_all(data + "/master");
  const Outcome refused = Vaquita(ServerProcess::OnFolder(folder_.path()));
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.errors, HasSubstr("vaquita fsck --data " + data + " --repair"));
  EXPECT_EQ(Fsck({"--data", data}), 1);
  EXPECT_THAT(output_, AllOf(HasSubstr("NO_META"), HasSubstr("Status: INCONSISTENT")));
  EXPECT_EQ(Fsck({"--data", data, "--repair"}), 0) << output_ << errors_;
  Start();
  EXPECT_THAT(Rows("t"), SizeIs(200));
  EXPECT_EQ(admin_->GetRegions(Name("t"))->size(), 2u);
}

}  // namespace
}  // namespace vaquita
