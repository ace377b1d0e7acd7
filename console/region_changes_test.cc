#include "console/region_changes.h"

#include <gmock/gmock.h>

namespace vaquita {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

RegionChanges::Regions Regions(const std::vector<std::pair<std::string, std::string>>& ranges, int64_t id = 1) {
  RegionChanges::Regions regions;
  for (const auto& [start, end] : ranges) {
    const RegionInfo info{.table = {"default", "t"}, .start_key = start, .end_key = end, .id = id};
    regions[info.EncodedName()] = info;
  }
  return regions;
}

TEST(RegionChangesTest, KnowsASplit) {
  RegionChanges changes;
  EXPECT_THAT(changes.Update(Regions({{"", "m"}, {"m", ""}}), 0), IsEmpty()) << "the first list is where it begins";
  auto regions = Regions({{"m", ""}});
  EXPECT_THAT(changes.Update(regions, 100), IsEmpty()) << "the parent closes before its daughters are served";
  regions.merge(Regions({{"", "g"}, {"g", "m"}}, 2));
  const auto events = changes.Update(regions, 200);
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_EQ(events[0].kind, "split");
  EXPECT_EQ(events[0].start_key, "g");
  EXPECT_EQ(events[0].time_ms, 200);
  EXPECT_EQ(events[0].text, "the region from the first key was split at \"g\"");
  EXPECT_THAT(changes.Closed(10'000), IsEmpty());
}

TEST(RegionChangesTest, KnowsAMerge) {
  RegionChanges changes;
  changes.Update(Regions({{"", "g"}, {"g", "m"}, {"m", ""}}), 0);
  auto regions = Regions({{"", "g"}});
  regions.merge(Regions({{"g", ""}}, 2));
  const auto events = changes.Update(regions, 200);
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_EQ(events[0].kind, "merge");
  EXPECT_EQ(events[0].start_key, "g");
  EXPECT_THAT(changes.Closed(10'000), IsEmpty());
}

TEST(RegionChangesTest, KnowsWhatComesAndGoes) {
  RegionChanges changes;
  changes.Update(Regions({{"", "g"}}), 0);
  auto events = changes.Update(Regions({{"", "g"}, {"g", "m"}, {"m", ""}}), 200);
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_EQ(events[0].kind, "open");
  EXPECT_EQ(events[0].text, "2 regions opened here");
  EXPECT_THAT(changes.Update(Regions({{"g", "m"}, {"m", ""}}), 400), IsEmpty());
  EXPECT_TRUE(changes.waits());
  EXPECT_THAT(changes.Closed(1'000), IsEmpty()) << "daughters may still come";
  events = changes.Closed(4'000);
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_EQ(events[0].kind, "close");
  EXPECT_EQ(events[0].time_ms, 400);
  EXPECT_FALSE(changes.waits());
}

TEST(RegionChangesTest, KnowsSplitsAndMergesAtTheEndOfATable) {
  RegionChanges changes;
  changes.Update(Regions({{"", "m"}, {"m", ""}}), 0);
  auto events = changes.Update(Regions({{"", ""}}, 2), 200);
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_EQ(events[0].text, "2 regions from the first key on were merged");
  events = changes.Update(Regions({{"", "g"}, {"g", ""}}, 3), 400);
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_EQ(events[0].text, "the region from the first key was split at \"g\"");
}

// A search through all regions for each of them would take minutes.
TEST(RegionChangesTest, ATableOfManyRegionsThatIsMadeAgainIsSoonSeen) {
  constexpr int kRegions = 20'000;
  std::vector<std::pair<std::string, std::string>> ranges = {{"", "k" + std::to_string(100'000)}};
  for (int i = 1; i < kRegions; ++i) ranges.emplace_back(ranges.back().second, "k" + std::to_string(100'000 + i));
  RegionChanges changes;
  changes.Update(Regions(ranges), 0);
  changes.Update({}, 100);
  const auto events = changes.Update(Regions(ranges, 2), 200);
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_EQ(events[0].text, "20000 regions opened here");
  EXPECT_THAT(changes.Closed(10'000), SizeIs(1));
}

TEST(RegionChangesTest, AClosingIsCertainIfTheClockWasSetBack) {
  RegionChanges changes;
  changes.Update(Regions({{"", ""}}), 0);
  changes.Update({}, 1'000'000);
  EXPECT_THAT(changes.Closed(500), SizeIs(1));
}

TEST(RegionChangesTest, ARegionThatOnlyReopensIsNoEvent) {
  RegionChanges changes;
  changes.Update(Regions({{"", ""}}), 0);
  changes.Update({}, 200);
  EXPECT_THAT(changes.Update(Regions({{"", ""}}), 400), IsEmpty());
  EXPECT_THAT(changes.Closed(10'000), IsEmpty());
}

}  // namespace
}  // namespace vaquita
