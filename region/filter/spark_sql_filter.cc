// The filter that HBase's Spark connector sends: an expression over a row's columns.
// Source: SparkSQLPushDownFilter, DynamicLogicExpression, NaiveEncoder (hbase-connectors 1.1).

#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/absl_text.h"
#include "base/big_endian.h"
#include "base/status.h"
#include "region/filter/filter_makers.h"

namespace vaquita {
namespace {

constexpr int kMostLevels = 1000;

// An expression's node: two nodes under AND or OR, or a test of one column. Spark's expressions are prefix-free text:
// "( a > 0 AND ( b isNull OR c == 1 ) )", where a number is the place of a value in the query's list.
struct SparkTest {
  enum class Op {
    kAnd,
    kOr,
    kLess,
    kLessOrEqual,
    kGreater,
    kGreaterOrEqual,
    kEqual,
    kNotEqual,
    kStartsWith,
    kIsNull,
    kIsNotNull,
    kPass
  };
  Op op = Op::kPass;
  size_t left = 0, right = 0;  // for kAnd and kOr: places in the list of nodes
  std::string column;
  int32_t value = 0;
};

constexpr std::pair<std::string_view, SparkTest::Op> kSparkOps[] = {{"<", SparkTest::Op::kLess},
                                                                    {"<=", SparkTest::Op::kLessOrEqual},
                                                                    {">", SparkTest::Op::kGreater},
                                                                    {">=", SparkTest::Op::kGreaterOrEqual},
                                                                    {"==", SparkTest::Op::kEqual},
                                                                    {"!=", SparkTest::Op::kNotEqual},
                                                                    {"startsWith", SparkTest::Op::kStartsWith},
                                                                    {"isNull", SparkTest::Op::kIsNull},
                                                                    {"isNotNull", SparkTest::Op::kIsNotNull},
                                                                    {"Pass", SparkTest::Op::kPass}};

// Reads an expression's words into nodes; Parse returns the place of the first one's.
class SparkParser {
 public:
  explicit SparkParser(const std::string& text) : words_(absl::StrSplit(text, ' ')) {}

  absl::StatusOr<size_t> Parse(int level = 0) {
    if (level > kMostLevels) return Bad(absl::StrCat("an expression is nested deeper than ", kMostLevels));
    VAQUITA_ASSIGN_OR_RETURN(const std::string first, Take());
    if (first != "(") return ParseTest(first);
    SparkTest gate;
    VAQUITA_ASSIGN_OR_RETURN(gate.left, Parse(level + 1));
    VAQUITA_ASSIGN_OR_RETURN(const std::string name, Take());
    if (name != "AND" && name != "OR") return Bad("Unknown gate:" + name);
    gate.op = name == "AND" ? SparkTest::Op::kAnd : SparkTest::Op::kOr;
    VAQUITA_ASSIGN_OR_RETURN(gate.right, Parse(level + 1));
    if (at_ < words_.size()) ++at_;  // the closing bracket, at which the connector does not look
    return Add(std::move(gate));
  }
  std::vector<SparkTest> TakeNodes() { return std::move(nodes_); }

 private:
  static absl::Status Bad(const std::string& what) { return Error(ErrorKind::kDoNotRetryIO, what); }
  absl::StatusOr<std::string> Take() {
    if (at_ == words_.size()) return Bad("an expression ends too early");
    return words_[at_++];
  }
  size_t Add(SparkTest node) {
    nodes_.push_back(std::move(node));
    return nodes_.size() - 1;
  }
  absl::StatusOr<size_t> ParseTest(const std::string& column) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string command, Take());
    for (const auto& [name, op] : kSparkOps) {
      if (name != command) continue;
      SparkTest test{.op = op, .column = column};
      if (op != SparkTest::Op::kIsNull && op != SparkTest::Op::kIsNotNull) {
        VAQUITA_ASSIGN_OR_RETURN(const std::string number, Take());
        if (!absl::SimpleAtoi(number, &test.value)) return Bad("For input string: \"" + number + "\"");
      }
      return Add(std::move(test));
    }
    return Bad("Unknown logic command:" + command);
  }

  const std::vector<std::string> words_;
  size_t at_ = 0;
  std::vector<SparkTest> nodes_;
};

// Compares a column's bytes with a value of the query, whose first byte says its type. Numbers are compared as numbers,
// all else as bytes.
class SparkComparison {
 public:
  static std::optional<int> Compare(std::string_view bytes, std::string_view value) {
    if (value.empty()) return std::nullopt;
    const std::string_view rest = value.substr(1);
    switch (value[0]) {
      case 1:
        return Numbers<int16_t, uint16_t>(bytes, rest);
      case 2:
        return Numbers<int32_t, uint32_t>(bytes, rest);
      case 3:
      case 8:
        return Numbers<int64_t, uint64_t>(bytes, rest);
      case 4:
        return Numbers<float, uint32_t>(bytes, rest);
      case 5:
        return Numbers<double, uint64_t>(bytes, rest);
      default:
        return bytes.compare(rest);
    }
  }

