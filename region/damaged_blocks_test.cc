// A region answers CorruptHFileException where a store file's block is damaged, whatever was asked; never an
// empty row, a shorter one, or a change that was decided by one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "engine/nonce_store.h"
#include "region/testing/region_harness.h"

namespace vaquita {
namespace {

using namespace vaquita::testing;  // NOLINT

constexpr Nonce kNonce{1, 1};

::testing::AssertionResult IsCorrupt(const absl::Status& status) {
  if (IsError(status, ErrorKind::kCorruptHFile) && !IsRetryable(status)) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << status;
}

// Row "r" has f:q and g:q in files; that of f is damaged. Row "s" is in the memstore.
class DamagedBlocksTest : public RegionHarness {
 protected:
  void SetUp() override {
    region_ = OpenRegion(table_);
    ASSERT_TRUE(region_->Mutate(MakePut("r", {MakeCell("f:q", "v"), MakeCell("g:q", "v")}), kNonce).ok());
    ASSERT_TRUE(region_->Flush().ok());
    DamageFileOf("f");
    Apply(region_.get(), MakePut("s", {MakeCell("f:q", "v"), MakeCell("g:q", "v")}));
  }

  // Flips a byte of the only block of the family's only file, as after a restart.
  void DamageFileOf(std::string_view family) {
    DamageFileOfStore(Region::StoreName(region_->info().EncodedName(), family));
  }
  void DamageFileOfStore(std::string_view name) {
    const RegionInfo info = region_->info();
    const std::string path = folder_.path() + "/db/" + db_->Find(name)->Files().at(0).name;
    region_.reset();
    db_.reset();
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    constexpr int kInsideTheBlock = 10;
    char byte = 0;
    file.seekg(kInsideTheBlock).get(byte);
    file.seekp(kInsideTheBlock).put(static_cast<char>(byte ^ 1));
    file.close();
    ReopenDatabase(*table_, {info});
    region_ = OpenRegion(table_);
  }

  absl::Status GetFrom(std::string_view family, const std::optional<FilterSpec>& filter = std::nullopt) {
    Get get;
    get.row = "r";
    if (!family.empty()) get.columns[std::string(family)] = {};
    get.filter = filter;
    CellBlock cells;
    return region_->Get(get, &cells);
  }
  absl::Status NextOf(Scan scan, bool reversed) {
    scan.reversed = reversed;
    ResultBatch batch;
    return region_->NewScanner(scan).value()->Next({}, &batch).status();
  }

  std::shared_ptr<TableDescriptor> table_ = MakeTable({MakeFamily("f"), MakeFamily("g")});
  std::shared_ptr<Region> region_;
};

TEST_F(DamagedBlocksTest, GetsAndScansFail) {
  EXPECT_TRUE(IsCorrupt(GetFrom("")));
  EXPECT_TRUE(IsCorrupt(GetFrom("f")));
  EXPECT_TRUE(GetFrom("g").ok());
  EXPECT_TRUE(IsCorrupt(GetFrom("", FilterSpec{KeyOnlyFilterSpec{}})));
  for (const bool reversed : {false, true}) {
    Scan scan;
    EXPECT_TRUE(IsCorrupt(NextOf(scan, reversed)));
    scan.filter = FilterSpec{FirstKeyOnlyFilterSpec{}};
    EXPECT_TRUE(IsCorrupt(NextOf(scan, reversed)));
    Scan of_other_family;
    of_other_family.columns["g"] = {};
    EXPECT_TRUE(NextOf(of_other_family, reversed).ok());
  }
}

TEST_F(DamagedBlocksTest, AScannerThatFailedGoesOnFailing) {
  const auto scanner = region_->NewScanner(Scan{}).value();
  for (int i = 0; i < 3; ++i) {
    ResultBatch batch;
    EXPECT_TRUE(IsCorrupt(scanner->Next({}, &batch).status())) << i;
  }
}

TEST_F(DamagedBlocksTest, ChangesThatReadFirstFail) {
  for (const MutationType type : {MutationType::kIncrement, MutationType::kAppend}) {
    EXPECT_TRUE(IsCorrupt(region_->Mutate(MakeMutation(type, "r", {MakeCell("f:q", LongBytes(1))})).status()));
  }
  const Mutation newest = MakeDelete("r", "f:q", CellType::kDelete);
  EXPECT_TRUE(IsCorrupt(region_->Mutate(newest).status()));
  const Mutation* const batch[] = {&newest};
  EXPECT_TRUE(IsCorrupt(region_->MutateBatch(batch).front()));

  vaquita::CheckAndMutate check;
  check.row = "r";
  check.family = "f";
  check.qualifier = "q";  // is it absent?
  check.mutations = {MakePut("r", "g:done", "yes")};
  EXPECT_TRUE(IsCorrupt(region_->CheckAndMutate(check).status()));
  EXPECT_TRUE(IsCorrupt(region_->MutateRows(check.mutations, {&check, 1}).status()));
  EXPECT_TRUE(GetFrom("g").ok());
  Scan scan;
  scan.columns["g"] = {"done"};
  EXPECT_THAT(ScanTexts(region_.get(), scan), ::testing::IsEmpty());
}

TEST_F(DamagedBlocksTest, ANonceThatCannotBeReadIsNotOneThatIsNew) {
  ASSERT_TRUE(db_->Flush({{db_->nonces()->store()}}).ok());
  EXPECT_TRUE(region_->FindEarlier("r", kNonce, Region::Done::kBeforeItsOpening)->has_value());
  DamageFileOfStore(NonceStore::kName);
  EXPECT_TRUE(IsCorrupt(region_->FindEarlier("r", kNonce, Region::Done::kBeforeItsOpening).status()));
}

TEST_F(DamagedBlocksTest, ACompactionFailsAndTheRegionServesOn) {
  ASSERT_TRUE(region_->Flush().ok());
  EXPECT_TRUE(IsCorrupt(region_->Compact(CompactionKind::kMajor, "f").status()));
  EXPECT_TRUE(region_->Compact(CompactionKind::kMajor, "g").ok());
  Apply(region_.get(), MakePut("t", {MakeCell("f:q", "v"), MakeCell("g:q", "v")}));
  ASSERT_TRUE(region_->Flush().ok());
  EXPECT_TRUE(GetFrom("g").ok());
  EXPECT_TRUE(IsCorrupt(GetFrom("f")));
}

}  // namespace
}  // namespace vaquita
