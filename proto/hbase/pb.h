// proto/hbase/pb.h: a short namespace for HBase's messages (proto/hbase/*.proto), vaquita::pb, and functions that read
// them from untrusted bytes, and write answers.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "google/protobuf/message.h"

namespace hbase::pb {}

namespace vaquita {

// Inside namespace vaquita, `hbase` is the front end's own namespace (server/frontend/hbase/).
namespace pb = ::hbase::pb;

// Returns false if `bytes` are malformed or lack a required field. In the second case protobuf's ParseFromArray would
// write a line to stderr, with which any client could fill the log.
inline bool ParseMessage(std::string_view bytes, google::protobuf::MessageLite* message) {
  return bytes.size() <= static_cast<size_t>(std::numeric_limits<int>::max()) &&
         message->ParsePartialFromArray(bytes.data(), static_cast<int>(bytes.size())) && message->IsInitialized();
}

// Reads a message behind the magic "PBUF", as HBase stores messages in hbase:meta, in ZooKeeper and in files.
inline bool ParseMessageAfterMagic(std::string_view bytes, google::protobuf::MessageLite* message) {
  constexpr std::string_view kMagic = "PBUF";
  return bytes.starts_with(kMagic) && ParseMessage(bytes.substr(kMagic.size()), message);
}

// Refuses a message that stands in the bytes of a client's message, if its parts would take more than `most` bytes of
// memory (proto/wire/message_parts.h): they are not among the parts of the outer one. kDoNotRetryIO, with the type of
// `message`.
inline constexpr int64_t kMostInnerParts = int64_t{64} << 20;
absl::Status CheckInnerParts(std::string_view bytes, const google::protobuf::Message& message,
                             int64_t most = kMostInnerParts);

// Returns the bytes of an answer, all of them: kDoNotRetryIO if they are more than `most`. (A message of more than 2
// GiB cannot be written; SerializeAsString would return no bytes, which is the answer of a call that went well.)
absl::StatusOr<std::string> SerializeAnswer(const google::protobuf::MessageLite& answer,
                                            size_t most = std::numeric_limits<int>::max());

}  // namespace vaquita
