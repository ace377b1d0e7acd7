#include "tests/semantics/own_server.h"

#include <stdlib.h>

#include <filesystem>
#include <utility>

#include "base/status.h"

namespace vaquita::semantics {

OwnServer::OwnServer(bool serve) : serve_(serve) {
  std::string name = (std::filesystem::temp_directory_path() / "vaquita-semantics-XXXXXX").string();
  if (mkdtemp(name.data()) != nullptr) folder_ = name;
  UseFreePorts(&options_);
  options_.block_cache_bytes = 8 * kMiB;
  // Files are compacted when a script says so.
  options_.small_compaction_threads = 0;
  options_.large_compaction_threads = 0;
}

OwnServer::~OwnServer() {
  standalone_.reset();
  disk_.reset();
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

absl::Status OwnServer::Start() {
  if (folder_.empty()) return absl::InternalError("no temporary folder");
  VAQUITA_ASSIGN_OR_RETURN(standalone_, Standalone::Start({folder_, &options_, &clock_, serve_}));
  return absl::OkStatus();
}

absl::Status OwnServer::Restart() {
  if (disk_ != nullptr) VAQUITA_RETURN_IF_ERROR(disk_->CutPower());
  standalone_.reset();
  if (disk_ != nullptr) VAQUITA_RETURN_IF_ERROR(disk_->PowerOn());
  return Start();
}

}  // namespace vaquita::semantics
