// base/task_monitor.h: lists the long works of a server, such as flushes and compactions, for those who ask what it
// does.
//
// A work is listed while it runs, and for a minute after it has ended; of very many the newest are kept. Threads: any.
// Source: TaskMonitor, MonitoredTask (HBase 2.6).
#pragma once

#include <cstdint>
#include <list>
#include <mutex>
#include <string>
#include <vector>

#include "base/clock.h"

namespace vaquita {

// A work as it is at present. Times in milliseconds since the epoch.
struct MonitoredTask {
  enum class State { kRunning, kComplete, kAborted };
  std::string description;  // "Flushing t,,1.0123."
  std::string status;       // its doing at present, or its end
  State state = State::kRunning;
  int64_t start_ms = 0;
  int64_t end_ms = -1;  // -1: it runs
};

class TaskMonitor {
  using Tasks = std::list<MonitoredTask>;

 public:
  explicit TaskMonitor(const Clock* clock) : clock_(clock) {}  // it outlives the monitor

  // A work runs while its Run lives. If nobody said how it ended it was aborted. The monitor outlives it.
  class Run {
   public:
    Run(TaskMonitor* monitor, std::string description, std::string status);
    ~Run();
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    void Complete(std::string status);
    void Forget();  // there was nothing to do

   private:
    TaskMonitor& monitor_;
    Tasks::iterator task_;
    bool ended_ = false;
  };

  // Returns the works, the oldest first.
  std::vector<MonitoredTask> List();

 private:
  void End(Tasks::iterator task, MonitoredTask::State state);
  void DropOld();

  const Clock* const clock_;
  std::mutex mutex_;
  Tasks running_;
  Tasks ended_;  // in the order in which they ended
};

}  // namespace vaquita
