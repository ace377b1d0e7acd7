#include "console/cluster_gatherer.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/json_value.h"
#include "base/status.h"
#include "console/parameters.h"
#include "model/region_info.h"

namespace vaquita {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::chrono::seconds kMostGathering{6};
constexpr size_t kFewestRows = 16;  // a server's
constexpr int64_t kMostCounted = int64_t{1} << 53;

// A text in a URL's query.
std::string Encoded(std::string_view text) {
  std::string encoded;
  for (const char c : text) absl::StrAppend(&encoded, "%", absl::Hex(static_cast<unsigned char>(c), absl::kZeroPad2));
  return encoded;
}

absl::StatusOr<Json> ParseAnswer(std::string_view text) {
  absl::StatusOr<Json> json = ParseJson(text);
  if (!json.ok() || !json->is_object() || json->value("version", Json()) != 1) {
    return absl::InvalidArgumentError("a server's console answers in another version; run one release on all servers");
  }
  return json;
}

std::string BytesOf(const Json& key) {
  return std::string(StdText(absl::HexStringToBytes(AbslText(key.at("hex").get_ref<const std::string&>()))));
}

// Adds the column's counts to `*sum`, which may not be above kMostCounted.
HeatPicture::Column ReadColumn(const Json& json, HeatMetric metric, size_t rows, int64_t* sum) {
  HeatPicture::Column column{.start_ms = IntegerOf(json.at("start"), 0, kMostCounted)};
  column.counts.resize(rows);
  const Json& cells = json.at("cells");
  for (size_t at = 0; at + 1 < cells.size(); at += 2) {
    KeyCounts& counts = column.counts.at(UnsignedOf(cells[at]));
    const int64_t count = IntegerOf(cells[at + 1], 0, kMostCounted - *sum);
    *sum += count;
    (metric == HeatMetric::kReads    ? counts.reads
     : metric == HeatMetric::kWrites ? counts.writes
                                     : counts.bytes) = count;
  }
  return column;
}

// The rows of all pictures by their start, with their places, and the regions by theirs.
struct Joint {
  HeatPicture picture;
  std::map<std::string, size_t> rows;
  std::map<std::string, size_t> regions;  // by encoded name
};

Joint JoinAxes(const std::vector<HeatPicture>& pictures) {
  Joint joint;
  std::map<std::string, HeatAxis::Region> regions;  // by start key, so that the picture has them in order
  for (const HeatPicture& picture : pictures) {
    joint.picture.column_ms = std::max(joint.picture.column_ms, picture.column_ms);
    for (const HeatAxis::Region& region : picture.regions)
      regions[region.start_key + '\0' + region.encoded_name] = region;
    for (const HeatPicture::Row& row : picture.rows) joint.rows[row.start] = 0;
  }
  for (auto& [start, region] : regions) {
    joint.regions[region.encoded_name] = joint.picture.regions.size();
    joint.picture.regions.push_back(std::move(region));
  }
  size_t place = 0;
  for (auto& [start, row] : joint.rows) row = place++;
  joint.picture.rows.resize(joint.rows.size());
  for (const HeatPicture& picture : pictures) {
    for (const HeatPicture::Row& row : picture.rows) {
      const size_t region = joint.regions.at(picture.regions.at(row.first_region).encoded_name);
      joint.picture.rows[joint.rows.at(row.start)] = {row.start, region, row.regions};
    }
  }
  return joint;
}

void AddColumns(const HeatPicture& picture, const Joint& joint, std::map<int64_t, HeatCounts>* columns) {
  std::vector<size_t> places;
  for (const HeatPicture::Row& row : picture.rows) places.push_back(joint.rows.at(row.start));
  for (const HeatPicture::Column& column : picture.columns) {
    HeatCounts& counts = (*columns)[column.start_ms - column.start_ms % joint.picture.column_ms];
    counts.resize(joint.rows.size());
    for (size_t row = 0; row < column.counts.size(); ++row) counts[places[row]] += column.counts[row];
  }
}

}  // namespace

