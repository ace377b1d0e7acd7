#include "server/regionserver/server_recovery.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <memory>
#include <set>
#include <thread>
#include <utility>

#include "base/fault_point.h"
#include "base/log.h"
#include "base/status.h"
#include "engine/nonce_store.h"
#include "engine/store_db.h"
#include "region/known_stores.h"
#include "region/region.h"
#include "server/data_root/handoff.h"
#include "server/data_root/server_folder.h"
#include "server/data_root/sideline.h"
#include "server/regionserver/handoff_transfer.h"

namespace vaquita {
namespace {

constexpr int64_t kRecoveryThreads = 8;

using Names = std::set<std::string, std::less<>>;

absl::StatusOr<Names> HandedOver(const std::string& root) {
  VAQUITA_ASSIGN_OR_RETURN(const auto names, ListHandoffs(root));
  return Names(names.begin(), names.end());
}

// Opens the dead server's database with the stores of regions that need handoffs. Other stores are dropped, or move to
// the sideline if they have data of their own.
absl::StatusOr<std::unique_ptr<StoreDb>> OpenDatabase(const ServerRecovery& recovery, const StoreDbOptions& options,
                                                      const std::vector<RegionOfTable>& regions,
                                                      const Names& handed_over, FolderNotes* notes) {
  KnownStores known(options.options);
  for (const RegionOfTable& region : regions) {
    if (!handed_over.contains(region.info.EncodedName())) known.Add(region.info, *region.table);
  }
  VAQUITA_ASSIGN_OR_RETURN(auto db, StoreDb::Open(options, [&](std::string_view store) { return known.Find(store); }));
  VAQUITA_RETURN_IF_ERROR(db->nonces()->TakeFormer(regions));
  // Each handoff reads them, and memstores for exports are slow to read.
  if (const auto nonces = db->nonces()->store()) VAQUITA_RETURN_IF_ERROR(db->Flush({&nonces, 1}));
  VAQUITA_ASSIGN_OR_RETURN(*notes, FinishDrops(db.get()));
  VAQUITA_ASSIGN_OR_RETURN(const int64_t moved,
                           SetUnknownStoresAside({.db = db.get(),
                                                  .path = options.path,
                                                  .sideline = SidelineFolder(recovery.root, recovery.clock->NowMs()),
                                                  .notes = *notes,
                                                  .superseded = handed_over}));
  if (recovery.sidelined_stores != nullptr) *recovery.sidelined_stores += moved;
  return db;
}

// Returns whether the dead server's folder has no data that are still needed.
bool IsDone(const std::vector<absl::Status>& statuses) {
  return std::all_of(statuses.begin(), statuses.end(),
                     [](const absl::Status& status) { return status.ok() || absl::IsNotFound(status); });
}

// Returns whether the database has damaged stores of regions that nobody else has. Those of `regions` that are damaged
// keep the recovery from being done, and readable ones are in the sideline by now.
bool HasOthersDamage(const StoreDb& db, const Names& handed_over) {
  const std::vector<std::string> damaged = db.DamagedStores();
  return std::any_of(damaged.begin(), damaged.end(), [&](const std::string& store) {
    const size_t slash = store.find('/');
    return store.substr(slash + 1) != NonceStore::kFamily && !handed_over.contains(store.substr(0, slash));
  });
}

// The folder stays for the others: no recoverer that slept may find these in it when they have long been served again.
absl::Status DropHandedOver(StoreDb* db, const std::vector<RegionOfTable>& regions,
                            const std::vector<absl::Status>& statuses) {
  std::vector<std::string> done;
  for (size_t i = 0; i < regions.size(); ++i) {
    if (!statuses[i].ok()) continue;
    std::vector<std::string> stores = StoresOf(*db, regions[i]);
    std::move(stores.begin(), stores.end(), std::back_inserter(done));
  }
  return done.empty() ? absl::OkStatus() : db->Drop(done);
}

// Each region waits for the disk a few times; together they wait not much longer than one.
void HandOverEach(StoreDb* db, const FolderNotes& notes, const std::string& root, const std::string& folder,
                  const std::vector<RegionOfTable>& regions, const Names& handed_over,
                  std::vector<absl::Status>* statuses) {
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i < regions.size(); i = next++) {
      const std::string name = regions[i].info.EncodedName();
      if (handed_over.contains(name)) continue;
      const auto noted = notes.regions.find(name);
      (*statuses)[i] = HandOver(db, regions[i], noted == notes.regions.end() ? nullptr : &noted->second, root, folder);
      FaultPoint("recover:region");
    }
  };
  std::vector<std::thread> threads;
  for (size_t i = 1; i < std::min<size_t>(kRecoveryThreads, regions.size()); ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
}

// Returns true if the folder has data of others that only a repair can read. Sets each region's status.
absl::StatusOr<bool> HandOverAll(const ServerRecovery& recovery, const std::string& folder,
                                 const std::vector<RegionOfTable>& regions, const Names& handed_over,
                                 std::vector<absl::Status>* statuses) {
  VAQUITA_RETURN_IF_ERROR(HandoffDraft::RemoveLeftovers(folder));
  Options options = *recovery.options;
  options.flush_threads = std::max<int64_t>(options.flush_threads, kRecoveryThreads);
  const StoreDbOptions database{.path = folder, .options = &options, .clock = recovery.clock, .for_export = true};
  FolderNotes notes;
  VAQUITA_ASSIGN_OR_RETURN(const auto db, OpenDatabase(recovery, database, regions, handed_over, &notes));
  FaultPoint("recover:replayed");
  VAQUITA_ASSIGN_OR_RETURN(const auto kept, db->KeepFiles());
  HandOverEach(db.get(), notes, recovery.root, folder, regions, handed_over, statuses);
  VAQUITA_RETURN_IF_ERROR(SyncHandoffs(recovery.root));
  const bool has_rest = HasOthersDamage(*db, handed_over);
  const bool goes = IsDone(*statuses) && !has_rest;
  if (!goes) VAQUITA_RETURN_IF_ERROR(DropHandedOver(db.get(), regions, *statuses));
  return has_rest;
}

// Without its folder: it had none, or all was done before.
std::vector<absl::Status> OutcomesWithoutFolder(const std::vector<RegionOfTable>& regions, const Names& handed_over,
                                                const absl::Status& no_folder) {
  std::vector<absl::Status> statuses;
  for (const RegionOfTable& region : regions) {
    statuses.push_back(handed_over.contains(region.info.EncodedName()) ? absl::OkStatus() : no_folder);
  }
  return statuses;
}

}  // namespace

