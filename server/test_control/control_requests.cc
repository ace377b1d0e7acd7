#include "server/test_control/control_requests.h"

#include <functional>
#include <memory>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/absl_text.h"
#include "base/json_value.h"
#include "base/status.h"
#include "base/unicode.h"
#include "model/region_info.h"
#include "server/frontend/http/url_query.h"
#include "server/test_control/control_json.h"

namespace vaquita {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

struct ControlOperation {
  std::string_view method;
  std::string_view name;
  const Message& request;  // these two have the types that `run` takes
  const Message& response;
  std::function<absl::Status(TestControl*, const Message&, Message*)> run;
};

template <typename Request, typename Response>
ControlOperation Operation(std::string_view method, std::string_view name,
                           absl::Status (TestControl::*run)(const Request&, Response*)) {
  return {method, name, Request::default_instance(), Response::default_instance(),
          [run](TestControl* control, const Message& request, Message* response) {
            return (control->*run)(static_cast<const Request&>(request), static_cast<Response*>(response));
          }};
}

const std::vector<ControlOperation>& Operations() {
  using C = TestControl;
  static const auto* const kOperations = new std::vector<ControlOperation>{
      Operation("POST", "reset", &C::Reset),          Operation("POST", "save", &C::Save),
      Operation("POST", "restore", &C::Restore),      Operation("GET", "saved", &C::ListSaved),
      Operation("DELETE", "saved", &C::DeleteSaved),  Operation("POST", "seed", &C::Seed),
      Operation("POST", "clock", &C::SetClock),       Operation("GET", "clock", &C::GetClock),
      Operation("POST", "faults", &C::AddFault),      Operation("GET", "faults", &C::ListFaults),
      Operation("DELETE", "faults", &C::ClearFaults), Operation("GET", "calls", &C::ListCalls),
      Operation("POST", "flush", &C::FlushNow),       Operation("POST", "compact", &C::CompactNow),
      Operation("POST", "split", &C::SplitNow),       Operation("POST", "move", &C::MoveNow),
      Operation("POST", "balance", &C::BalanceNow),   Operation("POST", "disk", &C::SetDisk),
      Operation("GET", "disk", &C::GetDisk),          Operation("POST", "powercut", &C::CutPower),
      Operation("POST", "advertise", &C::Advertise),  Operation("GET", "advertise", &C::GetAdvertised)};
  return *kOperations;
}

// A parameter's text as the JSON value that its field takes.
Json ValueOf(const Message& request, const std::string& name, const std::string& text) {
  const google::protobuf::Descriptor& type = *request.GetDescriptor();
  for (int i = 0; i < type.field_count(); ++i) {
    const FieldDescriptor& field = *type.field(i);
    if (field.json_name() != name || field.cpp_type() == FieldDescriptor::CPPTYPE_STRING) continue;
    if (absl::StatusOr<Json> value = ParseJson(text); value.ok()) return *std::move(value);
  }
  return text;
}

absl::Status ReadQuery(std::string_view query, Message* request) {
  Json json = Json::object();
  VAQUITA_ASSIGN_OR_RETURN(const auto parameters, http::ParseUrlQuery(query));
  for (const auto& [name, text] : parameters) {
    if (!IsUtf8(text))
      return absl::InvalidArgumentError(absl::StrCat(name, ": \"", ToShortStringBinary(text), "\" is not UTF-8"));
    json[name] = ValueOf(*request, name, text);
  }
  return MessageFromJson(JsonText(json), request);
}

int HttpStatusOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return 200;
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kOutOfRange:
      return 400;
    case absl::StatusCode::kPermissionDenied:
      return 403;
    case absl::StatusCode::kNotFound:
      return 404;
    case absl::StatusCode::kAlreadyExists:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kAborted:
      return 409;
    case absl::StatusCode::kUnimplemented:
      return 501;
    case absl::StatusCode::kUnavailable:
      return 503;
    default:
      return 500;
  }
}

// Returns null if there is no such operation.
const ControlOperation* FindOperation(std::string_view method, std::string_view name) {
  for (const ControlOperation& operation : Operations()) {
    if (operation.name == name && operation.method == method) return &operation;
  }
  return nullptr;
}

ControlAnswer RunOperation(TestControl* control, const ControlOperation& operation,
                           absl::FunctionRef<absl::Status(Message*)> read) {
  const std::unique_ptr<Message> request(operation.request.New());
  const std::unique_ptr<Message> response(operation.response.New());
  absl::Status status = read(request.get());
  if (status.ok()) status = operation.run(control, *request, response.get());
  if (!status.ok()) return ControlError(HttpStatusOf(status), StdText(status.message()));
  return {.status = 200, .body = JsonText(MessageToJson(*response)) + "\n", .allow = ""};
}

ControlAnswer NoSuchOperation(std::string_view name) {
  std::string allow;
  for (const ControlOperation& operation : Operations()) {
    if (operation.name != name) continue;
    absl::StrAppend(&allow, allow.empty() ? "" : ", ", AbslText(operation.method));
  }
  if (allow.empty()) {
    return ControlError(404, absl::StrCat("there is no operation \"", AbslText(name), "\": it must be one of ",
                                          absl::StrJoin(ControlNames(), ", ")));
  }
  ControlAnswer answer = ControlError(405, absl::StrCat(AbslText(name), " takes ", allow));
  answer.allow = std::move(allow);
  return answer;
}

}  // namespace

ControlAnswer ControlError(int status, std::string_view message) {
  return {.status = status, .body = JsonText({{"error", std::string(message)}}) + "\n", .allow = ""};
}

std::vector<std::string> ControlNames() {
  std::vector<std::string> names;
  for (const ControlOperation& operation : Operations()) {
    if (names.empty() || names.back() != operation.name) names.emplace_back(operation.name);
  }
  return names;
}

ControlAnswer RunControlRequest(TestControl* control, const ControlRequest& request) {
  const ControlOperation* const operation = FindOperation(request.method, request.name);
  if (operation == nullptr) return NoSuchOperation(request.name);
  return RunOperation(control, *operation, [&](Message* message) {
    return request.method == "POST" ? MessageFromJson(request.body, message) : ReadQuery(request.query, message);
  });
}

ControlAnswer RunControlCommand(TestControl* control, std::string_view method, std::string_view name,
                                std::string_view body) {
  if (method.empty()) {
    const bool posts = FindOperation("POST", name) != nullptr;
    method = FindOperation("GET", name) != nullptr && (body.empty() || !posts) ? "GET" : "POST";
  }
  const ControlOperation* const operation = FindOperation(method, name);
  if (operation == nullptr) return NoSuchOperation(name);
  return RunOperation(control, *operation, [&](Message* message) { return MessageFromJson(body, message); });
}

}  // namespace vaquita
