#include "tools/shell/statement_lines.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/testing/repeated.h"

namespace vaquita::shell {
namespace {

using State = ReadResult::State;

StatementLines Typed(const std::string& text) {
  StatementLines lines;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) lines.Add(std::string(line));
  return lines;
}

TEST(StatementLines, ALongStatementIsReadSeldom) {
  for (const char* body : {"x = 1\n", "3.times do |i| x = i end\n", "x = i if y\n", "if x then y else z end\n",
                           "z = case x when 1 then 2 end\n", "if x\n y\nelse\n z\nend\n",
                           "3.times do |i|\n\n  while i < 5 do\n i += 1 end\nend\n", "x.each { |i|\n if i\n y\nend }\n",
                           "x [\n1,\n2]\n", "begin; x; rescue; y; end\n", "(if x then 1 end)\n"}) {
    // Each line of a short text reads it, so the text is long from its second line on.
    const StatementLines many = Typed("if true\n#" + Repeated(2048, "-") + "\n" + Repeated(1000, body) + "end\n");
    EXPECT_LE(many.times_read(), 20) << body;
    EXPECT_EQ(many.read().state, State::kComplete) << body << many.read().error;
  }
  for (const auto& [begin, end] : {std::pair("'", "'"), {"\"", "\""}, {"%w[", "]"}}) {
    const std::string body = Repeated(1000, *begin == '\'' ? "{\"a\": [(1)]},\n" : "{it's (1)},\n");
    const StatementLines many = Typed(absl::StrCat("x = ", begin, "\n", Repeated(2048, "-"), "\n", body, end, "\n"));
    EXPECT_LE(many.times_read(), 20) << begin;
    EXPECT_EQ(many.read().state, State::kComplete) << begin << many.read().error;
  }
}

// Scripts of lines at random: none ends unseen.
TEST(StatementLines, SeesEachStatementsEnd) {
  const std::vector<std::string> pieces = absl::StrSplit(
      "if x~unless x~while x~while x do~until x && ~for i in x do~begin~case x~when 1~then~else~end~end~"
      "end~do |i|~x.each do~x.each { |i|~}~} do~(~)~foo(a,~[1,~]~x~x = 5~y if x~y while x~x = if y~x ||~"
      ".foo do~.size~~# if~; z;~'if'~\"#{if x then 'end' end}\"~y \\~{~{a: 1}~def f~rescue~x ? y : if~"
      "x = '~'~y \"~%w[a~z do y end~if x then y end~end do~(1..5).end~x.if~while if y",
      '~');
  std::mt19937 random(5);
  int ends = 0;
  for (int round = 0; round < 3000; ++round) {
    StatementLines lines;
    lines.Add("if true");
    lines.Add(absl::StrCat("x = [", Repeated(2100, " "), "]"));
    lines.Add("y");
    std::string text = lines.text();
    for (int i = 0; i < 30; ++i) {
      std::string line = pieces[random() % pieces.size()];
      while (random() % 3 == 0) absl::StrAppend(&line, " ", pieces[random() % pieces.size()]);
      lines.Add(line);
      text += line + "\n";
      const State state = ReadRuby(text).state;
      if (state == State::kError) break;  // an error may show later
      ASSERT_EQ(lines.read().state, state) << text;
      ends += state == State::kComplete ? 1 : 0;
      if (state == State::kComplete) break;
    }
  }
  EXPECT_GT(ends, 50);
}

}  // namespace
}  // namespace vaquita::shell
