#include "lab/design/key_design.h"

#include <gmock/gmock.h>

#include "base/testing/repeated.h"
#include "lab/design/testing/sample_record.h"

namespace vaquita::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Row {
  const char* expression;
  const char* key;
};

void ExpectKeys(std::initializer_list<Row> rows) {
  for (const Row& row : rows) EXPECT_EQ(SampleKey(row.expression), row.key) << row.expression;
}

TEST(KeyDesign, FieldsAndConstantsAreJoined) {
  ExpectKeys({{"user", "ann"},
              {"user + ':' + id", "ann:42"},
              {"\"it's \" + `start time`", "it's 1030"},
              {"'\\x00\\xFF\\\\' + 'a'", "\\x00\\xFF\\x5Ca"},
              {"0x1F + 1h + 2026-01-31T10:30:15.250", "3136000001769855415250"},
              {"(user)+(id)", "ann42"}});
}

// The expected values were printed by jshell of Java 17.
TEST(KeyDesign, HashCodesAreJavas) {
  ExpectKeys({{"string_hash('')", "0"},
              {"string_hash('hello')", "99162322"},
              {"string_hash('Zürich')", "-1482116162"},
              {"string_hash('日本語')", "25921943"},
              {"string_hash('😀')", "1772899"},
              {"string_hash('a😀b')", "57849694"},
              {"string_hash('polygenelubricants')", "-2147483648"},
              {"long_hash(1)", "1"},
              {"long_hash(-1)", "0"},
              {"long_hash(1767225600000)", "1994041755"},
              {"long_hash(-1767225600000)", "1994040932"},
              {"long_hash(MAX_LONG)", "-2147483648"},
              {"long_hash(4294967296)", "1"},
              {"long_hash(3000000000)", "-1294967296"},
              {"bytes_hash('')", "1"},
              {"bytes_hash('\\x01\\x02\\x03')", "30817"},
              {"bytes_hash('\\xFF\\x80')", "802"},
              {"bytes_hash('hello')", "127791473"}});
}

TEST(KeyDesign, ArithmeticIsJavas) {
  ExpectKeys({{"-7 % 5", "-2"},
              {"MAX_LONG % 5", "2"},
              {"MIN_LONG % 5", "-3"},
              {"floor_mod(MIN_LONG, 5)", "2"},
              {"floor_mod(-1, 5)", "4"},
              {"MIN_LONG / -1", "-9223372036854775808"},
              {"MIN_LONG % -1", "0"},
              {"MAX_LONG / 7", "1317624576693539401"},
              {"MIN_LONG / 7", "-1317624576693539401"},
              {"MAX_LONG * 31", "9223372036854775777"},
              {"MAX_LONG - -1767225600000", "-9223370269629175809"},
              {"abs(MIN_LONG)", "-9223372036854775808"},
              {"abs(-7)", "7"},
              {"add(MAX_LONG, 1)", "-9223372036854775808"},
              {"- id - 1", "-43"},
              {"2 - 3 - 4", "-5"},
              {"2 * 3 % 4", "2"},
              {"user + 10 - 1", "ann9"}});
}

TEST(KeyDesign, CastsAndBucketsAreJavas) {
  ExpectKeys({{"byte(1767225600000)", "\\x00"},
              {"byte(200)", "\\xC8"},
              {"text(byte(200))", "-56"},
              {"text(byte(MAX_LONG))", "-1"},
              {"bucket(long_hash(1767225600000), 5)", "\\x00"},
              {"bucket(long_hash(-1767225600000), 5)", "\\x02"},
              {"bucket(long_hash(3000000000), 5)", "\\xFF"},
              {"text(bucket(long_hash(MAX_LONG), 5))", "-3"},
              {"byte(floor_mod(long_hash(3000000000), 5))", "\\x04"},
              {"int16(-2)", "\\xFF\\xFE"},
              {"int32(1)", "\\x00\\x00\\x00\\x01"},
              {"int64(MAX_LONG - ts)", "\\x7F\\xFF\\xFEc\\xECe\\x8C-"},
              {"reverse_time(ts)", "\\x7F\\xFF\\xFEc\\xECe\\x8C-"}});
}

