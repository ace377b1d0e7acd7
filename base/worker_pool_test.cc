#include "base/worker_pool.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <functional>
#include <future>
#include <memory>

#include "base/task_pool.h"

namespace vaquita {
namespace {

// The system refuses new threads meanwhile: no memory is large enough for their stacks.
class NoMoreThreads {
 public:
  NoMoreThreads() {
    pthread_getattr_default_np(&before_);
    pthread_attr_t huge;
    pthread_attr_init(&huge);
    pthread_attr_setstacksize(&huge, size_t{1} << 46);
    EXPECT_EQ(pthread_setattr_default_np(&huge), 0);
    pthread_attr_destroy(&huge);
  }
  ~NoMoreThreads() {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }

 private:
  pthread_attr_t before_;
};

class TestWork : public Work {
 public:
  explicit TestWork(std::function<void()> run) : run_(std::move(run)) {}
  void Run() override { run_(); }

 private:
  const std::function<void()> run_;
};

TEST(WorkerPoolTest, WorkWaitsForTheThreadsThatThereAreIfTheSystemRefusesMore) {
  WorkerPool pool(10);
  std::promise<void> may_end, begun, done;
  pool.Run(std::make_unique<TestWork>([&] {
    begun.set_value();
    may_end.get_future().wait();
  }));
  begun.get_future().wait();
  {
    const NoMoreThreads refused;
    pool.Run(std::make_unique<TestWork>([&] { done.set_value(); }));
  }
  EXPECT_EQ(pool.load().running, 1);
  EXPECT_EQ(pool.load().waiting, 1);
  may_end.set_value();
  done.get_future().wait();
}

TEST(WorkerPoolTest, WorkIsDroppedIfTheSystemRefusesTheFirstThread) {
  WorkerPool pool(10);
  {
    const NoMoreThreads refused;
    pool.Run(std::make_unique<TestWork>([] { ADD_FAILURE(); }));
  }
  EXPECT_EQ(pool.load().waiting, 0);
  std::promise<void> done;
  pool.Run(std::make_unique<TestWork>([&] { done.set_value(); }));
  done.get_future().wait();
}

TEST(TaskPoolTest, TasksWaitForTheThreadsThatThereAreIfTheSystemRefusesMore) {
  TaskPool pool(10);
  std::promise<void> may_end, begun, done;
  pool.Post([&] {
    begun.set_value();
    may_end.get_future().wait();
  });
  begun.get_future().wait();
  {
    const NoMoreThreads refused;
    pool.Post([&] { done.set_value(); });
  }
  may_end.set_value();
  done.get_future().wait();
}

}  // namespace
}  // namespace vaquita
