#include "base/serving_slot.h"

#include <chrono>
#include <future>

#include "gtest/gtest.h"

namespace vaquita {
namespace {

struct Number {
  int number = 0;
};

TEST(ServingSlotTest, ServesFromSetToStop) {
  ServingSlot<Number> slot;
  EXPECT_EQ(slot.Get().status().message(), "Server is not running yet");
  slot.Set({1});
  ASSERT_TRUE(slot.Get().ok());
  EXPECT_EQ(slot.Get()->number, 1);
  slot.Stop();
  EXPECT_EQ(slot.Get().status().message(), "Server is stopping");
}

TEST(ServingSlotTest, APauseWaitsForCallsAndLaterCallsForItsEnd) {
  ServingSlot<Number> slot;
  slot.Set({1});
  auto first = slot.Get();
  ASSERT_TRUE(first.ok());
  auto paused = std::async(std::launch::async, [&] { slot.Pause(); });
  EXPECT_EQ(paused.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout);
  first = absl::CancelledError();  // the call ends
  paused.wait();
  auto second = std::async(std::launch::async, [&] { return slot.Get()->number; });
  EXPECT_EQ(second.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout);
  slot.Resume({2});
  EXPECT_EQ(second.get(), 2);
}

TEST(ServingSlotTest, AStopWaitsForCallsAsLongAsItHasPatience) {
  ServingSlot<Number> slot;
  slot.Set({1});
  auto call = slot.Get();
  ASSERT_TRUE(call.ok());
  slot.Stop(std::chrono::milliseconds(1));
  auto stopped = std::async(std::launch::async, [&] { slot.Stop(); });
  EXPECT_EQ(stopped.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout);
  call = absl::CancelledError();
  stopped.wait();
}

}  // namespace
}  // namespace vaquita
