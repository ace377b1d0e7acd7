#include "server/frontend/hbase/rpc/rpc_connection.h"

#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <asio/post.hpp>
#include <asio/steady_timer.hpp>
#include <chrono>
#include <climits>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/big_endian.h"
#include "base/call_context.h"
#include "base/host_port.h"
#include "base/log.h"
#include "base/status.h"
#include "base/steady_ms.h"
#include "hbase/Registry.pb.h"
#include "model/region_info.h"
#include "proto/hbase/status_codec.h"
#include "proto/wire/message_parts.h"
#include "server/frontend/hbase/rpc/rpc_frame.h"

namespace vaquita::hbase {
namespace {

// A connection with as many calls on workers, or as many bytes of answers waiting, is not read from until there are
// half as many.
constexpr int kMostRunningCalls = 256;
constexpr size_t kMostWaitingAnswers = 4 << 20;
// A client has so much less time while half of the queue is taken, and then it must keep a pace, too: one that sends or
// takes a byte now and then would hold its part of the queue forever.
constexpr int64_t kCrowdedHaste = 10;
// Frames of one connection that are handled before another connection's turn.
constexpr int kFramesInATurn = 64;
constexpr int64_t kTurnMs = 2;
// More than a protection adds to a message.
constexpr int64_t kMostSaslOverhead = 64 << 10;
// Bytes of an oversized frame to read in order to find its call id.
constexpr size_t kMaxOversizedPrefix = 1 << 16;
// An unfinished frame of at most this size, its length included, is not counted among the bytes of all calls. So frames
// of a handshake never are: they would take the place of the calls of clients that are known.
constexpr size_t kSmallInput = kMaxHandshakeBytes + 4;
constexpr std::chrono::milliseconds kRoomCheck{20};
// A refused client has this time to read the reason.
constexpr int64_t kDrainMs = 5'000;
// HBase: hbase.ipc.min.client.request.timeout.
constexpr int64_t kLeastTimeoutMs = 20;
// A waiting call's cost beside its bytes.
constexpr int64_t kCallOverheadBytes = 512;
// A call whose parts take more memory than that is for a worker, where it counts as waiting.
constexpr int64_t kFewParts = 1 << 20;
// HBase: HConstants.ADMIN_QOS; what clients send for system tables is higher.
constexpr uint32_t kPriorityCalls = 100;

constexpr std::string_view kIpc = "org.apache.hadoop.hbase.ipc.";

// Returns the time for which the client waits for its answer, in ms.
int64_t Timeout(const pb::RequestHeader& header) { return std::max<int64_t>(kLeastTimeoutMs, header.timeout()); }

// Returns what the parts of the call's message, and its `cells`, will take in memory (proto/wire/message_parts.h).
int64_t PartsOf(const RpcRequest& request, std::string_view cells, const RpcService& service, int64_t most) {
  const int64_t cost = cells.size() < kUncountedBytes ? 0 : CostOfCells(cells, most);
  if (request.param.size() < kUncountedBytes) return cost;
  const google::protobuf::Descriptor* const type = service.RequestType(request.method);
  return type == nullptr ? cost : cost + CostOfParts(request.param, *type, most);
}

// Ends a read that takes long on a connection's own thread, so that it is run again by a worker.
class ShortReads final : public ReadWatch {
 public:
  absl::Status Check() override { return std::chrono::steady_clock::now() < end_ ? absl::OkStatus() : WouldWait(); }

