// sql/encoding/array_codec.h: arrays, and rows in one cell, which are arrays of encoded columns.
//
// Elements of a fixed width stand side by side. Others are followed by 00; two such bytes end them; then come the
// offsets of the elements, where these begin, their number, and a version. Threads: functions.
// Source: PArrayDataType, PArrayDataTypeEncoder, SingleCellColumnEncoder's IMMUTABLE_SERIALIZATION_V2 (5.2).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sql/encoding/sql_type.h"
#include "sql/encoding/value.h"

namespace vaquita::sql {

// Each element of a value takes some 40 bytes of memory, or more.
inline constexpr size_t kMostArrayElements = 1'000'000;
// Returns DataExceedsMaxCapacity for more elements.
absl::Status CheckElementCount(size_t count);

std::string EncodeArray(const SqlType& element, const ValueList& list);
// Returns IllegalData if the bytes are not an array, and DataExceedsMaxCapacity if it has too many elements.
absl::StatusOr<Value> DecodeArray(const SqlType& element, std::string_view bytes);

// Returns the cell of one family of an immutable table. Columns stand at their number (sql/encoding/qualifier.h);
// nullopt means absent.
std::string EncodeOneCellRow(const std::vector<std::optional<std::string>>& columns);
// Returns the bytes of element `index`, or nullopt if it is absent. Returns IllegalData if the bytes are not such a
// row.
absl::StatusOr<std::optional<std::string_view>> ElementOfOneCellRow(std::string_view bytes, size_t index);

}  // namespace vaquita::sql
