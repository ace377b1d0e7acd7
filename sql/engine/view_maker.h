// sql/engine/view_maker.h: turns CREATE VIEW into the catalog's definition.
//
// Threads: functions. Source: CreateTableCompiler, MetaDataClient.createTableInternal (5.2).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "sql/engine/session_state.h"
#include "sql/front/ast.h"
#include "sql/plan/resolver.h"

namespace vaquita::sql {

// Makes the view's definition, and its columns' families in HBase. Returns Phoenix's errors.
absl::StatusOr<TableDef> MakeView(SessionState* state, const CreateTable& create);

// Adds the families of the columns, from number `first` on, that the view's table does not have in HBase.
absl::Status AddFamiliesOfView(SessionState* state, const TableDef& view, size_t first);

// A column to which a view's condition gives one value.
struct ViewConstant {
  int32_t column = 0;
  Value value;  // in the column's type
};
// Returns the constants of a view through which rows can be written; none for a table.
absl::StatusOr<std::vector<ViewConstant>> ConstantsOfView(const QuerySource& source, const TableDef& view);

}  // namespace vaquita::sql
