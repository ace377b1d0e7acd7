#include "lab/report/words.h"

#include <gmock/gmock.h>

namespace vaquita::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(WordsTest, NumbersAreSaidAsPeopleSayThem) {
  EXPECT_EQ(CountInWords(2105), "2,105");
  EXPECT_EQ(CountInWords(999'999), "999,999");
  EXPECT_EQ(CountInWords(1e6), "1 million");
  EXPECT_EQ(CountInWords(12'345'678), "12.3 million");
  EXPECT_EQ(CountInWords(999'700'000), "1 billion");
  EXPECT_EQ(CountInWords(3.5e9), "3.5 billion");
  EXPECT_EQ(CountInWords(2e12), "2 trillion");
  EXPECT_EQ(CountInWords(2e18), "2e+18");
}

TEST(WordsTest, TimesHaveTheUnitThatFits) {
  EXPECT_EQ(DurationInWords(2 * 86'400'000.0), "2 days");
  EXPECT_EQ(DurationInWords(10'000'000), "2.78 hours");
  EXPECT_EQ(DurationInWords(45 * 60'000.0), "45 minutes");
  EXPECT_EQ(DurationInWords(90'000), "1.5 minutes");
  EXPECT_EQ(DurationInWords(1000), "1 second");
  EXPECT_EQ(DurationInWords(20), "0.02 seconds");
  EXPECT_EQ(DurationInWords(4000 * 86'400'000.0), "4,000 days");
}

TEST(WordsTest, LinesAreBrokenAtSpaces) {
  EXPECT_THAT(Wrapped("one two three", 7), ElementsAre("one two", "three"));
  EXPECT_THAT(Wrapped("one two three", 8), ElementsAre("one two", "three"));
  EXPECT_THAT(Wrapped("abcdefgh ij", 3), ElementsAre("abc", "def", "gh", "ij"));
  EXPECT_THAT(Wrapped("äöü äö", 3), ElementsAre("äöü", "äö"));
  EXPECT_THAT(Wrapped("gets 1.00 x.", 9), ElementsAre("gets", "1.00 x."));
  EXPECT_THAT(Wrapped("gets 1.00 x.", 10), ElementsAre("gets", "1.00 x."));
  EXPECT_THAT(Wrapped("", 3), IsEmpty());
}

TEST(WordsTest, ALongTextIsCut) {
  const std::vector<std::string> whole = Wrapped(std::string(20 * 8, 'a'), 8);
  ASSERT_THAT(whole, SizeIs(20));
  EXPECT_EQ(whole.back(), "aaaaaaaa");
  const std::vector<std::string> cut = Wrapped(std::string(131'072, 'a'), 8);
  ASSERT_THAT(cut, SizeIs(20));
  EXPECT_EQ(cut.back(), "aaaaa...");
}

}  // namespace
}  // namespace vaquita::lab
