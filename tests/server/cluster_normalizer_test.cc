// The normalizer through the master: splits and merges of real regions.
#include "server/master/master.h"
#include "tests/server/server_harness.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

class ClusterNormalizerTest : public testing::ServerHarness {
 protected:
  // Four regions, four days old; the last has 4 MB, the others are empty.
  void CreateUneven(const std::map<std::string, std::string>& attributes) {
    TableDescriptor table = Descriptor("t");
    for (const auto& [name, value] : attributes) ASSERT_TRUE(table.Set(name, value).ok());
    ASSERT_TRUE(Finish(master().CreateTableAsync(table, {"b", "c", "d"})).ok());
    const std::string value(10 * 1024, 'v');
    for (int i = 0; i < 450; ++i) ASSERT_TRUE(Put("t", "row" + std::to_string(1000 + i), value).ok());
    ASSERT_TRUE(master().FlushTable(Name("t")).ok());
    clock_.Advance(4LL * 24 * 60 * 60 * 1000);
  }
  bool NormalizeAll() {
    const bool ran = master().Normalize(master().ListTables(/*system=*/true));
    for (const Procedure& procedure : master().ListProcedures()) EXPECT_TRUE(master().Wait(procedure.id).ok());
    return ran;
  }
};

TEST_F(ClusterNormalizerTest, SplitsTheLargeAndMergesTheSmall) {
  CreateUneven({{"NORMALIZATION_ENABLED", "true"}, {"hbase.normalizer.merge.min_region_size.mb", "0"}});
  EXPECT_TRUE(NormalizeAll());
  const std::vector<std::string> ranges = Ranges("t");
  ASSERT_THAT(ranges, SizeIs(3));
  EXPECT_EQ(ranges[0], "..d");
  EXPECT_EQ(ranges[1].substr(0, 7), "d..row1");
  EXPECT_THAT(Rows("t"), SizeIs(450));
}

TEST_F(ClusterNormalizerTest, LeavesTablesAloneThatDoNotAskForIt) {
  CreateUneven({});
  EXPECT_TRUE(NormalizeAll());
  EXPECT_THAT(Ranges("t"), ElementsAre("..b", "b..c", "c..d", "d.."));
}

TEST_F(ClusterNormalizerTest, TheServersSettingAsksForAllTables) {
  options_.normalize_tables = true;
  CreateUneven({});
  EXPECT_TRUE(NormalizeAll());
  EXPECT_THAT(Ranges("t"), SizeIs(5));  // the large one was split; regions below 1 MB are not merged
}

TEST_F(ClusterNormalizerTest, DoesNotRunWhenItIsSwitchedOff) {
  CreateUneven({{"NORMALIZATION_ENABLED", "true"}});
  ASSERT_TRUE(master().SetSwitch(MasterSwitch::kNormalizer, false).ok());
  EXPECT_FALSE(NormalizeAll());
  ASSERT_TRUE(master().SetSwitch(MasterSwitch::kNormalizer, true).ok());
  ASSERT_TRUE(master().SetSwitch(MasterSwitch::kSplit, false).ok());
  EXPECT_TRUE(NormalizeAll());
  EXPECT_THAT(Ranges("t"), SizeIs(4));
}

TEST_F(ClusterNormalizerTest, TablesThatAreDisabledOrGoneAreLeftOut) {
  CreateUneven({{"NORMALIZATION_ENABLED", "true"}});
  ASSERT_TRUE(Finish(master().DisableTableAsync(Name("t"))).ok());
  EXPECT_TRUE(master().Normalize({Name("t"), Name("nosuch")}));
  EXPECT_THAT(Ranges("t"), SizeIs(4));
}

}  // namespace
}  // namespace vaquita
