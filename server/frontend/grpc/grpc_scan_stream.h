// server/frontend/grpc/grpc_scan_stream.h: one scan of one region as a stream of answers.
//
// The next answer is read when the client has taken the one before (gRPC's flow control says so), so a slow client
// holds a scanner and its lease, but no thread. The scanner closes with the call, however that ends.
// Threads: gRPC calls a stream's methods on its few callback threads, which serve all calls of all services and must
// not wait. So each step of a scan runs on a worker, one at a time: it may wait for a test's fault, for the servers to
// be there again, or for a row that takes long. A stream deletes itself when the call is done.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "absl/status/status.h"
#include "base/worker_pool.h"
#include "grpcpp/grpcpp.h"
#include "model/operations.h"
#include "model/region_info.h"
#include "server/frontend/grpc/grpc_gate.h"
#include "server/frontend/grpc/grpc_serving.h"
#include "server/frontend/grpc/grpc_unsent_answers.h"
#include "vaquita/v1/data.pb.h"

namespace vaquita {

class GrpcScanStream final : public grpc::ServerWriteReactor<v1::ScanResponse> {
 public:
  // All of these outlive the stream, but `request` and `context` only the call.
  GrpcScanStream(const GrpcServing* slot, GrpcUnsentAnswers* unsent, WorkerPool* workers,
                 const v1::ScanRequest* request, grpc::CallbackServerContext* context);

 private:
  class Step;
  class Closing;

  void OnWriteDone(bool ok) override;
  void OnDone() override;

  // --- The steps. Only one runs at a time.
  void Begin();
  void Advance();
  void GiveUp();  // the client has gone
  void CloseScanner();

  void RunLater(void (GrpcScanStream::*step)());
  // Runs a step. An exception that it throws ends the scan, and not the process.
  void RunStep(void (GrpcScanStream::*step)());
  // Returns false if the test control has ended the call.
  bool PassGate();
  absl::Status Open(const Serving& serving);
  // Reads the next answer into response_. `*ends`: the scan of the region ends with it.
  absl::Status Read(bool* ends);
  void SendNext();
  void End(const absl::Status& outcome);
  void Encode(ResultBatch* batch);
  // Where the scan goes on after this region, if it does.
  void EncodeNextRegion();

  const GrpcServing& slot_;
  GrpcUnsentAnswers& unsent_;
  WorkerPool& workers_;
  const v1::ScanRequest& request_;
  grpc::CallbackServerContext* const context_;

  // Held during a step: gRPC may announce the end of what a step has begun before the step has returned.
  std::mutex turn_;
  std::unique_ptr<GatedGrpcCall> gated_;  // null: there is no gate
  int64_t rows_ = 0;
  int64_t life_ = 0;  // ServedServers::life of those that have the scanner; 0: it is not open yet
  Caller caller_;
  RegionInfo region_;
  Scan scan_;
  bool cells_as_block_ = false;
  bool results_as_block_ = false;
  int64_t scanner_id_ = 0;  // 0: none is open
  v1::ScanResponse response_;
  GrpcUnsentAnswers::Answer sending_;
};

}  // namespace vaquita
