// Random histories: mutations, flushes, compactions, splits, merges and restarts in any order, against the slow model
// of engine/testing/cell_model.h. Every read must agree with it. A failure prints the seed and the history;
// VAQUITA_SEED=n runs one seed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>
#include <set>

#include "absl/strings/str_cat.h"
#include "engine/testing/cell_model.h"
#include "region/testing/region_harness.h"

namespace vaquita {
namespace {

using namespace vaquita::testing;  // NOLINT

const std::string kRows[] = {"a", "b", std::string("b\0", 2), std::string("b\0x", 3), "c", "d\xff", "e", "f", "g", "h"};
const std::string kQualifiers[] = {"", "p", "q"};

// A region and what its families should hold.
struct Part {
  std::shared_ptr<Region> region;
  std::map<std::string, CellModel> families;
};

class RegionHistoryTest : public RegionHarness, public ::testing::WithParamInterface<int> {
 protected:
  void SetUp() override {
    const char* seed = std::getenv("VAQUITA_SEED");
    seed_ = seed == nullptr ? GetParam() : std::atoi(seed);
    random_.seed(seed_);
    // Few files go into one compaction, so that most are not of all files.
    options_.compaction_max_files = 3;
    FamilyDescriptor f = MakeFamily("f", 1 + Pick(3));
    f.keep_deleted_cells = Pick(3) == 0 ? KeepDeletedCells::kTrue : KeepDeletedCells::kFalse;
    FamilyDescriptor g = MakeFamily("g", 1 + Pick(2));
    table_ = MakeTable({f, g});
    Part whole{.region = OpenRegion(table_)};
    for (const auto& [name, family] : table_->families) whole.families.emplace(name, family);
    parts_.push_back(std::move(whole));
  }

  int Pick(int count) { return static_cast<int>(random_() % count); }
  template <typename T, size_t n>
  const T& PickOf(const T (&values)[n]) {
    return values[Pick(n)];
  }
  std::string PickFamily() { return Pick(2) == 0 ? "f" : "g"; }
  int64_t PickTime() { return Pick(3) == 0 ? kLatestTimestamp : clock_.NowMs() - 8 + Pick(12); }
  Part& PartOf(std::string_view row) {
    for (Part& part : parts_) {
      if (part.region->info().ContainsRow(row)) return part;
    }
    std::abort();
  }
  void AddToHistory(const std::string& line) { absl::StrAppend(&history_, line, "\n"); }

  // --- What the model says of one row.

  static std::vector<Cell> ModelVersions(const Part& part, const std::string& row, const Cell& column,
                                         int32_t versions) {
    ModelRead read;
    read.rows = {row, row, true, true};
    read.qualifiers = {column.qualifier};
    read.max_versions = versions;
    return part.families.at(column.family).Read(read);
  }

  void WriteModel(Part* part, const std::string& row, Cell cell, int64_t now_ms) {
    cell.row = row;
    if (cell.timestamp_ms == kLatestTimestamp) cell.timestamp_ms = now_ms;
    CellModel& family = part->families.at(cell.family);
    family.Write(std::move(cell));
  }

  // Applies the mutation to `*after`, looking only at `before`: mutations of one batch do not see each other.
  void ApplyToModel(const Part& before, Part* after, const std::string& row, const Mutation& mutation, int64_t put_ms) {
    const int64_t now_ms = clock_.NowMs();
    if (mutation.type == MutationType::kDelete && mutation.cells.empty()) {
      for (const auto& [name, family] : table_->families) {
        WriteModel(after, row, MakeCell(name, "", mutation.timestamp_ms, CellType::kDeleteFamily), now_ms);
      }
    }
    for (Cell cell : mutation.cells) {
      if (mutation.type == MutationType::kIncrement || mutation.type == MutationType::kAppend) {
        const auto old = ModelVersions(before, row, cell, 1);
        if (!old.empty()) {
          cell.timestamp_ms = std::max(old[0].timestamp_ms + 1, now_ms);
          cell.value = mutation.type == MutationType::kAppend ? old[0].value + cell.value
                                                              : LongBytes(LongOf(old[0].value) + LongOf(cell.value));
        }
      } else if (cell.type == CellType::kDelete && cell.timestamp_ms == kLatestTimestamp) {
        const auto latest = ModelVersions(before, row, cell, 1);
        if (!latest.empty()) cell.timestamp_ms = latest[0].timestamp_ms;
      }
      WriteModel(after, row, cell, mutation.type == MutationType::kPut ? put_ms : now_ms);
    }
  }

