#include "server/master/meta/own_server.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "base/durable_files.h"
#include "base/fault_point.h"
#include "base/log.h"
#include "base/status.h"
#include "model/server_name.h"
#include "server/data_root/server_folder.h"
#include "server/master/meta/meta_table.h"
#include "server/master/meta/namespaces.h"

namespace vaquita {
namespace {

using Names = std::set<std::string, std::less<>>;

// The name that the folder of an old standalone server gets.
constexpr std::string_view kOldStandalone = "standalone,16020,1";

// A folder in root/server or root/recovering.
struct Folder {
  std::string name;
  std::vector<std::string> owners;
  size_t homed = 0;  // regions
};

// The regions that servers have, or are to have.
std::vector<MetaTable::Row> RegionsOfServers(MetaTable::Contents contents) {
  std::erase_if(contents.regions, [](const MetaTable::Row& row) {
    return IsMastersOwn(row.region.info.table) || !row.daughters.empty();
  });
  return std::move(contents.regions);
}

std::string TargetOf(const MetaTable::Row& row) {
  return row.region.state == RegionState::kOpening ? row.region.server_name : "";
}

absl::StatusOr<std::vector<Folder>> FoldersIn(const std::string& root, const std::string& part) {
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<std::string> names, ListFolder(root + "/" + part));
  std::vector<Folder> folders;
  for (const std::string& name : names) {
    VAQUITA_ASSIGN_OR_RETURN(auto owners, OwnersOfFolder(root + "/" + part + "/" + name));
    folders.push_back({name, std::move(owners)});
  }
  return folders;
}

int64_t StartCodeOf(const Folder& folder) {
  const auto name = ServerName::Parse(folder.name);
  return name.ok() ? name->start_code : -1;
}

// Returns the folder that the new server takes over; null if there is no such folder.
absl::StatusOr<const Folder*> Choose(const std::string& root, std::string_view server_name,
                                     const std::vector<Folder>& folders) {
  const Folder* chosen = nullptr;
  for (const Folder& folder : folders) {
    VAQUITA_ASSIGN_OR_RETURN(const bool is_open, IsServerFolderOpen(ServerFolder(root, folder.name)));
    if (is_open || !ServerName::Parse(folder.name).ok()) continue;
    if (folder.name == server_name) return &folder;  // no other one could have the name
    const auto rank = [](const Folder& f) { return std::pair(f.homed, StartCodeOf(f)); };
    if (chosen == nullptr || rank(folder) > rank(*chosen)) chosen = &folder;
  }
  return chosen;
}

// Replaces each of `others` by `server_name` in hbase:meta.
absl::Status Rehome(const std::vector<MetaTable::Row>& rows, const Names& others, std::string_view server_name,
                    MetaTable* meta) {
  MetaEdit edit;
  size_t regions = 0;
  for (const MetaTable::Row& row : rows) {
    const auto renamed = [&](const std::string& name) {
      return others.contains(name) ? std::string(server_name) : name;
    };
    const std::string target = TargetOf(row);
    if (renamed(row.region.home) == row.region.home && renamed(target) == target) continue;
    edit.PutAssignment(row.region.info, row.region.state, renamed(row.region.home), renamed(target));
    ++regions;
  }
  if (regions == 0) return absl::OkStatus();
  spdlog::info("assignment: server={} state=succeeds to=- reason=start regions={}", server_name, regions);
  return meta->Apply(std::move(edit));
}

}  // namespace

absl::Status SucceedEndedServer(const std::string& root, std::string_view server_name, MetaTable* meta) {
  VAQUITA_ASSIGN_OR_RETURN(MetaTable::Contents contents, meta->Load());
  const std::vector<MetaTable::Row> rows = RegionsOfServers(std::move(contents));
  VAQUITA_ASSIGN_OR_RETURN(std::vector<Folder> folders, FoldersIn(root, "server"));
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<Folder> taken, FoldersIn(root, "recovering"));
  Names with_folder;
  for (const auto* some : {&std::as_const(folders), &taken}) {
    for (const Folder& folder : *some) with_folder.insert(folder.owners.begin(), folder.owners.end());
  }
  Names succeeded;
  for (const MetaTable::Row& row : rows) {
    for (const std::string& name : {row.region.home, TargetOf(row)}) {
      if (!name.empty() && !with_folder.contains(name)) succeeded.insert(name);
    }
    for (Folder& folder : folders) {
      folder.homed += std::find(folder.owners.begin(), folder.owners.end(), row.region.home) != folder.owners.end();
    }
  }
  VAQUITA_ASSIGN_OR_RETURN(const Folder* const folder, Choose(root, server_name, folders));
  if (folder != nullptr) {
    succeeded.insert(folder->owners.begin(), folder->owners.end());
    VAQUITA_RETURN_IF_ERROR(AdoptServerFolder(root, folder->name, server_name, folder->homed > 0));
  } else {
    // A home without a folder would be a server that has left.
    VAQUITA_RETURN_IF_ERROR(CreateFolder(ServerFolder(root, server_name)));
  }
  FaultPoint("succeed:renamed");
  succeeded.erase(std::string(server_name));
  return Rehome(rows, succeeded, server_name, meta);
}

absl::Status NameOldStandaloneFolder(const std::string& root, MetaTable* meta) {
  const std::string folder = OldStandaloneFolder(root);
  if (!PathExists(folder)) return absl::OkStatus();
  if (meta != nullptr) {
    VAQUITA_ASSIGN_OR_RETURN(MetaTable::Contents contents, meta->Load());
    // Those that it had not opened yet have no home, as after a repair.
    VAQUITA_ASSIGN_OR_RETURN(const Names stored, RegionsWithStores(folder));
    std::vector<MetaTable::Row> rows = RegionsOfServers(std::move(contents));
    Names homes;
    for (MetaTable::Row& row : rows) {
      std::string& home = row.region.home;
      if (home.empty() && stored.contains(row.region.info.EncodedName())) home = "-";
      if (!home.empty()) homes.insert(home);
    }
    homes.erase(std::string(kOldStandalone));
    VAQUITA_RETURN_IF_ERROR(Rehome(rows, homes, kOldStandalone, meta));
  }
  FaultPoint("succeed:rehomed");
  VAQUITA_RETURN_IF_ERROR(RenamePath(folder, ServerFolder(root, kOldStandalone)));
  return SyncPath(root + "/server");
}

}  // namespace vaquita
