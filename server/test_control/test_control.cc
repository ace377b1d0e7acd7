#include "server/test_control/test_control.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/duration_text.h"
#include "base/host_name.h"
#include "base/host_port.h"
#include "base/status.h"
#include "server/master/master.h"
#include "server/regionserver/region_server.h"
#include "server/test_control/control_requests.h"
#include "server/test_control/reset.h"
#include "server/test_control/table_work.h"

namespace vaquita {
namespace {

constexpr MasterSwitch kSwitches[] = {MasterSwitch::kBalancer,        MasterSwitch::kSplit,
                                      MasterSwitch::kMerge,           MasterSwitch::kNormalizer,
                                      MasterSwitch::kCatalogJanitor,  MasterSwitch::kCleaner,
                                      MasterSwitch::kSnapshotCleanup, MasterSwitch::kPeerModification};

// A request that ends the faults waits for the operations that run on this disk.
constexpr int64_t kMostDiskDelayMs = 1000;

int64_t MicrosSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin).count();
}

absl::StatusOr<Master*> MasterOf(TestedProcess* process) {
  Master* const master = process->master();
  if (master == nullptr) return absl::UnimplementedError("this process has no master: ask the one that has");
  return master;
}

// Runs the work that is due by the clock, and waits for it.
void RunDue(TestedProcess* process) {
  if (RegionServer* const server = process->region_server(); server != nullptr) {
    server->ExpireScanners();
    server->maintenance()->CheckNow();
    server->maintenance()->WaitIdle();
  }
  Master* const master = process->master();
  if (master == nullptr) return;
  if (master->IsOn(MasterSwitch::kSnapshotCleanup)) master->RemoveExpiredSnapshots();
  if (master->IsOn(MasterSwitch::kCatalogJanitor)) master->RunCatalogJanitor().IgnoreError();
}

absl::StatusOr<SavedStates> StatesOf(const TestedProcess& process) {
  VAQUITA_ASSIGN_OR_RETURN(std::string folder, process.SavedStatesFolder());
  return SavedStates(std::move(folder));
}

absl::Status CheckChance(std::string_view field, double chance) {
  if (chance >= 0 && chance <= 1) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(AbslText(field), ": ", chance, " must be from 0 to 1"));
}

absl::StatusOr<DiskFaults> FaultsOf(const v1::DiskFaults& request) {
  DiskFaults faults{.seed = static_cast<uint64_t>(request.seed()),
                    .fail = request.fail(),
                    .reads_fail = request.reads_fail(),
                    .tear = request.tear(),
                    .lie = request.lie(),
                    .late = request.late()};
  VAQUITA_RETURN_IF_ERROR(CheckChance("fail", faults.fail));
  VAQUITA_RETURN_IF_ERROR(CheckChance("tear", faults.tear));
  VAQUITA_RETURN_IF_ERROR(CheckChance("lie", faults.lie));
  VAQUITA_RETURN_IF_ERROR(CheckChance("late", faults.late));
  if (request.delay().empty()) return faults;
  const auto delay_ms = ParseDurationMs(request.delay());
  if (!delay_ms.ok()) return Annotate(delay_ms.status(), "delay");
  if (*delay_ms > kMostDiskDelayMs) {
    return absl::InvalidArgumentError("delay: " + request.delay() + " is more than a second");
  }
  faults.delay_ms = *delay_ms;
  return faults;
}

}  // namespace

void TestControl::Serve(TestedProcess* process, Seeder seeder) {
  if (const std::string master = process->MasterElsewhere(); !master.empty()) TakeOverClock(master);
  std::unique_lock lock(state_mutex_);
  seeder_ = std::move(seeder);
  if (process->master() != nullptr) {
    for (const MasterSwitch which : kSwitches) switches_[which] = process->master()->IsOn(which);
  }
  process_ = process;
}

void TestControl::BeginStop() {
  stopped_ = true;
  faults_.Stop();
}

void TestControl::Stop() {
  BeginStop();
  std::unique_lock lock(state_mutex_);
  process_ = nullptr;
}

bool TestControl::MayControl(std::string_view address) const { return from_anywhere_ || IsLoopback(HostIn(address)); }

