// Every small file of a data root, damaged in every way: it is read right, or refused with a word.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/durable_files.h"
#include "server/data_root/handoff.h"
#include "server/data_root/master_address.h"
#include "server/data_root/server_folder.h"
#include "server/data_root/snapshot_folder.h"
#include "server/master/master.h"
#include "tests/server/server_harness.h"

namespace vaquita {
namespace {

namespace fs = std::filesystem;

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Damage {
  const char* name;
  std::function<void(const std::string& path, const std::string& other)> apply;
};

void FlipAt(const std::string& path, const std::function<size_t(size_t)>& place) {
  std::string bytes = *ReadFile(path);
  ASSERT_FALSE(bytes.empty());
  bytes[place(bytes.size())] ^= 0x04;
  ASSERT_TRUE(WriteFile(path, bytes).ok());
}

// `other` is another's file of the same kind.
const std::vector<Damage>& Damages() {
  static const auto* const damages = new std::vector<Damage>{
      {"flipped at the start", [](auto& path, auto&) { FlipAt(path, [](size_t) { return 0; }); }},
      {"flipped behind the start",
       [](auto& path, auto&) { FlipAt(path, [](size_t n) { return std::min<size_t>(7, n - 1); }); }},
      {"flipped at a third", [](auto& path, auto&) { FlipAt(path, [](size_t n) { return n / 3; }); }},
      {"flipped at two thirds", [](auto& path, auto&) { FlipAt(path, [](size_t n) { return 2 * n / 3; }); }},
      {"flipped at the end", [](auto& path, auto&) { FlipAt(path, [](size_t n) { return n - 1; }); }},
      {"cut in the middle", [](auto& path, auto&) { fs::resize_file(path, fs::file_size(path) / 2); }},
      {"cut at the end", [](auto& path, auto&) { fs::resize_file(path, fs::file_size(path) - 1); }},
      {"emptied", [](auto& path, auto&) { fs::resize_file(path, 0); }},
      {"zeros", [](auto& path, auto&) { ASSERT_TRUE(WriteFile(path, std::string(fs::file_size(path), '\0')).ok()); }},
      {"deleted", [](auto& path, auto&) { fs::remove(path); }},
      {"another's", [](auto& path, auto& other) { fs::copy_file(other, path, fs::copy_options::overwrite_existing); }},
  };
  return *damages;
}

class DamagedFilesTest : public testing::ServerHarness {
 protected:
  void SetUp() override {
    ServerHarness::SetUp();
    for (const char* table : {"t", "u"}) {
      ASSERT_TRUE(Create(table, {"b"}).ok());
      for (const char* row : {"a", "b"}) ASSERT_TRUE(Put(table, row, table).ok());
      const SnapshotDescription snapshot{.name = std::string("of-") + table, .table = Name(table)};
      ASSERT_TRUE(Finish(master().SnapshotAsync(snapshot, false)).ok());
    }
  }
  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }

