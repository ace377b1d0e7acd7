// tests/semantics/own_server.h: a standalone server for one script, on a temporary folder and with a clock that stands
// still.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "base/clock.h"
#include "base/options.h"
#include "base/test_disk.h"
#include "server/process/standalone.h"
#include "tests/semantics/words.h"

namespace vaquita::semantics {

class OwnServer {
 public:
  // `serve`: listen for clients.
  explicit OwnServer(bool serve);
  ~OwnServer();  // stops and removes the folder

  // Puts the folder on a test disk: then Restart cuts the power. REQUIRES: the server was not started.
  void UseTestDisk(uint64_t seed) { disk_ = std::make_unique<TestDisk>(folder_, DiskFaults{.seed = seed}); }
  bool on_test_disk() const { return disk_ != nullptr; }

  absl::Status Start();
  absl::Status Restart();
  Standalone& standalone() const { return *standalone_; }
  void Advance(int64_t ms) { clock_.Advance(ms); }

 private:
  const bool serve_;
  std::string folder_;
  Options options_;
  ManualClock clock_{kStartMs};
  std::unique_ptr<TestDisk> disk_;  // may be null
  std::unique_ptr<Standalone> standalone_;
};

}  // namespace vaquita::semantics
