#include "console/heat_json.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/json_value.h"
#include "base/status.h"
#include "console/json_text.h"
#include "console/parameters.h"
#include "model/region_info.h"

namespace vaquita {
namespace {

constexpr int64_t kVersion = 1;
constexpr int64_t kLastMs = 60'000;  // unless the request says another time
constexpr int64_t kMostMs = 86'400'000;

struct MetricName {
  std::string_view name;
  HeatMetric metric;
};
constexpr MetricName kMetrics[] = {
    {"writes", HeatMetric::kWrites}, {"reads", HeatMetric::kReads}, {"bytes", HeatMetric::kBytes}};

absl::StatusOr<HeatMetric> ParseMetric(const std::string& value) {
  for (const MetricName& known : kMetrics) {
    if (value.empty() || known.name == value) return known.metric;
  }
  return Parameters::Malformed("metric", value, "writes, reads or bytes");
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

// A picture's rows, as a number, and the time from which on its columns may still grow.
struct Since {
  uint64_t rows = 0;
  int64_t from_ms = 0;
};

std::string SinceText(const Since& since) {
  return absl::StrCat(absl::Hex(since.rows, absl::kZeroPad16), "-", since.from_ms);
}

std::optional<Since> ReadSince(std::string_view text) {
  const size_t dash = text.find('-');
  Since since;
  if (dash == text.npos || !absl::SimpleHexAtoi(AbslText(text.substr(0, dash)), &since.rows) ||
      !absl::SimpleAtoi(AbslText(text.substr(dash + 1)), &since.from_ms)) {
    return std::nullopt;
  }
  return since;
}

Json HeatRegionsJson(const HeatPicture& picture) {
  Json json = Json::array();
  for (const HeatAxis::Region& region : picture.regions) {
    json.push_back({{"name", region.encoded_name}, {"start", BytesJson(region.start_key)}, {"server", region.server}});
  }
  return json;
}

Json HeatRowsJson(const HeatPicture& picture) {
  Json json = Json::array();
  for (const HeatPicture::Row& row : picture.rows) {
    json.push_back({{"start", BytesJson(row.start)}, {"region", row.first_region}, {"regions", row.regions}});
  }
  return json;
}

// Servers count at slightly different times, so a column grows for a while after a newer one has begun.
constexpr int64_t kSettleMs = 2'000;

Since SinceOf(const HeatRequest& request, const HeatPicture& picture, std::string_view rows_text) {
  const HeatQuery& query = request.query;
  Since since;
  since.rows = std::hash<std::string>()(absl::StrCat(AbslText(rows_text), "|", request.table.ToString(), "|",
                                                     AbslText(MetricText(request.metric)), "|", picture.column_ms, "|",
                                                     query.to_ms - query.from_ms));
  if (!picture.columns.empty()) {
    since.from_ms = picture.columns.back().start_ms - std::max(kSettleMs, picture.column_ms);
  }
  return since;
}

}  // namespace

absl::StatusOr<HeatRequest> ParseHeatRequest(std::string_view url_query, int64_t now_ms) {
  VAQUITA_ASSIGN_OR_RETURN(Parameters parameters, Parameters::Parse(url_query));
  HeatRequest request;
  VAQUITA_ASSIGN_OR_RETURN(request.table, parameters.TakeTable());
  VAQUITA_ASSIGN_OR_RETURN(request.metric, ParseMetric(parameters.Take("metric")));
  VAQUITA_RETURN_IF_ERROR(TakeTimes(&parameters, now_ms, &request.query));
  request.query.start_key = FromStringBinary(parameters.Take("start"));
  request.query.end_key = FromStringBinary(parameters.Take("end"));
  auto rows = static_cast<int64_t>(request.query.most_rows);
  auto columns = static_cast<int64_t>(request.query.most_columns);
  VAQUITA_RETURN_IF_ERROR(parameters.TakeNumber("rows", 1, kMostHeatRows, &rows));
  VAQUITA_RETURN_IF_ERROR(parameters.TakeNumber("columns", 1, kMostHeatColumns, &columns));
  request.query.most_rows = rows;
  request.query.most_columns = columns;
  request.since = parameters.Take("since");
  if (!request.since.empty() && !ReadSince(request.since).has_value()) {
    return Parameters::Malformed("since", request.since, "what an answer had as since");
  }
  VAQUITA_RETURN_IF_ERROR(parameters.CheckAllTaken("table, metric, last, from, to, start, end, rows, columns, since"));
  return request;
}

std::string_view MetricText(HeatMetric metric) {
  for (const MetricName& known : kMetrics) {
    if (known.metric == metric) return known.name;
  }
  return "";
}

std::string HeatJson(const HeatRequest& request, const HeatPicture& picture, int64_t now_ms) {
  Json json = {{"version", kVersion},
               {"table", request.table.ToString()},
               {"metric", MetricText(request.metric)},
               {"now", now_ms},
               {"from", request.query.from_ms},
               {"to", request.query.to_ms},
               {"column_ms", picture.column_ms}};
  json["findings"] = HeatFindings(picture, request.metric);
  Json regions = HeatRegionsJson(picture);
  Json rows = HeatRowsJson(picture);
  const Since next = SinceOf(request, picture, JsonText(regions) + JsonText(rows));
  const std::optional<Since> before = ReadSince(request.since);
  const bool goes_on = before.has_value() && before->rows == next.rows;
  json["since"] = SinceText(next);
  json["goes_on"] = goes_on;
  if (goes_on) {
    json["columns_from"] = before->from_ms;
  } else {
    json["regions"] = std::move(regions);
    json["rows"] = std::move(rows);
  }
  json["columns"] = Json::array();
  for (const HeatPicture::Column& column : picture.columns) {
    if (goes_on && column.start_ms < before->from_ms) continue;
    json["columns"].push_back({{"start", column.start_ms}, {"cells", CellsOf(column, request.metric)}});
  }
  return JsonText(json);
}

}  // namespace vaquita
