#include "tests/semantics/in_process_scanner.h"

#include <deque>
#include <utility>

#include "base/status.h"
#include "tests/semantics/in_process_table.h"

namespace vaquita::semantics {
namespace {

constexpr int32_t kDefaultCaching = 100;

class InProcessScanner : public client::ResultScanner {
 public:
  InProcessScanner(Standalone* server, const TableName& table, const Scan& scan)
      : server_(server), table_(table), scan_(scan) {}
  ~InProcessScanner() override { CloseInRegion(); }

  absl::StatusOr<std::optional<client::Result>> Next() override {
    while (ready_.empty() && !done_) VAQUITA_RETURN_IF_ERROR(Fetch());
    if (ready_.empty()) return std::nullopt;
    client::Result result = std::move(ready_.front());
    ready_.pop_front();
    return result;
  }

 private:
  absl::Status Fetch() {
    absl::Status status = FetchFromRegion();
    // The region was split or merged under the scanner: it goes on behind the last row it gave.
    const bool moved = IsError(status, ErrorKind::kNotServingRegion) || IsError(status, ErrorKind::kUnknownScanner);
    if (!moved || scanner_id_ == 0) return Explain(server_, table_, std::move(status));
    scanner_id_ = 0;
    if (!last_row_.empty()) {
      scan_.rows.start = last_row_;
      scan_.rows.start_inclusive = false;
    }
    return absl::OkStatus();
  }

  absl::Status FetchFromRegion() {
    ScanRequest request;
    request.number_of_rows = scan_.caching > 0 ? scan_.caching : kDefaultCaching;
    if (scanner_id_ != 0) {
      request.scanner_id = scanner_id_;
    } else {
      VAQUITA_ASSIGN_OR_RETURN(region_, FindRegion());
      request.region = region_.Name();
      request.scan = &scan_;
    }
    VAQUITA_ASSIGN_OR_RETURN(const ScanResponse response, server_->region_server()->AnswerScan(request));
    scanner_id_ = response.scanner_id;
    for (const ResultRange& range : response.batch.results) Take(response.batch.cells, range);
    if (!response.more_results) {
      done_ = true;
    } else if (!response.more_results_in_region) {
      LeaveRegion();
    }
    return absl::OkStatus();
  }

  void Take(const CellBlock& cells, const ResultRange& range) {
    client::Result result = ToResult(cells, range);
    last_row_ = result.cells.front().row;
    if (!result.partial && scan_.limit > 0 && --scan_.limit == 0) done_ = true;
    ready_.push_back(std::move(result));
  }

  absl::StatusOr<RegionInfo> FindRegion() const {
    const RowRange& rows = scan_.rows;
    VAQUITA_ASSIGN_OR_RETURN(const auto regions, server_->master()->GetRegions(table_));
    for (const AssignedRegion& region : regions) {
      const RegionInfo& info = region.info;
      // A reversed scan begins in the region of the largest row; going on, it wants rows below a region's start.
      const bool below = rows.start_inclusive
                             ? info.ContainsRow(rows.start)
                             : info.start_key < rows.start && (info.end_key.empty() || rows.start <= info.end_key);
      if (scan_.reversed ? (rows.start.empty() ? info.end_key.empty() : below) : info.ContainsRow(rows.start))
        return info;
    }
    return Error(ErrorKind::kTableNotFound, table_.ToString());
  }

  void LeaveRegion() {
    CloseInRegion();
    RowRange& rows = scan_.rows;
    const std::string& border = scan_.reversed ? region_.start_key : region_.end_key;
    const bool past = scan_.reversed
                          ? !rows.stop.empty() && (border < rows.stop || (border == rows.stop))
                          : !rows.stop.empty() && (border > rows.stop || (border == rows.stop && !rows.stop_inclusive));
    if (border.empty() || past) {
      done_ = true;
      return;
    }
    rows.start = border;
    rows.start_inclusive = !scan_.reversed;
  }

  void CloseInRegion() {
    if (scanner_id_ == 0) return;
    ScanRequest request;
    request.scanner_id = std::exchange(scanner_id_, 0);
    request.close = true;
    // A missing scanner counts as closed.
    server_->region_server()->AnswerScan(request).IgnoreError();
  }

  Standalone* const server_;
  const TableName table_;
  Scan scan_;  // the rest of the scan
  RegionInfo region_;
  int64_t scanner_id_ = 0;
  std::string last_row_;
  std::deque<client::Result> ready_;
  bool done_ = false;
};

}  // namespace

client::Result ToResult(const CellBlock& block, const ResultRange& range) {
  client::Result result;
  result.partial = range.partial;
  for (size_t i = range.first; i < range.first + range.count; ++i) result.cells.emplace_back(block[i]);
  result.exists = !result.cells.empty();
  return result;
}

client::Result ToResult(const CellBlock& block) { return ToResult(block, {0, block.size(), false}); }

std::unique_ptr<client::ResultScanner> MakeInProcessScanner(Standalone* server, const TableName& table,
                                                            const Scan& scan) {
  return std::make_unique<InProcessScanner>(server, table, scan);
}

}  // namespace vaquita::semantics
