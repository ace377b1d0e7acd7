#include "proto/hbase/frame.h"

#include "base/big_endian.h"
#include "base/varint.h"
#include "google/protobuf/io/coded_stream.h"

namespace vaquita::hbase {
namespace {

using google::protobuf::io::CodedOutputStream;

size_t DelimitedSize(size_t length) { return CodedOutputStream::VarintSize32(static_cast<uint32_t>(length)) + length; }

}  // namespace

bool TakeLength(std::string_view* bytes, uint64_t* length) {
  constexpr size_t kBytesOf32Bits = 5;
  return TakeVarint(bytes, length, kBytesOf32Bits);
}

bool TakeDelimited(std::string_view* bytes, std::string_view* part) {
  std::string_view rest = *bytes;
  uint64_t length = 0;
  if (!TakeLength(&rest, &length) || length > rest.size()) return false;
  *part = rest.substr(0, length);
  *bytes = rest.substr(length);
  return true;
}

std::string EncodeFrame(const google::protobuf::MessageLite& header, const std::string* param, size_t cells_size) {
  const size_t header_size = header.ByteSizeLong();
  const size_t body_size = DelimitedSize(header_size) + (param == nullptr ? 0 : DelimitedSize(param->size()));
  std::string frame(4 + body_size, '\0');
  char* at = PutBigEndian(static_cast<uint32_t>(body_size + cells_size), frame.data());
  auto* byte = reinterpret_cast<uint8_t*>(at);
  byte = CodedOutputStream::WriteVarint32ToArray(static_cast<uint32_t>(header_size), byte);
  byte = header.SerializeWithCachedSizesToArray(byte);
  if (param == nullptr) return frame;
  byte = CodedOutputStream::WriteVarint32ToArray(static_cast<uint32_t>(param->size()), byte);
  param->copy(reinterpret_cast<char*>(byte), param->size());
  return frame;
}

}  // namespace vaquita::hbase
