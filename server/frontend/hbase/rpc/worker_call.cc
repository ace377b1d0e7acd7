#include "server/frontend/hbase/rpc/worker_call.h"

#include <atomic>
#include <exception>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/read_watch.h"
#include "base/status.h"
#include "base/steady_ms.h"
#include "server/frontend/hbase/rpc/rpc_connection.h"

namespace vaquita::hbase {
namespace {

// Ends a read whose client does not wait for it any more, or whose server stops.
class ClientWatch final : public ReadWatch {
 public:
  // `give_up_ms`: when the client does, by steady_clock; -1: unknown.
  ClientWatch(RpcConnection* connection, const std::atomic<bool>* stopping, int64_t give_up_ms)
      : connection_(*connection), stopping_(*stopping), give_up_ms_(give_up_ms) {}

  absl::Status Check() override {
    if (stopping_) return Error(ErrorKind::kServerNotRunningYet, "Server is stopping");
    if (connection_.ClientIsGone()) {
      return Error(ErrorKind::kCallerDisconnected, "Aborting the call, since caller disconnected");
    }
    if (give_up_ms_ >= 0 && SteadyMs() > give_up_ms_) {
      return Error(ErrorKind::kCallerDisconnected, "Aborting the call, since its client has given up by now");
    }
    return absl::OkStatus();
  }

 private:
  RpcConnection& connection_;
  const std::atomic<bool>& stopping_;
  const int64_t give_up_ms_;
};

}  // namespace

absl::StatusOr<RpcResponse> CallService(RpcService* service, const RpcRequest& request) {
  try {
    return service->Call(request);
  } catch (const std::exception& e) {
    return Error(ErrorKind::kIO, absl::StrCat(AbslText(request.method), ": ", e.what()));
  }
}

class WorkerCall::Turn final : public Work {
 public:
  explicit Turn(std::unique_ptr<WorkerCall> call) : call_(std::move(call)) {}
  void Run() override {
    const std::shared_ptr<RpcConnection> connection = call_->parts_.connection;
    if (!connection->SetAside(&call_)) call_->Run();
  }

 private:
  std::unique_ptr<WorkerCall> call_;
};

void WorkerCall::Queue(std::unique_ptr<WorkerCall> call) {
  WorkerPool* const workers = call->parts_.workers;
  workers->Run(std::make_unique<Turn>(std::move(call)));
}

WorkerCall::WorkerCall(Parts parts, const RpcRequest& request, std::string_view request_frame)
    : parts_(std::move(parts)), method_(request.method), arrived_ms_(SteadyMs()), request_(request) {
  request_.method = method_;
  request_.param = Moved(request.param, request_frame);
  request_.cells = parts_.cells.empty() ? Moved(request.cells, request_frame) : std::string_view(parts_.cells);
}

WorkerCall::~WorkerCall() {
  LeaveQueue();
  parts_.connection->EndCall();
}

void WorkerCall::Run() {
  RpcShared& shared = *parts_.shared;
  RpcConnection& connection = *parts_.connection;
  // Nobody waits for it any more.
  if (connection.closed()) return;
  if (parts_.give_up_ms >= 0 && SteadyMs() > parts_.give_up_ms) return;
  if (shared.call_bytes > shared.options.max_call_queue_bytes) {
    LeaveQueue();
    return connection.AnswerQueueIsFull(parts_.id);
  }
  const int64_t now_ms = shared.options.clock->NowMs();
  const int64_t begin_ms = SteadyMs();
  ClientWatch watch(&connection, &shared.stopping, parts_.give_up_ms);
  request_.context.watch = &watch;
  absl::StatusOr<RpcResponse> response;
  {
    const RunningCalls::Entry running(&shared.running, *parts_.service, request_, now_ms);
    response = CallService(parts_.service, request_);
  }
  shared.options.slow_calls.Check(*parts_.service, request_, response, SteadyMs() - begin_ms, begin_ms - arrived_ms_);
  // Before the client has the answer (as HBase's CallRunner): its next call must not find the queue full of this one.
  LeaveQueue();
  connection.Answer(parts_.id, std::move(response));
}

void WorkerCall::LeaveQueue() { parts_.shared->call_bytes -= std::exchange(parts_.cost, 0); }

// Returns the part of the call's own frame that `part` is of `request_frame`.
std::string_view WorkerCall::Moved(std::string_view part, std::string_view request_frame) const {
  if (part.empty()) return {};
  return parts_.frame.bytes.substr(static_cast<size_t>(part.data() - request_frame.data()), part.size());
}

}  // namespace vaquita::hbase
