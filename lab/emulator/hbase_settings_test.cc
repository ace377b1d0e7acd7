#include "lab/emulator/hbase_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vaquita::lab {
namespace {

using ::testing::HasSubstr;

TEST(HBaseSettingsTest, TakesWhatItGoesByAndLeavesTheRest) {
  HBaseSettings settings;
  const auto taken = ApplySite(
      {{"hbase.hregion.memstore.flush.size", "1048576"},
       {"hbase.rootdir", "hdfs://nn/hbase"},
       {"hbase.regionserver.region.split.policy", "org.apache.hadoop.hbase.regionserver.ConstantSizeRegionSplitPolicy"},
       {"hbase.regionserver.optionalcacheflushinterval", "-1"},
       {"hbase.hregion.split.overallfiles", "true"},
       {"hfile.block.cache.size", "0.25"}},
      &settings);
  ASSERT_TRUE(taken.ok()) << taken.status();
  EXPECT_EQ(*taken, 5);
  EXPECT_EQ(settings.memstore_flush_bytes, 1 << 20);
  EXPECT_EQ(settings.split_policy, "ConstantSizeRegionSplitPolicy");
  EXPECT_EQ(settings.periodic_flush_ms, -1);
  EXPECT_TRUE(settings.split_by_region_size);
  EXPECT_EQ(settings.block_cache_share, 0.25);
  EXPECT_FALSE(IsHBaseSetting("hbase.rootdir"));
}

TEST(HBaseSettingsTest, LongMaxValueIsALargeNumber) {
  HBaseSettings settings;
  ASSERT_TRUE(ApplySite({{"hbase.hstore.compaction.max.size", "9223372036854775807"},
                         {"hbase.hregion.majorcompaction", "9223372036854775807"}},
                        &settings)
                  .ok());
  EXPECT_EQ(settings.compaction_max_bytes, int64_t{1} << 62);
  EXPECT_EQ(settings.major_period_ms, int64_t{1} << 62);
}

// Forms that stand in hbase-default.xml, or that Hadoop's Configuration takes.
TEST(HBaseSettingsTest, ValuesAreReadAsHBaseReadsThem) {
  HBaseSettings settings;
  const auto taken = ApplySite({{"hbase.hstore.compaction.ratio", "1.5F"},
                                {"hbase.regions.slop", "0.3d"},
                                {"hbase.hregion.split.overallfiles", "TRUE"},
                                {"hbase.regionserver.global.memstore.size", ""},
                                {"hbase.regionserver.flush.policy", ""}},
                               &settings);
  ASSERT_TRUE(taken.ok()) << taken.status();
  EXPECT_EQ(*taken, 3);
  EXPECT_EQ(settings.compaction_ratio, 1.5);
  EXPECT_EQ(settings.regions_slop, 0.3);
  EXPECT_TRUE(settings.split_by_region_size);
  EXPECT_EQ(settings.global_memstore_share, 0.4);
  for (const char* value : {"F", "1.5FF", "infd", ".", "1.5 F"}) {
    EXPECT_FALSE(ApplySite({{"hbase.hstore.compaction.ratio", value}}, &settings).ok()) << value;
  }
}

TEST(HBaseSettingsTest, TheNewNameOfTheLeastFilesComesBeforeTheOldWhateverTheirOrder) {
  HBaseSettings settings;
  EXPECT_EQ(settings.least_files_to_compact(), 3);
  ASSERT_TRUE(ApplySite({{"hbase.hstore.compactionThreshold", "7"}}, &settings).ok());
  EXPECT_EQ(settings.least_files_to_compact(), 7);
  ASSERT_TRUE(
      ApplySite({{"hbase.hstore.compaction.min", "5"}, {"hbase.hstore.compactionThreshold", "4"}}, &settings).ok());
  EXPECT_EQ(settings.least_files_to_compact(), 5);
  ASSERT_TRUE(ApplySite({{"hbase.hstore.compaction.min", "1"}}, &settings).ok());
  EXPECT_EQ(settings.least_files_to_compact(), 2) << "HBase takes no less";
}

TEST(HBaseSettingsTest, OldNamesOfTheMemstoresLimitsCountWithoutTheNewOnes) {
  HBaseSettings settings;
  EXPECT_EQ(*ApplySite({{"hbase.regionserver.global.memstore.lowerLimit", "0.3"},
                        {"hbase.regionserver.global.memstore.upperLimit", "0.5"}},
                       &settings),
            2);
  EXPECT_EQ(settings.global_memstore_share, 0.5);
  EXPECT_EQ(settings.global_lower_limit, 0.6);
  EXPECT_EQ(*ApplySite({{"hbase.regionserver.global.memstore.size", "0.4"},
                        {"hbase.regionserver.global.memstore.upperLimit", "0.5"},
                        {"hbase.regionserver.global.memstore.lowerLimit", "0.45"}},
                       &settings),
            2);
  EXPECT_EQ(settings.global_memstore_share, 0.4);
  EXPECT_EQ(settings.global_lower_limit, 1) << "no more than the limit itself";
  EXPECT_TRUE(IsHBaseSetting("hbase.regionserver.global.memstore.lowerLimit"));
}

TEST(HBaseSettingsTest, WhatIsAnIntInHBaseMustFitIntoOne) {
  HBaseSettings settings;
  EXPECT_EQ(
      std::string(ApplySite({{"hbase.hstore.blockingWaitTime", "9223372036854775807"}}, &settings).status().message()),
      "hbase.hstore.blockingWaitTime: '9223372036854775807' must be a whole number, at least 0, at most "
      "2147483647");
  EXPECT_TRUE(ApplySite({{"hbase.hstore.blockingStoreFiles", "2147483647"}}, &settings).ok());
  EXPECT_FALSE(ApplySite({{"hbase.regionserver.optionalcacheflushinterval", "-2147483649"}}, &settings).ok());
}

TEST(HBaseSettingsTest, AMalformedValueIsNamedWithWhatWouldBeRight) {
  HBaseSettings settings;
  const auto message = [&](const std::string& name, const std::string& value) {
    return std::string(ApplySite({{name, value}}, &settings).status().message());
  };
  EXPECT_EQ(message("hbase.hstore.compaction.min", "many"),
            "hbase.hstore.compaction.min: 'many' must be a whole number, at least 1, at most 2147483647");
  EXPECT_EQ(message("hfile.block.cache.size", "1.5"),
            "hfile.block.cache.size: '1.5' must be a number, at least 0, at most 0.8");
  EXPECT_EQ(message("hbase.regionserver.global.memstore.size", "nan"),
            "hbase.regionserver.global.memstore.size: 'nan' must be a number, at least 0.01, at most 0.8");
  EXPECT_THAT(message("hbase.hstore.compaction.max.size", "9223372036854775808"), HasSubstr("a whole number"));
  EXPECT_THAT(message("hbase.regionserver.region.split.policy", "BusyRegionSplitPolicy"),
              HasSubstr("a policy that the emulator has: SteppingSplitPolicy"));
}

}  // namespace
}  // namespace vaquita::lab
