// server/frontend/hbase/gated_service.h: a service whose calls go through a gate.
//
// Only a server with a gate has it: the others call their services at once. The service can be exchanged while clients
// are connected: calls that come meanwhile wait. Threads: as RpcService.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "base/pausable.h"
#include "server/frontend/hbase/rpc/rpc_service.h"
#include "server/frontend/net/call_gate.h"

namespace vaquita::hbase {

class GatedService final : public RpcService {
 public:
  // `gate` outlives it.
  GatedService(std::unique_ptr<RpcService> service, net::CallGate* gate)
      : name_(service->name()), service_(std::move(service)), gate_(*gate) {}

  // Waits for the calls that run, and drops the service.
  void Pause();
  void Resume(std::unique_ptr<RpcService> service);
  void Close() { use_.Close(); }  // refuses calls from now on, also those that wait

  std::string_view name() const override { return name_; }
  const google::protobuf::Descriptor* RequestType(std::string_view method) const override;
  bool MayBlock(std::string_view method) const override;
  std::string TableOf(const RpcRequest& request) const override;
  absl::StatusOr<RpcResponse> Call(const RpcRequest& request) override;

 private:
  Pausable::Pass EnterFor(const RpcRequest& request) const;
  absl::StatusOr<RpcResponse> Run(const RpcRequest& request, const net::CallFate& fate);

  const std::string name_;
  std::unique_ptr<RpcService> service_;
  net::CallGate& gate_;
  mutable Pausable use_;  // guards service_
};

}  // namespace vaquita::hbase
