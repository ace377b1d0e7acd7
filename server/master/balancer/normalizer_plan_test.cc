#include "server/master/balancer/normalizer_plan.h"

#include "absl/strings/str_format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace vaquita::balancer {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr int64_t kNow = 1'700'000'000'000;
constexpr int64_t kDay = 24LL * 60 * 60 * 1000;

Normalization Split(size_t region) { return {.kind = Normalization::Kind::kSplit, .regions = {region}}; }
Normalization Merge(std::vector<size_t> regions) {
  return {.kind = Normalization::Kind::kMerge, .regions = std::move(regions)};
}

// The cases of HBase's TestSimpleRegionNormalizer: regions of these sizes, side by side, four days old.
class NormalizerPlanTest : public ::testing::Test {
 protected:
  NormalizerPlanTest() { table_.name.qualifier = "t"; }

  std::vector<Normalization> Plan(const std::vector<int64_t>& sizes) {
    regions_.clear();
    for (size_t i = 0; i < sizes.size(); ++i) {
      SizedRegion region{.size_mb = sizes[i], .open = open_};
      region.info.table = table_.name;
      region.info.start_key = i == 0 ? "" : absl::StrFormat("%03d", i);
      region.info.end_key = i + 1 == sizes.size() ? "" : absl::StrFormat("%03d", i + 1);
      region.info.id = kNow - 4 * kDay;
      regions_.push_back(region);
    }
    return PlanAsIs();
  }
  std::vector<Normalization> PlanAsIs() {
    return MakeNormalizerPlan(table_, regions_, settings_, switches_, kNow, /*seed=*/1);
  }

  TableDescriptor table_;
  NormalizerSettings settings_;
  SplitMergeSwitches switches_;
  bool open_ = true;
  std::vector<SizedRegion> regions_;
};

TEST_F(NormalizerPlanTest, LeavesSystemTablesAlone) {
  table_.name = {"hbase", "namespace"};
  EXPECT_THAT(Plan({1, 1, 100}), IsEmpty());
}

TEST_F(NormalizerPlanTest, MergesNothingOfTooFewRegions) { EXPECT_THAT(Plan({10, 15}), IsEmpty()); }

TEST_F(NormalizerPlanTest, LeavesEvenRegionsAlone) { EXPECT_THAT(Plan({10, 15, 8, 10}), IsEmpty()); }

TEST_F(NormalizerPlanTest, LeavesRegionsInTransitionAlone) {
  open_ = false;
  EXPECT_THAT(Plan({10, 1, 100}), IsEmpty());
}

TEST_F(NormalizerPlanTest, MergesSmallNeighbours) {
  const std::vector<Normalization> plan = Plan({15, 5, 5, 15, 16});
  EXPECT_THAT(plan, ElementsAre(Merge({1, 2})));
  EXPECT_EQ(plan[0].reason, "2 regions of 10 MB together, the average is 11 MB");
  EXPECT_THAT(Plan({1, 10000, 10000, 10000, 2700, 2700}), ElementsAre(Merge({4, 5})));
  EXPECT_THAT(Plan({15, 5, 16, 15, 5}), IsEmpty());
}

TEST_F(NormalizerPlanTest, SplitsALargeRegion) {
  const std::vector<Normalization> plan = Plan({8, 6, 10, 30});
  EXPECT_THAT(plan, ElementsAre(Split(3)));
  EXPECT_EQ(plan[0].reason, "30 MB, more than twice the average of 13.5 MB");
  EXPECT_EQ(NormalizerPlanText(regions_, plan), "split t,003," + std::to_string(kNow - 4 * kDay) + "." +
                                                    regions_[3].info.EncodedName() +
                                                    ". (30 MB): 30 MB, more than twice the average of 13.5 MB\n");
}

