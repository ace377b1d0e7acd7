// client/grpc/grpc_channel.h: a gRPC channel to a server, and calls over it.
//
// Threads: every method may be called from any thread.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <type_traits>

#include "absl/status/status.h"
#include "client/connection.h"
#include "client/server_link.h"
#include "grpcpp/grpcpp.h"
#include "proto/vaquita/status_codec.h"
#include "vaquita/v1/admin.grpc.pb.h"
#include "vaquita/v1/data.grpc.pb.h"

namespace vaquita::client {

// Classifies the end of a call that was sent.
CallOutcome OutcomeOf(const grpc::Status& status);

// The nonce of a request, by which the server recognizes a repeated one. Value 0 means that the request has none.
struct RequestNonce {
  uint64_t group = 0;
  uint64_t value = 0;
};

class GrpcChannel {
 public:
  // How to handle a server that does not accept a connection now. For the cluster's own address a short wait makes
  // sense; for a region's server it is better to ask at once whether the region has moved.
  enum class IfDown { kWait, kGiveUp };

  GrpcChannel(std::string address, IfDown if_down, const ConnectionOptions& options);

  using Nonce = RequestNonce;

  // Waits until the server answers at its address.
  bool Connect(TimePoint deadline);

  // Sends `request` and waits for the answer, e.g. Call(&v1::DataService::Stub::Get, ...). Does not send unless it is
  // connected.
  template <typename Stub, typename Request, typename Response>
  CallOutcome Call(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                   const Request& request, Response* response, TimePoint deadline, const Nonce& nonce = {}) {
    if (!Connect(deadline)) return NotConnected();
    grpc::ClientContext context;
    context.set_deadline(deadline);
    if (nonce.value != 0) {
      context.AddMetadata("vaquita-nonce", std::to_string(nonce.group) + " " + std::to_string(nonce.value));
    }
    return OutcomeOf((stub<Stub>().*method)(&context, request, response));
  }

  // Returns the error for a server that does not answer at its address.
  CallOutcome NotConnected() const;

  v1::DataService::Stub& data() { return *data_; }
  const std::string& address() const { return address_; }

 private:
  template <typename Stub>
  Stub& stub() {
    if constexpr (std::is_same_v<Stub, v1::DataService::Stub>) {
      return *data_;
    } else {
      return *admin_;
    }
  }

  const std::string address_;
  const IfDown if_down_;
  const std::chrono::milliseconds connect_timeout_;
  const std::shared_ptr<grpc::Channel> channel_;
  const std::unique_ptr<v1::DataService::Stub> data_;
  const std::unique_ptr<v1::AdminService::Stub> admin_;
};

}  // namespace vaquita::client
