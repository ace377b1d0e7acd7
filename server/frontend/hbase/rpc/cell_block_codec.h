// server/frontend/hbase/rpc/cell_block_codec.h: the forms in which a client may send and take cells beside the
// messages.
//
// Inside the server a cell block has KeyValueCodec's form, with or without tags (model/cell_block.h,
// cell_block_reader.h). The form with tags only adds bytes that the reader knows, so only CellCodec's two forms need
// translation. Source: org.apache.hadoop.hbase.codec (2.6).
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

// Returns the codec of a Java class; kNone for an empty name; NotFound for an unknown class.
absl::StatusOr<CellCodec> CellCodecOfClass(std::string_view java_class);

// Returns whether the bytes of `codec` are the server's own form, so that they need no translation.
inline bool IsNative(CellCodec codec) { return codec == CellCodec::kKeyValue || codec == CellCodec::kKeyValueWithTags; }

// Returns whether its clients get the cells' tags. This server has only one: the time to live.
inline bool HasTags(CellCodec codec) {
  return codec == CellCodec::kKeyValueWithTags || codec == CellCodec::kCellWithTags;
}

// Translates bytes of kCell or kCellWithTags to KeyValueCodecWithTags's. Returns kDeserialization if they are
// malformed.
absl::StatusOr<std::string> DecodeCellBlock(CellCodec codec, std::string_view bytes);

// Translates KeyValueCodec bytes, which this server made, to kCell's or kCellWithTags's.
std::string EncodeCellBlock(CellCodec codec, std::string_view key_values);

}  // namespace vaquita::hbase
