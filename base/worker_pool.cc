#include "base/worker_pool.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include "base/log.h"

namespace vaquita {
namespace {

constexpr std::chrono::seconds kIdleTime{30};

}  // namespace

void WorkerPool::Run(std::unique_ptr<Work> work) {
  std::unique_ptr<Work> refused;  // ends without the lock: it may have other work run
  std::lock_guard lock(mutex_);
  if (stopping_) return;
  queue_.push_back(std::move(work));
  if (static_cast<size_t>(idle_) >= queue_.size() || threads_ == max_threads_) {
    changed_.notify_one();
    return;
  }
  JoinEnded();
  if (MakeThread() || threads_ > 0) return;
  refused = std::move(queue_.back());
  queue_.pop_back();
}

bool WorkerPool::MakeThread() {
  try {
    running_.emplace_back([this] { Serve(); });
  } catch (const std::system_error& error) {
    spdlog::warn("threads: of={} state=refused reason={}", threads_, error.what());
    return false;
  }
  ++threads_;
  return true;
}

WorkerLoad WorkerPool::load() const {
  std::lock_guard lock(mutex_);
  return {.running = threads_ - idle_, .waiting = static_cast<int64_t>(queue_.size()), .most = max_threads_};
}

void WorkerPool::Serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    changed_.wait_for(lock, kIdleTime, [this] { return stopping_ || !queue_.empty(); });
    --idle_;
    if (stopping_ || (queue_.empty() && threads_ > 1)) break;
    if (queue_.empty()) continue;
    std::unique_ptr<Work> work = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    work->Run();
    work.reset();
    lock.lock();
  }
  --threads_;
  ended_.push_back(std::this_thread::get_id());
}

void WorkerPool::JoinEnded() {
  for (const std::thread::id id : ended_) {
    const auto thread = std::find_if(running_.begin(), running_.end(), [&](auto& t) { return t.get_id() == id; });
    thread->join();  // it needs the mutex no more
    running_.erase(thread);
  }
  ended_.clear();
}

void WorkerPool::Stop() {
  std::deque<std::unique_ptr<Work>> dropped;
  std::vector<std::thread> threads;
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    dropped.swap(queue_);
    threads.swap(running_);
    ended_.clear();
    changed_.notify_all();
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace vaquita
