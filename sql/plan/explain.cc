#include "sql/plan/explain.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_join.h"
#include "base/saturated.h"
#include "base/status.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/plan/filter_terms.h"
#include "sql/plan/key_slots.h"
#include "sql/plan/resolver.h"
#include "sql/plan/row_order.h"

namespace vaquita::sql {
namespace {

constexpr int64_t kKeyEstimate = 10;    // bytes of a key column that varies
constexpr int64_t kValueEstimate = 50;  // bytes of a value that varies
constexpr int64_t kCellOverhead = 20;   // bytes of a cell in HBase beside its key, family, qualifier and value
// A scan that a LIMIT keeps below this runs region by region: a fifth of a region.
constexpr int64_t kSerialBytes = 2'147'483'648;
// A plan has a parameter's value at each of its places.
constexpr size_t kMostValueBytes = 32 << 20;

int64_t Width(const SqlType& type, int64_t otherwise) { return type.FixedWidth() > 0 ? type.FixedWidth() : otherwise; }

// Returns Phoenix's guess of a row's bytes.
int64_t RowBytes(const TableDef& table) {
  int64_t key = table.salt_buckets > 0 ? 1 : 0;
  for (const ColumnDef& column : table.columns) key += column.is_key() ? Width(column.type, kKeyEstimate) : 0;
  const auto size = [](const std::string& text) { return static_cast<int64_t>(text.size()); };
  int64_t bytes = kCellOverhead + key + size(table.EmptyCellFamily()) + size(table.EmptyCellQualifier());
  for (const ColumnDef& column : table.columns) {
    if (column.is_key()) continue;
    bytes += kCellOverhead + key + size(column.family) + size(column.name) + Width(column.type, kValueEstimate);
  }
  return bytes;
}

std::string Rows(int64_t count) { return Concat(count, count == 1 ? " ROW" : " ROWS"); }

// Returns a clause's value, nullopt if there is no such clause.
std::optional<int64_t> Limit(const ExprPtr& clause, std::span<const Value> parameters) {
  if (clause == nullptr) return std::nullopt;
  const Value& value =
      clause->kind == ExprKind::kParameter ? parameters[static_cast<size_t>(clause->parameter)] : clause->literal;
  // A negative one is none, as in LimitCompiler.
  return value.is_null() || value.integer() < 0 ? std::nullopt : std::optional(value.integer());
}

int64_t BytesOf(int64_t rows, const TableDef& table) { return SaturatedProduct(rows, RowBytes(table)); }

// Calls `visit` with each column of the expression.
void VisitColumns(const Expr& expr, const std::function<void(const Expr&)>& visit) {
  if (expr.kind == ExprKind::kColumn) visit(expr);
  for (const ExprPtr& child : expr.children) VisitColumns(*child, visit);
}

// Returns the bytes of the parameters' values, as often as the expression has them.
size_t ValueBytes(const Expr& expr, std::span<const Value> parameters) {
  size_t bytes = 0;
  if (expr.kind == ExprKind::kParameter && !parameters.empty()) {
    const ValueKind kind = expr.type.kind();
    const Value& value = parameters[static_cast<size_t>(expr.parameter)];
    const bool is_text = kind == ValueKind::kText || kind == ValueKind::kBytes;
    if (is_text && !expr.type.array && !value.is_null()) bytes = value.text().size();
  }
  for (const ExprPtr& child : expr.children) bytes += ValueBytes(*child, parameters);
  return bytes;
}

bool HasRow(const Expr& expr) {
  return AnyPart(expr, [](const Expr& part) { return part.kind == ExprKind::kRow; });
}

ExprPtr AllOf(std::vector<ExprPtr> terms) {
  if (terms.size() < 2) return terms.empty() ? nullptr : terms[0];
  auto all = std::make_shared<Expr>();
  all->kind = ExprKind::kAnd;
  all->type = TypeId::kBoolean;
  all->children = std::move(terms);
  return all;
}

std::string ListText(const std::vector<ExprPtr>& expressions) {
  std::string text;
  for (const ExprPtr& expr : expressions) AppendText(&text, text.empty() ? "[" : ", ", LabelOf(*expr));
  return text + "]";
}

// The properties of a scan that change its words.
struct ScanWords {
  bool round_robin = false;
  bool reverse = false;
  bool serial = false;
  bool one_way = true;          // rows come in the order of their keys
  std::optional<int64_t> page;  // rows after which each scan ends
  std::optional<int64_t> server_offset;
  bool distinct_prefix = false;
};

// One table of the statement, and what is asked of it.
struct TableScan {
  TablePtr table;
  int32_t source = 0;
  std::string alias;
  KeySlots slots;
  bool key_only = true;  // no column outside the key is needed
};

class Explainer {
 public:
  Explainer(const Select& select, const ExplainContext& context) : select_(select), context_(context) {}

