#include "server/data_root/server_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "absl/strings/str_split.h"
#include "base/durable_files.h"
#include "base/fault_point.h"
#include "base/log.h"
#include "base/status.h"
#include "engine/log_copies.h"
#include "engine/store_survey.h"
#include "model/server_name.h"

namespace vaquita {
namespace {

namespace fs = std::filesystem;

// In a folder: the names of its earlier servers, a line each.
constexpr const char* kEarlierServers = "/EARLIER_SERVERS";
constexpr const char* kLock = "/LOCK";  // RocksDB's
// Begins the names of folders that are being removed. No server's name begins so: it has two commas before any '@'.
constexpr std::string_view kGone = "gone@";
constexpr std::string_view kGoneInOldReleases = "gone-";
// An earlier server is looked for while hbase:meta may name it, which each later one changes when it begins.
constexpr size_t kEarlierServersKept = 64;

std::string NameOf(const std::string& folder) { return fs::path(folder).filename().string(); }

absl::StatusOr<std::vector<std::string>> FoldersIn(const std::string& path) {
  VAQUITA_ASSIGN_OR_RETURN(std::vector<std::string> folders, ListFolder(path));
  for (std::string& folder : folders) folder = path + "/" + folder;
  return folders;
}

// The file's text; empty if the folder never had another name.
absl::StatusOr<std::string> EarlierServersText(const std::string& folder) {
  auto text = ReadFile(folder + kEarlierServers);
  return absl::IsNotFound(text.status()) ? std::string() : text;
}

absl::StatusOr<std::vector<std::string>> EarlierServers(const std::string& folder) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string text, EarlierServersText(folder));
  std::vector<std::string> servers;
  for (const absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    std::string name(line);
    if (ServerName::Parse(name).ok()) {
      servers.push_back(std::move(name));
    } else {
      spdlog::warn("{}{} is damaged: a line is not the name of a server", folder, kEarlierServers);
    }
  }
  return servers;
}

absl::StatusOr<bool> WasFolderOf(const std::string& folder, std::string_view server_name) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<std::string> servers, EarlierServers(folder));
  return std::find(servers.begin(), servers.end(), server_name) != servers.end();
}

absl::Status NoFolder(std::string_view server_name) {
  return absl::NotFoundError("server " + std::string(server_name) + " has no folder");
}

// Returns the folder of the newest life on the address that began before `server_name`.
std::string EarlierFolder(const std::vector<std::string>& folders, std::string_view server_name) {
  std::string newest;
  int64_t newest_code = -1;
  const auto server = ServerName::Parse(server_name);
  for (const std::string& folder : folders) {
    const auto other = ServerName::Parse(NameOf(folder));
    if (!server.ok() || !other.ok() || !other->SameAddress(*server)) continue;
    if (other->start_code >= server->start_code || other->start_code <= newest_code) continue;
    newest = folder;
    newest_code = other->start_code;
  }
  return newest;
}

// By its name, or an earlier one, or that of a life which it was to succeed.
absl::StatusOr<std::string> FindServerFolder(const std::string& root, std::string_view server_name, bool has_regions) {
  std::string folder = ServerFolder(root, server_name);
  if (PathExists(folder)) return folder;
  VAQUITA_ASSIGN_OR_RETURN(const auto folders, FoldersIn(root + "/server"));
  for (const std::string& other : folders) {
    VAQUITA_ASSIGN_OR_RETURN(const bool found, WasFolderOf(other, server_name));
    if (found) return other;
  }
  if (!has_regions) return NoFolder(server_name);
  folder = EarlierFolder(folders, server_name);
  return folder.empty() ? NoFolder(server_name) : absl::StatusOr<std::string>(std::move(folder));
}

// Returns the folder that was taken away from `dead` before.
absl::StatusOr<std::string> FindTakenFolder(const std::string& root, std::string_view dead) {
  const std::string prefix = std::string(dead) + "@";
  // A server of such a name may have a folder whose name is that of a leftover; others cannot.
  const bool if_old = !dead.starts_with(kGoneInOldReleases);
  VAQUITA_ASSIGN_OR_RETURN(const auto folders, FoldersIn(root + "/recovering"));
  for (const std::string& folder : folders) {
    const std::string name = NameOf(folder);
    if (name.starts_with(prefix)) return folder;
    if (IsLeftoverFolder(name, if_old)) continue;
    VAQUITA_ASSIGN_OR_RETURN(const bool found, WasFolderOf(folder, dead));
    if (found) return folder;
  }
  return NoFolder(dead);
}

absl::Status RecordEarlierServer(const std::string& folder) {
  VAQUITA_ASSIGN_OR_RETURN(std::vector<std::string> names, EarlierServers(folder));
  names.push_back(NameOf(folder));
  const size_t first = names.size() - std::min(names.size(), kEarlierServersKept);
  std::string text;
  for (size_t i = first; i < names.size(); ++i) text += names[i] + "\n";
  return ReplaceFile(folder + kEarlierServers, text);
}

