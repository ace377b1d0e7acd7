// Operations whose callers ask for short waits, or watch: they end, with nothing changed, where others would go on.
#include "base/call_context.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/read_watch.h"
#include "region/region_gate.h"
#include "region/testing/region_harness.h"

namespace vaquita {
namespace {

using namespace vaquita::testing;  // NOLINT
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A clock at which a writer, who asks for the time when it has its row's lock, can be held.
class HoldingClock : public Clock {
 public:
  int64_t NowMs() const override {
    std::unique_lock lock(mutex_);
    if (!hold_) return 1000;
    held_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !hold_; });
    return 1000;
  }
  void Hold() {
    std::lock_guard lock(mutex_);
    hold_ = true;
  }
  void WaitUntilHeld() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return held_; });
  }
  void LetGo() {
    std::lock_guard lock(mutex_);
    hold_ = false;
    changed_.notify_all();
  }

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  mutable bool held_ = false;
  bool hold_ = false;
};

constexpr CallContext kShortWaits{.short_waits = true};

class ShortWaitsTest : public RegionHarness {
 protected:
  Clock* clock() override { return &clock_; }
  HoldingClock clock_;
};

TEST_F(ShortWaitsTest, ARowsLockIsNotWaitedForLong) {
  const auto region = OpenRegion(MakeTable({MakeFamily("f")}));
  clock_.Hold();
  std::thread holder([&] { EXPECT_TRUE(region->Mutate(MakePut("r", "f:q", "first")).ok()); });
  clock_.WaitUntilHeld();
  EXPECT_TRUE(IsWouldWait(region->Mutate(MakePut("r", "f:q", "second"), {}, kShortWaits).status()));
  clock_.LetGo();
  holder.join();
  EXPECT_THAT(GetTexts(region.get(), "r"), ElementsAre("r f:q @1000 first"));
  EXPECT_TRUE(region->Mutate(MakePut("r", "f:q", "second"), {}, kShortWaits).ok());
}

TEST_F(ShortWaitsTest, NothingIsSyncedToTheDisk) {
  const auto region = OpenRegion(MakeTable({MakeFamily("f")}));
  Mutation put = MakePut("r", "f:q", "v");
  put.durability = Durability::kFsyncWal;
  EXPECT_TRUE(IsWouldWait(region->Mutate(put, {}, kShortWaits).status()));
  EXPECT_THAT(GetTexts(region.get(), "r"), IsEmpty());
  EXPECT_TRUE(region->Mutate(put).ok());
}

// Counts how often it is asked, and at the last time says that the client has gone.
class CountingWatch : public ReadWatch {
 public:
  explicit CountingWatch(int most = 1'000'000) : most_(most) {}
  absl::Status Check() override {
    return ++asked_ < most_ ? absl::OkStatus() : Error(ErrorKind::kCallerDisconnected, "gone");
  }
  int asked() const { return asked_; }

 private:
  const int most_;
  int asked_ = 0;
};

// Each read of these writes takes much less than the time after which a read asks its watch.
class ManyReadsTest : public RegionHarness {
 protected:
  static constexpr int kReads = 2000;

  void SetUp() override { region_ = OpenRegion(MakeTable({MakeFamily("f", kReads)})); }
  static std::string Column(int i) { return "f:q" + std::to_string(i); }
  static bool IsGone(const absl::Status& status) { return IsError(status, ErrorKind::kCallerDisconnected); }

  std::shared_ptr<Region> region_;
};

TEST_F(ManyReadsTest, ADeleteOfTheLatestOfManyColumnsEnds) {
  std::vector<Cell> markers;
  for (int i = 0; i < kReads; ++i) markers.push_back(MakeCell(Column(i), "", kLatestTimestamp, CellType::kDelete));
  Apply(region_.get(), MakePut("r", Column(0), "v", 5));
  CountingWatch gone(2);
  EXPECT_TRUE(IsGone(region_->Mutate(MakeDelete("r", markers), {}, {.watch = &gone}).status()));
  EXPECT_EQ(gone.asked(), 2) << "it ends at once";
  EXPECT_THAT(GetTexts(region_.get(), "r"), ElementsAre("r f:q0 @5 v"));
}

TEST_F(ManyReadsTest, AnAtomicChangeOfManyIncrementsEnds) {
  RowMutations increments{.row = "r"};
  for (int i = 0; i < kReads; ++i) {
    increments.mutations.push_back(MakeMutation(MutationType::kIncrement, "r", {MakeCell(Column(i), LongBytes(1))}));
  }
  CountingWatch gone(2);
  EXPECT_TRUE(IsGone(region_->Mutate(increments, {}, {.watch = &gone}).status()));
  EXPECT_THAT(GetTexts(region_.get(), "r"), IsEmpty());
}

TEST_F(ManyReadsTest, ManyConditionsEnd) {
  Apply(region_.get(), MakePut("r", "f:q", "v", 5));
  CheckAndMutate condition;
  condition.row = "r";
  condition.family = "f";
  condition.qualifier = "q";
  condition.op = CompareOp::kEqual;
  condition.comparator = ComparatorSpec{.bytes = "v"};
  const std::vector<CheckAndMutate> conditions(kReads, condition);
  const Mutation put = MakePut("r", "f:q", "after", 6);
  CountingWatch gone(2);
  EXPECT_TRUE(IsGone(region_->MutateRows({&put, 1}, conditions, {.watch = &gone}).status()));
  EXPECT_EQ(gone.asked(), 2) << "it ends at once";
  EXPECT_THAT(GetTexts(region_.get(), "r"), ElementsAre("r f:q @5 v"));
  EXPECT_TRUE(region_->MutateRows({&put, 1}, conditions).value());
}

// One read for each would read all versions before it again.
TEST_F(ManyReadsTest, ManyDeletesOfTheLatestOfOneColumnReadItOnce) {
  std::vector<Cell> versions;
  for (int i = 1; i < kReads; ++i) versions.push_back(MakeCell("f:q", "v", i));
  Apply(region_.get(), MakePut("r", std::move(versions)));
  Apply(region_.get(), MakePut("r", "f:other", "v", 5));
  std::vector<Cell> markers(kReads - 10, MakeCell("f:q", "", kLatestTimestamp, CellType::kDelete));
  markers.insert(markers.begin() + 7, MakeCell("f:other", "", kLatestTimestamp, CellType::kDelete));
  CountingWatch counting;
  EXPECT_TRUE(region_->Mutate(MakeDelete("r", markers), {}, {.watch = &counting}).ok());
  EXPECT_LT(counting.asked(), 10);
  EXPECT_THAT(GetTexts(region_.get(), "r", kReads),
              ElementsAre("r f:q @9 v", "r f:q @8 v", "r f:q @7 v", "r f:q @6 v", "r f:q @5 v", "r f:q @4 v",
                          "r f:q @3 v", "r f:q @2 v", "r f:q @1 v"));
}

TEST(ShortWaitsOfGatesTest, APauseIsNotWaitedForLong) {
  RegionGate gate;
  ASSERT_TRUE(gate.Pause());
  EXPECT_FALSE(gate.Enter(/*short_waits=*/true));
  gate.Open();
  EXPECT_TRUE(gate.Enter());
  gate.Leave();
  EXPECT_TRUE(gate.Close()) << "nobody is left inside";
}

}  // namespace
}  // namespace vaquita
