// hbase:meta's rows come in HBase's order, also those of a folder that has them in the order of their bytes.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "server/fsck/fsck.h"
#include "server/master/master.h"
#include "tests/server/server_harness.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using std::string_literals::operator""s;

class MetaOrderTest : public testing::ServerHarness {
 protected:
  // The start keys of the regions that a scan of meta gives, "-" for a table's own row; `limit` results an answer.
  std::vector<std::string> Scanned(const Scan& scan, int limit = 100) {
    std::vector<std::string> keys;
    auto response = region_server().AnswerScan({.region = "1588230740", .scan = &scan, .number_of_rows = limit});
    while (true) {
      EXPECT_TRUE(response.ok()) << response.status();
      if (!response.ok()) return keys;
      for (const ResultRange& result : response->batch.results) {
        std::string row(response->batch.cells[result.first].row);
        const size_t first = row.find(',');
        keys.push_back(first == row.npos ? "-" : row.substr(first + 1, row.rfind(',') - first - 1));
      }
      if (!response->more_results_in_region || !response->more_results) return keys;
      response = region_server().AnswerScan({.scanner_id = response->scanner_id, .number_of_rows = limit});
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

// Names that are prefixes of each other, bytes on both sides of the comma, and start keys with commas.
TEST_F(MetaOrderTest, RowsAreFoundWhateverBytesTheStartKeysHave) {
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

TEST_F(MetaOrderTest, ATablesRegionsComeInOrderAndNoOthers) {
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

// Filters that count rows, or end at one, see them in the order in which they come.
TEST_F(MetaOrderTest, FiltersThatEndAScanSeeHBasesOrder) {
  ASSERT_TRUE(Create("t", {"\x01", "a", "a,b"}).ok());
  ASSERT_TRUE(Create("t-1").ok());
  Scan page = Between("t,,", "");
  page.filter = FilterSpec{PageFilterSpec{.page_size = 3}};
  EXPECT_THAT(Scanned(page), ElementsAre("", "\x01", "a"));
  EXPECT_THAT(Scanned(page, 1), ElementsAre("", "\x01", "a"));
  page.reversed = true;
  page.rows = {"t ,,", "t,,", false, true};
  EXPECT_THAT(Scanned(page), ElementsAre("a,b", "a", "\x01"));

  Scan while_table = Between("t,,", "");
  while_table.filter = FilterSpec{WhileMatchFilterSpec{{FilterSpec{PrefixFilterSpec{"t,"}}}}};
  EXPECT_THAT(Scanned(while_table), ElementsAre("", "\x01", "a", "a,b"));
}

// As Admin.getRegions pages: each scan begins behind the last row of the one before.
TEST_F(MetaOrderTest, PagesFitTogether) {
  ASSERT_TRUE(Create("t", {"\x01", "+", ",", ",,", "-", "a"}).ok());
  std::vector<std::string> names;
  std::string start = "t,,";
  while (true) {
    Scan page = Between(start, "t ,,");
    page.rows.start_inclusive = names.empty();
    page.limit = 2;
    const auto answer = region_server().AnswerScan({.region = "1588230740", .scan = &page, .number_of_rows = 100});
    ASSERT_TRUE(answer.ok()) << answer.status();
    if (answer->batch.results.empty()) break;
    for (const ResultRange& result : answer->batch.results) {
      names.emplace_back(answer->batch.cells[result.first].row);
    }
    start = names.back();
  }
  std::vector<std::string> expected;
  for (const AssignedRegion& region : Regions("t")) expected.push_back(region.info.Name());
  EXPECT_THAT(names, SizeIs(7));
  EXPECT_EQ(names, expected);
}

TEST_F(MetaOrderTest, ARowIsReadAndChangedByItsName) {
  ASSERT_TRUE(Create("t", {"\x00\x01\x02,"s}).ok());
  const RegionInfo info = Regions("t")[1].info;
  Get get;
  get.row = info.Name();
  get.columns["info"] = {"state"};
  CellBlock cells;
  ASSERT_TRUE(region_server().Get("1588230740", get, &cells).ok());
  ASSERT_EQ(cells.size(), 1u);
  EXPECT_EQ(cells[0].row, info.Name());
  EXPECT_EQ(cells[0].value, "OPEN");
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  ASSERT_TRUE(Finish(master().DeleteTableAsync(Name("t"))).ok());
  EXPECT_THAT(Scanned(Between("t,,", "t ,,")), IsEmpty());
}

// ---- an older folder ----

constexpr const char* kOrderChildRoot = "VAQUITA_TEST_CHILD_ROOT";

// A standalone server that had meta's rows in the order of their bytes left this when it was killed: half of meta in
// files, the rest in the log; tables t (six start keys: binary ones, and one with a comma), t-1, t.x, t1, t_x
// (disabled) and n:t, and the marks of a deleted one.
class OldMetaTest : public MetaOrderTest {
 protected:
  static constexpr int64_t kLaterMs = 1'795'375'000'000;  // an hour after the folder was made

  void SetUp() override {
    clock_.Advance(kLaterMs - clock_.NowMs());
    Unpack();
  }
  void Unpack() {
    const std::string command =
        "tar -xzf '" + std::string(VAQUITA_TEST_DATA) + "/old_meta_order.tar.gz' -C '" + folder_.path() + "'";
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
  }
  void CheckAll() {
    EXPECT_THAT(Scanned(Between("t,,", "t ,,")), ElementsAre("", "\x00"s, "\x01\x01", "a", "a\x01", "a,b", "zz\xff,"));
    EXPECT_THAT(Scanned(Between("", "")), SizeIs(16));
    EXPECT_EQ(Located("t", "a,c"), "a,b");
    EXPECT_EQ(Located("n:t", "+"), "");
    EXPECT_EQ(Located("n:t", "-"), ",");
    EXPECT_THAT(Rows("t"), ElementsAre("\x00\x01=zero"s, "a\x01x=low", "a,c=comma"));
    EXPECT_THAT(Rows("n:t"), ElementsAre("-=after the comma"));
    EXPECT_EQ(*master().GetTableState(Name("t_x")), TableState::kDisabled);
    EXPECT_FALSE(master().GetTableState(Name("gone")).ok());
    EXPECT_THAT(*master().CheckConsistency(), IsEmpty());
    EXPECT_EQ(region_server().Trouble().sidelined_stores, 0);
  }
  // Starts a server in a process of its own, which dies where `fault` says. Returns how it ended.
  int StartInChild(const char* fault) {
    const pid_t pid = fork();
    if (pid == 0) {
      setenv(kOrderChildRoot, folder_.path().c_str(), 1);
      setenv("VAQUITA_FAULT", fault, 1);
      execl("/proc/self/exe", "server_tests", "--gtest_filter=OldMetaChild.DISABLED_Starts",
            "--gtest_also_run_disabled_tests", "--gtest_brief=1", nullptr);
      _exit(127);
    }
    int status = 0;
    EXPECT_EQ(waitpid(pid, &status, 0), pid);
    return status;
  }
};

class OldMetaChild : public OldMetaTest {
 protected:
  void SetUp() override {}
};

TEST_F(OldMetaChild, DISABLED_Starts) {
  const char* root = std::getenv(kOrderChildRoot);
  ASSERT_NE(root, nullptr);
  clock_.Advance(kLaterMs - clock_.NowMs());
  const auto server = Standalone::Start({.data_path = root, .options = &options_, .clock = &clock_, .serve = false});
  ASSERT_TRUE(server.ok()) << server.status();
}

TEST_F(OldMetaTest, ItsRowsGetTheirOrderOnceAndAnOlderReleaseRefusesTheFolder) {
  for (int life = 0; life < 2; ++life) {
    Restart();
    CheckAll();
    EXPECT_EQ(*ReadFile(folder_.path() + "/FORMAT"), "4\n");
  }
}

TEST_F(OldMetaTest, ACrashOnTheWayLosesNothing) {
  int crashes = 0;
  while (true) {
    const int status = StartInChild("former_rows:some");
    if (!WIFSIGNALED(status)) {
      ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
      break;
    }
    ASSERT_EQ(WTERMSIG(status), SIGKILL);
    ASSERT_LT(++crashes, 100) << "each start goes on where the one before ended";
  }
  EXPECT_GE(crashes, 3);
  Restart();
  CheckAll();
}

TEST_F(OldMetaTest, FsckReadsItAsItIs) {
  ASSERT_TRUE(WIFSIGNALED(StartInChild("former_rows:some")));  // half of it is converted
  const auto report = fsck::CheckDataRoot({.path = folder_.path(), .options = &options_, .clock = &clock_});
  ASSERT_TRUE(report.ok()) << report.status();
  for (const fsck::Finding& finding : report->found)
    EXPECT_FALSE(finding.is_inconsistency()) << fsck::ToString(finding);
  Restart();
  CheckAll();
}

// The stores of regions say what hbase:meta had.
TEST_F(OldMetaTest, MetaIsRebuiltInTheOrder) {
  std::filesystem::remove_all(folder_.path() + "/master");
  const auto report =
      fsck::CheckDataRoot({.path = folder_.path(), .repair = true, .options = &options_, .clock = &clock_});
  ASSERT_TRUE(report.ok()) << report.status();
  Restart();
  EXPECT_THAT(Scanned(Between("t,,", "t ,,")), ElementsAre("", "\x00"s, "\x01\x01", "a", "a\x01", "a,b", "zz\xff,"));
  EXPECT_THAT(Rows("t"), ElementsAre("\x00\x01=zero"s, "a\x01x=low", "a,c=comma"));
}

}  // namespace
}  // namespace vaquita
