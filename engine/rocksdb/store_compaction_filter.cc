#include "engine/rocksdb/store_compaction_filter.h"

#include <optional>
#include <string>
#include <utility>

#include "engine/cells/column_tracker.h"
#include "engine/cells/stored_row.h"

namespace vaquita {
namespace {

// One filter sees the cells of one flush or compaction in order, each key once, in one thread.
//
// RocksDB has two ways to remove a cell. kRemove leaves a tombstone behind unless no older file can hold the key, and
// tombstones slow scans. kRemoveAndSkipUntil leaves none, but costs a seek, as much as some eight cells. So if the
// compaction reads the oldest files, single cells and short runs are removed and long runs skipped; otherwise all are
// skipped.
class StoreCompactionFilter final : public rocksdb::CompactionFilter {
 public:
  // `dropped` counts what goes, and may be null.
  StoreCompactionFilter(const StoreSpec& spec, CompactionScope scope, bool reads_oldest, DroppedCells* dropped,
                        int64_t now_ms)
      : tracker_(spec.family, StoredRange(spec.row_order, spec.range), scope, now_ms),
        reads_oldest_(reads_oldest),
        dropped_(dropped) {}

  const char* Name() const override { return "vaquita.StoreCompactionFilter"; }

  Decision FilterV2(int, const rocksdb::Slice& key, ValueType type, const rocksdb::Slice& value, std::string*,
                    std::string* skip_until) const override {
    if (type != ValueType::kValue) return Decision::kKeep;
    CompactionTracker::Fate fate = tracker_.Next({key.data(), key.size()}, {value.data(), value.size()}, skip_until);
    // A cell whose own time is over hides an older write of the same cell, which a file that is not read may have.
    const bool may_hide = fate == CompactionTracker::Fate::kDrop &&
                          tracker_.reason() == CompactionTracker::Reason::kCellExpired && !reads_oldest_;
    if (may_hide) fate = CompactionTracker::Fate::kKeep;
    if (fate != CompactionTracker::Fate::kKeep && dropped_ != nullptr) ++*CountOf(tracker_.reason());
    switch (fate) {
      case CompactionTracker::Fate::kKeep:
        return Decision::kKeep;
      case CompactionTracker::Fate::kDrop:
        return DropOne(key, skip_until);
      case CompactionTracker::Fate::kDropToSkip:
        return DropRun(skip_until);
    }
    return Decision::kKeep;
  }

 private:
  static constexpr int kShortRun = 8;

  int64_t* CountOf(CompactionTracker::Reason reason) const {
    switch (reason) {
      case CompactionTracker::Reason::kMarker:
        return &dropped_->markers;
      case CompactionTracker::Reason::kDeleted:
        return &dropped_->deleted;
      case CompactionTracker::Reason::kVersions:
        return &dropped_->versions;
      case CompactionTracker::Reason::kExpired:
      case CompactionTracker::Reason::kCellExpired:
        return &dropped_->expired;
      case CompactionTracker::Reason::kOutside:
        return &dropped_->outside;
    }
    return &dropped_->outside;
  }

  Decision DropOne(const rocksdb::Slice& key, std::string* skip_until) const {
    if (reads_oldest_) return Decision::kRemove;
    skip_until->assign(key.data(), key.size());
    skip_until->push_back('\0');
    return Decision::kRemoveAndSkipUntil;
  }

  Decision DropRun(std::string* skip_until) const {
    if (!reads_oldest_) return Decision::kRemoveAndSkipUntil;
    if (*skip_until != run_end_) {
      run_end_ = *skip_until;
      run_length_ = 0;
    }
    return ++run_length_ <= kShortRun ? Decision::kRemove : Decision::kRemoveAndSkipUntil;
  }

  // RocksDB's method is const; the state is the filter's own.
  mutable CompactionTracker tracker_;
  mutable std::string run_end_;  // where the run of dropped cells ends that `run_length_` counts
  mutable int run_length_ = 0;
  const bool reads_oldest_;
  DroppedCells* const dropped_;
};

class StoreCompactionFilterFactory final : public rocksdb::CompactionFilterFactory {
 public:
  explicit StoreCompactionFilterFactory(std::shared_ptr<const StoreSettings> settings)
      : settings_(std::move(settings)) {}

  const char* Name() const override { return "vaquita.StoreCompactionFilterFactory"; }

  bool ShouldFilterTableFileCreation(rocksdb::TableFileCreationReason reason) const override {
    return reason == rocksdb::TableFileCreationReason::kFlush ||
           reason == rocksdb::TableFileCreationReason::kCompaction;
  }

  std::unique_ptr<rocksdb::CompactionFilter> CreateCompactionFilter(
      const rocksdb::CompactionFilter::Context& context) override {
    const std::optional<CompactionRun> run = settings_->compactions().OfThisThread();
    const bool flush = context.reason == rocksdb::TableFileCreationReason::kFlush;
    const CompactionScope scope = flush             ? CompactionScope::kFlush
                                  : run.has_value() ? run->scope
                                                    : CompactionScope::kMinor;
    const bool reads_oldest = !flush && run.has_value() && run->reads_oldest;
    DroppedCells* const dropped = !flush && run.has_value() ? run->dropped : nullptr;
    return std::make_unique<StoreCompactionFilter>(settings_->spec(), scope, reads_oldest, dropped,
                                                   settings_->clock()->NowMs());
  }

 private:
  const std::shared_ptr<const StoreSettings> settings_;
};

}  // namespace

std::shared_ptr<rocksdb::CompactionFilterFactory> NewStoreCompactionFilterFactory(
    std::shared_ptr<const StoreSettings> settings) {
  return std::make_shared<StoreCompactionFilterFactory>(std::move(settings));
}

}  // namespace vaquita
