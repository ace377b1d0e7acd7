// MultiRowMutationService: mutations of several rows of a region as one.
#include <vector>

#include "hbase/Client.pb.h"
#include "proto/hbase/data_codec.h"
#include "proto/hbase/pb.h"
#include "server/frontend/hbase/endpoint/cell_rights.h"
#include "server/frontend/hbase/endpoint/endpoint.h"

namespace vaquita::hbase {

absl::StatusOr<EndpointAnswer> MutateRows(const EndpointCall& call) {
  pb::MutateRowsRequest request;
  VAQUITA_RETURN_IF_ERROR(ParseRequest(call, &request));
  std::vector<Mutation> mutations(static_cast<size_t>(request.mutation_request_size()));
  for (size_t i = 0; i < mutations.size(); ++i) {
    pb::MutationProto* mutation = request.mutable_mutation_request(static_cast<int>(i));
    VAQUITA_RETURN_IF_ERROR(DecodeMutation(mutation, nullptr, &mutations[i]));
    VAQUITA_RETURN_IF_ERROR(CheckCellRights(call.server, *mutation));
  }
  std::vector<CheckAndMutate> conditions(static_cast<size_t>(request.condition_size()));
  for (size_t i = 0; i < conditions.size(); ++i) {
    VAQUITA_RETURN_IF_ERROR(DecodeCondition(request.condition(static_cast<int>(i)), &conditions[i]));
  }
  VAQUITA_ASSIGN_OR_RETURN(const bool processed, call.server.MutateRows(call.region.info().EncodedName(), mutations,
                                                                        conditions, call.context));
  pb::MutateRowsResponse response;
  response.set_processed(processed);
  return EndpointAnswer{"org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos$MutateRowsResponse",
                        response.SerializeAsString()};
}

}  // namespace vaquita::hbase
