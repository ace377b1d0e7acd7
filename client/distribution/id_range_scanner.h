// client/distribution/id_range_scanner.h: reads a range of ids by gets, for tables whose keys do not keep the order.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "client/distribution/row_key_distributor.h"
#include "client/table.h"
#include "model/operations.h"

namespace vaquita::client {

// Returns the rows of the scan's range in order, with `caching` gets at a time, 1000 at most. distributed_scanner.h
// lists the scans that are refused.
absl::StatusOr<std::unique_ptr<ResultScanner>> MakeIdRangeScanner(std::shared_ptr<Table> table,
                                                                  RowKeyDistributorPtr distributor, const Scan& scan);

}  // namespace vaquita::client
