// server/frontend/grpc/grpc_scan_stream.h: one scan of one region as a stream of answers.
//
// The next answer is read when the client has taken the one before (gRPC's flow control says so), so a slow client
// holds a scanner and its lease, but no thread. The scanner closes with the call, however that ends.
// Threads: gRPC calls a stream's methods one at a time. A stream deletes itself when the call is done.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>

#include "absl/status/status.h"
#include "grpcpp/grpcpp.h"
#include "model/operations.h"
#include "model/region_info.h"
#include "server/frontend/grpc/grpc_gate.h"
#include "server/frontend/grpc/grpc_serving.h"
#include "vaquita/v1/data.pb.h"

namespace vaquita {

// The calls that are being answered. Threads: any, at once.
class OpenScans {
 public:
  void Add(grpc::CallbackServerContext* context);
  void Remove(grpc::CallbackServerContext* context);
  void CancelAll();  // those of now and of later
  // A scan reads from its server from now on, until it ends.
  void Begin();
  void End();
  // Cancels those that read, and waits for their ends.
  void EndAll();

 private:
  std::mutex mutex_;
  std::set<grpc::CallbackServerContext*> contexts_;
  bool cancelled_ = false;
  std::condition_variable ended_;
  int reading_ = 0;
};

class GrpcScanStream final : public grpc::ServerWriteReactor<v1::ScanResponse> {
 public:
  // `slot`, `context` and `open_scans` outlive the call. `request` is read in the constructor alone.
  GrpcScanStream(const GrpcServing& slot, const v1::ScanRequest& request, grpc::CallbackServerContext* context,
                 OpenScans* open_scans);

 private:
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

  bool EnterGate(const GrpcServing& slot, const v1::ScanRequest& request);
  absl::Status Open(const GrpcServing& slot, const v1::ScanRequest& request);
  // Reads the next answer and sends it.
  void Advance();
  void Encode(ResultBatch* batch);
  // Where the scan goes on after this region, if it does.
  void EncodeNextRegion();

  grpc::CallbackServerContext* const context_;
  OpenScans* const open_scans_;
  const Clock* const clock_;
  std::unique_ptr<GatedGrpcCall> gated_;  // null: there is no gate
  absl::Status outcome_;
  int64_t rows_ = 0;
  // gRPC calls from any of its threads, one at a time. This says so in a way that ThreadSanitizer understands.
  std::mutex turn_;
  RegionServer* server_ = nullptr;
  Caller caller_;
  RegionInfo region_;
  Scan scan_;
  bool cells_as_block_ = false;
  bool results_as_block_ = false;
  int64_t scanner_id_ = 0;  // 0: none is open
  v1::ScanResponse response_;
};

}  // namespace vaquita
