// server/master/procedure/procedure_executor.h: runs the master's long operations, two at a time, one at a time per
// table.
//
// A procedure is a function with an id, a description and a progress. It starts when none that was submitted before it
// for the same table is waiting or running. Its outcome is kept for a while after its end, in memory; some are noted in
// the master's store, too (procedure_store.h). Threads: any. A procedure must not wait for another one. Source:
// ProcedureExecutor, CompletedProcedureCleaner (2.6).
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/options.h"
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

  // Ids count up from `first_id`. `clock` outlives it.
  ProcedureExecutor(int64_t first_id, Clock* clock);
  ~ProcedureExecutor();  // Stop()

  // Returns kIO if so many procedures wait that no other may be submitted with a request of so many bytes. Callers of
  // Start ask first. A request of any size has room if none waits.
  absl::Status HasRoom(int64_t request_bytes = 0) const;
  // `lock` is the table, or the namespace as "ns:", that it holds exclusively.
  absl::StatusOr<int64_t> Submit(std::string description, std::string lock, Body body);
  // Submits in two steps, for procedures that are noted in between.
  int64_t NewId();
  absl::Status Start(int64_t id, std::string description, std::string lock, Body body, int64_t request_bytes = 0);
  // Adds a procedure that ended in an earlier life of this master.
  void AddEnded(int64_t id, std::string description, std::string lock, const absl::Status& status, int64_t ended_ms);
  absl::StatusOr<Procedure> Get(int64_t id) const;
  // Returns the procedure after its end, or after `at_most_ms`.
  absl::StatusOr<Procedure> Await(int64_t id, int64_t at_most_ms);
  std::vector<Procedure> List() const;  // by id; running, waiting, and ended ones that are still kept
  // Waits for its end, and returns its status; kMasterNotRunning if Stop left it unfinished.
  absl::Status Wait(int64_t id);
  // Waits for running procedures, leaves waiting ones, and refuses later ones. Those that are left, or fail meanwhile
  // or with kMasterNotRunning, stay unfinished for all who ask: the next master runs them again, so their client asks
  // that one.
  void Stop();

 private:
  struct Entry;
  void Run();                                      // a worker thread
  std::shared_ptr<Entry> NextRunnable();           // under mutex_
  void Finish(Entry& entry, absl::Status status);  // under mutex_
  void Leave(Entry& entry);                        // under mutex_
  void ForgetOld();                                // under mutex_
  static Procedure Describe(const Entry& entry);   // under mutex_

  Clock* const clock_;
  mutable std::mutex mutex_;
  std::condition_variable work_;  // something was queued, or a lock became free
  std::condition_variable done_;  // a procedure ended
  bool stopping_ = false;
  int64_t next_id_;
  std::map<int64_t, std::shared_ptr<Entry>> entries_;
  std::deque<std::shared_ptr<Entry>> queue_;
  int64_t queue_bytes_ = 0;  // their requests
  std::set<std::string> locked_;
  std::vector<std::thread> threads_;
};

}  // namespace vaquita