  // --- Steps.

  Mutation RandomMutation(const std::string& row) {
    const std::string column = PickFamily() + ":" + PickOf(kQualifiers);
    switch (Pick(12)) {
      case 0:
        return MakeDelete(row, column, CellType::kDelete, PickTime());
      case 1:
        return MakeDelete(row, column, CellType::kDeleteColumn, PickTime());
      case 2:
        return MakeDelete(row, PickFamily(), CellType::kDeleteFamily, PickTime());
      case 3:
        return MakeDelete(row, PickFamily(), CellType::kDeleteFamilyVersion, PickTime());
      case 4: {
        Mutation whole_row = MakeDelete(row, std::vector<Cell>{});
        whole_row.timestamp_ms = PickTime();
        return whole_row;
      }
      case 5:
        return MakeMutation(MutationType::kIncrement, row, {MakeCell(PickFamily() + ":n", LongBytes(Pick(9) - 4))});
      case 6:
        return MakeMutation(MutationType::kAppend, row, {MakeCell(column, "+")});
      default:
        return MakePut(row, column, "v" + std::to_string(Pick(100)), PickTime());
    }
  }
  static std::string MutationText(const Mutation& mutation) {
    std::string text = absl::StrCat("type ", static_cast<int>(mutation.type), " row ", ToStringBinary(mutation.row),
                                    " @", mutation.timestamp_ms);
    for (const Cell& cell : mutation.cells) absl::StrAppend(&text, " [", CellText(cell.view()), "]");
    return text;
  }

  void MutateOne() {
    const std::string row = PickOf(kRows);
    const Mutation mutation = RandomMutation(row);
    AddToHistory(MutationText(mutation));
    Part& part = PartOf(row);
    Apply(part.region.get(), mutation);
    const Part before = part;
    ApplyToModel(before, &part, row, mutation, clock_.NowMs());
  }

  void MutateRow() {
    RowMutations mutations;
    mutations.row = PickOf(kRows);
    for (int i = 0; i < 3; ++i) mutations.mutations.push_back(RandomMutation(mutations.row));
    Part& part = PartOf(mutations.row);
    const auto result = part.region->Mutate(mutations);
    ASSERT_TRUE(result.ok()) << result.status();
    const Part before = part;
    for (const Mutation& mutation : mutations.mutations) {
      AddToHistory("as one: " + MutationText(mutation));
      ApplyToModel(before, &part, mutations.row, mutation, clock_.NowMs());
    }
  }

  void MutateMany() {
    Part& part = parts_[Pick(static_cast<int>(parts_.size()))];
    std::vector<Mutation> mutations;
    for (int i = 0; i < 6; ++i) {
      Mutation mutation = RandomMutation(PickOf(kRows));
      const bool batched = mutation.type == MutationType::kPut || mutation.type == MutationType::kDelete;
      if (batched && part.region->info().ContainsRow(mutation.row)) mutations.push_back(std::move(mutation));
    }
    std::vector<const Mutation*> batch;
    for (const Mutation& mutation : mutations) batch.push_back(&mutation);
    for (const absl::Status& status : part.region->MutateBatch(batch)) ASSERT_TRUE(status.ok()) << status;
    const Part before = part;
    for (const Mutation& mutation : mutations) {
      AddToHistory("in a batch: " + MutationText(mutation));
      ApplyToModel(before, &part, mutation.row, mutation, clock_.NowMs());
    }
  }