 private:
  template <typename Number, typename Bits>
  static std::optional<int> Numbers(std::string_view bytes, std::string_view value) {
    if (bytes.size() < sizeof(Bits) || value.size() < sizeof(Bits)) return std::nullopt;
    return Order(std::bit_cast<Number>(GetBigEndian<Bits>(bytes.data())),
                 std::bit_cast<Number>(GetBigEndian<Bits>(value.data())));
  }
  // As Java's compareTo: NaN is the largest, and -0.0 is less than 0.0.
  template <typename Number>
  static int Order(Number a, Number b) {
    if constexpr (std::is_floating_point_v<Number>) {
      if (std::isnan(a) || std::isnan(b)) return static_cast<int>(std::isnan(a)) - static_cast<int>(std::isnan(b));
      if (a == b) return static_cast<int>(std::signbit(b)) - static_cast<int>(std::signbit(a));
    }
    return a < b ? -1 : static_cast<int>(a > b);
  }
};

class SparkSqlFilter : public Filter {
 public:
  SparkSqlFilter(const SparkSqlFilterSpec& spec, std::vector<SparkTest> nodes, size_t root)
      : nodes_(std::move(nodes)), root_(root), values_(spec.values) {
    for (const auto& column : spec.columns) columns_[{column.family, column.qualifier}] = column.name;
    if (const auto key = columns_.find({"", "key"}); key != columns_.end()) row_key_ = key->second;
  }

  FilterCode FilterCell(const CellView& cell) override {
    if (!begun_ && row_key_.has_value()) row_[*row_key_] = cell.row;
    begun_ = true;
    const auto column = columns_.find({std::string(cell.family), std::string(cell.qualifier)});
    if (column != columns_.end()) row_[column->second] = cell.value;
    return FilterCode::kInclude;
  }
  // A row that cannot be judged passes, and what was collected of it stays for the next one: so does the connector's
  // filter, which catches its own exceptions.
  bool FilterRow() override {
    if (!begun_) return false;
    const std::optional<bool> passes = Passes(nodes_[root_]);
    if (!passes.has_value()) return false;
    row_.clear();
    begun_ = false;
    return !*passes;
  }

 private:
  using Op = SparkTest::Op;

  std::optional<bool> Passes(const SparkTest& node) const {
    if (node.op == Op::kPass) return true;
    if (node.op == Op::kAnd || node.op == Op::kOr) {
      const std::optional<bool> left = Passes(nodes_[node.left]);
      const bool decides = node.op == Op::kOr;
      if (!left.has_value() || *left == decides) return left;
      return Passes(nodes_[node.right]);
    }
    const auto found = row_.find(node.column);
    const bool there = found != row_.end();
    if (node.op == Op::kIsNull || node.op == Op::kIsNotNull) return there == (node.op == Op::kIsNotNull);
    if (node.value < 0 || static_cast<size_t>(node.value) >= values_.size()) return std::nullopt;
    if (!there) return false;
    return Holds(node.op, found->second, values_[static_cast<size_t>(node.value)]);
  }
  static std::optional<bool> Holds(Op op, const std::string& bytes, const std::string& value) {
    if (op == Op::kEqual || op == Op::kNotEqual) return (bytes == value) == (op == Op::kEqual);
    if (op == Op::kStartsWith) return bytes.starts_with(value);
    const std::optional<int> order = SparkComparison::Compare(bytes, value);
    if (!order.has_value()) return std::nullopt;
    if (op == Op::kLess) return *order < 0;
    if (op == Op::kLessOrEqual) return *order <= 0;
    return op == Op::kGreater ? *order > 0 : *order >= 0;
  }

  const std::vector<SparkTest> nodes_;
  const size_t root_;
  const std::vector<std::string> values_;
  std::map<std::pair<std::string, std::string>, std::string> columns_;  // family and qualifier -> Spark's name
  std::optional<std::string> row_key_;                                  // Spark's name of it
  bool begun_ = false;
  std::map<std::string, std::string> row_;  // Spark's name -> value
};

}  // namespace

FilterOr MakeFilterOf(const SparkSqlFilterSpec& spec, const FilterMaking&) {
  SparkParser parser(spec.expression);
  VAQUITA_ASSIGN_OR_RETURN(const size_t root, parser.Parse());
  return std::make_unique<SparkSqlFilter>(spec, parser.TakeNodes(), root);
}

}  // namespace vaquita
