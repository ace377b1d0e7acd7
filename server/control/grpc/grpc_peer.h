// server/control/grpc/grpc_peer.h: calls to another process of the cluster.
//
// Errors: the peer's own, with its kind; or Unavailable without a kind if the network failed or the peer ended, in
// which case it is not known whether the call was done. A peer that does not answer pings for a while counts as gone.
// Threads: any.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "base/status.h"
#include "base/tls/tls_context.h"
#include "grpcpp/grpcpp.h"

namespace vaquita {

// Null `tls`: without TLS.
std::shared_ptr<grpc::Channel> NewPeerChannel(const std::string& address, TlsContext* tls);
absl::Status PeerStatus(const grpc::Status& status, const std::string& address);

template <typename Stub>
class GrpcPeer {
 public:
  // As long as any command may reasonably take.
  static constexpr std::chrono::milliseconds kPatience = std::chrono::minutes(10);

  // `token`: of the cluster's processes; empty: users have no rights.
  GrpcPeer(const std::string& address, TlsContext* tls, std::string token = "")
      : address_(address), token_(std::move(token)), stub_(NewPeerChannel(address, tls)) {}

  template <typename Request, typename Response>
  absl::Status Call(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                    const Request& request, Response* response, std::chrono::milliseconds patience = kPatience) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + patience);
    if (!token_.empty()) context.AddMetadata("authorization", "Bearer " + token_);
    if (!Enter(&context)) return absl::UnavailableError(address_ + ": given up");
    const grpc::Status status = (stub_.*method)(&context, request, response);
    Leave(&context);
    return PeerStatus(status, address_);
  }

  // Running calls are cancelled, later ones fail.
  void Close() {
    std::lock_guard lock(mutex_);
    closed_ = true;
    for (grpc::ClientContext* context : running_) context->TryCancel();
  }

  const std::string& address() const { return address_; }

 private:
  bool Enter(grpc::ClientContext* context) {
    std::lock_guard lock(mutex_);
    if (!closed_) running_.insert(context);
    return !closed_;
  }
  void Leave(grpc::ClientContext* context) {
    std::lock_guard lock(mutex_);
    running_.erase(context);
  }

  const std::string address_;
  const std::string token_;
  Stub stub_;
  std::mutex mutex_;
  bool closed_ = false;
  std::set<grpc::ClientContext*> running_;
};

}  // namespace vaquita
