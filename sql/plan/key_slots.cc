#include "sql/plan/key_slots.h"

#include <algorithm>
#include <limits>
#include <unordered_set>
#include <utility>

#include "absl/strings/str_replace.h"
#include "model/row_after_prefix.h"
#include "sql/encoding/date_text.h"
#include "sql/encoding/index_value.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_codec.h"
#include "sql/plan/filter_terms.h"
#include "sql/plan/key_ranges.h"

namespace vaquita::sql {
namespace {

using Ranges = std::vector<SlotRange>;

// One condition's part in one key column's values.
struct Slot {
  int32_t position = -1;  // in the key; -1: nothing
  Ranges ranges;
  bool exact = true;  // the ranges are all that it says
};

SqlType TypeInKey(const ColumnDef& column) { return column.type_in_key.value_or(column.type); }

// Returns the next bytes of the same length; nullopt if there are none.
std::optional<std::string> NextBytes(std::string bytes) {
  for (size_t i = bytes.size(); i-- > 0;)
    if (++bytes[i] != '\0') return bytes;
  return std::nullopt;
}

bool LowerFirst(const SlotRange& a, const SlotRange& b) {
  if (!a.low.has_value() || !b.low.has_value()) return !a.low.has_value() && b.low.has_value();
  return *a.low < *b.low || (*a.low == *b.low && a.low_inclusive && !b.low_inclusive);
}

bool IsEmpty(const SlotRange& range) {
  if (!range.low.has_value() || !range.high.has_value()) return false;
  return *range.low > *range.high || (*range.low == *range.high && !range.IsSingle() && !range.is_null);
}

SlotRange Both(const SlotRange& a, const SlotRange& b) {
  SlotRange both = LowerFirst(a, b) ? b : a;
  const SlotRange& end = !b.high.has_value() || (a.high.has_value() && *a.high < *b.high) ? a : b;
  both.high = end.high;
  both.high_inclusive = end.high_inclusive;
  if (a.high == b.high) both.high_inclusive = a.high_inclusive && b.high_inclusive;
  both.is_not_null = a.is_not_null && b.is_not_null;
  return both;
}

bool IsBelow(const SlotRange& a, const SlotRange& b) {
  return a.high.has_value() && b.low.has_value() && *a.high < *b.low;
}

// The ranges of each list are sorted and do not overlap.
Ranges Intersection(const Ranges& a, const Ranges& b) {
  Ranges result;
  size_t first = 0;
  for (const SlotRange& x : a) {
    while (first < b.size() && IsBelow(b[first], x)) ++first;
    for (size_t i = first; i < b.size() && !IsBelow(x, b[i]); ++i)
      if (SlotRange both = Both(x, b[i]); !IsEmpty(both)) result.push_back(std::move(both));
  }
  return result;
}

// Sorts the ranges, and makes one of those that overlap.
Ranges Coalesced(Ranges ranges) {
  std::ranges::sort(ranges, LowerFirst);
  Ranges result;
  for (SlotRange& range : ranges) {
    if (!result.empty() && !IsEmpty(Both(result.back(), range))) {
      SlotRange& last = result.back();
      if (last.high.has_value() && (!range.high.has_value() || *range.high > *last.high)) {
        last.high = range.high;
        last.high_inclusive = range.high_inclusive;
      }
    } else {
      result.push_back(std::move(range));
    }
  }
  return result;
}

class SlotMaker {
 public:
  SlotMaker(const TableDef& table, int32_t source) : table_(table), source_(source), key_(table.KeyIndexes()) {}

  Slot Of(const Expr& term) const {
    switch (term.kind) {
      case ExprKind::kCompare:
        return OfComparison(term);
      case ExprKind::kBetween:
        return OfBetween(term);
      case ExprKind::kIn:
        return OfList(term);
      case ExprKind::kLike:
        return OfLike(term);
      case ExprKind::kIsNull:
        return OfNull(term);
      case ExprKind::kOr:
        return OfAlternatives(term);
      case ExprKind::kAnd:
        return OfAll(term);
      default:
        return {};
    }
  }

 private:
  int32_t PositionOf(const Expr& expr) const {
    if (expr.kind != ExprKind::kColumn || expr.source != source_) return -1;
    const auto found = std::ranges::find(key_, expr.column);
    return found == key_.end() ? -1 : static_cast<int32_t>(found - key_.begin());
  }

  const ColumnDef& ColumnOf(const Expr& expr) const { return table_.columns[static_cast<size_t>(expr.column)]; }

