#include "lab/records/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vaquita::lab {
namespace {

TEST(NameSourceTest, AnExpressionOfItIsTheName) {
  EXPECT_EQ(*NameSource("user.id_2"), "user.id_2");
  for (const char* name : {"a-b", "start time", "2nd", "md5(x)", "\u00fc", "'"}) {
    const auto source = NameSource(name);
    ASSERT_TRUE(source.ok()) << source.status();
    const auto parsed = ParseExpression(*source);
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(parsed->kind, Expression::Kind::kName);
    EXPECT_EQ(parsed->text, name);
  }
  EXPECT_THAT(std::string(NameSource("a`b").status().message()), ::testing::HasSubstr("\"a`b\" has a `"));
}

}  // namespace
}  // namespace vaquita::lab
