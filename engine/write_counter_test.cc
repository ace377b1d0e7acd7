// The numbers of writes, in the stores' files and memtables.
#include "engine/write_counter.h"

#include <memory>
#include <string>
#include <vector>

#include "engine/cells/cell_key.h"
#include "engine/testing/store_db_fixture.h"
#include "gmock/gmock.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;

class WriteCounterTest : public StoreDbFixture {
 protected:
  std::shared_ptr<Store> CreateNumbered(const std::string& name) { return Create(name, {}, Family()); }
  static FamilyDescriptor Family() {
    FamilyDescriptor family{.name = "f"};
    family.attributes["NEW_VERSION_BEHAVIOR"] = "true";
    return family;
  }

  void PutRows(const std::shared_ptr<Store>& store, const std::vector<std::string>& rows, WriteOrder order) {
    StoreBatch batch(order);
    for (const std::string& row : rows) batch.Add(*store, row, "q", 1, CellType::kPut, "v");
    const absl::Status status = db_->Write(&batch, Durability::kSyncWal);
    ASSERT_TRUE(status.ok()) << status;
  }
  void PutRow(const std::shared_ptr<Store>& store, const std::string& row) {
    PutRows(store, {row}, WriteOrder::kKnown);
  }

  // Returns the numbers of all cells, in the order of their rows.
  std::vector<int64_t> Numbers(const std::shared_ptr<Store>& store) {
    std::vector<std::unique_ptr<rocksdb::Iterator>> iterators;
    EXPECT_TRUE(db_->NewIterators({{store}}, {}, &iterators).ok());
    std::vector<int64_t> numbers;
    for (iterators[0]->SeekToFirst(); iterators[0]->Valid(); iterators[0]->Next()) {
      numbers.push_back(StoredWriteNumber(iterators[0]->value().ToStringView()));
    }
    return numbers;
  }
};

TEST_F(WriteCounterTest, CellsOfOneWriteHaveOneNumberAndStoresShareTheCounter) {
  const auto a = CreateNumbered("a/f"), b = CreateNumbered("b/f");
  PutRows(a, {"r1", "r2"}, WriteOrder::kKnown);
  PutRow(b, "r1");
  PutRow(a, "r3");
  EXPECT_THAT(Numbers(a), ElementsAre(1, 1, 3));
  EXPECT_THAT(Numbers(b), ElementsAre(2));
}

TEST_F(WriteCounterTest, OtherFamiliesAndCopiesWithoutTheirOrderHaveNoNumbers) {
  const auto plain = Create("a/f"), numbered = CreateNumbered("b/f");
  PutRow(plain, "r");
  PutRows(numbered, {"r"}, WriteOrder::kLost);
  EXPECT_THAT(Numbers(plain), ElementsAre(0));
  EXPECT_THAT(Numbers(numbered), ElementsAre(0));
}

TEST_F(WriteCounterTest, GoesOnAboveFilesAndLogsAfterAReopen) {
  auto store = CreateNumbered("a/f");
  PutRow(store, "r1");
  Flush(store);
  store.reset();
  Reopen();
  store = db_->Find("a/f");
  PutRow(store, "r2");  // above the file's
  store.reset();
  Reopen();
  store = db_->Find("a/f");
  PutRow(store, "r3");  // above the log's
  EXPECT_THAT(Numbers(store), ElementsAre(1, 2, 3));
}

TEST_F(WriteCounterTest, GoesOnAboveAStoreOfAnotherDatabase) {
  auto store = CreateNumbered("a/f");
  for (int row = 0; row < 10; ++row) PutRow(store, "r" + std::to_string(row));
  Flush(store);
  const std::string folder = path_ + "/outside";
  const auto files = db_->Export(store, folder);
  ASSERT_TRUE(files.ok()) << files.status();
  store.reset();

  db_.reset();
  auto other = StoreDb::Open({path_ + "/other", &options_, &clock_}, Resolver());
  ASSERT_TRUE(other.ok()) << other.status();
  db_ = *std::move(other);
  const auto own = CreateNumbered("b/f");
  PutRow(own, "r");
  const auto moved = db_->Import({{Spec("a/f", {}, Family()), folder, *files}});
  ASSERT_TRUE(moved.ok()) << moved.status();
  PutRow(moved->front(), "s");
  EXPECT_THAT(Numbers(own), ElementsAre(1));
  EXPECT_THAT(Numbers(moved->front()), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
}

}  // namespace
}  // namespace vaquita