  absl::StatusOr<Explanation> Select() {
    VAQUITA_RETURN_IF_ERROR(Prepare());
    if (select_.from.empty()) {
      AddSequences();
      if (!plan_.lines.empty()) plan_.rows = plan_.bytes = 0;
      return std::move(plan_);
    }
    if (scans_[0].slots.never) return Degenerate(scans_[0]);
    VAQUITA_RETURN_IF_ERROR(IsAggregate() ? Aggregate() : Plain());
    AddSequences();
    VAQUITA_RETURN_IF_ERROR(Joins());
    return std::move(plan_);
  }

  // Words the scan of a statement that servers run by themselves, as they aggregate.
  absl::StatusOr<Explanation> ServerSelect() {
    VAQUITA_RETURN_IF_ERROR(Prepare());
    if (scans_[0].slots.never) return Degenerate(scans_[0]);
    VAQUITA_RETURN_IF_ERROR(AddScan(scans_[0], {}, ""));
    return std::move(plan_);
  }

  absl::Status Prepare() {
    VAQUITA_RETURN_IF_ERROR(CheckKnown());
    if (select_.from.empty()) return absl::OkStatus();
    for (const Source& from : select_.from) {
      TableScan& scan = scans_.emplace_back();
      scan.table = context_.tables[static_cast<size_t>(from.number)];
      scan.source = from.number;
      scan.alias = from.alias.empty() ? from.table.name : from.alias;
    }
    joined_ = scans_.size() > 1;
    limit_ = Limit(select_.limit, context_.parameters);
    offset_ = Limit(select_.offset, context_.parameters);
    page_ = limit_.has_value() ? std::optional(SaturatedSum(*limit_, offset_.value_or(0))) : std::nullopt;
    SplitConditions();
    for (size_t i = 0; i < scans_.size(); ++i) {
      scans_[i].slots = MakeKeySlots(*scans_[i].table, scans_[i].source, AllOf(conditions_[i]));
      scans_[i].key_only = !NeedsValues(scans_[i]);
    }
    return MakeOrder();
  }

  // Returns whether the condition names whole keys and nothing else.
  bool IsKeysAlone() const { return scans_[0].slots.point_lookup && scans_[0].slots.filter == nullptr; }

 private:
  absl::Status CheckKnown() const {
    size_t value_bytes = 0;
    const auto check = [&](const ExprPtr& expr) -> absl::Status {
      if (expr == nullptr) return absl::OkStatus();
      value_bytes += ValueBytes(*expr, context_.parameters);
      if (value_bytes > kMostValueBytes) {
        return NotSupported(Concat("EXPLAIN of a statement whose values have more than ", kMostValueBytes, " bytes"));
      }
      if (HasSubquery(*expr)) return NotSupported("EXPLAIN of a sub-query");
      if (HasRow(*expr)) return NotSupported("EXPLAIN of a condition on a row of values");
      return absl::OkStatus();
    };
    for (const Source& from : select_.from) {
      if (from.subquery != nullptr) return NotSupported("EXPLAIN of a sub-query");
      if (from.join == JoinKind::kRight || from.join == JoinKind::kFull) {
        return NotSupported("EXPLAIN of a RIGHT or FULL JOIN");
      }
      VAQUITA_RETURN_IF_ERROR(check(from.on));
    }
    for (const SelectItem& item : select_.items) VAQUITA_RETURN_IF_ERROR(check(item.expr));
    for (const OrderItem& item : select_.order_by) VAQUITA_RETURN_IF_ERROR(check(item.expr));
    for (const ExprPtr& expr : select_.group_by) VAQUITA_RETURN_IF_ERROR(check(expr));
    VAQUITA_RETURN_IF_ERROR(check(select_.having));
    return check(select_.where);
  }

  void AddSequences() {
    const size_t count = context_.sequences;
    if (count == 0) return;
    plan_.lines.push_back(Concat("CLIENT RESERVE VALUES FROM ", count, count == 1 ? " SEQUENCE" : " SEQUENCES"));
  }

  static Explanation Degenerate(const TableScan& scan) {
    return {{Concat("DEGENERATE SCAN OVER ", scan.table->Physical().ToString())}, std::nullopt, std::nullopt};
  }

  const TableScan& ScanOf(int32_t source) const { return *std::ranges::find(scans_, source, &TableScan::source); }