  void CheckAndMutateOne() {
    CheckAndMutate check;
    check.row = PickOf(kRows);
    check.family = PickFamily();
    check.qualifier = PickOf(kQualifiers);
    if (Pick(2) == 0) check.comparator = ComparatorSpec{.bytes = "v" + std::to_string(Pick(100))};
    check.op = Pick(2) == 0 ? CompareOp::kLess : CompareOp::kGreaterOrEqual;
    check.mutations = {RandomMutation(check.row)};
    Part& part = PartOf(check.row);
    const Part before = part;
    const auto cells = ModelVersions(before, check.row, MakeCell(check.family + ":" + check.qualifier, ""), 1);
    bool holds = cells.empty() || cells[0].value.empty();
    if (check.comparator.has_value()) {
      holds = !cells.empty() && (check.op == CompareOp::kLess ? check.comparator->bytes < cells[0].value
                                                              : check.comparator->bytes >= cells[0].value);
    }
    AddToHistory(absl::StrCat("if ", holds, ": ", MutationText(check.mutations[0])));
    const auto result = part.region->CheckAndMutate(check);
    ASSERT_TRUE(result.ok()) << result.status();
    ASSERT_EQ(result->processed, holds);
    const int64_t put_ms = std::max(clock_.NowMs(), cells.empty() ? 0 : cells[0].timestamp_ms);
    if (holds) ApplyToModel(before, &part, check.row, check.mutations[0], put_ms);
  }

  std::vector<StoreFileInfo> Files(const Part& part, const std::string& family) {
    return db_->Find(Region::StoreName(part.region->info().EncodedName(), family))->Files();
  }
  // After a split a region may have files without any of its own rows. The model has no such files.
  void ExpectFiles(const Part& part) {
    if (part.region->HasReferences()) return;
    for (const auto& [name, model] : part.families) EXPECT_EQ(Files(part, name).size(), model.file_count());
  }

  void Flush(Part* part) {
    AddToHistory("flush " + part->region->info().EncodedName());
    ASSERT_TRUE(part->region->Flush().ok());
    for (auto& [name, model] : part->families) model.Flush(clock_.NowMs());
    ExpectFiles(*part);
  }

  void CompactMajor(Part* part) {
    AddToHistory("major compaction of " + part->region->info().EncodedName());
    ASSERT_TRUE(part->region->Compact(CompactionKind::kMajor, "").ok());
    for (auto& [name, model] : part->families) model.CompactMajor(clock_.NowMs());
    ASSERT_FALSE(part->region->HasReferences());
    ExpectFiles(*part);
  }

  void CompactMinor(Part* part) {
    if (part->region->HasReferences()) return;
    for (auto& [name, model] : part->families) {
      const auto before = Files(*part, name);
      const auto ran = part->region->Compact(CompactionKind::kMinor, name);
      ASSERT_TRUE(ran.ok()) << ran.status();
      if (!*ran) continue;
      std::set<std::string> left;
      for (const StoreFileInfo& file : Files(*part, name)) left.insert(file.name);
      size_t first = 0;
      while (left.contains(before[first].name)) ++first;
      size_t count = 0;
      while (first + count < before.size() && !left.contains(before[first + count].name)) ++count;
      AddToHistory(absl::StrCat("minor compaction of ", part->region->info().EncodedName(), "/", name, ": ", count,
                                " files from ", first, " of ", before.size()));
      // As in HBase, a compaction of all files drops the markers, whatever it is called.
      if (count == before.size()) {
        model.CompactMajor(clock_.NowMs());
      } else {
        model.CompactMinor(first, count, clock_.NowMs());
      }
    }
    ExpectFiles(*part);
  }

  // The model of the rows that a new region takes over from `old`.
  std::map<std::string, CellModel> Inherit(const std::map<std::string, CellModel>& old, const RowRange& rows) {
    std::map<std::string, CellModel> families;
    for (const auto& [name, model] : old) {
      CellModel& heir = families.emplace(name, table_->families.at(name)).first->second;
      for (size_t file = 0; file < model.file_count(); ++file) {
        for (const Cell& cell : model.File(file)) {
          if (rows.Contains(cell.row)) heir.Write(cell);
        }
        heir.Flush(clock_.NowMs());
      }
    }
    return families;
  }

