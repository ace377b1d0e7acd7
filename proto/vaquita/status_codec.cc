#include "proto/vaquita/status_codec.h"

#include <string>

#include "base/named_exception.h"
#include "base/status.h"
#include "base/unicode.h"

namespace vaquita {
namespace {

// The longest message in a call's trailers: clients refuse trailers of more than 8 KB, and a message is in them three
// times, encoded.
constexpr size_t kMaxTrailerMessage = 1000;

std::string Shortened(std::string message) {
  if (message.size() > kMaxTrailerMessage) message.replace(kMaxTrailerMessage - 3, std::string::npos, "...");
  return message;
}

// HBase's message of some exceptions is only a name ("t"), which says nothing by itself in a call's trailers.
std::string TextForPeople(const absl::Status& status, const std::string& message) {
  ErrorKind kind;
  if (message.find(' ') != std::string::npos) return message;
  if (!GetErrorKind(status, &kind)) return message.empty() ? absl::StatusCodeToString(status.code()) : message;
  const std::string name(SimpleName(ExceptionClass(status)));
  if (message == name) return name;
  switch (kind) {
    case ErrorKind::kTableExists:
      return "table " + message + " exists";
    case ErrorKind::kTableNotFound:
      return "table " + message + " not found";
    case ErrorKind::kTableNotEnabled:
      return "table " + message + " is not enabled";
    case ErrorKind::kTableNotDisabled:
      return "table " + message + " is not disabled";
    case ErrorKind::kTableExistsNamespace:
      return "namespace " + message + " exists";
    case ErrorKind::kNamespaceNotFound:
      return "namespace " + message + " not found";
    default:
      break;
  }
  return name + ": " + message;
}

}  // namespace

std::string MessageText(std::string_view message) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string text;
  text.reserve(message.size());
  for (const char c : message) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      text += c;
    } else {
      text.append({'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]});
    }
  }
  return text;
}

std::string Utf8Text(std::string_view text) { return IsUtf8(text) ? std::string(text) : MessageText(text); }

void ToProto(const absl::Status& status, v1::HBaseError* out) {
  NamedException named;
  if (GetNamedException(status, &named)) {
    out->set_exception_class(named.java_class);
    out->set_message(MessageText({status.message().data(), status.message().size()}));
    out->set_retryable(!named.do_not_retry);
    out->set_code(static_cast<int>(named.do_not_retry ? absl::StatusCode::kFailedPrecondition : status.code()));
    return;
  }
  if (ErrorKind kind; GetErrorKind(status, &kind)) {
    const std::string_view java_class = ExceptionClass(status);
    out->set_exception_class(java_class.data(), java_class.size());
  }
  out->set_message(MessageText({status.message().data(), status.message().size()}));
  out->set_retryable(IsRetryable(status));
  out->set_code(static_cast<int>(status.code()));
}

absl::Status FromProto(const v1::HBaseError& error) {
  if (ErrorKind kind; KindOfExceptionClass(error.exception_class(), &kind)) return Error(kind, error.message());
  const auto code = static_cast<absl::StatusCode>(error.code());
  // An error stays an error even if its code is OK.
  return absl::Status(code == absl::StatusCode::kOk ? absl::StatusCode::kUnknown : code, error.message());
}

grpc::Status ToGrpcStatus(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  const auto code = static_cast<grpc::StatusCode>(status.code());  // both have the canonical numbers
  v1::HBaseError error;
  ToProto(status, &error);
  const std::string message = Shortened(TextForPeople(status, error.message()));
  error.set_message(Shortened(error.message()));
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