template <typename Held>
absl::StatusOr<Held> TestControl::Take() const {
  Held held{decltype(Held::lock)(state_mutex_), process_};
  if (held.process == nullptr || stopped_) return absl::UnavailableError("the server is starting or stopping");
  return held;
}

std::vector<ServerMetrics> TestControl::OthersOf(TestedProcess* process) const {
  Master* const master = process->master();
  return !in_cluster_ || master == nullptr ? std::vector<ServerMetrics>() : master->Status().servers;
}

absl::StatusOr<TestControl::ClusterServers> TestControl::Servers() const {
  VAQUITA_ASSIGN_OR_RETURN(const Shared held, Take<Shared>());
  return ClusterServers{held.process->master() != nullptr, held.process->server_name(), OthersOf(held.process)};
}

// Outside a cluster it takes no lock, so that faults can always be cleared: they may be what an operation waits for.
absl::StatusOr<std::vector<ServerMetrics>> TestControl::Others() const {
  if (!in_cluster_) return std::vector<ServerMetrics>();
  VAQUITA_ASSIGN_OR_RETURN(const Shared held, Take<Shared>());
  return OthersOf(held.process);
}

absl::Status TestControl::Reset(const v1::ResetRequest& request, v1::ResetResponse* response) {
  const auto begin = std::chrono::steady_clock::now();
  VAQUITA_ASSIGN_OR_RETURN(const Alone held, Take<Alone>());
  VAQUITA_ASSIGN_OR_RETURN(Master* const master, MasterOf(held.process));
  if (request.namespace_().empty()) {
    const std::vector<ServerMetrics> others = OthersOf(held.process);
    v1::SetClockRequest real;
    real.set_real(true);
    VAQUITA_RETURN_IF_ERROR(faults_.Clear(0).status());
    VAQUITA_RETURN_IF_ERROR(cluster_.ClearFaultsAt(others, 0));
    VAQUITA_RETURN_IF_ERROR(cluster_.SetClockAt(others, real));
    clock_.SetReal();
    if (disk_.has_value()) {
      const int64_t seed = disk_->seed();
      VAQUITA_RETURN_IF_ERROR(held.process->SetDisk({.seed = static_cast<uint64_t>(seed)}));
      disk_->Clear();
      disk_->set_seed(seed);
    }
  }
  VAQUITA_ASSIGN_OR_RETURN(const int tables, DropTables(master, request.namespace_()));
  held.process->ForgetSessions();
  response->set_tables(tables);
  if (request.namespace_().empty()) {
    VAQUITA_RETURN_IF_ERROR(DropSnapshotsAndNamespaces(master));
    VAQUITA_RETURN_IF_ERROR(DropSettings(master));
    for (const auto& [which, on] : switches_) VAQUITA_RETURN_IF_ERROR(master->SetSwitch(which, on).status());
    calls_.Forget();
    if (in_cluster_) calls_begin_ = calls_.List({}).next();
  }
  response->set_took_micros(MicrosSince(begin));
  return absl::OkStatus();
}

absl::Status TestControl::Save(const v1::SaveRequest& request, v1::SavedState* response) {
  const auto begin = std::chrono::steady_clock::now();
  VAQUITA_ASSIGN_OR_RETURN(const Alone held, Take<Alone>());
  VAQUITA_ASSIGN_OR_RETURN(Master* const master, MasterOf(held.process));
  response->set_name(request.name());
  response->set_saved_ms(clock_.NowMs());
  response->set_tables(static_cast<int32_t>(master->ListTables(/*system=*/false).size()));
  VAQUITA_ASSIGN_OR_RETURN(const SavedStates states, StatesOf(*held.process));
  VAQUITA_RETURN_IF_ERROR(
      states.Save(*response, [&](const std::string& folder) { return held.process->SaveState(folder); }));
  response->set_took_micros(MicrosSince(begin));
  return absl::OkStatus();
}

