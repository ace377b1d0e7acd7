// ClientService.Scan: opens a scanner, reads on, renews, closes.
#include <algorithm>
#include <limits>

#include "base/call_context.h"
#include "base/status.h"
#include "proto/hbase/data_codec.h"
#include "server/frontend/hbase/client_call.h"
#include "server/frontend/hbase/rpc/rpc_frame.h"

namespace vaquita::hbase {
namespace {

constexpr uint32_t kMaxRows = std::numeric_limits<int32_t>::max();
constexpr uint32_t kFewRows = 128;

// Returns whether the call opens a scanner for a few rows. If these take long to find, it can begin again elsewhere.
bool IsShort(const pb::ScanRequest& request) {
  if (request.has_scanner_id()) return false;
  const uint32_t limit = request.limit_of_rows();
  return limit > 0 ? limit <= kFewRows : request.number_of_rows() <= kFewRows;
}

ScanRequest DecodeCall(const ClientCall& call, const pb::ScanRequest& request) {
  ScanRequest scan;
  scan.region = request.region().value();
  scan.scanner_id = static_cast<int64_t>(request.scanner_id());
  if (request.has_next_call_seq()) scan.next_call_seq = static_cast<int64_t>(request.next_call_seq());
  const uint32_t default_rows = request.close_scanner() ? 0 : 1;
  const uint32_t rows = request.has_number_of_rows() ? request.number_of_rows() : default_rows;
  scan.number_of_rows = static_cast<int32_t>(std::min(rows, kMaxRows));
  scan.fetch = rows > 0;
  scan.limit_of_rows = static_cast<int32_t>(std::min(request.limit_of_rows(), kMaxRows));
  scan.close = request.close_scanner();
  scan.renew = request.renew();
  // A heartbeat may cut a row.
  scan.heartbeats = request.client_handles_heartbeats() && request.client_handles_partials();
  // The Java clients that have AsyncTable; their other scanners cannot be told from its.
  scan.region_ends_without_rows = ClientIsAtLeast(call.rpc.client_version, 2, 0);
  scan.client_gives_up_ms = call.rpc.deadline_ms;
  scan.carry_ttls = call.rpc.takes_tags;
  scan.context = call.rpc.context;
  return scan;
}

void AddMetric(const char* name, int64_t value, pb::ScanMetrics* metrics) {
  pb::NameInt64Pair* metric = metrics->add_metrics();
  metric->set_name(name);
  metric->set_value(value);
}

void EncodeMetrics(const ScanResponse& scan, pb::ScanMetrics* metrics) {
  AddMetric("ROWS_SCANNED", scan.progress.rows_scanned, metrics);
  AddMetric("ROWS_FILTERED", scan.progress.rows_filtered, metrics);
  AddMetric("BLOCK_BYTES_SCANNED", static_cast<int64_t>(scan.batch.cells.bytes().size()), metrics);
}

void EncodeResults(const ClientCall& call, ScanResponse* scan, RpcResponse* response, pb::ScanResponse* message) {
  const ResultBatch& batch = scan->batch;
  if (!call.rpc.takes_cells) {
    for (const ResultRange& range : batch.results) {
      pb::Result* result = message->add_results();
      EncodeResult(batch.cells, range, result);
      if (scan->stale) result->set_stale(true);
    }
    return;
  }
  message->mutable_cells_per_result()->Reserve(static_cast<int>(batch.results.size()));
  message->mutable_partial_flag_per_result()->Reserve(static_cast<int>(batch.results.size()));
  for (const ResultRange& range : batch.results) {
    message->add_cells_per_result(static_cast<uint32_t>(range.count));
    message->add_partial_flag_per_result(range.partial);
  }
  response->cells = scan->batch.cells.TakeBytes();
}

void Encode(const ClientCall& call, const pb::ScanRequest& request, ScanResponse* scan, RpcResponse* response,
            pb::ScanResponse* message) {
  if (scan->opened_id != 0) {
    message->set_scanner_id(static_cast<uint64_t>(scan->opened_id));
    message->set_ttl(static_cast<uint32_t>(scan->lease_ms));
  } else {
    message->set_scanner_id(request.scanner_id());
  }
  if (request.renew()) return;
  message->set_more_results(scan->more_results);
  message->set_more_results_in_region(scan->more_results_in_region);
  message->set_stale(scan->stale);
  if (scan->progress.at_deadline) {
    message->set_heartbeat_message(true);
    // Clients look at it only if they want it.
    message->mutable_cursor()->set_row(scan->progress.next_row);
  }
  if (request.track_scan_metrics()) EncodeMetrics(*scan, message->mutable_scan_metrics());
  EncodeResults(call, scan, response, message);
}

}  // namespace

absl::StatusOr<RpcResponse> RunScan(const ClientCall& call) {
  CallArena arena;
  auto* request = arena.New<pb::ScanRequest>();
  VAQUITA_RETURN_IF_ERROR(ParseParam(call.rpc, request));
  if (!request->has_scanner_id() && !request->has_scan()) {
    return Error(ErrorKind::kDoNotRetryIO, "Missing required input: scannerId or scan");
  }
  if (call.rpc.context.short_waits && !IsShort(*request)) return WouldWait();
  ScanRequest scan_request = DecodeCall(call, *request);
  Scan scan;
  if (!request->has_scanner_id()) {
    VAQUITA_ASSIGN_OR_RETURN(scan, DecodeScan(request->scan()));
    // The client joins the parts of a row, unless it shows them to its caller: here only the request counts.
    scan.allow_partial_results = request->client_handles_partials();
    scan_request.scan = &scan;
  }
  VAQUITA_ASSIGN_OR_RETURN(ScanResponse answer, call.server.AnswerScan(scan_request));
  RpcResponse response;
  auto* message = arena.New<pb::ScanResponse>();
  Encode(call, *request, &answer, &response, message);
  VAQUITA_ASSIGN_OR_RETURN(response.param, SerializeAnswer(*message));
  return response;
}

}  // namespace vaquita::hbase
