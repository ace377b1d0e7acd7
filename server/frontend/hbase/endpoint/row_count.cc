// RowCountService of hbase-examples: how many rows and cells a region has.
#include "hbase/Endpoints.pb.h"
#include "model/filter_spec.h"
#include "proto/hbase/pb.h"
#include "server/frontend/hbase/endpoint/endpoint.h"
#include "server/frontend/hbase/endpoint/region_rows.h"

namespace vaquita::hbase {
namespace {

absl::StatusOr<EndpointAnswer> CountCellsOf(const Scan& scan, const EndpointCall& call) {
  pb::CountRequest request;
  VAQUITA_RETURN_IF_ERROR(ParseRequest(call, &request));
  VAQUITA_ASSIGN_OR_RETURN(RegionRows rows, RegionRows::Open(call.region, scan, call.context));
  int64_t count = 0;
  for (bool more = true; more;) {
    VAQUITA_ASSIGN_OR_RETURN(more, rows.Next());
    count += static_cast<int64_t>(rows.cells().size());
  }
  pb::CountResponse response;
  response.set_count(count);
  return EndpointAnswer{"org.apache.hadoop.hbase.coprocessor.example.generated.ExampleProtos$CountResponse",
                        response.SerializeAsString()};
}

}  // namespace

absl::StatusOr<EndpointAnswer> CountRows(const EndpointCall& call) {
  Scan scan;
  scan.filter = FilterSpec{FirstKeyOnlyFilterSpec{}};  // leaves one cell of a row
  return CountCellsOf(scan, call);
}

absl::StatusOr<EndpointAnswer> CountCells(const EndpointCall& call) { return CountCellsOf({}, call); }

}  // namespace vaquita::hbase
