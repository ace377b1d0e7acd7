// server/frontend/hbase/rpc/rpc_frame.h: HBase's RPC on the wire, as a server reads and writes it
// (proto/hbase/frame.h).
//
// A client may also begin with one of two preambles that ask a question. Responses come in any order.
// Threads: any. Source: RPC.proto, ServerRpcConnection, ServerCall, SaslUtil (HBase 2.6).
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

// The ways of authentication by SASL.
inline constexpr uint8_t kKerberosAuth = 81;
inline constexpr uint8_t kDigestAuth = 82;
// The answer of a server without security to both: status success, and "use simple authentication".
inline constexpr std::string_view kSwitchToSimpleAuth("\0\0\0\0\xff\xff\xff\xa8", 8);

// A request's header has a method's name, and perhaps attributes.
inline constexpr uint32_t kMaxHeaderBytes = 1 << 20;

// Before its requests a connection sends names of classes and of a user, perhaps attributes, and with Kerberos a ticket
// (64 KB at most in Windows, where tickets are largest). Nobody knows yet who sends it.
inline constexpr uint32_t kMaxHandshakeBytes = 64 << 10;

// Returns whether a client's version is `major`.`minor` or newer. A client without a version counts as old, as in HBase
// (VersionInfoUtil).
bool ClientIsAtLeast(std::string_view version, int major, int minor);

// Reads the header at the front of `*frame` and removes it. Returns false if it is malformed or larger than
// kMaxHeaderBytes: the call is unknown in that case, and the connection must be closed.
bool TakeRequestHeader(std::string_view* frame, pb::RequestHeader* header);

// Splits the bytes behind `header` into the call's message and its cell block. The client gets an error as the call's
// answer.
absl::Status SplitRequest(const pb::RequestHeader& header, std::string_view rest, std::string_view* param,
                          std::string_view* cells);

// Returns the frame of an answer up to its cells, which follow it.
std::string EncodeResponseHead(uint32_t call_id, const RpcResponse& response);
std::string EncodeException(uint32_t call_id, const pb::ExceptionResponse& exception);
// Returns the answer to a request that is too large: RequestTooBigException, or, to clients before 1.3, which do not
// have it, DoNotRetryIOException.
std::string EncodeTooBig(uint32_t call_id, std::string_view client_version, std::string_view message);

// Return the answers to a client's token in SASL's exchange: the server's token, or a refusal.
std::string EncodeSaslToken(std::string_view token);
std::string EncodeSaslRefusal(std::string_view java_class, std::string_view message);

// Makes an exception of this layer's own classes. EncodeStatus (proto/hbase/status_codec.h) makes those of the
// services' errors.
pb::ExceptionResponse MakeException(std::string_view java_class, std::string_view message, bool do_not_retry);

}  // namespace vaquita::hbase
