#include "sql/engine/engine_functions.h"

#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "absl/time/clock.h"
#include "base/status.h"
#include "base/unicode.h"
#include "sql/encoding/date_text.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_codec.h"
#include "sql/engine/sqlite_value.h"

namespace vaquita::sql {
namespace {

constexpr int32_t kAverageScale = 4;

void Fail(sqlite3_context* context, const absl::Status& status) {
  *static_cast<absl::Status*>(sqlite3_user_data(context)) = status;
  sqlite3_result_error(context, std::string(StdText(status.message())).c_str(), -1);
}

void SetStatusOr(sqlite3_context* context, const SqlType& type, const absl::StatusOr<Value>& value) {
  if (value.ok()) {
    SetResult(context, type, *value);
  } else {
    Fail(context, value.status());
  }
}

std::string_view BlobOf(sqlite3_value* value) {
  const auto* bytes = static_cast<const char*>(sqlite3_value_blob(value));
  return bytes == nullptr ? std::string_view()
                          : std::string_view(bytes, static_cast<size_t>(sqlite3_value_bytes(value)));
}

// Reads a number of any form: DECIMAL's is BLOB; text is read, too.
absl::StatusOr<Decimal> NumberOf(sqlite3_value* value) {
  switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER:
      return Decimal(static_cast<int64_t>(sqlite3_value_int64(value)));
    case SQLITE_FLOAT:
      return Decimal::FromDouble(sqlite3_value_double(value));
    case SQLITE_BLOB:
      return DecodeDecimal(BlobOf(value));
    default:
      return Decimal::Parse(TextOf(value));
  }
}

bool AnyNull(int count, sqlite3_value** values) {
  return std::any_of(values, values + count, [](sqlite3_value* v) { return sqlite3_value_type(v) == SQLITE_NULL; });
}

// Each function below is null if an argument is, but for the aggregates.
using Scalar = absl::StatusOr<Value> (*)(int, sqlite3_value**);

template <Scalar function, TypeId type>
void Call(sqlite3_context* context, int count, sqlite3_value** values) {
  if (AnyNull(count, values)) {
    sqlite3_result_null(context);
  } else {
    SetStatusOr(context, type, function(count, values));
  }
}

absl::StatusOr<Value> ToDecimalValue(int, sqlite3_value** values) {
  VAQUITA_ASSIGN_OR_RETURN(const Decimal number, NumberOf(values[0]));
  return Value(number);
}

absl::StatusOr<Value> ToReal(int, sqlite3_value** values) {
  if (sqlite3_value_type(values[0]) != SQLITE_BLOB) return Value(sqlite3_value_double(values[0]));
  VAQUITA_ASSIGN_OR_RETURN(const Decimal number, NumberOf(values[0]));
  return Value(number.ToDouble());
}

absl::StatusOr<Value> ToWhole(int, sqlite3_value** values) {
  VAQUITA_ASSIGN_OR_RETURN(const Decimal number, NumberOf(values[0]));
  int64_t whole = 0;
  if (!number.ToInt64(&whole)) {
    return SqlError(ErrorCode::kDataExceedsMaxCapacity, Concat(number.ToString(), " does not fit into a BIGINT"));
  }
  return Value(whole);
}

template <char op>
absl::StatusOr<Value> Compute(int, sqlite3_value** values) {
  VAQUITA_ASSIGN_OR_RETURN(const Decimal a, NumberOf(values[0]));
  VAQUITA_ASSIGN_OR_RETURN(const Decimal b, NumberOf(values[1]));
  if constexpr (op == '+') return Value(a + b);
  if constexpr (op == '-') return Value(a - b);
  return Value(a * b);
}

// The form of the result follows from that of the arguments.
void Divide(sqlite3_context* context, int count, sqlite3_value** values) {
  if (AnyNull(count, values)) return sqlite3_result_null(context);
  const int form = sqlite3_value_type(values[0]);
  if (form == SQLITE_FLOAT) {
    return sqlite3_result_double(context, sqlite3_value_double(values[0]) / sqlite3_value_double(values[1]));
  }
  const absl::StatusOr<Decimal> a = NumberOf(values[0]);
  const absl::StatusOr<Decimal> b = NumberOf(values[1]);
  if (!a.ok() || !b.ok()) return Fail(context, a.ok() ? b.status() : a.status());
  if (b->unscaled() == 0) return Fail(context, SqlError(ErrorCode::kDivideByZero));
  if (form == SQLITE_BLOB) return SetResult(context, TypeId::kDecimal, *a / *b);
  const int64_t dividend = sqlite3_value_int64(values[0]);
  const int64_t divisor = sqlite3_value_int64(values[1]);
  // Only this quotient does not fit into a BIGINT: Java's wraps around.
  const bool wraps = divisor == -1 && dividend == std::numeric_limits<int64_t>::min();
  sqlite3_result_int64(context, wraps ? dividend : dividend / divisor);
}

absl::StatusOr<Value> Modulo(int, sqlite3_value** values) {
  const int64_t divisor = sqlite3_value_int64(values[1]);
  if (divisor == 0) return SqlError(ErrorCode::kDivideByZero);
  return Value(divisor == -1 ? int64_t{0} : int64_t{sqlite3_value_int64(values[0]) % divisor});
}

void Absolute(sqlite3_context* context, int, sqlite3_value** values) {
  switch (sqlite3_value_type(values[0])) {
    case SQLITE_NULL:
      return sqlite3_result_null(context);
    case SQLITE_INTEGER:
      return sqlite3_result_int64(context, std::abs(static_cast<int64_t>(sqlite3_value_int64(values[0]))));
    case SQLITE_FLOAT:
      return sqlite3_result_double(context, std::fabs(sqlite3_value_double(values[0])));
    default: {
      const absl::StatusOr<Decimal> number = NumberOf(values[0]);
      if (!number.ok()) return Fail(context, number.status());
      SetResult(context, TypeId::kDecimal, number->unscaled() < 0 ? number->Negated() : *number);
    }
  }
}

absl::StatusOr<Value> Sign(int, sqlite3_value** values) {
  VAQUITA_ASSIGN_OR_RETURN(const Decimal number, NumberOf(values[0]));
  return Value(int64_t{number.unscaled() > 0} - int64_t{number.unscaled() < 0});
}

absl::StatusOr<Value> NumberText(int, sqlite3_value** values) {
  if (sqlite3_value_type(values[0]) == SQLITE_TEXT) return Value(std::string(TextOf(values[0])));
  VAQUITA_ASSIGN_OR_RETURN(const Decimal number, NumberOf(values[0]));
  return Value(number.ToPlainString());
}

absl::StatusOr<Value> ToTimestamp(int count, sqlite3_value** values) {
  if (count == 1) {
    VAQUITA_ASSIGN_OR_RETURN(Timestamp moment, ParseTimestamp(TextOf(values[0])));
    moment.nanos = 0;  // Phoenix's functions read no more than milliseconds
    return Value(moment);
  }
  VAQUITA_ASSIGN_OR_RETURN(const int64_t ms, ParseByPattern(TextOf(values[0]), TextOf(values[1])));
  return Value(Timestamp{ms, 0});
}

absl::StatusOr<Value> ToDate(int count, sqlite3_value** values) {
  VAQUITA_ASSIGN_OR_RETURN(const Value moment, ToTimestamp(count, values));
  return Value(moment.timestamp().ms);
}

absl::StatusOr<Value> TimestampOfMillis(int, sqlite3_value** values) {
  return Value(Timestamp{sqlite3_value_int64(values[0]), 0});
}

absl::StatusOr<Value> MillisOfTimestamp(int, sqlite3_value** values) {
  VAQUITA_ASSIGN_OR_RETURN(const Value moment, DecodeValue(TypeId::kTimestamp, BlobOf(values[0])));
  return Value(moment.timestamp().ms);
}

absl::StatusOr<Value> DateText(int count, sqlite3_value** values) {
  VAQUITA_ASSIGN_OR_RETURN(
      std::string text, FormatByPattern(sqlite3_value_int64(values[0]), count == 1 ? kDatePattern : TextOf(values[1])));
  return Value(std::move(text));
}

template <auto part>
absl::StatusOr<Value> DatePart(int, sqlite3_value** values) {
  return Value(static_cast<int64_t>(CivilTimeOf(sqlite3_value_int64(values[0])).*part));
}

// SUBSTR counts characters from 1; 0 is 1, too, and a negative position counts from the end.
absl::StatusOr<Value> Substring(int count, sqlite3_value** values) {
  const std::string_view text = TextOf(values[0]);
  std::vector<size_t> starts;
  for (size_t i = 0; i < text.size(); ++i)
    if (!ContinuesUtf8(text[i])) starts.push_back(i);
  const auto size = static_cast<int64_t>(starts.size());
  int64_t from = sqlite3_value_int64(values[1]);
  from = from < 0 ? from + size : std::max<int64_t>(from - 1, 0);
  const int64_t most = count > 2 ? sqlite3_value_int64(values[2]) : size;
  if (from < 0 || from >= size || most <= 0) return Value();
  const int64_t to = most >= size - from ? size : from + most;
  const size_t end = to == size ? text.size() : starts[static_cast<size_t>(to)];
  const size_t begin = starts[static_cast<size_t>(from)];
  return Value(std::string(text.substr(begin, end - begin)));
}

// Returns whether LIKE matches: % is any text, _ a character, \ takes the next one as it is.
bool Matches(std::string_view text, std::string_view pattern) {
  size_t t = 0;
  size_t p = 0;
  size_t star = std::string_view::npos;  // behind the last %
  size_t resume = 0;
  while (t < text.size()) {
    const bool escaped = p + 1 < pattern.size() && pattern[p] == '\\';
    if (!escaped && p < pattern.size() && pattern[p] == '%') {
      star = ++p;
      resume = t;
    } else if (!escaped && p < pattern.size() && pattern[p] == '_') {
      ++p;
      do ++t;
      while (t < text.size() && ContinuesUtf8(text[t]));
    } else if (p < pattern.size() && pattern[p + (escaped ? 1 : 0)] == text[t]) {
      p += escaped ? 2 : 1;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '%') ++p;
  return p == pattern.size();
}

absl::StatusOr<Value> Like(int, sqlite3_value** values) {
  return Value(int64_t{Matches(TextOf(values[0]), TextOf(values[1]))});
}

absl::StatusOr<Value> LikeIgnoringCase(int, sqlite3_value** values) {
  std::string text;
  std::string pattern;
  AppendLowerCase(TextOf(values[0]), &text);
  AppendLowerCase(TextOf(values[1]), &pattern);
  return Value(int64_t{Matches(text, pattern)});
}

std::string LiteralPrefix(std::string_view pattern) {
  return std::string(pattern.substr(0, pattern.find_first_of("%_\\")));
}

void LikeLow(sqlite3_context* context, int, sqlite3_value** values) {
  const std::string prefix = LiteralPrefix(TextOf(values[0]));
  sqlite3_result_text64(context, prefix.data(), prefix.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

// Without a prefix the bound is a BLOB, which SQLite orders behind every TEXT.
void LikeHigh(sqlite3_context* context, int, sqlite3_value** values) {
  std::string prefix = LiteralPrefix(TextOf(values[0]));
  while (!prefix.empty() && prefix.back() == '\xff') prefix.pop_back();
  if (prefix.empty()) return sqlite3_result_blob64(context, "\xff", 1, SQLITE_STATIC);
  ++prefix.back();
  sqlite3_result_text64(context, prefix.data(), prefix.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

void Now(sqlite3_context* context, int, sqlite3_value**) {
  sqlite3_result_int64(context, absl::ToUnixMillis(absl::Now()));
}

// A sum that is made step by step. SQLite gives it zeroed memory.
struct Total {
  Decimal* sum;
  int64_t count;
};

void AddToTotal(sqlite3_context* context, int, sqlite3_value** values) {
  if (sqlite3_value_type(values[0]) == SQLITE_NULL) return;
  auto* total = static_cast<Total*>(sqlite3_aggregate_context(context, sizeof(Total)));
  const absl::StatusOr<Decimal> number = NumberOf(values[0]);
  if (!number.ok()) return Fail(context, number.status());
  if (total->sum == nullptr) total->sum = new Decimal();
  *total->sum = *total->sum + *number;
  ++total->count;
}

template <bool average>
void FinishTotal(sqlite3_context* context) {
  auto* total = static_cast<Total*>(sqlite3_aggregate_context(context, 0));
  if (total == nullptr || total->sum == nullptr) return sqlite3_result_null(context);
  Decimal result = *total->sum;
  delete total->sum;
  if (average) {
    result = result / Decimal(total->count);
    result = result.Rounded(kAverageScale, /*up=*/false);
  }
  SetResult(context, TypeId::kDecimal, result);
}

using Function = void (*)(sqlite3_context*, int, sqlite3_value**);

struct NamedFunction {
  const char* name;
  int arguments;
  Function function;
  bool deterministic = true;
};

constexpr NamedFunction kNamed[] = {
    {"px_decimal", 1, Call<ToDecimalValue, TypeId::kDecimal>},
    {"px_real", 1, Call<ToReal, TypeId::kDouble>},
    {"px_whole", 1, Call<ToWhole, TypeId::kBigint>},
    {"px_timestamp", 1, Call<TimestampOfMillis, TypeId::kTimestamp>},
    {"px_millis", 1, Call<MillisOfTimestamp, TypeId::kDate>},
    {"px_text", 1, Call<NumberText, TypeId::kVarchar>},
    {"px_add", 2, Call<Compute<'+'>, TypeId::kDecimal>},
    {"px_subtract", 2, Call<Compute<'-'>, TypeId::kDecimal>},
    {"px_multiply", 2, Call<Compute<'*'>, TypeId::kDecimal>},
    {"px_divide", 2, Divide},
    {"px_modulo", 2, Call<Modulo, TypeId::kBigint>},
    {"px_abs", 1, Absolute},
    {"px_sign", 1, Call<Sign, TypeId::kInteger>},
    {"px_to_date", -1, Call<ToDate, TypeId::kDate>},
    {"px_to_timestamp", -1, Call<ToTimestamp, TypeId::kTimestamp>},
    {"px_date_text", -1, Call<DateText, TypeId::kVarchar>},
    {"px_year", 1, Call<DatePart<&CivilTime::year>, TypeId::kInteger>},
    {"px_month", 1, Call<DatePart<&CivilTime::month>, TypeId::kInteger>},
    {"px_day", 1, Call<DatePart<&CivilTime::day>, TypeId::kInteger>},
    {"px_hour", 1, Call<DatePart<&CivilTime::hour>, TypeId::kInteger>},
    {"px_minute", 1, Call<DatePart<&CivilTime::minute>, TypeId::kInteger>},
    {"px_second", 1, Call<DatePart<&CivilTime::second>, TypeId::kInteger>},
    {"px_substr", -1, Call<Substring, TypeId::kVarchar>},
    {"px_like", 2, Call<Like, TypeId::kBoolean>},
    {"px_ilike", 2, Call<LikeIgnoringCase, TypeId::kBoolean>},
    {"px_like_low", 1, LikeLow},
    {"px_like_high", 1, LikeHigh},
    {"px_now", 0, Now, false},
};

}  // namespace

absl::Status RegisterFunctions(sqlite3* database, absl::Status* error) {
  int code = SQLITE_OK;
  for (const NamedFunction& named : kNamed) {
    if (code != SQLITE_OK) break;
    const int flags = SQLITE_UTF8 | (named.deterministic ? SQLITE_DETERMINISTIC : 0);
    code = sqlite3_create_function_v2(database, named.name, named.arguments, flags, error, named.function, nullptr,
                                      nullptr, nullptr);
  }
  if (code == SQLITE_OK) {
    code = sqlite3_create_function_v2(database, "px_sum", 1, SQLITE_UTF8, error, nullptr, AddToTotal,
                                      FinishTotal<false>, nullptr);
  }
  if (code == SQLITE_OK) {
    code = sqlite3_create_function_v2(database, "px_avg", 1, SQLITE_UTF8, error, nullptr, AddToTotal, FinishTotal<true>,
                                      nullptr);
  }
  return code == SQLITE_OK ? absl::OkStatus() : absl::InternalError(sqlite3_errmsg(database));
}

}  // namespace vaquita::sql