  // Returns the range of `column op value`; none if the column has no such value.
  Ranges Bounded(const Expr& expr, std::string_view op, const Value& value) const {
    const ColumnDef& column = ColumnOf(expr);
    const SqlType type = TypeInKey(column);
    std::string bytes = EncodeValue(type, ToIndexValue(column.type, type, value));
    if (column.descending) bytes = Inverted(std::move(bytes));
    const bool up = (op[0] == '>') != column.descending;
    const bool inclusive = op.size() == 2 || op == "=";
    SlotRange range;
    if (op == "=" || up) range.low = bytes;
    if (op == "=" || !up) range.high = bytes;
    range.low_inclusive = range.high_inclusive = inclusive;
    // Bytes of one length have a next value.
    if (op != "=" && up && !inclusive && type.FixedWidth() > 0) {
      range.low = NextBytes(std::move(bytes));
      range.low_inclusive = true;
      if (!range.low.has_value()) return {};
    }
    return {range};
  }

  // Returns nullopt if the column's type cannot have the value.
  std::optional<Value> InColumn(const Expr& column, const Expr& literal) const {
    if (literal.kind != ExprKind::kLiteral || literal.literal.is_null()) return std::nullopt;
    auto value = CoerceValue(literal.type, ColumnOf(column).type, literal.literal, "");
    if (!value.ok() || value->is_null()) return std::nullopt;
    return *std::move(value);
  }

  Slot OfComparison(const Expr& term) const {
    const Expr& column = *term.children[0];
    Slot slot = {PositionOf(column)};
    if (slot.position < 0 || term.text == "!=" || term.children[1]->kind != ExprKind::kLiteral) return {};
    const std::optional<Value> value = InColumn(column, *term.children[1]);
    if (value.has_value()) {
      slot.ranges = Bounded(column, term.text, *value);
    } else if (term.text != "=") {
      return {};
    }
    return slot;
  }

  Slot OfBetween(const Expr& term) const {
    const Expr& column = *term.children[0];
    Slot slot = {PositionOf(column)};
    const auto low = slot.position < 0 ? std::nullopt : InColumn(column, *term.children[1]);
    const auto high = slot.position < 0 ? std::nullopt : InColumn(column, *term.children[2]);
    if (!low.has_value() || !high.has_value()) return {};
    slot.ranges = Intersection(Bounded(column, ">=", *low), Bounded(column, "<=", *high));
    return slot;
  }

  Slot OfList(const Expr& term) const {
    const Expr& column = *term.children[0];
    Slot slot = {PositionOf(column)};
    if (slot.position < 0) return {};
    for (size_t i = 1; i < term.children.size(); ++i) {
      if (term.children[i]->kind != ExprKind::kLiteral) return {};
      const std::optional<Value> value = InColumn(column, *term.children[i]);
      if (value.has_value()) slot.ranges.push_back(Bounded(column, "=", *value)[0]);
    }
    slot.ranges = Coalesced(std::move(slot.ranges));
    return slot;
  }

  Slot OfLike(const Expr& term) const {
    const Expr& column = *term.children[0];
    Slot slot = {PositionOf(column)};
    if (slot.position < 0 || term.ignores_case || term.children[1]->kind != ExprKind::kLiteral) return {};
    const std::string pattern = term.children[1]->literal.is_null() ? "" : term.children[1]->literal.text();
    const size_t wild = pattern.find_first_of("%_\\");
    if (wild == 0 || pattern.empty()) return {};
    const std::string prefix = pattern.substr(0, wild);
    if (wild == std::string::npos) {
      const std::optional<Value> value = InColumn(column, *term.children[1]);
      if (value.has_value()) slot.ranges = Bounded(column, "=", *value);
      return slot;
    }
    slot.exact = wild + 1 == pattern.size() && pattern[wild] == '%';
    slot.ranges = Bounded(column, ">=", Value(prefix));
    const std::string after = RowAfterPrefix(prefix);
    if (!after.empty()) slot.ranges = Intersection(slot.ranges, Bounded(column, "<", Value(after)));
    return slot;
  }

  Slot OfNull(const Expr& term) const {
    Slot slot = {PositionOf(*term.children[0])};
    if (slot.position < 0) return {};
    if (!ColumnOf(*term.children[0]).nullable) return term.negated ? Slot{} : slot;
    SlotRange range;
    range.is_null = !term.negated;
    range.is_not_null = term.negated;
    if (range.is_null) range.low = range.high = "";
    slot.ranges = {range};
    return slot;
  }

