#include "base/durable_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/status.h"

namespace vaquita {
namespace {

namespace fs = std::filesystem;

absl::Status Failed(const std::string& doing, const std::error_code& error) {
  const std::string message = doing + ": " + error.message();
  const bool missing = error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
  return missing ? absl::NotFoundError(message) : absl::UnavailableError(message);
}

}  // namespace

bool PathExists(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error) || error;
}

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file.is_open()) return Failed("read " + path, std::error_code(errno, std::generic_category()));
  std::string bytes;
  char part[16 << 10];
  // Unlike the stream's iterators, read() has no exception for a disk that cannot be read, or for a folder.
  while (file.read(part, sizeof part) || file.gcount() > 0) bytes.append(part, static_cast<size_t>(file.gcount()));
  if (file.bad()) return absl::UnavailableError("read " + path + ": the file cannot be read to its end");
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
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  if (!file.flush()) return absl::UnavailableError("write " + path);
  return absl::OkStatus();
}

absl::Status ReplaceFile(const std::string& path, std::string_view bytes) {
  const std::string draft = path + ".new";
  VAQUITA_RETURN_IF_ERROR(WriteFile(draft, bytes));
  VAQUITA_RETURN_IF_ERROR(SyncPath(draft));
  VAQUITA_RETURN_IF_ERROR(RenamePath(draft, path));
  return SyncPath(fs::path(path).parent_path().string());
}

absl::Status SyncPath(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = file >= 0 && fsync(file) == 0;
  const int error = errno;
  if (file >= 0) close(file);
  if (!synced) return absl::UnavailableError("sync " + path + ": " + std::strerror(error));
  return absl::OkStatus();
}

absl::Status CreateFolder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  return error ? Failed("create " + path, error) : absl::OkStatus();
}

absl::Status RenamePath(const std::string& from, const std::string& to) {
  std::error_code error;
  fs::rename(from, to, error);
  return error ? Failed("rename " + from + " to " + to, error) : absl::OkStatus();
}

absl::Status RemoveAll(const std::string& path) {
  std::error_code error;
  fs::remove_all(path, error);
  return error ? Failed("remove " + path, error) : absl::OkStatus();
}

}  // namespace vaquita
