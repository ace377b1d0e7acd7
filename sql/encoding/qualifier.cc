#include "sql/encoding/qualifier.h"

#include "base/big_endian.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"

namespace vaquita::sql {
namespace {

// Numbers are stored with half of their range added, so that their bytes order as they do.
int64_t Shift(QualifierEncoding encoding) { return int64_t{1} << (8 * static_cast<int>(encoding) - 1); }

}  // namespace

std::string EncodedQualifier(QualifierEncoding encoding, int32_t number) {
  std::string bytes;
  AppendBigEndian(static_cast<uint32_t>(number + Shift(encoding)), &bytes);
  return bytes.substr(4 - static_cast<size_t>(encoding));
}

absl::StatusOr<int32_t> NumberOfQualifier(QualifierEncoding encoding, std::string_view qualifier) {
  if (qualifier.size() != static_cast<size_t>(encoding) || qualifier.empty()) {
    return SqlError(ErrorCode::kIllegalData, Concat("the qualifier ", Hex(qualifier), " is not a column's number"));
  }
  int64_t value = 0;
  for (const char byte : qualifier) value = value << 8 | static_cast<unsigned char>(byte);
  return static_cast<int32_t>(value - Shift(encoding));
}

std::string EmptyCellQualifier(QualifierEncoding encoding) {
  return encoding == QualifierEncoding::kNames ? std::string("_0") : std::string(4, '\0');
}

}  // namespace vaquita::sql
