#include "base/whole_number.h"

#include <cstdint>
#include <limits>
#include <string_view>

#include "gtest/gtest.h"

namespace vaquita {
namespace {

TEST(ReadWholeNumberTest, ReadsDigitsAndAMinus) {
  int64_t number = 0;
  EXPECT_TRUE(ReadWholeNumber("-9223372036854775808", &number));
  EXPECT_EQ(number, std::numeric_limits<int64_t>::min());
  uint16_t port = 0;
  EXPECT_TRUE(ReadWholeNumber("65535", &port));
  EXPECT_EQ(port, 65535);
}

TEST(ReadWholeNumberTest, RefusesAllOtherText) {
  int64_t number = 0;
  for (const std::string_view text : {"", "-", "+1", " 1", "1 ", "1x", "0x1", "1.0", "9223372036854775808"}) {
    EXPECT_FALSE(ReadWholeNumber(text, &number)) << '"' << text << '"';
  }
  uint16_t port = 0;
  EXPECT_FALSE(ReadWholeNumber("65536", &port));
  EXPECT_FALSE(ReadWholeNumber("-1", &port));
}

}  // namespace
}  // namespace vaquita
