#include "server/frontend/grpc/grpc_aggregate.h"

#include <limits>
#include <memory>
#include <string>

#include "base/read_watch.h"
#include "base/status.h"
#include "sql/aggregate/row_aggregator.h"

namespace vaquita {
namespace {

constexpr int64_t kMostMs = 1000;
constexpr int64_t kBatchBytes = 256 << 10;
constexpr size_t kMostGroupBytes = 8 << 20;  // with more, the answer has the groups so far

// Asks another watch now and then. A read asks after 64 rows; asking gRPC costs as much as reading them.
class RareWatch final : public ReadWatch {
 public:
  explicit RareWatch(ReadWatch* watch) : watch_(watch) {}  // it outlives this; may be null

  absl::Status Check() override {
    constexpr int kChecks = 16;
    if (watch_ == nullptr || ++checks_ % kChecks != 0) return absl::OkStatus();
    return watch_->Check();
  }

 private:
  ReadWatch* const watch_;
  int checks_ = 0;
};

// Returns whether the scan has rows behind the region's last one.
bool GoesOn(const RowRange& rows, const std::string& region_end) {
  if (region_end.empty()) return false;
  return rows.stop.empty() || region_end < rows.stop || (region_end == rows.stop && rows.stop_inclusive);
}

absl::Status AddAll(const ResultBatch& batch, sql::RowAggregator* aggregator) {
  for (const ResultRange& row : batch.results) {
    if (row.count == 0) continue;
    const absl::Status added = aggregator->Add(batch.cells, row);
    // Whoever reads the rows finds what is wrong with them.
    if (!added.ok()) return Error(ErrorKind::kUnsupportedOperation, std::string(added.message()));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status AggregateRows(Region& region, Scan scan, std::string_view plan, const Clock& clock,
                           const CallContext& context, v1::AggregateResponse* response) {
  if (scan.reversed || scan.batch > 0) {
    return IllegalArgument("scan: an aggregate takes whole rows, in their order");
  }
  if (!region.info().ContainsRow(scan.rows.start)) {
    return Error(ErrorKind::kWrongRegion, "the scan's first row is not in region " + region.info().EncodedName());
  }
  scan.limit = scan.caching = -1;
  const int64_t most_bytes = scan.max_result_bytes > 0 ? scan.max_result_bytes : std::numeric_limits<int64_t>::max();
  scan.max_result_bytes = -1;
  scan.allow_partial_results = false;
  VAQUITA_ASSIGN_OR_RETURN(const auto aggregator, sql::RowAggregator::Make(plan));
  VAQUITA_ASSIGN_OR_RETURN(const std::unique_ptr<RegionScanner> scanner, region.NewScanner(scan, context));
  const int64_t deadline_ms = clock.NowMs() + kMostMs;
  RareWatch watch(context.watch);
  ResultBatch batch;
  std::string last;
  int64_t rows = 0;
  int64_t bytes = 0;
  for (bool more = true; more;) {
    batch.Clear();
    VAQUITA_ASSIGN_OR_RETURN(
        more, scanner->Next({.max_bytes = kBatchBytes, .deadline_ms = deadline_ms, .watch = &watch}, &batch));
    VAQUITA_RETURN_IF_ERROR(AddAll(batch, aggregator.get()));
    rows += static_cast<int64_t>(batch.results.size());
    bytes += static_cast<int64_t>(batch.cells.bytes().size());
    if (!batch.results.empty()) last = batch.cells[batch.cells.size() - 1].row;
    if (!more) break;
    if (scanner->progress().at_deadline) {
      response->set_next_row(scanner->progress().next_row);
      break;
    }
    const bool goes_on = bytes < most_bytes && clock.NowMs() < deadline_ms && aggregator->bytes() < kMostGroupBytes;
    if (last.empty() || goes_on) continue;
    response->set_next_row(last + std::string(1, '\0'));
    break;
  }
  if (!response->has_next_row() && GoesOn(scan.rows, region.info().end_key)) {
    response->set_next_row(region.info().end_key);
  }
  response->set_rows(rows);
  response->set_parts(aggregator->TakeParts());
  return absl::OkStatus();
}

}  // namespace vaquita
