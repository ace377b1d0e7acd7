// sql/encoding/qualifier.h: the qualifiers under which Phoenix stores columns.
//
// Threads: functions. Source: PTable.QualifierEncodingScheme, QueryConstants (5.2).
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace vaquita::sql {

// COLUMN_ENCODED_BYTES: 0 stores names, any other value numbers of this many bytes. SYSTEM.CATALOG stores this value.
enum class QualifierEncoding : uint8_t { kNames = 0, kOneByte = 1, kTwoBytes = 2, kThreeBytes = 3, kFourBytes = 4 };

inline constexpr int32_t kFirstQualifierNumber = 11;
inline constexpr char kDefaultFamily[] = "0";
inline constexpr char kOneCellQualifier[] = "1";
inline constexpr char kEmptyCellValue[] = "x";
// In the place of it, in an index: whether the row is surely the table's.
inline constexpr char kVerified[] = "\1";
inline constexpr char kUnverified[] = "\2";

// Returns the qualifier of column `number`, 11 or more. Returns NotSupported if the encoding has no such number.
// REQUIRES: the encoding has numbers.
absl::StatusOr<std::string> EncodedQualifier(QualifierEncoding encoding, int32_t number);
// Returns the qualifier's number, 11 or more. Returns IllegalData if the qualifier has another form.
absl::StatusOr<int32_t> NumberOfQualifier(QualifierEncoding encoding, std::string_view qualifier);
// Returns the qualifier of the empty cell, which every row has.
std::string EmptyCellQualifier(QualifierEncoding encoding);

}  // namespace vaquita::sql
