// client/grpc/grpc_channel.h: a gRPC channel to a server, and calls over it.
//
// Threads: every method may be called from any thread.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>

#include "absl/status/status.h"
#include "client/connection.h"
#include "client/server_link.h"
#include "grpcpp/grpcpp.h"
#include "proto/vaquita/grpc_method.h"

namespace vaquita::client {

// Returns `time` as gRPC takes it. gRPC reckons how long is left as soon as it gets a time, so that the system clock
// may be set afterwards.
std::chrono::system_clock::time_point ForGrpc(TimePoint time);

// Classifies the end of a call that was sent.
CallOutcome OutcomeOf(const grpc::Status& status);

// The nonce of a request, by which the server recognizes a repeated one. Value 0 means that the request has none.
struct RequestNonce {
  uint64_t group = 0;
  uint64_t value = 0;
};

class GrpcChannel {
 public:
  // The reaction to a server that does not accept a connection now. For the cluster's own address a short wait makes
  // sense; for a region's server it is better to ask at once whether the region has moved.
  enum class IfDown { kWait, kGiveUp };

  GrpcChannel(std::string address, IfDown if_down, const ConnectionOptions& options);

  using Nonce = RequestNonce;

  // Waits until the server answers at its address.
  bool Connect(TimePoint deadline);

  // Sends the request and waits for the answer, e.g. Call({v1::DataMethods::Get, request, &response}, deadline). Does
  // not send unless it is connected.
  CallOutcome Call(const GrpcExchange& exchange, TimePoint deadline);
  // As above, for a method of the master: if this server has none itself, the request goes to the one that it names.
  CallOutcome CallMaster(const GrpcExchange& exchange, TimePoint deadline, const Nonce& nonce = {});

  // Returns the error for a server that does not answer at its address.
  CallOutcome NotConnected() const;

  // For calls of other kinds.
  grpc::Channel* channel() { return channel_.get(); }
  // Says in the call's metadata who the client is. Every call needs it.
  void Identify(grpc::ClientContext* context) const;
  const std::string& address() const { return address_; }
  // Returns the address of the server that answers for the administration: this one, or the master that it names.
  std::string master_address() {
    const auto found = master();
    return found == nullptr ? address_ : found->address();
  }

 private:
  // Sends, connected or not. Sets `master`, unless it is null, to the address of the master if this server has none.
  CallOutcome Send(const GrpcExchange& exchange, TimePoint deadline, const Nonce& nonce, std::string* master);
  // Returns the trailers' "vaquita-master", or "".
  static std::string MasterIn(const grpc::ClientContext& context);
  std::shared_ptr<GrpcChannel> master();
  std::shared_ptr<GrpcChannel> SetMaster(const std::string& address);

  const std::string address_;
  const IfDown if_down_;
  const std::chrono::milliseconds connect_timeout_;
  const std::shared_ptr<grpc::Channel> channel_;
  const ConnectionOptions options_;
  std::mutex mutex_;
  std::shared_ptr<GrpcChannel> master_;  // null: this server has the master, or it is not known yet
};

}  // namespace vaquita::client
