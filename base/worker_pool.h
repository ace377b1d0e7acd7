// base/worker_pool.h: threads for calls that may wait. They are made when they are needed, and end after a while
// without work, but for the last one: work always gets a thread, though the system may refuse more.
//
// Threads: Run from any thread; Stop once.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace vaquita {

struct WorkerLoad {
  int64_t running = 0;  // calls
  int64_t waiting = 0;  // for a thread
  int64_t most = 0;     // threads
};

class Work {
 public:
  virtual ~Work() = default;
  virtual void Run() = 0;
};

class WorkerPool {
 public:
  explicit WorkerPool(int max_threads) : max_threads_(max_threads) {}
  ~WorkerPool() { Stop(); }

  // Runs `work` as soon as a thread is free, in the order in which it came. After Stop it is dropped, and if the system
  // does not give the first thread.
  void Run(std::unique_ptr<Work> work);
  WorkerLoad load() const;
  // Drops the waiting work, and waits for the running work.
  void Stop();

 private:
  void Serve();
  bool MakeThread();
  void JoinEnded();

  const int max_threads_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::unique_ptr<Work>> queue_;
  int threads_ = 0;
  int idle_ = 0;
  bool stopping_ = false;
  std::vector<std::thread> running_;
  std::vector<std::thread::id> ended_;  // the part of running_ that must be joined
};

}  // namespace vaquita
