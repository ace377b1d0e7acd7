// The region server of a standalone process goes on with an earlier one's folder, wherever that one was and whatever
// became of it.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "base/durable_files.h"
#include "server/data_root/server_folder.h"
#include "server/fsck/fsck.h"
#include "server/master/master.h"
#include "server/process/standalone.h"
#include "tests/server/cluster_harness.h"
#include "tests/server/server_harness.h"

namespace vaquita {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const char* kOwnServerChildRoot = "VAQUITA_TEST_CHILD_ROOT";
constexpr const char* kChildStart = "VAQUITA_TEST_CHILD_START";

// A standalone server of the first versions left this when it was killed in its second life: table "t" of four regions,
// one of them split by the second life, with rows in files and in the log; the disabled table "off"; the snapshot "s".
// Its regions' homes in hbase:meta are "127.0.0.1,38917,..." and, of "off", "127.0.0.1,44265,...".
void UnpackOldStandalone(const std::string& root) {
  const std::string archive = std::string(VAQUITA_TEST_DATA) + "/old_standalone.tar.gz";
  const std::string command = "tar -xzf '" + archive + "' -C '" + root + "'";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  ASSERT_TRUE(fs::exists(root + "/server/standalone/CURRENT"));
}

std::vector<std::string> FsckKinds(const std::string& root, const Options& options) {
  const auto report = fsck::CheckDataRoot({.path = root, .options = &options, .clock = Clock::System()});
  EXPECT_TRUE(report.ok()) << report.status();
  std::vector<std::string> kinds;
  for (const fsck::Finding& finding : report->found) {
    if (finding.is_inconsistency()) kinds.push_back(fsck::KindName(finding.kind));
  }
  return kinds;
}

// Each life has another address.
class OwnServerTest : public testing::ServerHarness {
 protected:
  void SetUp() override {}
  void Start() {
    server_.reset();
    options_.region_server_port += 1;
    Restart();
  }
  std::vector<std::string> ServerFolders() const { return *ListFolder(folder_.path() + "/server"); }
};

TEST_F(OwnServerTest, TheOldStandaloneServersFolderIsAdopted) {
  UnpackOldStandalone(folder_.path());
  clock_.Advance(Clock::System()->NowMs() - clock_.NowMs());
  for (int life = 0; life < 2; ++life) {
    Start();
    EXPECT_THAT(ServerFolders(), ElementsAre(server_->server_name()));
    EXPECT_THAT(Ranges("t"), ElementsAre("..d", "d..g", "g..p", "p.."));
    EXPECT_THAT(Rows("t"), ElementsAre("a=1", "b=in the log", "h=2", "i=second life", "z=3"));
    EXPECT_EQ(*master().GetTableState(Name("off")), TableState::kDisabled);
    EXPECT_THAT(master().ListSnapshots(), SizeIs(1));
    EXPECT_THAT(master().Status().dead_servers, IsEmpty());
    EXPECT_EQ(region_server().Trouble().sidelined_stores, 0);
    EXPECT_THAT(*master().CheckConsistency(), IsEmpty());
  }
  ASSERT_TRUE(Finish(master().EnableTableAsync(Name("off"))).ok());
  EXPECT_THAT(Rows("off"), ElementsAre("x=4"));
  ASSERT_TRUE(Finish(master().RestoreSnapshotAsync("s", Name("c"), "")).ok());
  EXPECT_THAT(Rows("c"), ElementsAre("a=1", "b=in the log", "h=2", "z=3"));
  server_.reset();
  EXPECT_THAT(FsckKinds(folder_.path(), options_), IsEmpty());
}

TEST_F(OwnServerTest, TheOldStandaloneServersFolderIsCheckedAndRepaired) {
  UnpackOldStandalone(folder_.path());
  EXPECT_THAT(FsckKinds(folder_.path(), options_), IsEmpty());
  EXPECT_FALSE(fs::exists(OldStandaloneFolder(folder_.path())));
  Start();
  EXPECT_THAT(Rows("t"), SizeIs(5));
}

TEST_F(OwnServerTest, AnOldStandaloneServerThatLostItsMetaIsRepaired) {
  UnpackOldStandalone(folder_.path());
  fs::remove_all(folder_.path() + "/master");
  const auto report =
      fsck::CheckDataRoot({.path = folder_.path(), .repair = true, .options = &options_, .clock = Clock::System()});
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_THAT(report->left, IsEmpty());
  clock_.Advance(Clock::System()->NowMs() - clock_.NowMs());
  Start();
  EXPECT_THAT(Rows("t"), SizeIs(5));
  EXPECT_THAT(Rows("off"), ElementsAre("x=4"));
}

TEST_F(OwnServerTest, ALifeThatBecameNothingLeavesNothing) {
  Start();
  Start();
  EXPECT_THAT(ServerFolders(), ElementsAre(server_->server_name()));
}

// ---- crashes ----

class OwnServerChild : public testing::ServerHarness {
 protected:
  void SetUp() override {}
};

TEST_F(OwnServerChild, DISABLED_Starts) {
  const char* root = std::getenv(kOwnServerChildRoot);
  ASSERT_NE(root, nullptr);
  options_.region_server_port = 1234;
  clock_.Advance(std::strtoll(std::getenv(kChildStart), nullptr, 10) - clock_.NowMs());
  const auto server = Standalone::Start({.data_path = root, .options = &options_, .clock = &clock_, .serve = false});
  ASSERT_TRUE(server.ok()) << server.status();
}

class OwnServerCrashTest : public OwnServerTest {
 protected:
  void DieAt(const char* fault) {
    SCOPED_TRACE(fault);
    clock_.Advance(1000);
    const pid_t pid = fork();
    if (pid == 0) {
      setenv(kOwnServerChildRoot, folder_.path().c_str(), 1);
      setenv(kChildStart, std::to_string(clock_.NowMs()).c_str(), 1);
      setenv("VAQUITA_FAULT", fault, 1);
      execl("/proc/self/exe", "server_tests", "--gtest_filter=OwnServerChild.DISABLED_Starts",
            "--gtest_also_run_disabled_tests", "--gtest_brief=1", nullptr);
      _exit(127);
    }
    int status = 0;
    ASSERT_EQ(waitpid(pid, &status, 0), pid);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
  }
};

TEST_F(OwnServerCrashTest, ACrashWhileAFolderIsTakenLosesNothing) {
  Start();
  ASSERT_TRUE(Create("t", {"b", "c"}).ok());
  for (const char* fault : {"adopt:named", "adopt:renamed", "succeed:renamed"}) {
    server_.reset();
    DieAt(fault);
    Start();
    EXPECT_THAT(ServerFolders(), ElementsAre(server_->server_name())) << fault;
    for (const AssignedRegion& region : Regions("t")) EXPECT_EQ(region.state, RegionState::kOpen) << fault;
    ASSERT_TRUE(Put("t", "a").ok());
  }
  EXPECT_THAT(Rows("t"), ElementsAre("a=v"));
}

TEST_F(OwnServerCrashTest, ACrashWhileAnOldFolderGetsItsNameLosesNothing) {
  UnpackOldStandalone(folder_.path());
  clock_.Advance(Clock::System()->NowMs() - clock_.NowMs());
  for (const char* fault : {"succeed:rehomed", "adopt:named", "succeed:renamed"}) DieAt(fault);
  Start();
  EXPECT_THAT(Rows("t"), ElementsAre("a=1", "b=in the log", "h=2", "i=second life", "z=3"));
}

// ---- a cluster's data root, and back ----

class OwnServerClusterTest : public testing::ClusterHarness {};

TEST_F(OwnServerClusterTest, AStandaloneServerGoesOnWithAClustersRootAndTheClusterWithIts) {
  Lead();
  AddServers(2);
  MakeTable();
  KillAll();
  {
    auto standalone = Standalone::Start({.data_path = root_.path(), .options = &options_, .serve = false});
    ASSERT_TRUE(standalone.ok()) << standalone.status();
    RegionServer& server = *(*standalone)->region_server();
    // One of the servers is succeeded at once; the other one is dead when its lease is over.
    for (const char* row : {"a", "b", "c"}) {
      testing::WaitFor([&] {
        const auto region = (*standalone)->master()->LocateRow(Name("t"), row);
        return region.ok() && server.FindRegion(region->info.EncodedName()).ok();
      });
      const auto region = (*standalone)->master()->LocateRow(Name("t"), row);
      CellBlock cells;
      Get get;
      get.row = row;
      ASSERT_TRUE(server.Get(region->info.EncodedName(), get, &cells).ok());
      EXPECT_EQ(cells.size(), 1u) << row;
    }
  }
  Lead();
  AddServers(2);
  ExpectRows({"a", "b", "c"});
}

TEST_F(OwnServerClusterTest, AClusterGoesOnWithAnOldStandaloneServersFolder) {
  UnpackOldStandalone(root_.path());
  Lead();
  AddServers(2);
  ExpectRows({"a", "b", "h", "i", "z"});
}

}  // namespace
}  // namespace vaquita
