#include "lab/design/readable_keys.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "lab/records/time_text.h"
#include "model/region_info.h"

namespace vaquita::lab {
namespace {

using Code = KeyOpCode;

// A number on the program's stack, as far as it can be turned back: value = add + sign * (x / divisor).
struct Origin {
  bool constant = false;
  bool time = false;     // x is a time in milliseconds
  bool natural = false;  // never negative, so that a byte of it has no sign
  int64_t add = 0;
  int sign = 1;
  int64_t divisor = 1;

  // Returns x, or nothing if it does not fit.
  std::optional<int64_t> Invert(int64_t value) const {
    if (constant) return value;
    int64_t x = 0;
    const bool fits = sign > 0 ? !__builtin_sub_overflow(value, add, &x) : !__builtin_sub_overflow(add, value, &x);
    return fits && !__builtin_mul_overflow(x, divisor, &x) ? std::optional(x) : std::nullopt;
  }
};

Origin Difference(const Origin& a, const Origin& b) {
  if (a.divisor != 1 || b.divisor != 1) return {};
  if (b.constant) {
    Origin difference = a;
    difference.natural = false;
    return __builtin_sub_overflow(a.add, b.add, &difference.add) ? Origin{} : difference;
  }
  if (!a.constant) return {};
  Origin difference{.time = b.time, .sign = -b.sign};
  return __builtin_sub_overflow(a.add, b.add, &difference.add) ? Origin{} : difference;
}

// Follows the numbers that a part's operations make. Returns the origin of the last one.
Origin OriginOf(const KeyProgram& program, const CompiledPart& part, const Schema& schema) {
  std::vector<Origin> stack;
  const auto pop = [&stack] {
    const Origin top = stack.empty() ? Origin{} : stack.back();
    if (!stack.empty()) stack.pop_back();
    return top;
  };
  for (size_t i = part.first_op; i < part.last_op; ++i) {
    const KeyOp& op = program.ops[i];
    switch (op.code) {
      case Code::kConstant:
        stack.push_back({.constant = true, .add = op.number});
        break;
      case Code::kNumberField:
        stack.push_back({.time = schema.fields()[op.a].kind == FieldKind::kTime});
        break;
      case Code::kParseTimeField:
      case Code::kParseTime:
      case Code::kParsePattern:
        stack.push_back({.time = true});
        break;
      case Code::kRecordNumber:
      case Code::kSalt:
      case Code::kRoundRobin:
        stack.push_back({.natural = true});
        break;
      case Code::kParseField:
      case Code::kParseNumber:
      case Code::kStringHash:
      case Code::kBytesHash:
      case Code::kLookupNumber:
        stack.push_back({});
        break;
      case Code::kSubtract: {
        const Origin b = pop(), a = pop();
        stack.push_back(Difference(a, b));
        break;
      }
      case Code::kAdd:
      case Code::kMultiply:
      case Code::kDivide:
      case Code::kRemainder:
        pop();
        pop();
        stack.push_back({});
        break;
      case Code::kFloorModulo:
        pop();
        stack.push_back({.natural = true});
        break;
      case Code::kFloorDivide: {
        Origin a = pop();
        const bool plain = a.add == 0 && a.sign == 1 && a.divisor == 1;
        a.divisor = op.number;
        stack.push_back(plain ? a : Origin{});
        break;
      }
      case Code::kRemainderBy:
      case Code::kAbsolute:
      case Code::kLongHash:
        pop();
        stack.push_back({});
        break;
      case Code::kToByte: {  // the rest of the number is gone
        const bool natural = pop().natural;
        stack.push_back({.natural = natural});
        break;
      }
      default:  // kCheckBits and kFloorTo leave a number as it was; others make bytes
        break;
    }
  }
  return pop();
}

// Reads the bytes of a part.
struct PartReader {
  enum class Form { kLiteral, kText, kNumber, kDigits, kHash };
  Form form = Form::kText;
  std::optional<size_t> length;
  std::string literal;
  Origin origin;
};

PartReader ReaderOf(const CompiledKey& design, const CompiledPart& part, const Schema& schema) {
  using Form = PartReader::Form;
  const std::vector<KeyOp>& ops = design.program.ops;
  PartReader reader{.length = part.type.length, .literal = {}, .origin = {}};
  if (part.first_op == part.last_op) return reader;
  const KeyOp& last = ops[part.last_op - 1];
  const auto has = [&](Code code) {
    return std::any_of(ops.begin() + part.first_op, ops.begin() + part.last_op,
                       [code](const KeyOp& op) { return op.code == code; });
  };
  if (last.code == Code::kLiteral && part.last_op - part.first_op == 1) {
    reader.form = Form::kLiteral;
    reader.literal = design.program.literals.substr(last.a, last.number);
    reader.length = last.number;
  } else if (last.code == Code::kBigEndian && !has(Code::kReverseBits)) {
    reader.form = Form::kNumber;
    reader.length = last.a;
    reader.origin = OriginOf(design.program, part, schema);
  } else if (last.code == Code::kPaddedDigits || last.code == Code::kDigits) {
    reader.origin = OriginOf(design.program, part, schema);
    if (reader.origin.time) reader.form = Form::kDigits;
  } else if (part.type.kind == KeyType::Kind::kBytes && has(Code::kDigest)) {
    reader.form = Form::kHash;
  }
  return reader;
}

// A piece of a key: text, or a time that is yet to be written.
struct Piece {
  std::string text;
  std::optional<int64_t> ms = std::nullopt;
  bool decoded = false;
  bool literal = false;
};

bool IsPlausible(int64_t ms) {  // a time of years 1900 to 2199, as those of data are
  return ms >= -2'208'988'800'000 && ms < 7'258'118'400'000;
}

Piece NumberPiece(std::string_view bytes, const PartReader& reader) {
  const Piece as_bytes{.text = ToStringBinary(bytes)};
  const bool whole = bytes.size() == *reader.length;
  if (!whole && !reader.origin.time) return as_bytes;
  uint64_t bits = 0;
  for (size_t i = 0; i < *reader.length; ++i) {
    bits = bits << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0);
  }
  const int shift = 64 - 8 * static_cast<int>(*reader.length);
  const auto value = static_cast<int64_t>(bits << shift) >> (reader.origin.natural ? 0 : shift);
  const int64_t number = reader.origin.natural ? static_cast<int64_t>(bits) : value;
  const std::optional<int64_t> x = reader.origin.Invert(number);
  if (reader.origin.time && x && IsPlausible(*x)) return {.text = {}, .ms = x, .decoded = true};
  if (!whole) return as_bytes;
  return {.text = absl::StrCat(x.value_or(number)), .decoded = true};
}

Piece DigitsPiece(std::string_view bytes, const PartReader& reader) {
  int64_t number = 0;
  const bool whole = !reader.length || bytes.size() == *reader.length;
  if (whole && absl::SimpleAtoi(AbslText(bytes), &number)) {
    const std::optional<int64_t> x = reader.origin.Invert(number);
    if (x && IsPlausible(*x)) return {.text = {}, .ms = x, .decoded = true};
  }
  return {.text = ToStringBinary(bytes)};
}

// Returns how many of the first bytes of `rest` belong to part `index`.
size_t LengthOf(const std::vector<PartReader>& readers, size_t index, std::string_view rest) {
  if (readers[index].length) return std::min(*readers[index].length, rest.size());
  if (readers[index].form == PartReader::Form::kDigits) {
    const auto end = std::find_if_not(rest.begin(), rest.end(), [](char c) { return absl::ascii_isdigit(c); });
    return end - rest.begin();
  }
  if (index + 1 < readers.size() && readers[index + 1].form == PartReader::Form::kLiteral) {
    return std::min(rest.find(readers[index + 1].literal), rest.size());
  }
  size_t behind = 0;
  for (size_t i = index + 1; i < readers.size(); ++i) {
    if (!readers[i].length) return rest.size();
    behind += *readers[i].length;
  }
  return rest.size() >= behind ? rest.size() - behind : rest.size();
}

std::vector<Piece> PiecesOf(const std::vector<PartReader>& readers, std::string_view key) {
  using Form = PartReader::Form;
  std::vector<Piece> pieces;
  for (size_t i = 0; i < readers.size() && !key.empty(); ++i) {
    const std::string_view bytes = key.substr(0, LengthOf(readers, i, key));
    key.remove_prefix(bytes.size());
    switch (readers[i].form) {
      case Form::kNumber:
        pieces.push_back(NumberPiece(bytes, readers[i]));
        break;
      case Form::kDigits:
        pieces.push_back(DigitsPiece(bytes, readers[i]));
        break;
      case Form::kHash:
        pieces.push_back({.text = absl::BytesToHexString(AbslText(bytes)), .decoded = true});
        break;
      case Form::kLiteral:
      case Form::kText:
        pieces.push_back({.text = ToStringBinary(bytes), .literal = readers[i].form == Form::kLiteral});
        break;
    }
  }
  if (!key.empty()) pieces.push_back({.text = ToStringBinary(key)});
  return pieces;
}

// Returns the smallest distance between the times of neighbouring keys; 0 if there is none.
int64_t SmallestGap(const std::vector<std::vector<Piece>>& keys) {
  constexpr int64_t kNone = std::numeric_limits<int64_t>::max();
  int64_t smallest = kNone;
  for (size_t i = 1; i < keys.size(); ++i) {
    for (size_t piece = 0; piece < std::min(keys[i - 1].size(), keys[i].size()); ++piece) {
      const auto& a = keys[i - 1][piece].ms;
      const auto& b = keys[i][piece].ms;
      if (a && b && *a != *b) smallest = std::min(smallest, *a > *b ? *a - *b : *b - *a);
    }
  }
  return smallest == kNone ? 0 : smallest;
}

std::string TextOf(const std::vector<Piece>& pieces, TimeUnit unit) {
  std::string text;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const Piece& piece = pieces[i];
    if (i > 0 && !piece.literal && !pieces[i - 1].literal && (piece.decoded || pieces[i - 1].decoded)) text += ' ';
    text += piece.ms ? TimeText(*piece.ms, unit) : piece.text;
  }
  return text;
}

}  // namespace

std::vector<std::string> ReadableKeys(const CompiledKey& design, const Schema& schema,
                                      const std::vector<std::string>& keys) {
  std::vector<PartReader> readers;
  for (const CompiledPart& part : design.parts) readers.push_back(ReaderOf(design, part, schema));
  std::vector<std::vector<Piece>> pieces;
  for (const std::string& key : keys) pieces.push_back(PiecesOf(readers, key));
  const int64_t gap = SmallestGap(pieces);
  const TimeUnit unit = gap == 0 ? TimeUnit::kMinute : UnitWithin(gap / 10);
  std::vector<std::string> texts;
  for (const std::vector<Piece>& of_key : pieces) texts.push_back(TextOf(of_key, unit));
  return texts;
}

}  // namespace vaquita::lab
