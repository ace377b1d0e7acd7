#include "base/task_pool.h"

#include <gtest/gtest.h>

#include <future>
#include <vector>

namespace vaquita {
namespace {

using std::chrono::milliseconds;

TEST(TaskPoolTest, TasksRunInTheOrderInWhichTheyBecomeDue) {
  TaskPool pool(1);
  std::vector<int> order;
  std::promise<void> begin, done;
  pool.Post([&] { begin.get_future().wait(); });  // holds the thread until all are posted
  pool.Post(
      [&] {
        order.push_back(4);
        done.set_value();
      },
      milliseconds(30));
  pool.Post([&] { order.push_back(3); }, milliseconds(10));
  pool.Post([&] { order.push_back(1); });
  pool.Post([&] { order.push_back(2); });
  begin.set_value();
  done.get_future().wait();
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3, 4}));
}

TEST(TaskPoolTest, ATaskMayPostAnother) {
  TaskPool pool(1);
  std::promise<void> done;
  pool.Post([&] { pool.Post([&] { done.set_value(); }); });
  done.get_future().wait();
}

TEST(TaskPoolTest, AStopWaitsForWhatRunsAndDropsTheRest) {
  std::promise<void> running;
  bool finished = false, late = false;
  TaskPool pool(1);
  pool.Post([&] {
    running.set_value();
    std::this_thread::yield();
    finished = true;
  });
  pool.Post([&] { late = true; }, milliseconds(3'600'000));
  running.get_future().wait();
  pool.Stop();
  EXPECT_TRUE(finished);
  pool.Post([&] { late = true; });
  EXPECT_FALSE(late);
}

}  // namespace
}  // namespace vaquita
