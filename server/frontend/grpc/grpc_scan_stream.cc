#include "server/frontend/grpc/grpc_scan_stream.h"

#include <exception>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "proto/vaquita/data_codec.h"
#include "proto/vaquita/status_codec.h"
#include "server/frontend/grpc/grpc_region_address.h"
#include "server/frontend/grpc/grpc_watch.h"

namespace vaquita {
namespace {

// An answer's size unless the client asks for less: HBase's hbase.client.scanner.max.result.size. A stream goes on
// without being asked, so larger answers would only take more memory while they wait.
constexpr int64_t kMostAnswerBytes = 2 << 20;
// A scan that finds nothing for so long sends an empty answer: the client sees that it lives, and the thread serves
// others.
constexpr int64_t kHeartbeatMs = 200;

}  // namespace

// The call does not end before its steps, because they end it.
class GrpcScanStream::Step final : public Work {
 public:
  Step(GrpcScanStream* stream, void (GrpcScanStream::*run)()) : stream_(stream), run_(run) {}
  void Run() override { stream_->RunStep(run_); }

 private:
  GrpcScanStream* const stream_;
  void (GrpcScanStream::*const run_)();
};

class GrpcScanStream::Closing final : public Work {
 public:
  explicit Closing(GrpcScanStream* stream) : stream_(stream) {}
  void Run() override { stream_->CloseScanner(); }

 private:
  const std::unique_ptr<GrpcScanStream> stream_;
};

GrpcScanStream::GrpcScanStream(const GrpcServing* slot, GrpcUnsentAnswers* unsent, WorkerPool* workers,
                               const v1::ScanRequest* request, grpc::CallbackServerContext* context)
    : slot_(*slot), unsent_(*unsent), workers_(*workers), request_(*request), context_(context) {
  RunLater(&GrpcScanStream::Begin);
}

void GrpcScanStream::RunLater(void (GrpcScanStream::*step)()) { workers_.Run(std::make_unique<Step>(this, step)); }

void GrpcScanStream::RunStep(void (GrpcScanStream::*step)()) {
  std::lock_guard turn(turn_);
  try {
    (this->*step)();
  } catch (const std::exception& e) {  // the last that a step does is to write or to finish, so it has done neither
    End(absl::InternalError(absl::StrCat("Scan: ", e.what())));
  }
}

void GrpcScanStream::Begin() {
  if (slot_.gate() == nullptr || PassGate()) SendNext();
}

void GrpcScanStream::Advance() {
  sending_.Release();
  SendNext();
}

void GrpcScanStream::GiveUp() {
  sending_.Release();
  End(absl::CancelledError("the client has gone"));
}

bool GrpcScanStream::PassGate() {
  std::vector<net::CallTarget> targets = TargetsOfRow(slot_, request_, request_.scan().rows().start());
  const GrpcCall call{.service = "ClientService", .method = "Scan", .context = *context_, .request = request_};
  gated_ = std::make_unique<GatedGrpcCall>(slot_.gate(), call, std::move(targets));
  const net::CallFate& fate = gated_->fate();
  if (fate.runs && fate.answer == net::CallFate::Answer::kGiven) return true;
  const bool is_lost = fate.answer == net::CallFate::Answer::kLost;
  Finish(gated_->End(is_lost ? absl::OkStatus() : gated_->Refusal(), 0));
  return false;
}

absl::Status GrpcScanStream::Open(const Serving& serving) {
  VAQUITA_ASSIGN_OR_RETURN(caller_, slot_.CallerOf(*context_));
  VAQUITA_RETURN_IF_ERROR(FromProto(request_.scan(), &scan_));
  if (scan_.max_result_bytes <= 0 || scan_.max_result_bytes > kMostAnswerBytes) {
    scan_.max_result_bytes = kMostAnswerBytes;
  }
  cells_as_block_ = request_.cells_as_block();
  results_as_block_ = request_.results_as_block();
  VAQUITA_ASSIGN_OR_RETURN(const std::string region,
                           RegionOfRequest(serving, request_.region(), request_.table(), scan_.rows.start));
  VAQUITA_ASSIGN_OR_RETURN(const std::shared_ptr<Region> found, serving.server->FindRegion(region));
  region_ = found->info();
  life_ = serving.life;
  return absl::OkStatus();
}

absl::Status GrpcScanStream::Read(bool* ends) {
  VAQUITA_ASSIGN_OR_RETURN(const Serving serving, slot_.Get());
  if (life_ == 0) {
    VAQUITA_RETURN_IF_ERROR(Open(serving));
  } else if (life_ != serving.life) {
    scanner_id_ = 0;
    return Error(ErrorKind::kServerNotRunningYet, "the server was opened anew during the scan, which must begin again");
  }
  ScanRequest request;
  request.scanner_id = scanner_id_;
  if (scanner_id_ == 0) {
    request.region = region_.EncodedName();
    request.scan = &scan_;
  }
  request.number_of_rows = scan_.caching > 0 ? scan_.caching : std::numeric_limits<int32_t>::max();
  request.deadline_ms = slot_.clock().NowMs() + kHeartbeatMs;
  GrpcWatch watch(context_);
  request.context = {.caller = &caller_, .watch = &watch};
  VAQUITA_ASSIGN_OR_RETURN(ScanResponse answer, serving.server->AnswerScan(request));
  scanner_id_ = answer.scanner_id;
  Encode(&answer.batch);
  *ends = !answer.more_results || !answer.more_results_in_region;
  if (*ends && answer.more_results) EncodeNextRegion();
  return absl::OkStatus();
}

void GrpcScanStream::SendNext() {
  bool ends = false;
  if (const absl::Status read = Read(&ends); !read.ok()) return End(read);
  sending_ = unsent_.Add(context_, response_, /*holds_thread=*/false);
  if (!ends) return StartWrite(&response_);
  if (gated_ != nullptr) gated_->RecordEnd(absl::OkStatus(), rows_);
  StartWriteAndFinish(&response_, grpc::WriteOptions(), grpc::Status::OK);
}

void GrpcScanStream::End(const absl::Status& outcome) {
  if (gated_ != nullptr) gated_->RecordEnd(outcome, rows_);
  Finish(ToGrpcStatus(outcome));
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

void GrpcScanStream::OnWriteDone(bool ok) { RunLater(ok ? &GrpcScanStream::Advance : &GrpcScanStream::GiveUp); }

void GrpcScanStream::OnDone() {
  std::unique_lock turn(turn_);  // the step that ended the call may not have returned yet
  sending_.Release();
  const bool is_open = scanner_id_ != 0;
  turn.unlock();
  if (is_open) {
    workers_.Run(std::make_unique<Closing>(this));
  } else {
    delete this;
  }
}

// The scanner's lease may have expired, or its region or the server closed: then it is gone already.
void GrpcScanStream::CloseScanner() {
  const auto serving = slot_.Get();
  if (!serving.ok() || serving->life != life_) return;
  (void)serving->server->AnswerScan({.scanner_id = scanner_id_, .close = true, .context = {.caller = &caller_}});
}

}  // namespace vaquita
