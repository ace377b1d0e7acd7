// This file has the engine's aggregates that keep values: STDDEV, percentiles, FIRST_VALUE and their like.
//
// They keep values in SQLite's forms, which sort as the values do (sql/plan/engine_text.h). Rows in which the value or
// its order is NULL do not count. SQLite gives an aggregate zeroed memory, in which a pointer to the state is kept.
#include <algorithm>
#include <cmath>
#include <compare>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/status.h"
#include "sql/encoding/number_pattern.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_codec.h"
#include "sql/engine/function_tools.h"
#include "sql/engine/sqlite_value.h"
#include "sql/plan/functions.h"

namespace vaquita::sql {
namespace {

// A value in the form that SQLite has: NULL, INTEGER, FLOAT, TEXT or BLOB.
struct Blob {
  std::string bytes;
  friend auto operator<=>(const Blob&, const Blob&) = default;
};
using Form = std::variant<std::monostate, int64_t, double, std::string, Blob>;

Form FormOf(sqlite3_value* value) {
  switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER:
      return static_cast<int64_t>(sqlite3_value_int64(value));
    case SQLITE_FLOAT:
      return sqlite3_value_double(value);
    case SQLITE_TEXT:
      return std::string(TextOf(value));
    case SQLITE_BLOB:
      return Blob{std::string(BlobOf(value))};
    default:
      return {};
  }
}

int64_t SizeOf(const Form& form) {
  constexpr int64_t kNode = 64;
  if (const auto* text = std::get_if<std::string>(&form)) return kNode + static_cast<int64_t>(text->size());
  if (const auto* blob = std::get_if<Blob>(&form)) return kNode + static_cast<int64_t>(blob->bytes.size());
  return kNode;
}

bool IsNullForm(const Form& form) { return form.index() == 0; }

void SetForm(sqlite3_context* context, const Form& form) {
  if (const auto* integer = std::get_if<int64_t>(&form)) return sqlite3_result_int64(context, *integer);
  if (const auto* real = std::get_if<double>(&form)) return sqlite3_result_double(context, *real);
  if (const auto* text = std::get_if<std::string>(&form)) {
    return sqlite3_result_text64(context, text->data(), text->size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  }
  if (const auto* blob = std::get_if<Blob>(&form)) {
    return sqlite3_result_blob64(context, blob->bytes.data(), blob->bytes.size(), SQLITE_TRANSIENT);
  }
  sqlite3_result_null(context);
}

absl::StatusOr<Decimal> DecimalOf(const Form& form) {
  if (const auto* integer = std::get_if<int64_t>(&form)) return Decimal(*integer);
  if (const auto* real = std::get_if<double>(&form)) return Decimal::FromDouble(*real);
  if (const auto* blob = std::get_if<Blob>(&form)) return DecodeDecimal(blob->bytes);
  return SqlError(ErrorCode::kIllegalData, "a text is not a number");
}

// Returns NaN for what is no number: a result that is computed from it is then an error.
double RealOf(const Form& form) {
  if (const auto* integer = std::get_if<int64_t>(&form)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&form)) return *real;
  const auto decimal = DecimalOf(form);
  return decimal.ok() ? decimal->ToDouble() : std::numeric_limits<double>::quiet_NaN();
}

// The values that an aggregate has seen: with how often each came, or by their order.
struct State {
  explicit State(QueryMemory* counts) : memory(counts) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { Add(-bytes); }
  void Add(int64_t more) {
    bytes += more;
    if (memory != nullptr) memory->Add(more);
  }

