// sql/plan/resolver.h: gives a statement's expressions their columns and types, by Phoenix's rules.
//
// It works on the parser's tree in place. Each table and sub-query of a FROM gets a number of its own within the
// statement. Threads: one at a time. Source: ExpressionCompiler, FromCompiler (5.2).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "sql/catalog/table_def.h"
#include "sql/front/ast.h"
#include "sql/plan/expression_parts.h"
#include "sql/plan/functions.h"

namespace vaquita::sql {

using TableFinder = std::function<absl::StatusOr<TablePtr>(const TableIdent&)>;

// A column of a query's result.
struct OutputColumn {
  std::string label;
  std::string name;  // the table column's name, if the output is a column
  SqlType type;
  bool nullable = true;
  bool case_sensitive = false;  // Phoenix: the expression has no column
  std::string table;            // the first table of FROM; empty without FROM
};

// A table or sub-query of FROM.
struct ResolvedSource {
  int32_t number = 0;
  std::string alias;
  TablePtr table;                     // or
  std::vector<OutputColumn> columns;  // a sub-query's
};

// The sources that names may refer to: a query's own, and those of the queries around it.
struct Scope {
  std::vector<ResolvedSource> sources;
  const Scope* outer = nullptr;
  Select* select = nullptr;   // the query; null: it is no query
  bool with_aliases = false;  // in GROUP BY, HAVING and ORDER BY a name may be that of an output of the query
};

class Resolver {
 public:
  // `parameters` is the number of the statement's parameters.
  Resolver(TableFinder find, int32_t parameters)
      : find_(std::move(find)), parameter_types_(static_cast<size_t>(parameters)) {}

  // Resolves the query with all its parts, and expands its stars. Returns its columns.
  absl::StatusOr<std::vector<OutputColumn>> ResolveSelect(Select* select, const Scope* outer = nullptr);
  // Resolves a query of one source's rows, whose columns are resolved already: its condition, order and limit.
  absl::Status ResolveRows(Select* select, const ResolvedSource& source);
  // Resolves an expression over the scope. A parameter has the type `wanted` if nothing else gives it one.
  absl::Status Resolve(Expr* expr, const Scope& scope, const SqlType& wanted = {});
  // Returns the table as it is for the whole statement, whatever ALTER TABLE does meanwhile. Errors are the finder's.
  absl::StatusOr<TablePtr> Find(const TableIdent& table);
  // Gives the table of a statement such as UPSERT its number. `dynamic` are columns for this statement alone.
  absl::StatusOr<ResolvedSource> AddTable(const TableIdent& table, const std::string& alias,
                                          const std::vector<ColumnDeclaration>& dynamic = {});

  // Returns the statement's sequences, each with the most values that a row takes.
  const std::map<TableIdent, int64_t>& sequences() const { return sequences_; }
  // Resolves an output of the statement itself, where NEXT VALUE FOR may stand.
  absl::Status ResolveOutput(Expr* expr, const Scope& scope, const SqlType& wanted = {});
  // Makes CURRENT VALUE FOR a sequence the same as its NEXT VALUE FOR in the same row.
  void JoinSequences(const std::vector<ExprPtr>& outputs) const;

  // Returns the types of the parameters; NULL for a parameter whose type the statement does not determine.
  const std::vector<SqlType>& parameter_types() const { return parameter_types_; }
  // Returns the tables by their numbers; null where a number is a sub-query's.
  const std::vector<TablePtr>& tables() const { return tables_; }

 private:
  absl::StatusOr<std::vector<OutputColumn>> ResolveQuery(Select* select, const Scope* outer);
  absl::Status ResolveUnion(Select* select, const Scope* outer, std::vector<OutputColumn>* columns);
  absl::Status ResolveItems(Select* select, const Scope& scope, std::vector<OutputColumn>* columns);
  absl::Status ResolveCondition(Expr* expr, const Scope& scope);
  absl::Status ResolveWhere(Select* select, const Scope& scope);
  absl::Status ResolveLimit(Expr* limit, const Scope& scope);
  absl::Status AddViewConditions(Select* select, const Scope& scope);
  absl::Status ResolveColumn(Expr* expr, const Scope& scope);
  absl::StatusOr<ExprPtr> AliasedOutput(const Expr& expr, const Scope& scope);
  // This is in sql/plan/arithmetic_resolver.cc.
  absl::Status ResolveArithmetic(Expr* expr, const Scope& scope);
  absl::Status ResolveConcat(Expr* expr, const Scope& scope);
  // These are in sql/plan/from_resolver.cc, as AddTable is.
  absl::Status CheckSources() const;
  absl::Status ResolveFrom(Select* select, Scope* scope);
  // These are in sql/plan/function_resolver.cc.
  absl::Status ResolveFunction(Expr* expr, const Scope& scope);
  absl::Status ResolveArguments(Expr* call, const FunctionRow& function, const Scope& scope);
  absl::Status ResolveArray(Expr* expr, const Scope& scope);
  absl::Status ResolveElement(Expr* expr, const Scope& scope);
  absl::Status ResolveQuantified(Expr* expr, const Scope& scope);
  absl::Status ResolveCast(Expr* expr, const Scope& scope);

