// proto/hbase/status_codec.h: translates absl::Status to and from the forms of an exception in HBase's protocol.
//
// A Java client makes the exception again from its class and its text. The text is printStackTrace's: the class, the
// message and (from Java servers) lines of a stack trace. An exception that is not an IOException cannot be thrown to a
// client. As HBase does, it is wrapped in a DoNotRetryIOException, whose text begins with the inner class. Decoding
// undoes that. Source: ServerCall.setExceptionResponse, ResponseConverter.buildException, RemoteWithExtrasException,
// RegionMovedException (2.6).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "hbase/ErrorHandling.pb.h"
#include "hbase/HBase.pb.h"
#include "hbase/RPC.pb.h"
#include "proto/hbase/pb.h"

namespace vaquita {

// The new server of a moved region.
struct RegionMove {
  std::string host;
  int32_t port = 0;
  int64_t start_code = 0;
  int64_t sequence_number = 0;
};

// Returns the kRegionMoved error in the words from which clients read the new server.
absl::Status RegionMoved(const RegionMove& move);
// Reads the server that a kRegionMoved error names. Returns false if it does not name one.
bool ParseRegionMove(std::string_view message, RegionMove* move);

// REQUIRES: `status` is an error. An error without a kind becomes a java.io.IOException.
void EncodeStatus(const absl::Status& status, pb::ExceptionResponse* out);
void EncodeStatus(const absl::Status& status, pb::NameBytesPair* out);
void EncodeStatus(const absl::Status& status, pb::ForeignExceptionMessage* out);

// Returns an error for any message. An unknown class gives kDoNotRetryIO or kIO, as the server's flag for retrying
// says, and is named in the message.
absl::Status DecodeStatus(const pb::ExceptionResponse& exception);
absl::Status DecodeStatus(const pb::NameBytesPair& exception);
absl::Status DecodeStatus(const pb::ForeignExceptionMessage& exception);

}  // namespace vaquita
