#include "lab/records/record_generator.h"

#include <gmock/gmock.h>

#include <map>
#include <set>

namespace vaquita::lab {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Le;
using ::testing::MatchesRegex;

RecordGenerator Make(std::string_view text, uint64_t seed = 42) {
  auto generator = RecordGenerator::Parse(text, seed);
  EXPECT_TRUE(generator.ok()) << generator.status();
  return *std::move(generator);
}

std::string ErrorOf(std::string_view text) { return std::string(RecordGenerator::Parse(text).status().message()); }

std::vector<int64_t> Numbers(std::string_view text, int count) {
  const RecordGenerator generator = Make(text);
  RecordBuffer buffer;
  std::vector<int64_t> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(generator.Generate(i, &buffer)[0].number);
  return numbers;
}

std::vector<std::string> Texts(std::string_view text, int count) {
  const RecordGenerator generator = Make(text);
  RecordBuffer buffer;
  std::vector<std::string> texts;
  for (int i = 0; i < count; ++i) texts.emplace_back(generator.Generate(i, &buffer)[0].text);
  return texts;
}

TEST(RecordGenerator, ARecordDependsOnItsNumberAndTheSeedAlone) {
  const std::string_view text =
      "id=sequence(), user=zipf(1000), n=uniform(1, 6), phone=phone('+49', 9), host=choice('a':3, 'b'), r=hex(40)";
  const RecordGenerator generator = Make(text);
  RecordBuffer buffer, other;
  for (const uint64_t index : {7u, 3u, 1'000'000u, 7u}) {
    const Record record = generator.Generate(index, &buffer);
    const Record again = Make(text).Generate(index, &other);
    EXPECT_EQ(record[0].number, static_cast<int64_t>(index));
    for (size_t i = 0; i < record.size(); ++i) {
      EXPECT_EQ(record[i].number, again[i].number);
      EXPECT_EQ(record[i].text, again[i].text);
    }
  }
  EXPECT_NE(generator.Generate(7, &buffer)[5].text, Make(text, 43).Generate(7, &other)[5].text);
}

TEST(RecordGenerator, FieldsHaveKinds) {
  const RecordGenerator generator = Make(
      "id=sequence(), ts=time(2026-01-01, 1ms), day=uniform(2026-01-01, 2026-02-01), a=choice(1, 2), b=choice('x'), "
      "c='foo', d='foo' + sequence(), e=pad(sequence(), 4), f=7");
  std::string kinds;
  for (const Field& field : generator.schema().fields()) {
    kinds += field.kind == FieldKind::kText ? 'x' : field.kind == FieldKind::kTime ? 't' : 'i';
  }
  EXPECT_EQ(kinds, "ittixxxxi");
}

TEST(RecordGenerator, SequencesAndTimesGoOnFromRecordToRecord) {
  EXPECT_EQ(Numbers("id=sequence()", 3), (std::vector<int64_t>{0, 1, 2}));
  EXPECT_EQ(Numbers("id=sequence(10, -2)", 3), (std::vector<int64_t>{10, 8, 6}));
  EXPECT_EQ(Numbers("ts=time(2026-01-01, 10s)", 3),
            (std::vector<int64_t>{1767225600000, 1767225610000, 1767225620000}));
  EXPECT_EQ(Numbers("ts=time_rate(1000, 2500)", 6), (std::vector<int64_t>{1000, 1000, 1000, 1001, 1001, 1002}));
  const std::vector<int64_t> jittered = Numbers("ts=time(0, 10, 1000)", 1000);
  for (int i = 0; i < 1000; ++i) EXPECT_THAT(jittered[i] - 10 * i, AllOf(Ge(0), Le(999)));
  EXPECT_GT(std::set<int64_t>(jittered.begin(), jittered.end()).size(), 500u);
}

TEST(RecordGenerator, UniformNumbersAreSpreadEvenly) {
  const std::vector<int64_t> numbers = Numbers("n=uniform(-5, 4)", 100'000);
  std::map<int64_t, int> counts;
  for (const int64_t n : numbers) ++counts[n];
  EXPECT_EQ(counts.size(), 10u);
  for (const auto& [n, count] : counts) EXPECT_NEAR(count, 10'000, 500) << n;
  EXPECT_THAT(Numbers("n=uniform(3, 3)", 5), Each(3));
}

// The first rank's share is 1 / the sum of k^-0.99 for k = 1 to 1000, which is 7.73.
TEST(RecordGenerator, ZipfPrefersTheFirstRanks) {
  std::map<int64_t, int> counts;
  for (const int64_t n : Numbers("n=zipf(1000)", 100'000)) ++counts[n];
  EXPECT_NEAR(counts[0], 12'900, 600);
  EXPECT_NEAR(counts[1], 6'500, 600);
  EXPECT_GE(counts.begin()->first, 0);
  EXPECT_LE(counts.rbegin()->first, 999);
  std::map<int64_t, int> scrambled;
  for (const int64_t n : Numbers("n=scrambled_zipf(1000)", 100'000)) ++scrambled[n];
  int most = 0;
  for (const auto& [n, count] : scrambled) most = std::max(most, count);
  EXPECT_NEAR(most, 12'900, 900);
  EXPECT_LT(scrambled[0], most);
}

TEST(RecordGenerator, LatestPrefersTheNewest) {
  const std::vector<int64_t> numbers = Numbers("n=latest(1000)", 10'000);
  int newest = 0;
  for (int i = 0; i < 10'000; ++i) {
    EXPECT_THAT(numbers[i], AllOf(Ge(0), Le(i)));
    newest += numbers[i] == i;
  }
  EXPECT_NEAR(newest, 1290, 200);
}

TEST(RecordGenerator, ChoicesComeByTheirWeights) {
  std::map<std::string, int> counts;
  for (const std::string& text : Texts("t=choice('info':90, 'warn':9, 'error', 'never':0)", 100'000)) ++counts[text];
  EXPECT_EQ(counts.size(), 3u);
  EXPECT_NEAR(counts["info"], 90'000, 1000);
  EXPECT_NEAR(counts["warn"], 9'000, 500);
  EXPECT_THAT(Numbers("t=choice(7, 7)", 10), Each(7));
}

TEST(RecordGenerator, TextsAreMade) {
  EXPECT_EQ(Texts("t='foo' + pad(sequence(1), 4)", 2), (std::vector<std::string>{"foo0001", "foo0002"}));
  EXPECT_EQ(Texts("t=constant('x') + sequence(-1) + '!'", 2), (std::vector<std::string>{"x-1!", "x0!"}));
  EXPECT_EQ(Texts("t=pad(sequence(-10, 9), 3)", 3), (std::vector<std::string>{"-10", "-01", "008"}));
  EXPECT_EQ(Texts("t=pad(sequence(-10, 9), 5)", 3), (std::vector<std::string>{"-0010", "-0001", "00008"}));
  EXPECT_THAT(Texts("t=phone('+49170', 7)", 100), Each(MatchesRegex("\\+49170[0-9]{7}")));
  EXPECT_THAT(Texts("t=hex(33)", 100), Each(MatchesRegex("[0-9a-f]{33}")));
  for (const char* text : {"t=hex(48)", "t=phone('', 48)"}) {
    std::set<std::string> thirds[3];
    for (const std::string& digits : Texts(text, 1000)) {
      for (int i = 0; i < 3; ++i) thirds[i].insert(digits.substr(16 * i, 16));
    }
    for (const auto& third : thirds) EXPECT_EQ(third.size(), 1000u) << text;
  }
  const std::vector<std::string> again = Texts("t=phone('0', 9, 20)", 1000);
  EXPECT_EQ(std::set<std::string>(again.begin(), again.end()).size(), 20u);
  const std::vector<std::string> once = Texts("t=phone('0', 9)", 1000);
  EXPECT_GT(std::set<std::string>(once.begin(), once.end()).size(), 995u);
}

TEST(RecordGenerator, AnErrorPointsAtItsPlace) {
  EXPECT_EQ(ErrorOf("id=sequense()"),
            "unknown generator 'sequense'; did you mean 'sequence'?; the generators are sequence, uniform, zipf, "
            "scrambled_zipf, latest, "
            "time, time_rate, choice, phone, hex, constant, pad\n  id=sequense()\n     ^");
  EXPECT_EQ(ErrorOf("a=1, a=2"), "duplicate field 'a'\n  a=1, a=2\n       ^");
  EXPECT_EQ(ErrorOf("a=uniform(2, 1)"), "the second number is below the first\n  a=uniform(2, 1)\n               ^");
  EXPECT_EQ(ErrorOf("a=zipf()"), "use it as zipf(n, [exponent])\n  a=zipf()\n    ^");
  EXPECT_THAT(ErrorOf("a=zipf(0)"), HasSubstr("a count is needed here: a number from 1"));
  EXPECT_THAT(ErrorOf("a=zipf(5, 1.5)"), HasSubstr("an exponent between 0.0 and 1.0"));
  EXPECT_THAT(ErrorOf("a=time(5m)"), HasSubstr("time(start, step, [jitter])"));
  EXPECT_THAT(ErrorOf("a=choice('x', 1)"), HasSubstr("the choices must be all texts or all numbers"));
  EXPECT_THAT(ErrorOf("a=uniform(1:5, 6)"), HasSubstr("only the values of choice() have weights"));
  EXPECT_THAT(ErrorOf("a=choice('x':0)"), HasSubstr("all weights are 0"));
  EXPECT_THAT(ErrorOf("a"), HasSubstr("found the end where '=' after the field's name should be"));
  EXPECT_THAT(ErrorOf(""), HasSubstr("found the end where a name should be"));
  EXPECT_THAT(ErrorOf("a=b"), HasSubstr("a generator is needed here"));
}

}  // namespace
}  // namespace vaquita::lab
