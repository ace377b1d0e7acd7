#include "tools/backup/archive.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "base/durable_files.h"
#include "base/status.h"
#include "tools/backup/tar_format.h"

namespace vaquita::backup {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kPieceBytes = 1 << 20;

absl::Status Failed(const std::string& path, const std::string& why) { return absl::InternalError(path + ": " + why); }

std::string SystemError() { return std::error_code(errno, std::generic_category()).message(); }

// Copies `size` bytes.
absl::Status CopyBytes(std::istream& in, const std::string& in_path, std::ostream& out, const std::string& out_path,
                       int64_t size) {
  std::string piece;
  while (size > 0) {
    piece.resize(static_cast<size_t>(std::min(size, kPieceBytes)));
    if (!in.read(piece.data(), static_cast<std::streamsize>(piece.size()))) {
      return Failed(in_path, "is shorter than it should be");
    }
    if (!out.write(piece.data(), static_cast<std::streamsize>(piece.size()))) return Failed(out_path, SystemError());
    size -= static_cast<int64_t>(piece.size());
  }
  return absl::OkStatus();
}

absl::StatusOr<int64_t> SizeOf(const std::string& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (error) return Failed(path, error.message());
  return static_cast<int64_t>(size);
}

// Returns the size. A full disk is an error of its own, which std::filesystem::copy_file takes for a broken one.
absl::StatusOr<int64_t> CopyFile(const std::string& from, const std::string& to) {
  VAQUITA_ASSIGN_OR_RETURN(const int64_t size, SizeOf(from));
  std::ifstream in(from, std::ios::binary);
  if (!in) return Failed(from, SystemError());
  std::ofstream out(to, std::ios::binary | std::ios::trunc);
  if (!out) return Failed(to, SystemError());
  VAQUITA_RETURN_IF_ERROR(CopyBytes(in, from, out, to, size));
  out.close();
  if (!out) return Failed(to, SystemError());
  VAQUITA_RETURN_IF_ERROR(SyncPath(to));
  return size;
}

// Locks a file or a folder against other backups until its end, or that of the process. A file system without locks, as
// NFS may be for a folder, has none.
class BackupLock {
 public:
  // Returns FailedPrecondition if another backup has it.
  static absl::StatusOr<std::unique_ptr<BackupLock>> Take(const std::string& path, int flags) {
    const int file = open(path.c_str(), flags | O_CLOEXEC, 0666);
    if (file < 0) return Failed(path, SystemError());
    auto lock = std::unique_ptr<BackupLock>(new BackupLock(file));
    struct stat locked, there;
    const bool is_taken = flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    // Another backup that has just ended has given the file its name.
    const bool is_there = fstat(file, &locked) == 0 && stat(path.c_str(), &there) == 0 && locked.st_ino == there.st_ino;
    if (is_taken || !is_there) return absl::FailedPreconditionError(path + " is being written by another backup");
    return lock;
  }
  ~BackupLock() { close(file_); }
  BackupLock(const BackupLock&) = delete;

 private:
  explicit BackupLock(int file) : file_(file) {}
  const int file_;
};

class FolderWriter : public ArchiveWriter {
 public:
  FolderWriter(std::string folder, std::unique_ptr<BackupLock> lock)
      : folder_(std::move(folder)), lock_(std::move(lock)) {}
  ~FolderWriter() override {
    std::error_code ignored;
    if (finished_) return;
    for (const auto& entry : fs::directory_iterator(folder_, ignored)) fs::remove_all(entry.path(), ignored);
  }

  absl::StatusOr<int64_t> AddFile(const std::string& path, const std::string& source) override {
    const std::string to = folder_ + "/" + path;
    VAQUITA_RETURN_IF_ERROR(CreateFolder(fs::path(to).parent_path().string()));
    return CopyFile(source, to);
  }
  absl::Status AddText(const std::string& path, std::string_view text) override {
    return ReplaceFile(folder_ + "/" + path, text);
  }
  absl::Status Finish() override {
    finished_ = true;
    return SyncFolders(folder_);
  }

 private:
  const std::string folder_;
  const std::unique_ptr<BackupLock> lock_;
  bool finished_ = false;
};

std::string PartOf(const std::string& to) { return to + ".part"; }

// Writes TO.part, and renames it at the end.
class TarWriter : public ArchiveWriter {
 public:
  TarWriter(std::string to, std::unique_ptr<BackupLock> lock)
      : to_(std::move(to)), lock_(std::move(lock)), file_(PartOf(to_), std::ios::binary | std::ios::trunc) {}
  ~TarWriter() override {
    std::error_code ignored;
    if (!finished_) fs::remove(part(), ignored);
  }
  absl::Status Check() const { return file_ ? absl::OkStatus() : Failed(part(), SystemError()); }

