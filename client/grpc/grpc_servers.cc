#include "client/grpc/grpc_servers.h"

namespace vaquita::client {

GrpcChannel& GrpcServers::At(const std::string& address) {
  if (address == master_.address()) return master_;
  std::lock_guard lock(mutex_);
  std::unique_ptr<GrpcChannel>& channel = others_[address];
  if (channel == nullptr) channel = std::make_unique<GrpcChannel>(address, GrpcChannel::IfDown::kGiveUp, options_);
  return *channel;
}

}  // namespace vaquita::client
