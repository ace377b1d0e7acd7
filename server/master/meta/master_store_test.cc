// The master reports its own numbers that it cannot read. Taking them for 0 would let an epoch begin anew, or a
// procedure's id be given a second time.
#include "server/master/meta/master_store.h"

#include <gmock/gmock.h>

#include "region/testing/region_harness.h"

namespace vaquita {
namespace {

using ::testing::HasSubstr;

class MasterStoreTest : public testing::RegionHarness {
 protected:
  MasterStoreTest() {
    OpenDatabase();
    region_ = *Region::OpenOrCreate(db_.get(), MasterStore::Info(), MasterStore::Descriptor());
    store_ = *MasterStore::Load(region_, &clock_);
  }
  // Later than what the store wrote.
  void Write(const std::string& row, const std::string& column, const std::string& value) {
    clock_.Advance(1'000);
    Apply(region_.get(), testing::MakePut(row, column, value));
  }
  static void ExpectUnreadable(const absl::Status& status, const std::string& value) {
    EXPECT_TRUE(IsError(status, ErrorKind::kDeserialization)) << status;
    EXPECT_THAT(status.ToString(), HasSubstr("'" + value + "'"));
  }

  std::shared_ptr<Region> region_;
  std::unique_ptr<MasterStore> store_;
};

TEST_F(MasterStoreTest, CountersThatCannotBeReadDoNotBeginAnew) {
  EXPECT_EQ(store_->NextEpoch().value(), 1);
  EXPECT_EQ(store_->NextEpoch().value(), 2);
  for (const std::string text : {"x", "2x", "99999999999999999999"}) {
    Write("cluster", "info:epoch", text);
    ExpectUnreadable(store_->NextEpoch().status(), text);
    Write("procedure", "info:next", text);
    ExpectUnreadable(store_->ReserveProcedureIds(10).status(), text);
  }
}

TEST_F(MasterStoreTest, AProcedureWithoutANumberDoesNotHideTheOthers) {
  Write("procedure/x1", "info:kind", "CreateTableProcedure");
  Write("procedure/2", "info:kind", "DeleteTableProcedure");
  const auto procedures = store_->Procedures();
  ASSERT_TRUE(procedures.ok()) << procedures.status();
  EXPECT_EQ(procedures->size(), 1u);
  EXPECT_EQ(procedures->at(2).at("kind"), "DeleteTableProcedure");
}

TEST_F(MasterStoreTest, ARestorationWithoutANumberIsAnError) {
  Write("restore/t", "info:id", "7a");
  ExpectUnreadable(MasterStore::Load(region_, &clock_).status(), "7a");
}

TEST_F(MasterStoreTest, ADescriptorEndsTheRestorationBeforeIt) {
  TableDescriptor table;
  table.name = {"default", "t"};
  ASSERT_TRUE(store_->PutRestoration(table, 7).ok());
  EXPECT_EQ((*MasterStore::Load(region_, &clock_))->restorations().size(), 1u);
  ASSERT_TRUE(store_->PutDescriptor(table).ok());
  const auto loaded = *MasterStore::Load(region_, &clock_);
  EXPECT_TRUE(loaded->restorations().empty());
  EXPECT_TRUE(loaded->descriptors().contains(table.name));
}

}  // namespace
}  // namespace vaquita
