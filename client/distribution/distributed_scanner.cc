#include "client/distribution/distributed_scanner.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "client/distribution/bucket_scan.h"
#include "client/distribution/id_range_scanner.h"
#include "client/distribution/merge_row.h"
#include "client/distribution/parallel_reader.h"

namespace vaquita::client {
namespace {

// Merges the buckets' rows.
class BucketMerger final : public ResultScanner {
 public:
  BucketMerger(std::vector<ParallelReader::Source> sources, const Scan& scan, bool merges_parts, int threads)
      : limit_(scan.limit),
        max_versions_(scan.max_versions),
        raw_(scan.raw),
        reversed_(scan.reversed),
        merges_parts_(merges_parts),
        buckets_(sources.size()),
        reader_(std::move(sources), {scan.caching, scan.max_result_bytes}, threads) {}

  absl::StatusOr<std::optional<Result>> Next() override {
    if (status_.ok()) status_ = ReadFirst();
    if (!status_.ok()) return status_;
    if (heads_.empty() || !CountRow()) return std::nullopt;
    absl::StatusOr<Result> result = TakeRow();
    if (!result.ok()) return status_ = result.status();
    return *std::move(result);
  }

 private:
  // A bucket's batch. The results from `next` on have not been returned yet.
  struct Bucket {
    std::vector<Result> batch;
    size_t next = 0;
  };

  const std::string& HeadRow(size_t bucket) const {
    return buckets_[bucket].batch[buckets_[bucket].next].cells.front().row;
  }
  // For a heap with the first row on top; equal rows bucket by bucket.
  bool IsLater(size_t a, size_t b) const {
    const int order = HeadRow(a).compare(HeadRow(b));
    if (order == 0) return a > b;
    return reversed_ ? order < 0 : order > 0;
  }

  absl::Status ReadFirst() {
    if (started_) return absl::OkStatus();
    started_ = true;
    for (size_t bucket = 0; bucket < buckets_.size(); ++bucket) VAQUITA_RETURN_IF_ERROR(AddHead(bucket));
    return absl::OkStatus();
  }

  // Adds the bucket's next result, if it has one, to the heads.
  absl::Status AddHead(size_t index) {
    Bucket& bucket = buckets_[index];
    if (bucket.next == bucket.batch.size()) {
      bucket.batch.clear();  // before the next one: two batches a bucket, not three
      bucket.next = 0;
      VAQUITA_ASSIGN_OR_RETURN(bucket.batch, reader_.NextBatch(index));
      if (bucket.batch.empty()) return absl::OkStatus();
    }
    heads_.push_back(index);
    std::push_heap(heads_.begin(), heads_.end(), [this](size_t a, size_t b) { return IsLater(a, b); });
    return absl::OkStatus();
  }

  absl::StatusOr<Result> TakeHead() {
    std::pop_heap(heads_.begin(), heads_.end(), [this](size_t a, size_t b) { return IsLater(a, b); });
    const size_t bucket = heads_.back();
    heads_.pop_back();
    Result result = std::move(buckets_[bucket].batch[buckets_[bucket].next++]);
    VAQUITA_RETURN_IF_ERROR(AddHead(bucket));
    return result;
  }

  absl::StatusOr<Result> TakeRow() {
    VAQUITA_ASSIGN_OR_RETURN(Result row, TakeHead());
    while (merges_parts_ && !heads_.empty() && HeadRow(heads_.front()) == row.cells.front().row) {
      VAQUITA_ASSIGN_OR_RETURN(Result part, TakeHead());
      MergeIntoRow(std::move(part), max_versions_, raw_, &row);
    }
    return row;
  }

  // Returns false if the next result begins a row that is over the limit.
  bool CountRow() {
    const std::string& row = HeadRow(heads_.front());
    if (limit_ <= 0 || (rows_ > 0 && row == last_row_)) return true;
    if (rows_ == limit_) return false;
    ++rows_;
    last_row_ = row;
    return true;
  }

  const int32_t limit_;
  const int32_t max_versions_;
  const bool raw_, reversed_;
  const bool merges_parts_;  // merges the parts of a row that is in several buckets
  int32_t rows_ = 0;         // rows begun; counted only with a limit
  std::string last_row_;
  bool started_ = false;
  absl::Status status_;
  std::vector<Bucket> buckets_;
  std::vector<size_t> heads_;  // buckets with a next result, as a heap
  ParallelReader reader_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<ResultScanner>> MakeDistributedScanner(std::shared_ptr<Table> table,
                                                                      RowKeyDistributorPtr distributor,
                                                                      const Scan& scan,
                                                                      const DistributedScanOptions& options) {
  Scan bounded = scan;
  if (bounded.caching <= 0) bounded.caching = BatchLimits().results;
  if (bounded.max_result_bytes <= 0) bounded.max_result_bytes = BatchLimits().bytes;
  if (distributor->BucketPrefixes().empty()) {
    return MakeIdRangeScanner(std::move(table), std::move(distributor), bounded);
  }
  std::vector<ParallelReader::Source> sources;
  for (const std::string& prefix : distributor->BucketPrefixes()) {
    VAQUITA_ASSIGN_OR_RETURN(const Scan bucket_scan, ScanOfBucket(bounded, prefix));
    ParallelReader::Source& source = sources.emplace_back();
    VAQUITA_ASSIGN_OR_RETURN(source.scanner, table->GetScanner(bucket_scan));
    source.prefix_length = prefix.size();
  }
  const bool whole_rows = scan.batch <= 0 && !scan.allow_partial_results;
  return std::make_unique<BucketMerger>(std::move(sources), bounded, !distributor->IsComputable() && whole_rows,
                                        options.threads);
}

}  // namespace vaquita::client
