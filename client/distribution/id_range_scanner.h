// client/distribution/id_range_scanner.h: a range of ids, read by gets: for tables whose keys keep no order.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "client/distribution/row_key_distributor.h"
#include "client/table.h"
#include "model/operations.h"

namespace vaquita::client {

// The rows of the scan's range in order, `caching` gets at a time. See distributed_scanner.h for what is refused.
absl::StatusOr<std::unique_ptr<ResultScanner>> MakeIdRangeScanner(std::shared_ptr<Table> table,
                                                                  RowKeyDistributorPtr distributor, const Scan& scan);

}  // namespace vaquita::client
