#include "sql/plan/index_choice.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "absl/strings/str_split.h"
#include "base/status.h"
#include "sql/encoding/text.h"
#include "sql/plan/index_columns.h"
#include "sql/plan/resolver.h"
#include "sql/plan/visit.h"

namespace vaquita::sql {
namespace {

// A table of the query, and the table or index that may be read for it.
struct Candidate {
  TablePtr def;                      // null: the table itself
  std::vector<ExprPtr> expressions;  // its columns, over the table
  size_t bound = 0;                  // conditions bound so many columns of its key
  bool whole_key = false;            // and they name whole keys
  int order = 0;                     // 2: its rows have the order that is asked for, 1: the reverse one
  size_t values = 0;                 // it has so many columns outside the key
};

bool IsValue(const Expr& expr) {
  return expr.kind == ExprKind::kLiteral || expr.kind == ExprKind::kParameter ||
         (expr.kind != ExprKind::kRow && IsConstant(expr));
}

class IndexChooser {
 public:
  IndexChooser(const std::string& hints, const Select& all, std::vector<TablePtr>* tables)
      : all_(all), tables_(*tables) {
    hints_ = hints;
    absl::AsciiStrToUpper(&hints_);
    VisitSelect(all, [this](const ExprPtr& expr) {
      visited_.push_back(expr);
      return true;
    });
  }

  absl::Status Choose(const Select& select) {
    if (hints_.find("NO_INDEX") != std::string::npos) return absl::OkStatus();
    for (const Source& from : select.from) {
      if (from.subquery != nullptr) {
        VAQUITA_RETURN_IF_ERROR(Choose(*from.subquery));
        continue;
      }
      VAQUITA_RETURN_IF_ERROR(ChooseFor(select, from));
    }
    for (const SelectPtr& next : select.union_all) VAQUITA_RETURN_IF_ERROR(Choose(*next));
    for (const ExprPtr& expr : visited_)
      if (expr->subquery != nullptr && seen_.insert(expr->subquery.get()).second)
        VAQUITA_RETURN_IF_ERROR(Choose(*expr->subquery));
    return absl::OkStatus();
  }

 private:
  absl::Status ChooseFor(const Select& select, const Source& from) {
    const TablePtr table = tables_[static_cast<size_t>(from.number)];
    if (table->indexes.empty() || table->view != ViewType::kNone || !from.dynamic.empty()) return absl::OkStatus();
    std::vector<ExprPtr> own;
    for (const ColumnDef& column : table->columns)
      own.push_back(ColumnExpr(from.number, static_cast<int32_t>(own.size()), column.name, column.type));
    std::vector<Candidate> candidates;
    candidates.push_back(Rated(select, from, *table, std::move(own)));
    if (candidates[0].whole_key && Hinted(from).empty()) return absl::OkStatus();
    for (const auto& index : table->indexes) {
      if (index->index_state != IndexState::kActive) continue;
      VAQUITA_ASSIGN_OR_RETURN(std::vector<ExprPtr> expressions, ExpressionsOfIndex(*index, table, from.number));
      if (!Covers(expressions, from.number)) continue;
      Candidate candidate = Rated(select, from, *index, std::move(expressions));
      VAQUITA_ASSIGN_OR_RETURN(candidate.def, IndexForQueries(*index, table));
      if (index->ident.name == Hinted(from)) {
        Take(from.number, candidate);
        return absl::OkStatus();
      }
      candidates.push_back(std::move(candidate));
    }
    const auto rank = [](const Candidate& candidate) {
      return std::tuple(-static_cast<int64_t>(candidate.bound), -candidate.order, candidate.values);
    };
    const auto best = std::ranges::min_element(candidates, {}, rank);  // the first of equal ones
    if (best->def != nullptr) Take(from.number, *best);
    return absl::OkStatus();
  }

  // Returns the index that the hint INDEX(table index) names for the source, or nothing.
  std::string Hinted(const Source& from) const {
    const size_t start = hints_.find("INDEX(");
    if (start == std::string::npos) return "";
    const size_t end = hints_.find(')', start);
    if (end == std::string::npos) return "";
    std::string inner = hints_.substr(start + 6, end - start - 6);
    std::ranges::replace(inner, '"', ' ');
    const std::vector<std::string> words = absl::StrSplit(inner, absl::ByAnyChar(" ,\t"), absl::SkipEmpty());
    const std::string alias = from.alias.empty() ? from.table.name : from.alias;
    return words.size() > 1 && words[0] == alias ? words[1] : "";
  }

  // Returns whether all that the statement needs of the source is among the expressions.
  bool Covers(const std::vector<ExprPtr>& expressions, int32_t source) const {
    bool covers = true;
    VisitSelect(all_, [&](const ExprPtr& expr) {
      if (PlaceOf(expressions, *expr) < expressions.size()) return false;
      covers = covers && (expr->kind != ExprKind::kColumn || expr->source != source);
      return covers;
    });
    return covers;
  }

  static size_t PlaceOf(const std::vector<ExprPtr>& expressions, const Expr& expr) {
    const auto found =
        std::ranges::find_if(expressions, [&](const ExprPtr& candidate) { return SameExpression(*candidate, expr); });
    // A query cuts such a quotient off behind its digits, and the index has them all.
    const bool is_cut = found != expressions.end() && AnyPart(expr, [](const Expr& part) { return part.cut; });
    return is_cut ? expressions.size() : static_cast<size_t>(found - expressions.begin());
  }

