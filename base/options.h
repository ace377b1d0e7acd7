// base/options.h: every setting of a Vaquita process, declared once.
//
// Names are HBase's own property names where HBase has the setting. Flags, the configuration file (hbase-site.xml's
// format), the environment, `vaquita config` and docs/configuration.md all come from `OptionRows()`; the defaults stand
// here. Threads: an Options is plain data; each layer keeps the pointer it was given, whose owner outlives it. Live
// numbers may change meanwhile (TakeOverLive), so they are read where they are used.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "base/live_number.h"

namespace vaquita {

inline constexpr int64_t kKiB = 1024;
inline constexpr int64_t kMiB = 1024 * kKiB;
inline constexpr int64_t kGiB = 1024 * kMiB;

struct Options {
  // The address to listen on. Port 0 means any free port; the bound ports are printed and written to the ready file.
  std::string bind_address = "127.0.0.1";
  bool insecure = false;  // vaquita.insecure: others than this machine may reach the ports
  std::string host_name;  // hbase.regionserver.hostname: others reach it by this; empty: by the address it is bound to
  // host:port by which clients reach a service, where that differs from its own address; empty: its own address.
  std::string advertised_zookeeper;
  std::string advertised_master;
  std::string advertised_region_server;
  std::string advertised_grpc;
  std::string advertised_master_info;
  std::string advertised_region_server_info;
  int64_t shared_port = -1;  // vaquita.port: of all protocols, beside their own ports; -1: none
  int64_t zookeeper_port = 2181;
  int64_t master_port = 16000;
  int64_t region_server_port = 16020;
  int64_t grpc_port = 16040;
  int64_t master_grpc_port = 16041;  // if the master is a process of its own
  // HTTP: metrics and health. Port -1 turns it off; an empty address means bind_address.
  int64_t master_info_port = 16010;         // hbase.master.info.port
  int64_t region_server_info_port = 16030;  // hbase.regionserver.info.port
  std::string master_info_address;
  std::string region_server_info_address;
  int64_t query_server_port = 8765;  // phoenix.queryserver.http.port; -1 turns it off
  std::string http_hosts;            // vaquita.http.hosts: further names of this machine, with commas between them
  bool key_heat = true;              // vaquita.console.heat
  bool console_write = false;        // vaquita.console.write

  // TLS (base/tls/tls_settings.h). The names are HBase's: hbase.rpc.tls.*, hbase.server.netty.tls.*.
  bool tls = false;                      // vaquita.tls.enabled: on every port
  bool tls_rpc = false;                  // hbase.server.netty.tls.enabled: on those of HBase's RPC
  bool tls_beside_plaintext = true;      // hbase.server.netty.tls.supportplaintext
  std::string tls_client_auth = "NEED";  // hbase.server.netty.tls.client.auth.mode
  bool tls_verify_client_host = true;    // hbase.server.netty.tls.verify.client.hostname
  bool tls_client = false;               // hbase.client.netty.tls.enabled: of a client's connections
  bool tls_verify_server_host = true;    // hbase.client.netty.tls.verify.server.hostname
  std::string tls_key_store;             // hbase.rpc.tls.keystore.location
  std::string tls_key_store_password;    // hbase.rpc.tls.keystore.password
  std::string tls_key_store_type;        // hbase.rpc.tls.keystore.type; empty: by the file's name
  std::string tls_trust_store;           // hbase.rpc.tls.truststore.location
  std::string tls_trust_store_password;  // hbase.rpc.tls.truststore.password
  std::string tls_trust_store_type;      // hbase.rpc.tls.truststore.type
  std::string tls_protocols;             // hbase.rpc.tls.enabledProtocols; empty: TLSv1.2 and TLSv1.3
  std::string tls_ciphers;               // hbase.rpc.tls.ciphersuites; empty: OpenSSL's
  bool tls_reload = false;               // hbase.rpc.tls.certReload

  // Users (server/access/access_control.h)
  bool authorization = false;           // hbase.security.authorization: users have rights
  bool exec_permission_checks = false;  // hbase.security.exec.permission.checks
  bool believe_names = true;            // vaquita.users.simple: a client may say who it is without a proof
  std::string superusers;               // hbase.superuser: with commas between them
  std::string token_file;               // vaquita.users.tokens

