// Random histories of one store, in memory: the scanner and the compaction tracker against engine/testing/cell_model.h.
// A failure prints the seed and the history; both go into a test of their own when it is understood.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "engine/cells/column_tracker.h"
#include "engine/scanner_group.h"
#include "engine/store_scanner.h"
#include "engine/testing/cell_model.h"
#include "engine/testing/memory_iterator.h"

namespace vaquita {
namespace {

using testing::AddCell;
using testing::CellModel;
using testing::MemoryIterator;
using testing::ModelRead;
using testing::StoredCells;
using std::string_literals::operator""s;

constexpr int kHistories = 200;
constexpr int kStepsPerHistory = 60;
constexpr int64_t kRandomNow = 100'000;  // a few timestamps below it are in use, so that everything meets

std::string Print(const Cell& cell) {
  std::string text = ::testing::PrintToString(cell.row) + ":" + ::testing::PrintToString(cell.qualifier) + "@" +
                     std::to_string(cell.timestamp_ms);
  switch (cell.type) {
    case CellType::kPut:
      text += "=" + cell.value;
      break;
    case CellType::kDelete:
      text += " Delete";
      break;
    case CellType::kDeleteColumn:
      text += " DeleteColumn";
      break;
    case CellType::kDeleteFamily:
      text += " DeleteFamily";
      break;
    case CellType::kDeleteFamilyVersion:
      text += " DeleteFamilyVersion";
      break;
  }
  if (cell.ttl_ms != kNoTtl) text += " ttl=" + std::to_string(cell.ttl_ms);
  return text;
}

std::vector<std::string> Print(const std::vector<Cell>& cells) {
  std::vector<std::string> lines;
  for (const Cell& cell : cells) lines.push_back(Print(cell));
  return lines;
}

// A store made of the code under test, without RocksDB: what is written, flushed and compacted goes through
// CompactionTracker, what is read through StoreScanner.
class TestedStore {
 public:
  explicit TestedStore(FamilyDescriptor family) : family_(std::move(family)) {}

  void Write(const Cell& cell) { AddCell(cell, &memstore_); }

  void Flush() {
    if (memstore_.empty()) return;
    AddFile(files_.size(), Compacted(memstore_, CompactionScope::kFlush));
    memstore_.clear();
  }

  void Compact(size_t first, size_t count, CompactionScope scope) {
    StoredCells merged;
    for (size_t i = first + count; i-- > first;) merged.insert(files_[i].begin(), files_[i].end());
    files_.erase(files_.begin() + static_cast<ptrdiff_t>(first),
                 files_.begin() + static_cast<ptrdiff_t>(first + count));
    AddFile(first, Compacted(merged, scope));
  }

  std::vector<Cell> Read(const ModelRead& read) const {
    StoreScanOptions options;
    options.query.qualifiers = read.qualifiers;
    options.query.max_versions = read.max_versions;
    options.query.time_range = read.time_range;
    options.query.raw = read.raw;
    options.reversed = read.reversed;
    options.now_ms = read.now_ms;
    StoredCells all = memstore_;
    for (size_t i = files_.size(); i-- > 0;) all.insert(files_[i].begin(), files_[i].end());
    MemoryIterator::Counts counts;
    const StoreDb::IteratorBounds bounds = BoundsOfRows(RowOrder::kBytes, read.rows, /*reversed=*/false);
    options.one_row = bounds.one_row;
    StoreScanner scanner(std::make_shared<StoreSpec>(StoreSpec{.family = family_}),
                         std::make_unique<MemoryIterator>(all, bounds, &counts), options);
    std::vector<Cell> cells;
    CellView cell;
    for (; scanner.Valid(); scanner.NextRow()) {
      while (scanner.NextCell(&cell)) cells.emplace_back(cell);
    }
    EXPECT_TRUE(scanner.status().ok());
    return cells;
  }

  std::vector<Cell> File(size_t index) const {
    std::vector<Cell> cells;
    for (const auto& [key, stored] : files_[index]) {
      std::string scratch;
      CellKey parsed;
      EXPECT_TRUE(ParseCellKey(key, &scratch, &parsed).ok());
      Cell cell;
      cell.row = parsed.row;
      cell.qualifier = parsed.qualifier;
      cell.timestamp_ms = parsed.timestamp_ms;
      cell.type = parsed.type;
      std::string_view value;
      EXPECT_TRUE(ParseStoredValue(stored, &value, &cell.ttl_ms));
      cell.value = value;
      cells.push_back(cell);
    }
    return cells;
  }

