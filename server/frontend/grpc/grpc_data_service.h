// server/frontend/grpc/grpc_data_service.h: vaquita.v1.DataService over a RegionServer.
//
// Threads: a call of one answer runs to its end on one of gRPC's handler threads, whose number is bounded. A scan is a
// reactor (grpc_scan_stream.h), whose steps run on the service's own threads: a client that reads slowly, or not at
// all, occupies none.
#pragma once

#include "absl/status/status.h"
#include "base/worker_pool.h"
#include "grpcpp/grpcpp.h"
#include "server/frontend/grpc/grpc_scan_stream.h"
#include "server/frontend/grpc/grpc_serving.h"
#include "vaquita/v1/data.pb.h"

namespace vaquita {

class GrpcDataService final {
 public:
  // `slot` and `unsent` outlive the service, which outlives the server. More scans than `most_threads` take turns.
  GrpcDataService(const GrpcServing* slot, GrpcUnsentAnswers* unsent, int most_threads)
      : slot_(slot), unsent_(unsent), workers_(most_threads) {
    // Takes the mutex, so that the construction happens before all scans. (gRPC ensures that, too, but ThreadSanitizer
    // cannot see it.)
    (void)workers_.load();
  }

  grpc::Status Get(grpc::ServerContext* context, const v1::GetRequest* request, v1::GetResponse* response);
  grpc::ServerWriteReactor<v1::ScanResponse>* Scan(grpc::CallbackServerContext* context,
                                                   const v1::ScanRequest* request);
  grpc::Status Mutate(grpc::ServerContext*, const v1::MutateRequest* request, v1::MutateResponse* response);
  grpc::Status CheckAndMutate(grpc::ServerContext*, const v1::CheckAndMutateRequest* request,
                              v1::CheckAndMutateResponse* response);
  grpc::Status Batch(grpc::ServerContext* context, const v1::BatchRequest* request, v1::BatchResponse* response);
  grpc::Status Aggregate(grpc::ServerContext* context, const v1::AggregateRequest* request,
                         v1::AggregateResponse* response);

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
  GrpcUnsentAnswers* const unsent_;
  WorkerPool workers_;
};

}  // namespace vaquita
