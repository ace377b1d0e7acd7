// server/regionserver/region_server.h: a region server: its regions, their open scanners, their background work.
//
// Every operation of the service, once, in plain types; the front ends (gRPC, HBase RPC) decode, call this, encode, and
// decide nothing. What the master asks of it is in region_server_control.h. Threads: every method may be called from
// any thread; commands of the master about one region run one after the other. Ownership: owns its StoreDb and regions;
// `options`, `clock` and `lease` outlive it. Source: HRegionServer, RSRpcServices (2.6).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/cluster_status.h"
#include "model/nonce.h"
#include "model/operations.h"
#include "region/maintenance.h"
#include "region/region.h"
#include "server/control/region_server_control.h"

namespace vaquita {

class ServerLease;

struct RegionServerOptions {
  std::string path;         // this server's folder
  std::string root;         // the cluster's data root, where handoffs and the sideline are
  std::string cluster_id;   // is noted in the folder; empty: not known
  std::string server_name;  // "host,port,startcode"
  std::string grpc_address;
  const Options* options = nullptr;
  Clock* clock = nullptr;
  const ServerLease* lease = nullptr;  // null: clients may be answered always
  // Asks the master to split the region (by its policy). Called from a background thread.
  std::function<void(const RegionInfo&)> request_split;
};

// One action's outcome in a multi-row batch.
struct ActionOutcome {
  absl::Status status;
  MutateResult result;  // mutations and conditions
  CellBlock cells;      // gets
};

// What a scan call asks for: an open scanner's next results, or (scanner_id 0) a new scanner's first.
struct ScanRequest {
  std::string region;          // for a new scanner
  const Scan* scan = nullptr;  // for a new scanner
  int64_t scanner_id = 0;
  int64_t next_call_seq = -1;  // -1: not checked
  int32_t number_of_rows = 0;
  int32_t limit_of_rows = 0;  // once so many rows have ended in this call, the scan is over; 0: no limit
  bool fetch = true;          // false: only opens or closes
  bool close = false;
  bool renew = false;        // only renews the lease
  int64_t deadline_ms = -1;  // answer by then with what there is
  // The client can do with an answer that holds nothing: it gets what there is when half of its lease, or of the time
  // until it gives up (-1: it does not say when), is over.
  bool heartbeats = false;
  int64_t client_gives_up_ms = -1;
  // A scan that goes on in another region learns that this region has no more rows from an answer without rows.
  bool region_ends_without_rows = false;
  bool carry_ttls = false;     // CellBlock::CarryTtls
  ReadWatch* watch = nullptr;  // may end the call with an error, and its scanner with it; null: nobody watches
};

struct ScanResponse {
  int64_t scanner_id = 0;  // 0: the scanner is closed
  int64_t opened_id = 0;   // of a new scanner, also if it is closed already
  int64_t lease_ms = 0;    // how long a scanner lives without a call
  ResultBatch batch;
  bool more_results_in_region = false;
  bool more_results = true;  // false: the filter or the limit ended the whole scan
  ScanProgress progress;
};

// What is said of a batch as a whole.
struct BatchOptions {
  std::span<const Nonce> nonces;  // the actions', in the same places; or none
  // Once the results are larger than this, the actions that are left are refused with kMultiActionResultTooLarge; -1:
  // no limit.
  int64_t max_result_bytes = -1;
  bool carry_ttls = false;     // of gets: CellBlock::CarryTtls
  ReadWatch* watch = nullptr;  // may end gets with an error; null: nobody watches
};

// What all regions of a server did since its start, also those that are elsewhere by now: each number only grows.
struct RegionServerTotals {
  int64_t read_requests = 0;
  int64_t write_requests = 0;
  int64_t filtered_read_requests = 0;
  StoreDbMetrics stores;  // of a server that has a folder
};

// What an operator has to look at.
struct RegionServerTrouble {
  std::map<std::string, absl::Status> failed_regions;  // whose data are damaged or missing, by encoded name
  int64_t sidelined_stores = 0;                        // since the start: data that no region has
};

class RegionServer : public RegionServerControl {
 public:
  // ForHosted and OpenFolder.
  static absl::StatusOr<std::unique_ptr<RegionServer>> Open(const RegionServerOptions& options,
                                                            const std::vector<RegionToOpen>& regions);
  // A server without a folder: it serves what Host gives it, and nothing else. `maintenance`, which outlives it, looks
  // after those regions.
  static std::unique_ptr<RegionServer> ForHosted(const RegionServerOptions& options, Maintenance* maintenance);
  // Opens the folder. `regions` are those whose home it is: they are opened, and served when the master says so. Other
  // stores with data of their own go to the sideline, the rest is dropped. A region that cannot be opened is left out
  // of the report. FailedPrecondition, in one line, when another process has the folder open, or when it has data and
  // not of a single one of `regions`. Once, before any request or command about regions of the folder.
  virtual absl::Status OpenFolder(const std::vector<RegionToOpen>& regions) = 0;
  // Closes its scanners and regions; what is in the log is replayed at the next Open. What meta says of a pending
  // transition is not known here: the next Open finds its parents and its new regions as they are.
  ~RegionServer() override = default;