  // Damages the file in each way, one after the other, while no server runs, and has `check` look at it.
  void ForEachDamage(const std::string& file, const std::string& other, const std::function<void()>& check) {
    const std::string whole = *ReadFile(Path(file));
    for (const Damage& damage : Damages()) {
      SCOPED_TRACE(file + " " + damage.name);
      server_.reset();
      ASSERT_TRUE(WriteFile(Path(file), whole).ok());
      damage.apply(Path(file), Path(other));
      check();
    }
    server_.reset();
    ASSERT_TRUE(WriteFile(Path(file), whole).ok());
    Restart();
    EXPECT_THAT(Rows("t"), ElementsAre("a=t", "b=t")) << "nothing was lost meanwhile";
  }
};

TEST_F(DamagedFilesTest, FormatIsRefusedOrRight) {
  ASSERT_TRUE(WriteFile(Path("other-format"), "5\n").ok());
  ForEachDamage("FORMAT", "other-format", [&] {
    clock_.Advance(1000);
    auto server =
        Standalone::Start({.data_path = folder_.path(), .options = &options_, .clock = &clock_, .serve = false});
    if (!server.ok()) {
      EXPECT_THAT(std::string(server.status().message()), ::testing::ContainsRegex("FORMAT|format"));
      return;
    }
    server_ = *std::move(server);
    EXPECT_THAT(Rows("t"), ElementsAre("a=t", "b=t"));
  });
}

TEST_F(DamagedFilesTest, SnapshotsAreRefusedOrRight) {
  for (const char* file : {"/.snapshotinfo", "/data.manifest"}) {
    ForEachDamage(std::string("snapshots/of-t") + file, std::string("snapshots/of-u") + file, [&] {
      Restart();
      EXPECT_THAT(Rows("t"), ElementsAre("a=t", "b=t"));
      const absl::Status cloned = Finish(master().RestoreSnapshotAsync("of-t", Name("clone"), ""));
      if (!cloned.ok()) {
        EXPECT_FALSE(cloned.message().empty());
        return;
      }
      EXPECT_THAT(Rows("clone"), ElementsAre("a=t", "b=t"));
      ASSERT_TRUE(Finish(master().DisableTableAsync(Name("clone"))).ok());
      ASSERT_TRUE(Finish(master().DeleteTableAsync(Name("clone"))).ok());
    });
  }
}

TEST_F(DamagedFilesTest, HandoffsAreRefusedOrRight) {
  server_.reset();
  fs::create_directories(Path("owner"));
  std::vector<SnapshotRegion> regions;
  for (const char* table : {"t", "u"}) {
    SnapshotRegion region{.info = {.table = Name(table), .start_key = "b", .end_key = "c", .id = 7},
                          .files = {{"f", {{"000001.sst", 0, 3, 9, 100}}}, {"g", {}}}};
    region.table = std::make_shared<const TableDescriptor>(Descriptor(table, {"f", "g"}));
    auto draft = HandoffDraft::Begin(folder_.path(), Path("owner"), region.info.EncodedName());
    ASSERT_TRUE(draft.ok()) << draft.status();
    for (const auto& [family, files] : region.files) fs::create_directory(draft->folder() + "/" + family);
    ASSERT_TRUE(draft->Publish(region).ok());
    regions.push_back(std::move(region));
  }
  const SnapshotRegion& written = regions[0];
  const std::string name = written.info.EncodedName();
  const auto manifest = [&](const SnapshotRegion& region) {
    return "handoff/" + region.info.EncodedName() + "/region.manifest";
  };
  const auto check = [&] {
    const auto read = ReadHandoff(folder_.path(), name);
    if (!read.ok()) {
      EXPECT_TRUE(IsError(read.status(), ErrorKind::kCorruptHFile) || absl::IsNotFound(read.status())) << read.status();
      EXPECT_THAT(std::string(read.status().message()), HasSubstr("region.manifest"));
      return;
    }
    EXPECT_EQ(read->info, written.info);
    EXPECT_EQ(read->files, written.files);
    EXPECT_EQ(*read->table, *written.table);
  };
  check();
  const std::string whole = *ReadFile(Path(manifest(written)));
  for (const Damage& damage : Damages()) {
    SCOPED_TRACE(damage.name);
    ASSERT_TRUE(WriteFile(Path(manifest(written)), whole).ok());
    damage.apply(Path(manifest(written)), Path(manifest(regions[1])));
    check();
  }
}

TEST_F(DamagedFilesTest, AHandoffOfAnOlderReleaseCanBeRead) {
  SnapshotRegion region{.info = {.table = Name("t"), .start_key = "b", .end_key = "c", .id = 7}, .files = {}};
  const auto read = DecodeSnapshotRegion(EncodeSnapshotRegion(region).substr(6));  // it had no checksum
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->info, region.info);
  EXPECT_EQ(read->table, nullptr);
}

TEST_F(DamagedFilesTest, AMastersAddressIsRefusedOrRight) {
  server_.reset();
  const MasterAddress written{
      .grpc_address = "host:16041", .server_name = "host,16000,17", .epoch = 3, .cluster_id = "an-id"};
  ASSERT_TRUE(WriteMasterAddress(folder_.path(), written).ok());
  const std::string whole = *ReadFile(Path("master/address"));
  ASSERT_TRUE(WriteFile(Path("another"), "1\n").ok());
  for (const Damage& damage : Damages()) {
    SCOPED_TRACE(damage.name);
    ASSERT_TRUE(WriteFile(Path("master/address"), whole).ok());
    damage.apply(Path("master/address"), Path("another"));
    const auto read = ReadMasterAddress(folder_.path());
    if (!read.ok()) {
      EXPECT_FALSE(read.status().message().empty());
      continue;
    }
    EXPECT_EQ(read->grpc_address, written.grpc_address);
    EXPECT_EQ(read->server_name, written.server_name);
    EXPECT_EQ(read->epoch, written.epoch);
    EXPECT_EQ(read->cluster_id, written.cluster_id);
  }
}

TEST_F(DamagedFilesTest, NonsenseAmongEarlierServersIsPassedOver) {
  const std::string folder = Path("server/host,1,3");
  fs::create_directories(folder);
  ASSERT_TRUE(WriteFile(folder + "/EARLIER_SERVERS", std::string("host,1,2\nnonsense\n\0\0\n", 21)).ok());
  const auto owners = OwnersOfFolder(folder);
  ASSERT_TRUE(owners.ok()) << owners.status();
  EXPECT_THAT(*owners, ElementsAre("host,1,3", "host,1,2"));
}

}  // namespace
}  // namespace vaquita