TEST(KeyDesign, BitsAreReversedAsByJavasReverse) {
  ExpectKeys({{"text(reverse_bits(int32(1)))", "-2147483648"},
              {"text(reverse_bits(int32(12345)))", "-1676935168"},
              {"text(reverse_bits(int32(-2)))", "2147483647"},
              {"text(reverse_bits(int64(1767225600000)))", "6011506164498432"},
              {"text(reverse_bits(int64(-1767225600000)))", "7499292717613055"},
              {"reverse_bits(int64(4294967296))", "\\x00\\x00\\x00\\x00\\x80\\x00\\x00\\x00"},
              {"reverse_bits(byte(1))", "\\x80"},
              {"reverse_bits('\\x01\\x02')", "@\\x80"}});
}

TEST(KeyDesign, DigestsAreJavas) {
  ExpectKeys({{"md5_hex('')", "d41d8cd98f00b204e9800998ecf8427e"},
              {"md5_hex('hello')", "5d41402abc4b2a76b9719d911017c592"},
              {"md5_hex('+49170123456')", "59a2b367dfd6cd514ed56a252a4d09eb"},
              {"sha1_hex('hello')", "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d"},
              {"sha256_hex('hello')", "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"},
              {"hex(md5('hello'))", "5d41402abc4b2a76b9719d911017c592"},
              {"hash_prefix(md5('hello'), 2)", "]A"},
              {"hash_prefix(md5_hex('hello'), 3) + 'hello'", "5d4hello"},
              {"md5_hex(42)", "a1d0c6e83f027327d8461063f4ac58a6"},
              {"md5_hex('4' + '2')", "a1d0c6e83f027327d8461063f4ac58a6"},
              {"unhex('00fF')", "\\x00\\xFF"}});
}

TEST(KeyDesign, NumbersArePaddedAsByJavasFormat) {
  ExpectKeys({{"pad(id, 10)", "0000000042"},
              {"pad(1 - 2, 10)", "-000000001"},
              {"pad(-42, 5, ' ')", "  -42"},
              {"pad(MIN_LONG, 20)", "-9223372036854775808"},
              {"pad(MAX_LONG, 19)", "9223372036854775807"},
              {"pad(0, 1)", "0"},
              {"pad(user, 5)", "00ann"},
              {"pad(user, 5, '.') + pad_right(user, 5) + '|'", "..annann  |"},
              {"pad(12345, 4)", "pad(12345, 4): '12345' is longer than 4 bytes"},
              {"pad(user, 2)", "pad(user, 2): 'ann' is longer than 2 bytes"},
              {"pad_right(user, 2)", "pad_right(user, 2): 'ann' is longer than 2 bytes"}});
}

// The expected values are SimpleDateFormat's.
TEST(KeyDesign, TimesAreFormattedAsJavas) {
  ExpectKeys({{"format_time(ts, 'yyyyMM')", "202601"},
              {"format_time(ts, \"yyyy-MM-dd'T'HH:mm:ss.SSS\")", "2026-01-31T10:30:15.250"},
              {"format_time(ts, 'DDD')", "031"},
              {"format_time(ts, 'yyMMddHHmmss', 'Europe/Berlin')", "260131113015"},
              {"format_time(ts, 'yyyyMMddHH', '+05:30')", "2026013116"},
              {"format_time(0, 'dd.MM.yyyy', 'America/New_York')", "31.12.1969"},
              {"format_time(-1, \"yyyy-MM-dd'T'HH:mm:ss.SSS\")", "1969-12-31T23:59:59.999"},
              {"format_time(1774746000000, 'yyMMddHHmmss', 'Europe/Berlin')", "260329030000"},
              {"format_time(951782400000, 'yyyyMMddDDD')", "20000229060"},
              {"format_time(-2208988800001, 'yyyyMMddDDD')", "18991231365"},
              {"format_time(MIN_LONG, 'yyyy')",
               "format_time(MIN_LONG, 'yyyy'): '-9223372036854775808' ms are not in the years 0 to 9999"},
              {"format_time(MAX_LONG, 'yyyy')",
               "format_time(MAX_LONG, 'yyyy'): '9223372036854775807' ms are not in the years 0 to 9999"}});
}

