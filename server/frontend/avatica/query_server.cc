#include "server/frontend/avatica/query_server.h"

#include <utility>
#include <vector>

#include "base/host_name.h"
#include "base/host_port.h"
#include "base/status.h"
#include "base/tls/tls_context.h"
#include "server/frontend/http/user_check.h"
#include "sql/avatica/service.h"

namespace vaquita {
namespace {

constexpr int kMostThreads = 64;
constexpr int kMostClosers = 4;
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

}  // namespace

struct QueryServer::Asked {
  std::shared_ptr<sql::Service> service;
  std::string body;
  sql::ClientGone client_gone;
  http::Reply reply;
  sql::Turn turn;  // null: it has not waited
};

// Answers one request.
class QueryServer::Call : public Work {
 public:
  Call(QueryServer* server, std::shared_ptr<Asked> asked) : server_(*server), asked_(std::move(asked)) {}
  void Run() override { server_.Run(asked_); }

 private:
  QueryServer& server_;
  const std::shared_ptr<Asked> asked_;
};

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
      parts_(std::make_shared<PartsBudget>(options.options->max_call_queue_bytes)),
      workers_(kMostThreads),
      closers_(kMostClosers) {}

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
  address_ = JoinHostPort(host_, *port);
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
  std::shared_ptr<sql::Service> service = ServiceOf(user);
  if (service == nullptr) return reply(http::StatusResponse(503));
  Start(std::make_shared<Asked>(
      Asked{std::move(service), std::string(request.body), request.client_gone, std::move(reply), nullptr}));
}

void QueryServer::Start(const std::shared_ptr<Asked>& asked) {
  (sql::Service::IsClose(asked->body) ? closers_ : workers_).Run(std::make_unique<Call>(this, asked));
}

void QueryServer::Run(const std::shared_ptr<Asked>& asked) {
  DropIdle();
  const auto again = [this, asked](sql::Turn turn) {
    asked->turn = std::move(turn);
    Start(asked);
  };
  sql::ServiceAnswer answer = asked->service->Handle(asked->body, asked->client_gone, again, std::move(asked->turn));
  if (answer.waits) return;
  asked->reply({.status = answer.ok ? 200 : 500, .content_type = kContentType, .body = std::move(answer.body)});
}

std::shared_ptr<sql::Service> QueryServer::ServiceOf(const std::string& user) {
  std::shared_ptr<sql::Service> dropped;  // ends without the lock
  std::lock_guard lock(mutex_);
  if (interrupted_) return nullptr;
  if (services_.size() >= options_.most_users && !services_.contains(user)) {
    dropped = TakeUnusedService();
    if (dropped == nullptr) return nullptr;
  }
  UserService& its = services_[user];
  its.last_use = ++uses_;
  if (its.service != nullptr) return its.service;
  client::ConnectionOptions cluster = cluster_;
  cluster.acts_for = user;
  its.service = sql::Service::Create({.connect = [cluster] { return client::Connection::Open(cluster); },
                                      .clock = options_.clock,
                                      .server_address = host_,
                                      .statements = statements_,
                                      .waiting = waiting_,
                                      .parts = parts_,
                                      .query_ms = options_.query_ms});
  return its.service;
}

// Where names suffice, anybody can invent users, but these have no connections. Null: all services run requests.
std::shared_ptr<sql::Service> QueryServer::TakeUnusedService() {
  auto best = services_.end();
  std::pair<bool, int64_t> least;
  for (auto at = services_.begin(); at != services_.end(); ++at) {
    if (at->second.service.use_count() > 1) continue;
    const std::pair rank(at->second.service->connections() > 0, at->second.last_use);
    if (best != services_.end() && rank > least) continue;
    best = at;
    least = rank;
  }
  if (best == services_.end()) return nullptr;
  return services_.extract(best).mapped().service;
}

void QueryServer::DropIdle() {
  constexpr int64_t kSweepMs = 1000;
  std::vector<std::weak_ptr<sql::Service>> services;  // to hold one is to use it
  {
    std::lock_guard lock(mutex_);
    const int64_t now_ms = options_.clock->NowMs();
    if (now_ms >= swept_ms_ && now_ms - swept_ms_ < kSweepMs) return;  // the clock may have been set back
    swept_ms_ = now_ms;
    for (const auto& [user, its] : services_) services.push_back(its.service);
  }
  for (const auto& weak : services) {
    if (const auto service = weak.lock()) service->DropIdle();
  }
}

void QueryServer::Forget() {
  std::lock_guard lock(mutex_);
  for (const auto& [user, its] : services_) its.service->Forget();
}

void QueryServer::Interrupt() {
  if (http_ == nullptr) return;
  http_->Stop();
  interrupted_ = true;
  std::lock_guard lock(mutex_);
  for (const auto& [user, its] : services_) its.service->Interrupt();
}

void QueryServer::Stop() {
  if (http_ == nullptr) return;
  Interrupt();
  workers_.Stop();
  closers_.Stop();
  services_.clear();
  http_.reset();
}

}  // namespace vaquita
