#include "server/frontend/grpc/grpc_front_end.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>

#include "base/status.h"
#include "base/tls/grpc/grpc_credentials.h"
#include "grpc/health/v1/health.pb.h"
#include "grpcpp/grpcpp.h"
#include "grpcpp/health_check_service_interface.h"
#include "grpcpp/resource_quota.h"
#include "server/frontend/grpc/grpc_admin_service.h"
#include "server/frontend/grpc/grpc_bounded_service.h"
#include "server/frontend/grpc/grpc_data_service.h"
#include "server/frontend/grpc/grpc_methods.h"
#include "server/frontend/grpc/grpc_reflection.h"
#include "server/frontend/grpc/grpc_serving.h"
#include "server/frontend/grpc/grpc_test_service.h"
#include "server/frontend/net/accept_loop.h"
#include "server/master/master.h"
#include "server/regionserver/region_server.h"
#include "vaquita/v1/admin.methods.h"
#include "vaquita/v1/data.methods.h"
#include "vaquita/v1/test.methods.h"

namespace vaquita {
namespace {

// Calls that run at once; HBase has 30 (hbase.regionserver.handler.count). More are refused, and clients try again. A
// thread is made when it is needed.
constexpr int kMaxHandlerThreads = 64;
// With a gate, where calls wait for as long as a test has ordered, each on its thread.
constexpr int kMaxHandlerThreadsOfTests = 1024;
int MaxHandlerThreads(const GrpcFrontEndOptions& options) {
  return options.gate == nullptr ? kMaxHandlerThreads : kMaxHandlerThreadsOfTests;
}
// A request may have as much whatever hbase.ipc.max.request.size says: the cluster's own calls fit.
constexpr int64_t kLeastRequestBytes = 32 << 20;
// Stop waits so long for running calls, and then cancels them.
constexpr std::chrono::seconds kStopPatience{10};
// After that, it waits so long for answers to be sent. gRPC would wait until clients hang up, and a sleeping one does
// not.
constexpr std::chrono::milliseconds kFarewell{100};

// The services of proto/, but for those among a cluster's processes.
std::vector<std::string> PublicServices(bool for_tests) {
  const google::protobuf::FileDescriptor& health = *grpc::health::v1::HealthCheckRequest::descriptor()->file();
  std::vector<std::string> names = {v1::DataMethods::kService, v1::AdminMethods::kService,
                                    health.service(0)->full_name()};
  if (for_tests) names.emplace_back(v1::TestMethods::kService);
  return names;
}

class GrpcFrontEndImpl final : public GrpcFrontEnd {
 public:
  explicit GrpcFrontEndImpl(const GrpcFrontEndOptions& options)
      : slot_(options.gate, options.clock, options.access),
        unsent_({.most_bytes = options.max_message_bytes,
                 .most_threads = MaxHandlerThreads(options),
                 .patience_ms = options.stall_timeout_ms}),
        data_(&slot_, &unsent_, MaxHandlerThreads(options)),
        admin_(&slot_, options.master_elsewhere, MaxHandlerThreads(options) / 2),
        bounds_(options.max_message_bytes),
        reflection_(PublicServices(options.control != nullptr)) {
    AddMethods(&data_, &data_methods_);
    AddMethods(&admin_, &admin_methods_);
    if (options.control != nullptr) AddMethods(options.control, &test_methods_);
  }
  ~GrpcFrontEndImpl() override { Stop(); }

  absl::Status Start(const GrpcFrontEndOptions& options);
  int port() const override { return port_; }
  void SetServing(Master* master, RegionServer* server) override;
  void Pause() override { slot_.Pause(); }
  void Resume(Master* master, RegionServer* server) override { slot_.Resume({master, server, ++life_}); }
  void Give(const net::Accepted& accepted) override { accept_loop_.Give(accepted); }
  void Stop() override;

 private:
  void Take(const net::Accepted& accepted);

