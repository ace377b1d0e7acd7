// engine/rocksdb/store_settings.h: the settings of a store that its scanners, filters and file writers follow, also
// when an alter changes them.
//
// RocksDB's objects of a column family (compaction filter, bloom filter, file properties) hold it too, and may outlive
// the Store. Threads: every method may be called from any thread.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "engine/rocksdb/compaction_runs.h"
#include "engine/rocksdb/store_spec.h"

namespace vaquita {

class StoreSettings {
 public:
  // `clock` outlives the settings. `compactions`: the database's.
  StoreSettings(StoreSpec spec, const Clock* clock, std::shared_ptr<const CompactionRuns> compactions)
      : clock_(clock), compactions_(std::move(compactions)) {
    Publish(std::move(spec));
  }

  // Returns the present spec. The reference lives as long as the settings: an alter keeps the former spec, because a
  // reader may hold it, and alters are few.
  const StoreSpec& spec() const { return *current_.load(std::memory_order_acquire); }
  // Returns what spec().family.NewVersionBehavior() returns, without a search: each written cell asks.
  bool new_version_behavior() const { return new_version_behavior_.load(std::memory_order_relaxed); }
  const Clock* clock() const { return clock_; }
  const CompactionRuns& compactions() const { return *compactions_; }

  void Alter(const FamilyDescriptor& family) {
    StoreSpec altered = spec();
    altered.family = family;
    Publish(std::move(altered));
  }

 private:
  void Publish(StoreSpec spec) {
    std::lock_guard lock(mutex_);
    new_version_behavior_.store(spec.family.NewVersionBehavior(), std::memory_order_relaxed);
    all_.push_back(std::make_unique<const StoreSpec>(std::move(spec)));
    current_.store(all_.back().get(), std::memory_order_release);
  }

  const Clock* const clock_;
  const std::shared_ptr<const CompactionRuns> compactions_;
  std::atomic<const StoreSpec*> current_ = nullptr;
  std::atomic<bool> new_version_behavior_ = false;
  std::mutex mutex_;
  std::vector<std::unique_ptr<const StoreSpec>> all_;
};

}  // namespace vaquita
