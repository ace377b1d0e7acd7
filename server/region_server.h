// server/region_server.h: a region server: its regions, their open scanners, their background work.
//
// Every operation of the service, once, in plain types; the front ends (gRPC, HBase RPC) decode, call this, encode, and
// decide nothing. Threads: every method may be called from any thread. Ownership: owns its StoreDb and regions;
// `options` and `clock` outlive it. Source: HRegionServer, RSRpcServices (2.6).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "region/cluster_status.h"
#include "region/maintenance.h"
#include "region/operations.h"
#include "region/region.h"
#include "server/nonce.h"
#include "server/region_to_open.h"

namespace vaquita {

struct RegionServerOptions {
  std::string path;         // this server's folder
  std::string server_name;  // "host,port,startcode"
  std::string grpc_address;
  const Options* options = nullptr;
  Clock* clock = nullptr;
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
  bool carry_ttls = false;  // CellBlock::CarryTtls
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
  bool carry_ttls = false;  // of gets: CellBlock::CarryTtls
};

class RegionServer {
 public:
  // Opens the folder. `regions` are those meta assigns to this server; every other store is dropped.
  // FailedPrecondition, in one line, when another process has the folder open.
  static absl::StatusOr<std::unique_ptr<RegionServer>> Open(const RegionServerOptions& options,
                                                            const std::vector<RegionToOpen>& regions);
  // A server without a folder: it serves what Host gives it, and nothing else. `maintenance`, which outlives it, looks
  // after those regions.
  static std::unique_ptr<RegionServer> ForHosted(const RegionServerOptions& options, Maintenance* maintenance);
  virtual ~RegionServer() =
      default;  // closes its scanners and regions; what is in the log is replayed at the next Open

  // Data. `region` is an encoded or a full region name; kNotServingRegion if it is not open here.
  virtual absl::Status Get(std::string_view region, const vaquita::Get& get, CellBlock* cells) = 0;
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
  virtual std::vector<std::shared_ptr<Region>> Regions() const = 0;
  virtual absl::Status CreateRegions(const std::vector<RegionInfo>& infos,
                                     std::shared_ptr<const TableDescriptor> table) = 0;
  virtual absl::Status OpenRegions(const std::vector<RegionToOpen>& regions) = 0;
  virtual absl::Status CloseRegion(std::string_view region) = 0;  // flushes first; the stores stay
  // Drops the stores that closed regions have for the families of `table`.
  virtual absl::Status DropRegions(const std::vector<std::string>& encoded_names, const TableDescriptor& table) = 0;
  // The table was altered. Of a closed region, known by its encoded name, the stores that stay take their new options;
  // those of new families come when it opens.
  virtual absl::Status AlterRegion(std::string_view region, std::shared_ptr<const TableDescriptor> table) = 0;
  // Region::Export of regions, open or closed, each into a folder of its encoded name below `folder`. What a crash left
  // in a closed one's memstores is flushed always.
  virtual absl::StatusOr<std::vector<RegionFiles>> ExportRegions(const std::vector<RegionInfo>& infos,
                                                                 std::shared_ptr<const TableDescriptor> table,
                                                                 const std::string& folder, bool flush) = 0;
  // Region::Import, for CreateRegions or OpenRegions.
  virtual absl::Status ImportRegions(const std::vector<RegionImport>& regions, const TableDescriptor& table) = 0;
  // Serves a region whose stores are somebody else's: the master's own (hbase:meta, hbase:namespace). They must outlive
  // this server.
  virtual void Host(std::shared_ptr<Region> region) = 0;
  absl::Status FlushRegion(std::string_view region) { return FlushRegion(region, {}); }
  // Of some families only; none named: all. kNoSuchColumnFamily.
  virtual absl::Status FlushRegion(std::string_view region, const std::vector<std::string>& families) = 0;
  virtual absl::Status CompactRegion(std::string_view region, std::string_view family, CompactionKind kind,
                                     bool wait) = 0;
  // Splits and merges as region/split.h cuts them: `commit` switches meta, atomically, between Begin and Finish. If it
  // fails, all is rolled back.
  using Commit =
      std::function<absl::Status(const std::vector<RegionInfo>& parents, const std::vector<RegionInfo>& daughters)>;
  virtual absl::Status SplitRegion(std::string_view region, std::string_view split_row, const Commit& commit) = 0;
  virtual absl::Status MergeRegions(const std::vector<std::string>& regions, bool forcible, const Commit& commit) = 0;
  // Has RegionServerOptions::request_split ask the master.
  virtual absl::Status RequestSplit(std::string_view region) = 0;

  virtual const Options& options() const = 0;
  virtual const std::string& server_name() const = 0;
  virtual ServerMetrics Metrics() const = 0;
  virtual Maintenance* maintenance() = 0;
};

}  // namespace vaquita
