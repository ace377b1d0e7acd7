#include "tests/cluster_checker/row_workload.h"

#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace vaquita::checker {
namespace {

constexpr char kRowQualifier[] = "q";

std::string ValueOf(const std::string& row) { return "value of " + row; }

Mutation PutOf(const std::string& row) {
  Mutation put;
  put.row = row;
  for (const char* family : RowWorkload::kFamilies) {
    Cell& cell = put.cells.emplace_back();
    cell.family = family;
    cell.qualifier = kRowQualifier;
    cell.value = ValueOf(row);
  }
  return put;
}

// The row's column of each family, in their order, with the row's own value.
absl::Status CheckWhole(const client::Result& result, const std::string& row) {
  constexpr size_t kCells = std::size(RowWorkload::kFamilies);
  const auto is_right = [&](size_t i) {
    const Cell& cell = result.cells[i];
    return i < kCells && cell.row == row && cell.family == RowWorkload::kFamilies[i] &&
           cell.qualifier == kRowQualifier && cell.value == ValueOf(row);
  };
  for (size_t i = 0; i < result.cells.size(); ++i) {
    const Cell& cell = result.cells[i];
    if (result.cells.size() == kCells && is_right(i)) continue;
    return absl::DataLossError(absl::StrCat("row ", row, " came with ", result.cells.size(), " cells, one of which is ",
                                            cell.row, " ", cell.family, ":", cell.qualifier, " = ", cell.value));
  }
  return result.empty() ? absl::DataLossError(absl::StrCat("row '", row, "' came without cells")) : absl::OkStatus();
}

}  // namespace

std::string RowWorkload::RandomKey(uint64_t random) { return absl::StrFormat("%08x", random & 0xffffffff); }

std::string RowWorkload::NewRow(std::mt19937_64& random) {
  std::string row = absl::StrCat(RandomKey(random()), "-", next_row_++);
  ledger_.PutBegins(row);
  return row;
}

bool RowWorkload::Succeeded(const char* what, const absl::Status& status) {
  run_->Count(absl::StrCat(what, status.ok() ? ": acknowledged" : ": unknown"));
  // Every one may be repeated, and the client does, for as long as it may.
  if (!status.ok()) run_->Fail(absl::StrCat("a ", what, " failed for good: ", status.ToString()));
  return status.ok();
}

void RowWorkload::Put(client::Table& table, const std::string& row, Rows* kept) {
  const int64_t began_ns = MonotonicNs();
  const absl::Status status = table.Mutate(PutOf(row)).status();
  run_->Longest("put", MonotonicNs() - began_ns);
  if (!Succeeded("put", status)) return;
  ledger_.PutEnds(row);
  kept->push_back(row);
}

void RowWorkload::PutBatch(client::Table& table, size_t count, std::mt19937_64& random, Rows* kept) {
  std::vector<std::string> rows;
  std::vector<Action> puts;
  for (size_t i = 0; i < count; ++i) {
    rows.push_back(NewRow(random));
    puts.push_back(PutOf(rows.back()));
  }
  const int64_t began_ns = MonotonicNs();
  const std::vector<client::ActionResult> results = table.Batch(puts);
  run_->Longest("batch", MonotonicNs() - began_ns);
  for (size_t i = 0; i < count; ++i) {
    if (!Succeeded("put in a batch", results[i].status)) continue;
    ledger_.PutEnds(rows[i]);
    kept->push_back(rows[i]);
  }
}

void RowWorkload::Delete(client::Table& table, const std::string& row) {
  Mutation mutation;
  mutation.type = MutationType::kDelete;
  mutation.row = row;
  ledger_.DeleteBegins(row);
  if (Succeeded("delete", table.Mutate(mutation).status())) ledger_.DeleteEnds(row);
}

void RowWorkload::RunWriter(client::Table& table, int client) {
  auto random = run_->Random(200 + client);
  Rows kept;
  while (!run_->stop.IsSet()) {
    if (random() % 4 != 0)
      Put(table, NewRow(random), &kept);
    else
      PutBatch(table, 2 + random() % 20, random, &kept);
    while (kept.size() > most_rows_ && !run_->stop.IsSet()) {
      Delete(table, kept.front());
      kept.pop_front();
      if (!kept.empty() && random() % 2 == 0) Get(table, kept[random() % kept.size()]);
    }
  }
}

void RowWorkload::Get(client::Table& table, const std::string& row) {
  RowLedger::Read read(&ledger_);
  const auto result = table.Get({.row = row});
  if (!Succeeded("get", result.status())) return;
  const absl::Status whole = result->empty() ? absl::OkStatus() : CheckWhole(*result, row);
  if (!whole.ok()) return run_->Fail(std::string(whole.message()));
  std::vector<std::string> rows;
  if (!result->empty()) rows.push_back(row);
  const absl::Status status = read.Check({.start = row, .stop = row, .stop_inclusive = true}, rows);
  if (!status.ok()) run_->Fail(absl::StrCat("get: ", status.message()));
}

absl::StatusOr<std::vector<std::string>> RowWorkload::RowsOf(client::Table& table, const Scan& scan) {
  auto scanner = table.GetScanner(scan);
  if (!scanner.ok()) return scanner.status();
  std::vector<std::string> rows;
  for (;;) {
    const auto next = (*scanner)->Next();
    if (!next.ok()) return next.status();
    if (!next->has_value()) return rows;
    const std::string row = (*next)->empty() ? "" : (*next)->cells.front().row;
    if (const absl::Status whole = CheckWhole(**next, row); !whole.ok()) run_->Fail(std::string(whole.message()));
    rows.push_back(row);
  }
}

void RowWorkload::CheckedScan(client::Table& table, const Scan& scan) {
  RowLedger::Read read(&ledger_);
  const int64_t began_ns = MonotonicNs();
  const auto rows = RowsOf(table, scan);
  run_->Longest("scan", MonotonicNs() - began_ns);
  if (!Succeeded("scan", rows.status())) return;
  run_->Count("rows: scanned", static_cast<int64_t>(rows->size()));
  // The ledger's ranges go forwards.
  const RowRange range = scan.reversed ? RowRange{scan.rows.stop, scan.rows.start, false, true} : scan.rows;
  const absl::Status status = read.Check(range, *rows, scan.reversed);
  if (!status.ok()) {
    run_->Fail(absl::StrCat("scan from '", scan.rows.start, "' to '", scan.rows.stop, "' with caching ", scan.caching,
                            ": ", status.message()));
  }
}

void RowWorkload::RunReader(client::Table& table, int client) {
  auto random = run_->Random(300 + client);
  while (!run_->stop.IsSet()) {
    const uint64_t start = random() & 0xffffffff;
    Scan scan;
    scan.rows = {.start = RandomKey(start),
                 .stop = RandomKey(std::min<uint64_t>(start + (random() >> 36), 0xffffffff))};
    scan.caching = 1 + static_cast<int32_t>(random() % 50);
    if (random() % 4 == 0) {
      scan.reversed = true;
      std::swap(scan.rows.start, scan.rows.stop);
    }
    CheckedScan(table, scan);
  }
}

void RowWorkload::ScanAll(client::Table& table, bool reversed) {
  Scan scan;
  scan.reversed = reversed;
  CheckedScan(table, scan);
  run_->Count("full scans");
}

void RowWorkload::RunFullScans(client::Table& table, int client) {
  auto random = run_->Random(400 + client);
  while (!run_->stop.IsSet()) ScanAll(table, random() % 4 == 0);
}

}  // namespace vaquita::checker
