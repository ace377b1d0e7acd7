#include "sql/engine/table_alterer.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/status.h"
#include "client/admin.h"
#include "client/table.h"
#include "sql/catalog/table_rows.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/engine/statements.h"
#include "sql/engine/table_maker.h"
#include "sql/engine/table_options.h"

namespace vaquita::sql {
namespace {

constexpr size_t kRowsOfBatch = 1000;
constexpr int kMostAttempts = 10;  // while others alter the table, too

absl::Status ColumnError(ErrorCode code, std::string_view column) {
  return SqlError(code, Concat("columnName=", column));
}

absl::Status PropertyError(ErrorCode code, const TableOption& option) {
  return SqlError(code, Concat(". Property: ", option.name));
}

class TableAlterer {
 public:
  TableAlterer(SessionState* state, const AlterTable& alter) : state_(state), alter_(alter) {}

  absl::StatusOr<int64_t> Run() {
    VAQUITA_ASSIGN_OR_RETURN(before_, state_->catalog.Find(alter_.table));
    if (alter_.of_view) return SqlError(ErrorCode::kUndefinedTable, Concat("tableName=", alter_.table.ToString()));
    if (before_->type != 'u') {
      return SqlError(ErrorCode::kTableNotMutable, Concat("tableName=", before_->ident.ToString()));
    }
    VAQUITA_RETURN_IF_ERROR(CheckWritable(*before_));
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
    for (const ColumnDeclaration& declared : alter_.columns) VAQUITA_RETURN_IF_ERROR(AddOne(declared));
    const size_t added = after_.columns.size() - before_->columns.size();
    if (added == 0) return 0;
    VAQUITA_ASSIGN_OR_RETURN(const bool new_family, AddFamilies(added));
    VAQUITA_RETURN_IF_ERROR(state_->catalog.Alter(*before_, RowsOfAddedColumns(after_, added)));
    if (!new_family) return 0;
    VAQUITA_ASSIGN_OR_RETURN(const int64_t rows, ChangeRows({}));
    return HasColumns(*before_) ? rows : 0;
  }

  absl::Status AddOne(const ColumnDeclaration& declared) {
    VAQUITA_ASSIGN_OR_RETURN(ColumnDef column, MakeColumn(declared, after_));
    const auto other = std::ranges::find_if(after_.columns, [&](const ColumnDef& candidate) {
      const bool same_place = candidate.is_key() || declared.primary_key || candidate.family == column.family;
      return candidate.name == column.name && same_place;
    });
    if (other != after_.columns.end()) {
      if (alter_.if_exists) return absl::OkStatus();
      const std::string table = alter_.table.ToString();
      return SqlError(ErrorCode::kColumnExists,
                      other->is_key() ? Concat("tableName=", table) : Concat("columnName=", table, ".", column.name));
    }
    if (declared.primary_key) {
      VAQUITA_RETURN_IF_ERROR(AddToKey(declared, &column));
    } else {
      if (!column.nullable && !after_.immutable) return ColumnError(ErrorCode::kNotNullOfNonKey, column.name);
      after_.GiveQualifier(&column);
    }
    after_.columns.push_back(std::move(column));
    return absl::OkStatus();
  }

