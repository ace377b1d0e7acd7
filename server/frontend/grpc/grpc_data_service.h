// server/frontend/grpc/grpc_data_service.h: vaquita.v1.DataService over a RegionServer.
//
// Threads: a call of one answer runs to its end on one of gRPC's handler threads, whose number is bounded. A scan is a
// reactor (grpc_scan_stream.h): a client that reads slowly, or not at all, occupies no thread.
#pragma once

#include "absl/status/status.h"
#include "server/frontend/grpc/grpc_scan_stream.h"
#include "server/frontend/grpc/grpc_serving.h"
#include "vaquita/v1/data.grpc.pb.h"

namespace vaquita {

class GrpcDataService final : public v1::DataService::WithCallbackMethod_Scan<v1::DataService::Service> {
 public:
  explicit GrpcDataService(const GrpcServing* slot) : slot_(slot) {}  // `slot` outlives the service

  // Ends the scans that are open: their clients see CANCELLED.
  void CancelScans() { open_scans_.CancelAll(); }
  // Ends those that are open, and waits for that.
  void EndScans() { open_scans_.EndAll(); }

  grpc::Status Get(grpc::ServerContext* context, const v1::GetRequest* request, v1::GetResponse* response) override;
  grpc::ServerWriteReactor<v1::ScanResponse>* Scan(grpc::CallbackServerContext* context,
                                                   const v1::ScanRequest* request) override;
  grpc::Status Mutate(grpc::ServerContext*, const v1::MutateRequest* request, v1::MutateResponse* response) override;
  grpc::Status CheckAndMutate(grpc::ServerContext*, const v1::CheckAndMutateRequest* request,
                              v1::CheckAndMutateResponse* response) override;
  grpc::Status Batch(grpc::ServerContext* context, const v1::BatchRequest* request,
                     v1::BatchResponse* response) override;
  grpc::Status Aggregate(grpc::ServerContext* context, const v1::AggregateRequest* request,
                         v1::AggregateResponse* response) override;

 private:
  absl::Status AnswerGet(const v1::GetRequest& request, const CallContext& context, v1::GetResponse* response) const;
  absl::Status AnswerMutate(const v1::MutateRequest& request, const CallContext& context,
                            v1::MutateResponse* response) const;
  absl::Status AnswerCheckAndMutate(const v1::CheckAndMutateRequest& request, const CallContext& context,
                                    v1::CheckAndMutateResponse* response) const;
  absl::Status AnswerBatch(const v1::BatchRequest& request, const CallContext& context,
                           v1::BatchResponse* response) const;
  absl::Status AnswerAggregate(const v1::AggregateRequest& request, const CallContext& context,
                               v1::AggregateResponse* response) const;

  const GrpcServing* const slot_;
  OpenScans open_scans_;
};

}  // namespace vaquita
