#include "client/test_server/running_server.h"

#include <grpcpp/grpcpp.h>

#include <chrono>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/tls/grpc/grpc_credentials.h"
#include "client/test_server/server_process.h"
#include "google/protobuf/struct.pb.h"
#include "google/protobuf/util/json_util.h"
#include "vaquita/v1/test.methods.h"

namespace vaquita::testing {
namespace {

constexpr std::chrono::minutes kAnswerWithin{10};  // a seed may take long

std::string Quoted(const std::string& text) {
  return absl::StrCat("'", absl::StrReplaceAll(text, {{"\\", "\\\\"}, {"'", "\\'"}}), "'");
}

absl::StatusOr<std::string> Script(const ServerOptions& options) {
  std::string script;
  for (const auto& [table, families] : options.tables) {
    if (families.empty()) return absl::InvalidArgumentError(absl::StrCat("the table ", table, " needs a family"));
    absl::StrAppend(&script, "create ", Quoted(table));
    for (const std::string& family : families) absl::StrAppend(&script, ", ", Quoted(family));
    script += '\n';
  }
  return absl::StrCat(script, options.seed);
}

std::string Duration(std::chrono::milliseconds duration) { return absl::StrCat(duration.count(), "ms"); }

class GrpcRunningServer : public RunningServer {
 public:
  absl::Status Launch(const ServerOptions& options) {
    auto program = FindProgram(options.program);
    if (!program.ok()) return program.status();
    std::vector<std::string> command = {*program,         "standalone",        "--ephemeral", "--free-ports",
                                        "--test-control", "--exit-with-stdin", "--ready-line"};
    for (const auto& [name, value] : options.properties) {
      command.push_back("-D");
      command.push_back(absl::StrCat(name, "=", value));
    }
    const auto line = process_.Start(command);
    if (!line.ok()) return line.status();
    google::protobuf::Struct ready;
    if (!google::protobuf::util::JsonStringToMessage(*line, &ready).ok()) {
      return absl::InternalError(absl::StrCat("Vaquita's ready line is not JSON: ", *line));
    }
    address_ = ready.fields().at("grpc_address").string_value();
    zookeeper_ = ready.fields().at("zookeeper").string_value();
    pid_ = static_cast<int64_t>(ready.fields().at("pid").number_value());
    grpc::ChannelArguments arguments;
    arguments.SetMaxReceiveMessageSize(-1);  // a list of calls, or the output of a seed, may be longer than the default
    channel_ = MakeGrpcChannel(address_, /*tls=*/nullptr, arguments);
    return absl::OkStatus();
  }

  const std::string& address() const override { return address_; }
  const std::string& zookeeper() const override { return zookeeper_; }
  int64_t pid() const override { return pid_; }
  std::string LastLogLines() const override { return process_.LastLogLines(); }

  absl::StatusOr<std::shared_ptr<client::Connection>> Connect() override {
    return client::Connection::Open({.address = address_});
  }

  absl::Status Reset() override { return CallServer(v1::TestMethods::Reset, v1::ResetRequest()).status(); }

  absl::StatusOr<std::string> Seed(std::string_view script) override {
    v1::SeedRequest request;
    request.set_script(std::string(script));
    const auto answer = CallServer(v1::TestMethods::Seed, request);
    if (!answer.ok()) return answer.status();
    return answer->output();
  }

  absl::Status Save(std::string_view name) override {
    v1::SaveRequest request;
    request.set_name(std::string(name));
    return CallServer(v1::TestMethods::Save, request).status();
  }

  absl::Status Restore(std::string_view name) override {
    v1::RestoreRequest request;
    request.set_name(std::string(name));
    return CallServer(v1::TestMethods::Restore, request).status();
  }

  absl::StatusOr<int64_t> AdvanceTime(std::chrono::milliseconds by) override {
    v1::SetClockRequest request;
    request.set_advance(Duration(by));
    return SetClock(request);
  }

  absl::StatusOr<int64_t> FreezeTime(int64_t at_ms) override {
    v1::SetClockRequest request;
    request.set_freeze_ms(at_ms);
    return SetClock(request);
  }

  absl::StatusOr<int64_t> AddFault(const Fault& fault) override;

  absl::StatusOr<int64_t> FaultHits(int64_t fault) override {
    const auto answer = CallServer(v1::TestMethods::ListFaults, v1::ListFaultsRequest());
    if (!answer.ok()) return answer.status();
    for (const v1::Fault& each : answer->faults()) {
      if (each.id() == fault) return each.hits();
    }
    return absl::NotFoundError(absl::StrCat("unknown fault ", fault));
  }

  absl::Status ClearFaults() override {
    return CallServer(v1::TestMethods::ClearFaults, v1::ClearFaultsRequest()).status();
  }

  absl::StatusOr<std::vector<Call>> Calls(int64_t since) override;

 private:
  template <typename Request, typename Response>
  absl::StatusOr<Response> CallServer(GrpcMethod<Request, Response> method, const Request& request) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + kAnswerWithin);
    Response response;
    const grpc::Status status = CallGrpc(channel_.get(), &context, {method, request, &response});
    if (!status.ok()) return absl::Status(static_cast<absl::StatusCode>(status.error_code()), status.error_message());
    return response;
  }

  absl::StatusOr<int64_t> SetClock(const v1::SetClockRequest& request) {
    const auto answer = CallServer(v1::TestMethods::SetClock, request);
    if (!answer.ok()) return answer.status();
    return answer->now_ms();
  }

  ServerProcess process_;
  std::string address_;
  std::string zookeeper_;
  int64_t pid_ = 0;
  std::shared_ptr<grpc::Channel> channel_;
};

absl::StatusOr<int64_t> GrpcRunningServer::AddFault(const Fault& fault) {
  v1::Fault request;
  request.mutable_match()->mutable_methods()->Add(fault.methods.begin(), fault.methods.end());
  request.mutable_match()->set_table(fault.table);
  request.set_skip(fault.skip);
  request.set_times(fault.times);
  if (!fault.exception_class.empty()) {
    request.mutable_exception()->set_class_(fault.exception_class);
    request.mutable_exception()->set_message(fault.message);
  }
  if (fault.delay.count() > 0) request.set_delay(Duration(fault.delay));
  request.set_drop(fault.drop);
  request.set_lose_answer(fault.lose_answer);
  const auto answer = CallServer(v1::TestMethods::AddFault, request);
  if (!answer.ok()) return answer.status();
  return answer->id();
}

absl::StatusOr<std::vector<Call>> GrpcRunningServer::Calls(int64_t since) {
  v1::ListCallsRequest request;
  request.set_since(since);
  const auto answer = CallServer(v1::TestMethods::ListCalls, request);
  if (!answer.ok()) return answer.status();
  std::vector<Call> calls;
  for (const v1::TestCall& each : answer->calls()) {
    Call& call = calls.emplace_back();
    call.number = each.number();
    call.method = each.method();
    call.table = each.table();
    call.rows.assign(each.rows().begin(), each.rows().end());
    call.row_count = each.row_count();
    call.result = each.result();
  }
  return calls;
}

}  // namespace

absl::StatusOr<std::unique_ptr<RunningServer>> RunningServer::Start(const ServerOptions& options) {
  const auto script = Script(options);
  if (!script.ok()) return script.status();
  auto server = std::make_unique<GrpcRunningServer>();
  if (absl::Status status = server->Launch(options); !status.ok()) return status;
  if (!script->empty()) {
    if (const auto seeded = server->Seed(*script); !seeded.ok()) return seeded.status();
  }
  return server;
}

}  // namespace vaquita::testing
