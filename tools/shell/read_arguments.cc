#include "tools/shell/read_arguments.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "model/row_after_prefix.h"
#include "region/filter/filter_language.h"

namespace vaquita::shell {
namespace {

// Adds the columns that `columns` names to `*selection`, and their methods to `*format`.
void SelectColumns(const Arguments& columns, ColumnSelection* selection, CellFormat* format) {
  for (const Value& column : columns) {
    const ColumnName name = ParseColumn(column.ToText());
    const auto [family, is_new] = selection->try_emplace(name.family);
    if (!name.qualifier) {
      family->second.clear();
      continue;
    }
    std::vector<std::string>& qualifiers = family->second;
    if (std::find(qualifiers.begin(), qualifiers.end(), *name.qualifier) == qualifiers.end()) {
      qualifiers.push_back(*name.qualifier);
    }
    if (!name.method.empty()) format->column_method[absl::StrCat(name.family, ":", *name.qualifier)] = name.method;
  }
}

absl::StatusOr<TimeRange> MakeTimeRange(int64_t min_ms, int64_t max_ms) {
  if (min_ms < 0 || max_ms < 0) {
    return ShellError(absl::StrCat("Timestamp cannot be negative. minStamp:", min_ms, ", maxStamp:", max_ms));
  }
  if (max_ms < min_ms) return ShellError("maxStamp is smaller than minStamp");
  return TimeRange{min_ms, max_ms};
}

// TIMESTAMP and TIMERANGE; the latter counts if both are there.
absl::Status ReadTimes(const Hash& options, TimeRange* range) {
  if (Find(options, "TIMESTAMP") != nullptr) {
    VAQUITA_ASSIGN_OR_RETURN(const int64_t timestamp, IntegerOption(options, "TIMESTAMP", 0));
    VAQUITA_ASSIGN_OR_RETURN(*range,
                             MakeTimeRange(timestamp, timestamp == kLatestTimestamp ? timestamp : timestamp + 1));
  }
  const Value* times = Find(options, "TIMERANGE");
  if (times == nullptr || times->IsNil()) return absl::OkStatus();
  const Array* pair = times->AsArray();
  if (pair == nullptr || pair->size() != 2 || (*pair)[0].AsInteger() == nullptr || (*pair)[1].AsInteger() == nullptr) {
    return ShellError(absl::StrCat("TIMERANGE must be an Array of two timestamps, not ", times->Inspect()));
  }
  VAQUITA_ASSIGN_OR_RETURN(*range, MakeTimeRange(*(*pair)[0].AsInteger(), *(*pair)[1].AsInteger()));
  return absl::OkStatus();
}

absl::Status ReadFilter(const Hash& options, std::optional<FilterSpec>* filter) {
  const Value* text = Find(options, "FILTER");
  if (text == nullptr || text->IsNil()) return absl::OkStatus();
  if (text->AsString() == nullptr) return ShellError("FILTER must be a String in the filter language");
  VAQUITA_ASSIGN_OR_RETURN(*filter, ParseFilterLanguage(*text->AsString()));
  return absl::OkStatus();
}

// One option out of a Java enumeration. There is one replica and one isolation level here, so that the value only has
// to be right.
absl::Status CheckEnum(const Hash& options, std::string_view name, std::string_view java_enum,
                       std::initializer_list<std::string_view> names) {
  const Value* value = Find(options, name);
  if (value == nullptr || !value->IsTruthy()) return absl::OkStatus();
  if (std::find(names.begin(), names.end(), value->ToText()) != names.end()) return absl::OkStatus();
  return ShellError(
      absl::StrCat("No enum constant org.apache.hadoop.hbase.client.", AbslText(java_enum), ".", value->ToText()));
}

absl::Status CheckHints(const Hash& options) {
  VAQUITA_RETURN_IF_ERROR(CheckEnum(options, "CONSISTENCY", "Consistency", {"STRONG", "TIMELINE"}));
  VAQUITA_RETURN_IF_ERROR(CheckEnum(options, "READ_TYPE", "Scan.ReadType", {"DEFAULT", "STREAM", "PREAD"}));
  VAQUITA_RETURN_IF_ERROR(
      CheckEnum(options, "ISOLATION_LEVEL", "IsolationLevel", {"READ_COMMITTED", "READ_UNCOMMITTED"}));
  if (const Value* attributes = Find(options, "ATTRIBUTES"); attributes != nullptr && attributes->AsHash() == nullptr) {
    return ShellError("Attributes must be a Hash type");
  }
  const Value* authorizations = Find(options, "AUTHORIZATIONS");
  if (authorizations != nullptr && authorizations->AsArray() == nullptr) {
    return ShellError("Authorizations must be a Array type");
  }
  return absl::OkStatus();
}

// Takes MAXLENGTH and FORMATTER out of the options.
absl::Status TakeFormat(Hash& options, CellFormat* format) {
  VAQUITA_ASSIGN_OR_RETURN(format->max_length, IntegerOption(options, "MAXLENGTH", -1));
  Take(options, "MAXLENGTH");
  const Value formatter = Take(options, "FORMATTER");
  const Value formatter_class = Take(options, "FORMATTER_CLASS");
  if (formatter.IsTruthy()) format->method = formatter.ToText();
  if (formatter_class.IsTruthy()) format->method = absl::StrCat("c(", formatter_class.ToText(), ").", format->method);
  return absl::OkStatus();
}

std::string FailedParse(const Hash& options) {
  return absl::StrCat("Failed parse of ", Value(options).Inspect(), ", Hash");
}

// The columns that COLUMN or COLUMNS gives; null if neither is there.
absl::StatusOr<std::optional<Arguments>> ColumnsOption(const Hash& options, const std::string& error) {
  const Value* columns = Find(options, "COLUMN");
  if (columns == nullptr) columns = Find(options, "COLUMNS");
  if (columns == nullptr || !columns->IsTruthy()) return std::nullopt;
  if (columns->AsString() == nullptr && columns->AsArray() == nullptr) return ShellError(error);
  return Flatten({*columns}, 0);
}

absl::Status ReadGetOptions(Hash options, Get* get, CellFormat* format) {
  VAQUITA_RETURN_IF_ERROR(TakeFormat(options, format));
  VAQUITA_RETURN_IF_ERROR(ReadFilter(options, &get->filter));
  VAQUITA_RETURN_IF_ERROR(CheckHints(options));
  for (const char* consumed : {"FILTER", "CONSISTENCY", "REGION_REPLICA_ID"}) Take(options, consumed);
  if (options.empty()) return absl::OkStatus();
  VAQUITA_ASSIGN_OR_RETURN(
      const auto columns,
      ColumnsOption(options, absl::StrCat("Failed parse column argument type ", Value(options).Inspect(), ", Hash")));
  const bool has_other = Find(options, "ATTRIBUTES") || Find(options, "AUTHORIZATIONS") || Find(options, "TIMESTAMP") ||
                         Find(options, "TIMERANGE");
  if (!columns && !has_other) return ShellError(FailedParse(options));
  if (columns) SelectColumns(*columns, &get->columns, format);
  VAQUITA_ASSIGN_OR_RETURN(const int64_t versions, IntegerOption(options, "VERSIONS", 1));
  if (versions <= 0) return ShellError("maxVersions must be positive");
  get->max_versions = static_cast<int32_t>(std::min<int64_t>(versions, INT32_MAX));
  return ReadTimes(options, &get->time_range);
}

std::string TextOption(const Hash& options, std::string_view name) {
  const Value* value = Find(options, name);
  return value == nullptr ? "" : value->ToText();
}

bool FlagOption(const Hash& options, std::string_view name, bool missing) {
  const Value* value = Find(options, name);
  return value == nullptr || value->IsNil() ? missing : value->IsTruthy();
}

void ReadRows(const Hash& options, RowRange* rows) {
  rows->start = TextOption(options, "STARTROW");
  rows->stop = TextOption(options, "STOPROW");
  if (const Value* prefix = Find(options, "ROWPREFIXFILTER"); prefix != nullptr && prefix->IsTruthy()) {
    rows->start = prefix->ToText();
    rows->stop = RowAfterPrefix(rows->start);
  }
}

// Sets `*limit` if the option is a positive number, as HBase's shell does; otherwise it stays as it was.
template <typename T>
absl::Status ReadLimit(const Hash& options, std::string_view name, T* limit) {
  VAQUITA_ASSIGN_OR_RETURN(const int64_t number, IntegerOption(options, name, 0));
  if (number > 0) *limit = static_cast<T>(std::min<int64_t>(number, std::numeric_limits<T>::max()));
  return absl::OkStatus();
}

}  // namespace

ColumnName ParseColumn(std::string_view text) {
  const auto split = [](std::string_view part) -> std::pair<std::string, std::optional<std::string>> {
    const size_t colon = part.find(':');
    if (colon == std::string_view::npos) return {std::string(part), std::nullopt};
    return {std::string(part.substr(0, colon)), std::string(part.substr(colon + 1))};
  };
  ColumnName name;
  const auto [family, rest] = split(text);
  name.family = family;
  if (!rest) return name;
  const auto [qualifier, method] = split(*rest);
  name.qualifier = qualifier;
  name.method = method.value_or("");
  return name;
}

absl::Status CheckRow(std::string_view row) {
  if (row.empty()) return ShellError("Row length is 0");
  if (row.size() > kMaxRowLength) return ShellError(absl::StrCat("Row length ", row.size(), " is > ", kMaxRowLength));
  return absl::OkStatus();
}

absl::StatusOr<int64_t> IntegerOption(const Hash& options, std::string_view name, int64_t missing) {
  const Value* value = Find(options, name);
  if (value == nullptr || !value->IsTruthy()) return missing;
  if (const int64_t* number = value->AsInteger()) return *number;
  return ShellError(absl::StrCat(AbslText(name), " must be a number, not ", value->Inspect()));
}

absl::StatusOr<Get> ReadGet(const Arguments& arguments, CellFormat* format) {
  Get get;
  get.row = arguments[1].ToText();
  VAQUITA_RETURN_IF_ERROR(CheckRow(get.row));
  if (arguments.size() > 2 && arguments[2].AsHash() != nullptr) {
    VAQUITA_RETURN_IF_ERROR(ReadGetOptions(*arguments[2].AsHash(), &get, format));
  } else {
    SelectColumns(Flatten(arguments, 2), &get.columns, format);
  }
  return get;
}

absl::StatusOr<Scan> ReadScan(Hash options, CellFormat* format) {
  Scan scan;
  VAQUITA_RETURN_IF_ERROR(TakeFormat(options, format));
  VAQUITA_RETURN_IF_ERROR(CheckHints(options));
  if (FlagOption(options, "ALL_METRICS", false) || FlagOption(options, "METRICS", false)) {
    return ShellError("METRICS and ALL_METRICS: this shell does not collect scan metrics");
  }
  VAQUITA_ASSIGN_OR_RETURN(const auto columns,
                           ColumnsOption(options, "COLUMNS must be specified as a String or an Array"));
  if (columns) SelectColumns(*columns, &scan.columns, format);
  ReadRows(options, &scan.rows);
  VAQUITA_RETURN_IF_ERROR(ReadFilter(options, &scan.filter));
  VAQUITA_RETURN_IF_ERROR(ReadTimes(options, &scan.time_range));
  scan.reversed = FlagOption(options, "REVERSED", false);
  scan.raw = FlagOption(options, "RAW", false);
  scan.cache_blocks = FlagOption(options, "CACHE_BLOCKS", true);
  scan.allow_partial_results = FlagOption(options, "ALLOW_PARTIAL_RESULTS", false);
  VAQUITA_RETURN_IF_ERROR(ReadLimit(options, "VERSIONS", &scan.max_versions));
  VAQUITA_RETURN_IF_ERROR(ReadLimit(options, "LIMIT", &scan.limit));
  VAQUITA_RETURN_IF_ERROR(ReadLimit(options, "BATCH", &scan.batch));
  VAQUITA_RETURN_IF_ERROR(ReadLimit(options, "CACHE", &scan.caching));
  VAQUITA_RETURN_IF_ERROR(ReadLimit(options, "MAX_RESULT_SIZE", &scan.max_result_bytes));
  return scan;
}

}  // namespace vaquita::shell
