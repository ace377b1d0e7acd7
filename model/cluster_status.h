// model/cluster_status.h: a cluster's report about itself, as plain data. Shared by the servers and the client library.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/region_info.h"
#include "model/store_metrics.h"
#include "model/table_name.h"

namespace vaquita {

enum class TableState { kEnabled, kDisabled, kEnabling, kDisabling };
std::string_view TableStateName(TableState state);  // "ENABLED", ...

// The states of regions that Vaquita uses, named as in meta's info:state (RegionState.State).
enum class RegionState {
  kOffline,
  kOpening,
  kOpen,
  kClosing,
  kClosed,
  kSplitting,
  kSplit,
  kMerging,
  kMerged,
  kFailedOpen,
  kSplittingNew,
  kMergingNew
};
std::string_view RegionStateName(RegionState state);

// A region's counters and gauges, with HBase's meanings (RegionMetrics). Sizes in bytes.
struct RegionMetrics {
  RegionInfo info;
  int64_t read_requests = 0;   // one per row that a get or scan returned or filtered
  int64_t write_requests = 0;  // one per mutation
  int64_t filtered_read_requests = 0;
  int64_t store_files = 0;
  int64_t store_file_bytes = 0;
  int64_t memstore_bytes = 0;
  bool has_references = false;  // to files that it shares with its parents
  struct NamedStore {
    std::string family;
    StoreMetrics metrics;
  };
  std::vector<NamedStore> stores;
};

struct ServerMetrics {
  std::string server_name;  // "host,port,startcode"
  std::string grpc_address;
  int64_t info_port = 0;  // its web pages are there; 0: it has none
  int64_t start_ms = 0;
  int64_t requests = 0;
  int64_t memory_bytes = 0;  // resident
  std::vector<RegionMetrics> regions;
};

struct ClusterStatus {
  std::string version;
  std::string cluster_id;
  std::string master;
  std::vector<std::string> backup_masters;  // masters that wait to become active
  std::vector<ServerMetrics> servers;
  std::vector<std::string> dead_servers;
  int64_t regions_in_transition = 0;
  bool balancer_on = true;
};

struct NamespaceDescriptor {
  std::string name;
  std::map<std::string, std::string> configuration;
  friend bool operator==(const NamespaceDescriptor&, const NamespaceDescriptor&) = default;
};

// An administrative operation that runs in the background (HBase: a procedure).
struct Procedure {
  int64_t id = 0;
  std::string description;  // "CREATE, table t"
  enum class State { kRunning, kDone, kFailed } state = State::kRunning;
  int64_t steps_done = 0;  // regions done, of steps_total
  int64_t steps_total = 0;
  std::string exception_class;  // if it has failed
  std::string error;
  std::string lock;     // the table ("t") or the namespace ("ns:") that it has for itself while it runs
  bool locked = false;  // it has it now
  int64_t submitted_ms = 0;
  int64_t updated_ms = 0;  // when it started or ended
};

// Something that a procedure has for itself, or several share.
struct LockedResource {
  enum class Type { kServer, kNamespace, kTable, kRegion, kPeer } type = Type::kTable;
  std::string name;
  bool exclusive = true;
  int64_t owner = 0;             // the procedure that has it, if it is exclusive
  int64_t shared_count = 0;      // the number of procedures that have it, if it is not
  std::vector<int64_t> waiting;  // procedures that want it exclusively
};
std::string_view LockTypeName(LockedResource::Type type);  // "TABLE", ...
// Returns the locks that `procedures` have. Both procedures and locks are in the order of the procedures.
std::vector<LockedResource> LocksOf(const std::vector<Procedure>& procedures);

// A region that is not yet where it shall be.
struct RegionInTransition {
  RegionInfo info;
  RegionState state = RegionState::kOffline;
  std::string server_name;  // where it is open, opening or closing; empty: nowhere
  int64_t since_ms = 0;
};

}  // namespace vaquita
