// kill -9 at every step of what snapshots do: a whole snapshot or none, and the next master finishes what becomes of
// it.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "server/master/master.h"
#include "tests/server/server_harness.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const char* kChildFolder = "VAQUITA_TEST_CHILD_FOLDER";
constexpr const char* kChildNow = "VAQUITA_TEST_CHILD_NOW";  // time goes on from the parent's
constexpr const char* kFault = "VAQUITA_FAULT";

// The work of children on the folder, each a test of its own so that the parent can name it.
class SnapshotsChild : public testing::ServerHarness {
 protected:
  void SetUp() override {
    const char* folder = std::getenv(kChildFolder);
    ASSERT_NE(folder, nullptr);
    clock_.Advance(std::strtoll(std::getenv(kChildNow), nullptr, 10) - clock_.NowMs());
    auto server = Standalone::Start({.data_path = folder, .options = &options_, .clock = &clock_, .serve = false});
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
  }
};

TEST_F(SnapshotsChild, DISABLED_Takes) {
  EXPECT_TRUE(Finish(master().SnapshotAsync({.name = "new", .table = Name("t")}, false)).ok());
}
TEST_F(SnapshotsChild, DISABLED_Deletes) { EXPECT_TRUE(master().DeleteSnapshot("s").ok()); }
TEST_F(SnapshotsChild, DISABLED_Clones) { EXPECT_TRUE(Finish(master().RestoreSnapshotAsync("s", Name("c"), "")).ok()); }
TEST_F(SnapshotsChild, DISABLED_Restores) {
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  EXPECT_TRUE(Finish(master().RestoreSnapshotAsync("s", Name("t"), "")).ok());
}

// A table "t" of two regions with a snapshot "s", changed since in data, regions and families.
class SnapshotsCrashTest : public testing::ServerHarness {
 protected:
  void SetUp() override {
    Restart();
    ASSERT_TRUE(Create("t", {"m"}, {"f", "g"}).ok());
    ASSERT_TRUE(Put("t", "a").ok());
    ASSERT_TRUE(Put("t", "z", "v", "g:q").ok());
    ASSERT_TRUE(Finish(master().SnapshotAsync({.name = "s", .table = Name("t")}, false)).ok());
    Change();
  }
  void Change() {
    ASSERT_TRUE(Put("t", "a", "changed").ok());
    ASSERT_TRUE(Finish(master().SplitRegionAsync(RegionOf("t", "a"), "c")).ok());
    ASSERT_TRUE(Finish(master().ModifyTableAsync(Descriptor("t", {"f", "h"}))).ok());
  }
  // Waits for the end of what an earlier master had begun.
  void Complete() {
    for (const Procedure& procedure : master().ListProcedures()) {
      const absl::Status status = master().Wait(procedure.id);
      EXPECT_TRUE(status.ok()) << procedure.description << ": " << status;
    }
  }

  // Has a child do it, which dies at `fault`; then calls `meanwhile`, and opens the folder again.
  void Crash(
      const std::string& child, const std::string& fault, const std::function<void()>& meanwhile = [] {}) {
    SCOPED_TRACE(fault);
    server_.reset();
    const std::string filter = "--gtest_filter=SnapshotsChild.DISABLED_" + child;
    const pid_t pid = fork();
    if (pid == 0) {
      setenv(kChildFolder, folder_.path().c_str(), 1);
      setenv(kChildNow, std::to_string(clock_.NowMs() + 1).c_str(), 1);
      setenv(kFault, fault.c_str(), 1);
      execl("/proc/self/exe", "server_tests", filter.c_str(), "--gtest_also_run_disabled_tests", "--gtest_brief=1",
            nullptr);
      _exit(127);
    }
    int status = 0;
    ASSERT_EQ(waitpid(pid, &status, 0), pid);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
    meanwhile();
    Restart();
  }
  std::vector<std::string> Names() {
    std::vector<std::string> names;
    for (const SnapshotDescription& snapshot : master().ListSnapshots()) names.push_back(snapshot.name);
    return names;
  }
  std::vector<std::string> Families(const std::string& table) {
    std::vector<std::string> names;
    const auto descriptor = *master().GetDescriptor(Name(table));
    for (const auto& [name, family] : descriptor->families) names.push_back(name);
    return names;
  }
  bool NothingIsLeftOver() {
    const std::string temporary = folder_.path() + "/snapshots/.tmp";
    return !std::filesystem::exists(temporary) || std::filesystem::is_empty(temporary);
  }
};

