// sql/front/ast.h: the tree that the parser makes of a statement.
//
// Names are upper case unless they were quoted. sql/plan/ gives expressions their types and columns. Ownership:
// expressions are shared, because a rewritten condition may use one twice. Threads: values.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sql/encoding/sql_type.h"
#include "sql/encoding/value.h"

namespace vaquita::sql {

struct Expr;
struct Select;
using ExprPtr = std::shared_ptr<Expr>;
using SelectPtr = std::shared_ptr<Select>;

enum class ExprKind {
  kLiteral,     // `literal`, `text` as written
  kParameter,   // number `parameter`, from 0
  kColumn,      // `qualifier`, `text`
  kArithmetic,  // `text`: + - * / %
  kNegate,
  kConcat,   // two or more
  kCompare,  // `text`: = != < <= > >=
  kAnd,
  kOr,
  kNot,
  kIsNull,      // `negated`
  kLike,        // value, pattern; `negated`, `ignores_case`
  kIn,          // value, items; `negated`
  kInSubquery,  // value; `subquery`, `negated`
  kExists,      // `subquery`, `negated`
  kBetween,     // value, low, high; `negated`
  kCase,        // condition, result, ..., and the rest if their number is odd
  kQuantified,  // value, array or `subquery`; `text` compares: = ANY(...), `negated`: = ALL(...)
  kFunction,    // `text`, `distinct`; COUNT(*) has no children; WITHIN GROUP puts order and direction first
  kCast,        // to `type`
  kArray,       // the elements; `type` is the array's
  kElement,     // array, index
  kRow,         // (a, b)
  kSubquery,    // `subquery`, with one column and at most one row
  kSequence,    // `qualifier` and `text` name it; NEXT takes `literal` values, CURRENT has no literal
};

// In the place of a column's number: the row's whole key, as it is.
inline constexpr int32_t kRowKeyColumn = -2;

struct Expr {
  ExprKind kind = ExprKind::kLiteral;
  std::string text;
  std::vector<ExprPtr> children;
  std::string qualifier;  // a column's table (T or S.T), alias or family
  Value literal;
  SqlType type;
  int32_t parameter = -1;
  bool negated = false;
  bool ignores_case = false;
  bool distinct = false;
  SelectPtr subquery;

