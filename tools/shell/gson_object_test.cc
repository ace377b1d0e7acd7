#include "tools/shell/gson_object.h"

#include <gtest/gtest.h>

namespace vaquita::shell {
namespace {

TEST(GsonObject, PrintsAsGsonDoes) {
  EXPECT_EQ(GsonObject(/*escape_html=*/true)
                .Add("a", "r= \"x\"\\\n<")
                .Add("n", int64_t{5})
                .Add("d", 2.0)
                .Add("e", 0.25)
                .Add("none", std::vector<std::string>())
                .Add("some", std::vector<std::string>{"1", "2"})
                .ToString(),
            "{\n  \"a\": \"r\\u003d \\\"x\\\"\\\\\\n\\u003c\",\n  \"n\": 5,\n  \"d\": 2.0,\n  \"e\": 0.25,\n"
            "  \"none\": [],\n  \"some\": [\n    \"1\",\n    \"2\"\n  ]\n}");
  EXPECT_EQ(GsonObject(/*escape_html=*/false).Add("a", "x <= 'y'").ToString(), "{\n  \"a\": \"x <= 'y'\"\n}");
}

}  // namespace
}  // namespace vaquita::shell
