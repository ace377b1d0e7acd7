// tests/fuzz/cell_block_fuzz.cc: a cell block from a client. The first byte says in which codec.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "model/cell_block.h"
#include "model/cell_block_reader.h"
#include "server/frontend/hbase/rpc/cell_block_codec.h"

namespace vaquita {
namespace {

// Reads the cells and writes those that it got again, as the codec's form without tags.
void Read(std::string_view key_values) {
  CellBlockReader reader(key_values);
  CellBlock block;
  size_t cells = 0;
  for (CellView cell; reader.Next(&cell); ++cells) {
    if (cell.row.size() + cell.family.size() + cell.qualifier.size() + cell.value.size() > key_values.size())
      std::abort();
    block.Append(cell);
  }
  if (block.size() != cells) std::abort();
  CellBlockReader again(block.bytes());
  size_t cells_again = 0;
  for (CellView cell; again.Next(&cell);) ++cells_again;
  if (again.failed() || cells_again != cells) std::abort();
  hbase::EncodeCellBlock(hbase::CellCodec::kCellWithTags, block.bytes());
}

}  // namespace
}  // namespace vaquita

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using vaquita::hbase::CellCodec;
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const CellCodec codec = data[0] % 3 == 0   ? CellCodec::kKeyValue
                          : data[0] % 3 == 1 ? CellCodec::kCell
                                             : CellCodec::kCellWithTags;
  if (vaquita::hbase::IsNative(codec)) {
    vaquita::Read(bytes);
  } else if (const auto decoded = vaquita::hbase::DecodeCellBlock(codec, bytes); decoded.ok()) {
    vaquita::Read(*decoded);
  }
  return 0;
}
