#include "server/frontend/hbase/rpc/rpc_frame.h"

#include <charconv>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/big_endian.h"
#include "base/status.h"
#include "base/unicode.h"

namespace vaquita::hbase {
namespace {

// SaslStatus
constexpr uint32_t kSaslSuccess = 0;
constexpr uint32_t kSaslError = 1;

}  // namespace

bool ClientIsAtLeast(std::string_view version, int major, int minor) {
  const char* const end = version.data() + version.size();
  int its_major = 0;
  int its_minor = 0;
  const auto [dot, error] = std::from_chars(version.data(), end, its_major);
  if (error != std::errc() || dot == end) return false;
  if (std::from_chars(dot + 1, end, its_minor).ec != std::errc()) return false;
  return its_major > major || (its_major == major && its_minor >= minor);
}

bool TakeRequestHeader(std::string_view* frame, pb::RequestHeader* header) {
  std::string_view bytes;
  return TakeDelimited(frame, &bytes) && bytes.size() <= kMaxHeaderBytes && ParseMessage(bytes, header);
}

absl::Status SplitRequest(const pb::RequestHeader& header, std::string_view rest, std::string_view* param,
                          std::string_view* cells) {
  if (!header.request_param()) {
    return Error(ErrorKind::kDoNotRetryIO,
                 "Invalid request header: " + header.ShortDebugString() + ", should have param set in it");
  }
  *cells = {};
  uint64_t length = 0;
  if (!TakeLength(&rest, &length)) {
    return Error(ErrorKind::kDoNotRetryIO, "the request ends before the length of its message");
  }
  if (!header.has_cell_block_meta()) {
    // HBase's CodedInputStream reads a message to the end of the frame if its length reaches beyond that; a Python
    // client says so of all messages from 128 bytes on.
    *param = rest.substr(0, length);
    return absl::OkStatus();
  }
  if (length > rest.size()) {
    return Error(ErrorKind::kDoNotRetryIO, absl::StrCat("a message of ", length, " bytes was announced before a cell ",
                                                        "block, and ", rest.size(), " came"));
  }
  *param = rest.substr(0, length);
  rest.remove_prefix(length);
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

std::string EncodeTooBig(uint32_t call_id, std::string_view client_version, std::string_view message) {
  const std::string_view java_class = ClientIsAtLeast(client_version, 1, 3)
                                          ? "org.apache.hadoop.hbase.exceptions.RequestTooBigException"
                                          : "org.apache.hadoop.hbase.DoNotRetryIOException";
  return EncodeException(call_id, MakeException(java_class, message, true));
}

std::string EncodeSaslToken(std::string_view token) {
  std::string answer;
  AppendBigEndian<uint32_t>(kSaslSuccess, &answer);
  AppendBigEndian<uint32_t>(static_cast<uint32_t>(token.size()), &answer);
  return answer.append(token);
}

std::string EncodeSaslRefusal(std::string_view java_class, std::string_view message) {
  std::string answer;
  AppendBigEndian<uint32_t>(kSaslError, &answer);
  for (const std::string_view text : {java_class, message}) {
    AppendBigEndian<uint32_t>(static_cast<uint32_t>(text.size()), &answer);
    answer.append(text);
  }
  return answer;
}

pb::ExceptionResponse MakeException(std::string_view java_class, std::string_view message, bool do_not_retry) {
  pb::ExceptionResponse exception;
  exception.set_exception_class_name(std::string(java_class));
  std::string scratch;  // the message may show a client's bytes
  exception.set_stack_trace(absl::StrCat(AbslText(java_class), ": ", AbslText(Utf8AsJavaReads(message, &scratch))));
  exception.set_do_not_retry(do_not_retry);
  return exception;
}

}  // namespace vaquita::hbase
