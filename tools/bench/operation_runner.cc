#include "tools/bench/operation_runner.h"

#include <chrono>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/big_endian.h"
#include "base/status.h"
#include "tools/bench/row_values.h"

namespace vaquita::bench {
namespace {

uint64_t BytesOf(const Mutation& mutation) {
  uint64_t bytes = 0;
  for (const Cell& cell : mutation.cells) {
    bytes += mutation.row.size() + cell.family.size() + cell.qualifier.size() + cell.value.size();
  }
  return bytes;
}

// A put in the same millisecond as a delete before it stays hidden by that, in HBase. REQUIRES: the rows are locked.
void AwaitNextMillisecond() { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }

void NoteWrong(std::string wrong, CallOutcome* outcome) {
  if (outcome->wrong.empty()) outcome->wrong = std::move(wrong);
}

}  // namespace

OperationRunner::OperationRunner(const Target& target, int thread, std::unique_ptr<client::Table> table)
    : target_(target), workload_(*target.workload), thread_(thread), table_(std::move(table)), keys_(target.keys) {
  for (int i = 0; i < workload_.fields; ++i) qualifiers_.push_back(absl::StrCat(workload_.field_prefix, i));
}

absl::Status OperationRunner::MakeKeys(const std::vector<uint64_t>& numbers, Rows* rows) {
  rows->numbers = numbers;
  rows->keys.clear();
  for (const uint64_t number : numbers) {
    VAQUITA_ASSIGN_OR_RETURN(rows->keys.emplace_back(), keys_.KeyOf(number));
  }
  return absl::OkStatus();
}

Mutation OperationRunner::MakePut(const std::string& key, int field, uint64_t tag) const {
  Mutation put;
  put.row = key;
  put.durability = workload_.durability;
  for (int i = 0; i < workload_.fields; ++i) {
    if (field != kAllFields && field != i) continue;
    Cell& cell = put.cells.emplace_back();
    cell.family = workload_.family;
    cell.qualifier = qualifiers_[static_cast<size_t>(i)];
    cell.value = MakeValue(key, i, tag, FieldBytes(workload_, i, tag), workload_.compressible);
  }
  return put;
}

Get OperationRunner::MakeGet(const std::string& key, int field) const {
  Get get;
  get.row = key;
  get.cache_blocks = workload_.cache_blocks;
  get.filter = workload_.parsed_filter;
  std::vector<std::string>& columns = get.columns[workload_.family];
  if (field != kAllFields) columns.push_back(qualifiers_[static_cast<size_t>(field)]);
  return get;
}

CallOutcome OperationRunner::Run(uint64_t number) {
  target_.plan->Plan(number, target_.rows->known(), &operation_);
  CallOutcome outcome;
  outcome.kind = static_cast<size_t>(operation_.kind);
  const absl::Status status = Run(operation_, target_.first_tag + number, &outcome);
  if (!status.ok()) outcome.error = absl::StrCat(AbslText(NameOf(operation_.kind)), ": ", status.message());
  if (!outcome.wrong.empty())
    outcome.wrong = absl::StrCat("wrong answer to ", AbslText(NameOf(operation_.kind)), ": ", outcome.wrong);
  return outcome;
}

absl::Status OperationRunner::Run(const Operation& operation, uint64_t tag, CallOutcome* outcome) {
  VAQUITA_RETURN_IF_ERROR(MakeKeys(operation.rows, &rows_));
  const bool scans = operation.kind == OperationKind::kScan || operation.kind == OperationKind::kNextRow;
  std::vector<std::unique_lock<std::mutex>> locks;
  if (target_.check != nullptr && !scans) locks = target_.check->Lock(operation.rows);
  if (operation.kind != OperationKind::kNextRow) {
    for (const std::string& key : rows_.keys) CountRegion(key);
  }
  switch (operation.kind) {
    case OperationKind::kRead:
      return Read(operation, outcome);
    case OperationKind::kUpdate:
      return Write(rows_, workload_.write_all_fields ? kAllFields : operation.field, tag, outcome);
    case OperationKind::kInsert:
      return Insert(tag, outcome);
    case OperationKind::kScan:
      return ShortScan(operation, outcome);
    case OperationKind::kReadModifyWrite:
      VAQUITA_RETURN_IF_ERROR(Read(operation, outcome));
      return Write(rows_, workload_.write_all_fields ? kAllFields : operation.field, tag, outcome);
    case OperationKind::kDelete:
      return Delete(outcome);
    case OperationKind::kIncrement:
    case OperationKind::kAppend:
      return IncrementOrAppend(operation, outcome);
    case OperationKind::kCheckAndMutate:
    case OperationKind::kCheckAndPut:
    case OperationKind::kCheckAndDelete:
      return PutAndCheck(operation, tag, outcome);
    case OperationKind::kNextRow:
      return NextRow(outcome);
  }
  return absl::OkStatus();
}

std::vector<client::ActionResult> OperationRunner::SendAll(const std::vector<Action>& mutations) {
  if (mutations.size() != 1) return table_->Batch(mutations);
  std::vector<client::ActionResult> results(1);
  results[0].status = table_->Mutate(std::get<Mutation>(mutations[0])).status();
  return results;
}

absl::Status OperationRunner::Read(const Operation& operation, CallOutcome* outcome) {
  const int field = workload_.read_all_fields ? kAllFields : operation.field;
  std::vector<client::ActionResult> results;
  if (rows_.keys.size() == 1) {
    VAQUITA_ASSIGN_OR_RETURN(results.emplace_back().result, table_->Get(MakeGet(rows_.keys[0], field)));
  } else {
    std::vector<Action> gets;
    for (const std::string& key : rows_.keys) gets.emplace_back(MakeGet(key, field));
    results = table_->Batch(gets);
  }
  for (size_t i = 0; i < results.size(); ++i) {
    VAQUITA_RETURN_IF_ERROR(results[i].status);
    outcome->rows += results[i].result.empty() ? 0 : 1;
    if (target_.check == nullptr) continue;
    NoteWrong(target_.check->CheckGet(rows_.numbers[i], rows_.keys[i], field, results[i].result), outcome);
  }
  return absl::OkStatus();
}

absl::Status OperationRunner::Write(const Rows& rows, int field, uint64_t tag, CallOutcome* outcome) {
  std::vector<Action> puts;
  for (const std::string& key : rows.keys) puts.emplace_back(MakePut(key, field, tag));
  const std::vector<client::ActionResult> results = SendAll(puts);
  absl::Status first_error;
  for (size_t i = 0; i < results.size(); ++i) {
    if (target_.check != nullptr) target_.check->Wrote(rows.numbers[i], field, tag, results[i].status.ok());
    first_error.Update(results[i].status);
    if (!results[i].status.ok()) continue;
    ++outcome->rows;
    outcome->bytes_written += BytesOf(std::get<Mutation>(puts[i]));
  }
  return first_error;
}

absl::Status OperationRunner::Insert(uint64_t tag, CallOutcome* outcome) {
  std::vector<uint64_t> numbers;
  for (int i = 0; i < workload_.batch; ++i) numbers.push_back(target_.rows->Take());
  VAQUITA_RETURN_IF_ERROR(MakeKeys(numbers, &rows_));
  for (const std::string& key : rows_.keys) CountRegion(key);
  std::vector<std::unique_lock<std::mutex>> locks;
  if (target_.check != nullptr) locks = target_.check->Lock(numbers);
  const absl::Status written = Write(rows_, kAllFields, tag, outcome);
  // A row whose insert failed counts as well: a gap would keep all later rows from being read.
  for (const uint64_t number : numbers) target_.rows->Acknowledge(number);
  return written;
}

CallOutcome OperationRunner::Load(uint64_t first, uint64_t count) {
  CallOutcome outcome;
  std::vector<uint64_t> numbers;
  for (uint64_t i = 0; i < count; ++i) numbers.push_back(first + i);
  Rows rows;
  absl::Status status = MakeKeys(numbers, &rows);
  std::vector<Action> puts;
  for (const std::string& key : rows.keys) puts.emplace_back(MakePut(key, kAllFields, /*tag=*/0));
  if (status.ok()) {
    for (const client::ActionResult& result : table_->Batch(puts)) status.Update(result.status);
  }
  for (const Action& put : puts) outcome.bytes_written += BytesOf(std::get<Mutation>(put));
  outcome.rows = count;
  if (!status.ok()) outcome.error = absl::StrCat("load: ", status.message());
  return outcome;
}

absl::Status OperationRunner::Delete(CallOutcome* outcome) {
  std::vector<Action> deletes;
  for (const std::string& key : rows_.keys) {
    Mutation mutation;
    mutation.type = MutationType::kDelete;
    mutation.row = key;
    mutation.durability = workload_.durability;
    deletes.emplace_back(std::move(mutation));
  }
  const std::vector<client::ActionResult> results = SendAll(deletes);
  absl::Status first_error;
  for (size_t i = 0; i < results.size(); ++i) {
    if (target_.check != nullptr) target_.check->Deleted(rows_.numbers[i], results[i].status.ok());
    first_error.Update(results[i].status);
    outcome->rows += results[i].status.ok() ? 1 : 0;
  }
  if (target_.check != nullptr) AwaitNextMillisecond();
  return first_error;
}

absl::Status OperationRunner::IncrementOrAppend(const Operation& operation, CallOutcome* outcome) {
  const bool increments = operation.kind == OperationKind::kIncrement;
  Mutation mutation;
  mutation.type = increments ? MutationType::kIncrement : MutationType::kAppend;
  mutation.row = rows_.keys[0];
  mutation.durability = workload_.durability;
  Cell& cell = mutation.cells.emplace_back();
  cell.family = workload_.family;
  cell.qualifier = increments ? kCounterColumn : kAppendedColumn;
  if (increments) {
    AppendBigEndian(uint64_t{1}, &cell.value);
  } else {
    cell.value = mutation.row;
  }
  const absl::StatusOr<client::Result> result = table_->Mutate(mutation);
  if (target_.check != nullptr) {
    const client::Result none;
    const client::Result& answer = result.ok() ? *result : none;
    NoteWrong(increments ? target_.check->CheckIncrement(rows_.numbers[0], mutation.row, answer, result.ok())
                         : target_.check->CheckAppend(rows_.numbers[0], mutation.row, answer, result.ok()),
              outcome);
  }
  VAQUITA_RETURN_IF_ERROR(result.status());
  outcome->rows = 1;
  outcome->bytes_written += BytesOf(mutation);
  return absl::OkStatus();
}

// Puts a value, and then, on the condition that it is there, puts another, or deletes the column, as
// PerformanceEvaluation does.
absl::Status OperationRunner::PutAndCheck(const Operation& operation, uint64_t tag, CallOutcome* outcome) {
  const std::string& key = rows_.keys[0];
  const uint64_t row = rows_.numbers[0];
  const bool deletes = operation.kind == OperationKind::kCheckAndDelete;
  const Mutation put = MakePut(key, operation.field, tag);
  if (target_.check != nullptr) target_.check->Wrote(row, operation.field, tag, /*done=*/false);
  VAQUITA_RETURN_IF_ERROR(table_->Mutate(put).status());
  outcome->bytes_written += BytesOf(put);
  CheckAndMutate check;
  check.row = key;
  check.family = workload_.family;
  check.qualifier = put.cells[0].qualifier;
  check.comparator = ComparatorSpec{.bytes = put.cells[0].value};
  Mutation& mutation = check.mutations.emplace_back(put);
  if (deletes) {
    mutation.type = MutationType::kDelete;
    mutation.cells[0].type = CellType::kDeleteColumn;
    mutation.cells[0].value.clear();
  }
  VAQUITA_ASSIGN_OR_RETURN(const client::ActionResult result, table_->CheckAndMutate(check));
  outcome->rows = 1;
  if (result.processed) outcome->bytes_written += BytesOf(mutation);
  if (target_.check == nullptr) return absl::OkStatus();
  if (!result.processed) NoteWrong(absl::StrCat("the condition on row '", key, "' did not hold"), outcome);
  if (deletes && result.processed) {
    target_.check->DeletedField(row, operation.field, /*done=*/true);
    AwaitNextMillisecond();
  } else {
    target_.check->Wrote(row, operation.field, tag, /*done=*/true);
  }
  return absl::OkStatus();
}

Scan OperationRunner::MakeScan() const {
  Scan scan;
  scan.columns[workload_.family];
  scan.cache_blocks = workload_.cache_blocks;
  scan.caching = workload_.caching;
  scan.reversed = workload_.reversed;
  scan.filter = workload_.parsed_filter;
  if (workload_.filter_by_value) {
    SingleColumnValueFilterSpec filter;
    filter.family = workload_.family;
    filter.qualifier = qualifiers_[0];
    filter.op = CompareOp::kEqual;
    filter.comparator.bytes = "a value that no row has";
    scan.filter = FilterSpec{filter};
  }
  return scan;
}

absl::Status OperationRunner::ShortScan(const Operation& operation, CallOutcome* outcome) {
  Scan scan = MakeScan();
  if (!workload_.scan_whole_table) {
    scan.rows.start = rows_.keys[0];
    if (workload_.scan_by_stop_row) {
      const auto rows = static_cast<uint64_t>(operation.scan_rows);
      const uint64_t first = rows_.numbers[0];
      const bool to_the_end = workload_.reversed && first < rows;
      if (!to_the_end) {
        VAQUITA_ASSIGN_OR_RETURN(scan.rows.stop, keys_.KeyOf(workload_.reversed ? first - rows : first + rows));
      }
    } else {
      scan.limit = operation.scan_rows;
    }
  }
  AnswerCheck::ScanCheck check(target_.check, scan.rows.start, scan.rows.stop, scan.limit);
  VAQUITA_ASSIGN_OR_RETURN(const std::unique_ptr<client::ResultScanner> scanner, table_->GetScanner(scan));
  while (true) {
    VAQUITA_ASSIGN_OR_RETURN(const std::optional<client::Result> result, scanner->Next());
    if (!result) break;
    ++outcome->rows;
    if (target_.check != nullptr) NoteWrong(check.Row(*result), outcome);
  }
  if (target_.check != nullptr) NoteWrong(check.End(), outcome);
  return absl::OkStatus();
}

absl::Status OperationRunner::NextRow(CallOutcome* outcome) {
  if (scanner_ == nullptr) {
    VAQUITA_ASSIGN_OR_RETURN(scanner_, table_->GetScanner(MakeScan()));
    scan_check_.emplace(target_.check, "", "", -1);
  }
  absl::StatusOr<std::optional<client::Result>> result = scanner_->Next();
  if (!result.ok() || !*result) {
    scanner_.reset();  // the next operation begins again
    if (result.ok() && target_.check != nullptr) NoteWrong(scan_check_->End(), outcome);
    return result.status();
  }
  outcome->rows = 1;
  if (!(*result)->cells.empty()) CountRegion((*result)->cells[0].row);
  if (target_.check != nullptr) NoteWrong(scan_check_->Row(**result), outcome);
  return absl::OkStatus();
}

}  // namespace vaquita::bench
