// BulkDeleteService of hbase-examples: deletes what a scan finds in a region.
#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "base/status.h"
#include "hbase/Endpoints.pb.h"
#include "model/filter_spec.h"
#include "proto/hbase/data_codec.h"
#include "proto/hbase/pb.h"
#include "server/frontend/hbase/endpoint/endpoint.h"
#include "server/frontend/hbase/endpoint/region_rows.h"

namespace vaquita::hbase {
namespace {

using DeleteType = pb::BulkDeleteRequest;  // its values are members

// A batch of deletes takes no more, whatever the client's rowBatchSize: it is all in memory.
constexpr uint32_t kMostRowsOfBatch = 10'000;
constexpr size_t kMostBytesOfBatch = 16 << 20;  // cells that were read

// The delete of the row that `cells` are of, as far as `request` says.
Mutation DeleteOf(const CellBlock& cells, const pb::BulkDeleteRequest& request) {
  const int64_t timestamp_ms = request.has_timestamp() ? static_cast<int64_t>(request.timestamp()) : kLatestTimestamp;
  Mutation mutation{.type = MutationType::kDelete, .row = std::string(cells[0].row)};
  mutation.timestamp_ms = timestamp_ms;
  std::set<std::pair<std::string, std::string>> seen;
  for (size_t i = 0; i < cells.size() && request.deletetype() != DeleteType::ROW; ++i) {
    const CellView view = cells[i];
    Cell cell;
    cell.family = view.family;
    cell.timestamp_ms = timestamp_ms;
    if (request.deletetype() == DeleteType::FAMILY) {
      cell.type = CellType::kDeleteFamily;
    } else {
      cell.qualifier = view.qualifier;
      cell.type = request.deletetype() == DeleteType::COLUMN ? CellType::kDeleteColumn : CellType::kDelete;
    }
    const bool each_version = request.deletetype() == DeleteType::VERSION && !request.has_timestamp();
    if (each_version) cell.timestamp_ms = view.timestamp_ms;
    if (each_version || seen.emplace(cell.family, cell.qualifier).second) mutation.cells.push_back(std::move(cell));
  }
  return mutation;
}

// Reads the rows of a batch, and appends their deletes. Returns whether there may be more.
absl::StatusOr<bool> ReadDeletes(const pb::BulkDeleteRequest& request, RegionRows* rows, std::vector<Action>* deletes) {
  const uint32_t most = std::min(request.rowbatchsize(), kMostRowsOfBatch);
  bool more = true;
  size_t bytes = 0;
  for (uint32_t i = 0; i < most && bytes < kMostBytesOfBatch && more; ++i) {
    VAQUITA_ASSIGN_OR_RETURN(more, rows->Next());
    bytes += rows->cells().bytes().size();
    if (!rows->cells().empty()) deletes->emplace_back(DeleteOf(rows->cells(), request));
  }
  return more;
}

// Returns whether the error is of one delete of a batch, and the others are done. As in HBase, such a one is no error
// of the call, and ends the counting of its batch.
bool IsOfOneDelete(const absl::Status& error) {
  return IsError(error, ErrorKind::kFailedSanityCheck) || IsError(error, ErrorKind::kNoSuchColumnFamily);
}

}  // namespace

absl::StatusOr<EndpointAnswer> DeleteInBulk(const EndpointCall& call) {
  pb::BulkDeleteRequest request;
  VAQUITA_RETURN_IF_ERROR(ParseRequest(call, &request));
  if (request.rowbatchsize() == 0) return Error(ErrorKind::kDoNotRetryIO, "rowBatchSize must be positive, not 0");
  VAQUITA_ASSIGN_OR_RETURN(Scan scan, DecodeScan(request.scan()));
  if (!scan.filter.has_value() && request.deletetype() == DeleteType::ROW) {
    scan.filter = FilterSpec{FirstKeyOnlyFilterSpec{}};
  }
  VAQUITA_ASSIGN_OR_RETURN(RegionRows rows, RegionRows::Open(call.region, scan, call.context));
  uint64_t rows_deleted = 0;
  uint64_t versions_deleted = 0;
  const std::string region = call.region.info().EncodedName();
  for (bool more = true; more;) {
    std::vector<Action> deletes;
    VAQUITA_ASSIGN_OR_RETURN(more, ReadDeletes(request, &rows, &deletes));
    const auto outcomes = call.server.Batch(region, deletes, {.context = call.context});
    for (const ActionOutcome& outcome : outcomes) {
      if (!outcome.status.ok() && !IsOfOneDelete(outcome.status)) return outcome.status;
    }
    for (size_t i = 0; i < outcomes.size() && outcomes[i].status.ok(); ++i) {
      ++rows_deleted;
      versions_deleted += std::get<Mutation>(deletes[i]).cells.size();
    }
  }
  pb::BulkDeleteResponse response;
  response.set_rowsdeleted(rows_deleted);
  if (request.deletetype() == DeleteType::VERSION) response.set_versionsdeleted(versions_deleted);
  return EndpointAnswer{"org.apache.hadoop.hbase.coprocessor.example.generated.BulkDeleteProtos$BulkDeleteResponse",
                        response.SerializeAsString()};
}

}  // namespace vaquita::hbase
