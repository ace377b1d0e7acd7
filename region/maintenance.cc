#include "region/maintenance.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/saturated.h"
#include "engine/nonce_store.h"
#include "model/store_settings.h"

namespace vaquita {
namespace {

using std::chrono::milliseconds;

constexpr double kGlobalLowMark = 0.95;  // the share of the global limit at which the largest memstores are flushed
// HBase looks again after a hundredth of the time that a flush may wait; here at least so often, so that a flush
// follows its compaction closely.
constexpr milliseconds kLongestFlushRetry{100};
constexpr double kLongestSlowDownMs = 10;
// After so much log the stores that regions share are flushed: while regions need the log as well, and while nothing
// else does, so that the next start would read it for their sake.
constexpr int64_t kLogOfSharedStoresBytes = 64 * kMiB;
constexpr int64_t kLogOfSharedStoresAloneBytes = kMiB;

}  // namespace

Maintenance::Maintenance(StoreDb* db, WantSplit want_split)
    : db_(db),
      want_split_(std::move(want_split)),
      global_low_bytes_(static_cast<int64_t>(kGlobalLowMark * static_cast<double>(options().global_memstore_bytes))),
      flushes_(options().flush_threads),
      small_compactions_(options().small_compaction_threads),
      large_compactions_(options().large_compaction_threads) {
  PostTick();
}

Maintenance::~Maintenance() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    changed_.notify_all();  // writers that wait for the global limit
  }
  InterruptCompactions();
  // All pools stop before any is destroyed, because their tasks post to one another.
  flushes_.Stop();
  small_compactions_.Stop();
  large_compactions_.Stop();
}

Maintenance::EntryPtr Maintenance::FindLocked(const Region* region) const {
  const auto at = entries_.find(region);
  return at == entries_.end() ? nullptr : at->second;
}

Maintenance::EntryPtr Maintenance::Find(const Region* region) const {
  std::lock_guard lock(mutex_);
  return FindLocked(region);
}

std::vector<Maintenance::EntryPtr> Maintenance::Entries() const {
  std::lock_guard lock(mutex_);
  std::vector<EntryPtr> entries;
  entries.reserve(entries_.size());
  for (const auto& [region, entry] : entries_) entries.push_back(entry);
  return entries;
}

std::vector<std::shared_ptr<Store>> Maintenance::StoresOf(const Entry& entry) const {
  std::vector<std::shared_ptr<Store>> stores;
  const auto table = entry.region->table();  // it may be altered meanwhile
  for (const auto& [family, descriptor] : table->families) {
    if (auto store = db_->Find(Region::StoreName(entry.name, descriptor))) stores.push_back(std::move(store));
  }
  return stores;
}

int64_t Maintenance::MemstoreBytes(const Entry& entry) const {
  int64_t bytes = 0;
  for (const auto& store : StoresOf(entry)) bytes += store->MemstoreBytes();
  return bytes;
}

void Maintenance::Add(std::shared_ptr<Region> region) {
  auto entry = std::make_shared<Entry>();
  entry->region = region;
  entry->name = region->info().EncodedName();
  {
    std::lock_guard lock(mutex_);
    if (!entries_.emplace(region.get(), entry).second) return;
    ++table_regions_[region->info().table];
  }
  // Compactions may be due after a crash, or after a split, whose halves share files of the whole.
  QueueDueCompactions(entry);
  if (region->NeedsFlush()) QueueFlush(entry);
}

void Maintenance::Remove(const std::shared_ptr<Region>& region) {
  std::unique_lock lock(mutex_);
  const EntryPtr entry = FindLocked(region.get());
  if (entry == nullptr) return;
  entry->removed = true;
  entries_.erase(region.get());
  if (--table_regions_[region->info().table] == 0) table_regions_.erase(region->info().table);
  // HBase, too, interrupts compactions of a region that closes.
  region->HoldCompactions(true);
  changed_.wait(lock, [&] { return entry->running == 0; });
  region->HoldCompactions(false);
}