  // The number of the statement's source and of its column; a function of a row has a source. sql/plan/ sets them.
  int32_t source = -1;
  int32_t column = -1;
  // A sequence: how many values each row takes; 0 asks for the current value. sql/plan/ sets it.
  int64_t takes = 0;
  bool continues = false;  // + or -: the left operand is the list of operands that this one is the last of
  bool cut = false;        // a DECIMAL's quotient ends behind its type's digits (sql/plan/decimal_types.h)
};

struct TableIdent {
  std::string schema;  // may be empty
  std::string name;
  std::string ToString() const { return schema.empty() ? name : schema + "." + name; }
  friend bool operator==(const TableIdent&, const TableIdent&) = default;
  friend auto operator<=>(const TableIdent&, const TableIdent&) = default;
};

struct SelectItem {
  ExprPtr expr;         // null: all columns
  std::string star_of;  // only the columns of this table or family; empty: all
  std::string alias;
};

enum class JoinKind { kNone, kInner, kLeft, kRight, kFull };

// A column's name in a list of names.
struct ColumnName {
  std::string family;  // empty: any
  std::string name;
};

struct ColumnDeclaration {
  std::string family;  // empty: the default
  std::string name;
  SqlType type;
  int32_t array_size = 0;  // ARRAY[3]
  bool not_null = false;
  bool primary_key = false;
  bool descending = false;
  std::string default_text;  // as written; empty: none
};

// A table or sub-query of FROM.
struct Source {
  TableIdent table;
  SelectPtr subquery;  // set if it is not a table
  std::string alias;
  std::vector<ColumnDeclaration> dynamic;  // columns that the table's definition does not have
  JoinKind join = JoinKind::kNone;         // with those before
  int32_t number = -1;                     // within the statement; set by sql/plan/
  bool has_view_condition = false;         // a view's condition is in the statement; set by sql/plan/
  ExprPtr on;
};

struct OrderItem {
  ExprPtr expr;
  bool descending = false;
  std::optional<bool> nulls_last;
};

struct Select {
  bool distinct = false;
  std::vector<SelectItem> items;
  std::vector<Source> from;
  ExprPtr where;
  std::vector<ExprPtr> group_by;
  ExprPtr having;
  std::vector<SelectPtr> union_all;  // after this one
  std::vector<OrderItem> order_by;   // for all of them
  ExprPtr limit;
  ExprPtr offset;
  bool correlated = false;     // it names columns of a query around it; set by sql/plan/
  std::vector<SqlType> types;  // the columns of a UNION have them in all its queries; set by sql/plan/
};

struct TableOption {
  std::string family;  // empty: of the table, or of all families
  std::string name;
  std::string value;
};

// CREATE TABLE, CREATE VIEW.
struct CreateTable {
  TableIdent table;
  bool is_view = false;
  std::optional<TableIdent> parent;  // a view: the table or view behind AS SELECT * FROM
  ExprPtr where;                     // a view: its condition; may be null
  std::string where_text;            // in the words of SQL
  bool if_not_exists = false;
  bool immutable = false;
  std::vector<ColumnDeclaration> columns;
  std::string key_name;
  std::vector<std::pair<std::string, bool>> key;  // column, descending
  std::vector<TableOption> options;
  std::vector<ExprPtr> splits;
};

// DROP TABLE, DROP VIEW.
struct DropTable {
  TableIdent table;
  bool is_view = false;
  bool if_exists = false;
  bool cascade = false;  // its views go, too
};

enum class AlterKind { kAdd, kDrop, kSet };

struct AlterTable {
  TableIdent table;
  AlterKind kind = AlterKind::kAdd;
  bool of_view = false;                    // ALTER VIEW
  bool if_exists = false;                  // ADD IF NOT EXISTS, DROP COLUMN IF EXISTS
  std::vector<ColumnDeclaration> columns;  // to add
  std::vector<ColumnName> dropped;
  std::vector<TableOption> options;  // to set
};

struct IndexColumn {
  ExprPtr expr;
  bool descending = false;
};

struct CreateIndex {
  std::string name;  // in the table's schema
  TableIdent table;
  bool if_not_exists = false;
  std::vector<IndexColumn> columns;
  std::vector<ColumnName> included;
  std::vector<TableOption> options;
  std::vector<ExprPtr> splits;
};

struct DropIndex {
  std::string name;
  TableIdent table;
  bool if_exists = false;
};

enum class IndexChange { kRebuild, kDisable, kUsable, kUnusable, kActive };

struct AlterIndex {
  std::string name;
  TableIdent table;
  bool if_exists = false;
  IndexChange change = IndexChange::kRebuild;
};

struct CreateSequence {
  TableIdent sequence;
  bool if_not_exists = false;
  ExprPtr start;  // this and the next ones may be null
  ExprPtr increment;
  ExprPtr min;
  ExprPtr max;
  bool cycle = false;
  std::optional<int64_t> cache;
};

struct DropSequence {
  TableIdent sequence;
  bool if_exists = false;
};

struct Upsert {
  TableIdent table;
  std::vector<ColumnName> columns;         // none: all in order
  std::vector<ColumnDeclaration> dynamic;  // those of them that the table's definition does not have
  std::vector<ExprPtr> values;
  SelectPtr select;           // instead of values
  bool on_duplicate = false;  // ON DUPLICATE KEY, UPDATE or IGNORE
  std::vector<std::pair<ColumnName, ExprPtr>> updates;
};

struct Delete {
  TableIdent table;
  ExprPtr where;
  std::vector<OrderItem> order_by;
  ExprPtr limit;
};

struct Statement {
  std::variant<Select, CreateTable, DropTable, AlterTable, CreateIndex, DropIndex, AlterIndex, CreateSequence,
               DropSequence, Upsert, Delete>
      body;
  int32_t parameters = 0;
  std::string text;      // as it was written
  size_t words = 0;      // with its values and symbols
  std::string hints;     // the text between /*+ and */
  bool explain = false;  // its plan is asked for, it does not run
  bool analyze = false;  // with `explain`: it runs, and how many rows it read is asked for, too
};

}  // namespace vaquita::sql
