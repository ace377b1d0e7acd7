// sql/catalog/table_def.h: a table's definition, as SYSTEM.CATALOG stores it.
//
// Threads: values. Source: PTable, PColumn (5.2).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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
  bool is_key() const { return key_position > 0; }
};

struct TableDef {
  TableIdent ident;
  char type = 'u';  // u: of users, s: of the system, v: a view, i: an index
  bool immutable = false;
  bool one_cell = false;  // the columns of a family are in one cell (sql/encoding/array_codec.h)
  QualifierEncoding encoding = QualifierEncoding::kTwoBytes;
  int32_t salt_buckets = 0;
  std::string default_family;  // DEFAULT_COLUMN_FAMILY; empty: "0"
  std::string key_name;
  std::vector<ColumnDef> columns;  // in the order of the statement; key columns in the key's order
  // Says why Vaquita cannot write the table (it has an index, say). Empty: it can.
  std::string not_writable;

  // Returns the indexes of the key's columns, in the key's order.
  std::vector<int32_t> KeyIndexes() const;
  std::vector<KeyColumn> KeyColumns() const;
  // Returns the family of the empty cell, which every row has.
  std::string EmptyCellFamily() const;
  std::string EmptyCellQualifier() const { return sql::EmptyCellQualifier(encoding); }
  // Returns the families of the columns outside the key, once each; the empty cell's if there are no such columns.
  std::vector<std::string> Families() const;
  TableName HBaseName() const { return {"default", ident.ToString()}; }
};

}  // namespace vaquita::sql
