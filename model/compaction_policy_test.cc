#include "model/compaction_policy.h"

#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "model/store_settings.h"

namespace vaquita {
namespace {

constexpr int64_t kNowMs = 1'000'000;
constexpr int64_t kTooBig = 2101;

// The settings of HBase's own test of its selection (TestCompactionPolicy).
CompactionPolicy TestPolicy() {
  return {.min_files = 3, .max_files = 5, .ratio = 1.0, .min_bytes = 10, .max_bytes = 2100, .blocking_files = 10};
}

std::vector<CompactionCandidate> Files(const std::vector<int64_t>& sizes, bool references = false) {
  std::vector<CompactionCandidate> files;
  for (const int64_t size : sizes) {
    files.push_back({.bytes = size, .reference = references, .created_ms = kNowMs - 100, .min_timestamp_ms = 1});
  }
  return files;
}

std::vector<int64_t> SelectedSizes(const std::vector<CompactionCandidate>& files,
                                   const CompactionSelection& selection) {
  std::vector<int64_t> sizes;
  for (size_t i = 0; i < selection.count; ++i) sizes.push_back(files[selection.first + i].bytes);
  return sizes;
}

struct Case {
  std::string why;
  std::vector<int64_t> sizes;  // oldest first
  std::vector<int64_t> selected;
};

class MinorSelectionTest : public ::testing::TestWithParam<Case> {};

// These expectations are from TestDefaultCompactSelection and TestStuckStoreCompaction of HBase 2.6.
TEST_P(MinorSelectionTest, IsHBases) {
  const auto files = Files(GetParam().sizes);
  const auto selection = SelectCompaction(TestPolicy(), files, CompactionKind::kMinor, kNowMs);
  EXPECT_EQ(SelectedSizes(files, selection), GetParam().selected) << GetParam().why;
  EXPECT_FALSE(selection.major);
  EXPECT_EQ(selection.all, !files.empty() && selection.count == files.size());
}

INSTANTIATE_TEST_SUITE_P(
    HBase, MinorSelectionTest,
    ::testing::Values(
        Case{"the ratio holds for the newest three", {100, 50, 23, 12, 12}, {23, 12, 12}},
        Case{"25 is more than the 24 behind it, and two files are too few", {100, 50, 25, 12, 12}, {}},
        Case{"files over the size limit are skipped", {kTooBig, kTooBig, 700, 700, 700}, {700, 700, 700}},
        Case{"what is left is too few", {kTooBig, kTooBig, 700, 700}, {}},
        Case{"small files need no ratio", {7, 1, 1}, {7, 1, 1}},
        Case{"no more than five files, the cheapest", {7, 6, 5, 4, 3, 2, 1}, {5, 4, 3, 2, 1}},
        Case{"a large file at the old end stays", {50, 10, 10, 10, 10}, {10, 10, 10, 10}},
        Case{"a large file at the new end stays", {10, 10, 10, 10, 50}, {10, 10, 10, 10}},
        Case{"the whole must stay under the size limit", {251, 253, 251, 2099}, {251, 253, 251}},
        Case{"each under the limit, together over it", {2099, 2099, 2099}, {}},
        Case{"stuck: the smallest, ratio or not", {99, 99, 99, 99, 99, 99, 30, 30, 30, 30}, {30, 30, 30}},
        Case{"not stuck: as many as the ratio allows", {99, 99, 99, 99, 99, 30, 30, 30, 30}, {99, 30, 30, 30, 30}},
        Case{"stuck: a small file comes along", {99, 99, 99, 99, 99, 99, 30, 30, 30, 15}, {30, 30, 30, 15}},
        Case{"stuck: the earlier one if the gain is small", {99, 99, 99, 99, 30, 26, 26, 29, 25, 25}, {30, 26, 26}},
        Case{"stuck: the later one if the gain is large", {99, 99, 99, 99, 27, 27, 27, 20, 20, 20}, {20, 20, 20}},
        Case{"nothing", {}, {}}, Case{"only files that are too large", {kTooBig, kTooBig}, {}}));

TEST(CompactionPolicyTest, AStuckStoreCompactsSomethingEvenAgainstEveryRatio) {
  CompactionPolicy policy = TestPolicy();
  policy.min_bytes = 1;
  const auto files = Files({512, 256, 128, 64, 32, 16, 8, 4, 2, 1});
  EXPECT_EQ(SelectedSizes(files, SelectCompaction(policy, files, CompactionKind::kMinor, kNowMs)),
            (std::vector<int64_t>{4, 2, 1}));
}

// The files before a compaction that runs, and the one that it makes, count too (SortedCompactionPolicy: mayBeStuck).
TEST(CompactionPolicyTest, FilesThatAreNoCandidatesMakeAStoreStuckToo) {
  CompactionPolicy policy = TestPolicy();
  policy.min_bytes = 1;
  const auto files = Files({512, 256, 128, 64});
  EXPECT_TRUE(SelectCompaction(policy, files, CompactionKind::kMinor, kNowMs, 5).empty());
  EXPECT_EQ(SelectedSizes(files, SelectCompaction(policy, files, CompactionKind::kMinor, kNowMs, 6)),
            (std::vector<int64_t>{256, 128, 64}));
}

TEST(CompactionPolicyTest, AMajorCompactionThatAUserAsksForTakesEveryFile) {
  for (const auto& sizes :
       std::vector<std::vector<int64_t>>{{50, 25, 12, 12}, {12}, {kTooBig, 12}, {7, 6, 5, 4, 3, 2, 1}}) {
    const auto files = Files(sizes);
    const auto selection = SelectCompaction(TestPolicy(), files, CompactionKind::kMajor, kNowMs);
    EXPECT_EQ(SelectedSizes(files, selection), sizes);
    EXPECT_TRUE(selection.all && selection.major);
  }
  EXPECT_TRUE(SelectCompaction(TestPolicy(), {}, CompactionKind::kMajor, kNowMs).empty());
}

TEST(CompactionPolicyTest, APeriodicMajorCompactionComesWhenTheOldestFileIsOldEnough) {
  CompactionPolicy policy = TestPolicy();
  policy.major_period_ms = 99;
  auto files = Files({50, 25, 12, 12});
  auto selection = SelectCompaction(policy, files, CompactionKind::kMinor, kNowMs);
  EXPECT_EQ(selection.count, 4u);
  EXPECT_TRUE(selection.major);
  policy.major_period_ms = 100;
  EXPECT_TRUE(SelectCompaction(policy, files, CompactionKind::kMinor, kNowMs).empty());
  policy.major_period_ms = 0;  // off
  EXPECT_TRUE(SelectCompaction(policy, files, CompactionKind::kMinor, kNowMs).empty());

  // With as many files as a compaction may take it is a minor one again.
  policy.major_period_ms = 99;
  files = Files({100, 50, 23, 12, 12});
  selection = SelectCompaction(policy, files, CompactionKind::kMinor, kNowMs);
  EXPECT_EQ(SelectedSizes(files, selection), (std::vector<int64_t>{23, 12, 12}));
  EXPECT_FALSE(selection.major);
}

// HStore.forceMajor, which CompactionChecker sets for a store that needs no minor compaction.
TEST(CompactionPolicyTest, APeriodicMajorCompactionTakesFilesOverTheLargestSizeToo) {
  CompactionPolicy policy = TestPolicy();
  policy.major_period_ms = 99;
  policy.max_bytes = 40;
  auto selection = SelectCompaction(policy, Files({90, 50}), CompactionKind::kMinor, kNowMs);
  EXPECT_EQ(selection.count, 2u);
  EXPECT_TRUE(selection.all && selection.major);
  selection = SelectCompaction(policy, Files({90, 50, 10}), CompactionKind::kMinor, kNowMs);
  EXPECT_FALSE(selection.major) << "it has files for a minor one";
  policy.major_period_ms = 100;
  EXPECT_TRUE(SelectCompaction(policy, Files({90, 50}), CompactionKind::kMinor, kNowMs).empty());
}

TEST(CompactionPolicyTest, ASingleFileIsCompactedAgainOnlyForWhatHasExpiredInIt) {
  CompactionPolicy policy = TestPolicy();
  policy.major_period_ms = 10;
  auto file = Files({50});
  file[0].min_timestamp_ms = kNowMs - 1000;
  EXPECT_FALSE(MajorCompactionIsDue(policy, file, kNowMs));
  policy.ttl_ms = 1000;
  EXPECT_FALSE(MajorCompactionIsDue(policy, file, kNowMs));
  policy.ttl_ms = 999;
  EXPECT_TRUE(MajorCompactionIsDue(policy, file, kNowMs));
  file[0].min_timestamp_ms = std::numeric_limits<int64_t>::min();
  EXPECT_FALSE(MajorCompactionIsDue(policy, file, kNowMs)) << "its age wraps, as in Java";
}

TEST(CompactionPolicyTest, ReferencesAreCompactedWithAllTheirStoresFiles) {
  for (const auto& sizes : std::vector<std::vector<int64_t>>{{100, 50, 25, 12, 12}, {kTooBig, 12, 12}, {5}}) {
    const auto files = Files(sizes, /*references=*/true);
    const auto selection = SelectCompaction(TestPolicy(), files, CompactionKind::kMinor, kNowMs);
    EXPECT_EQ(SelectedSizes(files, selection), sizes);
    EXPECT_TRUE(selection.all);
    EXPECT_FALSE(selection.major);
  }
  const auto many = Files({7, 6, 5, 4, 3, 2, 1}, /*references=*/true);
  const auto selection = SelectCompaction(TestPolicy(), many, CompactionKind::kMinor, kNowMs);
  EXPECT_EQ(SelectedSizes(many, selection), (std::vector<int64_t>{7, 6, 5, 4, 3}));
  EXPECT_FALSE(selection.all);
}

TEST(CompactionPolicyTest, TheServersSettingsArePassedOn) {
  Options options;
  CompactionPolicy policy = CompactionPolicy::For(options, {}, "region/f", 77);
  EXPECT_EQ(policy.min_files, 3);
  EXPECT_EQ(policy.max_files, 10);
  EXPECT_EQ(policy.ratio, 1.2);
  EXPECT_EQ(policy.min_bytes, 77) << "without a size of its own it is the memstore's flush size";
  EXPECT_EQ(policy.blocking_files, 16);
  options.compaction_min_size_bytes = 5;
  EXPECT_EQ(CompactionPolicy::For(options, {}, "region/f", 77).min_bytes, 5);
}

TEST(CompactionPolicyTest, AFamilysSettingsRuleOverItsTablesAndThoseOverTheServers) {
  TableDescriptor table;
  table.attributes["hbase.hstore.compaction.min"] = "5";
  table.attributes["hbase.hstore.blockingStoreFiles"] = "33";
  table.configuration["hbase.hregion.majorcompaction"] = "0";
  FamilyDescriptor& family = table.families["f"];
  family.configuration["hbase.hstore.compaction.min"] = "7";
  family.configuration["hbase.hstore.compaction.ratio"] = "2.5F";  // Java's way to write a float
  family.attributes["hbase.hstore.compaction.max"] = "20";
  const auto policy = [&] { return CompactionPolicy::For(Options(), FamilyOfStores(table, family), "region/f", 77); };
  EXPECT_EQ(policy().min_files, 7);
  EXPECT_EQ(policy().max_files, 20);
  EXPECT_EQ(policy().ratio, 2.5);
  EXPECT_EQ(policy().blocking_files, 33);
  EXPECT_EQ(policy().major_period_ms, 0);
  family.configuration.clear();
  EXPECT_EQ(policy().min_files, 5);
  EXPECT_EQ(policy().ratio, 1.2);
  EXPECT_TRUE(CheckSettings(table).ok());
  family.configuration["hbase.hstore.compaction.ratio"] = "much";
  EXPECT_EQ(CheckSettings(table).message(), "hbase.hstore.compaction.ratio takes a number, not 'much'");
}

TEST(CompactionPolicyTest, APeriodEndsAtTheEndsOfALong) {
  const auto period = [](const std::string& ms, const std::string& jitter) {
    FamilyDescriptor family;
    family.configuration = {{"hbase.hregion.majorcompaction", ms}, {"hbase.hregion.majorcompaction.jitter", jitter}};
    return CompactionPolicy::For(Options(), family, "a", 1).major_period_ms;
  };
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(period(std::to_string(kMost), "0"), kMost);
  EXPECT_EQ(period("1000", "nan"), 0) << "no such compactions";
  const CompactionPolicy endless{.major_period_ms = kMost};
  EXPECT_FALSE(MajorCompactionIsDue(endless, Files({1, 2}), kNowMs));
  const int64_t one = period(std::to_string(kMost), "1e308");
  EXPECT_TRUE(one == kMost || one <= 0) << one;
}

TEST(CompactionPolicyTest, StoresTakeTheirMajorCompactionsAtTimesOfTheirOwn) {
  Options options;
  const auto period = [&](const std::string& store) {
    return CompactionPolicy::For(options, {}, store, 1).major_period_ms;
  };
  const int64_t week = options.major_compaction_period_ms;
  int64_t least = 2 * week, most = 0;
  for (int i = 0; i < 1000; ++i) {
    const int64_t one = period("region" + std::to_string(i) + "/f");
    least = std::min(least, one);
    most = std::max(most, one);
  }
  EXPECT_GE(least, week / 2);
  EXPECT_LE(most, week + week / 2);
  EXPECT_LT(least, week * 6 / 10) << "the jitter spreads over its whole range";
  EXPECT_GT(most, week * 14 / 10);
  EXPECT_EQ(period("a"), period("a")) << "and stays what it is";
  options.major_compaction_jitter = 0;
  EXPECT_EQ(period("a"), week);
}

}  // namespace
}  // namespace vaquita
