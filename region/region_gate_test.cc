#include "region/region_gate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace vaquita {
namespace {

TEST(RegionGateTest, ClosingWaitsForThoseInsideAndRefusesLaterOnes) {
  RegionGate gate;
  ASSERT_TRUE(gate.Enter());
  std::atomic<bool> inside_left{false};
  std::thread closer([&] {
    EXPECT_TRUE(gate.Close());
    EXPECT_TRUE(inside_left);
  });
  while (!gate.closed()) std::this_thread::yield();
  EXPECT_FALSE(gate.Enter());
  inside_left = true;
  gate.Leave();
  closer.join();
  EXPECT_FALSE(gate.Close()) << "it is closed already";

  gate.Open();
  EXPECT_TRUE(gate.Enter());
  gate.Leave();
}

TEST(RegionGateTest, APauseMakesNewcomersWait) {
  RegionGate gate;
  ASSERT_TRUE(gate.Pause());
  std::atomic<bool> paused{true};
  std::thread newcomer([&] {
    EXPECT_TRUE(gate.Enter());
    EXPECT_FALSE(paused);
    gate.Leave();
  });
  paused = false;
  gate.Open();
  newcomer.join();
}

TEST(RegionGateTest, NobodyIsInsideAShutGate) {
  RegionGate gate;
  std::atomic<int> inside{0};
  std::atomic<bool> stop{false};
  std::vector<std::thread> users;
  for (int i = 0; i < 4; ++i) {
    users.emplace_back([&] {
      while (!stop) {
        GatePass pass(&gate);
        if (!pass.inside()) continue;
        ++inside;
        --inside;
      }
    });
  }
  for (int i = 0; i < 300; ++i) {
    ASSERT_TRUE(i % 2 == 0 ? gate.Close() : gate.Pause());
    EXPECT_EQ(inside, 0);
    gate.Open();
  }
  stop = true;
  for (std::thread& user : users) user.join();
}

}  // namespace
}  // namespace vaquita
