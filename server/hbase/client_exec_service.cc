// ClientService.ExecService: a coprocessor's method on a region.
#include <memory>

#include "absl/strings/str_cat.h"
#include "engine/absl_text.h"
#include "engine/status.h"
#include "server/hbase/client_call.h"

namespace vaquita::hbase {

absl::Status NoCoprocessorService(const ClientCall& call, std::string_view region,
                                  const pb::CoprocessorServiceCall& service_call) {
  VAQUITA_ASSIGN_OR_RETURN(const std::shared_ptr<Region> found, call.server.FindRegion(region));
  return Error(ErrorKind::kUnknownProtocol,
               absl::StrCat("No registered coprocessor service found for ", service_call.service_name(), " in region ",
                            ToStringBinary(found->info().Name())));
}

absl::StatusOr<RpcResponse> RunExecService(const ClientCall& call) {
  pb::CoprocessorServiceRequest request;
  VAQUITA_RETURN_IF_ERROR(ParseParam(call.rpc, &request));
  return NoCoprocessorService(call, request.region().value(), request.call());
}

}  // namespace vaquita::hbase
