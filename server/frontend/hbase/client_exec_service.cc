// ClientService.ExecService: a coprocessor's method on a region.
#include <memory>
#include <utility>

#include "base/status.h"
#include "server/frontend/hbase/authentication_service.h"
#include "server/frontend/hbase/client_call.h"
#include "server/frontend/hbase/endpoint/endpoint.h"
#include "server/frontend/hbase/user_rights.h"

namespace vaquita::hbase {

absl::Status ExecOnRegion(const ClientCall& call, std::string_view region, const pb::CoprocessorServiceCall& service,
                          pb::NameBytesPair* answer) {
  VAQUITA_ASSIGN_OR_RETURN(const std::shared_ptr<Region> found, call.server.FindRegion(region));
  // Some of the services write, and clients ask the primary.
  if (call.server.ReplicaIdOf(region) != 0) {
    return Error(ErrorKind::kUnsupportedOperation,
                 "Coprocessors' services run at a region's primary, not at a replica");
  }
  EndpointAnswer message;
  if (call.master != nullptr && IsRightsService(service.service_name(), found->info().table)) {
    VAQUITA_ASSIGN_OR_RETURN(message, CallRightsService({*call.master, call.server.access(), call.rpc.context.caller},
                                                        service.method_name(), service.request()));
  } else if (IsAuthenticationService(call, service.service_name())) {
    VAQUITA_ASSIGN_OR_RETURN(message, CallAuthenticationService(call, service.method_name()));
  } else {
    VAQUITA_ASSIGN_OR_RETURN(
        message,
        CallEndpoint(
            service.service_name(), service.method_name(),
            {.server = call.server, .region = *found, .request = service.request(), .context = call.rpc.context}));
  }
  answer->set_name(std::move(message.message_class));
  answer->set_value(std::move(message.message));
  return absl::OkStatus();
}

absl::StatusOr<RpcResponse> RunExecService(const ClientCall& call) {
  pb::CoprocessorServiceRequest request;
  VAQUITA_RETURN_IF_ERROR(ParseParam(call.rpc, &request));
  pb::CoprocessorServiceResponse response;
  VAQUITA_RETURN_IF_ERROR(ExecOnRegion(call, request.region().value(), request.call(), response.mutable_value()));
  *response.mutable_region() = request.region();
  RpcResponse answer;
  VAQUITA_ASSIGN_OR_RETURN(answer.param, SerializeAnswer(response));
  return answer;
}

}  // namespace vaquita::hbase