  // Kerberos (server/frontend/hbase/authentication.h)
  std::string authentication = "simple";          // hbase.security.authentication
  std::string region_server_keytab;               // hbase.regionserver.keytab.file
  std::string region_server_principal;            // hbase.regionserver.kerberos.principal
  std::string master_keytab;                      // hbase.master.keytab.file
  std::string master_principal;                   // hbase.master.kerberos.principal
  std::string rpc_protection = "authentication";  // hbase.rpc.protection
  bool simple_beside_kerberos = false;            // hbase.ipc.server.fallback-to-simple-auth-allowed
  std::string principal_rules = "DEFAULT";        // hadoop.security.auth_to_local
  int64_t delegation_token_ms = 604'800'000;      // hbase.auth.token.max.lifetime: 7 days

  // Returns whether a client is a user because it says so.
  bool names_suffice() const { return believe_names && (authentication == "simple" || simple_beside_kerberos); }

  // HBase's RPC
  int64_t handler_threads = 30;           // hbase.regionserver.handler.count
  int64_t priority_handler_threads = 20;  // hbase.regionserver.metahandler.count
  int64_t max_request_bytes = 256 * kMiB;
  int64_t max_call_queue_bytes = 1 * kGiB;
  int64_t max_row_bytes = 1 * kGiB;          // hbase.table.max.rowsize
  int64_t idle_connection_threshold = 4000;  // hbase.ipc.client.idlethreshold
  int64_t idle_connection_ms = 10'000;       // hbase.ipc.client.connection.maxidletime

  // The memory that the limits below are taken from by default; 0: the memory of the machine or the container.
  int64_t memory_bytes = 0;

  // engine
  int64_t block_cache_bytes = 256 * kMiB;
  int64_t global_memstore_bytes = 256 * kMiB;  // all regions' memstores together
  int64_t max_wal_bytes = 1 * kGiB;
  LiveNumber<int64_t> compaction_min_files = 3;
  LiveNumber<int64_t> compaction_max_files = 10;
  LiveNumber<double> compaction_ratio = 1.2;
  LiveNumber<int64_t> compaction_min_size_bytes = -1;  // -1: the region's memstore flush size
  LiveNumber<int64_t> compaction_max_size_bytes = std::numeric_limits<int64_t>::max();
  LiveNumber<int64_t> blocking_store_files = 16;
  LiveNumber<int64_t> blocking_wait_ms = 90'000;
  LiveNumber<int64_t> major_compaction_period_ms = 604'800'000;  // 7 days; 0 turns it off
  LiveNumber<double> major_compaction_jitter = 0.5;
  int64_t small_compaction_threads = 1;
  int64_t large_compaction_threads = 1;
  LiveNumber<int64_t> compaction_throttle_bytes = -1;  // -1: 2 x the most files x the memstore flush size
  int64_t flush_threads = 2;
  LiveNumber<int64_t> periodic_flush_ms = 3'600'000;  // 0 turns it off
  LiveNumber<int64_t> upkeep_tick_ms = 10'000;        // hbase.server.thread.wakefrequency
  LiveNumber<int64_t> compaction_check_ticks = 1000;  // hbase.server.compactchecker.interval.multiplier

  // region
  int64_t memstore_flush_bytes = 128 * kMiB;
  int64_t memstore_block_multiplier = 4;
  int64_t max_file_bytes = 10 * kGiB;
  std::string split_policy = "SteppingSplitPolicy";
  int64_t max_cell_bytes = 10 * kMiB;  // hbase.server.keyvalue.maxsize
  int64_t scanner_lease_ms = 60'000;
  int64_t max_scanners = 10'000;                  // open at the same time on a server
  int64_t scanner_max_result_bytes = 100 * kMiB;  // hbase.server.scanner.max.result.size
  int64_t row_lock_wait_ms = 30'000;
  bool keep_slow_calls = true;              // hbase.regionserver.slowlog.buffer.enabled
  int64_t most_slow_calls = 256;            // hbase.regionserver.slowlog.ringbuffer.size
  int64_t slow_call_ms = 10'000;            // hbase.ipc.warn.response.time; -1: no call is slow
  int64_t large_answer_bytes = 100 * kMiB;  // hbase.ipc.warn.response.size; -1: no answer is large
  std::string region_coprocessors;          // hbase.coprocessor.region.classes: of all tables
  std::string user_region_coprocessors;     // hbase.coprocessor.user.region.classes: of users' tables

  // cluster
  int64_t server_lease_ms = 3'000;     // vaquita.regionserver.lease, zookeeper.session.timeout
  int64_t servers_at_start = 1;        // hbase.master.wait.on.regionservers.mintostart
  int64_t max_clock_skew_ms = 30'000;  // hbase.master.maxclockskew

