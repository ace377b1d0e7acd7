// proto/hbase/frame.h: what both sides of HBase's RPC have to know of its frames.
//
// A client begins with six bytes: "HBas", version 0, how it authenticates. Then come frames in both directions, each a
// big-endian u32 length and that many bytes: a header and, mostly, a message, each with its length as a varint before
// it, then perhaps a cell block, whose length the header says. The first frame of a client is a ConnectionHeader
// without a length before it. What the server makes of it: server/frontend/hbase/rpc/rpc_frame.h; the client:
// client/hbase/. Threads: functions only. Source: RPC.proto, ServerRpcConnection, ServerCall, IPCUtil (HBase 2.6).
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
inline constexpr uint8_t kSimpleAuth = 80;  // a user's name, which is believed

// Of answers that belong to no call: -1.
inline constexpr uint32_t kNoCallId = UINT32_MAX;

// Takes a varint length off the front; false if there is none.
bool TakeLength(std::string_view* bytes, uint64_t* length);

// Takes a varint length and that many bytes off the front.
bool TakeDelimited(std::string_view* bytes, std::string_view* part);

// A frame of `header`, and of `param`, a message's bytes, unless it is null; its length counts `cells_size` bytes that
// are to follow it.
std::string EncodeFrame(const google::protobuf::MessageLite& header, const std::string* param, size_t cells_size);

}  // namespace vaquita::hbase