  const ColumnDef& DefOf(const Expr& column) const {
    return ScanOf(column.source).table->columns[static_cast<size_t>(column.column)];
  }

  std::string NameOf(const Expr& column, bool of_join) const {
    const ColumnDef& def = DefOf(column);
    const std::string& name = def.shown_name.empty() ? def.name : def.shown_name;
    if (of_join && joined_) return Concat(ScanOf(column.source).alias, ".", name);
    return def.is_key() || def.family == kDefaultFamily ? name : Concat(def.family, ".", name);
  }

  // Returns the expression as a filter of one table names it; `of_join`, as the whole statement does.
  ExprPtr Planned(const Expr& expr, bool of_join) const {
    return PlannedExpression(
        expr, [&](const Expr& column) { return NameOf(column, of_join); }, context_.parameters);
  }

  // Returns the places in scans_ of the tables in the expression.
  std::set<size_t> TablesOf(const Expr& expr) const {
    std::set<size_t> tables;
    VisitColumns(
        expr, [&](const Expr& column) { tables.insert(static_cast<size_t>(&ScanOf(column.source) - scans_.data())); });
    return tables;
  }

  // Gives each table its conditions, each join its keys, and leaves the rest for after the joins.
  void SplitConditions() {
    conditions_.resize(scans_.size());
    keys_.resize(scans_.size());
    if (select_.where != nullptr && joined_) {
      std::vector<ExprPtr> terms;
      AddTerms(select_.where, &terms);
      for (const ExprPtr& term : terms) SplitTerm(term);
    } else if (select_.where != nullptr) {
      conditions_[0].push_back(Planned(*select_.where, false));
    }
    for (size_t i = 1; i < scans_.size(); ++i) {
      if (select_.from[i].on == nullptr) continue;
      std::vector<ExprPtr> on;
      AddTerms(select_.from[i].on, &on);
      for (const ExprPtr& term : on) {
        if (TablesOf(*term) == std::set<size_t>{i}) {
          conditions_[i].push_back(Planned(*term, false));
        } else if (!TakeJoinKey(*term, i)) {
          unknown_join_ = true;
        }
      }
    }
    SplitHaving();
  }

  void SplitTerm(const ExprPtr& term) {
    const std::set<size_t> tables = TablesOf(*term);
    const size_t table = tables.empty() ? 0 : *tables.rbegin();
    if (tables.size() < 2 && (table == 0 || select_.from[table].join == JoinKind::kInner)) {
      conditions_[table].push_back(Planned(*term, false));
    } else if (tables.size() != 2 || select_.from[table].on != nullptr || !TakeJoinKey(*term, table)) {
      after_join_.push_back(Planned(*term, true));
    }
  }

  // Takes an equality of the table with those before it.
  bool TakeJoinKey(const Expr& term, size_t table) {
    if (term.kind != ExprKind::kCompare || term.text != "=") return false;
    for (const bool swap : {false, true}) {
      const ExprPtr& left = term.children[swap ? 1 : 0];
      const ExprPtr& right = term.children[swap ? 0 : 1];
      const std::set<size_t> before = TablesOf(*left);
      if (before.empty() || *before.rbegin() >= table || TablesOf(*right) != std::set<size_t>{table}) continue;
      keys_[table].emplace_back(left, right);
      return true;
    }
    return false;
  }

  // Conditions of HAVING without an aggregate select rows.
  void SplitHaving() {
    if (select_.having == nullptr) return;
    std::vector<ExprPtr> terms;
    AddTerms(select_.having, &terms);
    std::vector<ExprPtr> rest;
    for (const ExprPtr& term : terms) {
      if (HasAggregate(*term) || joined_) {
        rest.push_back(Planned(*term, true));
      } else {
        conditions_[0].push_back(Planned(*term, false));
      }
    }
    having_ = AllOf(std::move(rest));
  }

  // Calls `visit` with each column that is needed behind the conditions and the joins' keys.
  void VisitOutput(const std::function<void(const Expr&)>& visit) const {
    for (const SelectItem& item : select_.items) VisitColumns(*item.expr, visit);
    for (const ExprPtr& key : select_.group_by) VisitColumns(*key, visit);
    for (const OrderItem& item : select_.order_by) VisitColumns(*item.expr, visit);
    if (select_.having != nullptr) VisitColumns(*select_.having, visit);
  }

