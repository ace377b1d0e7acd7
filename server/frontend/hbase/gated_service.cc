#include "server/frontend/hbase/gated_service.h"

#include <chrono>
#include <string>
#include <utility>

#include "base/call_context.h"
#include "base/pausable.h"
#include "base/status.h"
#include "hbase/Client.pb.h"
#include "proto/hbase/pb.h"

namespace vaquita::hbase {
namespace {

using std::chrono::steady_clock;

// By the names that the request has for the regions; `refused` is by action.
RefusedRegions RegionsOf(const RpcRequest& request, const std::vector<absl::Status>& refused) {
  RefusedRegions regions;
  pb::MultiRequest message;
  if (!ParseMessage(request.param, &message)) return regions;
  size_t at = 0;
  for (const pb::RegionAction& region : message.regionaction()) {
    for (int i = 0; i < region.action_size() && at < refused.size(); ++i, ++at) {
      if (!refused[at].ok()) regions.emplace(region.region().value(), refused[at]);
    }
  }
  return regions;
}

absl::Status NotInside(const RpcRequest& request) {
  return request.context.short_waits ? WouldWait() : Error(ErrorKind::kServerNotRunningYet, "Server is stopping");
}

}  // namespace

void GatedService::Pause() {
  use_.Pause();
  service_.reset();
}

void GatedService::Resume(std::unique_ptr<RpcService> service) {
  service_ = std::move(service);
  use_.Resume();
}

bool GatedService::MayBlock(std::string_view method) const {
  const Pausable::Pass pass = use_.TryEnter();
  return !pass.inside() || gate_.MayWait() || service_->MayBlock(method);
}

const google::protobuf::Descriptor* GatedService::RequestType(std::string_view method) const {
  const Pausable::Pass pass = use_.TryEnter();
  return pass.inside() ? service_->RequestType(method) : nullptr;
}

std::string GatedService::TableOf(const RpcRequest& request) const {
  const Pausable::Pass pass = use_.TryEnter();
  return pass.inside() ? service_->TableOf(request) : "";
}

Pausable::Pass GatedService::EnterFor(const RpcRequest& request) const {
  return request.context.short_waits ? use_.TryEnter() : use_.Enter();
}

absl::StatusOr<RpcResponse> GatedService::Call(const RpcRequest& request) {
  if (gate_.MayWait() && request.context.short_waits) return WouldWait();
  const auto begin = steady_clock::now();
  net::GatedCall call{.protocol = "hbase",
                      .service = name(),
                      .method = request.method,
                      .client = request.client_address,
                      .user = request.user,
                      .request_bytes = static_cast<int64_t>(request.param.size() + request.cells.size())};
  {
    const Pausable::Pass pass = EnterFor(request);
    if (!pass.inside()) return NotInside(request);
    call.targets = service_->TargetsOf(request);
  }
  // Without a pass, because the gate may take long: the service can be exchanged meanwhile.
  const net::CallFate fate = gate_.Enter(call);
  const Pausable::Pass pass = EnterFor(request);
  if (!pass.inside()) return NotInside(request);
  absl::StatusOr<RpcResponse> response = Run(request, fate);
  if (IsWouldWait(response.status())) return response;  // it is called again
  net::CallEnd end{.status = response.status()};
  if (response.ok()) {
    end.answer_bytes = static_cast<int64_t>(response->param.size() + response->cells.size());
    end.rows = service_->RowsIn(request, *response);
  }
  end.took = std::chrono::duration_cast<std::chrono::microseconds>(steady_clock::now() - begin);
  gate_.Leave(call, fate, end);
  if (fate.answer == net::CallFate::Answer::kGiven) return response;
  RpcResponse withheld;
  withheld.answer = fate.answer;
  return withheld;
}

absl::StatusOr<RpcResponse> GatedService::Run(const RpcRequest& request, const net::CallFate& fate) {
  if (!fate.runs && !fate.refusal.ok()) return fate.refusal;
  if (!fate.runs) return RpcResponse();
  RpcRequest marked = request;
  marked.group = nullptr;  // a call is done when it leaves the gate
  const RefusedRegions refused =
      fate.refused_targets.empty() ? RefusedRegions() : RegionsOf(request, fate.refused_targets);
  if (!refused.empty()) marked.refused_regions = &refused;
  return service_->Call(marked);
}

}  // namespace vaquita::hbase
