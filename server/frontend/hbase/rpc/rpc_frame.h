// server/frontend/hbase/rpc/rpc_frame.h: HBase's RPC on the wire, as a server reads and writes it
// (proto/hbase/frame.h).
//
// Instead of saying how it authenticates, a client may begin with one of two other preambles, which ask something.
// Responses come in any order.
// Threads: functions only. Source: RPC.proto, ServerRpcConnection, ServerCall, SaslUtil (HBase 2.6).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "hbase/RPC.pb.h"
#include "proto/hbase/frame.h"
#include "proto/hbase/pb.h"
#include "server/frontend/hbase/rpc/rpc_service.h"

namespace vaquita::hbase {

inline constexpr std::string_view kRegistryPreamble = "Regist";  // asks for the cluster's id
inline constexpr std::string_view kSecurityPreamble = "Securi";  // asks for the server's Kerberos principal

// The other ways to authenticate that HBase has, which do not lead on here.
inline constexpr uint8_t kKerberosAuth = 81;
inline constexpr uint8_t kDigestAuth = 82;
// What a server without security answers to both: status success, then "use simple authentication".
inline constexpr std::string_view kSwitchToSimpleAuth("\0\0\0\0\xff\xff\xff\xa8", 8);

// Reads the header at the front of `*frame` and removes it. False if there is none: then nothing is known about the
// call, and the connection is of no use any more.
bool TakeRequestHeader(std::string_view* frame, pb::RequestHeader* header);

// Splits what follows `header` into the call's message and its cell block. Errors are the caller's, who gets them as
// the call's answer.
absl::Status SplitRequest(const pb::RequestHeader& header, std::string_view rest, std::string_view* param,
                          std::string_view* cells);

// The frame of an answer up to its cells, which go right after it.
std::string EncodeResponseHead(uint32_t call_id, const RpcResponse& response);
std::string EncodeException(uint32_t call_id, const pb::ExceptionResponse& exception);

// An exception of this layer's own, whose classes no other knows. EncodeStatus (proto/hbase/status_codec.h) makes those
// of the services' errors.
pb::ExceptionResponse MakeException(std::string_view java_class, std::string_view message, bool do_not_retry);

}  // namespace vaquita::hbase
