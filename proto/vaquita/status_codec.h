// proto/vaquita/status_codec.h: translates absl::Status to and from its forms on the wire.
//
// HBase's exception class and the flag for retrying travel as an HBaseError: in a call's status details
// (grpc-status-details-bin, laid out as google.rpc.Status), and in a batch beside the action that failed.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "grpcpp/support/status.h"
#include "vaquita/v1/types.pb.h"

namespace vaquita {

// Returns a message as UTF-8, which fields of text must be. A message may quote names that are not UTF-8, so bytes
// above 0x7F become \xNN.
std::string MessageText(std::string_view message);
// Returns a text that a client or a file brought: as it is if that is UTF-8, else as a message.
std::string Utf8Text(std::string_view text);

void ToProto(const absl::Status& status, v1::HBaseError* out);
// Returns a status with the message's code. Its kind is not set if the class is unknown.
absl::Status FromProto(const v1::HBaseError& error);

// Returns a gRPC status. Its message is for people: where HBase has only a name, it says the rest ("table t exists").
// It is cut after 1,000 bytes.
grpc::Status ToGrpcStatus(const absl::Status& status);
absl::Status FromGrpcStatus(const grpc::Status& status);

}  // namespace vaquita
