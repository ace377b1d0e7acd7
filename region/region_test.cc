// Tests each operation of one region, and its refusals.
#include "region/region.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "region/testing/region_harness.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace vaquita::testing;  // NOLINT

// A region of rows "b" to "y" with families f (3 versions) and g (1 version).
class RegionTest : public RegionHarness {
 protected:
  void SetUp() override {
    table_ = MakeTable({MakeFamily("f", 3), MakeFamily("g")});
    region_ = OpenRegion(table_, "b", "y");
  }

  void ExpectRefused(const absl::Status& status, ErrorKind kind, std::string_view message) {
    EXPECT_TRUE(IsError(status, kind)) << status;
    EXPECT_THAT(std::string(status.message().data(), status.message().size()), HasSubstr(std::string(message)));
  }
  void ExpectRefused(const Mutation& mutation, ErrorKind kind, std::string_view message) {
    ExpectRefused(region_->Mutate(mutation).status(), kind, message);
    const Mutation* batch[] = {&mutation};
    if (mutation.type == MutationType::kPut || mutation.type == MutationType::kDelete) {
      ExpectRefused(region_->MutateBatch(batch).front(), kind, message);
    }
    EXPECT_THAT(ScanTexts(region_.get(), Scan{}), IsEmpty()) << "a refused request has changed nothing";
  }

  // Gives the region's table a limit of its own.
  void LimitCells(int64_t bytes) {
    auto table = std::make_shared<TableDescriptor>(*table_);
    table->attributes["hbase.server.keyvalue.maxsize"] = std::to_string(bytes);
    ASSERT_TRUE(region_->Alter(table).ok());
  }

  std::shared_ptr<TableDescriptor> table_;
  std::shared_ptr<Region> region_;
};

// --- Put and Get.

TEST_F(RegionTest, PutsGetTheClocksTimeUnlessTheyBringTheirOwn) {
  Apply(region_.get(), MakePut("c", {MakeCell("f:q", "now"), MakeCell("g:q", "then", 5)}));
  EXPECT_THAT(GetTexts(region_.get(), "c"), ElementsAre("c f:q @1000 now", "c g:q @5 then"));
  EXPECT_THAT(GetTexts(region_.get(), "d"), IsEmpty());
}

TEST_F(RegionTest, APutMayHoldMarkers) {
  Apply(region_.get(), MakePut("c", {MakeCell("f:a", "1"), MakeCell("f:b", "1"), MakeCell("g:a", "1")}));
  clock_.Advance(1);
  Apply(region_.get(),
        MakePut("c", {MakeCell("f:a", "2"), MakeCell("f:b", "", kLatestTimestamp, CellType::kDeleteColumn),
                      MakeCell("g:q", "", kLatestTimestamp, CellType::kDeleteFamily)}));
  EXPECT_THAT(GetTexts(region_.get(), "c"), ElementsAre("c f:a @1001 2"));
}

TEST_F(RegionTest, TheLaterPutOfOneTimestampCounts) {
  Apply(region_.get(), MakePut("c", "f:q", "first", 5));
  ASSERT_TRUE(region_->Flush().ok());
  Apply(region_.get(), MakePut("c", "f:q", "second", 5));
  EXPECT_THAT(GetTexts(region_.get(), "c", 9), ElementsAre("c f:q @5 second"));
}

TEST_F(RegionTest, GetReadsWhatItIsAskedFor) {
  for (int64_t t = 1; t <= 5; ++t) {
    Apply(region_.get(), MakePut("c", {MakeCell("f:a", "a" + std::to_string(t), t), MakeCell("f:b", "b", t),
                                       MakeCell("g:a", "g", t)}));
  }
  Get get;
  get.row = "c";
  get.columns["f"] = {"b", "a", "b"};
  EXPECT_THAT(GetTexts(region_.get(), get), ElementsAre("c f:a @5 a5", "c f:b @5 b"));
  get.columns["f"] = {"a"};
  get.max_versions = 9;
  EXPECT_THAT(GetTexts(region_.get(), get), ElementsAre("c f:a @5 a5", "c f:a @4 a4", "c f:a @3 a3"));
  get.time_range = {2, 4};
  get.columns = {{"f", {}}, {"g", {}}};
  get.family_time_ranges["g"] = {5, 6};
  get.max_versions = 1;
  EXPECT_THAT(GetTexts(region_.get(), get), ElementsAre("c f:a @3 a3", "c f:b @3 b", "c g:a @5 g"));
}

