#include "tests/cluster_checker/linearizability.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace vaquita::checker {
namespace {

using Kind = Operation::Kind;

Operation Read(int64_t from, int64_t to, Register result) {
  return {.kind = Kind::kRead, .invoked_ns = from, .returned_ns = to, .result = result};
}
Operation Put(int64_t from, int64_t to, int64_t value) {
  return {.kind = Kind::kPut, .argument = value, .invoked_ns = from, .returned_ns = to};
}
Operation Add(int64_t from, int64_t to, int64_t amount, Register result = {}) {
  return {.kind = Kind::kAdd, .argument = amount, .invoked_ns = from, .returned_ns = to, .result = result};
}
Operation Set(int64_t from, int64_t to, Register expected, int64_t value, bool succeeded = false) {
  return {.kind = Kind::kCompareAndSet,
          .argument = value,
          .expected = expected,
          .invoked_ns = from,
          .returned_ns = to,
          .succeeded = succeeded};
}
bool Fits(const History& history) { return CheckLinearizable(history).ok(); }

TEST(Linearizability, OneAfterTheOther) {
  EXPECT_TRUE(Fits({}));
  EXPECT_TRUE(Fits({Read(1, 2, {}), Put(3, 4, 5), Read(5, 6, 5), Add(7, 8, 2, 7), Read(9, 10, 7)}));
  EXPECT_FALSE(Fits({Read(1, 2, 5)})) << "a value that was never written";
  EXPECT_FALSE(Fits({Put(1, 2, 5), Read(3, 4, {})})) << "a lost put";
  EXPECT_FALSE(Fits({Put(1, 2, 5), Put(3, 4, 6), Read(5, 6, 5)})) << "a stale read";
  EXPECT_FALSE(Fits({Add(1, 2, 1, 1), Add(3, 4, 1, 1)})) << "a lost addition";
  EXPECT_FALSE(Fits({Add(1, 2, 1, 1), Read(3, 4, 2)})) << "added twice";
  EXPECT_FALSE(Fits({Add(1, 2, 1, 1), Add(3, 4, 1, 3)})) << "added twice";
}

TEST(Linearizability, CompareAndSet) {
  EXPECT_TRUE(Fits({Set(1, 2, {}, 5, true), Set(3, 4, {}, 6, false), Set(5, 6, 5, 7, true), Read(7, 8, 7)}));
  EXPECT_FALSE(Fits({Set(1, 2, {}, 5, true), Set(3, 4, {}, 6, true)})) << "the condition did not hold";
  EXPECT_FALSE(Fits({Set(1, 2, {}, 5, false)})) << "the condition held";
  EXPECT_FALSE(Fits({Set(1, 2, {}, 5, false), Read(3, 4, 5)})) << "done, and said not to be";
  EXPECT_FALSE(Fits({Set(1, 9, {}, 5, true), Set(2, 8, {}, 6, true)})) << "two winners";
}

TEST(Linearizability, AtTheSameTimeEitherMayBeFirst) {
  EXPECT_TRUE(Fits({Put(1, 4, 5), Put(2, 3, 6), Read(5, 6, 5)}));
  EXPECT_TRUE(Fits({Put(1, 4, 5), Put(2, 3, 6), Read(5, 6, 6)}));
  EXPECT_TRUE(Fits({Put(1, 9, 5), Read(2, 3, {}), Read(4, 5, 5), Read(6, 7, 5)}));
  EXPECT_FALSE(Fits({Put(1, 9, 5), Read(2, 3, 5), Read(4, 5, {})})) << "come, and gone";
  EXPECT_TRUE(Fits({Add(1, 9, 1, 2), Add(2, 8, 1, 1)}));
  EXPECT_FALSE(Fits({Add(1, 9, 1, 1), Add(2, 8, 1, 1)}));
  EXPECT_TRUE(Fits({Put(1, 2, 5), Read(2, 3, {})})) << "nothing tells what was first at 2";
}

TEST(Linearizability, AnUnknownOutcomeMayBeEitherButNotBoth) {
  EXPECT_TRUE(Fits({Put(1, kNever, 5), Read(2, 3, {})}));
  EXPECT_TRUE(Fits({Put(1, kNever, 5), Read(2, 3, {}), Read(4, 5, 5)})) << "done late";
  EXPECT_FALSE(Fits({Put(1, kNever, 5), Read(2, 3, 5), Read(4, 5, {})}));
  EXPECT_TRUE(Fits({Add(1, kNever, 1), Add(2, 3, 1, 2)}));
  EXPECT_TRUE(Fits({Add(1, kNever, 1), Add(2, 3, 1, 1), Add(4, 5, 1, 3)}));
  EXPECT_FALSE(Fits({Add(1, kNever, 1), Add(2, 3, 1, 3)})) << "done twice";
  EXPECT_FALSE(Fits({Add(1, kNever, 1), Add(2, 3, 1, 2), Add(4, 5, 1, 4)})) << "done twice";
  EXPECT_TRUE(Fits({Set(1, kNever, {}, 5), Read(2, 3, {}), Set(4, 5, {}, 6, false)}));
  EXPECT_FALSE(Fits({Set(1, kNever, 3, 5), Read(2, 3, 5)})) << "its condition never held";
  EXPECT_FALSE(Fits({Read(1, 2, {}), Put(3, kNever, 5), Read(1, 2, 5)})) << "before it began";
}

TEST(Linearizability, NamesTheOperationThatDoesNotFit) {
  EXPECT_THAT(CheckLinearizable({Add(1, 2, 7, 7), Add(3, 4, 1, 1)}).message(),
              ::testing::HasSubstr("at the end of: add 1 -> 1"));
}

// A register that takes each operation at some moment of its time; some answers get lost, and so do some requests.
History RandomHistory(std::mt19937& random) {
  History history;
  Register state;
  for (int64_t moment = 1'000; moment < 13'000; moment += 100) {
    Operation operation = Add(moment - random() % 300, moment + 1 + random() % 300, 1 + random() % 3);
    if (random() % 2 == 0) operation.kind = Kind::kRead;
    const bool known = random() % 15 != 0;
    const bool happens = known || random() % 2 == 0;
    if (operation.kind == Kind::kAdd && happens) state = state.value_or(0) + operation.argument;
    if (known)
      operation.result = state;
    else
      operation.returned_ns = kNever;
    history.push_back(operation);
  }
  return history;
}

TEST(Linearizability, RandomHistoriesFitUntilAResultIsChanged) {
  for (int seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    History history = RandomHistory(random);
    ASSERT_TRUE(Fits(history)) << "seed " << seed << "\n" << ToText(history);
    Operation& broken = history[random() % history.size()];
    if (!broken.known()) continue;
    broken.result = broken.result.value_or(0) + 1'000;
    EXPECT_FALSE(Fits(history)) << "seed " << seed << "\n" << ToText(history);
  }
}

}  // namespace
}  // namespace vaquita::checker
