#include "console/cluster_json.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/json_value.h"
#include "base/status.h"
#include "console/json_text.h"
#include "console/parameters.h"
#include "server/regionserver/region_server.h"

namespace vaquita {
namespace {

constexpr int64_t kPage = 100;
constexpr int64_t kMostPerPage = 1000;
// The boxes of a server that has more regions would be too small to be seen.
constexpr size_t kMostBoxes = 500;

struct Page {
  int64_t offset = 0;
  int64_t limit = kPage;
};

absl::StatusOr<Page> TakePage(Parameters* parameters) {
  Page page;
  VAQUITA_RETURN_IF_ERROR(parameters->TakeNumber("offset", 0, 1'000'000'000, &page.offset));
  VAQUITA_RETURN_IF_ERROR(parameters->TakeNumber("limit", 1, kMostPerPage, &page.limit));
  return page;
}

// The sums over a table's or server's regions.
struct Load {
  int64_t regions = 0, reads = 0, writes = 0, store_files = 0, store_file_bytes = 0, memstore_bytes = 0;

  void Add(const RegionMetrics& region) {
    ++regions;
    reads += region.read_requests;
    writes += region.write_requests;
    store_files += region.store_files;
    store_file_bytes += region.store_file_bytes;
    memstore_bytes += region.memstore_bytes;
  }
  void AppendTo(Json* json) const {
    (*json)["open_regions"] = regions;
    (*json)["reads"] = reads;
    (*json)["writes"] = writes;
    (*json)["store_files"] = store_files;
    (*json)["store_file_bytes"] = store_file_bytes;
    (*json)["memstore_bytes"] = memstore_bytes;
  }
};

Json OptionsJson(const std::vector<std::pair<std::string, std::string>>& options) {
  Json json = Json::array();
  for (const auto& [name, value] : options) json.push_back({name, value});
  return json;
}

Json ServerJson(const ServerMetrics& server) {
  Load load;
  for (const RegionMetrics& region : server.regions) load.Add(region);
  Json json = {{"name", server.server_name},
               {"start", server.start_ms},
               {"requests", server.requests},
               {"memory_bytes", server.memory_bytes}};
  load.AppendTo(&json);
  return json;
}

// Adds the servers whose regions are being recovered, and the regions on their way.
void AddRecovery(const MasterMetrics& master, Json* json) {
  (*json)["recovering_servers"] = Json::array();
  for (const MasterMetrics::Server& server : master.servers) {
    if (!server.live) (*json)["recovering_servers"].push_back(server.name);
  }
  (*json)["transitions"] = Json::array();
  for (const MasterMetrics::Transition& region : master.transitions) {
    (*json)["transitions"].push_back({{"name", region.info.EncodedName()},
                                      {"table", region.info.table.ToString()},
                                      {"start", BytesJson(region.info.start_key)},
                                      {"state", RegionStateName(region.state)},
                                      {"server", region.server},
                                      {"for_ms", region.for_ms}});
  }
}

// A region, and where it is open.
struct OpenRegion {
  const RegionMetrics* metrics = nullptr;
  const std::string* server = nullptr;
};

bool IsCompacting(const RegionMetrics& region) {
  return std::any_of(region.stores.begin(), region.stores.end(),
                     [](const RegionMetrics::NamedStore& store) { return store.metrics.compacting; });
}

Json RegionRow(const AssignedRegion& region, const RegionMetrics* metrics) {
  Json json = {{"name", region.info.EncodedName()},
               {"start", BytesJson(region.info.start_key)},
               {"end", BytesJson(region.info.end_key)},
               {"state", RegionStateName(region.state)},
               {"server", region.server_name}};
  if (metrics == nullptr) return json;
  Load load;
  load.Add(*metrics);
  load.AppendTo(&json);
  json["compacting"] = IsCompacting(*metrics);
  return json;
}

Json StoreJson(const RegionMetrics::NamedStore& store) {
  const StoreMetrics& metrics = store.metrics;
  return {{"family", store.family},
          {"memstore_bytes", metrics.memstore_bytes},
          {"memstore_cells", metrics.memstore_cells},
          {"store_files", metrics.store_files},
          {"store_file_bytes", metrics.store_file_bytes},
          {"flushes", metrics.flushes},
          {"flushed_bytes", metrics.flushed_bytes},
          {"minor_compactions", metrics.minor_compactions},
          {"major_compactions", metrics.major_compactions},
          {"compacted_bytes_read", metrics.compacted_bytes_read},
          {"compacted_bytes_written", metrics.compacted_bytes_written},
          {"last_major_compaction", metrics.last_major_compaction_ms},
          {"compacting", metrics.compacting},
          {"write_amplification", metrics.write_amplification()}};
}

Json FileJson(const StoreFileInfo& file) {
  return {{"name", file.name},
          {"bytes", file.bytes},
          {"entries", file.entries},
          {"first", BytesJson(file.first_row)},
          {"last", BytesJson(file.last_row)},
          {"reference", file.reference}};
}

OpenRegion FindOpen(const ClusterStatus& status, const std::string& name) {
  for (const ServerMetrics& server : status.servers) {
    for (const RegionMetrics& region : server.regions) {
      if (region.info.EncodedName() == name) return {&region, &server.server_name};
    }
  }
  return {};
}

Json DroppedJson(const DroppedCells& dropped) {
  return {{"markers", dropped.markers}, {"deleted", dropped.deleted}, {"versions", dropped.versions},
          {"expired", dropped.expired}, {"outside", dropped.outside}, {"skipped", dropped.skipped}};
}

// Adds what only the process that has the region open knows: how full a memstore may get, the files, and what
// compactions dropped.
void AddLocal(RegionServer* server, const std::string& name, Json* json) {
  const auto region = server->FindRegion(name);
  if (!region.ok()) return;
  const int64_t of_table = (*region)->table()->memstore_flush_bytes;
  (*json)["memstore_flush_bytes"] = of_table > 0 ? of_table : server->options().memstore_flush_bytes;
  const RegionMetrics metrics = (*region)->Metrics();
  for (Json& store : (*json)["stores"]) {
    const auto family = store["family"].get<std::string>();
    for (const RegionMetrics::NamedStore& known : metrics.stores) {
      if (known.family == family) store["dropped"] = DroppedJson(known.metrics.dropped);
    }
    const auto files = (*region)->StoreFiles(family);
    if (!files.ok()) continue;
    store["files"] = Json::array();
    for (const StoreFileInfo& file : *files) store["files"].push_back(FileJson(file));
  }
}

}  // namespace

absl::StatusOr<std::string> ClusterJson(ClusterReader* cluster, std::string_view query, int64_t now_ms) {
  VAQUITA_ASSIGN_OR_RETURN(Parameters parameters, Parameters::Parse(query));
  VAQUITA_ASSIGN_OR_RETURN(const Page page, TakePage(&parameters));
  VAQUITA_RETURN_IF_ERROR(parameters.CheckAllTaken("offset, limit"));
  VAQUITA_ASSIGN_OR_RETURN(const auto status, cluster->Status());
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<TableSummary> tables, cluster->Tables());
  std::map<TableName, Load> loads;
  for (const ServerMetrics& server : status->servers) {
    for (const RegionMetrics& region : server.regions) loads[region.info.table].Add(region);
  }
  Json json = {{"version", 1},
               {"now", now_ms},
               {"whole_cluster", cluster->has_master()},
               {"tables_total", tables.size()},
               {"tables", Json::array()}};
  for (size_t at = page.offset; at < tables.size() && json["tables"].size() < static_cast<size_t>(page.limit); ++at) {
    const TableSummary& table = tables[at];
    Json row = {{"name", table.name.ToString()}, {"state", TableStateName(table.state)}, {"families", Json::array()}};
    for (const auto& [family, descriptor] : table.descriptor->families) row["families"].push_back(family);
    loads[table.name].AppendTo(&row);
    json["tables"].push_back(std::move(row));
  }
  return JsonText(json);
}

absl::StatusOr<std::string> TableJson(ClusterReader* cluster, std::string_view query, int64_t now_ms) {
  VAQUITA_ASSIGN_OR_RETURN(Parameters parameters, Parameters::Parse(query));
  VAQUITA_ASSIGN_OR_RETURN(const TableName name, parameters.TakeTable());
  VAQUITA_ASSIGN_OR_RETURN(const Page page, TakePage(&parameters));
  VAQUITA_RETURN_IF_ERROR(parameters.CheckAllTaken("table, offset, limit"));
  TableView view{.offset = page.offset, .limit = page.limit};
  VAQUITA_ASSIGN_OR_RETURN(view.table, cluster->Table(name));
  VAQUITA_ASSIGN_OR_RETURN(view.regions, cluster->Regions(name));
  VAQUITA_ASSIGN_OR_RETURN(view.status, cluster->Status());
  return TableViewJson(view, now_ms);
}

std::string TableViewJson(const TableView& view, int64_t now_ms) {
  const TableName& name = view.table.name;
  Json json = {{"version", 1},
               {"now", now_ms},
               {"table", name.ToString()},
               {"state", TableStateName(view.table.state)},
               {"options", OptionsJson(view.table.descriptor->Options())},
               {"families", Json::array()}};
  for (const auto& [family, descriptor] : view.table.descriptor->families) {
    json["families"].push_back({{"name", family}, {"options", OptionsJson(descriptor.Options())}});
  }
  // Regions are found by their start keys: making the hash of a name costs more than all the rest.
  std::unordered_map<std::string_view, const RegionMetrics*> open;
  for (const ServerMetrics& server : view.status->servers) {
    for (const RegionMetrics& region : server.regions) {
      if (region.info.table == name) open[region.info.start_key] = &region;
    }
  }
  json["regions_total"] = view.regions.size();
  json["offset"] = view.offset;
  json["regions"] = Json::array();
  const size_t end = std::min<size_t>(view.regions.size(), view.offset + view.limit);
  for (size_t at = view.offset; at < end; ++at) {
    const AssignedRegion& region = view.regions[at];
    const auto found = open.find(region.info.start_key);
    const bool is_it = found != open.end() && found->second->info.id == region.info.id;
    json["regions"].push_back(RegionRow(region, is_it ? found->second : nullptr));
  }
  return JsonText(json);
}

absl::StatusOr<std::string> ServersJson(ClusterReader* cluster, std::string_view query, int64_t now_ms) {
  VAQUITA_ASSIGN_OR_RETURN(const Parameters parameters, Parameters::Parse(query));
  VAQUITA_RETURN_IF_ERROR(parameters.CheckAllTaken("none"));
  VAQUITA_ASSIGN_OR_RETURN(const auto status, cluster->Status());
  Json json = {{"version", 1},
               {"now", now_ms},
               {"whole_cluster", cluster->has_master()},
               {"master", status->master},
               {"backup_masters", status->backup_masters},
               {"dead_servers", status->dead_servers},
               {"regions_in_transition", status->regions_in_transition},
               {"balancer_on", status->balancer_on}};
  if (cluster->has_master()) {
    VAQUITA_ASSIGN_OR_RETURN(const MasterMetrics master, cluster->OfMaster());
    AddRecovery(master, &json);
  }
  std::map<TableName, size_t> places;
  json["tables"] = Json::array();
  json["servers"] = Json::array();
  for (const ServerMetrics& server : status->servers) {
    Json row = ServerJson(server);
    row["regions"] = Json::array();
    for (const RegionMetrics& region : server.regions) {
      if (row["regions"].size() >= kMostBoxes) break;
      const auto [place, is_new] = places.emplace(region.info.table, places.size());
      if (is_new) json["tables"].push_back(region.info.table.ToString());
      row["regions"].push_back({{"name", region.info.EncodedName()},
                                {"table", place->second},
                                {"start", BytesJson(region.info.start_key)},
                                {"requests", region.read_requests + region.write_requests},
                                {"bytes", region.store_file_bytes + region.memstore_bytes}});
    }
    json["servers"].push_back(std::move(row));
  }
  return JsonText(json);
}

absl::StatusOr<std::string> RegionJson(ClusterReader* cluster, const ConsoleSource& source,
                                       const ClusterGatherer* gatherer, std::string_view query, int64_t now_ms) {
  VAQUITA_ASSIGN_OR_RETURN(Parameters parameters, Parameters::Parse(query));
  const std::string name = parameters.Take("region");
  if (name.empty()) return absl::InvalidArgumentError("parameter region is missing: the region's encoded name");
  VAQUITA_RETURN_IF_ERROR(parameters.CheckAllTaken("region"));
  VAQUITA_ASSIGN_OR_RETURN(const auto status, cluster->Status());
  const OpenRegion found = FindOpen(*status, name);
  if (found.metrics == nullptr) return absl::NotFoundError("no server has a region \"" + name + "\" open");
  if (gatherer->can_ask()) {
    // Without an answer of its server the master still knows the region's sums.
    if (auto of_server = gatherer->RegionJson(*found.server, name); of_server.ok()) return of_server;
  }
  const RegionMetrics& region = *found.metrics;
  Json json = {{"version", 1},
               {"now", now_ms},
               {"name", name},
               {"table", region.info.table.ToString()},
               {"start", BytesJson(region.info.start_key)},
               {"end", BytesJson(region.info.end_key)},
               {"server", *found.server},
               {"reads", region.read_requests},
               {"writes", region.write_requests},
               {"stores", Json::array()}};
  for (const RegionMetrics::NamedStore& store : region.stores) json["stores"].push_back(StoreJson(store));
  if (source.with_region_server != nullptr) {
    VAQUITA_RETURN_IF_ERROR(source.with_region_server([&](RegionServer* server) {
      AddLocal(server, name, &json);
      return absl::OkStatus();
    }));
  }
  return JsonText(json);
}

}  // namespace vaquita
