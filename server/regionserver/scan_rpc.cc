#include "server/regionserver/scan_rpc.h"

#include <algorithm>
#include <string>

#include "base/call_context.h"
#include "base/status.h"

namespace vaquita {
namespace {

constexpr int64_t kLeastTimeMs = 10;  // hbase.region.server.rpc.minimum.scan.time.limit.delta

// HBase checks the sequence even before it uses the scanner: a client that repeats a call it had no answer to must not
// skip rows.
absl::Status CheckSequence(const ScanRequest& request, int64_t scanner_id, int64_t expected) {
  if (request.next_call_seq < 0 || request.next_call_seq == expected) return absl::OkStatus();
  return Error(ErrorKind::kOutOfOrderScannerNext,
               "Expected nextCallSeq: " + std::to_string(expected) + " But the nextCallSeq got from client: " +
                   std::to_string(request.next_call_seq) + "; request=scanner_id: " + std::to_string(scanner_id) +
                   " number_of_rows: " + std::to_string(request.number_of_rows) + " close_scanner: " +
                   (request.close ? "true" : "false") + " next_call_seq: " + std::to_string(request.next_call_seq));
}

// Returns the error for a client whose scanner an error closed that may pass: it opens another one where this one
// stood.
absl::Status Reset(const absl::Status& error) {
  if (!IsRetryable(error) || IsError(error, ErrorKind::kNotServingRegion) || IsWouldWait(error)) return error;
  return Error(ErrorKind::kScannerReset, "Scanner is closed on the server-side: " + std::string(error.message()));
}

int64_t Least(int64_t a, int64_t b) {  // the smaller limit; a negative one means none
  if (a < 0 || b < 0) return std::max(a, b);
  return std::min(a, b);
}

// When the answer must be under way (RSRpcServices.getTimeLimit).
int64_t Deadline(const ScanRequest& request, int64_t lease_ms, Clock* clock) {
  if (!request.heartbeats) return request.deadline_ms;
  const int64_t now_ms = clock->NowMs();
  int64_t patience_ms = lease_ms;
  if (request.client_gives_up_ms >= 0) patience_ms = std::min(patience_ms, request.client_gives_up_ms - now_ms);
  return now_ms + std::max(patience_ms / 2, kLeastTimeMs);
}

ScanLimits LimitsOf(const ScanRequest& request, const OpenScanner& scanner, const Options& options, Clock* clock) {
  const int64_t asked = request.number_of_rows > 0 ? request.number_of_rows
                        : scanner.caching > 0      ? scanner.caching
                                                   : -1;
  const int64_t server_max_bytes = options.scanner_max_result_bytes;
  return {.max_results = static_cast<int32_t>(Least(asked, scanner.rows_left)),
          .max_rows = request.limit_of_rows > 0 ? request.limit_of_rows : -1,
          .max_bytes =
              scanner.max_result_bytes > 0 ? std::min(scanner.max_result_bytes, server_max_bytes) : server_max_bytes,
          .deadline_ms = Deadline(request, options.scanner_lease_ms, clock),
          .watch = request.context.watch};
}

// Reads rows into `*response`, and says there whether the region and the scan have more.
absl::Status ReadRows(const ScanRequest& request, const Options& options, Clock* clock, OpenScanner* scanner,
                      ScanResponse* response) {
  auto more = scanner->scanner->Next(LimitsOf(request, *scanner, options, clock), &response->batch);
  VAQUITA_RETURN_IF_ERROR(more.status());
  response->more_results_in_region = *more;
  response->progress = scanner->scanner->progress();
  if (scanner->rows_left >= 0) {
    // A row's last part may be empty, so rows are counted where they end.
    scanner->rows_left -= static_cast<int32_t>(response->progress.rows_ended - response->progress.rows_filtered);
  }
  // Each region has its own filter: a scan that one region's filter ended goes on in the next region, unless this call
  // gave no results (RSRpcServices.scan).
  const bool no_results = response->batch.results.empty();
  const bool filter_ended_scan = scanner->scanner->filter_finished() && no_results;
  response->more_results = scanner->rows_left != 0 && !response->progress.at_row_limit && !filter_ended_scan;
  // hbase-client's AsyncTableResultScanner hangs when the last rows of a region fill its cache: it opens the next
  // region's scanner while it resumes, may find the answer there at once, and then forgets how to resume again. An end
  // that comes by itself is no reason to pause, so the client is never resumed to open the next scanner.
  // Not if the scan has batches and a limit: hbase-client's BatchScanResultCache takes an answer without rows for the
  // end of a row, also when the row had ended, and so gives the caller a row less than it asked for.
  const bool counts_ends_as_rows = scanner->batched && request.limit_of_rows > 0;
  if (request.region_ends_without_rows && scanner->goes_on_elsewhere && !request.close && response->more_results &&
      !response->more_results_in_region && !no_results && !counts_ends_as_rows) {
    response->more_results_in_region = true;
    scanner->only_end_left = true;
    scanner->scanner.reset();
  }
  return absl::OkStatus();
}

}  // namespace

bool GoesOnElsewhere(const Scan& scan, const RegionInfo& region) {
  const std::string& edge = scan.reversed ? region.start_key : region.end_key;
  if (edge.empty()) return false;
  const std::string& stop = scan.rows.stop;
  if (stop.empty()) return true;
  if (scan.reversed) return edge > stop;
  return edge < stop || (edge == stop && scan.rows.stop_inclusive);
}

absl::StatusOr<ScanResponse> RunScanRpc(OpenScanners::Call call, const ScanRequest& request,
                                        const absl::Status& may_stay, const Options& options, Clock* clock) {
  ScanResponse response;
  if (call.closed_before()) {
    // The rows of the last answer cannot be had again: who repeats its call must open another scanner.
    VAQUITA_RETURN_IF_ERROR(CheckSequence(request, request.scanner_id, call.call_seq_after_end()));
    return response;
  }
  VAQUITA_RETURN_IF_ERROR(CheckSequence(request, call->id, call->next_call_seq));
  if (request.next_call_seq >= 0) ++call->next_call_seq;
  if (request.carry_ttls) response.batch.cells.CarryTtls();
  response.scanner_id = call->id;
  response.stale = call->stale;
  response.opened_id = request.scan != nullptr ? call->id : 0;
  response.lease_ms = options.scanner_lease_ms;
  response.more_results_in_region = true;
  if (request.renew) return response;

  const bool only_closes = request.close && request.number_of_rows == 0 && request.scan == nullptr;
  if (call->only_end_left) {
    response.more_results_in_region = false;
  } else if (request.fetch && !only_closes) {
    if (call->scanner == nullptr) {
      const std::string name = call->region->info().Name();
      call.Abandon();
      return Error(ErrorKind::kNotServingRegion,
                   "Region has changed on the scanner " + std::to_string(response.scanner_id) + ": regionName=" + name);
    }
    const absl::Status read = ReadRows(request, options, clock, &*call, &response);
    if (!read.ok()) {
      // The scanner may stand in the middle of things, so the client must open another one.
      call.Abandon();
      return Reset(read);
    }
  }
  if (request.close || !response.more_results || !response.more_results_in_region) {
    call.Close();
    response.scanner_id = 0;
  } else if (!may_stay.ok()) {
    call.Abandon();
    return may_stay;
  }
  return response;
}

}  // namespace vaquita
