#include "sql/encoding/qualifier.h"

#include <algorithm>
#include <limits>

#include "base/big_endian.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"

namespace vaquita::sql {
namespace {

// Numbers are stored as signed ones, with half of their range taken away.
int64_t Shift(QualifierEncoding encoding) { return int64_t{1} << (8 * static_cast<int>(encoding) - 1); }

// A number is an int in Phoenix.
int64_t GreatestNumber(QualifierEncoding encoding) {
  return std::min<int64_t>(2 * Shift(encoding) - 1, std::numeric_limits<int32_t>::max() - 1);
}

}  // namespace

absl::StatusOr<std::string> EncodedQualifier(QualifierEncoding encoding, int32_t number) {
  if (number < 0 || number > GreatestNumber(encoding)) {
    return NotSupported(Concat("A column with the number ", number,
                               ", because the greatest one of COLUMN_ENCODED_BYTES=", static_cast<int>(encoding),
                               " is ", GreatestNumber(encoding)));
  }
  std::string bytes;
  AppendBigEndian(static_cast<uint32_t>(number + Shift(encoding)), &bytes);
  return bytes.substr(4 - static_cast<size_t>(encoding));
}

absl::StatusOr<int32_t> NumberOfQualifier(QualifierEncoding encoding, std::string_view qualifier) {
  int64_t number = -1;
  if (qualifier.size() == static_cast<size_t>(encoding) && !qualifier.empty()) {
    int64_t value = 0;
    for (const char byte : qualifier) value = value << 8 | static_cast<unsigned char>(byte);
    number = (value + Shift(encoding)) % (2 * Shift(encoding));
  }
  if (number < kFirstQualifierNumber || number > GreatestNumber(encoding)) {
    return SqlError(ErrorCode::kIllegalData, Concat("the qualifier ", Hex(qualifier), " is not a column's number"));
  }
  return static_cast<int32_t>(number);
}

std::string EmptyCellQualifier(QualifierEncoding encoding) {
  return encoding == QualifierEncoding::kNames ? std::string("_0") : std::string(4, '\0');
}

}  // namespace vaquita::sql
