// sql/avatica/service.h: a query server as Phoenix's drivers know it, without a network.
//
// A driver opens a connection under an id of its choice, and makes statements in it. A connection that is not used for
// ten minutes is forgotten, and so is the one that was not used for the longest time if there are too many: the driver
// is told that it is unknown, and opens it again. Threads: any; requests of one connection run one after the other.
// Source: LocalService, JdbcMeta, AbstractHandler (Avatica 1.26).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "client/connection.h"

namespace vaquita::sql {

struct ServiceOptions {
  // Opens the connection to the cluster. It is called at the first use, and again after it failed.
  std::function<absl::StatusOr<std::shared_ptr<client::Connection>>()> connect;
  Clock* clock = Clock::System();
  std::string server_address;  // answers carry it
  size_t most_connections = 1000;
  int64_t lease_ms = 600'000;
  int64_t query_ms = 600'000;  // phoenix.query.timeoutMs: the longest time that a query may take
};

struct ServiceAnswer {
  bool ok = true;
  std::string body;  // a WireMessage, with an ErrorResponse if not `ok`
};

class Service {
 public:
  static std::unique_ptr<Service> Create(ServiceOptions options);
  virtual ~Service() = default;  // drops what was not committed

  // Answers the bytes of a WireMessage. May take as long as its statement.
  virtual ServiceAnswer Handle(std::string_view body) = 0;
  // Ends all queries, those that run and those to come.
  virtual void Interrupt() = 0;
  virtual size_t connections() const = 0;
};

}  // namespace vaquita::sql