  GrpcServing slot_;
  int64_t life_ = 1;
  GrpcUnsentAnswers unsent_;
  GrpcDataService data_;
  GrpcAdminService admin_;
  GrpcBounds bounds_;
  GrpcBoundedService data_methods_{&bounds_, &unsent_};
  GrpcBoundedService admin_methods_{&bounds_, &unsent_};
  GrpcBoundedService test_methods_{&bounds_, &unsent_};  // without methods, unless a test has control
  GrpcReflection reflection_;
  int port_ = 0;
  // gRPC's own listener stops for ever at an accept for which there is no file descriptor (CVE-2023-4785), so it gets
  // its connections from here.
  asio::io_context io_{1};
  net::AcceptLoop accept_loop_{io_, net::Protocol::kGrpc};
  std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> connections_;
  std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> tls_connections_;  // null: the port has no TLS
  std::thread accept_thread_;
  std::unique_ptr<grpc::Server> server_;  // destroyed before the services
};

absl::Status GrpcFrontEndImpl::Start(const GrpcFrontEndOptions& options) {
  grpc::EnableDefaultHealthCheckService(true);  // in all servers that the process builds later
  const auto port = accept_loop_.Bind(options.bind_address, options.port);
  if (!port.ok()) return Annotate(port.status(), options.port_property);
  port_ = *port;
  grpc::ResourceQuota quota("handlers");
  quota.SetMaxThreads(MaxHandlerThreads(options));
  quota.Resize(static_cast<size_t>(options.max_message_bytes));
  grpc::ServerBuilder builder;
  builder.SetResourceQuota(quota);
  builder.SetSyncServerOption(grpc::ServerBuilder::NUM_CQS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::MIN_POLLERS, 2);
  builder.SetSyncServerOption(grpc::ServerBuilder::MAX_POLLERS, 8);
  builder.SetMaxReceiveMessageSize(static_cast<int>(
      std::clamp<int64_t>(options.max_request_bytes, kLeastRequestBytes, std::numeric_limits<int>::max())));
  // A compressed request of 1 MB may have 1 GB, and gRPC unpacks it before it looks at any bound.
  for (const grpc_compression_algorithm algorithm : {GRPC_COMPRESS_GZIP, GRPC_COMPRESS_DEFLATE}) {
    builder.SetCompressionAlgorithmSupportStatus(algorithm, false);
  }
  builder.SetMaxSendMessageSize(-1);
  // A call that has begun takes 12 KB, also if its request never comes, and the quota does not count that.
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, options.max_streams);
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, options.handshake_timeout_ms);
  // Clients may ask as often as that whether the server lives, also when nothing is under way.
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 10'000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  connections_ = builder.experimental().AddExternalConnectionAcceptor(
      grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD, grpc::InsecureServerCredentials());
  if (options.tls != nullptr) {
    accept_loop_.UseTls({.context = options.tls, .handshaker = net::Tls::Handshaker::kTaker});
    tls_connections_ = builder.experimental().AddExternalConnectionAcceptor(
        grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD, GrpcServerCredentials(options.tls));
  }
  builder.RegisterService(&data_methods_);
  builder.RegisterService(&admin_methods_);
  if (options.control != nullptr) builder.RegisterService(&test_methods_);
  builder.RegisterService(&reflection_);
  for (grpc::Service* service : options.internal) builder.RegisterService(service);
  server_ = builder.BuildAndStart();
  if (server_ == nullptr) return absl::InternalError("gRPC's server cannot be built");
  server_->GetHealthCheckService()->SetServingStatus(false);
  accept_loop_.Start([this](const net::Accepted& accepted) { Take(accepted); });
  accept_thread_ = std::thread([this] { io_.run(); });
  return absl::OkStatus();
}

void GrpcFrontEndImpl::Take(const net::Accepted& accepted) {
  const int on = 1;
  setsockopt(accepted.socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters connection;
  connection.fd = accepted.socket;
  (accepted.speaks_tls ? tls_connections_ : connections_)->HandleNewConnection(&connection);
}

void GrpcFrontEndImpl::SetServing(Master* master, RegionServer* server) {
  slot_.Set({master, server, life_});
  grpc::HealthCheckServiceInterface* health = server_->GetHealthCheckService();
  health->SetServingStatus(true);
  health->SetServingStatus(v1::DataMethods::kService, true);
  if (master != nullptr) health->SetServingStatus(v1::AdminMethods::kService, true);
}

void GrpcFrontEndImpl::Stop() {
  if (server_ == nullptr) return;
  slot_.Stop(kStopPatience);
  io_.stop();
  accept_thread_.join();
  accept_loop_.Close();
  unsent_.EndAll(kFarewell);
  server_->Shutdown(std::chrono::system_clock::now() + kFarewell);
  server_.reset();
}

}  // namespace

absl::StatusOr<std::unique_ptr<GrpcFrontEnd>> GrpcFrontEnd::Listen(const GrpcFrontEndOptions& options) {
  auto front_end = std::make_unique<GrpcFrontEndImpl>(options);
  VAQUITA_RETURN_IF_ERROR(front_end->Start(options));
  return front_end;
}

}  // namespace vaquita