void Maintenance::InterruptCompactions() {
  for (const EntryPtr& entry : Entries()) entry->region->HoldCompactions(true);
}

void Maintenance::WaitIdle() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return pending_ == 0; });
}

// ---- Tasks

bool Maintenance::BeginWork(Entry* entry) {
  std::lock_guard lock(mutex_);
  if (stopping_ || entry->removed || entry->region->closed()) return false;
  ++entry->running;
  return true;
}

void Maintenance::EndWork(Entry* entry) {
  std::lock_guard lock(mutex_);
  --entry->running;
  changed_.notify_all();
}

void Maintenance::Post(TaskPool* pool, EntryPtr entry, std::function<void()> work, milliseconds delay) {
  {
    std::lock_guard lock(mutex_);
    ++pending_;
  }
  pool->Post(
      [this, entry = std::move(entry), work = std::move(work)] {
        if (entry == nullptr) {
          work();
        } else if (BeginWork(entry.get())) {
          work();
          EndWork(entry.get());
          AskForSplit(entry);
        }
        std::lock_guard lock(mutex_);
        --pending_;
        changed_.notify_all();
      },
      delay);
}

void Maintenance::AskForSplit(const EntryPtr& entry) {
  int table_regions;
  {
    std::lock_guard lock(mutex_);
    if (want_split_ == nullptr || entry->removed || entry->flush_waits) return;
    table_regions = table_regions_[entry->region->info().table];
  }
  if (!entry->region->closed() && entry->region->ShouldSplit(table_regions)) want_split_(entry->region);
}

// ---- Flushes

void Maintenance::AfterWrite(const std::shared_ptr<Region>& region, bool short_waits) {
  if (db_->MemstoreBytes() >= global_low_bytes_) WaitForGlobalLimit(short_waits);
  if (!region->NeedsFlush()) return;
  std::unique_lock lock(mutex_);
  const EntryPtr entry = FindLocked(region.get());
  if (entry == nullptr) return;
  const bool queued = entry->flush_queued;
  const bool waits = entry->flush_waits;
  lock.unlock();
  if (!queued) QueueFlush(entry);
  if (waits && !short_waits) SlowDown(*entry);
}

bool Maintenance::DelaysWriters(const Region& region) const {
  if (db_->MemstoreBytes() >= options().global_memstore_bytes) return true;
  if (!region.NeedsFlush()) return false;
  std::lock_guard lock(mutex_);
  const EntryPtr entry = FindLocked(&region);
  return entry != nullptr && entry->flush_waits;
}

void Maintenance::FlushIfOver(const std::shared_ptr<Region>& region, int64_t bytes) {
  const EntryPtr entry = Find(region.get());
  if (entry != nullptr && MemstoreBytes(*entry) > bytes) QueueFlush(entry);
}

void Maintenance::QueueFlush(const EntryPtr& entry) {
  {
    std::lock_guard lock(mutex_);
    if (entry->removed || std::exchange(entry->flush_queued, true)) return;
  }
  PostFlush(entry, milliseconds(0));
}

void Maintenance::PostFlush(const EntryPtr& entry, milliseconds delay) {
  Post(
      &flushes_, entry, [this, entry] { FlushOrWait(entry); }, delay);
}

// HStore.hasTooManyStoreFiles, of any store. hbase:meta never waits, nor does a table that is not compacted.
bool Maintenance::HasTooManyFiles(const Entry& entry) const {
  if (entry.region->info().table == kMetaTableName || !entry.region->table()->compaction_enabled) return false;
  const auto stores = StoresOf(entry);
  return std::any_of(stores.begin(), stores.end(), [&](const std::shared_ptr<Store>& store) {
    return store->StoreFileCount() >
           StoreNumber(store->spec().family, "hbase.hstore.blockingStoreFiles", options().blocking_store_files);
  });
}

