#include "base/task_pool.h"

#include <iterator>
#include <system_error>
#include <utility>

#include "base/log.h"

namespace vaquita {

void TaskPool::Stop() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  tasks_.clear();
}

void TaskPool::Post(Task task, std::chrono::milliseconds delay) {
  std::lock_guard lock(mutex_);
  if (stopping_) return;
  tasks_.emplace(std::chrono::steady_clock::now() + delay, std::move(task));
  if (waiting_ < tasks_.size() && std::ssize(threads_) < most_threads_) {
    MakeThread();
  } else {
    changed_.notify_one();
  }
}

void TaskPool::MakeThread() {
  try {
    threads_.emplace_back([this] { Run(); });
  } catch (const std::system_error& error) {
    if (threads_.empty()) throw;
    spdlog::warn("threads: of={} state=refused reason={}", threads_.size(), error.what());
    changed_.notify_one();
  }
}

void TaskPool::Run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (tasks_.empty() || tasks_.begin()->first > std::chrono::steady_clock::now()) {
      Wait(lock);
      continue;
    }
    Task task = std::move(tasks_.begin()->second);
    tasks_.erase(tasks_.begin());
    lock.unlock();
    task();
    task = nullptr;  // frees what it holds before the lock is taken again
    lock.lock();
  }
}

void TaskPool::Wait(std::unique_lock<std::mutex>& lock) {
  ++waiting_;
  if (tasks_.empty()) {
    changed_.wait(lock);
  } else {
    const auto due = tasks_.begin()->first;
    changed_.wait_until(lock, due);
  }
  --waiting_;
}

}  // namespace vaquita
