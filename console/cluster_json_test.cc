#include "console/cluster_json.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "base/testing/json_of.h"

namespace vaquita {
namespace {

constexpr int kRegions = 100'000;

std::string KeyOf(int region) {
  char key[16];
  std::snprintf(key, sizeof key, "%08d", region);
  return region == 0 ? "" : key;
}

// A table of many regions, of which each second one is open.
TableView ManyRegions() {
  const TableName name{"default", "many"};
  auto descriptor = std::make_shared<TableDescriptor>();
  descriptor->name = name;
  descriptor->families["f"].name = "f";
  TableView view{.table = {name, TableState::kEnabled, descriptor}};
  auto status = std::make_shared<ClusterStatus>();
  status->servers.resize(1);
  for (int region = 0; region < kRegions; ++region) {
    const RegionInfo info{
        .table = name, .start_key = KeyOf(region), .end_key = KeyOf((region + 1) % kRegions), .id = 7};
    view.regions.push_back({info, RegionState::kOpen, "host,1,2", "host,1,2"});
    if (region % 2 != 0) continue;
    status->servers[0].regions.emplace_back().info = info;
    status->servers[0].regions.back().write_requests = region;
  }
  view.status = status;
  return view;
}

TEST(TableViewJsonTest, AnswersAPageOfAHundredThousandRegions) {
  TableView view = ManyRegions();
  view.offset = 70'000;
  view.limit = 50;
  const std::string text = TableViewJson(view, 5);
  EXPECT_LT(text.size(), 30'000u) << "as large as fifty regions";
  const Json json = JsonOf(text);
  EXPECT_EQ(json["regions_total"], kRegions);
  ASSERT_EQ(json["regions"].size(), 50u);
  EXPECT_EQ(json["regions"][0]["start"]["text"], "00070000");
  EXPECT_EQ(json["regions"][0]["writes"], 70'000);
  EXPECT_FALSE(json["regions"][1].contains("writes"));
  EXPECT_EQ(json["regions"][49]["end"]["text"], "00070050");
}

TEST(TableViewJsonTest, AnswersTheLastPageAndOneBehindIt) {
  TableView view = ManyRegions();
  view.limit = 50;
  view.offset = kRegions - 1;
  EXPECT_EQ(JsonOf(TableViewJson(view, 5))["regions"].size(), 1u);
  view.offset = kRegions + 50;
  EXPECT_EQ(JsonOf(TableViewJson(view, 5))["regions"].size(), 0u);
}

}  // namespace
}  // namespace vaquita