 private:
  const std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(5);
};

// A half-open connection is noticed in two minutes.
void SetSocketOptions(asio::ip::tcp::socket* socket) {
  std::error_code ignored;
  socket->set_option(asio::ip::tcp::no_delay(true), ignored);
  socket->set_option(asio::socket_base::keep_alive(true), ignored);
  const int idle_s = 60, interval_s = 15, probes = 4;
  setsockopt(socket->native_handle(), IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
  setsockopt(socket->native_handle(), IPPROTO_TCP, TCP_KEEPINTVL, &interval_s, sizeof interval_s);
  setsockopt(socket->native_handle(), IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
}

}  // namespace

RpcConnection::RpcConnection(asio::ip::tcp::socket socket, std::shared_ptr<TlsSession> tls, RpcShared* shared,
                             IoThreadShared* thread)
    : socket_(std::move(socket)),
      tls_(std::move(tls)),
      shared_(shared),
      thread_(thread),
      start_ms_(SteadyMs()),
      input_ms_(start_ms_),
      group_([this](uint32_t id, absl::StatusOr<RpcResponse> response) {
        AppendAnswer(id, std::move(response), &answers_);
      }),
      output_ms_(start_ms_) {
  SetSocketOptions(&socket_);
  std::error_code error;
  const auto peer = socket_.remote_endpoint(error);
  client_address_ = error ? "unknown" : JoinHostPort(peer.address().to_string(), peer.port());
}

void RpcConnection::Start() {
  ++shared_->connections;
  thread_->connections[this] = shared_from_this();
  WaitUntilReadable();
}

void RpcConnection::Close() {
  std::vector<std::unique_ptr<WorkerCall>> dropped;  // without the lock, which their ends take
  {
    std::lock_guard lock(mutex_);
    if (closed_) return;
    closed_ = true;
    std::error_code ignored;
    socket_.close(ignored);
    output_ = {};
    CountOutputLocked();
    sasl_stream_.reset();  // with the part of a message that it has, which counts, too
    dropped.swap(set_aside_);
  }
  --shared_->connections;
  input_.Clear();
  CountInput();
  thread_->connections.erase(this);  // perhaps the last that kept it, besides the handler that called this
}

void RpcConnection::CloseIfStalled(int64_t now_ms) {
  const RpcServerOptions& options = shared_->options;
  const bool crowded = shared_->call_bytes > options.max_call_queue_bytes / 2;
  const int64_t crowded_timeout_ms = options.stall_timeout_ms / kCrowdedHaste;
  bool stalled = false;
  {
    std::lock_guard lock(mutex_);
    if (!output_.empty()) {
      stalled = now_ms - output_ms_ > options.stall_timeout_ms;
      stalled |= crowded && now_ms - output_pace_.kept_until_ms() > crowded_timeout_ms;
    }
    if (KeptInput() > 0 && !resume_wanted_) {
      stalled |= now_ms - input_ms_ > options.stall_timeout_ms;
      // Others' calls do not wait for the few bytes that are not counted.
      stalled |= crowded && counted_input_ > 0 && now_ms - input_pace_.kept_until_ms() > crowded_timeout_ms;
    }
  }
  const bool in_handshake = state_ != State::kRequests && state_ != State::kDraining;
  stalled |= in_handshake && now_ms - start_ms_ > options.handshake_timeout_ms;
  stalled |= state_ == State::kDraining && now_ms - input_ms_ > kDrainMs;
  const bool idle = running_calls_ == 0 && waiting_answers_ == 0 && now_ms - input_ms_ > 2 * options.idle_connection_ms;
  if (stalled || (idle && shared_->connections > options.idle_connection_threshold)) Close();
}

// --- Reading

void RpcConnection::WaitUntilReadable() {
  if (waiting_for_input_ || waiting_for_room_ || closed_) return;
  if (wire().HasInput()) {
    return asio::post(thread_->context, [self = shared_from_this()] { self->OnReadable(); });
  }
  waiting_for_input_ = true;
  socket_.async_wait(asio::socket_base::wait_read, [self = shared_from_this()](const std::error_code& error) {
    self->waiting_for_input_ = false;
    if (error) {
      self->Close();
    } else {
      self->OnReadable();
    }
  });
}

void RpcConnection::OnReadable() {
  if (closed_) return;
  const size_t before = KeptInput();
  const ssize_t received = input_.Receive(wire(), {thread_->scratch.get(), IoThreadShared::kScratchBytes});
  if (received < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) {
    if (KeptInput() != before) NoteInput(before, KeptInput() - before);  // a part of a wrapped message
    CountInput();
    const bool has_room = sasl_stream_ == nullptr || QueueHasRoom(KeptInput());
    return has_room ? WaitUntilReadable() : WaitForRoom();
  }
  if (received <= 0) return Close();  // nobody waits for the answers of its calls
  if (state_ != State::kDraining) NoteInput(before, static_cast<size_t>(received));
  HandleInput();
}

// `received` bytes have come after those that were kept.
void RpcConnection::NoteInput(size_t kept, size_t received) {
  input_ms_ = SteadyMs();
  if (kept == 0) input_pace_.Begin(input_ms_);
  input_pace_.Add(received, input_ms_);
}

// Leaves the rest of a wrapped message in the socket, because nothing can be answered before it is whole.
void RpcConnection::WaitForRoom() {
  waiting_for_room_ = true;
  const auto timer = std::make_shared<asio::steady_timer>(thread_->context, kRoomCheck);
  timer->async_wait([self = shared_from_this(), timer](const std::error_code& error) {
    self->waiting_for_room_ = false;
    if (error || self->closed_) return;
    if (self->QueueHasRoom(self->KeptInput())) {
      self->input_pace_.Begin(SteadyMs());  // the wait was not the client's
      return self->WaitUntilReadable();
    }
    if (SteadyMs() - self->input_ms_ < self->shared_->options.room_timeout_ms) return self->WaitForRoom();
    spdlog::info("connection from {} closed: the queue of calls has no room for its message", self->client_address_);
    self->Close();
  });
}

// Handles the frames that are there, but leaves some for later when others wait for their turn; then waits for more.
void RpcConnection::HandleInput() {
  if (closed_) return;
  const int64_t begin_ms = SteadyMs();
  bool turn_is_over = false;
  bool must_wait = false;
  for (int frames = 1; !(must_wait = MustWait()) && HandleOne(); ++frames) {
    input_pace_.Begin(begin_ms);
    turn_is_over = frames == kFramesInATurn || SteadyMs() - begin_ms >= kTurnMs;
    if (turn_is_over) break;
  }
  CommitGroup();
  input_.Keep();
  CountInput();
  if (!answers_.empty()) Send(&answers_);
  if (state_ == State::kDraining) ShutDownIfDrained();
  if (must_wait || closed_) return;
  if (turn_is_over) {
    asio::post(thread_->context, [self = shared_from_this()] { self->HandleInput(); });
  } else {
    WaitUntilReadable();
  }
}

// Returns whether enough was read from this connection for now; then HandleInput is called again when that is over.
bool RpcConnection::MustWait() {
  if (shared_->stopping) return true;
  if (running_calls_ < kMostRunningCalls && waiting_answers_ + answers_.bytes() < kMostWaitingAnswers) return false;
  if (!answers_.empty()) Send(&answers_);
  std::lock_guard lock(mutex_);
  resume_wanted_ = running_calls_ >= kMostRunningCalls || waiting_answers_ >= kMostWaitingAnswers;
  return resume_wanted_;
}

void RpcConnection::ResumeLocked() {
  if (!resume_wanted_ || running_calls_ > kMostRunningCalls / 2 || waiting_answers_ > kMostWaitingAnswers / 2) return;
  resume_wanted_ = false;
  asio::post(thread_->context, [self = shared_from_this()] {
    self->input_ms_ = SteadyMs();
    self->input_pace_.Begin(self->input_ms_);
    self->HandleInput();
  });
}

size_t RpcConnection::KeptInput() const {
  return input_.bytes().size() + (sasl_stream_ == nullptr ? 0 : sasl_stream_->buffered());
}

// An unfinished request takes memory as one in the queue does, so it counts as one.
void RpcConnection::CountInput() {
  const size_t kept = input_.bytes().size() + (sasl_stream_ == nullptr ? 0 : sasl_stream_->memory());
  const int64_t counted = kept > kSmallInput ? static_cast<int64_t>(kept) : 0;
  if (counted == counted_input_) return;
  shared_->call_bytes += counted - counted_input_;
  counted_input_ = counted;
}

// Handles the preamble or frame at the front. False if it is not all there.
bool RpcConnection::HandleOne() {
  if (state_ == State::kDraining) {
    input_.Clear();
    return false;
  }
  if (refused_bytes_ > 0) return SkipRefused();
  const std::string_view bytes = input_.bytes();
  if (state_ == State::kPreamble) {
    if (bytes.size() < kPreambleBytes) return false;
    HandlePreamble(bytes.substr(0, kPreambleBytes));
    input_.Consume(kPreambleBytes);
    return true;
  }
  if (bytes.size() < 4) return false;
  const uint32_t length = GetBigEndian<uint32_t>(bytes.data());
  const int64_t most = state_ == State::kRequests ? shared_->options.max_request_bytes : kMaxHandshakeBytes;
  if (length > most) return HandleOversizedFrame(length, bytes.substr(4));
  if (bytes.size() - 4 < length) {
    if (!QueueHasRoom(bytes.size())) return RefuseUnfinished(length, bytes.substr(4));
    input_.Expect(4 + size_t{length});
    return false;
  }
  if (state_ == State::kRequests) {
    HandleRequest(4 + size_t{length});
    return true;
  }
  if (state_ == State::kSasl) {
    HandleSaslToken(bytes.substr(4, length), 4 + size_t{length});
    return true;
  }
  if (state_ == State::kHeader) HandleHeader(bytes.substr(4, length));
  if (state_ == State::kSkipSasl) state_ = State::kHeader;
  input_.Consume(4 + size_t{length});
  return true;
}

// --- The handshake

void RpcConnection::HandlePreamble(std::string_view preamble) {
  if (preamble == kRegistryPreamble) {
    pb::GetConnectionRegistryResponse registry;
    registry.set_cluster_id(shared_->cluster_id);
    return AppendAndDrain(EncodeResponseHead(kNoCallId, {registry.SerializeAsString(), ""}));
  }
  if (preamble == kSecurityPreamble && !std::exchange(asked_for_security_, true)) {
    // The preamble that counts comes next.
    if (shared_->options.authenticate) {
      pb::SecurityPreamableResponse security;
      security.set_server_principal(shared_->options.principal);
      return answers_.Append(EncodeResponseHead(kNoCallId, {security.SerializeAsString(), ""}));
    }
    answers_.Append(EncodeException(
        kNoCallId,
        MakeException(absl::StrCat(AbslText(kIpc), "SecurityNotEnabledException"), "security is not enabled", false)));
    return;
  }
  if (!preamble.starts_with(kRpcMagic)) {
    return Refuse("FatalConnectionException",
                  absl::StrCat("Expected HEADER=HBas but received HEADER=", ToStringBinary(preamble.substr(0, 4)),
                               " from ", client_address_));
  }
  const auto version = static_cast<uint8_t>(preamble[4]);
  const auto auth = static_cast<uint8_t>(preamble[5]);
  const std::string what =
      absl::StrCat("serverVersion=", kRpcVersion, ", clientVersion=", version,
                   ", authMethod=", static_cast<int8_t>(auth), ", authName=unknown from ", client_address_);
  if (version != kRpcVersion) return Refuse("WrongVersionException", what);
  if (auth == kSimpleAuth) {
    state_ = State::kHeader;
  } else if (auth == kKerberosAuth || auth == kDigestAuth) {
    BeginSasl(auth == kKerberosAuth ? SaslMethod::kKerberos : SaslMethod::kToken);
  } else {
    Refuse("BadAuthException", what);
  }
}

void RpcConnection::BeginSasl(SaslMethod method) {
  if (!shared_->options.authenticate) {
    answers_.Append(std::string(kSwitchToSimpleAuth));
    state_ = State::kSkipSasl;
    return;
  }
  sasl_method_ = method;
  sasl_ = shared_->options.authenticate(method);
  state_ = State::kSasl;
}

// `token` is in the frame at the front of the input, which goes.
void RpcConnection::HandleSaslToken(std::string_view token, size_t frame_size) {
  const auto answer = sasl_->Step(token);
  input_.Consume(frame_size);
  if (!answer.ok()) return RefuseSasl(answer.status());
  if (answer->has_value()) answers_.Append(EncodeSaslToken(**answer));
  if (!sasl_->complete()) return;
  state_ = State::kHeader;
  if (sasl_->wraps()) WrapFromNowOn();
}

// HBase's classes, by which its clients log in again before they try again.
void RpcConnection::RefuseSasl(const absl::Status& reason) {
  const std::string_view java_class = sasl_method_ == SaslMethod::kKerberos
                                          ? "javax.security.sasl.SaslException"
                                          : "org.apache.hadoop.security.token.SecretManager$InvalidToken";
  spdlog::warn("connection from {} refused: {}", client_address_, StdText(reason.message()));
  AppendAndDrain(EncodeSaslRefusal(java_class, StdText(reason.message())));
}

// The bytes that the client has sent behind its last token are wrapped already, and the server's last token is not.
void RpcConnection::WrapFromNowOn() {
  if (!answers_.empty()) Send(&answers_);
  {
    std::lock_guard lock(mutex_);
    if (!closed_ && output_.empty()) {
      // A client may wrap a request that is too large, or several, as one message: the requests are refused by their
      // own bound. Half of the queue, because a message and its bytes are there at once.
      const RpcServerOptions& options = shared_->options;
      const auto most = static_cast<size_t>(
          std::max(options.max_request_bytes + kMostSaslOverhead, options.max_call_queue_bytes / 2));
      sasl_stream_ = std::make_unique<SaslStream>(sasl_, input_.bytes(), most);
      input_.Clear();
      return;
    }
  }
  Close();  // it does not take the few bytes of its exchange
}

void RpcConnection::HandleHeader(std::string_view frame) {
  pb::ConnectionHeader header;
  if (!ParseMessage(frame, &header)) {
    return Refuse("FatalConnectionException", "malformed connection header from " + client_address_);
  }
  if (!header.has_service_name()) return Refuse("EmptyServiceNameException", "");
  const auto service = shared_->services.find(header.service_name());
  if (service == shared_->services.end()) return Refuse("UnknownServiceException", header.service_name());
  const auto codec = CellCodecOfClass(header.cell_block_codec_class());
  if (!codec.ok()) return Refuse("UnsupportedCellCodecException", header.cell_block_codec_class());
  if (*codec != CellCodec::kNone && !header.cell_block_compressor_class().empty()) {
    return Refuse("UnsupportedCompressionCodecException", header.cell_block_compressor_class());
  }
  service_ = service->second;
  priority_service_ = service_->name() != "ClientService";
  codec_ = *codec;
  user_ = header.user_info().effective_user();
  if (shared_->options.identify) {
    if (const absl::Status known = Identify(header.user_info()); !known.ok()) {
      return RefuseWith("org.apache.hadoop.hbase.security.AccessDeniedException", StdText(known.message()));
    }
  }
  version_ = header.version_info().version();
  state_ = State::kRequests;
}

absl::Status RpcConnection::Identify(const pb::UserInformation& user) {
  const std::string certificate = tls_ == nullptr ? "" : tls_->PeerName();
  CallerClaim claim{.certificate_name = certificate, .said_name = user.effective_user()};
  if (sasl_ != nullptr) {
    (sasl_method_ == SaslMethod::kKerberos ? claim.principal : claim.delegation) = sasl_->user();
    claim.said_name = {};
    if (user.has_real_user() || !user.effective_user().empty()) claim.acts_for = user.effective_user();
  } else if (user.has_real_user()) {
    claim.said_name = user.real_user();
    claim.acts_for = user.effective_user();
  }
  auto caller = shared_->options.identify(claim);
  if (!caller.ok()) return caller.status();
  caller_ = *std::move(caller);
  user_ = caller_.name;
  return absl::OkStatus();
}

void RpcConnection::Refuse(std::string_view java_class, std::string_view message) {
  RefuseWith(absl::StrCat(AbslText(kIpc), AbslText(java_class)), message);
}

void RpcConnection::RefuseWith(std::string_view java_class, std::string_view message) {
  spdlog::info("connection from {} refused: {} {}", client_address_, java_class, message);
  AppendAndDrain(EncodeException(kNoCallId, MakeException(java_class, message, true)));
}

// Says `answer` and no more. The connection is closed once the client has read it: to close it at once, with bytes
// unread, could take the answer away from under the client.
void RpcConnection::AppendAndDrain(std::string answer) {
  answers_.Append(std::move(answer));
  state_ = State::kDraining;
  input_ms_ = SteadyMs();
}

// --- Calls

// Reads a call from the bytes behind its header. Cells in another codec than ours are in `*decoded_cells` in ours.
absl::Status RpcConnection::ReadCall(const pb::RequestHeader& header, std::string_view bytes, RpcRequest* request,
                                     std::string* decoded_cells) const {
  VAQUITA_RETURN_IF_ERROR(SplitRequest(header, bytes, &request->param, &request->cells));
  if (!request->cells.empty() && codec_ == CellCodec::kNone) {
    return Error(ErrorKind::kDoNotRetryIO, "the call has a cell block, but the connection header names no codec");
  }
  if (!request->cells.empty() && !IsNative(codec_)) {
    VAQUITA_ASSIGN_OR_RETURN(*decoded_cells, DecodeCellBlock(codec_, request->cells));
  }
  request->method = header.method_name();
  request->takes_cells = codec_ != CellCodec::kNone;
  request->takes_tags = HasTags(codec_);
  if (header.timeout() > 0) request->deadline_ms = shared_->options.clock->NowMs() + Timeout(header);
  request->user = user_;
  if (shared_->options.identify) request->context.caller = &caller_;
  request->client_address = client_address_;
  request->client_version = version_;
  request->cluster_id = shared_->cluster_id;
  return absl::OkStatus();
}

// Handles the frame of `size` bytes, its length included, that is at the front.
void RpcConnection::HandleRequest(size_t size) {
  static thread_local pb::RequestHeader small_header;  // keeps its memory
  std::optional<pb::RequestHeader> large_header;
  pb::RequestHeader& header = size <= kSmallInput ? small_header : large_header.emplace();
  const std::string_view frame = input_.bytes().substr(0, size);
  std::string_view rest = frame.substr(4);
  if (!TakeRequestHeader(&rest, &header)) {
    return Refuse("FatalConnectionException", absl::StrCat("malformed request header from ", client_address_,
                                                           ", or one of more than ", kMaxHeaderBytes, " bytes"));
  }
  if (shared_->call_bytes > shared_->options.max_call_queue_bytes) {
    AppendQueueIsFull(header.call_id(), &answers_);
    return input_.Consume(size);
  }
  RpcRequest request;
  std::string decoded_cells;
  if (const absl::Status status = ReadCall(header, rest, &request, &decoded_cells); !status.ok()) {
    AppendAnswer(header.call_id(), Annotate(status, "unable to read call parameter from client " + client_address_),
                 &answers_);
    return input_.Consume(size);
  }
  const std::string_view cells = decoded_cells.empty() ? request.cells : decoded_cells;
  const int64_t parts = PartsOf(request, cells, *service_, shared_->options.max_request_bytes);
  if (parts > shared_->options.max_request_bytes) {
    AppendTooManyParts(header.call_id(), size);
    return input_.Consume(size);
  }
  if (service_->MayBlock(request.method) || parts > kFewParts || costs_.SendsAway(request.method)) {
    return RunOnWorker(header, request, std::move(decoded_cells), size, parts);
  }
  if (!decoded_cells.empty()) request.cells = decoded_cells;
  absl::StatusOr<RpcResponse> response = CallHere(request, size);
  if (IsWouldWait(response.status())) return RunOnWorker(header, request, std::move(decoded_cells), size, parts);
  if (response.ok() && response->in_group) {
    group_method_ = request.method;
    group_.Add(header.call_id(), *std::move(response));
  } else {
    AppendAnswer(header.call_id(), std::move(response), &answers_);
  }
  input_.Consume(size);
}

// Returns whether a whole request follows the one of `size` bytes at the front.
bool RpcConnection::AnotherFollows(size_t size) const {
  const std::string_view rest = input_.bytes().substr(size);
  return rest.size() >= 4 && rest.size() - 4 >= GetBigEndian<uint32_t>(rest.data());
}

void RpcConnection::CommitGroup() {
  if (group_.empty()) return;
  const auto calls = static_cast<int64_t>(group_.size());
  const auto begin = std::chrono::steady_clock::now();
  group_.Commit();
  const auto took = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin);
  costs_.Add(group_method_, took / calls, /*measured=*/false);
}

// Runs the call of the frame of `size` bytes at the front on the connection's own thread, where others wait.
absl::StatusOr<RpcResponse> RpcConnection::CallHere(const RpcRequest& request, size_t size) {
  ShortReads watch;
  RpcRequest here = request;
  if (request.method != group_method_) CommitGroup();
  if (!group_.empty() || AnotherFollows(size)) here.group = &group_;
  here.context.watch = &watch;
  here.context.short_waits = true;
  absl::StatusOr<RpcResponse> response = costs_.Measure(request.method, [&] { return CallService(service_, here); });
  if (!IsWouldWait(response.status())) {
    shared_->options.slow_calls.Check(*service_, request, response, costs_.last_us() / 1000, /*queued_ms=*/0);
  }
  return response;
}

void RpcConnection::RunOnWorker(const pb::RequestHeader& header, const RpcRequest& request, std::string decoded_cells,
                                size_t size, int64_t parts) {
  const int64_t cost = static_cast<int64_t>(size + decoded_cells.size()) + parts + kCallOverheadBytes;
  shared_->call_bytes -= std::exchange(counted_input_, 0);
  if (shared_->call_bytes.fetch_add(cost) + cost > shared_->options.max_call_queue_bytes) {
    shared_->call_bytes -= cost;
    AppendQueueIsFull(header.call_id(), &answers_);
    return input_.Consume(size);
  }
  {
    std::lock_guard lock(mutex_);
    ++running_calls_;
  }
  const std::string_view frame(input_.bytes().data(), size);
  const bool priority = priority_service_ || header.priority() >= kPriorityCalls;
  WorkerCall::Queue(std::make_unique<WorkerCall>(
      WorkerCall::Parts{.connection = shared_from_this(),
                        .shared = shared_,
                        .service = service_,
                        .workers = priority ? &shared_->priority_workers : &shared_->workers,
                        .id = header.call_id(),
                        .frame = input_.Take(size),
                        .cells = std::move(decoded_cells),
                        .cost = cost,
                        .give_up_ms = header.timeout() > 0 ? SteadyMs() + Timeout(header) : -1},
      request, frame));
}

void RpcConnection::AppendTooManyParts(uint32_t call_id, size_t message_bytes) {
  answers_.Append(
      EncodeTooBig(call_id, version_,
                   absl::StrCat("RPC message of ", message_bytes, " bytes received from ", client_address_,
                                " has so many parts that they take more memory than max allowed ",
                                shared_->options.max_request_bytes,
                                ". Send fewer at a time, or set \"hbase.ipc.max.request.size\" on server")));
}

void RpcConnection::AppendQueueIsFull(uint32_t call_id, OutputQueue* out) {
  auto exception = MakeException("org.apache.hadoop.hbase.CallQueueTooBigException",
                                 "Call queue is full, is hbase.ipc.server.max.callqueue.size too small?", false);
  exception.set_server_overloaded(true);
  out->Append(EncodeException(call_id, exception));
}

// Returns whether an unfinished request with `size` received bytes may receive more.
bool RpcConnection::QueueHasRoom(size_t size) const {
  if (size <= kSmallInput) return true;
  const int64_t others = shared_->call_bytes - counted_input_;
  return others + static_cast<int64_t>(size) <= shared_->options.max_call_queue_bytes;
}

// Answers an unfinished request whose frame begins with `begin`, and drops its bytes, those that are still to come too.
bool RpcConnection::RefuseUnfinished(uint32_t length, std::string_view begin) {
  pb::RequestHeader header;
  if (!TakeRequestHeader(&begin, &header) || !header.has_call_id()) {
    Refuse("FatalConnectionException", "malformed request header from " + client_address_);
    return true;
  }
  AppendQueueIsFull(header.call_id(), &answers_);
  refused_bytes_ = 4 + size_t{length};
  return true;
}

// Returns whether all bytes of the refused request have gone.
bool RpcConnection::SkipRefused() {
  const size_t skipped = std::min(refused_bytes_, input_.bytes().size());
  input_.Consume(skipped);
  refused_bytes_ -= skipped;
  return refused_bytes_ == 0;
}

// Refuses a frame that is too large, without reading it. After the connection header the call gets an error, which
// needs the frame's header: returns false until that has come.
bool RpcConnection::HandleOversizedFrame(uint32_t length, std::string_view begin) {
  std::string message =
      absl::StrCat("RPC data length of ", length, " received from ", client_address_, " is greater than max allowed ");
  if (state_ != State::kRequests) {
    Refuse("FatalConnectionException", absl::StrCat(message, kMaxHandshakeBytes, " before a connection's requests"));
    return true;
  }
  absl::StrAppend(&message, shared_->options.max_request_bytes,
                  ". Set \"hbase.ipc.max.request.size\" on server to override this limit (not recommended)");
  pb::RequestHeader header;
  if (!TakeRequestHeader(&begin, &header)) {
    if (begin.size() < kMaxOversizedPrefix) return false;
    header.Clear();
  }
  if (!header.has_call_id()) {
    Refuse("FatalConnectionException", message);
    return true;
  }
  AppendAndDrain(EncodeTooBig(header.call_id(), version_, message));
  return true;
}

void RpcConnection::Answer(uint32_t call_id, absl::StatusOr<RpcResponse> response) {
  OutputQueue answer;
  AppendAnswer(call_id, std::move(response), &answer);
  if (!answer.empty()) Send(&answer);
}

void RpcConnection::AnswerQueueIsFull(uint32_t call_id) {
  OutputQueue answer;
  AppendQueueIsFull(call_id, &answer);
  Send(&answer);
}

bool RpcConnection::SetAside(std::unique_ptr<WorkerCall>* call) {
  std::lock_guard lock(mutex_);
  if (closed_ || waiting_answers_ < kMostWaitingAnswers) return false;
  set_aside_.push_back(std::move(*call));
  return true;
}

bool RpcConnection::ClientIsGone() {
  std::lock_guard lock(mutex_);
  if (closed_) return true;
  // The I/O thread may not read from the connection now: it has many calls running, or the thread others to serve.
  pollfd socket = {socket_.native_handle(), POLLRDHUP, 0};
  return poll(&socket, 1, 0) > 0 && socket.revents != 0;
}

void RpcConnection::EndCall() {
  std::lock_guard lock(mutex_);
  --running_calls_;
  if (!closed_) ResumeLocked();
}

// --- Writing

void RpcConnection::AppendAnswer(uint32_t call_id, absl::StatusOr<RpcResponse> response, OutputQueue* out) {
  if (response.ok() && response->answer != net::CallFate::Answer::kGiven) return Withhold(response->answer);
  if (response.ok() && !response->cells.empty() && !IsNative(codec_)) {
    response->cells = EncodeCellBlock(codec_, response->cells);
  }
  if (response.ok() && response->param.size() + response->cells.size() > INT_MAX - 1024) {
    response =
        Error(ErrorKind::kDoNotRetryIO, absl::StrCat("the answer has ", response->param.size(), " + ",
                                                     response->cells.size(), " bytes; it may have 2 GiB at most"));
  }
  if (response.ok()) {
    out->Append(EncodeResponseHead(call_id, *response));
    out->Append(std::move(response->cells));
    return;
  }
  pb::ExceptionResponse exception;
  EncodeStatus(response.status(), &exception);
  out->Append(EncodeException(call_id, exception));
}

// The answer is not to be seen, nor, if the connection is to close, any other.
void RpcConnection::Withhold(net::CallFate::Answer answer) {
  if (answer != net::CallFate::Answer::kClosed) return;
  asio::post(thread_->context, [self = shared_from_this()] { self->Close(); });
}

void RpcConnection::Send(OutputQueue* answers) {
  std::lock_guard lock(mutex_);
  if (closed_) return;
  if (output_.empty()) {
    output_ms_ = SteadyMs();
    output_pace_.Begin(output_ms_);
  }
  output_.AppendAll(answers);
  if (!waiting_for_output_) WriteLocked();
  CountOutputLocked();
}

// An answer that the client does not take takes memory as its request did, so it stays in the queue.
void RpcConnection::CountOutputLocked() {
  const size_t before = waiting_answers_.exchange(output_.bytes());
  if (before != output_.bytes()) shared_->call_bytes += static_cast<int64_t>(output_.bytes() - before);
}

void RpcConnection::WriteLocked() {
  const size_t before = output_.bytes();
  if (!output_.Write(wire())) {
    asio::post(thread_->context, [self = shared_from_this()] { self->Close(); });
    return;
  }
  if (output_.bytes() < before) {
    output_ms_ = SteadyMs();
    output_pace_.Add(before - output_.bytes(), output_ms_);
  }
  CountOutputLocked();
  if (output_.empty()) return;
  waiting_for_output_ = true;
  asio::post(thread_->context, [self = shared_from_this()] { self->WaitUntilWritable(); });
}

void RpcConnection::WaitUntilWritable() {
  if (closed_) return;
  socket_.async_wait(asio::socket_base::wait_write, [self = shared_from_this()](const std::error_code& error) {
    if (error) return self->Close();
    std::vector<std::unique_ptr<WorkerCall>> resumed;
    {
      std::lock_guard lock(self->mutex_);
      if (self->closed_) return;
      self->waiting_for_output_ = false;
      self->WriteLocked();
      self->ResumeLocked();
      if (self->waiting_answers_ <= kMostWaitingAnswers / 2) resumed.swap(self->set_aside_);
    }
    for (std::unique_ptr<WorkerCall>& call : resumed) WorkerCall::Queue(std::move(call));
    if (self->state_ == State::kDraining) self->ShutDownIfDrained();
  });
}

void RpcConnection::ShutDownIfDrained() {
  std::lock_guard lock(mutex_);
  if (closed_ || !output_.empty()) return;
  if (tls_ != nullptr) tls_->EndOutput();
  std::error_code ignored;
  socket_.shutdown(asio::socket_base::shutdown_send, ignored);
}

}  // namespace vaquita::hbase
