// proto/hbase/status_codec.h: absl::Status <-> the forms that an exception has in HBase's protocol.
//
// A Java client makes the exception again from its class and its text, which is what printStackTrace gives: the class,
// the message and (from Java servers) lines of a stack trace. A class that is no IOException cannot be thrown to a
// client: HBase wraps it, and so do we, in a DoNotRetryIOException, whose text then begins with the class inside.
// Decoding undoes that. Source: ServerCall.setExceptionResponse, ResponseConverter.buildException,
// RemoteWithExtrasException, RegionMovedException (2.6).
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

// Where a moved region went.
struct RegionMove {
  std::string host;
  int32_t port = 0;
  int64_t start_code = 0;
  int64_t sequence_number = 0;
};

// The kRegionMoved error in the words that clients read the place from.
absl::Status RegionMoved(const RegionMove& move);
// The place that a kRegionMoved error names; false if it names none.
bool ParseRegionMove(std::string_view message, RegionMove* move);

// REQUIRES: `status` is an error. Each takes any error; one without a kind is a java.io.IOException.
void EncodeStatus(const absl::Status& status, pb::ExceptionResponse* out);
void EncodeStatus(const absl::Status& status, pb::NameBytesPair* out);
void EncodeStatus(const absl::Status& status, pb::ForeignExceptionMessage* out);

// An error, whatever the message holds. A class that is not known here gives kDoNotRetryIO or kIO, after what the
// server says of retrying, and is named in the message.
absl::Status DecodeStatus(const pb::ExceptionResponse& exception);
absl::Status DecodeStatus(const pb::NameBytesPair& exception);
absl::Status DecodeStatus(const pb::ForeignExceptionMessage& exception);

}  // namespace vaquita
