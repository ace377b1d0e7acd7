// bench/server_process.h: a `vaquita standalone` in a process of its own, killed with its owner.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace vaquita::bench {

class ServerProcess {
 public:
  // Starts `binary` on any free port with its data in `folder`, and waits for its ready file.
  static absl::StatusOr<std::unique_ptr<ServerProcess>> Start(const std::string& binary, const std::string& folder);
  ~ServerProcess();  // SIGTERM, and waits

  const std::string& address() const { return address_; }
  absl::StatusOr<double> ResidentMb() const;
  // Returns the CPU time that it has used, in steps of 10 ms.
  absl::StatusOr<double> CpuSeconds() const;

 private:
  pid_t pid_ = -1;
  std::string address_;
};

}  // namespace vaquita::bench
