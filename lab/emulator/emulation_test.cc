#include "lab/emulator/emulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <cmath>

#include <cstdio>
#include <numeric>

#include "lab/emulator/cell_sizes.h"

namespace vaquita::lab {
namespace {

constexpr double kHour = 3'600'000;

KeySample Sample(uint64_t points, const std::function<std::string(uint64_t)>& key) {
  absl::StatusOr<KeySample> sample = KeySample::Make(points, [&](uint64_t n, std::string* out) {
    out->append(key(n));
    return absl::OkStatus();
  });
  EXPECT_TRUE(sample.ok()) << sample.status();
  return *std::move(sample);
}

std::string Digits(uint64_t number, int width) {
  char text[32];
  std::snprintf(text, sizeof text, "%0*llu", width, static_cast<unsigned long long>(number));
  return text;
}

// Keys in the order of their arrival, and spread evenly.
KeySample Sequential(uint64_t points) {
  return Sample(points, [](uint64_t n) { return Digits(n, 16); });
}
KeySample Scattered(uint64_t points) {
  return Sample(points, [](uint64_t n) { return Digits(n * 0x9E3779B97F4A7C15ull % 10'000'000'000'000'000ull, 16); });
}

SplitKeys Splits(int regions) {
  std::vector<std::string> keys;
  for (int i = 1; i < regions; ++i) keys.push_back(Digits(10'000'000'000'000'000ull / regions * i, 16));
  return *SplitKeys::Make(std::move(keys));
}

// 1 MB memstores, 10 MB regions.
class EmulationTest : public ::testing::Test {
 protected:
  EmulationTest() {
    cluster_.settings.memstore_flush_bytes = 1 << 20;
    cluster_.settings.max_file_bytes = 10 << 20;
    cluster_.settings.max_file_jitter = 0;
    cluster_.settings.compaction_min_bytes = 1 << 20;
    cluster_.settings.archive_ms = 1000;
    cluster_.heap_bytes = int64_t{4} << 30;
    load_.records = 1e6;
    load_.duration_ms = kHour / 2;
  }
  Emulation Run(const KeySample& sample, const SplitKeys& splits = SplitKeys()) {
    absl::StatusOr<Emulation> emulation = Emulate(cluster_, load_, sample, splits);
    EXPECT_TRUE(emulation.ok()) << emulation.status();
    return *std::move(emulation);
  }
  RecordSize size() const { return SizeOfRecord(cluster_.system, cluster_.heap_bytes, load_.families[0], 16); }

  EmulatedCluster cluster_;
  EmulatedLoad load_;
};

TEST_F(EmulationTest, EveryRecordComesOnceAndIsFlushedOnce) {
  const Emulation emulation = Run(Scattered(10'000), Splits(10));
  EXPECT_NEAR(emulation.total.records, 1e6, 1);
  const double flushed = emulation.total.flushed_bytes / size().file;
  const double most_left = (1 << 20) / size().memstore * emulation.regions.size();
  EXPECT_LE(flushed, 1e6 + 1);
  EXPECT_GE(flushed, 1e6 - most_left);
  EXPECT_NEAR(emulation.total.data_bytes, emulation.total.flushed_bytes, 1) << "nothing expires, nothing is lost";
  double of_regions = 0;
  for (const EmulatedRegionReport& region : emulation.regions) of_regions += region.counts.data_bytes;
  EXPECT_NEAR(of_regions, emulation.total.data_bytes, 1);
}

TEST_F(EmulationTest, AFlushTakesAMemstoreFull) {
  cluster_.settings.split_policy = "DisabledRegionSplitPolicy";
  const Emulation emulation = Run(Scattered(10'000));
  const double expected = 1e6 * size().memstore / (1 << 20);
  EXPECT_NEAR(static_cast<double>(emulation.total.flushes), expected, expected * 0.01);
  EXPECT_EQ(emulation.regions.size(), 1u);
}

TEST_F(EmulationTest, SequentialKeysLeaveHalfFullRegionsBehind) {
  const Emulation emulation = Run(Sequential(100'000));
  ASSERT_GT(emulation.regions.size(), 10u);
  // All but the last two, which are still being split and written.
  for (size_t i = 1; i + 2 < emulation.regions.size(); ++i) {
    const EmulatedRegionReport& region = emulation.regions[i];
    EXPECT_NEAR(region.counts.data_bytes, 5 << 20, 2.2 * (1 << 20)) << i;
    EXPECT_LT(region.last_write_ms, load_.duration_ms);
  }
  for (const EmulatedMoment& moment : emulation.timeline) EXPECT_GT(moment.hottest_region_share, 0.95);
}

TEST_F(EmulationTest, ScatteredKeysFillAllRegionsAlike) {
  const Emulation emulation = Run(Scattered(100'000), Splits(8));
  EXPECT_EQ(emulation.total.splits % 8, 0) << "they split together: there is no jitter here";
  EXPECT_LT(emulation.timeline.back().hottest_region_share, 2.0 / emulation.regions.size());
}

TEST_F(EmulationTest, OneHotRowCannotBeSplit) {
  const Emulation emulation = Run(Sample(10'000, [](uint64_t) { return std::string("the row"); }));
  EXPECT_EQ(emulation.regions.size(), 1u);
  EXPECT_GT(emulation.total.data_bytes, 100 << 20);
}

// The last row has more than half of all records, so that the large store's middle block begins with it. The small
// store's middle block is off the middle, as its blocks are few and odd in number.
TEST_F(EmulationTest, ARegionSplitsAtTheSmallStoresMiddleIfTheLargeOneHasNone) {
  load_.families = {{.name = "a", .value_bytes = 1000}, {.name = "b", .value_bytes = 1}};
  load_.records = 30'000;
  const KeySample sample = Sample(
      10'000, [](uint64_t n) { return n * 89 % 200 < 91 ? Digits(n * 7919 % 10'000, 16) : std::string(16, 'z'); });
  EXPECT_GT(Run(sample).regions.size(), 1u);
}

TEST_F(EmulationTest, AFullStoreBlocksWritesUntilItIsCompacted) {
  cluster_.settings.split_policy = "DisabledRegionSplitPolicy";
  load_.duration_ms = 10'000;  // 20 MB/s
  cluster_.settings.compaction_least_bytes_per_s = cluster_.settings.compaction_most_bytes_per_s = 1 << 20;
  cluster_.disk_bytes_per_s = 20e6;
  const Emulation emulation = Run(Scattered(10'000));
  EXPECT_GT(emulation.total.blocked_ms, 1000);
  EXPECT_NEAR(emulation.total.records, 1e6, 1);
}

TEST_F(EmulationTest, AStoreThatNeverBlocksTakesNoMemoryForThat) {
  cluster_.settings.blocking_store_files = int64_t{1} << 62;
  cluster_.settings.compaction_check_wakes = cluster_.settings.wake_ms = int64_t{1} << 62;
  EXPECT_EQ(Run(Scattered(10'000)).total.blocked_ms, 0);
}

// A region with half of all writes asks for a compaction beside 200 others, when it has as few files as they. It comes
// first as soon as it has more.
TEST_F(EmulationTest, TheStoreWithTheMostFilesIsCompactedFirst) {
  cluster_.settings.split_policy = "DisabledRegionSplitPolicy";
  cluster_.settings.compaction_least_bytes_per_s = cluster_.settings.compaction_most_bytes_per_s = 24 << 20;
  load_.records = 36e6;
  const Emulation emulation = Run(Sample(100'000,
                                         [](uint64_t n) {
                                           const uint64_t part = n * 0x9E3779B97F4A7C15ull % 10'000'000'000'000'000ull;
                                           return Digits(n % 2 == 0 ? part / 1000 : part, 16);
                                         }),
                                  Splits(200));
  EXPECT_LT(emulation.total.blocked_ms, 30'000);
}

TEST_F(EmulationTest, ShortPeriodsMakeNoEndlessRun) {
  cluster_.settings.compaction_check_wakes = cluster_.settings.wake_ms = cluster_.settings.balancer_period_ms = 1;
  cluster_.servers = 2;
  load_.records = 1000;
  load_.duration_ms = 365 * 24 * kHour;
  EXPECT_LT(Run(Scattered(1000)).events, 1'300'000);
}

TEST_F(EmulationTest, QuietRegionsAreFlushedByTheHour) {
  load_.records = 10'000;
  load_.duration_ms = 24 * kHour;
  const Emulation emulation = Run(Scattered(10'000));
  EXPECT_GE(emulation.total.flushes, 21);
  EXPECT_LE(emulation.total.flushes, 24);
}

TEST_F(EmulationTest, ASmallFamilyIsFlushedWithItsLargeNeighbourOnlyBelowTheBound) {
  load_.families = {{.name = "a", .value_bytes = 1000}, {.name = "b", .value_bytes = 1}};
  cluster_.settings.split_policy = "DisabledRegionSplitPolicy";
  cluster_.settings.family_flush_least_bytes = 16 << 20;  // over the flush size: none is large, all are flushed
  cluster_.settings.compaction_min_files = 1000;
  cluster_.settings.blocking_store_files = 10'000;
  const Emulation together = Run(Scattered(10'000));
  EXPECT_EQ(together.total.files, 2 * together.total.flushes);
  cluster_.settings.family_flush_least_bytes = 1 << 10;  // now half the flush size is the bound
  const Emulation apart = Run(Scattered(10'000));
  EXPECT_LT(apart.total.files, together.total.files * 0.75);
}

TEST_F(EmulationTest, TheBalancerSpreadsWhatSplitsMake) {
  cluster_.servers = 5;
  load_.duration_ms = 4 * kHour;
  const Emulation emulation = Run(Scattered(100'000));
  ASSERT_GT(emulation.regions.size(), 10u);
  for (const EmulatedServerReport& server : emulation.servers) {
    EXPECT_NEAR(server.regions, static_cast<double>(emulation.regions.size()) / 5,
                0.2 * static_cast<double>(emulation.regions.size()) / 5 + 2);
  }
  EXPECT_GT(emulation.total.moves, 0);
}

TEST_F(EmulationTest, NothingMovesWhenTheLoadIsOver) {
  cluster_.servers = 3;
  cluster_.settings.balancer_period_ms = int64_t{1} << 31;
  const Emulation emulation = Run(Scattered(100'000));
  ASSERT_GT(emulation.regions.size(), 10u);
  EXPECT_EQ(emulation.total.moves, 0);
  EXPECT_LT(emulation.settled_ms, load_.duration_ms * 2);
}

// A negative slop turns off only one of HBase's reasons to balance.
TEST_F(EmulationTest, AnIdleServerGetsRegionsWhateverTheSlop) {
  cluster_.servers = 2;
  cluster_.settings.regions_slop = -1;
  load_.duration_ms = kHour;
  const Emulation emulation = Run(Scattered(100'000));
  EXPECT_GT(emulation.total.moves, 0);
  EXPECT_GT(emulation.servers[1].regions, 0);
}

TEST_F(EmulationTest, ExpiredCellsGo) {
  load_.duration_ms = 10 * kHour;
  const Emulation kept = Run(Scattered(100'000));
  load_.ttl_ms = static_cast<int64_t>(kHour);
  const Emulation expired = Run(Scattered(100'000));
  EXPECT_LT(expired.total.data_bytes, kept.total.data_bytes * 0.4);
}

// hbase.hstore.compaction.max.size keeps files from minor compactions, not from the checker's major ones.
TEST_F(EmulationTest, AMajorCompactionTakesFilesOverTheLargestSizeToo) {
  cluster_.settings.split_policy = "DisabledRegionSplitPolicy";
  cluster_.settings.compaction_max_bytes = 4 << 20;
  cluster_.settings.major_period_ms = static_cast<int64_t>(6 * kHour);
  cluster_.settings.major_jitter = 0;
  cluster_.settings.compaction_check_wakes = 10;
  load_.records = 100'000;  // a file an hour, compacted in threes
  load_.duration_ms = 100 * kHour;
  load_.families[0].value_bytes = 1000;
  const Emulation emulation = Run(Scattered(10'000));
  EXPECT_GT(emulation.total.major_compactions, 10);
  EXPECT_LT(emulation.total.files, 8) << "they would stay behind";
}

TEST_F(EmulationTest, WriteAmplificationGrowsWithTheRatio) {
  cluster_.settings.split_policy = "DisabledRegionSplitPolicy";
  const double usual = Run(Scattered(10'000)).total.write_amplification();
  cluster_.settings.compaction_ratio = 5;
  const double more = Run(Scattered(10'000)).total.write_amplification();
  EXPECT_GT(usual, 2);
  EXPECT_GT(more, usual);
}

// hbase-default.xml sets hbase.hstore.compaction.min.size, so that HBase's does not follow the flush size.
TEST_F(EmulationTest, SmallMemstoresLeaveTheLeastSizeOfACompactionAlone) {
  cluster_.settings.split_policy = "DisabledRegionSplitPolicy";
  cluster_.settings.compaction_min_bytes = 128 << 20;
  const Emulation expected = Run(Scattered(10'000));
  cluster_.settings.compaction_min_bytes = -1;
  EXPECT_EQ(Run(Scattered(10'000)).total.compacted_bytes, expected.total.compacted_bytes);
  cluster_.system = EmulatedSystem::kVaquita;
  const Emulation small = Run(Scattered(10'000));
  cluster_.settings.compaction_min_bytes = 1 << 20;
  EXPECT_EQ(Run(Scattered(10'000)).total.compacted_bytes, small.total.compacted_bytes);
  EXPECT_LT(small.total.write_amplification(), expected.total.write_amplification() * 0.9);
}

TEST_F(EmulationTest, ReadersOfTheNewestRecordsFindThemCached) {
  cluster_.heap_bytes = 64 << 20;  // with a cache of 25.6 MB for 130 MB of data
  load_.reads = ReadPattern::kUniform;
  const double uniform = Run(Sequential(100'000)).servers[0].cache_hit_ratio;
  load_.reads = ReadPattern::kLatest;
  const double latest = Run(Sequential(100'000)).servers[0].cache_hit_ratio;
  const double scattered = Run(Scattered(100'000)).servers[0].cache_hit_ratio;
  EXPECT_LT(scattered, latest) << "they are in all blocks of their files";
  load_.reads = ReadPattern::kZipfian;
  const double zipfian = Run(Sequential(100'000)).servers[0].cache_hit_ratio;
  EXPECT_NEAR(uniform, 25.6 / (1e6 * size().file / (1 << 20)), 0.02);
  EXPECT_GT(latest, 0.55) << "they stand together, and the very newest are in the memstore";
  EXPECT_GT(zipfian, uniform + 0.1);
  EXPECT_LT(zipfian, latest);
}

TEST_F(EmulationTest, AServerWithoutBlocksHasNoneCached) {
  cluster_.servers = 3;
  cluster_.settings.split_policy = "DisabledRegionSplitPolicy";
  for (const ReadPattern pattern : {ReadPattern::kUniform, ReadPattern::kZipfian, ReadPattern::kLatest}) {
    load_.reads = pattern;
    double cached = 0;
    for (const EmulatedServerReport& server : Run(Sequential(1'000)).servers) cached += server.cache_hit_ratio;
    EXPECT_GT(cached, 0);
    EXPECT_LE(cached, 1);  // the only one with a region
  }
}

TEST_F(EmulationTest, NonsenseIsRefused) {
  load_.records = 0;
  EXPECT_THAT(std::string(Emulate(cluster_, load_, Sequential(1), SplitKeys()).status().message()),
              ::testing::HasSubstr("number of records 0"));
  load_.records = 1e17;
  EXPECT_THAT(std::string(Emulate(cluster_, load_, Sequential(1), SplitKeys()).status().message()),
              ::testing::HasSubstr("bytes of all records"));
  load_.records = 10;
  load_.families[0].value_bytes = std::nan("");
  EXPECT_THAT(std::string(Emulate(cluster_, load_, Sequential(1), SplitKeys()).status().message()),
              ::testing::HasSubstr("bytes of a value nan: it must be 0 or more"));
}

// Its servers do not start with such a heap, or it does not create such a table.
TEST_F(EmulationTest, AClusterThatHBaseRefusesIsRefused) {
  const auto error = [&] {
    return std::string(Emulate(cluster_, load_, Sequential(10), SplitKeys()).status().message());
  };
  EXPECT_EQ(error(), "");
  cluster_.settings.global_memstore_share = 0.45;
  cluster_.settings.block_cache_share = 0.35;
  EXPECT_EQ(error(), "");
  cluster_.settings.block_cache_share = 0.36;
  EXPECT_THAT(error(), ::testing::HasSubstr("hfile.block.cache.size 0.81: it must be at most 0.8"));
  cluster_.system = EmulatedSystem::kVaquita;
  EXPECT_EQ(error(), "") << "sizes of their own, not shares of a heap";
  cluster_.system = EmulatedSystem::kHBase;
  cluster_.settings.block_cache_share = 0.25;
  load_.table_flush_bytes = (1 << 20) - 1;
  EXPECT_THAT(error(), ::testing::HasSubstr("flush size of"));
  load_.table_flush_bytes = 1 << 20;
  load_.table_max_file_bytes = (2 << 20) - 1;
  EXPECT_THAT(error(), ::testing::HasSubstr("file size of"));
}

}  // namespace
}  // namespace vaquita::lab
