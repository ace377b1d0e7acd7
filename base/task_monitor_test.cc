#include "base/task_monitor.h"

#include <optional>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace vaquita {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;
using enum MonitoredTask::State;

TEST(TaskMonitorTest, AWorkIsListedFromItsStartUntilAMinuteAfterItsEnd) {
  ManualClock clock(1'000);
  TaskMonitor monitor(&clock);
  std::optional<TaskMonitor::Run> run;
  run.emplace(&monitor, "Flushing r", "Flushing stores of r");
  ASSERT_THAT(monitor.List(), SizeIs(1));
  EXPECT_EQ(monitor.List()[0].state, kRunning);
  EXPECT_EQ(monitor.List()[0].status, "Flushing stores of r");
  EXPECT_EQ(monitor.List()[0].end_ms, -1);

  clock.Set(3'000);
  run->Complete("Flush successful");
  run.reset();
  ASSERT_THAT(monitor.List(), SizeIs(1));
  EXPECT_EQ(monitor.List()[0].state, kComplete);
  EXPECT_EQ(monitor.List()[0].status, "Flush successful");
  EXPECT_EQ(monitor.List()[0].start_ms, 1'000);
  EXPECT_EQ(monitor.List()[0].end_ms, 3'000);

  clock.Set(63'000);
  EXPECT_THAT(monitor.List(), SizeIs(1));
  clock.Set(63'001);
  EXPECT_THAT(monitor.List(), IsEmpty());
}

TEST(TaskMonitorTest, AWorkThatNobodyCompletedWasAborted) {
  ManualClock clock(1);
  TaskMonitor monitor(&clock);
  { TaskMonitor::Run run(&monitor, "Compacting f in r", "Compacting store f"); }
  ASSERT_THAT(monitor.List(), SizeIs(1));
  EXPECT_EQ(monitor.List()[0].state, kAborted);
}

TEST(TaskMonitorTest, AForgottenWorkIsNotListed) {
  ManualClock clock(1);
  TaskMonitor monitor(&clock);
  TaskMonitor::Run run(&monitor, "Compacting f in r", "Compacting store f");
  run.Forget();
  EXPECT_THAT(monitor.List(), IsEmpty());
}

TEST(TaskMonitorTest, TheNewestThousandEndedWorksAreKept) {
  ManualClock clock(1);
  TaskMonitor monitor(&clock);
  TaskMonitor::Run running(&monitor, "the first", "");
  for (int i = 0; i < 1'001; ++i) TaskMonitor::Run(&monitor, std::to_string(i), "").Complete("");
  const auto tasks = monitor.List();
  ASSERT_THAT(tasks, SizeIs(1'001));
  EXPECT_EQ(tasks.front().description, "1");
}

}  // namespace
}  // namespace vaquita
