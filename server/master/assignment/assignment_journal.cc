#include "server/master/assignment/assignment_journal.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/durable_files.h"
#include "base/log.h"
#include "base/status.h"
#include "model/server_name.h"
#include "server/data_root/server_folder.h"
#include "server/data_root/sideline.h"
#include "server/master/meta/catalog.h"
#include "server/master/meta/leftover_handoffs.h"
#include "server/master/meta/master_options.h"
#include "server/master/meta/master_store.h"
#include "server/master/meta/meta_table.h"
#include "server/master/meta/namespaces.h"
#include "server/master/meta/region_changes.h"

namespace vaquita {
namespace {

using assignment::Adoption;
using assignment::Draining;
using assignment::LoadedMeta;
using assignment::Outputs;
using assignment::RegionChange;
using assignment::TransitionChange;
using ServerMark = MasterStore::ServerMark;

bool IsSomewhere(RegionState state) { return state == RegionState::kOpen || state == RegionState::kOpening; }

std::vector<RegionInfo> Copies(const std::vector<std::shared_ptr<const RegionInfo>>& infos) {
  std::vector<RegionInfo> copies;
  for (const auto& info : infos) copies.push_back(*info);
  return copies;
}

RegionReplacement Replacement(const TransitionChange& change) {
  return {change.split, Copies(change.parents), Copies(change.new_regions), change.server};
}

class MasterJournal final : public AssignmentJournal {
 public:
  MasterJournal(const RegionRecords& records, MasterStore* store, const MasterOptions& options)
      : records_(records), store_(*store), options_(options) {}

  absl::StatusOr<LoadedMeta> Load() override;
  absl::Status Write(const Outputs& outputs) override;
  absl::Status SetDraining(const std::string& server, Draining draining) override {
    VAQUITA_RETURN_IF_ERROR(store_.MarkServer(server, ServerMark::kDraining, draining == Draining::kAllLeave));
    return store_.MarkServer(server, ServerMark::kClosed, draining == Draining::kNoNewRegions);
  }
  void RemoveOldFolders(const std::string& server, const std::set<std::string>& homes) override;

 private:
  absl::StatusOr<std::vector<std::string>> ServerFolders() const;
  absl::Status WriteMeta(const Outputs& outputs);
  void PutIntoCatalog(const Outputs& outputs);

  const RegionRecords records_;
  MasterStore& store_;
  const MasterOptions options_;
};

absl::StatusOr<LoadedMeta> MasterJournal::Load() {
  VAQUITA_ASSIGN_OR_RETURN(MetaTable::Contents contents, records_.meta->Load());
  RemoveLeftoverHandoffs(options_.root, FindLeftoverHandoffs(options_.root, contents));
  LoadedMeta meta;
  for (MetaTable::Row& row : contents.regions) {
    AssignedRegion& region = row.region;
    const auto state = contents.states.find(region.info.table);
    if (IsMastersOwn(region.info.table) || state == contents.states.end() || !row.daughters.empty()) continue;
    if (records_.catalog->IsBroken(region.info.table)) continue;  // nobody could open it
    const TableState table = state->second;
    meta.regions.push_back({.info = std::move(region.info),
                            .state = region.state,
                            .home = std::move(region.home),
                            .target = region.state == RegionState::kOpening ? std::move(region.server_name) : "",
                            .table_enabled = table == TableState::kEnabled || table == TableState::kEnabling,
                            .table_changing = table == TableState::kEnabling || table == TableState::kDisabling});
  }
  VAQUITA_ASSIGN_OR_RETURN(meta.dead_servers, store_.MarkedServers(ServerMark::kDead));
  VAQUITA_ASSIGN_OR_RETURN(meta.draining_servers, store_.MarkedServers(ServerMark::kDraining));
  VAQUITA_ASSIGN_OR_RETURN(meta.closed_servers, store_.MarkedServers(ServerMark::kClosed));
  VAQUITA_ASSIGN_OR_RETURN(meta.folders, ServerFolders());
  return meta;
}

absl::StatusOr<std::vector<std::string>> MasterJournal::ServerFolders() const {
  return ListFolder(options_.root + "/server");
}

absl::Status MasterJournal::Write(const Outputs& outputs) {
  for (const std::string& server : outputs.now_dead) {
    VAQUITA_RETURN_IF_ERROR(store_.MarkServer(server, ServerMark::kDead, true));
  }
  if (!outputs.transitions.empty() || !outputs.changes.empty()) {
    VAQUITA_RETURN_IF_ERROR(WriteMeta(outputs));
    PutIntoCatalog(outputs);
  }
  for (const auto& [earlier, later] : outputs.adoptions) {
    const absl::Status status = Annotate(AdoptServerFolder(options_.root, earlier, later, true),
                                         "give the folder of " + earlier + " to " + later);
    // The folder is gone. Opening its regions will fail for that reason; other servers are not concerned.
    if (absl::IsNotFound(status)) spdlog::error("{}", status.ToString());
    if (!absl::IsNotFound(status)) VAQUITA_RETURN_IF_ERROR(status);
  }
  for (const std::string& server : outputs.no_longer_dead) {
    VAQUITA_RETURN_IF_ERROR(store_.MarkServer(server, ServerMark::kDead, false));
  }
  RemoveLeftoverHandoffs(options_.root, outputs.unwanted_handoffs);
  return absl::OkStatus();
}

absl::Status MasterJournal::WriteMeta(const Outputs& outputs) {
  MetaEdit edit;
  for (const TransitionChange& change : outputs.transitions) PutReplacement(records_, Replacement(change), &edit);
  for (const RegionChange& change : outputs.changes) {
    edit.PutAssignment(*change.info, change.state, change.home, change.target);
  }
  return records_.meta->Apply(std::move(edit));
}

void MasterJournal::PutIntoCatalog(const Outputs& outputs) {
  for (const TransitionChange& change : outputs.transitions) ReplaceInCatalog(records_, Replacement(change));
  std::map<TableName, std::vector<AssignedRegion>> by_table;
  for (const RegionChange& change : outputs.changes) {
    const std::string& where = change.state == RegionState::kOpening ? change.target : change.home;
    by_table[change.info->table].push_back(
        {*change.info, change.state, IsSomewhere(change.state) ? where : "", change.home});
  }
  for (const auto& [table, regions] : by_table) {
    std::vector<RegionInfo> infos;
    for (const AssignedRegion& region : regions) infos.push_back(region.info);
    if (records_.catalog->Contains(table)) records_.catalog->ReplaceRegions(table, infos, regions);
  }
}

void MasterJournal::RemoveOldFolders(const std::string& server, const std::set<std::string>& homes) {
  const auto name = ServerName::Parse(server);
  const auto folders = ServerFolders();
  if (!name.ok() || !folders.ok()) return;  // they only take room
  for (const std::string& folder : *folders) {
    const auto other = ServerName::Parse(folder);
    if (!other.ok() || !other->SameAddress(*name) || other->start_code >= name->start_code) continue;
    if (homes.contains(folder)) continue;
    RemoveUnneededFolder(
        options_.root,
        {.path = ServerFolder(options_.root, folder), .options = options_.options, .clock = options_.clock});
  }
}

}  // namespace

std::unique_ptr<AssignmentJournal> MakeAssignmentJournal(const RegionRecords& records, MasterStore* store,
                                                         const MasterOptions& options) {
  return std::make_unique<MasterJournal>(records, store, options);
}

}  // namespace vaquita
