// proto/vaquita/status_codec.h: absl::Status <-> the forms it has on the wire.
//
// HBase's exception class and whether a client may retry travel as an HBaseError: in a call's status details
// (grpc-status-details-bin, laid out as google.rpc.Status), and in a batch beside the action that failed.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "grpcpp/support/status.h"
#include "vaquita/v1/types.pb.h"

namespace vaquita {

// A message of ours for a field of text, which must be UTF-8: it may quote names that are not; bytes above 0x7F become
// \xNN.
std::string MessageText(std::string_view message);

void ToProto(const absl::Status& status, v1::HBaseError* out);
// A class that is not known here gives a status with the message's code, and no kind.
absl::Status FromProto(const v1::HBaseError& error);

// The message is cut after 1,000 bytes.
grpc::Status ToGrpcStatus(const absl::Status& status);
absl::Status FromGrpcStatus(const grpc::Status& status);

}  // namespace vaquita
