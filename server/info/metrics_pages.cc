#include "server/info/metrics_pages.h"

#include <array>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "server/control/server_lease.h"
#include "server/info/prometheus_text.h"
#include "server/info/region_sums.h"
#include "server/master/master_metrics.h"

namespace vaquita {
namespace {

double Seconds(int64_t ms) { return static_cast<double>(ms) / 1000; }
double Number(int64_t value) { return static_cast<double>(value); }

// --- A region server.

RegionSums SumsOf(const ServerMetrics& server) {
  RegionSums sums;
  for (const RegionMetrics& region : server.regions) sums.Add(region);
  return sums;
}

void AppendStoreWork(const StoreDbMetrics& stores, PrometheusText* text) {
  text->Counter("vaquita_regionserver_flushes_total", "Flushes of stores.", Number(stores.flushes));
  text->Counter("vaquita_regionserver_flushed_bytes_total", "Bytes that flushes wrote.", Number(stores.flushed_bytes));
  text->Counter("vaquita_regionserver_compactions_total", "Compactions of stores.");
  text->Sample({{"kind", "minor"}}, Number(stores.minor_compactions));
  text->Sample({{"kind", "major"}}, Number(stores.major_compactions));
  text->Counter("vaquita_regionserver_failed_compactions_total", "Compactions that were given up with an error.",
                Number(stores.failed_compactions));
  text->Counter("vaquita_regionserver_compaction_read_bytes_total", "Bytes that compactions read.",
                Number(stores.compacted_bytes_read));
  text->Counter("vaquita_regionserver_compaction_written_bytes_total", "Bytes that compactions wrote.",
                Number(stores.compacted_bytes_written));
  text->Gauge("vaquita_regionserver_block_cache_bytes", "Bytes of blocks in the cache.",
              Number(stores.block_cache_bytes));
  text->Gauge("vaquita_regionserver_block_cache_limit_bytes", "The cache's size.",
              Number(stores.block_cache_capacity_bytes));
  text->Counter("vaquita_regionserver_log_writes_total", "Writes to the log.", Number(stores.log_writes));
  text->Counter("vaquita_regionserver_log_written_bytes_total", "Bytes written to the log.",
                Number(stores.log_written_bytes));
  text->Counter("vaquita_regionserver_log_syncs_total", "Syncs of the log.", Number(stores.log_syncs));
}

// --- Each region.

struct RegionFamily {
  std::string_view name;
  std::string_view help;
  bool counter;
  int64_t RegionMetrics::*value;
};
constexpr RegionFamily kRegionFamilies[] = {
    {"vaquita_region_read_requests_total", "Rows read.", true, &RegionMetrics::read_requests},
    {"vaquita_region_write_requests_total", "Mutations.", true, &RegionMetrics::write_requests},
    {"vaquita_region_filtered_read_requests_total", "Rows read that a filter left out.", true,
     &RegionMetrics::filtered_read_requests},
    {"vaquita_region_store_files", "Store files.", false, &RegionMetrics::store_files},
    {"vaquita_region_store_file_bytes", "Bytes of store files.", false, &RegionMetrics::store_file_bytes},
    {"vaquita_region_memstore_bytes", "Bytes in memstores.", false, &RegionMetrics::memstore_bytes}};

// --- The master.

void AppendServers(const MasterMetrics& metrics, PrometheusText* text) {
  int64_t live = 0, dead = 0, draining = 0;
  for (const MasterMetrics::Server& server : metrics.servers) {
    ++(server.live ? live : dead);
    draining += server.draining ? 1 : 0;
  }
  text->Gauge("vaquita_master_region_servers", "Region servers that live, or are dead and being recovered.");
  text->Sample({{"state", "live"}}, Number(live));
  text->Sample({{"state", "dead"}}, Number(dead));
  text->Gauge("vaquita_master_draining_region_servers", "Region servers that are decommissioned.", Number(draining));
  text->Gauge("vaquita_master_region_server_heartbeat_age_seconds", "Since the last report of a server that lives.");
  for (const MasterMetrics::Server& server : metrics.servers) {
    if (server.live) text->Sample({{"server", server.name}}, Seconds(server.heartbeat_age_ms));
  }
}

void AppendAssignment(const MasterMetrics& metrics, PrometheusText* text) {
  text->Gauge("vaquita_master_regions", "Regions in hbase:meta, by the server that has them and their state.");
  for (const auto& [place, count] : metrics.regions) {
    text->Sample({{"server", place.first}, {"state", RegionStateName(place.second)}}, Number(count));
  }
  text->Gauge("vaquita_master_unreadable_meta_rows", "Rows of hbase:meta that the master's start passed over.",
              Number(metrics.unreadable_meta_rows));
  text->Gauge("vaquita_master_regions_in_transition",
              "Regions that are opening, closing, moving, splitting or merging.",
              Number(metrics.regions_in_transition));
  text->Gauge("vaquita_master_oldest_transition_seconds", "How long the oldest of them has been on its way.",
              Seconds(metrics.oldest_transition_ms));
  const AssignmentCounters& counters = metrics.assignment;
  text->Counter("vaquita_master_regions_opened_total", "Openings of regions.", Number(counters.opened));
  text->Counter("vaquita_master_regions_closed_total", "Closings of regions.", Number(counters.closed));
  text->Counter("vaquita_master_region_moves_total", "Moves that were asked for, and are done.",
                Number(counters.moves));
  text->Counter("vaquita_master_region_splits_total", "Splits.", Number(counters.splits));
  text->Counter("vaquita_master_region_merges_total", "Merges.", Number(counters.merges));
  text->Counter("vaquita_master_assignment_failures_total", "Steps of assignments that a server refused.",
                Number(counters.failed_steps));
  text->Counter("vaquita_master_adoptions_total", "Region servers that took over the folder of their earlier life.",
                Number(counters.adoptions));
  text->Summary("vaquita_master_recovery_seconds",
                "Recoveries of dead servers, from the command to the last region's handoff.", counters.recoveries,
                Seconds(counters.recovery_ms));
}

void AppendBalancer(const MasterMetrics& metrics, PrometheusText* text) {
  const BalancerCounters& counters = metrics.balancer;
  text->Gauge("vaquita_master_balancer_on", "Whether the balancer may run.", metrics.balancer_on ? 1 : 0);
  text->Summary("vaquita_master_balancer_run_seconds", "Runs of the balancer, with their moves.", counters.runs,
                Seconds(counters.run_ms));
  text->Counter("vaquita_master_balancer_moves_total", "The balancer's moves.");
  text->Sample({{"outcome", "done"}}, Number(counters.moves));
  text->Sample({{"outcome", "failed"}}, Number(counters.failed_moves));
  text->Counter("vaquita_master_balancer_skips_total", "When the balancer was to run, and what kept it from that.");
  for (size_t i = 1; i < counters.skips.size(); ++i) {
    text->Sample({{"reason", balancer::BalancerObstacleName(static_cast<balancer::BalancerObstacle>(i))}},
                 Number(counters.skips[i]));
  }
}

void AppendNormalizer(const MasterMetrics& metrics, PrometheusText* text) {
  const NormalizerCounters& counters = metrics.normalizer;
  text->Gauge("vaquita_master_normalizer_on", "Whether the normalizer may run.", metrics.normalizer_on ? 1 : 0);
  text->Counter("vaquita_master_normalizer_runs_total", "Runs of the normalizer.", Number(counters.runs));
  text->Counter("vaquita_master_normalizer_plans_total",
                "Splits and merges that the normalizer asked for, by outcome.");
  text->Sample({{"plan", "split"}}, Number(counters.splits));
  text->Sample({{"plan", "merge"}}, Number(counters.merges));
  text->Sample({{"plan", "refused"}}, Number(counters.refused));
  text->Counter("vaquita_master_normalizer_skips_total", "When the normalizer was to run, and what kept it from that.");
  text->Sample({{"reason", "switched_off"}}, Number(counters.skips_switched_off));
  text->Sample({{"reason", "regions_in_transition"}}, Number(counters.skips_in_transition));
}

}  // namespace

RegionServerState StateOf(const RegionServer& server, const ServerLease* lease) {
  RegionServerState state{.server = server.Metrics(),
                          .totals = server.Totals(),
                          .trouble = server.Trouble(),
                          .open_scanners = server.OpenScannerCount(),
                          .memstore_limit_bytes = server.options().global_memstore_bytes,
                          .writes_work = server.Writes().why.ok()};
  if (lease != nullptr) state.lease_left_ms = lease->left_ns() / 1'000'000;
  return state;
}

void AppendRegionServerMetrics(const RegionServerState& state, PrometheusText* text) {
  text->Gauge("vaquita_regionserver_info", "The server's name in the cluster; always 1.");
  text->Sample({{"server", state.server.server_name}}, 1);
  if (state.lease_left_ms.has_value()) {
    text->Gauge("vaquita_regionserver_lease_remaining_seconds",
                "For how long it may serve without another report to the master; below 0: it serves no client.",
                Seconds(*state.lease_left_ms));
  }
  text->Counter("vaquita_regionserver_requests_total", "Requests for data, each action of a batch as one.",
                Number(state.server.requests));
  text->Counter("vaquita_regionserver_read_requests_total", "Rows read.", Number(state.totals.read_requests));
  text->Counter("vaquita_regionserver_filtered_read_requests_total", "Rows read that a filter left out.",
                Number(state.totals.filtered_read_requests));
  text->Counter("vaquita_regionserver_write_requests_total", "Mutations.", Number(state.totals.write_requests));
  text->Gauge("vaquita_regionserver_open_scanners", "Scanners that clients have open.", Number(state.open_scanners));
  const RegionSums sums = SumsOf(state.server);
  text->Gauge("vaquita_regionserver_regions", "Regions that it serves.",
              Number(static_cast<int64_t>(state.server.regions.size())));
  text->Gauge("vaquita_regionserver_failed_regions", "Regions out of service: their data are damaged or missing.",
              Number(static_cast<int64_t>(state.trouble.failed_regions.size())));
  text->Counter("vaquita_regionserver_sidelined_stores_total", "Stores of no region that moved to sideline/.",
                Number(state.trouble.sidelined_stores));
  text->Gauge("vaquita_regionserver_stores", "Their stores.", Number(sums.stores));
  text->Gauge("vaquita_regionserver_store_files", "Their store files.", Number(sums.store_files));
  text->Gauge("vaquita_regionserver_store_file_bytes", "Bytes of their store files.", Number(sums.store_file_bytes));
  text->Gauge("vaquita_regionserver_memstore_bytes", "Bytes in their memstores.", Number(sums.memstore_bytes));
  text->Gauge("vaquita_regionserver_memstore_limit_bytes", "Where writes wait for flushes.",
              Number(state.memstore_limit_bytes));
  text->Gauge("vaquita_regionserver_writes_work", "Whether the server's database takes writes.",
              state.writes_work ? 1 : 0);
  text->Gauge("vaquita_regionserver_compacting_stores", "Stores that are being compacted.",
              Number(sums.compacting_stores));
  AppendStoreWork(state.totals.stores, text);
}

void AppendRegionMetrics(const std::vector<RegionMetrics>& regions, PrometheusText* text) {
  std::vector<std::pair<std::string, std::string>> names;  // table and region
  names.reserve(regions.size());
  for (const RegionMetrics& region : regions) {
    names.emplace_back(region.info.table.ToString(), region.info.EncodedName());
  }
  for (const RegionFamily& family : kRegionFamilies) {
    family.counter ? text->Counter(family.name, family.help) : text->Gauge(family.name, family.help);
    for (size_t i = 0; i < regions.size(); ++i) {
      text->Sample({{"table", names[i].first}, {"region", names[i].second}}, Number(regions[i].*family.value));
    }
  }
}

void AppendMasterMetrics(const MasterMetrics& metrics, PrometheusText* text) {
  text->Gauge("vaquita_master_initialized", "Whether the region servers of hbase:meta are there, or known to be dead.",
              metrics.initialized ? 1 : 0);
  text->Gauge("vaquita_master_writes_work", "Whether the master's database takes writes.", metrics.writes_work ? 1 : 0);
  text->Gauge("vaquita_master_epoch", "How many masters have led on this data folder.", Number(metrics.epoch));
  text->Gauge("vaquita_master_backup_masters", "Masters that wait to lead.", Number(metrics.backup_masters));
  text->Gauge("vaquita_master_running_procedures", "Administrative operations that are under way.",
              Number(metrics.running_procedures));
  text->Gauge("vaquita_master_stuck_procedures", "Administrative operations that have run for 10 s or more.",
              Number(metrics.stuck_procedures));
  text->Gauge("vaquita_master_tables", "Tables, by state.");
  for (const auto& [state, count] : metrics.tables) text->Sample({{"state", TableStateName(state)}}, Number(count));
  AppendServers(metrics, text);
  AppendAssignment(metrics, text);
  AppendBalancer(metrics, text);
  AppendNormalizer(metrics, text);
}

void AppendRpcMetrics(const RpcLoad& load, PrometheusText* text) {
  text->Gauge("vaquita_rpc_connections", "Open connections of HBase's clients.", Number(load.connections));
  text->Gauge(
      "vaquita_rpc_call_bytes",
      "Bytes of requests that were read and not yet answered by a handler, of large unfinished requests, and of "
      "answers that clients have not taken.",
      Number(load.call_bytes));
  text->Gauge("vaquita_rpc_oldest_call_seconds", "For how long the oldest of the running calls has held its handler.",
              Seconds(load.oldest_call_ms));
  constexpr std::array<std::tuple<std::string_view, std::string_view, int64_t WorkerLoad::*>, 3> kFamilies = {
      {{"vaquita_rpc_running_calls", "Calls that run on handlers.", &WorkerLoad::running},
       {"vaquita_rpc_waiting_calls", "Calls that wait for a handler.", &WorkerLoad::waiting},
       {"vaquita_rpc_handler_limit", "The most handlers.", &WorkerLoad::most}}};
  for (const auto& [name, help, value] : kFamilies) {
    text->Gauge(name, help);
    text->Sample({{"pool", "general"}}, Number(load.general.*value));
    text->Sample({{"pool", "priority"}}, Number(load.priority.*value));
  }
}

}  // namespace vaquita
