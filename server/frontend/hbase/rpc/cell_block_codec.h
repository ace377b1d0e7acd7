// server/frontend/hbase/rpc/cell_block_codec.h: the forms in which a client may send and take cells beside the
// messages.
//
// Inside the server a cell block has KeyValueCodec's form, with or without tags (model/cell_block.h,
// cell_block_reader.h). The form with tags only adds bytes that the reader knows, so that only CellCodec's two need
// work. Source: org.apache.hadoop.hbase.codec (2.6).
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace vaquita::hbase {

enum class CellCodec {
  kNone,  // cells stay inside the messages
  kKeyValue,
  kKeyValueWithTags,
  kCell,  // CellCodec: every part with its length, and the sequence number
  kCellWithTags,
};

// The codec of a Java class; kNone of an empty name. NotFound for one that is not known here.
absl::StatusOr<CellCodec> CellCodecOfClass(std::string_view java_class);

// Whether the bytes of `codec` are those that the server has inside, so that they need no translation.
inline bool IsNative(CellCodec codec) { return codec == CellCodec::kKeyValue || codec == CellCodec::kKeyValueWithTags; }

// Whether its clients are sent the cells' tags, of which there is one here: the time to live.
inline bool HasTags(CellCodec codec) {
  return codec == CellCodec::kKeyValueWithTags || codec == CellCodec::kCellWithTags;
}

// Bytes of kCell or kCellWithTags as KeyValueCodecWithTags has them. kDeserialization for what is none.
absl::StatusOr<std::string> DecodeCellBlock(CellCodec codec, std::string_view bytes);

// KeyValueCodec bytes, which this server made, as kCell or kCellWithTags has them.
std::string EncodeCellBlock(CellCodec codec, std::string_view key_values);

}  // namespace vaquita::hbase
