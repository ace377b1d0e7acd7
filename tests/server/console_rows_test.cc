// Tests the console's page of rows, which reads the regions of a whole server.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/testing/json_of.h"
#include "console/rows_json.h"
#include "tests/server/server_harness.h"

namespace vaquita {
namespace {

class ConsoleRowsTest : public testing::ServerHarness {
 protected:
  void PutRow(const std::string& row, const std::vector<std::string>& families, int cells, size_t value_bytes) {
    Mutation put = testing::MakePut(row, std::vector<Cell>());
    for (const std::string& family : families) {
      for (int i = 0; i < cells; ++i) {
        put.cells.push_back(testing::MakeCell(absl::StrCat(family, ":q", i), std::string(value_bytes, 'v')));
      }
    }
    ASSERT_TRUE(region_server().Mutate(RegionOf("t", row), put).status().ok());
  }
  Json Ask(const std::string& query) {
    const auto json = RowsJson(&region_server(), query, &clock_);
    EXPECT_TRUE(json.ok()) << json.status();
    return json.ok() ? *ParseJson(*json) : Json();
  }
};

TEST_F(ConsoleRowsTest, ARowWithLargeValuesIsReadInPieces) {
  ASSERT_TRUE(Create("t").ok());
  PutRow("a", {"f"}, 1, 1);
  PutRow("b", {"f"}, 5, 600'000);
  PutRow("c", {"f"}, 1, 1);
  const Json page = Ask("table=t&limit=2");
  ASSERT_EQ(page["rows"].size(), 2u);
  EXPECT_EQ(page["rows"][1]["cells"].size(), 5u) << "the row is whole";
  EXPECT_EQ(page["rows"][1]["cells"][4]["value"]["bytes"], 600'000);
  EXPECT_FALSE(page["rows"][1].contains("cut"));
  EXPECT_EQ(page["next"]["text"], "b\\x00");
}

TEST_F(ConsoleRowsTest, ARowOfMoreThanAPageIsCut) {
  const std::vector<std::string> families = {"f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p"};
  ASSERT_TRUE(Create("t", {}, families).ok());
  PutRow("a", families, 200, 1000);
  PutRow("b", {"f"}, 1, 1);
  const Json page = Ask("table=t");
  ASSERT_EQ(page["rows"].size(), 1u);
  EXPECT_EQ(page["rows"][0]["cut"], true);
  EXPECT_GT(page["rows"][0]["cells"].size(), 1000u);
  EXPECT_LT(page["rows"][0]["cells"].size(), 2200u);
  EXPECT_EQ(page["next"]["text"], "a\\x00");
  const Json rest = Ask("table=t&start=a%5Cx00");
  ASSERT_EQ(rest["rows"].size(), 1u);
  EXPECT_EQ(rest["rows"][0]["key"]["text"], "b");
  EXPECT_FALSE(rest.contains("next"));
}

}  // namespace
}  // namespace vaquita
