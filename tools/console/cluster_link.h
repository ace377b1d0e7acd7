// tools/console/cluster_link.h: the console's connection to its own cluster, opened when it is first needed.
//
// Threads: any.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "client/connection.h"

namespace vaquita {

class ClusterLink {
 public:
  // Both are ConsoleHost's.
  explicit ClusterLink(std::function<std::string()> address, std::string token = "")
      : address_(std::move(address)), token_(std::move(token)) {}

  std::string address() const { return address_(); }
  // Returns a connection whose operations end after at most a minute. Returns Unavailable while the process does not
  // serve.
  absl::StatusOr<std::shared_ptr<client::Connection>> Open();

 private:
  const std::function<std::string()> address_;
  const std::string token_;
  std::mutex mutex_;
  std::string opened_;  // the address of connection_
  std::shared_ptr<client::Connection> connection_;
};

}  // namespace vaquita
