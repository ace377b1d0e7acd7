// Snapshots: taking them, tables made of them, their ends, HBase's errors.
#include <filesystem>
#include <fstream>
#include <thread>

#include "model/store_file_tracker.h"
#include "server/master/master.h"
#include "tests/server/server_harness.h"

namespace vaquita {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Le;
using ::testing::SizeIs;

class SnapshotsTest : public testing::ServerHarness {
 protected:
  static SnapshotDescription Request(const std::string& name, const std::string& table) {
    return {.name = name, .table = Name(table)};
  }
  absl::Status Take(const SnapshotDescription& request, bool polled = false) {
    return Finish(master().SnapshotAsync(request, polled));
  }
  absl::Status Take(const std::string& name, const std::string& table) { return Take(Request(name, table)); }
  absl::Status Clone(const std::string& name, const std::string& to, const std::string& tracker = "") {
    return Finish(master().RestoreSnapshotAsync(name, Name(to), tracker));
  }
  absl::Status Restore(const std::string& name, const std::string& table) { return Clone(name, table); }
  absl::Status Disable(const std::string& table) { return Finish(master().DisableTableAsync(Name(table))); }
  absl::Status Enable(const std::string& table) { return Finish(master().EnableTableAsync(Name(table))); }
  absl::Status Delete(const std::string& table) { return Finish(master().DeleteTableAsync(Name(table))); }
  absl::Status DisableAndRestore(const std::string& name, const std::string& table) {
    absl::Status status = Disable(table);
    if (status.ok()) status = Restore(name, table);
    if (status.ok()) status = Enable(table);
    return status;
  }
  std::vector<std::string> Names() {
    std::vector<std::string> names;
    for (const SnapshotDescription& snapshot : master().ListSnapshots()) names.push_back(snapshot.name);
    return names;
  }
  std::string FolderOf(const std::string& name) { return folder_.path() + "/snapshots/" + name; }
};

TEST_F(SnapshotsTest, HasWhatTheTableHadThen) {
  ASSERT_TRUE(Create("t", {"m"}).ok());
  ASSERT_TRUE(Put("t", "a").ok());
  ASSERT_TRUE(Put("t", "z").ok());
  EXPECT_THAT(Names(), IsEmpty());
  ASSERT_TRUE(Take("s", "t").ok());
  const auto snapshots = master().ListSnapshots();
  ASSERT_THAT(snapshots, SizeIs(1));
  EXPECT_EQ(snapshots[0].ToString(), "{ ss=s table=t type=FLUSH ttl=0 }");
  EXPECT_EQ(snapshots[0].created_ms, clock_.NowMs());

  ASSERT_TRUE(Put("t", "a", "changed").ok());
  ASSERT_TRUE(Put("t", "b").ok());
  ASSERT_TRUE(Clone("s", "c").ok());
  EXPECT_THAT(Ranges("c"), ElementsAre("..m", "m.."));
  EXPECT_THAT(Rows("c"), ElementsAre("a=v", "z=v"));
  EXPECT_EQ(*master().GetTableState(Name("c")), TableState::kEnabled);
  ASSERT_TRUE(Put("c", "d").ok());
  EXPECT_THAT(Rows("c"), ElementsAre("a=v", "d=v", "z=v"));
  EXPECT_THAT(Rows("t"), ElementsAre("a=changed", "b=v", "z=v"));

  Restart();
  EXPECT_EQ(master().ListSnapshots(), snapshots);
  EXPECT_THAT(Rows("c"), ElementsAre("a=v", "d=v", "z=v"));
  ASSERT_TRUE(Clone("s", "again").ok());
  EXPECT_THAT(Rows("again"), ElementsAre("a=v", "z=v"));
}

TEST_F(SnapshotsTest, OutlivesItsTable) {
  ASSERT_TRUE(Create("t").ok());
  ASSERT_TRUE(Put("t", "a").ok());
  ASSERT_TRUE(Take("s", "t").ok());
  ASSERT_TRUE(Disable("t").ok());
  ASSERT_TRUE(Delete("t").ok());
  Restart();
  ASSERT_TRUE(Clone("s", "t").ok());
  EXPECT_THAT(Rows("t"), ElementsAre("a=v"));
  ASSERT_TRUE(master().DeleteSnapshot("s").ok());
  EXPECT_FALSE(std::filesystem::exists(FolderOf("s")));
  EXPECT_THAT(Rows("t"), ElementsAre("a=v"));
  ASSERT_TRUE(region_server().CompactRegion(RegionOf("t", "a"), "", CompactionKind::kMajor, true).ok());
  EXPECT_THAT(Rows("t"), ElementsAre("a=v"));
  Restart();
  EXPECT_THAT(Names(), IsEmpty());
  EXPECT_THAT(Rows("t"), ElementsAre("a=v"));
}

TEST_F(SnapshotsTest, SkipFlushLeavesOutWhatIsInMemory) {
  ASSERT_TRUE(Create("t").ok());
  ASSERT_TRUE(Put("t", "flushed").ok());
  ASSERT_TRUE(master().FlushTable(Name("t")).ok());
  ASSERT_TRUE(Put("t", "in memory").ok());
  SnapshotDescription request = Request("s", "t");
  request.type = SnapshotType::kSkipFlush;
  ASSERT_TRUE(Take(request).ok());
  EXPECT_EQ(master().ListSnapshots()[0].type, SnapshotType::kSkipFlush);
  ASSERT_TRUE(Clone("s", "c").ok());
  EXPECT_THAT(Rows("c"), ElementsAre("flushed=v"));
}

TEST_F(SnapshotsTest, OfADisabledTable) {
  ASSERT_TRUE(Create("t", {"m"}).ok());
  ASSERT_TRUE(Put("t", "a").ok());
  ASSERT_TRUE(Disable("t").ok());
  ASSERT_TRUE(Take("s", "t").ok());
  ASSERT_TRUE(Take(Request("polled", "t"), /*polled=*/true).ok());
  EXPECT_EQ(master().ListSnapshots()[0].type, SnapshotType::kDisabled) << "of a client that polls";
  EXPECT_EQ(master().ListSnapshots()[1].type, SnapshotType::kFlush);
  EXPECT_EQ(*master().GetTableState(Name("t")), TableState::kDisabled);
  ASSERT_TRUE(Clone("s", "c").ok());
  EXPECT_THAT(Rows("c"), ElementsAre("a=v"));
  EXPECT_EQ(*master().GetTableState(Name("c")), TableState::kEnabled);
}

TEST_F(SnapshotsTest, RestoresDataOfADisabledTable) {
  ASSERT_TRUE(Create("t", {"m"}).ok());
  ASSERT_TRUE(Put("t", "a").ok());
  ASSERT_TRUE(Take("s", "t").ok());
  ASSERT_TRUE(Put("t", "a", "changed").ok());
  ASSERT_TRUE(Put("t", "z").ok());
  EXPECT_THAT(Restore("s", "t"), FailsWith(ErrorKind::kUnsupportedOperation,
                                           "Table 't' must be disabled in order to perform a restore operation."));
  ASSERT_TRUE(DisableAndRestore("s", "t").ok());
  EXPECT_THAT(Rows("t"), ElementsAre("a=v"));
  ASSERT_TRUE(Put("t", "n").ok());
  Restart();
  EXPECT_THAT(Rows("t"), ElementsAre("a=v", "n=v"));
  // As often as one likes, without a restart or with one.
  ASSERT_TRUE(DisableAndRestore("s", "t").ok());
  EXPECT_THAT(Rows("t"), ElementsAre("a=v"));
}

TEST_F(SnapshotsTest, RestoresTheRegionsThatWereThen) {
  ASSERT_TRUE(Create("t", {"m"}).ok());
  for (const char* row : {"a", "c", "k", "z"}) ASSERT_TRUE(Put("t", row).ok());
  ASSERT_TRUE(Take("before", "t").ok());
  ASSERT_TRUE(Finish(master().SplitRegionAsync(RegionOf("t", "a"), "c")).ok());
  ASSERT_TRUE(Take("split", "t").ok());  // with files that have rows of both daughters
  ASSERT_TRUE(region_server().CompactRegion(RegionOf("t", "a"), "", CompactionKind::kMajor, true).ok());
  ASSERT_TRUE(region_server().CompactRegion(RegionOf("t", "c"), "", CompactionKind::kMajor, true).ok());
  ASSERT_TRUE(Finish(master().MergeRegionsAsync({RegionOf("t", "c"), RegionOf("t", "z")}, false)).ok());
  EXPECT_THAT(Ranges("t"), ElementsAre("..c", "c.."));
  ASSERT_TRUE(Take("merged", "t").ok());

  ASSERT_TRUE(DisableAndRestore("split", "t").ok());
  EXPECT_THAT(Ranges("t"), ElementsAre("..c", "c..m", "m.."));
  EXPECT_THAT(Rows("t"), ElementsAre("a=v", "c=v", "k=v", "z=v"));
  ASSERT_TRUE(DisableAndRestore("merged", "t").ok());
  EXPECT_THAT(Ranges("t"), ElementsAre("..c", "c.."));
  EXPECT_THAT(Rows("t"), ElementsAre("a=v", "c=v", "k=v", "z=v"));
  ASSERT_TRUE(DisableAndRestore("before", "t").ok());
  EXPECT_THAT(Ranges("t"), ElementsAre("..m", "m.."));
  EXPECT_THAT(Rows("t"), ElementsAre("a=v", "c=v", "k=v", "z=v"));
  // Nothing of the old regions is left in meta, and nothing for the janitor.
  EXPECT_EQ(*master().RunCatalogJanitor(), 0);
  int rows = 0;
  for (const std::string& column : MetaColumns()) {
    rows += column.starts_with("t,") && column.find("info:regioninfo") != column.npos;
  }
  EXPECT_EQ(rows, 2);
  ASSERT_TRUE(Clone("split", "c").ok());
  EXPECT_THAT(Ranges("c"), ElementsAre("..c", "c..m", "m.."));
  EXPECT_THAT(Rows("c"), ElementsAre("a=v", "c=v", "k=v", "z=v"));
  Restart();
  EXPECT_THAT(Rows("t"), ElementsAre("a=v", "c=v", "k=v", "z=v"));
  EXPECT_THAT(Rows("c"), ElementsAre("a=v", "c=v", "k=v", "z=v"));
}

TEST_F(SnapshotsTest, RestoresTheSchema) {
  ASSERT_TRUE(Create("t", {}, {"f", "g"}).ok());
  ASSERT_TRUE(Put("t", "a", "in g", "g:q").ok());
  ASSERT_TRUE(Take("s", "t").ok());
  TableDescriptor altered = Descriptor("t", {"f", "h"});
  altered.families["f"].max_versions = 7;
  altered.attributes["owner"] = "somebody";
  ASSERT_TRUE(Finish(master().ModifyTableAsync(altered)).ok());
  ASSERT_TRUE(Put("t", "a", "in h", "h:q").ok());
  ASSERT_TRUE(DisableAndRestore("s", "t").ok());
  for (int restart = 0; restart < 2; ++restart) {
    const auto table = *master().GetDescriptor(Name("t"));
    EXPECT_EQ(table->FindFamily("h"), nullptr);
    EXPECT_EQ(table->FindFamily("f")->max_versions, 1);
    EXPECT_FALSE(table->attributes.contains("owner"));
    EXPECT_THAT(Rows("t"), ElementsAre("a=in g"));
    Restart();
  }
}

TEST_F(SnapshotsTest, ClonesIntoAnotherNamespaceAndWithAnotherTracker) {
  ASSERT_TRUE(Create("t").ok());
  ASSERT_TRUE(Put("t", "a").ok());
  ASSERT_TRUE(Take("s", "t").ok());
  EXPECT_THAT(Clone("s", "n:c"), FailsWith(ErrorKind::kNamespaceNotFound, "n"));
  ASSERT_TRUE(master().CreateNamespace({.name = "n"}).ok());
  ASSERT_TRUE(Clone("s", "n:c", "FILE").ok());
  EXPECT_EQ((*master().GetDescriptor(Name("n:c")))->attributes.at(kStoreFileTracker), "FILE");
  EXPECT_EQ((*master().GetDescriptor(Name("t")))->attributes.at(kStoreFileTracker), "DEFAULT");
  EXPECT_THAT(Rows("n:c"), ElementsAre("a=v"));
  EXPECT_THAT(Clone("s", "d", "NOPE"), FailsWith(ErrorKind::kDoNotRetryIO,
                                                 "java.lang.RuntimeException: java.lang.ClassNotFoundException: NOPE"));
  // A table with another file tracker cannot be restored.
  TableDescriptor altered = **master().GetDescriptor(Name("t"));
  altered.attributes[kStoreFileTracker] = "FILE";
  ASSERT_TRUE(Finish(master().ModifyTableAsync(altered)).ok());
  ASSERT_TRUE(Disable("t").ok());
  EXPECT_TRUE(IsError(Restore("s", "t"), ErrorKind::kRestoreSnapshot));
}

TEST_F(SnapshotsTest, OfATableWithoutFamilies) {
  TableDescriptor table = Descriptor("t", {});
  table.configuration["hbase.table.sanity.checks"] = "false";
  ASSERT_TRUE(Finish(master().CreateTableAsync(table, {"m"})).ok());
  ASSERT_TRUE(Take("s", "t").ok());
  const absl::Status cloned = Clone("s", "c");
  EXPECT_TRUE(cloned.ok()) << cloned;
  const absl::Status restored = DisableAndRestore("s", "t");
  EXPECT_TRUE(restored.ok()) << restored;
  Restart();
  for (const char* name : {"c", "t"}) {
    for (const AssignedRegion& region : Regions(name)) EXPECT_EQ(region.state, RegionState::kOpen) << name;
    EXPECT_THAT(Ranges(name), ElementsAre("..m", "m..")) << name;
  }
}

TEST_F(SnapshotsTest, IsRefusedInHBasesWords) {
  ASSERT_TRUE(Create("t").ok());
  ASSERT_TRUE(Take("s", "t").ok());
  EXPECT_THAT(Take("s", "t"), FailsWith(ErrorKind::kSnapshotExists, "Snapshot 's' already stored on the filesystem."));
  EXPECT_THAT(Take("u", "nope"),
              FailsWith(ErrorKind::kSnapshotCreation, "Table 'nope' doesn't exist, can't take snapshot."));
  EXPECT_THAT(Take("u", "hbase:namespace"),
              FailsWith(ErrorKind::kIllegalArgument, "System table snapshots are not allowed"));
  for (const char* name : {"", "-u", ".tmp", "a/b", "../u", "a:b"}) {
    EXPECT_TRUE(IsError(Take(name, "t"), ErrorKind::kIllegalArgument)) << name;
  }
  const std::string gone = "Snapshot 'nope' doesn't exist on the filesystem";
  EXPECT_THAT(master().DeleteSnapshot("nope"), FailsWith(ErrorKind::kSnapshotDoesNotExist, gone));
  EXPECT_THAT(Clone("nope", "c"), FailsWith(ErrorKind::kSnapshotDoesNotExist, gone));
  EXPECT_THAT(Names(), ElementsAre("s"));
}

TEST_F(SnapshotsTest, ATableWithoutRegionsHasNone) {
  for (const char* table : {"t", "u"}) ASSERT_TRUE(Create(table).ok());
  clock_.Advance(1000);  // the removal comes after what the row has
  Mutation removal{.type = MutationType::kDelete, .row = Regions("t")[0].info.Name()};
  ASSERT_TRUE(region_server().Mutate("hbase:meta,,1", removal).ok());
  Restart();
  EXPECT_THAT(Regions("t"), IsEmpty());
  EXPECT_THAT(Take("s", "t"),
              FailsWith(ErrorKind::kSnapshotCreation, HasSubstr("hbase:meta has no region of table 't'")));
  EXPECT_THAT(Names(), IsEmpty());
}

TEST_F(SnapshotsTest, TellsThoseWhoAskWhetherItIsDone) {
  ASSERT_TRUE(Create("t").ok());
  const std::string unknown =
      "Snapshot { ss=s table=t type=FLUSH ttl=0 } is not currently running or one of the known completed snapshots.";
  EXPECT_THAT(master().IsSnapshotDone(Request("s", "t")).status(), FailsWith(ErrorKind::kUnknownSnapshot, unknown));
  ASSERT_TRUE(master().SnapshotAsync(Request("s", "t"), /*polled=*/true).ok());
  while (true) {
    const auto done = master().IsSnapshotDone(Request("s", "t"));
    ASSERT_TRUE(done.ok()) << done.status();
    if (*done) break;
  }
  EXPECT_TRUE(*master().IsSnapshotDone(Request("s", "t"))) << "asked again";
  ASSERT_TRUE(master().DeleteSnapshot("s").ok());
  EXPECT_THAT(master().IsSnapshotDone(Request("s", "t")).status(), FailsWith(ErrorKind::kUnknownSnapshot, unknown));
  EXPECT_TRUE(*master().IsSnapshotRestored(Name("t"))) << "nothing is under way";
}

TEST_F(SnapshotsTest, AFailureIsToldOnceAndLeavesNothing) {
  ASSERT_TRUE(Create("t").ok());
  // Its place is taken by something that is no snapshot.
  std::filesystem::create_directories(FolderOf("s"));
  EXPECT_THAT(Take(Request("s", "t"), /*polled=*/true),
              FailsWith(ErrorKind::kSnapshotExists, "Snapshot 's' already stored on the filesystem."));
  EXPECT_THAT(master().IsSnapshotDone(Request("s", "t")).status(),
              FailsWith(ErrorKind::kHBaseSnapshot,
                        "Snapshot { ss=s table=t type=FLUSH ttl=0 } had an error.  Snapshot 's' already stored on the "
                        "filesystem."));
  EXPECT_TRUE(IsError(master().IsSnapshotDone(Request("s", "t")).status(), ErrorKind::kUnknownSnapshot));
  EXPECT_THAT(Names(), IsEmpty());
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path() + "/snapshots/.tmp"));
}

