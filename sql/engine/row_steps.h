// sql/engine/row_steps.h: changes a row in steps that depend on what the row has, as one.
//
// Threads: functions.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/table.h"
#include "model/operations.h"
#include "sql/catalog/table_def.h"
#include "sql/engine/duplicate_rule.h"
#include "sql/engine/row_reader.h"
#include "sql/engine/row_writer.h"

namespace vaquita::sql {

// The place of a statement's column among those of all statements, by its index; null: all are at their places. A key
// column that other statements do not have has none: the key's bytes are made before.
inline constexpr int32_t kNoPlace = -1;
using Places = std::shared_ptr<const std::vector<int32_t>>;
inline int32_t PlaceOf(const Places& places, int32_t column) {
  return places == nullptr ? column : (*places)[static_cast<size_t>(column)];
}

// A removal, an upsert, or both one after the other.
struct RowStep {
  bool removed = false;                 // before the values are written
  RowValues values;                     // with the key's columns; empty: none is written
  std::shared_ptr<DuplicateRule> rule;  // is done instead if the row is there; may be null
  // For the rule:
  std::vector<Value> parameters;
  Places places;
  RowValues key;  // the key's values, by the statement's columns
};

// A row while its steps run.
struct RowImage {
  bool exists = false;
  RowValues values;
  bool removed = false;  // the row that was there goes
  RowValues written;
};

// Adds the columns that the steps' rules read.
void AddReads(const std::vector<RowStep>& steps, std::set<int32_t>* reads);
// Returns the request for these columns of a row, and for its empty cell.
Get GetOfRow(const TableDef& table, const std::string& row, const std::set<int32_t>& reads);
// Returns the row that such a request found.
absl::StatusOr<RowImage> ImageOf(const client::Result& stored, const TableDef& table, const std::set<int32_t>& reads,
                                 RowReader* reader);
// Changes the image to the row after the step.
absl::Status ApplyStep(const RowStep& step, const RowWriter& writer, RowImage* image);
// Returns what the steps write.
absl::StatusOr<std::vector<Mutation>> MutationsOf(const RowImage& image, const RowWriter& writer,
                                                  const std::string& row);
// Returns the condition that the row is as it was read, without what is to be done.
CheckAndMutate IfUnchanged(const client::Result& stored, bool existed, const TableDef& table, const std::string& row,
                           const std::set<int32_t>& reads);

// A row that changes so often while its steps run ends them with an error.
inline constexpr int kMostAttempts = 10'000;
absl::Status TooManyAttempts(const TableDef& table);

// Runs the steps on a row. No other writer's change gets in between: the steps run again if the row has changed.
// Returns whether the row was written; it is not if it was there and all steps ignore that.
absl::StatusOr<bool> RunSteps(client::Table* hbase, const TableDef& table, const std::string& row,
                              const std::vector<RowStep>& steps);

}  // namespace vaquita::sql
