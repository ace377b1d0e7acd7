// server/frontend/grpc/grpc_aggregate.h: computes aggregates of SQL over a region's rows, for DataService.Aggregate.
//
// A call reads for a second at most, and as many bytes as the scan's max_result_bytes says, about. So it occupies its
// thread no longer, a region may move, and the client's own limits apply. Threads: any.
#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "base/call_context.h"
#include "base/clock.h"
#include "model/operations.h"
#include "region/region.h"
#include "vaquita/v1/data.pb.h"

namespace vaquita {

// `plan` is a vaquita.phoenix.AggregatePlan. Returns kWrongRegion if the scan starts outside the region;
// kUnsupportedOperation if the client has to read the rows instead.
absl::Status AggregateRows(Region& region, Scan scan, std::string_view plan, const Clock& clock,
                           const CallContext& context, v1::AggregateResponse* response);

}  // namespace vaquita
