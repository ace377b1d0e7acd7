#include "tools/console/laboratory_runs.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <utility>

#include "base/clock.h"
#include "base/json.h"
#include "base/status.h"
#include "client/admin.h"
#include "client/table.h"

namespace vaquita {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr int64_t kMostRunRows = 2'000'000;
constexpr int64_t kMostRate = 20'000;
constexpr int64_t kRate = 1'000;
constexpr std::chrono::milliseconds kStep{50};  // rows are written in steps, so that the rate is even
constexpr std::chrono::minutes kMostRunTime{10};
constexpr size_t kRunValueBytes = 100;
constexpr char kOwnTable[] = "VAQUITA_LABORATORY";  // an attribute of the tables that a run may replace

// Makes the laboratory's table anew. A table of that name that it did not make is refused.
absl::Status MakeOwnTable(client::Admin* admin, const TableName& name, const lab::SplitKeys& splits) {
  VAQUITA_ASSIGN_OR_RETURN(const bool exists, admin->TableExists(name));
  if (exists) {
    VAQUITA_ASSIGN_OR_RETURN(const TableDescriptor old, admin->GetDescriptor(name));
    if (!old.attributes.contains(kOwnTable)) {
      return absl::InvalidArgumentError("table " + name.ToString() +
                                        " is there, and the laboratory did not make it: give the design another name");
    }
    VAQUITA_ASSIGN_OR_RETURN(const TableState state, admin->GetTableState(name));
    if (state != TableState::kDisabled) VAQUITA_RETURN_IF_ERROR(admin->DisableTable(name));
    VAQUITA_RETURN_IF_ERROR(admin->DeleteTable(name));
  }
  TableDescriptor table;
  table.name = name;
  table.families["f"].name = "f";
  table.attributes[kOwnTable] = "true";
  return admin->CreateTable(table, splits.keys());
}

Mutation PutOf(std::string row, const std::string& family) {
  Mutation put;
  put.row = std::move(row);
  Cell& cell = put.cells.emplace_back();
  cell.family = family;
  cell.qualifier = "q";
  cell.value.assign(kRunValueBytes, 'v');
  return put;
}

}  // namespace

LaboratoryRuns::~LaboratoryRuns() { thread_.request_stop(); }

