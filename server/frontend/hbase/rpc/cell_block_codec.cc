#include "server/frontend/hbase/rpc/cell_block_codec.h"

#include <cstdint>

#include "base/absl_text.h"
#include "base/big_endian.h"
#include "base/status.h"
#include "model/cell.h"
#include "model/cell_block.h"
#include "model/cell_block_reader.h"

namespace vaquita::hbase {
namespace {

constexpr std::string_view kPackage = "org.apache.hadoop.hbase.codec.";

// Takes parts off the front of bytes that came from outside.
class Parts {
 public:
  explicit Parts(std::string_view bytes) : rest_(bytes) {}

  bool done() const { return rest_.empty(); }
  bool failed() const { return failed_; }
  std::string_view Fixed(size_t length) {
    if (length > rest_.size()) failed_ = true;
    if (failed_) return {};
    const std::string_view part = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return part;
  }
  std::string_view Sized() {
    const std::string_view length = Fixed(4);
    return failed_ ? length : Fixed(GetBigEndian<uint32_t>(length.data()));
  }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

void AppendSized(std::string_view part, std::string* out) {
  AppendBigEndian(static_cast<uint32_t>(part.size()), out);
  out->append(part);
}

}  // namespace

absl::StatusOr<CellCodec> CellCodecOfClass(std::string_view java_class) {
  if (java_class.empty()) return CellCodec::kNone;
  if (java_class.starts_with(kPackage)) {
    const std::string_view name = java_class.substr(kPackage.size());
    if (name == "KeyValueCodec") return CellCodec::kKeyValue;
    if (name == "KeyValueCodecWithTags") return CellCodec::kKeyValueWithTags;
    if (name == "CellCodec") return CellCodec::kCell;
    if (name == "CellCodecWithTags") return CellCodec::kCellWithTags;
  }
  return absl::NotFoundError(AbslText(java_class));
}

absl::StatusOr<std::string> DecodeCellBlock(CellCodec codec, std::string_view bytes) {
  std::string key_values;
  Parts parts(bytes);
  while (!parts.done() && !parts.failed()) {
    const std::string_view row = parts.Sized();
    const std::string_view family = parts.Sized();
    const std::string_view qualifier = parts.Sized();
    const std::string_view timestamp_and_type = parts.Fixed(9);
    const std::string_view value = parts.Sized();
    const std::string_view tags = codec == CellCodec::kCellWithTags ? parts.Sized() : std::string_view();
    parts.Fixed(8);  // the sequence number, which the server gives
    if (parts.failed() || row.size() > kMaxRowLength || family.size() > kMaxFamilyLength || tags.size() > UINT16_MAX) {
      return Error(ErrorKind::kDeserialization, "malformed cell block for CellCodec");
    }
    const size_t key_size = 2 + row.size() + 1 + family.size() + qualifier.size() + timestamp_and_type.size();
    const size_t tags_size = tags.empty() ? 0 : 2 + tags.size();
    AppendBigEndian(static_cast<uint32_t>(8 + key_size + value.size() + tags_size), &key_values);
    AppendBigEndian(static_cast<uint32_t>(key_size), &key_values);
    AppendBigEndian(static_cast<uint32_t>(value.size()), &key_values);
    AppendBigEndian(static_cast<uint16_t>(row.size()), &key_values);
    key_values.append(row);
    AppendBigEndian(static_cast<uint8_t>(family.size()), &key_values);
    key_values.append(family).append(qualifier).append(timestamp_and_type).append(value);
    if (tags.empty()) continue;
    AppendBigEndian(static_cast<uint16_t>(tags.size()), &key_values);
    key_values.append(tags);
  }
  return key_values;
}

std::string EncodeCellBlock(CellCodec codec, std::string_view key_values) {
  std::string out;
  CellBlockReader reader(key_values);
  CellView cell;
  while (reader.Next(&cell)) {
    AppendSized(cell.row, &out);
    AppendSized(cell.family, &out);
    AppendSized(cell.qualifier, &out);
    AppendBigEndian(static_cast<uint64_t>(cell.timestamp_ms), &out);
    out.push_back(static_cast<char>(cell.type));
    AppendSized(cell.value, &out);
    if (codec == CellCodec::kCellWithTags)
      AppendSized(cell.ttl_ms == kNoTtl ? std::string() : TtlTag(cell.ttl_ms), &out);
    AppendBigEndian(uint64_t{0}, &out);  // the sequence number
  }
  return out;
}

}  // namespace vaquita::hbase
