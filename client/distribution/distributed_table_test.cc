// Reads and writes of distributed rows, against a real server.
#include "client/distribution/distributed_table.h"

#include "base/big_endian.h"
#include "client/testing/test_cluster.h"

namespace vaquita::client {
namespace {

using testing::DeleteRow;
using ::testing::ElementsAre;
using testing::GetRow;
using testing::HasKind;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pointee;
using testing::Put;
using ::testing::SizeIs;
using testing::TableOf;
using testing::Texts;

std::string Long(int64_t value) {
  std::string bytes;
  AppendBigEndian(static_cast<uint64_t>(value), &bytes);
  return bytes;
}

class DistributedTableTest : public testing::EachTransport {
 protected:
  // A table whose descriptor says how its keys are distributed.
  std::unique_ptr<Table> CreateDistributed(const std::string& name, const std::string& distributor) {
    TableDescriptor descriptor = TableOf(name);
    descriptor.families["f"].max_versions = 3;
    StoreDistributor(**ParseRowKeyDistributor(distributor), &descriptor);
    EXPECT_TRUE(admin()->CreateTable(descriptor, {"\2", "\4"}).ok());
    auto table = OpenDistributedTable(*connection_, descriptor.name);
    EXPECT_TRUE(table.ok()) << table.status();
    return *std::move(table);
  }
};

TEST_P(DistributedTableTest, EveryDistributorReadsWhatItWrote) {
  int number = 0;
  for (const char* distributor :
       {"Identity()", "OneBytePrefix(5)", "HashPrefix(OneByteSimpleHash(5))", "BitReversal()"}) {
    SCOPED_TRACE(distributor);
    auto table = CreateDistributed("t" + std::to_string(++number), distributor);
    ASSERT_OK(table->Mutate(Put("row", "q", "v")).status());
    ASSERT_OK(table->Mutate(Put("other", "q", "w")).status());
    const auto got = table->Get(GetRow("row"));
    ASSERT_OK(got.status());
    EXPECT_THAT(Texts(got->cells), ElementsAre("row/f:q=v"));
    EXPECT_TRUE(*table->Exists(GetRow("row")));
    EXPECT_FALSE(*table->Exists(GetRow("nothing")));

    ASSERT_OK(table->Mutate(DeleteRow("row")).status());
    EXPECT_THAT(Texts(table->Get(GetRow("row"))->cells), IsEmpty());
    EXPECT_THAT(Texts(table->Get(GetRow("other"))->cells), ElementsAre("other/f:q=w"));
  }
}

TEST_P(DistributedTableTest, TheTableItselfHasTheDistributedKeys) {
  auto table = CreateDistributed("t", "HashPrefix(OneByteSimpleHash(5))");
  const RowKeyDistributorPtr distributor = *ParseRowKeyDistributor("HashPrefix(OneByteSimpleHash(5))");
  ASSERT_OK(table->Mutate(Put("row", "q", "v")).status());
  EXPECT_EQ(Rows(ScanAll(*Open("t"))), std::vector<std::string>{distributor->DistributedKey("row")});
  EXPECT_TRUE(table->LocateRow("row")->info.ContainsRow(distributor->DistributedKey("row")));
  EXPECT_THAT(*table->RegionLocations(), SizeIs(3));
}

TEST_P(DistributedTableTest, ABatchHasAnOutcomePerActionInOrder) {
  for (const char* distributor : {"OneBytePrefix(5)", "HashPrefix(OneByteSimpleHash(5))"}) {
    auto table = CreateDistributed(distributor[0] == 'O' ? "a" : "b", distributor);
    const std::vector<Action> puts = {Put("r1", "q", "1"), Put("r2", "q", "2", "nosuch"), Put("r3", "q", "3")};
    const std::vector<ActionResult> put = table->Batch(puts);
    ASSERT_OK(put[0].status);
    EXPECT_THAT(put[1].status, HasKind(ErrorKind::kNoSuchColumnFamily));
    ASSERT_OK(put[2].status);
    const std::vector<Action> gets = {GetRow("r3"), DeleteRow("r1"), GetRow("r2"), GetRow("r3")};
    const std::vector<ActionResult> got = table->Batch(gets);
    ASSERT_THAT(got, SizeIs(4));
    EXPECT_THAT(Texts(got[0].result.cells), ElementsAre("r3/f:q=3"));
    EXPECT_THAT(got[2].result.cells, IsEmpty());
    EXPECT_THAT(Texts(got[3].result.cells), ElementsAre("r3/f:q=3"));
    EXPECT_FALSE(*table->Exists(GetRow("r1")));
  }
}

TEST_P(DistributedTableTest, WithAComputableRowEverythingCanBeDone) {
  auto table = CreateDistributed("t", "HashPrefix(OneByteSimpleHash(5))");
  Mutation increment = Put("r", "n", Long(5));
  increment.type = MutationType::kIncrement;
  ASSERT_OK(table->Mutate(increment).status());
  const auto incremented = table->Mutate(increment);
  ASSERT_OK(incremented.status());
  EXPECT_THAT(incremented->Value("f", "n"), Pointee(Long(10)));
  EXPECT_EQ(incremented->cells[0].row, "r");

  CheckAndMutate check{.row = "r", .family = "f", .qualifier = "q", .mutations = {Put("r", "q", "1")}};
  EXPECT_TRUE(table->CheckAndMutate(check)->processed);
  EXPECT_FALSE(table->CheckAndMutate(check)->processed);
  CheckAndMutate filtered{.row = "r", .mutations = {DeleteRow("r")}};
  filtered.filter = FilterSpec{PrefixFilterSpec{"x"}};
  EXPECT_FALSE(table->CheckAndMutate(filtered)->processed);
  filtered.filter = FilterSpec{PrefixFilterSpec{"r"}};
  EXPECT_TRUE(table->CheckAndMutate(filtered)->processed);

  ASSERT_OK(table->MutateRow({"r", {Put("r", "a", "1"), Put("r", "b", "2")}}).status());
  EXPECT_THAT(Texts(table->Get(GetRow("r"))->cells), ElementsAre("r/f:a=1", "r/f:b=2"));
}

TEST_P(DistributedTableTest, WithoutItWhatNeedsTheOneRowIsRefused) {
  auto table = CreateDistributed("t", "OneBytePrefix(5)");
  Mutation increment = Put("r", "n", Long(5));
  increment.type = MutationType::kIncrement;
  const absl::Status refused = table->Mutate(increment).status();
  EXPECT_THAT(refused, HasKind(ErrorKind::kIllegalArgument));
  EXPECT_THAT(
      refused.message(),
      HasSubstr("an increment needs to know its row, and with OneBytePrefix(5) the key does not tell which row it "
                "is; use HashPrefix(OneByteSimpleHash(5)) instead"));
  EXPECT_THAT(table->CheckAndMutate({.row = "r", .mutations = {DeleteRow("r")}}).status(),
              HasKind(ErrorKind::kIllegalArgument));
  EXPECT_THAT(table->MutateRow({"r", {Put("r", "a", "1"), DeleteRow("r")}}).status(),
              HasKind(ErrorKind::kIllegalArgument));
  EXPECT_THAT(table->LocateRow("r").status(), HasKind(ErrorKind::kIllegalArgument));
  ASSERT_OK(table->MutateRow({"r", {Put("r", "a", "1"), Put("r", "b", "2")}}).status());
  EXPECT_THAT(Texts(table->Get(GetRow("r"))->cells), ElementsAre("r/f:a=1", "r/f:b=2"));
}

Mutation PutAt(int64_t timestamp_ms, std::string_view qualifier, std::string_view value) {
  Mutation put = Put("r", qualifier, value);
  put.cells[0].timestamp_ms = timestamp_ms;
  return put;
}

TEST_P(DistributedTableTest, ARowThatIsInSeveralBucketsIsReadAsOne) {
  auto table = CreateDistributed("t", "OneBytePrefix(4)");
  for (const Mutation& put : {PutAt(3, "q", "three"), PutAt(1, "q", "one"), PutAt(2, "q", "two"), PutAt(9, "a", "x")}) {
    ASSERT_OK(table->Mutate(put).status());
  }
  EXPECT_THAT(Texts(table->Get(GetRow("r"))->cells), ElementsAre("r/f:a=x", "r/f:q=three"));
  Get versions = GetRow("r");
  versions.max_versions = 2;
  EXPECT_THAT(Texts(table->Get(versions)->cells), ElementsAre("r/f:a=x", "r/f:q=three", "r/f:q=two"));
  EXPECT_THAT(testing::ScanTexts(*table, {}), ElementsAre("r/f:a=x r/f:q=three "));
  Scan scan;
  scan.max_versions = 10;
  scan.limit = 1;
  EXPECT_THAT(testing::ScanTexts(*table, scan), ElementsAre("r/f:a=x r/f:q=three r/f:q=two r/f:q=one "));

  ASSERT_OK(table->Mutate(DeleteRow("r")).status());
  EXPECT_FALSE(*table->Exists(GetRow("r")));
}

TEST_P(DistributedTableTest, ABufferedMutatorTakesWhatDistributeMutationMakes) {
  auto table = CreateDistributed("t", "OneBytePrefix(3)");
  const RowKeyDistributorPtr distributor = *ParseRowKeyDistributor("OneBytePrefix(3)");
  const auto mutate = [&](const Mutation& mutation) {
    auto mutator = connection_->GetBufferedMutator(table->name(), {});
    const auto parts = DistributeMutation(*distributor, mutation);
    ASSERT_OK(parts.status());
    for (const Mutation& part : *parts) ASSERT_OK(mutator->Mutate(part));
    ASSERT_OK(mutator->Close());
  };
  mutate(Put("r1", "q", "v"));
  mutate(Put("r2", "q", "v"));
  EXPECT_TRUE(*table->Exists(GetRow("r1")));
  mutate(DeleteRow("r1"));
  EXPECT_EQ(Rows(ScanAll(*table)), std::vector<std::string>{"r2"});
}

TEST_P(DistributedTableTest, ATableWithoutTheAttributeHasItsOwnKeys) {
  Create("t");
  auto table = OpenDistributedTable(*connection_, *TableName::Parse("t"));
  ASSERT_OK(table.status());
  ASSERT_OK((*table)->Mutate(Put("r", "q", "v")).status());
  EXPECT_EQ(Rows(ScanAll(*Open("t"))), std::vector<std::string>{"r"});
  EXPECT_FALSE(OpenDistributedTable(*connection_, *TableName::Parse("nosuch")).ok());
}

INSTANTIATE_OVER_EACH_TRANSPORT(DistributedTableTest);

}  // namespace
}  // namespace vaquita::client