TEST_F(RegionTest, AnExistenceGetStopsAtTheFirstCell) {
  Apply(region_.get(), MakePut("c", {MakeCell("f:a", "1", 5), MakeCell("f:b", "2", 5)}));
  Get get;
  get.row = "c";
  get.existence_only = true;
  EXPECT_THAT(GetTexts(region_.get(), get), ElementsAre("c f:a @5 1"));
}

TEST_F(RegionTest, TheLimitAndOffsetOfAFamilyCountItsCells) {
  for (const char* column : {"f:a", "f:b", "f:c", "g:a", "g:b"}) Apply(region_.get(), MakePut("c", column, "v", 5));
  Get get;
  get.row = "c";
  get.store_limit = 1;
  get.store_offset = 1;
  EXPECT_THAT(GetTexts(region_.get(), get), ElementsAre("c f:b @5 v", "c g:b @5 v"));
}

TEST_F(RegionTest, GetAsksAFilter) {
  Apply(region_.get(), MakePut("c", {MakeCell("f:a", "1", 5), MakeCell("f:b", "2", 5)}));
  Get get;
  get.row = "c";
  get.filter = FilterSpec{ColumnPrefixFilterSpec{"b"}};
  EXPECT_THAT(GetTexts(region_.get(), get), ElementsAre("c f:b @5 2"));
}

TEST_F(RegionTest, ACellsOwnTimeToLiveEndsIt) {
  Mutation put = MakePut("c", "f:q", "v");
  put.ttl_ms = 100;
  Apply(region_.get(), put);
  clock_.Set(1100);
  EXPECT_THAT(GetTexts(region_.get(), "c"), ElementsAre("c f:q @1000 v"));
  clock_.Set(1101);
  EXPECT_THAT(GetTexts(region_.get(), "c"), IsEmpty());
}

// --- Delete.

TEST_F(RegionTest, AnOlderWriteDoesNotComeBackWhenACellsOwnTimeIsOver) {
  Apply(region_.get(), MakePut("c", "f:q", "old", 5));
  ASSERT_TRUE(region_->Flush().ok());
  Mutation put = MakePut("c", "f:q", "new", 5);
  put.ttl_ms = 2000;
  Apply(region_.get(), put);
  EXPECT_THAT(GetTexts(region_.get(), "c"), ElementsAre("c f:q @5 new"));
  clock_.Advance(5000);
  EXPECT_THAT(GetTexts(region_.get(), "c"), IsEmpty());
  ASSERT_TRUE(region_->Flush().ok());
  EXPECT_THAT(GetTexts(region_.get(), "c"), IsEmpty());
  ASSERT_TRUE(region_->Compact(CompactionKind::kMajor, "f").ok());
  EXPECT_THAT(GetTexts(region_.get(), "c"), IsEmpty());
}

TEST_F(RegionTest, DeletesMaskWhatTheyName) {
  for (int64_t t = 1; t <= 3; ++t) {
    Apply(region_.get(), MakePut("c", {MakeCell("f:a", "v", t), MakeCell("f:b", "v", t), MakeCell("g:a", "v", t)}));
  }
  Apply(region_.get(), MakeDelete("c", "f:a", CellType::kDelete, 3));
  Apply(region_.get(), MakeDelete("c", "f:b", CellType::kDeleteColumn, 2));
  EXPECT_THAT(GetTexts(region_.get(), "c", 9), ElementsAre("c f:a @2 v", "c f:a @1 v", "c f:b @3 v", "c g:a @3 v"));
  Apply(region_.get(), MakeDelete("c", "f", CellType::kDeleteFamilyVersion, 1));
  EXPECT_THAT(GetTexts(region_.get(), "c", 9), ElementsAre("c f:a @2 v", "c f:b @3 v", "c g:a @3 v"));
  Apply(region_.get(), MakeDelete("c", "f", CellType::kDeleteFamily, 2));
  EXPECT_THAT(GetTexts(region_.get(), "c", 9), ElementsAre("c f:b @3 v", "c g:a @3 v"));
}

TEST_F(RegionTest, ADeleteWithoutColumnsIsOfEveryFamily) {
  Apply(region_.get(), MakePut("c", {MakeCell("f:a", "v", 5), MakeCell("g:a", "v", 2000)}));
  Apply(region_.get(), MakeDelete("c", std::vector<Cell>{}));
  EXPECT_THAT(GetTexts(region_.get(), "c"), ElementsAre("c g:a @2000 v"));
}