// Makes sure that a process which still has the folder's files open can no longer change them or lock them. It would
// go on writing the log. A second reader of the log must not find such writes, perhaps for a part of the stores only,
// after the first reader has flushed the others.
absl::Status ShutOut(const std::string& folder) {
  VAQUITA_ASSIGN_OR_RETURN(const bool open, IsServerFolderOpen(folder));
  if (!open) return absl::OkStatus();
  VAQUITA_RETURN_IF_ERROR(CopyLogsInPlace(folder));
  // Last: a crash before it leaves all to be done again.
  return ReplaceFile(folder + kLock, "");
}

}  // namespace

std::string ServerFolder(const std::string& root, std::string_view server_name) {
  return root + "/server/" + std::string(server_name);
}

bool IsLeftoverFolder(std::string_view name, bool if_old) {
  if (name.starts_with(kGone)) return true;
  if (!name.starts_with(kGoneInOldReleases)) return false;
  return if_old || name.find('@') == std::string_view::npos;  // a folder under recovery has its recoverer's name, too
}

std::string OldStandaloneFolder(const std::string& root) { return root + "/server/standalone"; }

// A process that ended holds no lock.
absl::StatusOr<bool> IsServerFolderOpen(const std::string& folder) {
  const std::string path = folder + kLock;
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0 && errno == ENOENT) return false;  // there is no database
  if (file < 0) return absl::UnavailableError("open " + path + ": " + std::strerror(errno));
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  // The lock is the open file's, not the process's: so a lock of this process is seen, too.
  const bool asked = fcntl(file, F_OFD_GETLK, &lock) == 0;
  close(file);
  return !asked || lock.l_type != F_UNLCK;
}

absl::StatusOr<std::set<std::string, std::less<>>> RegionsWithStores(const std::string& folder) {
  VAQUITA_ASSIGN_OR_RETURN(const auto lock, DatabaseLock::Take(folder));
  std::set<std::string, std::less<>> regions;
  const auto stores = SurveyStores(folder);
  if (!stores.ok()) spdlog::warn("{}", stores.status().ToString());
  if (!stores.ok()) return regions;
  for (const SurveyedStore& store : *stores) regions.insert(store.name.substr(0, store.name.find('/')));
  return regions;
}

absl::StatusOr<std::vector<std::string>> OwnersOfFolder(const std::string& folder) {
  const std::string name = NameOf(folder);
  VAQUITA_ASSIGN_OR_RETURN(std::vector<std::string> owners, EarlierServers(folder));
  owners.push_back(name.substr(0, name.find('@')));
  std::reverse(owners.begin(), owners.end());
  return owners;
}

absl::Status AdoptServerFolder(const std::string& root, std::string_view earlier, std::string_view server_name,
                               bool has_regions) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string from, FindServerFolder(root, earlier, has_regions));
  const std::string to = ServerFolder(root, server_name);
  if (from != to) {
    VAQUITA_RETURN_IF_ERROR(RecordEarlierServer(from));
    FaultPoint("adopt:named");
    VAQUITA_RETURN_IF_ERROR(RenamePath(from, to));
    FaultPoint("adopt:renamed");
    VAQUITA_RETURN_IF_ERROR(SyncPath(root + "/server"));
  }
  return ShutOut(to);
}

absl::StatusOr<std::string> TakeDeadServerFolder(const std::string& root, std::string_view dead,
                                                 std::string_view recoverer, bool has_regions) {
  absl::StatusOr<std::string> from = FindTakenFolder(root, dead);
  if (absl::IsNotFound(from.status())) from = FindServerFolder(root, dead, has_regions);
  VAQUITA_RETURN_IF_ERROR(from.status());
  std::string to = root + "/recovering/" + std::string(dead) + "@" + std::string(recoverer);
  if (*from != to) {
    VAQUITA_RETURN_IF_ERROR(CreateFolder(root + "/recovering"));
    VAQUITA_RETURN_IF_ERROR(RenamePath(*from, to));
    FaultPoint("recover:renamed");
    VAQUITA_RETURN_IF_ERROR(SyncPath(root + "/recovering"));
    VAQUITA_RETURN_IF_ERROR(SyncPath(root + "/server"));
  }
  VAQUITA_RETURN_IF_ERROR(ShutOut(to));
  return to;
}

absl::Status RemoveServerFolder(const std::string& root, const std::string& folder) {
  VAQUITA_RETURN_IF_ERROR(CreateFolder(root + "/recovering"));
  VAQUITA_RETURN_IF_ERROR(RenamePath(folder, root + "/recovering/" + std::string(kGone) + NameOf(folder)));
  FaultPoint("recover:done");
  VAQUITA_ASSIGN_OR_RETURN(const auto folders, FoldersIn(root + "/recovering"));
  for (const std::string& other : folders) {
    if (!IsLeftoverFolder(NameOf(other), false)) {
      if (IsLeftoverFolder(NameOf(other), true)) {
        spdlog::warn("{} stays: it is a leftover of an earlier release, unless the server's host has this name", other);
      }
      continue;
    }
    const absl::Status removed = RemoveAll(other);
    if (!removed.ok()) spdlog::warn("{}", removed.ToString());  // the next one does
  }
  return absl::OkStatus();
}

}  // namespace vaquita
