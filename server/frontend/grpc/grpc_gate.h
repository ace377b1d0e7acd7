// server/frontend/grpc/grpc_gate.h: gRPC's calls on their way through a gate (server/frontend/net/call_gate.h), if
// there is one.
//
// gRPC has no way to close one client's connection, so that a call whose connection is to close ends as its client sees
// that: UNAVAILABLE. Threads: any.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "grpcpp/grpcpp.h"
#include "proto/vaquita/status_codec.h"
#include "server/frontend/grpc/grpc_serving.h"
#include "server/frontend/net/call_gate.h"

namespace vaquita {

// Views and references live until the call ends.
struct GrpcCall {
  std::string_view service;  // HBase's name for what has the method
  std::string_view method;   // HBase's
  const grpc::ServerContextBase& context;
  const google::protobuf::Message& request;
  const google::protobuf::Message* response = nullptr;  // null: it has no size of interest
};

// host:port of a call's client.
std::string GrpcPeer(const grpc::ServerContextBase& context);

// "table" and "region" of a message that has such fields.
std::vector<net::CallTarget> TargetsOfFields(const google::protobuf::Message& request);
// As above for a call on a row, with the table of a region that is here.
std::vector<net::CallTarget> TargetsOfRow(const GrpcServing& slot, const google::protobuf::Message& request,
                                          const std::string& row);

// One call in a gate.
class GatedGrpcCall {
 public:
  GatedGrpcCall(net::CallGate* gate, const GrpcCall& call, std::vector<net::CallTarget> targets);

  const net::CallFate& fate() const { return fate_; }
  // The outcome of a call that does not run.
  absl::Status Refusal() const;
  // Takes what the call came to, and gives what the client is to see. Waits until the client gives up if the answer is
  // to be lost.
  grpc::Status End(const absl::Status& status, int64_t rows);
  // Records the end of a call whose answer the client already has.
  void RecordEnd(const absl::Status& status, int64_t rows);

 private:
  net::CallGate& gate_;
  const std::string peer_;
  const GrpcCall call_;
  const std::chrono::steady_clock::time_point begin_;
  net::GatedCall gated_;
  net::CallFate fate_;
};

// Runs `run`, which returns the call's absl::Status; `targets` is called if there is a gate.
template <typename Targets, typename Run>
grpc::Status ThroughGate(net::CallGate* gate, const GrpcCall& call, Targets targets, Run run) {
  if (gate == nullptr) return ToGrpcStatus(run());
  GatedGrpcCall gated(gate, call, targets());
  return gated.End(gated.fate().runs ? run() : gated.Refusal(), 0);
}

}  // namespace vaquita
