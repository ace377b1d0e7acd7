#include "sql/engine/table_alterer.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/status.h"
#include "client/table.h"
#include "sql/catalog/hbase_table.h"
#include "sql/catalog/table_rows.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/engine/index_maker.h"
#include "sql/engine/statements.h"
#include "sql/engine/table_maker.h"
#include "sql/engine/table_options.h"
#include "sql/engine/view_maker.h"
#include "sql/plan/index_columns.h"
#include "sql/plan/resolver.h"

namespace vaquita::sql {
namespace {

constexpr int kMostAlterations = 10;  // while others alter the table, too

absl::Status PropertyError(ErrorCode code, const TableOption& option) {
  return SqlError(code, Concat(". Property: ", option.name));
}

class TableAlterer {
 public:
  TableAlterer(SessionState* state, const AlterTable& alter) : state_(state), alter_(alter) {}

  absl::StatusOr<int64_t> Run() {
    VAQUITA_ASSIGN_OR_RETURN(before_, state_->catalog.Find(alter_.table));
    is_view_ = before_->view != ViewType::kNone;
    if (alter_.of_view != is_view_) return TableError(ErrorCode::kUndefinedTable, alter_.table.ToString());
    if (before_->view == ViewType::kMapped) return NotSupported("ALTER VIEW of an HBase table");
    if (before_->type != 'u' && !is_view_) return TableError(ErrorCode::kTableNotMutable, before_->ident.ToString());
    if (!is_view_) VAQUITA_RETURN_IF_ERROR(CheckWritable(state_, *before_));
    VAQUITA_RETURN_IF_ERROR(FindViews(before_->ident));
    after_ = *before_;
    ++after_.changes;
    if (alter_.kind == AlterKind::kAdd) return Add();
    if (alter_.kind == AlterKind::kDrop) return Drop();
    return Set();
  }

 private:
  absl::StatusOr<int64_t> Add() {
    for (const TableOption& option : alter_.options) {
      if (IsFamilyOption(option.name) && !IsForAllFamilies(option)) continue;
      return SqlError(ErrorCode::kTablePropertyWithColumn,
                      Concat("Property: ", option.name, " tableName=", alter_.table.ToString()));
    }
    for (const ColumnDeclaration& declared : alter_.columns) {
      VAQUITA_ASSIGN_OR_RETURN(ColumnDef column, MakeColumn(declared, after_));
      const absl::Status done = AddColumn(declared, std::move(column), &after_);
      if (!alter_.if_exists || !IsSqlError(done, ErrorCode::kColumnExists)) VAQUITA_RETURN_IF_ERROR(done);
    }
    const size_t added = after_.columns.size() - before_->columns.size();
    if (added == 0) return 0;
    VAQUITA_RETURN_IF_ERROR(CheckAddedInViews());
    if (is_view_) return AddToView(added);
    VAQUITA_ASSIGN_OR_RETURN(const bool new_family, AddFamilies(added));
    VAQUITA_RETURN_IF_ERROR(state_->catalog.Alter(*before_, RowsOfAddedColumns(after_, added)));
    if (!new_family) return 0;
    VAQUITA_ASSIGN_OR_RETURN(const int64_t rows, ChangeRows({}));
    return HasColumns(*before_) ? rows : 0;
  }

  absl::StatusOr<int64_t> AddToView(size_t added) {
    if (!alter_.options.empty()) return NotSupported(Concat(alter_.options.front().name, " of a view's column"));
    VAQUITA_RETURN_IF_ERROR(AddFamiliesOfView(state_, after_, before_->columns.size()));
    VAQUITA_ASSIGN_OR_RETURN(const auto base, state_->catalog.Find(before_->base));
    VAQUITA_RETURN_IF_ERROR(state_->catalog.TakeNumbers(*base, after_));
    VAQUITA_RETURN_IF_ERROR(state_->catalog.Alter(*before_, RowsOfAddedColumns(after_, added)));
    return 0;
  }