TEST(KeyDesign, TimesAreReadAndBucketed) {
  ExpectKeys({{"time(day)", "1769855415250"},
              {"time('2026-01-31')", "1769817600000"},
              {"time('2026-07-01 12:00', 'yyyy-MM-dd HH:mm', 'Europe/Berlin')", "1782900000000"},
              {"time('2026-01-31T10:30:15+01:00')", "1769851815000"},
              {"time('1769855415250')", "1769855415250"},
              {"time(id)", "42"},
              {"reverse_time(day)", "\\x7F\\xFF\\xFEc\\xECe\\x8C-"},
              {"time_bucket(ts, 1h)", "1769853600000"},
              {"time_bucket(-1, 1h)", "-3600000"},
              {"time_bucket(-1h, 1h)", "-3600000"},
              {"time_offset(ts, 1h)", "1815250"},
              {"time_offset(-1, 1h)", "3599999"},
              {"seconds(-1)", "-1"},
              {"seconds(-1000)", "-1"},
              {"seconds(MIN_LONG)", "-9223372036854776"},
              {"seconds(ts)", "1769855415"},
              {"time('2026-02-30')",
               "time('2026-02-30'): '2026-02-30' is not a time; write "
               "2026-01-31T10:30:00 or a number of milliseconds"}});
}

TEST(KeyDesign, TextIsReversedCutAndLookedUp) {
  ExpectKeys({{"reverse_digits(phone)", "65432107194"},
              {"reverse_digits(pad(id, 6))", "240000"},
              {"reverse(city)", "hcir\\xC3\\xBCZ"},
              {"reverse(int16(1))", "\\x01\\x00"},
              {"reverse_parts(host, '.')", "com.example.www"},
              {"reverse_parts('a..b.', '.')", ".b..a"},
              {"part(host, '.', 2)", "example"},
              {"prefix(city, 2)", "Z\\xC3\\xBC"},
              {"suffix(city, 5)", "\\xC3\\xBCrich"},
              {"suffix(phone, 4)", "3456"},
              {"prefix(int32(258), 3)", "\\x00\\x00\\x01"},
              {"prefix(user, 10)", "ann"},
              {"fixed(host, 5) + fixed(user, 5, '_')", "www.eann__"},
              {"fixed(city, 2)", "Z "},
              {"lower('ABC') + upper(user)", "abcANN"},
              {"invert('\\x00\\x01')", "\\xFF\\xFE"},
              {"lookup(type, LOG_TYPES)", "3"},
              {"byte(lookup(type, LOG_TYPES))", "\\x03"},
              {"lookup('x', LOG_TYPES, 9)", "9"},
              {"lookup(1, LETTERS)", "b"},
              {"lookup(9, LETTERS, '?')", "?"},
              {"lookup(user, LOG_TYPES)", "lookup(user, LOG_TYPES): 'ann' is not in the table LOG_TYPES"},
              {"reverse_digits(user)",
               "reverse_digits(user): 'ann' has other characters than digits; reverse() takes any text"},
              {"part(host, '.', 4)", "part(host, '.', 4): 'www.example.com' has no part 4"},
              {"unhex('0')", "unhex('0'): '0' has an odd number of hex digits"},
              {"unhex('-1')", "unhex('-1'): '-1' has other characters than hex digits"}});
}

TEST(KeyDesign, TextThatIsANumberCounts) {
  ExpectKeys({{"int64(`start time`)", "\\x00\\x00\\x00\\x00\\x00\\x00\\x04\\x06"},
              {"`start time` % 100", "30"},
              {"number(prefix(phone, 2)) - 1", "48"},
              {"int16(`start time` * 100)", "int16(`start time` * 100): '103000' does not fit"},
              {"user - 1", "user: 'ann' is not a number"},
              {"1 / (id - 42)", "1 / (id - 42): '0' is the divisor"}});
}

TEST(KeyDesign, SaltsDependOnTheRecordsNumberAlone) {
  const auto design = KeyDesign::Parse("salt(4) + round_robin(3) + '/' + text(salt(4))", SampleSchema());
  ASSERT_TRUE(design.ok());
  int seen[4] = {};
  for (uint64_t i = 0; i < 4000; ++i) {
    std::string key, again;
    ASSERT_TRUE(design->AppendKey(kSampleRecord, i, &key).ok());
    ASSERT_TRUE(design->AppendKey(kSampleRecord, i, &again).ok());
    EXPECT_EQ(key, again);
    EXPECT_EQ(key[1], static_cast<char>(i % 3));
    EXPECT_EQ(key[3], '0' + key[0]);
    ++seen[static_cast<uint8_t>(key[0])];
  }
  for (const int count : seen) EXPECT_NEAR(count, 1000, 150);
}