// Returns whether the flush must wait for a compaction. The first call asks for that compaction.
bool Maintenance::MustWaitForCompaction(const EntryPtr& entry) {
  if (!HasTooManyFiles(*entry)) return false;
  const auto now = std::chrono::steady_clock::now();
  {
    std::lock_guard lock(mutex_);
    if (entry->flush_waits) return now - entry->flush_waits_since < milliseconds(options().blocking_wait_ms);
    entry->flush_waits = true;
    entry->flush_waits_since = now;
  }
  spdlog::warn(
      "region {} has a store with more files than hbase.hstore.blockingStoreFiles; its flush waits for a "
      "compaction up to {} ms",
      entry->name, options().blocking_wait_ms);
  QueueDueCompactions(entry);
  return true;
}

void Maintenance::FlushOrWait(const EntryPtr& entry) {
  if (MustWaitForCompaction(entry)) {
    PostFlush(entry, std::clamp(milliseconds(options().blocking_wait_ms / 100), milliseconds(1), kLongestFlushRetry));
    return;
  }
  FlushNow(entry);
}

void Maintenance::FlushNow(const EntryPtr& entry) {
  {
    std::lock_guard lock(mutex_);
    if (std::exchange(entry->flushing, true)) return;  // the running flush checks the memstores again afterwards
  }
  const absl::Status status = entry->region->Flush();
  if (!status.ok()) spdlog::error("cannot flush region {}: {}", entry->name, status.ToString());
  {
    std::lock_guard lock(mutex_);
    entry->flushing = entry->flush_queued = entry->flush_waits = false;
    entry->memstore_since_ms = 0;
    changed_.notify_all();
  }
  if (!status.ok()) return;  // the next write asks again
  if (!RegionsNeedLog()) CheckSharedStores();
  QueueDueCompactions(entry);
  if (entry->region->NeedsFlush()) QueueFlush(entry);
}

void Maintenance::QueueGlobalFlush() {
  {
    std::lock_guard lock(mutex_);
    if (std::exchange(global_flush_queued_, true)) return;
  }
  Post(&flushes_, nullptr, [this] { FlushLargestUntilBelow(); });
}

// Returns the region with the largest memstores whose stores may take another file, unless another has more than twice
// as much.
Maintenance::EntryPtr Maintenance::LargestToFlush() {
  EntryPtr any, fit;
  int64_t any_bytes = 0, fit_bytes = 0;
  for (const EntryPtr& entry : Entries()) {
    const int64_t bytes = MemstoreBytes(*entry);
    {
      std::lock_guard lock(mutex_);
      if (entry->flushing) continue;
    }
    if (bytes > any_bytes) {
      any = entry;
      any_bytes = bytes;
    }
    if (bytes > fit_bytes && !HasTooManyFiles(*entry)) {
      fit = entry;
      fit_bytes = bytes;
    }
  }
  return any_bytes > 2 * fit_bytes ? any : fit;
}

void Maintenance::FlushLargestUntilBelow() {
  // They are in no region's memstores.
  const auto nonces = db_->nonces()->store();
  if (nonces != nullptr && nonces->MemstoreBytes() > options().global_memstore_bytes / 8) {
    const absl::Status status = db_->Flush({&nonces, 1});
    if (!status.ok()) spdlog::error("cannot flush the nonces: {}", status.ToString());
  }
  while (db_->MemstoreBytes() >= global_low_bytes_) {
    const int64_t before = db_->MemstoreBytes();
    const EntryPtr entry = LargestToFlush();
    if (entry == nullptr || !BeginWork(entry.get())) break;
    FlushNow(entry);
    EndWork(entry.get());
    AskForSplit(entry);
    if (db_->MemstoreBytes() >= before)
      break;  // it could not be flushed, or writes are faster; the next write asks again
  }
  std::lock_guard lock(mutex_);
  global_flush_queued_ = false;
  changed_.notify_all();
}

// HBase's reclaimMemStoreMemory: writers wait while all memstores together are over the limit.
void Maintenance::WaitForGlobalLimit(bool short_waits) {
  QueueGlobalFlush();
  if (short_waits) return;
  const auto give_up = std::chrono::steady_clock::now() + milliseconds(options().blocking_wait_ms);
  while (db_->MemstoreBytes() >= options().global_memstore_bytes && std::chrono::steady_clock::now() < give_up) {
    std::unique_lock lock(mutex_);
    if (stopping_) return;
    changed_.wait_for(lock, milliseconds(10));
    lock.unlock();
    QueueGlobalFlush();
  }
}

