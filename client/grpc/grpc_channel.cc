#include "client/grpc/grpc_channel.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "base/tls/grpc/grpc_credentials.h"
#include "proto/vaquita/client_identity.h"
#include "proto/vaquita/status_codec.h"

namespace vaquita::client {
namespace {

// An attempt waits this long for a lost connection to come back. After that the caller's back-off takes over.
constexpr std::chrono::milliseconds kConnectTimeout{1500};

std::shared_ptr<grpc::Channel> MakeChannel(const std::string& address, TlsContext* tls) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);  // the server's limits bound an answer
  arguments.SetMaxSendMessageSize(-1);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);  // a connection is not shared behind its back
  arguments.SetInt(GRPC_ARG_SERVICE_CONFIG_DISABLE_RESOLUTION, 1);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1000);
  // A connection whose server's machine is gone is given up after a minute or so.
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 60'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 20'000);
  return MakeGrpcChannel(address, tls != nullptr && tls->options().tls ? tls : nullptr, arguments);
}

// gRPC's server refuses a call so when all of its handlers are busy.
bool IsBusy(const grpc::Status& status) {
  return status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED &&
         absl::StrContains(status.error_message(), "Threadpool Exhausted");
}

}  // namespace

std::chrono::system_clock::time_point ForGrpc(TimePoint time) {
  return std::chrono::system_clock::now() + (time - std::chrono::steady_clock::now());
}

CallOutcome OutcomeOf(const grpc::Status& status) {
  if (IsBusy(status)) return {absl::UnavailableError("the server is busy: all of its handlers are in use")};
  CallOutcome outcome{FromGrpcStatus(status)};
  if (ErrorKind kind; outcome.ok() || GetErrorKind(outcome.status, &kind)) return outcome;  // the server's own answer
  switch (status.error_code()) {
    case grpc::StatusCode::UNAVAILABLE:
    case grpc::StatusCode::DEADLINE_EXCEEDED:
    case grpc::StatusCode::CANCELLED:
    case grpc::StatusCode::UNKNOWN:
    case grpc::StatusCode::INTERNAL:
      outcome.may_have_run = true;
      break;
    default:
      break;
  }
  return outcome;
}

GrpcChannel::GrpcChannel(std::string address, IfDown if_down, const ConnectionOptions& options)
    : address_(std::move(address)),
      if_down_(if_down),
      connect_timeout_(std::min(kConnectTimeout, std::chrono::milliseconds(options.rpc_timeout_ms))),
      channel_(MakeChannel(address_, options.tls.get())),
      options_(options) {}

void GrpcChannel::Identify(grpc::ClientContext* context) const {
  AddIdentity({.token = options_.token, .user = options_.user, .acts_for = options_.acts_for}, context);
}

std::string GrpcChannel::MasterIn(const grpc::ClientContext& context) {
  const auto found = context.GetServerTrailingMetadata().find("vaquita-master");
  if (found == context.GetServerTrailingMetadata().end()) return "";
  return {found->second.data(), found->second.size()};
}

std::shared_ptr<GrpcChannel> GrpcChannel::master() {
  std::lock_guard lock(mutex_);
  return master_;
}

std::shared_ptr<GrpcChannel> GrpcChannel::SetMaster(const std::string& address) {
  std::shared_ptr<GrpcChannel> master;
  if (!address.empty()) master = std::make_shared<GrpcChannel>(address, IfDown::kGiveUp, options_);
  std::lock_guard lock(mutex_);
  return master_ = master;
}

bool GrpcChannel::Connect(TimePoint deadline) {
  const TimePoint last = std::min(deadline, std::chrono::steady_clock::now() + connect_timeout_);
  for (;;) {
    const grpc_connectivity_state state = channel_->GetState(/*try_to_connect=*/true);
    if (state == GRPC_CHANNEL_READY) return true;
    if (state == GRPC_CHANNEL_TRANSIENT_FAILURE && if_down_ == IfDown::kGiveUp) return false;
    if (!channel_->WaitForStateChange(state, ForGrpc(last))) return false;
  }
}

CallOutcome GrpcChannel::Call(const GrpcExchange& exchange, TimePoint deadline) {
  return Connect(deadline) ? Send(exchange, deadline, {}, nullptr) : NotConnected();
}

CallOutcome GrpcChannel::CallMaster(const GrpcExchange& exchange, TimePoint deadline, const Nonce& nonce) {
  if (const auto known = master(); known != nullptr) {
    if (known->Connect(deadline)) return known->Send(exchange, deadline, nonce, nullptr);
    SetMaster("");  // this server may know a newer one
  }
  if (!Connect(deadline)) return NotConnected();
  std::string named;
  CallOutcome outcome = Send(exchange, deadline, nonce, &named);
  if (named.empty()) return outcome;
  const auto found = SetMaster(named);
  return found->Connect(deadline) ? found->Send(exchange, deadline, nonce, nullptr) : found->NotConnected();
}

CallOutcome GrpcChannel::Send(const GrpcExchange& exchange, TimePoint deadline, const Nonce& nonce,
                              std::string* master) {
  grpc::ClientContext context;
  Identify(&context);
  context.set_deadline(ForGrpc(deadline));
  if (nonce.value != 0) context.AddMetadata("vaquita-nonce", absl::StrCat(nonce.group, " ", nonce.value));
  CallOutcome outcome = OutcomeOf(CallGrpc(channel_.get(), &context, exchange));
  if (master != nullptr && !outcome.ok()) *master = MasterIn(context);
  return outcome;
}

CallOutcome GrpcChannel::NotConnected() const {
  return {absl::UnavailableError(absl::StrCat("cannot connect to ", address_))};
}

}  // namespace vaquita::client
