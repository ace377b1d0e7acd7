#include "sql/engine/engine_functions.h"

#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>

#include "base/status.h"
#include "base/unicode.h"
#include "model/row_after_prefix.h"
#include "sql/encoding/like.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/engine/function_tools.h"
#include "sql/engine/sqlite_value.h"

namespace vaquita::sql {
namespace {

// An infinite number may be compared with a DECIMAL, but not stored or computed with as one.
absl::StatusOr<Value> ToDecimalValue(int, sqlite3_value** values) {
  if (sqlite3_value_type(values[0]) == SQLITE_FLOAT) return Value(Decimal::BoundOf(sqlite3_value_double(values[0])));
  VAQUITA_ASSIGN_OR_RETURN(const Decimal number, NumberOf(values[0]));
  return Value(number);
}

absl::StatusOr<Value> ToReal(int, sqlite3_value** values) {
  if (sqlite3_value_type(values[0]) != SQLITE_BLOB) return Value(sqlite3_value_double(values[0]));
  VAQUITA_ASSIGN_OR_RETURN(const Decimal number, NumberOf(values[0]));
  return Value(number.ToDouble());
}

// A finite number does not become infinite: it stays larger than all FLOATs.
absl::StatusOr<Value> ToFloat(int count, sqlite3_value** values) {
  VAQUITA_ASSIGN_OR_RETURN(const Value real, ToReal(count, values));
  const double number = real.real();
  if (std::fabs(number) > std::numeric_limits<float>::max()) return real;
  return Value(static_cast<double>(static_cast<float>(number)));
}

absl::StatusOr<Value> ToWhole(int, sqlite3_value** values) {
  VAQUITA_ASSIGN_OR_RETURN(const Decimal number, NumberOf(values[0]));
  int64_t whole = 0;
  if (!number.ToInt64(&whole)) {
    return SqlError(ErrorCode::kDataExceedsMaxCapacity, Concat(number.ToString(), " does not fit into a BIGINT"));
  }
  return Value(whole);
}

// A real number without its digits behind the point.
absl::StatusOr<Value> CutOff(int, sqlite3_value** values) {
  const double number = sqlite3_value_double(values[0]);
  constexpr double kLimit = 9223372036854775808.0;  // 2 to the power of 63
  if (number >= -kLimit && number < kLimit) return Value(static_cast<int64_t>(number));
  return SqlError(ErrorCode::kDataExceedsMaxCapacity, Concat(number, " does not fit into a BIGINT"));
}

// Two or more numbers, from the left to the right.
template <char op>
absl::StatusOr<Value> Compute(int count, sqlite3_value** values) {
  VAQUITA_ASSIGN_OR_RETURN(Decimal result, NumberOf(values[0]));
  for (int i = 1; i < count; ++i) {
    VAQUITA_ASSIGN_OR_RETURN(const Decimal next, NumberOf(values[i]));
    result = op == '+' ? result + next : result * next;
  }
  return Value(result);
}

// The arguments are an operator for each number behind the first, and whole numbers. These wrap around, as Java's long.
absl::StatusOr<Value> Chain(int count, sqlite3_value** values) {
  const std::string_view ops = TextOf(values[0]);
  auto result = static_cast<uint64_t>(sqlite3_value_int64(values[1]));
  for (int i = 2; i < count; ++i) {
    const auto next = static_cast<uint64_t>(sqlite3_value_int64(values[i]));
    const char op = ops[static_cast<size_t>(i - 2)];
    result = op == '+' ? result + next : op == '-' ? result - next : result * next;
  }
  return Value(static_cast<int64_t>(result));
}

absl::StatusOr<Value> Negate(int, sqlite3_value** values) {
  VAQUITA_ASSIGN_OR_RETURN(const Decimal number, NumberOf(values[0]));
  return Value(number.Negated());
}

// Cuts a number off after so many digits behind the point.
absl::StatusOr<Value> Cut(int, sqlite3_value** values) {
  VAQUITA_ASSIGN_OR_RETURN(const Decimal number, NumberOf(values[0]));
  return Value(number.Rounded(static_cast<int32_t>(sqlite3_value_int64(values[1])), /*up=*/false));
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
    case SQLITE_INTEGER: {
      const int64_t number = sqlite3_value_int64(values[0]);
      // The smallest BIGINT has no counterpart: Java's Math.abs returns it as it is.
      const bool stays = number >= 0 || number == std::numeric_limits<int64_t>::min();
      return sqlite3_result_int64(context, stays ? number : -number);
    }
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

absl::StatusOr<Value> Like(int, sqlite3_value** values) {
  VAQUITA_ASSIGN_OR_RETURN(const bool matches, MatchesLike(TextOf(values[0]), TextOf(values[1])));
  return Value(int64_t{matches});
}

// The text is a CHAR with its blanks. They count for nothing where LIKE is =.
absl::StatusOr<Value> LikeOfChar(int count, sqlite3_value** values) {
  const std::string_view pattern = TextOf(values[1]);
  if (HasWildcard(pattern)) return Like(count, values);
  VAQUITA_ASSIGN_OR_RETURN(const bool matches, MatchesLike(WithoutBlanks(TextOf(values[0])), WithoutBlanks(pattern)));
  return Value(int64_t{matches});
}

absl::StatusOr<Value> LikeIgnoringCase(int, sqlite3_value** values) {
  std::string text;
  std::string pattern;
  AppendLowerCase(TextOf(values[0]), &text);
  AppendLowerCase(TextOf(values[1]), &pattern);
  VAQUITA_ASSIGN_OR_RETURN(const bool matches, MatchesLike(text, pattern));
  return Value(int64_t{matches});
}

void LikeLow(sqlite3_context* context, int, sqlite3_value** values) {
  const std::string prefix = LikePrefix(TextOf(values[0]));
  sqlite3_result_text64(context, prefix.data(), prefix.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

// Without a prefix the bound is a BLOB, which SQLite orders behind every TEXT.
void LikeHigh(sqlite3_context* context, int, sqlite3_value** values) {
  const std::string after = RowAfterPrefix(LikePrefix(TextOf(values[0])));
  if (after.empty()) return sqlite3_result_blob64(context, "\xff", 1, SQLITE_STATIC);
  sqlite3_result_text64(context, after.data(), after.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

// A sum that is made step by step. SQLite gives it zeroed memory.
struct Total {
  Decimal* sum;
  int64_t count;
};

// Adds a number, or the sum of so many numbers.
void AddToTotal(sqlite3_context* context, int count, sqlite3_value** values) {
  if (sqlite3_value_type(values[0]) == SQLITE_NULL) return;
  auto* total = static_cast<Total*>(sqlite3_aggregate_context(context, sizeof(Total)));
  if (total == nullptr) return sqlite3_result_error_nomem(context);
  const absl::StatusOr<Decimal> number = NumberOf(values[0]);
  if (!number.ok()) return Fail(context, number.status());
  if (total->sum == nullptr) total->sum = new Decimal();
  *total->sum = *total->sum + *number;
  total->count += count > 1 ? sqlite3_value_int64(values[1]) : 1;
}

template <bool average>
void FinishTotal(sqlite3_context* context) {
  auto* total = static_cast<Total*>(sqlite3_aggregate_context(context, 0));
  if (total == nullptr || total->sum == nullptr) return sqlite3_result_null(context);
  Decimal result = *total->sum;
  delete total->sum;
  if (average) result = result / Decimal(total->count);
  SetResult(context, TypeId::kDecimal, result);
}

constexpr NamedFunction kNamed[] = {
    {"px_decimal", 1, Call<ToDecimalValue, TypeId::kDecimal>},
    {"px_real", 1, Call<ToReal, TypeId::kDouble>},
    {"px_float", 1, Call<ToFloat, TypeId::kDouble>},
    {"px_whole", 1, Call<ToWhole, TypeId::kBigint>},
    {"px_cut_off", 1, Call<CutOff, TypeId::kBigint>},
    {"px_text", 1, Call<NumberText, TypeId::kVarchar>},
    {"px_add", -1, Call<Compute<'+'>, TypeId::kDecimal>},
    {"px_negate", 1, Call<Negate, TypeId::kDecimal>},
    {"px_multiply", -1, Call<Compute<'*'>, TypeId::kDecimal>},
    {"px_chain", -1, Call<Chain, TypeId::kBigint>},
    {"px_cut", 2, Call<Cut, TypeId::kDecimal>},
    {"px_divide", 2, Divide},
    {"px_modulo", 2, Call<Modulo, TypeId::kBigint>},
    {"px_abs", 1, Absolute},
    {"px_sign", 1, Call<Sign, TypeId::kInteger>},
    {"px_like", 2, Call<Like, TypeId::kBoolean>},
    {"px_like_char", 2, Call<LikeOfChar, TypeId::kBoolean>},
    {"px_ilike", 2, Call<LikeIgnoringCase, TypeId::kBoolean>},
    {"px_like_low", 1, LikeLow},
    {"px_like_high", 1, LikeHigh},
};

constexpr NamedAggregate kTotals[] = {
    {"px_sum", 1, AddToTotal, FinishTotal<false>},
    {"px_avg", 1, AddToTotal, FinishTotal<true>},
    {"px_avg", 2, AddToTotal, FinishTotal<true>},
};

}  // namespace

absl::Status RegisterFunctions(sqlite3* database, FunctionHost* host) {
  int code = SQLITE_OK;
  for (const std::span<const NamedFunction> functions :
       {std::span<const NamedFunction>(kNamed), TextFunctions(), NumberFunctions(), DateFunctions(), BinaryFunctions(),
        ArrayFunctions(), SequenceFunctions()}) {
    for (const NamedFunction& named : functions)
      if (code == SQLITE_OK) code = RegisterFunction(database, host, named);
  }
  for (const std::span<const NamedAggregate> aggregates :
       {std::span<const NamedAggregate>(kTotals), ValueAggregates()}) {
    for (const NamedAggregate& named : aggregates)
      if (code == SQLITE_OK) code = RegisterAggregate(database, host, named);
  }
  return code == SQLITE_OK ? absl::OkStatus() : absl::InternalError(sqlite3_errmsg(database));
}

}  // namespace vaquita::sql