  bool NeedsValues(const TableScan& scan) const {
    bool needs = false;
    const auto visit = [&](const Expr& column) {
      needs =
          needs || (column.source == scan.source && !scan.table->columns[static_cast<size_t>(column.column)].is_key());
    };
    VisitOutput(visit);
    for (const std::vector<ExprPtr>& conditions : conditions_)
      for (const ExprPtr& condition : conditions) VisitColumns(*condition, visit);
    for (const ExprPtr& condition : after_join_) VisitColumns(*condition, visit);
    for (const auto& keys : keys_) {
      for (const auto& [left, right] : keys) {
        VisitColumns(*left, visit);
        VisitColumns(*right, visit);
      }
    }
    return needs;
  }

  bool IsAggregate() const { return select_.distinct || IsGrouped(select_); }

  bool HasFunctions() const {
    return having_ != nullptr || HasAggregateOutput(select_) ||
           std::ranges::any_of(select_.order_by, [](const OrderItem& item) { return HasAggregate(*item.expr); });
  }

  // Finds the groups' keys, and whether the rows come in their order and in that of ORDER BY.
  absl::Status MakeOrder() {
    const TableScan& main = scans_[0];
    if (!select_.group_by.empty()) {
      groups_ = select_.group_by;
    } else if (select_.distinct && !HasFunctions()) {
      for (const SelectItem& item : select_.items) groups_.push_back(item.expr);
    } else if (const std::vector<ExprPtr> counted = CountedDistinct();
               !counted.empty() && IsKeyPrefix(main, counted, nullptr)) {
      groups_ = counted;
      one_group_ = true;
    }
    if (select_.distinct && (HasFunctions() || !select_.group_by.empty())) {
      return NotSupported("EXPLAIN of DISTINCT over aggregates");
    }
    groups_in_order_ = !groups_.empty() && IsKeyPrefix(main, groups_, &groups_);
    if (!groups_in_order_) {
      groups_ = SortedGroups(groups_, [this](const Expr& column) { return DefOf(column).nullable; });
    }
    const std::vector<OrderTerm> terms = OrderTerms();
    const bool over_groups = IsAggregate() && !groups_in_order_;
    if (terms.empty()) return absl::OkStatus();
    RowOrder order = RowOrder::kOther;
    if (over_groups) {
      if (IsGroupOrder(terms)) order = RowOrder::kForward;
    } else if (one_source_order_) {
      order = OrderOf(*main.table, main.source, main.slots, terms);
    }
    forward_ = order == RowOrder::kForward;
    reverse_ = order == RowOrder::kReverse;
    sorted_ = order == RowOrder::kOther;
    return absl::OkStatus();
  }

  std::vector<OrderTerm> OrderTerms() {
    std::vector<OrderTerm> terms;
    for (const OrderItem& item : select_.order_by) {
      terms.push_back({item.expr.get(), item.descending, item.nulls_last.value_or(false)});
      one_source_order_ = one_source_order_ && item.expr->kind == ExprKind::kColumn;
      std::string text = LabelOf(*Planned(*item.expr, true));
      if (item.descending) text += " DESC";
      if (item.nulls_last.value_or(false)) text += " NULLS LAST";
      AppendText(&order_text_, order_text_.empty() ? "[" : ", ", text);
    }
    if (!order_text_.empty()) order_text_ += "]";
    return terms;
  }

  // Returns whether the order is that of the groups' keys.
  bool IsGroupOrder(const std::vector<OrderTerm>& terms) const {
    if (terms.size() > groups_.size()) return false;
    for (size_t i = 0; i < terms.size(); ++i) {
      if (terms[i].descending || terms[i].nulls_last || LabelOf(*terms[i].expr) != LabelOf(*groups_[i])) return false;
    }
    return true;
  }

  // Returns the arguments if the query's only output is a COUNT(DISTINCT ...).
  std::vector<ExprPtr> CountedDistinct() const {
    if (select_.items.size() != 1 || select_.having != nullptr) return {};
    const Expr& item = *select_.items[0].expr;
    return item.kind == ExprKind::kFunction && item.text == "COUNT" && item.distinct ? item.children
                                                                                     : std::vector<ExprPtr>();
  }

  // Returns whether the expressions are the first columns of the key that are not fixed by conditions. Puts them in
  // the key's order.
  bool IsKeyPrefix(const TableScan& scan, const std::vector<ExprPtr>& expressions,
                   std::vector<ExprPtr>* ordered) const {
    const std::vector<int32_t> key = scan.table->KeyIndexes();
    std::vector<ExprPtr> found;
    for (size_t i = 0; i < key.size() && found.size() < expressions.size(); ++i) {
      const auto at = std::ranges::find_if(expressions, [&](const ExprPtr& expr) {
        return expr->kind == ExprKind::kColumn && expr->source == scan.source && expr->column == key[i];
      });
      if (at != expressions.end()) {
        found.push_back(*at);
      } else if (!IsFixed(scan.slots, i)) {
        return false;
      }
    }
    if (found.size() != expressions.size()) return false;
    if (ordered != nullptr) *ordered = found;
    return true;
  }

