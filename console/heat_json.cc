#include "console/heat_json.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "model/region_info.h"
#include "server/frontend/http/url_query.h"

namespace vaquita {
namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kVersion = 1;
constexpr int64_t kLastMs = 60'000;  // unless the request says another time
constexpr int64_t kMostMs = 86'400'000;
constexpr int64_t kMostRows = 1024;
constexpr int64_t kMostColumns = 1440;

struct MetricName {
  std::string_view name;
  HeatMetric metric;
};
constexpr MetricName kMetrics[] = {
    {"writes", HeatMetric::kWrites}, {"reads", HeatMetric::kReads}, {"bytes", HeatMetric::kBytes}};

std::string_view NameOf(HeatMetric metric) {
  for (const MetricName& known : kMetrics) {
    if (known.metric == metric) return known.name;
  }
  return "";
}

absl::Status Malformed(std::string_view name, std::string_view value, const std::string& right) {
  return absl::InvalidArgumentError("parameter " + std::string(name) + "=\"" + std::string(value) + "\": " + right);
}

// The parameters that were not asked for yet.
class Parameters {
 public:
  explicit Parameters(std::map<std::string, std::string> values) : values_(std::move(values)) {}

  std::string Take(const std::string& name) {
    const auto node = values_.extract(name);
    return node.empty() ? std::string() : node.mapped();
  }
  absl::Status TakeNumber(const std::string& name, int64_t least, int64_t most, int64_t* number) {
    const std::string value = Take(name);
    if (value.empty()) return absl::OkStatus();
    if (!absl::SimpleAtoi(value, number) || *number < least || *number > most) {
      return Malformed(name, value, "a number from " + std::to_string(least) + " to " + std::to_string(most));
    }
    return absl::OkStatus();
  }
  absl::Status CheckAllTaken() const {
    if (values_.empty()) return absl::OkStatus();
    return absl::InvalidArgumentError("there is no parameter \"" + values_.begin()->first +
                                      "\"; these are: table, metric, last, from, to, start, end, rows, columns");
  }

 private:
  std::map<std::string, std::string> values_;
};

absl::StatusOr<HeatMetric> ParseMetric(const std::string& value) {
  for (const MetricName& known : kMetrics) {
    if (value.empty() || known.name == value) return known.metric;
  }
  return Malformed("metric", value, "writes, reads or bytes");
}

absl::Status TakeTimes(Parameters* parameters, int64_t now_ms, HeatQuery* query) {
  int64_t last_ms = kLastMs;
  VAQUITA_RETURN_IF_ERROR(parameters->TakeNumber("last", 200, kMostMs, &last_ms));
  query->from_ms = now_ms - last_ms;
  query->to_ms = now_ms + 1;
  VAQUITA_RETURN_IF_ERROR(parameters->TakeNumber("from", 0, now_ms + kMostMs, &query->from_ms));
  return parameters->TakeNumber("to", query->from_ms + 1, now_ms + kMostMs, &query->to_ms);
}

// For each row that counted something: its number and the count.
Json CellsOf(const HeatPicture::Column& column, HeatMetric metric) {
  Json cells = Json::array();
  for (size_t row = 0; row < column.counts.size(); ++row) {
    const int64_t count = CountOf(column.counts[row], metric);
    if (count == 0) continue;
    cells.push_back(row);
    cells.push_back(count);
  }
  return cells;
}

Json KeyJson(const std::string& key) {
  return {{"text", ToStringBinary(key)}, {"hex", std::string(StdText(absl::BytesToHexString(AbslText(key))))}};
}

}  // namespace

absl::StatusOr<HeatRequest> ParseHeatRequest(std::string_view url_query, int64_t now_ms) {
  VAQUITA_ASSIGN_OR_RETURN(auto values, http::ParseUrlQuery(url_query));
  Parameters parameters(std::move(values));
  HeatRequest request;
  const std::string table = parameters.Take("table");
  if (table.empty()) return absl::InvalidArgumentError("parameter table is missing: the table's name");
  VAQUITA_ASSIGN_OR_RETURN(request.table, TableName::Parse(table));
  VAQUITA_ASSIGN_OR_RETURN(request.metric, ParseMetric(parameters.Take("metric")));
  VAQUITA_RETURN_IF_ERROR(TakeTimes(&parameters, now_ms, &request.query));
  request.query.start_key = FromStringBinary(parameters.Take("start"));
  request.query.end_key = FromStringBinary(parameters.Take("end"));
  auto rows = static_cast<int64_t>(request.query.most_rows);
  auto columns = static_cast<int64_t>(request.query.most_columns);
  VAQUITA_RETURN_IF_ERROR(parameters.TakeNumber("rows", 1, kMostRows, &rows));
  VAQUITA_RETURN_IF_ERROR(parameters.TakeNumber("columns", 1, kMostColumns, &columns));
  request.query.most_rows = rows;
  request.query.most_columns = columns;
  VAQUITA_RETURN_IF_ERROR(parameters.CheckAllTaken());
  return request;
}

std::string HeatJson(const HeatRequest& request, const HeatPicture& picture, int64_t now_ms) {
  Json json = {{"version", kVersion},
               {"table", request.table.ToString()},
               {"metric", NameOf(request.metric)},
               {"now", now_ms},
               {"from", request.query.from_ms},
               {"to", request.query.to_ms},
               {"column_ms", picture.column_ms}};
  json["findings"] = HeatFindings(picture, request.metric);
  json["regions"] = Json::array();
  for (const HeatAxis::Region& region : picture.regions) {
    json["regions"].push_back(
        {{"name", region.encoded_name}, {"start", KeyJson(region.start_key)}, {"server", region.server}});
  }
  json["rows"] = Json::array();
  for (const HeatPicture::Row& row : picture.rows) {
    json["rows"].push_back({{"start", KeyJson(row.start)}, {"region", row.first_region}, {"regions", row.regions}});
  }
  json["columns"] = Json::array();
  for (const HeatPicture::Column& column : picture.columns) {
    json["columns"].push_back({{"start", column.start_ms}, {"cells", CellsOf(column, request.metric)}});
  }
  // A key is bytes, but ToStringBinary's text is ASCII; a table's name was checked. So nothing needs replacing.
  return json.dump();
}

}  // namespace vaquita
