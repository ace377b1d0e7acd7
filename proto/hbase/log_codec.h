// proto/hbase/log_codec.h: translates what servers keep in memory of slow calls and of the balancer's runs.
//
// Source: ProtobufUtil.toSlowLogPayloads, toBalancerDecisionResponse, toBalancerRejectionResponse (2.6). Threads: any.
#pragma once

#include "hbase/Admin.pb.h"
#include "hbase/Master.pb.h"
#include "model/balancer_record.h"
#include "model/slow_call.h"
#include "proto/hbase/pb.h"

namespace vaquita {

void EncodeSlowCall(const SlowCall& call, pb::SlowLogPayload* out);
SlowCall DecodeSlowCall(const pb::SlowLogPayload& call);

void EncodeSlowCallQuery(const SlowCallQuery& query, pb::SlowLogResponseRequest* out);
SlowCallQuery DecodeSlowCallQuery(const pb::SlowLogResponseRequest& query);

void EncodeDecision(const BalancerDecision& decision, pb::BalancerDecision* out);
BalancerDecision DecodeDecision(const pb::BalancerDecision& decision);

void EncodeRejection(const BalancerRejection& rejection, pb::BalancerRejection* out);
BalancerRejection DecodeRejection(const pb::BalancerRejection& rejection);

}  // namespace vaquita
