// proto/wire/message_parts.h: the memory that a message's parts will take, told from its bytes.
//
// A part of a message, be it empty, takes 2 bytes on the wire and hundreds in memory. So a limit of a request's bytes
// does not limit its memory, and the parts are counted before the message is made. Threads: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "google/protobuf/descriptor.h"

namespace vaquita {

// A message of fewer bytes cannot have enough parts to do harm, and need not be counted.
inline constexpr size_t kUncountedBytes = 64 << 10;

// Returns about how many bytes the parts of a message of `type` take in memory, with what is made of them, besides the
// bytes of their texts. It allocates nothing, and stops when the sum is over `most`. Bytes that are no message are
// counted as far as they can be read, which is as far as a parser would come.
// Cells of fields that are called cell_block count, too.
int64_t CostOfParts(std::string_view bytes, const google::protobuf::Descriptor& type, int64_t most);

// Returns likewise what the cells of a block (model/cell_block.h) take.
int64_t CostOfCells(std::string_view block, int64_t most);

}  // namespace vaquita
