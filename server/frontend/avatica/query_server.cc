#include "server/frontend/avatica/query_server.h"

#include <utility>

#include "base/host_name.h"
#include "base/status.h"
#include "base/tls/tls_context.h"
#include "server/frontend/http/user_check.h"
#include "sql/avatica/service.h"

namespace vaquita {
namespace {

constexpr int kMostThreads = 64;
constexpr size_t kMostUsers = 1000;
constexpr int64_t kMarginMs = 60'000;  // of an answer, over the time of its query
http::ServerOptions QueryHttpOptions() {
  return {.max_connections = 1000,
          .connection_ms = 60'000,
          .most_body_bytes = 64 << 20,
          .idle_ms = 60'000,
          .protocol = net::Protocol::kSql};
}
constexpr char kPortProperty[] = "phoenix.queryserver.http.port";
constexpr char kContentType[] = "application/octet-stream;charset=utf-8";

// Answers one request.
class Call : public Work {
 public:
  Call(sql::Service* service, const http::Request& request, http::Reply reply)
      : service_(service), body_(request.body), client_gone_(request.client_gone), reply_(std::move(reply)) {}
  void Run() override {
    sql::ServiceAnswer answer = service_->Handle(body_, client_gone_);
    reply_({.status = answer.ok ? 200 : 500, .content_type = kContentType, .body = std::move(answer.body)});
  }

 private:
  sql::Service* const service_;
  const std::string body_;
  const sql::ClientGone client_gone_;
  const http::Reply reply_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<QueryServer>> QueryServer::Listen(const QueryServerOptions& options) {
  std::unique_ptr<QueryServer> server;
  if (options.options->query_server_port < 0) return server;
  server.reset(new QueryServer(options));
  VAQUITA_RETURN_IF_ERROR(server->Open());
  return server;
}

QueryServer::QueryServer(const QueryServerOptions& options)
    : options_(options),
      statements_(std::make_shared<sql::StatementCache>()),
      waiting_(std::make_shared<sql::WaitingChanges>()),
      workers_(kMostThreads) {}

QueryServer::~QueryServer() { Stop(); }

absl::Status QueryServer::Open() {
  http::ServerOptions http = QueryHttpOptions();
  http.answer_ms = options_.query_ms + kMarginMs;
  VAQUITA_ASSIGN_OR_RETURN(http.tls, ServerTls(*options_.options, /*rpc=*/false));
  http_ = http::Server::Create(http);
  http::Pages pages;
  pages["/"].post = [this](const http::Request& request, http::Reply reply) { Answer(request, std::move(reply)); };
  const Options& options = *options_.options;
  host_ = HostOf(options);
  cluster_.address = options_.cluster;
  cluster_.token = options_.token;
  if (options_.only_server) {  // the regions of a table that was made again are there at once
    cluster_.pause_ms = 10;
    cluster_.retries = 35;
  }
  if (options.tls || options.tls_client) {
    VAQUITA_ASSIGN_OR_RETURN(cluster_.tls, ClientTls(options));
  }
  cluster_.given_up = [this] { return interrupted_.load(); };
  const absl::StatusOr<int> port =
      http_->Listen(options.bind_address, static_cast<int>(options.query_server_port), std::move(pages));
  if (!port.ok()) return Annotate(port.status(), kPortProperty);
  address_ = host_ + ":" + std::to_string(*port);
  return absl::OkStatus();
}

void QueryServer::Answer(const http::Request& request, http::Reply reply) {
  if (!request.origin.empty()) return reply(http::StatusResponse(403));
  std::string user;
  if (options_.identify) {
    auto caller = options_.identify(request.authorization, request.certificate_name);
    if (!caller.ok()) return reply(http::Unauthorized(caller.status()));
    user = caller->name;
  }
  sql::Service* const service = ServiceOf(user);
  if (service == nullptr) return reply(http::StatusResponse(503));
  workers_.Run(std::make_unique<Call>(service, request, std::move(reply)));
}

sql::Service* QueryServer::ServiceOf(const std::string& user) {
  std::lock_guard lock(mutex_);
  std::unique_ptr<sql::Service>& service = services_[user];
  if (service != nullptr) return service.get();
  if (services_.size() > kMostUsers || interrupted_) {
    services_.erase(user);
    return nullptr;
  }
  client::ConnectionOptions cluster = cluster_;
  cluster.acts_for = user;
  service = sql::Service::Create({.connect = [cluster] { return client::Connection::Open(cluster); },
                                  .clock = options_.clock,
                                  .server_address = host_,
                                  .statements = statements_,
                                  .waiting = waiting_,
                                  .query_ms = options_.query_ms});
  return service.get();
}

void QueryServer::Forget() {
  std::lock_guard lock(mutex_);
  for (const auto& [user, service] : services_) service->Forget();
}

void QueryServer::Interrupt() {
  if (http_ == nullptr) return;
  http_->Stop();
  interrupted_ = true;
  std::lock_guard lock(mutex_);
  for (const auto& [user, service] : services_) service->Interrupt();
}

void QueryServer::Stop() {
  if (http_ == nullptr) return;
  Interrupt();
  workers_.Stop();
  services_.clear();
  http_.reset();
}

}  // namespace vaquita