  QueryMemory* const memory;  // the query's; may be null
  int64_t bytes = 0;          // counted there
  int64_t count = 0;
  std::map<Form, int64_t> values;
  std::multimap<Form, Form> ordered;
  std::vector<Form> arguments;  // the constants among the arguments
};

// SQLite keeps this for an aggregate, at first as zeros.
struct Kept {
  State* state;
};

State* StateOf(sqlite3_context* context) {
  auto* kept = static_cast<Kept*>(sqlite3_aggregate_context(context, sizeof(Kept)));
  if (kept == nullptr) return nullptr;
  if (kept->state == nullptr) kept->state = std::make_unique<State>(MemoryOf(context)).release();
  return kept->state;
}

// Returns the state at the end; null if there was no row.
std::unique_ptr<State> TakeState(sqlite3_context* context) {
  auto* kept = static_cast<Kept*>(sqlite3_aggregate_context(context, 0));
  if (kept == nullptr) return nullptr;
  return std::unique_ptr<State>(std::exchange(kept->state, nullptr));
}

bool FitsIntoMemory(sqlite3_context* context, State* state, int64_t more) {
  if (state->memory != nullptr && !state->memory->HasRoom(more)) return Fail(context, state->memory->error()), false;
  state->Add(more);
  return true;
}

// Counts each value. The arguments behind it are constants.
void CountValue(sqlite3_context* context, int count, sqlite3_value** values) {
  State* state = StateOf(context);
  if (state == nullptr) return sqlite3_result_error_nomem(context);
  if (state->arguments.empty()) {
    for (int i = 1; i < count; ++i) state->arguments.push_back(FormOf(values[i]));
  }
  if (IsNull(values[0])) return;
  Form form = FormOf(values[0]);
  const int64_t size = SizeOf(form);
  const auto [place, is_new] = state->values.try_emplace(std::move(form), 0);
  if (is_new && !FitsIntoMemory(context, state, size)) return;
  ++place->second;
  ++state->count;
}

// Calls `visit` with each value and how often it came, until it returns false.
void VisitValues(const State& state, bool ascending, const std::function<bool(const Form&, int64_t)>& visit) {
  if (ascending) {
    for (const auto& [form, times] : state.values)
      if (!visit(form, times)) return;
  } else {
    for (auto place = state.values.rbegin(); place != state.values.rend(); ++place)
      if (!visit(place->first, place->second)) return;
  }
}

bool IsAscending(const State& state) { return RealOf(state.arguments[0]) != 0; }

void SetDecimal(sqlite3_context* context, const absl::StatusOr<Decimal>& number) {
  if (!number.ok()) return Fail(context, number.status());
  SetResult(context, TypeId::kDecimal, *number);
}

// Returns the part of the rows that PERCENTILE_... is asked for. An expression may be of any size.
absl::StatusOr<float> FractionOf(const State& state, std::string_view function) {
  const double fraction = RealOf(state.arguments[1]);
  if (fraction >= 0 && fraction <= 1) return static_cast<float>(fraction);
  VAQUITA_ASSIGN_OR_RETURN(const Decimal asked, DecimalOf(state.arguments[1]));
  return SqlError(ErrorCode::kValueOutsideRange,
                  Concat("expected: [0 , 1] but was: ", asked.ToString(), " at ", function, " argument 3"));
}

// The deviation of a DECIMAL has the column's digits behind the point in Phoenix, which are those of its values.
template <bool sample>
void FinishDeviation(sqlite3_context* context) {
  const auto state = TakeState(context);
  const int64_t divisor = state == nullptr ? 0 : state->count - (sample ? 1 : 0);
  if (divisor < 1) return sqlite3_result_null(context);
  double sum = 0;
  for (const auto& [form, times] : state->values) sum += RealOf(form) * static_cast<double>(times);
  const double mean = sum / static_cast<double>(state->count);
  double squares = 0;
  for (const auto& [form, times] : state->values) {
    const double delta = RealOf(form) - mean;
    squares += delta * delta * static_cast<double>(times);
  }
  absl::StatusOr<Decimal> deviation = ExactDecimal(std::sqrt(squares / static_cast<double>(divisor)));
  const Form& scale = state->arguments[0];
  if (deviation.ok() && !IsNullForm(scale)) deviation = deviation->Rounded(static_cast<int32_t>(RealOf(scale)));
  SetDecimal(context, deviation);
}

void FinishPercentile(sqlite3_context* context) {
  const auto state = TakeState(context);
  if (state == nullptr || state->count == 0 || IsNullForm(state->arguments[1])) return sqlite3_result_null(context);
  const absl::StatusOr<float> fraction = FractionOf(*state, "PERCENTILE_CONT");
  if (!fraction.ok()) return Fail(context, fraction.status());
  // Phoenix computes in floats.
  const float place = *fraction * static_cast<float>(state->count) + 0.5F;
  const auto whole = static_cast<int64_t>(place);
  const float rest = place - static_cast<float>(whole);
  int64_t seen = 0;
  const Form* low = nullptr;
  const Form* high = nullptr;
  VisitValues(*state, IsAscending(*state), [&](const Form& form, int64_t times) {
    if (low != nullptr) {
      high = &form;
      return false;
    }
    seen += times;
    if (seen >= whole) low = &form;
    if (seen > whole) high = &form;
    return seen <= whole;
  });
  if (low == nullptr) return sqlite3_result_null(context);
  double result = RealOf(*low);
  if (high != nullptr && high != low) {
    result = result * static_cast<double>(1.0F - rest) + RealOf(*high) * static_cast<double>(rest);
  }
  SetDecimal(context, ExactDecimal(result));
}

void FinishPercentileValue(sqlite3_context* context) {
  const auto state = TakeState(context);
  if (state == nullptr || state->count == 0 || IsNullForm(state->arguments[1])) return sqlite3_result_null(context);
  const absl::StatusOr<float> wanted = FractionOf(*state, "PERCENTILE_DISC");
  if (!wanted.ok()) return Fail(context, wanted.status());
  int64_t seen = 0;
  const Form* found = nullptr;
  VisitValues(*state, IsAscending(*state), [&](const Form& form, int64_t times) {
    found = &form;
    seen += times;
    return static_cast<float>(seen) / static_cast<float>(state->count) < *wanted;
  });
  SetForm(context, *found);
}

// Compares numbers of any form, and others of one form.
std::partial_ordering CompareForms(const Form& a, const Form& b) {
  if (a.index() == b.index()) return a <=> b;
  const auto x = DecimalOf(a);
  const auto y = DecimalOf(b);
  if (!x.ok() || !y.ok()) return a <=> b;
  return *x <=> *y;
}

void FinishRank(sqlite3_context* context) {
  const auto state = TakeState(context);
  if (state == nullptr || state->count == 0) return sqlite3_result_null(context);
  const bool ascending = IsAscending(*state);
  int64_t before = 0;
  VisitValues(*state, ascending, [&](const Form& form, int64_t times) {
    const auto order = CompareForms(form, state->arguments[1]);
    if (ascending ? order > 0 : order <= 0) return false;
    before += times;
    return true;
  });
  const float rank = static_cast<float>(before) / static_cast<float>(state->count);
  SetDecimal(context, ExactDecimal(rank));
}

// Keeps the first values by their order. Arguments: the order, whether it ascends, the value, and how many are wanted.
template <bool from_end>
void KeepInOrder(sqlite3_context* context, int count, sqlite3_value** values) {
  State* state = StateOf(context);
  if (state == nullptr) return sqlite3_result_error_nomem(context);
  if (state->arguments.empty()) {
    state->arguments.push_back(FormOf(values[1]));
    for (int i = 3; i < count; ++i) state->arguments.push_back(FormOf(values[i]));
  }
  if (IsNull(values[0]) || IsNull(values[2])) return;
  const double wanted = state->arguments.size() > 1 ? RealOf(state->arguments[1]) : 1;
  if (wanted < 1) return;
  const bool ascending = (RealOf(state->arguments[0]) != 0) != from_end;
  const Form order = FormOf(values[0]);
  if (static_cast<double>(state->ordered.size()) >= wanted) {
    const auto worst = ascending ? std::prev(state->ordered.end()) : state->ordered.begin();
    if (ascending ? !(order < worst->first) : !(worst->first < order)) return;
    state->Add(-SizeOf(worst->first) - SizeOf(worst->second));
    state->ordered.erase(worst);
  }
  const Form value = FormOf(values[2]);
  if (FitsIntoMemory(context, state, SizeOf(order) + SizeOf(value))) state->ordered.emplace(order, value);
}

// Returns the kept values, the wanted order's first one first.
template <bool from_end>
std::vector<Form> InOrder(const State& state) {
  std::vector<Form> values;
  for (const auto& [order, value] : state.ordered) values.push_back(value);
  if (IsAscending(state) == from_end) std::ranges::reverse(values);
  return values;
}

void FinishFirst(sqlite3_context* context) {
  const auto state = TakeState(context);
  if (state == nullptr || state->ordered.empty()) return sqlite3_result_null(context);
  SetForm(context, state->ordered.begin()->second);
}

void FinishNth(sqlite3_context* context) {
  const auto state = TakeState(context);
  if (state == nullptr) return sqlite3_result_null(context);
  const std::vector<Form> values = InOrder<false>(*state);
  const bool enough = !values.empty() && static_cast<double>(values.size()) >= RealOf(state->arguments[1]);
  if (!enough) return sqlite3_result_null(context);
  SetForm(context, values.back());
}

absl::StatusOr<Value> ValueOfForm(const Form& form, const SqlType& type) {
  if (const auto* integer = std::get_if<int64_t>(&form)) return Value(*integer);
  if (const auto* real = std::get_if<double>(&form)) return Value(*real);
  if (const auto* text = std::get_if<std::string>(&form)) return Value(*text);
  if (const auto* blob = std::get_if<Blob>(&form)) return DecodeValue(type.InQuery(), blob->bytes);
  return Value();
}

// Makes an array of values in SQLite's forms.
void SetArray(sqlite3_context* context, const SqlType& element, const std::vector<Form>& forms) {
  if (forms.empty()) return sqlite3_result_null(context);
  ValueList list;
  for (const Form& form : forms) {
    auto value = ValueOfForm(form, element);
    if (!value.ok()) return Fail(context, value.status());
    list.push_back(*std::move(value));
  }
  SqlType array = element;
  array.array = true;
  SetResult(context, array, Value(std::move(list)));
}

template <bool from_end>
void FinishValues(sqlite3_context* context) {
  const auto state = TakeState(context);
  if (state == nullptr) return sqlite3_result_null(context);
  const SqlType element = TypeOfCode(static_cast<int64_t>(RealOf(state->arguments[2])));
  SetArray(context, element, InOrder<from_end>(*state));
}

void FinishCollected(sqlite3_context* context) {
  const auto state = TakeState(context);
  if (state == nullptr) return sqlite3_result_null(context);
  std::vector<Form> forms;
  for (const auto& [form, times] : state->values) forms.push_back(form);
  SetArray(context, TypeOfCode(static_cast<int64_t>(RealOf(state->arguments[0]))), forms);
}

// Keeps the value of the only row.
void KeepSingle(sqlite3_context* context, int, sqlite3_value** values) {
  State* state = StateOf(context);
  if (state == nullptr) return sqlite3_result_error_nomem(context);
  if (++state->count > 1) return Fail(context, SqlError(ErrorCode::kManyRowsOfSubquery));
  Form form = FormOf(values[0]);
  if (FitsIntoMemory(context, state, SizeOf(form))) state->arguments.push_back(std::move(form));
}

void FinishSingle(sqlite3_context* context) {
  const auto state = TakeState(context);
  SetForm(context, state == nullptr || state->arguments.empty() ? Form() : state->arguments[0]);
}

constexpr NamedAggregate kAggregates[] = {
    {"px_stddev_pop", 2, CountValue, FinishDeviation<false>},
    {"px_stddev_samp", 2, CountValue, FinishDeviation<true>},
    {"px_percentile_cont", 3, CountValue, FinishPercentile},
    {"px_percentile_disc", 3, CountValue, FinishPercentileValue},
    {"px_percent_rank", 3, CountValue, FinishRank},
    {"px_collect_distinct", 2, CountValue, FinishCollected},
    {"px_first_value", 3, KeepInOrder<false>, FinishFirst},
    {"px_last_value", 3, KeepInOrder<true>, FinishFirst},
    {"px_nth_value", 4, KeepInOrder<false>, FinishNth},
    {"px_first_values", 5, KeepInOrder<false>, FinishValues<false>},
    {"px_last_values", 5, KeepInOrder<true>, FinishValues<true>},
    {"px_single", 1, KeepSingle, FinishSingle},
};

}  // namespace

std::span<const NamedAggregate> ValueAggregates() { return kAggregates; }

}  // namespace vaquita::sql