  size_t file_count() const { return files_.size(); }

 private:
  void AddFile(size_t position, StoredCells cells) {
    if (!cells.empty()) files_.insert(files_.begin() + static_cast<ptrdiff_t>(position), std::move(cells));
  }

  // RocksDB may go where kDropToSkip leads, or feed the tracker every cell; here they take turns.
  StoredCells Compacted(const StoredCells& cells, CompactionScope scope) {
    skips_ = !skips_;
    CompactionTracker tracker(family_, {}, scope, kRandomNow);
    StoredCells kept;
    std::string skip_until;
    for (auto at = cells.begin(); at != cells.end();) {
      const CompactionTracker::Fate fate = tracker.Next(at->first, at->second, &skip_until);
      if (fate == CompactionTracker::Fate::kKeep) kept.insert(*at);
      if (fate == CompactionTracker::Fate::kDropToSkip && skips_) {
        at = cells.lower_bound(skip_until);
      } else {
        ++at;
      }
    }
    return kept;
  }

  FamilyDescriptor family_;
  StoredCells memstore_;
  std::vector<StoredCells> files_;  // oldest first
  bool skips_ = false;
};

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  size_t Below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(engine_); }
  bool OneIn(size_t n) { return Below(n) == 0; }
  template <typename T>
  T Of(std::initializer_list<T> choices) {
    return choices.begin()[Below(choices.size())];
  }

  FamilyDescriptor Family() {
    FamilyDescriptor family;
    family.name = "f";
    family.max_versions = static_cast<int32_t>(1 + Below(4));
    if (OneIn(2)) family.ttl_seconds = 10;
    if (OneIn(2)) family.min_versions = static_cast<int32_t>(Below(family.max_versions + 1));
    family.keep_deleted_cells =
        Of({KeepDeletedCells::kFalse, KeepDeletedCells::kFalse, KeepDeletedCells::kTrue, KeepDeletedCells::kTtl});
    return family;
  }

