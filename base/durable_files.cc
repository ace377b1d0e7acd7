#include "base/durable_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/disk_stand_in.h"
#include "base/status.h"

namespace vaquita {
namespace {

namespace fs = std::filesystem;

absl::Status Failed(const std::string& doing, const std::error_code& error) {
  const std::string message = doing + ": " + error.message();
  const bool missing = error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
  return missing ? absl::NotFoundError(message) : absl::UnavailableError(message);
}

// Returns the error that a test disk orders for a call.
absl::Status OrderedFault(DiskStandIn::Call call, const std::string& doing, const std::string& path) {
  DiskStandIn* const disk = DiskStandIn::Of(path);
  const int error = disk == nullptr ? 0 : disk->Begin(call);
  return error == 0 ? absl::OkStatus() : Failed(doing + path, std::error_code(error, std::generic_category()));
}

// Returns the folder that has the path's name.
std::string FolderOf(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace

bool PathExists(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error) || error;
}

std::string AbsolutePath(const std::string& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  return error ? path : absolute.lexically_normal().string();
}

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  VAQUITA_RETURN_IF_ERROR(OrderedFault(DiskStandIn::Call::kRead, "read ", path));
  std::ifstream file(path, std::ios::binary);
  if (!file.is_open()) return Failed("read " + path, std::error_code(errno, std::generic_category()));
  std::string bytes;
  char part[16 << 10];
  errno = 0;
  // Unlike the stream's iterators, read() has no exception for a disk that cannot be read, or for a folder.
  while (file.read(part, sizeof part) || file.gcount() > 0) bytes.append(part, static_cast<size_t>(file.gcount()));
  if (file.bad()) return Failed("read " + path, std::error_code(errno == 0 ? EIO : errno, std::generic_category()));
  return bytes;
}

absl::StatusOr<std::vector<std::string>> ListFolder(const std::string& path) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
    names.push_back(at->path().filename().string());
  }
  if (error && error != std::errc::no_such_file_or_directory) return Failed("list " + path, error);
  std::sort(names.begin(), names.end());
  return names;
}

absl::Status WriteFile(const std::string& path, std::string_view bytes) {
  VAQUITA_RETURN_IF_ERROR(OrderedFault(DiskStandIn::Call::kWrite, "write ", path));
  DiskStandIn* const disk = DiskStandIn::Of(path);
  const size_t stored = disk == nullptr ? bytes.size() : disk->Stored(bytes.size());
  std::ofstream file(path, std::ios::binary);
  file << bytes.substr(0, stored);
  if (!file.flush()) return Failed("write " + path, std::error_code(errno, std::generic_category()));
  if (stored < bytes.size()) return absl::UnavailableError("write " + path);
  return absl::OkStatus();
}

absl::Status ReplaceFile(const std::string& path, std::string_view bytes) {
  const std::string draft = path + ".new";
  VAQUITA_RETURN_IF_ERROR(WriteFile(draft, bytes));
  VAQUITA_RETURN_IF_ERROR(SyncPath(draft));
  VAQUITA_RETURN_IF_ERROR(RenamePath(draft, path));
  return SyncPath(FolderOf(path));
}

void KeepFilesToUser() { umask(S_IRWXG | S_IRWXO); }

absl::Status SyncPath(const std::string& path) {
  VAQUITA_RETURN_IF_ERROR(OrderedFault(DiskStandIn::Call::kSync, "sync ", path));
  DiskStandIn* const disk = DiskStandIn::Of(path);
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  bool synced = file >= 0;
  if (synced) synced = disk == nullptr ? fsync(file) == 0 : (errno = disk->Sync(path)) == 0;
  const int error = errno;
  if (file >= 0) close(file);
  if (!synced) return absl::UnavailableError("sync " + path + ": " + std::strerror(error));
  return absl::OkStatus();
}

absl::Status SyncFolders(const std::string& path) {
  std::error_code error;
  for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
    if (at->is_directory(error)) VAQUITA_RETURN_IF_ERROR(SyncFolders(at->path().string()));
  }
  return error ? Failed("list " + path, error) : SyncPath(path);
}

absl::Status CreateFolder(const std::string& path) {
  if (path.ends_with('/') && path.size() > 1) return CreateFolder(path.substr(0, path.size() - 1));
  std::error_code error;
  if (fs::is_directory(path, error)) return absl::OkStatus();
  const std::string parent = FolderOf(path);
  VAQUITA_RETURN_IF_ERROR(CreateFolder(parent));
  VAQUITA_RETURN_IF_ERROR(OrderedFault(DiskStandIn::Call::kNames, "create ", path));
  fs::create_directory(path, error);
  // Another may have made the folder meanwhile; that is no error.
  if (error == std::errc::file_exists) return absl::UnavailableError("create " + path + ": it is there, and no folder");
  if (error) return Failed("create " + path, error);
  return SyncPath(parent);
}

absl::Status RenamePath(const std::string& from, const std::string& to) {
  VAQUITA_RETURN_IF_ERROR(OrderedFault(DiskStandIn::Call::kNames, "rename ", from));
  std::error_code error;
  fs::rename(from, to, error);
  return error ? Failed("rename " + from + " to " + to, error) : absl::OkStatus();
}

absl::Status ExchangePaths(const std::string& a, const std::string& b) {
  VAQUITA_RETURN_IF_ERROR(OrderedFault(DiskStandIn::Call::kNames, "exchange ", a));
  if (renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0) return absl::OkStatus();
  if (errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP) {
    return Failed("exchange " + a + " and " + b, std::error_code(errno, std::generic_category()));
  }
  VAQUITA_RETURN_IF_ERROR(RenamePath(b, a + ".exchanged"));
  VAQUITA_RETURN_IF_ERROR(RenamePath(a, b));
  return RenamePath(a + ".exchanged", a);
}

absl::Status RemoveAll(const std::string& path) {
  VAQUITA_RETURN_IF_ERROR(OrderedFault(DiskStandIn::Call::kNames, "remove ", path));
  std::error_code error;
  fs::remove_all(path, error);
  return error ? Failed("remove " + path, error) : absl::OkStatus();
}

}  // namespace vaquita
