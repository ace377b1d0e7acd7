#include "tools/shell/cell_text.h"

#include <array>
#include <bit>
#include <ctime>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "proto/hbase/stored_values.h"
#include "tools/shell/command.h"
#include "tools/shell/value.h"

namespace vaquita::shell {
namespace {

constexpr std::string_view kBytesClass = "org.apache.hadoop.hbase.util.Bytes";

// The first `size` bytes as a big-endian number.
absl::StatusOr<uint64_t> BigEndian(std::string_view bytes, size_t size) {
  if (bytes.size() < size) {
    return ShellError(
        absl::StrCat("offset (0) + length (", size, ") exceed the capacity of the array: ", bytes.size()));
  }
  uint64_t number = 0;
  for (const char byte : bytes.substr(0, size)) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

absl::StatusOr<std::string> NumberText(std::string_view bytes, std::string_view method) {
  const size_t size = method == "toShort" ? 2 : method == "toInt" || method == "toFloat" ? 4 : 8;
  VAQUITA_ASSIGN_OR_RETURN(const uint64_t number, BigEndian(bytes, size));
  if (method == "toShort") return absl::StrCat(static_cast<int16_t>(number));
  if (method == "toInt") return absl::StrCat(static_cast<int32_t>(number));
  if (method == "toLong") return absl::StrCat(static_cast<int64_t>(number));
  const double fraction =
      method == "toFloat" ? std::bit_cast<float>(static_cast<uint32_t>(number)) : std::bit_cast<double>(number);
  return Value(fraction).ToText();
}

absl::StatusOr<std::string> BooleanText(std::string_view bytes) {
  if (bytes.size() != 1) return ShellError(absl::StrCat("Array has wrong size: ", bytes.size()));
  return std::string(bytes[0] != 0 ? "true" : "false");
}

bool HoldsRegionInfo(std::string_view column) {
  return column == "info:regioninfo" || column == "info:splitA" || column == "info:splitB" ||
         column.starts_with("info:merge");
}

absl::StatusOr<std::string> MetaValueText(std::string_view column, std::string_view value) {
  if (HoldsRegionInfo(column)) {
    const absl::StatusOr<RegionInfo> region = DecodeRegionInfo(value);
    return region.ok() ? RegionText(*region) : ToStringBinary(value);
  }
  if (column == "info:serverstartcode" && !value.empty()) return ConvertBytes(value, "toLong");
  return ToStringBinary(value);
}

absl::StatusOr<std::string> ValueText(const Cell& cell, const CellFormat& format) {
  const std::string column = absl::StrCat(cell.family, ":", cell.qualifier);
  if (format.is_meta) return MetaValueText(column, cell.value);
  const auto method = format.column_method.find(column);
  return ConvertBytes(cell.value, method == format.column_method.end() ? format.method : method->second);
}

}  // namespace

absl::StatusOr<std::string> ConvertBytes(std::string_view bytes, std::string_view method) {
  if (method.starts_with("c(")) {
    const size_t close = method.find(").");
    const std::string_view java_class = method.substr(2, close == std::string_view::npos ? close : close - 2);
    if (java_class != kBytesClass || close == std::string_view::npos) {
      return ShellError(
          absl::StrCat("no class ", AbslText(java_class), " here: the methods are those of ", AbslText(kBytesClass)));
    }
    method.remove_prefix(close + 2);
  }
  if (method == "toStringBinary") return ToStringBinary(bytes);
  if (method == "toString") return std::string(bytes);
  if (method == "toHex") return absl::BytesToHexString(AbslText(bytes));
  if (method == "toBoolean") return BooleanText(bytes);
  for (const std::string_view number : {"toInt", "toLong", "toShort", "toFloat", "toDouble"}) {
    if (method == number) return NumberText(bytes, method);
  }
  return ShellError(absl::StrCat("undefined method `", AbslText(method), "' for class `", AbslText(kBytesClass), "'"));
}

std::string TimestampText(int64_t timestamp_ms) {
  const int64_t milliseconds = ((timestamp_ms % 1000) + 1000) % 1000;
  const std::time_t seconds = (timestamp_ms - milliseconds) / 1000;
  std::tm local{};
  localtime_r(&seconds, &local);
  const int64_t year = int64_t{local.tm_year} + 1900;
  std::string text = absl::StrFormat("%s%04d-%02d-%02dT%02d:%02d", year > 9999 ? "+" : "", year, local.tm_mon + 1,
                                     local.tm_mday, local.tm_hour, local.tm_min);
  if (local.tm_sec != 0 || milliseconds != 0) absl::StrAppendFormat(&text, ":%02d", local.tm_sec);
  if (milliseconds != 0) absl::StrAppendFormat(&text, ".%03d", milliseconds);
  return text;
}

std::string TimeText(int64_t time_ms) {
  const std::time_t seconds = time_ms / 1000;
  std::tm local{};
  localtime_r(&seconds, &local);
  std::array<char, 64> text;
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S %z", &local)};
}

std::string RegionText(const RegionInfo& region) {
  return absl::StrCat("{ENCODED => ", region.EncodedName(), ", NAME => '", ToStringBinary(region.Name()),
                      "', STARTKEY => '", ToStringBinary(region.start_key), "', ENDKEY => '",
                      ToStringBinary(region.end_key), "'", region.offline ? ", OFFLINE => true" : "",
                      region.split ? ", SPLIT => true" : "", "}");
}

absl::StatusOr<std::string> ColumnText(const Cell& cell, const CellFormat& format) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string family, ConvertBytes(cell.family, format.method));
  VAQUITA_ASSIGN_OR_RETURN(const std::string qualifier, ConvertBytes(cell.qualifier, format.method));
  return absl::StrCat(family, ":", qualifier);
}

absl::StatusOr<std::string> CellText(const Cell& cell, const CellFormat& format) {
  std::string text = absl::StrCat("timestamp=", TimestampText(cell.timestamp_ms));
  if (IsDelete(cell.type)) {
    absl::StrAppend(&text, ", type=", CellTypeName(cell.type));
  } else {
    VAQUITA_ASSIGN_OR_RETURN(const std::string value, ValueText(cell, format));
    absl::StrAppend(&text, ", value=", value);
  }
  return format.max_length >= 0 ? text.substr(0, format.max_length) : text;
}

}  // namespace vaquita::shell