absl::Status LaboratoryRuns::MakeTargets(const Json& request, const LaboratoryInput& input, Run* run) {
  const auto admin = run->connection->GetAdmin();
  for (size_t at = 0; at < input.designs.size(); ++at) {
    const LaboratoryDesign& named = input.designs[at];
    if (!named.error.empty()) return absl::InvalidArgumentError("design " + named.name + ": " + named.error);
    VAQUITA_ASSIGN_OR_RETURN(const std::string given, TextField(request["designs"][at], "table", ""));
    auto target =
        std::unique_ptr<Target>(new Target{.name = named.name, .table = {}, .family = "f", .design = *named.design});
    VAQUITA_ASSIGN_OR_RETURN(target->table, TableName::Parse(given.empty() ? "lab_" + named.name : given));
    if (given.empty()) {
      VAQUITA_RETURN_IF_ERROR(MakeOwnTable(admin.get(), target->table, named.splits));
    } else {
      VAQUITA_ASSIGN_OR_RETURN(const TableDescriptor table, admin->GetDescriptor(target->table));
      if (table.families.empty()) {
        return absl::InvalidArgumentError("table " + given + " has no column family to write to");
      }
      target->family = table.families.begin()->first;
    }
    run->targets.push_back(std::move(target));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> LaboratoryRuns::Start(std::string_view body) {
  VAQUITA_ASSIGN_OR_RETURN(const Json request, ParseRequestJson(body));
  VAQUITA_ASSIGN_OR_RETURN(const LaboratoryInput input, ReadLaboratoryInput(request, kMostRunRows));
  {
    const std::lock_guard lock(mutex_);
    if (run_ != nullptr && run_->ended_ms == 0)
      return absl::UnavailableError("a run goes on: stop it, or wait for its end");
    auto run = std::shared_ptr<Run>(new Run{.records = input.records});
    VAQUITA_ASSIGN_OR_RETURN(run->rate, NumberField(request, "rate", kRate, 1, kMostRate));
    VAQUITA_ASSIGN_OR_RETURN(run->connection, link_->Open());
    VAQUITA_RETURN_IF_ERROR(MakeTargets(request, input, run.get()));
    if (thread_.joinable()) thread_.join();
    run->started_ms = Clock::System()->NowMs();
    run_ = run;
    thread_ = std::jthread([run](const std::stop_token& stop) { Write(stop, run.get()); });
  }
  return Status();
}

void LaboratoryRuns::Write(const std::stop_token& stop, Run* run) {
  const absl::Status status = WriteRows(stop, run);
  if (!status.ok()) {
    const std::lock_guard lock(run->mutex);
    run->error = std::string(status.message());
  }
  run->ended_ms = Clock::System()->NowMs();
}

absl::Status LaboratoryRuns::WriteRows(const std::stop_token& stop, Run* run) {
  std::vector<std::unique_ptr<client::BufferedMutator>> mutators;
  for (const auto& target : run->targets) mutators.push_back(run->connection->GetBufferedMutator(target->table, {}));
  lab::RecordBuffer buffer;
  std::mutex mutex;
  std::condition_variable_any changed;
  const auto start = SteadyClock::now();
  const uint64_t rows = run->records->size();
  uint64_t written = 0;
  // A row may take long, to make or to write, so it is asked before each.
  const auto goes_on = [&] {
    return written < rows && !stop.stop_requested() && SteadyClock::now() - start < kMostRunTime;
  };
  while (goes_on()) {
    const double seconds = std::chrono::duration<double>(SteadyClock::now() - start).count();
    const auto due = std::min<uint64_t>(rows, static_cast<uint64_t>(seconds * static_cast<double>(run->rate)) + 1);
    for (; written < due && goes_on(); ++written) {
      const lab::Record fields = run->records->Get(written, &buffer);
      for (size_t at = 0; at < mutators.size(); ++at) {
        std::string key;
        // A record for which a design makes no key is left out, as in the simulation.
        if (!run->targets[at]->design.AppendKey(fields, run->records->RunIndex(written), &key).ok()) continue;
        VAQUITA_RETURN_IF_ERROR(mutators[at]->Mutate(PutOf(std::move(key), run->targets[at]->family)));
        ++run->targets[at]->written;
      }
    }
    for (const auto& mutator : mutators) VAQUITA_RETURN_IF_ERROR(mutator->Flush());
    std::unique_lock lock(mutex);
    changed.wait_for(lock, stop, kStep, [] { return false; });
  }
  for (const auto& mutator : mutators) VAQUITA_RETURN_IF_ERROR(mutator->Close());
  return absl::OkStatus();
}

absl::StatusOr<std::string> LaboratoryRuns::Stop() {
  std::jthread ending;
  {
    const std::lock_guard lock(mutex_);
    thread_.request_stop();
    ending = std::move(thread_);
  }
  if (ending.joinable()) ending.join();  // a server may be slow: other calls do not wait for it, too
  return Status();
}

absl::StatusOr<std::string> LaboratoryRuns::Status() const {
  const std::lock_guard lock(mutex_);
  if (run_ == nullptr) return JsonText({{"version", 1}, {"running", false}, {"designs", Json::array()}});
  const int64_t ended_ms = run_->ended_ms;
  Json answer = {{"version", 1},
                 {"running", ended_ms == 0},
                 {"started", run_->started_ms},
                 {"until", ended_ms == 0 ? Clock::System()->NowMs() : ended_ms},
                 {"rows", run_->records->size()},
                 {"rate", run_->rate},
                 {"error", ""},
                 {"designs", Json::array()}};
  {
    const std::lock_guard error_lock(run_->mutex);
    answer["error"] = run_->error;
  }
  for (const auto& target : run_->targets) {
    answer["designs"].push_back(
        {{"name", target->name}, {"table", target->table.ToString()}, {"written", target->written.load()}});
  }
  return JsonText(answer);
}

}  // namespace vaquita
