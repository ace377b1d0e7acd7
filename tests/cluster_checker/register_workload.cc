#include "tests/cluster_checker/register_workload.h"

#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status.h"
#include "tests/cluster_checker/linearizability.h"

namespace vaquita::checker {
namespace {

constexpr size_t kMostOperations = 200;  // on one row
constexpr int kMostUnknown = 6;
constexpr char kFamily[] = "f";
constexpr char kQualifier[] = "q";

// As HBase's counters have it: 8 bytes, the highest first.
std::string Encode(int64_t value) {
  std::string bytes(8, '\0');
  for (int i = 7; i >= 0; --i, value >>= 8) bytes[i] = static_cast<char>(value & 0xff);
  return bytes;
}

Register Decode(const client::Result& result) {
  const std::string* bytes = result.Value(kFamily, kQualifier);
  if (bytes == nullptr) return {};
  int64_t value = 0;
  for (const char byte : *bytes) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

Mutation MutationOf(MutationType type, const std::string& row, int64_t value) {
  Mutation mutation;
  mutation.type = type;
  mutation.row = row;
  Cell& cell = mutation.cells.emplace_back();
  cell.family = kFamily;
  cell.qualifier = kQualifier;
  cell.value = Encode(value);
  return mutation;
}

CheckAndMutate ConditionOf(const std::string& row, const Operation& operation) {
  CheckAndMutate check{.row = row, .family = kFamily, .qualifier = kQualifier};
  if (operation.expected) {
    check.comparator = ComparatorSpec{.type = ComparatorSpec::Type::kBinary, .bytes = Encode(*operation.expected)};
  }
  check.mutations.push_back(MutationOf(MutationType::kPut, row, operation.argument));
  return check;
}

// Does the operation, and notes its answer.
absl::Status Ask(client::Table& table, const std::string& row, Operation* operation) {
  absl::StatusOr<client::Result> result;
  switch (operation->kind) {
    case Operation::Kind::kRead:
      result = table.Get({.row = row});
      break;
    case Operation::Kind::kPut:
      result = table.Mutate(MutationOf(MutationType::kPut, row, operation->argument));
      break;
    case Operation::Kind::kAdd:
      result = table.Mutate(MutationOf(MutationType::kIncrement, row, operation->argument));
      break;
    case Operation::Kind::kCompareAndSet: {
      const auto answer = table.CheckAndMutate(ConditionOf(row, *operation));
      if (answer.ok()) operation->succeeded = answer->processed;
      return answer.status();
    }
  }
  if (result.ok()) operation->result = Decode(*result);
  return result.status();
}

// Returns whether the error leaves open if the operation was done.
bool IsOutcomeOpen(const absl::Status& error) {
  if (ErrorKind kind; GetErrorKind(error, &kind)) return kind == ErrorKind::kRegionServerAborted;
  return absl::IsUnavailable(error) || absl::IsDeadlineExceeded(error) || absl::IsCancelled(error);
}

const char* NameOf(Operation::Kind kind) {
  switch (kind) {
    case Operation::Kind::kRead:
      return "get";
    case Operation::Kind::kPut:
      return "put of a register";
    case Operation::Kind::kAdd:
      return "increment";
    case Operation::Kind::kCompareAndSet:
      return "check-and-mutate";
  }
  return "";
}

}  // namespace

std::string RegisterWorkload::PutsOf(int client) { return absl::StrCat("puts of register client ", client); }

RegisterWorkload::RowPointer RegisterWorkload::NewRow(Kind kind, uint64_t random) {
  auto row = std::make_shared<Row>();
  row->key = absl::StrFormat("%08x-%d", random & 0xffffffff, rows_.size());
  row->kind = kind;
  row->owner = static_cast<int>(rows_.size()) % std::max(1, clients_.load());
  rows_.push_back(row);
  return row;
}

// Any of those in use; one that was given up makes room for another.
RegisterWorkload::RowPointer RegisterWorkload::Take(std::mt19937_64& random) {
  const std::lock_guard lock(mutex_);
  const Kind kind = static_cast<Kind>(random() % kKinds);
  RowPointer& row = active_[kind][random() % active_[kind].size()];
  if (row) {
    const std::lock_guard row_lock(row->mutex);
    if (row->history.size() < kMostOperations && row->unknown < kMostUnknown) {
      ++row->under_way;
      return row;
    }
    row->given_up = true;
    if (row->under_way == 0) Check(*row);
  }
  row = NewRow(kind, random());
  ++row->under_way;
  return row;
}

Operation RegisterWorkload::Choose(Row& row, int client, std::mt19937_64& random) {
  Operation operation{.client = client};
  if (random() % 3 == 0 || (row.kind == kOwned && row.owner != client)) return operation;
  operation.argument = next_value_++;
  if (row.kind == kOwned) {
    operation.kind = Operation::Kind::kPut;
  } else if (row.kind == kCounter) {
    operation.kind = Operation::Kind::kAdd;
    operation.argument = 1 + static_cast<int64_t>(random() % 9);
  } else {
    operation.kind = Operation::Kind::kCompareAndSet;
    const std::lock_guard lock(row.mutex);
    if (random() % 8 != 0) operation.expected = row.seen;
  }
  return operation;
}

void RegisterWorkload::RunClient(client::Table& table, int client, LostChecks lost_checks) {
  ++clients_;
  auto random = run_->Random(100 + client);
  while (!run_->stop.IsSet()) {
    const RowPointer row = Take(random);
    Execute(table, *row, Choose(*row, client, random), lost_checks);
  }
}

void RegisterWorkload::Execute(client::Table& table, Row& row, Operation operation, LostChecks lost_checks) {
  operation.invoked_ns = MonotonicNs();
  const absl::Status status = Ask(table, row.key, &operation);
  const int64_t now_ns = MonotonicNs();
  run_->Longest(NameOf(operation.kind), now_ns - operation.invoked_ns);
  if (status.ok()) {
    operation.returned_ns = now_ns;
    run_->Count(absl::StrCat(NameOf(operation.kind), ": acknowledged"));
    if (operation.kind == Operation::Kind::kPut) run_->Count(PutsOf(operation.client));
  } else {
    run_->Count(absl::StrCat(NameOf(operation.kind), ": unknown"));
    const bool repeated = operation.kind != Operation::Kind::kCompareAndSet || lost_checks == LostChecks::kRepeated;
    if (repeated || !IsOutcomeOpen(status)) {
      run_->Fail(absl::StrCat("a ", NameOf(operation.kind), " failed for good: ", status.ToString()));
    }
  }
  End(row, operation);
}

void RegisterWorkload::End(Row& row, const Operation& operation) {
  const std::lock_guard lock(row.mutex);
  --row.under_way;
  if (operation.known()) {
    if (operation.kind == Operation::Kind::kRead) row.seen = operation.result;
    if (operation.succeeded) row.seen = operation.argument;
  } else if (operation.kind != Operation::Kind::kRead) {
    ++row.unknown;
    if (row.kind == kOwned) row.unknown = kMostUnknown;  // it may be done late, after the next put
  }
  row.history.push_back(operation);
  if (row.given_up && row.under_way == 0) Check(row);
}

void RegisterWorkload::Check(const Row& row) {
  const absl::Status status = CheckLinearizable(row.history);
  run_->Count("rows: history checked");
  if (status.ok()) return;
  run_->Fail(absl::StrCat("row ", row.key, ": ", status.ToString(), "\n", ToText(row.history)));
}

void RegisterWorkload::CheckAll(client::Table& table) {
  const int64_t began_ns = MonotonicNs();
  std::map<std::string, Register> values;
  auto scanner = table.GetScanner(Scan{});
  absl::Status status = scanner.status();
  while (status.ok()) {
    const auto next = (*scanner)->Next();
    status = next.status();
    if (!next.ok() || !next->has_value()) break;
    const std::string row = (*next)->empty() ? "" : (*next)->cells.front().row;
    if (!values.try_emplace(row, Decode(**next)).second) run_->Fail(absl::StrCat("row ", row, " came twice"));
  }
  if (!status.ok()) return run_->Fail(absl::StrCat("the last scan of the registers: ", status.ToString()));
  const int64_t ended_ns = MonotonicNs();
  for (const RowPointer& row : rows_) {
    const auto found = values.find(row->key);
    const Register value = found == values.end() ? Register() : found->second;
    row->history.push_back({.invoked_ns = began_ns, .returned_ns = ended_ns, .result = value});
    Check(*row);
    if (found != values.end()) values.erase(found);
  }
  if (!values.empty()) run_->Fail(absl::StrCat("row ", values.begin()->first, " was never written"));
}

}  // namespace vaquita::checker
