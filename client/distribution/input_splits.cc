#include "client/distribution/input_splits.h"

#include <optional>
#include <utility>

#include "base/status.h"
#include "client/distribution/bucket_scan.h"

namespace vaquita::client {
namespace {

// Returns the range that both have, or nullopt.
std::optional<RowRange> Overlap(const RowRange& range, const RegionInfo& region) {
  RowRange both = range;
  if (region.start_key > both.start) {
    both.start = region.start_key;
    both.start_inclusive = true;
  }
  if (!region.end_key.empty() && (both.stop.empty() || region.end_key <= both.stop)) {
    both.stop = region.end_key;
    both.stop_inclusive = false;
  }
  const bool some = both.stop.empty() || both.start < both.stop ||
                    (both.start == both.stop && both.start_inclusive && both.stop_inclusive);
  return some ? std::optional(both) : std::nullopt;
}

void AddSplits(const std::string& prefix, const Scan& scan, const RowRange& original,
               std::span<const RegionLocation> regions, std::vector<InputSplit>* splits) {
  for (const RegionLocation& region : regions) {
    const std::optional<RowRange> rows = Overlap(scan.rows, region.info);
    if (!rows) continue;
    InputSplit& split = splits->emplace_back(InputSplit{prefix, scan, original, region});
    split.scan.rows = *rows;
  }
}

class SplitScanner final : public ResultScanner {
 public:
  SplitScanner(std::unique_ptr<ResultScanner> scanner, RowKeyDistributorPtr distributor, const RowRange& rows)
      : scanner_(std::move(scanner)), distributor_(std::move(distributor)), rows_(rows) {}

  absl::StatusOr<std::optional<Result>> Next() override {
    while (true) {
      VAQUITA_ASSIGN_OR_RETURN(std::optional<Result> result, scanner_->Next());
      if (!result) return std::nullopt;
      VAQUITA_ASSIGN_OR_RETURN(const std::string row, distributor_->OriginalKey(result->cells.front().row));
      if (!rows_.Contains(row)) continue;
      for (Cell& cell : result->cells) cell.row = row;
      return result;
    }
  }

 private:
  const std::unique_ptr<ResultScanner> scanner_;
  const RowKeyDistributorPtr distributor_;
  const RowRange rows_;
};

}  // namespace

absl::StatusOr<std::vector<InputSplit>> MakeInputSplits(const RowKeyDistributor& distributor, const Scan& scan,
                                                        std::span<const RegionLocation> regions) {
  if (scan.reversed) {
    return Error(ErrorKind::kIllegalArgument,
                 "the scan of a batch job cannot be reversed, because its tasks have no order");
  }
  if (scan.limit > 0) {
    return Error(ErrorKind::kIllegalArgument,
                 "the scan of a batch job cannot have a limit, because its tasks do not count together");
  }
  std::vector<InputSplit> splits;
  for (const std::string& prefix : distributor.BucketPrefixes()) {
    VAQUITA_ASSIGN_OR_RETURN(const Scan bucket_scan, ScanOfBucket(scan, prefix));
    AddSplits(prefix, bucket_scan, scan.rows, regions, &splits);
  }
  if (distributor.BucketPrefixes().empty()) {
    if (scan.filter) VAQUITA_RETURN_IF_ERROR(CheckIgnoresRows(*scan.filter));
    Scan everything = scan;
    everything.rows = {};
    AddSplits("", everything, scan.rows, regions, &splits);
  }
  return splits;
}

absl::StatusOr<std::unique_ptr<ResultScanner>> MakeSplitScanner(Table& table, RowKeyDistributorPtr distributor,
                                                                const InputSplit& split) {
  VAQUITA_ASSIGN_OR_RETURN(std::unique_ptr<ResultScanner> scanner, table.GetScanner(split.scan));
  return std::make_unique<SplitScanner>(std::move(scanner), std::move(distributor), split.original_rows);
}

}  // namespace vaquita::client
