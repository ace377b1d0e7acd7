#include "lab/report/xml_text.h"

#include <gtest/gtest.h>

#include <string_view>

namespace vaquita::lab {
namespace {

using std::string_view_literals::operator""sv;

TEST(XmlTextTest, MarkupIsEscaped) {
  EXPECT_EQ(XmlText("a & b < \"c\" > d"), "a &amp; b &lt; &quot;c&quot; &gt; d");
  EXPECT_EQ(XmlText("\u00FC \u20AC \U0001F40B\t\r\n"), "\u00FC \u20AC \U0001F40B\t\r\n");
}

TEST(XmlTextTest, AReaderOfXmlIsGivenOnlyItsCharacters) {
  EXPECT_EQ(XmlText("a\0b\x01\x1F"sv), "a\uFFFDb\uFFFD\uFFFD");
  EXPECT_EQ(XmlText("\xFFz"), "\uFFFDz");
  EXPECT_EQ(XmlText("\uFFFE\uFFFF\uFFFD"), "\uFFFD\uFFFD\uFFFD");
}

}  // namespace
}  // namespace vaquita::lab