TEST_F(SnapshotsTest, ExpiresWithItsTtl) {
  ASSERT_TRUE(Create("t").ok());
  SnapshotDescription request = Request("short", "t");
  request.ttl_s = 10;
  ASSERT_TRUE(Take(request).ok());
  ASSERT_TRUE(Take("ever", "t").ok());
  options_.snapshot_ttl_s = 60;
  ASSERT_TRUE(Take("default", "t").ok());
  clock_.Advance(10'000);
  ASSERT_TRUE(Clone("short", "c").ok());
  EXPECT_EQ(master().RemoveExpiredSnapshots(), 0);
  clock_.Advance(1);
  EXPECT_THAT(Clone("short", "d"),
              FailsWith(ErrorKind::kSnapshotTtlExpired, "TTL for snapshot 'short' has already expired."));
  EXPECT_FALSE(master().GetDescriptor(Name("d")).ok());
  ASSERT_TRUE(Disable("t").ok());
  EXPECT_TRUE(IsError(Restore("short", "t"), ErrorKind::kSnapshotTtlExpired));
  EXPECT_EQ(master().RemoveExpiredSnapshots(), 1);
  EXPECT_THAT(Names(), ElementsAre("default", "ever"));
  Restart();
  clock_.Advance(60'000);
  EXPECT_EQ(master().RemoveExpiredSnapshots(), 1);
  EXPECT_THAT(Names(), ElementsAre("ever"));
}

TEST_F(SnapshotsTest, TheCleanerRemovesExpiredOnesUnlessItIsOff) {
  options_.snapshot_cleaner_period_ms = 1;
  Restart();
  ASSERT_TRUE(Create("t").ok());
  ASSERT_TRUE(master().SetSwitch(MasterSwitch::kSnapshotCleanup, false).ok());
  SnapshotDescription request = Request("s", "t");
  request.ttl_s = 1;
  ASSERT_TRUE(Take(request).ok());
  clock_.Advance(2'000);
  EXPECT_THAT(Names(), ElementsAre("s"));
  ASSERT_TRUE(master().SetSwitch(MasterSwitch::kSnapshotCleanup, true).ok());
  while (!Names().empty()) std::this_thread::yield();
}

TEST_F(SnapshotsTest, GivesItsTableItsMaxFileSize) {
  ASSERT_TRUE(Create("t").ok());
  SnapshotDescription request = Request("s", "t");
  request.max_file_bytes = 50 * kMiB;
  ASSERT_TRUE(Take(request).ok());
  ASSERT_TRUE(Clone("s", "c").ok());
  EXPECT_EQ((*master().GetDescriptor(Name("c")))->max_file_bytes, 50 * kMiB);
  EXPECT_EQ((*master().GetDescriptor(Name("t")))->max_file_bytes, -1);
}

// Rows with a cell in each of two families, and splits, while snapshots are taken: each has of every row all or
// nothing.
TEST_F(SnapshotsTest, HasOfEveryMutationAllOrNothing) {
  ASSERT_TRUE(Create("t", {}, {"f", "g"}).ok());
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (int i = 0; !stop; ++i) {
      const std::string row = std::to_string(i % 10) + "-" + std::to_string(i);
      Mutation put = testing::MakePut(row, "f:q", "v");
      put.cells.push_back(testing::MakePut(row, "g:q", "v").cells[0]);
      region_server().Mutate(RegionOf("t", row), put).IgnoreError();  // a region may have been split meanwhile
    }
  });
  for (int i = 0; i < 5; ++i) {
    const std::string name = "s" + std::to_string(i);
    EXPECT_TRUE(Take(name, "t").ok());
    if (i % 2 == 0) Finish(master().SplitRegionAsync(RegionOf("t", "5"), std::to_string(3 + i))).IgnoreError();
  }
  stop = true;
  writer.join();
  size_t last_size = 0;
  for (int i = 0; i < 5; ++i) {
    const std::string clone = "c" + std::to_string(i);
    ASSERT_TRUE(Clone("s" + std::to_string(i), clone).ok());
    const auto cells = Rows(clone);
    EXPECT_EQ(cells.size() % 2, 0u);
    for (size_t j = 0; j + 1 < cells.size(); j += 2) EXPECT_EQ(cells[j], cells[j + 1]) << clone;
    EXPECT_THAT(last_size, Le(cells.size()));
    last_size = cells.size();
  }
}

TEST_F(SnapshotsTest, WhatACrashLeftIsRemovedAndADamagedOneLeftOut) {
  ASSERT_TRUE(Create("t").ok());
  ASSERT_TRUE(Take("good", "t").ok());
  ASSERT_TRUE(Take("bad", "t").ok());
  ASSERT_TRUE(Take("worse", "t").ok());
  std::filesystem::create_directories(FolderOf(".tmp") + "/half/region");
  std::ofstream(FolderOf("bad") + "/data.manifest") << "garbage";
  std::ofstream(FolderOf("worse") + "/.snapshotinfo") << "garbage";
  Restart();
  EXPECT_FALSE(std::filesystem::exists(FolderOf(".tmp") + "/half"));
  EXPECT_THAT(Names(), ElementsAre("bad", "good"));
  EXPECT_THAT(Clone("bad", "c"), FailsWith(ErrorKind::kCorruptedSnapshot, "Couldn't read snapshot manifest"));
  EXPECT_TRUE(IsError(Take("worse", "t"), ErrorKind::kSnapshotExists));
  EXPECT_TRUE(Clone("good", "c").ok());
}

}  // namespace
}  // namespace vaquita