  // Makes the statement's columns the index's.
  void Take(int32_t source, const Candidate& index) {
    VisitSelect(all_, [&](const ExprPtr& expr) {
      if (done_.contains(expr.get())) return false;
      const size_t place = PlaceOf(index.expressions, *expr);
      if (place == index.expressions.size()) return true;
      expr->kind = ExprKind::kColumn;
      expr->source = source;
      expr->column = static_cast<int32_t>(place);
      expr->text = index.def->columns[place].shown_name;
      expr->type = index.def->columns[place].type;
      expr->children.clear();
      done_.insert(expr.get());
      return false;
    });
    tables_[static_cast<size_t>(source)] = index.def;
  }

  Candidate Rated(const Select& select, const Source& from, const TableDef& def,
                  std::vector<ExprPtr> expressions) const {
    Candidate candidate;
    candidate.expressions = std::move(expressions);
    std::vector<int> bounds(def.columns.size(), 0);  // 1: a range, 2: values
    if (select.where != nullptr) AddBounds(select.where, candidate.expressions, &bounds);
    if (from.on != nullptr) AddBounds(from.on, candidate.expressions, &bounds);
    const std::vector<int32_t> key = def.KeyIndexes();
    size_t equal = 0;
    for (const int32_t column : key) {
      const int bound = bounds[static_cast<size_t>(column)];
      if (bound == 0) break;
      ++candidate.bound;
      if (bound == 1) break;
      ++equal;
    }
    candidate.whole_key = equal == key.size();
    candidate.order = OrderOf(select, def, candidate.expressions, bounds);
    candidate.values = def.columns.size() - key.size();
    return candidate;
  }

  static void AddBounds(const ExprPtr& condition, const std::vector<ExprPtr>& expressions, std::vector<int>* bounds) {
    if (condition->kind == ExprKind::kAnd) {
      for (const ExprPtr& term : condition->children) AddBounds(term, expressions, bounds);
      return;
    }
    if (condition->children.empty()) return;
    const auto bind = [&](const Expr& side, int bound) {
      const size_t place = PlaceOf(expressions, side);
      if (place < expressions.size()) (*bounds)[place] = std::max((*bounds)[place], bound);
    };
    const auto values = [&] {
      return std::all_of(condition->children.begin() + 1, condition->children.end(),
                         [](const ExprPtr& child) { return IsValue(*child); });
    };
    const Expr& first = *condition->children[0];
    switch (condition->kind) {
      case ExprKind::kCompare:
        if (condition->text == "!=") return;
        if (values()) bind(first, condition->text == "=" ? 2 : 1);
        if (IsValue(first)) bind(*condition->children[1], condition->text == "=" ? 2 : 1);
        return;
      case ExprKind::kIn:
        if (!condition->negated && values()) bind(first, 2);
        return;
      case ExprKind::kIsNull:
        bind(first, condition->negated ? 1 : 2);
        return;
      case ExprKind::kBetween:
        if (!condition->negated && values()) bind(first, 1);
        return;
      case ExprKind::kLike: {
        const Expr& pattern = *condition->children[1];
        const bool prefix = pattern.kind == ExprKind::kLiteral &&
                            std::holds_alternative<std::string>(pattern.literal) && !pattern.literal.text().empty() &&
                            pattern.literal.text()[0] != '%' && pattern.literal.text()[0] != '_';
        if (!condition->negated && !condition->ignores_case && prefix) bind(first, 1);
        return;
      }
      default:
        return;
    }
  }

  // Returns how the key's order fits what is asked for, by ORDER BY or else by GROUP BY: 2 forward, 1 reverse, 0 not.
  static int OrderOf(const Select& select, const TableDef& def, const std::vector<ExprPtr>& expressions,
                     const std::vector<int>& bounds) {
    const bool groups = select.order_by.empty();
    const size_t count = groups ? select.group_by.size() : select.order_by.size();
    if (count == 0 || select.from.size() > 1) return 0;
    const std::vector<int32_t> key = def.KeyIndexes();
    size_t position = 0;
    int order = 0;
    for (size_t i = 0; i < count; ++i) {
      const Expr& expr = groups ? *select.group_by[i] : *select.order_by[i].expr;
      const size_t place = PlaceOf(expressions, expr);
      while (position < key.size() && static_cast<size_t>(key[position]) != place &&
             bounds[static_cast<size_t>(key[position])] == 2) {
        ++position;
      }
      if (position == key.size() || static_cast<size_t>(key[position]) != place) return 0;
      const bool descending = !groups && select.order_by[i].descending;
      const int one = groups || descending == def.columns[place].descending ? 2 : 1;
      if (i > 0 && one != order) return 0;
      order = one;
      ++position;
    }
    return order;
  }

  const Select& all_;
  std::vector<TablePtr>& tables_;
  std::string hints_;
  std::vector<ExprPtr> visited_;
  std::set<const Select*> seen_;
  std::set<const Expr*> done_;
};

}  // namespace

absl::Status UseIndexes(const std::string& hints, Select* select, std::vector<TablePtr>* tables) {
  const bool any = std::ranges::any_of(
      *tables, [](const auto& table) { return table != nullptr && !table->indexes.empty() && !table->is_index(); });
  return any ? IndexChooser(hints, *select, tables).Choose(*select) : absl::OkStatus();
}

}  // namespace vaquita::sql
