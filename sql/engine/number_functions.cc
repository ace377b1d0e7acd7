// This file has the engine's functions of numbers: ROUND, SQRT, RAND, TO_NUMBER and their like.
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "base/status.h"
#include "sql/encoding/number_pattern.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_codec.h"
#include "sql/engine/function_tools.h"
#include "sql/engine/sqlite_value.h"

namespace vaquita::sql {
namespace {

using Real = double (*)(double);

template <Real function>
void OfReal(sqlite3_context* context, int, sqlite3_value** values) {
  if (IsNull(values[0])) return sqlite3_result_null(context);
  sqlite3_result_double(context, function(sqlite3_value_double(values[0])));
}

// The C library's cbrt of a double is not always the nearest number: 27 would not give 3.
double CubeRoot(double value) { return static_cast<double>(std::cbrt(static_cast<long double>(value))); }

void Logarithm(sqlite3_context* context, int count, sqlite3_value** values) {
  if (AnyNull(count, values)) return sqlite3_result_null(context);
  const double base = count > 1 ? sqlite3_value_double(values[1]) : 10;
  sqlite3_result_double(context, std::log(sqlite3_value_double(values[0])) / std::log(base));
}

void Power(sqlite3_context* context, int count, sqlite3_value** values) {
  if (AnyNull(count, values)) return sqlite3_result_null(context);
  sqlite3_result_double(context, std::pow(sqlite3_value_double(values[0]), sqlite3_value_double(values[1])));
}

void Pi(sqlite3_context* context, int, sqlite3_value**) { sqlite3_result_double(context, M_PI); }

absl::StatusOr<int32_t> ScaleOf(int count, sqlite3_value** values) {
  if (count < 2 || IsNull(values[1])) return 0;
  const int64_t scale = sqlite3_value_int64(values[1]);
  if (sqlite3_value_type(values[1]) == SQLITE_INTEGER && scale >= -kMaxDecimalDigits && scale <= kMaxDecimalDigits)
    return static_cast<int32_t>(scale);
  return SqlError(ErrorCode::kIllegalData,
                  Concat("Invalid second argument for scale: ", TextOf(values[1]), ". The scale must be between 0 and ",
                         kMaxDecimalDigits, " inclusive."));
}

Decimal HalfUp(const Decimal& number, int32_t scale) { return number.Rounded(scale); }
Decimal CeilingOf(const Decimal& number, int32_t scale) { return FloorOf(number.Negated(), scale).Negated(); }

template <Decimal (*round)(const Decimal&, int32_t)>
void RoundNumber(sqlite3_context* context, int count, sqlite3_value** values) {
  if (IsNull(values[0])) return sqlite3_result_null(context);
  const auto scale = ScaleOf(count, values);
  const auto number = NumberOf(values[0]);
  if (!scale.ok() || !number.ok()) return Fail(context, scale.ok() ? number.status() : scale.status());
  SetResult(context, TypeId::kDecimal, round(*number, *scale));
}

// Returns a whole number of one type as one of another. The arguments are the number and both types.
absl::StatusOr<Value> CastWhole(int, sqlite3_value** values) {
  const SqlType from = TypeArgument(values[1]);
  const SqlType to = TypeArgument(values[2]);
  Value whole;
  if (sqlite3_value_type(values[0]) == SQLITE_INTEGER) {
    whole = Value(int64_t{sqlite3_value_int64(values[0])});
  } else {
    VAQUITA_ASSIGN_OR_RETURN(const Decimal number, NumberOf(values[0]));
    // Phoenix rounds a DECIMAL, and cuts off a DOUBLE.
    whole = Value(number.Rounded(0, /*up=*/sqlite3_value_type(values[0]) == SQLITE_BLOB));
  }
  return CoerceValue(from, to, whole, "CAST");
}

// Returns a number of the type that is the second argument as a FLOAT.
absl::StatusOr<Value> CastFloat(int, sqlite3_value** values) {
  const SqlType from = TypeArgument(values[1]);
  VAQUITA_ASSIGN_OR_RETURN(const Value number, FromSqlite(values[0], from));
  return CoerceValue(from, TypeId::kFloat, number, "CAST");
}

void FreePattern(void* pattern) { delete static_cast<NumberPattern*>(pattern); }

// Returns the pattern of the second argument, which SQLite keeps. Phoenix wants it to be a constant.
absl::StatusOr<NumberPattern> NumberPatternOf(sqlite3_context* context, int count, sqlite3_value** values) {
  constexpr int kArgument = 1;
  if (count <= kArgument || IsNull(values[kArgument])) return NumberPattern::Parse(kNumberPattern);
  const auto* kept = static_cast<const NumberPattern*>(sqlite3_get_auxdata(context, kArgument));
  if (kept != nullptr) return *kept;
  VAQUITA_ASSIGN_OR_RETURN(const NumberPattern pattern, NumberPattern::Parse(TextOf(values[kArgument])));
  sqlite3_set_auxdata(context, kArgument, std::make_unique<NumberPattern>(pattern).release(), FreePattern);
  return pattern;
}

void NumberText(sqlite3_context* context, int count, sqlite3_value** values) {
  if (IsNull(values[0])) return sqlite3_result_null(context);
  const auto number = NumberOf(values[0]);
  const auto pattern = NumberPatternOf(context, count, values);
  if (!number.ok() || !pattern.ok()) return Fail(context, number.ok() ? pattern.status() : number.status());
  SetResult(context, TypeId::kVarchar, Value(pattern->Format(*number)));
}

void ToNumber(sqlite3_context* context, int count, sqlite3_value** values) {
  if (IsNull(values[0])) return sqlite3_result_null(context);
  const std::string text(absl::StripAsciiWhitespace(AbslText(TextOf(values[0]))));
  if (count < 2 || IsNull(values[1])) {
    const auto number = Decimal::Parse(text);
    if (!number.ok()) return Fail(context, SqlError(ErrorCode::kIllegalData));
    return SetResult(context, TypeId::kDecimal, *number);
  }
  const auto pattern = NumberPatternOf(context, count, values);
  if (!pattern.ok()) return Fail(context, pattern.status());
  const std::optional<Decimal> number = pattern->Read(text);
  SetResult(context, TypeId::kDecimal, number.has_value() ? Value(*number) : Value());
}

// java.util.Random's numbers, which a seed determines.
class JavaRandom {
 public:
  explicit JavaRandom(int64_t seed) : state_((static_cast<uint64_t>(seed) ^ kMultiplier) & kMask) {}