TEST_F(RegionTest, DeletingTheLatestVersionLooksItUp) {
  for (int64_t t = 1; t <= 3; ++t) Apply(region_.get(), MakePut("c", "f:a", "v" + std::to_string(t), t));
  Apply(region_.get(), MakeDelete("c", "f:a", CellType::kDelete));
  EXPECT_THAT(GetTexts(region_.get(), "c", 9), ElementsAre("c f:a @2 v2", "c f:a @1 v1"));
  // Twice in one Delete: the latest two.
  Apply(region_.get(), MakeDelete("c", {MakeCell("f:a", "", kLatestTimestamp, CellType::kDelete),
                                        MakeCell("f:a", "", kLatestTimestamp, CellType::kDelete)}));
  EXPECT_THAT(GetTexts(region_.get(), "c", 9), IsEmpty());
  // Without a cell, the marker gets the present time.
  Apply(region_.get(), MakeDelete("c", "g:a", CellType::kDelete));
  Scan raw;
  raw.raw = true;
  raw.columns["g"] = {};
  EXPECT_THAT(ScanTexts(region_.get(), raw), ElementsAre("c g:a @1000 Delete"));
}

// --- Increment and Append.

Mutation Increment(std::string_view column, int64_t amount) {
  return MakeMutation(MutationType::kIncrement, "c", {MakeCell(column, LongBytes(amount))});
}
Mutation Append(std::string_view column, std::string_view value) {
  return MakeMutation(MutationType::kAppend, "c", {MakeCell(column, value)});
}
std::string LongText(int64_t number) { return ToStringBinary(LongBytes(number)); }

TEST_F(RegionTest, IncrementAddsToTheNewestVersion) {
  EXPECT_THAT(Apply(region_.get(), Increment("f:n", 5)), ElementsAre("c f:n @1000 " + LongText(5)));
  // The clock stands still: the new version still comes after the old one.
  EXPECT_THAT(Apply(region_.get(), Increment("f:n", -7)), ElementsAre("c f:n @1001 " + LongText(-2)));
  clock_.Set(3000);
  EXPECT_THAT(Apply(region_.get(), Increment("f:n", 0)), ElementsAre("c f:n @3000 " + LongText(-2)));
  EXPECT_THAT(GetTexts(region_.get(), "c", 9),
              ElementsAre("c f:n @3000 " + LongText(-2), "c f:n @1001 " + LongText(-2), "c f:n @1000 " + LongText(5)));
}

TEST_F(RegionTest, AnIncrementWrapsAsALongDoes) {
  Apply(region_.get(), Increment("f:n", std::numeric_limits<int64_t>::max()));
  EXPECT_THAT(Apply(region_.get(), Increment("f:n", 1)),
              ElementsAre("c f:n @1001 " + LongText(std::numeric_limits<int64_t>::min())));
}

// As in HBase, where the time after the last one is before all others: the version at the last one stays the newest.
TEST_F(RegionTest, AnIncrementAtTheEndOfTimeIsHidden) {
  constexpr int64_t kLast = std::numeric_limits<int64_t>::max();
  Apply(region_.get(), MakePut("c", "f:n", LongBytes(10), kLast - 1));
  const std::string newest = "c f:n @" + std::to_string(kLast) + " " + LongText(11);
  EXPECT_THAT(Apply(region_.get(), Increment("f:n", 1)), ElementsAre(newest));
  EXPECT_THAT(Apply(region_.get(), Increment("f:n", 1)), ElementsAre("c f:n @1000 " + LongText(12)));
  EXPECT_THAT(GetTexts(region_.get(), "c"), ElementsAre(newest));
}

TEST_F(RegionTest, AnIncrementNeedsEightBytes) {
  ExpectRefused(MakeMutation(MutationType::kIncrement, "c", {MakeCell("f:n", "1")}), ErrorKind::kDoNotRetryIO,
                "Field is not a long, it's 1 bytes wide");
  Apply(region_.get(), MakePut("c", "f:n", "four"));
  ExpectRefused(region_->Mutate(Increment("f:n", 1)).status(), ErrorKind::kDoNotRetryIO,
                "Field is not a long, it's 4 bytes wide");
}

