#include "model/request_check.h"

#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "base/status.h"

namespace vaquita {
namespace {

absl::Status CheckTimeRange(const TimeRange& range) {
  if (range.min_ms < 0 || range.max_ms < 0) {
    return Error(ErrorKind::kIllegalArgument,
                 absl::StrCat("Timestamp cannot be negative. minStamp:", range.min_ms, ", maxStamp:", range.max_ms));
  }
  if (range.max_ms < range.min_ms) return Error(ErrorKind::kIllegalArgument, "maxStamp is smaller than minStamp");
  return absl::OkStatus();
}

absl::Status CheckAll(const std::vector<Mutation>& mutations) {
  for (const Mutation& mutation : mutations) VAQUITA_RETURN_IF_ERROR(CheckHasColumns(mutation));
  return absl::OkStatus();
}

absl::Status CheckBeyondRow(const Get& get) { return CheckTimeRanges(get); }
absl::Status CheckBeyondRow(const Mutation& mutation) { return CheckHasColumns(mutation); }
absl::Status CheckBeyondRow(const RowMutations& row) { return CheckAll(row.mutations); }
absl::Status CheckBeyondRow(const CheckAndMutate& check) { return CheckAll(check.mutations); }

}  // namespace

absl::Status CheckRowLength(std::string_view row) {
  if (row.empty()) return Error(ErrorKind::kIllegalArgument, "Row length is 0");
  if (row.size() > kMaxRowLength) {
    return Error(ErrorKind::kIllegalArgument, absl::StrCat("Row length ", row.size(), " is > ", kMaxRowLength));
  }
  return absl::OkStatus();
}

absl::Status CheckScanRows(std::string_view start, std::string_view stop) {
  for (const auto& [name, row] : {std::pair("startRow", start), std::pair("stopRow", stop)}) {
    if (row.size() <= kMaxRowLength) continue;
    return Error(ErrorKind::kIllegalArgument, absl::StrCat(name, "'s length must be less than or equal to ",
                                                           kMaxRowLength, " to meet the criteria for a row key."));
  }
  return absl::OkStatus();
}

absl::Status CheckTimestamp(int64_t timestamp_ms) {
  if (timestamp_ms >= 0) return absl::OkStatus();
  return Error(ErrorKind::kIllegalArgument, absl::StrCat("Timestamp cannot be negative. ts=", timestamp_ms));
}

absl::Status CheckTimeRanges(const ReadOptions& read) {
  VAQUITA_RETURN_IF_ERROR(CheckTimeRange(read.time_range));
  for (const auto& [family, range] : read.family_time_ranges) VAQUITA_RETURN_IF_ERROR(CheckTimeRange(range));
  return absl::OkStatus();
}

absl::Status CheckHasColumns(const Mutation& mutation) {
  if (!mutation.cells.empty()) return absl::OkStatus();
  switch (mutation.type) {
    case MutationType::kPut:
      return Error(ErrorKind::kIllegalArgument, "No columns to insert");
    case MutationType::kIncrement:
      return Error(ErrorKind::kIllegalArgument, "Invalid arguments to Increment, no columns specified");
    case MutationType::kAppend:
      return Error(ErrorKind::kIllegalArgument, "Invalid arguments to Append, no columns specified");
    case MutationType::kDelete:
      break;
  }
  return absl::OkStatus();
}

absl::Status CheckRequest(const Action& action) {
  return std::visit(
      [](const auto& request) {
        VAQUITA_RETURN_IF_ERROR(CheckRowLength(request.row));
        return CheckBeyondRow(request);
      },
      action);
}

}  // namespace vaquita
