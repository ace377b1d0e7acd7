// Operations whose callers ask for short waits: they end, with nothing changed, where others would wait.
#include "base/call_context.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <thread>

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
