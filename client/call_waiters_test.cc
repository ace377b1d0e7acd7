#include "client/hbase/call_waiters.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace vaquita::client {
namespace {

using Clock = std::chrono::steady_clock;

// The answer to each call is there when the one in turn looks for it.
class FakeServer {
 public:
  void Send(CallWaiters::Waiter* waiter) {
    const std::lock_guard lock(mutex_);
    sent_.push_back(waiter);
  }
  void AnswerOne(CallWaiters* waiters) {
    CallWaiters::Waiter* answered = nullptr;
    {
      const std::lock_guard lock(mutex_);
      if (sent_.empty()) return;
      answered = sent_.front();
      sent_.pop_front();
    }
    waiters->SetDone(answered);
  }

 private:
  std::mutex mutex_;
  std::deque<CallWaiters::Waiter*> sent_;
};

TEST(CallWaitersTest, EachCallerGetsItsAnswerAndOneAtATimeIsInTurn) {
  CallWaiters waiters;
  FakeServer server;
  std::atomic<int> in_turns = 0;
  std::atomic<int> answered = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int call = 0; call < 2000; ++call) {
        CallWaiters::Waiter waiter;
        server.Send(&waiter);
        bool in_turn = waiters.TryTurn();
        while (!waiters.IsDone(waiter)) {
          if (!in_turn) {
            in_turn = waiters.WaitForTurn(&waiter, Clock::now() + std::chrono::minutes(1));
            continue;
          }
          EXPECT_EQ(in_turns.fetch_add(1), 0);
          server.AnswerOne(&waiters);
          in_turns.fetch_sub(1);
        }
        if (in_turn) waiters.EndTurn();
        ++answered;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(answered, 16'000);
  EXPECT_TRUE(waiters.TryTurn());  // the last one has ended its turn
}

TEST(CallWaitersTest, ACallerWhoseTimeIsUpGetsNoTurnWhileAnotherHasIt) {
  CallWaiters waiters;
  CallWaiters::Waiter waiter;
  EXPECT_TRUE(waiters.TryTurn());
  EXPECT_FALSE(waiters.TryTurn());
  EXPECT_FALSE(waiters.WaitForTurn(&waiter, Clock::now()));
  EXPECT_FALSE(waiters.IsDone(waiter));
  waiters.EndTurn();
  EXPECT_TRUE(waiters.WaitForTurn(&waiter, Clock::now()));
}

}  // namespace
}  // namespace vaquita::client
