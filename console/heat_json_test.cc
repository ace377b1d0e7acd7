#include "console/heat_json.h"

#include <gmock/gmock.h>

#include "base/testing/json_of.h"
#include "console/console_files.h"

namespace vaquita {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kNowMs = 1'700'000'000'000;

TEST(HeatJsonTest, ReadsARequest) {
  const auto request = ParseHeatRequest("table=ns:t&metric=reads&last=300000&start=a%5Cx00&rows=10&columns=7", kNowMs);
  ASSERT_TRUE(request.ok()) << request.status();
  EXPECT_EQ(request->table.ToString(), "ns:t");
  EXPECT_EQ(request->metric, HeatMetric::kReads);
  EXPECT_EQ(request->query.from_ms, kNowMs - 300'000);
  EXPECT_EQ(request->query.to_ms, kNowMs + 1);
  EXPECT_EQ(request->query.start_key, std::string("a\0", 2));
  EXPECT_EQ(request->query.most_rows, 10);
  EXPECT_EQ(request->query.most_columns, 7);
}

TEST(HeatJsonTest, SaysWhatIsWrongWithARequest) {
  const auto error = [](std::string_view query) {
    return std::string(ParseHeatRequest(query, kNowMs).status().message());
  };
  EXPECT_THAT(error("metric=reads"), HasSubstr("table is missing"));
  EXPECT_THAT(error("table=t&metric=heat"), HasSubstr("writes, reads or bytes"));
  EXPECT_THAT(error("table=t&rows=0"), HasSubstr("a number from 1 to 1024"));
  EXPECT_THAT(error("table=t&rows=many"), HasSubstr("rows=\"many\""));
  EXPECT_THAT(error("table=t&from=100&to=50"), HasSubstr("to=\"50\""));
  EXPECT_THAT(error("table=t&colour=red"), HasSubstr("unknown parameter \"colour\""));
  EXPECT_THAT(error("table=<b>"), HasSubstr("<b>"));
}

TEST(HeatJsonTest, WritesThePicture) {
  HeatPicture picture;
  picture.column_ms = 200;
  picture.regions = {{"r1", "", "m", "host,1,2"}, {"r2", std::string("m\xff", 2), "", "host,1,2"}};
  picture.rows = {{"", 0, 1}, {std::string("m\xff", 2), 1, 1}};
  picture.columns = {{kNowMs, {{0, 0, 0}, {1, 30, 2}}}};
  const Json json = JsonOf(HeatJson(*ParseHeatRequest("table=t", kNowMs), picture, kNowMs));
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["table"], "t");
  EXPECT_EQ(json["metric"], "writes");
  EXPECT_EQ(json["column_ms"], 200);
  EXPECT_EQ(json["rows"][1]["start"]["text"], "m\\xFF");
  EXPECT_EQ(json["rows"][1]["start"]["hex"], "6dff");
  EXPECT_EQ(json["regions"][1]["name"], "r2");
  EXPECT_EQ(json["columns"][0]["start"], kNowMs);
  EXPECT_EQ(json["columns"][0]["cells"], Json::array({1, 30}));
  EXPECT_THAT(json["findings"][0].get<std::string>(),
              HasSubstr("The last of 2 regions takes all writes (2.00 x an even share)"));
}

class HeatSince : public ::testing::Test {
 protected:
  HeatSince() {
    picture_.column_ms = 1000;
    picture_.regions = {{"r1", "", "", "host,1,2"}};
    picture_.rows = {{"", 0, 1}};
    for (int64_t second = 0; second < 10; ++second)
      picture_.columns.push_back({kNowMs + second * 1000, {{0, second + 1, 0}}});
  }

  Json Ask(const std::string& since = "", const std::string& query = "table=t") const {
    const auto request = ParseHeatRequest(query + (since.empty() ? "" : "&since=" + since), kNowMs);
    EXPECT_TRUE(request.ok()) << request.status();
    return JsonOf(HeatJson(*request, picture_, kNowMs));
  }

  HeatPicture picture_;
};

TEST_F(HeatSince, AnswersOnlyColumnsThatAreNewOrMayHaveGrown) {
  const Json whole = Ask();
  EXPECT_FALSE(whole["goes_on"]);
  EXPECT_EQ(whole["columns"].size(), 10u);
  picture_.columns.back().counts[0].writes = 100;
  picture_.columns.push_back({kNowMs + 10'000, {{0, 7, 0}}});
  const Json more = Ask(whole["since"]);
  EXPECT_TRUE(more["goes_on"]);
  EXPECT_FALSE(more.contains("rows"));
  EXPECT_FALSE(more.contains("regions"));
  EXPECT_EQ(more["columns_from"], kNowMs + 7'000) << "two seconds before the newest column: servers' clocks differ";
  ASSERT_EQ(more["columns"].size(), 4u);
  EXPECT_EQ(more["columns"][2]["cells"], Json::array({0, 100}));
  EXPECT_EQ(more["columns"][3]["start"], kNowMs + 10'000);
  EXPECT_NE(more["since"], whole["since"]);
}

TEST_F(HeatSince, AnswersAllIfTheRowsOrTheRequestAreOthers) {
  const std::string since = Ask()["since"];
  EXPECT_FALSE(Ask(since, "table=other")["goes_on"]);
  EXPECT_FALSE(Ask(since, "table=t&metric=reads")["goes_on"]);
  EXPECT_FALSE(Ask(since, "table=t&last=300000")["goes_on"]);
  EXPECT_TRUE(Ask(since)["goes_on"]);
  picture_.rows.push_back({"m", 0, 1});
  for (HeatPicture::Column& column : picture_.columns) column.counts.push_back({});
  const Json divided = Ask(since);
  EXPECT_FALSE(divided["goes_on"]);
  EXPECT_EQ(divided["rows"].size(), 2u);
  EXPECT_EQ(divided["columns"].size(), 10u);
}

TEST_F(HeatSince, RefusesWhatNoAnswerHad) {
  for (const std::string since : {"5", "x-5", "00-", "-"}) {
    EXPECT_THAT(std::string(ParseHeatRequest("table=t&since=" + since, kNowMs).status().message()), HasSubstr("since"))
        << since;
  }
}

TEST(ConsoleFilesTest, ThePagesAskForNothingElsewhere) {
  bool index = false;
  size_t bytes = 0;
  for (const ConsoleFile& file : ConsoleFiles()) {
    bytes += file.content.size();
    index = index || file.name == "index.html";
    EXPECT_EQ(file.content.find("https://"), std::string_view::npos) << file.name;
    EXPECT_EQ(file.content.find("style=\""), std::string_view::npos)
        << file.name << ": the policy refuses inline styles";
    EXPECT_EQ(file.content.find("onclick="), std::string_view::npos) << file.name;
  }
  EXPECT_TRUE(index);
  EXPECT_LT(bytes, 300'000);
}

}  // namespace
}  // namespace vaquita