absl::StatusOr<std::vector<std::string>> ReadTablesJson(std::string_view text) {
  VAQUITA_ASSIGN_OR_RETURN(const Json json, ParseAnswer(text));
  std::vector<std::string> tables;
  for (const Json& table : json.value("tables", Json::array())) {
    if (!table.is_string()) return absl::InvalidArgumentError("a server's tables: one has no name");
    tables.push_back(table.get<std::string>());
  }
  return tables;
}

absl::StatusOr<Json> ReadEventsJson(std::string_view text) {
  VAQUITA_ASSIGN_OR_RETURN(const Json json, ParseAnswer(text));
  Json events = Json::array();
  for (const Json& event : json.value("events", Json::array())) {
    if (!event.is_object() || !TryIntegerOf(event.value("time", Json()))) {
      return absl::InvalidArgumentError("a server's events: one has no time");
    }
    events.push_back(event);
  }
  return events;
}

HeatPicture JoinPictures(std::vector<HeatPicture> pictures) {
  if (pictures.size() == 1) return std::move(pictures[0]);
  Joint joint = JoinAxes(pictures);
  std::map<int64_t, HeatCounts> columns;
  for (const HeatPicture& picture : pictures) AddColumns(picture, joint, &columns);
  for (auto& [start_ms, counts] : columns) joint.picture.columns.push_back({start_ms, std::move(counts)});
  return std::move(joint.picture);
}

absl::StatusOr<HeatPicture> ReadHeatJson(std::string_view text, HeatMetric metric) {
  VAQUITA_ASSIGN_OR_RETURN(const Json json, ParseAnswer(text));
  HeatPicture picture;
  try {
    picture.column_ms = IntegerOf(json.at("column_ms"), 1, kMostCounted);
    for (const Json& region : json.at("regions")) {
      picture.regions.push_back({region.at("name"), BytesOf(region.at("start")), "", region.at("server")});
    }
    if (json.at("rows").size() > kMostHeatRows || json.at("columns").size() > kMostHeatColumns) {
      return absl::InvalidArgumentError(
          absl::StrCat("a server's heat: more than ", kMostHeatRows, " rows or ", kMostHeatColumns, " columns"));
    }
    for (const Json& row : json.at("rows")) {
      picture.rows.push_back({BytesOf(row.at("start")), UnsignedOf(row.at("region")), UnsignedOf(row.at("regions"))});
      if (picture.rows.back().first_region >= picture.regions.size()) throw std::out_of_range("region");
    }
    int64_t sum = 0;
    for (const Json& column : json.at("columns")) {
      picture.columns.push_back(ReadColumn(column, metric, picture.rows.size(), &sum));
    }
  } catch (const std::exception& error) {  // the JSON has another form
    return absl::InvalidArgumentError(std::string("a server's heat: ") + error.what());
  }
  return picture;
}

absl::StatusOr<std::vector<std::string>> ClusterGatherer::AskAll(const std::vector<std::string>& servers,
                                                                 const std::string& path) const {
  const auto ends = SteadyClock::now() + kMostGathering;
  std::vector<std::string> answers;
  absl::Status error;
  for (const std::string& server : servers) {
    if (SteadyClock::now() >= ends) break;
    absl::StatusOr<std::string> answer = source_.ask_server(server, path);
    if (answer.ok()) {
      answers.push_back(*std::move(answer));
    } else if (error.ok() || absl::IsNotFound(error)) {
      error = answer.status();
    }
  }
  if (answers.empty() && !error.ok()) return error;
  return answers;
}

absl::StatusOr<std::vector<std::string>> ClusterGatherer::ServersOf(const TableName& table) const {
  VAQUITA_ASSIGN_OR_RETURN(const auto status, cluster_.Status());
  std::vector<std::string> servers;
  for (const ServerMetrics& server : status->servers) {
    const bool has = std::any_of(server.regions.begin(), server.regions.end(),
                                 [&](const RegionMetrics& region) { return region.info.table == table; });
    if (has) servers.push_back(server.server_name);
  }
  if (servers.empty()) return absl::NotFoundError("no server has regions of table " + table.ToString());
  return servers;
}

