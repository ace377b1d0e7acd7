#include <functional>

#include "absl/status/status.h"
#include "engine/testing/store_db_fixture.h"

namespace vaquita {
namespace {

// Calls `asked` when it is asked for the time.
class WatchingClock final : public Clock {
 public:
  int64_t NowMs() const override {
    if (asked) asked();
    return 1'700'000'000'000;
  }
  std::function<void()> asked;
};

class InterruptibleFilesTest : public StoreDbFixture {
 protected:
  InterruptibleFilesTest() {
    db_.reset();
    auto db = StoreDb::Open({path_, &options_, &watching_clock_}, Resolver());
    EXPECT_TRUE(db.ok()) << db.status();
    db_ = *std::move(db);
    store_ = Create("r/f");
    for (const char* row : {"a", "b", "c"}) {
      Put(store_, row, "q", 1, row);
      Flush(store_);
    }
  }
  ~InterruptibleFilesTest() override { db_.reset(); }  // before its clock

  // Holds the compactions of the store as soon as one runs: its callbacks ask for the time.
  void HoldTheNextCompaction() {
    watching_clock_.asked = [this] {
      if (store_->Metrics().compacting) store_->HoldCompactions(true);
    };
  }

  WatchingClock watching_clock_;
  std::shared_ptr<Store> store_;
};

TEST_F(InterruptibleFilesTest, ACompactionThatRunsEndsWithoutEffect) {
  HoldTheNextCompaction();
  const auto ran = db_->Compact(store_, CompactionKind::kMajor);
  EXPECT_TRUE(absl::IsCancelled(ran.status())) << ran.status();
  EXPECT_EQ(store_->Files().size(), 3u);
  EXPECT_EQ(Cells(store_).size(), 3u);

  watching_clock_.asked = nullptr;
  EXPECT_FALSE(Compact(store_, CompactionKind::kMajor)) << "they are still held";
  EXPECT_EQ(store_->Files().size(), 3u);
  store_->HoldCompactions(false);
  EXPECT_TRUE(Compact(store_, CompactionKind::kMajor));
  EXPECT_EQ(store_->Files().size(), 1u);
  EXPECT_EQ(Cells(store_).size(), 3u);
}

// RocksDB must not take it for a fault of the disk, after which it would refuse all writes.
TEST_F(InterruptibleFilesTest, TheDatabaseGoesOn) {
  const auto other = Create("s/f");
  HoldTheNextCompaction();
  EXPECT_TRUE(absl::IsCancelled(db_->Compact(store_, CompactionKind::kMajor).status()));
  watching_clock_.asked = nullptr;
  Put(store_, "d", "q", 1, "v");
  Put(other, "d", "q", 1, "v");
  Flush(store_);
  Flush(other);
  EXPECT_EQ(store_->Files().size(), 4u);
  EXPECT_FALSE(Compact(other, CompactionKind::kMinor)) << "there is but one file";
  EXPECT_EQ(Cells(store_).size(), 4u);
}

}  // namespace
}  // namespace vaquita