TEST(KeyDesign, AnErrorPointsAtItsPlace) {
  ExpectKeys(
      {{"hash_prefix(md5_hex(phne), 3) + phone",
        "unknown field 'phne'; did you mean 'phone'?; the fields are id, ts, phone, user, host, type, city, day, start "
        "time\n  hash_prefix(md5_hex(phne), 3) + phone\n                      ^"},
       {"user + md(id)",
        "unknown operation 'md'; did you mean 'md5'? (docs/lab.md has them all)\n  user + md(id)\n         ^"},
       {"pad(id, 5:9)", "an operation's argument has no weight\n  pad(id, 5:9)\n          ^"},
       {"pad(id)", "pad(value, width, [fill]) takes 2 to 3 arguments, not 1\n  pad(id)\n  ^"},
       {"'ü' + pad(user + md5(id), 9)",
        "user + md5(id) is bytes, but text is needed here; hex() shows bytes as text\n"
        "  'ü' + pad(user + md5(id), 9)\n            ^"},
       {"int64('x')", "this is text, but a number is needed here\n  int64('x')\n        ^"},
       {"int64(id + 1)", "+ joins, but a number is needed here; add(a, b) adds\n  int64(id + 1)\n        ^"},
       {"1 - md5(id)",
        "md5(id) is bytes, but a number is needed here; bytes_hash() makes a number of them\n  1 - md5(id)\n"
        "      ^"},
       {"id % 0", "division by zero\n  id % 0\n       ^"},
       {"id +", "found the end where a field, a number, a 'text' or an operation should be\n  id +\n      ^"},
       {"(id", "found the end where ')' should be\n  (id\n     ^"},
       {"id id", "found 'i' where an operator (+ joins) or the end should be\n  id id\n     ^"},
       {"'abc", "this text has no closing quote\n  'abc\n  ^"},
       {"'a\\q'", "unknown escape; use \\\\, \\', \\\", \\n, \\t and \\xNN\n  'a\\q'\n    ^"},
       {"99999999999999999999",
        "'99999999999999999999' does not fit into 64 bits with a sign (MAX_LONG)\n  99999999999999999999\n  ^"},
       {"12x", "'12x' is neither a number nor a duration such as 500ms, 10s, 5m, 1h, 1d, 2w\n  12x\n  ^"},
       {"2026-02-30", "'2026-02-30' is not a date; write 2026-01-31 or 2026-01-31T10:30:00\n  2026-02-30\n  ^"},
       {"id * 0.5", "keys have whole numbers only\n  id * 0.5\n       ^"},
       {"salt(257)", "a count is needed here: a constant number from 1 to 256\n  salt(257)\n       ^"},
       {"salt(id)", "a count is needed here: a constant number from 1 to 256\n  salt(id)\n       ^"},
       {"hash_prefix(user, 2)",
        "hash_prefix() takes a hash; prefix() takes the beginning of any value\n  hash_prefix(user, 2)\n"
        "              ^"},
       {"hash_prefix(md5(id), 17)", "a hash of 16 bytes has no first 17\n  hash_prefix(md5(id), 17)\n              ^"},
       {"reverse_bits(id)",
        "bits of how many bytes? reverse_bits(int64(number)), for example\n  reverse_bits(id)\n               ^"},
       {"lookup(type, TYPES)",
        "the name of a lookup table is needed here; there are: LETTERS, LOG_TYPES\n  lookup(type, TYPES)\n"
        "               ^"},
       {"format_time(ts, 'QQ')",
        "the pattern's 'QQ' is unknown; use yyyy, yy, MM, dd, DDD, HH, mm, ss or SSS, and put other letters "
        "into 'quotes'\n  format_time(ts, 'QQ')\n                  ^"},
       {"format_time(ts, 'dd', 'Mars')",
        "unknown time zone 'Mars'; use a name such as 'Europe/Berlin' or an offset such as '+01:00'\n  format_time(ts, "
        "'dd', 'Mars')\n"
        "                  ^"},
       {"md5", "md5 is an operation: md5(value)\n  md5\n  ^"}});
}

