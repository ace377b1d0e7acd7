// client/distribution/distributed_scanner.h: rows of a table with distributed keys, in the order of their original
// keys.
//
// All buckets are read at once, each a batch ahead, and merged; memory is at most two batches a bucket, however long
// the scan. A batch is `caching` results (100, if the scan says nothing) or `max_result_bytes` (256 KB). Results carry
// original keys. What bucket_scan.h says of ranges and filters holds; `limit` counts rows of all buckets together, and
// no bucket is asked for more.
//
// OneBytePrefix: a row that was written more than once may be in several buckets. Its parts become one, the newest
// versions first; filters, and limits of cells per row, have seen each part alone. With `batch` or partial results the
// parts of such a row follow one another, as one row.
//
// BitReversal keeps no order: a scan is a batch of gets for every key between two ends of the same length, at most 8
// bytes, as ids have; both ends must be given (the first may be open). Filters must not look at rows. Other scans of
// such a table are the table's own, in the distributed order (input_splits.h has them with original keys).
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "client/distribution/row_key_distributor.h"
#include "client/table.h"
#include "model/operations.h"

namespace vaquita::client {

struct DistributedScanOptions {
  int threads = 8;  // that read, at most; a scanner's own, while it lives
};

// kIllegalArgument for a scan that the distributor's keys do not allow. The scanner keeps `table`, which has the
// distributed keys, alive.
absl::StatusOr<std::unique_ptr<ResultScanner>> MakeDistributedScanner(std::shared_ptr<Table> table,
                                                                      RowKeyDistributorPtr distributor,
                                                                      const Scan& scan,
                                                                      const DistributedScanOptions& options = {});

}  // namespace vaquita::client
