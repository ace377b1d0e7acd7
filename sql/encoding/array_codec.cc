#include "sql/encoding/array_codec.h"

#include <limits>

#include "base/big_endian.h"
#include "base/status.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_codec.h"

namespace vaquita::sql {
namespace {

constexpr char kArrayVersion = 1;
constexpr char kOneCellVersion = 3;
constexpr int32_t kShortShift = std::numeric_limits<int16_t>::max();
constexpr size_t kTrailer = 9;  // where the offsets are, how many elements, version

absl::Status BadArray(std::string_view bytes) {
  return SqlError(ErrorCode::kIllegalData, Concat("the bytes ", Hex(bytes), " are not an array"));
}

// Writes a run of nulls before a value: 00, a byte 01 for each 255 of them, and the rest less one, inverted.
void AppendNulls(int nulls, std::string* out) {
  if (nulls == 0) return;
  *out += '\0';
  out->append(static_cast<size_t>(nulls / 255), '\1');
  if (nulls % 255 != 0) *out += static_cast<char>(~(nulls % 255 - 1));
}

struct Trailer {
  size_t offsets = 0;  // where they begin
  size_t count = 0;
  size_t width = 0;  // for an offset: 2 or 4 bytes
};

// Large offsets have four bytes, which a negative count says.
absl::StatusOr<Trailer> ReadTrailer(std::string_view bytes) {
  if (bytes.size() < kTrailer) return BadArray(bytes);
  const char* end = bytes.data() + bytes.size();
  const auto offsets = static_cast<int64_t>(GetBigEndian<uint32_t>(end - 9));
  int64_t count = static_cast<int32_t>(GetBigEndian<uint32_t>(end - 5));
  const int64_t width = count < 0 ? 4 : 2;
  if (count < 0) count = -count;
  if (offsets + count * width + static_cast<int64_t>(kTrailer) != static_cast<int64_t>(bytes.size())) {
    return BadArray(bytes);
  }
  return Trailer{static_cast<size_t>(offsets), static_cast<size_t>(count), static_cast<size_t>(width)};
}

// Returns the offset of element `i`. A short one was stored less `shift`.
int64_t OffsetAt(std::string_view bytes, const Trailer& trailer, size_t i, int32_t shift) {
  const char* at = bytes.data() + trailer.offsets + i * trailer.width;
  return trailer.width == 4 ? static_cast<int32_t>(GetBigEndian<uint32_t>(at))
                            : static_cast<int16_t>(GetBigEndian<uint16_t>(at)) + shift;
}

void AppendTrailer(const std::vector<int32_t>& offsets, bool wide, int32_t shift, char version, std::string* out) {
  const auto begin = static_cast<uint32_t>(out->size());
  for (const int32_t offset : offsets) {
    if (wide) {
      AppendBigEndian(static_cast<uint32_t>(offset), out);
    } else {
      AppendBigEndian(static_cast<uint16_t>(offset - shift), out);
    }
  }
  AppendBigEndian(begin, out);
  const auto count = static_cast<int32_t>(offsets.size());
  AppendBigEndian(static_cast<uint32_t>(wide ? -count : count), out);
  *out += version;
}

absl::StatusOr<Value> DecodeFixed(const SqlType& element, std::string_view bytes) {
  const auto width = static_cast<size_t>(element.FixedWidth());
  if (bytes.size() % width != 0) return BadArray(bytes);
  VAQUITA_RETURN_IF_ERROR(CheckElementCount(bytes.size() / width));
  ValueList list;
  for (; !bytes.empty(); bytes.remove_prefix(width)) {
    VAQUITA_ASSIGN_OR_RETURN(Value value, DecodeValue(element, bytes.substr(0, width)));
    list.push_back(std::move(value));
  }
  return Value(std::move(list));
}

}  // namespace

absl::Status CheckElementCount(size_t count) {
  if (count <= kMostArrayElements) return absl::OkStatus();
  return SqlError(ErrorCode::kDataExceedsMaxCapacity,
                  Concat("An array has at most ", kMostArrayElements, " elements, not ", count));
}

std::string EncodeArray(const SqlType& element, const ValueList& list) {
  std::string bytes;
  if (element.FixedWidth() > 0) {
    // A null of a fixed width has no form of its own: Phoenix stores the type's zero.
    for (const Value& value : list) {
      std::string encoded = EncodeValue(element, value);
      encoded.resize(static_cast<size_t>(element.FixedWidth()));
      bytes += encoded;
    }
    return bytes;
  }
  if (list.empty()) return "";
  std::vector<int32_t> offsets;
  int nulls = 0;
  for (const Value& value : list) {
    const std::string encoded = EncodeValue(element, value);
    if (encoded.empty()) {
      offsets.push_back(static_cast<int32_t>(bytes.size()));
      ++nulls;
      continue;
    }
    AppendNulls(nulls, &bytes);
    nulls = 0;
    offsets.push_back(static_cast<int32_t>(bytes.size()));
    bytes += encoded;
    bytes += '\0';
  }
  bytes.append(2, '\0');
  AppendTrailer(offsets, offsets.back() > 2 * kShortShift, kShortShift, kArrayVersion, &bytes);
  return bytes;
}

absl::StatusOr<Value> DecodeArray(const SqlType& element, std::string_view bytes) {
  if (element.FixedWidth() > 0) return DecodeFixed(element, bytes);
  VAQUITA_ASSIGN_OR_RETURN(const Trailer trailer, ReadTrailer(bytes));
  VAQUITA_RETURN_IF_ERROR(CheckElementCount(trailer.count));
  // Where an element begins; behind the last one, where the two bytes of the end do.
  const auto offset = [&](size_t i) -> int64_t {
    return i == trailer.count ? static_cast<int64_t>(trailer.offsets) - 2 : OffsetAt(bytes, trailer, i, kShortShift);
  };
  ValueList list;
  for (size_t i = 0; i < trailer.count; ++i) {
    const int64_t begin = offset(i);
    if (begin < 0 || begin >= static_cast<int64_t>(trailer.offsets)) return BadArray(bytes);
    if (bytes[static_cast<size_t>(begin)] == '\0') {  // so nulls begin
      list.emplace_back();
      continue;
    }
    // An element of bytes may have a 00 of its own.
    const int64_t size = offset(i + 1) - 1 - begin;
    if (size < 0 || begin + size > static_cast<int64_t>(trailer.offsets)) return BadArray(bytes);
    VAQUITA_ASSIGN_OR_RETURN(Value value,
                             DecodeValue(element, bytes.substr(static_cast<size_t>(begin), static_cast<size_t>(size))));
    list.push_back(std::move(value));
  }
  return Value(std::move(list));
}

std::string EncodeOneCellRow(const std::vector<std::optional<std::string>>& columns) {
  std::string bytes;
  std::vector<int32_t> offsets;
  bool wide = false;
  for (const auto& column : columns) {
    const auto at = static_cast<int32_t>(bytes.size());
    wide = wide || at > std::numeric_limits<int16_t>::max();
    offsets.push_back(column.has_value() ? at : -at);
    if (column.has_value()) bytes += *column;
  }
  AppendTrailer(offsets, wide, 0, kOneCellVersion, &bytes);
  return bytes;
}

absl::StatusOr<std::optional<std::string_view>> ElementOfOneCellRow(std::string_view bytes, size_t index) {
  VAQUITA_ASSIGN_OR_RETURN(const Trailer trailer, ReadTrailer(bytes));
  const int64_t begin = index < trailer.count ? OffsetAt(bytes, trailer, index, 0) : -1;
  if (begin < 0) return std::nullopt;
  // An absent element has its place, too, with the sign of absence.
  const int64_t next =
      index + 1 < trailer.count ? OffsetAt(bytes, trailer, index + 1, 0) : static_cast<int64_t>(trailer.offsets);
  const int64_t end = next < 0 ? -next : next;
  if (end < begin || end > static_cast<int64_t>(trailer.offsets)) return BadArray(bytes);
  return bytes.substr(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
}

}  // namespace vaquita::sql