TEST_F(SnapshotsCrashTest, ASnapshotIsWholeOrNotThere) {
  for (const char* fault : {"snapshot:region", "snapshot:written"}) {
    Crash("Takes", fault);
    EXPECT_THAT(Names(), ElementsAre("s")) << fault;
    EXPECT_TRUE(NothingIsLeftOver()) << fault;
  }
  Crash("Takes", "snapshot:committed");
  EXPECT_THAT(Names(), ElementsAre("new", "s"));
  ASSERT_TRUE(Finish(master().RestoreSnapshotAsync("new", Name("c"), "")).ok());
  EXPECT_THAT(Rows("c"), ElementsAre("a=changed"));
  EXPECT_THAT(Ranges("c"), SizeIs(3));
}

TEST_F(SnapshotsCrashTest, ADeletionOnceDecidedIsCompleted) {
  Crash("Deletes", "delete-snapshot:decided");
  EXPECT_THAT(Names(), IsEmpty());
  EXPECT_TRUE(NothingIsLeftOver());
  EXPECT_THAT(Rows("t"), ElementsAre("a=changed"));
}

TEST_F(SnapshotsCrashTest, ACloneIsCompleted) {
  for (const char* fault : {"create:descriptor", "import:regions", "create:regions", "create:committed"}) {
    Crash("Clones", fault);
    Complete();
    EXPECT_THAT(Rows("c"), ElementsAre("a=v", "z=v")) << fault;
    EXPECT_THAT(Families("c"), ElementsAre("f", "g")) << fault;
    ASSERT_TRUE(Finish(master().DisableTableAsync(Name("c"))).ok());
    ASSERT_TRUE(Finish(master().DeleteTableAsync(Name("c"))).ok());
  }
  ASSERT_TRUE(Finish(master().RestoreSnapshotAsync("s", Name("d"), "")).ok());
  EXPECT_THAT(Rows("d"), ElementsAre("a=v", "z=v"));
}

// Nothing else has these regions' names by then: no table, and no snapshot of which their files are copies.
TEST_F(SnapshotsCrashTest, WhatAnUndecidedCloneLeftIsNoReasonToRefuse) {
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  ASSERT_TRUE(Finish(master().DeleteTableAsync(Name("t"))).ok());
  Crash("Clones", "import:regions", [this] { std::filesystem::remove_all(folder_.path() + "/snapshots/s"); });
  EXPECT_THAT(Names(), IsEmpty());
  EXPECT_THAT(region_server().Trouble().sidelined_stores, ::testing::Gt(0));
}

TEST_F(SnapshotsCrashTest, ARestorationIsCompleted) {
  for (const char* fault :
       {"restore:staged", "import:regions", "restore:imported", "restore:committed", "restore:descriptor"}) {
    Crash("Restores", fault);
    Complete();
    for (int restart = 0; restart < 2; ++restart) {
      EXPECT_EQ(*master().GetTableState(Name("t")), TableState::kDisabled) << fault;
      EXPECT_THAT(Ranges("t"), ElementsAre("..m", "m..")) << fault;
      EXPECT_THAT(Families("t"), ElementsAre("f", "g")) << fault;
      Restart();
    }
    ASSERT_TRUE(Finish(master().EnableTableAsync(Name("t"))).ok());
    EXPECT_THAT(Rows("t"), ElementsAre("a=v", "z=v")) << fault;
    Change();  // for the next crash
  }
}

}  // namespace
}  // namespace vaquita
