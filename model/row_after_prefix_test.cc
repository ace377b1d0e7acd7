#include "model/row_after_prefix.h"

#include <gtest/gtest.h>

namespace vaquita {
namespace {

TEST(RowAfterPrefixTest, IsTheFirstRowBehindAllThatBeginSo) {
  EXPECT_EQ(RowAfterPrefix("a"), "b");
  EXPECT_EQ(RowAfterPrefix("ab"), "ac");
  EXPECT_EQ(RowAfterPrefix("a\xff\xff"), "b");
  EXPECT_EQ(RowAfterPrefix("\xff"), "");
  EXPECT_EQ(RowAfterPrefix(""), "");
}

}  // namespace
}  // namespace vaquita
