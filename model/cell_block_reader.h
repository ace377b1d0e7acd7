// model/cell_block_reader.h: reads a cell block that came from outside, and checks every length in it.
//
// Format: model/cell_block.h, and after a cell's value perhaps tags, as KeyValueCodecWithTags has them: u16 their
// length, then per tag u16 length, u8 type and its bytes. The reader takes the time to live from them and skips other
// tags. Threads: one at a time.
#pragma once

#include <string_view>

#include "model/cell.h"

namespace vaquita {

class CellBlockReader {
 public:
  // `bytes` are not copied: they outlive the reader and the views that it gives.
  explicit CellBlockReader(std::string_view bytes) : rest_(bytes) {}

  // Reads the next cell into `*cell`. Returns false at the end, and at malformed bytes, after which failed() is true.
  bool Next(CellView* cell);
  bool failed() const { return failed_; }

 private:
  bool Fail() {
    failed_ = true;
    return false;
  }

  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace vaquita
