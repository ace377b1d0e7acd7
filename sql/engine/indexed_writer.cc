#include "sql/engine/indexed_writer.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "base/clock.h"
#include "base/fault_point.h"
#include "base/status.h"
#include "client/table.h"
#include "sql/catalog/hbase_table.h"
#include "sql/engine/index_rows.h"

namespace vaquita::sql {
namespace {

constexpr size_t kRowsOfBatch = 1000;

// The writers of this process that have read a list of indexes, by the generation in which they began.
struct Writers {
  std::mutex mutex;
  std::condition_variable ended;
  uint64_t generation = 0;
  std::map<uint64_t, size_t> active;
};

Writers& AllWriters() {
  static Writers writers;
  return writers;
}

absl::Status Send(client::Table* table, std::vector<Action>* actions) {
  if (actions->empty()) return absl::OkStatus();
  return FirstError(table->Batch(std::exchange(*actions, {})));
}

// An index while its table is written.
struct OpenIndex {
  std::unique_ptr<IndexRows> rows;
  std::shared_ptr<client::Table> hbase;
  std::vector<Action> actions;
};

// A row of the table may change one row of an index, and remove another.
struct IndexChangeOfRow {
  std::optional<std::string> old_row;  // it goes
  std::optional<Mutation> put;         // verified
};

// A row of the table in one attempt.
struct PlannedRow {
  const std::string* row = nullptr;
  const std::vector<RowStep>* steps = nullptr;
  int64_t timestamp_ms = 0;
  int64_t floor_ms = 0;                   // the change must be later
  bool stays = false;                     // it is not removed
  std::vector<IndexChangeOfRow> indexes;  // one for each
  CheckAndMutate check;
};

class IndexedWriter {
 public:
  IndexedWriter(const std::shared_ptr<client::Connection>& connection, const TablePtr& table)
      : connection_(connection),
        table_(table),
        hbase_(connection->GetTable(table->HBaseName())),
        reader_(*table),
        writer_(*table) {}

  absl::Status Open() {
    for (const auto& index : table_->indexes) {
      if (index->index_state == IndexState::kDisabled) continue;
      OpenIndex& open = indexes_.emplace_back();
      VAQUITA_ASSIGN_OR_RETURN(open.rows, IndexRows::Make(connection_, index, table_));
      open.hbase = connection_->GetTable(index->HBaseName());
      reads_.insert(open.rows->reads().begin(), open.rows->reads().end());
    }
    return absl::OkStatus();
  }

  // Writes some rows. Rows that somebody else changed meanwhile are written anew.
  absl::Status Write(std::vector<PlannedRow> rows) {
    for (int attempt = 0; attempt < kMostAttempts && !rows.empty(); ++attempt) {
      VAQUITA_RETURN_IF_ERROR(Plan(&rows));
      if (rows.empty()) return absl::OkStatus();
      VAQUITA_RETURN_IF_ERROR(MarkUnverified(rows));
      FaultPoint("index:unverified");
      std::vector<Action> actions;
      for (const PlannedRow& row : rows) actions.emplace_back(row.check);
      const std::vector<client::ActionResult> results = hbase_->Batch(actions);
      FaultPoint("index:written");
      absl::Status first;
      std::vector<PlannedRow> done;
      std::vector<PlannedRow> again;
      for (size_t i = 0; i < rows.size(); ++i) {
        first.Update(results[i].status);
        if (results[i].status.ok()) (results[i].processed ? done : again).push_back(std::move(rows[i]));
      }
      first.Update(KeepVisible(&done, &again));
      first.Update(Finish(done));
      VAQUITA_RETURN_IF_ERROR(first);
      rows = std::move(again);
    }
    return rows.empty() ? absl::OkStatus() : TooManyAttempts(*table_);
  }

  int64_t unchanged() const { return unchanged_; }

 private:
  // Reads the rows, and decides what becomes of them. Rows that stay as they are leave `*rows`.
  absl::Status Plan(std::vector<PlannedRow>* rows) {
    std::vector<Action> gets;
    std::vector<std::set<int32_t>> reads;
    for (const PlannedRow& row : *rows) {
      AddReads(*row.steps, &reads.emplace_back(reads_));
      gets.emplace_back(GetOfRow(*table_, *row.row, reads.back()));
    }
    const std::vector<client::ActionResult> stored = hbase_->Batch(gets);
    VAQUITA_RETURN_IF_ERROR(FirstError(stored));
    std::vector<PlannedRow> planned;
    for (size_t i = 0; i < rows->size(); ++i) {
      PlannedRow& row = (*rows)[i];
      VAQUITA_ASSIGN_OR_RETURN(const bool changes, PlanRow(stored[i].result, reads[i], &row));
      if (changes) planned.push_back(std::move(row));
    }
    *rows = std::move(planned);
    return absl::OkStatus();
  }

