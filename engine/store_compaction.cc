#include "engine/store_compaction.h"

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/log.h"
#include "engine/database.h"
#include "engine/rocksdb/rocksdb_options.h"
#include "engine/rocksdb/rocksdb_status.h"
#include "model/compaction_policy.h"

namespace vaquita {
namespace {

CompactionPolicy PolicyOf(const StoreSpec& spec, const Options& options) {
  CompactionPolicy policy = CompactionPolicy::For(options, spec.family, spec.name, spec.memstore_flush_bytes);
  if (const auto ttl_ms = spec.family.TtlMs()) policy.ttl_ms = *ttl_ms;
  return policy;
}

// Returns a run as the policy sees it. A run of several files is as old as its oldest.
CompactionCandidate CandidateOf(const Store& store, const SortedRun& run) {
  CompactionCandidate candidate{.bytes = run.bytes,
                                .reference = run.reference,
                                .created_ms = std::numeric_limits<int64_t>::max(),
                                .min_timestamp_ms = std::numeric_limits<int64_t>::max()};
  for (const rocksdb::SstFileMetaData& file : run.files) {
    const StoreFileProperties properties = store.FileProperties(file.relative_filename);
    candidate.created_ms = std::min(candidate.created_ms, properties.created_ms);
    candidate.min_timestamp_ms = std::min(candidate.min_timestamp_ms, properties.min_timestamp_ms);
  }
  return candidate;
}

int64_t EntriesOf(const rocksdb::CompactionJobInfo& info, const std::vector<std::string>& files) {
  int64_t entries = 0;
  for (const std::string& file : files) {
    if (const auto found = info.table_properties.find(file); found != info.table_properties.end()) {
      entries += static_cast<int64_t>(found->second->num_entries);
    }
  }
  return entries;
}

}  // namespace

CompactionPlan PlanRuns(const std::vector<SortedRun>& runs, size_t first, size_t count) {
  CompactionPlan plan;
  for (size_t i = first; i < first + count; ++i) {
    plan.bytes += runs[i].bytes;
    plan.output_level = std::max(plan.output_level, runs[i].level);
    for (const rocksdb::SstFileMetaData& file : runs[i].files) plan.files.push_back(file.relative_filename);
  }
  plan.reads_oldest = first == 0;
  return plan;
}

CompactionPlan PlanCompaction(const Store& store, CompactionKind kind, const Options& options, int64_t now_ms) {
  if (store.damaged()) return {};
  const std::vector<SortedRun> runs = store.Runs();
  std::vector<CompactionCandidate> candidates;
  candidates.reserve(runs.size());
  for (const SortedRun& run : runs) candidates.push_back(CandidateOf(store, run));

  const CompactionSelection selection = SelectCompaction(PolicyOf(store.spec(), options), candidates, kind, now_ms);
  CompactionPlan plan = PlanRuns(runs, selection.first, selection.count);
  if (selection.all) plan.scope = CompactionScope::kMajor;
  plan.major = selection.major;
  return plan;
}

absl::Status RunCompaction(const CompactionPlan& plan, Store* store) {
  rocksdb::CompactionOptions options;
  // The default is Snappy, whatever the column family says.
  options.compression = RocksDbCompression(store->spec().family.compression);
  options.max_subcompactions = 1;  // one filter sees each row whole
  rocksdb::CompactionJobInfo info;
  DroppedCells dropped;
  store->OnCompactionStarted();
  rocksdb::Status status;
  {
    const CompactionRuns::Entry run(store->compactions(), {plan.scope, plan.reads_oldest, plan.major,
                                                           /*interrupted=*/store->compactions_held(), &dropped});
    status =
        store->rocksdb()->CompactFiles(options, store->handle(), plan.files, plan.output_level, -1, nullptr, &info);
  }
  if (status.ok()) {
    const int64_t gone = EntriesOf(info, info.input_files) - EntriesOf(info, info.output_files);
    dropped.skipped = std::max<int64_t>(0, gone - dropped.Sum());
    store->OnCompactionEnded({.major = plan.major,
                              .files_read = static_cast<int64_t>(plan.files.size()),
                              .bytes_read = static_cast<int64_t>(info.stats.total_input_bytes),
                              .bytes_written = static_cast<int64_t>(info.stats.total_output_bytes),
                              .dropped = dropped});
    return absl::OkStatus();
  }
  store->OnCompactionFailed(/*was_interrupted=*/status.IsManualCompactionPaused());
  if (status.IsManualCompactionPaused()) {
    return absl::CancelledError(absl::StrCat("compact store ", store->spec().name, ": interrupted"));
  }
  if (status.IsCorruption()) {
    // RocksDB's message names the file, if it knows which one of these it was.
    store->OnDamageFound();
    spdlog::error("store {} is damaged and will not be compacted; run `vaquita fsck`: {} (of {})", store->spec().name,
                  status.ToString(), absl::StrJoin(plan.files, ", "));
  }
  return FromRocksDb(status, "compact store " + store->spec().name);
}

}  // namespace vaquita
