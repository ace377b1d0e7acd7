// tests/fuzz/sql_encoding_fuzz.cc: Phoenix's values, arrays and row keys as bytes, and the texts and patterns of dates
// and numbers.
//
// The first byte says what; for values the next ones are the type and its declared length.
#include <string>
#include <vector>

#include "sql/encoding/array_codec.h"
#include "sql/encoding/date_text.h"
#include "sql/encoding/index_value.h"
#include "sql/encoding/like.h"
#include "sql/encoding/number_pattern.h"
#include "sql/encoding/qualifier.h"
#include "sql/encoding/row_key.h"
#include "sql/encoding/time_zone.h"
#include "sql/encoding/value_codec.h"
#include "sql/encoding/value_text.h"
#include "tests/fuzz/fuzz_input.h"

namespace vaquita::sql {
namespace {

using fuzz::Check;

SqlType TakeType(fuzz::Input* input) {
  SqlType type = static_cast<TypeId>(input->Byte() % (static_cast<uint8_t>(TypeId::kBinary) + 1));
  const uint8_t length = input->Byte();
  type.array = length % 8 == 7;
  if (type.id == TypeId::kChar || type.id == TypeId::kBinary || length % 2 == 1) type.length = 1 + length / 2;
  if (type.id == TypeId::kDecimal && length % 2 == 1) type.scale = 2;
  return type;
}

void ReadValue(fuzz::Input input) {
  const SqlType type = TakeType(&input);
  const auto value = DecodeValue(type, input.Rest());
  if (!value.ok()) return;
  JavaText(type, *value);
  const auto again = DecodeValue(type, EncodeValue(type, *value));
  Check(again.ok(), "an encoded value can be read");
  const SqlType in_index = TypeInIndex(type, true);
  if (!value->is_null()) static_cast<void>(FromIndexValue(type, in_index, ToIndexValue(type, in_index, *value)));
  for (uint8_t id = 0; id <= static_cast<uint8_t>(TypeId::kBinary); ++id) {
    const SqlType to = static_cast<TypeId>(id);
    if (!IsCoercible(type, to)) continue;
    const auto coerced = CoerceValue(type, to, *value, "C");
    if (coerced.ok()) EncodeValue(to, *coerced);
  }
}

void ReadArray(fuzz::Input input) {
  SqlType element = TakeType(&input);
  element.array = false;
  const size_t index = input.Byte();
  static_cast<void>(ElementOfOneCellRow(input.Rest(), index));
  const auto list = DecodeArray(element, input.Rest());
  if (!list.ok() || list->is_null()) return;
  JoinedElements(element, list->list(), ", ");
  const std::string again = EncodeArray(element, list->list());  // "" is NULL, as Phoenix has an array without elements
  Check(again.empty() || DecodeArray(element, again).ok(), "an encoded array can be read");
}

void ReadKey(fuzz::Input input) {
  std::vector<KeyColumn> columns(1 + input.Byte() % 4);
  for (KeyColumn& column : columns) {
    column.type = TakeType(&input);
    column.descending = input.Byte() % 2 == 1;
  }
  const int32_t buckets = input.Byte() % 4;
  std::vector<std::string_view> parts;
  const bool splits = SplitRowKey(columns, input.Rest(), buckets > 0, &parts).ok();
  if (splits) {
    Check(parts.size() == columns.size(), "each column has a part");
    for (size_t i = 0; i < parts.size(); ++i) static_cast<void>(DecodeKeyPart(columns[i], parts[i]));
  }
  PaddedSplit(columns, input.Rest(), buckets > 0);
  const auto values = DecodeRowKey(columns, input.Rest(), buckets);
  if (!values.ok()) return;
  EncodeRowKey(columns, *values, buckets);
}

void ReadTimes(fuzz::Input input) {
  const std::string_view pattern = input.Until('\n');
  const std::string_view zone = input.Until('\n');
  constexpr int64_t kNowMs = 1'700'000'000'000;
  static_cast<void>(ZoneOffset(zone, kNowMs));
  if (const auto time = ParseTimestamp(input.Rest()); time.ok()) {
    static_cast<void>(FormatByPattern(time->ms, pattern));
    static_cast<void>(LocalToUtc(zone, time->ms));
    IsoWeekOf(time->ms);
  }
  static_cast<void>(ParseByPattern(input.Rest(), pattern, zone, kNowMs));
}

void ReadNumbers(fuzz::Input input) {
  const auto pattern = NumberPattern::Parse(input.Until('\n'));
  const auto number = Decimal::Parse(input.Rest());
  if (pattern.ok()) static_cast<void>(pattern->Read(input.Rest()));
  if (!number.ok()) return;
  if (pattern.ok()) Check(!pattern->Format(*number).empty() || input.Rest().empty(), "a number has a text");
  // Phoenix's bytes have seven bits for the pairs of digits before the point.
  if (const int before_point = number->Digits() - number->scale(); before_point > -126 && before_point <= 126) {
    const auto again = DecodeDecimal(EncodeDecimal(*number));
    Check(again.ok() && *again == *number, "a decimal's bytes give it back");
  }
  const auto text_again = Decimal::Parse(number->ToString());
  Check(text_again.ok() && *text_again == *number, "a decimal's text gives it back");
  number->ToPlainString();
  static_cast<void>(*number + Decimal(1));
  static_cast<void>(*number * *number);
  if (number->unscaled() != 0) static_cast<void>(Decimal(1) / *number);
  RoundedHalfEven(*number, 2);
  FloorOf(*number, 0);
}

void ReadOthers(fuzz::Input input) {
  const uint8_t encoding = input.Byte() % 5;
  const std::string_view pattern = input.Until('\n').substr(0, 200);
  static_cast<void>(MatchesLike(input.Rest().substr(0, 200), pattern));
  Check(LikePrefix(pattern).size() <= pattern.size(), "a prefix is a part of its pattern");
  static_cast<void>(NumberOfQualifier(static_cast<QualifierEncoding>(encoding), input.Rest()));
  static_cast<void>(DecodeDecimal(input.Rest()));
}

}  // namespace
}  // namespace vaquita::sql

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace vaquita;
  fuzz::Input input(data, size);
  switch (input.Byte() % 6) {
    case 0:
      sql::ReadValue(input);
      break;
    case 1:
      sql::ReadArray(input);
      break;
    case 2:
      sql::ReadKey(input);
      break;
    case 3:
      sql::ReadTimes(input);
      break;
    case 4:
      sql::ReadNumbers(input);
      break;
    default:
      sql::ReadOthers(input);
  }
  return 0;
}
