#include "server/data_root/snapshot_folder.h"

#include <filesystem>

#include "base/durable_files.h"
#include "base/status.h"
#include "base/test_disk.h"
#include "base/testing/temporary_folder.h"
#include "gtest/gtest.h"
#include "model/testing/cells.h"

namespace vaquita {
namespace {

namespace fs = std::filesystem;

class SnapshotFolderTest : public ::testing::Test {
 protected:
  // Commits snapshot "s" with the store file r/f/file, a link as StoreDb::Export makes it.
  void Commit(const std::string& root) {
    SnapshotManifest manifest;
    manifest.table = *testing::MakeTable({testing::MakeFamily("f")});
    manifest.regions.push_back({.info = {.table = manifest.table.name, .id = 1}, .files = {}});
    manifest.description = {.name = "s", .table = manifest.table.name, .created_ms = 1'000, .ttl_s = 60};
    const auto snapshots = SnapshotFolder::Open(root + "/snapshots");
    ASSERT_TRUE(snapshots.ok()) << snapshots.status();
    const auto draft = (*snapshots)->Begin("s");
    ASSERT_TRUE(draft.ok()) << draft.status();
    ASSERT_TRUE(fs::create_directories((*draft)->folder() + "/r/f"));
    fs::create_hard_link(root + "/file", (*draft)->folder() + "/r/f/file");
    const absl::Status committed = (*draft)->Commit(manifest);
    ASSERT_TRUE(committed.ok()) << committed;
  }
};

TEST_F(SnapshotFolderTest, APowerCutLeavesTheFilesOfACommittedSnapshot) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const testing::TemporaryFolder root;
    ASSERT_TRUE(WriteFile(root.path() + "/file", "data").ok());
    TestDisk disk(root.path(), {.seed = seed});
    Commit(root.path());
    ASSERT_TRUE(disk.CutPower().ok());
    ASSERT_TRUE(disk.PowerOn().ok());
    const auto snapshot = ReadSnapshot(root.path() + "/snapshots/s");
    ASSERT_TRUE(snapshot.ok()) << snapshot.status();
    const auto file = ReadFile(root.path() + "/snapshots/s/r/f/file");
    ASSERT_TRUE(file.ok()) << file.status();
    EXPECT_EQ(*file, "data");
  }
}

TEST_F(SnapshotFolderTest, APowerCutLeavesNoPartOfARemovedSnapshot) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const testing::TemporaryFolder root;
    ASSERT_TRUE(WriteFile(root.path() + "/file", "data").ok());
    Commit(root.path());
    TestDisk disk(root.path(), {.seed = seed});
    ASSERT_TRUE((*SnapshotFolder::Open(root.path() + "/snapshots"))->Remove("s").ok());
    ASSERT_TRUE(disk.CutPower().ok());
    ASSERT_TRUE(disk.PowerOn().ok());
    EXPECT_FALSE(PathExists(root.path() + "/snapshots/s")) << "seed " << seed;
  }
}

