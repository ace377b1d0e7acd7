// server/frontend/hbase/endpoint/column_interpreters.h: HBase's column interpreters, by which AggregateService reads
// numbers from the values of cells.
//
// Each has a type Value; a function that reads a Value from a cell's bytes, or nothing if they are no number; sum,
// product and order; the bytes of a Value in a message; and the Value that stands for a missing weight (LEAST_VALUE).
// Threads: functions only. Source: LongColumnInterpreter, DoubleColumnInterpreter, BigDecimalColumnInterpreter (2.6).
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/big_endian.h"
#include "base/status.h"
#include "hbase/Endpoints.pb.h"
#include "proto/hbase/pb.h"
#include "server/frontend/hbase/endpoint/big_decimal.h"

namespace vaquita::hbase {

struct LongInterpreter {
  using Value = int64_t;
  static absl::StatusOr<std::optional<Value>> Read(std::string_view bytes) {
    if (bytes.size() != sizeof(Value)) return std::nullopt;
    return static_cast<Value>(GetBigEndian<uint64_t>(bytes.data()));
  }
  // As in Java, a sum that does not fit wraps around.
  static Value Sum(Value a, Value b) { return static_cast<Value>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)); }
  static Value Product(Value a, Value b) {
    return static_cast<Value>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  }
  static bool Less(Value a, Value b) { return a < b; }
  static Value Least() { return std::numeric_limits<Value>::min(); }
  static std::string Message(Value value) {
    pb::LongMsg message;
    message.set_long_msg(value);
    return message.SerializeAsString();
  }
};

struct DoubleInterpreter {
  using Value = double;
  static absl::StatusOr<std::optional<Value>> Read(std::string_view bytes) {
    if (bytes.size() != sizeof(Value)) return std::nullopt;
    return std::bit_cast<Value>(GetBigEndian<uint64_t>(bytes.data()));
  }
  static Value Sum(Value a, Value b) { return a + b; }
  static Value Product(Value a, Value b) { return a * b; }
  // Double.compareTo: -0.0 is less than 0.0, and NaN is the largest.
  static bool Less(Value a, Value b) {
    if (std::isnan(a) || std::isnan(b)) return !std::isnan(a);
    return a < b || (a == b && std::signbit(a) && !std::signbit(b));
  }
  // Double.MIN_VALUE is the least positive one.
  static Value Least() { return std::numeric_limits<Value>::denorm_min(); }
  static std::string Message(Value value) {
    pb::DoubleMsg message;
    message.set_double_msg(value);
    return message.SerializeAsString();
  }
};

struct BigDecimalInterpreter {
  using Value = BigDecimal;
  static constexpr int32_t kScale = 2;
  static absl::StatusOr<std::optional<Value>> Read(std::string_view bytes) {
    const std::optional<BigDecimal> value = BigDecimal::Read(bytes);
    if (!value.has_value()) {
      return Error(ErrorKind::kDoNotRetryIO,
                   "A cell's value is not a BigDecimal: 4 bytes of scale (at most 10,000), then "
                   "an unscaled value of 1 to 4,096 bytes");
    }
    return value->WithScale(kScale);
  }
  static Value Sum(const Value& a, const Value& b) { return a.Plus(b); }
  static Value Product(const Value& a, const Value& b) { return a.Times(b).WithScale(kScale); }
  static bool Less(const Value& a, const Value& b) { return a.Compare(b) < 0; }
  // BigDecimal.valueOf(Double.MIN_VALUE): 4.9E-324.
  static Value Least() { return *BigDecimal::Read(std::string_view("\0\0\x01\x45\x31", 5)); }
  static std::string Message(const Value& value) {
    pb::BigDecimalMsg message;
    message.set_bigdecimal_msg(value.Bytes());
    return message.SerializeAsString();
  }
};

}  // namespace vaquita::hbase
