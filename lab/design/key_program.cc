#include "lab/design/key_program.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/big_endian.h"
#include "base/unicode.h"
#include "base/whole_number.h"
#include "lab/design/digest.h"
#include "lab/design/java_hash.h"
#include "lab/records/random_number.h"
#include "model/region_info.h"

namespace vaquita::lab {
namespace {

constexpr int kMostDigits = 20;  // digits of a 64-bit number, with its sign

constexpr int kShort = 32;

constexpr auto kPowersOfTen = [] {
  std::array<uint64_t, kMostDigits> powers{1};
  for (int i = 1; i < kMostDigits; ++i) powers[i] = 10 * powers[i - 1];
  return powers;
}();

constexpr auto kDigitPairs = [] {
  std::array<char, 200> pairs{};
  for (int i = 0; i < 100; ++i) {
    pairs[2 * i] = static_cast<char>('0' + i / 10);
    pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return pairs;
}();

// Writes the digits of `value` so that they end before `end`; returns where they begin.
char* PutDigitsBefore(uint64_t value, char* end) {
  while (value >= 100) {
    end -= 2;
    std::memcpy(end, &kDigitPairs[2 * (value % 100)], 2);
    value /= 100;
  }
  if (value < 10) {
    *--end = static_cast<char>('0' + value);
    return end;
  }
  end -= 2;
  std::memcpy(end, &kDigitPairs[2 * value], 2);
  return end;
}

uint64_t Magnitude(int64_t number) {
  return number < 0 ? 0 - static_cast<uint64_t>(number) : static_cast<uint64_t>(number);
}

int64_t FloorModulo(int64_t value, int64_t divisor) {
  const int64_t remainder = value % divisor;
  return remainder < 0 ? remainder + divisor : remainder;
}

int64_t FloorTo(int64_t value, int64_t divisor) {
  return static_cast<int64_t>(static_cast<uint64_t>(value) - static_cast<uint64_t>(FloorModulo(value, divisor)));
}

// value % divisor; a division of 32 bits takes a fraction of the time of one of 64.
int64_t Remainder(int64_t value, int64_t divisor) {
  if (((static_cast<uint64_t>(value) | static_cast<uint64_t>(divisor)) >> 32) == 0) {
    return static_cast<uint32_t>(value) % static_cast<uint32_t>(divisor);
  }
  return value % divisor;
}

uint64_t ReverseBits(uint64_t value) {
  value = ((value >> 1) & 0x5555555555555555) | ((value & 0x5555555555555555) << 1);
  value = ((value >> 2) & 0x3333333333333333) | ((value & 0x3333333333333333) << 2);
  value = ((value >> 4) & 0x0F0F0F0F0F0F0F0F) | ((value & 0x0F0F0F0F0F0F0F0F) << 4);
  return __builtin_bswap64(value);
}

// Returns the signed number in the low `bits` bits of `value`.
int64_t SignExtend(uint64_t value, int bits) { return static_cast<int64_t>(value << (64 - bits)) >> (64 - bits); }

uint64_t Load(const char* from) {
  uint64_t eight;
  std::memcpy(&eight, from, sizeof(eight));
  return eight;
}

// Returns whether each of eight bytes is '0' to '9': its high half is 3, and stays so when 6 is added.
bool AreEightDigits(uint64_t eight) {
  constexpr uint64_t kHighHalves = 0xF0F0F0F0F0F0F0F0;
  constexpr uint64_t kThrees = 0x3030303030303030;
  return (eight & kHighHalves) == kThrees && ((eight + 0x0606060606060606) & kHighHalves) == kThrees;
}

bool AreDigits(std::string_view text) {
  const size_t size = text.size();
  if (size >= 8 && size <= 16) return AreEightDigits(Load(&text[0])) && AreEightDigits(Load(&text[size - 8]));
  return std::all_of(text.begin(), text.end(), absl::ascii_isdigit);
}

void ReverseBytes(char* begin, char* end) {
  const auto size = static_cast<size_t>(end - begin);
  if (size < 8 || size > 16) return std::reverse(begin, end);
  const uint64_t first = __builtin_bswap64(Load(begin));  // two halves that may overlap
  const uint64_t last = __builtin_bswap64(Load(end - 8));
  std::memcpy(begin, &last, 8);
  std::memcpy(end - 8, &first, 8);
}

// The bytes of the first `characters` characters of UTF-8.
size_t CharactersLength(std::string_view text, int64_t characters) {
  size_t length = 0;
  for (; length < text.size() && characters > 0; --characters) {
    do ++length;
    while (length < text.size() && ContinuesUtf8(text[length]));
  }
  return length;
}

// The bytes of the last `characters` characters of UTF-8.
size_t LastCharactersLength(std::string_view text, int64_t characters) {
  size_t begin = text.size();
  for (; begin > 0 && characters > 0; --characters) {
    do --begin;
    while (begin > 0 && ContinuesUtf8(text[begin]));
  }
  return text.size() - begin;
}

bool ParseTime(std::string_view text, int64_t* ms) { return ReadWholeNumber(text, ms) || ParseIsoTime(text, ms); }

class Machine {
 public:
  Machine(const KeyProgram& program, Record record, uint64_t index, std::string_view design, KeyBytes* key)
      : program_(program), record_(record), index_(index), design_(design), key_(key) {}

  absl::Status Run(const KeyOp* op, const KeyOp* last) {
    for (; op != last; ++op) {
      if (!Step(*op)) [[unlikely]]
        return std::move(failure_);
    }
    return absl::OkStatus();
  }

 private:
  // ---- The stack of numbers

  int64_t& Top() { return numbers_[depth_ - 1]; }
  bool Push(int64_t number) {
    numbers_[depth_++] = number;
    return true;
  }
  int64_t Pop() { return numbers_[--depth_]; }
  bool Replace(int64_t number) {
    Top() = number;
    return true;
  }

  // ---- The bytes from the last mark

  size_t Mark() const { return marks_[marked_ - 1]; }
  size_t PopMark() { return marks_[--marked_]; }
  std::string_view Marked() const { return key_->from(Mark()); }
  char* MarkedBegin() { return key_->begin() + Mark(); }
  // Ends the operation: the mark's bytes are `size` now.
  bool Leave(size_t size) {
    key_->set_size(PopMark() + size);
    return true;
  }
  // Ends the operation: a number stands for the mark's bytes.
  bool LeaveNumber(int64_t number) {
    key_->set_size(PopMark());
    return Push(number);
  }

  [[gnu::noinline, gnu::cold]] bool Fail(const KeyOp& op, std::string_view value, std::string_view what) {
    failure_ = absl::InvalidArgumentError(absl::StrCat(AbslText(design_.substr(op.begin, op.end - op.begin)), ": '",
                                                       ToStringBinary(value), "' ", AbslText(what)));
    return false;
  }
  [[gnu::noinline, gnu::cold]] bool Fail(const KeyOp& op, int64_t value, std::string_view what) {
    return Fail(op, std::to_string(value), what);
  }

  [[gnu::noinline, gnu::cold]] bool TooLong(const KeyOp& op) {
    failure_ = absl::InvalidArgumentError(absl::StrCat(AbslText(design_.substr(op.begin, op.end - op.begin)),
                                                       ": the key grows longer than ", KeyBytes::kMostBytes, " bytes"));
    return false;
  }

  [[gnu::always_inline]] bool Step(const KeyOp& op) {
    switch (op.code) {
      case KeyOpCode::kConstant:
        return Push(op.number);
      case KeyOpCode::kNumberField:
        return Push(record_[op.a].number);
      case KeyOpCode::kRecordNumber:
        return Push(static_cast<int64_t>(index_));
      case KeyOpCode::kParseField:
        return ParseField(op);
      case KeyOpCode::kParseTimeField:
        return ParseTimeField(op);
      case KeyOpCode::kSalt:
        return Push(RandomBelow(RandomNumber(program_.seed, index_), op.number));
      case KeyOpCode::kRoundRobin:
        return Push(Remainder(static_cast<int64_t>(index_), op.number));
      case KeyOpCode::kAdd:
      case KeyOpCode::kSubtract:
      case KeyOpCode::kMultiply:
      case KeyOpCode::kDivide:
      case KeyOpCode::kRemainder:
        return Calculate(op);
      case KeyOpCode::kRemainderBy:
        return Replace(Remainder(Top(), op.number));
      case KeyOpCode::kFloorModulo:
        return Replace(FloorModulo(Top(), op.number));
      case KeyOpCode::kFloorTo:
        return Replace(FloorTo(Top(), op.number));
      case KeyOpCode::kFloorDivide:
        return Replace(Top() / op.number - (Top() % op.number < 0));
      case KeyOpCode::kAbsolute:
        return Replace(Top() < 0 ? static_cast<int64_t>(-static_cast<uint64_t>(Top())) : Top());
      case KeyOpCode::kLongHash:
        return Replace(JavaLongHash(Top()));
      case KeyOpCode::kToByte:
        return Replace(static_cast<int8_t>(Top()));
      case KeyOpCode::kCheckBits:
        return SignExtend(Top(), op.number) == Top() || Fail(op, Top(), "does not fit");
      case KeyOpCode::kReverseBits:
        return Replace(SignExtend(ReverseBits(static_cast<uint64_t>(Top())) >> (64 - op.number), op.number));
      case KeyOpCode::kLiteral:
        return Append(op, {program_.literals.data() + op.a, static_cast<size_t>(op.number)});
      case KeyOpCode::kTextField:
        return Append(op, record_[op.a].text);
      case KeyOpCode::kDigits:
        return AppendDigits(op, Pop());
      case KeyOpCode::kPaddedDigits:
        return AppendPaddedDigits(op, Pop());
      case KeyOpCode::kBigEndian:
        return AppendBigEndian(op, static_cast<uint64_t>(Pop()));
      case KeyOpCode::kFormatTime:
        return AppendTime(op, Pop());
      case KeyOpCode::kMark:
        marks_[marked_++] = key_->size();
        return true;
      case KeyOpCode::kDropMark:
        --marked_;
        return true;
      default:
        return Transform(op);
    }
  }

  // The operations on the bytes from the mark.
  [[gnu::noinline]] bool Transform(const KeyOp& op) {
    switch (op.code) {
      case KeyOpCode::kParseNumber:
        return ParseMarked(op);
      case KeyOpCode::kParseTime:
        return ParseMarkedTime(op);
      case KeyOpCode::kParsePattern:
        return ParseMarkedPattern(op);
      case KeyOpCode::kStringHash:
        return LeaveNumber(JavaStringHash(Marked()));
      case KeyOpCode::kBytesHash:
        return LeaveNumber(JavaBytesHash(Marked()));
      case KeyOpCode::kLookupNumber:
        return LookUpNumber(op);
      case KeyOpCode::kDigest:
        return Digest(op);
      case KeyOpCode::kHex:
        return Hex(op);
      case KeyOpCode::kUnhex:
        return Unhex(op);
      case KeyOpCode::kPrefix:
        return Leave(std::min<size_t>(Marked().size(), op.number));
      case KeyOpCode::kPrefixText:
        return Leave(CharactersLength(Marked(), op.number));
      case KeyOpCode::kSuffix:
        return Suffix(std::min<size_t>(Marked().size(), op.number));
      case KeyOpCode::kSuffixText:
        return Suffix(LastCharactersLength(Marked(), op.number));
      case KeyOpCode::kPad:
        return Pad(op, false);
      case KeyOpCode::kPadRight:
        return Pad(op, true);
      case KeyOpCode::kFixed:
        return Fixed(op);
      case KeyOpCode::kReverse:
        ReverseBytes(MarkedBegin(), key_->pos());
        return Leave(Marked().size());
      case KeyOpCode::kReverseText:
        return ReverseText();
      case KeyOpCode::kReverseDigits:
        return ReverseDigits(op);
      case KeyOpCode::kReverseAllBits:
        return ReverseAllBits();
      case KeyOpCode::kReverseParts:
        return ReverseParts(static_cast<char>(op.number));
      case KeyOpCode::kPart:
        return Part(op);
      case KeyOpCode::kInvert:
        return ForEach([](char c) { return static_cast<char>(~c); });
      case KeyOpCode::kLower:
        return ForEach(absl::ascii_tolower);
      case KeyOpCode::kUpper:
        return ForEach(absl::ascii_toupper);
      case KeyOpCode::kLookupText:
        return LookUpText(op);
      default:
        __builtin_unreachable();
    }
  }

  // ---- Numbers

  bool ParseField(const KeyOp& op) {
    int64_t number;
    if (!ReadWholeNumber(record_[op.a].text, &number)) return Fail(op, record_[op.a].text, "is not a number");
    return Push(number);
  }

  bool ParseTimeField(const KeyOp& op) {
    int64_t ms;
    if (!ParseTime(record_[op.a].text, &ms)) return Fail(op, record_[op.a].text, kNotATime);
    return Push(ms);
  }

  // Java's arithmetic: it wraps around, and division goes towards zero.
  bool Calculate(const KeyOp& op) {
    const int64_t right = Pop();
    const int64_t left = Top();
    const auto a = static_cast<uint64_t>(left);
    const auto b = static_cast<uint64_t>(right);
    switch (op.code) {
      case KeyOpCode::kAdd:
        return Replace(static_cast<int64_t>(a + b));
      case KeyOpCode::kSubtract:
        return Replace(static_cast<int64_t>(a - b));
      case KeyOpCode::kMultiply:
        return Replace(static_cast<int64_t>(a * b));
      default:
        break;
    }
    if (right == 0) return Fail(op, right, "is the divisor");
    const bool divides = op.code == KeyOpCode::kDivide;
    if (right == -1) return Replace(divides ? static_cast<int64_t>(0 - a) : 0);  // the least number overflows
    return Replace(divides ? left / right : left % right);
  }

  bool ParseMarked(const KeyOp& op) {
    int64_t number;
    if (!ReadWholeNumber(Marked(), &number)) return Fail(op, Marked(), "is not a number");
    return LeaveNumber(number);
  }

  bool ParseMarkedTime(const KeyOp& op) {
    int64_t ms;
    if (!ParseTime(Marked(), &ms)) return Fail(op, Marked(), kNotATime);
    return LeaveNumber(ms);
  }

  bool ParseMarkedPattern(const KeyOp& op) {
    int64_t ms;
    if (!program_.patterns[op.a].Parse(Marked(), &ms)) return Fail(op, Marked(), "is not a time of this pattern");
    return LeaveNumber(ms);
  }

  bool LookUpNumber(const KeyOp& op) {
    const KeyLookup& lookup = program_.lookups[op.a];
    const auto found = lookup.table.numbers.find(AbslText(Marked()));
    if (found != lookup.table.numbers.end()) return LeaveNumber(found->second);
    if (!lookup.has_default) return Fail(op, Marked(), "is not in the table " + lookup.name);
    return LeaveNumber(lookup.default_number);
  }

  // ---- Appending

  bool Append(const KeyOp& op, std::string_view bytes) {
    if (!key_->Room(bytes.size())) return TooLong(op);
    key_->Append(bytes);
    return true;
  }

  bool AppendDigits(const KeyOp& op, int64_t number) {
    if (!key_->Room(kMostDigits)) return TooLong(op);
    char digits[2 * kMostDigits];
    char* const end = digits + kMostDigits;
    char* begin = PutDigitsBefore(Magnitude(number), end);
    if (number < 0) *--begin = '-';
    char* const to = key_->pos();
    std::memcpy(to, begin, kMostDigits);  // the size is known to the compiler; extra bytes are overwritten
    key_->set_pos(to + (end - begin));
    return true;
  }

  bool AppendPaddedDigits(const KeyOp& op, int64_t number) {
    const uint64_t magnitude = Magnitude(number);
    const int digits = op.a - (number < 0);
    if (digits < kMostDigits && magnitude >= kPowersOfTen[digits]) [[unlikely]] {
      return Fail(op, number, absl::StrCat("is longer than ", op.a, " bytes"));
    }
    const auto fill = static_cast<unsigned char>(op.number);
    if (!key_->Room(std::max(op.a, kShort))) return TooLong(op);
    char* const to = key_->pos();
    if (op.a <= kShort) {
      const uint64_t eight = fill * 0x0101010101010101u;
      for (int i = 0; i < kShort; i += 8) std::memcpy(to + i, &eight, 8);
    } else {
      std::memset(to, fill, op.a);
    }
    char* const first = PutDigitsBefore(magnitude, to + op.a);
    if (number < 0) *(fill == '0' ? to : first - 1) = '-';  // -0042, as Java's %05d
    key_->set_pos(to + op.a);
    return true;
  }

  bool AppendBigEndian(const KeyOp& op, uint64_t number) {
    if (!key_->Room(8)) return TooLong(op);
    char* const to = key_->pos();
    PutBigEndian(number << (64 - 8 * op.a), to);
    key_->set_pos(to + op.a);
    return true;
  }

  bool AppendTime(const KeyOp& op, int64_t ms) {
    const TimePattern& pattern = program_.patterns[op.a];
    if (!key_->Room(pattern.width())) return TooLong(op);
    char* const to = key_->pos();
    if (!pattern.Format(ms, to)) return Fail(op, ms, "ms are not in the years 0 to 9999");
    key_->set_pos(to + pattern.width());
    return true;
  }

  // ---- Operations on the bytes from the mark

  bool Digest(const KeyOp& op) {
    const auto kind = static_cast<DigestKind>(op.a);
    char digest[kLongestDigest];
    PutDigest(kind, Marked(), digest);
    key_->set_size(PopMark());
    return Append(op, {digest, static_cast<size_t>(DigestBytes(kind))});
  }

  bool Hex(const KeyOp& op) {
    static constexpr char kHex[] = "0123456789abcdef";
    const size_t size = Marked().size();
    if (!key_->Room(size)) return TooLong(op);
    char* bytes = MarkedBegin();
    for (size_t i = size; i-- > 0;) {  // from the back, so that nothing is overwritten before it is read
      const auto byte = static_cast<unsigned char>(bytes[i]);
      bytes[2 * i + 1] = kHex[byte & 15];
      bytes[2 * i] = kHex[byte >> 4];
    }
    return Leave(2 * size);
  }

  bool Unhex(const KeyOp& op) {
    const std::string_view digits = Marked();
    if (digits.size() % 2 != 0) return Fail(op, digits, "has an odd number of hex digits");
    char* to = MarkedBegin();
    for (size_t i = 0; i < digits.size(); i += 2) {
      unsigned byte;
      const auto [rest, error] = std::from_chars(&digits[i], &digits[i] + 2, byte, 16);
      if (error != std::errc() || rest != &digits[i] + 2)
        return Fail(op, digits, "has other characters than hex digits");
      *to++ = static_cast<char>(byte);
    }
    return Leave(digits.size() / 2);
  }

  bool Suffix(size_t size) {
    const std::string_view all = Marked();
    std::memmove(MarkedBegin(), all.data() + all.size() - size, size);
    return Leave(size);
  }

  bool Pad(const KeyOp& op, bool right) {
    const size_t size = Marked().size();
    const auto width = static_cast<size_t>(op.a);
    if (size > width) return Fail(op, Marked(), absl::StrCat("is longer than ", width, " bytes"));
    if (!key_->Room(width)) return TooLong(op);
    char* begin = MarkedBegin();
    if (!right) std::memmove(begin + width - size, begin, size);
    std::memset(right ? begin + size : begin, static_cast<char>(op.number), width - size);
    return Leave(width);
  }

  bool Fixed(const KeyOp& op) {
    const auto width = static_cast<size_t>(op.a);
    if (!key_->Room(width)) return TooLong(op);
    const std::string_view text = Marked();
    size_t size = std::min(text.size(), width);
    while (size > 0 && size < text.size() && ContinuesUtf8(text[size])) --size;  // no character is cut in two
    std::memset(MarkedBegin() + size, static_cast<char>(op.number), width - size);
    return Leave(width);
  }

  // Turns the bytes around, and then those of each character that has several.
  bool ReverseText() {
    char* const end = key_->pos();
    std::reverse(MarkedBegin(), end);
    for (char* at = MarkedBegin(); at < end; ++at) {
      char* const first = at;
      while (at + 1 < end && ContinuesUtf8(*at)) ++at;
      std::reverse(first, at + 1);
    }
    return Leave(Marked().size());
  }

  bool ReverseDigits(const KeyOp& op) {
    const std::string_view digits = Marked();
    if (!AreDigits(digits)) return Fail(op, digits, "has other characters than digits; reverse() takes any text");
    ReverseBytes(MarkedBegin(), key_->pos());
    return Leave(digits.size());
  }

  bool ReverseAllBits() {
    for (char* at = MarkedBegin(); at < key_->pos(); ++at) {
      *at = static_cast<char>(ReverseBits(static_cast<unsigned char>(*at)) >> 56);
    }
    std::reverse(MarkedBegin(), key_->pos());
    return Leave(Marked().size());
  }

  bool ReverseParts(char separator) {
    char* const end = key_->pos();
    std::reverse(MarkedBegin(), end);
    for (char* first = MarkedBegin();;) {
      char* const last = std::find(first, end, separator);
      std::reverse(first, last);
      if (last == end) break;
      first = last + 1;
    }
    return Leave(Marked().size());
  }

  bool Part(const KeyOp& op) {
    std::string_view rest = Marked();
    const auto separator = static_cast<char>(op.number);
    for (int i = 1; i < op.b; ++i) {
      const size_t at = rest.find(separator);
      if (at == std::string_view::npos) return Fail(op, Marked(), absl::StrCat("has no part ", op.b));
      rest.remove_prefix(at + 1);
    }
    rest = rest.substr(0, rest.find(separator));
    std::memmove(MarkedBegin(), rest.data(), rest.size());
    return Leave(rest.size());
  }

  template <typename F>
  bool ForEach(F change) {
    for (char* at = MarkedBegin(); at < key_->pos(); ++at) *at = static_cast<char>(change(*at));
    return Leave(Marked().size());
  }

  bool LookUpText(const KeyOp& op) {
    const KeyLookup& lookup = program_.lookups[op.a];
    const auto found = lookup.table.values.find(AbslText(Marked()));
    if (found == lookup.table.values.end() && !lookup.has_default) {
      return Fail(op, Marked(), "is not in the table " + lookup.name);
    }
    key_->set_size(PopMark());
    const std::string& value = found == lookup.table.values.end() ? lookup.default_text : found->second;
    return Append(op, value);
  }

  static constexpr std::string_view kNotATime = "is not a time; write 2026-01-31T10:30:00 or a number of milliseconds";

  const KeyProgram& program_;
  const Record record_;
  const uint64_t index_;
  const std::string_view design_;
  KeyBytes* const key_;
  int depth_ = 0;
  int marked_ = 0;
  absl::Status failure_;
  int64_t numbers_[kDeepestStack];
  size_t marks_[kDeepestStack];
};

}  // namespace

bool KeyBytes::Grow(size_t bytes) {
  const size_t used = size();
  if (bytes > kMostBytes - used) return false;
  const size_t room = std::min(2 * (used + bytes), kMostBytes);
  std::unique_ptr<char[]> more(new char[room]);
  std::memcpy(more.get(), begin_, used);
  more_ = std::move(more);
  begin_ = more_.get();
  pos_ = begin_ + used;
  limit_ = begin_ + room;
  return true;
}

absl::Status RunKeyProgram(const KeyProgram& program, size_t first, size_t last, Record record, uint64_t index,
                           std::string_view design, KeyBytes* key) {
  return Machine(program, record, index, design, key).Run(program.ops.data() + first, program.ops.data() + last);
}

}  // namespace vaquita::lab
