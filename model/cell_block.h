// model/cell_block.h: a sequence of cells in the bytes of HBase's wire protocol.
//
// A scanner appends each cell straight from its iterator; the HBase front end sends `bytes()` as they are, and all
// others read views. No object is made per cell. Format: org.apache.hadoop.hbase.codec.KeyValueCodec. Per cell: u32
// length of the rest, u32 key length, u32 value length, u16 row length, row, u8 family length, family, qualifier, u64
// timestamp, u8 type, value; all big-endian. Tags are left out, as HBase sends them only to a client that named a codec
// with tags. For such a client a block can carry its cells' own TTLs, each as a tag behind the value
// (KeyValueCodecWithTags): u16 length of all tags, u16 length of this one, u8 its type, u64 milliseconds. Threads: one
// at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/cell.h"

namespace vaquita {

class CellBlock {
 public:
  // Cells that are appended after this call carry their TTLs.
  void CarryTtls() { carries_ttls_ = true; }
  bool carries_ttls() const { return carries_ttls_; }
  void Append(const CellView& cell);
  // Appends a cell of `other` as it is.
  void AppendFrom(const CellBlock& other, size_t index);

  size_t size() const { return offsets_.size(); }
  bool empty() const { return offsets_.empty(); }
  // Returns the cell at `index`. The views live until the block is changed or destroyed.
  CellView operator[](size_t index) const;
  // Returns the encoded cells [first, first + count).
  std::string_view Encoded(size_t first, size_t count) const;
  std::string_view bytes() const { return bytes_; }
  // Gives all encoded cells to the caller. The block is empty afterwards.
  std::string TakeBytes() {
    offsets_.clear();
    return std::exchange(bytes_, {});
  }

  void Clear() {
    bytes_.clear();
    offsets_.clear();
  }
  // Drops the cells from `size` on.
  void Truncate(size_t size);
  // Drops the cells whose flag in `keep` is false. REQUIRES: one flag per cell from `first` on.
  void Retain(size_t first, const std::vector<bool>& keep);

 private:
  std::string bytes_;
  std::vector<uint64_t> offsets_;  // where each cell starts in bytes_
  bool carries_ttls_ = false;
};

// Returns the tag for a cell's time to live, with its own length before it.
std::string TtlTag(int64_t ttl_ms);

}  // namespace vaquita
