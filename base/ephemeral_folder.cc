#include "base/ephemeral_folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/durable_files.h"
#include "base/log.h"
#include "base/status.h"

namespace vaquita {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kReadyPrefix = "vaquita-ephemeral-";
constexpr std::string_view kMakingPrefix = ".vaquita-ephemeral-";
// A folder without a lock is being made, or its removal was interrupted. After so long the latter is sure.
constexpr time_t kUnlockedSeconds = 3600;

bool IsOurs(const std::string& path, struct stat* info) {
  return lstat(path.c_str(), info) == 0 && S_ISDIR(info->st_mode) && info->st_uid == geteuid();
}

// Removes the folder if its server is dead: then nobody holds the lock. Whoever else removes it now holds it.
void RemoveIfDead(const std::string& path) {
  const std::string lock = path + "/LOCK";
  const int fd = open(lock.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return;
  struct stat opened {};
  struct stat there {};
  const bool dead = flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &opened) == 0 && stat(lock.c_str(), &there) == 0 &&
                    opened.st_ino == there.st_ino;
  std::error_code error;
  if (dead) fs::remove_all(path, error);
  if (error) spdlog::debug("remove {}, which a killed server left: {}", path, error.message());
  close(fd);
}

void RemoveLeftovers(const fs::path& place) {
  std::error_code error;
  const time_t now = time(nullptr);
  for (fs::directory_iterator entry(place, error), end; !error && entry != end; entry.increment(error)) {
    const std::string path = entry->path().string();
    const std::string name = entry->path().filename().string();
    struct stat info {};
    const bool ready = name.starts_with(kReadyPrefix);
    if ((!ready && !name.starts_with(kMakingPrefix)) || !IsOurs(path, &info)) continue;
    if (ready && PathExists(path + "/LOCK")) {
      RemoveIfDead(path);
    } else if (now - info.st_mtime > kUnlockedSeconds) {
      std::error_code ignored;  // another may be removing it as well
      fs::remove_all(path, ignored);
    }
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<EphemeralFolder>> EphemeralFolder::Make() {
  std::error_code error;
  const fs::path place = fs::temp_directory_path(error);
  if (error) {
    return absl::UnavailableError("the folder for temporary files (TMPDIR, or /tmp) cannot be used: " +
                                  error.message());
  }
  RemoveLeftovers(place);
  std::string making = (place / (std::string(kMakingPrefix) + "XXXXXX")).string();
  if (mkdtemp(making.data()) == nullptr) {
    return absl::UnavailableError("create a folder in " + place.string() +
                                  " (another place is set by TMPDIR): " + std::strerror(errno));
  }
  VAQUITA_ASSIGN_OR_RETURN(std::unique_ptr<FolderLock> lock, FolderLock::Take(making));
  std::string path = (place / (std::string(kReadyPrefix) + making.substr(making.size() - 6))).string();
  VAQUITA_RETURN_IF_ERROR(RenamePath(making, path));
  return std::unique_ptr<EphemeralFolder>(new EphemeralFolder(std::move(path), std::move(lock)));
}

EphemeralFolder::~EphemeralFolder() {
  std::error_code error;
  fs::remove_all(path_, error);
  if (error) spdlog::warn("remove {}: {}", path_, error.message());
}

}  // namespace vaquita
