#include "server/hbase/call_costs.h"

#include <gtest/gtest.h>

namespace vaquita::hbase {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

TEST(CallCostsTest, CheapCallsStay) {
  CallCosts costs;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_FALSE(costs.SendsAway("Get"));
    costs.Add("Get", microseconds(50));
  }
}

TEST(CallCostsTest, ALongCallAmongCheapOnesMakesNoDifference) {
  CallCosts costs;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_FALSE(costs.SendsAway("Get"));
    costs.Add("Get", i % 100 == 0 ? milliseconds(100) : milliseconds(0));
  }
}

TEST(CallCostsTest, ExpensiveCallsGoToTheWorkersExceptForATryNowAndThen) {
  CallCosts costs;
  int here = 0;
  for (int i = 0; i < 640; ++i) {
    if (costs.SendsAway("Get")) continue;
    ++here;
    costs.Add("Get", milliseconds(1));
  }
  EXPECT_GE(here, 10);
  EXPECT_LE(here, 13);
}

TEST(CallCostsTest, MethodsThatGetCheapComeBack) {
  CallCosts costs;
  for (int i = 0; i < 100; ++i) {
    if (!costs.SendsAway("Get")) costs.Add("Get", milliseconds(1));
  }
  int away = 0;
  for (int i = 0; i < 10'000; ++i) {
    if (costs.SendsAway("Get")) {
      ++away;
    } else {
      costs.Add("Get", microseconds(5));
    }
  }
  EXPECT_LE(away, 640);
}

TEST(CallCostsTest, EachMethodIsJudgedByItself) {
  CallCosts costs;
  for (int i = 0; i < 2; ++i) costs.Add("Get", milliseconds(1));
  EXPECT_TRUE(costs.SendsAway("Get"));
  EXPECT_FALSE(costs.SendsAway("Mutate"));
}

}  // namespace
}  // namespace vaquita::hbase
