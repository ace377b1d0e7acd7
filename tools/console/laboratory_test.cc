#include "tools/console/laboratory.h"

#include <gmock/gmock.h>

#include "tools/console/laboratory_input.h"

namespace vaquita {
namespace {

using ::testing::HasSubstr;

Json Simulated(const Json& request) {
  const auto answer = SimulateForPage(request.dump());
  EXPECT_TRUE(answer.ok()) << answer.status();
  return answer.ok() ? Json::parse(*answer) : Json();
}

std::string SimulationError(const Json& request) {
  return std::string(SimulateForPage(request.dump()).status().message());
}

const Json kRising = {{"records", "id=sequence()"},
                      {"rows", 10'000},
                      {"regions", 4},
                      {"splits", "first"},
                      {"designs",
                       {{{"name", "A"}, {"expression", "pad(id, 10)"}},
                        {{"name", "B"}, {"expression", "hash_prefix(md5_hex(text(id)), 2) + pad(id, 10)"}}}}};

TEST(LaboratoryTest, SimulatesDesignsSideBySide) {
  const Json answer = Simulated(kRising);
  ASSERT_EQ(answer["designs"].size(), 2u);
  const Json& rising = answer["designs"][0];
  EXPECT_EQ(rising["keys"][1], "0000000001");
  EXPECT_EQ(rising["parts"][0]["source"], "pad(id, 10)");
  ASSERT_EQ(rising["writes"]["regions"].size(), 4u);
  EXPECT_GT(rising["writes"]["regions"][3]["requests"].get<int>(), 9'000)
      << "split by its first tenth, so the rest is at the end";
  EXPECT_GT(rising["writes"]["hottest"].get<double>(), 3.5);
  EXPECT_THAT(rising["findings"].dump(), HasSubstr("larger than every one before"));
  EXPECT_LT(answer["designs"][1]["writes"]["hottest"].get<double>(), 1.5);
}

TEST(LaboratoryTest, TellsWhichDesignIsWrongAndSimulatesTheOthers) {
  Json request = kRising;
  request["designs"][0]["expression"] = "pad(idd, 10)";
  const Json answer = Simulated(request);
  EXPECT_THAT(answer["designs"][0]["error"].get<std::string>(), HasSubstr("idd"));
  EXPECT_EQ(answer["designs"][1]["records"], 10'000);
}

TEST(LaboratoryTest, TakesSplitsAsTextAndExamplesByName) {
  Json request = kRising;
  request["splits"] = "0000002500, 0000005000";
  EXPECT_EQ(Simulated(request)["designs"][0]["writes"]["regions"][1]["requests"], 2'500);
  request = {{"example", "hashed-keys"}, {"rows", 1'000}, {"designs", Json::array()}};
  const Json examples = Json::parse(*ExamplesForPage(""))["examples"];
  for (const Json& example : examples) {
    if (example["name"] != "hashed-keys") continue;
    request["designs"].push_back({{"name", "A"}, {"expression", example["designs"][0]["name"]}});
  }
  EXPECT_EQ(Simulated(request)["designs"][0]["records"], 1'000);
}

Json CsvRequest(const std::string& csv) {
  return {{"csv", csv},
          {"splits", "W"},
          {"designs", {{{"name", "A"}, {"expression", "carrier + '|' + id"}}, {{"name", "B"}, {"expression", "id"}}}}};
}

TEST(LaboratoryTest, SimulatesTheRowsOfACsvText) {
  std::string csv = "id,carrier,note\n";
  for (int row = 0; row < 1000; ++row) {
    csv += std::to_string(10'000 + row) + (row % 4 == 0 ? ",AA" : ",\"W,N\"") + ",x\n";
  }
  const Json answer = Simulated(CsvRequest(csv));
  ASSERT_EQ(answer["designs"].size(), 2u);
  EXPECT_EQ(answer["designs"][0]["records"], 1'000);
  EXPECT_EQ(answer["designs"][0]["keys"][1], "W,N|10001");
  EXPECT_EQ(answer["designs"][0]["writes"]["regions"][0]["requests"], 250) << "those of AA";
  EXPECT_EQ(answer["designs"][1]["writes"]["regions"][0]["requests"], 1'000) << "all";
  Json few = CsvRequest(csv);
  few["rows"] = 10;
  EXPECT_EQ(Simulated(few)["designs"][0]["records"], 10);
}

TEST(LaboratoryTest, SaysWhatIsWrongWithACsvText) {
  const auto error = [](const std::string& csv) { return SimulationError(CsvRequest(csv)); };
  EXPECT_THAT(error("id,carrier\n"), HasSubstr("no row after the first, which names the fields id, carrier"));
  EXPECT_THAT(error("id,id\n1,2\n"), HasSubstr("duplicate field 'id'"));
  EXPECT_THAT(error("id,carrier\n1,AA\n2\n"), HasSubstr("csv:3: 1 value beginning with '2', but the header names 2"));
  EXPECT_THAT(error("id,carrier\n1,\"AA\n"), HasSubstr("a quote that opens in this row is not closed"));
  std::string large = "id,carrier\n";
  large.append(LaboratoryInput::kMostCsvBytes, 'x');
  EXPECT_THAT(error(large), HasSubstr("at most 4 MiB"));
  std::string many = "id,carrier\n";
  for (uint64_t row = 0; row <= LaboratoryInput::kMostCsvRows; ++row) many += "1,A\n";
  EXPECT_THAT(error(many), HasSubstr("at most 100,000 rows"));
  std::string wide = "id,carrier";
  for (int field = 2; field < 1000; ++field) wide += ",f" + std::to_string(field);
  for (int row = 0; row < 1001; ++row) wide += "\n" + std::string(999, ',');
  EXPECT_THAT(error(wide), HasSubstr("at most 1,000,000 values"));
  const Json unknown = Simulated(CsvRequest("key,carrier\n1,AA\n"));
  EXPECT_THAT(unknown["designs"][1]["error"].get<std::string>(), HasSubstr("id")) << "the design names another field";
}

TEST(LaboratoryTest, BoundsARequest) {
  const auto with = [](const std::string& field, const Json& value) {
    Json request = kRising;
    request[field] = value;
    return SimulationError(request);
  };
  EXPECT_THAT(with("rows", 1'000'000'000), HasSubstr("rows: a number from 1 to 200000"));
  EXPECT_THAT(with("regions", 65), HasSubstr("regions: a number from 1 to 64"));
  EXPECT_THAT(with("designs", Json::array()), HasSubstr("1 to 4"));
  EXPECT_THAT(with("records", std::string(5'000, 'x')), HasSubstr("4,096"));
  EXPECT_THAT(with("records", "id=nothing()"), HasSubstr("nothing"));
  EXPECT_THAT(SimulationError(Json::object()), HasSubstr("records is missing"));
  Json request = kRising;
  request["splits"] = "b, a";
  EXPECT_THAT(Simulated(request)["designs"][0]["error"].get<std::string>(), HasSubstr("a"));
}

TEST(LaboratoryTest, KeysThatTakeLongGetFewerRows) {
  // 0 has a key, 1 to 1,999 have none, and all others take some ten milliseconds.
  std::string slow = "text(10 / add(id / 2000, 1 / add(id, 1)))";
  for (int i = 0; i < 10; ++i) slow += " + md5_hex(hex(hex(hex(hex(hex(pad(id, 32600)))))))";
  Json request = kRising;
  request["rows"] = 10'000;
  request["splits"] = "none";
  request["designs"] = {{{"name", "A"}, {"expression", slow}}};
  const auto input = ReadLaboratoryInput(request, LaboratoryInput::kMostRows);
  ASSERT_TRUE(input.ok()) << input.status();
  EXPECT_EQ(input->designs[0].error, "");
  EXPECT_LT(input->designs[0].rows, 4'000u);
}

TEST(LaboratoryTest, LongKeysGetFewerRows) {
  Json request = kRising;
  request["rows"] = 200'000;
  request["splits"] = "none";
  request["designs"] = {{{"name", "A"}, {"expression", "pad(id, 32767)"}}};
  const auto input = ReadLaboratoryInput(request, LaboratoryInput::kMostRows);
  ASSERT_TRUE(input.ok()) << input.status();
  EXPECT_GT(input->designs[0].rows, 0u);
  EXPECT_LE(input->designs[0].rows * 32'767, LaboratoryInput::kMostKeyBytes);
}

}  // namespace
}  // namespace vaquita
