#include "base/task_monitor.h"

#include <algorithm>
#include <utility>

namespace vaquita {
namespace {

constexpr int64_t kKeptMs = 60'000;  // hbase.taskmonitor.expiration.time
constexpr size_t kMostEnded = 1000;  // hbase.taskmonitor.max.tasks

}  // namespace

TaskMonitor::Run::Run(TaskMonitor* monitor, std::string description, std::string status) : monitor_(*monitor) {
  MonitoredTask task{.description = std::move(description), .status = std::move(status)};
  task.start_ms = monitor_.clock_->NowMs();
  std::lock_guard lock(monitor_.mutex_);
  task_ = monitor_.running_.insert(monitor_.running_.end(), std::move(task));
}

TaskMonitor::Run::~Run() {
  std::lock_guard lock(monitor_.mutex_);
  if (!ended_) monitor_.End(task_, MonitoredTask::State::kAborted);
}

void TaskMonitor::Run::Complete(std::string status) {
  std::lock_guard lock(monitor_.mutex_);
  task_->status = std::move(status);
  monitor_.End(task_, MonitoredTask::State::kComplete);
  ended_ = true;
}

void TaskMonitor::Run::Forget() {
  std::lock_guard lock(monitor_.mutex_);
  monitor_.running_.erase(task_);
  ended_ = true;
}

void TaskMonitor::End(Tasks::iterator task, MonitoredTask::State state) {
  task->state = state;
  task->end_ms = clock_->NowMs();
  ended_.splice(ended_.end(), running_, task);
  DropOld();
}

void TaskMonitor::DropOld() {
  const int64_t now_ms = clock_->NowMs();
  while (ended_.size() > kMostEnded || (!ended_.empty() && now_ms - ended_.front().end_ms > kKeptMs)) {
    ended_.pop_front();
  }
}

std::vector<MonitoredTask> TaskMonitor::List() {
  std::lock_guard lock(mutex_);
  DropOld();
  std::vector<MonitoredTask> tasks(ended_.begin(), ended_.end());
  tasks.insert(tasks.end(), running_.begin(), running_.end());
  std::stable_sort(tasks.begin(), tasks.end(),
                   [](const MonitoredTask& a, const MonitoredTask& b) { return a.start_ms < b.start_ms; });
  return tasks;
}

}  // namespace vaquita
