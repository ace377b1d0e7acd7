// server/frontend/hbase/rpc/rpc_connection.h: one client's connection: its handshake, its calls, its answers.
//
// Threads: a connection belongs to one I/O thread, which calls everything but what is marked otherwise. Workers finish
// calls from their own threads; they write to the socket themselves, so that an answer needs no other thread.
// Source: ServerRpcConnection, NettyRpcFrameDecoder (HBase 2.6).
#pragma once

#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "base/caller.h"
#include "base/worker_pool.h"
#include "hbase/RPC.pb.h"
#include "proto/hbase/pb.h"
#include "server/frontend/hbase/rpc/call_costs.h"
#include "server/frontend/hbase/rpc/call_group.h"
#include "server/frontend/hbase/rpc/cell_block_codec.h"
#include "server/frontend/hbase/rpc/input_buffer.h"
#include "server/frontend/hbase/rpc/output_queue.h"
#include "server/frontend/hbase/rpc/pace.h"
#include "server/frontend/hbase/rpc/rpc_server.h"
#include "server/frontend/hbase/rpc/rpc_service.h"
#include "server/frontend/hbase/rpc/running_calls.h"
#include "server/frontend/hbase/rpc/worker_call.h"

namespace vaquita::hbase {

class RpcConnection;

// All connections of a server share it. It outlives them.
struct RpcShared {
  explicit RpcShared(const RpcServerOptions& server_options)
      : options(server_options),
        workers(server_options.handler_threads),
        priority_workers(server_options.priority_handler_threads) {}

  const RpcServerOptions options;
  std::map<std::string, RpcService*, std::less<>> services;
  std::string cluster_id;
  std::atomic<int64_t> connections = 0;
  // In requests that workers run, in large ones that are not all there, and in answers that clients do not take.
  std::atomic<int64_t> call_bytes = 0;
  std::atomic<bool> stopping = false;
  RunningCalls running;
  WorkerPool workers;
  WorkerPool priority_workers;
};

// The connections of one I/O thread share it.
struct IoThreadShared {
  asio::io_context context{1};
  // Bytes that the connection whose turn it is receives at once.
  static constexpr size_t kScratchBytes = 256 << 10;
  const std::unique_ptr<char[]> scratch = std::make_unique_for_overwrite<char[]>(kScratchBytes);
  std::map<const RpcConnection*, std::shared_ptr<RpcConnection>> connections;
};

class RpcConnection : public std::enable_shared_from_this<RpcConnection> {
 public:
  // `tls`: null, or of the socket, after its handshake.
  RpcConnection(asio::ip::tcp::socket socket, std::shared_ptr<TlsSession> tls, RpcShared* shared,
                IoThreadShared* thread);

  void Start();
  void Close();
  // Closes it if it has been waiting for its client for too long, by steady_clock's milliseconds.
  void CloseIfStalled(int64_t now_ms);

  // From any thread: the end of a call that a worker ran. The first answers it.
  void Answer(uint32_t call_id, absl::StatusOr<RpcResponse> response);
  void EndCall();
  void AnswerQueueIsFull(uint32_t call_id);
  // Takes a call whose turn has come if the client has many answers to take first. It gets another turn later.
  bool SetAside(std::unique_ptr<WorkerCall>* call);
  bool closed() const { return closed_.load(std::memory_order_relaxed); }
  // Returns whether the client has gone, though that was not read from the socket yet. Costs a system call.
  bool ClientIsGone();

 private:
  enum class State {
    kPreamble,
    kSasl,      // an exchange of tokens
    kSkipSasl,  // the first frame of a client that was told to do without, sent before it knew
    kHeader,
    kRequests,
    kDraining,  // refused: what it sends is dropped until it has read why
  };

  // Reading.
  void WaitUntilReadable();
  void OnReadable();
  void NoteInput(size_t kept, size_t received);
  void WaitForRoom();
  void HandleInput();
  bool HandleOne();
  bool MustWait();
  void ResumeLocked();
  size_t KeptInput() const;
  void CountInput();