TEST_F(RegionTest, AnIncrementsTimeRangeSaysWhichOldValuesCount) {
  Apply(region_.get(), MakePut("c", "f:n", LongBytes(40), 500));
  Mutation increment = Increment("f:n", 2);
  increment.time_range = {600, kMaxTimestamp};
  EXPECT_THAT(Apply(region_.get(), increment), ElementsAre("c f:n @1000 " + LongText(2)));
}

TEST_F(RegionTest, AnIncrementReturnsItsColumnsInOrder) {
  EXPECT_THAT(Apply(region_.get(), MakeMutation(MutationType::kIncrement, "c",
                                                {MakeCell("g:a", LongBytes(1)), MakeCell("f:b", LongBytes(2)),
                                                 MakeCell("f:a", LongBytes(3))})),
              ElementsAre("c f:a @1000 " + LongText(3), "c f:b @1000 " + LongText(2), "c g:a @1000 " + LongText(1)));
  Mutation silent = Increment("f:a", 1);
  silent.return_results = false;
  EXPECT_THAT(Apply(region_.get(), silent), IsEmpty());
  Get get;
  get.row = "c";
  get.columns["f"] = {"a"};
  EXPECT_THAT(GetTexts(region_.get(), get), ElementsAre("c f:a @1001 " + LongText(4)));
}

TEST_F(RegionTest, AnIncrementKeepsTheTimeToLive) {
  Mutation put = MakePut("c", "f:n", LongBytes(1));
  put.ttl_ms = 100;
  Apply(region_.get(), put);
  clock_.Set(1050);
  Apply(region_.get(), Increment("f:n", 1));
  clock_.Set(1150);
  EXPECT_THAT(GetTexts(region_.get(), "c"), ElementsAre("c f:n @1050 " + LongText(2)));
  clock_.Set(1151);
  EXPECT_THAT(GetTexts(region_.get(), "c"), IsEmpty());
}

TEST_F(RegionTest, AppendPutsBytesBehindTheOldOnes) {
  EXPECT_THAT(Apply(region_.get(), Append("f:a", "one")), ElementsAre("c f:a @1000 one"));
  EXPECT_THAT(Apply(region_.get(), Append("f:a", "two")), ElementsAre("c f:a @1001 onetwo"));
}

TEST_F(RegionTest, DeltasReadNoMoreThanARowMayHave) {
  Apply(region_.get(), Append("f:a", std::string(100, 'a')));
  Apply(region_.get(), Append("g:a", std::string(100, 'a')));
  const Mutation both = MakeMutation(MutationType::kAppend, "c", {MakeCell("f:a", "b"), MakeCell("g:a", "b")});
  options_.max_row_bytes = 200;
  EXPECT_TRUE(region_->Mutate(Append("f:a", "b")).ok());
  ExpectRefused(region_->Mutate(both).status(), ErrorKind::kRowTooBig, "Max row size allowed: 200");
  RowMutations one_after_the_other{"c", {Append("f:a", "b"), Append("g:a", "b")}};
  ExpectRefused(region_->Mutate(one_after_the_other).status(), ErrorKind::kRowTooBig, "Max row size allowed: 200");
  options_.max_row_bytes = 1000;
  EXPECT_TRUE(region_->Mutate(both).ok());
}

TEST_F(RegionTest, AnAppendedValueHasALimitToo) {
  LimitCells(40);
  Apply(region_.get(), Append("f:a", "0123456"));
  ExpectRefused(region_->Mutate(Append("f:a", "0123456")).status(), ErrorKind::kDoNotRetryIO,
                "Cell with size 41 exceeds limit of 40 bytes in region t,b,7.");
}

// --- Several mutations of one row.

TEST_F(RegionTest, RowMutationsAreOneOverFamilies) {
  Apply(region_.get(), MakePut("c", {MakeCell("f:old", "v", 5), MakeCell("g:n", LongBytes(1), 5)}));
  RowMutations mutations;
  mutations.row = "c";
  mutations.mutations = {MakePut("c", "f:new", "v"), MakeDelete("", "f:old", CellType::kDeleteColumn),
                         Increment("g:n", 1)};
  auto result = region_->Mutate(mutations);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(Texts(result->cells), ElementsAre("c g:n @1000 " + LongText(2)));
  EXPECT_THAT(GetTexts(region_.get(), "c"), ElementsAre("c f:new @1000 v", "c g:n @1000 " + LongText(2)));
}