TEST(KeyDesign, NestingHasAnEnd) {
  EXPECT_THAT(SampleKey(std::string(200, '(') + "id" + std::string(200, ')')), HasSubstr("nested too deep"));
  std::string deep = "id";
  for (int i = 0; i < 19; ++i) deep = "md5_hex(" + deep + ")";
  EXPECT_EQ(SampleKey(deep).size(), 32u);
  deep = "1";
  for (int i = 0; i < 19; ++i) deep = "2 - 3 * reverse_time(" + deep + ")";  // takes the most numbers
  EXPECT_EQ(SampleKey(deep), "-9223372032786860676");
  deep = "id";
  for (int i = 0; i < 18; ++i) deep = "reverse_digits(1 * " + deep + ")";
  EXPECT_EQ(SampleKey("hex(1 - " + deep + ")"), "2d3431");  // -41
  deep = "1";
  for (int i = 0; i < 19; ++i) deep = "add(1, number(text(" + deep + ")))";
  EXPECT_THAT(SampleKey(deep), HasSubstr("nested too deep"));
  for (const char* next : {" - 1", " * 1", " % 99"}) {
    EXPECT_THAT(SampleKey("id" + Repeated(190, next)), ::testing::Not(HasSubstr("nested"))) << next;
    EXPECT_THAT(SampleKey("id" + Repeated(100190, next)), HasSubstr("nested too deep")) << next;
  }
}

TEST(KeyDesign, AKeyHasABound) {
  EXPECT_EQ(SampleKey("''"), "the key is empty, but HBase has no empty row key");
  EXPECT_EQ(SampleKey("pad(id, 32767)").size(), 32767u);
  EXPECT_EQ(SampleKey("pad(id, 32767) + 'x'"), "the key has 32768 bytes; a row key has at most 32767");
}

TEST(KeyDesign, ItsPartsHaveABoundToo) {
  const auto doubled = [](int times) {
    return "md5_hex(" + Repeated(times, "hex(") + "pad(id, 32767)" + Repeated(times, ")") + ")";
  };
  EXPECT_EQ(SampleKey(doubled(5)).size(), 32u);
  EXPECT_THAT(SampleKey(doubled(6)), HasSubstr("): the key grows longer than 1048576 bytes"));
  EXPECT_THAT(SampleKey(doubled(17)), HasSubstr("): the key grows longer than 1048576 bytes"));
  for (const char* part : {"pad(id, 30000)", "pad_right(user, 30000)", "fixed(user, 30000)", "pad('x', 30000)"}) {
    const std::string joined = part + Repeated(40, std::string(" + ") + part);
    EXPECT_EQ(SampleKey(joined), std::string(part) + ": the key grows longer than 1048576 bytes");
  }
}

TEST(KeyDesign, AKeyIsAppendedAndAnErrorAppendsNothing) {
  std::string key = "before ";
  ASSERT_TRUE(KeyDesign::Parse("user", SampleSchema())->AppendKey(kSampleRecord, 0, &key).ok());
  EXPECT_EQ(key, "before ann");
  EXPECT_FALSE(KeyDesign::Parse("user + int64(user)", SampleSchema())->AppendKey(kSampleRecord, 0, &key).ok());
  EXPECT_EQ(key, "before ann");
}

TEST(KeyDesign, PartsAreExplained) {
  const auto design = KeyDesign::Parse("bucket(long_hash(ts), 5) + user + id + ':' + pad(id, 4)", SampleSchema());
  ASSERT_TRUE(design.ok());
  const auto parts = design->Explain(kSampleRecord, kSampleIndex);
  ASSERT_TRUE(parts.ok());
  std::vector<std::string> lines;
  for (const KeyPart& part : *parts) {
    lines.push_back(std::to_string(part.offset) + " " + part.source + " = " + ToStringBinary(part.bytes) + ": " +
                    part.meaning + (part.note.empty() ? "" : " (" + part.note.substr(0, 20) + ")"));
  }
  EXPECT_THAT(
      lines,
      ElementsAre("0 bucket(long_hash(ts), 5) = \\x00: Java's (byte) (number % n), 1 byte (a negative hash code)",
                  "1 user = ann: the field user (of any length, with )",
                  "4 id = 42: the field id, in digits (digits of different )", "6 ':' = :: a constant, 1 byte",
                  "7 pad(id, 4) = 0042: filled on the left, 4 bytes"));
}

}  // namespace
}  // namespace vaquita::lab
