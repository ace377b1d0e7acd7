#include "tools/shell/mutation_arguments.h"

#include "absl/strings/str_cat.h"
#include "base/big_endian.h"
#include "tools/shell/read_arguments.h"

namespace vaquita::shell {
namespace {

absl::StatusOr<Mutation> Start(MutationType type, const Value& row) {
  Mutation mutation;
  mutation.type = type;
  mutation.row = row.ToText();
  VAQUITA_RETURN_IF_ERROR(CheckRow(mutation.row));
  return mutation;
}

Cell ColumnCell(const Value& column, std::string value) {
  const ColumnName name = ParseColumn(column.ToText());
  Cell cell;
  cell.family = name.family;
  cell.qualifier = name.qualifier.value_or("");
  cell.value = std::move(value);
  return cell;
}

// Reads TTL. ATTRIBUTES and VISIBILITY are for coprocessors, which this server does not have; HBase without
// coprocessors ignores both too.
absl::Status ReadOptions(const Value& options, Mutation* mutation) {
  const Hash* hash = options.AsHash();
  if (hash == nullptr) return absl::OkStatus();
  const Value* attributes = Find(*hash, "ATTRIBUTES");
  if (attributes != nullptr && attributes->AsHash() == nullptr) return ShellError("Attributes must be a Hash type");
  VAQUITA_ASSIGN_OR_RETURN(mutation->ttl_ms, IntegerOption(*hash, "TTL", kNoTtl));
  return absl::OkStatus();
}

absl::StatusOr<int64_t> ReadTimestamp(const Value& value) {
  const int64_t* timestamp = value.AsInteger();
  if (timestamp == nullptr) return ShellError(absl::StrCat("Timestamp must be a number, not ", value.Inspect()));
  if (*timestamp < 0) return ShellError(absl::StrCat("Timestamp cannot be negative. ts=", *timestamp));
  return *timestamp;
}

}  // namespace

absl::StatusOr<Mutation> ReadPut(const Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(Mutation put, Start(MutationType::kPut, arguments[1]));
  Cell cell = ColumnCell(arguments[2], arguments[3].ToText());
  for (size_t i = 4; i < arguments.size(); ++i) VAQUITA_RETURN_IF_ERROR(ReadOptions(arguments[i], &put));
  if (arguments.size() > 4 && arguments[4].IsTruthy() && arguments[4].AsHash() == nullptr) {
    VAQUITA_ASSIGN_OR_RETURN(cell.timestamp_ms, ReadTimestamp(arguments[4]));
  }
  put.cells.push_back(std::move(cell));
  return put;
}

absl::StatusOr<Mutation> ReadDelete(const Arguments& arguments, bool all_versions) {
  VAQUITA_ASSIGN_OR_RETURN(Mutation deletion, Start(MutationType::kDelete, arguments[1]));
  if (arguments.size() > 3 && arguments[3].IsTruthy() && arguments[3].AsHash() == nullptr) {
    VAQUITA_ASSIGN_OR_RETURN(deletion.timestamp_ms, ReadTimestamp(arguments[3]));
  }
  if (arguments.size() < 3 || arguments[2].ToText().empty()) return deletion;
  Cell marker = ColumnCell(arguments[2], "");
  marker.timestamp_ms = deletion.timestamp_ms;
  if (ParseColumn(arguments[2].ToText()).qualifier) {
    marker.type = all_versions ? CellType::kDeleteColumn : CellType::kDelete;
  } else {
    marker.type = all_versions ? CellType::kDeleteFamily : CellType::kDeleteFamilyVersion;
  }
  deletion.cells.push_back(std::move(marker));
  return deletion;
}

absl::StatusOr<Mutation> ReadIncrement(const Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(Mutation increment, Start(MutationType::kIncrement, arguments[1]));
  int64_t amount = 1;
  if (arguments.size() > 3 && arguments[3].IsTruthy() && arguments[3].AsHash() == nullptr) {
    const int64_t* given = arguments[3].AsInteger();
    if (given == nullptr) return ShellError(absl::StrCat("The amount must be a number, not ", arguments[3].Inspect()));
    amount = *given;
  }
  for (size_t i = 3; i < arguments.size(); ++i) VAQUITA_RETURN_IF_ERROR(ReadOptions(arguments[i], &increment));
  std::string bytes;
  AppendBigEndian(static_cast<uint64_t>(amount), &bytes);
  increment.cells.push_back(ColumnCell(arguments[2], std::move(bytes)));
  return increment;
}

absl::StatusOr<Mutation> ReadAppend(const Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(Mutation append, Start(MutationType::kAppend, arguments[1]));
  if (arguments.size() > 4) VAQUITA_RETURN_IF_ERROR(ReadOptions(arguments[4], &append));
  append.cells.push_back(ColumnCell(arguments[2], arguments[3].ToText()));
  return append;
}

}  // namespace vaquita::shell
