// client/grpc/grpc_channel.h: a gRPC channel to a server, and calls over it.
//
// Threads: every method may be called from any thread.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
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
  // The reaction to a server that does not accept a connection now. For the cluster's own address a short wait makes
  // sense; for a region's server it is better to ask at once whether the region has moved.
  enum class IfDown { kWait, kGiveUp };

  GrpcChannel(std::string address, IfDown if_down, const ConnectionOptions& options);

  using Nonce = RequestNonce;

  // Waits until the server answers at its address.
  bool Connect(TimePoint deadline);

  // Sends `request` and waits for the answer, e.g. Call(&v1::DataService::Stub::Get, ...). Does not send unless it is
  // connected. A call of AdminService goes to the master that this server names, if it has none itself.
  template <typename Stub, typename Request, typename Response>
  CallOutcome Call(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                   const Request& request, Response* response, TimePoint deadline, const Nonce& nonce = {}) {
    if constexpr (std::is_same_v<Stub, v1::AdminService::Stub>) {
      if (const auto master = this->master(); master != nullptr) {
        if (master->Connect(deadline)) return master->Send(method, request, response, deadline, nonce, nullptr);
        SetMaster("");  // this server may know a newer one
      }
    }
    if (!Connect(deadline)) return NotConnected();
    std::string master;
    CallOutcome outcome = Send(method, request, response, deadline, nonce, &master);
    if (master.empty()) return outcome;
    const auto found = SetMaster(master);
    if (!found->Connect(deadline)) return found->NotConnected();
    return found->Send(method, request, response, deadline, nonce, nullptr);
  }

  // Returns the error for a server that does not answer at its address.
  CallOutcome NotConnected() const;

  v1::DataService::Stub& data() { return *data_; }
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
  template <typename Stub, typename Request, typename Response>
  CallOutcome Send(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                   const Request& request, Response* response, TimePoint deadline, const Nonce& nonce,
                   std::string* master) {
    grpc::ClientContext context;
    Identify(&context);
    context.set_deadline(deadline);
    if (nonce.value != 0) {
      context.AddMetadata("vaquita-nonce", std::to_string(nonce.group) + " " + std::to_string(nonce.value));
    }
    CallOutcome outcome = OutcomeOf((stub<Stub>().*method)(&context, request, response));
    if (master != nullptr && !outcome.ok()) *master = MasterIn(context);
    return outcome;
  }
  // Returns the trailers' "vaquita-master", or "".
  static std::string MasterIn(const grpc::ClientContext& context);
  std::shared_ptr<GrpcChannel> master();
  std::shared_ptr<GrpcChannel> SetMaster(const std::string& address);

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
  const ConnectionOptions options_;
  std::mutex mutex_;
  std::shared_ptr<GrpcChannel> master_;  // null: this server has the master, or it is not known yet
};

}  // namespace vaquita::client
