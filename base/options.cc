#include "base/options.h"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/absl_text.h"
#include "base/class_names.h"
#include "base/duration_text.h"
#include "base/host_port.h"
#include "base/real_number.h"

namespace vaquita {
namespace {

constexpr double kNoMost = static_cast<double>(std::numeric_limits<int64_t>::max());

// Returns the factor that a size's suffix stands for ("k", "KB", "KiB", ...), or 0 if it is not a suffix.
int64_t SizeFactor(std::string_view suffix) {
  if (suffix.empty()) return 1;
  const std::string_view rest = suffix.substr(1);
  if (!rest.empty() && !absl::EqualsIgnoreCase(AbslText(rest), "b") && !absl::EqualsIgnoreCase(AbslText(rest), "ib"))
    return 0;
  switch (std::tolower(static_cast<unsigned char>(suffix[0]))) {
    case 'b':
      return rest.empty() ? 1 : 0;
    case 'k':
      return kKiB;
    case 'm':
      return kMiB;
    case 'g':
      return kGiB;
    case 't':
      return 1024 * kGiB;
    default:
      return 0;
  }
}

// Reads "134217728", and where `sizes` are allowed "128m" and "128 MB" as well.
bool ParseInteger(std::string_view text, bool sizes, int64_t* number) {
  size_t digits = text.starts_with('-') ? 1 : 0;
  while (digits < text.size() && std::isdigit(static_cast<unsigned char>(text[digits]))) ++digits;
  if (!absl::SimpleAtoi(AbslText(text.substr(0, digits)), number)) return false;
  const std::string_view suffix = StdText(absl::StripLeadingAsciiWhitespace(AbslText(text.substr(digits))));
  const int64_t factor = sizes || suffix.empty() ? SizeFactor(suffix) : 0;
  return factor != 0 && !__builtin_mul_overflow(*number, factor, number);
}

std::string BoundText(double bound) { return absl::StrCat(static_cast<int64_t>(bound)); }

bool IsWhole(const OptionRow& row) {
  return std::holds_alternative<int64_t Options::*>(row.field) ||
         std::holds_alternative<LiveNumber<int64_t> Options::*>(row.field);
}

// Returns the classes that a property may name; null if it names none.
const ClassNames* ClassesOf(std::string_view property) {
  if (property == "hbase.regionserver.region.split.policy") return &SplitPolicyNames();
  return property == "hbase.master.loadbalancer.class" ? &BalancerNames() : nullptr;
}

bool NamesAHost(const OptionRow& row) {
  constexpr std::string_view kProperties[] = {"vaquita.bind.address", "hbase.regionserver.hostname",
                                              "hbase.master.info.bindAddress", "hbase.regionserver.info.bindAddress"};
  return std::ranges::find(kProperties, row.name) != std::end(kProperties);
}

// Returns the end of a refusal, such as "takes a number of bytes from 1 to 100".
std::string Expectation(const OptionRow& row) {
  if (std::holds_alternative<bool Options::*>(row.field)) return "takes true or false";
  if (const ClassNames* classes = ClassesOf(row.name)) {
    return absl::StrCat("takes one of ", absl::StrJoin(classes->names, ", "));
  }
  if (NamesAHost(row)) return "takes a host's name or an IP address";
  if (std::holds_alternative<std::string Options::*>(row.field)) return "takes a text that is not empty";
  const bool whole = IsWhole(row);
  std::string text = absl::StrCat("takes a ", whole ? "whole " : "", "number");
  if (!row.unit.empty()) absl::StrAppend(&text, " of ", AbslText(row.unit));
  if (row.unit == "bytes") absl::StrAppend(&text, ", plain or with k, m or g");
  if (row.most >= kNoMost) return absl::StrCat(text, ", at least ", BoundText(row.least));
  if (row.unit == "bytes") absl::StrAppend(&text, ",");
  return whole ? absl::StrCat(text, " from ", BoundText(row.least), " to ", BoundText(row.most))
               : absl::StrCat(text, " from ", row.least, " to ", row.most);
}

// These read `text` into the option's field, whose default is `standard`. They return false if the
// row does not allow the value.
bool Read(const OptionRow& row, std::string_view text, int64_t /*standard*/, int64_t* field) {
  int64_t number;
  if (!ParseInteger(text, row.unit == "bytes", &number)) return false;
  if (static_cast<double>(number) < row.least || static_cast<double>(number) > row.most) return false;
  // With HBase, Long.MAX_VALUE means "never"; a wait of so many milliseconds would overflow and end at once.
  *field = row.unit == "ms" ? std::min(number, kLongestMs) : number;
  return true;
}

bool Read(const OptionRow& row, std::string_view text, double /*standard*/, double* field) {
  double number;
  if (!ReadRealNumber(text, &number) || !(number >= row.least && number <= row.most)) return false;
  *field = number;
  return true;
}

bool Read(const OptionRow&, std::string_view text, bool /*standard*/, bool* field) {
  return absl::SimpleAtob(AbslText(text), field);
}

bool Read(const OptionRow& row, std::string_view text, const std::string& standard, std::string* field) {
  if (text.empty() && !standard.empty()) return false;  // empty only where that is the default
  if (const ClassNames* classes = ClassesOf(row.name); classes != nullptr && !classes->Has(text)) return false;
  if (NamesAHost(row) && !text.empty() && !IsHost(text)) return false;
  *field = std::string(text);
  return true;
}

template <typename Number>
bool Read(const OptionRow& row, std::string_view text, const LiveNumber<Number>& standard, LiveNumber<Number>* field) {
  Number number;
  if (!Read(row, text, Number(standard), &number)) return false;
  *field = number;
  return true;
}

bool Assign(const OptionRow& row, std::string_view text, Options* options) {
  return std::visit([&](auto field) { return Read(row, text, Options().*field, &(options->*field)); }, row.field);
}

std::string TextOf(int64_t value) { return absl::StrCat(value); }
std::string TextOf(double value) { return absl::StrCat(value); }
std::string TextOf(bool value) { return value ? "true" : "false"; }
std::string TextOf(const std::string& value) { return value; }

}  // namespace

void UseFreePorts(Options* options) {
  options->zookeeper_port = options->master_port = options->region_server_port = 0;
  options->grpc_port = options->master_grpc_port = 0;
  options->master_info_port = options->region_server_info_port = 0;
  options->query_server_port = 0;
}

void FitMemory(int64_t memory_bytes, Options* options) {
  if (memory_bytes <= 0) return;
  const auto lower = [memory_bytes](int64_t percent, int64_t* limit) {
    *limit = std::min(*limit, std::max(kMiB, memory_bytes / 100 * percent));
  };
  lower(30, &options->global_memstore_bytes);
  lower(20, &options->max_call_queue_bytes);
  lower(20, &options->max_request_bytes);
  lower(20, &options->max_row_bytes);
  lower(15, &options->block_cache_bytes);
}

const std::vector<OptionRow>& OptionRows() {
  using O = Options;
  static const auto* const kRows = new std::vector<OptionRow>{
      // name, field, unit, meaning, least, most
      {"vaquita.bind.address", &O::bind_address, "", "The address that every port is bound to."},
      {"vaquita.insecure", &O::insecure, "",
       "Ports may be bound to addresses that other machines reach, though the server does not have both TLS and users "
       "who prove who they are: whoever reaches a port may read or change what he should not."},
      {"hbase.regionserver.hostname", &O::host_name, "",
       "The name or address by which clients are told to reach the master and the region server; empty: the address "
       "that they are bound to, or the machine's name if that is all addresses."},
      {"vaquita.advertised.zookeeper", &O::advertised_zookeeper, "",
       "The host:port by which clients reach ZooKeeper's protocol behind a port mapping; empty: its own address."},
      {"vaquita.advertised.master", &O::advertised_master, "",
       "The host:port by which clients reach the master's RPC behind a port mapping; empty: its own address."},
      {"vaquita.advertised.regionserver", &O::advertised_region_server, "",
       "The host:port by which clients reach the region server's RPC behind a port mapping; empty: its own address."},
      {"vaquita.advertised.grpc", &O::advertised_grpc, "",
       "The host:port by which clients reach gRPC behind a port mapping; empty: its own address."},
      {"vaquita.advertised.master.info", &O::advertised_master_info, "",
       "The host:port by which clients reach the master's pages behind a port mapping; empty: its own address."},
      {"vaquita.advertised.regionserver.info", &O::advertised_region_server_info, "",
       "The same of the region server's pages."},
      {"vaquita.port", &O::shared_port, "",
       "One port for all protocols of a standalone server but that of SQL, which clients are then told for each of "
       "them; their own ports stay. 0 means any free port, -1 none.",
       -1, 65535},
      {"hbase.zookeeper.property.clientPort", &O::zookeeper_port, "",
       "The port on which clients find the cluster by ZooKeeper's protocol; 0 means any free port.", 0, 65535},
      {"hbase.master.port", &O::master_port, "", "The port of the master's RPC; 0 means any free port.", 0, 65535},
      {"hbase.regionserver.port", &O::region_server_port, "",
       "The port of the region server's RPC; 0 means any free port.", 0, 65535},
      {"vaquita.grpc.port", &O::grpc_port, "",
       "The port of the gRPC API, of a standalone server or a region server; 0 means any free port.", 0, 65535},
      {"vaquita.master.grpc.port", &O::master_grpc_port, "",
       "The port of the gRPC API of a cluster's master; 0 means any free port.", 0, 65535},
      {"hbase.master.info.port", &O::master_info_port, "",
       "The port of the master's web pages; 0 means any free port, -1 none.", -1, 65535},
      {"hbase.regionserver.info.port", &O::region_server_info_port, "",
       "The port of the region server's web pages; 0 means any free port, -1 none.", -1, 65535},
      {"hbase.master.info.bindAddress", &O::master_info_address, "",
       "The address of the master's web pages; empty: vaquita.bind.address."},
      {"hbase.regionserver.info.bindAddress", &O::region_server_info_address, "",
       "The address that the region server's pages are at; empty: vaquita.bind.address."},
      {"phoenix.queryserver.http.port", &O::query_server_port, "",
       "The port of Phoenix's query server, of a standalone server or a cluster's master; 0 means any free port, -1 "
       "none.",
       -1, 65535},
      {"vaquita.http.hosts", &O::http_hosts, "",
       "Further names, with commas between them, by which browsers may ask for pages, such as that of a proxy."},
      {"vaquita.console.heat", &O::key_heat, "",
       "Counts reads and writes by ranges of keys, for the console's heat map."},
      {"vaquita.console.write", &O::console_write, "",
       "Lets whoever reaches the console's pages change tables and rows there."},

      {"vaquita.tls.enabled", &O::tls, "",
       "Every port speaks TLS: HBase's RPC, ZooKeeper's protocol, gRPC, web pages and Phoenix's query server; the "
       "processes of a cluster, too, use it among themselves."},
      {"hbase.server.netty.tls.enabled", &O::tls_rpc, "", "The ports of HBase's RPC speak TLS."},
      {"hbase.server.netty.tls.supportplaintext", &O::tls_beside_plaintext, "",
       "Ports that speak TLS serve clients without it, too."},
      {"hbase.server.netty.tls.client.auth.mode", &O::tls_client_auth, "",
       "The certificate of a client that uses TLS: NEED, WANT (it may have one) or NONE (it is not asked for one)."},
      {"hbase.server.netty.tls.verify.client.hostname", &O::tls_verify_client_host, "",
       "A client's certificate must be for the address that the client connects from, or for its name in the DNS."},
      {"hbase.client.netty.tls.enabled", &O::tls_client, "",
       "In the file that a tool's --tls names, or in a query server's: its own connections of HBase's RPC have TLS."},
      {"hbase.client.netty.tls.verify.server.hostname", &O::tls_verify_server_host, "",
       "A server's certificate must be for the name or address by which it was connected to."},
      {"hbase.rpc.tls.keystore.location", &O::tls_key_store, "",
       "The file with the private key and its certificates: PEM or PKCS12."},
      {"hbase.rpc.tls.keystore.password", &O::tls_key_store_password, "", "The password of that file."},
      {"hbase.rpc.tls.keystore.type", &O::tls_key_store_type, "",
       "PEM or PKCS12; empty: by the end of the file's name, .pem, .p12 or .pfx."},
      {"hbase.rpc.tls.truststore.location", &O::tls_trust_store, "",
       "The file with the certificates of the authorities that others' certificates must come from: PEM or PKCS12."},
      {"hbase.rpc.tls.truststore.password", &O::tls_trust_store_password, "", "The password of that file."},
      {"hbase.rpc.tls.truststore.type", &O::tls_trust_store_type, "", "As hbase.rpc.tls.keystore.type."},
      {"hbase.rpc.tls.enabledProtocols", &O::tls_protocols, "",
       "The versions of TLS, with commas between them: TLSv1.2, TLSv1.3; empty: both."},
      {"hbase.rpc.tls.ciphersuites", &O::tls_ciphers, "",
       "The cipher suites, with commas between them, by Java's names or OpenSSL's; empty: OpenSSL's choice."},
      {"hbase.rpc.tls.certReload", &O::tls_reload, "",
       "The two files are read again, without a restart, when they have changed."},

      {"hbase.security.authorization", &O::authorization, "",
       "Users have only the rights that they were granted (docs/users.md)."},
      {"hbase.security.exec.permission.checks", &O::exec_permission_checks, "",
       "Calls of coprocessors' services need the right X, beside those of what they read and write."},
      {"hbase.superuser", &O::superusers, "",
       "Users who have every right, with commas between them; beside the process's own user, and the tokens of "
       "processes."},
      {"vaquita.users.simple", &O::believe_names, "",
       "A client without certificate and token is the user that it says it is, which is no proof; false: it is "
       "refused."},
      {"vaquita.users.tokens", &O::token_file, "",
       "A file of users' tokens, which `vaquita token` writes; empty: there are none."},

      {"hbase.security.authentication", &O::authentication, "",
       "kerberos: clients of HBase's RPC prove who they are by a Kerberos ticket or a delegation token; simple: they "
       "say it."},
      {"hbase.regionserver.keytab.file", &O::region_server_keytab, "",
       "The file with the Kerberos keys of the region server's principal."},
      {"hbase.regionserver.kerberos.principal", &O::region_server_principal, "",
       "The region server's principal, as hbase/_HOST@EXAMPLE.COM; clients have the same setting."},
      {"hbase.master.keytab.file", &O::master_keytab, "",
       "The master's; in a process that is both, the same file as the region server's."},
      {"hbase.master.kerberos.principal", &O::master_principal, "", "The master's principal."},
      {"hbase.rpc.protection", &O::rpc_protection, "",
       "What is done to the messages of clients with Kerberos or a delegation token, with commas between those that a "
       "client may choose from: authentication (nothing), integrity (they are signed), privacy (and encrypted)."},
      {"hbase.ipc.server.fallback-to-simple-auth-allowed", &O::simple_beside_kerberos, "",
       "With Kerberos, a client may also say who it is, without a proof."},
      {"hadoop.security.auth_to_local", &O::principal_rules, "",
       "Which user a Kerberos principal is: rules with blanks between them, as Hadoop has them. DEFAULT: the first "
       "part of a principal of the server's realm."},
      {"hbase.auth.token.max.lifetime", &O::delegation_token_ms, "ms",
       "The time for which a delegation token is valid.", 1, kNoMost},

      {"hbase.regionserver.handler.count", &O::handler_threads, "threads",
       "The largest number of threads for clients' calls that may wait; threads are made when they are needed.", 1,
       1024},
      {"hbase.regionserver.metahandler.count", &O::priority_handler_threads, "threads",
       "The largest number of threads for administration and system tables, which stay reachable while all others are "
       "busy.",
       1, 1024},
      {"hbase.ipc.max.request.size", &O::max_request_bytes, "bytes",
       "The largest request; over gRPC, 32 MB are taken in any case.", double(kKiB), double(kGiB)},
      {"hbase.ipc.server.max.callqueue.size", &O::max_call_queue_bytes, "bytes",
       "The size of all requests that were read and not yet answered, and of all answers that clients have not taken; "
       "more are refused, and clients try again.",
       double(kKiB), kNoMost},
      {"hbase.table.max.rowsize", &O::max_row_bytes, "bytes",
       "The cells of a row that a get or a scan may read at once; a scan with batches or partial results reads larger "
       "rows.",
       1, kNoMost},
      {"hbase.ipc.client.idlethreshold", &O::idle_connection_threshold, "connections",
       "With more connections than this, idle ones are closed.", 1, kNoMost},
      {"hbase.ipc.client.connection.maxidletime", &O::idle_connection_ms, "ms",
       "A connection that had no call for twice this time is idle.", 1, kNoMost},

      {"vaquita.memory.bytes", &O::memory_bytes, "bytes",
       "What the process may use: unless they are set, the memstores together get at most 30% of it, waiting requests, "
       "the largest request and the largest row 20% each, the block cache 15%. 0: the machine's memory, or the "
       "container's if that is less, "
       "which the servers of `vaquita cluster` share.",
       0, kNoMost},
      {"vaquita.block.cache.bytes", &O::block_cache_bytes, "bytes",
       "The cache of uncompressed blocks that all stores of a server share.", 0, kNoMost},
      {"vaquita.global.memstore.bytes", &O::global_memstore_bytes, "bytes",
       "All memstores of a server together: the largest are flushed when they near it, and writes wait when they reach "
       "it.",
       double(kMiB), kNoMost},
      {"vaquita.wal.max.bytes", &O::max_wal_bytes, "bytes",
       "The write-ahead log's size at which the stores that hold it back are flushed.", double(kMiB), kNoMost},
      {"hbase.hstore.compaction.min", &O::compaction_min_files, "files",
       "The fewest files that a minor compaction takes.", 2, 10'000},
      {"hbase.hstore.compaction.max", &O::compaction_max_files, "files",
       "The most files that a minor compaction takes.", 2, 10'000},
      {"hbase.hstore.compaction.ratio", &O::compaction_ratio, "",
       "A minor compaction takes no file that is larger than this times the sum of its other files.", 0, 1000},
      {"hbase.hstore.compaction.min.size", &O::compaction_min_size_bytes, "bytes",
       "Files that are together smaller than this are compacted whatever their ratio; -1: the memstore flush size.", -1,
       kNoMost},
      {"hbase.hstore.compaction.max.size", &O::compaction_max_size_bytes, "bytes",
       "A file that is larger than this is left out of minor compactions.", 1, kNoMost},
      {"hbase.hstore.blockingStoreFiles", &O::blocking_store_files, "files",
       "A store with this many files is flushed only after a compaction, or after hbase.hstore.blockingWaitTime.", 2,
       100'000},
      {"hbase.hstore.blockingWaitTime", &O::blocking_wait_ms, "ms",
       "How long a flush waits for the compaction of a store with too many files.", 0, kNoMost},
      {"hbase.hregion.majorcompaction", &O::major_compaction_period_ms, "ms",
       "The time between two periodic major compactions of a store; 0 turns them off.", 0, kNoMost},
      {"hbase.hregion.majorcompaction.jitter", &O::major_compaction_jitter, "",
       "The share of the period by which a store's major compactions may come earlier or later, so that they do not "
       "all "
       "come at once.",
       0, 1},
      {"hbase.regionserver.thread.compaction.small", &O::small_compaction_threads, "threads",
       "Threads for compactions up to the throttle point.", 1, 1024},
      {"hbase.regionserver.thread.compaction.large", &O::large_compaction_threads, "threads",
       "Threads for compactions over the throttle point.", 1, 1024},
      {"hbase.regionserver.thread.compaction.throttle", &O::compaction_throttle_bytes, "bytes",
       "A compaction that reads more is large; -1: 2 x hbase.hstore.compaction.max x the memstore flush size.", -1,
       kNoMost},
      {"hbase.hstore.flusher.count", &O::flush_threads, "threads", "Threads that flush memstores.", 1, 1024},
      {"hbase.regionserver.optionalcacheflushinterval", &O::periodic_flush_ms, "ms",
       "A memstore is flushed when its oldest cell has been in it for this long; 0 turns it off.", 0, kNoMost},
      {"hbase.server.thread.wakefrequency", &O::upkeep_tick_ms, "ms", "The time between two checks for periodic work.",
       1, kNoMost},
      {"hbase.server.compactchecker.interval.multiplier", &O::compaction_check_ticks, "looks",
       "After this many checks for periodic work, each store is checked for a compaction that is due.", 1, kNoMost},

      {"hbase.hregion.memstore.flush.size", &O::memstore_flush_bytes, "bytes",
       "The size of a region's memstores at which they are flushed.", double(kKiB), kNoMost},
      {"hbase.hregion.memstore.block.multiplier", &O::memstore_block_multiplier, "flush sizes",
       "A region refuses writes while its memstores are larger than this times the flush size.", 1, 1000},
      {"hbase.hregion.max.filesize", &O::max_file_bytes, "bytes",
       "A region is split when the files of one of its stores are larger than this.", 1, kNoMost},
      {"hbase.regionserver.region.split.policy", &O::split_policy, "",
       "The policy that decides when a region is split: SteppingSplitPolicy, IncreasingToUpperBoundRegionSplitPolicy, "
       "ConstantSizeRegionSplitPolicy, KeyPrefixRegionSplitPolicy, DelimitedKeyPrefixRegionSplitPolicy, "
       "BusyRegionSplitPolicy (which acts as IncreasingToUpperBoundRegionSplitPolicy) or DisabledRegionSplitPolicy."},
      {"hbase.server.keyvalue.maxsize", &O::max_cell_bytes, "bytes",
       "The largest cell that a write may hold, unless its table sets its own; 0: no limit.", 0, kNoMost},
      {"hbase.client.scanner.timeout.period", &O::scanner_lease_ms, "ms", "How long an idle scanner stays open.", 1,
       kNoMost},
      {"vaquita.scanners.max", &O::max_scanners, "scanners",
       "With as many open on a server, no other stays open: a client whose scan needs a second call is told that the "
       "server is too busy, and tries again.",
       1, kNoMost},
      {"hbase.server.scanner.max.result.size", &O::scanner_max_result_bytes, "bytes",
       "The most bytes of cells that a server puts into one answer of a scanner.", 1, kNoMost},
      {"hbase.rowlock.wait.duration", &O::row_lock_wait_ms, "ms",
       "How long an operation waits for the lock of its row.", 1, kNoMost},
      {"hbase.regionserver.slowlog.buffer.enabled", &O::keep_slow_calls, "",
       "A server keeps its last slow and large calls in memory, for get_slowlog_responses and get_largelog_responses."},
      {"hbase.regionserver.slowlog.ringbuffer.size", &O::most_slow_calls, "calls",
       "The most slow calls, and the most large ones, that a server keeps.", 1, 1'000'000},
      {"hbase.ipc.warn.response.time", &O::slow_call_ms, "ms", "A call that takes longer is a slow one; -1: none is.",
       -1, kNoMost},
      {"hbase.ipc.warn.response.size", &O::large_answer_bytes, "bytes",
       "A call with a larger answer is a large one; -1: none is.", -1, kNoMost},
      {"hbase.coprocessor.region.classes", &O::region_coprocessors, "",
       "The coprocessors of every table's regions, separated by commas; those that Vaquita does not run are warned "
       "of."},
      {"hbase.coprocessor.user.region.classes", &O::user_region_coprocessors, "",
       "The same of the tables that are not HBase's own."},

      {"vaquita.regionserver.lease", &O::server_lease_ms, "ms",
       "How long a region server serves after its last report to the master; then others take its regions. "
       "zookeeper.session.timeout, HBase's name for it, sets it, too.",
       100, 3'600'000},
      {"hbase.master.wait.on.regionservers.mintostart", &O::servers_at_start, "servers",
       "The number of region servers that a starting master waits for before it assigns regions.", 1, 1'000'000},
      {"hbase.master.maxclockskew", &O::max_clock_skew_ms, "ms",
       "A region server that starts with a clock that differs more from the master's is refused, and ends.", 0,
       kNoMost},

      {"hbase.balancer.period", &O::balancer_period_ms, "ms", "The time between two runs of the balancer.", 1, kNoMost},
      {"hbase.master.loadbalancer.class", &O::balancer_class, "",
       "The balancer that plans the moves: StochasticLoadBalancer, by load, or SimpleLoadBalancer, by "
       "numbers of regions only."},
      {"hbase.master.loadbalance.bytable", &O::balance_by_table, "", "Each table is balanced by itself."},
      {"hbase.regions.slop", &O::regions_slop, "",
       "A server asks for a balance when its number of regions is off the average by more than this share; below 0: it "
       "never does.",
       -1, 1e9},
      {"hbase.balancer.max.balancing", &O::max_balancing_ms, "ms",
       "The longest time that one run of the balancer makes moves, one after the other; -1: the period.", -1, kNoMost},
      {"hbase.master.balancer.stochastic.regionCountCost", &O::region_count_cost, "",
       "The weight of uneven numbers of regions.", 0, kNoMost},
      {"hbase.master.balancer.stochastic.tableSkewCost", &O::table_skew_cost, "",
       "The weight of tables that are spread unevenly.", 0, kNoMost},
      {"hbase.master.balancer.stochastic.moveCost", &O::move_cost, "", "The weight of moves.", 0, kNoMost},
      {"hbase.master.balancer.stochastic.readRequestCost", &O::read_request_cost, "", "The weight of uneven reads.", 0,
       kNoMost},
      {"hbase.master.balancer.stochastic.writeRequestCost", &O::write_request_cost, "", "The weight of uneven writes.",
       0, kNoMost},
      {"hbase.master.balancer.stochastic.memstoreSizeCost", &O::memstore_size_cost, "",
       "The weight of memstores that grow unevenly.", 0, kNoMost},
      {"hbase.master.balancer.stochastic.storefileSizeCost", &O::store_file_size_cost, "",
       "The weight of uneven store files.", 0, kNoMost},
      {"hbase.master.balancer.stochastic.localityCost", &O::locality_cost, "",
       "The weight of locality, which is the same wherever a region is.", 0, kNoMost},
      {"hbase.master.balancer.stochastic.rackLocalityCost", &O::rack_locality_cost, "",
       "The weight of racks' locality, which is the same wherever a region is.", 0, kNoMost},
      {"hbase.master.balancer.stochastic.maxMovePercent", &O::max_move_percent, "",
       "The largest share of the regions that one plan moves; 600 may move in any case.", 0, 1},
      {"hbase.master.balancer.stochastic.minCostNeedBalance", &O::min_cost_need_balance, "",
       "The weighted imbalance, from 0 to 1, from which a plan is made.", 0, 1},
      {"hbase.master.balancer.stochastic.stepsPerRegion", &O::balancer_steps_per_region, "steps",
       "The number of changes that a plan tries for each region and server.", 1, 1'000'000},
      {"hbase.master.balancer.stochastic.maxSteps", &O::balancer_max_steps, "steps",
       "The most changes that a plan tries.", 1, kNoMost},
      {"hbase.master.balancer.stochastic.runMaxSteps", &O::balancer_run_max_steps, "",
       "The larger of those two numbers counts, not the smaller."},
      {"vaquita.balancer.hotspot.ratio", &O::hotspot_ratio, "",
       "A server asks for a balance when it takes this many times the average server's reads or writes ...", 1,
       kNoMost},
      {"vaquita.balancer.hotspot.requests", &O::hotspot_requests, "requests/s", "... and at least this many.", 0,
       kNoMost},
      {"hbase.master.balancer.decision.buffer.enabled", &O::keep_balancer_decisions, "",
       "The master keeps the balancer's last plans in memory, for get_balancer_decisions."},
      {"hbase.master.balancer.decision.queue.size", &O::most_balancer_decisions, "plans",
       "The most plans that it keeps.", 1, 1'000'000},
      {"hbase.master.balancer.rejection.buffer.enabled", &O::keep_balancer_rejections, "",
       "The master keeps in memory why the balancer planned nothing, for get_balancer_rejections."},
      {"hbase.master.balancer.rejection.queue.size", &O::most_balancer_rejections, "runs",
       "The most runs without a plan that it keeps.", 1, 1'000'000},

      {"hbase.normalizer.period", &O::normalizer_period_ms, "ms", "The time between two runs of the normalizer.", 1,
       kNoMost},
      {"hbase.table.normalization.enabled", &O::normalize_tables, "",
       "Tables that do not set NORMALIZATION_ENABLED are normalized."},
      {"hbase.normalizer.split.enabled", &O::normalizer_splits, "", "The normalizer splits large regions."},
      {"hbase.normalizer.merge.enabled", &O::normalizer_merges, "", "The normalizer merges small regions."},
      {"hbase.normalizer.merge.min.region.count", &O::normalizer_min_regions, "regions",
       "Regions of a table with fewer regions are not merged.", 1, 1'000'000'000},
      {"hbase.normalizer.merge.min_region_age.days", &O::normalizer_min_age_days, "days",
       "A younger region is not merged.", 0, 36'500},
      {"hbase.normalizer.merge.min_region_size.mb", &O::normalizer_min_size_mb, "MB",
       "A smaller region is not merged; 0: even empty ones are.", 0, kNoMost},
      {"hbase.normalizer.merge.merge_request_max_number_of_regions", &O::normalizer_most_merged, "regions",
       "The most regions that are merged into one.", 2, 1'000'000},
      {"hbase.normalizer.plans_size_limit.mb", &O::normalizer_plans_mb, "MB",
       "The total size of the regions that one run splits or merges in a table.", 0, kNoMost},

      {"hbase.table.sanity.checks", &O::table_sanity_checks, "",
       "Tables with sizes, times to live or version limits that make no sense are refused."},
      {"vaquita.coprocessors.ignore.unknown", &O::ignore_unknown_coprocessors, "",
       "Tables may name coprocessors that Vaquita does not run: a warning says so, where otherwise the table is "
       "refused."},
      {"vaquita.table.max.families", &O::max_table_families, "families",
       "A table with more is refused: each family is a store of its own in each region.", 1, 100'000},
      {"vaquita.table.max.regions", &O::max_table_regions, "regions",
       "A table that is created with more is refused, as is a REGION_REPLICATION that makes more: each replica counts. "
       "Splits may make more.",
       1, 10'000'000},
      {"hbase.master.snapshot.ttl", &O::snapshot_ttl_s, "s",
       "How long a snapshot that is taken without a TTL may be used; 0: for ever.", 0, kNoMost},
      {"hbase.master.cleaner.snapshot.interval", &O::snapshot_cleaner_period_ms, "ms",
       "The time between two checks for snapshots whose TTL is over, which are removed.", 1, kNoMost},
      {"hbase.quota.enabled", &O::quotas, "",
       "The master keeps quotas, in the table hbase:quota. It does not enforce them: no request is throttled, and no "
       "table's space is limited."},
  };
  return *kRows;
}

absl::Status SetOption(std::string_view name, std::string_view value, Options* options) {
  if (name == "zookeeper.session.timeout") name = "vaquita.regionserver.lease";
  for (const OptionRow& row : OptionRows()) {
    if (row.name != name) continue;
    if (Assign(row, StdText(absl::StripAsciiWhitespace(AbslText(value))), options)) return absl::OkStatus();
    return absl::InvalidArgumentError(
        absl::StrCat(AbslText(name), " cannot be \"", AbslText(value), "\": it ", Expectation(row)));
  }
  return absl::NotFoundError(absl::StrCat("unknown option ", AbslText(name), "; `vaquita config` lists them"));
}

std::string OptionText(const OptionRow& row, const Options& options) {
  return std::visit([&](auto field) { return TextOf(options.*field); }, row.field);
}

bool IsLive(const OptionRow& row) {
  return std::holds_alternative<LiveNumber<int64_t> Options::*>(row.field) ||
         std::holds_alternative<LiveNumber<double> Options::*>(row.field);
}

std::vector<std::string> TakeOverLive(const Options& read, Options* options) {
  std::vector<std::string> others;
  for (const OptionRow& row : OptionRows()) {
    if (IsLive(row)) {
      std::visit([&](auto field) { options->*field = read.*field; }, row.field);
    } else if (OptionText(row, read) != OptionText(row, *options)) {
      others.emplace_back(row.name);
    }
  }
  return others;
}

}  // namespace vaquita
