#include "tools/bench/load_driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "base/fibers.h"

namespace vaquita::bench {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

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

// Threads that find all calls taken end, and must not have taken a number before. A load of one batch was left out so.
TEST(LoadDriverTest, AnEndingThreadTakesNoCallAway) {
  for (const double rate : {0.0, 1e9}) {
    for (int i = 0; i < 3000; ++i) {
      DriveOptions options;
      options.threads = 4;
      options.rate = rate;
      options.calls = 2;
      std::atomic<uint64_t> sum = 0;
      Drive(options, [&](int, uint64_t number) {
        sum += number + 1;
        return CallOutcome();
      });
      ASSERT_EQ(sum, 1 + 2) << rate;
    }
  }
}

TEST(LoadDriverTest, ThreadsMayBeFibers) {
  DriveOptions options;
  options.threads = 5;
  options.fiber_threads = 2;
  options.calls = 1000;
  std::mutex mutex;
  std::map<int, std::set<std::thread::id>> ran_in;
  const DriveResult result = Drive(options, [&](int thread, uint64_t) {
    EXPECT_TRUE(InFiber());
    for (bool all_run = false; !all_run; YieldFiber()) {
      std::lock_guard lock(mutex);
      ran_in[thread].insert(std::this_thread::get_id());
      all_run = ran_in.size() == 5;
    }
    return CallOutcome();
  });
  EXPECT_EQ(result.kinds[0].latency.count(), 1000);
  ASSERT_THAT(ran_in, SizeIs(5));
  for (const auto& [thread, threads] : ran_in) EXPECT_EQ(threads, ran_in[thread % 2]) << thread;
  EXPECT_THAT(ran_in[0], SizeIs(1));
  EXPECT_NE(ran_in[0], ran_in[1]);
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

// A wrong answer may have changed the rows that later ones are compared with.
TEST(LoadDriverTest, FaultsOfTheWarmUpCount) {
  DriveOptions options;
  options.warmup_s = 0.05;
  options.calls = 5;
  const DriveResult result = Drive(options, [](int, uint64_t number) {
    CallOutcome outcome;
    if (number == 0) outcome.wrong = "not so";
    if (number == 1) outcome.error = "no";
    return outcome;
  });
  EXPECT_EQ(result.wrong, 1);
  EXPECT_EQ(result.kinds[0].failed, 1);
  EXPECT_THAT(result.errors, ElementsAre("no", "not so"));
  EXPECT_EQ(result.kinds[0].latency.count(), 5);
}

// Its second call is due in 300 years.
TEST(LoadDriverTest, ARateNearZeroEndsInTime) {
  DriveOptions options;
  options.rate = 1e-10;
  options.seconds = 0.1;
  const DriveResult result = Drive(options, [](int, uint64_t) { return CallOutcome(); });
  EXPECT_EQ(result.kinds[0].latency.count(), 1);
  EXPECT_EQ(result.not_started, 0);
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
