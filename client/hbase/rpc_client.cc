#include "client/hbase/rpc_client.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "asio/executor_work_guard.hpp"
#include "asio/io_context.hpp"
#include "asio/post.hpp"
#include "base/absl_text.h"
#include "base/fibers.h"
#include "client/hbase/call_waiters.h"
#include "client/hbase/pending_call.h"
#include "client/hbase/rpc_connection.h"
#include "proto/hbase/frame.h"

namespace vaquita::client {
namespace {

// Connections that were read from so short a time ago are taken to be there.
constexpr std::chrono::milliseconds kFresh{1};

uint32_t MillisecondsFrom(TimePoint now, TimePoint deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - now);
  return static_cast<uint32_t>(std::clamp<int64_t>(left.count(), 1, INT32_MAX));
}

}  // namespace

struct RpcClient::Io {
  Io(std::shared_ptr<TlsContext> its_tls, std::string its_user)
      : tls(std::move(its_tls)), user(std::move(its_user)), work(context.get_executor()) {}
  ~Io() {
    for (auto& [target, connection] : connections) connection->Break(absl::CancelledError("the client was closed"));
    work.reset();
    context.poll();  // the ends of what Break cancelled
  }

  // Returns the connection to `target`.
  RpcConnection& ConnectionTo(const RpcTarget& target) {
    std::shared_ptr<RpcConnection>& connection = connections[target];
    if (connection == nullptr || connection->broken()) {
      connection = std::make_shared<RpcConnection>(context, target, tls, user);
      connection->Open();
    }
    return *connection;
  }

  // Sends at once if nobody does the I/O; else the one who does sends. Fibers' calls go out together, when no fiber of
  // the thread can go on.
  void Send(const RpcTarget& target, const std::shared_ptr<PendingCall>& call, TimePoint now) {
    if (!InFiber() && waiters->TryTurn()) {
      // A connection may have ended while nobody read. To look costs a call of the system.
      if (now < last_read || now > last_read + kFresh) context.poll();
      RpcConnection& connection = ConnectionTo(target);
      connection.Queue(call);
      connection.Flush();
      waiters->EndTurn();
      return;
    }
    Post(target, call);
    if (!waiters->TryTurn()) return;
    // The one who did the I/O has ended just now, or fibers have.
    if (!InFiber() || !OtherFibersAreReady()) context.poll();
    waiters->EndTurn();
  }

  void Post(const RpcTarget& target, const std::shared_ptr<PendingCall>& call) {
    const std::lock_guard lock(outbox_mutex);
    outbox.emplace_back(target, call);
    if (outbox.size() == 1) asio::post(context, [this] { SendPosted(); });
  }

  void SendPosted() {
    std::vector<std::pair<RpcTarget, std::shared_ptr<PendingCall>>> posted;
    {
      const std::lock_guard lock(outbox_mutex);
      posted.swap(outbox);
    }
    std::set<RpcConnection*> used;
    for (auto& [target, call] : posted) {
      RpcConnection& connection = ConnectionTo(target);
      connection.Queue(std::move(call));
      used.insert(&connection);
    }
    for (RpcConnection* const connection : used) connection->Flush();
  }

  // Waits for the answer, and does the I/O while nobody else does. Returns false if it has not come by `deadline`.
  bool WaitUntil(PendingCall& call, TimePoint deadline) {
    bool in_turn = waiters->TryTurn();
    while (!waiters->IsDone(call.waiter())) {
      if (!in_turn) {
        in_turn = waiters->WaitForTurn(&call.waiter(), deadline);
      } else {
        YieldFiber();  // the calls of other fibers go out with this one
        if (OtherFibersAreReady()) {
          context.poll();
        } else {
          context.run_one_until(std::min(deadline, NextFiberTime()));
        }
      }
      const TimePoint now = std::chrono::steady_clock::now();
      if (in_turn) last_read = now;
      if (now >= deadline) break;
    }
    if (in_turn) waiters->EndTurn();
    return waiters->IsDone(call.waiter());
  }

  void Forget(uint32_t id) {
    asio::post(context, [this, id] {
      for (auto& [target, connection] : connections) connection->Forget(id);
    });
  }

  const std::shared_ptr<TlsContext> tls;
  const std::string user;
  const std::shared_ptr<CallWaiters> waiters = std::make_shared<CallWaiters>();
  std::atomic<uint32_t> last_id = 0;
  asio::io_context context;
  asio::executor_work_guard<asio::io_context::executor_type> work;
  std::mutex outbox_mutex;
  std::vector<std::pair<RpcTarget, std::shared_ptr<PendingCall>>> outbox;  // guarded by outbox_mutex
  // Used by the one who does the I/O.
  std::map<RpcTarget, std::shared_ptr<RpcConnection>> connections;
  TimePoint last_read;
};

RpcClient::RpcClient(std::shared_ptr<TlsContext> tls, std::string user)
    : io_(std::make_unique<Io>(std::move(tls), std::move(user))) {}
RpcClient::~RpcClient() = default;

std::shared_ptr<PendingCall> RpcClient::Start(const RpcTarget& target, std::string_view method,
                                              const google::protobuf::MessageLite& request, std::string cells,
                                              TimePoint deadline) {
  pb::RequestHeader header;
  const uint32_t id = ++io_->last_id & INT32_MAX;
  header.set_call_id(id);
  header.set_method_name(method.data(), method.size());
  header.set_request_param(true);
  const TimePoint now = std::chrono::steady_clock::now();
  header.set_timeout(MillisecondsFrom(now, deadline));
  if (!cells.empty()) header.mutable_cell_block_meta()->set_length(static_cast<uint32_t>(cells.size()));
  const std::string param = request.SerializeAsString();
  auto call = std::make_shared<PendingCall>(id, hbase::EncodeFrame(header, &param, cells.size()), std::move(cells),
                                            io_->waiters);
  io_->Send(target, call, now);
  return call;
}

CallOutcome RpcClient::Finish(PendingCall& call, TimePoint deadline, google::protobuf::MessageLite* response) {
  if (!io_->WaitUntil(call, deadline)) {
    io_->Forget(call.id);
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
