// engine/store_registry.h: the stores of a database by name. It passes RocksDB's events to the store that they concern.
//
// Threads: every method may be called from any thread. No lock is held while RocksDB is called.
#pragma once

#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>

#include "engine/rocksdb/rocksdb_status.h"
#include "engine/store.h"
#include "engine/write_health.h"
#include "rocksdb/listener.h"

namespace vaquita {

class StoreRegistry final : public rocksdb::EventListener {
 public:
  const char* Name() const override { return "vaquita.StoreRegistry"; }

  std::shared_ptr<Store> Find(std::string_view name) const {
    std::shared_lock lock(mutex_);
    const auto at = stores_.find(name);
    return at == stores_.end() ? nullptr : at->second;
  }

  void Add(std::shared_ptr<Store> store) {
    std::unique_lock lock(mutex_);
    stores_[store->spec().name] = std::move(store);
  }

  // Removes the store called `name` from the registry and returns it; null if it was not registered.
  std::shared_ptr<Store> Remove(std::string_view name) {
    std::unique_lock lock(mutex_);
    const auto at = stores_.find(name);
    if (at == stores_.end()) return nullptr;
    std::shared_ptr<Store> store = std::move(at->second);
    stores_.erase(at);
    return store;
  }

  void Clear() {
    std::map<std::string, std::shared_ptr<Store>, std::less<>> stores;
    {
      std::unique_lock lock(mutex_);
      stores.swap(stores_);
    }
  }

  void OnMemTableSealed(const rocksdb::MemTableInfo& info) override {
    if (const auto store = Find(info.cf_name)) store->OnMemtableSealed();
  }
  void OnFlushCompleted(rocksdb::DB*, const rocksdb::FlushJobInfo& info) override {
    if (const auto store = Find(info.cf_name)) store->OnFlushCompleted(info);
  }
  // Returns whether RocksDB takes writes.
  WriteHealth::State writes() const { return writes_.Get(); }
  void OnBackgroundError(rocksdb::BackgroundErrorReason reason, rocksdb::Status* error) override {
    using Severity = rocksdb::Status::Severity;
    if (reason == rocksdb::BackgroundErrorReason::kCompaction) {
      // A damaged store file, or one that cannot be read or written, concerns its store alone, which its compaction
      // sees to (store_compaction.cc): a compaction that failed has changed nothing. HBase gives it up, too
      // (CompactSplit). A full disk RocksDB waits for.
      const bool is_of_store = error->IsCorruption() || (error->IsIOError() && !error->IsNoSpace());
      if (is_of_store) *error = rocksdb::Status::OK();
      if (error->severity() < Severity::kHardError) return;
    }
    // An error that RocksDB tries again has no severity yet. It resumes by itself after errors that are not fatal.
    if (error->severity() == Severity::kSoftError) return;
    writes_.Fail(FromRocksDb(*error, "RocksDB"), error->severity() >= Severity::kFatalError);
  }
  void OnErrorRecoveryEnd(const rocksdb::BackgroundErrorRecoveryInfo& info) override {
    if (info.new_bg_error.ok()) {
      writes_.Recover();
    } else if (!info.new_bg_error.IsShutdownInProgress()) {
      writes_.Fail(FromRocksDb(info.new_bg_error, "RocksDB"), /*for_good=*/true);
    }
  }

 private:
  WriteHealth writes_;
  mutable std::shared_mutex mutex_;
  std::map<std::string, std::shared_ptr<Store>, std::less<>> stores_;
};

}  // namespace vaquita
