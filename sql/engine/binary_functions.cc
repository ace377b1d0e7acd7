// This file has the engine's functions of bytes, and those that name the numbers of Phoenix's catalog.
#include <openssl/evp.h>

#include <array>
#include <limits>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "base/status.h"
#include "model/region_info.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_codec.h"
#include "sql/engine/function_tools.h"
#include "sql/engine/sqlite_value.h"

namespace vaquita::sql {
namespace {

constexpr int64_t kBits = 8;

// The second argument is the value's type.
void Md5(sqlite3_context* context, int, sqlite3_value** values) {
  if (IsNull(values[0])) return sqlite3_result_null(context);
  const SqlType type = TypeArgument(values[1]);
  const auto value = FromSqlite(values[0], type);
  if (!value.ok()) return Fail(context, value.status());
  const std::string bytes = EncodeValue(type, *value);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_md5(), nullptr);
  sqlite3_result_blob64(context, digest.data(), size, SQLITE_TRANSIENT);
}

absl::StatusOr<Value> OctetLength(int, sqlite3_value** values) {
  return Value(static_cast<int64_t>(BlobOf(values[0]).size()));
}

// Returns the place that an argument names: it begins anew behind the end.
size_t WrappedPlace(sqlite3_value* value, size_t size) {
  const auto places = static_cast<int64_t>(size);
  return static_cast<size_t>((sqlite3_value_int64(value) % places + places) % places);
}

absl::StatusOr<Value> GetByte(int, sqlite3_value** values) {
  const std::string_view bytes = BlobOf(values[0]);
  if (bytes.empty()) return Value();
  return Value(int64_t{static_cast<signed char>(bytes[WrappedPlace(values[1], bytes.size())])});
}

absl::StatusOr<Value> GetBit(int, sqlite3_value** values) {
  const std::string_view bytes = BlobOf(values[0]);
  if (bytes.empty()) return Value();
  const size_t bit = WrappedPlace(values[1], bytes.size() * kBits);
  return Value(int64_t{static_cast<unsigned char>(bytes[bit / kBits]) >> (bit % kBits) & 1});
}

absl::StatusOr<Value> SetByte(int, sqlite3_value** values) {
  std::string bytes(BlobOf(values[0]));
  if (bytes.empty()) return Value();
  bytes[WrappedPlace(values[1], bytes.size())] = static_cast<char>(sqlite3_value_int64(values[2]));
  return Value(std::move(bytes));
}

absl::StatusOr<Value> SetBit(int, sqlite3_value** values) {
  std::string bytes(BlobOf(values[0]));
  if (bytes.empty()) return Value();
  const size_t bit = WrappedPlace(values[1], bytes.size() * kBits);
  const int mask = 1 << (bit % kBits);
  const bool set = (sqlite3_value_int64(values[2]) & 1) != 0;
  char& byte = bytes[bit / kBits];
  byte = static_cast<char>(set ? byte | mask : byte & ~mask);
  return Value(std::move(bytes));
}

std::string FormatOf(sqlite3_value* value) {
  std::string format(TextOf(value));
  absl::AsciiStrToUpper(&format);
  return format;
}

absl::StatusOr<Value> Encode(int, sqlite3_value** values) {
  constexpr std::string_view kDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const std::string format = FormatOf(values[1]);
  if (format != "BASE62") {
    return SqlError(ErrorCode::kIllegalData, Concat("Unsupported Encode Format : ", format));
  }
  const int64_t number = sqlite3_value_int64(values[0]);
  // The smallest number has no positive counterpart.
  uint64_t rest = number < 0 ? ~static_cast<uint64_t>(number) + 1 : static_cast<uint64_t>(number);
  std::string text;
  do {
    text.insert(text.begin(), kDigits[rest % kDigits.size()]);
    rest /= kDigits.size();
  } while (rest > 0);
  return Value(number < 0 ? "-" + text : text);
}

absl::StatusOr<Value> Decode(int, sqlite3_value** values) {
  const std::string_view text = TextOf(values[0]);
  const std::string format = FormatOf(values[1]);
  if (format != "HEX") return SqlError(ErrorCode::kIllegalData, Concat("Unsupported encoding \"", format, "\""));
  std::string bytes;
  for (size_t i = 0; i + 1 < text.size(); i += 2) {
    const std::string_view pair = text.substr(i, 2);
    if (pair.find_first_not_of("0123456789abcdefABCDEF") != std::string_view::npos) {
      return SqlError(ErrorCode::kIllegalData, Concat("Value ", pair, " cannot be cast to hex number"));
    }
    bytes += static_cast<char>(std::stoi(std::string(pair), nullptr, 16));
  }
  if (text.size() % 2 != 0) {
    return SqlError(ErrorCode::kIllegalData, Concat("Invalid value length, cannot cast to hex number (", text, ")"));
  }
  return Value(std::move(bytes));
}

absl::StatusOr<SqlType> CatalogType(sqlite3_value* value) {
  const int64_t number = sqlite3_value_int64(value);
  const bool fits = number >= std::numeric_limits<int32_t>::min() && number <= std::numeric_limits<int32_t>::max();
  const std::optional<SqlType> type = fits ? TypeOfJdbc(static_cast<int32_t>(number)) : std::nullopt;
  if (type.has_value() && !type->is_null()) return *type;
  return SqlError(ErrorCode::kIllegalData, Concat("Unsupported sql type: ", number));
}

absl::StatusOr<Value> TypeName(int, sqlite3_value** values) {
  VAQUITA_ASSIGN_OR_RETURN(const SqlType type, CatalogType(values[0]));
  return Value(type.Name());
}

absl::StatusOr<Value> ExternalType(int, sqlite3_value** values) {
  VAQUITA_ASSIGN_OR_RETURN(const SqlType type, CatalogType(values[0]));
  return Value(int64_t{type.ResultJdbc()});
}

struct LetterRow {
  std::string_view letter;
  std::string_view name;
};
constexpr LetterRow kTables[] = {{"s", "SYSTEM TABLE"}, {"u", "TABLE"},     {"v", "VIEW"},
                                 {"i", "INDEX"},        {"p", "PROJECTED"}, {"l", "SUBQUERY"}};
constexpr LetterRow kIndexStates[] = {{"b", "BUILDING"}, {"e", "USABLE"},         {"d", "UNUSABLE"},
                                      {"a", "ACTIVE"},   {"i", "INACTIVE"},       {"x", "DISABLE"},
                                      {"r", "REBUILD"},  {"w", "PENDING_ACTIVE"}, {"p", "PENDING_DISABLE"}};

absl::StatusOr<Value> NameOf(std::span<const LetterRow> rows, sqlite3_value* value, std::string_view what) {
  const std::string_view letter = TextOf(value);
  for (const LetterRow& row : rows)
    if (row.letter == letter) return Value(std::string(row.name));
  return SqlError(ErrorCode::kIllegalData, Concat("'", letter, "' is no ", what));
}

absl::StatusOr<Value> NameOf(std::span<const std::string_view> names, sqlite3_value* value, std::string_view what) {
  const int64_t number = sqlite3_value_int64(value);
  if (number >= 1 && number <= static_cast<int64_t>(names.size())) {
    return Value(std::string(names[static_cast<size_t>(number - 1)]));
  }
  return SqlError(ErrorCode::kIllegalData, Concat(number, " is no ", what));
}

absl::StatusOr<Value> IndexTypeName(int, sqlite3_value** values) {
  constexpr std::string_view kNames[] = {"GLOBAL", "LOCAL", "UNCOVERED_GLOBAL"};
  return NameOf(kNames, values[0], "type of an index");
}

absl::StatusOr<Value> ViewTypeName(int, sqlite3_value** values) {
  constexpr std::string_view kNames[] = {"MAPPED", "READ_ONLY", "UPDATABLE"};
  return NameOf(kNames, values[0], "type of a view");
}

absl::StatusOr<Value> RowKeyText(int, sqlite3_value** values) { return Value(ToStringBinary(BlobOf(values[0]))); }

absl::StatusOr<Value> TableTypeName(int, sqlite3_value** values) {
  return NameOf(kTables, values[0], "type of a table");
}

absl::StatusOr<Value> IndexStateName(int, sqlite3_value** values) {
  return NameOf(kIndexStates, values[0], "state of an index");
}

constexpr NamedFunction kBinaryFunctions[] = {
    {"px_md5", 2, Md5},
    {"px_octet_length", 1, Call<OctetLength, TypeId::kInteger>},
    {"px_get_byte", 2, Call<GetByte, TypeId::kInteger>},
    {"px_get_bit", 2, Call<GetBit, TypeId::kInteger>},
    {"px_set_byte", 3, Call<SetByte, TypeId::kVarbinary>},
    {"px_set_bit", 3, Call<SetBit, TypeId::kVarbinary>},
    {"px_encode", 2, Call<Encode, TypeId::kVarchar>},
    {"px_decode", 2, Call<Decode, TypeId::kVarbinary>},
    {"px_sql_type_name", 1, Call<TypeName, TypeId::kVarchar>},
    {"px_external_type", 1, Call<ExternalType, TypeId::kInteger>},
    {"px_table_type", 1, Call<TableTypeName, TypeId::kVarchar>},
    {"px_index_type", 1, Call<IndexTypeName, TypeId::kVarchar>},
    {"px_view_type", 1, Call<ViewTypeName, TypeId::kVarchar>},
    {"px_row_key_text", 1, Call<RowKeyText, TypeId::kVarchar>},
    {"px_index_state", 1, Call<IndexStateName, TypeId::kVarchar>},
};

}  // namespace

std::span<const NamedFunction> BinaryFunctions() { return kBinaryFunctions; }

}  // namespace vaquita::sql
