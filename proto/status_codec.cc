#include "proto/status_codec.h"

#include <string>

#include "engine/status.h"

namespace vaquita {

void ToProto(const absl::Status& status, v1::HBaseError* out) {
  if (ErrorKind kind; GetErrorKind(status, &kind)) {
    const std::string_view java_class = ExceptionClass(status);
    out->set_exception_class(java_class.data(), java_class.size());
  }
  out->set_message(std::string(status.message()));
  out->set_retryable(IsRetryable(status));
  out->set_code(static_cast<int>(status.code()));
}

absl::Status FromProto(const v1::HBaseError& error) {
  if (ErrorKind kind; KindOfExceptionClass(error.exception_class(), &kind)) return Error(kind, error.message());
  const auto code = static_cast<absl::StatusCode>(error.code());
  // An error is never taken for a success, whatever its code says.
  return absl::Status(code == absl::StatusCode::kOk ? absl::StatusCode::kUnknown : code, error.message());
}

grpc::Status ToGrpcStatus(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  const auto code = static_cast<grpc::StatusCode>(status.code());  // both have the canonical numbers
  const std::string message(status.message());
  v1::HBaseError error;
  ToProto(status, &error);
  v1::StatusDetails details;
  details.set_code(code);
  details.set_message(message);
  details.add_details()->PackFrom(error);
  return grpc::Status(code, message, details.SerializeAsString());
}

absl::Status FromGrpcStatus(const grpc::Status& status) {
  if (status.ok()) return absl::OkStatus();
  v1::StatusDetails details;
  if (!status.error_details().empty() && details.ParseFromString(status.error_details())) {
    for (const google::protobuf::Any& detail : details.details()) {
      if (v1::HBaseError error; detail.UnpackTo(&error)) return FromProto(error);
    }
  }
  return absl::Status(static_cast<absl::StatusCode>(status.error_code()), status.error_message());
}

}  // namespace vaquita
