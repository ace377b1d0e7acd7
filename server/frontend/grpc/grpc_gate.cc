#include "server/frontend/grpc/grpc_gate.h"

#include <thread>

#include "absl/strings/str_replace.h"
#include "model/encoded_names.h"
#include "proto/vaquita/status_codec.h"

namespace vaquita {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kCheckInterval{20};  // between two looks at whether a client has given up

std::string StringField(const google::protobuf::Message& message, const char* name) {
  const auto* field = message.GetDescriptor()->FindFieldByName(name);
  if (field == nullptr || field->is_repeated() ||
      field->cpp_type() != google::protobuf::FieldDescriptor::CPPTYPE_STRING) {
    return "";
  }
  return message.GetReflection()->GetString(message, field);
}

// Returns the name in the descriptor of a table that is to be made or changed.
std::string TableNameField(const google::protobuf::Message& message) {
  const auto* field = message.GetDescriptor()->FindFieldByName("table");
  if (field == nullptr || field->cpp_type() != google::protobuf::FieldDescriptor::CPPTYPE_MESSAGE) {
    return StringField(message, "table");
  }
  return StringField(message.GetReflection()->GetMessage(message, field), "name");
}

absl::Status Closed() { return absl::UnavailableError("the connection was closed, as the test control was asked"); }

}  // namespace

std::string GrpcClientAddress(const grpc::ServerContextBase& context) {
  const std::string peer = absl::StrReplaceAll(context.peer(), {{"%5B", "["}, {"%5D", "]"}});
  return peer.substr(peer.find(':') + 1);  // after "ipv4:"
}

std::vector<net::CallTarget> TargetsOfFields(const google::protobuf::Message& request) {
  net::CallTarget target{.table = TableNameField(request), .region = "", .row = ""};
  const std::string region = StringField(request, "region");
  const size_t comma = region.find(',');
  if (comma == std::string::npos) {
    target.region = region;
  } else {
    target.table = region.substr(0, comma);
    if (const std::string_view encoded = EncodedNameIn(region); encoded != region) target.region = encoded;
  }
  if (target.table.empty() && target.region.empty()) return {};
  return {std::move(target)};
}

std::vector<net::CallTarget> TargetsOfRow(const GrpcServing& slot, const google::protobuf::Message& request,
                                          const std::string& row) {
  std::vector<net::CallTarget> targets = TargetsOfFields(request);
  for (net::CallTarget& target : targets) {
    target.row = row;
    target.has_row = true;
    if (!target.table.empty()) continue;
    const absl::StatusOr<Serving> serving = slot.Get();
    if (!serving.ok()) continue;
    const auto region = serving->server->FindRegion(target.region);
    if (region.ok()) target.table = (*region)->info().table.ToString();
  }
  return targets;
}

GatedGrpcCall::GatedGrpcCall(net::CallGate* gate, const GrpcCall& call, std::vector<net::CallTarget> targets)
    : gate_(*gate),
      peer_(GrpcClientAddress(call.context)),
      user_(SaidUserOf(call.context)),
      call_(call),
      begin_(steady_clock::now()) {
  gated_ = {.protocol = "grpc",
            .service = call.service,
            .method = call.method,
            .client = peer_,
            .user = user_,
            .request_bytes = static_cast<int64_t>(call.request.ByteSizeLong()),
            .targets = std::move(targets)};
  fate_ = gate_.Enter(gated_);
  // A Batch is refused as a whole.
  for (const absl::Status& refused : fate_.refused_targets) {
    if (refused.ok() || !fate_.runs) continue;
    fate_.runs = false;
    fate_.refusal = refused;
  }
}

absl::Status GatedGrpcCall::Refusal() const { return fate_.refusal.ok() ? Closed() : fate_.refusal; }

void GatedGrpcCall::RecordEnd(const absl::Status& status, int64_t rows) {
  const auto took = std::chrono::duration_cast<std::chrono::microseconds>(steady_clock::now() - begin_);
  const bool has_answer = status.ok() && call_.response != nullptr;
  gate_.Leave(gated_, fate_,
              {.status = status,
               .answer_bytes = has_answer ? static_cast<int64_t>(call_.response->ByteSizeLong()) : 0,
               .rows = rows,
               .took = took});
}

grpc::Status GatedGrpcCall::End(const absl::Status& status, int64_t rows) {
  RecordEnd(status, rows);
  switch (fate_.answer) {
    case net::CallFate::Answer::kGiven:
      return ToGrpcStatus(status);
    case net::CallFate::Answer::kClosed:
      return ToGrpcStatus(Closed());
    case net::CallFate::Answer::kLost:
      while (!call_.context.IsCancelled() && gate_.Lasts(fate_)) std::this_thread::sleep_for(kCheckInterval);
      return ToGrpcStatus(Closed());
  }
  return ToGrpcStatus(status);
}

grpc::Status ThroughGate(net::CallGate* gate, const GrpcCall& call,
                         absl::FunctionRef<std::vector<net::CallTarget>()> targets,
                         absl::FunctionRef<absl::Status()> run) {
  if (gate == nullptr) return ToGrpcStatus(run());
  GatedGrpcCall gated(gate, call, targets());
  return gated.End(gated.fate().runs ? run() : gated.Refusal(), 0);
}

}  // namespace vaquita
