// client/hbase/hbase_region_scan.h: a scan of one region by ClientService.Scan: opened, read call by call, closed.
//
// A server may end an answer in the middle of a row, at its limit of bytes or time. The parts of a row are put together
// here, unless the caller takes parts; with a batch limit, rows are cut into pieces of that many cells. Threads: one at
// a time. Source: AsyncScanSingleRegionRpcRetryingCaller, CompleteScanResultCache, BatchScanResultCache (hbase-client
// 2.6).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "client/hbase/rpc_client.h"
#include "client/server_link.h"
#include "hbase/Client.pb.h"
#include "proto/hbase/pb.h"

namespace vaquita::client {

class HBaseRegionScan final : public RegionScan {
 public:
  HBaseRegionScan(RpcClient* rpc, Located region, const Scan& scan);  // `rpc` outlives the scan
  ~HBaseRegionScan() override;

  CallOutcome Next(TimePoint deadline, ScanAnswer* answer) override;

 private:
  pb::ScanRequest NextRequest() const;
  absl::Status Decode(const pb::ScanResponse& response, std::string_view cells, std::vector<Result>* parts) const;
  void Take(Result part, std::vector<Result>* results);
  void TakeBatched(std::vector<Result>* results);
  void EndRow(std::vector<Result>* results);
  std::optional<ScanAnswer::Start> NextStart() const;

  RpcClient* const rpc_;
  const Located region_;
  const Scan scan_;
  const RpcTarget target_;
  std::optional<uint64_t> scanner_id_;  // while the server has one for us
  uint64_t next_call_seq_ = 0;
  int32_t complete_rows_ = 0;
  std::optional<Result> row_;  // the first part of a row that is not complete
};

}  // namespace vaquita::client