absl::StatusOr<std::string> ClusterGatherer::TablesJson() const {
  VAQUITA_ASSIGN_OR_RETURN(const auto status, cluster_.Status());
  std::vector<std::string> servers;
  for (const ServerMetrics& server : status->servers) servers.push_back(server.server_name);
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<std::string> answers, AskAll(servers, "/console/v1/tables"));
  std::set<std::string> tables;
  for (const std::string& answer : answers) {
    VAQUITA_ASSIGN_OR_RETURN(const std::vector<std::string> of_server, ReadTablesJson(answer));
    tables.insert(of_server.begin(), of_server.end());
  }
  return JsonText({{"version", 1}, {"tables", tables}});
}

// Asks for times, in place of "the last minute", so that all servers have the same columns.
absl::StatusOr<std::string> ClusterGatherer::HeatJson(std::string_view query, int64_t now_ms) const {
  VAQUITA_ASSIGN_OR_RETURN(const HeatRequest request, ParseHeatRequest(query, now_ms));
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<std::string> servers, ServersOf(request.table));
  const HeatQuery& wanted = request.query;
  const std::string path = absl::StrCat(
      "/console/v1/heat?table=", Encoded(request.table.ToString()), "&metric=", AbslText(MetricText(request.metric)),
      "&from=", wanted.from_ms, "&to=", wanted.to_ms,
      "&rows=", std::max(kFewestRows, wanted.most_rows / servers.size()), "&columns=", wanted.most_columns,
      "&start=", Encoded(ToStringBinary(wanted.start_key)), "&end=", Encoded(ToStringBinary(wanted.end_key)));
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<std::string> answers, AskAll(servers, path));
  std::vector<HeatPicture> pictures;
  for (const std::string& answer : answers) {
    VAQUITA_ASSIGN_OR_RETURN(HeatPicture picture, ReadHeatJson(answer, request.metric));
    pictures.push_back(std::move(picture));
  }
  return vaquita::HeatJson(request, JoinPictures(std::move(pictures)), now_ms);
}

absl::StatusOr<std::string> ClusterGatherer::RowsJson(std::string_view query) const {
  VAQUITA_ASSIGN_OR_RETURN(Parameters parameters, Parameters::Parse(query));
  VAQUITA_ASSIGN_OR_RETURN(const TableName table, parameters.TakeTable());
  const std::string first =
      std::max(FromStringBinary(parameters.Take("prefix")), FromStringBinary(parameters.Take("start")));
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<AssignedRegion> regions, cluster_.Regions(table));
  for (const AssignedRegion& region : regions) {
    if (region.info.start_key > first || (!region.info.end_key.empty() && region.info.end_key <= first)) continue;
    return source_.ask_server(region.server_name, "/console/v1/rows?" + std::string(query));
  }
  return absl::NotFoundError("table " + table.ToString() + " has no region with row \"" + ToStringBinary(first) + "\"");
}

absl::StatusOr<std::string> ClusterGatherer::RegionJson(const std::string& server, const std::string& region) const {
  return source_.ask_server(server, "/console/v1/region?region=" + Encoded(region));
}

Json ClusterGatherer::Events(const std::string& table, int64_t from_ms) const {
  Json events = Json::array();
  const auto status = cluster_.Status();
  if (!status.ok()) return events;
  std::vector<std::string> servers;
  for (const ServerMetrics& server : (*status)->servers) servers.push_back(server.server_name);
  const auto answers = AskAll(servers, absl::StrCat("/console/v1/events?table=", Encoded(table), "&from=", from_ms));
  if (!answers.ok()) return events;
  for (const std::string& answer : *answers) {
    const auto of_server = ReadEventsJson(answer);
    if (of_server.ok()) events.insert(events.end(), of_server->begin(), of_server->end());
  }
  return events;
}

}  // namespace vaquita