  void Split() {
    const size_t place = Pick(static_cast<int>(parts_.size()));
    Part& parent = parts_[place];
    const std::string row = PickOf(kRows);
    if (!parent.region->info().ContainsRow(row) || row == parent.region->info().start_key) return;
    if (parent.region->HasReferences()) CompactMajor(&parent);
    AddToHistory("split at " + ToStringBinary(row));
    auto split = PrepareSplit(db_.get(), parent.region, row);
    ASSERT_TRUE(split.ok()) << split.status();
    auto daughters = (*split)->Begin();
    ASSERT_TRUE(daughters.ok()) << daughters.status();
    for (auto& [name, model] : parent.families) model.Flush(clock_.NowMs());
    if (Pick(4) == 0) {
      AddToHistory("rolled back");
      ASSERT_TRUE((*split)->Rollback().ok());
      return;
    }
    ASSERT_TRUE((*split)->Finish().ok());
    std::vector<Part> parts;
    for (const auto& daughter : *daughters)
      parts.push_back({daughter, Inherit(parent.families, daughter->info().range())});
    parts_.erase(parts_.begin() + place);
    parts_.insert(parts_.begin() + place, parts.begin(), parts.end());
  }

  void Merge() {
    if (parts_.size() < 2) return;
    const size_t place = Pick(static_cast<int>(parts_.size()) - 1);
    for (size_t i : {place, place + 1}) {
      Flush(&parts_[i]);
      CompactMajor(&parts_[i]);
    }
    AddToHistory("merge");
    Part& low = parts_[place];
    Part& high = parts_[place + 1];
    const auto merged = Complete(PrepareMerge(db_.get(), {low.region, high.region}, false));
    ASSERT_EQ(merged.size(), 1u);
    Part whole{.region = merged[0]};
    for (const auto& [name, model] : low.families) {
      CellModel& heir = whole.families.emplace(name, table_->families.at(name)).first->second;
      for (const CellModel* side : {&model, &std::as_const(high.families.at(name))}) {
        for (size_t file = 0; file < side->file_count(); ++file) {
          for (const Cell& cell : side->File(file)) heir.Write(cell);
        }
      }
      heir.Flush(clock_.NowMs());
    }
    low = std::move(whole);
    parts_.erase(parts_.begin() + place + 1);
    CompareScan();  // before the two sides' files become one, as the model has them
    CompactMajor(&parts_[place]);
  }

  void Restart() {
    AddToHistory("restart");
    std::vector<RegionInfo> infos;
    for (Part& part : parts_) {
      infos.push_back(part.region->info());
      part.region.reset();
    }
    ReopenDatabase(*table_, infos);
    for (size_t i = 0; i < parts_.size(); ++i) {
      auto region = Region::Open(db_.get(), infos[i], table_);
      ASSERT_TRUE(region.ok()) << region.status();
      parts_[i].region = *std::move(region);
      ExpectFiles(parts_[i]);
    }
  }

  // --- Reads.

  ReadOptions RandomRead() {
    ReadOptions read;
    if (Pick(3) == 0) read.columns[PickFamily()] = {};
    if (Pick(3) == 0) read.columns[PickFamily()] = {PickOf(kQualifiers), PickOf(kQualifiers), "n"};
    read.max_versions = 1 + Pick(4);
    if (Pick(3) == 0) read.time_range.min_ms = clock_.NowMs() - Pick(20);
    if (Pick(3) == 0) read.time_range.max_ms = clock_.NowMs() - Pick(8);
    if (read.time_range.min_ms > read.time_range.max_ms) read.time_range = {};
    if (Pick(5) == 0) read.store_limit = 1 + Pick(3);
    if (Pick(5) == 0) read.store_offset = Pick(3);
    return read;
  }

  std::vector<std::string> ModelTexts(const Part& part, const ReadOptions& read, const RowRange& rows, bool raw,
                                      bool reversed) {
    std::map<std::string, std::vector<std::string>> by_row;
    for (const auto& [name, model] : part.families) {
      const auto asked = read.columns.find(name);
      if (!read.columns.empty() && asked == read.columns.end()) continue;
      ModelRead model_read{.rows = rows,
                           .max_versions = read.max_versions,
                           .time_range = read.time_range,
                           .raw = raw,
                           .now_ms = clock_.NowMs()};
      if (asked != read.columns.end()) model_read.qualifiers = asked->second;
      std::map<std::string, int> seen;
      for (const Cell& cell : model.Read(model_read)) {
        const int number = ++seen[cell.row];
        if (number <= read.store_offset) continue;
        if (read.store_limit >= 0 && number > read.store_offset + read.store_limit) continue;
        by_row[cell.row].push_back(CellText(cell.view()));
      }
    }
    std::vector<std::string> texts;
    for (const auto& [row, row_texts] : by_row)
      texts.insert(reversed ? texts.begin() : texts.end(), row_texts.begin(), row_texts.end());
    return texts;
  }

