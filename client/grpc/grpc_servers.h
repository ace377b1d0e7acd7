// client/grpc/grpc_servers.h: a cluster's servers by Vaquita's gRPC: the one that the connection was given, which has
// the master, and those that regions are on; one channel each.
//
// Threads: every method may be called from any thread.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "client/grpc/grpc_channel.h"

namespace vaquita::client {

class GrpcServers {
 public:
  explicit GrpcServers(const ConnectionOptions& options)
      : options_(options), master_(options.address, GrpcChannel::IfDown::kWait, options) {}

  GrpcChannel& master() { return master_; }
  // The server at host:port; it lives as long as this.
  GrpcChannel& At(const std::string& address);

 private:
  const ConnectionOptions options_;
  GrpcChannel master_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<GrpcChannel>> others_;  // by address
};

}  // namespace vaquita::client
