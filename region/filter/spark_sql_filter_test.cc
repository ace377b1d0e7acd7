// The filter of HBase's Spark connector, as its source has it (hbase-connectors 1.1); the expressions are those of its
// DynamicLogicExpressionSuite and of what Spark's predicates become.
#include <gmock/gmock.h>

#include <bit>
#include <map>
#include <string>

#include "base/big_endian.h"
#include "base/status.h"
#include "region/filter/filter.h"

namespace vaquita {
namespace {

using ::testing::HasSubstr;

template <typename Bits>
std::string Number(char type, Bits bits) {
  std::string bytes(1, type);
  AppendBigEndian(bits, &bytes);
  return bytes;
}
std::string Int(int32_t value) { return Number(2, static_cast<uint32_t>(value)); }
std::string IntCell(int32_t value) { return Int(value).substr(1); }
std::string Double(double value) { return Number(5, std::bit_cast<uint64_t>(value)); }
std::string DoubleCell(double value) { return Double(value).substr(1); }
std::string Text(const std::string& text) { return "\6" + text; }

// Tells whether a row of these columns of family f passes.
class Spark {
 public:
  Spark(const std::string& expression, std::vector<std::string> values) {
    spec_.expression = expression;
    spec_.values = std::move(values);
    spec_.columns = {{"f", "a", "A"}, {"f", "b", "B"}, {"", "key", "KEY"}};
    auto made = MakeFilter(FilterSpec{spec_});
    status_ = made.status();
    if (made.ok()) filter_ = *std::move(made);
  }
  bool Passes(const std::map<std::string, std::string>& cells, const std::string& row = "r") {
    for (const auto& [qualifier, value] : cells) {
      EXPECT_EQ(filter_->FilterCell({row, "f", qualifier, 1, CellType::kPut, value}), FilterCode::kInclude);
    }
    const bool out = filter_->FilterRow();
    filter_->Reset();
    return !out;
  }
  const absl::Status& status() const { return status_; }

 private:
  SparkSqlFilterSpec spec_;
  absl::Status status_;
  std::unique_ptr<Filter> filter_;
};

TEST(SparkSqlFilterTest, NumbersCompareAsNumbers) {
  Spark less("A < 0", {Int(10)});
  EXPECT_TRUE(less.Passes({{"a", IntCell(-5)}}));
  EXPECT_TRUE(less.Passes({{"a", IntCell(9)}}));
  EXPECT_FALSE(less.Passes({{"a", IntCell(10)}}));
  EXPECT_FALSE(less.Passes({{"b", IntCell(1)}})) << "a column that is not there compares with nothing";
  EXPECT_TRUE(Spark("A <= 0", {Int(10)}).Passes({{"a", IntCell(10)}}));
  EXPECT_TRUE(Spark("A >= 0", {Int(-10)}).Passes({{"a", IntCell(-10)}}));
  EXPECT_FALSE(Spark("A > 0", {Int(-10)}).Passes({{"a", IntCell(-11)}}));
  Spark positive("A > 0", {Double(-0.0)});
  EXPECT_TRUE(positive.Passes({{"a", DoubleCell(0.0)}}));
  EXPECT_FALSE(positive.Passes({{"a", DoubleCell(-1.5)}}));
  EXPECT_TRUE(positive.Passes({{"a", DoubleCell(std::numeric_limits<double>::quiet_NaN())}}));
  EXPECT_TRUE(Spark("A > 0", {Text("b")}).Passes({{"a", "ba"}}));
  EXPECT_FALSE(Spark("A > 0", {Text("b")}).Passes({{"a", "b"}}));
}

TEST(SparkSqlFilterTest, EqualityAndPrefixesAreOfBytesAsTheyAre) {
  EXPECT_TRUE(Spark("A == 0", {"x"}).Passes({{"a", "x"}}));
  EXPECT_FALSE(Spark("A == 0", {"x"}).Passes({{"a", "xy"}}));
  EXPECT_TRUE(Spark("A != 0", {"x"}).Passes({{"a", "xy"}}));
  EXPECT_FALSE(Spark("A != 0", {"x"}).Passes({{"b", "xy"}})) << "null is neither equal nor unequal";
  EXPECT_TRUE(Spark("A startsWith 0", {"x"}).Passes({{"a", "xy"}}));
  EXPECT_FALSE(Spark("A startsWith 0", {"xy"}).Passes({{"a", "x"}}));
  EXPECT_TRUE(Spark("A isNull", {}).Passes({{"b", "x"}}));
  EXPECT_FALSE(Spark("A isNull", {}).Passes({{"a", "x"}}));
  EXPECT_TRUE(Spark("A isNotNull", {}).Passes({{"a", "x"}}));
  EXPECT_TRUE(Spark("dummy Pass -1", {}).Passes({{"a", "x"}}));
}

TEST(SparkSqlFilterTest, GatesNestAndTheRowKeyIsAColumn) {
  Spark gates("( ( A < 0 AND A > 1 ) OR ( B == 2 AND KEY startsWith 3 ) )", {Int(10), Int(5), "b", "row"});
  EXPECT_TRUE(gates.Passes({{"a", IntCell(7)}}));
  EXPECT_FALSE(gates.Passes({{"a", IntCell(5)}}));
  EXPECT_TRUE(gates.Passes({{"a", IntCell(50)}, {"b", "b"}}, "row7"));
  EXPECT_FALSE(gates.Passes({{"a", IntCell(50)}, {"b", "b"}}, "low7"));
  EXPECT_FALSE(gates.Passes({{"b", "c"}}, "row8")) << "nothing of the row before is left";
}

TEST(SparkSqlFilterTest, ARowThatCannotBeJudgedPasses) {
  Spark few("A < 0", {Int(10)});
  EXPECT_TRUE(few.Passes({{"a", "xy"}})) << "an int has four bytes";
  EXPECT_TRUE(Spark("A < 7", {Int(10)}).Passes({{"a", IntCell(11)}})) << "there is no eighth value";
}

TEST(SparkSqlFilterTest, AnExpressionThatIsNoneIsRefused) {
  EXPECT_TRUE(IsError(Spark("A ~ 0", {}).status(), ErrorKind::kDoNotRetryIO));
  EXPECT_EQ(Spark("A ~ 0", {}).status().message(), "Unknown logic command:~");
  EXPECT_EQ(Spark("( A < 0 XOR A > 0 )", {}).status().message(), "Unknown gate:XOR");
  EXPECT_EQ(Spark("A < x", {}).status().message(), "For input string: \"x\"");
  EXPECT_EQ(Spark("A <", {}).status().message(), "an expression ends too early");
  std::string deep;
  for (int i = 0; i < 2000; ++i) deep += "( ";
  EXPECT_THAT(std::string(Spark(deep, {}).status().message()), HasSubstr("nested deeper than 1000"));
}

}  // namespace
}  // namespace vaquita
