// client/distribution/distributed_scanner.h: scans a table with distributed keys in the order of the original keys.
//
// All buckets are read at once, each a batch ahead, and merged; memory is at most two batches a bucket, however long
// the scan. A batch is `caching` results (100 by default) or `max_result_bytes` (256 KB by default). Results carry
// original keys. Ranges and filters are translated as in bucket_scan.h; `limit` counts rows of all buckets together,
// and no bucket is asked for more.
//
// OneBytePrefix: a row that was written more than once may be in several buckets. Its parts become one, the newest
// versions first; filters, and limits of cells per row, apply to each part alone. With `batch` or partial results the
// parts of such a row follow one another, as one row.
//
// BitReversal does not keep the order: a scan makes gets for all keys between two ends of the same length, at most 8
// bytes, as ids have. Both ends must be given (the first may be open), and filters must not look at rows. For other
// scans use the table itself, in the distributed order (or input_splits.h, with original keys).
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "client/distribution/row_key_distributor.h"
#include "client/table.h"
#include "model/operations.h"

namespace vaquita::client {

struct DistributedScanOptions {
  int threads = 8;  // at most; each scanner has its own while it lives
};

// Returns kIllegalArgument if the distributor's keys do not allow the scan. `table` has the distributed keys; the
// scanner keeps it alive.
absl::StatusOr<std::unique_ptr<ResultScanner>> MakeDistributedScanner(std::shared_ptr<Table> table,
                                                                      RowKeyDistributorPtr distributor,
                                                                      const Scan& scan,
                                                                      const DistributedScanOptions& options = {});

}  // namespace vaquita::client