  // Returns whether the row changes.
  absl::StatusOr<bool> PlanRow(const client::Result& stored, const std::set<int32_t>& reads, PlannedRow* row) {
    VAQUITA_ASSIGN_OR_RETURN(RowImage image, ImageOf(stored, *table_, reads, &reader_));
    const RowImage before = image;
    for (const RowStep& step : *row->steps) VAQUITA_RETURN_IF_ERROR(ApplyStep(step, writer_, &image));
    if (!image.removed && image.written.empty()) {
      ++unchanged_;
      return false;
    }
    int64_t before_ms = row->floor_ms;
    for (const Cell& cell : stored.cells) before_ms = std::max(before_ms, cell.timestamp_ms);
    row->timestamp_ms = std::max(Clock::System()->NowMs(), before_ms + 1);
    row->stays = image.exists;
    row->check = IfUnchanged(stored, before.exists, *table_, *row->row, reads);
    VAQUITA_ASSIGN_OR_RETURN(row->check.mutations, MutationsOf(image, writer_, *row->row));
    for (Mutation& mutation : row->check.mutations) {
      mutation.timestamp_ms = row->timestamp_ms;
      for (Cell& cell : mutation.cells) cell.timestamp_ms = row->timestamp_ms;
    }
    row->indexes.clear();
    for (const OpenIndex& index : indexes_) {
      IndexChangeOfRow& change = row->indexes.emplace_back();
      if (image.exists) {
        VAQUITA_ASSIGN_OR_RETURN(change.put, index.rows->PutOf(image.values, row->timestamp_ms));
      }
      if (!before.exists) continue;
      const absl::StatusOr<Mutation> old = index.rows->PutOf(before.values, row->timestamp_ms);
      if (IsNoIndexRow(old.status())) continue;  // and so there is none
      VAQUITA_RETURN_IF_ERROR(old.status());
      if (!change.put.has_value() || change.put->row != old->row) change.old_row = old->row;
    }
    return true;
  }

  absl::Status MarkUnverified(const std::vector<PlannedRow>& rows) {
    for (const PlannedRow& row : rows) {
      for (size_t i = 0; i < indexes_.size(); ++i) {
        const IndexChangeOfRow& change = row.indexes[i];
        const TableDef& def = indexes_[i].rows->def();
        if (change.old_row.has_value()) {
          indexes_[i].actions.emplace_back(MarkOf(def, *change.old_row, kUnverified, row.timestamp_ms));
        }
        if (change.put.has_value()) indexes_[i].actions.emplace_back(Marked(def, *change.put, kUnverified));
      }
    }
    return SendAll();
  }

  // A change may be hidden by another one that has a later time. If that is a removal, the change has to be made anew,
  // and its row moves to `*again`. If it wrote the values that were there before, it is as if it had come later: the
  // index rows stay unverified, and the row leaves `*rows`.
  absl::Status KeepVisible(std::vector<PlannedRow>* rows, std::vector<PlannedRow>* again) {
    std::vector<Action> gets;
    for (const PlannedRow& row : *rows) gets.emplace_back(GetOfRow(*table_, *row.row, {}));
    if (gets.empty()) return absl::OkStatus();
    const std::vector<client::ActionResult> stored = hbase_->Batch(gets);
    VAQUITA_RETURN_IF_ERROR(FirstError(stored));
    std::vector<PlannedRow> visible;
    for (size_t i = 0; i < rows->size(); ++i) {
      PlannedRow& row = (*rows)[i];
      const std::vector<Cell>& cells = stored[i].result.cells;
      if (!row.stays || (!cells.empty() && cells.front().timestamp_ms == row.timestamp_ms)) {
        visible.push_back(std::move(row));
      } else if (cells.empty()) {
        VAQUITA_ASSIGN_OR_RETURN(row.floor_ms, NewestTimeOf(*row.row));
        again->push_back(std::move(row));
      }
    }
    *rows = std::move(visible);
    return absl::OkStatus();
  }

