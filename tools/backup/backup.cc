#include "tools/backup/backup.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/clock.h"
#include "base/durable_files.h"
#include "base/exit_code.h"
#include "base/log.h"
#include "base/options.h"
#include "base/status.h"
#include "base/version.h"
#include "client/admin.h"
#include "client/connection.h"
#include "server/data_root/data_format.h"
#include "server/data_root/snapshot_folder.h"
#include "server/process/standalone.h"
#include "tools/backup/archive.h"
#include "tools/backup/backup_index.h"
#include "tools/connection/open_for_tool.h"

namespace vaquita::backup {
namespace {

namespace fs = std::filesystem;

// A backup that is killed leaves its last snapshot, which expires.
constexpr int64_t kSnapshotLifeSeconds = 86'400;
constexpr MasterSwitch kSwitches[] = {MasterSwitch::kSplit,           MasterSwitch::kMerge,
                                      MasterSwitch::kBalancer,        MasterSwitch::kNormalizer,
                                      MasterSwitch::kCatalogJanitor,  MasterSwitch::kCleaner,
                                      MasterSwitch::kSnapshotCleanup, MasterSwitch::kPeerModification};

int64_t Now() { return Clock::System()->NowMs(); }

std::string SizeText(int64_t bytes) {
  if (bytes < 1'000'000) return absl::StrFormat("%.1f kB", static_cast<double>(bytes) / 1e3);
  return absl::StrFormat("%.1f MB", static_cast<double>(bytes) / 1e6);
}

std::string CountText(size_t count, const std::string& what) {
  return absl::StrCat(count, " ", what, count == 1 ? "" : "s");
}

void Say(const std::string& line) {
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

// Returns DataLoss if a file of the snapshot in `folder` is missing or cut, kCorruptedSnapshot if its manifest is.
absl::Status CheckWhole(const std::string& folder) {
  VAQUITA_ASSIGN_OR_RETURN(const SnapshotManifest manifest, ReadSnapshot(folder));
  const std::vector<std::string> cut = MissingFiles(manifest, folder);
  if (cut.empty()) return absl::OkStatus();
  return absl::DataLossError(folder + "/" + cut.front() + " is missing, or cut");
}

// Returns whether `path`, which need not be there, is the folder or lies in it.
bool IsInside(const std::string& path, const std::string& folder) {
  std::error_code error;
  const fs::path inner = fs::weakly_canonical(AbsolutePath(path), error);
  const fs::path outer = fs::weakly_canonical(AbsolutePath(folder), error);
  const fs::path relative = inner.lexically_relative(outer);
  return !relative.empty() && *relative.begin() != "..";
}

class Backup {
 public:
  Backup(const BackupArguments& arguments, client::Admin* admin, ArchiveWriter* archive)
      : data_path_(arguments.data_path), admin_(admin), archive_(archive) {}

  absl::Status Run();

 private:
  absl::Status AddTable(const TableName& name, size_t number, size_t tables);
  absl::StatusOr<bool> AddSnapshot(const std::string& what, const std::string& name, bool is_own);
  absl::Status CopySnapshot(const std::string& name, std::map<std::string, int64_t>* files);
  std::string SnapshotPath(const std::string& name) const { return data_path_ + "/snapshots/" + name; }
  absl::Status CheckDeleted(const std::string& snapshot);
  void Miss(const std::string& what, const absl::Status& why);
  absl::Status AddNamespaces();
  absl::Status AddSwitches();

  const std::string data_path_;
  client::Admin* const admin_;
  ArchiveWriter* const archive_;
  BackupIndex index_;
};

absl::Status Backup::Run() {
  index_.version = kVersion;
  index_.begun_ms = Now();
  VAQUITA_ASSIGN_OR_RETURN(const ClusterStatus cluster, admin_->GetClusterStatus());
  index_.cluster_id = cluster.cluster_id;
  VAQUITA_RETURN_IF_ERROR(AddSwitches());
  VAQUITA_ASSIGN_OR_RETURN(const auto snapshots, admin_->ListSnapshots());
  VAQUITA_ASSIGN_OR_RETURN(const auto tables, admin_->ListTableNames());
  for (size_t i = 0; i < tables.size(); ++i) VAQUITA_RETURN_IF_ERROR(AddTable(tables[i], i + 1, tables.size()));
  for (const SnapshotDescription& snapshot : snapshots) {
    Say("snapshot " + snapshot.name);
    VAQUITA_ASSIGN_OR_RETURN(const bool added,
                             AddSnapshot("snapshot " + snapshot.name, snapshot.name, /*is_own=*/false));
    if (added) index_.snapshots.push_back(snapshot.name);
  }
  // A table may have got a namespace since the backup began.
  VAQUITA_RETURN_IF_ERROR(AddNamespaces());
  index_.ended_ms = Now();
  VAQUITA_RETURN_IF_ERROR(archive_->AddText(kIndexFile, ToJson(index_)));
  VAQUITA_RETURN_IF_ERROR(archive_->Finish());
  int64_t bytes = 0;
  for (const auto& [path, size] : index_.files) bytes += size;
  Say(absl::StrFormat("%s, %s, %s, %s, in %.1f s", CountText(index_.tables.size(), "table"),
                      CountText(index_.snapshots.size(), "snapshot"), CountText(index_.files.size(), "file"),
                      SizeText(bytes), static_cast<double>(Now() - index_.begun_ms) / 1000));
  if (index_.missing.empty()) return absl::OkStatus();
  return absl::DataLossError("the backup lacks " + CountText(index_.missing.size(), "table or snapshot") +
                             ", as said above");
}

absl::Status Backup::AddNamespaces() {
  VAQUITA_ASSIGN_OR_RETURN(index_.namespaces, admin_->ListNamespaces());
  std::erase_if(index_.namespaces,
                [](const NamespaceDescriptor& ns) { return ns.name == "default" || ns.name == "hbase"; });
  return absl::OkStatus();
}

absl::Status Backup::AddSwitches() {
  for (const MasterSwitch which : kSwitches) {
    VAQUITA_ASSIGN_OR_RETURN(const bool on, admin_->IsOn(which));
    if (!on) index_.switched_off.push_back(which);
  }
  return absl::OkStatus();
}

// The backup goes on with the others, and fails at its end.
void Backup::Miss(const std::string& what, const absl::Status& why) {
  index_.missing.push_back({what, std::string(why.message())});
  std::fprintf(stderr, "backup: %s is not in it: %s\n", what.c_str(), index_.missing.back().why.c_str());
}

// Returns OK if the server, too, has the snapshot no more, whose folder is not there.
absl::Status Backup::CheckDeleted(const std::string& snapshot) {
  VAQUITA_ASSIGN_OR_RETURN(const auto snapshots, admin_->ListSnapshots());
  if (std::any_of(snapshots.begin(), snapshots.end(), [&](const auto& each) { return each.name == snapshot; })) {
    return absl::InvalidArgumentError("snapshot " + snapshot + " is not in " + data_path_ +
                                      "/snapshots: name the data folder of the server that was asked, by --data");
  }
  return absl::OkStatus();
}

// A table that is deleted before its snapshot is taken is left out.
absl::Status Backup::AddTable(const TableName& name, size_t number, size_t tables) {
  Say(absl::StrCat("table ", name.ToString(), " (", number, " of ", tables, ")"));
  BackupIndex::Table table{.name = name.ToString(), .snapshot = absl::StrCat("backup-", index_.begun_ms, "-", number)};
  const auto state = admin_->GetTableState(name);
  const absl::Status taken =
      !state.ok() ? state.status()
                  : admin_->Snapshot({.name = table.snapshot, .table = name, .ttl_s = kSnapshotLifeSeconds});
  if (!taken.ok() && IsError(admin_->GetTableState(name).status(), ErrorKind::kTableNotFound)) {
    Say("table " + table.name + " was deleted meanwhile");
    return absl::OkStatus();
  }
  if (ErrorKind kind; !taken.ok() && GetErrorKind(taken, &kind)) {
    Miss("table " + table.name, taken);
    return absl::OkStatus();
  }
  VAQUITA_RETURN_IF_ERROR(Annotate(taken, "snapshot of table " + table.name));
  const absl::Cleanup remove = [&] { admin_->DeleteSnapshot(table.snapshot).IgnoreError(); };
  table.disabled = *state == TableState::kDisabled;
  VAQUITA_ASSIGN_OR_RETURN(const bool added, AddSnapshot("table " + table.name, table.snapshot, /*is_own=*/true));
  if (added) index_.tables.push_back(table);
  return absl::OkStatus();
}

// Returns false if the backup has to do without the snapshot, which was deleted meanwhile, or is damaged. With one of
// the backup's own (`is_own`) a table goes that is still there.
absl::StatusOr<bool> Backup::AddSnapshot(const std::string& what, const std::string& name, bool is_own) {
  const absl::Status whole = CheckWhole(SnapshotPath(name));
  absl::Status copied = whole;
  std::map<std::string, int64_t> files;
  if (whole.ok()) copied = CopySnapshot(name, &files);
  if (copied.ok()) {
    index_.files.merge(files);
    return true;
  }
  if (!PathExists(SnapshotPath(name))) {
    VAQUITA_RETURN_IF_ERROR(CheckDeleted(name));
    if (is_own) {
      Miss(what, absl::NotFoundError("its snapshot " + name + " was deleted while it was copied; try again"));
    } else {
      Say(what + " was deleted meanwhile");
    }
  } else if (whole.ok()) {
    return copied;
  } else {
    Miss(what, whole);
  }
  return false;
}

// Copies the snapshot's folder. Its files do not change.
absl::Status Backup::CopySnapshot(const std::string& name, std::map<std::string, int64_t>* files) {
  const std::string path = SnapshotPath(name);
  std::error_code error;
  for (auto entry = fs::recursive_directory_iterator(path, error); !error && entry != fs::end(entry);
       entry.increment(error)) {
    if (entry->is_directory(error)) continue;
    const std::string file = entry->path().lexically_relative(data_path_).string();
    VAQUITA_ASSIGN_OR_RETURN((*files)[file], archive_->AddFile(file, entry->path().string()));
  }
  if (error) return absl::InternalError(path + ": " + error.message());
  return absl::OkStatus();
}

// Others would get a backup of what they may see, which looks like one of everything. Only they may list these rights.
absl::Status CheckMayReadAll(client::Admin* admin) {
  VAQUITA_ASSIGN_OR_RETURN(const bool has_rights, admin->HasAuthorization());
  if (!has_rights) return absl::OkStatus();
  return Annotate(admin->ListUserPermissions({.scope = Permission::Scope::kGlobal}).status(),
                  "a backup needs ADMIN for the whole cluster, or a superuser");
}

absl::Status WriteBackup(const BackupArguments& arguments) {
  if (!PathExists(arguments.data_path + "/FORMAT")) {
    return absl::InvalidArgumentError(arguments.data_path +
                                      " is not a data folder of Vaquita: it has no FORMAT; --data names the server's");
  }
  if (IsInside(arguments.to, arguments.data_path)) {
    return absl::InvalidArgumentError(arguments.to + " is inside the data folder " + arguments.data_path +
                                      "; name another place for the backup");
  }
  VAQUITA_ASSIGN_OR_RETURN(const auto connection, OpenForTool(arguments.address));
  const auto admin = connection->GetAdmin();
  VAQUITA_RETURN_IF_ERROR(CheckMayReadAll(admin.get()));
  VAQUITA_ASSIGN_OR_RETURN(const auto archive, OpenArchiveWriter(arguments.to));
  return Backup(arguments, admin.get(), archive.get()).Run();
}

// --- The restoration.

// Checks that all files of the backup are there as they were written.
absl::Status CheckFiles(const BackupIndex& index, const std::map<std::string, int64_t>& found) {
  for (const auto& [path, size] : index.files) {
    const auto file = found.find(path);
    if (file == found.end()) return absl::DataLossError("the backup is damaged: " + path + " is missing");
    if (file->second != size) {
      return absl::DataLossError(
          absl::StrCat("the backup is damaged: ", path, " has ", file->second, " bytes, not ", size));
    }
  }
  return absl::OkStatus();
}

absl::Status MakeTables(const BackupIndex& index, client::Admin* admin) {
  std::set<std::string> namespaces = {"default", "hbase"};
  for (const NamespaceDescriptor& ns : index.namespaces) {
    VAQUITA_RETURN_IF_ERROR(Annotate(admin->CreateNamespace(ns), "namespace " + ns.name));
    namespaces.insert(ns.name);
  }
  for (size_t i = 0; i < index.tables.size(); ++i) {
    const BackupIndex::Table& table = index.tables[i];
    Say(absl::StrCat("table ", table.name, " (", i + 1, " of ", index.tables.size(), ")"));
    VAQUITA_ASSIGN_OR_RETURN(const TableName name, TableName::Parse(table.name));
    if (namespaces.insert(name.ns).second) {  // it was made or deleted while the backup was taken
      VAQUITA_RETURN_IF_ERROR(Annotate(admin->CreateNamespace({.name = name.ns}), "namespace " + name.ns));
    }
    VAQUITA_RETURN_IF_ERROR(Annotate(admin->CloneSnapshot(table.snapshot, name), "table " + table.name));
    if (table.disabled) VAQUITA_RETURN_IF_ERROR(admin->DisableTable(name));
    VAQUITA_RETURN_IF_ERROR(admin->DeleteSnapshot(table.snapshot));
  }
  for (const MasterSwitch which : index.switched_off) VAQUITA_RETURN_IF_ERROR(admin->SetSwitch(which, false).status());
  return absl::OkStatus();
}

// Runs `work` with a server on the data folder, which nobody else finds.
absl::Status WithServer(const std::string& data_path, const std::function<absl::Status(client::Admin* admin)>& work) {
  spdlog::set_level(spdlog::level::warn);
  Options options;
  UseFreePorts(&options);
  // The tables were there, so no descriptor is refused, whatever their server's settings were.
  options.table_sanity_checks = false;
  options.ignore_unknown_coprocessors = true;
  options.max_table_families = std::numeric_limits<int64_t>::max();
  options.max_table_regions = std::numeric_limits<int64_t>::max();
  options.master_info_port = -1;
  options.region_server_info_port = -1;
  options.query_server_port = -1;
  VAQUITA_ASSIGN_OR_RETURN(const auto server, Standalone::Start({.data_path = data_path, .options = &options}));
  VAQUITA_ASSIGN_OR_RETURN(const auto connection, client::Connection::Open({.address = server->grpc_address()}));
  const absl::Status status = work(connection->GetAdmin().get());
  server->Stop();
  return status;
}

// The snapshots that a backup takes have a time to live, which was over long ago when old tables are needed.
absl::Status KeepTablesSnapshots(const BackupIndex& index, const std::string& data) {
  for (const BackupIndex::Table& table : index.tables) {
    VAQUITA_RETURN_IF_ERROR(Annotate(RemoveTimeToLive(data + "/snapshots/" + table.snapshot), "table " + table.name));
  }
  return absl::OkStatus();
}

// A snapshot that was deleted while it was copied is there in part.
absl::Status RemoveUnknownSnapshots(const BackupIndex& index, const std::string& folder) {
  std::set<std::string> known(index.snapshots.begin(), index.snapshots.end());
  for (const BackupIndex::Table& table : index.tables) known.insert(table.snapshot);
  VAQUITA_ASSIGN_OR_RETURN(const auto names, ListFolder(folder));
  for (const std::string& name : names) {
    if (!known.contains(name)) VAQUITA_RETURN_IF_ERROR(RemoveAll(folder + "/" + name));
  }
  return absl::OkStatus();
}

// Makes a data folder of the backup in `data`, which is empty.
absl::StatusOr<BackupIndex> Restore(const std::string& from, const std::string& data) {
  const std::string incoming = data + "/incoming";
  VAQUITA_RETURN_IF_ERROR(WithServer(data, [](client::Admin*) { return absl::OkStatus(); }));
  VAQUITA_ASSIGN_OR_RETURN(const auto files, ExtractArchive(from, incoming));
  const auto text = ReadFile(incoming + "/" + kIndexFile);
  if (absl::IsNotFound(text.status())) {
    return absl::InvalidArgumentError(from + " is not a complete backup: it has no " + kIndexFile);
  }
  VAQUITA_RETURN_IF_ERROR(text.status());
  VAQUITA_ASSIGN_OR_RETURN(BackupIndex index, ParseIndex(*text));
  VAQUITA_RETURN_IF_ERROR(CheckFiles(index, files));
  for (const BackupIndex::Missing& missing : index.missing) {
    std::fprintf(stderr, "restore: %s is not in the backup: %s\n", missing.what.c_str(), missing.why.c_str());
  }
  VAQUITA_RETURN_IF_ERROR(RemoveUnknownSnapshots(index, incoming + "/snapshots"));
  if (!index.files.empty()) {
    VAQUITA_RETURN_IF_ERROR(RemoveAll(data + "/snapshots"));
    VAQUITA_RETURN_IF_ERROR(RenamePath(incoming + "/snapshots", data + "/snapshots"));
  }
  VAQUITA_RETURN_IF_ERROR(RemoveAll(incoming));
  VAQUITA_RETURN_IF_ERROR(KeepTablesSnapshots(index, data));
  VAQUITA_RETURN_IF_ERROR(WithServer(data, [&](client::Admin* admin) { return MakeTables(index, admin); }));
  return index;
}

// Moves a folder's contents into the one above it. While anything is left, servers refuse that one.
absl::Status MoveUp(const std::string& from, const std::string& to) {
  VAQUITA_ASSIGN_OR_RETURN(const auto names, ListFolder(from));
  for (const std::string& name : names) VAQUITA_RETURN_IF_ERROR(RenamePath(from + "/" + name, to + "/" + name));
  VAQUITA_RETURN_IF_ERROR(SyncPath(to));
  VAQUITA_RETURN_IF_ERROR(RemoveAll(from));
  return SyncPath(to);
}

// Leaves the data folder as it was: missing, or empty. It may be a link, or have an owner and rights of its own.
absl::Status TakeBack(const std::string& data, bool was_there) {
  if (!was_there) return RemoveAll(data);
  VAQUITA_ASSIGN_OR_RETURN(const auto names, ListFolder(data));
  for (const std::string& name : names) VAQUITA_RETURN_IF_ERROR(RemoveAll(data + "/" + name));
  return absl::OkStatus();
}

absl::Status NotEmpty(const std::string& data) {
  return absl::InvalidArgumentError(data + " is not empty; name a new folder for the data");
}

// Makes the folder to restore in, which must be the only one in `data`. Of two restorations one gets it.
absl::Status MakeRestoringFolder(const std::string& data) {
  const std::string restoring = data + kRestoringFolder;
  VAQUITA_RETURN_IF_ERROR(CheckRestored(data));
  VAQUITA_ASSIGN_OR_RETURN(auto names, ListFolder(data));
  if (!names.empty()) return NotEmpty(data);
  VAQUITA_RETURN_IF_ERROR(CreateFolder(data));
  std::error_code error;
  const bool made = fs::create_directory(restoring, error);
  if (error) return absl::UnavailableError("create " + restoring + ": " + error.message());
  if (!made) return CheckRestored(data);
  VAQUITA_RETURN_IF_ERROR(SyncPath(data));
  VAQUITA_ASSIGN_OR_RETURN(names, ListFolder(data));
  if (names.size() == 1) return absl::OkStatus();
  VAQUITA_RETURN_IF_ERROR(RemoveAll(restoring));
  return NotEmpty(data);
}

absl::Status RestoreInto(const RestoreArguments& arguments) {
  const int64_t begun_ms = Now();
  const std::string& data = arguments.data_path;
  const std::string restoring = data + kRestoringFolder;
  if (IsInside(data, arguments.from)) {
    return absl::InvalidArgumentError(data + " is inside the backup " + arguments.from + "; name another folder");
  }
  const bool was_there = PathExists(data);
  if (const absl::Status status = MakeRestoringFolder(data); !status.ok()) {
    std::error_code ignored;  // it may be another restoration's by now
    if (!was_there) fs::remove(data, ignored);
    return status;
  }
  const auto index = Restore(arguments.from, restoring);
  const absl::Status status = index.ok() ? MoveUp(restoring, data) : index.status();
  if (!status.ok()) {
    TakeBack(data, was_there).IgnoreError();
    return status;
  }
  Say(absl::StrFormat("%s and %s in %s, in %.1f s", CountText(index->tables.size(), "table"),
                      CountText(index->snapshots.size(), "snapshot"), data,
                      static_cast<double>(Now() - begun_ms) / 1000));
  return absl::OkStatus();
}

}  // namespace

int RunBackup(const BackupArguments& arguments) {
  KeepFilesToUser();
  return EndCommand("backup", WriteBackup(arguments));
}

int RunRestore(const RestoreArguments& arguments) {
  KeepFilesToUser();
  return EndCommand("restore", RestoreInto(arguments));
}

}  // namespace vaquita::backup