  absl::StatusOr<int64_t> AddFile(const std::string& path, const std::string& source) override {
    VAQUITA_ASSIGN_OR_RETURN(const int64_t size, SizeOf(source));
    std::ifstream in(source, std::ios::binary);
    if (!in) return Failed(source, SystemError());
    file_ << tar::Header(path, size);
    VAQUITA_RETURN_IF_ERROR(CopyBytes(in, source, file_, part(), size));
    file_ << tar::Padding(size);
    VAQUITA_RETURN_IF_ERROR(Check());
    return size;
  }
  absl::Status AddText(const std::string& path, std::string_view text) override {
    const auto size = static_cast<int64_t>(text.size());
    file_ << tar::Header(path, size) << text << tar::Padding(size);
    return Check();
  }
  absl::Status Finish() override {
    file_ << tar::End();
    file_.close();
    VAQUITA_RETURN_IF_ERROR(Check());
    VAQUITA_RETURN_IF_ERROR(SyncPath(part()));
    VAQUITA_RETURN_IF_ERROR(RenamePath(part(), to_));
    finished_ = true;
    const std::string folder = fs::path(to_).parent_path().string();
    return SyncPath(folder.empty() ? "." : folder);
  }

 private:
  std::string part() const { return PartOf(to_); }

  const std::string to_;
  const std::unique_ptr<BackupLock> lock_;
  std::ofstream file_;
  bool finished_ = false;
};

bool StaysInside(const fs::path& path) {
  if (path.empty() || path.is_absolute()) return false;
  for (const fs::path& part : path) {
    if (part == "..") return false;
  }
  return true;
}

absl::StatusOr<std::map<std::string, int64_t>> ExtractTar(const std::string& from, const std::string& to) {
  std::map<std::string, int64_t> sizes;
  std::ifstream in(from, std::ios::binary);
  if (!in) return Failed(from, SystemError());
  tar::Reader reader(&in, from);
  while (true) {
    VAQUITA_ASSIGN_OR_RETURN(const auto entry, reader.Next());
    if (!entry.has_value()) return sizes;
    const fs::path path = fs::path(entry->path).lexically_normal();
    if (!StaysInside(path)) return Failed(from, "has " + entry->path + ", which is outside a backup");
    const std::string file = to + "/" + path.string();
    VAQUITA_RETURN_IF_ERROR(CreateFolder(fs::path(file).parent_path().string()));
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    VAQUITA_RETURN_IF_ERROR(CopyBytes(in, from, out, file, entry->size));
    out.close();
    if (!out) return Failed(file, SystemError());
    VAQUITA_RETURN_IF_ERROR(SyncPath(file));
    sizes[path.string()] = entry->size;
  }
}

absl::StatusOr<std::map<std::string, int64_t>> CopyFolder(const std::string& from, const std::string& to) {
  std::map<std::string, int64_t> sizes;
  std::error_code error;
  for (auto entry = fs::recursive_directory_iterator(from, error); !error && entry != fs::end(entry);
       entry.increment(error)) {
    if (entry->is_directory(error)) continue;
    if (error) return Failed(entry->path().string(), error.message());
    const std::string path = entry->path().lexically_relative(from).string();
    const std::string file = to + "/" + path;
    VAQUITA_RETURN_IF_ERROR(CreateFolder(fs::path(file).parent_path().string()));
    VAQUITA_ASSIGN_OR_RETURN(sizes[path], CopyFile(entry->path().string(), file));
  }
  if (error) return Failed(from, error.message());
  return sizes;
}

}  // namespace

absl::StatusOr<std::unique_ptr<ArchiveWriter>> OpenArchiveWriter(const std::string& to) {
  if (absl::EndsWith(to, ".tar")) {
    const std::string folder = fs::path(to).parent_path().string();
    if (!folder.empty()) VAQUITA_RETURN_IF_ERROR(CreateFolder(folder));
    VAQUITA_ASSIGN_OR_RETURN(auto lock, BackupLock::Take(PartOf(to), O_RDWR | O_CREAT));
    if (PathExists(to)) return absl::InvalidArgumentError(to + " exists; name another file");
    auto writer = std::make_unique<TarWriter>(to, std::move(lock));
    VAQUITA_RETURN_IF_ERROR(writer->Check());
    return writer;
  }
  VAQUITA_RETURN_IF_ERROR(CreateFolder(to));
  VAQUITA_ASSIGN_OR_RETURN(auto lock, BackupLock::Take(to, O_RDONLY | O_DIRECTORY));
  VAQUITA_ASSIGN_OR_RETURN(const auto names, ListFolder(to));
  if (!names.empty()) return absl::InvalidArgumentError(to + " is not empty; name a new folder, or a file NAME.tar");
  return std::make_unique<FolderWriter>(to, std::move(lock));
}

absl::StatusOr<std::map<std::string, int64_t>> ExtractArchive(const std::string& from, const std::string& to) {
  std::error_code error;
  if (!fs::exists(from, error)) return absl::InvalidArgumentError(from + " does not exist");
  VAQUITA_ASSIGN_OR_RETURN(auto sizes, fs::is_directory(from, error) ? CopyFolder(from, to) : ExtractTar(from, to));
  VAQUITA_RETURN_IF_ERROR(SyncFolders(to));
  return sizes;
}

}  // namespace vaquita::backup
