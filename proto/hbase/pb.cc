#include "proto/hbase/pb.h"

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "proto/wire/message_parts.h"

namespace vaquita {

absl::Status CheckInnerParts(std::string_view bytes, const google::protobuf::Message& message, int64_t most) {
  if (bytes.size() < kUncountedBytes) return absl::OkStatus();
  if (CostOfParts(bytes, *message.GetDescriptor(), most) <= most) return absl::OkStatus();
  return Error(ErrorKind::kDoNotRetryIO,
               absl::StrCat("a ", message.GetTypeName(), " of ", bytes.size(),
                            " bytes has so many parts that they take more than ", most, " bytes of memory"));
}

absl::StatusOr<std::string> SerializeAnswer(const google::protobuf::MessageLite& answer, size_t most) {
  const size_t size = answer.ByteSizeLong();
  if (size > most) {
    return Error(ErrorKind::kDoNotRetryIO, absl::StrCat("the answer, a ", answer.GetTypeName(), ", has ", size,
                                                        " bytes; it may have ", most, " at most"));
  }
  std::string bytes(size, '\0');
  answer.SerializeWithCachedSizesToArray(reinterpret_cast<uint8_t*>(bytes.data()));
  return bytes;
}

}  // namespace vaquita