TEST_F(NormalizerPlanTest, GoesByTheTablesTargetSize) {
  ASSERT_TRUE(table_.Set("NORMALIZER_TARGET_REGION_SIZE_MB", "20").ok());
  EXPECT_THAT(Plan({20, 40, 60, 80, 100, 120}), ElementsAre(Split(2), Split(3), Split(4), Split(5)));
  ASSERT_TRUE(table_.Set("NORMALIZER_TARGET_REGION_SIZE_MB", "200").ok());
  EXPECT_THAT(Plan({20, 40, 60, 80, 100, 120}), ElementsAre(Merge({0, 1, 2, 3})));
}

TEST_F(NormalizerPlanTest, TakesTheLargestNumbers) {
  ASSERT_TRUE(table_.Set("NORMALIZER_TARGET_REGION_SIZE_MB", "9223372036854775807").ok());
  EXPECT_THAT(Plan({20, 40, 60}), ElementsAre(Merge({0, 1, 2})));
  ASSERT_TRUE(table_.Set("hbase.normalizer.merge.min_region_age.days", "9223372036854775807").ok());
  EXPECT_THAT(Plan({20, 40, 60}), IsEmpty()) << "none is so old";
}

TEST_F(NormalizerPlanTest, GoesByTheTablesTargetCount) {
  ASSERT_TRUE(table_.Set("NORMALIZER_TARGET_REGION_COUNT", "8").ok());
  EXPECT_THAT(Plan({20, 40, 60, 80}), ElementsAre(Split(2), Split(3)));
  ASSERT_TRUE(table_.Set("NORMALIZER_TARGET_REGION_COUNT", "3").ok());
  EXPECT_THAT(Plan({20, 40, 60, 80}), ElementsAre(Merge({0, 1})));
}

TEST_F(NormalizerPlanTest, HonoursWhatIsTurnedOff) {
  EXPECT_THAT(Plan({5, 5, 20, 5, 5}), ElementsAre(Split(2)));
  settings_.split_enabled = false;
  EXPECT_THAT(Plan({5, 5, 20, 5, 5}), IsEmpty());
  ASSERT_TRUE(table_.Set("hbase.normalizer.split.enabled", "true").ok());  // the table's word counts
  EXPECT_THAT(Plan({5, 5, 20, 5, 5}), ElementsAre(Split(2)));
  switches_.split = false;
  EXPECT_THAT(Plan({5, 5, 20, 5, 5}), IsEmpty());

  EXPECT_THAT(Plan({20, 5, 5, 20, 20}), ElementsAre(Merge({1, 2})));
  switches_.merge = false;
  EXPECT_THAT(Plan({20, 5, 5, 20, 20}), IsEmpty());
  switches_.merge = true;
  ASSERT_TRUE(table_.Set("hbase.normalizer.merge.enabled", "false").ok());
  EXPECT_THAT(Plan({20, 5, 5, 20, 20}), IsEmpty());
}

TEST_F(NormalizerPlanTest, HonoursTheLeastNumberOfRegionsForAMerge) {
  EXPECT_THAT(Plan({1, 1, 10}), ElementsAre(Split(2), Merge({0, 1})));
  settings_.merge_min_region_count = 4;
  EXPECT_THAT(Plan({1, 1, 10}), ElementsAre(Split(2)));
  settings_.merge_min_region_count = 1;
  ASSERT_TRUE(table_.Set("hbase.normalizer.min.region.count", "4").ok());  // the old name
  EXPECT_THAT(Plan({1, 1, 10}), ElementsAre(Split(2)));
  ASSERT_TRUE(table_.Set("hbase.normalizer.merge.min.region.count", "3").ok());
  EXPECT_THAT(Plan({1, 1, 10}), ElementsAre(Split(2), Merge({0, 1})));
}

TEST_F(NormalizerPlanTest, HonoursTheLeastAgeForAMerge) {
  EXPECT_THAT(Plan({1, 1, 10, 10}), ElementsAre(Merge({0, 1})));
  settings_.merge_min_region_age_days = 7;
  EXPECT_THAT(Plan({1, 1, 10, 10}), IsEmpty());
  ASSERT_TRUE(table_.Set("hbase.normalizer.merge.min_region_age.days", "3").ok());
  EXPECT_THAT(Plan({1, 1, 10, 10}), ElementsAre(Merge({0, 1})));
  ASSERT_TRUE(table_.Set("hbase.normalizer.merge.min_region_age.days", "-1").ok());  // the server's
  EXPECT_THAT(Plan({1, 1, 10, 10}), IsEmpty());
}

