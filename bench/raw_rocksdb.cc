#include "bench/raw_rocksdb.h"

#include <random>
#include <vector>

#include "base/options.h"
#include "bench/bench_data.h"
#include "engine/cells/cell_key.h"
#include "rocksdb/cache.h"
#include "rocksdb/db.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/table.h"
#include "rocksdb/write_batch.h"

namespace vaquita::bench {
namespace {

absl::Status FromRocks(const rocksdb::Status& status) {
  return status.ok() ? absl::OkStatus() : absl::InternalError(status.ToString());
}

rocksdb::Options StoreLikeOptions() {
  rocksdb::Options options;
  options.create_if_missing = true;
  options.compaction_style = rocksdb::kCompactionStyleUniversal;
  options.disable_auto_compactions = true;
  options.level0_slowdown_writes_trigger = 1 << 20;
  options.level0_stop_writes_trigger = 1 << 20;
  options.write_buffer_size = 128 << 20;
  options.max_write_buffer_number = 4;
  options.compression = rocksdb::kNoCompression;
  options.enable_write_thread_adaptive_yield = false;
  rocksdb::BlockBasedTableOptions table;
  table.block_size = 65536;
  table.format_version = 5;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  table.block_cache = rocksdb::NewLRUCache(Options().block_cache_bytes);
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

std::string EncodedKey(int64_t i) {
  std::string key;
  const std::string row = BenchRow(i);
  AppendCellKey({row, "q", 1'700'000'000'000, CellType::kPut}, &key);
  return key;
}

}  // namespace

RawRocksDb::RawRocksDb(rocksdb::DB* db) : db_(db) {}
RawRocksDb::~RawRocksDb() = default;

absl::StatusOr<std::unique_ptr<RawRocksDb>> RawRocksDb::Open(const std::string& folder) {
  rocksdb::DB* db = nullptr;
  if (absl::Status status = FromRocks(rocksdb::DB::Open(StoreLikeOptions(), folder, &db)); !status.ok()) return status;
  return std::unique_ptr<RawRocksDb>(new RawRocksDb(db));
}

absl::StatusOr<double> RawRocksDb::Write(int64_t first, int64_t count, int64_t batch_size) {
  double seconds = 0;
  std::vector<std::pair<std::string, std::string>> cells(batch_size);
  for (int64_t start = first; start < first + count; start += batch_size) {
    for (int64_t i = 0; i < batch_size; ++i) {
      cells[i].first = EncodedKey(start + i);
      cells[i].second.clear();
      AppendStoredValue(BenchValue(start + i), kNoTtl, &cells[i].second);
    }
    Stopwatch watch;
    rocksdb::WriteBatch batch;
    for (const auto& [key, value] : cells) batch.Put(key, value);
    if (absl::Status status = FromRocks(db_->Write({}, &batch)); !status.ok()) return status;
    seconds += watch.Seconds();
  }
  return seconds;
}

absl::Status RawRocksDb::Compact() {
  rocksdb::CompactRangeOptions options;
  options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForce;
  return FromRocks(db_->CompactRange(options, nullptr, nullptr));
}

absl::StatusOr<double> RawRocksDb::Get(int64_t rows, int64_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  Stopwatch watch;
  for (int64_t i = 0; i < count; ++i) {
    const std::string row = BenchRow(random() % rows);
    const std::string lower = RowPrefix(row), upper = AfterRow(row);
    rocksdb::Slice bound(upper);
    rocksdb::ReadOptions read;
    read.iterate_upper_bound = &bound;
    std::unique_ptr<rocksdb::Iterator> it(db_->NewIterator(read));
    it->Seek(lower);
    if (!it->Valid() || it->value().size() != 101) return absl::InternalError("a row is missing from raw RocksDB");
  }
  return watch.Seconds();
}

absl::StatusOr<int64_t> RawRocksDb::Scan(double* seconds) {
  Stopwatch watch;
  std::unique_ptr<rocksdb::Iterator> it(db_->NewIterator({}));
  int64_t cells = 0;
  size_t bytes = 0;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    ++cells;
    bytes += it->key().size() + it->value().size();
  }
  *seconds = watch.Seconds();
  if (bytes == 0) return absl::InternalError("raw RocksDB is empty");
  return cells;
}

}  // namespace vaquita::bench