  // Rows that are there end before the new column, so it must be null in them.
  absl::Status AddToKey(const ColumnDeclaration& declared, ColumnDef* column) const {
    if (declared.not_null) return ColumnError(ErrorCode::kKeyColumnNotNull, column->name);
    const std::vector<int32_t> key = after_.KeyIndexes();
    const ColumnDef& last = after_.columns[static_cast<size_t>(key.back())];
    if (last.type.id == TypeId::kVarbinary || last.type.array) {
      return ColumnError(ErrorCode::kKeyEndsWithVarbinary, last.name);
    }
    if (column->type.FixedWidth() > 0) {
      return SqlError(ErrorCode::kIllegalData,
                      Concat("PK columns may not be both fixed width and nullable: ", column->name));
    }
    if (column->type.array) return NotSupported(Concat("The array ", column->name, " in a key"));
    if (column->type.id == TypeId::kVarbinary && declared.descending) {
      return ColumnError(ErrorCode::kDescendingVarbinary, column->name);
    }
    column->family.clear();
    column->key_position = static_cast<int32_t>(key.size()) + 1;
    column->descending = declared.descending;
    return absl::OkStatus();
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
    VAQUITA_RETURN_IF_ERROR(ModifyTable([&](TableDescriptor* descriptor) {
      const FamilyDescriptor alike = descriptor->families.begin()->second;
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

  absl::Status ModifyTable(const TableChange& change) {
    const auto admin = state_->connection->GetAdmin();
    VAQUITA_ASSIGN_OR_RETURN(const TableDescriptor descriptor, admin->GetDescriptor(before_->HBaseName()));
    TableDescriptor changed = descriptor;
    VAQUITA_RETURN_IF_ERROR(change(&changed));
    return changed == descriptor ? absl::OkStatus() : admin->ModifyTable(changed);
  }

  absl::StatusOr<int64_t> Drop() {
    std::vector<ColumnDef> dropped;
    for (const ColumnName& name : alter_.dropped) {
      const int32_t index = after_.FindColumn(name);
      if (index < 0) {
        // One that is missing keeps the others, as in Phoenix.
        if (alter_.if_exists) return 0;
        return ColumnError(ErrorCode::kUndefinedColumn, Concat(alter_.table.ToString(), ".", name.name));
      }
      const auto column = after_.columns.begin() + index;
      if (column->is_key()) return ColumnError(ErrorCode::kDropOfKeyColumn, column->name);
      dropped.push_back(*column);
      after_.columns.erase(column);
    }
    VAQUITA_RETURN_IF_ERROR(state_->catalog.Alter(*before_, RowsOfDroppedColumns(*before_, after_)));
    if (before_->one_cell) {
      if (after_.EmptyCellFamily() != before_->EmptyCellFamily()) VAQUITA_RETURN_IF_ERROR(ChangeRows({}).status());
      return 0;
    }
    return ChangeRows(dropped);
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
      if (!own) of_hbase.push_back(option);
    }
    VAQUITA_RETURN_IF_ERROR(ModifyTable([&](TableDescriptor* descriptor) {
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
    const auto table = state_->connection->GetTable(before_->HBaseName());
    const bool moves = after_.EmptyCellFamily() != before_->EmptyCellFamily();
    Scan scan;
    scan.columns[before_->EmptyCellFamily()] = {before_->EmptyCellQualifier()};
    VAQUITA_ASSIGN_OR_RETURN(const auto scanner, table->GetScanner(scan));
    std::vector<Action> actions;
    const auto write = [&]() -> absl::Status {
      for (const client::ActionResult& result : table->Batch(actions)) VAQUITA_RETURN_IF_ERROR(result.status);
      actions.clear();
      return absl::OkStatus();
    };
    for (int64_t rows = 0;; ++rows) {
      VAQUITA_ASSIGN_OR_RETURN(const std::optional<client::Result> row, scanner->Next());
      if (!row.has_value() || actions.size() >= kRowsOfBatch) VAQUITA_RETURN_IF_ERROR(write());
      if (!row.has_value()) return rows;
      RowMutations change = RowChange(row->cells.front(), dropped, moves);
      if (!change.mutations.empty()) actions.emplace_back(std::move(change));
    }
  }

  RowMutations RowChange(const Cell& empty, const std::vector<ColumnDef>& dropped, bool moves) const {
    RowMutations change;
    change.row = empty.row;
    if (moves) {
      Mutation& put = change.mutations.emplace_back();
      put.row = empty.row;
      Cell& cell = put.cells.emplace_back();
      cell.family = after_.EmptyCellFamily();
      cell.qualifier = after_.EmptyCellQualifier();
      cell.value = kEmptyCellValue;
      cell.timestamp_ms = empty.timestamp_ms;
    }
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
  std::shared_ptr<const TableDef> before_;
  TableDef after_;
};

}  // namespace

absl::StatusOr<int64_t> RunAlter(SessionState* state, const AlterTable& alter) {
  for (int attempt = 1;; ++attempt) {
    auto rows = TableAlterer(state, alter).Run();
    if (attempt == kMostAttempts || !IsSqlError(rows.status(), ErrorCode::kConcurrentChange)) return rows;
  }
}

}  // namespace vaquita::sql
