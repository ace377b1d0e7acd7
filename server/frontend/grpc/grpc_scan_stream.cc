#include "server/frontend/grpc/grpc_scan_stream.h"

#include <limits>
#include <string>
#include <utility>

#include "base/status.h"
#include "proto/vaquita/data_codec.h"
#include "proto/vaquita/status_codec.h"
#include "server/frontend/grpc/grpc_region_address.h"
#include "server/frontend/grpc/grpc_watch.h"

namespace vaquita {
namespace {

// An answer's size unless the client asks for another: HBase's hbase.client.scanner.max.result.size.
constexpr int64_t kDefaultAnswerBytes = 2 << 20;
// A scan that finds nothing for so long sends an empty answer: the client sees that it lives, and the thread serves
// others.
constexpr int64_t kHeartbeatMs = 200;

}  // namespace

void OpenScans::Add(grpc::CallbackServerContext* context) {
  std::lock_guard lock(mutex_);
  contexts_.insert(context);
  if (cancelled_) context->TryCancel();
}

void OpenScans::Remove(grpc::CallbackServerContext* context) {
  std::lock_guard lock(mutex_);
  contexts_.erase(context);
}

void OpenScans::CancelAll() {
  std::lock_guard lock(mutex_);
  cancelled_ = true;
  for (grpc::CallbackServerContext* context : contexts_) context->TryCancel();
}

void OpenScans::Begin() {
  std::lock_guard lock(mutex_);
  ++reading_;
}

void OpenScans::End() {
  std::lock_guard lock(mutex_);
  if (--reading_ == 0) ended_.notify_all();
}

void OpenScans::EndAll() {
  std::unique_lock lock(mutex_);
  for (grpc::CallbackServerContext* context : contexts_) context->TryCancel();
  ended_.wait(lock, [this] { return reading_ == 0; });
}

GrpcScanStream::GrpcScanStream(const GrpcServing& slot, const v1::ScanRequest& request,
                               grpc::CallbackServerContext* context, OpenScans* open_scans)
    : context_(context), open_scans_(open_scans), clock_(&slot.clock()) {
  open_scans_->Add(context_);
  if (slot.gate() != nullptr && !EnterGate(slot, request)) return;
  if (absl::Status opened = Open(slot, request); !opened.ok()) {
    outcome_ = opened;
    Finish(ToGrpcStatus(opened));
    return;
  }
  Advance();
}

// False if the scan does not run.
bool GrpcScanStream::EnterGate(const GrpcServing& slot, const v1::ScanRequest& request) {
  std::vector<net::CallTarget> targets = TargetsOfRow(slot, request, request.scan().rows().start());
  const GrpcCall call{.service = "ClientService", .method = "Scan", .context = *context_, .request = request};
  gated_ = std::make_unique<GatedGrpcCall>(slot.gate(), call, std::move(targets));
  const net::CallFate& fate = gated_->fate();
  if (fate.runs && fate.answer == net::CallFate::Answer::kGiven) return true;
  if (fate.answer == net::CallFate::Answer::kLost) return false;  // until the client gives up
  outcome_ = gated_->Refusal();
  Finish(ToGrpcStatus(outcome_));
  return false;
}

void GrpcScanStream::OnCancel() {
  // If a scan runs, the write that is under way fails, or the next one.
  if (gated_ != nullptr && gated_->fate().answer == net::CallFate::Answer::kLost) Finish(grpc::Status::CANCELLED);
}

absl::Status GrpcScanStream::Open(const GrpcServing& slot, const v1::ScanRequest& request) {
  VAQUITA_ASSIGN_OR_RETURN(const Serving serving, slot.Get());
  VAQUITA_ASSIGN_OR_RETURN(caller_, slot.CallerOf(*context_));
  VAQUITA_RETURN_IF_ERROR(FromProto(request.scan(), &scan_));
  if (scan_.max_result_bytes <= 0) scan_.max_result_bytes = kDefaultAnswerBytes;
  cells_as_block_ = request.cells_as_block();
  results_as_block_ = request.results_as_block();
  VAQUITA_ASSIGN_OR_RETURN(const std::string region,
                           RegionOfRequest(serving, request.region(), request.table(), scan_.rows.start));
  VAQUITA_ASSIGN_OR_RETURN(const std::shared_ptr<Region> found, serving.server->FindRegion(region));
  server_ = serving.server;
  open_scans_->Begin();
  region_ = found->info();
  return absl::OkStatus();
}

void GrpcScanStream::Advance() {
  std::lock_guard turn(turn_);
  ScanRequest request;
  request.scanner_id = scanner_id_;
  if (scanner_id_ == 0) {
    request.region = region_.EncodedName();
    request.scan = &scan_;
  }
  request.number_of_rows = scan_.caching > 0 ? scan_.caching : std::numeric_limits<int32_t>::max();
  request.deadline_ms = clock_->NowMs() + kHeartbeatMs;
  GrpcWatch watch(context_);
  request.context = {.caller = &caller_, .watch = &watch};
  absl::StatusOr<ScanResponse> answer = server_->AnswerScan(request);
  if (!answer.ok()) {
    outcome_ = answer.status();
    Finish(ToGrpcStatus(answer.status()));
    return;
  }
  scanner_id_ = answer->scanner_id;
  Encode(&answer->batch);
  if (answer->more_results && answer->more_results_in_region) {
    StartWrite(&response_);
    return;
  }
  if (answer->more_results) EncodeNextRegion();
  StartWriteAndFinish(&response_, grpc::WriteOptions(), grpc::Status::OK);
}

void GrpcScanStream::Encode(ResultBatch* batch) {
  response_.Clear();
  rows_ += static_cast<int64_t>(batch->results.size());
  if (results_as_block_) return ToProto(batch, &response_);
  response_.mutable_results()->Reserve(static_cast<int>(batch->results.size()));
  for (const ResultRange& range : batch->results) {
    ToProto(batch->cells, range, cells_as_block_, response_.add_results());
  }
}

void GrpcScanStream::EncodeNextRegion() {
  const std::string& stop = scan_.rows.stop;
  const std::string& border = scan_.reversed ? region_.start_key : region_.end_key;
  if (border.empty()) return;  // the table's last region in this direction
  if (!stop.empty()) {
    const bool ended =
        scan_.reversed ? border <= stop : border > stop || (border == stop && !scan_.rows.stop_inclusive);
    if (ended) return;
  }
  response_.mutable_next_region()->set_start_row(border);
  response_.mutable_next_region()->set_inclusive(!scan_.reversed);
}

void GrpcScanStream::OnWriteDone(bool ok) {
  if (ok) {
    Advance();
  } else {
    Finish(grpc::Status::CANCELLED);
  }
}

void GrpcScanStream::OnDone() {
  std::unique_lock turn(turn_);  // the call to Advance that ended the stream may not have returned yet
  if (scanner_id_ != 0) {
    // Its lease may have expired, or its region closed: then it is gone already.
    (void)server_->AnswerScan({.scanner_id = scanner_id_, .close = true, .context = {.caller = &caller_}});
  }
  open_scans_->Remove(context_);
  if (server_ != nullptr) open_scans_->End();
  if (gated_ != nullptr) gated_->RecordEnd(outcome_, rows_);
  turn.unlock();
  delete this;
}

}  // namespace vaquita
