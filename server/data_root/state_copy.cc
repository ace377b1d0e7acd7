#include "server/data_root/state_copy.h"

#include <filesystem>
#include <system_error>

#include "base/durable_files.h"
#include "base/status.h"

namespace vaquita {
namespace {

namespace fs = std::filesystem;

bool IsOfTheState(const fs::path& path) {
  const std::string name = path.filename().string();
  return name != "LOCK" && name != kSavedStates;
}

absl::Status FileError(const char* doing, const fs::path& path, const std::error_code& error) {
  return absl::UnavailableError(std::string(doing) + " " + path.string() + ": " + error.message());
}

absl::Status CopyTree(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::create_directories(to, error);
  if (error) return FileError("create", to, error);
  fs::directory_iterator entry(from, error);
  for (const fs::directory_iterator end; !error && entry != end; entry.increment(error)) {
    const fs::path& path = entry->path();
    const fs::path copy = to / path.filename();
    if (!IsOfTheState(path)) continue;
    if (entry->is_directory()) {
      VAQUITA_RETURN_IF_ERROR(CopyTree(path, copy));
      continue;
    }
    std::error_code copied;
    if (path.extension() == ".sst") {
      fs::create_hard_link(path, copy, copied);
    } else {
      fs::copy_file(path, copy, copied);
    }
    if (copied) return FileError("copy", path, copied);
  }
  return error ? FileError("list", from, error) : absl::OkStatus();
}

absl::Status MoveState(const std::string& from, const std::string& to) {
  VAQUITA_RETURN_IF_ERROR(CreateFolder(to));
  VAQUITA_ASSIGN_OR_RETURN(const auto names, ListFolder(from));
  for (const std::string& name : names) {
    if (IsOfTheState(name)) VAQUITA_RETURN_IF_ERROR(RenamePath(from + "/" + name, to + "/" + name));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CopyState(const std::string& from, const std::string& to) { return CopyTree(from, to); }

absl::Status ReplaceState(const std::string& from, const std::string& folder) {
  // Beside the saved states, which are on the file system of the state and no part of it.
  const std::string copy = folder + "/" + kSavedStates + "/.restoring";
  const std::string replaced = folder + "/" + kSavedStates + "/.replaced";
  VAQUITA_RETURN_IF_ERROR(RemoveAll(copy));
  VAQUITA_RETURN_IF_ERROR(RemoveAll(replaced));
  if (const absl::Status copied = CopyTree(from, copy); !copied.ok()) {
    RemoveAll(copy).IgnoreError();  // the disk may be full
    return copied;
  }
  VAQUITA_RETURN_IF_ERROR(MoveState(folder, replaced));
  VAQUITA_RETURN_IF_ERROR(MoveState(copy, folder));
  VAQUITA_RETURN_IF_ERROR(RemoveAll(copy));
  return RemoveAll(replaced);
}

}  // namespace vaquita
