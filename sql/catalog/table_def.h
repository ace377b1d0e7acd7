// sql/catalog/table_def.h: a table's definition, as SYSTEM.CATALOG stores it.
//
// Threads: values. Source: PTable, PColumn (5.2).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "model/table_name.h"
#include "sql/encoding/qualifier.h"
#include "sql/encoding/row_key.h"
#include "sql/encoding/sql_type.h"
#include "sql/front/ast.h"

namespace vaquita::sql {

struct ColumnDef {
  std::string name;
  std::string family;  // empty: a key column
  SqlType type;
  int32_t array_size = 0;
  bool nullable = true;
  bool descending = false;
  int32_t key_position = 0;  // from 1; 0: not a key column
  std::string qualifier;     // bytes; empty for a key column
  std::string default_text;  // an expression; empty: none
  // A key column of an index has its table's type for queries, and this one in the key if it differs
  // (sql/encoding/index_value.h).
  std::optional<SqlType> type_in_key;
  bool dynamic = false;    // a statement has it alone: the catalog does not know it
  std::string shown_name;  // for EXPLAIN; empty: the name
  bool is_key() const { return key_position > 0; }
};

// The letters are Phoenix's. Building: kept, and not read yet. Inactive: kept, and not read. Disabled: not kept.
enum class IndexState : char { kNone = 0, kBuilding = 'b', kActive = 'a', kInactive = 'i', kDisabled = 'x' };

// The numbers are Phoenix's.
enum class ViewType : uint8_t { kNone = 0, kMapped = 1, kReadOnly = 2, kUpdatable = 3 };

// SQLite, through which queries read, has 2,000 columns for a table, and the row's key and time are two of them.
inline constexpr size_t kMostColumns = 1'998;

struct TableDef;
using TablePtr = std::shared_ptr<const TableDef>;

struct TableDef {
  TableIdent ident;
  ViewType view = ViewType::kNone;  // kMapped: of an HBase table that SQL has not made
  TableIdent base;                  // a view has its rows in this table
  TableIdent parent;                // a view has its columns, too
  size_t inherited = 0;             // so many columns are the parent's, the first ones
  std::string statement;            // a view with a condition has its text: SELECT * FROM "T" WHERE ...
  char type = 'u';                  // u: of users, s: of the system, v: a view, i: an index
  bool immutable = false;
  bool one_cell = false;  // the columns of a family are in one cell (sql/encoding/array_codec.h)
  QualifierEncoding encoding = QualifierEncoding::kTwoBytes;
  int32_t salt_buckets = 0;
  std::string default_family;  // DEFAULT_COLUMN_FAMILY; empty: "0"
  std::string empty_family;    // a view has its table's family of the empty cell; empty: that of the own columns
  std::string key_name;
  bool store_nulls = false;                    // STORE_NULLS: a null is a cell without bytes, not a delete
  bool skip_log = false;                       // DISABLE_WAL
  int64_t cache_ms = 0;                        // UPDATE_CACHE_FREQUENCY: for Phoenix's clients
  std::optional<int64_t> guide_posts_width;    // GUIDE_POSTS_WIDTH: for Phoenix's statistics
  int64_t changes = 0;                         // alterations of the definition
  std::map<std::string, int32_t> next_number;  // a new column gets this one, by QualifierCounter()
  std::vector<ColumnDef> columns;              // in the order of the statement; key columns in the key's order
  // Says why Vaquita cannot write the table (it has a local index, say). Empty: it can.
  std::string not_writable;
  std::vector<std::string> index_names;  // in the table's schema
  std::vector<TablePtr> indexes;         // those that Vaquita keeps; Catalog::Find reads them
  // When the rows of the catalog were written from which this was made: the own one, and those of the tables and views
  // whose columns it has. A table's row is also written when an index comes, goes, or changes.
  std::map<TableIdent, int64_t> written_ms;
  // An index has these: its table's name, its state, and for a query the table itself.
  std::string data_table;
  IndexState index_state = IndexState::kNone;
  TablePtr indexed;

  // Returns the indexes of the key's columns, in the key's order.
  std::vector<int32_t> KeyIndexes() const;
  std::vector<KeyColumn> KeyColumns() const;
  // Returns the family of columns that name none.
  std::string DefaultFamily() const { return default_family.empty() ? kDefaultFamily : default_family; }
  // Returns the column's index; -1 if there is none. Without a family it is the default family's, or the first of that
  // name.
  int32_t FindColumn(const ColumnName& name) const;
  // As FindColumn, for a column that is changed: the table's own name may stand in the place of the family.
  int32_t FindTarget(const ColumnName& name) const;
  // Returns the family of the empty cell, which every row has.
  std::string EmptyCellFamily() const;
  std::string EmptyCellQualifier() const { return sql::EmptyCellQualifier(encoding); }
  // Returns the qualifier of the cell in which a column outside the key is. It lives as long as the column.
  std::string_view CellQualifier(const ColumnDef& column) const {
    return one_cell ? std::string_view(kOneCellQualifier) : column.qualifier;
  }
  // Returns the family under which the numbers of this family's columns are counted: a family that is one cell has
  // numbers of its own.
  std::string QualifierCounter(const std::string& family) const;
  // Gives a new column outside the key its qualifier. Returns NotSupported if the encoding has no more numbers.
  absl::Status GiveQualifier(ColumnDef* column);
  // Sets the counters behind the numbers that columns have: another column with one of them would have their values.
  void SkipUsedNumbers();
  // Returns the families of the columns outside the key, once each; the empty cell's if there are no such columns.
  std::vector<std::string> Families() const;
  // Returns the table that has the rows.
  const TableIdent& Physical() const { return base.name.empty() ? ident : base; }
  TableName HBaseName() const { return {"default", Physical().ToString()}; }
  // Returns NotSupported if there are more columns than kMostColumns.
  absl::Status CheckColumns() const;
  // Returns the memory that the definition takes with its indexes', about.
  int64_t memory_bytes() const;
  bool is_index() const { return type == 'i'; }
  bool is_read_only() const { return view == ViewType::kMapped || view == ViewType::kReadOnly; }
};

}  // namespace vaquita::sql
