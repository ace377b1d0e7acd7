// proto/hbase/pb.h: a short namespace for HBase's messages (proto/hbase/*.proto), vaquita::pb, and functions that read
// them from untrusted bytes.
#pragma once

#include <limits>
#include <string_view>

#include "google/protobuf/message_lite.h"

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

}  // namespace vaquita
