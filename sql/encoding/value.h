// sql/encoding/value.h: a value of SQL, as programs and statements exchange it.
//
// Its C++ type follows from its SQL type (ValueKind): kInteger, kBoolean (0, 1) and kMillis (ms since 1970, UTC) are
// int64_t; kReal double; kText and kBytes std::string; an array is a list of values. Threads: values.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "sql/encoding/decimal.h"

namespace vaquita::sql {

// A point in time: whole milliseconds since 1970, and 0 to 999,999 nanoseconds more.
struct Timestamp {
  int64_t ms = 0;
  int32_t nanos = 0;
  friend auto operator<=>(const Timestamp&, const Timestamp&) = default;
};

struct Value;
using ValueList = std::vector<Value>;

struct Value : std::variant<std::monostate, int64_t, double, std::string, Decimal, Timestamp, ValueList> {
  using variant::variant;
  bool is_null() const { return index() == 0; }
  // REQUIRES for these: the value has that type.
  int64_t integer() const { return std::get<int64_t>(*this); }
  double real() const { return std::get<double>(*this); }
  const std::string& text() const { return std::get<std::string>(*this); }
  const Decimal& decimal() const { return std::get<Decimal>(*this); }
  const Timestamp& timestamp() const { return std::get<Timestamp>(*this); }
  const ValueList& list() const { return std::get<ValueList>(*this); }
};

}  // namespace vaquita::sql
