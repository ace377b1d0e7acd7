// An edit of hbase:meta is done as a whole or not at all.
#include "server/master/meta/meta_table.h"

#include <gmock/gmock.h>

#include <limits>

#include "region/testing/region_harness.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class MetaTableTest : public testing::RegionHarness {
 protected:
  MetaTableTest() {
    OpenDatabase();
    region_ = *Region::OpenOrCreate(db_.get(), MetaTable::Info(), MetaTable::Descriptor());
    meta_ = *MetaTable::Open(region_, &clock_);
  }
  std::vector<std::string> Columns() {
    std::vector<std::string> columns;
    for (const std::string& cell : testing::ScanTexts(region_.get(), Scan{})) {
      columns.push_back(cell.substr(0, cell.find(' ', cell.find(' ') + 1)));
    }
    return columns;
  }

  std::shared_ptr<Region> region_;
  std::unique_ptr<MetaTable> meta_;
};

TEST_F(MetaTableTest, AnEditWithARowThatIsRefusedWritesNothing) {
  const TableName table{"default", "t"};
  RegionInfo parent{.table = table, .id = 5};
  RegionInfo low{.table = table, .end_key = std::string(kMaxRowLength, 'k'), .id = 6};
  RegionInfo high{.table = table, .start_key = low.end_key, .id = 6};
  for (RegionInfo* upper : {&high, &low}) {  // the last mutation is refused, or one before it
    MetaEdit edit;
    edit.PutTableState(table, TableState::kEnabled);
    edit.PutSplitParent(parent, low, high);
    edit.PutRegion(*upper, RegionState::kOpen, "s,1,2");
    edit.PutRegion(upper == &high ? low : high, RegionState::kOpen, "s,1,2");
    const absl::Status refused = meta_->Apply(std::move(edit));
    EXPECT_TRUE(IsError(refused, ErrorKind::kIllegalArgument)) << refused;
    EXPECT_THAT(refused.ToString(), HasSubstr("edit hbase:meta: Row length"));
    EXPECT_THAT(Columns(), IsEmpty());
  }
}

// A clock was wrong, or an earlier release took any timestamp from clients.
TEST_F(MetaTableTest, EditsComeAfterWhatAClockHasWrittenAndNotAtTheEndOfTime) {
  const RegionInfo region{.table = {"default", "t"}, .id = 5};
  const auto put = [&](const std::string& qualifier, int64_t timestamp_ms) {
    ASSERT_TRUE(region_->Mutate(testing::MakePut(region.Name(), "info:" + qualifier, "v", timestamp_ms)).ok());
  };
  const int64_t next_year_ms = clock_.NowMs() + int64_t{365} * 24 * 60 * 60 * 1000;
  put("state", next_year_ms);
  put("foo", std::numeric_limits<int64_t>::max() - 7);
  meta_ = *MetaTable::Open(region_, &clock_);
  for (const RegionState state : {RegionState::kOpen, RegionState::kClosed}) {
    MetaEdit edit;
    edit.PutRegion(region, state, "");
    ASSERT_TRUE(meta_->Apply(std::move(edit)).ok());
    ASSERT_THAT(*meta_->LoadTable(region.table), SizeIs(1));
    EXPECT_EQ(meta_->LoadTable(region.table)->front().region.state, state);
  }
  MetaEdit edit;
  edit.DeleteRegion(region);
  ASSERT_TRUE(meta_->Apply(std::move(edit)).ok());
  EXPECT_THAT(*meta_->LoadTable(region.table), IsEmpty());
}

TEST_F(MetaTableTest, AnEditMayTouchARowTwice) {
  const RegionInfo region{.table = {"default", "t"}, .id = 5};
  MetaEdit edit;
  edit.PutTableState(region.table, TableState::kEnabled);
  edit.DeleteTableState(region.table);
  edit.PutRegion(region, RegionState::kClosed, "");
  ASSERT_TRUE(meta_->Apply(std::move(edit)).ok());
  EXPECT_THAT(Columns(), ElementsAre(region.Name() + " info:regioninfo", region.Name() + " info:state"));
  ASSERT_TRUE(meta_->Apply(MetaEdit()).ok());
}

}  // namespace
}  // namespace vaquita
