// server/control/grpc/grpc_peer.h: calls to another process of the cluster.
//
// Errors: the peer's own; or Unanswered (server/control/command.h) if the network failed or the peer ended, in which
// case it is not known whether the call was done. A peer that does not answer pings for a while counts as gone.
// Threads: any.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "base/tls/tls_context.h"
#include "grpcpp/grpcpp.h"
#include "proto/vaquita/grpc_method.h"

namespace vaquita {

class GrpcPeer {
 public:
  // As long as any command may reasonably take.
  static constexpr std::chrono::milliseconds kPatience = std::chrono::minutes(10);

  // Null `tls`: without TLS. `token`: of the cluster's processes; empty: users have no rights. `name`: of the server
  // that is meant (server/control/grpc/grpc_control_service.h: CheckIsMeant); empty: the messages say it.
  GrpcPeer(const std::string& address, TlsContext* tls, std::string token = "", std::string name = "");

  absl::Status Call(const GrpcExchange& exchange, std::chrono::milliseconds patience = kPatience);
  // Running calls are cancelled, later ones fail.
  void Close();

 private:
  bool Enter(grpc::ClientContext* context);
  void Leave(grpc::ClientContext* context);

  const std::string address_;
  const std::string token_;
  const std::string name_;
  const std::shared_ptr<grpc::Channel> channel_;
  std::mutex mutex_;
  bool closed_ = false;
  std::set<grpc::ClientContext*> running_;
};

}  // namespace vaquita
