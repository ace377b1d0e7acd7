// tests/fuzz/sql_fuzz.cc: a statement, parsed, resolved over a small catalog, and written as SQLite's SQL.
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sql/encoding/sql_error.h"
#include "sql/front/lexer.h"
#include "sql/front/parser.h"
#include "sql/plan/engine_text.h"
#include "sql/plan/resolver.h"
#include "tests/fuzz/fuzz_input.h"

namespace vaquita::sql {
namespace {

// EMP and DEPT have a column of each kind of type.
absl::StatusOr<TablePtr> FindTable(const TableIdent& ident) {
  if (ident.name != "EMP" && ident.name != "DEPT") return SqlError(ErrorCode::kUndefinedTable, ident.ToString());
  static const std::pair<std::string, SqlType> kColumns[] = {{"ID", TypeId::kInteger},
                                                             {"NAME", TypeId::kVarchar},
                                                             {"CODE", SqlType(TypeId::kChar, 3)},
                                                             {"PAY", SqlType(TypeId::kDecimal, 10, 2)},
                                                             {"RATE", TypeId::kDouble},
                                                             {"FIT", TypeId::kBoolean},
                                                             {"HIRED", TypeId::kDate},
                                                             {"SEEN", TypeId::kTimestamp},
                                                             {"PHOTO", TypeId::kVarbinary}};
  TableDef table;
  table.ident = ident;
  for (const auto& [name, type] : kColumns) {
    ColumnDef& column = table.columns.emplace_back();
    column.name = name;
    column.type = type;
    column.family = name == "PAY" ? "F" : "0";
  }
  SqlType numbers = TypeId::kInteger;
  numbers.array = true;
  ColumnDef& array = table.columns.emplace_back();
  array.name = "NUMBERS";
  array.type = numbers;
  array.family = "0";
  for (const size_t key : {size_t{0}, size_t{1}}) {
    table.columns[key].family.clear();
    table.columns[key].key_position = static_cast<int32_t>(key) + 1;
  }
  return std::make_shared<const TableDef>(table);
}

void Plan(Select* select, int32_t parameters) {
  Resolver resolver(FindTable, parameters);
  const auto columns = resolver.ResolveSelect(select);
  if (!columns.ok()) {
    fuzz::Check(!columns.status().message().empty(), "an error has a message");
    return;
  }
  for (const OutputColumn& column : *columns) fuzz::Check(!column.type.Name().empty(), "a column has a type");
  static_cast<void>(EngineQuery(*select));
}

}  // namespace
}  // namespace vaquita::sql

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace vaquita;
  const std::string_view text = fuzz::Input(data, size).Rest();
  static_cast<void>(sql::ParseExpression(text));
  auto statement = sql::ParseStatement(text);
  if (!statement.ok()) {
    fuzz::Check(!statement.status().message().empty(), "an error has a message");
    return 0;
  }
  if (auto* select = std::get_if<sql::Select>(&statement->body)) sql::Plan(select, statement->parameters);
  return 0;
}
