#include "engine/crc32c.h"

#include <string>

#include "gtest/gtest.h"

namespace vaquita {
namespace {

// The values of RFC 3720, appendix B.4.
TEST(Crc32cTest, GivesTheValuesOfTheStandard) {
  EXPECT_EQ(Crc32c(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(Crc32c(std::string(32, '\xff')), 0x62a8ab43u);
  EXPECT_EQ(Crc32c("123456789"), 0xe3069283u);
}

TEST(Crc32cTest, PartsGiveWhatTheWholeGives) {
  const std::string text = "a row, a column and a value, one after the other";
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    EXPECT_EQ(ExtendCrc32c(Crc32c(text.substr(0, cut)), text.substr(cut)), Crc32c(text));
  }
}

}  // namespace
}  // namespace vaquita
