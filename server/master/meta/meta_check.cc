#include "server/master/meta/meta_check.h"

#include <string>
#include <string_view>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "model/server_name.h"
#include "proto/hbase/stored_values.h"
#include "server/master/meta/assigned_region.h"
#include "server/master/meta/meta_table.h"
#include "server/master/meta/namespaces.h"

namespace vaquita {
namespace {

absl::Status Refused(const TableName& table, std::string_view row, const Cell& cell, std::string_view why) {
  return Error(ErrorKind::kDoNotRetryIO, table.ToString() + " row " + ToShortStringBinary(row) + ", column " +
                                             ToShortStringBinary(cell.family) + ":" +
                                             ToShortStringBinary(cell.qualifier) + ": " + std::string(why));
}

absl::Status CheckTime(const TableName& table, std::string_view row, int64_t timestamp_ms, int64_t now_ms) {
  if (timestamp_ms == kLatestTimestamp || timestamp_ms <= now_ms + kMaxClockSkewMs) return absl::OkStatus();
  return Error(ErrorKind::kDoNotRetryIO,
               absl::StrCat(table.ToString(), " row ", ToShortStringBinary(row), ": the timestamp ", timestamp_ms,
                            " is more than ", kMaxClockSkewMs, " ms later than the server's clock, ", now_ms));
}

// Returns whether it is "table,start,id.<32 hex digits>.", or hbase:meta's own.
bool IsRegionName(std::string_view row) {
  constexpr size_t kHash = 32;
  if (row == MetaTable::Info().Name()) return true;
  if (row.size() < kHash + 6 || row.back() != '.' || row[row.size() - kHash - 2] != '.') return false;
  const std::string_view hash = row.substr(row.size() - kHash - 1, kHash);
  const std::string_view rest = row.substr(0, row.size() - kHash - 2);
  const size_t table_end = rest.find(','), id_begin = rest.rfind(',');
  int64_t id = 0;
  return hash.find_first_not_of("0123456789abcdef") == std::string_view::npos && table_end != id_begin &&
         absl::SimpleAtoi(absl::string_view(rest.data() + id_begin + 1, rest.size() - id_begin - 1), &id) &&
         TableName::Parse(rest.substr(0, table_end)).ok();
}

// Empty: the value can be read.
std::string WhyNotInfo(std::string_view row, const Cell& cell) {
  const std::string_view of_replica = PrimaryColumn(cell.qualifier);
  const std::string_view qualifier = of_replica.empty() ? std::string_view(cell.qualifier) : of_replica;
  const bool is_other = qualifier == "splitA" || qualifier == "splitB" || qualifier.starts_with("merge");
  if (qualifier == "regioninfo" || is_other) {
    const auto info = DecodeRegionInfo(cell.value);
    if (!info.ok()) return "the value is not a RegionInfo";
    return is_other || info->Name() == row ? "" : "the value is of region " + ToShortStringBinary(info->Name());
  }
  if (qualifier == "state")
    return ParseRegionState(cell.value).has_value() ? "" : "the value is not the state of a region";
  if (qualifier == "sn") return ServerName::Parse(cell.value).ok() ? "" : "the value is not host,port,startcode";
  const bool may_be_empty = qualifier == "server" || qualifier == "serverstartcode" || qualifier == "seqnumDuringOpen";
  if (may_be_empty && cell.value.empty()) return "";
  if (qualifier == "server") return IsHostAndPort(cell.value) ? "" : "the value is not host:port";
  if (qualifier == "serverstartcode" || qualifier == "seqnumDuringOpen") {
    return DecodeLong(cell.value).ok() ? "" : "the value is not a long of 8 bytes";
  }
  return "";
}

bool IsReadByMaster(const Cell& cell) {
  const std::string_view qualifier = cell.qualifier;
  if (cell.family == "table") return qualifier == "state";
  return cell.family == "info" && (qualifier == "regioninfo" || !PrimaryColumn(qualifier).empty() ||
                                   qualifier == "splitA" || qualifier == "splitB" || qualifier.starts_with("merge"));
}

absl::Status CheckMetaCell(std::string_view row, MutationType type, const Cell& cell) {
  if (!IsReadByMaster(cell)) return absl::OkStatus();
  std::string why;
  if (type != MutationType::kPut) {
    why = "it cannot be added to";
  } else if (cell.family == "table") {
    if (!TableName::Parse(row).ok()) why = "the row is not the name of a table";
    if (row == kMetaTableName.ToString()) why = "the table is always enabled";
    if (why.empty() && !DecodeTableState(cell.value).ok()) why = "the value is not a TableState";
  } else {
    why = IsRegionName(row) ? WhyNotInfo(row, cell) : "the row is not the name of a region";
  }
  return why.empty() ? absl::OkStatus() : Refused(kMetaTableName, row, cell, why);
}

absl::Status CheckNamespaceCell(std::string_view row, MutationType type, const Cell& cell) {
  if (cell.family != "info" || cell.qualifier != "d") return absl::OkStatus();
  const auto ns = DecodeNamespace(cell.value);
  if (type == MutationType::kPut && ns.ok() && ns->name == row) return absl::OkStatus();
  return Refused(kNamespaceTableName, row, cell, "the value is not the NamespaceDescriptor of that namespace");
}

}  // namespace

absl::Status CheckSystemWrite(const TableName& table, std::span<const Mutation> mutations, int64_t now_ms) {
  if (!table.IsSystem()) return absl::OkStatus();
  for (const Mutation& mutation : mutations) {
    VAQUITA_RETURN_IF_ERROR(CheckTime(table, mutation.row, mutation.timestamp_ms, now_ms));
    for (const Cell& cell : mutation.cells) {
      VAQUITA_RETURN_IF_ERROR(CheckTime(table, mutation.row, cell.timestamp_ms, now_ms));
    }
    if (mutation.type == MutationType::kDelete) continue;
    for (const Cell& cell : mutation.cells) {
      if (cell.type != CellType::kPut) continue;
      if (table == kMetaTableName) VAQUITA_RETURN_IF_ERROR(CheckMetaCell(mutation.row, mutation.type, cell));
      if (table == kNamespaceTableName) VAQUITA_RETURN_IF_ERROR(CheckNamespaceCell(mutation.row, mutation.type, cell));
    }
  }
  return absl::OkStatus();
}

}  // namespace vaquita
