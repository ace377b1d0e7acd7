#include "server/frontend/grpc/grpc_bounded_service.h"

#include <grpc/byte_buffer_reader.h>
#include <grpc/slice.h>

#include <limits>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "proto/vaquita/status_codec.h"
#include "proto/wire/message_parts.h"

namespace vaquita {
namespace {

constexpr int64_t kRequestsShare = 4;
constexpr int64_t kStreamsShare = 64;

int64_t LengthOf(grpc_byte_buffer* request) {
  return request == nullptr ? 0 : static_cast<int64_t>(grpc_byte_buffer_length(request));
}

int64_t CountParts(grpc_byte_buffer* request, const google::protobuf::Descriptor& type, int64_t most) {
  if (request == nullptr) return 0;
  grpc_byte_buffer_reader reader;
  if (grpc_byte_buffer_reader_init(&reader, request) == 0) return 0;  // nor will it be read
  const grpc_slice bytes = grpc_byte_buffer_reader_readall(&reader);
  const std::string_view text(reinterpret_cast<const char*>(GRPC_SLICE_START_PTR(bytes)), GRPC_SLICE_LENGTH(bytes));
  const int64_t cost = CostOfParts(text, type, most);
  grpc_slice_unref(bytes);
  grpc_byte_buffer_reader_destroy(&reader);
  return cost;
}

// To send it again is of no use, which the client reads in the details.
grpc::Status Exhausted(const std::string& message) {
  const grpc::Status status = ToGrpcStatus(Error(ErrorKind::kDoNotRetryIO, message));
  return {grpc::StatusCode::RESOURCE_EXHAUSTED, status.error_message(), status.error_details()};
}

grpc::Status TooManyParts(const google::protobuf::Descriptor& type, int64_t most) {
  return Exhausted(absl::StrCat("a ", type.full_name(), " has so many parts that they take more than ", most,
                                " bytes of memory; send fewer at a time"));
}

}  // namespace

grpc::Status GrpcBounds::Take(grpc_byte_buffer* request, const google::protobuf::Descriptor& type, Parts* parts) {
  const int64_t most = most_ / kRequestsShare;
  if (LengthOf(request) < static_cast<int64_t>(kUncountedBytes)) return grpc::Status::OK;
  const int64_t bytes = CountParts(request, type, most);
  return bytes <= most ? Hold(bytes, parts) : TooManyParts(type, most);
}

// Small requests are counted, too: a connection may have thousands of streams.
grpc::Status GrpcBounds::TakeStream(grpc_byte_buffer* request, const google::protobuf::Descriptor& type, Parts* parts) {
  const int64_t most = most_ / kStreamsShare;
  const int64_t bytes = CountParts(request, type, most);
  return bytes <= most ? Hold(bytes + LengthOf(request), parts) : TooManyParts(type, most);
}

grpc::Status GrpcBounds::Hold(int64_t bytes, Parts* parts) {
  parts->all_ = &taken_;
  parts->bytes_ = bytes;
  if (taken_.fetch_add(bytes) + bytes <= most_) return grpc::Status::OK;
  return {grpc::StatusCode::RESOURCE_EXHAUSTED, "the requests that run take the memory that there is for them"};
}

grpc::Status GrpcBounds::CheckAnswer(const google::protobuf::Message& answer) {
  constexpr size_t kMost = std::numeric_limits<int>::max();
  const size_t size = answer.ByteSizeLong();
  if (size <= kMost) return grpc::Status::OK;
  return Exhausted(
      absl::StrCat("the answer, a ", answer.GetTypeName(), ", has ", size, " bytes; it may have ", kMost, " at most"));
}

}  // namespace vaquita
