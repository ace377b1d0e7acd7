#include "tests/cluster_checker/faults.h"

#include "absl/strings/str_cat.h"
#include "tests/cluster_checker/history.h"
#include "tests/cluster_checker/row_workload.h"

namespace vaquita::checker {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kAdministrativePause{300};  // on average
constexpr milliseconds kProcessPause{1500};
constexpr milliseconds kFaultLook{20};
constexpr size_t kManyRegions = 12;  // regions of a table above which merges are more frequent than splits

}  // namespace

AdministrativeFaults::AdministrativeFaults(Run* run, client::Connection& connection)
    : run_(run), admin_(connection.GetAdmin()), random_(run->Random(1)) {}

void AdministrativeFaults::RunUntil(StopFlag* stop) {
  while (stop->Pause(milliseconds(random_() % (2 * kAdministrativePause.count())))) Next();
}

absl::Status AdministrativeFaults::Move(const std::vector<client::RegionLocation>& regions) {
  const auto status = admin_->GetClusterStatus();
  if (!status.ok()) return status.status();
  if (status->servers.empty()) return absl::UnavailableError("no server");
  const std::string& server = status->servers[random_() % status->servers.size()].server_name;
  return admin_->MoveRegion(regions[random_() % regions.size()].info.EncodedName(), server);
}

absl::Status AdministrativeFaults::Split(const std::vector<client::RegionLocation>& regions) {
  const std::string row = RowWorkload::RandomKey(random_());
  for (const client::RegionLocation& region : regions) {
    if (region.info.ContainsRow(row)) return admin_->SplitRegion(region.info.EncodedName(), row);
  }
  run_->Fail(absl::StrCat("no region for row ", row));  // meta has them all, at any time
  return absl::NotFoundError("no region");
}

absl::Status AdministrativeFaults::Merge(const std::vector<client::RegionLocation>& regions) {
  if (regions.size() < 2) return absl::FailedPreconditionError("one region");
  const size_t left = random_() % (regions.size() - 1);
  return admin_->MergeRegions({regions[left].info.EncodedName(), regions[left + 1].info.EncodedName()}, false);
}

// A request may be refused, but no fault of a process loses data.
bool AdministrativeFaults::Succeeded(const absl::Status& status, const char* what) {
  if (absl::IsDataLoss(status)) run_->Fail(absl::StrCat(what, ": ", status.ToString()));
  return status.ok();
}

void AdministrativeFaults::Next() {
  const auto tables = admin_->ListTableNames();
  if (!Succeeded(tables.status(), "list of tables") || tables->empty()) return;
  const TableName& table = (*tables)[random_() % tables->size()];
  const auto regions = admin_->GetRegions(table);
  if (!Succeeded(regions.status(), "list of regions") || regions->empty())
    return;  // a client beside this program is creating the table
  const char* what = "";
  absl::Status status;
  // The first ones are a move and a split, so that a short run on a slow machine has both.
  const uint64_t choice = !has_moved_ ? 0 : !has_split_ ? 9 : random_() % 20;
  if (choice < 9) {
    what = "move";
    status = Move(*regions);
    has_moved_ |= status.ok();
  } else if (choice < 15 && !has_split_) {
    what = "split";
    status = Split(*regions);
    has_split_ = status.ok();
  } else if (choice < 15) {
    const bool many = regions->size() > kManyRegions ? random_() % 4 != 0 : regions->size() > 3 && random_() % 4 == 0;
    what = many ? "merge" : "split";
    status = many ? Merge(*regions) : Split(*regions);
  } else if (choice < 17) {
    what = "balancer";
    status = admin_->Balance().status();
  } else if (choice < 19) {
    what = "flush";
    status = admin_->Flush(table);
  } else {
    what = "compaction";
    status = admin_->CompactAsync(table, "", random_() % 2 == 0);
  }
  run_->Count(absl::StrCat("fault: ", what, Succeeded(status, what) ? "" : ", refused"));
}

ProcessFaults::ProcessFaults(Run* run, ClusterProcesses* processes, milliseconds lease)
    : run_(run), processes_(processes), lease_(lease), random_(run->Random(2)) {}

milliseconds ProcessFaults::Below(milliseconds time) { return milliseconds(random_() % time.count()); }

// Returns zero, so that the server comes back to its regions, or a time after which others have them.
milliseconds ProcessFaults::Downtime() { return random_() % 2 == 0 ? milliseconds(0) : Below(3 * lease_); }

size_t ProcessFaults::AnyServer() {
  return ClusterProcesses::kMasters + random_() % (processes_->size() - ClusterProcesses::kMasters);
}

bool ProcessFaults::RunUntil(StopFlag* stop) {
  int64_t next_ns = MonotonicNs();
  while (stop->Pause(kFaultLook)) {
    processes_->Check();
    if (MonotonicNs() < next_ns) continue;
    Next();
    next_ns = MonotonicNs() + Below(2 * kProcessPause) / std::chrono::nanoseconds(1);
  }
  return processes_->AwaitAll();
}

void ProcessFaults::End(size_t member, int signal, const char* what) {
  if (!processes_->Runs(member)) return;
  if (processes_->End(member, signal, Downtime())) run_->Count(absl::StrCat("fault: ", what));
}

void ProcessFaults::Next() {
  const uint64_t choice = random_() % 20;
  if (choice < 7) {
    End(AnyServer(), SIGKILL, "region server killed");
  } else if (choice < 9) {
    End(AnyServer(), SIGTERM, "region server stopped");
  } else if (choice < 10) {
    End(AnyServer(), SIGINT, "region server stopped at once");
  } else if (choice < 13) {
    const size_t server = AnyServer();
    if (!processes_->Runs(server)) return;
    processes_->Suspend(server, Below(3 * lease_));
    run_->Count("fault: region server suspended");
  } else if (choice < 17) {
    End(random_() % 4 == 0 ? random_() % 2 : processes_->LeadingMaster(), SIGKILL, "master killed");
  } else if (choice < 18) {
    End(processes_->LeadingMaster(), SIGTERM, "master stopped");
  } else if (choice < 19) {
    if (!processes_->Runs(processes_->LeadingMaster())) return;
    processes_->Suspend(processes_->LeadingMaster(), Below(3 * lease_));
    run_->Count("fault: master suspended");
  } else {
    for (size_t member = 0; member < processes_->size(); ++member) {
      if (processes_->Runs(member)) processes_->End(member, SIGKILL, Downtime());
    }
    run_->Count("fault: all killed");
  }
}

}  // namespace vaquita::checker
