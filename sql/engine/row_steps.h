// sql/engine/row_steps.h: changes a row in steps that depend on what the row has, as one.
//
// Threads: functions.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/table.h"
#include "sql/catalog/table_def.h"
#include "sql/engine/duplicate_rule.h"

namespace vaquita::sql {

// The place of a statement's column among those of all statements, by its index; null: all are at their places.
using Places = std::shared_ptr<const std::vector<int32_t>>;
inline int32_t PlaceOf(const Places& places, int32_t column) {
  return places == nullptr ? column : (*places)[static_cast<size_t>(column)];
}

// A removal, an upsert, or both one after the other.
struct RowStep {
  bool removed = false;                 // before the values are written
  RowValues values;                     // with the key's columns; empty: none is written
  std::shared_ptr<DuplicateRule> rule;  // is done instead if the row is there; may be null
  std::vector<Value> parameters;        // for the rule
  Places places;                        // for the rule
};

// Runs the steps on a row. No other writer's change gets in between: the steps run again if the row has changed.
// Returns whether the row was written; it is not if it was there and all steps ignore that.
absl::StatusOr<bool> RunSteps(client::Table* hbase, const TableDef& table, const std::string& row,
                              const std::vector<RowStep>& steps);

}  // namespace vaquita::sql