absl::Status TestControl::Restore(const v1::RestoreRequest& request, v1::SavedState* response) {
  const auto begin = std::chrono::steady_clock::now();
  VAQUITA_ASSIGN_OR_RETURN(const Alone held, Take<Alone>());
  VAQUITA_RETURN_IF_ERROR(MasterOf(held.process).status());
  VAQUITA_ASSIGN_OR_RETURN(const SavedStates states, StatesOf(*held.process));
  VAQUITA_ASSIGN_OR_RETURN(*response, states.Find(request.name()));
  VAQUITA_RETURN_IF_ERROR(held.process->RestoreState(states.FolderOf(request.name())));
  held.process->ForgetSessions();
  response->set_took_micros(MicrosSince(begin));
  return absl::OkStatus();
}

absl::Status TestControl::ListSaved(const v1::ListSavedRequest&, v1::ListSavedResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const Shared held, Take<Shared>());
  VAQUITA_ASSIGN_OR_RETURN(const SavedStates states, StatesOf(*held.process));
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<v1::SavedState> saved, states.List());
  for (const v1::SavedState& state : saved) *response->add_saved() = state;
  return absl::OkStatus();
}

absl::Status TestControl::DeleteSaved(const v1::DeleteSavedRequest& request, v1::DeleteSavedResponse*) {
  VAQUITA_ASSIGN_OR_RETURN(const Alone held, Take<Alone>());
  VAQUITA_ASSIGN_OR_RETURN(const SavedStates states, StatesOf(*held.process));
  return states.Delete(request.name());
}

absl::Status TestControl::Seed(const v1::SeedRequest& request, v1::SeedResponse* response) {
  VAQUITA_RETURN_IF_ERROR(Take<Shared>().status());
  if (int{!request.script().empty()} + int{!request.csv().empty()} + int{!request.snapshot().empty()} != 1) {
    return absl::InvalidArgumentError("give one of script, csv and snapshot, with the latter two a table");
  }
  if (request.script().empty() && request.table().empty()) return absl::InvalidArgumentError("table: is missing");
  VAQUITA_ASSIGN_OR_RETURN(*response, seeder_(request));
  return absl::OkStatus();
}

// --- Time

absl::Status TestControl::SetClock(const v1::SetClockRequest& request, v1::ClockState* response) {
  VAQUITA_ASSIGN_OR_RETURN(const Alone held, Take<Alone>());
  int64_t advance_ms = 0;
  v1::SetClockRequest for_all = request;  // the others', too
  switch (request.set_case()) {
    case v1::SetClockRequest::kFreezeMs:
      break;
    case v1::SetClockRequest::kFreeze:
      if (!request.freeze()) return absl::InvalidArgumentError("freeze: must be true; {\"real\": true} ends it");
      for_all.set_freeze_ms(clock_.NowMs());
      break;
    case v1::SetClockRequest::kAdvance: {
      const auto ms = ParseDurationMs(request.advance());
      if (!ms.ok()) return Annotate(ms.status(), "advance");
      advance_ms = *ms;
      break;
    }
    case v1::SetClockRequest::kReal:
      if (!request.real()) return absl::InvalidArgumentError("real: must be true");
      break;
    case v1::SetClockRequest::SET_NOT_SET:
      return absl::InvalidArgumentError("give one of freezeMs, freeze, advance and real");
  }
  VAQUITA_RETURN_IF_ERROR(cluster_.SetClockAt(OthersOf(held.process), for_all));
  if (for_all.has_freeze_ms()) VAQUITA_RETURN_IF_ERROR(Annotate(clock_.FreezeAt(for_all.freeze_ms()), "freezeMs"));
  if (for_all.has_advance()) VAQUITA_RETURN_IF_ERROR(Annotate(clock_.Advance(advance_ms), "advance"));
  if (for_all.has_real()) clock_.SetReal();
  RunDue(held.process);
  return GetClock({}, response);
}

absl::Status TestControl::GetClock(const v1::GetClockRequest&, v1::ClockState* response) {
  const TestClock::Mode mode = clock_.mode();
  response->set_now_ms(clock_.NowMs());
  response->set_mode(mode == TestClock::Mode::kReal ? "real" : mode == TestClock::Mode::kMoved ? "moved" : "frozen");
  return absl::OkStatus();
}

// A master that is gone again has no clock to take over. A time that no test can set is none, either.
void TestControl::TakeOverClock(const std::string& master) {
  const auto clock = cluster_.ClockAt(master);
  if (!clock.ok()) return;
  if (clock->mode() == "frozen") clock_.FreezeAt(clock->now_ms()).IgnoreError();
  if (clock->mode() == "moved") clock_.Advance(clock->now_ms() - clock_.NowMs()).IgnoreError();
}