  absl::Status ResolveComparable(Expr* expr, const std::vector<Expr*>& sides, const Scope& scope);
  absl::Status ResolveIn(Expr* expr, const Scope& scope);
  absl::Status ResolveCase(Expr* expr, const Scope& scope);
  absl::Status ResolveParameter(Expr* expr, const SqlType& wanted);
  absl::Status ResolveChildren(Expr* expr, const Scope& scope, const SqlType& wanted);
  absl::Status ResolveSequence(Expr* expr);
  // Returns Phoenix's error for a sequence where none may be.
  static absl::Status MisplacedSequence(const Expr& sequence);
  // These are in sql/plan/order_resolver.cc.
  const ColumnDef* DefinitionOf(const Expr& column) const;  // null if it is a sub-query's
  bool MayBeNull(const Expr& expr) const;                   // as Phoenix tells drivers
  bool SortsNulls(const Expr& expr, const Select& select) const;
  absl::Status ResolveOrder(Select* select, const Scope& scope);
  absl::Status ResolveOrderItem(OrderItem* item, const Select& select, const Scope& scope);
  absl::Status CheckGroups(const Select& select);

  TableFinder find_;
  std::map<TableIdent, TablePtr> found_;
  std::vector<SqlType> parameter_types_;
  std::vector<TablePtr> tables_;
  std::map<TableIdent, int64_t> sequences_;
  bool in_source_ = false;  // in a sub-query of FROM
  bool in_output_ = false;  // NEXT VALUE FOR may stand here
  int64_t aliased_ = 0;     // parts and bytes that stand in the place of aliases
  int64_t compared_ = 0;    // parts of groups and orders with others
  int64_t sorted_ = 0;      // parts of orders for the queries of a UNION
};

// Resolves the condition of a view, over the source. Returns Phoenix's errors, and NotSupported for a sub-query.
absl::Status ResolveViewCondition(Expr* condition, ResolvedSource source);
// Returns a view's condition, over the source; null if it has none.
absl::StatusOr<ExprPtr> ViewCondition(const ResolvedSource& view);

// Returns an expression's text as Phoenix labels a column: "COUNT(1)", "(ID / 2)".
std::string LabelOf(const Expr& expr);
// Returns TypeMismatch for two types that the expression brings together.
absl::Status MismatchIn(const SqlType& a, const SqlType& b, const Expr& expr);

// Returns the error for a literal or parameter that was `refused` as the column's value: TypeMismatch if the column's
// type has no number so large, or no time of that text.
absl::Status ErrorOfGiven(const SqlType& type, const ColumnDef& column, const Value& given,
                          const absl::Status& refused);

// Returns the type to which a comparison or CASE converts both; nullopt if they have none in common.
std::optional<SqlType> CommonType(const SqlType& a, const SqlType& b);
// Returns the same for results of a CASE or elements of an array; TypeMismatch if they have none in common.
absl::StatusOr<SqlType> TypeOfResults(const SqlType& a, const SqlType& b);
// Returns the type in which two sides are compared: the common one, but that of a FLOAT if the other side is a number
// that Phoenix knows before it reads rows: a constant, or that of a sub-query. So 0.1 is the FLOAT next to it. A known
// text becomes a CHAR by the side of one, without the blanks at its end.
std::optional<SqlType> ComparedType(const Expr& left, const Expr& right);
// Returns the types of a resolved sub-query's columns.
std::vector<SqlType> TypesOfRows(const Select& subquery);
// Returns the type of a parameter that is compared with a value of the type: it may have more digits or characters.
SqlType ComparedParameter(SqlType type);
// Returns likewise the type of a parameter that may be the result in place of a value of `type`: it may be longer.
SqlType ParameterBeside(const SqlType& type);
// Fills literals up to the width of a BINARY column that they are compared with. Phoenix does that for columns of a
// key, and in IN.
void PadLiterals(const std::vector<Expr*>& sides);
// Returns the type in which the first expression of IN is compared with the others.
SqlType ComparedType(const std::vector<ExprPtr>& value_and_list);

}  // namespace vaquita::sql