  // Returns the ranges of all alternatives if they are about one column.
  Slot OfAlternatives(const Expr& term) const {
    Slot all;
    for (const ExprPtr& child : term.children) {
      Slot one = Of(*child);
      if (one.position < 0 || (all.position >= 0 && one.position != all.position)) return {};
      all.position = one.position;
      all.exact = all.exact && one.exact;
      std::ranges::move(one.ranges, std::back_inserter(all.ranges));
    }
    all.ranges = Coalesced(std::move(all.ranges));
    return all;
  }

  // Returns what several conditions on one column say together.
  Slot OfAll(const Expr& term) const {
    Slot all;
    for (const ExprPtr& child : term.children) {
      Slot one = Of(*child);
      if (one.position < 0 || (all.position >= 0 && one.position != all.position)) return {};
      all.ranges = all.position < 0 ? std::move(one.ranges) : Intersection(all.ranges, one.ranges);
      all.position = one.position;
      all.exact = all.exact && one.exact;
    }
    return all;
  }

  const TableDef& table_;
  const int32_t source_;
  const std::vector<int32_t> key_;
};

// The conditions of one key column together, and those that the ranges express wholly.
struct ColumnSlot {
  bool set = false;
  Ranges ranges;
  std::vector<const Expr*> exact;
};

// Decides from the first column on which ranges bound the scan, and which conditions they make needless.
void Choose(std::vector<ColumnSlot> columns, KeySlots* made, std::unordered_set<const Expr*>* needless) {
  bool unbound = false;
  bool range = false;
  bool several = false;
  for (ColumnSlot& column : columns) {
    if (!column.set) {
      unbound = range = true;
      made->slots.push_back({SlotRange()});
      continue;
    }
    several = several || column.ranges.size() > 1;
    made->skip_scan = made->skip_scan || (!unbound && (range || several));
    const bool inexact = !made->skip_scan && (unbound || range || several);
    for (const SlotRange& one : column.ranges) {
      if (one.IsUnbound()) unbound = range = true;
      if (!one.IsSingle()) range = true;
    }
    if (!inexact) needless->insert(column.exact.begin(), column.exact.end());
    made->slots.push_back(std::move(column.ranges));
  }
  for (const Ranges& ranges : made->slots) {
    if (ranges.size() == 1 && !ranges[0].low.has_value() && !ranges[0].high.has_value() && !ranges[0].is_not_null) {
      break;
    }
    ++made->bound;
    if (std::ranges::any_of(ranges, &SlotRange::IsUnbound)) break;
  }
}

std::string ValueText(const SqlType& type, const Value& value) {
  switch (type.kind()) {
    case ValueKind::kInteger:
      return Concat(value.integer());
    case ValueKind::kBoolean:
      return value.integer() != 0 ? "true" : "false";
    case ValueKind::kReal: {
      char text[40];
      const bool narrow = type.FixedWidth() == 4;
      for (int digits = 1; digits <= 17; ++digits) {
        snprintf(text, sizeof(text), "%.*g", digits, value.real());
        if (narrow ? strtof(text, nullptr) == static_cast<float>(value.real()) : strtod(text, nullptr) == value.real())
          break;
      }
      const std::string digits = text;
      return digits.find_first_of(".e") == std::string::npos ? digits + ".0" : digits;
    }
    case ValueKind::kDecimal:
      return value.decimal().ToPlainString();
    case ValueKind::kMillis:
      return Concat("'", FormatByPattern(value.integer(), kDatePattern).value_or(""), "'");
    case ValueKind::kTimestamp:
      return Concat("'", FormatByPattern(value.timestamp().ms, kDatePattern).value_or(""), "'");
    case ValueKind::kText:
      return Concat("'", absl::StrReplaceAll(value.text(), {{"'", "''"}}), "'");
    default:
      return Concat("X'", Hex(value.text()), "'");
  }
}

std::string BoundText(const ColumnDef& column, const SlotRange& range, const std::optional<std::string>& bound) {
  if (range.is_null) return "null";
  if (range.is_not_null) return "not null";
  if (!bound.has_value()) return "*";
  const std::string bytes = column.descending ? Inverted(*bound) : *bound;
  // CHAR loses its blanks when it is decoded.
  const SqlType type = TypeInKey(column);
  if (type.id == TypeId::kChar) return ValueText(TypeId::kVarchar, Value(bytes));
  const auto value = DecodeValue(type, bytes);
  return Concat(column.descending ? "~" : "", value.ok() ? ValueText(type, *value) : Concat("X'", Hex(bytes), "'"));
}

}  // namespace

size_t KeySlots::Count() const {
  size_t count = 1;
  for (size_t i = 0; i < bound; ++i)
    if (__builtin_mul_overflow(count, slots[i].size(), &count)) return std::numeric_limits<int32_t>::max();
  return std::min<size_t>(count, std::numeric_limits<int32_t>::max());
}

KeySlots MakeKeySlots(const TableDef& table, int32_t source, const ExprPtr& condition) {
  KeySlots made;
  if (condition == nullptr) return made;
  const SlotMaker maker(table, source);
  std::vector<ExprPtr> terms;
  AddTerms(condition, &terms);
  std::vector<ColumnSlot> columns(table.KeyIndexes().size());
  for (const ExprPtr& term : terms) {
    made.never = made.never || IsNever(*term);
    Slot slot = maker.Of(*term);
    if (slot.position < 0) continue;
    ColumnSlot& column = columns[static_cast<size_t>(slot.position)];
    column.ranges = column.set ? Intersection(column.ranges, slot.ranges) : std::move(slot.ranges);
    column.set = true;
    if (slot.exact) column.exact.push_back(term.get());
    made.never = made.never || column.ranges.empty();
  }
  while (!columns.empty() && !columns.back().set) columns.pop_back();
  if (made.never) return made;
  const size_t used = columns.size();
  std::unordered_set<const Expr*> needless;
  Choose(std::move(columns), &made, &needless);
  made.filter = WithoutTerms(condition, needless);
  made.point_lookup =
      used == table.KeyIndexes().size() && made.bound == used &&
      std::ranges::all_of(made.slots, [](const Ranges& ranges) {
        return std::ranges::all_of(ranges, [](const SlotRange& range) { return range.IsSingle() && !range.is_null; });
      });
  return made;
}

void VisitRowsOfSlots(const TableDef& table, const KeySlots& slots, absl::FunctionRef<void(const RowRange&)> visit) {
  const std::vector<KeyColumn> key = table.KeyColumns();
  std::vector<std::string> prefixes = {""};
  std::vector<RowRange> rows;
  size_t at = 0;
  const auto ended = [&](std::string bytes) {
    const bool last = at + 1 == key.size();
    if (key[at].type.FixedWidth() == 0 && (key[at].descending || !last)) bytes += key[at].descending ? '\xff' : '\0';
    return bytes;
  };
  // Beyond this, columns that follow bound no range.
  const auto fits = [&] { return prefixes.size() * slots.slots[at].size() <= kMostKeyRanges; };
  for (; at < slots.bound && fits() && std::ranges::all_of(slots.slots[at], &SlotRange::IsSingle); ++at) {
    std::vector<std::string> longer;
    for (const std::string& prefix : prefixes)
      for (const SlotRange& range : slots.slots[at]) longer.push_back(prefix + ended(*range.low));
    prefixes = std::move(longer);
  }
  for (const std::string& prefix : prefixes) {
    if (at == slots.bound || !fits()) {
      const bool is_row = at == slots.bound && slots.point_lookup;
      rows.push_back({prefix, is_row ? prefix + std::string(1, '\0') : RowAfterPrefix(prefix)});
      continue;
    }
    for (const SlotRange& range : slots.slots[at]) {
      const std::string stop = range.high.has_value() ? prefix + *range.high : RowAfterPrefix(prefix);
      const bool whole = range.high.has_value() && range.high_inclusive;
      rows.push_back({prefix + range.low.value_or(""), whole ? RowAfterPrefix(stop) : stop});
    }
  }
  VisitBuckets(rows, table.salt_buckets, slots.point_lookup && at == slots.bound, visit);
}

std::string SlotsText(const TableDef& table, const KeySlots& slots) {
  if (slots.IsFullScan(table)) return "";
  const std::vector<int32_t> key = table.KeyIndexes();
  std::string first;
  std::string last;
  if (table.salt_buckets > 0) {
    first = "X'00',";
    last = Concat("X'", Hex(std::string(1, static_cast<char>(table.salt_buckets - 1))), "',");
  }
  for (size_t i = 0; i < slots.bound; ++i) {
    const ColumnDef& column = table.columns[static_cast<size_t>(key[i])];
    const Ranges& ranges = slots.slots[i];
    AppendText(&first, BoundText(column, ranges.front(), ranges.front().low), ",");
    AppendText(&last, BoundText(column, ranges.back(), ranges.back().high), ",");
  }
  first.back() = ']';
  last.back() = ']';
  return first == last ? Concat(" [", first) : Concat(" [", first, " - [", last);
}

}  // namespace vaquita::sql
