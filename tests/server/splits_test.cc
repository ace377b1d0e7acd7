// Splits and merges through the master: rows, hbase:meta, scanners meanwhile, errors, switches, and requests by the
// policy.
#include <atomic>
#include <set>
#include <thread>

#include "region/split.h"
#include "server/master/master.h"
#include "tests/server/server_harness.h"

namespace vaquita {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;
using testing::MakePut;
using ::testing::Not;
using ::testing::SizeIs;

class SplitsTest : public testing::ServerHarness {
 protected:
  absl::Status Split(const std::string& table, const std::string& row, const std::string& at) {
    return Finish(master().SplitRegionAsync(RegionOf(table, row), at));
  }
  absl::Status Merge(const std::vector<std::string>& regions, bool forcible = false) {
    return Finish(master().MergeRegionsAsync(regions, forcible));
  }
  // A table whose blocks are small enough for a hundred rows to fill many: a midkey is where a block begins.
  void CreateWithSmallBlocks(const std::string& name) {
    TableDescriptor table = Descriptor(name);
    table.families["f"].block_size_bytes = 1024;
    ASSERT_TRUE(Finish(master().CreateTableAsync(table, {})).ok());
  }
  void Fill(const std::string& table, int rows) {
    for (int i = 0; i < rows; ++i) ASSERT_TRUE(Put(table, "row" + std::to_string(1000 + i)).ok());
  }
};

TEST_F(SplitsTest, ASplitKeepsEveryRowAndSurvivesARestart) {
  ASSERT_TRUE(Create("t").ok());
  Fill("t", 100);
  const auto before = Rows("t");
  const std::string parent = RegionOf("t", "");
  ASSERT_TRUE(Split("t", "row1000", "row1050").ok());
  EXPECT_THAT(Ranges("t"), ElementsAre("..row1050", "row1050.."));
  EXPECT_EQ(Rows("t"), before);
  EXPECT_TRUE(IsError(region_server().FindRegion(parent).status(), ErrorKind::kNotServingRegion));
  EXPECT_TRUE(IsError(master().SplitRegionAsync(parent, "row1020").status(), ErrorKind::kUnknownRegion));
  ASSERT_TRUE(Put("t", "row2").ok());
  Restart();
  EXPECT_THAT(Ranges("t"), ElementsAre("..row1050", "row1050.."));
  EXPECT_THAT(Rows("t"), SizeIs(101));
}

TEST_F(SplitsTest, WithoutARowARegionSplitsAtItsMidkey) {
  CreateWithSmallBlocks("t");
  Fill("t", 1000);
  ASSERT_TRUE(master().FlushTable(Name("t")).ok());
  ASSERT_TRUE(Split("t", "row1000", "").ok());
  const auto regions = Regions("t");
  ASSERT_EQ(regions.size(), 2u);
  EXPECT_GT(regions[1].info.start_key, "row1200");
  EXPECT_LT(regions[1].info.start_key, "row1800");
  EXPECT_THAT(Rows("t"), SizeIs(1000));
}

TEST_F(SplitsTest, MetaKeepsTheParentUntilTheJanitorFindsNoReference) {
  ASSERT_TRUE(Create("t").ok());
  Fill("t", 100);
  const std::string parent = Regions("t")[0].info.Name();
  ASSERT_TRUE(Split("t", "", "row1050").ok());
  EXPECT_EQ(MetaValue(parent, "state"), "SPLIT");
  const auto columns = MetaColumns();
  EXPECT_THAT(columns, Contains("t, info:splitA"));
  EXPECT_THAT(columns, Contains("t, info:splitB"));
  EXPECT_THAT(columns, Contains("t,row1050 info:regioninfo"));
  EXPECT_EQ(MetaValue("t,row1050", "state"), "OPEN");
  EXPECT_THAT(Regions("t"), SizeIs(2));
  // Deleting the table takes the parent's row, too.
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  ASSERT_TRUE(Finish(master().DeleteTableAsync(Name("t"))).ok());
  EXPECT_THAT(MetaColumns(), SizeIs(7));
}

TEST_F(SplitsTest, TheJanitorCleansMetaOnceNothingIsShared) {
  ASSERT_TRUE(Create("t").ok());
  Fill("t", 100);
  ASSERT_TRUE(Split("t", "", "row1050").ok());
  Restart();  // it finds what is left in meta, too
  ASSERT_TRUE(master().CompactTable(Name("t"), "", CompactionKind::kMajor, true).ok());
  EXPECT_EQ(*master().RunCatalogJanitor(), 1);
  EXPECT_EQ(*master().RunCatalogJanitor(), 0);
  EXPECT_THAT(MetaColumns(), Not(Contains("t, info:splitA")));
  EXPECT_EQ(MetaValue("t,", "state"), "OPEN");
  ASSERT_TRUE(Merge({RegionOf("t", ""), RegionOf("t", "row1050")}).ok());
  EXPECT_THAT(MetaColumns(), Contains("t, info:merge0000"));
  EXPECT_EQ(*master().RunCatalogJanitor(), 1);
  EXPECT_THAT(MetaColumns(), Not(Contains("t, info:merge0000")));
  Restart();
  EXPECT_THAT(Ranges("t"), ElementsAre(".."));
  EXPECT_THAT(Rows("t"), SizeIs(100));
}

// The rows that seem not to be there may be the daughters', and fsck makes them anew by the parent's.
TEST_F(SplitsTest, TheJanitorLeavesATableAloneThatHasAnUnreadableRow) {
  ASSERT_TRUE(Create("t").ok());
  Fill("t", 100);
  ASSERT_TRUE(Split("t", "", "row1050").ok());
  const std::string daughter = master().LocateRow(Name("t"), "row1050")->info.Name();
  clock_.Advance(1000);
  ASSERT_TRUE(master().meta()->Mutate(testing::MakePut(daughter, "info:regioninfo", "nonsense")).ok());
  Restart();
  ASSERT_TRUE(master().CompactTable(Name("t"), "", CompactionKind::kMajor, true).ok());
  EXPECT_EQ(*master().RunCatalogJanitor(), 0);
  EXPECT_THAT(MetaColumns(), Contains("t, info:splitA"));
}

TEST_F(SplitsTest, NoSplitParentsRowComesBetweenAMergedRegionAndItsRows) {
  ASSERT_TRUE(Create("t", {"row1050"}).ok());
  Fill("t", 100);
  ASSERT_TRUE(Split("t", "row1050", "row1070").ok());
  EXPECT_THAT(MetaColumns(), Contains("t,row1050 info:splitA"));
  ASSERT_TRUE(Merge({RegionOf("t", ""), RegionOf("t", "row1050")}).ok());
  EXPECT_THAT(Ranges("t"), ElementsAre("..row1070", "row1070.."));
  EXPECT_THAT(MetaColumns(), Not(Contains(HasSubstr("t,row1050 "))));
  ASSERT_TRUE(master().CompactTable(Name("t"), "", CompactionKind::kMajor, true).ok());
  EXPECT_EQ(*master().RunCatalogJanitor(), 1) << "what the merge left";
  Restart();
  EXPECT_THAT(Rows("t"), SizeIs(100));
}

TEST_F(SplitsTest, AMergeKeepsEveryRowAndNamesItsParents) {
  ASSERT_TRUE(Create("t", {"row1030", "row1060"}).ok());
  Fill("t", 100);
  const auto before = Rows("t");
  // In any order: HBase sorts them.
  const absl::Status merged = Merge({RegionOf("t", "row1030"), RegionOf("t", "")});
  ASSERT_TRUE(merged.ok()) << merged;
  EXPECT_THAT(Ranges("t"), ElementsAre("..row1060", "row1060.."));
  EXPECT_EQ(Rows("t"), before);
  EXPECT_THAT(MetaColumns(), Contains("t, info:merge0000"));
  EXPECT_THAT(MetaColumns(), Contains("t, info:merge0001"));
  EXPECT_THAT(MetaColumns(), Not(Contains("t,row1030 info:regioninfo")));
  Restart();
  EXPECT_THAT(Ranges("t"), ElementsAre("..row1060", "row1060.."));
  EXPECT_EQ(Rows("t"), before);
}

TEST_F(SplitsTest, DaughtersMergeAgain) {
  ASSERT_TRUE(Create("t").ok());
  Fill("t", 100);
  const auto before = Rows("t");
  ASSERT_TRUE(Split("t", "", "row1050").ok());
  const absl::Status merged = Merge({RegionOf("t", ""), RegionOf("t", "row1050")});
  ASSERT_TRUE(merged.ok()) << merged;
  EXPECT_THAT(Ranges("t"), ElementsAre(".."));
  EXPECT_EQ(Rows("t"), before);
}

TEST_F(SplitsTest, SplitsAreRefusedInHBasesWords) {
  ASSERT_TRUE(Create("t", {"m"}).ok());
  const std::string region = RegionOf("t", "m");
  EXPECT_THAT(master().SplitRegionAsync("nope", "x").status(), FailsWith(ErrorKind::kUnknownRegion, "nope"));
  EXPECT_THAT(Split("t", "m", "m"), FailsWith(ErrorKind::kDoNotRetryIO, "Split row is equal to startkey: m"));
  EXPECT_TRUE(IsError(Split("t", "m", "a"), ErrorKind::kDoNotRetryIO));  // outside
  EXPECT_TRUE(IsError(Split("t", "m", ""), ErrorKind::kDoNotRetryIO));   // nothing in it
  EXPECT_THAT(Ranges("t"), ElementsAre("..m", "m.."));
  ASSERT_TRUE(Put("t", "z").ok());  // a refused split leaves the region open
  ASSERT_TRUE(master().SetSwitch(MasterSwitch::kSplit, false).ok());
  EXPECT_THAT(Split("t", "m", "q"), FailsWith(ErrorKind::kDoNotRetryIO, "Split region " + Regions("t")[1].info.Name() +
                                                                            " failed due to split switch off"));
  ASSERT_TRUE(master().SetSwitch(MasterSwitch::kSplit, true).ok());
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  EXPECT_THAT(master().SplitRegionAsync(region, "q").status(), FailsWith(ErrorKind::kTableNotEnabled, "t"));
  EXPECT_FALSE(master().SplitRegionAsync("1588230740", "q").ok());
}

TEST_F(SplitsTest, MergesAreRefusedInHBasesWords) {
  ASSERT_TRUE(Create("t", {"g", "m"}).ok());
  ASSERT_TRUE(Create("u").ok());
  const std::string a = RegionOf("t", ""), b = RegionOf("t", "g"), c = RegionOf("t", "m");
  EXPECT_THAT(Merge({a}), FailsWith(ErrorKind::kMergeRegion, "Need two Regions at least to run a Merge"));
  EXPECT_THAT(Merge({a, a}), FailsWith(ErrorKind::kMergeRegion,
                                       "Duplicate regions specified; cannot merge a region to itself. Passed in 2 but "
                                       "only 1 unique."));
  EXPECT_TRUE(IsError(Merge({a, RegionOf("u", "")}), ErrorKind::kMergeRegion));
  EXPECT_THAT(Merge({a, c}),
              FailsWith(ErrorKind::kMergeRegion, "Unable to merge non-adjacent or non-overlapping regions '" + a +
                                                     "', '" + c + "' when force=false"));
  EXPECT_THAT(Merge({a, "nope"}), FailsWith(ErrorKind::kUnknownRegion, "nope"));
  ASSERT_TRUE(master().SetSwitch(MasterSwitch::kMerge, false).ok());
  const std::string both = RegionText(Regions("t")[0].info) + ", " + RegionText(Regions("t")[1].info);
  EXPECT_THAT(Merge({a, b}),
              FailsWith(ErrorKind::kDoNotRetryIO, "Merge of [" + both + "] failed because merge switch is off"));
  EXPECT_THAT(Ranges("t"), SizeIs(3));
}

TEST_F(SplitsTest, AnOpenScannerIsToldThatItsRegionIsGone) {
  ASSERT_TRUE(Create("t").ok());
  Fill("t", 100);
  Scan scan;
  auto response = region_server().AnswerScan({.region = RegionOf("t", ""), .scan = &scan, .number_of_rows = 10});
  ASSERT_TRUE(response.ok());
  ASSERT_TRUE(Split("t", "", "row1050").ok());
  const int64_t id = response->scanner_id;
  response = region_server().AnswerScan({.scanner_id = id, .number_of_rows = 10});
  EXPECT_TRUE(IsError(response.status(), ErrorKind::kNotServingRegion)) << response.status();
  // gohbase asks again then, with a daughter's name. It must not take the answer for the end of that region.
  response = region_server().AnswerScan({.scanner_id = id, .number_of_rows = 10});
  EXPECT_TRUE(IsError(response.status(), ErrorKind::kUnknownScanner)) << response.status();
}

TEST_F(SplitsTest, TheServersRequestSplitsOnceAndObeysTheSwitch) {
  CreateWithSmallBlocks("t");
  Fill("t", 200);
  ASSERT_TRUE(master().FlushTable(Name("t")).ok());
  const RegionInfo parent = Regions("t")[0].info;
  ASSERT_TRUE(master().SetSwitch(MasterSwitch::kSplit, false).ok());
  master().RequestSplit(parent);
  ASSERT_TRUE(master().SetSwitch(MasterSwitch::kSplit, true).ok());
  EXPECT_THAT(Regions("t"), SizeIs(1));
  for (int i = 0; i < 5; ++i) master().RequestSplit(parent);
  // Procedures of one table run in order: when this one has ended, the splits have.
  EXPECT_TRUE(Finish(master().ModifyTableAsync(**master().GetDescriptor(Name("t")))).ok());
  EXPECT_THAT(Regions("t"), SizeIs(2));
}

TEST_F(SplitsTest, ARegionThatGrowsIsSplitByItself) {
  options_.split_policy = "ConstantSizeRegionSplitPolicy";
  options_.max_file_bytes = 20'000;
  Restart();
  CreateWithSmallBlocks("t");
  Fill("t", 1000);
  ASSERT_TRUE(master().FlushTable(Name("t")).ok());
  ASSERT_TRUE(master().CompactTable(Name("t"), "", CompactionKind::kMajor, false).ok());
  region_server().maintenance()->WaitIdle();  // it has asked for what it wants split
  ASSERT_TRUE(Finish(master().ModifyTableAsync(**master().GetDescriptor(Name("t")))).ok());  // and that is done
  EXPECT_GE(Regions("t").size(), 2u);
  EXPECT_THAT(Rows("t"), SizeIs(1000));
}

// hbase:meta has no room for the name of a region that begins at such a row.
TEST_F(SplitsTest, RowsTooLongForARegionsNameStayTogetherOrAreSplitBeforeThem) {
  options_.split_policy = "ConstantSizeRegionSplitPolicy";
  options_.max_file_bytes = 200'000;  // more than a half has
  Restart();
  ASSERT_TRUE(Create("t").ok());
  const auto row = [](int i) { return std::string(1, static_cast<char>('0' + i)) + std::string(32'766, 'k'); };
  for (int i = 0; i < 8; ++i) ASSERT_TRUE(Put("t", row(i)).ok());
  EXPECT_THAT(Split("t", "", std::string(32'768, 'k')),
              FailsWith(ErrorKind::kIllegalArgument, "Row length 32768 is > 32767"));
  EXPECT_THAT(Split("t", "", row(4)), FailsWith(ErrorKind::kIllegalArgument, HasSubstr("too long for a row of")));
  EXPECT_THAT(Rows("t"), SizeIs(8));
  ASSERT_TRUE(master().FlushTable(Name("t")).ok());
  ASSERT_TRUE(master().CompactTable(Name("t"), "", CompactionKind::kMajor, false).ok());
  region_server().maintenance()->WaitIdle();  // it has asked for what it wants split
  ASSERT_TRUE(Finish(master().ModifyTableAsync(**master().GetDescriptor(Name("t")))).ok());  // and that is done
  for (int start = 0; start < 2; ++start) {
    ASSERT_EQ(Regions("t").size(), 2u);
    EXPECT_EQ(Regions("t")[1].info.start_key.size(), MaxStartKeyLength(Name("t")));
    EXPECT_THAT(Rows("t"), SizeIs(8));
    const auto findings = master().CheckConsistency();
    for (const fsck::Finding& finding : *findings) {
      EXPECT_FALSE(finding.is_inconsistency()) << fsck::ToString(finding);
    }
    Restart();
  }
}

// Writers and readers run through a row of splits and merges: no acknowledged row may be missing at the end, and a scan
// that completes sees no row twice.
TEST_F(SplitsTest, NothingIsLostUnderConcurrentWrites) {
  ASSERT_TRUE(Create("t").ok());
  std::atomic<bool> stop{false};
  std::vector<std::vector<std::string>> acknowledged(2);
  std::vector<std::thread> writers;
  for (int w = 0; w < 2; ++w) {
    writers.emplace_back([&, w] {
      for (int i = 0; !stop; ++i) {
        const std::string row =
            std::string(1, static_cast<char>('a' + i % 26)) + std::to_string(w) + "-" + std::to_string(i);
        const auto location = master().LocateRow(Name("t"), row);
        const absl::Status status =
            region_server().Mutate(location->info.EncodedName(), MakePut(row, "f:q", "v")).status();
        if (status.ok()) {
          acknowledged[w].push_back(row + "=v");
        } else {
          EXPECT_TRUE(IsError(status, ErrorKind::kNotServingRegion)) << status;
        }
      }
    });
  }
  for (const char* at : {"m", "f", "s"}) {
    const absl::Status status = Split("t", at, at);
    EXPECT_TRUE(status.ok()) << status;
    // A half that still has files of the whole is not split.
    EXPECT_TRUE(master().CompactTable(Name("t"), "", CompactionKind::kMajor, true).ok());
  }
  const absl::Status merged = Merge({RegionOf("t", "a"), RegionOf("t", "f")});
  EXPECT_TRUE(merged.ok()) << merged;
  stop = true;
  for (std::thread& writer : writers) writer.join();
  std::set<std::string> expected;
  for (const auto& rows : acknowledged) expected.insert(rows.begin(), rows.end());
  const auto rows = Rows("t");
  const std::set<std::string> seen(rows.begin(), rows.end());
  EXPECT_EQ(seen.size(), rows.size());
  for (const std::string& row : expected) EXPECT_TRUE(seen.contains(row)) << row;
  EXPECT_THAT(Ranges("t"), ElementsAre("..m", "m..s", "s.."));
}

}  // namespace
}  // namespace vaquita