// --- Faults and calls

absl::Status TestControl::AddFault(const v1::Fault& request, v1::Fault* response) {
  VAQUITA_ASSIGN_OR_RETURN(const ClusterServers servers, Servers());
  if (servers.leads) return AddFaultAmong(servers, request, response);
  VAQUITA_ASSIGN_OR_RETURN(*response, faults_.Add(request));
  return absl::OkStatus();
}

absl::Status TestControl::AddFaultAmong(const ClusterServers& servers, v1::Fault fault, v1::Fault* response) {
  const std::string& wanted = fault.match().server();
  const bool here = wanted.empty() || wanted == servers.here;
  std::vector<ServerMetrics> elsewhere;
  std::string names = servers.here;
  for (const ServerMetrics& server : servers.others) {
    absl::StrAppend(&names, " ", server.server_name);
    if (wanted.empty() || wanted == server.server_name) elsewhere.push_back(server);
  }
  if (!here && elsewhere.empty()) {
    return absl::NotFoundError(absl::StrCat("match.server: there is no ", wanted, "; there are: ", names));
  }
  fault.set_id(faults_.TakeId());
  *response = fault;
  if (here) {
    VAQUITA_ASSIGN_OR_RETURN(*response, faults_.Add(fault));
  }
  if (elsewhere.empty()) return absl::OkStatus();
  VAQUITA_ASSIGN_OR_RETURN(*response, cluster_.AddFaultAt(elsewhere, fault));
  return absl::OkStatus();
}

absl::Status TestControl::ListFaults(const v1::ListFaultsRequest&, v1::ListFaultsResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<ServerMetrics> others, Others());
  for (v1::Fault& fault : faults_.List()) *response->add_faults() = std::move(fault);
  return cluster_.AppendFaultsOf(others, response);
}

absl::Status TestControl::ClearFaults(const v1::ClearFaultsRequest& request, v1::ClearFaultsResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<ServerMetrics> others, Others());
  if (others.empty()) {
    VAQUITA_ASSIGN_OR_RETURN(const int cleared, faults_.Clear(request.id()));
    response->set_cleared(cleared);
    return absl::OkStatus();
  }
  v1::ListFaultsResponse all;
  VAQUITA_RETURN_IF_ERROR(ListFaults({}, &all));
  for (const v1::Fault& fault : all.faults()) {
    if (request.id() == 0 || request.id() == fault.id()) response->set_cleared(response->cleared() + 1);
  }
  if (const auto here = faults_.Clear(request.id()); !here.ok() && response->cleared() == 0) return here.status();
  return cluster_.ClearFaultsAt(others, request.id());
}

absl::Status TestControl::ListCalls(const v1::ListCallsRequest& request, v1::ListCallsResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const ClusterServers servers, Servers());
  v1::ListCallsRequest kept = request;
  kept.set_since(std::max<int64_t>(request.since(), calls_begin_));
  *response = calls_.List(kept);
  if (!in_cluster_) return absl::OkStatus();
  for (v1::TestCall& call : *response->mutable_calls()) call.set_server(servers.here);
  return cluster_.AppendCallsOf(servers.others, kept, response);
}

// --- Regions

absl::Status TestControl::FlushNow(const v1::FlushNowRequest& request, v1::FlushNowResponse*) {
  VAQUITA_ASSIGN_OR_RETURN(const Shared held, Take<Shared>());
  VAQUITA_ASSIGN_OR_RETURN(Master* const master, MasterOf(held.process));
  if (!request.region().empty()) return master->FlushRegion(FromStringBinary(request.region()));
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<TableName> tables, TablesNamed(*master, request.table()));
  for (const TableName& table : tables) VAQUITA_RETURN_IF_ERROR(master->FlushTable(table));
  return absl::OkStatus();
}

