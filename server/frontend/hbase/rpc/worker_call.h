// server/frontend/hbase/rpc/worker_call.h: a call on its way through the workers.
//
// It waits in their queue for its turn, and takes part of shared->call_bytes meanwhile. When its turn comes, its
// connection may keep it until the client has taken answers: calls that are queued already would fill the memory with
// theirs. A call that nobody waits for any more is not run. One that fits in no more, because answers have filled the
// queue, is refused. Threads: one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/worker_pool.h"
#include "server/frontend/hbase/rpc/input_buffer.h"
#include "server/frontend/hbase/rpc/rpc_service.h"

namespace vaquita::hbase {

class RpcConnection;
struct RpcShared;

// Services throw nothing, but memory may run out under what one of them calls: that is the call's error.
absl::StatusOr<RpcResponse> CallService(RpcService* service, const RpcRequest& request);

class WorkerCall {
 public:
  struct Parts {
    std::shared_ptr<RpcConnection> connection;
    RpcShared* shared = nullptr;  // outlives the call, as the two below
    RpcService* service = nullptr;
    WorkerPool* workers = nullptr;
    uint32_t id = 0;
    OwnedFrame frame;         // the request's bytes
    std::string cells;        // decoded, if the codec is not the server's own
    int64_t cost = 0;         // the part of shared->call_bytes that is this call
    int64_t give_up_ms = -1;  // when the client does, by steady_clock; -1: unknown
  };

  // `request` has its texts in `request_frame`, the place from which `frame` was taken.
  WorkerCall(Parts parts, const RpcRequest& request, std::string_view request_frame);
  WorkerCall(const WorkerCall&) = delete;
  WorkerCall& operator=(const WorkerCall&) = delete;
  ~WorkerCall();

  // Gives the call to its workers.
  static void Queue(std::unique_ptr<WorkerCall> call);

 private:
  class Turn;
  void Run();
  void LeaveQueue();
  std::string_view Moved(std::string_view part, std::string_view request_frame) const;

  Parts parts_;
  const std::string method_;
  const int64_t arrived_ms_;  // by steady_clock
  RpcRequest request_;
};

}  // namespace vaquita::hbase
