#include "server/frontend/avatica/query_server.h"

#include <utility>

#include "base/status.h"
#include "client/connection.h"
#include "server/frontend/http/http_server.h"
#include "sql/avatica/service.h"

namespace vaquita {
namespace {

constexpr int kMostThreads = 64;
constexpr int64_t kMarginMs = 60'000;  // of an answer, over the time of its query
constexpr http::ServerOptions kHttpOptions = {
    .max_connections = 1000, .connection_ms = 60'000, .most_body_bytes = 64 << 20, .idle_ms = 60'000};
constexpr char kContentType[] = "application/octet-stream;charset=utf-8";

// Answers one request.
class Call : public Work {
 public:
  Call(sql::Service* service, std::string body, http::Reply reply)
      : service_(service), body_(std::move(body)), reply_(std::move(reply)) {}
  void Run() override {
    sql::ServiceAnswer answer = service_->Handle(body_);
    reply_({.status = answer.ok ? 200 : 500, .content_type = kContentType, .body = std::move(answer.body)});
  }

 private:
  sql::Service* const service_;
  const std::string body_;
  const http::Reply reply_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<QueryServer>> QueryServer::Listen(const QueryServerOptions& options) {
  auto server = std::unique_ptr<QueryServer>(new QueryServer(options));
  VAQUITA_RETURN_IF_ERROR(server->Open());
  return server;
}

QueryServer::QueryServer(const QueryServerOptions& options) : options_(options), workers_(kMostThreads) {}

QueryServer::~QueryServer() { Stop(); }

absl::Status QueryServer::Open() {
  http::ServerOptions http = kHttpOptions;
  http.answer_ms = options_.query_ms + kMarginMs;
  http_ = http::Server::Create(http);
  http::Pages pages;
  pages["/"].post = [this](const http::Request& request, http::Reply reply) {
    if (!request.origin.empty()) return reply(http::StatusResponse(403));
    workers_.Run(std::make_unique<Call>(service_.get(), request.body, std::move(reply)));
  };
  service_ = sql::Service::Create(
      {.connect = [cluster = options_.cluster] { return client::Connection::Open({.address = cluster()}); },
       .clock = options_.clock,
       .server_address = options_.host,
       .query_ms = options_.query_ms});
  VAQUITA_ASSIGN_OR_RETURN(const int port, http_->Listen(options_.bind_address, options_.port, std::move(pages)));
  address_ = options_.host + ":" + std::to_string(port);
  return absl::OkStatus();
}

void QueryServer::Stop() {
  if (http_ == nullptr) return;
  http_->Stop();
  if (service_ != nullptr) service_->Interrupt();
  workers_.Stop();
  service_.reset();
  http_.reset();
}

}  // namespace vaquita