  // Returns the newest time in the row, also of what removes cells.
  absl::StatusOr<int64_t> NewestTimeOf(const std::string& row) {
    Scan scan;
    scan.rows = {row, row, true, true};
    scan.raw = true;
    VAQUITA_ASSIGN_OR_RETURN(const auto scanner, hbase_->GetScanner(scan));
    VAQUITA_ASSIGN_OR_RETURN(const std::optional<client::Result> stored, scanner->Next());
    int64_t newest_ms = 0;
    if (stored.has_value())
      for (const Cell& cell : stored->cells) newest_ms = std::max(newest_ms, cell.timestamp_ms);
    return newest_ms;
  }

  // The rows are in the table.
  absl::Status Finish(const std::vector<PlannedRow>& rows) {
    for (const PlannedRow& row : rows) {
      for (size_t i = 0; i < indexes_.size(); ++i) {
        const IndexChangeOfRow& change = row.indexes[i];
        if (change.old_row.has_value()) {
          indexes_[i].actions.emplace_back(
              Mutation{.type = MutationType::kDelete, .row = *change.old_row, .timestamp_ms = row.timestamp_ms});
        }
        if (!change.put.has_value()) continue;
        indexes_[i].actions.emplace_back(MarkOf(indexes_[i].rows->def(), change.put->row, kVerified, row.timestamp_ms));
      }
    }
    return SendAll();
  }

  absl::Status SendAll() {
    for (OpenIndex& index : indexes_) VAQUITA_RETURN_IF_ERROR(Send(index.hbase.get(), &index.actions));
    return absl::OkStatus();
  }

  const std::shared_ptr<client::Connection>& connection_;
  const TablePtr& table_;
  const std::shared_ptr<client::Table> hbase_;
  RowReader reader_;
  const RowWriter writer_;
  std::vector<OpenIndex> indexes_;
  std::set<int32_t> reads_;
  int64_t unchanged_ = 0;
};

}  // namespace

absl::StatusOr<int64_t> WriteIndexedRows(const std::shared_ptr<client::Connection>& connection, const TablePtr& table,
                                         const std::map<std::string, std::vector<RowStep>>& rows) {
  IndexedWriter writer(connection, table);
  VAQUITA_RETURN_IF_ERROR(writer.Open());
  std::vector<PlannedRow> batch;
  for (const auto& [row, steps] : rows) {
    PlannedRow& planned = batch.emplace_back();
    planned.row = &row;
    planned.steps = &steps;
    if (batch.size() == kRowsOfBatch) VAQUITA_RETURN_IF_ERROR(writer.Write(std::exchange(batch, {})));
  }
  VAQUITA_RETURN_IF_ERROR(writer.Write(std::move(batch)));
  return writer.unchanged();
}

absl::StatusOr<int64_t> BuildIndex(const std::shared_ptr<client::Connection>& connection, const TablePtr& index,
                                   const TablePtr& table) {
  VAQUITA_ASSIGN_OR_RETURN(const auto rows, IndexRows::Make(connection, index, table));
  Scan scan;
  scan.columns = GetOfRow(*table, "", rows->reads()).columns;
  VAQUITA_ASSIGN_OR_RETURN(const auto scanner, connection->GetTable(table->HBaseName())->GetScanner(scan));
  const auto hbase = connection->GetTable(index->HBaseName());
  std::vector<Action> actions;
  for (int64_t count = 0;; ++count) {
    VAQUITA_ASSIGN_OR_RETURN(const std::optional<client::Result> row, scanner->Next());
    if (!row.has_value() || actions.size() == kRowsOfBatch) {
      VAQUITA_RETURN_IF_ERROR(Send(hbase.get(), &actions));
      FaultPoint("index:building");
    }
    if (!row.has_value()) return count;
    VAQUITA_ASSIGN_OR_RETURN(std::optional<Mutation> put, rows->PutOfStored(*row));
    if (put.has_value()) actions.emplace_back(*std::move(put));
  }
}

IndexListLock::IndexListLock() {
  Writers& writers = AllWriters();
  const std::lock_guard lock(writers.mutex);
  generation_ = writers.generation;
  ++writers.active[generation_];
}

IndexListLock::~IndexListLock() {
  Writers& writers = AllWriters();
  const std::lock_guard lock(writers.mutex);
  const auto own = writers.active.find(generation_);
  if (--own->second > 0) return;
  writers.active.erase(own);
  writers.ended.notify_all();
}

void WaitForWriters() {
  Writers& writers = AllWriters();
  std::unique_lock lock(writers.mutex);
  const uint64_t before = writers.generation++;
  writers.ended.wait(lock, [&] { return writers.active.empty() || writers.active.begin()->first > before; });
}

}  // namespace vaquita::sql
