#include "proto/zookeeper/jute.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace vaquita::zookeeper {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Jute, ReadsWhatItWrites) {
  std::string bytes;
  JuteWriter(&bytes)
      .Bool(true)
      .Int(std::numeric_limits<int32_t>::min())
      .Long(-2)
      .Buffer(std::string_view("a\0b", 3))
      .Strings(std::vector<std::string>{"x", "", "y"});
  JuteReader in(bytes);
  EXPECT_TRUE(in.Bool());
  EXPECT_EQ(in.Int(), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(in.Long(), -2);
  EXPECT_EQ(in.Buffer(), std::string_view("a\0b", 3));
  EXPECT_THAT(in.Strings(), ElementsAre("x", "", "y"));
  EXPECT_TRUE(in.ok());
  EXPECT_TRUE(in.AtEnd());
}

TEST(Jute, NumbersAreBigEndian) {
  std::string bytes;
  JuteWriter(&bytes).Int(1).Long(2);
  EXPECT_EQ(bytes, std::string("\0\0\0\1\0\0\0\0\0\0\0\2", 12));
}

TEST(Jute, NullReadsAsEmpty) {
  std::string bytes;
  JuteWriter(&bytes).Int(-1).Int(-1);
  JuteReader in(bytes);
  EXPECT_EQ(in.Buffer(), "");
  EXPECT_THAT(in.Strings(), IsEmpty());
  EXPECT_TRUE(in.ok());
}

TEST(Jute, EveryTruncationIsSeen) {
  std::string bytes;
  JuteWriter(&bytes).Bool(true).Int(1).Long(2).Buffer("abc").Strings(std::vector<std::string>{"x", "y"});
  for (size_t length = 0; length < bytes.size(); ++length) {
    JuteReader in(std::string_view(bytes).substr(0, length));
    in.Bool(), in.Int(), in.Long(), in.Buffer(), in.Strings();
    EXPECT_FALSE(in.ok()) << length;
  }
}

TEST(Jute, LengthsThatLieAreRefused) {
  for (const int32_t length : {-2, 1, std::numeric_limits<int32_t>::max(), std::numeric_limits<int32_t>::min()}) {
    std::string bytes;
    JuteWriter(&bytes).Int(length);
    JuteReader buffer(bytes);
    buffer.Buffer();
    EXPECT_FALSE(buffer.ok()) << length;
    JuteReader strings(bytes);
    EXPECT_THAT(strings.Strings(), IsEmpty());
    EXPECT_FALSE(strings.ok()) << length;
  }
}

}  // namespace
}  // namespace vaquita::zookeeper