  // Data. `region` is an encoded or a full region name. kRegionMoved: it is elsewhere; kCorruptHFile: its data here are
  // damaged or missing; kNotServingRegion: it is not served here, or this server has no lease. A write that was not
  // acknowledged before the lease ended is answered so, too: it may have been done. `watch` (may be null) may end a get
  // with an error.
  virtual absl::Status Get(std::string_view region, const vaquita::Get& get, CellBlock* cells, ReadWatch* watch) = 0;
  absl::Status Get(std::string_view region, const vaquita::Get& get, CellBlock* cells) {
    return Get(region, get, cells, nullptr);
  }
  // `nonce`: of a request with increments or appends. If they have been done, they are not done again: the answer is
  // what it was.
  virtual absl::StatusOr<MutateResult> Mutate(std::string_view region, const Mutation& mutation,
                                              const Nonce& nonce) = 0;
  virtual absl::StatusOr<MutateResult> Mutate(std::string_view region, const RowMutations& mutations,
                                              const Nonce& nonce) = 0;
  virtual absl::StatusOr<MutateResult> CheckAndMutate(std::string_view region, const vaquita::CheckAndMutate& check,
                                                      const Nonce& nonce) = 0;
  absl::StatusOr<MutateResult> Mutate(std::string_view region, const Mutation& mutation) {
    return Mutate(region, mutation, Nonce());
  }
  absl::StatusOr<MutateResult> Mutate(std::string_view region, const RowMutations& mutations) {
    return Mutate(region, mutations, Nonce());
  }
  absl::StatusOr<MutateResult> CheckAndMutate(std::string_view region, const vaquita::CheckAndMutate& check) {
    return CheckAndMutate(region, check, Nonce());
  }
  // As Region::MutateRows.
  virtual absl::StatusOr<bool> MutateRows(std::string_view region, std::span<const Mutation> mutations,
                                          std::span<const vaquita::CheckAndMutate> conditions) = 0;
  // Actions of one region; one outcome each, in order. Consecutive puts and deletes go as one batch.
  virtual std::vector<ActionOutcome> Batch(std::string_view region, std::span<const Action> actions,
                                           const BatchOptions& options) = 0;
  std::vector<ActionOutcome> Batch(std::string_view region, std::span<const Action> actions) {
    return Batch(region, actions, BatchOptions());
  }
  virtual absl::StatusOr<ScanResponse> DoScan(const ScanRequest& request) = 0;

  // Regions.
  virtual absl::StatusOr<std::shared_ptr<Region>> FindRegion(std::string_view region) const = 0;
  // Returns the encoded name of the region of `table` that holds `row`; empty if it is not served here.
  virtual std::string FindRegionName(const TableName& table, std::string_view row) const = 0;
  virtual std::vector<std::shared_ptr<Region>> Regions() const = 0;
  // Serves a region whose stores are somebody else's: the master's own (hbase:meta, hbase:namespace). They must outlive
  // this server.
  virtual void Host(std::shared_ptr<Region> region) = 0;
  using RegionServerControl::FlushRegion;
  absl::Status FlushRegion(std::string_view region) { return FlushRegion(region, {}); }
  // Asks the master to split it, as its table's policy would.
  virtual absl::Status RequestSplit(std::string_view region) = 0;

  virtual const Options& options() const = 0;
  virtual const std::string& server_name() const = 0;
  virtual ServerMetrics Metrics() const = 0;
  virtual RegionServerTotals Totals() const = 0;
  virtual RegionServerTrouble Trouble() const = 0;
  virtual int64_t OpenScannerCount() const = 0;
  virtual void ExpireScanners() = 0;  // those whose lease is over; it also happens by itself
  // The region that an open scanner reads; null if it is not open, or its first call still runs.
  virtual std::shared_ptr<Region> RegionOfScanner(int64_t scanner_id) const = 0;
  // Returns whether its writes work (engine/write_health.h).
  virtual WriteHealth::State Writes() const = 0;
  virtual Maintenance* maintenance() = 0;
};

}  // namespace vaquita
