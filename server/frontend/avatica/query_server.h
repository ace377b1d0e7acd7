// server/frontend/avatica/query_server.h: Phoenix's query server: Avatica's requests (sql/avatica/service.h) over HTTP.
//
// Until the first driver comes, it costs a port and a waiting thread; then it opens a connection to the cluster, as any
// client does. Requests run on a pool of threads, which are made when they are needed; those of one connection one
// after the other, and only the one that runs has a thread. What closes a connection or statement has threads of its
// own. The server refuses a request with an Origin field: a page in a browser sent it, and perhaps another site's.
// Threads: Listen, Interrupt and Stop on one thread; Forget on any. Source: AvaticaProtobufHandler, HttpServer
// (Avatica 1.26).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "absl/status/statusor.h"
#include "base/caller.h"
#include "base/clock.h"
#include "base/options.h"
#include "base/worker_pool.h"
#include "client/connection.h"
#include "proto/wire/parts_budget.h"
#include "server/frontend/http/http_server.h"

namespace vaquita {

namespace sql {
class Service;
class StatementCache;
struct WaitingChanges;
}  // namespace sql

struct QueryServerOptions {
  const Options* options = nullptr;  // where it listens
  Clock* clock = nullptr;
  std::string cluster;       // its address (client/connection.h)
  bool only_server = false;  // the whole cluster is the process at that address
  // Says who a request is for; a driver gets its error. Null: nobody asks.
  std::function<absl::StatusOr<Caller>(const std::string& authorization, const std::string& certificate_name)> identify;
  std::string token;           // the cluster's processes', by which it calls the cluster in its users' names
  int64_t query_ms = 600'000;  // the longest time that a query may take
  // With more, the user goes who has no connection, or else whose connections were not used for longest.
  size_t most_users = 1000;
};

class QueryServer {
 public:
  // Returns null if the options turn the query server off; Unavailable, naming the property and the address, if it
  // cannot listen there.
  static absl::StatusOr<std::unique_ptr<QueryServer>> Listen(const QueryServerOptions& options);
  QueryServer(const QueryServer&) = delete;
  QueryServer& operator=(const QueryServer&) = delete;
  ~QueryServer();  // stops

  const std::string& address() const { return address_; }  // host:port
  // Drops what drivers have prepared, and their uncommitted changes: the cluster's tables are others now.
  void Forget();
  // Closes the drivers' connections and ends running queries, but does not wait for a request that the cluster has. The
  // cluster may stop before Stop.
  void Interrupt();
  // Interrupts, waits for the running requests, and drops what was not committed.
  void Stop();

 private:
  explicit QueryServer(const QueryServerOptions& options);
  absl::Status Open();
  void Answer(const http::Request& request, http::Reply reply);
  // Returns the sessions of a user, which are made when it comes first; null: too many users have running requests.
  std::shared_ptr<sql::Service> ServiceOf(const std::string& user);
  std::shared_ptr<sql::Service> TakeUnusedService();
  struct Asked;
  class Call;
  // Runs a request on a thread, now or when its connection is free.
  void Start(const std::shared_ptr<Asked>& asked);
  void Run(const std::shared_ptr<Asked>& asked);
  // Forgets the connections of all users that nobody has used for long: their changes and statements count for all.
  void DropIdle();

  const QueryServerOptions options_;
  std::string address_;
  std::atomic<bool> interrupted_ = false;
  client::ConnectionOptions cluster_;
  std::string host_;
  struct UserService {
    std::shared_ptr<sql::Service> service;  // running requests have it, too
    int64_t last_use = 0;
  };
  std::mutex mutex_;
  // By user; "" where nobody asks who it is. Each user has a connection to the cluster, since its rights are the
  // user's. Under mutex_, as the count of uses.
  std::map<std::string, UserService> services_;
  int64_t uses_ = 0;
  int64_t swept_ms_ = 0;                                   // when DropIdle looked at them
  const std::shared_ptr<sql::StatementCache> statements_;  // these two are all users'
  const std::shared_ptr<sql::WaitingChanges> waiting_;
  const std::shared_ptr<PartsBudget> parts_;
  WorkerPool workers_;
  WorkerPool closers_;  // runs what ends the queries of the others
  std::unique_ptr<http::Server> http_;
};

}  // namespace vaquita
