#include "tools/shell/ruby_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "base/testing/repeated.h"

namespace vaquita::shell {
namespace {

using State = ReadResult::State;

std::string Text(const Expression& expression);

std::string Texts(const std::vector<Expression>& expressions, size_t from = 0) {
  std::string text;
  for (size_t i = from; i < expressions.size(); ++i) text += (i == from ? "" : " ") + Text(expressions[i]);
  return text;
}

// An expression nearly as Ruby would write it, names as they stand.
std::string Text(const Expression& expression) {
  using Kind = Expression::Kind;
  const std::vector<Expression>& items = expression.items;
  switch (expression.kind) {
    case Kind::kLiteral:
      return expression.literal.Inspect();
    case Kind::kConstant:
      return expression.name;
    case Kind::kArray:
      return "[" + Texts(items) + (items.empty() ? "]" : " ]");
    case Kind::kHash: {
      std::string text = "{";
      for (size_t i = 0; i < items.size(); i += 2) text += Text(items[i]) + "=>" + Text(items[i + 1]) + " ";
      return text + "}";
    }
    case Kind::kCall: {
      std::string text = expression.has_receiver ? Text(items[0]) + "." + expression.name : expression.name;
      const std::string arguments = Texts(items, expression.has_receiver ? 1 : 0);
      if (!arguments.empty()) text += " " + arguments;
      return expression.block == nullptr ? text : text + " {" + Text(expression.block->body) + "}";
    }
    case Kind::kAssign:
      return expression.name + " = " + Text(items[0]);
    case Kind::kRange:
      return Text(items[0]) + expression.name + Text(items[1]);
    default:
      return "(" + Texts(items) + ")";
  }
}

std::string ReadText(std::string_view ruby) {
  const ReadResult read = ReadRuby(ruby);
  if (read.state == State::kIncomplete) return std::string("(more) ") + read.continuation;
  if (read.state == State::kError) {
    return std::to_string(read.place.line) + ":" + std::to_string(read.place.column) + ": " + read.error;
  }
  std::string text;
  for (const Expression& statement : read.statements) text += (text.empty() ? "" : "; ") + Text(statement);
  return text;
}

std::string StringOf(std::string_view ruby) {
  const ReadResult read = ReadRuby(ruby);
  if (read.state != State::kComplete || read.statements.size() != 1) return "(not one value)";
  return read.statements[0].literal.ToText();
}

TEST(RubyReader, ReadsCommandsWithAndWithoutParentheses) {
  EXPECT_EQ(ReadText("list"), "list");
  EXPECT_EQ(ReadText("put 't', 'r', 'f:q', 'v', 5"), R"(put "t" "r" "f:q" "v" 5)");
  EXPECT_EQ(ReadText("create('t','f')"), R"(create "t" "f")");
  EXPECT_EQ(ReadText("create ('t', 'f')"), R"(create "t" "f")");
  EXPECT_EQ(ReadText("put ('t',\n 'r', {'a' => 1}, x: (1))"), R"(put "t" "r" {"a"=>1 } {:x=>1 })");
  EXPECT_EQ(ReadText("t.put ('r', 'f:q'); scan ('t'); list (); f (A => 1); x = f (1, 2)"),
            R"(t.put "r" "f:q"; scan "t"; list; f {A=>1 }; x = f 1 2)");
  EXPECT_EQ(ReadText("puts (1..3).to_a.size; puts (1 + 2) * 3; puts ('a'), 'b'; a.push (1 + 2) * 3"),
            R"(puts 1..3.to_a.size; puts 1.+ 2.* 3; puts "a" "b"; a.push 1.+ 2.* 3)");
  EXPECT_EQ(ReadText("puts ((1..3).map { |i, j| [i, j] }).size; puts [f (1), 2]"),
            "puts 1..3.map {([i j ])}.size; puts [f 1 2 ]");
  EXPECT_EQ(ReadText("def f\n yield (1 + 2) * 3\n yield (1, 2)\nend; puts (1) if x; f (1) { 2 }"),
            "(); (x puts 1 ()); f 1 {(2)}");
  EXPECT_EQ(ReadText("put ('t',"), "(more) *");
  EXPECT_EQ(ReadText("puts (1 +"), "(more) *");
  EXPECT_EQ(ReadText("list; version\nstatus 'simple'"), R"(list; version; status "simple")");
  EXPECT_EQ(ReadText("\n  # only a comment\n;;"), "");
  EXPECT_EQ(ReadText("list # with a comment"), "list");
}

TEST(RubyReader, ReadsTheTwoLinesOfTheCourses) {
  EXPECT_EQ(ReadText("create 'split01','cf1',SPLITS=>['1000000','2000000','3000000']"),
            R"(create "split01" "cf1" {SPLITS=>["1000000" "2000000" "3000000" ] })");
  EXPECT_EQ(ReadText("create 'split02','cf1',SPLITS_FILE=>'split.txt'"),
            R"(create "split02" "cf1" {SPLITS_FILE=>"split.txt" })");
}

TEST(RubyReader, ReadsHashesAndArrays) {
  EXPECT_EQ(ReadText("create 't', {NAME => 'f', VERSIONS => 5}, {NAME => 'g', }"),
            R"(create "t" {NAME=>"f" VERSIONS=>5 } {NAME=>"g" })");
  EXPECT_EQ(ReadText("scan 't', LIMIT: 1, 'CACHE' => 2, \"x y\": nil"),
            R"(scan "t" {:LIMIT=>1 "CACHE"=>2 :x y=>nil })");
  EXPECT_EQ(ReadText("[1, [], {}, true, false, nil, :a]"), "[1 [] {} true false nil :a ]");
  EXPECT_EQ(ReadText("{'a' => {'b' => [1]}}"), R"({"a"=>{"b"=>[1 ] } })");
}

TEST(RubyReader, ReadsNumbers) {
  EXPECT_EQ(ReadText("[0, 17, -5, 1_000, 0x1F, 0b101, 0o17, 017]"), "[0 17 -5 1000 31 5 15 15 ]");
  EXPECT_EQ(ReadText("[1.5, -0.25, 1e3, 2.5e-7, 1e20]"), "[1.5 -0.25 1000.0 2.5e-07 1.0e+20 ]");
  EXPECT_EQ(ReadText("incr 't', 'r', 'f:q', -1"), R"(incr "t" "r" "f:q" -1)");
  EXPECT_EQ(ReadText("9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(ReadText("9223372036854775808"), "1:1: '9223372036854775808' does not fit into 64 bits");
  EXPECT_EQ(ReadText("x 12ab"), "1:3: '12ab' is not a number");
}

TEST(RubyReader, SingleQuotedStringsAreRaw) {
  EXPECT_EQ(StringOf(R"('a\x41\n')"), R"(a\x41\n)");
  EXPECT_EQ(StringOf(R"('it\'s \\ here')"), R"(it's \ here)");
  EXPECT_EQ(StringOf(R"('#{1}')"), "#{1}");
}

TEST(RubyReader, DoubleQuotedStringsKnowEscapes) {
  EXPECT_EQ(StringOf(R"("\x00\x7\xff\101\0\n\t\r\e\a\b\v\f\s\\\"\'\z")"),
            std::string("\0\x7\xff\101\0\n\t\r\x1b\a\b\v\f \\\"'z", 18));
  EXPECT_EQ(StringOf(R"("\u00fc\u{1F433}\u20ac")"), "ü🐳€");
  for (const char* code : {"u{110000}", "u{FFFFFF}", "ud800", "u{DFFF}"}) {
    EXPECT_THAT(ReadText(absl::StrCat("\"\\", code, "\"")), testing::EndsWith("} is not the code of a character"));
  }
  EXPECT_EQ(StringOf("\"a\\\nb\""), "ab");
  EXPECT_EQ(StringOf("'a' \"b\" 'c'"), "abc");
  EXPECT_EQ(ReadText(R"("a #{b + "}"} c")"), R"(("a " (b.+ "}") " c"))");
  EXPECT_EQ(ReadText(R"("a #{if}")"), "1:8: unexpected the end of the line");
  EXPECT_EQ(ReadText(R"(puts "#{'it\'s'}"; x)"), R"(puts ("" ("it's") ""); x)");
  EXPECT_EQ(ReadText(R"(puts "#{"\"}#{x ? "}" : '{'}"}"; y)"), R"(puts ("" (("\"}" ((x "}" "{")) "")) ""); y)");
  EXPECT_EQ(ReadText(R"("#{'\')"), "(more) \"");
}

TEST(RubyReader, GoesOnInTheNextLine) {
  EXPECT_EQ(ReadText("put 't',"), "(more) *");
  EXPECT_EQ(ReadText("scan 't', {"), "(more) *");
  EXPECT_EQ(ReadText("scan 't', {LIMIT =>"), "(more) *");
  EXPECT_EQ(ReadText("create('t',"), "(more) *");
  EXPECT_EQ(ReadText("put 't', 'abc"), "(more) '");
  EXPECT_EQ(ReadText("put 't', \"abc"), "(more) \"");
  EXPECT_EQ(ReadText("put 't' \\\n"), "(more) *");
  EXPECT_EQ(ReadText("scan 't', {\n LIMIT => 5, # five\n STARTROW => 'a'\n}"), R"(scan "t" {LIMIT=>5 STARTROW=>"a" })");
  EXPECT_EQ(ReadText("put 't',\n\n 'r'"), R"(put "t" "r")");
  EXPECT_EQ(ReadText("put \\\n 't'"), R"(put "t")");
  EXPECT_EQ(ReadText("put 't', 'two\nlines'"), R"(put "t" "two\nlines")");
  EXPECT_EQ(ReadRuby("scan 't', {COLUMNS => [").brackets, "{[");
  std::string blocks;
  for (int i = 0; i < 100'000; ++i) blocks += "x{";
  EXPECT_NE(ReadRuby(blocks).state, State::kComplete) << "and the look ahead is not as deep";
}

TEST(RubyReader, KnowsVariablesAndTables) {
  EXPECT_EQ(ReadText("t = get_table 't'"), R"(t = get_table "t")");
  EXPECT_EQ(ReadText("t.put 'r', 'f:q', x"), R"(t.put "r" "f:q" x)");
  EXPECT_EQ(ReadText("t.scan"), "t.scan");
  EXPECT_EQ(ReadText("t.scan(LIMIT => 1)"), "t.scan {LIMIT=>1 }");
  EXPECT_EQ(ReadText("x = 'abc'"), R"(x = "abc")");
}

TEST(RubyReader, ReadsOperatorsByTheirPrecedence) {
  EXPECT_EQ(ReadText("put 't', 'a' + 'b'"), R"(put "t" "a".+ "b")");
  EXPECT_EQ(ReadText("x = 5 - 3 * 2"), "x = 5.- 3.* 2");
  EXPECT_EQ(ReadText("(5 - 3) * 2"), "5.- 3.* 2");
  EXPECT_EQ(ReadText("2 ** 3 ** 2"), "2.** 3.** 2");
  EXPECT_EQ(ReadText("(1..n - 1)"), "1..n.- 1");
  EXPECT_EQ(ReadText("x += 1"), "x = x.+ 1");
  EXPECT_EQ(ReadText("a[0]"), "a.[] 0");
  EXPECT_EQ(ReadText("puts %w[a b]"), R"(puts ["a", "b"])");
}

TEST(RubyReader, ReadsBlocks) {
  EXPECT_EQ(ReadText("5.times { puts 'x' }"), R"(5.times {(puts "x")})");
  EXPECT_EQ(ReadText("(0..9).each do |i|\n put 't', \"r#{i}\"\nend"), R"(0..9.each {(put "t" ("r" (i) ""))})");
  EXPECT_EQ(ReadText("(0..9).each do |i|"), "(more) *");
  EXPECT_EQ(ReadText("(0..9).each { |i|"), "(more) *");
  EXPECT_EQ(ReadText("if true"), "(more) *");
  EXPECT_EQ(ReadText("def f(a, b = 1)\n a\n"), "(more) *");
  EXPECT_EQ(ReadText("list_quotas {USER => 'u'}"), R"(list_quotas {USER=>"u" })");
}

TEST(RubyReader, RefusesOtherRubyWithItsPlace) {
  EXPECT_EQ(ReadText("list\nclass A"), "2:1: 'class' is Ruby that this shell does not run");
  EXPECT_EQ(ReadText("x =~ /a/"), "1:3: '=~' is Ruby that this shell does not run");
  EXPECT_EQ(ReadText("x = /a/"), "1:5: a regular expression is Ruby that this shell does not run");
  EXPECT_EQ(ReadText("x = -> { 5 }"), "1:5: '->' is Ruby that this shell does not run");
  EXPECT_EQ(ReadText("`id`"), "1:1: '`' is Ruby that this shell does not run");
}

TEST(RubyReader, RefusesDeepText) {
  EXPECT_EQ(ReadText(std::string(300, '(')), "1:101: this is nested too deeply");
  constexpr int kMany = 10000;
  for (const std::string& text :
       {"1" + Repeated(kMany, " - 1"), "x" + Repeated(kMany, ".y"), "x" + Repeated(kMany, "[0]"),
        Repeated(kMany, "!") + "x", Repeated(kMany, "- ") + "x", Repeated(kMany, "not ") + "x",
        "1" + Repeated(kMany, " if x"), "x" + Repeated(kMany, " and x"), Repeated(kMany, "x ? 1 : ") + "1",
        "if x\n" + Repeated(kMany, "elsif x\n") + "end"}) {
    EXPECT_THAT(ReadText(text), testing::HasSubstr("this is nested too deeply")) << text.substr(0, 20);
  }
}

TEST(RubyReader, ReadsLongText) {
  for (const std::string& text : {"1" + Repeated(300, " - 1"), "[" + Repeated(10000, "x.y - 1, ") + "2]",
                                  Repeated(10000, "x = 1 if y\n"), Repeated(10000, "x and y\n")}) {
    EXPECT_THAT(ReadText(text), testing::Not(testing::HasSubstr("nested"))) << text.substr(0, 20);
  }
}

// Each would take minutes if it looked at what comes before or after it again and again.
TEST(RubyReader, ReadsManyLinesAndStrings) {
  constexpr int kMany = 300'000;
  EXPECT_EQ(ReadText("if true\n" + Repeated(kMany, "\n") + "x\nend\n"), "(true (x) ())");
  EXPECT_EQ(ReadText("x" + Repeated(kMany, "\n") + ".y"), "x.y");
  EXPECT_EQ(StringOf(Repeated(kMany, "'a'\"b\"")).size(), 2u * kMany);
}

// A key that is read twice takes twice the time for each bracket around it.
TEST(RubyReader, ReadsAPairsKeyOnce) {
  EXPECT_THAT(ReadText("x " + Repeated(50, "[") + "1" + Repeated(50, " => 1]")), testing::StartsWith("x [{[{"));
}

TEST(RubyReader, NamesWhatIsUnexpected) {
  EXPECT_EQ(ReadText("scan 't', ]"), "1:11: unexpected ']'");
  EXPECT_EQ(ReadText("scan 't' 5"), "1:10: unexpected 5: a comma before it is missing");
  EXPECT_EQ(ReadText("scan 't'}"), "1:9: unexpected '}'");
  EXPECT_EQ(ReadText("put 't', A => 1, 'v'"),
            "1:18: unexpected \"v\": a value cannot follow key => value without braces");
  EXPECT_EQ(ReadText("create 't', {NAME 'f'}"), "1:19: unexpected \"f\": a comma before it is missing");
  EXPECT_EQ(ReadText("[1 2]"), "1:4: unexpected 2: a comma before it is missing");
  EXPECT_EQ(ReadText("list,"), "1:5: unexpected ','");
  EXPECT_EQ(ReadText("create 't' => "), "(more) *");
  EXPECT_EQ(ReadText("put 't', \"\\xzz\""), "1:10: \\x must be followed by a hexadecimal digit");
}

}  // namespace
}  // namespace vaquita::shell
