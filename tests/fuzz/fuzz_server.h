// tests/fuzz/fuzz_server.h: a standalone server in this process, with a table of a few rows, for inputs that go through
// to the answer.
//
// Inputs may change anything. So the server begins anew after some of them, and when the table is gone. It lives as
// long as the process: make it with new. Threads: one.
#pragma once

#include <memory>
#include <string>

#include "base/options.h"
#include "server/process/standalone.h"
#include "tests/fuzz/fuzz_input.h"

namespace vaquita::fuzz {

class Server {
 public:
  static constexpr int kInputsOfALife = 2000;

  // `options` has its data path ignored. What it points to outlives the server.
  explicit Server(StandaloneOptions options);

  // Call it before each input. Returns true if the server is a new one.
  bool Begin();

  Standalone& process() { return *server_; }
  Master& master() { return *server_->master(); }
  RegionServer& region_server() { return *server_->region_server(); }
  // Returns the full name of the table's region.
  std::string Region();

 private:
  // Destructors of static objects would run when OpenSSL, which the server uses, is gone.
  static void StopAtExit(Server* server);
  bool HasTable();
  void MakeTable();

  Options options_;
  StandaloneOptions start_;
  std::unique_ptr<Standalone> server_;
  int inputs_ = 0;
};

}  // namespace vaquita::fuzz
