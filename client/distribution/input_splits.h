// client/distribution/input_splits.h: divides a range of a distributed table into pieces for a batch job, one for each
// map task.
//
// A piece lies in one bucket and one region, so that its task can run beside the region's server. Each overlap of a
// bucket and a region is a piece: with a region per bucket, as many as regions; with N buckets in one region, N. If
// keys do not keep the order (BitReversal), each region is one piece, and its reader leaves out rows outside the scan's
// range. The pieces follow the present regions; each can still be read after a split or a move.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/distribution/row_key_distributor.h"
#include "client/table.h"
#include "model/operations.h"

namespace vaquita::client {

struct InputSplit {
  std::string bucket_prefix;
  Scan scan;               // reads the table's own (distributed) rows
  RowRange original_rows;  // the range of the rows' original keys
  RegionLocation location;
};

// Returns the pieces in order of buckets, and within a bucket of regions. Returns kIllegalArgument if the scan is
// reversed or has a limit, or if its filter is refused (bucket_scan.h).
absl::StatusOr<std::vector<InputSplit>> MakeInputSplits(const RowKeyDistributor& distributor, const Scan& scan,
                                                        std::span<const RegionLocation> regions);

// Reads the rows of one piece, with original keys, in the order of the original keys except for BitReversal.
absl::StatusOr<std::unique_ptr<ResultScanner>> MakeSplitScanner(Table& table, RowKeyDistributorPtr distributor,
                                                                const InputSplit& split);

}  // namespace vaquita::client
