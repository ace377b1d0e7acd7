#include "tools/control/ask_control.h"

#include <chrono>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/host_port.h"
#include "base/json_value.h"
#include "base/status.h"
#include "base/tls/grpc/grpc_credentials.h"
#include "grpcpp/grpcpp.h"
#include "tools/connection/tool_tls.h"
#include "vaquita/v1/test.methods.h"

namespace vaquita {
namespace {

constexpr std::chrono::minutes kControlPatience{10};
constexpr size_t kDeepestField = 20;  // names

// "match.table=t" is {"match": {"table": "t"}}. A value that is JSON, but no text, is taken as that.
absl::Status AddField(const std::string& word, Json* body) {
  const size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0) {
    return absl::InvalidArgumentError(word + ": must be FIELD=VALUE, or one JSON object");
  }
  const std::string text = word.substr(equals + 1);
  Json value = ParseJson(text).value_or(text);
  const std::vector<std::string> names = absl::StrSplit(word.substr(0, equals), '.');
  if (names.size() > kDeepestField) {
    return absl::InvalidArgumentError(
        absl::StrCat("a field has at most ", kDeepestField, " names, not ", names.size()));
  }
  Json* field = body;
  for (const std::string& name : names) {
    if (field->is_null()) *field = Json::object();
    if (!field->is_object()) return absl::InvalidArgumentError(absl::StrCat(word, ": no object has the field ", name));
    field = &(*field)[name];
  }
  *field = std::move(value);
  return absl::OkStatus();
}

absl::StatusOr<v1::RunRequest> ControlRequestOf(const std::vector<std::string>& words) {
  v1::RunRequest request;
  size_t at = 0;
  if (!words.empty() && (words[0] == "get" || words[0] == "post" || words[0] == "delete")) {
    request.set_method(absl::AsciiStrToUpper(words[at++]));
  }
  if (at == words.size()) return absl::InvalidArgumentError("name an operation, e.g. reset");
  request.set_name(words[at++]);
  if (at + 1 == words.size() && words[at].starts_with("{")) {
    request.set_body(words[at]);
    return request;
  }
  Json body = Json::object();
  for (; at < words.size(); ++at) VAQUITA_RETURN_IF_ERROR(AddField(words[at], &body));
  if (!body.empty()) request.set_body(JsonText(body));
  return request;
}

absl::StatusOr<v1::RunResponse> RunControlRequest(const std::string& address, const v1::RunRequest& request) {
  if (address.find("://") != std::string::npos) {
    return absl::InvalidArgumentError(address + ": the test control needs the address of gRPC, HOST:PORT");
  }
  VAQUITA_RETURN_IF_ERROR(CheckHostPort(address));
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);  // the list of calls may be longer than gRPC's default
  const auto channel = MakeGrpcChannel(address, ToolTlsOfAll(), arguments);
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + kControlPatience);
  v1::RunResponse response;
  const grpc::Status status = CallGrpc(channel.get(), &context, {v1::TestMethods::Run, request, &response});
  if (status.error_code() == grpc::StatusCode::UNIMPLEMENTED) {
    return absl::FailedPreconditionError("the server at " + address + " was not started with --test-control");
  }
  if (!status.ok()) return absl::UnavailableError(absl::StrCat(address, ": ", status.error_message()));
  return response;
}

}  // namespace

absl::StatusOr<std::string> AskControl(const std::string& address, const std::vector<std::string>& words) {
  VAQUITA_ASSIGN_OR_RETURN(const v1::RunRequest request, ControlRequestOf(words));
  VAQUITA_ASSIGN_OR_RETURN(const v1::RunResponse response, RunControlRequest(address, request));
  const absl::StatusOr<Json> body = ParseJson(response.body());
  if (response.status() == 200 && body.ok()) return IndentedJsonText(*body);
  return absl::InvalidArgumentError(body.ok() ? TextIn(*body, "error", response.body()) : response.body());
}

}  // namespace vaquita
