#include "engine/rocksdb/rocksdb_options.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/rocksdb/rocksdb_logger.h"
#include "engine/rocksdb/row_memtable.h"
#include "engine/rocksdb/row_prefix_transform.h"
#include "engine/rocksdb/store_compaction_filter.h"
#include "engine/rocksdb/store_file_properties.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/table.h"

namespace vaquita {
namespace {

constexpr double kBloomBitsPerRow = 10;
// The default of 4 MiB is more than most manifests ever have.
constexpr size_t kManifestPreallocationBytes = 64 * kKiB;
// Edits of dropped stores stay in a manifest until a new one replaces it, which has the state of all stores. More than
// the state of 10,000 stores, or else each edit would write a new one.
constexpr uint64_t kMostManifestBytes = 64 * kMiB;
// Small, so that hundreds of stores with a few cells each do not look like a full memory.
constexpr size_t kArenaBlockBytes = 64 * kKiB;
// Above every limit that would cut a compaction's output in two: one compaction, one store file.
constexpr uint64_t kNoLimit = uint64_t{1} << 50;

// A row bloom filter for the files of families that want one at the moment they are written.
class StoreBloomFilter final : public rocksdb::FilterPolicy {
 public:
  explicit StoreBloomFilter(std::shared_ptr<const StoreSettings> settings) : settings_(std::move(settings)) {}

  const char* Name() const override { return "vaquita.StoreBloomFilter"; }
  const char* CompatibilityName() const override { return bloom_->CompatibilityName(); }
  rocksdb::FilterBitsBuilder* GetBuilderWithContext(const rocksdb::FilterBuildingContext& context) const override {
    if (settings_->spec().family.bloom_filter == BloomType::kNone) return nullptr;
    return bloom_->GetBuilderWithContext(context);
  }
  rocksdb::FilterBitsReader* GetFilterBitsReader(const rocksdb::Slice& contents) const override {
    return bloom_->GetFilterBitsReader(contents);
  }

 private:
  const std::shared_ptr<const StoreSettings> settings_;
  const std::unique_ptr<const rocksdb::FilterPolicy> bloom_{rocksdb::NewBloomFilterPolicy(kBloomBitsPerRow)};
};

// RocksDB does not take every size that a table without sanity checks may have.
int32_t BlockBytes(const FamilyDescriptor& family) { return std::clamp<int32_t>(family.block_size_bytes, 1, kGiB); }

std::shared_ptr<rocksdb::TableFactory> StoreFileFormat(std::shared_ptr<rocksdb::Cache> block_cache,
                                                       const std::shared_ptr<const StoreSettings>& settings) {
  rocksdb::BlockBasedTableOptions table;
  table.format_version = 5;
  table.block_size = BlockBytes(settings->spec().family);
  table.filter_policy = std::make_shared<StoreBloomFilter>(settings);
  table.whole_key_filtering = false;
  table.block_cache = std::move(block_cache);
  return std::shared_ptr<rocksdb::TableFactory>(rocksdb::NewBlockBasedTableFactory(table));
}

std::string CompressionName(Compression compression) {
  switch (compression) {
    case Compression::kNone:
      return "kNoCompression";
    case Compression::kSnappy:
      return "kSnappyCompression";
    case Compression::kLz4:
      return "kLZ4Compression";
    case Compression::kZstd:
      return "kZSTD";
    case Compression::kGz:
      return "kZlibCompression";
  }
  return "kNoCompression";
}

}  // namespace

rocksdb::CompressionType RocksDbCompression(Compression compression) {
  switch (compression) {
    case Compression::kNone:
      return rocksdb::kNoCompression;
    case Compression::kSnappy:
      return rocksdb::kSnappyCompression;
    case Compression::kLz4:
      return rocksdb::kLZ4Compression;
    case Compression::kZstd:
      return rocksdb::kZSTD;
    case Compression::kGz:
      return rocksdb::kZlibCompression;
  }
  return rocksdb::kNoCompression;
}

rocksdb::DBOptions DatabaseOptions(const Options& options, rocksdb::Env* env) {
  rocksdb::DBOptions db;
  db.create_if_missing = true;
  db.env = env;
  db.info_log = NewRocksDbLogger();
  db.info_log_level = rocksdb::InfoLogLevel::WARN_LEVEL;
  db.stats_dump_period_sec = 0;
  db.stats_persist_period_sec = 0;
  // The default starts 16 threads for each column family at open.
  db.max_file_opening_threads = 1;
  db.max_open_files = -1;
  db.max_background_flushes = static_cast<int>(options.flush_threads);
  db.max_background_compactions = 1;  // compactions run in Maintenance's threads
  // Unset, it would be four times the sum of all write buffers, so no limit at all with hundreds of stores.
  db.max_total_wal_size = options.max_wal_bytes;
  db.manifest_preallocation_size = kManifestPreallocationBytes;
  db.max_manifest_file_size = kMostManifestBytes;
  db.avoid_flush_during_recovery = true;
  db.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
  db.verify_sst_unique_id_in_manifest = false;  // the manifest has no id of hard-linked files, and each open would warn
  return db;
}

rocksdb::ColumnFamilyOptions StoreOptions(const Options& options, std::shared_ptr<rocksdb::Cache> block_cache,
                                          std::shared_ptr<const StoreSettings> settings) {
  rocksdb::ColumnFamilyOptions store;
  store.compaction_style = rocksdb::kCompactionStyleUniversal;
  store.disable_auto_compactions = true;
  store.num_levels = 1;  // all files are in level 0
  store.max_compaction_bytes = kNoLimit;
  // Maintenance flushes at the flush size; a region refuses writes at the blocking size. RocksDB's own flush comes
  // after both.
  store.write_buffer_size = settings->spec().memstore_flush_bytes * (options.memstore_block_multiplier + 1);
  store.arena_block_size = kArenaBlockBytes;
  store.max_write_buffer_number = 4;
  store.compression = RocksDbCompression(settings->spec().family.compression);
  store.prefix_extractor = RowPrefixTransform();
  store.memtable_factory = NewRowMemtableFactory();
  store.table_factory = StoreFileFormat(std::move(block_cache), settings);
  store.compaction_filter_factory = NewStoreCompactionFilterFactory(settings);
  store.table_properties_collector_factories = {NewStoreFilePropertiesFactory(settings)};
  return store;
}

std::unordered_map<std::string, std::string> AlterableOptions(const FamilyDescriptor& family) {
  return {{"compression", CompressionName(family.compression)},
          {"block_based_table_factory", absl::StrCat("{block_size=", BlockBytes(family), ";}")}};
}

}  // namespace vaquita