  // The handshake.
  void HandlePreamble(std::string_view preamble);
  void BeginSasl(SaslMethod method);
  void HandleSaslToken(std::string_view token, size_t frame_size);
  void RefuseSasl(const absl::Status& reason);
  void WrapFromNowOn();
  void HandleHeader(std::string_view frame);
  absl::Status Identify(const pb::UserInformation& user);
  void Refuse(std::string_view java_class, std::string_view message);  // a class of the package ipc
  void RefuseWith(std::string_view java_class, std::string_view message);
  void AppendAndDrain(std::string answer);

  // Calls.
  absl::Status ReadCall(const pb::RequestHeader& header, std::string_view bytes, RpcRequest* request,
                        std::string* decoded_cells) const;
  void HandleRequest(size_t size);
  absl::StatusOr<RpcResponse> CallHere(const RpcRequest& request, size_t size);
  bool AnotherFollows(size_t size) const;
  void CommitGroup();
  bool HandleOversizedFrame(uint32_t length, std::string_view begin);
  bool QueueHasRoom(size_t size) const;
  bool RefuseUnfinished(uint32_t length, std::string_view begin);
  bool SkipRefused();
  static void AppendQueueIsFull(uint32_t call_id, OutputQueue* out);
  void AppendTooManyParts(uint32_t call_id, size_t message_bytes);
  void RunOnWorker(const pb::RequestHeader& header, const RpcRequest& request, std::string decoded_cells, size_t size,
                   int64_t parts);

  // Writing.
  void AppendAnswer(uint32_t call_id, absl::StatusOr<RpcResponse> response, OutputQueue* out);
  void Withhold(net::CallFate::Answer answer);
  void Send(OutputQueue* answers);  // any thread
  void WriteLocked();
  void CountOutputLocked();
  void WaitUntilWritable();
  void ShutDownIfDrained();

  Wire wire() { return {.socket = socket_.native_handle(), .tls = tls_.get(), .sasl = sasl_stream_.get()}; }

  asio::ip::tcp::socket socket_;
  const std::shared_ptr<TlsSession> tls_;
  RpcShared* const shared_;
  IoThreadShared* const thread_;
  const int64_t start_ms_;
  std::string client_address_;

  State state_ = State::kPreamble;
  bool asked_for_security_ = false;
  bool waiting_for_input_ = false;
  bool waiting_for_room_ = false;
  int64_t input_ms_;  // when bytes came last
  Pace input_pace_;   // counts an unfinished request's bytes
  InputBuffer input_;
  int64_t counted_input_ = 0;  // bytes of input_ that shared_->call_bytes has
  size_t refused_bytes_ = 0;   // still to come of a refused request; they are dropped
  CallCosts costs_;
  SaslMethod sasl_method_ = SaslMethod::kKerberos;
  std::shared_ptr<SaslServer> sasl_;         // null: the client says who it is, or shows a certificate
  std::unique_ptr<SaslStream> sasl_stream_;  // null: bytes are not wrapped; set before the first request
  OutputQueue answers_;  // from calls that ran on the I/O thread, until it has handled what it received
  CallGroup group_;      // calls whose answers wait for one write, until then, too
  std::string group_method_;

  // Set by the header, then only read.
  RpcService* service_ = nullptr;
  bool priority_service_ = false;
  CellCodec codec_ = CellCodec::kNone;
  std::string user_;
  Caller caller_;  // if RpcServerOptions::identify is set
  std::string version_;

  std::atomic<bool> closed_ = false;
  std::atomic<int> running_calls_ = 0;       // changed under mutex_
  std::atomic<size_t> waiting_answers_ = 0;  // bytes; changed under mutex_
  std::mutex mutex_;  // guards the socket's descriptor while others than the I/O thread write to it
  OutputQueue output_;
  bool waiting_for_output_ = false;
  bool resume_wanted_ = false;  // HandleInput is to be called again once there are fewer calls or answers
  std::vector<std::unique_ptr<WorkerCall>> set_aside_;
  int64_t output_ms_;  // when the socket took bytes last, or had none to take
  Pace output_pace_;
};

}  // namespace vaquita::hbase