  // Near now, and on both sides of where a TTL of 10 s ends.
  int64_t Timestamp() { return (OneIn(2) ? kRandomNow - 10'000 : kRandomNow) - 4 + static_cast<int64_t>(Below(7)); }
  std::string Row() { return Of({"a"s, "a\0"s, "b"s, "\xff"s}); }
  std::string Qualifier() { return Of({""s, "p"s, "q"s, "q\0"s}); }

  Cell Write() {
    Cell cell;
    cell.row = Row();
    cell.qualifier = Qualifier();
    cell.timestamp_ms = Timestamp();
    cell.type = Of({CellType::kPut, CellType::kPut, CellType::kPut, CellType::kPut, CellType::kDelete,
                    CellType::kDeleteColumn, CellType::kDeleteFamily, CellType::kDeleteFamilyVersion});
    if (cell.type == CellType::kDeleteFamily || cell.type == CellType::kDeleteFamilyVersion) cell.qualifier.clear();
    if (cell.type == CellType::kPut) {
      cell.value = std::to_string(++writes_);
      if (OneIn(6)) cell.ttl_ms = static_cast<int64_t>(Below(4));
    }
    return cell;
  }

  ModelRead Read() {
    ModelRead read;
    read.now_ms = kRandomNow;
    read.max_versions = static_cast<int32_t>(1 + Below(5));
    read.raw = OneIn(5);
    read.reversed = OneIn(3);
    if (!read.raw && OneIn(2)) {
      for (const std::string& qualifier : {""s, "p"s, "pp"s, "q"s, "q\0"s}) {
        if (OneIn(2)) read.qualifiers.push_back(qualifier);
      }
    }
    if (OneIn(3)) {
      read.time_range.min_ms = OneIn(2) ? 0 : Timestamp();
      read.time_range.max_ms = OneIn(3) ? kMaxTimestamp : std::max(read.time_range.min_ms, Timestamp());
    }
    if (OneIn(2)) read.rows = {OneIn(3) ? "" : Row(), OneIn(3) ? "" : Row(), OneIn(2), OneIn(2)};
    return read;
  }

 private:
  std::mt19937_64 engine_;
  int writes_ = 0;
};

std::string Describe(const ModelRead& read) {
  std::string text = read.raw ? "raw read" : "read";
  if (read.reversed) text += " reversed";
  text += " versions=" + std::to_string(read.max_versions) + " time=[" + std::to_string(read.time_range.min_ms) + "," +
          std::to_string(read.time_range.max_ms) + ") rows=" + ::testing::PrintToString(read.rows.start) +
          (read.rows.start_inclusive ? "" : "(excl.)") + ".." + ::testing::PrintToString(read.rows.stop) +
          (read.rows.stop_inclusive ? "(incl.)" : "");
  for (const std::string& qualifier : read.qualifiers) text += " " + ::testing::PrintToString(qualifier);
  return text;
}

// One history: both stores do the same, and what they hold and show is compared after every step.
class History {
 public:
  explicit History(uint64_t seed)
      : random_(seed), family_(random_.Family()), model_(family_), store_(family_), log_(family_.Describe() + "\n") {}

  void Run() {
    for (int step = 0; step < kStepsPerHistory && !::testing::Test::HasFailure(); ++step) {
      switch (random_.Below(12)) {
        case 0:
          AddToHistory("flush");
          model_.Flush(kRandomNow);
          store_.Flush();
          CompareFiles();
          break;
        case 1:
          Compact();
          CompareFiles();
          break;
        default:
          Write();
      }
      CompareRead(random_.Read());
    }
  }

  const std::string& log() const { return log_; }

 private:
  void AddToHistory(const std::string& line) { log_ += line + "\n"; }

  void Write() {
    const Cell cell = random_.Write();
    AddToHistory(Print(cell));
    model_.Write(cell);
    store_.Write(cell);
  }

  void Compact() {
    const size_t files = model_.file_count();
    if (files == 0) return;
    if (random_.OneIn(2)) {
      AddToHistory("major compaction");
      model_.CompactMajor(kRandomNow);
      store_.Compact(0, files, CompactionScope::kMajor);
      return;
    }
    const size_t first = random_.Below(files);
    const size_t count = 1 + random_.Below(files - first);
    AddToHistory("minor compaction of " + std::to_string(count) + " files from " + std::to_string(first));
    model_.CompactMinor(first, count, kRandomNow);
    store_.Compact(first, count, CompactionScope::kMinor);
  }

  void CompareFiles() {
    ASSERT_EQ(store_.file_count(), model_.file_count());
    for (size_t i = 0; i < model_.file_count(); ++i) {
      EXPECT_EQ(Print(store_.File(i)), Print(model_.File(i))) << "file " << i;
    }
  }

  void CompareRead(const ModelRead& read) {
    EXPECT_EQ(Print(store_.Read(read)), Print(model_.Read(read))) << Describe(read);
  }

  Random random_;
  FamilyDescriptor family_;
  CellModel model_;
  TestedStore store_;
  std::string log_;
};

TEST(StoreRandomTest, ReadsAndCompactionsAreTheModels) {
  for (uint64_t seed = 1; seed <= kHistories; ++seed) {
    History history(seed);
    history.Run();
    if (HasFailure()) {
      ADD_FAILURE() << "seed " << seed << ":\n" << history.log();
      return;
    }
  }
}

// A flush and a compaction of everything must not change what a plain read sees, at the same time of day. HBase
// promises it for reads over all time, of all columns, in families that do not keep deleted cells: a read of the past
// misses the versions that went; one that names its columns sees an expired version until a compaction drops it; and
// with KEEP_DELETED_CELLS deleted cells count as versions in compactions, but not in reads. Raw reads see what is
// there.
TEST(StoreRandomTest, CompactionsOfAllFilesDoNotChangePlainReads) {
  for (uint64_t seed = 1; seed <= kHistories; ++seed) {
    Random random(seed);
    FamilyDescriptor family = random.Family();
    family.keep_deleted_cells = KeepDeletedCells::kFalse;
    TestedStore store(family);
    ModelRead read;
    read.max_versions = family.max_versions;
    read.now_ms = kRandomNow;
    for (int i = 0; i < 40; ++i) store.Write(random.Write());
    const std::vector<Cell> before = store.Read(read);
    store.Flush();
    ASSERT_EQ(Print(store.Read(read)), Print(before)) << "flush, seed " << seed;
    store.Compact(0, store.file_count(), CompactionScope::kMinor);
    ASSERT_EQ(Print(store.Read(read)), Print(before)) << "minor compaction, seed " << seed;
    store.Compact(0, store.file_count(), CompactionScope::kMajor);
    ASSERT_EQ(Print(store.Read(read)), Print(before)) << "major compaction, seed " << seed;
  }
}

}  // namespace
}  // namespace vaquita
