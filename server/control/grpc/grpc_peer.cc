#include "server/control/grpc/grpc_peer.h"

#include <utility>

#include "base/tls/grpc/grpc_credentials.h"
#include "proto/vaquita/status_codec.h"
#include "server/control/command.h"
#include "server/control/grpc/grpc_control_service.h"

namespace vaquita {
namespace {

constexpr int kPingMs = 10'000;  // servers allow no more (grpc_front_end.cc)
constexpr int kPingPatienceMs = 5'000;
// A process that is down comes back soon, if it does.
constexpr int kFirstReconnectMs = 50;
constexpr int kLastReconnectMs = 500;
// A report, or the regions that a server opens at its start, may be of many regions.
constexpr int kMaxMessageBytes = 256 << 20;

std::shared_ptr<grpc::Channel> NewPeerChannel(const std::string& address, TlsContext* tls) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, kPingMs);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kPingPatienceMs);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, kFirstReconnectMs);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, kLastReconnectMs);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, kLastReconnectMs);
  // A connection of its own: another life of a peer must not get what was meant for the first.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetMaxReceiveMessageSize(kMaxMessageBytes);
  arguments.SetMaxSendMessageSize(kMaxMessageBytes);
  return MakeGrpcChannel(address, tls, arguments);
}

absl::Status PeerStatus(const grpc::Status& status, const std::string& address) {
  if (status.ok()) return absl::OkStatus();
  // Ours have details always.
  if (!status.error_details().empty()) return FromGrpcStatus(status);
  return Unanswered(address + ": " + status.error_message());
}

}  // namespace

GrpcPeer::GrpcPeer(const std::string& address, TlsContext* tls, std::string token, std::string name)
    : address_(address), token_(std::move(token)), name_(std::move(name)), channel_(NewPeerChannel(address, tls)) {}

absl::Status GrpcPeer::Call(const GrpcExchange& exchange, std::chrono::milliseconds patience) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + patience);
  if (!token_.empty()) context.AddMetadata("authorization", "Bearer " + token_);
  if (!name_.empty()) context.AddMetadata(kMeantServer, name_);
  if (!Enter(&context)) return Unanswered(address_ + ": given up");
  const grpc::Status status = CallGrpc(channel_.get(), &context, exchange);
  Leave(&context);
  return PeerStatus(status, address_);
}

void GrpcPeer::Close() {
  std::lock_guard lock(mutex_);
  closed_ = true;
  for (grpc::ClientContext* context : running_) context->TryCancel();
}

bool GrpcPeer::Enter(grpc::ClientContext* context) {
  std::lock_guard lock(mutex_);
  if (!closed_) running_.insert(context);
  return !closed_;
}

void GrpcPeer::Leave(grpc::ClientContext* context) {
  std::lock_guard lock(mutex_);
  running_.erase(context);
}

}  // namespace vaquita
