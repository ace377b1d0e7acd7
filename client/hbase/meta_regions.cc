#include "client/hbase/meta_regions.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/big_endian.h"
#include "base/status.h"
#include "client/hbase/hbase_region_scan.h"
#include "model/server_name.h"
#include "proto/hbase/schema_codec.h"

namespace vaquita::client {
namespace {

constexpr std::string_view kLastId = ",99999999999999";  // HConstants.NINES: after the id of every region
constexpr size_t kEncodedNameLength = 32;

Scan ScanOfFamily(const std::string& family) {
  Scan scan;
  scan.columns[family];
  return scan;
}

// The first key of a table's rows in hbase:meta, and one after the last, which no region can have: HBase's order of
// meta's rows compares the table's name first.
std::string FirstKey(const std::string& table) { return table + ",,"; }
std::string KeyAfterLast(const std::string& table) { return table + " ,,"; }

// The last key that the region of `row` can have. A row near the greatest length is cut, since a key is bounded like
// any row; a region that begins in what is cut off would have a key that is too long itself.
std::string LastKey(const std::string& table, std::string_view row) {
  const size_t most = kMaxRowLength - table.size() - 1 - kLastId.size();
  return table + "," + std::string(row.substr(0, most)) + std::string(kLastId);
}

// REQUIRES: the row has cells.
absl::Status Unreadable(const Result& row, std::string_view column) {
  return Error(ErrorKind::kDeserialization, absl::StrCat("hbase:meta row ", ToStringBinary(row.cells.front().row),
                                                         ": column ", AbslText(column), " cannot be read"));
}

// Reads a row of hbase:meta. Returns false if it does not describe a region. The server may be unknown.
absl::StatusOr<bool> ParseRow(const Result& row, RegionLocation* location) {
  const std::string* info_bytes = row.Value("info", "regioninfo");
  if (info_bytes == nullptr) return false;
  pb::RegionInfo message;
  if (!ParseMessageAfterMagic(*info_bytes, &message)) return Unreadable(row, "info:regioninfo");
  VAQUITA_ASSIGN_OR_RETURN(location->info, DecodeRegionInfo(message));
  const std::string* address = row.Value("info", "server");
  const std::string* start_code = row.Value("info", "serverstartcode");
  location->address = address == nullptr ? "" : *address;
  location->server_name.clear();
  if (address == nullptr || start_code == nullptr || start_code->size() != sizeof(uint64_t)) return true;
  location->server_name =
      ServerName::At(*address, static_cast<int64_t>(GetBigEndian<uint64_t>(start_code->data()))).ToString();
  return true;
}

absl::Status TableNotFound(const TableName& table) { return Error(ErrorKind::kTableNotFound, table.ToString()); }

}  // namespace

CallOutcome MetaRegions::LocateRow(const TableName& table, std::string_view row, TimePoint deadline,
                                   RegionLocation* location) {
  if (table == kMetaTableName) return LocateMeta(deadline, location);
  const std::string name = table.ToString();
  Scan scan = ScanOfFamily("info");
  scan.reversed = true;
  scan.rows = {LastKey(name, row), FirstKey(name), /*start_inclusive=*/true, /*stop_inclusive=*/true};
  scan.caching = 1;
  bool found = false;
  const CallOutcome outcome = ReadRows(std::move(scan), deadline, [&](const Result& result) -> absl::StatusOr<bool> {
    VAQUITA_ASSIGN_OR_RETURN(const bool is_region, ParseRow(result, location));
    found = is_region && !location->info.split;  // a parent's daughters have its rows
    return !found;
  });
  if (!outcome.ok()) return outcome;
  if (!found) return {TableNotFound(table)};
  if (location->address.empty()) {
    return {Error(ErrorKind::kHBaseIO,
                  absl::StrCat("No location found for '", name, "', row='", ToStringBinary(row), "'"))};
  }
  return {};
}

CallOutcome MetaRegions::ListRegions(const TableName& table, TimePoint deadline,
                                     std::vector<RegionLocation>* locations) {
  locations->clear();
  if (table == kMetaTableName) return LocateMeta(deadline, &locations->emplace_back());
  Scan scan = ScanOfFamily("info");
  scan.rows = {FirstKey(table.ToString()), KeyAfterLast(table.ToString())};
  const CallOutcome outcome = ReadRows(std::move(scan), deadline, [&](const Result& row) -> absl::StatusOr<bool> {
    RegionLocation location;
    VAQUITA_ASSIGN_OR_RETURN(const bool is_region, ParseRow(row, &location));
    if (is_region && !location.info.split) locations->push_back(std::move(location));
    return true;
  });
  if (outcome.ok() && locations->empty()) return {TableNotFound(table)};
  return outcome;
}

CallOutcome MetaRegions::FindRegion(std::string_view name, TimePoint deadline, RegionLocation* location) {
  const std::string wanted(name);
  const bool encoded = name.size() == kEncodedNameLength && name.find(',') == name.npos;
  Scan scan = ScanOfFamily("info");
  if (!encoded) scan.rows = {wanted, wanted, /*start_inclusive=*/true, /*stop_inclusive=*/true};
  bool found = false;
  const CallOutcome outcome = ReadRows(std::move(scan), deadline, [&](const Result& row) -> absl::StatusOr<bool> {
    VAQUITA_ASSIGN_OR_RETURN(const bool is_region, ParseRow(row, location));
    found = is_region && (!encoded || location->info.EncodedName() == wanted);
    return !found;
  });
  if (outcome.ok() && !found) return {Error(ErrorKind::kUnknownRegion, ToStringBinary(name))};
  return outcome;
}

CallOutcome MetaRegions::GetTableState(const TableName& table, TimePoint deadline, TableState* state) {
  *state = TableState::kEnabled;
  if (table == kMetaTableName) return {};
  const std::string name = table.ToString();
  Scan scan = ScanOfFamily("table");
  scan.rows = {name, name, /*start_inclusive=*/true, /*stop_inclusive=*/true};
  absl::Status known = TableNotFound(table);
  const CallOutcome outcome = ReadRows(std::move(scan), deadline, [&](const Result& row) -> absl::StatusOr<bool> {
    const std::string* bytes = row.Value("table", "state");
    if (bytes == nullptr) return true;
    pb::TableState message;
    if (!ParseMessage(*bytes, &message)) return Unreadable(row, "table:state");
    *state = DecodeState(message.state());
    known = absl::OkStatus();
    return false;
  });
  return outcome.ok() ? CallOutcome{known} : outcome;
}

CallOutcome MetaRegions::LocateMeta(TimePoint deadline, RegionLocation* location) {
  const absl::StatusOr<pb::ServerName> server = servers_->MetaServer(deadline);
  if (!server.ok()) return {server.status()};
  location->info = {.table = kMetaTableName, .id = 1};
  location->server_name = DecodeServerName(*server);
  location->address = AddressOf(*server);
  return {};
}

// Reads rows of hbase:meta, which has one region. Reads change nothing, so any failed one may be repeated.
CallOutcome MetaRegions::ReadRows(Scan scan, TimePoint deadline, const TakeRow& take) {
  RegionLocation meta;
  if (CallOutcome located = LocateMeta(deadline, &meta); !located.ok()) return located;
  HBaseRegionScan rows(&servers_->rpc(), std::make_shared<LocatedRegion>(std::move(meta)), scan);
  for (ScanAnswer answer; !answer.region_done;) {
    answer = {};
    CallOutcome outcome = rows.Next(deadline, &answer);
    if (!outcome.ok()) {
      servers_->ReportMeta(outcome.status);
      outcome.may_have_run = false;
      return outcome;
    }
    for (const Result& row : answer.results) {
      const absl::StatusOr<bool> more = take(row);
      if (!more.ok()) return {more.status()};
      if (!*more) return {};
    }
  }
  return {};
}

}  // namespace vaquita::client