  // Adds the lines of a table's scan.
  absl::Status AddScan(const TableScan& scan, const ScanWords& words, const std::string& indent) {
    const TableDef& table = *scan.table;
    VAQUITA_ASSIGN_OR_RETURN(const std::vector<std::string> starts, context_.region_starts(table));
    const auto [chunks, buckets] = CountChunks(table, scan.slots, starts);
    const size_t ways = table.salt_buckets > 0 && words.one_way ? buckets : (words.one_way ? 1 : chunks);
    std::string line = Concat("CLIENT ", chunks, "-CHUNK ");
    if (const auto rows = EstimateOf(scan, words, ways); rows.has_value()) {
      const int64_t bytes = BytesOf(*rows, table);
      AppendText(&line, *rows, " ROWS ", bytes, " BYTES ");
      if (&scan == scans_.data()) SetEstimate(*rows, bytes);
    }
    AppendText(&line, words.serial ? "SERIAL " : "PARALLEL ", ways, "-WAY ", words.round_robin ? "ROUND ROBIN " : "",
               words.reverse ? "REVERSE " : "", KindOf(table, scan.slots), "OVER ", table.Physical().ToString());
    if (!scan.slots.point_lookup) line += SlotsText(table, scan.slots);
    plan_.lines.push_back(indent + line);
    if (const std::string filter = FilterOf(scan); !filter.empty()) {
      plan_.lines.push_back(Concat(indent, "    SERVER FILTER BY ", filter));
    }
    if (words.distinct_prefix) {
      plan_.lines.push_back(Concat(indent, "    SERVER DISTINCT PREFIX FILTER OVER ", GroupsText()));
    }
    if (words.server_offset.has_value())
      plan_.lines.push_back(Concat(indent, "    SERVER OFFSET ", *words.server_offset));
    if (words.page.has_value()) plan_.lines.push_back(Concat(indent, "    SERVER ", *words.page, " ROW LIMIT"));
    return absl::OkStatus();
  }

  // Returns how many parts of regions the scan reads, and in how many buckets of a salted table they are.
  static std::pair<size_t, size_t> CountChunks(const TableDef& table, const KeySlots& slots,
                                               std::vector<std::string> starts) {
    // The zeros behind a salt (sql/encoding/row_key.h) are below every row of the bucket.
    for (std::string& start : starts)
      if (table.salt_buckets > 0) start.erase(start.find_last_not_of('\0') + 1);
    std::set<std::pair<std::string, char>> chunks;
    std::set<char> buckets;
    VisitRowsOfSlots(table, slots, [&](const RowRange& range) {
      const char bucket = table.salt_buckets > 0 ? range.start[0] : '\0';
      buckets.insert(bucket);
      // From the region of the first row on.
      auto start = std::upper_bound(starts.begin(), starts.end(), range.start);
      if (start != starts.begin()) --start;
      for (; start != starts.end() && (range.stop.empty() || *start < range.stop); ++start) {
        chunks.emplace(*start, bucket);
      }
    });
    return {chunks.size(), buckets.size()};
  }

  static std::string KindOf(const TableDef& table, const KeySlots& slots) {
    if (slots.IsFullScan(table)) return "FULL SCAN ";
    const size_t count =
        slots.Count() * (table.salt_buckets > 0 && !slots.point_lookup ? static_cast<size_t>(table.salt_buckets) : 1);
    if (slots.point_lookup) return Concat("POINT LOOKUP ON ", count, count > 1 ? " KEYS " : " KEY ");
    if (!slots.skip_scan) return "RANGE SCAN ";
    bool ranges = false;
    for (size_t i = 0; i < slots.bound; ++i)
      ranges = ranges || !std::ranges::all_of(slots.slots[i], &SlotRange::IsSingle);
    return Concat("SKIP SCAN ON ", count, ranges ? " RANGE" : " KEY", count > 1 ? "S " : " ");
  }

  std::string FilterOf(const TableScan& scan) const {
    std::string only;
    if (scan.key_only) {
      const std::vector<std::string> families = scan.table->Families();
      const bool first = scan.table->encoding != QualifierEncoding::kNames &&
                         *std::ranges::min_element(families) == scan.table->EmptyCellFamily();
      only = first ? "FIRST KEY ONLY" : "EMPTY COLUMN ONLY";
    }
    if (scan.slots.filter == nullptr) return only;
    return Concat(only, only.empty() ? "" : " AND ", LabelOf(*scan.slots.filter));
  }

