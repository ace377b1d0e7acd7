#include "engine/cells/cell_key.h"

#include <cstring>

#include "base/status.h"

namespace vaquita {
namespace {

constexpr char kZero = '\x00';
constexpr char kEscapedZero = '\xff';  // after a 0x00: the 0x00 belongs to the part
constexpr char kEnd = '\x01';          // after a 0x00: the part ends here
constexpr char kAfterEnd = '\x02';     // after a 0x00: above every key of the part, below every longer part
constexpr char kTerminator[] = {kZero, kEnd};

// The flags of a stored value.
constexpr char kHasTtl = 1;
constexpr char kHasWriteNumber = 2;
constexpr size_t kNumberLength = sizeof(int64_t);

// Finds the end of the escaped part that starts at `begin`: sets `*end` to the byte after its terminator.
bool FindPartEnd(std::string_view encoded, size_t begin, uint32_t* end, bool* escaped) {
  *escaped = false;
  for (size_t at = begin; at < encoded.size(); at += kPartTerminatorLength) {
    const void* zero = std::memchr(encoded.data() + at, kZero, encoded.size() - at);
    if (zero == nullptr) return false;
    at = static_cast<const char*>(zero) - encoded.data();
    if (at + 1 >= encoded.size()) return false;
    if (encoded[at + 1] == kEnd) {
      *end = static_cast<uint32_t>(at + kPartTerminatorLength);
      return true;
    }
    if (encoded[at + 1] != kEscapedZero) return false;
    *escaped = true;
  }
  return false;
}

// Appends what `escaped` (without its terminator) stands for.
void AppendUnescaped(std::string_view escaped, std::string* out) {
  while (true) {
    const size_t zero = escaped.find(kZero);
    if (zero == std::string_view::npos) break;
    out->append(escaped.substr(0, zero + 1));
    escaped.remove_prefix(zero + 2);
  }
  out->append(escaped);
}

std::string_view PlainOrUnescaped(std::string_view part, bool escaped, std::string* scratch) {
  part.remove_suffix(kPartTerminatorLength);
  if (!escaped) return part;
  scratch->clear();
  AppendUnescaped(part, scratch);
  return *scratch;
}

}  // namespace

void AppendEscaped(std::string_view part, std::string* out) {
  while (true) {
    const size_t zero = part.find(kZero);
    if (zero == std::string_view::npos) break;
    out->append(part.substr(0, zero + 1));
    out->push_back(kEscapedZero);
    part.remove_prefix(zero + 1);
  }
  out->append(part);
  out->append(kTerminator, kPartTerminatorLength);
}

void AppendCellKey(const CellKey& key, std::string* out) {
  AppendEscaped(key.row, out);
  AppendEscaped(key.qualifier, out);
  AppendBigEndian(~static_cast<uint64_t>(key.timestamp_ms), out);
  out->push_back(static_cast<char>(~static_cast<uint8_t>(key.type)));
}

std::string RowPrefix(std::string_view row) {
  std::string prefix;
  prefix.reserve(row.size() + kPartTerminatorLength);
  AppendEscaped(row, &prefix);
  return prefix;
}

std::string ColumnPrefix(std::string_view row, std::string_view qualifier) {
  std::string prefix;
  prefix.reserve(row.size() + qualifier.size() + 2 * kPartTerminatorLength + kKeySuffixLength);
  AppendEscaped(row, &prefix);
  AppendEscaped(qualifier, &prefix);
  return prefix;
}

std::string AfterRow(std::string_view row) {
  std::string key = RowPrefix(row);
  key.back() = kAfterEnd;
  return key;
}

std::string FirstKey(const RowRange& range) {
  if (range.start.empty()) return {};
  return range.start_inclusive ? RowPrefix(range.start) : AfterRow(range.start);
}

std::string EndKey(const RowRange& range) {
  if (range.stop.empty()) return {};
  return range.stop_inclusive ? AfterRow(range.stop) : RowPrefix(range.stop);
}

bool ReadKeyLayout(std::string_view encoded, KeyLayout* layout) {
  return FindPartEnd(encoded, 0, &layout->row_length, &layout->row_escaped) &&
         layout->row_length > kPartTerminatorLength && ReadColumnLayout(encoded, layout);
}

bool ReadColumnLayout(std::string_view encoded, KeyLayout* layout) {
  return FindPartEnd(encoded, layout->row_length, &layout->column_length, &layout->qualifier_escaped) &&
         encoded.size() == layout->column_length + kKeySuffixLength &&
         IsCellType(static_cast<uint8_t>(KeyType(encoded)));
}

std::string_view KeyRow(std::string_view encoded, const KeyLayout& layout, std::string* scratch) {
  return PlainOrUnescaped(encoded.substr(0, layout.row_length), layout.row_escaped, scratch);
}

std::string_view KeyQualifier(std::string_view encoded, const KeyLayout& layout, std::string* scratch) {
  return PlainOrUnescaped(encoded.substr(layout.row_length, layout.column_length - layout.row_length),
                          layout.qualifier_escaped, scratch);
}

absl::Status ParseCellKey(std::string_view encoded, std::string* scratch, CellKey* key) {
  KeyLayout layout;
  if (!ReadKeyLayout(encoded, &layout)) return Error(ErrorKind::kCorruptHFile, "malformed cell key");
  const std::string_view row = encoded.substr(0, layout.row_length - kPartTerminatorLength);
  const std::string_view qualifier =
      encoded.substr(layout.row_length, layout.column_length - layout.row_length - kPartTerminatorLength);
  key->row = row;
  key->qualifier = qualifier;
  key->timestamp_ms = KeyTimestamp(encoded);
  key->type = KeyType(encoded);
  if (!layout.row_escaped && !layout.qualifier_escaped) return absl::OkStatus();

  scratch->clear();
  AppendUnescaped(row, scratch);
  const size_t row_length = scratch->size();
  AppendUnescaped(qualifier, scratch);
  key->row = std::string_view(*scratch).substr(0, row_length);
  key->qualifier = std::string_view(*scratch).substr(row_length);
  return absl::OkStatus();
}

void AppendStoredValue(std::string_view value, int64_t ttl_ms, std::string* out, int64_t write_number) {
  char flags = 0;
  if (ttl_ms != kNoTtl) flags |= kHasTtl;
  if (write_number != 0) flags |= kHasWriteNumber;
  out->push_back(flags);
  if (ttl_ms != kNoTtl) AppendBigEndian(static_cast<uint64_t>(ttl_ms), out);
  if (write_number != 0) AppendBigEndian(static_cast<uint64_t>(write_number), out);
  out->append(value);
}

bool ParseStoredValue(std::string_view stored, std::string_view* value, int64_t* ttl_ms) {
  if (stored.empty()) return false;
  if (stored[0] == 0) {
    *ttl_ms = kNoTtl;
    *value = stored.substr(1);
    return true;
  }
  if ((stored[0] & ~(kHasTtl | kHasWriteNumber)) != 0) return false;
  const size_t ttl_length = (stored[0] & kHasTtl) != 0 ? kNumberLength : 0;
  const size_t header = 1 + ttl_length + ((stored[0] & kHasWriteNumber) != 0 ? kNumberLength : 0);
  if (stored.size() < header) return false;
  *ttl_ms = ttl_length == 0 ? kNoTtl : static_cast<int64_t>(GetBigEndian<uint64_t>(stored.data() + 1));
  *value = stored.substr(header);
  return true;
}

int64_t StoredWriteNumber(std::string_view stored) {
  if (stored.empty() || (stored[0] & kHasWriteNumber) == 0) return 0;
  const size_t at = 1 + ((stored[0] & kHasTtl) != 0 ? kNumberLength : 0);
  if (stored.size() < at + kNumberLength) return 0;
  return static_cast<int64_t>(GetBigEndian<uint64_t>(stored.data() + at));
}

}  // namespace vaquita