  double NextDouble() {
    const uint64_t high = Next(26);
    return static_cast<double>((high << 27) + Next(27)) * 0x1.0p-53;
  }

 private:
  static constexpr uint64_t kMultiplier = 0x5DEECE66DULL;
  static constexpr uint64_t kMask = (uint64_t{1} << 48) - 1;

  uint64_t Next(int bits) {
    state_ = (state_ * kMultiplier + 0xBULL) & kMask;
    return state_ >> (48 - bits);
  }

  uint64_t state_;
};

void FreeRandom(void* random) { delete static_cast<JavaRandom*>(random); }

// Each call in a statement has numbers of its own, which a seed begins anew in every run.
void Random(sqlite3_context* context, int count, sqlite3_value** values) {
  if (count == 0 || IsNull(values[0])) {
    thread_local std::mt19937_64 generator(std::random_device{}());
    return sqlite3_result_double(context, std::uniform_real_distribution<double>(0, 1)(generator));
  }
  auto* random = static_cast<JavaRandom*>(sqlite3_get_auxdata(context, 0));
  if (random == nullptr) {
    auto fresh = std::make_unique<JavaRandom>(sqlite3_value_int64(values[0]));
    sqlite3_result_double(context, fresh->NextDouble());
    return sqlite3_set_auxdata(context, 0, fresh.release(), FreeRandom);
  }
  sqlite3_result_double(context, random->NextDouble());
}

constexpr NamedFunction kNumberFunctions[] = {
    {"px_sqrt", 1, OfReal<std::sqrt>},
    {"px_cbrt", 1, OfReal<CubeRoot>},
    {"px_exp", 1, OfReal<std::exp>},
    {"px_ln", 1, OfReal<std::log>},
    {"px_sin", 1, OfReal<std::sin>},
    {"px_cos", 1, OfReal<std::cos>},
    {"px_tan", 1, OfReal<std::tan>},
    {"px_log", -1, Logarithm},
    {"px_power", 2, Power},
    {"px_pi", 0, Pi},
    {"px_rand", -1, Random, false},
    {"px_round", -1, RoundNumber<HalfUp>},
    {"px_floor", -1, RoundNumber<FloorOf>},
    {"px_ceil", -1, RoundNumber<CeilingOf>},
    {"px_cast_whole", 3, Call<CastWhole, TypeId::kBigint>},
    {"px_cast_float", 2, Call<CastFloat, TypeId::kDouble>},
    {"px_number_text", -1, NumberText},
    {"px_to_number", -1, ToNumber},
};

}  // namespace

std::span<const NamedFunction> NumberFunctions() { return kNumberFunctions; }

}  // namespace vaquita::sql
