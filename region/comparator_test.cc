// HBase's own comparators have compared the same bytes (testdata/comparator_cases.txt).
#include "region/comparator.h"

#include <gtest/gtest.h>

#include <string>

#include "engine/status.h"
#include "region/testdata/case_text.h"
#include "region/testdata/filter_text.h"

namespace vaquita {
namespace {

TEST(ComparatorTest, ComparesAsHBasesOwn) {
  int failures = 0;
  for (const std::string& line : cases::Lines("comparator_cases.txt")) {
    std::string_view rest = line;
    const cases::Node node = cases::TakeNode(&rest);
    const std::vector<std::string> words = cases::Words(rest);
    auto comparator = MakeComparator(cases::ReadComparator(node));
    ASSERT_TRUE(comparator.ok()) << line << ": " << comparator.status();
    const int comparison = (*comparator)->Compare(cases::Bytes(words.at(0)));
    EXPECT_EQ(comparison, std::stoi(words.at(1))) << line;
    failures += comparison != std::stoi(words.at(1));
    if (failures > 20) break;
  }
}

TEST(ComparatorTest, BytesThatAreNoNumberMatchNoOperator) {
  ComparatorSpec spec{ComparatorSpec::Type::kLong, std::string(8, '\0')};
  EXPECT_EQ(MakeComparator(spec).value()->Compare("abc"), kIncomparable);
  for (int op = 0; op <= static_cast<int>(CompareOp::kNoOp); ++op)
    EXPECT_TRUE(IsFilteredOut(static_cast<CompareOp>(op), kIncomparable));
  spec = {ComparatorSpec::Type::kBigDecimal, std::string("\0\0\0\0\1", 5)};
  EXPECT_EQ(MakeComparator(spec).value()->Compare("abcd"), kIncomparable);
}

TEST(ComparatorTest, RefusesMalformedOnes) {
  EXPECT_TRUE(IsError(MakeComparator({ComparatorSpec::Type::kLong, "abc"}).status(), ErrorKind::kIllegalArgument));
  EXPECT_TRUE(
      IsError(MakeComparator({ComparatorSpec::Type::kBigDecimal, "abc"}).status(), ErrorKind::kIllegalArgument));
  EXPECT_TRUE(IsError(MakeComparator({ComparatorSpec::Type::kBinaryComponent, "abc", -1}).status(),
                      ErrorKind::kIllegalArgument));
  ComparatorSpec regex{ComparatorSpec::Type::kRegex, "a"};
  regex.charset = "EBCDIC";
  EXPECT_TRUE(IsError(MakeComparator(regex).status(), ErrorKind::kIllegalArgument));
  for (const char* pattern : {"(", "[a", "*", "[a&&b]", "\\p{NoSuchClass}", "\\u12", "a\\"}) {
    EXPECT_TRUE(IsError(MakeComparator({ComparatorSpec::Type::kRegex, pattern}).status(), ErrorKind::kDoNotRetryIO))
        << pattern;
  }
}

TEST(ComparatorTest, APatternThatNeverEndsGivesUp) {
  const auto comparator = MakeComparator({ComparatorSpec::Type::kRegex, "(a+)+$"}).value();
  EXPECT_EQ(comparator->Compare(std::string(64, 'a') + "b"), 1);
}

}  // namespace
}  // namespace vaquita