  // Returns the rows that the scan reads as far as keys or limits tell; nullopt if they do not.
  static std::optional<int64_t> EstimateOf(const TableScan& scan, const ScanWords& words, size_t ways) {
    std::optional<int64_t> page;
    if (words.page.has_value() && scan.slots.filter == nullptr) {
      page = SaturatedProduct(*words.page, static_cast<int64_t>(words.serial ? 1 : ways));
    }
    if (!scan.slots.point_lookup) return page;
    const auto keys = static_cast<int64_t>(scan.slots.Count());
    return page.has_value() ? std::min(keys, *page) : keys;
  }

  void SetEstimate(int64_t rows, int64_t bytes) {
    if (joined_) return;
    plan_.rows = rows;
    plan_.bytes = bytes;
  }

  std::string GroupsText() const {
    std::vector<ExprPtr> planned;
    for (const ExprPtr& group : groups_) planned.push_back(Planned(*group, true));
    return ListText(planned);
  }

  // A query without groups and aggregates.
  absl::Status Plain() {
    const TableScan& main = scans_[0];
    const bool salted_order = main.table->salt_buckets > 0 && (forward_ || reverse_);
    const bool inner = std::ranges::any_of(select_.from, [](const Source& s) { return s.join == JoinKind::kInner; });
    ScanWords words;
    words.round_robin = select_.order_by.empty();
    words.reverse = reverse_;
    words.one_way = !sorted_;
    if (!sorted_ && !inner && after_join_.empty()) words.page = page_;
    const bool small = words.page.has_value() && BytesOf(*words.page, *main.table) < kSerialBytes &&
                       main.slots.filter == nullptr &&
                       !(main.slots.skip_scan || (main.slots.point_lookup && main.slots.Count() > 1));
    const bool counted = small && !salted_order;
    if (offset_.has_value() && !sorted_ && !salted_order) words.server_offset = offset_;
    words.serial = counted || words.server_offset.has_value();
    VAQUITA_RETURN_IF_ERROR(AddScan(main, words, ""));
    if (counted) SetEstimate(*words.page, BytesOf(*words.page, *main.table));
    if (sorted_) {
      const std::string top = page_.has_value() ? Concat("TOP ", Rows(*page_), " ") : "";
      plan_.lines.push_back(Concat("    SERVER ", top, "SORTED BY ", order_text_));
    }
    if (sorted_ || salted_order) plan_.lines.emplace_back("CLIENT MERGE SORT");
    if (offset_.has_value() && !words.server_offset.has_value()) {
      plan_.lines.push_back(Concat("CLIENT OFFSET ", *offset_));
    }
    if (limit_.has_value()) {
      plan_.lines.push_back(sorted_ ? Concat("CLIENT LIMIT ", *limit_) : Concat("CLIENT ", *limit_, " ROW LIMIT"));
    }
    return absl::OkStatus();
  }

  absl::Status Aggregate() {
    const TableScan& main = scans_[0];
    ScanWords words;
    words.reverse = reverse_ && groups_in_order_;
    words.one_way = groups_.empty() || groups_in_order_;
    words.distinct_prefix = groups_in_order_ && main.key_only && (one_group_ || !HasFunctions()) && !joined_ &&
                            groups_.size() < main.table->KeyIndexes().size();
    if (words.distinct_prefix) words.page = one_group_ ? std::nullopt : page_;
    VAQUITA_RETURN_IF_ERROR(AddScan(main, words, ""));
    if (groups_.empty() || one_group_) {
      plan_.lines.emplace_back("    SERVER AGGREGATE INTO SINGLE ROW");
    } else {
      const bool ends_early =
          page_.has_value() && !sorted_ && having_ == nullptr && (groups_in_order_ || !HasFunctions());
      const std::string limit =
          ends_early ? Concat(" LIMIT ", *page_, *page_ == 1 ? " GROUP" : " GROUPS") : std::string();
      plan_.lines.push_back(Concat("    SERVER AGGREGATE INTO ", groups_in_order_ ? "ORDERED " : "",
                                   "DISTINCT ROWS BY ", GroupsText(), limit));
      if (!groups_in_order_ || main.table->salt_buckets > 0) plan_.lines.emplace_back("CLIENT MERGE SORT");
    }
    if (having_ != nullptr) plan_.lines.push_back(Concat("CLIENT FILTER BY ", LabelOf(*having_)));
    if (sorted_) {
      const std::string offset = offset_.value_or(0) > 0 ? Concat(" OFFSET ", *offset_) : "";
      const std::string top = page_.has_value() ? Concat(" TOP ", Rows(*page_)) : "";
      plan_.lines.push_back(Concat("CLIENT", offset, top, " SORTED BY ", order_text_));
      return absl::OkStatus();
    }
    if (offset_.has_value()) plan_.lines.push_back(Concat("CLIENT OFFSET ", *offset_));
    if (limit_.has_value()) plan_.lines.push_back(Concat("CLIENT ", *limit_, " ROW LIMIT"));
    return absl::OkStatus();
  }

