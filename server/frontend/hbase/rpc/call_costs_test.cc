#include "server/frontend/hbase/rpc/call_costs.h"

#include <gtest/gtest.h>
#include <time.h>

namespace vaquita::hbase {
namespace {

using std::chrono::microseconds;

TEST(CallCostsTest, CheapCallsStay) {
  CallCosts costs;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_FALSE(costs.SendsAway("Get"));
    costs.Add("Get", microseconds(50), /*measured=*/false);
  }
}

TEST(CallCostsTest, ALongCallAmongCheapOnesMakesNoDifference) {
  CallCosts costs;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_FALSE(costs.SendsAway("Get"));
    costs.Add("Get", microseconds(i % 100 == 0 ? 100'000 : 0), /*measured=*/true);
  }
}

TEST(CallCostsTest, CallsThatOnlySeemLongStay) {
  CallCosts costs;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_FALSE(costs.SendsAway("Get"));
    costs.Add("Get", microseconds(i % 2 == 0 ? 5000 : 20), /*measured=*/i % 2 != 0);
  }
}

// Calls are judged by the time that their thread ran: what else the machine does must not matter.
int64_t ThreadCpuNs() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * int64_t{1'000'000'000} + now.tv_nsec;
}

TEST(CallCostsTest, ExpensiveCallsGoToTheWorkersExceptForATryNowAndThen) {
  CallCosts costs;
  int here = 0;
  for (int i = 0; i < 640; ++i) {
    if (costs.SendsAway("Get")) continue;
    costs.Measure("Get", [&] {
      const int64_t end_ns = ThreadCpuNs() + 1'000'000;
      while (ThreadCpuNs() < end_ns) {
      }
      return ++here;
    });
  }
  EXPECT_GE(here, 10);
  EXPECT_LT(here, 100);
}

TEST(CallCostsTest, MethodsThatGetCheapComeBack) {
  CallCosts costs;
  for (int i = 0; i < 100; ++i) {
    if (!costs.SendsAway("Get")) costs.Add("Get", microseconds(1000), /*measured=*/true);
  }
  int away = 0;
  for (int i = 0; i < 10'000; ++i) {
    if (costs.SendsAway("Get")) {
      ++away;
    } else {
      costs.Add("Get", microseconds(5), /*measured=*/true);
    }
  }
  EXPECT_GT(away, 0);
  EXPECT_LE(away, 640);
}

TEST(CallCostsTest, EachMethodIsJudgedByItself) {
  CallCosts costs;
  for (int i = 0; i < 2; ++i) costs.Add("Get", microseconds(1000), /*measured=*/true);
  EXPECT_TRUE(costs.SendsAway("Get"));
  EXPECT_FALSE(costs.SendsAway("Mutate"));
}

}  // namespace
}  // namespace vaquita::hbase
