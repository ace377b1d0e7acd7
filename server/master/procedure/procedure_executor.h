// server/master/procedure/procedure_executor.h: runs the master's long operations, some at a time, one at a time per
// table.
//
// A procedure is a function with an id, a description and a progress. It starts when none that was submitted before it
// for the same table is waiting or running. Most of its time it waits for region servers, and keeps its thread: when
// none of the threads comes free for a while, others run what waits, so that a server that does not answer stops its
// tables only. A procedure's outcome is kept for a while after its end, in memory; some are noted in the master's
// store, too (procedure_store.h). Threads: any. A procedure must not wait for another one. Source: ProcedureExecutor
// and its WorkerMonitor, CompletedProcedureCleaner (2.6).
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/chore.h"
#include "base/clock.h"
#include "base/options.h"
#include "base/read_watch.h"
#include "base/worker_pool.h"
#include "model/cluster_status.h"

namespace vaquita {

class ProcedureExecutor {
 public:
  // Takes a running procedure's progress. Threads: any.
  class Progress {
   public:
    virtual ~Progress() = default;
    virtual void SetTotal(int64_t steps) = 0;
    virtual void Advance(int64_t steps) = 0;
  };
  using Body = std::function<absl::Status(Progress&)>;

  static constexpr int64_t kKeepResultMs = 15 * 60 * 1000;  // hbase.procedure.cleaner.evict.ttl
  static constexpr size_t kKeepResults = 10'000;
  static constexpr size_t kMostWaiting = 50'000;           // each takes about a kilobyte, and its request
  static constexpr int64_t kMostWaitingBytes = 64 * kMiB;  // their requests together

  static constexpr int kThreads = 16;                           // hbase.master.procedure.threads
  static constexpr int kMostPerThread = 10;                     // in all, when they are stuck
  static constexpr std::chrono::milliseconds kPatience{5'000};  // hbase.procedure.worker.monitor.interval.msecs
  static constexpr int64_t kStuckMs = 10'000;                   // hbase.procedure.worker.stuck.threshold.msecs

  static constexpr size_t kMostDescriptionBytes = 1024;  // longer ones are cut
  static constexpr int64_t kIdsAtATime = 1'000'000;

  // Returns the first of kIdsAtATime ids that nobody has yet, also not in an earlier life.
  using ReserveIds = std::function<absl::StatusOr<int64_t>()>;

  // Ids count up from `first_id`, the first that was reserved. `clock` outlives it. After `patience` without a free
  // thread there is one more.
  ProcedureExecutor(int64_t first_id, ReserveIds reserve, Clock* clock, int threads = kThreads,
                    std::chrono::milliseconds patience = kPatience);
  ~ProcedureExecutor();  // Stop()

  // Returns kIO if so many procedures wait that no other may be submitted with a request of so many bytes. Callers of
  // Start ask first. A request of any size has room if none waits.
  absl::Status HasRoom(int64_t request_bytes = 0) const;
  // `lock` is the table, or the namespace as "ns:", that it holds exclusively.
  absl::StatusOr<int64_t> Submit(std::string description, std::string lock, Body body);
  // Submits in two steps, for procedures that are noted in between.
  absl::StatusOr<int64_t> NewId();
  absl::Status Start(int64_t id, std::string description, std::string lock, Body body, int64_t request_bytes = 0);
  // Adds a procedure that ended in an earlier life of this master.
  void AddEnded(int64_t id, std::string description, std::string lock, const absl::Status& status, int64_t ended_ms);
  // An id of an earlier life that is not kept is that of a failed procedure, for Await and Wait, too: its client must
  // not take it for done.
  absl::StatusOr<Procedure> Get(int64_t id) const;
  // Returns whether the procedure runs, waits, or its outcome is still kept.
  bool Keeps(int64_t id) const;
  size_t CountUnfinished() const;  // those that run, wait, or are left
  size_t CountStuck() const;       // those that have run for kStuckMs
  // Returns the first of those that have or wait for the lock, are not left, and whose description begins so.
  std::optional<Procedure> FindUnfinished(const std::string& lock, std::string_view description) const;
  // Returns the procedure after its end, or after `at_most_ms`.
  absl::StatusOr<Procedure> Await(int64_t id, int64_t at_most_ms);
  std::vector<Procedure> List() const;  // by id; running, waiting, and ended ones that are still kept
  // Waits for its end, and returns its status; kMasterNotRunning if it is left unfinished; the error of `watch` (null:
  // none), once it has one.
  absl::Status Wait(int64_t id, ReadWatch* watch = nullptr);
  // Waits for running procedures, leaves waiting ones, and refuses later ones. Those that are left, or fail meanwhile
  // or with kMasterNotRunning, stay unfinished for all who ask, and keep their locks: the next master runs them again,
  // so their client asks that one.
  void Stop();

 private:
  struct Entry;
  absl::StatusOr<std::shared_ptr<Entry>> Find(int64_t id) const;  // under mutex_
  void Run(bool is_extra);                                        // a worker thread
  void RunNext(std::unique_lock<std::mutex>& guard);              // the first of runnable_; under mutex_
  void AddWorkerIfStuck();
  void Finish(Entry& entry, absl::Status status);                     // under mutex_
  void Leave(Entry& entry);                                           // under mutex_
  void LeaveWaiting(const std::deque<std::shared_ptr<Entry>>& line);  // under mutex_
  void ForgetOld();                                                   // under mutex_
  static Procedure Describe(const Entry& entry);                      // under mutex_

  Clock* const clock_;
  const ReserveIds reserve_;
  const int64_t first_id_;  // the first one of this life
  std::mutex ids_mutex_;
  int64_t next_id_;  // under ids_mutex_
  int64_t end_id_;   // likewise
  mutable std::mutex mutex_;
  const std::chrono::milliseconds patience_;
  std::condition_variable work_;  // something is runnable
  std::condition_variable done_;  // a procedure ended
  bool stopping_ = false;
  std::map<int64_t, std::shared_ptr<Entry>> entries_;
  std::deque<int64_t> ended_;  // those of entries_ that ended, the first first
  // By lock: the one that has it, or is the next to get it, and those that wait for it.
  std::map<std::string, std::deque<std::shared_ptr<Entry>>> lines_;
  std::deque<std::shared_ptr<Entry>> runnable_;  // the first of each line that does not run yet
  size_t waiting_ = 0;                           // those of all lines that do not run yet
  int64_t waiting_bytes_ = 0;                    // their requests
  std::chrono::steady_clock::time_point last_taken_ = std::chrono::steady_clock::now();  // from runnable_
  int idle_ = 0;                                                                         // threads
  std::vector<std::thread> threads_;
  WorkerPool extra_threads_;
  std::unique_ptr<Chore> monitor_;
};

}  // namespace vaquita
