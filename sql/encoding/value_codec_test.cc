// The bytes are those that Apache Phoenix 5.2.1 stored (testdata/phoenix_types.txt).
#include "sql/encoding/value_codec.h"

#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sql/encoding/array_codec.h"
#include "sql/encoding/date_text.h"
#include "sql/encoding/qualifier.h"
#include "sql/encoding/row_key.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_text.h"

namespace vaquita::sql {
namespace {

struct StoredValue {
  SqlType type;
  bool descending = false;
  Value value;
  std::string key;
  std::string bytes;
};

SqlType ParseType(std::string_view text) {
  const std::vector<std::string> parts = absl::StrSplit(AbslText(text), absl::ByAnyChar("(,)"));
  SqlType type(*FindType(parts[0]));
  int32_t number = 0;
  if (parts.size() > 1 && ReadNumber(parts[1], &number)) type.length = number;
  if (parts.size() > 2 && ReadNumber(parts[2], &number)) type.scale = number;
  return type;
}

Value ParseLiteral(const SqlType& type, const std::string& text) {
  SqlType from(TypeId::kVarchar);
  Value value(text);
  if (type.kind() == ValueKind::kBoolean) return Value(int64_t{text == "true"});
  if (IsNumber(type)) {
    from = TypeId::kDecimal;
    auto decimal = Decimal::Parse(text);
    if (!decimal.ok()) {  // a DOUBLE
      double number = 0;
      EXPECT_TRUE(ReadNumber(text, &number)) << text;
      return Value(number);
    }
    value = *decimal;
  }
  auto coerced = CoerceValue(from, type, value, "K");
  EXPECT_TRUE(coerced.ok()) << coerced.status();
  return *coerced;
}

std::vector<StoredValue> StoredValues() {
  std::vector<StoredValue> values;
  std::ifstream file(SQL_TESTDATA "/phoenix_types.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> parts = absl::StrSplit(line, '|');
    StoredValue& stored = values.emplace_back();
    stored.type = ParseType(parts[0]);
    stored.descending = parts[1] == "desc";
    stored.value = ParseLiteral(stored.type, parts[2]);
    stored.key = absl::HexStringToBytes(parts[3]);
    stored.bytes = absl::HexStringToBytes(parts[4]);
  }
  return values;
}

TEST(ValueCodecTest, EachTypeHasPhoenixsBytes) {
  const std::vector<StoredValue> values = StoredValues();
  ASSERT_GT(values.size(), 150U);
  for (const StoredValue& stored : values) {
    EXPECT_EQ(Hex(EncodeValue(stored.type, stored.value)), Hex(stored.bytes)) << DeclarationOf(stored.type);
    auto decoded = DecodeValue(stored.type, stored.bytes);
    ASSERT_TRUE(decoded.ok()) << decoded.status();
    EXPECT_EQ(Hex(EncodeValue(stored.type, *decoded)), Hex(stored.bytes)) << DeclarationOf(stored.type);
    EXPECT_TRUE(*decoded == stored.value) << DeclarationOf(stored.type) << " " << Hex(stored.bytes);
  }
}

TEST(ValueCodecTest, EachTypeHasPhoenixsRowKeys) {
  for (const StoredValue& stored : StoredValues()) {
    const std::vector<KeyColumn> columns = {{stored.type, stored.descending}};
    EXPECT_EQ(Hex(EncodeRowKey(columns, {stored.value}, 0)), Hex(stored.key)) << DeclarationOf(stored.type);
    auto decoded = DecodeRowKey(columns, stored.key, 0);
    ASSERT_TRUE(decoded.ok()) << decoded.status();
    EXPECT_TRUE((*decoded)[0] == stored.value) << DeclarationOf(stored.type) << " " << Hex(stored.key);
  }
}

// Any client of HBase may write a cell.
TEST(ValueCodecTest, ATimestampsNanosecondsStayInItsSecond) {
  const auto decoded = [](const std::string& ms, const std::string& nanos) {
    return DecodeValue(TypeId::kTimestamp, absl::HexStringToBytes(ms + nanos));
  };
  EXPECT_EQ(*decoded("8000000000000005", "000f423f"), Value(Timestamp{5, 999'999}));
  EXPECT_EQ(*decoded("8000000000000005", "001e8481"), Value(Timestamp{7, 1})) << "two milliseconds more";
  EXPECT_EQ(*decoded("7fffffffffffffff", "00000001"), Value(Timestamp{-1, 1}));
  EXPECT_FALSE(decoded("7fffffffffffffff", "000f4240").ok());
  EXPECT_FALSE(decoded("8000000000000000", "ffffffff").ok());
  EXPECT_FALSE(decoded("fffffffffffffff0", "3b9ac9ff").ok());
}

TEST(RowKeyTest, CompositeKeysAsPhoenixStoresThem) {
  const SqlType varchar(TypeId::kVarchar);
  const SqlType integer(TypeId::kInteger);
  const std::vector<KeyColumn> k1 = {{varchar}, {varchar}, {integer}};
  EXPECT_EQ(Hex(EncodeRowKey(k1, {"a", "b", int64_t{1}}, 0)), "6100620080000001");
  EXPECT_EQ(Hex(EncodeRowKey(k1, {Value(), "b", int64_t{1}}, 0)), "00620080000001");
  EXPECT_EQ(Hex(EncodeRowKey(k1, {"a", Value(), int64_t{-1}}, 0)), "6100007fffffff");
  const std::vector<KeyColumn> k2 = {{varchar}, {varchar}, {varchar}};
  EXPECT_EQ(Hex(EncodeRowKey(k2, {"a", Value(), "c"}, 0)), "61000063");
  EXPECT_EQ(Hex(EncodeRowKey(k2, {"a", "b", Value()}, 0)), "610062");
  EXPECT_EQ(Hex(EncodeRowKey(k2, {"a", Value(), Value()}, 0)), "61");
  const std::vector<KeyColumn> k3 = {{varchar, true}, {integer, true}, {varchar, true}};
  EXPECT_EQ(Hex(EncodeRowKey(k3, {"ab", int64_t{-1}, "cd"}, 0)), "9e9dff800000009c9bff");
  for (const std::string key : {"61", "610062", "61000063", "61006200"}) {
    auto values = DecodeRowKey(k2, absl::HexStringToBytes(key), 0);
    ASSERT_TRUE(values.ok()) << values.status();
    EXPECT_EQ(Hex(EncodeRowKey(k2, *values, 0)), key == "61006200" ? "610062" : key);
  }
}

TEST(RowKeyTest, SaltIsPhoenixs) {
  const std::vector<KeyColumn> k4 = {{TypeId::kVarchar}, {TypeId::kBigint, true}};
  EXPECT_EQ(Hex(EncodeRowKey(k4, {"18601134210", int64_t{20140624}}, 4)),
            "02313836303131333432313000"
            "7ffffffffeccadaf");
  EXPECT_EQ(Hex(EncodeRowKey(k4, {"a", int64_t{1}}, 4)), "0361007ffffffffffffffe");
  EXPECT_EQ(Hex(EncodeRowKey(k4, {"b", int64_t{-1}}, 4)), "0362008000000000000000");
  EXPECT_EQ(Hex(EncodeRowKey(k4, {"c", int64_t{0}}, 4)), "0263007fffffffffffffff");
  const std::vector<std::string> splits = SaltSplits(k4, 4);
  ASSERT_EQ(splits.size(), 3U);
  EXPECT_EQ(Hex(splits[0]), "01000000000000000000");
}

TEST(RowKeyTest, SplitsArePaddedToTheKeysWidth) {
  const std::vector<KeyColumn> k5 = {{SqlType(TypeId::kChar, 3)}, {SqlType(TypeId::kChar, 2)}, {TypeId::kDate}};
  EXPECT_EQ(Hex(PaddedSplit(k5, "b", false)), "62000000000000000000000000");
  EXPECT_EQ(PaddedSplit({{TypeId::kVarchar}}, "b", false), "b");
}

TEST(ArrayCodecTest, ArraysHavePhoenixsBytes) {
  const ValueList integers = {int64_t{1}, int64_t{2}, int64_t{-3}};
  EXPECT_EQ(Hex(EncodeArray(TypeId::kInteger, integers)), "80000001800000027ffffffd");
  const ValueList texts = {"a", "bc", Value()};
  EXPECT_EQ(Hex(EncodeArray(TypeId::kVarchar, texts)), "61006263000000800180038006000000070000000301");
  for (const ValueList& list :
       {texts, ValueList{"a", Value(), Value(), "b"}, ValueList(300), ValueList{Value(), "x"}}) {
    auto decoded = DecodeArray(TypeId::kVarchar, EncodeArray(TypeId::kVarchar, list));
    ASSERT_TRUE(decoded.ok()) << decoded.status();
    EXPECT_TRUE(decoded->list() == list);
  }
  EXPECT_FALSE(DecodeArray(TypeId::kVarchar, "short").ok());
}

// Phoenix takes an element's length from where the next one begins; only a 00 at the beginning is a null.
TEST(ArrayCodecTest, ElementsHaveTheirZeros) {
  const std::string zeros("a\0b\0", 4);
  for (const ValueList& list : {ValueList{zeros}, ValueList{zeros, zeros}, ValueList{zeros, Value(), "c", zeros},
                                ValueList{Value(), zeros, Value(), Value()}}) {
    const auto decoded = DecodeArray(TypeId::kVarbinary, EncodeArray(TypeId::kVarbinary, list));
    ASSERT_TRUE(decoded.ok()) << decoded.status();
    EXPECT_TRUE(decoded->list() == list);
  }
  // The offsets of an array of two elements are 0 and 5.
  std::string bytes = EncodeArray(TypeId::kVarbinary, {zeros, zeros});
  const size_t second = bytes.size() - 9 - 1;
  for (const char offset : {'\0', '\1', '\x0d', '\x7f'}) {
    bytes[second] = offset;
    EXPECT_FALSE(DecodeArray(TypeId::kVarbinary, bytes).ok()) << Hex(bytes);
  }
}

TEST(ArrayCodecTest, TheNumberOfElementsIsBounded) {
  EXPECT_TRUE(DecodeArray(TypeId::kTinyint, std::string(kMostArrayElements, 'a')).ok());
  const std::string more(kMostArrayElements + 1, 'a');
  EXPECT_TRUE(IsSqlError(DecodeArray(TypeId::kTinyint, more).status(), ErrorCode::kDataExceedsMaxCapacity));
  const std::string nulls = EncodeArray(TypeId::kVarchar, ValueList(kMostArrayElements + 1));
  EXPECT_TRUE(IsSqlError(DecodeArray(TypeId::kVarchar, nulls).status(), ErrorCode::kDataExceedsMaxCapacity));
  SqlType array = TypeId::kTinyint;
  array.array = true;
  const ValueList list(kMostArrayElements + 1, Value(int64_t{1}));
  EXPECT_TRUE(IsSqlError(CoerceValue(array, array, Value(list), "A").status(), ErrorCode::kDataExceedsMaxCapacity));
}

TEST(ArrayCodecTest, RowsInOneCellHavePhoenixsBytes) {
  const std::string x = EncodeValue(TypeId::kInteger, int64_t{1});
  const std::string both = EncodeOneCellRow({"x", x, "y"});
  EXPECT_EQ(Hex(both), "788000000179000000010005000000060000000303");
  const std::string one = EncodeOneCellRow({"x", std::nullopt, "z"});
  EXPECT_EQ(Hex(one), "787a0000ffff0001000000020000000303");
  EXPECT_EQ(**ElementOfOneCellRow(both, 1), x);
  EXPECT_EQ(**ElementOfOneCellRow(both, 2), "y");
  EXPECT_FALSE(ElementOfOneCellRow(one, 1)->has_value());
  EXPECT_EQ(**ElementOfOneCellRow(one, 2), "z");
  EXPECT_FALSE(ElementOfOneCellRow(one, 9)->has_value());
}

TEST(QualifierTest, NumbersArePhoenixs) {
  EXPECT_EQ(Hex(*EncodedQualifier(QualifierEncoding::kTwoBytes, 11)), "800b");
  EXPECT_EQ(*NumberOfQualifier(QualifierEncoding::kTwoBytes, "\x80\x0c"), 12);
  for (const auto& [encoding, number, bytes] : {std::tuple(QualifierEncoding::kOneByte, 130, "02"),
                                                {QualifierEncoding::kOneByte, 255, "7f"},
                                                {QualifierEncoding::kTwoBytes, 40000, "1c40"},
                                                {QualifierEncoding::kThreeBytes, 11, "80000b"},
                                                {QualifierEncoding::kFourBytes, 11, "8000000b"}}) {
    EXPECT_EQ(Hex(*EncodedQualifier(encoding, number)), bytes);
    EXPECT_EQ(*NumberOfQualifier(encoding, absl::HexStringToBytes(bytes)), number);
  }
  EXPECT_EQ(EncodedQualifier(QualifierEncoding::kOneByte, 256).status().message(),
            "ERROR 1100 (0A000): Not supported by Vaquita. A column with the number 256, because the greatest one of "
            "COLUMN_ENCODED_BYTES=1 is 255");
  EXPECT_FALSE(EncodedQualifier(QualifierEncoding::kFourBytes, INT32_MAX).ok());
  EXPECT_FALSE(NumberOfQualifier(QualifierEncoding::kFourBytes, "\xff\xff\xff\xff").ok());
  EXPECT_FALSE(NumberOfQualifier(QualifierEncoding::kOneByte, "\x85").ok());
  EXPECT_EQ(Hex(EmptyCellQualifier(QualifierEncoding::kTwoBytes)), "00000000");
  EXPECT_EQ(EmptyCellQualifier(QualifierEncoding::kNames), "_0");
}

TEST(ValueCodecTest, ValuesThatDoNotFitAreRefused) {
  const auto long_text = CoerceValue(TypeId::kVarchar, SqlType(TypeId::kChar, 3), "abcd", "A");
  EXPECT_EQ(long_text.status().message(),
            "ERROR 206 (22003): The data exceeds the max capacity for the data type. A CHAR(3)");
  const auto large =
      CoerceValue(TypeId::kDecimal, SqlType(TypeId::kDecimal, 10, 2), *Decimal::Parse("123456789.1"), "B");
  EXPECT_EQ(large.status().message(),
            "ERROR 206 (22003): The data exceeds the max capacity for the data type. B DECIMAL(10,2)");
  EXPECT_EQ(CoerceValue(TypeId::kVarchar, TypeId::kBigint, "b", "C").status().message(),
            "ERROR 203 (22005): Type mismatch. VARCHAR cannot be coerced to BIGINT");
  EXPECT_EQ(CoerceValue(TypeId::kInteger, TypeId::kTinyint, int64_t{128}, "D").status().message(),
            "ERROR 201 (22000): Illegal data. INTEGER value 128 cannot be cast to Byte without changing its value");
  EXPECT_TRUE(IsSqlError(DecodeValue(TypeId::kInteger, "abc").status(), ErrorCode::kIllegalData));
  for (const double real : {1e200, -1e200, 1e-200}) {
    EXPECT_EQ(CoerceValue(TypeId::kDouble, TypeId::kDecimal, real, "D").status().message(),
              "ERROR 206 (22003): The data exceeds the max capacity for the data type. D DECIMAL");
  }
  EXPECT_TRUE(CoerceValue(TypeId::kDouble, TypeId::kDecimal, 1e100, "D").ok());
  for (const double real : {0x1p63, -9.29e18, 9.29e18, 1e30}) {
    EXPECT_EQ(CoerceValue(TypeId::kDouble, TypeId::kBigint, real, "D").status().message(),
              "ERROR 201 (22000): Illegal data. DOUBLE value " + JavaReal(real) +
                  " cannot be cast to Long without changing its value");
  }
  SqlType nulls = TypeId::kNull;
  nulls.array = true;
  EXPECT_EQ(CoerceValue(nulls, TypeId::kInteger, ValueList{Value()}, "E").status().message(),
            "ERROR 203 (22005): Type mismatch. NULL ARRAY cannot be coerced to INTEGER");
  for (const std::string text : {"äöü", "äöüß", "a\x80"}) {
    EXPECT_EQ(CoerceValue(TypeId::kVarchar, SqlType(TypeId::kChar, 3), text, "F").status().message(),
              "ERROR 201 (22000): Illegal data. CHAR types may only contain single byte characters.");
  }
  for (const TypeId id : {TypeId::kFloat, TypeId::kUnsignedFloat}) {
    EXPECT_EQ(CoerceValue(TypeId::kDouble, id, 3.4028235e38, "G").status().message(),
              "ERROR 201 (22000): Illegal data. DOUBLE value 3.4028235E38 cannot be cast to Float without changing its "
              "value");
    EXPECT_EQ(CoerceValue(TypeId::kDouble, id, 1e-300, "G")->real(), 0);
    EXPECT_EQ(CoerceValue(TypeId::kDouble, id, HUGE_VAL, "G")->real(), HUGE_VAL) << "as Phoenix stores it";
  }
  const auto cut = CoerceValue(TypeId::kDecimal, SqlType(TypeId::kDecimal, 10, 2), *Decimal::Parse("1.239"), "B");
  EXPECT_EQ(cut->decimal().ToString(), "1.23");
}

TEST(DecimalTest, ANumbersTextIsReadAgain) {
  const std::string digits(100, '2');
  const std::string small = "0." + std::string(398, '0') + "1";
  for (const std::string& text : std::vector<std::string>{digits, "1e400", "1e-400", small, digits + "e301"}) {
    const auto number = Decimal::Parse(text);
    ASSERT_TRUE(number.ok()) << number.status();
    EXPECT_EQ(Decimal::Parse(number->ToString()).value(), *number) << text;
  }
  EXPECT_EQ(*Decimal::Parse("0e800"), Decimal());
  EXPECT_EQ(*Decimal::Parse(small + "e399"), Decimal(1));
  for (const std::string& text : std::vector<std::string>{digits + "e345", "1e401", "1e-401", "1e999999999",
                                                          "1e-2147483648", std::string(401, '1')}) {
    EXPECT_FALSE(Decimal::Parse(text).ok()) << text;
  }
}

TEST(DecimalTest, ArithmeticKeeps38Digits) {
  const auto d = [](std::string_view text) { return *Decimal::Parse(text); };
  EXPECT_EQ((d("1") / d("3")).ToString(), "0.33333333333333333333333333333333333333");
  EXPECT_EQ((d("2") / d("3")).ToString(), "0.66666666666666666666666666666666666667");
  EXPECT_EQ((d("10.5") * d("10.5")).ToString(), "110.25");
  EXPECT_EQ((d("99999999999999999999999999999999999999") + d("1")).ToString(), "1E+38");
  EXPECT_EQ((d("-0.01") - d("-0.01")).ToString(), "0");
  EXPECT_EQ(d("20").ToString(), "2E+1");
  EXPECT_EQ(d("20").ToPlainString(), "20");
  EXPECT_EQ(d("0.0000001").ToString(), "1E-7");
  EXPECT_EQ(d("2.567").Rounded(2).ToString(), "2.57");
  EXPECT_EQ(Decimal::FromDouble(0.1)->ToString(), "0.1");
  EXPECT_FALSE(Decimal::Parse("1.2.3").ok());
  EXPECT_FALSE(Decimal::Parse("").ok());
}

// Phoenix reads back what PDataType.toBytes writes for exponents from 2 to 127, and another number for all others.
TEST(DecimalTest, NumbersBeyondTheEncodingAreNoValues) {
  const auto d = [](std::string_view text) { return *Decimal::Parse(text); };
  for (const std::string text : {"1E-126", "9.9E-126", "1.2345678901234567890123456789012345678E-125", "1E+124",
                                 "1E+125", "9.9999999999999999999999999999999999999E+125"}) {
    for (const std::string& number : {text, "-" + text}) {
      const std::string bytes = EncodeDecimal(d(number));
      EXPECT_TRUE(d(number).HasEncoding()) << number;
      ASSERT_TRUE(DecodeDecimal(bytes).ok()) << number;
      EXPECT_EQ(DecodeDecimal(bytes)->ToString(), number) << Hex(bytes);
      EXPECT_TRUE(CoerceValue(TypeId::kDecimal, TypeId::kDecimal, d(number), "D").ok()) << number;
    }
  }
  EXPECT_EQ(Hex(EncodeDecimal(d("1E-126"))), "8202");
  EXPECT_EQ(Hex(EncodeDecimal(d("1E+125"))), "ff0b");
  for (const char* bytes : {"\x82\x01\x09", "\x7d\x65\x5d"}) {  // zeros at the front of 8E-128
    EXPECT_TRUE(IsSqlError(DecodeDecimal(bytes).status(), ErrorCode::kDataExceedsMaxCapacity)) << Hex(bytes);
  }
  for (const std::string text : {"9E-127", "1E-127", "1E-200", "1E-300", "1E+126", "1E+200", "9E+300", "9.5E+300"}) {
    for (const std::string& number : {text, "-" + text}) {
      EXPECT_FALSE(d(number).HasEncoding()) << number;
      EXPECT_TRUE(IsSqlError(DecodeDecimal(EncodeDecimal(d(number))).status(), ErrorCode::kDataExceedsMaxCapacity))
          << number;
      EXPECT_TRUE(IsSqlError(CoerceValue(TypeId::kDecimal, TypeId::kDecimal, d(number), "D").status(),
                             ErrorCode::kDataExceedsMaxCapacity))
          << number;
    }
  }
  // Digits that a column cuts off do not count.
  EXPECT_EQ(CoerceValue(TypeId::kDouble, SqlType(TypeId::kDecimal, 10, 2), 1e-300, "D")->decimal().ToString(), "0");
}

TEST(DecimalTest, BytesOfAllNumbersCompareAsTheyDo) {
  std::string last;
  for (const char* number :
       {"-9.5E300", "-9E300",  "-1E300",  "-1E127",  "-1E126", "-9E125", "-1E125", "-1.5",   "-1",     "-1E-126",
        "-9E-127",  "-1E-127", "-2E-300", "-1E-300", "0",      "1E-300", "2E-300", "1E-127", "9E-127", "1E-126",
        "1",        "1.5",     "1E125",   "9E125",   "1E126",  "1E127",  "1E300",  "9E300",  "9.5E300"}) {
    const std::string bytes = EncodeDecimal(*Decimal::Parse(number));
    EXPECT_LT(last, bytes) << number;
    last = bytes;
  }
}

TEST(DateTextTest, ReadsAndPrintsAsPhoenix) {
  EXPECT_EQ(ParseTimestamp("1970-01-02")->ms, 86400000);
  EXPECT_EQ(*ParseTimestamp("1969-12-31 23:59:59.999123456"), (Timestamp{-1, 123456}));
  EXPECT_EQ(*FormatByPattern(1403613296789, kDatePattern), "2014-06-24 12:34:56.789");
  EXPECT_EQ(*FormatByPattern(-1, "yyyy-MM"), "1969-12");
  EXPECT_EQ(*ParseByPattern("24/06/2014", "dd/MM/yyyy", "UTC", 0), ParseTimestamp("2014-06-24")->ms);
  EXPECT_FALSE(ParseTimestamp("2014-13-01").ok());
  EXPECT_FALSE(ParseTimestamp("2014-02-30").ok());
  EXPECT_TRUE(ParseTimestamp("292278993-12-31").ok());
  EXPECT_EQ(
      ParseTimestamp("292278994-01-01").status().message(),
      "ERROR 201 (22000): Illegal data. Cannot parse \"292278994-01-01\": Value 292278994 for year must be in the "
      "range [-292275054,292278993]");
  // Java's calendar wraps around.
  EXPECT_EQ(*ParseByPattern("292278995", "y", "UTC", 0),
            WrappedSum(*ParseByPattern("292278994", "y", "UTC", 0), 365 * 86'400'000LL));
  EXPECT_LT(*ParseByPattern("292278995", "y", "UTC", 0), 0);
  EXPECT_TRUE(ParseByPattern("5612345678901", "yyyyyyyyyyyyM", "UTC", 0).ok());
  EXPECT_EQ(ParseTimestamp("xx").status().message(), "ERROR 201 (22000): Illegal data. Invalid format: \"xx\"");
}

// Phoenix answered them on 2026-11-27.
TEST(DateTextTest, AYearOfTwoDigitsIsWithinAHundredYears) {
  const int64_t now_ms = ParseTimestamp("2026-11-27 19:00:00")->ms;
  const auto read = [&](std::string_view text, std::string_view pattern) {
    return *FormatByPattern(*ParseByPattern(text, pattern, "UTC", now_ms), "yyyy-MM-dd");
  };
  EXPECT_EQ(read("99-03-05", "yy-MM-dd"), "1999-03-05");
  EXPECT_EQ(read("50-03-05", "yy-MM-dd"), "1950-03-05");
  EXPECT_EQ(read("46-03-05", "yy-MM-dd"), "2046-03-05");
  EXPECT_EQ(read("46-12-31", "yy-MM-dd"), "1946-12-31");
  EXPECT_EQ(read("990305", "yyMMdd"), "1999-03-05");
  EXPECT_EQ(read("99", "y"), "1999-01-01");
  // No year of two digits.
  EXPECT_EQ(read("9-03-05", "yy-MM-dd"), "0009-03-05");
  EXPECT_EQ(read("099-03-05", "yy-MM-dd"), "0099-03-05");
  EXPECT_EQ(read("99", "yyy"), "0099-01-01");
}

}  // namespace
}  // namespace vaquita::sql