  // balancer
  int64_t balancer_period_ms = 300'000;  // hbase.balancer.period
  std::string balancer_class = "StochasticLoadBalancer";
  bool balance_by_table = false;
  LiveNumber<double> regions_slop = 0.2;
  LiveNumber<int64_t> max_balancing_ms = -1;  // hbase.balancer.max.balancing; -1: the period
  // hbase.master.balancer.stochastic.*
  LiveNumber<double> region_count_cost = 500;
  LiveNumber<double> table_skew_cost = 35;
  LiveNumber<double> move_cost = 7;
  LiveNumber<double> read_request_cost = 5;
  LiveNumber<double> write_request_cost = 5;
  LiveNumber<double> memstore_size_cost = 5;
  LiveNumber<double> store_file_size_cost = 5;
  LiveNumber<double> locality_cost = 25;
  LiveNumber<double> rack_locality_cost = 15;
  LiveNumber<double> max_move_percent = 1.0;
  LiveNumber<double> min_cost_need_balance = 0.025;
  LiveNumber<int64_t> balancer_steps_per_region = 800;
  LiveNumber<int64_t> balancer_max_steps = 1'000'000;
  bool balancer_run_max_steps = false;
  LiveNumber<double> hotspot_ratio = 1.5;
  LiveNumber<double> hotspot_requests = 1'000;
  bool keep_balancer_decisions = true;                 // hbase.master.balancer.decision.buffer.enabled
  LiveNumber<int64_t> most_balancer_decisions = 250;   // hbase.master.balancer.decision.queue.size
  bool keep_balancer_rejections = true;                // hbase.master.balancer.rejection.buffer.enabled
  LiveNumber<int64_t> most_balancer_rejections = 250;  // hbase.master.balancer.rejection.queue.size

  // normalizer
  int64_t normalizer_period_ms = 300'000;
  bool normalize_tables = false;  // applies to tables that do not set it
  bool normalizer_splits = true;
  bool normalizer_merges = true;
  LiveNumber<int64_t> normalizer_min_regions = 3;
  LiveNumber<int64_t> normalizer_min_age_days = 3;
  LiveNumber<int64_t> normalizer_min_size_mb = 1;
  LiveNumber<int64_t> normalizer_most_merged = 100;
  LiveNumber<int64_t> normalizer_plans_mb = std::numeric_limits<int64_t>::max();

  // master
  bool table_sanity_checks = true;           // unless the table itself says otherwise
  bool ignore_unknown_coprocessors = false;  // vaquita.coprocessors.ignore.unknown
  int64_t max_table_families = 256;
  int64_t max_table_regions = 100'000;             // at the table's creation
  int64_t snapshot_ttl_s = 0;                      // for snapshots that are taken without one; 0: for ever
  int64_t snapshot_cleaner_period_ms = 1'800'000;  // 30 minutes
  bool quotas = false;                             // hbase.quota.enabled
};

// Sets every port to 0, any free port: for tests, and for several servers on one machine.
void UseFreePorts(Options* options);

// Lowers the limits of memory whose defaults would be too much for a process that may use `memory_bytes`: memstores to
// 30% of it, waiting requests to 20%, the block cache to 15%. 0 changes nothing.
void FitMemory(int64_t memory_bytes, Options* options);

// One setting: its property name, field, unit, meaning and bounds.
struct OptionRow {
  std::string_view name;  // HBase's property name, or vaquita.*
  std::variant<int64_t Options::*, double Options::*, bool Options::*, std::string Options::*,
               LiveNumber<int64_t> Options::*, LiveNumber<double> Options::*>
      field;
  std::string_view unit;     // "bytes", "ms", "files", ... ; empty for names and switches
  std::string_view meaning;  // one sentence
  double least = 0;          // numbers only
  double most = 0;
};

// Returns every row, in the order in which `vaquita config` prints them.
const std::vector<OptionRow>& OptionRows();

// Sets the option called `name` from text. Returns NotFound if the name is unknown; InvalidArgument, naming the option,
// the value and what would be right, if the value is malformed or out of range.
absl::Status SetOption(std::string_view name, std::string_view value, Options* options);

// Returns the option's value as text, as SetOption reads it.
std::string OptionText(const OptionRow& row, const Options& options);

// Returns whether the option may change while a server runs.
bool IsLive(const OptionRow& row);
// Takes over the live options of `read` that differ. Returns the names of the other options that differ, which need a
// restart.
std::vector<std::string> TakeOverLive(const Options& read, Options* options);

}  // namespace vaquita
