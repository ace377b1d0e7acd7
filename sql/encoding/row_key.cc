#include "sql/encoding/row_key.h"

#include <cstdlib>

#include "base/status.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_codec.h"

namespace vaquita::sql {
namespace {

constexpr char kSeparator = '\0';
constexpr char kDescendingSeparator = '\xFF';

bool IsVariable(const KeyColumn& column) { return column.type.FixedWidth() == 0; }

// Takes one column's bytes and its separator off `*rest`.
absl::StatusOr<std::string_view> TakePart(const KeyColumn& column, bool last, std::string_view* rest) {
  if (!IsVariable(column)) {
    const auto width = static_cast<size_t>(column.type.FixedWidth());
    if (rest->empty()) return std::string_view();
    if (rest->size() < width) {
      return SqlError(ErrorCode::kIllegalData,
                      Concat("the row key ends within a column of type ", DeclarationOf(column.type)));
    }
    const std::string_view part = rest->substr(0, width);
    rest->remove_prefix(width);
    return part;
  }
  if (last && !column.descending) return std::exchange(*rest, std::string_view());
  // A null has the ascending separator also in a descending column.
  if (!rest->empty() && rest->front() == kSeparator) {
    rest->remove_prefix(1);
    return std::string_view();
  }
  const size_t end = rest->find(column.descending ? kDescendingSeparator : kSeparator);
  const std::string_view part = rest->substr(0, end);
  rest->remove_prefix(end == std::string_view::npos ? rest->size() : end + 1);
  return part;
}

}  // namespace

std::string Inverted(std::string bytes) {
  for (char& byte : bytes) byte = static_cast<char>(~byte);
  return bytes;
}

std::string EncodeKeyPart(const KeyColumn& column, const Value& value, bool last) {
  std::string bytes = EncodeValue(column.type, value);
  const bool null = bytes.empty();
  if (column.descending) bytes = Inverted(std::move(bytes));
  if (!IsVariable(column)) return bytes;
  if (column.descending && !null) {
    bytes += kDescendingSeparator;
  } else if (!last) {
    bytes += kSeparator;
  }
  return bytes;
}

std::string EncodeRowKey(const std::vector<KeyColumn>& columns, const std::vector<Value>& values,
                         int32_t salt_buckets) {
  size_t used = columns.size();
  while (used > 0 && EncodeValue(columns[used - 1].type, values[used - 1]).empty()) --used;
  std::string key;
  for (size_t i = 0; i < used; ++i) key += EncodeKeyPart(columns[i], values[i], i + 1 == used);
  if (salt_buckets > 0) key.insert(0, 1, SaltOf(key, salt_buckets));
  return key;
}

absl::Status SplitRowKey(const std::vector<KeyColumn>& columns, std::string_view key, bool salted,
                         std::vector<std::string_view>* parts) {
  if (salted && !key.empty()) key.remove_prefix(1);
  parts->clear();
  for (size_t i = 0; i < columns.size(); ++i) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string_view part, TakePart(columns[i], i + 1 == columns.size(), &key));
    parts->push_back(part);
  }
  return absl::OkStatus();
}

absl::StatusOr<Value> DecodeKeyPart(const KeyColumn& column, std::string_view part) {
  return column.descending ? DecodeValue(column.type, Inverted(std::string(part))) : DecodeValue(column.type, part);
}

absl::StatusOr<std::vector<Value>> DecodeRowKey(const std::vector<KeyColumn>& columns, std::string_view key,
                                                int32_t salt_buckets) {
  std::vector<std::string_view> parts;
  VAQUITA_RETURN_IF_ERROR(SplitRowKey(columns, key, salt_buckets > 0, &parts));
  std::vector<Value> values;
  for (size_t i = 0; i < columns.size(); ++i) {
    VAQUITA_ASSIGN_OR_RETURN(Value value, DecodeKeyPart(columns[i], parts[i]));
    values.push_back(std::move(value));
  }
  return values;
}

char SaltOf(std::string_view key_without_salt, int32_t buckets) {
  uint32_t hash = 1;
  for (const char byte : key_without_salt) {
    hash = 31 * hash + static_cast<uint32_t>(static_cast<int32_t>(static_cast<signed char>(byte)));
  }
  return static_cast<char>(std::abs(static_cast<int32_t>(hash) % buckets));
}

std::vector<std::string> SaltSplits(const std::vector<KeyColumn>& columns, int32_t buckets) {
  std::vector<std::string> splits;
  for (int32_t i = 1; i < buckets; ++i)
    splits.push_back(PaddedSplit(columns, std::string(1, static_cast<char>(i)), true));
  return splits;
}

// Phoenix counts a variable column as one byte, its separator.
int64_t WidthOfKey(const std::vector<KeyColumn>& columns) {
  int64_t width = 0;
  for (const KeyColumn& column : columns) width += IsVariable(column) ? 0 : column.type.FixedWidth();
  for (size_t i = 0; i + 1 < columns.size(); ++i) width += IsVariable(columns[i]) ? 1 : 0;
  return width;
}

std::string PaddedSplit(const std::vector<KeyColumn>& columns, std::string_view split, bool salted) {
  std::string padded(split);
  const size_t width = static_cast<size_t>(WidthOfKey(columns)) + (salted ? 1 : 0);
  if (padded.size() < width) padded.resize(width, '\0');
  return padded;
}

}  // namespace vaquita::sql
