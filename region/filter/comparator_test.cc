// HBase's own comparators have compared the same bytes (region/testdata/comparator_cases.txt).
#include "region/filter/comparator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <chrono>
#include <iterator>
#include <random>
#include <string>

#include "base/status.h"
#include "region/testdata/case_text.h"
#include "region/testdata/filter_text.h"

namespace vaquita {
namespace {

using ::testing::HasSubstr;

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

// Compares `bytes`, which fails and goes on failing; the error.
absl::Status ErrorOf(const ComparatorSpec& spec, std::string_view bytes) {
  const auto comparator = MakeComparator(spec).value();
  EXPECT_TRUE(comparator->status().ok());
  EXPECT_EQ(comparator->Compare(bytes), kIncomparable);
  absl::Status error = comparator->status();
  EXPECT_EQ(comparator->Compare(bytes), kIncomparable);
  EXPECT_EQ(comparator->status(), error);
  return error;
}

TEST(ComparatorTest, BytesThatAreNoNumberAreAnError) {
  const absl::Status no_long = ErrorOf({ComparatorSpec::Type::kLong, std::string(8, '\0')}, "abc");
  EXPECT_TRUE(IsError(no_long, ErrorKind::kDoNotRetryIO));
  EXPECT_THAT(no_long.ToString(), HasSubstr("8 bytes, but a cell has 3"));
  const absl::Status no_decimal = ErrorOf({ComparatorSpec::Type::kBigDecimal, std::string("\0\0\0\0\1", 5)}, "abcd");
  EXPECT_TRUE(IsError(no_decimal, ErrorKind::kDoNotRetryIO));
  EXPECT_THAT(no_decimal.ToString(), HasSubstr("5 to 4100 bytes, but a cell has 4"));
}

// BigDecimal's digits take time by the square of their number, and OpenSSL has no number of more than 64 MB.
TEST(ComparatorTest, DecimalsHaveABound) {
  const auto decimal = [](size_t bytes) { return std::string(4, '\0') + std::string(bytes, 'U'); };
  const ComparatorSpec largest{ComparatorSpec::Type::kBigDecimal, decimal(4096)};
  EXPECT_EQ(MakeComparator(largest).value()->Compare(decimal(4096)), 0);
  const absl::Status too_long = ErrorOf(largest, decimal(4097));
  EXPECT_TRUE(IsError(too_long, ErrorKind::kDoNotRetryIO)) << too_long;
  EXPECT_THAT(too_long.ToString(), HasSubstr("5 to 4100 bytes, but a cell has 4101"));
  const absl::Status refused = MakeComparator({ComparatorSpec::Type::kBigDecimal, decimal(70'000'000)}).status();
  EXPECT_TRUE(IsError(refused, ErrorKind::kIllegalArgument)) << refused;
  EXPECT_THAT(refused.ToString(), HasSubstr("not 70000004"));
}

// A search that begins anew at each byte would take half a minute here.
TEST(ComparatorTest, ASubstringThatAlmostMatchesEverywhereIsSearchedForFast) {
  const std::string almost(50'000, 'A');
  const auto comparator = MakeComparator({ComparatorSpec::Type::kSubstring, almost + "b"}).value();
  const std::string cell(8'000'000, 'a');
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EQ(comparator->Compare(cell), 1);
  EXPECT_EQ(comparator->Compare(cell + "B"), 0);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(5));
}

// A filter may have a hundred thousand comparators.
TEST(ComparatorTest, ASubstringDoesNotKeepTheMemoryForALargeCell) {
  const auto comparator = MakeComparator({ComparatorSpec::Type::kSubstring, "b"}).value();
  const std::string cell(100'000, 'a');
  const auto in_use = [] { return mallinfo2().uordblks; };  // 0 if a sanitizer has its own memory
  const size_t before = in_use();
  EXPECT_EQ(comparator->Compare(cell), 1);
  EXPECT_LT(in_use(), before + cell.size() / 2);
}

// A list may have a hundred thousand comparators, and nothing ends its work on one cell.
TEST(ComparatorTest, TheSubstringsOfAListAreSearchedForInABoundedNumberOfBytes) {
  SearchLimits limits{.regex_time = {}, .substring_bytes = 100};
  const auto first = MakeComparator({ComparatorSpec::Type::kSubstring, "b"}, &limits).value();
  const auto second = MakeComparator({ComparatorSpec::Type::kSubstring, "a"}, &limits).value();
  const std::string cell(40, 'a');
  EXPECT_EQ(first->Compare(cell), 1);
  EXPECT_EQ(second->Compare(cell), 0);
  EXPECT_EQ(first->Compare(cell), kIncomparable);
  EXPECT_TRUE(IsError(first->status(), ErrorKind::kDoNotRetryIO)) << first->status();
  EXPECT_THAT(first->status().ToString(), HasSubstr("in a text of 40 bytes"));
  limits = {};
  EXPECT_EQ(second->Compare(cell), 0) << "each cell has all of them";
}

TEST(ComparatorTest, AnEmptySubstringIsInEveryCell) {
  const auto comparator = MakeComparator({ComparatorSpec::Type::kSubstring, ""}).value();
  EXPECT_EQ(comparator->Compare(""), 0);
  EXPECT_EQ(comparator->Compare("a"), 0);
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

TEST(ComparatorTest, APatternThatDoesNotEndIsAnErrorThatNamesIt) {
  for (const std::string& text : {std::string(64, 'a') + "b", std::string(28, 'a') + "!a"}) {
    const absl::Status error = ErrorOf({ComparatorSpec::Type::kRegex, "(a+)+$"}, text);
    EXPECT_TRUE(IsError(error, ErrorKind::kDoNotRetryIO)) << error;
    EXPECT_THAT(error.ToString(), HasSubstr("(a+)+$"));
    EXPECT_THAT(error.ToString(), HasSubstr("match limit"));
  }
}

// One level of the stack for each character.
TEST(ComparatorTest, APatternThatNeedsTooMuchStackIsAnErrorThatNamesIt) {
  const ComparatorSpec spec{ComparatorSpec::Type::kRegex, "^(?:a|b)*$"};
  const auto comparator = MakeComparator(spec).value();
  EXPECT_EQ(comparator->Compare(std::string(100'000, 'a')), 0);
  EXPECT_EQ(comparator->Compare(std::string(100'000, 'a') + "c"), 1);
  const absl::Status error = ErrorOf(spec, std::string(8'000'000, 'a'));
  EXPECT_TRUE(IsError(error, ErrorKind::kDoNotRetryIO)) << error;
  EXPECT_THAT(error.ToString(), HasSubstr("^(?:a|b)*$"));
}

TEST(ComparatorTest, SurvivesAnyPatternAndAnyBytes) {
  static constexpr std::string_view kPieces[] = {
      "a",    "b",         "[",   "]",  "[^", "(",    ")", "(?=", "|",   "*", "+?", "\\", "\\Q", "\\E",
      "\\u",  "\\p{Lower", "}",   "{2", "&&", "\\01", "^", "$",   "\\b", ".", "-",  " ",  "#",   "\\uD83D\\uDE00",
      "\xC3", "\xE2\x82",  "\xFF"};
  std::minstd_rand random(12);
  const auto text = [&](size_t most) {
    std::string made;
    for (size_t n = random() % most; n > 0; --n) made += kPieces[random() % std::size(kPieces)];
    return made;
  };
  int compiled = 0;
  for (int i = 0; i < 20'000; ++i) {
    ComparatorSpec spec{ComparatorSpec::Type::kRegex, text(8)};
    spec.regex_flags = static_cast<int32_t>(random() % 0x200);
    const auto comparator = MakeComparator(spec);
    EXPECT_TRUE(comparator.ok() || IsError(comparator.status(), ErrorKind::kDoNotRetryIO)) << comparator.status();
    if (!comparator.ok()) continue;
    ++compiled;
    for (int j = 0; j < 3; ++j) (*comparator)->Compare(text(6));
  }
  EXPECT_GT(compiled, 1'000);
}

}  // namespace
}  // namespace vaquita