TEST_F(SnapshotFolderTest, WhatIsReadDoesNotKeepOthersFromBeingRemovedAndNewOnesStay) {
  const testing::TemporaryFolder root;
  auto snapshots = *SnapshotFolder::Open(root.path() + "/snapshots");
  const auto take = [&](const std::string& name, int64_t ttl_s) {
    SnapshotManifest manifest;
    manifest.table = *testing::MakeTable({testing::MakeFamily("f")});
    manifest.regions.push_back({.info = {.table = manifest.table.name, .id = 1}, .files = {}});
    manifest.description = {.name = name, .table = manifest.table.name, .created_ms = 1'000, .ttl_s = ttl_s};
    const auto draft = snapshots->Begin(name);
    return draft.ok() ? (*draft)->Commit(manifest) : draft.status();
  };
  for (const char* name : {"a", "b", "c"}) ASSERT_TRUE(take(name, 60).ok());
  const auto expired = [](const SnapshotDescription& snapshot) { return snapshot.Expired(1'000'000); };
  size_t removed = 0;
  ASSERT_TRUE(snapshots
                  ->Read("a",
                         [&](const auto&, const auto&) {
                           const absl::Status refused = snapshots->Remove("a");
                           EXPECT_TRUE(IsError(refused, ErrorKind::kIO)) << refused;
                           EXPECT_TRUE(IsRetryable(refused));
                           removed = snapshots->RemoveIf(expired).size();
                           return absl::OkStatus();
                         })
                  .ok());
  EXPECT_EQ(removed, 2u);
  EXPECT_TRUE(snapshots->Contains("a")) << "it was read";
  ASSERT_TRUE(take("b", 0).ok());
  EXPECT_EQ(snapshots->RemoveIf(expired).size(), 1u);
  ASSERT_EQ(snapshots->List().size(), 1u);
  EXPECT_EQ(snapshots->List()[0].name, "b");
}

TEST_F(SnapshotFolderTest, AnotherOfItsNameIsNeitherKeptNorRemoved) {
  const testing::TemporaryFolder root;
  ASSERT_TRUE(WriteFile(root.path() + "/file", "data").ok());
  Commit(root.path());
  const auto snapshots = *SnapshotFolder::Open(root.path() + "/snapshots");
  const SnapshotDescription found = snapshots->List()[0];
  auto hold = snapshots->Keep(found);
  ASSERT_TRUE(hold.ok()) << hold.status();
  EXPECT_TRUE(IsError(snapshots->Remove("s"), ErrorKind::kIO));
  hold->reset();
  SnapshotDescription other = found;
  other.owner = "somebody else";
  EXPECT_TRUE(IsError(snapshots->Keep(other).status(), ErrorKind::kSnapshotDoesNotExist));
  const auto use = [](const auto&, const auto&) { return absl::OkStatus(); };
  EXPECT_TRUE(IsError(snapshots->Read(other, use), ErrorKind::kSnapshotDoesNotExist));
  EXPECT_TRUE(snapshots->Read(found, use).ok());

  const auto deny = [](const SnapshotDescription&) { return Error(ErrorKind::kAccessDenied, "not yours"); };
  EXPECT_TRUE(IsError(snapshots->Remove("s", deny), ErrorKind::kAccessDenied));
  const auto replace = [&](const SnapshotDescription& judged) {
    EXPECT_EQ(judged, found);
    EXPECT_TRUE(snapshots->Remove("s").ok());
    SnapshotManifest manifest;
    manifest.table = *testing::MakeTable({testing::MakeFamily("f")});
    manifest.regions.push_back({.info = {.table = manifest.table.name, .id = 1}, .files = {}});
    manifest.description = other;
    EXPECT_TRUE((*snapshots->Begin("s"))->Commit(manifest).ok());
    return absl::OkStatus();
  };
  EXPECT_TRUE(IsError(snapshots->Remove("s", replace), ErrorKind::kSnapshotDoesNotExist));
  ASSERT_EQ(snapshots->List().size(), 1u);
  EXPECT_EQ(snapshots->List()[0], other);
}

TEST_F(SnapshotFolderTest, ASnapshotLosesItsTimeToLive) {
  const testing::TemporaryFolder root;
  ASSERT_TRUE(WriteFile(root.path() + "/file", "data").ok());
  Commit(root.path());
  const std::string folder = root.path() + "/snapshots/s";
  const auto before = ReadSnapshot(folder);
  ASSERT_TRUE(before.ok()) << before.status();
  EXPECT_TRUE(before->description.Expired(1'000'000));
  ASSERT_TRUE(RemoveTimeToLive(folder).ok());
  const auto snapshot = ReadSnapshot(folder);
  ASSERT_TRUE(snapshot.ok()) << snapshot.status();
  EXPECT_FALSE(snapshot->description.Expired(1'000'000));
  EXPECT_EQ(snapshot->description.created_ms, 1'000);
  EXPECT_FALSE(RemoveTimeToLive(root.path() + "/none").ok());
}

}  // namespace
}  // namespace vaquita
