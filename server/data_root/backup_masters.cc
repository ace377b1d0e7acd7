#include "server/data_root/backup_masters.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/status.h"

namespace vaquita {
namespace {

namespace fs = std::filesystem;

constexpr int kAttempts = 10;

std::string FolderIn(const std::string& root) { return root + "/backup-masters"; }

void Remove(const fs::path& folder) {
  std::error_code ignored;  // the next call removes it
  fs::remove_all(folder, ignored);
}

}  // namespace

absl::StatusOr<std::unique_ptr<BackupMaster>> BackupMaster::Announce(const std::string& root,
                                                                     const std::string& server_name) {
  const std::string folder = FolderIn(root) + "/" + server_name;
  absl::StatusOr<std::unique_ptr<FolderLock>> lock;
  // Whoever lists the masters may take the folder, before it is locked, for one that was left.
  for (int attempt = 0; attempt < kAttempts && !lock.ok(); ++attempt) {
    std::error_code error;
    fs::create_directories(folder, error);
    lock = error ? absl::UnavailableError("create " + folder + ": " + error.message()) : FolderLock::Take(folder);
    // It may have gone between the opening and the locking of its file.
    if (lock.ok() && !fs::exists(folder + "/LOCK", error)) lock = absl::UnavailableError(folder + " was removed");
  }
  VAQUITA_RETURN_IF_ERROR(lock.status());
  return std::unique_ptr<BackupMaster>(new BackupMaster(folder, *std::move(lock)));
}

BackupMaster::BackupMaster(std::string folder, std::unique_ptr<FolderLock> lock)
    : folder_(std::move(folder)), lock_(std::move(lock)) {}

BackupMaster::~BackupMaster() { Remove(folder_); }

std::vector<std::string> ListBackupMasters(const std::string& root) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(FolderIn(root), error), end; !error && it != end; it.increment(error)) {
    // The lock is kept meanwhile: a master that begins to wait must not lock a file that goes.
    if (const auto lock = FolderLock::Take(it->path()); lock.ok()) {
      Remove(it->path());
    } else {
      names.push_back(it->path().filename());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace vaquita
