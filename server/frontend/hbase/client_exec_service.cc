// ClientService.ExecService: a coprocessor's method on a region.
//
// There are no coprocessors, but what HBase's MultiRowMutationEndpoint does is asked for by HBase's own tools and
// tests, and a region can do it by itself. It is there for every table.
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "proto/hbase/data_codec.h"
#include "server/frontend/hbase/client_call.h"

namespace vaquita::hbase {
namespace {

absl::Status NoService(const Region& region, const std::string& name) {
  return Error(ErrorKind::kUnknownProtocol, absl::StrCat("No registered coprocessor service found for ", name,
                                                         " in region ", ToStringBinary(region.info().Name())));
}

absl::Status MutateRows(RegionServer& server, const Region& region, const pb::CoprocessorServiceCall& call,
                        pb::NameBytesPair* answer) {
  pb::MutateRowsRequest request;
  if (!request.ParseFromString(call.request())) {
    return Error(ErrorKind::kDoNotRetryIO, "The request of a MutateRows cannot be read");
  }
  std::vector<Mutation> mutations(request.mutation_request_size());
  for (size_t i = 0; i < mutations.size(); ++i) {
    pb::MutationProto* mutation = request.mutable_mutation_request(static_cast<int>(i));
    VAQUITA_RETURN_IF_ERROR(DecodeMutation(mutation, nullptr, &mutations[i]));
  }
  std::vector<CheckAndMutate> conditions(request.condition_size());
  for (size_t i = 0; i < conditions.size(); ++i) {
    VAQUITA_RETURN_IF_ERROR(DecodeCondition(request.condition(static_cast<int>(i)), &conditions[i]));
  }
  VAQUITA_ASSIGN_OR_RETURN(const bool processed, server.MutateRows(region.info().EncodedName(), mutations, conditions));
  pb::MutateRowsResponse response;
  response.set_processed(processed);
  answer->set_name("org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos$MutateRowsResponse");
  answer->set_value(response.SerializeAsString());
  return absl::OkStatus();
}

}  // namespace

absl::Status ExecOnRegion(const ClientCall& call, std::string_view region, const pb::CoprocessorServiceCall& service,
                          pb::NameBytesPair* answer) {
  VAQUITA_ASSIGN_OR_RETURN(const std::shared_ptr<Region> found, call.server.FindRegion(region));
  const std::string& name = service.service_name();
  const bool multi_row = name == "MultiRowMutationService" || name == "hbase.pb.MultiRowMutationService";
  if (!multi_row || service.method_name() != "MutateRows") return NoService(*found, name);
  return MutateRows(call.server, *found, service, answer);
}

absl::StatusOr<RpcResponse> RunExecService(const ClientCall& call) {
  pb::CoprocessorServiceRequest request;
  VAQUITA_RETURN_IF_ERROR(ParseParam(call.rpc, &request));
  pb::CoprocessorServiceResponse response;
  VAQUITA_RETURN_IF_ERROR(ExecOnRegion(call, request.region().value(), request.call(), response.mutable_value()));
  *response.mutable_region() = request.region();
  return RpcResponse{.param = response.SerializeAsString()};
}

}  // namespace vaquita::hbase
