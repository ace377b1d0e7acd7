// proto/vaquita/operations_codec.h: translates replication peers, slow calls and the balancer's records to and from
// proto/vaquita/v1/admin.proto.
//
// Errors of the decoders: TableName::Parse's.
#pragma once

#include "absl/status/statusor.h"
#include "model/balancer_record.h"
#include "model/replication_peer.h"
#include "model/slow_call.h"
#include "vaquita/v1/admin.pb.h"

namespace vaquita {

void ToProto(const ReplicationPeer& peer, v1::ReplicationPeer* out);
absl::StatusOr<ReplicationPeer> FromProto(const v1::ReplicationPeer& peer);

using WireDecision = v1::ListBalancerDecisionsResponse::Decision;
void ToProto(const BalancerDecision& decision, WireDecision* out);
BalancerDecision FromProto(const WireDecision& decision);

using WireRejection = v1::ListBalancerRejectionsResponse::Rejection;
void ToProto(const BalancerRejection& rejection, WireRejection* out);
BalancerRejection FromProto(const WireRejection& rejection);

void ToProto(const SlowCallQuery& query, v1::ListSlowCallsRequest* out);
SlowCallQuery FromProto(const v1::ListSlowCallsRequest& query);

using WireSlowCall = v1::ListSlowCallsResponse::Call;
void ToProto(const SlowCall& call, WireSlowCall* out);
SlowCall FromProto(const WireSlowCall& call);

}  // namespace vaquita