absl::Status TestControl::CompactNow(const v1::CompactNowRequest& request, v1::CompactNowResponse*) {
  VAQUITA_ASSIGN_OR_RETURN(const Shared held, Take<Shared>());
  VAQUITA_ASSIGN_OR_RETURN(Master* const master, MasterOf(held.process));
  const CompactionKind kind = request.minor() ? CompactionKind::kMinor : CompactionKind::kMajor;
  if (!request.region().empty()) {
    return master->CompactRegion(FromStringBinary(request.region()), request.family(), kind, /*wait=*/true);
  }
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<TableName> tables, TablesNamed(*master, request.table()));
  for (const TableName& table : tables) {
    VAQUITA_RETURN_IF_ERROR(master->CompactTable(table, request.family(), kind, /*wait=*/true));
  }
  return absl::OkStatus();
}

absl::Status TestControl::SplitNow(const v1::SplitNowRequest& request, v1::SplitNowResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const Shared held, Take<Shared>());
  VAQUITA_ASSIGN_OR_RETURN(Master* const master, MasterOf(held.process));
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<std::string> daughters, Split(master, request));
  for (const std::string& daughter : daughters) response->add_daughters(daughter);
  return absl::OkStatus();
}

absl::Status TestControl::MoveNow(const v1::MoveNowRequest& request, v1::MoveNowResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const Shared held, Take<Shared>());
  VAQUITA_ASSIGN_OR_RETURN(Master* const master, MasterOf(held.process));
  VAQUITA_ASSIGN_OR_RETURN(*response->mutable_server(), Move(master, request));
  return absl::OkStatus();
}

absl::Status TestControl::BalanceNow(const v1::BalanceNowRequest&, v1::BalanceNowResponse* response) {
  VAQUITA_ASSIGN_OR_RETURN(const Shared held, Take<Shared>());
  VAQUITA_ASSIGN_OR_RETURN(Master* const master, MasterOf(held.process));
  VAQUITA_ASSIGN_OR_RETURN(const BalanceAnswer answer, master->Balance({}));
  response->set_moves(static_cast<int32_t>(answer.moves_executed));
  return absl::OkStatus();
}

// --- The disk

absl::Status TestControl::SetDisk(const v1::DiskFaults& request, v1::DiskFaults* response) {
  VAQUITA_ASSIGN_OR_RETURN(const Alone held, Take<Alone>());
  VAQUITA_ASSIGN_OR_RETURN(const DiskFaults faults, FaultsOf(request));
  VAQUITA_RETURN_IF_ERROR(held.process->SetDisk(faults));
  disk_ = *response = request;
  return absl::OkStatus();
}

absl::Status TestControl::GetDisk(const v1::GetDiskRequest&, v1::DiskFaults* response) {
  VAQUITA_ASSIGN_OR_RETURN(const Shared held, Take<Shared>());
  if (!disk_.has_value()) return absl::NotFoundError("there is no test disk; POST disk puts one below the data");
  *response = *disk_;
  return absl::OkStatus();
}

absl::Status TestControl::CutPower(const v1::CutPowerRequest&, v1::CutPowerResponse* response) {
  const auto begin = std::chrono::steady_clock::now();
  VAQUITA_ASSIGN_OR_RETURN(const Alone held, Take<Alone>());
  VAQUITA_RETURN_IF_ERROR(held.process->CutPower());
  held.process->ForgetSessions();
  response->set_took_micros(MicrosSince(begin));
  return absl::OkStatus();
}

// --- Addresses

absl::Status TestControl::Advertise(const v1::Addresses& request, v1::Addresses* response) {
  {
    VAQUITA_ASSIGN_OR_RETURN(const Alone held, Take<Alone>());
    VAQUITA_RETURN_IF_ERROR(held.process->Advertise(request));
  }
  return GetAdvertised({}, response);
}

absl::Status TestControl::GetAdvertised(const v1::GetAdvertisedRequest&, v1::Addresses* response) {
  VAQUITA_ASSIGN_OR_RETURN(const Shared held, Take<Shared>());
  VAQUITA_ASSIGN_OR_RETURN(*response, held.process->Advertised());
  return absl::OkStatus();
}

absl::Status TestControl::Run(const v1::RunRequest& request, v1::RunResponse* response) {
  const ControlAnswer answer = RunControlCommand(this, request.method(), request.name(), request.body());
  response->set_status(answer.status);
  response->set_body(answer.body);
  return absl::OkStatus();
}

}  // namespace vaquita