  // Finds the views that have the table's or view's columns.
  absl::Status FindViews(const TableIdent& table) {
    VAQUITA_ASSIGN_OR_RETURN(const std::vector<TableIdent> names, state_->catalog.ViewsOf(table));
    for (const TableIdent& name : names) {
      if (!seen_.insert(name).second) continue;
      VAQUITA_ASSIGN_OR_RETURN(auto view, state_->catalog.Find(name));
      views_.push_back(std::move(view));
      VAQUITA_RETURN_IF_ERROR(FindViews(name));
    }
    return absl::OkStatus();
  }

  absl::Status UsedByView() const {
    return SqlError(ErrorCode::kTableNotMutable,
                    Concat("Cannot add/drop column referenced by VIEW columnName=", alter_.table.ToString()));
  }

  // A view's own columns follow those that it has of its table.
  absl::Status CheckAddedInViews() const {
    for (size_t i = before_->columns.size(); i < after_.columns.size(); ++i) {
      const ColumnDef& added = after_.columns[i];
      if (added.is_key() && !before_->indexes.empty()) {
        return NotSupported("ALTER TABLE ADD of a key column to a table with indexes");
      }
      if (added.is_key() && !views_.empty())
        return NotSupported("ALTER TABLE ADD of a key column to a table with views");
      for (const auto& view : views_)
        if (view->FindColumn({added.family, added.name}) >= 0) return UsedByView();
    }
    return absl::OkStatus();
  }

  absl::Status CheckDroppedInViews(int32_t dropped) const {
    for (const auto& view : views_) {
      ResolvedSource source;
      source.table = view;
      VAQUITA_ASSIGN_OR_RETURN(const ExprPtr condition, ViewCondition(source));
      if (condition != nullptr && HasColumn(*condition, dropped)) return UsedByView();
    }
    return absl::OkStatus();
  }

  static bool HasColumn(const Expr& expr, int32_t column) {
    return AnyPart(expr, [=](const Expr& part) { return part.kind == ExprKind::kColumn && part.column == column; });
  }

  static bool HasColumns(const TableDef& table) {
    return std::ranges::any_of(table.columns, [](const ColumnDef& column) { return !column.is_key(); });
  }

  // Adds the new columns' families in HBase, and sets the options. Returns whether a family has its first columns now.
  absl::StatusOr<bool> AddFamilies(size_t added) {
    std::set<std::string> families;
    for (size_t i = after_.columns.size() - added; i < after_.columns.size(); ++i)
      if (!after_.columns[i].is_key()) families.insert(after_.columns[i].family);
    bool first = false;
    for (const std::string& name : families)
      first = first ||
              std::ranges::none_of(before_->columns, [&](const ColumnDef& column) { return column.family == name; });
    VAQUITA_RETURN_IF_ERROR(
        ModifyTable(state_->connection.get(), before_->HBaseName(), [&](TableDescriptor* descriptor) {
          const FamilyDescriptor alike =
              descriptor->families.empty() ? NewFamily("") : descriptor->families.begin()->second;
          for (const std::string& name : families) {
            if (descriptor->families.contains(name)) continue;
            FamilyDescriptor& family = descriptor->families[name] = NewFamily(name);
            family.ttl_seconds = alike.ttl_seconds;
            family.keep_deleted_cells = alike.keep_deleted_cells;
            if (const auto scope = alike.attributes.find("REPLICATION_SCOPE"); scope != alike.attributes.end()) {
              family.attributes.insert(*scope);
            }
          }
          for (const TableOption& option : alter_.options)
            VAQUITA_RETURN_IF_ERROR(SetOnFamilies(option, families, descriptor));
          return absl::OkStatus();
        }));
    return first;
  }