TEST_F(RegionTest, ABadMutationAmongRowMutationsStopsAll) {
  RowMutations mutations;
  mutations.row = "c";
  mutations.mutations = {MakePut("c", "f:a", "v"), MakePut("c", "nosuch:a", "v")};
  ExpectRefused(region_->Mutate(mutations).status(), ErrorKind::kNoSuchColumnFamily,
                "Column family nosuch does not exist");
  mutations.mutations[1] = Increment("f:a", 1);
  mutations.mutations[1].cells[0].value = "short";
  ExpectRefused(region_->Mutate(mutations).status(), ErrorKind::kDoNotRetryIO, "Field is not a long");
  mutations.mutations[1] = MakePut("d", "f:a", "v");
  ExpectRefused(region_->Mutate(mutations).status(), ErrorKind::kDoNotRetryIO, "Action's getRow must match");
  EXPECT_THAT(ScanTexts(region_.get(), Scan{}), IsEmpty());
}

// --- Batches.

TEST_F(RegionTest, ABatchAnswersForEachMutation) {
  const std::vector<Mutation> mutations = {
      MakePut("d", "f:a", "v"),
      MakePut("a", "f:a", "v"),
      MakePut("c", "nosuch:a", "v"),
      MakePut("", "f:a", "v"),
      MakePut("c", "f:a", "v"),
      MakeDelete("c", "f:z", CellType::kDeleteColumn, 5),
      MakePut("c", std::vector<Cell>{}),
      MakePut("d", "f:a", "later"),
      Increment("f:n", 1),
  };
  std::vector<const Mutation*> batch;
  for (const Mutation& mutation : mutations) batch.push_back(&mutation);
  const auto statuses = region_->MutateBatch(batch);
  ASSERT_EQ(statuses.size(), mutations.size());
  for (size_t fine : {0, 4, 5, 7}) EXPECT_TRUE(statuses[fine].ok()) << statuses[fine];
  ExpectRefused(statuses[1], ErrorKind::kWrongRegion, "Requested row out of range for batchMutate on HRegion t,b,7.");
  ExpectRefused(statuses[2], ErrorKind::kNoSuchColumnFamily, "nosuch");
  ExpectRefused(statuses[3], ErrorKind::kIllegalArgument, "Row length is 0");
  ExpectRefused(statuses[6], ErrorKind::kIllegalArgument, "No columns to insert");
  ExpectRefused(statuses[8], ErrorKind::kUnsupportedOperation, "puts and deletes");
  EXPECT_THAT(ScanTexts(region_.get(), Scan{}), ElementsAre("c f:a @1000 v", "d f:a @1000 later"));
  EXPECT_EQ(region_->Metrics().write_requests, 4);
}

TEST_F(RegionTest, AnUnloggedBatchIsReadBackToo) {
  Mutation put = MakePut("c", "f:a", "v");
  put.durability = Durability::kSkipWal;
  const Mutation* batch[] = {&put};
  EXPECT_TRUE(region_->MutateBatch(batch).front().ok());
  EXPECT_THAT(GetTexts(region_.get(), "c"), ElementsAre("c f:a @1000 v"));
}

// --- What is refused.

TEST_F(RegionTest, RowsHaveALength) {
  ExpectRefused(MakePut("", "f:a", "v"), ErrorKind::kIllegalArgument, "Row length is 0");
  ExpectRefused(MakePut(std::string(32768, 'c'), "f:a", "v"), ErrorKind::kIllegalArgument,
                "Row length 32768 is > 32767");
  Apply(region_.get(), MakePut(std::string(32767, 'c'), "f:a", "v"));
  EXPECT_THAT(GetTexts(region_.get(), std::string(32767, 'c')), ::testing::SizeIs(1));
  CellBlock cells;
  ExpectRefused(region_->Get(Get{}, &cells), ErrorKind::kIllegalArgument, "Row length is 0");
}

TEST_F(RegionTest, RowsOutsideTheRegionAreRefused) {
  ExpectRefused(MakePut("a", "f:a", "v"), ErrorKind::kWrongRegion, "', getEndKey()='y', row='a'");
  ExpectRefused(MakePut("y", "f:a", "v"), ErrorKind::kWrongRegion, "startKey='b'");
  Get get;
  get.row = "y";
  CellBlock cells;
  ExpectRefused(region_->Get(get, &cells), ErrorKind::kWrongRegion, "Requested row out of range for Get on HRegion");
}