// The delay grows with the memstores: zero at the flush size, the longest delay at the size at which the region refuses
// writes.
void Maintenance::SlowDown(const Entry& entry) {
  const auto table = entry.region->table();
  const auto flush_bytes = static_cast<double>(FlushBytes(*table, options()));
  const auto blocking_bytes = static_cast<double>(BlockingMemstoreBytes(*table, options()));
  const double room = std::max(flush_bytes, blocking_bytes - flush_bytes);
  const double over = static_cast<double>(MemstoreBytes(entry)) - flush_bytes;
  const std::chrono::duration<double, std::milli> delay(kLongestSlowDownMs * std::clamp(over / room, 0.0, 1.0));
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, delay, [&] { return stopping_ || !entry.flush_waits; });
}

// ---- Compactions

void Maintenance::AfterFlush(const std::shared_ptr<Region>& region) {
  const EntryPtr entry = Find(region.get());
  if (entry != nullptr) QueueDueCompactions(entry);
  if (!RegionsNeedLog()) CheckSharedStores();
}

void Maintenance::QueueDueCompactions(const EntryPtr& entry) {
  if (!compactions_on_ || !entry->region->table()->compaction_enabled) return;
  for (const auto& store : StoresOf(*entry)) {
    CompactionKind kind;
    if (store->StoreFileCount() > 0 && db_->NeedsCompaction(*store, &kind)) {
      // A major compaction that is due is found again until it has run, so the policy decides when it begins.
      QueueCompaction(entry, store->spec().family.name, CompactionKind::kMinor, kind);
    }
  }
}

void Maintenance::RequestCompaction(std::shared_ptr<Region> region, CompactionKind kind, std::string_view family) {
  const EntryPtr entry = Find(region.get());
  const auto table = region->table();  // it may be altered meanwhile
  if (entry == nullptr || !compactions_on_ || !table->compaction_enabled) return;
  for (const auto& [name, descriptor] : table->families) {
    if (family.empty() || name == family) QueueCompaction(entry, name, kind, kind);
  }
}

void Maintenance::QueueCompaction(const EntryPtr& entry, const std::string& family, CompactionKind asked,
                                  CompactionKind kind) {
  const auto table = entry->region->table();
  const FamilyDescriptor* const descriptor = table->FindFamily(family);
  const auto store = descriptor == nullptr ? nullptr : db_->Find(Region::StoreName(entry->name, *descriptor));
  if (store == nullptr) return;
  const int64_t bytes = db_->CompactionBytes(*store, asked);
  if (bytes == 0) return;
  {
    std::lock_guard lock(mutex_);
    if (entry->removed || !entry->queued_compactions.emplace(family, asked).second) return;
    ++(kind == CompactionKind::kMajor ? entry->major_compactions : entry->minor_compactions);
  }
  const StoreSpec& spec = store->spec();
  int64_t throttle =
      StoreNumber(spec.family, "hbase.regionserver.thread.compaction.throttle", options().compaction_throttle_bytes);
  if (throttle < 0) {
    const int64_t most = StoreNumber(spec.family, "hbase.hstore.compaction.max", options().compaction_max_files);
    throttle = SaturatedProduct(SaturatedProduct(2, most), spec.memstore_flush_bytes);
  }
  Post(bytes > throttle ? &large_compactions_ : &small_compactions_, entry,
       [this, entry, family, asked, kind] { RunCompaction(entry, family, asked, kind); });
}

