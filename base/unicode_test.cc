#include "base/unicode.h"

#include <gtest/gtest.h>

#include <string>

namespace vaquita {
namespace {

TEST(UnicodeTest, KnowsWellFormedCharacters) {
  for (const std::string text : {"a", "\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
                                 "\xEF\xBF\xBD", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(Utf8Length(text + "z"), text.size()) << text;
    EXPECT_TRUE(IsUtf8("twelve bytes" + text + "and " + text)) << text;
  }
  EXPECT_TRUE(IsUtf8(""));
}

TEST(UnicodeTest, RefusesWhatIsMalformed) {
  for (const std::string text :
       {"\x80", "\xC0\x80", "\xC1\xBF", "\xC2", "\xC2z", "\xE0\x9F\xBF", "\xE2\x82", "\xE2\x82z", "\xED\xA0\x80",
        "\xED\xBF\xBF", "\xF0\x8F\xBF\xBF", "\xF0\x9F\x98", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF"}) {
    EXPECT_EQ(Utf8Length(text), 0u) << ::testing::PrintToString(text);
    EXPECT_FALSE(IsUtf8("twelve bytes" + text)) << ::testing::PrintToString(text);
    EXPECT_FALSE(IsUtf8("\xC3\xA9" + text + "more text")) << ::testing::PrintToString(text);
  }
}

// Confirmed with new String(bytes, UTF_8) of Java 17.
TEST(UnicodeTest, ReadsMalformedBytesAsJavaDoes) {
  std::string scratch;
  EXPECT_EQ(Utf8AsJavaReads("caf\xC3\xA9 \xEF\xBF\xBD", &scratch), "caf\xC3\xA9 \xEF\xBF\xBD");
  EXPECT_EQ(Utf8AsJavaReads("a\xFF\xC3\xA9\xE2\x82z", &scratch), "a\xEF\xBF\xBD\xC3\xA9\xEF\xBF\xBDz");
}

TEST(UnicodeTest, ChangesCaseAsJavaDoes) {
  std::string upper;
  AppendUpperCase("a\u00DF\u00E9\u03B1z1", &upper);
  EXPECT_EQ(upper, "ASS\u00C9\u0391Z1");
  std::string lower;
  AppendLowerCase(upper, &lower);
  EXPECT_EQ(lower, "ass\u00E9\u03B1z1");
}

}  // namespace
}  // namespace vaquita
