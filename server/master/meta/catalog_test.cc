#include "server/master/meta/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/status.h"
#include "model/encoded_names.h"

namespace vaquita {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

const TableName kTable{"n", "t"};

RegionInfo InfoOf(const std::string& start, const std::string& end, int64_t id) {
  return {.table = kTable, .start_key = start, .end_key = end, .id = id};
}

class CatalogTest : public ::testing::Test {
 protected:
  void PutTable(const std::vector<RegionInfo>& infos) {
    auto table = std::make_shared<TableDescriptor>();
    table->name = kTable;
    std::vector<AssignedRegion> regions;
    for (const RegionInfo& info : infos) regions.push_back({info, RegionState::kOpen, "a,1,1", "a,1,1"});
    catalog_.PutTable(table, TableState::kEnabled, regions);
  }
  // By the region's own name.
  absl::StatusOr<RegionInfo> Find(const RegionInfo& info) {
    const auto found = catalog_.FindRegion(info.EncodedName());
    if (!found.ok()) return found.status();
    return found->info;
  }

  Catalog catalog_;
};

TEST_F(CatalogTest, RegionsThatBeginAtOneKeyAreTwo) {
  const RegionInfo whole = InfoOf("", "", 1795), part = InfoOf("", "m", 5), other = InfoOf("m", "", 1795);
  PutTable({whole, part, other});
  EXPECT_THAT(*catalog_.Regions(kTable), SizeIs(3));
  EXPECT_EQ(*Find(whole), whole);
  EXPECT_EQ(*Find(part), part);
  EXPECT_EQ(catalog_.Locate(kTable, "a")->info, part) << "the last row of hbase:meta that begins before";
  EXPECT_EQ(catalog_.Locate(kTable, "m")->info, other);
  catalog_.ReplaceRegions(kTable, {part}, {});
  EXPECT_EQ(*Find(whole), whole);
  EXPECT_TRUE(IsError(Find(part).status(), ErrorKind::kUnknownRegion));
  EXPECT_EQ(catalog_.Locate(kTable, "a")->info, whole);
  catalog_.DropTable(kTable);
  EXPECT_TRUE(IsError(Find(whole).status(), ErrorKind::kUnknownRegion));
}

TEST_F(CatalogTest, ANamespaceHasItsTablesThatAreOutOfService) {
  PutTable({});
  catalog_.PutBroken({"n", "broken"}, "its descriptor is missing");
  catalog_.PutBroken({"m", "broken"}, "its descriptor is missing");
  EXPECT_EQ(catalog_.TablesIn("n"), 2u);
  EXPECT_EQ(catalog_.TablesIn("m"), 1u);
}

TEST_F(CatalogTest, SaysThatANameIsEmpty) {
  EXPECT_EQ(catalog_.FindRegion("").status().message(), "the region's name is empty");
  EXPECT_EQ(catalog_.SetOffline("").message(), "the region's name is empty");
}

TEST_F(CatalogTest, OnlyARegionThatIsThereGoesOffline) {
  const RegionInfo parent = InfoOf("", "", 1), daughter = InfoOf("", "m", 2);
  PutTable({parent});
  catalog_.ReplaceRegions(kTable, {parent}, {{daughter, RegionState::kOpen, "a,1,1", "a,1,1"}});
  EXPECT_TRUE(IsError(catalog_.SetOffline(parent.EncodedName()), ErrorKind::kUnknownRegion));
  ASSERT_TRUE(catalog_.SetOffline(daughter.EncodedName()).ok());
  const std::vector<AssignedRegion> regions = *catalog_.Regions(kTable);
  ASSERT_THAT(regions, SizeIs(1));
  EXPECT_EQ(regions[0].state, RegionState::kOffline);
  EXPECT_THAT(regions[0].server_name, IsEmpty());
}

}  // namespace
}  // namespace vaquita
