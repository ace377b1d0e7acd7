#include "tools/shell/ruby_evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/testing/repeated.h"

namespace vaquita::shell {
namespace {

// Knows one word, `say`, which keeps its arguments, and `fail`, which fails.
class RubyEvaluatorTest : public ::testing::Test, protected RubyEvaluator::Host {
 protected:
  std::optional<absl::StatusOr<Value>> RunWord(const std::string& name, Arguments& arguments) override {
    if (name == "fail") return absl::StatusOr<Value>(absl::InvalidArgumentError("it failed"));
    if (name != "say") return std::nullopt;
    for (const Value& argument : arguments) said_ += (said_.empty() ? "" : " ") + argument.ToText();
    return absl::StatusOr<Value>(Value());
  }
  std::optional<Value> Constant(const std::string& name) override {
    return name == "KNOWN" ? std::optional(Value("known")) : std::nullopt;
  }
  absl::Status UnknownWord(const std::string& name, bool alone) override {
    return absl::InvalidArgumentError("unknown " + name);
  }
  absl::Status CheckLoop() override {
    return ++rounds_ > 100'000 ? absl::InvalidArgumentError("too many rounds") : absl::OkStatus();
  }

  // Returns what the last statement is, or its error.
  std::string Run(std::string_view text) {
    const ReadResult read = ReadRuby(text);
    if (read.state != ReadResult::State::kComplete) return "(not read) " + read.error;
    std::string last;
    for (const Expression& statement : read.statements) {
      const auto result = ruby_.Run(statement);
      if (!result.ok()) return std::string(result.status().message());
      last = result->Inspect();
    }
    return last;
  }
  std::string Said(std::string_view text) {
    said_.clear();
    const std::string result = Run(text);
    return said_.empty() ? result : said_;
  }

