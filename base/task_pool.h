// base/task_pool.h: a fixed number of threads that run tasks, now or later.
//
// Tasks that are due run in the order in which they became due. The destructor drops the tasks that have not begun, and
// waits for those that have. Threads: every method may be called from any thread, also from a task.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace vaquita {

class TaskPool {
 public:
  using Task = std::function<void()>;

  explicit TaskPool(int64_t threads);
  ~TaskPool() { Stop(); }
  TaskPool(const TaskPool&) = delete;

  // Drops the tasks that have not begun, and waits for those that have. Later ones are dropped too. A task must not
  // call it.
  void Stop();
  void Post(Task task, std::chrono::milliseconds delay = std::chrono::milliseconds(0));

 private:
  void Run();

  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  std::multimap<std::chrono::steady_clock::time_point, Task>
      tasks_;  // by when they are due; equal times in order of arrival
  std::vector<std::thread> threads_;
};

}  // namespace vaquita
