#include "lab/report/region_rates.h"

#include <gtest/gtest.h>

namespace vaquita::lab {
namespace {

RegionMetrics Region(const std::string& start, const std::string& end, int64_t reads, int64_t writes, int64_t id = 1) {
  RegionMetrics region;
  region.info.table = *TableName::Parse("t");
  region.info.start_key = start;
  region.info.end_key = end;
  region.info.id = id;
  region.read_requests = reads;
  region.write_requests = writes;
  return region;
}

std::vector<ServerMetrics> Servers(std::vector<RegionMetrics> regions) {
  ServerMetrics server;
  server.server_name = "host,1,2";
  server.regions = std::move(regions);
  return {server};
}

TEST(RegionRatesTest, ARateIsWhatACounterGrewByInASecond) {
  RegionRates rates(4);
  rates.AddSample(1000, Servers({Region("m", "", 50, 100), Region("", "m", 10, 0)}));
  EXPECT_TRUE(rates.rates().empty()) << "one look tells no rate";
  rates.AddSample(3000, Servers({Region("m", "", 54, 300), Region("", "m", 10, 40)}));
  ASSERT_EQ(rates.rates().size(), 2u);
  EXPECT_EQ(rates.rates()[0].info.start_key, "") << "in key order";
  EXPECT_EQ(rates.rates()[0].writes_per_s, 20);
  EXPECT_EQ(rates.rates()[1].writes_per_s, 100);
  EXPECT_EQ(rates.rates()[1].reads_per_s, 2);
  EXPECT_EQ(rates.rates()[1].server, "host,1,2");
  EXPECT_EQ(rates.Total(RequestKind::kAll), 122);

  const HeatMap map = rates.Picture(RequestKind::kWrites, 4);
  ASSERT_EQ(map.rows(), 2);
  EXPECT_EQ(map.At(0, 2), 0) << "before the first rate";
  EXPECT_NEAR(map.At(1, 3), 100.0 / 60, 1e-9) << "of an even share, the newest on the right";
}

TEST(RegionRatesTest, CountersThatBeginAnewAndRegionsThatComeAndGo) {
  RegionRates rates(2);
  rates.AddSample(0, Servers({Region("", "m", 0, 1000), Region("m", "", 0, 10)}));
  rates.AddSample(1000, Servers({Region("", "m", 0, 70), Region("m", "t", 0, 500, 2), Region("t", "", 0, 500, 2)}));
  ASSERT_EQ(rates.rates().size(), 3u);
  EXPECT_EQ(rates.rates()[0].writes_per_s, 70) << "it moved: the counter began anew";
  EXPECT_EQ(rates.rates()[1].writes_per_s, 0) << "a daughter has no rate before its second look";
  for (int look = 2; look < 6; ++look) rates.AddSample(look * 1000, Servers({Region("", "m", 0, 70 + look)}));
  const HeatMap wider = rates.Picture(RequestKind::kAll, 5);
  EXPECT_EQ(wider.rows(), 1);
  EXPECT_EQ(wider.columns, 5);
  EXPECT_EQ(wider.At(0, 2), 0) << "it keeps two";
  EXPECT_EQ(wider.At(0, 3), 1);
  EXPECT_EQ(rates.Picture(RequestKind::kAll, 1).At(0, 0), 1) << "the newest";
}

TEST(RegionRatesTest, ARegionThatOneReadingMissesKeepsItsRow) {
  RegionRates rates(4);
  rates.AddSample(0, Servers({Region("", "m", 0, 0), Region("m", "", 0, 0)}));
  rates.AddSample(1000, Servers({Region("", "m", 0, 40), Region("m", "", 0, 120)}));
  rates.AddSample(2000, Servers({Region("m", "", 0, 220)}));
  rates.AddSample(3000, Servers({Region("", "m", 0, 60), Region("m", "", 0, 320)}));
  rates.AddSample(4000, Servers({Region("", "m", 0, 90), Region("m", "", 0, 350)}));
  const HeatMap map = rates.Picture(RequestKind::kAll, 4);
  ASSERT_EQ(map.rows(), 2);
  EXPECT_EQ(map.At(0, 0), 0.5);
  EXPECT_EQ(map.At(1, 0), 1.5);
  EXPECT_EQ(map.At(0, 1), 0);
  EXPECT_EQ(map.At(1, 1), 1) << "it was alone";
  EXPECT_EQ(map.At(0, 2), 0) << "it has no rate before its second look";
  EXPECT_EQ(map.At(1, 2), 2);
  EXPECT_EQ(map.At(0, 3), 1);
}

}  // namespace
}  // namespace vaquita::lab