  // An option that names no family is one of the new columns' families.
  static absl::Status SetOnFamilies(TableOption option, const std::set<std::string>& families,
                                    TableDescriptor* descriptor) {
    if (!option.family.empty()) return SetHBaseOption(option, descriptor);
    for (const std::string& name : families) {
      option.family = name;
      VAQUITA_RETURN_IF_ERROR(SetHBaseOption(option, descriptor));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<int64_t> Drop() {
    std::vector<ColumnDef> dropped;
    for (const ColumnName& name : alter_.dropped) {
      const int32_t index = after_.FindColumn(name);
      if (index < 0) {
        // One that is missing keeps the others, as in Phoenix.
        if (alter_.if_exists) return 0;
        return ColumnError(ErrorCode::kUndefinedColumn, name.name, alter_.table.ToString());
      }
      const auto column = after_.columns.begin() + index;
      if (column->is_key()) return ColumnError(ErrorCode::kDropOfKeyColumn, column->name);
      VAQUITA_RETURN_IF_ERROR(CheckDroppedInViews(before_->FindColumn({column->family, column->name})));
      if (is_view_ && static_cast<size_t>(index) < before_->inherited) {
        return NotSupported(Concat("ALTER VIEW DROP COLUMN of ", column->name, ", which is its table's"));
      }
      dropped.push_back(*column);
      after_.columns.erase(column);
    }
    VAQUITA_RETURN_IF_ERROR(DropInIndexes());
    VAQUITA_RETURN_IF_ERROR(state_->catalog.Alter(*before_, RowsOfDroppedColumns(*before_, after_)));
    if (is_view_) return 0;  // its rows are the table's
    if (before_->one_cell) {
      if (after_.EmptyCellFamily() != before_->EmptyCellFamily()) VAQUITA_RETURN_IF_ERROR(ChangeRows({}).status());
      return 0;
    }
    return ChangeRows(dropped);
  }

  // An index on a dropped column goes; one that has it beside its key loses it.
  absl::Status DropInIndexes() const {
    if (is_view_) return absl::OkStatus();
    for (const auto& index : before_->indexes) {
      VAQUITA_ASSIGN_OR_RETURN(const std::vector<ExprPtr> expressions, ExpressionsOfIndex(*index, before_, 0));
      TableDef left = *index;
      ++left.changes;
      left.columns.clear();
      bool lost_key = false;
      for (size_t i = 0; i < index->columns.size(); ++i) {
        const bool lost = IsDropped(*expressions[i]);
        lost_key = lost_key || (lost && index->columns[i].is_key());
        if (!lost) left.columns.push_back(index->columns[i]);
      }
      if (lost_key) {
        VAQUITA_RETURN_IF_ERROR(RemoveIndex(state_, *index, *before_));
      } else if (left.columns.size() < index->columns.size()) {
        if (left.EmptyCellFamily() != index->EmptyCellFamily()) {
          return NotSupported(Concat("ALTER TABLE DROP COLUMN of the only column of the family ",
                                     index->EmptyCellFamily(), " in the index ", index->ident.name));
        }
        VAQUITA_RETURN_IF_ERROR(state_->catalog.Alter(*index, RowsOfDroppedColumns(*index, left)));
      }
    }
    return absl::OkStatus();
  }

  // Returns whether the expression needs a column that the table has no more.
  bool IsDropped(const Expr& expr) const {
    return AnyPart(expr, [this](const Expr& part) {
      if (part.kind != ExprKind::kColumn) return false;
      const ColumnDef& column = before_->columns[static_cast<size_t>(part.column)];
      return after_.FindColumn({column.family, column.name}) < 0;
    });
  }

  absl::StatusOr<int64_t> Set() {
    std::vector<TableOption> of_hbase;
    for (const TableOption& option : alter_.options) {
      const bool of_family = IsFamilyOption(option.name);
      if (!option.family.empty() && !of_family) {
        return SqlError(ErrorCode::kFamilyOfTableProperty, Concat("Column Family: ", option.family, ", Property: ",
                                                                  option.name, " tableName=", alter_.table.ToString()));
      }
      if (!option.family.empty() && IsForAllFamilies(option)) {
        return PropertyError(ErrorCode::kPropertyOfFamilies, option);
      }
      VAQUITA_ASSIGN_OR_RETURN(const bool own, SetOwn(option));
      if (!own && is_view_) return NotSupported(Concat("ALTER VIEW SET ", option.name));
      if (!own) of_hbase.push_back(option);
    }
    VAQUITA_RETURN_IF_ERROR(
        ModifyTable(state_->connection.get(), before_->HBaseName(), [&](TableDescriptor* descriptor) {
          for (const TableOption& option : of_hbase) VAQUITA_RETURN_IF_ERROR(SetHBaseOption(option, descriptor));
          return absl::OkStatus();
        }));
    const auto properties = [](const TableDef& def) {
      return std::tuple(def.immutable, def.store_nulls, def.skip_log, def.cache_ms, def.guide_posts_width);
    };
    if (properties(after_) == properties(*before_)) return 0;
    VAQUITA_RETURN_IF_ERROR(state_->catalog.Alter(*before_, RowsOfNewProperties(*before_, after_)));
    return 0;
  }

  // Sets one of Phoenix's properties. Returns false if it is none.
  absl::StatusOr<bool> SetOwn(const TableOption& option) {
    if (option.name == "SALT_BUCKETS") return PropertyError(ErrorCode::kSaltOnlyAtCreation, option);
    if (option.name == "DEFAULT_COLUMN_FAMILY") return PropertyError(ErrorCode::kDefaultFamilyOnlyAtCreation, option);
    // Another form of storage means that all rows are written anew.
    if (option.name == "COLUMN_ENCODED_BYTES") {
      const int64_t bytes = static_cast<int64_t>(before_->encoding);
      if (option.value == Concat(bytes) || (bytes == 0 && SameIgnoringCase(option.value, "NONE"))) return true;
      return NotSupported(Concat("ALTER TABLE SET ", option.name, "=", option.value));
    }
    if (option.name == "IMMUTABLE_STORAGE_SCHEME") {
      const std::string_view now = before_->one_cell ? "SINGLE_CELL_ARRAY_WITH_OFFSETS" : "ONE_CELL_PER_COLUMN";
      if (SameIgnoringCase(option.value, now)) return true;
      return NotSupported(Concat("ALTER TABLE SET ", option.name, "=", option.value));
    }
    VAQUITA_ASSIGN_OR_RETURN(const bool own, SetOwnProperty(option, &after_));
    if (after_.one_cell && !after_.immutable) {
      return NotSupported("IMMUTABLE_ROWS=false of a table that has its columns in one cell");
    }
    return own;
  }

  // Removes the columns' values from all rows. Gives every row an empty cell in the family where it stands now, with
  // the time of the one that it has. Returns the number of rows.
  absl::StatusOr<int64_t> ChangeRows(const std::vector<ColumnDef>& dropped) {
    const bool moves = after_.EmptyCellFamily() != before_->EmptyCellFamily();
    Scan scan;
    scan.columns[before_->EmptyCellFamily()] = {before_->EmptyCellQualifier()};
    const auto change = [&](const client::Result& row) -> std::optional<Action> {
      RowMutations changed = RowChange(row.cells.front(), dropped, moves);
      if (changed.mutations.empty()) return std::nullopt;
      return changed;
    };
    return RewriteRows(state_->connection->GetTable(before_->HBaseName()).get(), scan, change);
  }

  RowMutations RowChange(const Cell& empty, const std::vector<ColumnDef>& dropped, bool moves) const {
    RowMutations change;
    change.row = empty.row;
    if (moves) change.mutations.push_back(PutOfEmptyCell(after_, empty.row, empty.timestamp_ms));
    if (dropped.empty()) return change;
    Mutation& remove = change.mutations.emplace_back();
    remove.type = MutationType::kDelete;
    remove.row = empty.row;
    for (const ColumnDef& column : dropped) {
      Cell& cell = remove.cells.emplace_back();
      cell.family = column.family;
      cell.qualifier = column.qualifier;
      cell.type = CellType::kDeleteColumn;
    }
    return change;
  }

  SessionState* const state_;
  const AlterTable& alter_;
  bool is_view_ = false;
  TablePtr before_;
  std::vector<TablePtr> views_;
  std::set<TableIdent> seen_;  // their names
  TableDef after_;
};

}  // namespace

absl::StatusOr<int64_t> RunAlter(SessionState* state, const AlterTable& alter) {
  for (int attempt = 1;; ++attempt) {
    auto rows = TableAlterer(state, alter).Run();
    if (attempt == kMostAlterations || !IsSqlError(rows.status(), ErrorCode::kConcurrentChange)) return rows;
  }
}

}  // namespace vaquita::sql
