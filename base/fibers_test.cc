#include "base/fibers.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace vaquita {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::steady_clock;

TEST(FibersTest, EachRunsUntilItReturns) {
  std::string order;
  RunFibers({[&] {
               order += "a";
               EXPECT_TRUE(YieldFiber());
               order += "c";
             },
             [&] {
               order += "b";
               EXPECT_TRUE(YieldFiber());
               order += "d";
               EXPECT_FALSE(YieldFiber());  // the other has returned
             }});
  EXPECT_EQ(order, "abcd");
}

TEST(FibersTest, NoneRunsOutsideOfRunFibers) {
  EXPECT_FALSE(InFiber());
  RunFibers({});
  bool in_fiber = false;
  RunFibers({[&] { in_fiber = InFiber(); }});
  EXPECT_TRUE(in_fiber);
  EXPECT_FALSE(InFiber());
  EXPECT_FALSE(YieldFiber());
  EXPECT_EQ(NextFiberTime(), FiberTime::max());
}

TEST(FibersTest, AConditionWakesTheFiberThatWaits) {
  std::mutex mutex;
  FiberCondition changed;
  bool set = false;
  std::string order;
  RunFibers({[&] {
               std::unique_lock lock(mutex);
               EXPECT_TRUE(changed.WaitUntil(lock, steady_clock::now() + minutes(1), [&] { return set; }));
               order += "woken";
             },
             [&] {
               const std::lock_guard lock(mutex);
               changed.Notify();  // in vain: the condition does not hold
             },
             [&] {
               const std::lock_guard lock(mutex);
               order += "set ";
               set = true;
               changed.Notify();
             }});
  EXPECT_EQ(order, "set woken");
}

TEST(FibersTest, AWaitEndsAtItsDeadline) {
  std::mutex mutex;
  FiberCondition changed;
  const FiberTime deadline = steady_clock::now() + milliseconds(100);
  RunFibers({[&] {
               std::unique_lock lock(mutex);
               EXPECT_FALSE(changed.WaitUntil(lock, deadline, [] { return false; }));
               EXPECT_GE(steady_clock::now(), deadline);
               EXPECT_TRUE(lock.owns_lock());
             },
             [&] { EXPECT_EQ(NextFiberTime(), deadline); }});
}

TEST(FibersTest, SleepersWakeInOrderOfTime) {
  FiberTime start;
  std::string order;
  RunFibers({[&] {
               start = steady_clock::now();
               SleepUntil(start + milliseconds(100));
               order += "later";
             },
             [&] {
               SleepUntil(start + milliseconds(50));
               order += "sooner ";
             }});
  EXPECT_EQ(order, "sooner later");
  EXPECT_GE(steady_clock::now(), start + milliseconds(100));
}

TEST(FibersTest, ABusyFiberThatYieldsLetsSleepersGoOn) {
  bool awake = false;
  RunFibers({[&] {
               SleepUntil(steady_clock::now() + milliseconds(1));
               awake = true;
             },
             [&] {
               while (!awake) YieldFiber();
             }});
}

// A value that is handed back and forth, by threads and fibers alike.
class PingPong {
 public:
  void Play(int side, int rounds) {
    for (int i = 0; i < rounds; ++i) {
      std::unique_lock lock(mutex_);
      EXPECT_TRUE(conditions_[side].WaitUntil(lock, steady_clock::now() + minutes(1), [&] { return turn_ == side; }));
      turn_ = 1 - side;
      conditions_[turn_].Notify();
    }
  }

 private:
  std::mutex mutex_;
  FiberCondition conditions_[2];
  int turn_ = 0;
};

TEST(FibersTest, FibersAndThreadsWakeEachOther) {
  constexpr int kRounds = 2000;
  std::vector<PingPong> games(4);
  std::vector<std::function<void()>> here, there;
  for (PingPong& game : games) {
    here.emplace_back([&] { game.Play(0, kRounds); });
    there.emplace_back([&] { game.Play(1, kRounds); });
  }
  PingPong with_thread;
  here.emplace_back([&] { with_thread.Play(0, kRounds); });
  std::thread fibers([&] { RunFibers(there); });
  std::thread thread([&] { with_thread.Play(1, kRounds); });
  RunFibers(here);
  fibers.join();
  thread.join();
}

TEST(FibersTest, ManyHaveStacksOfTheirOwn) {
  std::vector<std::function<void()>> functions;
  size_t sum = 0;
  for (size_t i = 0; i < 1000; ++i) {
    functions.emplace_back([&sum, i] {
      volatile char bytes[64 << 10];
      bytes[i] = static_cast<char>(i % 100);
      YieldFiber();
      sum += static_cast<size_t>(bytes[i]);
    });
  }
  RunFibers(std::move(functions));
  EXPECT_EQ(sum, 10u * (99 * 100 / 2));
}

}  // namespace
}  // namespace vaquita
