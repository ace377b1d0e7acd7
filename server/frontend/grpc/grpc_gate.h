// server/frontend/grpc/grpc_gate.h: passes gRPC's calls through a gate (server/frontend/net/call_gate.h).
//
// gRPC cannot close one client's connection. So a call whose connection should close ends with UNAVAILABLE, as its
// client would see it. Threads: any.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "grpcpp/grpcpp.h"
#include "server/frontend/grpc/grpc_serving.h"
#include "server/frontend/net/call_gate.h"

namespace vaquita {

// Views and references live until the call ends.
struct GrpcCall {
  std::string_view service;  // the HBase service that has the method
  std::string_view method;   // HBase's name
  const grpc::ServerContextBase& context;
  const google::protobuf::Message& request;
  const google::protobuf::Message* response = nullptr;  // null: nobody needs its size
};

// Returns host:port of a call's client.
std::string GrpcClientAddress(const grpc::ServerContextBase& context);

// Returns the fields "table" and "region" of a message.
std::vector<net::CallTarget> TargetsOfFields(const google::protobuf::Message& request);
// As above for a call on a row. If the message names an open region, the target has its table.
std::vector<net::CallTarget> TargetsOfRow(const GrpcServing& slot, const google::protobuf::Message& request,
                                          const std::string& row);

// One call in a gate.
class GatedGrpcCall {
 public:
  GatedGrpcCall(net::CallGate* gate, const GrpcCall& call, std::vector<net::CallTarget> targets);

  const net::CallFate& fate() const { return fate_; }
  // Returns the outcome of a call that does not run.
  absl::Status Refusal() const;
  // Takes the call's outcome, and returns what the client gets. If the answer must be lost, it waits until the client
  // gives up, or the gate.
  grpc::Status End(const absl::Status& status, int64_t rows);
  // Records the end of a call whose answer the client already has.
  void RecordEnd(const absl::Status& status, int64_t rows);

 private:
  net::CallGate& gate_;
  const std::string peer_;
  const std::string user_;
  const GrpcCall call_;
  const std::chrono::steady_clock::time_point begin_;
  net::GatedCall gated_;
  net::CallFate fate_;
};

// Runs `run` through `gate`; null: without a gate, and `targets` is not called.
grpc::Status ThroughGate(net::CallGate* gate, const GrpcCall& call,
                         absl::FunctionRef<std::vector<net::CallTarget>()> targets,
                         absl::FunctionRef<absl::Status()> run);

}  // namespace vaquita
