// base/task_pool.h: threads that run tasks, now or later. They are made when they are needed, up to a number.
//
// Tasks that are due run in the order in which they became due. The destructor drops the tasks that have not begun, and
// waits for those that have. If the system refuses a thread, those that there are run its tasks; Post throws
// std::system_error if it refuses the first one. Threads: every method may be called from any thread, also from a task.
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

  explicit TaskPool(int64_t most_threads) : most_threads_(most_threads) {}
  ~TaskPool() { Stop(); }
  TaskPool(const TaskPool&) = delete;

  // Drops the tasks that have not begun, and waits for those that have. Later ones are dropped too. A task must not
  // call it.
  void Stop();
  void Post(Task task, std::chrono::milliseconds delay = std::chrono::milliseconds(0));

 private:
  void MakeThread();
  void Run();
  void Wait(std::unique_lock<std::mutex>& lock);  // for a task, or for the time of the first one

  const int64_t most_threads_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  size_t waiting_ = 0;  // threads, for a task or for its time
  std::multimap<std::chrono::steady_clock::time_point, Task>
      tasks_;  // by when they are due; equal times in order of arrival
  std::vector<std::thread> threads_;
};

}  // namespace vaquita
