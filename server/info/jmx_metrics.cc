#include "server/info/jmx_metrics.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <thread>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/clock.h"
#include "base/host_name.h"
#include "base/memory.h"
#include "server/info/process_metrics.h"
#include "server/info/region_sums.h"

namespace vaquita {
namespace {

void BeginBean(std::string_view role, std::string_view sub, JmxBeans* beans) {
  beans->BeginHBase(std::string(role) + ",sub=" + std::string(sub));
  beans->Text("tag.Context", absl::AsciiStrToLower(std::string(role)));
  beans->Text("tag.Hostname", MachineName());
}

std::string PrefixOf(const TableName& table) {
  return absl::StrCat("Namespace_", table.ns, "_table_", table.qualifier);
}

void AppendRegions(const std::vector<RegionMetrics>& regions, JmxBeans* beans) {
  BeginBean("RegionServer", "Regions", beans);
  for (const RegionMetrics& region : regions) {
    int64_t compactions = 0, failed = 0, bytes = 0;
    for (const RegionMetrics::NamedStore& store : region.stores) {
      compactions += store.metrics.minor_compactions + store.metrics.major_compactions;
      failed += store.metrics.failed_compactions;
      bytes += store.metrics.compacted_bytes_read;
    }
    const std::string prefix =
        absl::StrCat(PrefixOf(region.info.table), "_region_", region.info.EncodedName(), "_metric_");
    const std::pair<const char*, int64_t> figures[] = {{"storeCount", static_cast<int64_t>(region.stores.size())},
                                                       {"storeFileCount", region.store_files},
                                                       {"storeFileSize", region.store_file_bytes},
                                                       {"memStoreSize", region.memstore_bytes},
                                                       {"readRequestCount", region.read_requests},
                                                       {"filteredReadRequestCount", region.filtered_read_requests},
                                                       {"writeRequestCount", region.write_requests},
                                                       {"compactionsCompletedCount", compactions},
                                                       {"compactionsFailedCount", failed},
                                                       {"numBytesCompactedCount", bytes},
                                                       {"replicaid", region.info.replica_id}};
    for (const auto& [name, value] : figures) beans->Number(prefix + name, value);
  }
}

void AppendTables(const std::vector<RegionMetrics>& regions, JmxBeans* beans) {
  std::map<std::string, RegionSums> tables;
  for (const RegionMetrics& region : regions) tables[PrefixOf(region.info.table)].Add(region);
  BeginBean("RegionServer", "Tables", beans);
  beans->Number("numTables", static_cast<int64_t>(tables.size()));
  for (const auto& [prefix, sums] : tables) {
    const std::pair<const char*, int64_t> figures[] = {{"readRequestCount", sums.read_requests},
                                                       {"filteredReadRequestCount", sums.filtered_read_requests},
                                                       {"writeRequestCount", sums.write_requests},
                                                       {"totalRequestCount", sums.read_requests + sums.write_requests},
                                                       {"memStoreSize", sums.memstore_bytes},
                                                       {"storeFileCount", sums.store_files},
                                                       {"storeFileSize", sums.store_file_bytes},
                                                       {"tableSize", sums.store_file_bytes + sums.memstore_bytes},
                                                       {"averageRegionSize", sums.average_bytes()},
                                                       {"regionCount", sums.regions},
                                                       {"storeCount", sums.stores}};
    for (const auto& [name, value] : figures) beans->Number(prefix + "_metric_" + name, value);
  }
}

void AppendServer(const RegionServerState& state, std::string_view cluster_id, JmxBeans* beans) {
  RegionSums sums;
  for (const RegionMetrics& region : state.server.regions) sums.Add(region);
  const StoreDbMetrics& stores = state.totals.stores;
  BeginBean("RegionServer", "Server", beans);
  beans->Text("tag.serverName", state.server.server_name);
  if (!cluster_id.empty()) beans->Text("tag.clusterId", cluster_id);
  beans->Real("percentFilesLocal", 100);  // all files are this machine's
  const std::pair<const char*, int64_t> figures[] = {
      {"regionCount", sums.regions},
      {"storeCount", sums.stores},
      {"storeFileCount", sums.store_files},
      {"storeFileSize", sums.store_file_bytes},
      {"memStoreSize", sums.memstore_bytes},
      {"averageRegionSize", sums.average_bytes()},
      {"regionServerStartTime", state.server.start_ms},
      {"totalRequestCount", state.server.requests},
      {"readRequestCount", state.totals.read_requests},
      {"filteredReadRequestCount", state.totals.filtered_read_requests},
      {"writeRequestCount", state.totals.write_requests},
      {"activeScanners", state.open_scanners},
      {"blockCacheSize", stores.block_cache_bytes},
      {"blockCacheFreeSize", std::max<int64_t>(stores.block_cache_capacity_bytes - stores.block_cache_bytes, 0)},
      {"FlushTime_num_ops", stores.flushes},
      {"flushedOutputBytes", stores.flushed_bytes},
      {"CompactionTime_num_ops", stores.minor_compactions + stores.major_compactions},
      {"MajorCompactionTime_num_ops", stores.major_compactions},
      {"compactedInputBytes", stores.compacted_bytes_read},
      {"compactedOutputBytes", stores.compacted_bytes_written}};
  for (const auto& [name, value] : figures) beans->Number(name, value);
}

constexpr double kMegabyte = 1 << 20;

}  // namespace

void AppendRegionServerBeans(const RegionServerState& state, std::string_view cluster_id, JmxBeans* beans) {
  AppendServer(state, cluster_id, beans);
  AppendRegions(state.server.regions, beans);
  AppendTables(state.server.regions, beans);
  BeginBean("RegionServer", "WAL", beans);
  beans->Number("appendCount", state.totals.stores.log_writes);
  beans->Number("writtenBytes", state.totals.stores.log_written_bytes);
  beans->Number("SyncTime_num_ops", state.totals.stores.log_syncs);
}

void AppendMasterBeans(const MasterMetrics& metrics, const ClusterStatus& status, JmxBeans* beans) {
  std::vector<std::string> live, dead, draining;
  for (const MasterMetrics::Server& server : metrics.servers) {
    (server.live ? live : dead).push_back(server.name);
    if (server.draining) draining.push_back(server.name);
  }
  int64_t requests = 0, open_regions = 0;
  for (const ServerMetrics& server : status.servers) requests += server.requests;
  for (const auto& [place, count] : metrics.regions) {
    const bool is_live = std::find(live.begin(), live.end(), place.first) != live.end();
    if (is_live && place.second == RegionState::kOpen) open_regions += count;
  }
  BeginBean("Master", "Server", beans);
  beans->Text("tag.liveRegionServers", absl::StrJoin(live, ";"));
  beans->Text("tag.deadRegionServers", absl::StrJoin(dead, ";"));
  beans->Text("tag.drainingRegionServers", absl::StrJoin(draining, ";"));
  beans->Text("tag.serverName", status.master);
  beans->Text("tag.clusterId", status.cluster_id);
  beans->Text("tag.isActiveMaster", "true");
  beans->Real("averageLoad", static_cast<double>(open_regions) / static_cast<double>(std::max<size_t>(live.size(), 1)));
  beans->Number("numRegionServers", static_cast<int64_t>(live.size()));
  beans->Number("numDeadRegionServers", static_cast<int64_t>(dead.size()));
  beans->Number("numDrainingRegionServers", static_cast<int64_t>(draining.size()));
  beans->Number("clusterRequests", requests);
  beans->Number("splitPlanCount", metrics.normalizer.splits);
  beans->Number("mergePlanCount", metrics.normalizer.merges);

  BeginBean("Master", "AssignmentManager", beans);
  beans->Number("ritCount", metrics.regions_in_transition);
  beans->Number("ritOldestAge", metrics.oldest_transition_ms);
  beans->Number("OpenTime_num_ops", metrics.assignment.opened);
  beans->Number("CloseTime_num_ops", metrics.assignment.closed);
  beans->Number("MoveTime_num_ops", metrics.assignment.moves);
  beans->Number("SplitTime_num_ops", metrics.assignment.splits);
  beans->Number("MergeTime_num_ops", metrics.assignment.merges);

  BeginBean("Master", "Balancer", beans);
  beans->Text("tag.isBalancerActive", metrics.balancer_on ? "true" : "false");
  beans->Number("BalancerCluster_num_ops", metrics.balancer.runs);
}

void AppendRpcBean(const RpcLoad& load, std::string_view role, JmxBeans* beans) {
  BeginBean(role, "IPC", beans);
  beans->Number("queueSize", load.call_bytes);
  beans->Number("numOpenConnections", load.connections);
  beans->Number("numCallsInGeneralQueue", load.general.waiting);
  beans->Number("numCallsInPriorityQueue", load.priority.waiting);
  beans->Number("numActiveHandler", load.general.running + load.priority.running);
  beans->Number("numActiveGeneralHandler", load.general.running);
  beans->Number("numActivePriorityHandler", load.priority.running);
}

void AppendProcessBeans(std::string_view role, JmxBeans* beans) {
  const ProcessFigures process = ReadProcessFigures();
  const double most_memory = static_cast<double>(AllowedMemoryBytes()) / kMegabyte;
  beans->BeginHBase("JvmMetrics");
  beans->Text("tag.Context", "jvm");
  beans->Text("tag.ProcessName", role);
  beans->Text("tag.Hostname", MachineName());
  beans->Real("MemHeapUsedM", static_cast<double>(process.resident_bytes) / kMegabyte);
  if (most_memory > 0) {
    beans->Real("MemHeapMaxM", most_memory);
    beans->Real("MemMaxM", most_memory);
  }

  const auto start_ms = static_cast<int64_t>(process.start_s * 1000);
  beans->Begin("java.lang:type=Runtime", "sun.management.RuntimeImpl");
  beans->Text("Name", absl::StrCat(getpid(), "@", MachineName()));
  beans->Number("StartTime", start_ms);
  beans->Number("Uptime", std::max<int64_t>(Clock::System()->NowMs() - start_ms, 0));
  beans->Number("Pid", getpid());

  beans->Begin("java.lang:type=Threading", "com.sun.management.internal.HotSpotThreadImpl");
  beans->Number("ThreadCount", process.threads);

  beans->Begin("java.lang:type=OperatingSystem", "com.sun.management.internal.OperatingSystemImpl");
  beans->Number("OpenFileDescriptorCount", process.open_files);
  beans->Number("MaxFileDescriptorCount", process.most_open_files);
  beans->Number("CommittedVirtualMemorySize", process.virtual_bytes);
  beans->Number("ProcessCpuTime", static_cast<int64_t>(process.cpu_s * 1e9));
  beans->Number("AvailableProcessors", static_cast<int64_t>(std::thread::hardware_concurrency()));
  if (double load = 0; getloadavg(&load, 1) == 1) beans->Real("SystemLoadAverage", load);
  if (utsname system{}; uname(&system) == 0) {
    beans->Text("Name", system.sysname);
    beans->Text("Version", system.release);
  }
}

}  // namespace vaquita
