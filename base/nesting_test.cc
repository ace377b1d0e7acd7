#include "base/nesting.h"

#include <gtest/gtest.h>

#include "base/testing/repeated.h"

namespace vaquita {
namespace {

// Reads digits, parentheses and '-', and returns whether it read all of the text.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool Read() { return Difference() && rest_.empty(); }

 private:
  bool Difference() {
    const Nesting::Level level(&nesting_);
    if (nesting_.IsTooDeep() || !Operand()) return false;
    while (Take('-')) {
      nesting_.Link();
      if (nesting_.IsTooDeep() || !Operand()) return false;
    }
    return true;
  }
  bool Operand() {
    if (Take('1')) return true;
    return Take('(') && Difference() && Take(')');
  }
  bool Take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string_view rest_;
  Nesting nesting_{5, 10};
};

TEST(NestingTest, LevelsHaveABound) {
  EXPECT_TRUE(Reader(Repeated(4, "(") + "1" + Repeated(4, ")")).Read());
  EXPECT_FALSE(Reader(Repeated(5, "(") + "1" + Repeated(5, ")")).Read());
}

TEST(NestingTest, OperatorsThatFollowOneAnotherHaveABound) {
  EXPECT_TRUE(Reader("1" + Repeated(10, "-1")).Read());
  EXPECT_FALSE(Reader("1" + Repeated(11, "-1")).Read());
}

TEST(NestingTest, AnOperandsHeightCountsForItsOperator) {
  EXPECT_TRUE(Reader("(1" + Repeated(6, "-1") + ")" + Repeated(3, "-1")).Read());
  EXPECT_FALSE(Reader("(1" + Repeated(6, "-1") + ")" + Repeated(4, "-1")).Read());
  EXPECT_TRUE(Reader("1-(1" + Repeated(9, "-1") + ")").Read());
  EXPECT_FALSE(Reader("1-(1" + Repeated(9, "-1") + ")-1").Read());
}

TEST(NestingTest, PartsBesideOneAnotherDoNotAddUp) {
  EXPECT_TRUE(Reader("(1" + Repeated(6, "-1") + ")-(1" + Repeated(6, "-1") + ")-(1" + Repeated(6, "-1") + ")").Read());
}

}  // namespace
}  // namespace vaquita
