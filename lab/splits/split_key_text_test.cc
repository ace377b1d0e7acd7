#include "lab/splits/split_key_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace vaquita::lab {
namespace {

using ::testing::HasSubstr;

SplitKeys Splits() {
  return *SplitKeys::Make({std::string("\0\1", 2), "a'b", "c\"d", "e\\f", std::string("\xFF") + "1"});
}

std::string ReadError(const std::string& text) {
  std::istringstream in(text);
  return std::string(ReadSplitsFile(in, "splits.txt").status().message());
}

TEST(SplitKeyTextTest, ASplitsFileReadsBack) {
  const std::string text = SplitKeyText(Splits(), SplitKeyFormat::kSplitsFile);
  EXPECT_EQ(text, "\\x00\\x01\na'b\nc\"d\ne\\x5Cf\n\\xFF1\n");
  std::istringstream in(text);
  const auto splits = ReadSplitsFile(in, "splits.txt");
  ASSERT_TRUE(splits.ok()) << splits.status();
  EXPECT_EQ(splits->keys(), Splits().keys());
}

TEST(SplitKeyTextTest, LinesOfWindowsAreTheSame) {
  std::istringstream in("b\r\nd\r\n");
  EXPECT_EQ(ReadSplitsFile(in, "splits.txt")->keys(), (std::vector<std::string>{"b", "d"}));
}

TEST(SplitKeyTextTest, ShellText) {
  EXPECT_EQ(SplitKeyText(Splits(), SplitKeyFormat::kShell, "log", "f"),
            "create 'log', 'f', SPLITS => [\n  '\\x00\\x01',\n  'a\\'b',\n  'c\"d',\n  'e\\x5Cf',\n  '\\xFF1']\n");
}

TEST(SplitKeyTextTest, Java) {
  EXPECT_THAT(SplitKeyText(Splits(), SplitKeyFormat::kJava),
              HasSubstr("byte[][] splitKeys = {\n    Bytes.toBytesBinary(\"\\\\x00\\\\x01\"),\n    "
                        "Bytes.toBytesBinary(\"a'b\"),\n    Bytes.toBytesBinary(\"c\\\"d\"),\n    "
                        "Bytes.toBytesBinary(\"e\\\\x5Cf\"),\n    Bytes.toBytesBinary(\"\\\\xFF1\")\n};\n"));
}

TEST(SplitKeyTextTest, Cpp) {
  EXPECT_THAT(SplitKeyText(Splits(), SplitKeyFormat::kCpp),
              HasSubstr("split_keys = {\n    \"\\000\\001\"s,\n    \"a'b\"s,\n    \"c\\\"d\"s,\n    \"e\\\\f\"s,\n    "
                        "\"\\3771\"s};\n"));
}

TEST(SplitKeyTextTest, BadFilesNameLineAndValue) {
  EXPECT_THAT(ReadError("a\nc\nb\n"), HasSubstr("splits.txt:3: split key 'b' is smaller than the one before, 'c'"));
  EXPECT_THAT(ReadError("a\n\\x01\n"),
              HasSubstr("splits.txt:2: split key '\\x01' is smaller than the one before, 'a'"));
  EXPECT_THAT(ReadError("a\na\n"), HasSubstr("splits.txt:2: split key 'a' is repeated"));
  EXPECT_THAT(ReadError("a\n\nb\n"), HasSubstr("splits.txt:2: split key '' is empty"));
  EXPECT_THAT(ReadSplitsFile("no/such/file").status().message(), HasSubstr("no/such/file cannot be opened"));
  EXPECT_THAT(ReadSplitsFile("/").status().message(), HasSubstr("/ cannot be read")) << "a folder has no lines";
}

TEST(SplitKeyTextTest, FormatsHaveNames) {
  EXPECT_EQ(*ParseSplitKeyFormat("c++"), SplitKeyFormat::kCpp);
  EXPECT_THAT(ParseSplitKeyFormat("ruby").status().message(), HasSubstr("unknown format 'ruby'"));
}

TEST(SplitKeyTextTest, ALineMayEndWithACarriageReturn) {
  EXPECT_EQ(KeyOfLine("a\\x0Ab\r"), "a\nb");
  EXPECT_EQ(KeyOfLine("a\\x0D\r"), "a\r");
  EXPECT_EQ(KeyOfLine(""), "");
}

}  // namespace
}  // namespace vaquita::lab