void Maintenance::RunCompaction(const EntryPtr& entry, const std::string& family, CompactionKind asked,
                                CompactionKind kind) {
  {
    std::lock_guard lock(mutex_);
    entry->queued_compactions.erase({family, asked});  // from here on another request is one of its own
  }
  const absl::StatusOr<bool> ran = entry->region->Compact(asked, family);
  {
    std::lock_guard lock(mutex_);
    --(kind == CompactionKind::kMajor ? entry->major_compactions : entry->minor_compactions);
  }
  if (absl::IsCancelled(ran.status())) {
    spdlog::info("region {} is closing: its compaction of family {} was interrupted", entry->name, family);
    return;
  }
  if (!ran.ok()) {
    spdlog::error("region {}: the compaction of family {} is given up; the next flush tries again: {}", entry->name,
                  family, ran.status().ToString());
    return;
  }
  if (*ran) QueueDueCompactions(entry);
}

CompactionsUnderWay Maintenance::Compactions(const Region& region) const {
  std::lock_guard lock(mutex_);
  const EntryPtr entry = FindLocked(&region);
  if (entry == nullptr) return {};
  return {.minor = entry->minor_compactions > 0, .major = entry->major_compactions > 0};
}

// ---- The periodic check

void Maintenance::PostTick() {
  flushes_.Post([this] { Tick(); }, milliseconds(options().upkeep_tick_ms));
}

void Maintenance::Tick() {
  CheckAll(/*compactions_too=*/++ticks_ % options().compaction_check_ticks == 0);
  PostTick();
}

bool Maintenance::RegionsNeedLog() const {
  const auto nonces = db_->nonces()->store();
  return db_->MemstoreBytes() > (nonces != nullptr ? nonces->MemstoreBytes() : 0);
}

// A flush frees the log, which could otherwise grow to its limit for the sake of a few nonces and notes.
void Maintenance::CheckSharedStores() {
  const auto nonces = db_->nonces()->store();
  const int64_t log_bytes = db_->Metrics().log_written_bytes;
  const int64_t most = RegionsNeedLog() ? kLogOfSharedStoresBytes : kLogOfSharedStoresAloneBytes;
  const bool flush = log_bytes - log_bytes_at_shared_flush_ > most;
  CompactionKind kind;
  const bool compact = nonces != nullptr && compactions_on_ && db_->NeedsCompaction(*nonces, &kind);
  if ((!flush && !compact) || shared_work_queued_.exchange(true)) return;
  Post(&small_compactions_, nullptr, [=, this] {
    absl::Status status = flush ? db_->FlushSharedStores() : absl::OkStatus();
    if (status.ok() && flush) log_bytes_at_shared_flush_ = log_bytes;
    if (status.ok() && compact) status = db_->Compact(nonces, CompactionKind::kMinor).status();
    if (!status.ok()) spdlog::error("cannot flush or compact the nonces and notes: {}", status.ToString());
    shared_work_queued_ = false;
  });
}

void Maintenance::CheckAll(bool compactions_too) {
  CheckSharedStores();
  const int64_t now_ms = db_->clock()->NowMs();
  for (const EntryPtr& entry : Entries()) {
    if (entry->region->closed()) continue;
    CheckMemstoreAge(entry, now_ms);
    if (entry->region->NeedsFlush()) QueueFlush(entry);  // because of reads: a write asks itself
    if (compactions_too) QueueDueCompactions(entry);
  }
}

void Maintenance::CheckMemstoreAge(const EntryPtr& entry, int64_t now_ms) {
  const int64_t period_ms =
      entry->region->table()->Number("hbase.regionserver.optionalcacheflushinterval", options().periodic_flush_ms);
  if (period_ms <= 0) return;
  const bool holds_cells = MemstoreBytes(*entry) > 0;
  {
    std::lock_guard lock(mutex_);
    if (!holds_cells) entry->memstore_since_ms = 0;
    if (holds_cells && entry->memstore_since_ms == 0) entry->memstore_since_ms = now_ms;
    entry->memstore_since_ms = std::min(entry->memstore_since_ms, now_ms);  // the clock may have been set back
    if (!holds_cells || now_ms - entry->memstore_since_ms < period_ms) return;
  }
  QueueFlush(entry);
}

}  // namespace vaquita
