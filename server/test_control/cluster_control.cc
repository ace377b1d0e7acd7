#include "server/test_control/cluster_control.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "base/status.h"
#include "base/tls/grpc/grpc_credentials.h"
#include "grpcpp/grpcpp.h"
#include "proto/vaquita/status_codec.h"
#include "vaquita/v1/test.methods.h"

namespace vaquita {
namespace {

constexpr std::chrono::seconds kServerPatience{30};

template <typename Request, typename Response>
absl::StatusOr<Response> AskServer(TlsContext* tls, const std::string& address, GrpcMethod<Request, Response> method,
                                   const Request& request) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);  // the list of calls is longer than gRPC's default
  const auto channel = MakeGrpcChannel(address, tls, arguments);
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + kServerPatience);
  Response response;
  const grpc::Status status = CallGrpc(channel.get(), &context, {method, request, &response});
  if (!status.ok()) return FromGrpcStatus(status);
  return response;
}

// The servers' answers, in their order.
template <typename Request, typename Response>
absl::StatusOr<std::vector<Response>> AskServers(TlsContext* tls, const std::vector<ServerMetrics>& servers,
                                                 GrpcMethod<Request, Response> method, const Request& request) {
  std::vector<Response> responses;
  absl::Status first;
  for (const ServerMetrics& server : servers) {
    auto response = AskServer(tls, server.grpc_address, method, request);
    if (response.ok()) {
      responses.push_back(*std::move(response));
    } else {
      first.Update(Annotate(response.status(), server.server_name));
    }
  }
  if (!first.ok()) return first;
  return responses;
}

}  // namespace

absl::StatusOr<v1::Fault> ClusterControl::AddFaultAt(const std::vector<ServerMetrics>& servers,
                                                     const v1::Fault& fault) const {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<v1::Fault> added,
                           AskServers(tls_.get(), servers, v1::TestMethods::AddFault, fault));
  return added.empty() ? fault : added.front();
}

absl::Status ClusterControl::AppendFaultsOf(const std::vector<ServerMetrics>& servers,
                                            v1::ListFaultsResponse* response) const {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<v1::ListFaultsResponse> lists,
                           AskServers(tls_.get(), servers, v1::TestMethods::ListFaults, v1::ListFaultsRequest()));
  std::map<int64_t, v1::Fault> faults;
  for (const v1::Fault& fault : response->faults()) faults[fault.id()] = fault;
  for (const v1::ListFaultsResponse& list : lists) {
    for (const v1::Fault& fault : list.faults()) {
      const auto [known, is_new] = faults.emplace(fault.id(), fault);
      if (is_new) continue;
      known->second.set_hits(known->second.hits() + fault.hits());
      known->second.set_matched(known->second.matched() + fault.matched());
    }
  }
  response->clear_faults();
  for (const auto& [id, fault] : faults) *response->add_faults() = fault;
  return absl::OkStatus();
}

absl::Status ClusterControl::ClearFaultsAt(const std::vector<ServerMetrics>& servers, int64_t id) const {
  v1::ClearFaultsRequest request;
  request.set_id(id);
  absl::Status first;
  for (const ServerMetrics& server : servers) {
    const absl::Status status =
        AskServer(tls_.get(), server.grpc_address, v1::TestMethods::ClearFaults, request).status();
    if (!absl::IsNotFound(status)) first.Update(Annotate(status, server.server_name));
  }
  return first;
}

absl::Status ClusterControl::AppendCallsOf(const std::vector<ServerMetrics>& servers,
                                           const v1::ListCallsRequest& request, v1::ListCallsResponse* response) const {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<v1::ListCallsResponse> lists,
                           AskServers(tls_.get(), servers, v1::TestMethods::ListCalls, request));
  for (size_t i = 0; i < lists.size(); ++i) {
    for (const v1::TestCall& call : lists[i].calls()) *response->add_calls() = call;
    response->set_next(std::max(response->next(), lists[i].next()));
    response->set_forgotten(response->forgotten() + lists[i].forgotten());
  }
  std::sort(response->mutable_calls()->begin(), response->mutable_calls()->end(),
            [](const v1::TestCall& a, const v1::TestCall& b) { return a.number() < b.number(); });
  return absl::OkStatus();
}

absl::Status ClusterControl::SetClockAt(const std::vector<ServerMetrics>& servers,
                                        const v1::SetClockRequest& request) const {
  return AskServers(tls_.get(), servers, v1::TestMethods::SetClock, request).status();
}

absl::StatusOr<v1::ClockState> ClusterControl::ClockAt(const std::string& address) const {
  return AskServer(tls_.get(), address, v1::TestMethods::GetClock, v1::GetClockRequest());
}

}  // namespace vaquita
