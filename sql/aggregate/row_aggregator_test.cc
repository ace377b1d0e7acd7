#include "sql/aggregate/row_aggregator.h"

#include <limits>
#include <optional>
#include <random>
#include <string>

#include "base/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sql/encoding/value_codec.h"

namespace vaquita::sql {
namespace {

using phoenix::Aggregate;
using phoenix::Condition;

constexpr int kBigint = -5;
constexpr int kVarchar = 12;
constexpr int kDecimal = 3;

// A table with the key G VARCHAR, ID BIGINT and the columns 0:a BIGINT and 0:d DECIMAL.
phoenix::AggregatePlan PlanOf() {
  phoenix::AggregatePlan plan;
  plan.add_key()->mutable_type()->set_jdbc(kVarchar);
  plan.add_key()->mutable_type()->set_jdbc(kBigint);
  phoenix::Column* const group = plan.add_columns();
  group->mutable_type()->set_jdbc(kVarchar);
  group->set_key_position(0);
  for (const auto& [name, type] : {std::pair("a", kBigint), std::pair("d", kDecimal)}) {
    phoenix::Column* const column = plan.add_columns();
    column->mutable_type()->set_jdbc(type);
    column->set_family("0");
    column->set_qualifier(name);
  }
  plan.add_groups(0);
  return plan;
}

void AddAggregate(Aggregate::Kind kind, int column, phoenix::AggregatePlan* plan) {
  Aggregate* const aggregate = plan->add_aggregates();
  aggregate->set_kind(kind);
  aggregate->set_column(column);
}

class Rows {
 public:
  void Add(const std::string& group, int64_t id, std::optional<std::string> a, std::optional<std::string> d) {
    const std::string row = EncodeRowKey({{TypeId::kVarchar}, {TypeId::kBigint}}, {Value(group), Value(id)}, 0);
    ResultRange& range = ranges_.emplace_back();
    range.first = cells_.size();
    for (const auto& [name, value] : {std::pair("_", std::optional<std::string>("x")), {"a", a}, {"d", d}}) {
      if (!value.has_value()) continue;
      cells_.Append({.row = row, .family = "0", .qualifier = name, .timestamp_ms = 1, .value = *value});
    }
    range.count = cells_.size() - range.first;
  }
  absl::StatusOr<phoenix::Parts> Aggregated(std::string_view plan) const {
    auto aggregator = RowAggregator::Make(plan);
    if (!aggregator.ok()) return aggregator.status();
    for (const ResultRange& range : ranges_)
      if (const absl::Status added = (*aggregator)->Add(cells_, range); !added.ok()) return added;
    phoenix::Parts parts;
    EXPECT_TRUE(parts.ParseFromString((*aggregator)->TakeParts()));
    return parts;
  }