absl::StatusOr<std::vector<absl::Status>> RecoverServer(const ServerRecovery& recovery, std::string_view dead_server,
                                                        const std::vector<RegionOfTable>& regions) {
  const auto begin = std::chrono::steady_clock::now();
  const auto folder = TakeDeadServerFolder(recovery.root, dead_server, recovery.recoverer, !regions.empty());
  if (!folder.ok() && !absl::IsNotFound(folder.status())) return folder.status();
  // The handoffs are read after the folder was taken away: until then the server could still publish one.
  VAQUITA_ASSIGN_OR_RETURN(const Names handed_over, HandedOver(recovery.root));
  if (!folder.ok()) return OutcomesWithoutFolder(regions, handed_over, folder.status());
  std::vector<absl::Status> statuses(regions.size());
  const auto has_rest = HandOverAll(recovery, *folder, regions, handed_over, &statuses);
  VAQUITA_RETURN_IF_ERROR(Annotate(has_rest.status(), "recover server " + std::string(dead_server)));
  FaultPoint("recover:handed-over");
  if (IsDone(statuses)) {
    const std::string sideline = SidelineFolder(recovery.root, recovery.clock->NowMs());
    VAQUITA_RETURN_IF_ERROR(RetireFolder(recovery.root, *folder, sideline, *has_rest));
  }
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
  spdlog::info("server recovered: dead={} regions={} ms={}", dead_server, regions.size(), took.count());
  return statuses;
}

}  // namespace vaquita
