// model/request_check.h: what is wrong with a request wherever it goes.
//
// HBase's client refuses it before it is sent, and its server need not know it; here the client library and the region
// both ask. Errors: kIllegalArgument in HBase's words.
// Source: Mutation.checkRow, ConnectionUtils.validatePut, TimeRange.check, RawAsyncTableImpl (2.6). Threads: any.
#pragma once

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "model/operations.h"

namespace vaquita {

absl::Status CheckRowLength(std::string_view row);
absl::Status CheckTimestamp(int64_t timestamp_ms);
absl::Status CheckTimeRanges(const ReadOptions& read);
// All but a Delete, which then deletes the row, have columns.
absl::Status CheckHasColumns(const Mutation& mutation);

// All of these that concern the action.
absl::Status CheckRequest(const Action& action);

}  // namespace vaquita