TEST_F(NormalizerPlanTest, HonoursTheLeastSizeForAMerge) {
  settings_.split_enabled = false;
  EXPECT_THAT(Plan({1, 2, 0, 10, 10}), ElementsAre(Merge({0, 1})));
  ASSERT_TRUE(table_.Set("hbase.normalizer.merge.min_region_size.mb", "3").ok());
  EXPECT_THAT(Plan({1, 2, 0, 10, 10}), IsEmpty());
}

TEST_F(NormalizerPlanTest, EmptyRegionsGoWithWhateverIsBeforeThem) {
  settings_.split_enabled = false;
  settings_.merge_min_region_size_mb = 0;
  EXPECT_THAT(Plan({0, 1, 10, 0, 9, 10, 0}), ElementsAre(Merge({0, 1}), Merge({2, 3}), Merge({5, 6})));
  EXPECT_THAT(Plan({0, 1, 10, 0, 9, 0, 10, 0}),
              ElementsAre(Merge({0, 1}), Merge({2, 3}), Merge({4, 5}), Merge({6, 7})));
  EXPECT_THAT(Plan({0, 10, 1, 0, 9, 0, 10, 0}),
              ElementsAre(Merge({0, 1}), Merge({2, 3}), Merge({4, 5}), Merge({6, 7})));
}

TEST_F(NormalizerPlanTest, SplitsAndMergesInOnePlan) {
  settings_.merge_min_region_size_mb = 0;
  EXPECT_THAT(Plan({3, 1, 1, 30, 9, 3, 1, 0}), ElementsAre(Split(3), Merge({0, 1, 2}), Merge({5, 6, 7})));
}

TEST_F(NormalizerPlanTest, AMergeTakesNoMoreRegionsThanItMay) {
  settings_.merge_most_regions = 3;
  settings_.split_enabled = false;
  EXPECT_THAT(Plan({1, 1, 1, 1, 1, 1, 1, 100}), ElementsAre(Merge({0, 1, 2}), Merge({3, 4, 5})));
}

TEST_F(NormalizerPlanTest, DoesNotMergeAcrossAHole) {
  Plan({1, 1, 10, 10});
  regions_[0].info.end_key = "0005";
  EXPECT_THAT(PlanAsIs(), IsEmpty());
}

TEST_F(NormalizerPlanTest, ALimitCutsThePlan) {
  const std::vector<int64_t> sizes = {1, 1, 60, 1, 1, 60};  // splits of 60 MB, merges of 2 MB
  EXPECT_THAT(Plan(sizes), ElementsAre(Split(2), Split(5), Merge({0, 1}), Merge({3, 4})));
  settings_.plans_size_limit_mb = 5;
  for (const Normalization& one : Plan(sizes)) EXPECT_EQ(one.kind, Normalization::Kind::kMerge);
  settings_.plans_size_limit_mb = 200;
  EXPECT_THAT(Plan(sizes), UnorderedElementsAre(Split(2), Split(5), Merge({0, 1}), Merge({3, 4})));
}

TEST_F(NormalizerPlanTest, ATableIsNormalizedIfItOrTheServerSaysSo) {
  EXPECT_FALSE(IsNormalized(table_, settings_));
  settings_.enabled_by_default = true;
  EXPECT_TRUE(IsNormalized(table_, settings_));
  ASSERT_TRUE(table_.Set("NORMALIZATION_ENABLED", "false").ok());
  EXPECT_FALSE(IsNormalized(table_, settings_));
  settings_.enabled_by_default = false;
  ASSERT_TRUE(table_.Set("NORMALIZATION_ENABLED", "true").ok());
  EXPECT_TRUE(IsNormalized(table_, settings_));
  table_.name = kMetaTableName;
  EXPECT_FALSE(IsNormalized(table_, settings_));
}

}  // namespace
}  // namespace vaquita::balancer
