#include "server/data_root/checked_bytes.h"

#include <gtest/gtest.h>

#include <string>

namespace vaquita {
namespace {

TEST(CheckedBytesTest, GivesBackWhatWasChecked) {
  for (const std::string& message : {std::string(), std::string("a"), std::string(1000, '\0')}) {
    EXPECT_EQ(WithoutChecksum(WithChecksum(message)), message);
  }
  EXPECT_EQ(WithChecksum("123456789").substr(0, 6), "\xC5\x0C\x26\x39\xF4\xCB") << "CRC-32's check value";
}

TEST(CheckedBytesTest, WhatAnOlderReleaseWroteIsAsItIs) { EXPECT_EQ(WithoutChecksum("\x0A\x01t"), "\x0A\x01t"); }

TEST(CheckedBytesTest, AFlippedBitAndACutAreFound) {
  const std::string whole = WithChecksum("the message");
  for (size_t i = 2; i < whole.size(); ++i) {
    std::string flipped = whole;
    flipped[i] = static_cast<char>(flipped[i] ^ 0x10);
    EXPECT_EQ(WithoutChecksum(flipped), std::nullopt) << i;
  }
  for (size_t size = 6; size < whole.size(); ++size) EXPECT_EQ(WithoutChecksum(whole.substr(0, size)), std::nullopt);
}

}  // namespace
}  // namespace vaquita