TEST_F(RegionTest, UnknownFamiliesAreRefused) {
  ExpectRefused(MakePut("c", "x:a", "v"), ErrorKind::kNoSuchColumnFamily,
                "Column family x does not exist in region t,b,7.");
  ExpectRefused(MakeDelete("c", "x:a", CellType::kDelete), ErrorKind::kNoSuchColumnFamily, " in table 't'");
  ExpectRefused(MakeMutation(MutationType::kIncrement, "c", {MakeCell("x:a", LongBytes(1))}),
                ErrorKind::kNoSuchColumnFamily, "x");
  Get get;
  get.row = "c";
  get.columns["x"] = {};
  CellBlock cells;
  ExpectRefused(region_->Get(get, &cells), ErrorKind::kNoSuchColumnFamily, "Column family x");
  Scan scan;
  scan.columns["x"] = {};
  ExpectRefused(region_->NewScanner(scan).status(), ErrorKind::kNoSuchColumnFamily, "Column family x");
}

TEST_F(RegionTest, CellsHaveASize) {
  LimitCells(100);
  Apply(region_.get(), MakePut("c", "g:a", std::string(73, 'v')));  // 24 + 1 + 1 + 1 + 73
  Apply(region_.get(), MakeDelete("c", std::vector<Cell>{}));
  ExpectRefused(MakePut("c", "g:a", std::string(74, 'v')), ErrorKind::kDoNotRetryIO,
                "Cell[c/g:a/LATEST_TIMESTAMP/Put/vlen=74/seqid=0] with size 101 exceeds limit of 100 bytes");
}

// A cell that the limit once allowed can still be deleted after that was lowered.
TEST_F(RegionTest, DeletesMayBeLargerThanCells) {
  LimitCells(100);
  Apply(region_.get(), MakeDelete("c", "g:" + std::string(1000, 'q'), CellType::kDeleteColumn));
  const Mutation huge = MakeDelete("c", "g:" + std::string(10 * kMiB, 'q'), CellType::kDeleteColumn);
  EXPECT_TRUE(IsError(region_->Mutate(huge).status(), ErrorKind::kDoNotRetryIO));
  LimitCells(0);
  Apply(region_.get(), huge);
}

TEST_F(RegionTest, MalformedMutationsAreRefused) {
  ExpectRefused(MakePut("c", "f:a", "v", -1), ErrorKind::kIllegalArgument, "Timestamp cannot be negative. ts=-1");
  ExpectRefused(MakePut("c", std::vector<Cell>{}), ErrorKind::kIllegalArgument, "No columns to insert");
  ExpectRefused(MakeMutation(MutationType::kAppend, "c", {}), ErrorKind::kIllegalArgument, "no columns specified");
  ExpectRefused(MakeMutation(MutationType::kAppend, "c", {MakeCell("f:a", "", 5, CellType::kDelete)}),
                ErrorKind::kDoNotRetryIO, "cannot hold a cell of type Delete");
  ExpectRefused(MakeDelete("c", "f:a", CellType::kPut), ErrorKind::kDoNotRetryIO, "cannot hold a cell of type Put");
}

TEST_F(RegionTest, AReadOnlyTableTakesNoWrites) {
  auto table = std::make_shared<TableDescriptor>(*table_);
  table->read_only = true;
  ASSERT_TRUE(region_->Alter(table).ok());
  ExpectRefused(MakePut("c", "f:a", "v"), ErrorKind::kDoNotRetryIO, "region is read only");
}

TEST_F(RegionTest, AFullMemstoreMakesTheRegionTooBusy) {
  options_.memstore_flush_bytes = 64 * kKiB;
  options_.memstore_block_multiplier = 2;
  auto table = std::make_shared<TableDescriptor>(*table_);
  auto busy = OpenRegion(table, "y", "");
  absl::Status status;
  int puts = 0;
  while (status.ok() && puts < 1000)
    status = busy->Mutate(MakePut("z" + std::to_string(++puts), "f:a", std::string(1000, 'v'))).status();
  EXPECT_GT(puts, 100);
  ExpectRefused(status, ErrorKind::kRegionTooBusy,
                "Over memstore limit=128.0 K, regionName=" + busy->info().EncodedName() + ", server=unknown");
  EXPECT_TRUE(busy->NeedsFlush());
  ASSERT_TRUE(busy->Flush().ok());
  EXPECT_FALSE(busy->NeedsFlush());
  EXPECT_TRUE(busy->Mutate(MakePut("z", "f:a", "v")).ok());
}

