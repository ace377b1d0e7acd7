#include "client/hbase/hbase_region_scan.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "base/fibers.h"
#include "base/status.h"
#include "client/hbase/pending_call.h"
#include "model/cell_block_reader.h"
#include "proto/hbase/data_codec.h"
#include "proto/hbase/schema_codec.h"

namespace vaquita::client {
namespace {

constexpr int64_t kMaxResultBytes = 2 << 20;  // hbase.client.scanner.max.result.size
constexpr std::chrono::seconds kCloseWithin{10};
// A server sends an answer without cells when its time is up. One that sends them faster would keep the client busy.
constexpr std::chrono::milliseconds kFastestEmptyAnswer{10};

void Append(std::vector<Cell> more, std::vector<Cell>* cells) {
  cells->insert(cells->end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

HBaseRegionScan::HBaseRegionScan(RpcClient* rpc, Located region, const Scan& scan)
    : rpc_(rpc), region_(std::move(region)), scan_(scan), target_{region_->location.address, "ClientService"} {}

HBaseRegionScan::~HBaseRegionScan() {
  if (!scanner_id_) return;
  pb::ScanRequest request;
  request.set_scanner_id(*scanner_id_);
  request.set_number_of_rows(0);
  request.set_close_scanner(true);
  // Nobody waits for the answer.
  rpc_->Start(target_, "Scan", request, {}, std::chrono::steady_clock::now() + kCloseWithin);
}

CallOutcome HBaseRegionScan::Next(TimePoint deadline, ScanAnswer* answer) {
  const TimePoint begin = std::chrono::steady_clock::now();
  const auto call = rpc_->Start(target_, "Scan", NextRequest(), {}, deadline);
  pb::ScanResponse response;
  if (CallOutcome outcome = rpc_->Finish(*call, deadline, &response); !outcome.ok()) return outcome;
  std::vector<Result> parts;
  if (absl::Status decoded = Decode(response, call->answer_cells(), &parts); !decoded.ok()) return {decoded};
  const bool empty = parts.empty();
  const bool none = empty && !response.heartbeat_message();
  if (none && row_) EndRow(&answer->results);  // it was complete after all
  for (Result& part : parts) Take(std::move(part), &answer->results);

  next_call_seq_ = scanner_id_ ? next_call_seq_ + 1 : 0;
  scanner_id_ = response.scanner_id();
  const bool scan_done = response.has_more_results() && !response.more_results();
  answer->region_done =
      scan_done || (response.has_more_results_in_region() ? !response.more_results_in_region() : none);
  if (!answer->region_done) {
    if (empty) SleepUntil(begin + kFastestEmptyAnswer);
    return {};
  }
  scanner_id_.reset();  // the server closes it by itself
  if (row_) EndRow(&answer->results);
  if (!scan_done) answer->next = NextStart();
  return {};
}

pb::ScanRequest HBaseRegionScan::NextRequest() const {
  pb::ScanRequest request;
  if (scanner_id_) {
    request.set_scanner_id(*scanner_id_);
    request.set_next_call_seq(next_call_seq_);
  } else {
    EncodeRegionSpecifier(region_->name, request.mutable_region());
    EncodeScan(scan_, request.mutable_scan());
    if (scan_.max_result_bytes <= 0) request.mutable_scan()->set_max_result_size(kMaxResultBytes);
  }
  request.set_number_of_rows(scan_.caching > 0 ? static_cast<uint32_t>(scan_.caching)
                                               : std::numeric_limits<int32_t>::max());
  request.set_close_scanner(false);
  request.set_client_handles_partials(true);
  request.set_client_handles_heartbeats(true);
  if (scan_.limit > 0) request.set_limit_of_rows(static_cast<uint32_t>(std::max(scan_.limit - complete_rows_, 1)));
  return request;
}

// The answer's results, each of a row or a part of one.
absl::Status HBaseRegionScan::Decode(const pb::ScanResponse& response, std::string_view cells,
                                     std::vector<Result>* parts) const {
  CellBlockReader reader(cells);
  for (int i = 0; i < response.cells_per_result_size(); ++i) {
    Result& part = parts->emplace_back();
    part.partial = i < response.partial_flag_per_result_size() && response.partial_flag_per_result(i);
    pb::Result count;
    count.set_associated_cell_count(static_cast<int32_t>(response.cells_per_result(i)));
    VAQUITA_RETURN_IF_ERROR(DecodeResult(count, &reader, &part.cells));
  }
  for (const pb::Result& result : response.results()) {
    Result& part = parts->emplace_back();
    part.partial = result.partial();
    VAQUITA_RETURN_IF_ERROR(DecodeResult(result, nullptr, &part.cells));
  }
  std::erase_if(*parts, [](const Result& part) { return part.cells.empty(); });
  return absl::OkStatus();
}

void HBaseRegionScan::Take(Result part, std::vector<Result>* results) {
  part.exists = true;
  // The last part of a row need not be known as such when it is sent.
  if (row_ && row_->cells.front().row != part.cells.front().row) EndRow(results);
  if (scan_.allow_partial_results) {
    if (!part.partial) ++complete_rows_;
    results->push_back(std::move(part));
    return;
  }
  const bool complete = !part.partial;
  if (row_) {
    Append(std::move(part.cells), &row_->cells);
  } else {
    row_ = std::move(part);
  }
  if (scan_.batch > 0) TakeBatched(results);
  if (complete && row_) EndRow(results);
}

// Returns the row's cells in pieces of the batch limit.
void HBaseRegionScan::TakeBatched(std::vector<Result>* results) {
  const auto batch = static_cast<size_t>(scan_.batch);
  while (row_->cells.size() > batch) {
    Result piece{.partial = true, .exists = true};
    const auto end = row_->cells.begin() + static_cast<ptrdiff_t>(batch);
    piece.cells.assign(std::make_move_iterator(row_->cells.begin()), std::make_move_iterator(end));
    row_->cells.erase(row_->cells.begin(), end);
    results->push_back(std::move(piece));
  }
}

void HBaseRegionScan::EndRow(std::vector<Result>* results) {
  row_->partial = false;
  ++complete_rows_;
  results->push_back(*std::exchange(row_, std::nullopt));
}

// Returns the row at which the scan goes on after this region.
std::optional<ScanAnswer::Start> HBaseRegionScan::NextStart() const {
  const RegionInfo& info = region_->location.info;
  const RowRange& rows = scan_.rows;
  if (scan_.reversed) {
    if (info.start_key.empty() || (!rows.stop.empty() && info.start_key <= rows.stop)) return std::nullopt;
    return ScanAnswer::Start{info.start_key, /*inclusive=*/false};
  }
  if (info.end_key.empty()) return std::nullopt;
  const bool past_stop = info.end_key > rows.stop || (info.end_key == rows.stop && !rows.stop_inclusive);
  if (!rows.stop.empty() && past_stop) return std::nullopt;
  return ScanAnswer::Start{info.end_key, /*inclusive=*/true};
}

}  // namespace vaquita::client
