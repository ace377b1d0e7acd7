// proto/hbase/pb.h: what every user of HBase's messages (proto/hbase/*.proto) needs: a short name for them,
// vaquita::pb::Get, and the way to read them from bytes that are not trusted.
#pragma once

#include <limits>
#include <string_view>

#include "google/protobuf/message_lite.h"

namespace hbase::pb {}

namespace vaquita {

// Inside namespace vaquita, `hbase` is the front end's own namespace (server/frontend/hbase/).
namespace pb = ::hbase::pb;

// False if `bytes` are no such message, or one that lacks a required field. Protobuf's own ParseFromArray writes a line
// to stderr for the latter, which a stranger could have it do without end.
inline bool ParseMessage(std::string_view bytes, google::protobuf::MessageLite* message) {
  return bytes.size() <= static_cast<size_t>(std::numeric_limits<int>::max()) &&
         message->ParsePartialFromArray(bytes.data(), static_cast<int>(bytes.size())) && message->IsInitialized();
}

// The same of bytes as HBase keeps messages in hbase:meta, in ZooKeeper and in files: after the magic "PBUF".
inline bool ParseMessageAfterMagic(std::string_view bytes, google::protobuf::MessageLite* message) {
  constexpr std::string_view kMagic = "PBUF";
  return bytes.starts_with(kMagic) && ParseMessage(bytes.substr(kMagic.size()), message);
}

}  // namespace vaquita
