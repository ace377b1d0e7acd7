#include "lab/design/example.h"

#include <gmock/gmock.h>

#include "lab/design/key_design.h"
#include "lab/records/record_generator.h"

namespace vaquita::lab {
namespace {

using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

TEST(Example, TheClassicOnesAreThere) {
  EXPECT_THAT(ExampleNames(),
              IsSupersetOf({"sequential-ids", "time-stamps", "salted-rows", "hashed-keys", "reversed-phones",
                            "reversed-time", "hash-code-buckets", "md5-prefix", "bit-reversed-ids", "log-data",
                            "time-series", "customers-and-orders", "forum-posts", "private-messages",
                            "rows-versions-columns", "index-family", "mobile-log"}));
}

// Every design of every example makes a key of each record.
TEST(Example, EachOneRuns) {
  for (const std::string_view name : ExampleNames()) {
    const auto example = FindExample(name);
    ASSERT_TRUE(example.ok()) << example.status();
    EXPECT_FALSE(example->about.empty() || example->see.empty()) << name;
    const auto generator = RecordGenerator::Parse(example->records);
    ASSERT_TRUE(generator.ok()) << name << ": " << generator.status();
    RecordBuffer buffer;
    for (const ExampleDesign& design : example->designs) {
      for (const std::string& expression : {design.expression, design.column}) {
        if (expression.empty()) continue;
        const auto key = KeyDesign::Parse(expression, generator->schema(), example->tables);
        ASSERT_TRUE(key.ok()) << name << ": " << key.status();
        std::string bytes;
        for (uint64_t i = 0; i < 1000; ++i) {
          const absl::Status made = key->AppendKey(generator->Generate(i, &buffer), i, &bytes);
          ASSERT_TRUE(made.ok()) << name << ": " << made;
        }
      }
    }
  }
}

TEST(Example, AFileIsRead) {
  const auto example =
      ParseExample("x",
                   "# a comment\nquestion: why?\nabout: a\nabout: b\nrecords: id=sequence()\nrows: 7\n"
                   "table T: a=1, b=2\ndesign one: pad(id, 3)\n  store: family=cf, cells=2, qualifier=3, "
                   "value=4\n  splits: bytes 16\ndesign two: id\n  column: int64(id)\nsee: it\n");
  ASSERT_TRUE(example.ok()) << example.status();
  EXPECT_EQ(example->question, "why?");
  EXPECT_EQ(example->about, "a\nb");
  EXPECT_EQ(example->rows, 7u);
  EXPECT_EQ(example->tables.at("T").numbers.at("b"), 2);
  const ExampleDesign* one = example->FindDesign("one");
  ASSERT_NE(one, nullptr);
  EXPECT_EQ(one->expression, "pad(id, 3)");
  EXPECT_EQ(one->shape.family, "cf");
  EXPECT_EQ(one->shape.columns * 100 + one->shape.qualifier_bytes * 10 + one->shape.value_bytes, 234u);
  EXPECT_EQ(one->splits, "bytes 16");
  EXPECT_EQ(example->FindDesign("two")->column, "int64(id)");
  EXPECT_EQ(example->FindDesign("three"), nullptr);
}

TEST(Example, ABadFileIsToldByLine) {
  const auto error = [](std::string_view text) { return std::string(ParseExample("x", text).status().message()); };
  EXPECT_EQ(error("question: a\nanswer: b\n"), "x:2: unknown word 'answer'");
  EXPECT_EQ(error("question\n"), "x:1: ':' is missing in 'question'");
  EXPECT_EQ(error("  store: cells=1\n"), "x:1: no design is above this line");
  EXPECT_THAT(error("design a: id\n  store: cell=1\n"),
              HasSubstr("x:2: 'cell=1' is not family=, cells=, qualifier= or value="));
  EXPECT_THAT(error("table T: a=1, a=2\n"), HasSubstr("x:1: duplicate name 'a'"));
  EXPECT_EQ(error("question: a\n"), "x: it needs a question, records and a design");
  EXPECT_EQ(FindExample("mobile-lag").status().message(),
            "unknown example 'mobile-lag'; did you mean 'mobile-log'? (`vaquita lab examples` lists them)");
}

}  // namespace
}  // namespace vaquita::lab
