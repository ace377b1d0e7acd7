#include "server/data_root/data_kind.h"

#include <filesystem>
#include <system_error>

namespace vaquita {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStandalone = "standalone";

}  // namespace

absl::Status CheckIsStandalones(const std::string& folder) {
  for (const char* part : {"server", "handoff", "recovering"}) {
    std::error_code error;
    for (fs::directory_iterator it(fs::path(folder) / part, error), end; !error && it != end; it.increment(error)) {
      if (it->path().filename() == kStandalone) continue;
      return absl::FailedPreconditionError("data folder " + folder +
                                           " is a cluster's: run `vaquita cluster` or `vaquita master` on it");
    }
  }
  return absl::OkStatus();
}

absl::Status CheckIsClusters(const std::string& folder) {
  std::error_code error;
  if (!fs::exists(fs::path(folder) / "server" / kStandalone, error)) return absl::OkStatus();
  return absl::FailedPreconditionError("data folder " + folder +
                                       " is a standalone server's: run `vaquita standalone` on it");
}

}  // namespace vaquita