TEST_F(RegionTest, AClosedRegionServesNothing) {
  Apply(region_.get(), MakePut("c", "f:a", "v"));
  auto scanner = region_->NewScanner(Scan{});
  ASSERT_TRUE(scanner.ok());
  ASSERT_TRUE(region_->Close().ok());
  EXPECT_TRUE(region_->closed());
  CellBlock cells;
  ResultBatch batch;
  Get get;
  get.row = "c";
  const Mutation put = MakePut("c", "f:a", "v");
  const Mutation* mutations[] = {&put};
  for (const absl::Status& status :
       {region_->Get(get, &cells), region_->Mutate(put).status(), region_->MutateBatch(mutations).front(),
        region_->NewScanner(Scan{}).status(), (*scanner)->Next({}, &batch).status(), region_->Close()}) {
    ExpectRefused(status, ErrorKind::kNotServingRegion, "t,b,7.");
  }
}

// --- Upkeep.

TEST_F(RegionTest, MetricsCountRequestsAndFiles) {
  for (int i = 0; i < 10; ++i)
    Apply(region_.get(), MakePut("c" + std::to_string(i), {MakeCell("f:a", "v"), MakeCell("g:a", "v")}));
  ASSERT_TRUE(region_->Flush().ok());
  GetTexts(region_.get(), "c1");
  GetTexts(region_.get(), "nothing");
  ScanTexts(region_.get(), Scan{});
  const RegionMetrics metrics = region_->Metrics();
  EXPECT_EQ(metrics.info, region_->info());
  EXPECT_EQ(metrics.write_requests, 10);
  EXPECT_EQ(metrics.read_requests, 12);
  EXPECT_EQ(metrics.filtered_read_requests, 1);
  EXPECT_EQ(metrics.store_files, 2);
  EXPECT_GT(metrics.store_file_bytes, 0);
  EXPECT_EQ(metrics.memstore_bytes, 0);
  ASSERT_EQ(metrics.stores.size(), 2u);
  EXPECT_EQ(metrics.stores[1].family, "g");
}

TEST_F(RegionTest, AMajorCompactionOfOneFamilyLeavesTheOther) {
  for (int i = 0; i < 2; ++i) {
    Apply(region_.get(), MakePut("c", {MakeCell("f:a", "v"), MakeCell("g:a", "v")}));
    ASSERT_TRUE(region_->Flush().ok());
  }
  auto ran = region_->Compact(CompactionKind::kMajor, "g");
  ASSERT_TRUE(ran.ok()) << ran.status();
  EXPECT_TRUE(*ran);
  const RegionMetrics metrics = region_->Metrics();
  EXPECT_EQ(metrics.stores[0].metrics.store_files, 2);
  EXPECT_EQ(metrics.stores[1].metrics.store_files, 1);
  ExpectRefused(region_->Compact(CompactionKind::kMajor, "x").status(), ErrorKind::kNoSuchColumnFamily, "x");
}

TEST_F(RegionTest, AnAlterGoesOnWhereOneBeforeItFailed) {
  auto table = MakeTable({MakeFamily("f"), MakeFamily("g"), MakeFamily("h"), MakeFamily("i")});
  std::vector<StoreSpec> specs = Region::StoreSpecs(region_->info(), *table, options_);
  ASSERT_TRUE(db_->Create({specs[2]}).ok());  // that of "h"
  ASSERT_TRUE(region_->Alter(table).ok());
  Apply(region_.get(), MakePut("c", {MakeCell("h:q", "1", 5), MakeCell("i:q", "2", 5)}));
  EXPECT_THAT(GetTexts(region_.get(), "c"), ElementsAre("c h:q @5 1", "c i:q @5 2"));
}

