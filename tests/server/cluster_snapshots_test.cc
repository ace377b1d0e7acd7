// Snapshots and flushes of a table while the servers of a cluster fail.
#include <gmock/gmock.h>

#include <filesystem>
#include <string>

#include "base/status.h"
#include "tests/server/cluster_harness.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;

class ClusterSnapshotsTest : public testing::ClusterHarness {
 protected:
  void SetUp() override {
    Lead();
    AddServers(3);
    MakeTable();
  }
};

TEST_F(ClusterSnapshotsTest, ASnapshotIsTakenWhileAServerIsDead) {
  Kill(0);
  const absl::Status taken = Finish(master().SnapshotAsync({.name = "s", .table = Name("t")}, false));
  ASSERT_TRUE(taken.ok()) << taken;
  const absl::Status cloned = Finish(master().RestoreSnapshotAsync("s", Name("c"), ""));
  ASSERT_TRUE(cloned.ok()) << cloned;
  EXPECT_THAT(Rows("c"), ElementsAre("a", "b", "c"));
}

TEST_F(ClusterSnapshotsTest, ATableIsFlushedWhileAServerIsDead) {
  Kill(0);
  const absl::Status flushed = Finish(master().FlushTableAsync(Name("t"), {}));
  EXPECT_TRUE(flushed.ok()) << flushed;
}

// The server's error is its answer: it is not asked for ever, and the snapshot can be deleted.
TEST_F(ClusterSnapshotsTest, ACloneOfASnapshotThatLacksAFileFails) {
  ASSERT_TRUE(Finish(master().SnapshotAsync({.name = "s", .table = Name("t")}, false)).ok());
  std::string file;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root_.path() + "/snapshots/s")) {
    if (entry.path().extension() == ".sst") file = entry.path();
  }
  ASSERT_TRUE(std::filesystem::remove(file)) << file;
  const absl::Status cloned = Finish(master().RestoreSnapshotAsync("s", Name("c"), ""));
  EXPECT_FALSE(cloned.ok());
  EXPECT_FALSE(IsError(cloned, ErrorKind::kMasterNotRunning)) << cloned;
  EXPECT_FALSE(master().GetDescriptor(Name("c")).ok());
  EXPECT_TRUE(master().DeleteSnapshot("s").ok());
}

}  // namespace
}  // namespace vaquita
