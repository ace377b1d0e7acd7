#include "tools/bench/load_driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>

namespace vaquita::bench {
namespace {

using ::testing::ElementsAre;

TEST(LoadDriverTest, MakesEachCallOnceAndCountsItByItsKind) {
  DriveOptions options;
  options.threads = 4;
  options.kinds = 2;
  options.calls = 1000;
  std::mutex mutex;
  std::set<uint64_t> numbers;
  const DriveResult result = Drive(options, [&](int, uint64_t number) {
    std::lock_guard lock(mutex);
    EXPECT_TRUE(numbers.insert(number).second);
    CallOutcome outcome;
    outcome.kind = number % 4 == 0 ? 1 : 0;
    outcome.rows = 2;
    outcome.bytes_written = 10;
    if (number == 8) outcome.error = "no";
    if (number == 9) outcome.wrong = "not so";
    return outcome;
  });
  EXPECT_EQ(numbers.size(), 1000);
  EXPECT_EQ(*numbers.rbegin(), 999);
  EXPECT_EQ(result.kinds[0].latency.count(), 750);
  EXPECT_EQ(result.kinds[1].latency.count(), 249);
  EXPECT_EQ(result.kinds[1].failed, 1);
  EXPECT_EQ(result.kinds[0].rows, 1500);
  EXPECT_EQ(result.bytes_written, 9990);
  EXPECT_EQ(result.wrong, 1);
  EXPECT_THAT(result.errors, ElementsAre("no", "not so"));
  uint64_t calls = 0;
  for (const SecondResult& second : result.per_second) calls += second.calls;
  EXPECT_EQ(calls, 999);
}

TEST(LoadDriverTest, CallsOfTheWarmUpAreMadeAndNotCounted) {
  DriveOptions options;
  options.threads = 2;
  options.warmup_s = 0.1;
  options.calls = 50;
  std::atomic<uint64_t> made = 0;
  bool began = false;
  options.on_begin = [&] { began = true; };
  const DriveResult result = Drive(options, [&](int, uint64_t) {
    ++made;
    return CallOutcome();
  });
  EXPECT_TRUE(began);
  EXPECT_EQ(result.kinds[0].latency.count(), 50);
  EXPECT_GT(made, 50);
}

TEST(LoadDriverTest, AnOpenLoopMakesTheCallsThatAreDue) {
  DriveOptions options;
  options.threads = 2;
  options.rate = 1000;
  options.seconds = 0.3;
  const DriveResult result = Drive(options, [](int, uint64_t) { return CallOutcome(); });
  EXPECT_EQ(result.kinds[0].latency.count(), 300);
  EXPECT_EQ(result.not_started, 0);
}

// Each call takes ten times the time until the next one: later calls are later and later.
TEST(LoadDriverTest, LatencyInAnOpenLoopCountsFromTheTimeWhenTheCallWasDue) {
  DriveOptions options;
  options.rate = 1000;
  options.calls = 30;
  const DriveResult result = Drive(options, [](int, uint64_t) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(10);
    while (std::chrono::steady_clock::now() < end) {
    }
    return CallOutcome();
  });
  // Call i is due at i ms, and ends at 10 (i + 1) ms or later: call 29, the latest, has 271 ms, and call 14, half of
  // them, 136 ms.
  EXPECT_GE(result.kinds[0].latency.max_ns(), 270'000'000);
  EXPECT_GE(result.kinds[0].latency.AtPercent(50), 135'000'000);
  EXPECT_GE(result.service.AtPercent(50), 10'000'000);
  EXPECT_LT(result.service.AtPercent(50), 100'000'000);
}

}  // namespace
}  // namespace vaquita::bench
