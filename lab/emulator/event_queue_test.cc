#include "lab/emulator/event_queue.h"

#include <gtest/gtest.h>

#include <random>

namespace vaquita::lab {
namespace {

struct TestEvent {
  double time_ms;
  uint64_t sequence;
  friend bool operator>(const TestEvent& a, const TestEvent& b) {
    return a.time_ms != b.time_ms ? a.time_ms > b.time_ms : a.sequence > b.sequence;
  }
};

TEST(EventQueueTest, EventsComeInOrderThoughTheyBringNewOnes) {
  EventQueue<TestEvent> queue(1000, 64);
  std::mt19937 random(3);
  uint64_t sequence = 0;
  for (int i = 0; i < 500; ++i) queue.Push({static_cast<double>(random() % 1500), sequence++});
  TestEvent last{-1, 0};
  size_t taken = 0;
  while (!queue.empty()) {
    const TestEvent event = queue.Pop();
    EXPECT_TRUE(event > last);
    last = event;
    ++taken;
    if (sequence < 5000) queue.Push({event.time_ms + random() % 40, sequence++});
  }
  EXPECT_EQ(taken, 5000u);
}

TEST(EventQueueTest, AnEventOfTheFarthestFutureIsTheLast) {
  EventQueue<TestEvent> queue(1000, 64);
  for (const double time_ms : {1e300, 500.0, 0x1p64, 1500.0}) queue.Push({time_ms, 0});
  for (const double time_ms : {500.0, 1500.0, 0x1p64, 1e300}) EXPECT_EQ(queue.Pop().time_ms, time_ms);
}

}  // namespace
}  // namespace vaquita::lab
