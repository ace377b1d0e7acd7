#include "tools/shell/value.h"

#include <gtest/gtest.h>

namespace vaquita::shell {
namespace {

TEST(Value, InspectsAsRubyDoes) {
  EXPECT_EQ(Value().Inspect(), "nil");
  EXPECT_EQ(Value(true).Inspect(), "true");
  EXPECT_EQ(Value(int64_t{-5}).Inspect(), "-5");
  EXPECT_EQ(Value(Symbol{"a"}).Inspect(), ":a");
  EXPECT_EQ(Value(Array{Value(int64_t{1}), Value("a"), Value()}).Inspect(), "[1, \"a\", nil]");
  EXPECT_EQ(Value(Hash{{Value("a"), Value(int64_t{1})}, {Value("b"), Value(Array{})}}).Inspect(),
            "{\"a\"=>1, \"b\"=>[]}");
  EXPECT_EQ(Value(TableReference{"t"}).Inspect(), "Hbase::Table - t");
}

TEST(Value, InspectsStringsWithEscapes) {
  EXPECT_EQ(Value("a\"b\\c\n\t\x1b").Inspect(), R"("a\"b\\c\n\t\e")");
  EXPECT_EQ(Value(std::string("a\0b", 3)).Inspect(), R"("a\u0000b")");
  EXPECT_EQ(Value("ü").Inspect(), "\"ü\"");
  EXPECT_EQ(Value("\x01\xff").Inspect(), R"("\x01\xFF")");
  EXPECT_EQ(Value("#{x} #x").Inspect(), R"("\#{x} #x")");
}

TEST(Value, PrintsFloatsAsRubyDoes) {
  const std::pair<double, const char*> cases[] = {
      {0, "0.0"},         {1.5, "1.5"},      {1e3, "1000.0"}, {1e15, "1000000000000000.0"}, {1e16, "1.0e+16"},
      {0.0001, "0.0001"}, {1e-5, "1.0e-05"}, {-2.5, "-2.5"},  {1.25e-10, "1.25e-10"},
  };
  for (const auto& [number, text] : cases) EXPECT_EQ(Value(number).ToText(), text);
}

TEST(Value, TextIsRubysToS) {
  EXPECT_EQ(Value().ToText(), "");
  EXPECT_EQ(Value("x\n").ToText(), "x\n");
  EXPECT_EQ(Value(Symbol{"sym"}).ToText(), "sym");
  EXPECT_EQ(Value(false).ToText(), "false");
  EXPECT_EQ(Value(Array{Value("a")}).ToText(), "[\"a\"]");
}

TEST(Value, OnlyNilAndFalseAreNotTruthy) {
  EXPECT_FALSE(Value().IsTruthy());
  EXPECT_FALSE(Value(false).IsTruthy());
  EXPECT_TRUE(Value(int64_t{0}).IsTruthy());
  EXPECT_TRUE(Value("").IsTruthy());
}

TEST(Hash, KeepsOrderAndTellsSymbolsFromStrings) {
  Hash hash;
  hash.Set("b", Value(int64_t{1}));
  hash.Set("a", Value(int64_t{2}));
  hash.Set(Symbol{"a"}, Value(int64_t{3}));
  hash.Set("b", Value(int64_t{4}));
  EXPECT_EQ(Value(hash).Inspect(), "{\"b\"=>4, \"a\"=>2, :a=>3}");
  EXPECT_EQ(*Find(hash, "a"), Value(int64_t{2}));
  EXPECT_EQ(Take(hash, "a"), Value(int64_t{2}));
  EXPECT_EQ(Find(hash, "a"), nullptr);
  EXPECT_TRUE(Take(hash, "nosuch").IsNil());
  EXPECT_EQ(hash.size(), 2u);
}

TEST(Array, GrowsAndShrinksAtBothEnds) {
  const auto number = [](int64_t i) { return Value(i); };
  Array array;
  for (int64_t i = 0; i < 100; ++i) array.push_back(number(i));
  for (int64_t i = 1; i < 100; ++i) {
    array.erase(array.begin(), array.begin() + 1);
    EXPECT_EQ(array.front(), number(i));
    EXPECT_EQ(array.size(), static_cast<size_t>(100 - i));
    EXPECT_EQ(array.back(), number(99));
    EXPECT_EQ(Array(array), array);
  }
  Array moved = std::move(array);
  EXPECT_TRUE(array.empty());  // NOLINT(bugprone-use-after-move)
  array.push_back(number(5));
  EXPECT_EQ(array, Array{number(5)});
  for (int64_t i = 98; i >= 0; --i) moved.insert(moved.begin(), number(i));
  EXPECT_EQ(moved.size(), 100u);
  for (int64_t i = 0; i < 100; ++i) EXPECT_EQ(moved[static_cast<size_t>(i)], number(i));
  const Array more = {number(-2), number(-1)};
  moved.insert(moved.begin(), more.begin(), more.end());
  moved.insert(moved.end(), more.begin(), more.end());
  moved.insert(moved.begin() + 1, number(7));
  EXPECT_EQ(moved[0], number(-2));
  EXPECT_EQ(moved[1], number(7));
  EXPECT_EQ(moved[3], number(0));
  EXPECT_EQ(moved.back(), number(-1));
  moved.erase(moved.begin(), moved.end());
  EXPECT_TRUE(moved.empty());
  moved.insert(moved.begin(), more.begin(), more.end());
  EXPECT_EQ(moved, more);
}

// A small one looks at each key, a large one has an index.
TEST(Hash, LargeOnesAreAsSmallOnes) {
  for (const int64_t size : {10, 1000}) {
    Hash hash;
    for (int64_t i = 0; i < size; ++i) hash.Set(Value(i), Value(-i));
    hash.Set(Value(size / 2), "changed");
    EXPECT_EQ(*hash.Find(Value(size / 2)), Value("changed"));
    EXPECT_EQ(hash.Remove(Value(int64_t{1})), Value(int64_t{-1}));
    EXPECT_TRUE(hash.Remove(Value(int64_t{1})).IsNil());
    EXPECT_EQ(hash.Find(Value(int64_t{1})), nullptr);
    EXPECT_EQ(hash.size(), static_cast<size_t>(size) - 1);
    const Hash copy = hash;  // and its original has still what was removed
    EXPECT_EQ(copy.Find(Value(int64_t{1})), nullptr);
    hash.Set(Value(int64_t{1}), "anew");
    EXPECT_EQ(hash.Remove(Value(int64_t{0})), Value(int64_t{0}));
    EXPECT_EQ(hash.begin()->key, Value(int64_t{2}));
    EXPECT_EQ((hash.end() - 1)->value, Value("anew"));
    EXPECT_EQ(*hash.Find(Value(size - 1)), Value(1 - size));
    EXPECT_EQ(copy.size(), static_cast<size_t>(size) - 1);
    EXPECT_EQ(copy[1].key, Value(int64_t{2}));
    EXPECT_FALSE(copy == hash);
  }
}

}  // namespace
}  // namespace vaquita::shell