 private:
  CellBlock cells_;
  std::vector<ResultRange> ranges_;
};

std::string Whole(int64_t value) { return EncodeValue(TypeId::kBigint, Value(value)); }
std::string Number(std::string_view text) { return EncodeDecimal(*Decimal::Parse(text)); }

TEST(RowAggregatorTest, EachGroupIsAPart) {
  Rows rows;
  rows.Add("g", 1, Whole(5), Number("1.5"));
  rows.Add("h", 1, std::nullopt, std::nullopt);
  rows.Add("g", 2, Whole(-7), Number("20"));
  phoenix::AggregatePlan plan = PlanOf();
  AddAggregate(Aggregate::ROWS, 0, &plan);
  for (const auto kind : {Aggregate::COUNT, Aggregate::SUM, Aggregate::MIN, Aggregate::MAX})
    AddAggregate(kind, 1, &plan);
  AddAggregate(Aggregate::TOTAL, 2, &plan);
  const auto parts = rows.Aggregated(plan.SerializeAsString());
  ASSERT_TRUE(parts.ok()) << parts.status();
  ASSERT_EQ(parts->parts_size(), 2);
  const phoenix::Part& g = parts->parts(0);
  EXPECT_EQ(g.values(0).bytes(), "g");
  EXPECT_EQ(g.values(1).integer(), 2);
  EXPECT_EQ(g.values(2).integer(), 2);
  EXPECT_EQ(g.values(3).integer(), -2);
  EXPECT_EQ(g.values(4).integer(), -7);
  EXPECT_EQ(g.values(5).integer(), 5);
  EXPECT_EQ(g.values(6).bytes(), Number("21.5"));
  const phoenix::Part& h = parts->parts(1);
  EXPECT_EQ(h.values(1).integer(), 1);
  EXPECT_EQ(h.values(2).integer(), 0);
  EXPECT_FALSE(h.values(3).has_integer());
  EXPECT_FALSE(h.values(6).has_bytes());
  EXPECT_EQ(parts->scales(5), 1);
  EXPECT_EQ(parts->digits(5), 2);
}

TEST(RowAggregatorTest, SumsThatDoNotFitAreErrors) {
  phoenix::AggregatePlan plan = PlanOf();
  AddAggregate(Aggregate::SUM, 1, &plan);
  Rows whole;
  whole.Add("g", 1, Whole(std::numeric_limits<int64_t>::max()), std::nullopt);
  EXPECT_TRUE(whole.Aggregated(plan.SerializeAsString()).ok());
  whole.Add("g", 2, Whole(1), std::nullopt);
  EXPECT_TRUE(IsError(whole.Aggregated(plan.SerializeAsString()).status(), ErrorKind::kUnsupportedOperation));
  plan = PlanOf();
  AddAggregate(Aggregate::TOTAL, 2, &plan);
  Rows decimals;
  decimals.Add("g", 1, std::nullopt, Number("1e30"));
  EXPECT_TRUE(decimals.Aggregated(plan.SerializeAsString()).ok());
  decimals.Add("g", 2, std::nullopt, Number("0.0000001"));
  EXPECT_TRUE(IsError(decimals.Aggregated(plan.SerializeAsString()).status(), ErrorKind::kUnsupportedOperation));
}

TEST(RowAggregatorTest, BytesThatAreNoValueAreAnError) {
  phoenix::AggregatePlan plan = PlanOf();
  AddAggregate(Aggregate::SUM, 1, &plan);
  Rows rows;
  rows.Add("g", 1, "abc", std::nullopt);
  EXPECT_FALSE(rows.Aggregated(plan.SerializeAsString()).ok());
}

TEST(RowAggregatorTest, MalformedPlansAreRefused) {
  const auto refused = [](const phoenix::AggregatePlan& plan) {
    return IsError(RowAggregator::Make(plan.SerializeAsString()).status(), ErrorKind::kIllegalArgument);
  };
  EXPECT_FALSE(refused(PlanOf()));
  EXPECT_TRUE(IsError(RowAggregator::Make("no message").status(), ErrorKind::kIllegalArgument));
  phoenix::AggregatePlan plan = PlanOf();
  plan.add_groups(3);
  EXPECT_TRUE(refused(plan));
  plan = PlanOf();
  AddAggregate(Aggregate::SUM, -1, &plan);
  EXPECT_TRUE(refused(plan));
  plan = PlanOf();
  plan.mutable_columns(0)->set_key_position(2);
  EXPECT_TRUE(refused(plan));
  plan = PlanOf();
  plan.mutable_columns(1)->mutable_type()->set_jdbc(12345);
  EXPECT_TRUE(refused(plan));
  plan.mutable_columns(1)->mutable_type()->set_jdbc(SqlType(TypeId::kChar).jdbc());
  plan.mutable_columns(1)->mutable_type()->set_length(std::numeric_limits<int32_t>::max());
  EXPECT_TRUE(refused(plan)) << "elements of an array would be made as long";
  plan = PlanOf();
  plan.mutable_columns(0)->mutable_type()->set_jdbc(plan.columns(1).type().jdbc());
  EXPECT_TRUE(refused(plan)) << "the key has another type";
  plan = PlanOf();
  plan.mutable_where()->set_op(Condition::EQUAL);
  EXPECT_TRUE(refused(plan));
  plan.mutable_where()->add_constants(0);
  EXPECT_TRUE(refused(plan));
  plan.add_constants()->set_integer(1);
  EXPECT_FALSE(refused(plan));
}

TEST(RowAggregatorTest, AnyBytesAreAPlanOrAnError) {
  phoenix::AggregatePlan plan = PlanOf();
  plan.mutable_columns(1)->set_element(3);
  plan.mutable_columns(2)->mutable_type_in_key()->set_jdbc(kDecimal);
  for (int kind = Aggregate::ROWS; kind <= Aggregate::MAX; ++kind)
    AddAggregate(static_cast<Aggregate::Kind>(kind), kind == Aggregate::TOTAL ? 2 : 1, &plan);
  plan.add_constants()->set_integer(1);
  Condition* const where = plan.mutable_where();
  where->set_op(Condition::OR);
  for (int op = Condition::IS_NULL; op <= Condition::LIKE; ++op) {
    Condition* const child = where->add_children();
    child->set_op(static_cast<Condition::Op>(op));
    child->add_constants(0);
  }
  Rows rows;
  rows.Add("g", 1, Whole(5), Number("1.5"));
  const std::string bytes = plan.SerializeAsString();
  std::mt19937 random(1);
  int plans = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string changed = bytes;
    for (unsigned n = random() % 3 + 1; n > 0; --n) changed[random() % changed.size()] = static_cast<char>(random());
    plans += rows.Aggregated(changed).ok() ? 1 : 0;
  }
  EXPECT_GT(plans, 0);
}

}  // namespace
}  // namespace vaquita::sql
