#include "region/row_lock.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <thread>
#include <vector>

namespace vaquita {
namespace {

using Rows = std::vector<std::string_view>;

TEST(RowLockTest, ATimeoutNamesTheRowAndLeavesNothingLocked) {
  RowLocks locks;
  const Rows held = {"b"};
  const HeldRows holder(&locks, held, 1000);
  ASSERT_TRUE(holder.held());

  const Rows wanted = {"a", "b", "c"};
  {
    const HeldRows refused(&locks, wanted, 1);
    EXPECT_FALSE(refused.held());
    EXPECT_EQ(refused.blocked(), "b");
  }
  const Rows others = {"a", "c"};
  EXPECT_TRUE(HeldRows(&locks, others, 1).held());
}

// Whatever a row's bytes are, a lock that could not be taken is not held.
TEST(RowLockTest, TheEmptyRowIsLockedLikeAnyOther) {
  RowLocks locks;
  const Rows empty = {""};
  const HeldRows holder(&locks, empty, 1000);
  ASSERT_TRUE(holder.held());
  const HeldRows refused(&locks, empty, 1);
  EXPECT_FALSE(refused.held());
  EXPECT_EQ(refused.blocked(), "");
}

TEST(RowLockTest, AReleasedRowGoesToAWaiter) {
  RowLocks locks;
  const Rows row = {"a"};
  int value = 0;
  std::thread waiter;
  {
    const HeldRows holder(&locks, row, 1000);
    waiter = std::thread([&] {
      const HeldRows later(&locks, row, 60'000);
      EXPECT_TRUE(later.held());
      EXPECT_EQ(value, 1);
    });
    value = 1;
  }
  waiter.join();
}

// Batches that overlap in every way: they must not wait for each other for ever, and never hold a row together.
TEST(RowLockTest, OverlappingBatchesExcludeEachOther) {
  RowLocks locks;
  const std::vector<std::string> names = {"a", "b", "c", "d", "e", "f", "g", "h"};
  std::vector<int> owners(names.size(), -1);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      std::mt19937 random(thread);
      for (int round = 0; round < 2000; ++round) {
        std::vector<size_t> picks;
        for (size_t i = 0; i < names.size(); ++i) {
          if (random() % 2 == 0) picks.push_back(i);
        }
        Rows rows;
        for (size_t pick : picks) rows.push_back(names[pick]);
        const HeldRows held(&locks, rows, 60'000);
        ASSERT_TRUE(held.held());
        for (size_t pick : picks) {
          ASSERT_EQ(owners[pick], -1);
          owners[pick] = thread;
        }
        for (size_t pick : picks) owners[pick] = -1;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace vaquita
