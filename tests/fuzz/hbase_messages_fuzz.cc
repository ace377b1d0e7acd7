// tests/fuzz/hbase_messages_fuzz.cc: a request's message and its cell block, through the codecs that the services use.
//
// An input is a byte that says which message, two bytes (big-endian) of the message's length, the message, and the cell
// block. What can be read is written again, and must then be readable.
#include <google/protobuf/stubs/logging.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "hbase/Client.pb.h"
#include "hbase/Filter.pb.h"
#include "hbase/HBase.pb.h"
#include "hbase/RPC.pb.h"
#include "model/cell_block.h"
#include "model/cell_block_reader.h"
#include "proto/hbase/data_codec.h"
#include "proto/hbase/filter_codec.h"
#include "proto/hbase/pb.h"
#include "proto/hbase/schema_codec.h"
#include "proto/hbase/status_codec.h"
#include "region/filter/filter.h"

namespace vaquita {
namespace {

void Check(bool holds) {
  if (!holds) std::abort();
}

template <typename Message>
bool Parse(std::string_view bytes, Message* message) {
  return message->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

void ReadGet(std::string_view bytes) {
  pb::Get message, again;
  if (!Parse(bytes, &message)) return;
  const auto get = DecodeGet(message);
  if (!get.ok()) return;
  EncodeGet(*get, &again);
  Check(DecodeGet(again).ok());
}

void ReadScan(std::string_view bytes) {
  pb::Scan message, again;
  if (!Parse(bytes, &message)) return;
  const auto scan = DecodeScan(message);
  if (!scan.ok()) return;
  EncodeScan(*scan, &again);
  Check(DecodeScan(again).ok());
}

void ReadMutation(std::string_view bytes, CellBlockReader cells) {
  pb::MutationProto message, again;
  if (!Parse(bytes, &message)) return;
  CellBlockReader to_skip = cells;
  static_cast<void>(SkipCells(message, &to_skip));
  Mutation mutation;
  if (!DecodeMutation(&message, &cells, &mutation).ok()) return;
  CellBlock block;
  EncodeMutation(mutation, &block, &again);
}

void ReadRowMutations(std::string_view bytes, CellBlockReader cells) {
  pb::RegionAction message;
  RowMutations mutations;
  if (Parse(bytes, &message)) static_cast<void>(DecodeRowMutations(&message, &cells, &mutations));
}

void ReadCondition(std::string_view bytes) {
  pb::Condition message, again;
  CheckAndMutate check;
  if (!Parse(bytes, &message) || !DecodeCondition(message, &check).ok()) return;
  EncodeCondition(check, &again);
}

void ReadFilter(std::string_view bytes) {
  pb::Filter message, again;
  FilterSpec spec;
  if (!Parse(bytes, &message) || !DecodeFilter(message, &spec).ok()) return;
  static_cast<void>(MakeFilter(spec));
  EncodeFilter(spec, &again);
  FilterSpec spec_again;
  Check(DecodeFilter(again, &spec_again).ok());
}

void ReadResult(std::string_view bytes, CellBlockReader cells) {
  pb::Result message;
  std::vector<Cell> out;
  if (Parse(bytes, &message)) static_cast<void>(DecodeResult(message, &cells, &out));
}

void ReadTable(std::string_view bytes) {
  pb::TableSchema message;
  if (Parse(bytes, &message)) static_cast<void>(DecodeTable(message));
}

void ReadRegionInfo(std::string_view bytes) {
  pb::RegionInfo message;
  if (Parse(bytes, &message)) static_cast<void>(DecodeRegionInfo(message));
}

void ReadException(std::string_view bytes) {
  pb::ExceptionResponse message;
  if (Parse(bytes, &message)) Check(!DecodeStatus(message).ok());
}

}  // namespace
}  // namespace vaquita

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace vaquita;
  google::protobuf::SetLogHandler(nullptr);  // it would tell of every message that it cannot parse
  if (size < 3) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 3, size - 3);
  const std::string_view message = rest.substr(0, data[1] << 8 | data[2]);
  const CellBlockReader cells(rest.substr(message.size()));
  switch (data[0] % 10) {
    case 0:
      ReadGet(message);
      break;
    case 1:
      ReadScan(message);
      break;
    case 2:
      ReadMutation(message, cells);
      break;
    case 3:
      ReadRowMutations(message, cells);
      break;
    case 4:
      ReadCondition(message);
      break;
    case 5:
      ReadFilter(message);
      break;
    case 6:
      ReadResult(message, cells);
      break;
    case 7:
      ReadTable(message);
      break;
    case 8:
      ReadRegionInfo(message);
      break;
    default:
      ReadException(message);
  }
  return 0;
}
