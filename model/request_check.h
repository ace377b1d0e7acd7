// model/request_check.h: checks of requests that hold for any server.
//
// HBase's client makes these checks before it sends a request; here the client library and the region both make them.
// Errors: kIllegalArgument in HBase's words. Source: Mutation.checkRow, Scan.withStartRow, ConnectionUtils.validatePut,
// TimeRange.check, RawAsyncTableImpl (2.6). Threads: any.
#pragma once

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "model/operations.h"

namespace vaquita {

absl::Status CheckRowLength(std::string_view row);
// Checks that the bounds of a scan are no longer than rows are.
absl::Status CheckScanRows(std::string_view start, std::string_view stop);
absl::Status CheckTimestamp(int64_t timestamp_ms);
absl::Status CheckTimeRanges(const ReadOptions& read);
// Checks that the mutation has columns. A Delete may have none: it deletes the row.
absl::Status CheckHasColumns(const Mutation& mutation);

// Makes all of these checks that apply to the action.
absl::Status CheckRequest(const Action& action);

}  // namespace vaquita
