#include "server/hbase/rpc_frame.h"

#include "absl/strings/str_cat.h"
#include "engine/absl_text.h"
#include "engine/big_endian.h"
#include "engine/status.h"
#include "google/protobuf/io/coded_stream.h"

namespace vaquita::hbase {
namespace {

using google::protobuf::io::CodedOutputStream;

// Takes a varint length and that many bytes off the front.
bool TakeDelimited(std::string_view* bytes, std::string_view* part) {
  uint64_t length = 0;
  size_t at = 0;
  for (int shift = 0;; shift += 7) {
    if (shift > 28 || at == bytes->size()) return false;
    const uint8_t byte = static_cast<uint8_t>((*bytes)[at++]);
    length |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  if (length > bytes->size() - at) return false;
  *part = bytes->substr(at, length);
  bytes->remove_prefix(at + length);
  return true;
}

size_t DelimitedSize(size_t length) { return CodedOutputStream::VarintSize32(static_cast<uint32_t>(length)) + length; }

// A frame of `header`, and of `param` unless it is null, with room left for `cells_size` bytes to follow.
std::string EncodeFrame(const pb::ResponseHeader& header, const std::string* param, size_t cells_size) {
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

}  // namespace

bool TakeRequestHeader(std::string_view* frame, pb::RequestHeader* header) {
  std::string_view bytes;
  return TakeDelimited(frame, &bytes) && ParseMessage(bytes, header);
}

absl::Status SplitRequest(const pb::RequestHeader& header, std::string_view rest, std::string_view* param,
                          std::string_view* cells) {
  if (!header.request_param()) {
    return Error(ErrorKind::kDoNotRetryIO,
                 "Invalid request header: " + header.ShortDebugString() + ", should have param set in it");
  }
  if (!TakeDelimited(&rest, param)) {
    return Error(ErrorKind::kDoNotRetryIO, "the request's message is longer than the request");
  }
  *cells = {};
  if (!header.has_cell_block_meta()) return absl::OkStatus();
  if (header.cell_block_meta().length() > rest.size()) {
    return Error(ErrorKind::kDoNotRetryIO, absl::StrCat("a cell block of ", header.cell_block_meta().length(),
                                                        " bytes was announced, and ", rest.size(), " came"));
  }
  *cells = rest.substr(0, header.cell_block_meta().length());
  return absl::OkStatus();
}

std::string EncodeResponseHead(uint32_t call_id, const RpcResponse& response) {
  pb::ResponseHeader header;
  header.set_call_id(call_id);
  if (!response.cells.empty()) {
    header.mutable_cell_block_meta()->set_length(static_cast<uint32_t>(response.cells.size()));
  }
  return EncodeFrame(header, &response.param, response.cells.size());
}

std::string EncodeException(uint32_t call_id, const pb::ExceptionResponse& exception) {
  pb::ResponseHeader header;
  header.set_call_id(call_id);
  *header.mutable_exception() = exception;
  return EncodeFrame(header, nullptr, 0);
}

pb::ExceptionResponse MakeException(std::string_view java_class, std::string_view message, bool do_not_retry) {
  pb::ExceptionResponse exception;
  exception.set_exception_class_name(std::string(java_class));
  exception.set_stack_trace(absl::StrCat(AbslText(java_class), ": ", AbslText(message)));
  exception.set_do_not_retry(do_not_retry);
  return exception;
}

}  // namespace vaquita::hbase
