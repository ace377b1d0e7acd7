// server/test_control/test_control.h: the control that a test has over the server (docs/test-control.md), with every
// operation of vaquita.v1.TestService.
//
// It is made before the server's parts, which use its clock and its gate; its operations work after Serve. Errors:
// InvalidArgument names the field, NotFound the missing thing; Unavailable before Serve and after Stop. Threads: every
// method may be called from any thread; Serve once. Reset, Save, Restore, SetClock, SetDisk, CutPower and Advertise
// exclude each other.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/cluster_status.h"
#include "model/master_switch.h"
#include "server/frontend/net/call_gate.h"
#include "server/test_control/call_log.h"
#include "server/test_control/cluster_control.h"
#include "server/test_control/fault_list.h"
#include "server/test_control/saved_states.h"
#include "server/test_control/test_clock.h"
#include "server/test_control/tested_process.h"
#include "vaquita/v1/test.pb.h"

namespace vaquita {

class Master;

// The user of a seed's calls, to which no fault applies.
inline constexpr char kSeedUser[] = "vaquita-seed";
// Runs a script or puts records, as a client of the server whose user is kSeedUser. It gives up when the control stops.
using Seeder = std::function<absl::StatusOr<v1::SeedResponse>(const v1::SeedRequest&)>;

// A warning for readers of the server's pages.
inline constexpr char kTestControlNotice[] =
    "Test control is on: a test may drop all data, move the clock and inject faults.";

// The refusal of a client that may not control (TestControl::MayControl).
inline constexpr char kNotFromElsewhere[] =
    "the test control takes requests from this machine only; --test-control=any takes them from everywhere";

class TestControl final : public net::CallGate {
 public:
  // `from_anywhere`: clients on other machines may control, too. `in_cluster`: the process is one of several, and the
  // master's control passes requests on to the others. Null `tls`: the cluster has none.
  explicit TestControl(bool from_anywhere, bool in_cluster = false, std::shared_ptr<TlsContext> tls = nullptr)
      : from_anywhere_(from_anywhere),
        in_cluster_(in_cluster),
        cluster_(std::move(tls)),
        calls_(&clock_, in_cluster ? CallLog::Numbers::kByTime : CallLog::Numbers::kCounted) {}
  ~TestControl() override { Stop(); }

  // Both outlive Stop. A region server of a cluster takes over the master's clock.
  void Serve(TestedProcess* process, Seeder seeder);
  // Ends the wait of calls, and refuses further operations.
  void BeginStop();
  // Does that, and waits for the operations that run. The process calls it before it destroys its servers, and when its
  // master has stopped, which ends what operations wait for.
  void Stop();

  bool stopped() const { return stopped_; }
  Clock* clock() { return &clock_; }
  // Returns whether a client at `address` ("127.0.0.1:4711") may control.
  bool MayControl(std::string_view address) const;

  // Returns whether a fault makes the server seem dead now: then it does not report to its master either.
  bool SeemsDead() const { return faults_.SeemsDead(); }

  // The gate.
  bool MayWait() const override { return !faults_.empty(); }
  net::CallFate Enter(const net::GatedCall& call) override {
    return call.user == kSeedUser ? net::CallFate() : faults_.Decide(call);
  }
  void Leave(const net::GatedCall& call, const net::CallFate& fate, const net::CallEnd& end) override {
    calls_.Add(call, fate, end);
  }
  bool Lasts(const net::CallFate& fate) const override { return faults_.Has(fate.fault); }

  // The operations.
  absl::Status Reset(const v1::ResetRequest& request, v1::ResetResponse* response);
  absl::Status Save(const v1::SaveRequest& request, v1::SavedState* response);
  absl::Status Restore(const v1::RestoreRequest& request, v1::SavedState* response);
  absl::Status ListSaved(const v1::ListSavedRequest& request, v1::ListSavedResponse* response);
  absl::Status DeleteSaved(const v1::DeleteSavedRequest& request, v1::DeleteSavedResponse* response);
  absl::Status Seed(const v1::SeedRequest& request, v1::SeedResponse* response);
  absl::Status SetClock(const v1::SetClockRequest& request, v1::ClockState* response);
  absl::Status GetClock(const v1::GetClockRequest& request, v1::ClockState* response);
  absl::Status AddFault(const v1::Fault& request, v1::Fault* response);
  absl::Status ListFaults(const v1::ListFaultsRequest& request, v1::ListFaultsResponse* response);
  absl::Status ClearFaults(const v1::ClearFaultsRequest& request, v1::ClearFaultsResponse* response);
  absl::Status ListCalls(const v1::ListCallsRequest& request, v1::ListCallsResponse* response);
  absl::Status FlushNow(const v1::FlushNowRequest& request, v1::FlushNowResponse* response);
  absl::Status CompactNow(const v1::CompactNowRequest& request, v1::CompactNowResponse* response);
  absl::Status SplitNow(const v1::SplitNowRequest& request, v1::SplitNowResponse* response);
  absl::Status MoveNow(const v1::MoveNowRequest& request, v1::MoveNowResponse* response);
  absl::Status BalanceNow(const v1::BalanceNowRequest& request, v1::BalanceNowResponse* response);
  absl::Status SetDisk(const v1::DiskFaults& request, v1::DiskFaults* response);
  absl::Status GetDisk(const v1::GetDiskRequest& request, v1::DiskFaults* response);
  absl::Status CutPower(const v1::CutPowerRequest& request, v1::CutPowerResponse* response);
  absl::Status Advertise(const v1::Addresses& request, v1::Addresses* response);
  absl::Status GetAdvertised(const v1::GetAdvertisedRequest& request, v1::Addresses* response);
  // Runs one of them by its name and JSON (control_requests.h).
  absl::Status Run(const v1::RunRequest& request, v1::RunResponse* response);

 private:
  // The process. Its servers stay where they are for as long as this lives: they are closed and made again by
  // operations that have it alone.
  template <typename Lock>
  struct Hold {
    Lock lock;
    TestedProcess* process;
  };
  using Shared = Hold<std::shared_lock<std::shared_mutex>>;
  using Alone = Hold<std::unique_lock<std::shared_mutex>>;
  template <typename Held>
  absl::StatusOr<Held> Take() const;

  struct ClusterServers {
    bool leads;                         // the master is here
    std::string here;                   // the name of this server
    std::vector<ServerMetrics> others;  // a cluster's online region servers; none if the master is in another process
  };
  absl::StatusOr<ClusterServers> Servers() const;
  absl::StatusOr<std::vector<ServerMetrics>> Others() const;
  std::vector<ServerMetrics> OthersOf(TestedProcess* process) const;
  absl::Status AddFaultAmong(const ClusterServers& servers, v1::Fault fault, v1::Fault* response);
  void TakeOverClock(const std::string& master);

  const bool from_anywhere_;
  const bool in_cluster_;
  const ClusterControl cluster_;
  TestClock clock_;
  FaultList faults_;
  CallLog calls_;
  std::atomic<int64_t> calls_begin_ = 1;  // earlier calls of a cluster's servers are ignored
  std::atomic<bool> stopped_ = false;
  mutable std::shared_mutex state_mutex_;  // exclusive for changes of the whole state; it guards the next four
  TestedProcess* process_ = nullptr;
  Seeder seeder_;
  std::map<MasterSwitch, bool> switches_;  // as they were at the start
  std::optional<v1::DiskFaults> disk_;     // the test disk's; absent: there is none
};

}  // namespace vaquita
