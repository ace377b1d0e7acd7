// proto/hbase/frame.h: frames of HBase's RPC, for servers and clients.
//
// A client begins with six bytes: "HBas", version 0, the kind of authentication. Frames follow in both directions. A
// frame is a big-endian u32 length and that many bytes: a header and, mostly, a message, each behind its length as a
// varint, and perhaps a cell block, whose length is in the header. The client's first frame is a ConnectionHeader
// without a varint length. Users: server/frontend/hbase/rpc/rpc_frame.h and client/hbase/. Threads: any. Source:
// RPC.proto, ServerRpcConnection, ServerCall, IPCUtil (HBase 2.6).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "google/protobuf/message_lite.h"

namespace vaquita::hbase {

inline constexpr size_t kPreambleBytes = 6;
inline constexpr std::string_view kRpcMagic = "HBas";
inline constexpr uint8_t kRpcVersion = 0;
inline constexpr uint8_t kSimpleAuth = 80;  // a user's name, which is not verified

// The call id (-1) of answers that do not belong to a call.
inline constexpr uint32_t kNoCallId = UINT32_MAX;

// Takes a varint length off the front; false if there is none.
bool TakeLength(std::string_view* bytes, uint64_t* length);

// Takes a varint length and that many bytes off the front.
bool TakeDelimited(std::string_view* bytes, std::string_view* part);

// Returns a frame of `header` and, unless it is null, `param`, the bytes of a message. Its length includes the
// `cells_size` bytes that the caller sends behind it.
std::string EncodeFrame(const google::protobuf::MessageLite& header, const std::string* param, size_t cells_size);

}  // namespace vaquita::hbase
