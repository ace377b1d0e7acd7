#include "server/frontend/http/url_query.h"

#include <gmock/gmock.h>

namespace vaquita::http {
namespace {

using ::testing::HasSubstr;

TEST(UrlQueryTest, DecodesNamesAndValues) {
  const auto parameters = ParseUrlQuery("table=a%3Ab&start=%00+x&empty=");
  ASSERT_TRUE(parameters.ok()) << parameters.status();
  EXPECT_EQ(parameters->at("table"), "a:b");
  EXPECT_EQ(parameters->at("start"), std::string("\0 x", 3));
  EXPECT_EQ(parameters->at("empty"), "");
  EXPECT_TRUE(ParseUrlQuery("")->empty());
}

TEST(UrlQueryTest, RefusesWhatIsMalformed) {
  EXPECT_THAT(std::string(ParseUrlQuery("a=%4").status().message()), HasSubstr("two hexadecimal digits"));
  EXPECT_THAT(std::string(ParseUrlQuery("a=%4g").status().message()), HasSubstr("%4g"));
  EXPECT_THAT(std::string(ParseUrlQuery("a=1&a=2").status().message()), HasSubstr("\"a\" is given twice"));
}

}  // namespace
}  // namespace vaquita::http