  void CompareGet() {
    Get get;
    static_cast<ReadOptions&>(get) = RandomRead();
    get.row = PickOf(kRows);
    const Part& part = PartOf(get.row);
    ASSERT_EQ(GetTexts(part.region.get(), get), ModelTexts(part, get, {get.row, get.row, true, true}, false, false))
        << "get " << ToStringBinary(get.row);
  }

  void CompareScan() {
    Scan scan;
    static_cast<ReadOptions&>(scan) = RandomRead();
    RowRange rows;  // ascending
    if (Pick(2) == 0) rows.start = PickOf(kRows);
    if (Pick(2) == 0) rows.stop = PickOf(kRows);
    if (!rows.start.empty() && !rows.stop.empty() && rows.stop < rows.start) std::swap(rows.start, rows.stop);
    rows.start_inclusive = Pick(4) != 0;
    rows.stop_inclusive = Pick(2) == 0;
    scan.raw = Pick(4) == 0;
    if (scan.raw) {
      for (auto& [family, qualifiers] : scan.columns) qualifiers.clear();  // a raw scan is of whole families
    }
    scan.reversed = Pick(3) == 0;
    scan.rows = scan.reversed ? RowRange{rows.stop, rows.start, rows.stop_inclusive, rows.start_inclusive} : rows;
    if (Pick(3) == 0) scan.batch = 1 + Pick(3);
    if (Pick(3) == 0) scan.allow_partial_results = true;
    if (Pick(3) == 0) scan.max_result_bytes = 1 + Pick(200);
    if (Pick(3) == 0) scan.caching = 1 + Pick(3);
    for (const Part& part : parts_) {
      ASSERT_EQ(ScanTexts(part.region.get(), scan), ModelTexts(part, scan, rows, scan.raw, scan.reversed))
          << "scan [" << ToStringBinary(rows.start) << ", " << ToStringBinary(rows.stop) << "] versions "
          << scan.max_versions << " raw " << scan.raw << " reversed " << scan.reversed << " time "
          << scan.time_range.min_ms << " to " << scan.time_range.max_ms << " families " << scan.columns.size()
          << " limit " << scan.store_limit << " offset " << scan.store_offset;
    }
  }

  void Step() {
    clock_.Advance(1);
    Part& part = parts_[Pick(static_cast<int>(parts_.size()))];
    switch (Pick(40)) {
      case 0:
      case 1:
      case 2:
        return Flush(&part);
      case 3:
      case 4:
        return CompactMinor(&part);
      case 5:
        return CompactMajor(&part);
      case 6:
        return Split();
      case 7:
        return Merge();
      case 8:
        return Pick(4) == 0 ? Restart() : void();
      case 9:
      case 10:
        return MutateRow();
      case 11:
      case 12:
        return MutateMany();
      case 13:
      case 14:
        return CheckAndMutateOne();
      default:
        return MutateOne();
    }
  }

  int seed_ = 0;
  std::mt19937 random_;
  std::shared_ptr<TableDescriptor> table_;
  std::vector<Part> parts_;
  std::string history_;
};

TEST_P(RegionHistoryTest, ReadsAgreeWithTheModel) {
  for (int step = 0; step < 250 && !HasFailure(); ++step) {
    Step();
    if (!HasFailure()) CompareGet();
    if (!HasFailure() && step % 3 == 0) CompareScan();
  }
  if (HasFailure()) std::cerr << "VAQUITA_SEED=" << seed_ << "\n" << history_;
}

INSTANTIATE_TEST_SUITE_P(Seeds, RegionHistoryTest, ::testing::Range(1, 31));

}  // namespace
}  // namespace vaquita
