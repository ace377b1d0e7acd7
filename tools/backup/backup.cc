#include "tools/backup/backup.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <utility>

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

int End(const char* command, const absl::Status& status) {
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s: %s\n", command, std::string(status.message()).c_str());
  return ExitCodeOf(status);
}

class Backup {
 public:
  Backup(const BackupArguments& arguments, client::Admin* admin, ArchiveWriter* archive)
      : data_path_(arguments.data_path), admin_(admin), archive_(archive) {}

  absl::Status Run();

 private:
  absl::Status AddTable(const TableName& name, size_t number, size_t tables);
  absl::Status AddSnapshot(const std::string& name);
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
  VAQUITA_RETURN_IF_ERROR(AddNamespaces());
  VAQUITA_RETURN_IF_ERROR(AddSwitches());
  VAQUITA_ASSIGN_OR_RETURN(const auto snapshots, admin_->ListSnapshots());
  VAQUITA_ASSIGN_OR_RETURN(const auto tables, admin_->ListTableNames());
  for (size_t i = 0; i < tables.size(); ++i) VAQUITA_RETURN_IF_ERROR(AddTable(tables[i], i + 1, tables.size()));
  for (const SnapshotDescription& snapshot : snapshots) {
    Say("snapshot " + snapshot.name);
    index_.snapshots.push_back(snapshot.name);
    VAQUITA_RETURN_IF_ERROR(AddSnapshot(snapshot.name));
  }
  index_.ended_ms = Now();
  VAQUITA_RETURN_IF_ERROR(archive_->AddText(kIndexFile, ToJson(index_)));
  VAQUITA_RETURN_IF_ERROR(archive_->Finish());
  int64_t bytes = 0;
  for (const auto& [path, size] : index_.files) bytes += size;
  Say(absl::StrFormat("%s, %s, %s, %s, in %.1f s", CountText(index_.tables.size(), "table"),
                      CountText(index_.snapshots.size(), "snapshot"), CountText(index_.files.size(), "file"),
                      SizeText(bytes), static_cast<double>(Now() - index_.begun_ms) / 1000));
  return absl::OkStatus();
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

// A table that is deleted meanwhile is left out.
absl::Status Backup::AddTable(const TableName& name, size_t number, size_t tables) {
  Say(absl::StrCat("table ", name.ToString(), " (", number, " of ", tables, ")"));
  BackupIndex::Table table{.name = name.ToString(), .snapshot = absl::StrCat("backup-", index_.begun_ms, "-", number)};
  const auto state = admin_->GetTableState(name);
  const absl::Status taken =
      !state.ok() ? state.status()
                  : admin_->Snapshot({.name = table.snapshot, .table = name, .ttl_s = kSnapshotLifeSeconds});
  if (IsError(taken, ErrorKind::kTableNotFound)) {
    Say("table " + table.name + " was deleted meanwhile");
    return absl::OkStatus();
  }
  VAQUITA_RETURN_IF_ERROR(Annotate(taken, "snapshot of table " + table.name));
  const absl::Cleanup remove = [&] { admin_->DeleteSnapshot(table.snapshot).IgnoreError(); };
  table.disabled = *state == TableState::kDisabled;
  index_.tables.push_back(table);
  return AddSnapshot(table.snapshot);
}

// Copies the snapshot's folder. Its files do not change.
absl::Status Backup::AddSnapshot(const std::string& name) {
  const std::string path = "snapshots/" + name;
  if (!PathExists(data_path_ + "/" + path + "/data.manifest")) {
    return absl::InvalidArgumentError("snapshot " + name + " is not in " + data_path_ +
                                      "/snapshots: name the data folder of the server that was asked, by --data");
  }
  std::error_code error;
  for (auto entry = fs::recursive_directory_iterator(data_path_ + "/" + path, error); !error && entry != fs::end(entry);
       entry.increment(error)) {
    if (entry->is_directory()) continue;
    const std::string file = entry->path().lexically_relative(data_path_).string();
    VAQUITA_ASSIGN_OR_RETURN(index_.files[file], archive_->AddFile(file, entry->path().string()));
  }
  if (error) return absl::InternalError(data_path_ + "/" + path + ": " + error.message());
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
  for (const NamespaceDescriptor& ns : index.namespaces) {
    VAQUITA_RETURN_IF_ERROR(Annotate(admin->CreateNamespace(ns), "namespace " + ns.name));
  }
  for (size_t i = 0; i < index.tables.size(); ++i) {
    const BackupIndex::Table& table = index.tables[i];
    Say(absl::StrCat("table ", table.name, " (", i + 1, " of ", index.tables.size(), ")"));
    VAQUITA_ASSIGN_OR_RETURN(const TableName name, TableName::Parse(table.name));
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

absl::Status RestoreInto(const RestoreArguments& arguments) {
  const int64_t begun_ms = Now();
  const std::string& data = arguments.data_path;
  const std::string restoring = data + kRestoringFolder;
  VAQUITA_RETURN_IF_ERROR(CheckRestored(data));
  VAQUITA_ASSIGN_OR_RETURN(const auto names, ListFolder(data));
  if (!names.empty()) {
    return absl::InvalidArgumentError(data + " is not empty; name a new folder for the data");
  }
  VAQUITA_RETURN_IF_ERROR(CreateFolder(restoring));
  const auto index = Restore(arguments.from, restoring);
  const absl::Status status = index.ok() ? MoveUp(restoring, data) : index.status();
  if (!status.ok()) {
    RemoveAll(data).IgnoreError();
    return status;
  }
  Say(absl::StrFormat("%s and %s in %s, in %.1f s", CountText(index->tables.size(), "table"),
                      CountText(index->snapshots.size(), "snapshot"), data,
                      static_cast<double>(Now() - begun_ms) / 1000));
  return absl::OkStatus();
}

}  // namespace

int RunBackup(const BackupArguments& arguments) { return End("backup", WriteBackup(arguments)); }

int RunRestore(const RestoreArguments& arguments) { return End("restore", RestoreInto(arguments)); }

}  // namespace vaquita::backup
