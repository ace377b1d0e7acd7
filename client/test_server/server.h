// client/test_server/server.h: a server for tests with GoogleTest.
//
//   vaquita::testing::Server server({.tables = {{"t", {"f"}}}});
//   auto connection = vaquita::client::Connection::Open({.address = server->address()}).value();
//
// If the server does not start, the test fails and prints the server's log. If the test has failed when the object is
// destroyed, the end of the server's log is printed.
#pragma once

#include <iostream>
#include <memory>
#include <utility>

#include "client/test_server/running_server.h"
#include "gtest/gtest.h"

namespace vaquita::testing {

class Server {
 public:
  explicit Server(const ServerOptions& options = {}) {
    auto started = RunningServer::Start(options);
    if (started.ok()) {
      server_ = *std::move(started);
    } else {
      ADD_FAILURE() << started.status().message();
    }
  }
  ~Server() {
    if (server_ != nullptr && ::testing::Test::HasFailure()) std::cerr << server_->LastLogLines() << '\n';
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  bool ok() const { return server_ != nullptr; }  // false: it did not start, and the test has failed
  RunningServer* operator->() const { return server_.get(); }
  RunningServer& operator*() const { return *server_; }

 private:
  std::unique_ptr<RunningServer> server_;
};

}  // namespace vaquita::testing