TEST_F(RegionTest, SettingsOfATableAndAFamilyHoldAtOnceAfterAnAlter) {
  const auto flush = [this](const std::string& row) {
    Apply(region_.get(), MakePut(row, "f:a", "v", 1));
    ASSERT_TRUE(region_->Flush().ok());
  };
  flush("c");
  flush("d");
  const auto compacts = [this] { return *region_->Compact(CompactionKind::kMinor, "f"); };
  EXPECT_FALSE(compacts()) << "the server's hbase.hstore.compaction.min is 3";
  auto table = MakeTable({MakeFamily("f"), MakeFamily("g")});
  table->attributes["hbase.hstore.compaction.min"] = "2";
  table->families["f"].configuration["hbase.hstore.compaction.min"] = "4";
  ASSERT_TRUE(region_->Alter(table).ok());
  flush("c");
  EXPECT_FALSE(compacts()) << "the family's own rules over its table's";
  table = std::make_shared<TableDescriptor>(*table);
  table->families["f"].configuration.clear();
  table->attributes["hbase.hregion.memstore.flush.size"] = "1000";
  table->attributes["hbase.hregion.memstore.block.multiplier"] = "2";
  ASSERT_TRUE(region_->Alter(table).ok());
  EXPECT_TRUE(compacts());

  Apply(region_.get(), MakePut("c", "f:a", std::string(1100, 'v'), 1));
  EXPECT_TRUE(region_->NeedsFlush());
  Apply(region_.get(), MakePut("d", "f:a", std::string(1100, 'v'), 1));
  ExpectRefused(region_->Mutate(MakePut("d", "f:a", "v")).status(), ErrorKind::kRegionTooBusy, "Over memstore limit=");
}

TEST_F(RegionTest, AlterAddsDropsAndChangesFamilies) {
  for (int64_t t = 1; t <= 5; ++t)
    Apply(region_.get(), MakePut("c", {MakeCell("f:a", "v", t), MakeCell("g:a", "v", t)}));
  auto scanner = region_->NewScanner(Scan{});
  ASSERT_TRUE(scanner.ok());
  ASSERT_TRUE(region_->Alter(MakeTable({MakeFamily("e"), MakeFamily("f", 1)})).ok());
  EXPECT_THAT(GetTexts(region_.get(), "c", 9), ElementsAre("c f:a @5 v"));
  Apply(region_.get(), MakePut("c", "e:a", "new", 1));
  EXPECT_THAT(GetTexts(region_.get(), "c", 9), ElementsAre("c e:a @1 new", "c f:a @5 v"));
  ExpectRefused(region_->Mutate(MakePut("c", "g:a", "v")).status(), ErrorKind::kNoSuchColumnFamily, "Column family g");
  EXPECT_EQ(db_->Find(Region::StoreName(region_->info().EncodedName(), "g")), nullptr);
  // An open scanner still reads what was there.
  ResultBatch batch;
  ASSERT_TRUE((*scanner)->Next({}, &batch).ok());
  EXPECT_THAT(Texts(batch.cells), ElementsAre("c f:a @5 v", "c g:a @5 v"));
}

// The server missed the change between.
TEST_F(RegionTest, AFamilyThatWasRemovedAndAddedBeginsEmpty) {
  Apply(region_.get(), MakePut("c", {MakeCell("f:a", "v", 1), MakeCell("g:a", "old", 1)}));
  FamilyDescriptor again = MakeFamily("g");
  again.generation.added_ms = 5;
  ASSERT_TRUE(region_->Alter(MakeTable({MakeFamily("f"), again})).ok());
  EXPECT_THAT(GetTexts(region_.get(), "c", 9), ElementsAre("c f:a @1 v"));
  Apply(region_.get(), MakePut("c", "g:a", "new", 1));
  EXPECT_THAT(GetTexts(region_.get(), "c", 9), ElementsAre("c f:a @1 v", "c g:a @1 new"));
  const std::string name = region_->info().EncodedName();
  EXPECT_EQ(db_->Find(Region::StoreName(name, "g")), nullptr);
  ASSERT_TRUE(region_->Compact(CompactionKind::kMajor, "g").ok());
  EXPECT_EQ(db_->Find(Region::StoreName(name, again))->StoreFileCount(), 0) << "only its memstore";
}

TEST_F(RegionTest, ManyRegionsAreCreatedAtOnceAndFoundAgain) {
  std::vector<RegionInfo> infos;
  for (int i = 0; i < 20; ++i) {
    infos.push_back({table_->name, "k" + std::to_string(100 + i), "k" + std::to_string(101 + i), 9});
  }
  {
    auto regions = Region::CreateAll(db_.get(), infos, table_);
    ASSERT_TRUE(regions.ok()) << regions.status();
    ASSERT_EQ(regions->size(), 20u);
    Apply((*regions)[3].get(), MakePut("k103", "f:a", "v"));
    region_.reset();
  }
  ReopenDatabase(*table_, infos);
  auto region = Region::Open(db_.get(), infos[3], table_);
  ASSERT_TRUE(region.ok()) << region.status();
  EXPECT_THAT(GetTexts(region->get(), "k103"), ElementsAre("k103 f:a @1000 v"));
}

}  // namespace
}  // namespace vaquita
