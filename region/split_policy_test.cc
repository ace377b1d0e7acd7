#include "region/split_policy.h"

#include <gtest/gtest.h>

#include <limits>

#include "model/store_settings.h"
#include "region/testing/region_harness.h"

namespace vaquita {
namespace {

using vaquita::testing::MakeFamily;
using vaquita::testing::MakeTable;

class SplitPolicyTest : public ::testing::Test {
 protected:
  // Sizes are spread by up to an eighth each way.
  void ExpectAbout(int64_t bytes, int regions) {
    const int64_t size = SplitSize(*table_, options_, info_, regions);
    EXPECT_GE(size, bytes * 7 / 8);
    EXPECT_LE(size, bytes * 9 / 8);
  }

  Options options_;
  RegionInfo info_{{"default", "t"}, "", "", 1};
  std::shared_ptr<TableDescriptor> table_ = MakeTable({MakeFamily("f")});
};

TEST_F(SplitPolicyTest, SteppingSplitsTheFirstRegionEarly) {
  EXPECT_EQ(SplitPolicyName(*table_, options_), "SteppingSplitPolicy");
  EXPECT_EQ(SplitSize(*table_, options_, info_, 1), 256 * kMiB);
  ExpectAbout(10 * kGiB, 2);
  table_->memstore_flush_bytes = 1 * kMiB;
  table_->max_file_bytes = 64 * kMiB;
  EXPECT_EQ(SplitSize(*table_, options_, info_, 1), 2 * kMiB);
  ExpectAbout(64 * kMiB, 2);
}

TEST_F(SplitPolicyTest, IncreasingToUpperBoundGrowsWithTheCube) {
  table_->split_policy = "org.apache.hadoop.hbase.regionserver.IncreasingToUpperBoundRegionSplitPolicy";
  EXPECT_EQ(SplitSize(*table_, options_, info_, 1), 256 * kMiB);
  EXPECT_EQ(SplitSize(*table_, options_, info_, 3), 27 * 256 * kMiB);
  ExpectAbout(10 * kGiB, 4);
  ExpectAbout(10 * kGiB, 0);
  ExpectAbout(10 * kGiB, 1000);
}

TEST_F(SplitPolicyTest, SizesEndWhereALongEnds) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const int64_t half = kMost / 2 + 1;
  table_->attributes["hbase.hregion.memstore.flush.size"] = std::to_string(half);
  EXPECT_EQ(SplitSize(*table_, options_, info_, 1), kMost);
  table_->attributes["hbase.hregion.memstore.block.multiplier"] = "3";
  EXPECT_EQ(BlockingMemstoreBytes(*table_, options_), kMost);
  table_->split_policy = "IncreasingToUpperBoundRegionSplitPolicy";
  table_->max_file_bytes = kMost;
  EXPECT_GE(SplitSize(*table_, options_, info_, 100), kMost / 8 * 7);
  table_->max_file_bytes = -1;
  table_->attributes["hbase.hregion.max.filesize"] = std::to_string(std::numeric_limits<int64_t>::min());
  EXPECT_LT(SplitSize(*table_, options_, info_, 2), 0);
  table_->attributes["hbase.hregion.memstore.flush.size"] = "-1";
  EXPECT_EQ(FlushBytes(*table_, options_), 0) << "less than nothing would be flushed without an end";
}

TEST_F(SplitPolicyTest, ConstantSizeAndDisabled) {
  table_->split_policy = "ConstantSizeRegionSplitPolicy";
  table_->max_file_bytes = 1 * kGiB;
  ExpectAbout(1 * kGiB, 1);
  options_.split_policy = "ConstantSizeRegionSplitPolicy";
  table_->split_policy = "DisabledRegionSplitPolicy";
  EXPECT_EQ(SplitSize(*table_, options_, info_, 1), -1);
  // A table may set the server's property for itself, too.
  table_->split_policy.clear();
  table_->attributes["hbase.regionserver.region.split.policy"] = "DisabledRegionSplitPolicy";
  EXPECT_EQ(SplitSize(*table_, options_, info_, 1), -1);
}

TEST_F(SplitPolicyTest, PrefixPoliciesKeepGroupsTogether) {
  table_->split_policy = "KeyPrefixRegionSplitPolicy";
  EXPECT_EQ(PolicySplitRow(*table_, options_, "abcdef"), "abcdef") << "no length is given";
  table_->attributes["prefix_split_key_policy.prefix_length"] = "2";
  EXPECT_EQ(PolicySplitRow(*table_, options_, "abcdef"), "ab");
  table_->attributes["KeyPrefixRegionSplitPolicy.prefix_length"] = "4";
  EXPECT_EQ(PolicySplitRow(*table_, options_, "abcdef"), "abcd");
  EXPECT_EQ(PolicySplitRow(*table_, options_, "ab"), "ab");

  table_->split_policy = "DelimitedKeyPrefixRegionSplitPolicy";
  EXPECT_EQ(PolicySplitRow(*table_, options_, "user_event_1"), "user_event_1");
  table_->attributes["DelimitedKeyPrefixRegionSplitPolicy.delimiter"] = "_";
  EXPECT_EQ(PolicySplitRow(*table_, options_, "user_event_1"), "user");
  EXPECT_EQ(PolicySplitRow(*table_, options_, "user"), "user");
}

TEST_F(SplitPolicyTest, RestrictionsHoldForEveryPolicy) {
  EXPECT_EQ(RestrictedSplitRow(*table_, "abcdef"), "abcdef");
  table_->configuration["hbase.regionserver.region.split_restriction.type"] = "KeyPrefix";
  table_->configuration["hbase.regionserver.region.split_restriction.prefix_length"] = "3";
  EXPECT_EQ(RestrictedSplitRow(*table_, "abcdef"), "abc");
  table_->configuration["hbase.regionserver.region.split_restriction.type"] = "DelimitedKeyPrefix";
  table_->configuration["hbase.regionserver.region.split_restriction.delimiter"] = "de";
  EXPECT_EQ(RestrictedSplitRow(*table_, "abcdef"), "abc");
}

}  // namespace
}  // namespace vaquita