  RubyEvaluator ruby_{this};
  std::string said_;
  int rounds_ = 0;
};

TEST_F(RubyEvaluatorTest, Calculates) {
  EXPECT_EQ(Run("1 + 2 * 3 - 4"), "3");
  EXPECT_EQ(Run("(1 + 2) * 3"), "9");
  EXPECT_EQ(Run("7 / 2; -7 / 2"), "-4");
  EXPECT_EQ(Run("-7 % 3"), "2");
  EXPECT_EQ(Run("2 ** 10"), "1024");
  EXPECT_EQ(Run("7 / 2.0"), "3.5");
  EXPECT_EQ(Run("1 / 0"), "ZeroDivisionError (divided by 0)");
  EXPECT_EQ(Run("9223372036854775807 + 1"), "RangeError (the number does not fit into 64 bits)");
  EXPECT_EQ(Run("1 + 'a'"), "TypeError (String can't be coerced into Integer)");
  EXPECT_EQ(Run("'a' + 1"), "TypeError (no implicit conversion of Integer into String)");
  EXPECT_EQ(Run("1 < 2 && 'a' < 'b' and not 3 == 4"), "true");
  EXPECT_EQ(Run("nil || 5"), "5");
}

TEST_F(RubyEvaluatorTest, PutsCodeIntoText) {
  EXPECT_EQ(Run("i = 7; \"row#{i}-#{i * 2}\""), "\"row7-14\"");
  EXPECT_EQ(Run("\"#{'%05d' % i}|#{i.to_s.rjust(3, '0')}\""), "\"00007|007\"");
  EXPECT_EQ(Run("\"a#{\"b#{1}\"}\""), "\"ab1\"");
  EXPECT_EQ(Run("'%s has %d rows, %.2f%%' % ['t', 5, 12.345]"), "\"t has 5 rows, 12.35%\"");
  EXPECT_EQ(Run("\"#{nosuch}\""), "unknown nosuch");
}

TEST_F(RubyEvaluatorTest, RunsBlocksAndLoops) {
  EXPECT_EQ(Said("(0..3).each { |i| say i }"), "0 1 2 3");
  EXPECT_EQ(Said("(0...3).each do |i|\n  say i\nend"), "0 1 2");
  EXPECT_EQ(Said("3.times { |i| say i }"), "0 1 2");
  EXPECT_EQ(Said("1.upto(3) { |i| say i }; 3.downto(1) { |i| say i }; 0.step(10, 5) { |i| say i }"),
            "1 2 3 3 2 1 0 5 10");
  EXPECT_EQ(Said("for i in 1..3 do say i end"), "1 2 3");
  EXPECT_EQ(Said("i = 0\nwhile i < 3\n  say i\n  i += 1\nend"), "0 1 2");
  EXPECT_EQ(Said("i = 3\nuntil i == 0 do\n i -= 1\n next if i == 1\n say i\nend"), "2 0");
  EXPECT_EQ(Said("loop { i += 1; break if i > 2; say i }"), "1 2");
  EXPECT_EQ(Said("%w[a b].each_with_index { |name, i| say \"#{name}#{i}\" }"), "a0 b1");
  EXPECT_EQ(Said("{'a' => 1, 'b' => 2}.each { |k, v| say k, v }"), "a 1 b 2");
  EXPECT_EQ(Said("('a'..'e').each { |c| say c }"), "a b c d e");
  EXPECT_EQ(Said("i = 7; begin; say i; i += 1; end while i < 5; begin\n say i; i -= 1\nend until i < 7"), "7 8 7");
  EXPECT_EQ(Said("begin\n fail\nrescue\n say 'rescued'\nend while false; say 'x' while false"), "rescued");
  EXPECT_EQ(Said("begin; say 'next'; next; end while false; begin; say 'break'; break; end while true"), "next break");
  EXPECT_EQ(Run("loop { }"), "too many rounds");
}

TEST_F(RubyEvaluatorTest, ChangesCollections) {
  EXPECT_EQ(Run("[1, 2, 3].map { |x| x * x }"), "[1, 4, 9]");
  EXPECT_EQ(Run("(1..10).select { |x| x.even? }.join(',')"), "\"2,4,6,8,10\"");
  EXPECT_EQ(Run("(1..4).inject { |a, b| a * b }; (1..4).reduce(:+)"), "10");
  EXPECT_EQ(Run("a = []; a << 1; a.push(2); a[3] = 4; a"), "[1, 2, nil, 4]");
  EXPECT_EQ(Run("h = {}; h['x'] = 1; h['x'] += 1; h"), "{\"x\"=>2}");
  EXPECT_EQ(Run("h = {nil => 1, 'a' => 2}; h.delete(nil); h.delete('a'); h"), "{}");
  EXPECT_EQ(Run("['b', 'a'].sort.first + 'z'.upcase"), "\"aZ\"");
  EXPECT_EQ(Run("'äö日本'.length"), "4");
  EXPECT_EQ(Run("'äö日本'[1..2]"), "\"ö日\"");
  EXPECT_EQ(Run("'a,b'.split(',').reverse"), "[\"b\", \"a\"]");
  EXPECT_EQ(Run("5.nosuch"), "NoMethodError (undefined method `nosuch' for 5:Integer)");
}

TEST_F(RubyEvaluatorTest, ValuesHaveABound) {
  Run("begin; s = ('x' * 1000) * 35000; nil; end");  // more than half of what a text may have
  for (const char* growing :
       {"a = []; 1000.times { a = [a] }", "a = 1; 1000.times { a = {a => 1} }", "(1..1000).inject([]) { |a, i| [a] }",
        "a = 1; 30.times { a = (1..999).map { a } }", "[s, s]", "(1..1000).map { s }", "\"#{s}#{s}\"",
        "'xx'.gsub('x', s)", "(1..3).to_a.join(s)", "('%99999s' * 1000) % (1..1000).to_a", "[s.to_sym, s.to_sym]"}) {
    EXPECT_THAT(Run(growing).substr(0, 100), testing::StartsWith("NoMemoryError (")) << growing;
  }
  EXPECT_EQ(Run("(1..9).each { s }; (1..9).count { s }"), "9");
  EXPECT_EQ(Run("a = (1..50000).to_a; a.zip(a, a).size"), "50000");
  EXPECT_EQ(Run("a.zip(" + Repeated(999, "[], ") + "[])"), "RangeError (an array has at most a million elements here)");
  EXPECT_EQ(Run("a = []; 99.times { a = [a] }; a.flatten"), "[]");
  EXPECT_EQ(Run("(1..9000).map { |i| i }.size"), "9000");
  // A change that is refused is taken back.
  EXPECT_EQ(Run("a = []; 9.times { begin; a << s; rescue; end }; a.size"), "1");
  EXPECT_EQ(Run("a = []; 200.times { begin; a[0] = a; rescue; end }; a.inspect.size"), "200");
}

TEST_F(RubyEvaluatorTest, AllValuesTogetherHaveABound) {
  ruby_.SetRoom(ValueRoom(1000, 10'000));
  const std::string no_room =
      "NoMemoryError (the values of this session are too large together: set a variable to nil)";
  EXPECT_EQ(Run("a = 'x' * 9000; b = 'y' * 9000; c = 'z' * 9000"), no_room);
  EXPECT_EQ(Run("c"), "unknown c");
  EXPECT_EQ(Run("a = nil; c = 'z' * 9000; c.size"), "9000");
  EXPECT_EQ(Run("b = nil; c = nil; d = []; d[900] = 1; e = []; e[900] = 1"), no_room);
  EXPECT_EQ(Run("e"), "[]");
  EXPECT_EQ(Run("d = nil; e = nil; d = []; e = []; 9.times { 300.times { d << 1 }; 300.times { e << 1 } }"), no_room);
  EXPECT_EQ(Run("d = nil; e = nil; 99.times { |i| a = 'x' * 900; a << 'x'; i }; a.size"), "901");
  EXPECT_EQ(Run("def deep(n, text)\n n > 99 ? 1 : deep(n + 1, text + 'x')\nend\ndeep(0, 'x' * 900)"), no_room);
  // Values that a statement holds while it runs count as well.
  EXPECT_EQ(Run("say 'x' * 4000, 'x' * 4000, 'x' * 4000"), no_room);
  EXPECT_EQ(Run("('x' * 4000).sub('x', ('x' * 4000).sub('x', 'x' * 4000))"), no_room);
  EXPECT_EQ(Run("9.times { |i| ('x' * 9000).size; 'x' * 9000 }; for i in 1..9 do 'x' * 9000 end"), "1..9");
  EXPECT_EQ(Run("i = 0; while i < 9 do i += 1; 'x' * 9000; end; (1..9).each { 'x' * 9000 }.size"), "9");
}

TEST_F(RubyEvaluatorTest, NumbersOfMoreThan64BitsAreErrors) {
  const std::string range = "RangeError (the number does not fit into 64 bits)";
  const std::string rounds = "RangeError (a loop has at most a million rounds here)";
  const std::string elements = "RangeError (an array has at most a million elements here)";
  Run("least = -9223372036854775807 - 1; most = 9223372036854775807");
  for (const char* text : {"0.downto(least) { }", "least.upto(most) { }", "(least..most).step(1) { }"}) {
    EXPECT_EQ(Run(text), rounds) << text;
  }
  EXPECT_EQ(Run("least.step(most, least) { }; least.times { }; (least...least).step(1) { }"),
            "-9223372036854775808...-9223372036854775808");
  EXPECT_EQ(Said("1.step(most, most - 1) { |i| say i }; (most - 1).upto(most) { |i| say i }"),
            "1 9223372036854775807 9223372036854775806 9223372036854775807");
  for (const char* text : {"(least..most).to_a", "(least...most).each { }", "(0..most).include?(1) && (0..most).sum"}) {
    EXPECT_EQ(Run(text), elements) << text;
  }
  for (const char* text : {"(least..most).size", "least.abs", "least << 1", "1e30.to_i", "-1e19.floor", "1e19.round",
                           "'99999999999999999999'.to_i", "'%d' % 1e30", "'%x' % '99999999999999999999'"}) {
    EXPECT_EQ(Run(text), range) << text;
  }
  EXPECT_EQ(Run("((most - 1)..most).to_a"), "[9223372036854775806, 9223372036854775807]");
  EXPECT_EQ(Run("(0.0 / 0).round"), "FloatDomainError (NaN)");
  EXPECT_EQ(Run("1.5.round(400)"), "1.5");
  EXPECT_EQ(Run("'z'.to_i(99)"), "ArgumentError (invalid radix 99)");
  EXPECT_EQ(Run("['abc'[1..most], 'abc'[least..2], 'abc'[1, most], [1, 2][0..most]]"), "[\"bc\", nil, \"bc\", [1, 2]]");
  EXPECT_EQ(Run("('%600d' % 5).size"), "600");
}

// As MRI 2.6 calculates: numeric.c's flo_mod, rb_float_round and int_round, array.c's rb_ary_sum.
TEST_F(RubyEvaluatorTest, NumbersAreRubys) {
  const std::string range = "RangeError (the number does not fit into 64 bits)";
  const std::vector<std::pair<const char*, std::string>> kAnswers = {
      {"[1.0 % 0.1, 1e20 % 3, 5 % (1.0 / 0), -5 % 3.0, 5.0 % -3, -6.0 % 3, 5.5.modulo(2)]",
       "[0.09999999999999995, 1.0, 5.0, 1.0, -1.0, -0.0, 1.5]"},
      {"[-9223372036854775808 % 3, -9223372036854775808 % -3, 7 % -3, -7.modulo(3), 6 % -3]", "[1, -2, -2, 2, 0]"},
      {"[5.0.div(2), -5.5.div(2), 5.div(2.0), 7.div(-2)]", "[2, -3, 2, -4]"},
      {"5.0.div(0)", "ZeroDivisionError (divided by 0)"},
      {"1e300.div(2)", range},
      {"x = 3; [-2 ** 2, -x ** 2, (-2) ** 2, -2.0 ** 2, 2 ** -1, -2 ** 3 ** 2, -2.abs ** 2, -x * 2, 5 -2 ** 2]",
       "[-4, -9, 4, -4.0, 0.5, -512, 4, -6, 1]"},
      {"[1 | 2 & 4, 6 & 3 | 8, 1 << 2 & 4, 5 & 4 == 4]", "[1, 10, 4, true]"},
      {"[0e5, 0.5e1, 0x10, 0b11, 017, 0d9, 0]", "[0.0, 5.0, 16, 3, 15, 9, 0]"},
      {"[5.floor(-20), -5.ceil(-20), 5.round(-20), 5.truncate(-99), 0.ceil(-20)]", "[0, 0, 0, 0, 0]"},
      {"[4999999999999999999.round(-19), 5.ceil(-18)]", "[0, 1000000000000000000]"},
      {"5.ceil(-20)", range},
      {"-5.floor(-20)", range},
      {"9223372036854775807.round(-19)", range},
      {"[[0.1, 0.2, 0.3].sum, [0.1] * '' + 'x', [3, 0.1, 0.2].sum(1), [1e100, 1.0, -1e100].sum, [1, 2].sum(0.5)]",
       "[0.6, \"0.1x\", 4.3, 1.0, 3.5]"},
      {"[[0.1, 1.0 / 0].sum, [1.0 / 0, -1.0 / 0].sum.to_s, [0.1, 0.2, 0.3].inject(:+)]",
       "[Infinity, \"NaN\", 0.6000000000000001]"},
      {"[0.5, 'a'].sum", "TypeError (String can't be coerced into Float)"},
      {"[5.015.round(2), -5.015.round(2), 1.005.round(2), 0.285.round(2), 2.5.round, 1.15.round(1), 2.675.round(2)]",
       "[5.02, -5.02, 1.01, 0.29, 3, 1.2, 2.68]"},
      {"[0 << 100, 5 << -1, -5 << -1, 5 << -100, -1 << -100, -1 << 63, 1 << 62]",
       "[0, 2, -3, 0, -1, -9223372036854775808, 4611686018427387904]"},
      {"1 << 63", range},
      {"1 << 9223372036854775807", range},
      {"5 << -9223372036854775808", "0"},
      {"[[0, 1, 2][-9223372036854775808..3], [0, 1, 2][1..-9223372036854775808], [0, 1, 2][-2..-1]]",
       "[nil, [], [1, 2]]"},
  };
  for (const auto& [typed, answer] : kAnswers) EXPECT_EQ(Run(typed), answer) << typed;
}

TEST_F(RubyEvaluatorTest, TextOfMillionsOfCharacters) {
  Run("s = 'ä' * 300000");
  EXPECT_EQ(Run("[s.length, s[-2..-1], s.reverse.size, s.chop.size, 'x'.rjust(3, s)]"),
            "[300000, \"ää\", 300000, 299999, \"ääx\"]");
  for (const char* text :
       {"(s * 4).chars", "(s * 2).bytes", "('x,' * 1000001).split(',')", "(\"x\\n\" * 1000001).lines"}) {
    EXPECT_EQ(Run(text), "RangeError (an array has at most a million elements here)") << text;
  }
  EXPECT_EQ(Run("'aé日'.reverse + 'aé日'.chop + 'aé日'.chars.join('.') + ''.chop"), "\"日éaaéa.é.日\"");
}

// Each would take minutes if it compared every element with every other.
TEST_F(RubyEvaluatorTest, CollectionsOfManyElements) {
  Run("a = (1..30000).to_a; h = a.group_by { |i| i }");
  EXPECT_EQ(Run("[(a + a).uniq.size, (a - a).size, (a & a).size, h.size]"), "[30000, 0, 30000, 30000]");
  EXPECT_EQ(Run("h.merge(h).size"), "30000");
  EXPECT_EQ(Run("c = {}; 30000.times { |i| c[i] = i }; 30000.times { |i| c.delete(i) if c[i] == i }; c"), "{}");
  rounds_ = 0;
  // Multiples of a number of buckets fall into one, if a number's hash is itself.
  EXPECT_EQ(Run("(0..80000).map { |i| i * 85229 }.uniq.size"), "80001");
  EXPECT_EQ(Run("rounds = 0; [1, 2, 3].any? { |i| rounds += 1; i == 2 }; rounds"), "2");
  EXPECT_EQ(Run("{1 => 2, 1.0 => 3, 1 => 4, 'a' => [1], :a => nil}"), "{1=>4, 1.0=>3, \"a\"=>[1], :a=>nil}");
  EXPECT_EQ(Run("[[1, 2], [1, 2], {1 => 2}, {1 => 2}, nil, nil, 0.0, -0.0].uniq"), "[[1, 2], {1=>2}, nil, 0.0]");
  EXPECT_EQ(Run("[['a', 'b'].sum(''), [[1], [2]].sum([]), [1, 2.5].sum]"), "[\"ab\", [1, 2], 3.5]");
}

TEST_F(RubyEvaluatorTest, ChoosesWhatToRun) {
  EXPECT_EQ(Said("if 1 > 2 then say 'a' elsif nil\n say 'b'\nelse say 'c' end"), "c");
  EXPECT_EQ(Said("say 'x' unless false"), "x");
  EXPECT_EQ(Run("5 > 3 ? 'yes' : 'no'"), "\"yes\"");
  EXPECT_EQ(Run("case 5\nwhen 1, 2 then 'few'\nwhen 3..9 then 'some'\nelse 'many'\nend"), "\"some\"");
  EXPECT_EQ(Said("begin\n fail\nrescue => e\n say e\nend"), "it failed");
  EXPECT_EQ(Said("begin\n 1 / 0\nrescue => e\n say e.message\nend"), "divided by 0");
  EXPECT_EQ(Run("begin\n fail\nend"), "it failed");
}

TEST_F(RubyEvaluatorTest, RunsMethodsOfOnesOwn) {
  EXPECT_EQ(Run("def key(a, b = 2)\n \"#{a}:#{b}\"\nend\nkey(1)"), "\"1:2\"");
  EXPECT_EQ(Run("def fact(n)\n return 1 if n < 2\n n * fact(n - 1)\nend\nfact(10)"), "3628800");
  EXPECT_EQ(Said("def twice\n yield 1\n yield 2\nend\nx = 5\ntwice { |i| say i + x }"), "6 7");
  EXPECT_EQ(Run("def f\n x\nend\nx = 5\nf"), "unknown x");
  EXPECT_EQ(Run("key"), "ArgumentError (wrong number of arguments (given 0, expected 1))");
  EXPECT_EQ(Run("def deep(n)\n deep(n + 1)\nend\ndeep(0)"), "SystemStackError (stack level too deep)");
}

// Rows of one method after the other: what is typed, and what it is.
TEST_F(RubyEvaluatorTest, ABlockIsUsedOrRefused) {
  const std::vector<std::pair<const char*, const char*>> kAnswers = {
      {"[3, 1, 2].sort { |a, b| b <=> a }", "[3, 2, 1]"},
      {"[3, 1, 2].min { |a, b| b <=> a }", "3"},
      {"[3, 1, 2].max { |a, b| b <=> a }", "1"},
      {"[1, 2, 3, 4].uniq { |i| i % 2 }", "[1, 2]"},
      {"['a', 'b'].index { |t| t == 'b' }", "1"},
      {"{'b' => 1, 'a' => 2}.sort { |a, b| a <=> b }", "[[\"a\", 2], [\"b\", 1]]"},
      {"{'a' => 1}.merge({'a' => 2, 'b' => 3}) { |k, a, b| a + b }", "{\"a\"=>3, \"b\"=>3}"},
      {"{'a' => 1}.fetch('b') { |k| k * 2 }", "\"bb\""},
      {"{'a' => 1}.fetch('a') { 0 }", "1"},
      {"'a1b1'.gsub('1') { |m| m + 'x' }", "\"a1xb1x\""},
      {"[1, 2].sum(10) { |i| i * 2 }", "16"},
      {"[[1, 'x'], [3, 'y'], [3, 'z']].max_by { |a| a[0] }", "[3, \"y\"]"},
      {"keys = []; {'a' => 1}.each_key { |k| keys << k }; %w[x y].each_index { |i| keys << i }; keys", "[\"a\", 0, 1]"},
      {"[1, 2, 3].inject(10, :+)", "16"},
      {"[3, 1, 2].sort { |a, b| break 'out' }", "\"out\""},
      {"[1, 2].sort { 'no order' }", "ArgumentError (comparison of Integer with Integer failed)"},
      {"[nil, 1].sort_by { |i| i }", "ArgumentError (comparison of NilClass with Integer failed)"},
      {"[1, 2].join { 3 }", "NotImplementedError (`join' of Array with a block is Ruby that this shell does not run)"},
      {"'a'.sub('a') { 'b' }",
       "NotImplementedError (`sub' of String with a block is Ruby that this shell does not run)"},
      {"[1].nosuch { }", "NoMethodError (undefined method `nosuch' for [1]:Array)"},
      {"[1].map(5) { }", "ArgumentError (wrong number of arguments (given 1, expected 0))"},
  };
  for (const auto& [typed, answer] : kAnswers) EXPECT_EQ(Run(typed), answer) << typed;
}

TEST_F(RubyEvaluatorTest, NumbersAreEqualIfAllTheirDigitsAre) {
  for (const char* equal :
       {"9007199254740993 == 9007199254740993", "1 == 1.0", "[1, {'a' => 2}] == [1.0, {'a' => 2.0}]",
        "{'a' => 1, 'b' => 2} == {'b' => 2, 'a' => 1}", "[1, 2].include?(2.0)", "(1..3).include?(2.5)",
        "case 5 when 5.0 then true end", "case 'c' when 'a'..'e' then true end"}) {
    EXPECT_EQ(Run(equal), "true") << equal;
  }
  for (const char* other :
       {"9007199254740993 == 9007199254740992", "9007199254740993 == 9007199254740992.0", "1.eql?(1.0)",
        "9223372036854775807 - 1700000000001 == 9223372036854775807 - 1700000000002",
        "(0..9007199254740992).include?(9007199254740993)", "(0..5).include?(5.5)", "0.0 / 0 == 0.0 / 0",
        "case 9007199254740993 when 9007199254740992 then true else false end"}) {
    EXPECT_EQ(Run(other), "false") << other;
  }
  EXPECT_EQ(
      Run("[9007199254740993 <=> 9007199254740992.0, 1 <=> 0.0 / 0, 9223372036854775807 <=> 9223372036854775807.0]"),
      "[1, nil, -1]");
}

TEST_F(RubyEvaluatorTest, ArgumentsAreUsedOrRefused) {
  const std::vector<std::pair<const char*, const char*>> kAnswers = {
      {"'a,b,c'.split(',', 2)", "[\"a\", \"b,c\"]"},
      {"' a  b c '.split(' ', 2)", "[\"a\", \"b c \"]"},
      {"'a,b,,'.split(',')", "[\"a\", \"b\"]"},
      {"'a,b,,'.split(',', -1)", "[\"a\", \"b\", \"\", \"\"]"},
      {"'row,'.chomp(',')", "\"row\""},
      {"\"row\\r\\n\".chomp + 'row'.chomp(nil)", "\"rowrow\""},
      {"[1, 2, 1].count(1)", "2"},
      {"[1234.567.round(-2), 1250.round(-2), -1250.round(-2), 1249.ceil(-2), -1201.floor(-2), -1299.truncate(-2)]",
       "[1200, 1300, -1300, 1300, -1300, -1200]"},
      {"[1.25.floor(1), 1.21.ceil(1), 1.25.round(1), 9.99.truncate(1)]", "[1.2, 1.3, 1.3, 9.9]"},
      {"[1, [2, [3]]].flatten(1) + [4, [5]].flatten(-9223372036854775808)", "[1, 2, [3], 4, 5]"},
      {"[3, 1, 2].max(2) + [3, 1, 2].min(2)", "[3, 2, 1, 2]"},
      {"a = [1, 2, 3]; [a.pop(2), a]", "[[2, 3], [1]]"},
      {"'xax'.index('x', 1)", "2"},
      {"'xax'.start_with?('y', 'x')", "true"},
      {"{'a' => {'b' => 5}}.dig('a', 'b')", "5"},
      {"{'a' => nil, 'b' => 1}.compact", "{\"b\"=>1}"},
      {"'a' << 98", "\"ab\""},
      {"'a'.upcase('b')", "ArgumentError (wrong number of arguments (given 1, expected 0))"},
      {"[1].first(1, 2)", "ArgumentError (wrong number of arguments (given 2, expected 0..1))"},
      {"[1].first(-1)", "ArgumentError (negative array size)"},
      {"[1].first('x')", "TypeError (no implicit conversion of String into Integer)"},
      {"[1]['x']", "TypeError (no implicit conversion of String into Integer)"},
      {"'abc'.include?(nil)", "TypeError (no implicit conversion of nil into String)"},
      {"{}.delete", "ArgumentError (wrong number of arguments (given 0, expected 1))"},
      {"5.to_s(99)", "ArgumentError (invalid radix 99)"},
      {"{1 => 2}.last", "NoMethodError (undefined method `last' for {1=>2}:Hash)"},
  };
  for (const auto& [typed, answer] : kAnswers) EXPECT_EQ(Run(typed), answer) << typed;
}

TEST_F(RubyEvaluatorTest, CountedLoopsGoByEveryArgument) {
  EXPECT_EQ(Said("1.step(by: 2, to: 10) { |i| say i }"), "1 3 5 7 9");
  EXPECT_EQ(Said("1.step(10, 2.5) { |i| say i }"), "1.0 3.5 6.0 8.5");
  EXPECT_EQ(Said("1.0.step(2.0, 0.1) { |i| say i }"), "1.0 1.1 1.2 1.3 1.4 1.5 1.6 1.7000000000000002 1.8 1.9 2.0");
  EXPECT_EQ(Said("1.upto(3.5) { |i| say i }; 3.downto(1.5) { |i| say i }"), "1 2 3 3 2");
  EXPECT_EQ(Said("(1..4).step(1.5) { |i| say i }; (1...4).step(1.5) { |i| say i }"), "1.0 2.5 4.0 1.0 2.5");
  EXPECT_EQ(Run("1.step { }"), "RangeError (a loop has at most a million rounds here)");
  EXPECT_EQ(Run("1.step(by: 2, up: 5) { }"), "ArgumentError (unknown keyword: :up)");
  EXPECT_EQ(Run("1.upto('3') { }"), "ArgumentError (comparison of Integer with \"3\" failed)");
  EXPECT_EQ(Run("1.step(3, 'x') { }"), "TypeError (no implicit conversion of String into Integer)");
  EXPECT_EQ(Run("(1..3).step(-1) { }"), "ArgumentError (step can't be negative)");
}

// Each round of the outer loop would make a million values, and each level of the calls would hold them.
TEST_F(RubyEvaluatorTest, ALoopMakesItsValuesOneByOne) {
  for (const char* loop :
       {"1000000.times { break }", "0.upto(999999) { break }", "999999.downto(0) { break }", "0.step(999999) { break }",
        "0.0.step(99999.9, 0.1) { break }", "(1..1000000).each { break }", "(1..1000000).each_slice(2) { break }",
        "for i in 1..1000000 do break end", "(1..1000000).reverse_each { break }", "(1..1000000).map { break }",
        "(1..1000000).inject { break }"}) {
    rounds_ = 0;
    EXPECT_EQ(Run("5000.times { " + std::string(loop) + " }"), "5000") << loop;
  }
  Run("def f(n)\n1000000.times { f(n - 1) if n > 0; break }\nend");
  EXPECT_EQ(Run("f(60)"), "nil");
  EXPECT_EQ(Said("(1..5).each_slice(2) { |s| say s }; (1..2).reverse_each { |i| say i }; (3..1).each { |i| say i }"),
            "[1, 2] [3, 4] [5] 2 1");
}

// A sort has all elements at once, and so has a text its characters.
TEST_F(RubyEvaluatorTest, LoopsWithinEachOtherHaveABound) {
  ruby_.SetRoom(ValueRoom(10'000, 1'000'000));
  Run("s = 'x' * 4000");
  for (const char* loop : {"(1..4000).sort { f(n - 1) }", "s.each_char { f(n - 1) }"}) {
    Run("def f(n)\nreturn 0 if n == 0\ns = 'x' * 4000\n" + std::string(loop) + "\nend");
    EXPECT_THAT(Run("f(9)"), testing::StartsWith("NoMemoryError (the values of this session")) << loop;
  }
}

TEST_F(RubyEvaluatorTest, RangesOfTextsAreWholeOrRefused) {
  // Less than a million texts, of 2 GB.
  EXPECT_EQ(Run("(('a' * 2000)..('b' * 2000)).size"), "NoMemoryError (the texts of the range are too large together)");
  EXPECT_EQ(Run("('0000000'..'1999999').each { |k| k }"), "RangeError (an array has at most a million elements here)");
  EXPECT_EQ(Run("[('08'..'11').to_a, ('az'...'bc').to_a, ('Y'..'b').to_a, ('z'..'aa').to_a]"),
            "[[\"08\", \"09\", \"10\", \"11\"], [\"az\", \"ba\", \"bb\"], "
            "[\"Y\", \"Z\", \"[\", \"\\\\\", \"]\", \"^\", \"_\", \"`\", \"a\", \"b\"], []]");
}

// Each would take minutes if a call copied what it is called on.
TEST_F(RubyEvaluatorTest, CallsOnLargeVariables) {
  EXPECT_EQ(Run("ids = []; (1..30000).each { |i| ids << i }; ids.size"), "30000");
  EXPECT_EQ(Run("sum = 0; 30000.times { |i| sum += ids[i] if ids.size > i }; sum"), "450015000");
  rounds_ = 0;
  EXPECT_EQ(Run("long = 'x' * 100; rows = []; 30000.times { |i| rows << long if i >= 0 }; rows.size"), "30000");
  rounds_ = 0;
  EXPECT_EQ(Run("q = (1..50000).to_a; n = 0; while !q.empty?; n += q.shift; end; n"), "1250025000");
  rounds_ = 0;
  EXPECT_EQ(Run("50000.times { |i| q.unshift(i) }; [q.size, q[0], q[-1]]"), "[50000, 49999, 0]");
  EXPECT_EQ(Run("text = ''; 30000.times { text << long }; text.size"), "3000000");
}

TEST_F(RubyEvaluatorTest, AnElementsIndexIsEvaluatedOnce) {
  EXPECT_EQ(Run("a = [1, 2, 3]; n = 0; a[n += 1] += 10; [n, a]"), "[1, [1, 12, 3]]");
  EXPECT_EQ(Run("h = {1 => nil}; n = 0; h[n += 1] ||= 'x'; h[n += 1] &&= 'y'; [n, h]"), "[2, {1=>\"x\"}]");
  EXPECT_EQ(Run("h[1] &&= h[1] + 'z'; h[1] ||= fail; h[2] ||= h[1].size; h"), "{1=>\"xz\", 2=>2}");
  EXPECT_EQ(Run("h[9] += 1"), "NoMethodError (undefined method `+' for nil:NilClass)");
  EXPECT_EQ(Run("5[0] += 1"), "NameError (only an element of a variable can be set here)");
  EXPECT_EQ(Run("a = (0..50).map { 0 }; " + Repeated(50, "a[") + "0" + Repeated(50, "] += 1") + "; a[0] > 0"), "true");
}

// Rows of one change after the other: what is typed, and what the variables are then.
TEST_F(RubyEvaluatorTest, AChangeInItsPlaceIsKept) {
  const std::vector<std::pair<const char*, const char*>> kAnswers = {
      {"x = [1, 2, 3]; x << 4 << 5; x", "[1, 2, 3, 4, 5]"},
      {"s = 'a'; s << 'c' << 'd' << 101; s", "\"acde\""},
      {"a = [3]; b = a.push(1).concat([2]).unshift(0); [a, b]", "[[0, 3, 1, 2], [0, 3, 1, 2]]"},
      {"h = {}; h[:a] ||= []; h[:a] << 1 << 2; h", "{:a=>[1, 2]}"},
      {"h = {}; (h[:a] ||= []) << 1; (h[:a] ||= []) << 2; h", "{:a=>[1, 2]}"},
      {"(z ||= []) << 1; (z ||= []) << 2; z", "[1, 2]"},
      {"a = [[1, 2]]; b = a[0].pop; [a, b]", "[[[1]], 2]"},
      {"a = [[1], ['x']]; a.first << 2; a.last[0] << 'y'; a[-1].unshift(0); a", "[[1, 2], [0, \"xy\"]]"},
      {"a = [[1, 2]]; a[0][1] = 3; a[0][2] = {}; a[0][2]['k'] = 4; a", "[[1, 3, {\"k\"=>4}]]"},
      {"h = {'a' => {'b' => 1, 'c' => [0]}}; h['a'].delete('b'); h['a']['c'][0] += 5; h", "{\"a\"=>{\"c\"=>[5]}}"},
      {"LIST = []; LIST << 1 << 2; LIST[0] = 9; LIST", "[9, 2]"},
      {"a = [[]]; n = -1; a[n += 1] << n << n; [n, a]", "[0, [[0, 0]]]"},
      {"n = 1; n << 2 << 3; n", "1"},
      {"n = 1; n << 2 << 3", "32"},
      {"a = [1, 2]; [a[0, 1] << 5, a.map { |i| i } << 6, a.reverse << 7, a]", "[[1, 5], [1, 2, 6], [2, 1, 7], [1, 2]]"},
      {"s = 'abc'; [s[0] << 'x', s.upcase << 'y', s]", "[\"ax\", \"ABCy\", \"abc\"]"},
      {"a = [5, 7]; [a.max << 1, a.first << 1, a]", "[14, 10, [5, 7]]"},
      {"a = []; a[3] << 1", "NoMethodError (undefined method `<<' for nil:NilClass)"},
      {"a = [[2], [1]]; a.max << 3",
       "NameError (only a variable and its elements by their indexes can be changed by "
       "`<<' here)"},
      {"h = {'a' => [1]}; h.fetch('a').pop",
       "NameError (only a variable and its elements by their indexes can be "
       "changed by `pop' here)"},
      {"a = [1]; a.first[0] = 1", "NoMethodError (undefined method `[]=' for Integer)"},
      {"h = {}; h['a']['b'] = 1", "NoMethodError (undefined method `[]=' for NilClass)"},
  };
  for (const auto& [typed, answer] : kAnswers) EXPECT_EQ(Run(typed), answer) << typed;
}

TEST_F(RubyEvaluatorTest, ChangesOfElementsHaveABound) {
  EXPECT_THAT(Run("a = [[]]; 200.times { a[0] = a }"), testing::StartsWith("NoMemoryError (a value has at most"));
  EXPECT_EQ(Run("a = [[]]; 200.times { begin; a[0][0] = a; rescue; end }; a.flatten"), "[]");
  ruby_.SetRoom(ValueRoom(1000, 10'000));
  EXPECT_EQ(Run("h = {'a' => ''}; b = ''; 99.times { h['a'] << 'x' * 200 }"),
            "NoMemoryError (the values of this session are too large together: set a variable to nil)");
  EXPECT_EQ(Run("h['a'].size < 10000"), "true");
  EXPECT_EQ(Run("a = [[]]; a[0][5000] = 1"),
            "NoMemoryError (the values of this session are too large together: set a variable to nil)");
  EXPECT_EQ(Run("a"), "[[]]");
}

TEST_F(RubyEvaluatorTest, ABlockLeavesWhatItIsIn) {
  EXPECT_EQ(Run("def each_row\n yield 1\nend\ndef f\n each_row { |i| return i }\n 0\nend\nf"), "1");
  EXPECT_EQ(Said("def m\n yield\nend\n3.times { |i| m { break }; say i }"), "0 1 2");
  EXPECT_EQ(Run("def m\n 3.times { |i| yield i }\n 'end'\nend\nm { |i| break i + 5 }"), "5");
  EXPECT_EQ(Said("def m\n while true\n yield\n end\nend\nm { break }; say 'after'"), "after");
  EXPECT_EQ(Run("def m\n break\nend\n3.times { m }"), "SyntaxError ('break' outside of a loop and of a block)");
  EXPECT_EQ(Run("next"), "SyntaxError ('next' outside of a loop and of a block)");
  EXPECT_EQ(Said("return\nsay 'a'"), "a");
}

TEST_F(RubyEvaluatorTest, DefaultsAreMadeInTheMethod) {
  EXPECT_EQ(Run("a = 'other'\ndef f(a, b = a)\n b\nend\nf 'x'"), "\"x\"");
  EXPECT_EQ(Run("def g(a, b = [a, a].size, c)\n [a, b, c]\nend\n[g(1, 2), g(1, 2, 3)]"), "[[1, 2, 2], [1, 2, 3]]");
  EXPECT_EQ(Run("def h(first, *rest, last)\n [first, rest, last]\nend\n[h(1, 2), h(1, 2, 3, 4)]"),
            "[[1, [], 2], [1, [2, 3], 4]]");
}

TEST_F(RubyEvaluatorTest, FormatsByFlagsWidthAndPrecision) {
  const std::vector<std::pair<const char*, const char*>> kAnswers = {
      {"'%.3s|%6.2s|%-5s|' % ['abcdef', 'xyz', 'a']", "\"abc|    xy|a    |\""},
      {"'%-5b|%08b|%b|%+b|%#x|%X' % [5, 5, -5, -5, 255, 171]", "\"101  |00000101|..1011|-101|0xff|AB\""},
      {"'%x %o %08x %.4b' % [-1, -8, -255, -5]", "\"..f ..70 ffffff01 1011\""},
      {"'%+05d|% d|%.3d|%-4d|' % [5, 5, 5, 5]", "\"+0005| 5|005|5   |\""},
      {"'%6.2f|%e|%g' % [3.14159, 12345.678, 0.5]", "\"  3.14|1.234568e+04|0.5\""},
      {"'%f %5.1f' % [1.0 / 0, -1.0 / 0]", "\"Inf  -Inf\""},
      {"'%d %d' % ['0x1f', ' 5 ']", "\"31 5\""},
      {"'%d' % '12x'", "ArgumentError (invalid value for Integer(): \"12x\")"},
      {"'%d' % nil", "TypeError (can't convert nil into Integer)"},
      {"'%d' % [{exception: false}]", "TypeError (can't convert Hash into Integer)"},
      {"'%f' % [{exception: false}]", "TypeError (can't convert Hash into Float)"},
      {"'%x' % [[]]", "TypeError (can't convert Array into Integer)"},
      {"'%d' % -2.9", "\"-2\""},
      {"'%200000s' % 1", "ArgumentError (a width of the format is too large)"},
      {"'%<a>s' % 1", "ArgumentError (malformed format string - %<)"},
      {"'5%' % 1", "ArgumentError (incomplete format specifier; use %% (double %) instead)"},
  };
  for (const auto& [typed, answer] : kAnswers) EXPECT_EQ(Run(typed), answer) << typed;
}

TEST_F(RubyEvaluatorTest, TextsHaveLinesAndSuccessors) {
  EXPECT_EQ(Run("\"a\\n\\nb\".lines"), "[\"a\\n\", \"\\n\", \"b\"]");
  EXPECT_EQ(Run("'é'.ord"), "233");
  // As JRuby's StringSupport.succCommon has it: a letter and a digit with something between them do not carry.
  EXPECT_EQ(Run("%w[a-9 row! 1.9 Zz9 <<z>> *** a/z 9/9 é].map { |t| t.succ }"),
            "[\"a-10\", \"rox!\", \"2.0\", \"AAa0\", \"<<aa>>\", \"**+\", \"b/a\", \"10/0\", \"ê\"]");
}

TEST_F(RubyEvaluatorTest, TextsAreReplacedInTexts) {
  const std::vector<std::pair<const char*, const char*>> kAnswers = {
      {"['abc'.gsub('', '-'), 'äö'.gsub('', '-'), ''.gsub('', '-'), 'abc'.sub('', '-')]",
       "[\"-a-b-c-\", \"-ä-ö-\", \"-\", \"-abc\"]"},
      {"n = 0; 'äb'.gsub('') { |m| n += 1; m + n.to_s }", "\"1ä2b3\""},
      {R"~(['hello'.gsub('l', '<\0>'), 'hello'.sub('l', '[\&\\\\0]'), 'hello'.gsub('l', '\1')])~",
       R"~(["he<l><l>o", "he[l\\0]lo", "heo"])~"},
      {R"~(['abc'.sub('b', "(\\`|\\')"), 'abc'.sub('b', '\x'), 'abc'.sub('b', 'x\\')])~",
       R"~(["a(a|c)c", "a\\xc", "ax\\c"])~"},
      {"'abc'.sub('b', '\\k<n>')", "IndexError (undefined group name reference: <n>)"},
      {"('a' * 9000).gsub('a', \"\\\\'\").size", "40495500"},
      {"('a' * 90000).gsub('a', \"\\\\'\").size", "NoMemoryError (the text would be longer than 64 MB)"},
      {"('a' * 90000).sub('a', \"\\\\'\" * 90000).size", "NoMemoryError (the text would be longer than 64 MB)"},
      {"'a'.gsub('', ('x' * 4000) * 10000).size", "NoMemoryError (the text would be longer than 64 MB)"},
  };
  for (const auto& [typed, answer] : kAnswers) EXPECT_EQ(Run(typed), answer) << typed;
}

TEST_F(RubyEvaluatorTest, ATextHasOnlyCharacters) {
  EXPECT_EQ(Run("s = ''; s << 0xD7FF << 0xE000 << 0x10FFFF; s.size"), "3");
  EXPECT_EQ(Run("s << 0xD800"), "RangeError (invalid codepoint 0xD800 in UTF-8)");
  EXPECT_EQ(Run("s << 0x110000"), "RangeError (invalid codepoint 0x110000 in UTF-8)");
  EXPECT_EQ(Run("s << -1"), "RangeError (-1 out of char range)");
}

TEST_F(RubyEvaluatorTest, TextsBeginWithNumbers) {
  EXPECT_EQ(
      Run("['12x'.to_i, '1_000'.to_i, '1__0'.to_i, '_1'.to_i, '0x1f'.to_i, '0x1f'.hex, 'z'.to_i(36), '-0b11'.to_i(2)]"),
      "[12, 1000, 1, 0, 0, 31, 35, -3]");
  EXPECT_EQ(Run("['nan'.to_f, 'information'.to_f, '1_000'.to_f, '1e3x'.to_f, '.5'.to_f, '1.'.to_f, '-2.5e-1'.to_f]"),
            "[0.0, 0.0, 1000.0, 1000.0, 0.5, 1.0, -0.25]");
}

TEST_F(RubyEvaluatorTest, TakesRandomElements) {
  EXPECT_EQ(Run("a = (1..9).to_a; a.shuffle.sort == a && a.sample(3).uniq.size == 3 && a.include?(a.sample)"), "true");
  EXPECT_EQ(Run("[[].sample, [1].sample(5)]"), "[nil, [1]]");
}

TEST_F(RubyEvaluatorTest, KnowsConstantsAndTimes) {
  EXPECT_EQ(Run("KNOWN"), "\"known\"");
  EXPECT_EQ(Run("ROWS = 5\nROWS * 2"), "10");
  EXPECT_EQ(Run("NOSUCH"), "NameError (uninitialized constant NOSUCH)");
  EXPECT_EQ(Run("Time.now.to_i > 1_500_000_000"), "true");
  EXPECT_EQ(Run("start = Time.now; Time.now - start < 60"), "true");
}

TEST_F(RubyEvaluatorTest, SaysWhereAnErrorIs) {
  EXPECT_EQ(Run("(1..3).each do |i|\n  say i\n  5.nosuch\nend"),
            "NoMethodError (undefined method `nosuch' for 5:Integer)");
  EXPECT_EQ(ruby_.error_place().line, 3);
}

}  // namespace
}  // namespace vaquita::shell
