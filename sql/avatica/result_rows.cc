#include "sql/avatica/result_rows.h"

#include "base/status.h"
#include "sql/avatica/values.h"
#include "sql/encoding/sql_error.h"

namespace vaquita::sql {

absl::StatusOr<std::optional<std::vector<Value>>> ResultRows::Next() {
  if (ahead_.has_value()) return std::exchange(ahead_, std::nullopt);
  if (left_ == 0) return std::nullopt;
  if (query_ == nullptr) {
    if (list_at_ == list_.rows.size()) return std::nullopt;
    return std::move(list_.rows[list_at_++]);
  }
  VAQUITA_ASSIGN_OR_RETURN(auto row, query_->Next());
  if (row.has_value() && left_ > 0) --left_;
  return row;
}

size_t ResultRows::list_bytes() const {
  size_t bytes = 0;
  for (const std::vector<Value>& row : list_.rows) {
    bytes += sizeof(std::vector<Value>) + row.size() * sizeof(Value);
    for (const Value& value : row)
      if (const auto* text = std::get_if<std::string>(&value)) bytes += text->size();
  }
  return bytes;
}

absl::Status ResultRows::Fill(int64_t most, avatica::Frame* frame) {
  if (done_) return SqlError(ErrorCode::kResultSetClosed);
  frame->set_offset(given_);
  size_t bytes = 0;
  size_t row_bytes = 0;  // the last row's
  WireRows wire;
  for (int64_t count = 0; (most < 0 || count < most) && bytes < kMostFrameBytes; ++count) {
    absl::StatusOr<std::optional<std::vector<Value>>> row = Next();
    done_ = !row.ok() || !row->has_value();
    VAQUITA_RETURN_IF_ERROR(row.status());
    if (done_) break;
    std::string* const written = frame->add_rows();
    written->reserve(row_bytes);
    for (size_t i = 0; i < (*row)->size(); ++i) wire.Append(columns()[i].type, (**row)[i], written);
    row_bytes = written->size();
    bytes += row_bytes;
    ++given_;
  }
  frame->set_done(done_);
  return absl::OkStatus();
}

absl::StatusOr<bool> ResultRows::Skip(uint64_t rows) {
  for (;; ++given_) {
    VAQUITA_ASSIGN_OR_RETURN(auto row, Next());
    if (!row.has_value()) return false;
    if (given_ < rows) continue;
    ahead_ = std::move(row);
    return true;
  }
}

}  // namespace vaquita::sql
