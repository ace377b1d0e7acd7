#include "server/regionserver/meta_scanner.h"

#include "tests/server/server_harness.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(CompareMetaRowsTest, ComparesTablesThenStartKeysThenIds) {
  // In order; bytewise they are not.
  const std::vector<std::string> rows = {
      "t",        "t,,1.a.", "t,\x01,1.b.", "t,a,1.c.", "t,a\x01,1.d.", "t,a,b,1.e.", "t,b,1.f.",
      "t,b,2.g.", "t ,,",    "t-1,,1.h.",   "t1,,1.i.", "n:t,,1.j.",    "u"};
  std::vector<std::string> sorted = rows;
  std::sort(sorted.begin(), sorted.end(),
            [](const std::string& a, const std::string& b) { return CompareMetaRows(a, b) < 0; });
  EXPECT_THAT(sorted, ElementsAre("n:t,,1.j.", "t", "t,,1.a.", "t,\x01,1.b.", "t,a,1.c.", "t,a\x01,1.d.", "t,a,b,1.e.",
                                  "t,b,1.f.", "t,b,2.g.", "t ,,", "t-1,,1.h.", "t1,,1.i.", "u"));
  EXPECT_EQ(CompareMetaRows("t,a,1", "t,a,1"), 0);
}

class MetaScannerTest : public testing::ServerHarness {
 protected:
  // The start keys of the regions that a scan of meta gives, "-" for a table's own row; `limit` results an answer.
  std::vector<std::string> Scanned(const Scan& scan, int limit = 100) {
    std::vector<std::string> keys;
    auto response = region_server().DoScan({.region = "1588230740", .scan = &scan, .number_of_rows = limit});
    while (true) {
      EXPECT_TRUE(response.ok()) << response.status();
      if (!response.ok()) return keys;
      for (const ResultRange& result : response->batch.results) {
        std::string row(response->batch.cells[result.first].row);
        const size_t first = row.find(',');
        keys.push_back(first == row.npos ? "-" : row.substr(first + 1, row.rfind(',') - first - 1));
      }
      if (!response->more_results_in_region || !response->more_results) return keys;
      response = region_server().DoScan({.scanner_id = response->scanner_id, .number_of_rows = limit});
    }
  }
  static Scan Between(const std::string& start, const std::string& stop) {
    Scan scan;
    scan.rows.start = start;
    scan.rows.stop = stop;
    scan.columns["info"] = {};
    return scan;
  }
  // As a client looks a row up: backwards, one row.
  std::string Located(const std::string& table, const std::string& row) {
    Scan scan = Between(table + "," + row + ",99999999999999", table + ",,");
    scan.rows.stop_inclusive = true;
    scan.reversed = true;
    scan.limit = 1;
    const auto keys = Scanned(scan);
    return keys.empty() ? "none" : keys[0];
  }
};

TEST_F(MetaScannerTest, RowsAreFoundWhateverBytesTheStartKeysHave) {
  const std::string low("\x01\x01", 2);
  ASSERT_TRUE(Create("t", {low, "a", "a\x01", "a,b"}).ok());
  ASSERT_TRUE(Create("t-1").ok());
  ASSERT_TRUE(Create("t1", {"x"}).ok());
  EXPECT_EQ(Located("t", std::string("\0", 1)), "");
  EXPECT_EQ(Located("t", low), low);
  EXPECT_EQ(Located("t", "Z"), low);
  EXPECT_EQ(Located("t", "a"), "a");
  EXPECT_EQ(Located("t", "a\x02"), "a\x01");
  EXPECT_EQ(Located("t", "a,c"), "a,b");
  EXPECT_EQ(Located("t", "z"), "a,b");
  EXPECT_EQ(Located("t1", "x"), "x");
  EXPECT_EQ(Located("t1", "a"), "");
  EXPECT_EQ(Located("nope", "a"), "none");
}

TEST_F(MetaScannerTest, ATablesRegionsComeInOrderAndNoOthers) {
  const std::string low("\x01\x01", 2);
  ASSERT_TRUE(Create("t", {low, "a", "a\x01"}).ok());
  ASSERT_TRUE(Create("t-1").ok());
  ASSERT_TRUE(Create("t1").ok());
  EXPECT_THAT(Scanned(Between("t,,", "t ,,")), ElementsAre("", low, "a", "a\x01"));  // as clients name a table's end
  EXPECT_THAT(Scanned(Between("t,,", "t ,,"), 1), ElementsAre("", low, "a", "a\x01"));
  Scan backwards = Between("t ,,", "t,,");
  backwards.reversed = true;
  EXPECT_THAT(Scanned(backwards), ElementsAre("a\x01", "a", low, ""));
  EXPECT_THAT(Scanned(Between("", "")), SizeIs(7)) << "and hbase:namespace";
  EXPECT_THAT(Scanned(Between("u", "")), IsEmpty());
  Scan all;
  EXPECT_THAT(Scanned(all), SizeIs(7 + 4));
  all.limit = 3;
  EXPECT_THAT(Scanned(all), ElementsAre("-", "", "-"));
}

}  // namespace
}  // namespace vaquita
