#include "client/hbase/rpc_client.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "asio/executor_work_guard.hpp"
#include "asio/io_context.hpp"
#include "asio/post.hpp"
#include "base/absl_text.h"
#include "client/hbase/pending_call.h"
#include "client/hbase/rpc_connection.h"
#include "proto/hbase/frame.h"

namespace vaquita::client {
namespace {

uint32_t MillisecondsUntil(TimePoint deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::system_clock::now());
  return static_cast<uint32_t>(std::clamp<int64_t>(left.count(), 1, INT32_MAX));
}

}  // namespace

struct RpcClient::Io {
  Io() : work(context.get_executor()), thread([this] { context.run(); }) {}
  ~Io() {
    asio::post(context, [this] {
      for (auto& [target, connection] : connections) connection->Break(absl::CancelledError("the client was closed"));
      work.reset();
    });
    thread.join();
  }

  // Returns the connection to `target`. Only the I/O thread calls it.
  RpcConnection& ConnectionTo(const RpcTarget& target) {
    std::shared_ptr<RpcConnection>& connection = connections[target];
    if (connection == nullptr || connection->broken()) {
      connection = std::make_shared<RpcConnection>(context, target);
      connection->Open();
    }
    return *connection;
  }

  std::atomic<uint32_t> last_id = 0;
  asio::io_context context{1};
  asio::executor_work_guard<asio::io_context::executor_type> work;
  std::map<RpcTarget, std::shared_ptr<RpcConnection>> connections;  // used by the I/O thread alone
  std::thread thread;                                               // last: it uses the others
};

RpcClient::RpcClient() : io_(std::make_unique<Io>()) {}
RpcClient::~RpcClient() = default;

std::shared_ptr<PendingCall> RpcClient::Start(const RpcTarget& target, std::string_view method,
                                              const google::protobuf::MessageLite& request, std::string cells,
                                              TimePoint deadline) {
  pb::RequestHeader header;
  const uint32_t id = ++io_->last_id & INT32_MAX;
  header.set_call_id(id);
  header.set_method_name(method.data(), method.size());
  header.set_request_param(true);
  header.set_timeout(MillisecondsUntil(deadline));
  if (!cells.empty()) header.mutable_cell_block_meta()->set_length(static_cast<uint32_t>(cells.size()));
  const std::string param = request.SerializeAsString();
  auto call = std::make_shared<PendingCall>(id, hbase::EncodeFrame(header, &param, cells.size()), std::move(cells));
  asio::post(io_->context, [this, target, call] { io_->ConnectionTo(target).Send(call); });
  return call;
}

CallOutcome RpcClient::Finish(PendingCall& call, TimePoint deadline, google::protobuf::MessageLite* response) {
  if (!call.WaitUntil(deadline)) {
    asio::post(io_->context, [this, id = call.id] {
      for (auto& [target, connection] : io_->connections) connection->Forget(id);
    });
    return {absl::DeadlineExceededError("no answer in time"), /*may_have_run=*/true};
  }
  if (!call.outcome().ok()) return call.outcome();
  if (!ParseMessage(call.answer(), response)) {
    return {absl::InternalError(absl::StrCat("the answer is not a valid ", response->GetTypeName())), true};
  }
  return {};
}

CallOutcome RpcClient::Call(const RpcTarget& target, std::string_view method,
                            const google::protobuf::MessageLite& request, TimePoint deadline,
                            google::protobuf::MessageLite* response) {
  return Finish(*Start(target, method, request, /*cells=*/{}, deadline), deadline, response);
}

}  // namespace vaquita::client
