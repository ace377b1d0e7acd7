#include "tools/shell/list_regions.h"

#include <algorithm>
#include <map>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "model/region_info.h"

namespace vaquita::shell {
namespace {

struct Column {
  const char* name;
  size_t width;  // at least
};

constexpr Column kColumns[] = {{"SERVER_NAME", 12}, {"REGION_NAME", 12}, {"START_KEY", 10}, {"END_KEY", 10},
                               {"SIZE", 5},         {"REQ", 5},          {"LOCALITY", 10}};
constexpr char kPossible[] = "Possible values are SERVER_NAME, REGION_NAME, START_KEY, END_KEY, SIZE, REQ, LOCALITY.";

absl::StatusOr<std::vector<Column>> ChosenColumns(const Arguments& arguments) {
  if (arguments.size() < 3 || arguments[2].IsNil())
    return std::vector<Column>(std::begin(kColumns), std::end(kColumns));
  const Array* names = arguments[2].AsArray();
  if (names == nullptr) {
    return ShellError(absl::StrCat(arguments[2].ToText(), " must be an array of strings. ", kPossible));
  }
  std::vector<Column> chosen;
  for (const Value& name : *names) {
    const std::string upper = absl::AsciiStrToUpper(name.ToText());
    const auto found = std::find_if(std::begin(kColumns), std::end(kColumns),
                                    [&](const Column& column) { return column.name == upper; });
    if (found == std::end(kColumns))
      return ShellError(absl::StrCat(name.ToText(), " is not a valid column. ", kPossible));
    chosen.push_back(*found);
  }
  return chosen;
}

struct Selection {
  std::string server_prefix;
  double locality_threshold = 1.0;
};

absl::StatusOr<Selection> ReadSelection(const Arguments& arguments) {
  Selection selection;
  if (arguments.size() < 2 || arguments[1].IsNil()) return selection;
  const Hash* options = arguments[1].AsHash();
  if (options == nullptr) {
    selection.server_prefix = arguments[1].ToText();
    return selection;
  }
  if (const Value* server = Find(*options, "SERVER_NAME")) selection.server_prefix = server->ToText();
  if (const Value* threshold = Find(*options, "LOCALITY_THRESHOLD")) {
    const double* number = std::get_if<double>(&threshold->kind);
    if (number == nullptr) return ShellError("LOCALITY_THRESHOLD must be a float value");
    if (*number < 0 || *number > 1) return ShellError("LOCALITY_THRESHOLD must be between 0 and 1.0, inclusive");
    selection.locality_threshold = *number;
  }
  return selection;
}

using Row = std::map<std::string, std::string>;  // by column

// HBase says 0.0 of a region without files on a local disk, and every file here is local.
double Locality(const RegionMetrics& metrics) { return metrics.store_files > 0 ? 1.0 : 0.0; }

Row RegionRow(const client::RegionLocation& location, const RegionMetrics& metrics) {
  return {
      {"SERVER_NAME", location.server_name},
      {"REGION_NAME", ToStringBinary(location.info.Name())},
      {"START_KEY", ToStringBinary(location.info.start_key)},
      {"END_KEY", ToStringBinary(location.info.end_key)},
      {"SIZE", absl::StrCat((metrics.store_file_bytes + (1 << 20) - 1) >> 20)},
      {"REQ", absl::StrCat(metrics.read_requests + metrics.write_requests)},
      {"LOCALITY", absl::StrFormat("%.1f", Locality(metrics))},
  };
}

void PrintLine(std::ostream& out, const std::vector<Column>& columns, const Row& row) {
  for (const Column& column : columns) out << absl::StrFormat(" %*s |", column.width, row.at(column.name));
  out << "\n";
}

void PrintTable(std::ostream& out, std::vector<Column> columns, const std::vector<Row>& rows) {
  Row header, rule;
  for (Column& column : columns) {
    for (const Row& row : rows) column.width = std::max(column.width, row.at(column.name).size());
    header[column.name] = column.name;
    rule[column.name] = std::string(column.width, '-');
  }
  PrintLine(out, columns, header);
  PrintLine(out, columns, rule);
  for (const Row& row : rows) PrintLine(out, columns, row);
  out << " " << rows.size() << " rows\n";
}

}  // namespace

absl::Status ListRegions(Context& context, const Arguments& arguments) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, TableArgument(arguments[0]));
  VAQUITA_ASSIGN_OR_RETURN(const TableState state, context.admin.GetTableState(table));
  if (state != TableState::kEnabled) return ShellError(absl::StrCat("Table ", table.ToString(), " must be enabled."));
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<Column> columns, ChosenColumns(arguments));
  VAQUITA_ASSIGN_OR_RETURN(const Selection selection, ReadSelection(arguments));
  VAQUITA_ASSIGN_OR_RETURN(const auto regions, context.admin.GetRegions(table));
  VAQUITA_ASSIGN_OR_RETURN(const auto all_metrics, context.admin.GetRegionMetrics(table));
  std::map<std::string, const RegionMetrics*> metrics_of;
  for (const RegionMetrics& metrics : all_metrics) metrics_of[metrics.info.EncodedName()] = &metrics;
  std::vector<Row> rows;
  for (const client::RegionLocation& region : regions) {
    if (!region.server_name.starts_with(selection.server_prefix)) continue;
    const auto found = metrics_of.find(region.info.EncodedName());
    const RegionMetrics metrics = found == metrics_of.end() ? RegionMetrics{} : *found->second;
    if (Locality(metrics) <= selection.locality_threshold) rows.push_back(RegionRow(region, metrics));
  }
  PrintTable(context.out, columns, rows);
  return absl::OkStatus();
}

}  // namespace vaquita::shell