  // The tables behind the first one are read before it, and kept in memory.
  absl::Status Joins() {
    if (!joined_) return absl::OkStatus();
    if (unknown_join_) return NotSupported("EXPLAIN of a join on anything but equality");
    std::vector<std::string> filters;
    for (size_t i = 1; i < scans_.size(); ++i) {
      if (keys_[i].empty()) return NotSupported("EXPLAIN of a join without a condition");
      if (scans_[i].slots.never) return NotSupported("EXPLAIN of a join with a condition that is never true");
      bool delayed = false;
      for (const auto& [left, right] : keys_[i]) delayed = delayed || *TablesOf(*left).rbegin() > 0;
      const bool left_join = select_.from[i].join == JoinKind::kLeft;
      plan_.lines.push_back(Concat("    PARALLEL ", left_join ? "LEFT" : "INNER", "-JOIN TABLE ", i - 1,
                                   delayed ? "(DELAYED EVALUATION)" : "", IsMerged(i) ? "" : " (SKIP MERGE)"));
      ScanWords words;
      words.round_robin = true;
      VAQUITA_RETURN_IF_ERROR(AddScan(scans_[i], words, "        "));
      if (const std::string filter = left_join ? "" : DynamicFilter(i); !filter.empty()) filters.push_back(filter);
    }
    plan_.lines.insert(plan_.lines.end(), filters.begin(), filters.end());
    if (const ExprPtr after = AllOf(after_join_)) {
      plan_.lines.push_back(Concat("    AFTER-JOIN SERVER FILTER BY ", LabelOf(*after)));
    }
    if (page_.has_value() && !IsAggregate() && select_.order_by.empty()) {
      plan_.lines.push_back(Concat("    JOIN-SCANNER ", *page_, " ROW LIMIT"));
    }
    return absl::OkStatus();
  }

  // Returns whether a column of the table is needed behind its join.
  bool IsMerged(size_t table) const {
    bool merged = false;
    const auto visit = [&](const Expr& column) { merged = merged || column.source == scans_[table].source; };
    VisitOutput(visit);
    for (const ExprPtr& condition : after_join_) VisitColumns(*condition, visit);
    for (size_t later = table + 1; later < keys_.size(); ++later)
      for (const auto& [left, right] : keys_[later]) VisitColumns(*left, visit);
    return merged;
  }

  // The rows of an inner join's table bound the scan of the first one if they say its first key columns.
  std::string DynamicFilter(size_t table) const {
    const TableScan& main = scans_[0];
    std::vector<std::string> columns;
    std::vector<std::string> values;
    for (const int32_t index : main.table->KeyIndexes()) {
      const auto key = std::ranges::find_if(keys_[table], [&](const auto& candidate) {
        return candidate.first->kind == ExprKind::kColumn && candidate.first->source == main.source &&
               candidate.first->column == index;
      });
      if (key == keys_[table].end()) break;
      columns.push_back(LabelOf(*Planned(*key->first, true)));
      values.push_back(LabelOf(*Planned(*key->second, true)));
    }
    if (columns.empty()) return "";
    const auto list = [](const std::vector<std::string>& names) {
      const std::string text = absl::StrJoin(names, ", ");
      return names.size() > 1 ? Concat("(", text, ")") : text;
    };
    return Concat("    DYNAMIC SERVER FILTER BY ", list(columns), " IN (", list(values), ")");
  }

