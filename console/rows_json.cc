#include "console/rows_json.h"

#include <algorithm>
#include <utility>

#include "base/json_value.h"
#include "base/status.h"
#include "console/json_text.h"
#include "console/parameters.h"
#include "model/operations.h"
#include "model/row_after_prefix.h"
#include "server/regionserver/region_server.h"

namespace vaquita {
namespace {

constexpr int64_t kRows = 20;
constexpr int64_t kMostRowsRead = 200;
constexpr int64_t kMostVersions = 100;
constexpr int32_t kMostCellsPerFamily = 200;
constexpr int64_t kMostBytes = 1 << 20;  // shown ones, and those of a piece that is read
constexpr int64_t kMostReadMs = 2'000;
constexpr size_t kMostValueBytes = 1024;  // a value may have so many

struct RowsRequest {
  TableName table;
  Scan scan;
  int64_t limit = kRows;
};

absl::StatusOr<RowsRequest> ParseRequest(std::string_view query) {
  VAQUITA_ASSIGN_OR_RETURN(Parameters parameters, Parameters::Parse(query));
  RowsRequest request;
  VAQUITA_ASSIGN_OR_RETURN(request.table, parameters.TakeTable());
  const std::string prefix = FromStringBinary(parameters.Take("prefix"));
  const std::string start = FromStringBinary(parameters.Take("start"));
  request.scan.rows.start = std::max(prefix, start);
  request.scan.rows.stop = FromStringBinary(parameters.Take("end"));
  if (const std::string after = prefix.empty() ? "" : RowAfterPrefix(prefix); !after.empty()) {
    if (request.scan.rows.stop.empty() || after < request.scan.rows.stop) request.scan.rows.stop = after;
  }
  int64_t versions = 1;
  int64_t raw = 0;
  VAQUITA_RETURN_IF_ERROR(parameters.TakeNumber("limit", 1, kMostRowsRead, &request.limit));
  VAQUITA_RETURN_IF_ERROR(parameters.TakeNumber("versions", 1, kMostVersions, &versions));
  VAQUITA_RETURN_IF_ERROR(parameters.TakeNumber("raw", 0, 1, &raw));
  VAQUITA_RETURN_IF_ERROR(parameters.CheckAllTaken("table, prefix, start, end, limit, versions, raw"));
  request.scan.max_versions = static_cast<int32_t>(versions);
  request.scan.raw = raw == 1;
  request.scan.store_limit = kMostCellsPerFamily;
  request.scan.cache_blocks = false;
  request.scan.allow_partial_results = true;  // a row may have a gigabyte; only the beginnings of its values are kept
  return request;
}

Json CellJson(const CellView& cell) {
  return {{"family", std::string(cell.family)},
          {"qualifier", BytesJson(cell.qualifier)},
          {"timestamp", cell.timestamp_ms},
          {"type", CellTypeName(cell.type)},
          {"value", BytesJson(cell.value, kMostValueBytes)}};
}

// The rows that were read, and the row at which to go on if there may be more.
struct Reading {
  Json rows = Json::array();
  std::string last_row;
  bool in_row = false;  // the last row may have more cells
  int64_t shown_bytes = 0;
  std::string next;
  bool more = false;
};

void AppendRows(const ResultBatch& batch, Reading* reading) {
  for (const ResultRange& result : batch.results) {
    if (result.count == 0) continue;
    const std::string_view row = batch.cells[result.first].row;
    if (!reading->in_row || row != reading->last_row) {
      reading->rows.push_back({{"key", BytesJson(row)}, {"cells", Json::array()}});
      reading->last_row = row;
    }
    Json& cells = reading->rows.back()["cells"];
    for (size_t at = 0; at < result.count; ++at) {
      const CellView cell = batch.cells[result.first + at];
      cells.push_back(CellJson(cell));
      reading->shown_bytes += cell.row.size() + cell.qualifier.size() + std::min(cell.value.size(), kMostValueBytes);
    }
    reading->in_row = result.partial;
  }
}

// Reads the part of the scan that lies in `region`, and the last row to its end while it is not too much.
absl::Status ReadRegion(Region* region, const RowsRequest& request, const Clock& clock, int64_t deadline_ms,
                        Reading* reading) {
  VAQUITA_ASSIGN_OR_RETURN(const auto scanner, region->NewScanner(request.scan));
  ResultBatch batch;
  do {
    const int64_t ended_rows = static_cast<int64_t>(reading->rows.size()) - (reading->in_row ? 1 : 0);
    const ScanLimits limits = {.max_rows = static_cast<int32_t>(request.limit - ended_rows),
                               .max_bytes = kMostBytes,
                               .deadline_ms = deadline_ms};
    batch.Clear();
    VAQUITA_ASSIGN_OR_RETURN(reading->more, scanner->Next(limits, &batch));
    AppendRows(batch, reading);
  } while (reading->more && reading->in_row && reading->shown_bytes < kMostBytes && clock.NowMs() < deadline_ms);
  if (!reading->more) return absl::OkStatus();
  if (reading->in_row) {
    reading->rows.back()["cut"] = true;
    reading->next = reading->last_row + '\0';
  } else if (!scanner->progress().next_row.empty()) {
    reading->next = scanner->progress().next_row;
  } else if (!batch.results.empty()) {
    reading->next = reading->last_row + '\0';
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> RowsJson(RegionServer* server, std::string_view query, Clock* clock) {
  VAQUITA_ASSIGN_OR_RETURN(RowsRequest request, ParseRequest(query));
  const int64_t deadline_ms = clock->NowMs() + kMostReadMs;
  Reading reading;
  bool first = true;
  while (true) {
    const std::string name = server->FindRegionName(request.table, request.scan.rows.start);
    if (name.empty() && first) {
      return absl::UnavailableError("row \"" + ToStringBinary(request.scan.rows.start) + "\" of table " +
                                    request.table.ToString() +
                                    " is not in this process: no such table, or its region " +
                                    "is elsewhere; the page of the table names the server");
    }
    reading.more = true;
    reading.next = request.scan.rows.start;
    if (name.empty()) break;
    first = false;
    VAQUITA_ASSIGN_OR_RETURN(const auto region, server->FindRegion(name));
    VAQUITA_RETURN_IF_ERROR(ReadRegion(region.get(), request, *clock, deadline_ms, &reading));
    const std::string& end = region->info().end_key;
    const std::string& stop = request.scan.rows.stop;
    if (reading.more || end.empty() || (!stop.empty() && end >= stop)) break;
    reading.more = true;
    reading.next = request.scan.rows.start = end;
    if (reading.rows.size() >= static_cast<size_t>(request.limit) || clock->NowMs() >= deadline_ms) break;
  }
  Json json = {{"version", 1}, {"table", request.table.ToString()}, {"rows", std::move(reading.rows)}};
  if (reading.more) json["next"] = BytesJson(reading.next);
  return JsonText(json);
}

}  // namespace vaquita
