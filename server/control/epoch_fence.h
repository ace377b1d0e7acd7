// server/control/epoch_fence.h: decides which of the master's messages a region server obeys.
//
// Messages may come twice, late, or from a master that another one has replaced. A command carries the epoch of its
// master, which grows from master to master, and an id, which grows from command to command. A command of an older
// epoch than the newest known is refused. One of a newer epoch waits until older ones have ended, so that the new
// master sees a settled state. A command with a known id does nothing, and gets the answer of the first. Each command
// also says up to which id all commands have ended for the master: their answers are forgotten, and one that comes
// after that is refused.
//
// Answers are bytes. Threads: any; commands of one epoch run side by side.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace vaquita {

struct CommandNumber {
  int64_t epoch = 0;
  int64_t id = 0;
  int64_t ended_below = 0;
};

class EpochFence {
 public:
  using Answer = absl::StatusOr<std::string>;
  // Returns FailedPrecondition if the command is refused; else `run`'s answer, or its answer of the first time.
  Answer Run(const CommandNumber& number, const std::function<Answer()>& run);

  // Notes a master of this epoch: commands of older ones are refused from now on.
  void BeginEpoch(int64_t epoch);
  // Returns whether a command of an older master still runs.
  bool HasOlderRunning() const;

 private:
  struct Entry {
    bool ended = false;
    Answer answer = std::string();
  };
  void BeginEpochLocked(int64_t epoch);
  absl::Status Check(const CommandNumber& number) const;

  mutable std::mutex mutex_;
  std::condition_variable ended_;  // a command has ended
  int64_t epoch_ = 0;
  int64_t ended_below_ = 0;
  int running_ = 0;                                    // commands of epoch_
  int older_running_ = 0;                              // and of older ones
  std::map<int64_t, std::shared_ptr<Entry>> entries_;  // commands of epoch_, by id
};

// The master's side: the ids of its commands to one server.
class CommandNumbers {
 public:
  // A command, until it has ended for the master, done or given up.
  class Running {
   public:
    explicit Running(CommandNumbers* owner);
    ~Running();
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    int64_t id() const { return id_; }
    int64_t ended_below() const { return ended_below_; }

   private:
    CommandNumbers* const owner_;
    int64_t id_ = 0;
    int64_t ended_below_ = 0;
  };

 private:
  static std::atomic<int64_t> last_id_;  // shared by the process, so that ids for a server keep growing
  std::mutex mutex_;
  std::set<int64_t> running_;
};

}  // namespace vaquita