  const sql::Select& select_;
  const ExplainContext& context_;
  Explanation plan_;
  std::vector<TableScan> scans_;  // by the order of FROM
  bool joined_ = false;
  std::vector<std::vector<ExprPtr>> conditions_;                // by table
  std::vector<std::vector<std::pair<ExprPtr, ExprPtr>>> keys_;  // by join: the tables before, and its own
  std::vector<ExprPtr> after_join_;
  bool unknown_join_ = false;
  ExprPtr having_;
  std::vector<ExprPtr> groups_;
  bool groups_in_order_ = false;
  bool one_group_ = false;  // COUNT(DISTINCT ...) of the groups' keys
  std::string order_text_;
  bool one_source_order_ = true;
  bool forward_ = false;  // ORDER BY is the order of the scan
  bool reverse_ = false;
  bool sorted_ = false;
  std::optional<int64_t> limit_;
  std::optional<int64_t> offset_;
  std::optional<int64_t> page_;  // limit and offset together
};

// Returns the query number `number` of a UNION with the order and limit of all.
Select PartOfUnion(const Select& select, size_t number) {
  Select part = number == 0 ? select : *select.union_all[number - 1];
  part.union_all.clear();
  part.limit = select.limit;
  part.order_by = select.order_by;
  for (OrderItem& item : part.order_by) {
    const auto place = std::ranges::find(select.items, item.expr, &SelectItem::expr);
    item.expr = part.items[static_cast<size_t>(place - select.items.begin())].expr;
  }
  return part;
}

absl::StatusOr<Explanation> ExplainUnion(const Select& select, const ExplainContext& context) {
  if (select.offset != nullptr) return NotSupported("EXPLAIN of a UNION with an OFFSET");
  Explanation plan;
  const size_t count = select.union_all.size() + 1;
  plan.lines.push_back(Concat("UNION ALL OVER ", count, " QUERIES"));
  plan.rows = plan.bytes = 0;
  for (size_t i = 0; i < count; ++i) {
    VAQUITA_ASSIGN_OR_RETURN(const Explanation part, Explainer(PartOfUnion(select, i), context).Select());
    for (const std::string& line : part.lines) plan.lines.push_back("    " + line);
    const auto sum = [](std::optional<int64_t> a, std::optional<int64_t> b) {
      return a.has_value() && b.has_value() ? std::optional(SaturatedSum(*a, *b)) : std::nullopt;
    };
    plan.rows = sum(plan.rows, part.rows);
    plan.bytes = sum(plan.bytes, part.bytes);
  }
  const std::optional<int64_t> limit = Limit(select.limit, context.parameters);
  if (!select.order_by.empty()) plan.lines.emplace_back("CLIENT MERGE SORT");
  if (limit.has_value()) {
    plan.lines.push_back(select.order_by.empty() ? Concat("CLIENT ", *limit, " ROW LIMIT")
                                                 : Concat("CLIENT LIMIT ", *limit));
  }
  return plan;
}

}  // namespace

absl::StatusOr<Explanation> ExplainSelect(const Select& select, const ExplainContext& context) {
  return select.union_all.empty() ? Explainer(select, context).Select() : ExplainUnion(select, context);
}

absl::StatusOr<Explanation> ExplainDelete(const Select& select, const ExplainContext& context) {
  // The rows of indexes are found by the client.
  const bool indexed = context.tables[0]->is_index() || !context.tables[0]->indexes.empty();
  const bool server = context.auto_commit && select.limit == nullptr && !indexed;
  if (select.limit == nullptr) {
    Explainer keys(select, context);
    VAQUITA_RETURN_IF_ERROR(keys.Prepare());
    if (keys.IsKeysAlone()) return Explanation{{"DELETE SINGLE ROW"}, 0, 0};
  }
  Explainer explainer(select, context);
  VAQUITA_ASSIGN_OR_RETURN(Explanation plan, server ? explainer.ServerSelect() : explainer.Select());
  plan.lines.insert(plan.lines.begin(), server ? "DELETE ROWS SERVER SELECT" : "DELETE ROWS CLIENT SELECT");
  return plan;
}

Explanation ExplainUpsertValues(const ExplainContext& context) {
  Explanation plan{{}, 0, 0};
  if (context.sequences > 0) plan.lines.push_back(Concat("CLIENT RESERVE ", context.sequences, " SEQUENCES"));
  plan.lines.emplace_back("PUT SINGLE ROW");
  return plan;
}

absl::StatusOr<Explanation> ExplainUpsertSelect(const Select& select, const TableIdent& into,
                                                const ExplainContext& context) {
  const bool plain = select.union_all.empty() && select.from.size() == 1 && select.limit == nullptr &&
                     select.offset == nullptr && !select.distinct && !IsGrouped(select);
  const auto indexed = [&] {
    const TableDef& table = *context.tables[static_cast<size_t>(select.from[0].number)];
    return table.is_index() || !table.indexes.empty();
  };
  const bool server = context.auto_commit && plain && select.from[0].table == into && !indexed();
  VAQUITA_ASSIGN_OR_RETURN(Explanation plan,
                           server ? Explainer(select, context).ServerSelect() : ExplainSelect(select, context));
  if (select.from.empty()) plan.rows = plan.bytes = 0;
  plan.lines.insert(plan.lines.begin(), server ? "UPSERT ROWS" : "UPSERT SELECT");
  return plan;
}

}  // namespace vaquita::sql
