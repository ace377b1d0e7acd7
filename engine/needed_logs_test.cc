#include "engine/needed_logs.h"

#include <filesystem>

#include "engine/testing/store_db_fixture.h"
#include "gtest/gtest.h"
#include "rocksdb/db.h"

namespace vaquita {
namespace {

using NeededLogsTest = StoreDbFixture;

TEST_F(NeededLogsTest, AFlushedStoreNeedsTheNextLog) {
  auto flushed = Create("r1/f");
  auto other = Create("r2/f");
  const auto needed = [&](const std::shared_ptr<Store>& store) {
    const auto logs = ReadNeededLogs(path_);
    EXPECT_TRUE(logs.ok()) << logs.status();
    return logs.ok() && logs->contains(store->handle()->GetID()) ? logs->at(store->handle()->GetID()) : 0;
  };
  const uint64_t first = needed(flushed);
  EXPECT_GT(first, 0u);
  EXPECT_TRUE(std::filesystem::exists(path_ + "/00000" + std::to_string(first) + ".log"));
  EXPECT_EQ(needed(other), first);
  Put(flushed, "a", "q", 1, "v");
  Put(other, "a", "q", 1, "v");
  Flush(flushed);
  EXPECT_GT(needed(flushed), first);
  EXPECT_EQ(needed(other), first);
  const std::vector<std::string> names = {"r1/f"};
  ASSERT_TRUE(db_->Drop(names).ok());
  EXPECT_EQ(needed(flushed), 0u);
  EXPECT_EQ(needed(other), first);
  const uint32_t id = other->handle()->GetID();
  flushed.reset();
  other.reset();
  Reopen();  // a new MANIFEST begins with the state of all stores
  EXPECT_EQ(ReadNeededLogs(path_)->at(id), first);
}

TEST(ManifestRecordTest, WhatIsNotKnownIsNotGuessed) {
  NeededLogs needed;
  EXPECT_TRUE(ApplyManifestRecord({"\xc8\x01\x05\x02\x07", 5}, &needed));
  EXPECT_EQ(needed, (NeededLogs{{5, 7}}));
  EXPECT_TRUE(ApplyManifestRecord({"\xc8\x01\x05\x02\x06", 5}, &needed)) << "numbers only rise";
  EXPECT_EQ(needed, (NeededLogs{{5, 7}}));
  EXPECT_TRUE(ApplyManifestRecord({"\x8f\x40\x01x\x02\x08", 6}, &needed)) << "what may be ignored";
  EXPECT_EQ(needed, (NeededLogs{{0, 8}, {5, 7}}));
  EXPECT_FALSE(ApplyManifestRecord({"\x63", 1}, &needed)) << "an unknown tag";
  EXPECT_FALSE(ApplyManifestRecord({"\x02", 1}, &needed));
  EXPECT_FALSE(ApplyManifestRecord({"\x01\x05xy", 4}, &needed));
  EXPECT_FALSE(ApplyManifestRecord({"\x02\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12}, &needed));
  EXPECT_TRUE(ApplyManifestRecord({"\xc8\x01\x05\xca\x01", 5}, &needed));
  EXPECT_EQ(needed, (NeededLogs{{0, 8}}));
}

}  // namespace
}  // namespace vaquita
