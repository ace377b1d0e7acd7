#include "region/filter/comparator.h"

#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <string.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/big_endian.h"
#include "base/java_regex.h"
#include "base/status.h"
#include "base/unicode.h"

namespace vaquita {
namespace {

// Returns -1, 0 or 1, so that a result of compare() is never kIncomparable.
int Sign(int comparison) { return comparison < 0 ? -1 : comparison > 0; }

class BinaryComparator : public Comparator {
 public:
  explicit BinaryComparator(std::string value) : value_(std::move(value)) {}
  int Compare(std::string_view bytes) override { return Sign(value_.compare(bytes)); }

 private:
  const std::string value_;
};

class BinaryPrefixComparator : public Comparator {
 public:
  explicit BinaryPrefixComparator(std::string value) : value_(std::move(value)) {}
  int Compare(std::string_view bytes) override { return Sign(value_.compare(bytes.substr(0, value_.size()))); }

 private:
  const std::string value_;
};

// If the bytes end inside the component, the bytes up to their end are compared; HBase reads on into the memory behind
// the cell.
class BinaryComponentComparator : public Comparator {
 public:
  BinaryComponentComparator(std::string value, size_t offset) : value_(std::move(value)), offset_(offset) {}
  int Compare(std::string_view bytes) override {
    return Sign(value_.compare(bytes.substr(std::min(offset_, bytes.size()), value_.size())));
  }

 private:
  const std::string value_;
  const size_t offset_;
};

class RegexComparator : public Comparator {
 public:
  RegexComparator(std::unique_ptr<JavaRegex> regex, SearchTime* time) : regex_(std::move(regex)), time_(time) {}
  int Compare(std::string_view bytes) override {
    if (!status().ok()) return kIncomparable;  // a second search would take long and fail too
    absl::StatusOr<bool> found = time_ == nullptr ? regex_->IsFoundIn(bytes) : regex_->IsFoundIn(bytes, time_);
    if (!found.ok()) return Fail(std::move(found).status());
    return *found ? 0 : 1;
  }

 private:
  const std::unique_ptr<JavaRegex> regex_;
  SearchTime* const time_;
};

class SubstringComparator : public Comparator {
 public:
  SubstringComparator(std::string_view text, SearchLimits* limits) : limits_(limits) { AppendLowerCase(text, &text_); }
  int Compare(std::string_view bytes) override {
    if (limits_ != nullptr && (limits_->substring_bytes -= static_cast<int64_t>(bytes.size())) < 0) {
      return Fail(Error(
          ErrorKind::kDoNotRetryIO,
          absl::StrCat("The search for the substrings of a list of filters was given up in a text of ", bytes.size(),
                       " bytes: it has ", SearchLimits{}.substring_bytes, " bytes for all of them together")));
    }
    scratch_.clear();
    AppendLowerCase(bytes, &scratch_);
    // The C library's search takes steps in the order of both lengths, also for bytes that almost match everywhere.
    const bool found = memmem(scratch_.data(), scratch_.size(), text_.data(), text_.size()) != nullptr;
    // A filter may have a hundred thousand comparators, so none keeps the memory that a large cell takes.
    if (scratch_.capacity() > kKeptBytes) std::string().swap(scratch_);
    return found ? 0 : 1;
  }

 private:
  static constexpr size_t kKeptBytes = 4096;

  SearchLimits* const limits_;
  std::string text_;
  std::string scratch_;  // keeps a little capacity from cell to cell
};

// A cell's bytes are never null, so HBase's comparator gives this for every cell. Check-and-mutate handles an absent
// cell itself.
class NullComparator : public Comparator {
 public:
  int Compare(std::string_view bytes) override { return 1; }
};

class BitComparator : public Comparator {
 public:
  BitComparator(std::string value, ComparatorSpec::BitOp op) : value_(std::move(value)), op_(op) {}
  int Compare(std::string_view bytes) override {
    if (bytes.size() != value_.size()) return 1;
    for (size_t i = 0; i < bytes.size(); ++i) {
      if (Combine(value_[i], bytes[i]) != 0) return 0;
    }
    return 1;
  }

 private:
  char Combine(char a, char b) const {
    switch (op_) {
      case ComparatorSpec::BitOp::kAnd:
        return static_cast<char>(a & b);
      case ComparatorSpec::BitOp::kOr:
        return static_cast<char>(a | b);
      case ComparatorSpec::BitOp::kXor:
        return static_cast<char>(a ^ b);
    }
    return 0;
  }

  const std::string value_;
  const ComparatorSpec::BitOp op_;
};

class LongComparator : public Comparator {
 public:
  explicit LongComparator(int64_t value) : value_(value) {}
  int Compare(std::string_view bytes) override {
    if (bytes.size() != sizeof(int64_t)) {
      return Fail(Error(ErrorKind::kDoNotRetryIO,
                        absl::StrCat("A LongComparator compares 8 bytes, but a cell has ", bytes.size())));
    }
    const int64_t other = static_cast<int64_t>(GetBigEndian<uint64_t>(bytes.data()));
    return value_ < other ? -1 : value_ > other;
  }

 private:
  const int64_t value_;
};

// A decimal number as +-0.DIGITS * 10^exponent, without zeros at either end of the digits: two numbers compare by sign,
// exponent, digits.
struct Decimal {
  int sign = 0;
  int64_t exponent = 0;
  std::string digits;

  // About 10,000 digits: more than any number that people keep has. Digits take time by the square of their number.
  static constexpr size_t kLeastBytes = sizeof(int32_t) + 1;
  static constexpr size_t kMostBytes = sizeof(int32_t) + 4096;

  // Reads Bytes.toBytes(BigDecimal): 4 bytes of scale, the unscaled value in two's complement. Returns false if it is
  // too short or too long.
  bool Read(std::string_view bytes) {
    if (bytes.size() < kLeastBytes || bytes.size() > kMostBytes) return false;
    ReadDigits(bytes.substr(sizeof(int32_t)));
    exponent = static_cast<int64_t>(digits.size()) - static_cast<int32_t>(GetBigEndian<uint32_t>(bytes.data()));
    while (!digits.empty() && digits.back() == '0') digits.pop_back();
    if (digits.empty()) sign = 0;
    return true;
  }

 private:
  void ReadDigits(std::string_view unscaled) {
    const bool negative = static_cast<signed char>(unscaled[0]) < 0;
    sign = negative ? -1 : 1;
    if (unscaled.size() <= sizeof(int64_t)) {
      int64_t value = negative ? -1 : 0;
      for (const char c : unscaled)
        value = static_cast<int64_t>(static_cast<uint64_t>(value) << 8 | static_cast<unsigned char>(c));
      const uint64_t magnitude = negative ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
      char buffer[20];
      const char* end = std::to_chars(buffer, buffer + sizeof(buffer), magnitude).ptr;
      digits.assign(buffer, magnitude == 0 ? 0 : static_cast<size_t>(end - buffer));
      return;
    }
    std::string magnitude(unscaled);
    if (negative) {
      for (char& c : magnitude) c = static_cast<char>(~c);
    }
    BIGNUM* number = BN_bin2bn(reinterpret_cast<const unsigned char*>(magnitude.data()),
                               static_cast<int>(magnitude.size()), nullptr);
    if (negative) BN_add_word(number, 1);
    char* text = BN_bn2dec(number);
    digits = BN_is_zero(number) ? "" : text;
    OPENSSL_free(text);
    BN_free(number);
  }
};

class BigDecimalComparator : public Comparator {
 public:
  explicit BigDecimalComparator(Decimal value) : value_(std::move(value)) {}
  int Compare(std::string_view bytes) override {
    if (!other_.Read(bytes)) {
      return Fail(
          Error(ErrorKind::kDoNotRetryIO, absl::StrCat("A BigDecimalComparator compares ", Decimal::kLeastBytes, " to ",
                                                       Decimal::kMostBytes, " bytes, but a cell has ", bytes.size())));
    }
    if (value_.sign != other_.sign) return value_.sign < other_.sign ? -1 : 1;
    if (value_.sign == 0) return 0;
    if (value_.exponent != other_.exponent) return value_.exponent < other_.exponent ? -value_.sign : value_.sign;
    return value_.sign * Sign(value_.digits.compare(other_.digits));
  }

 private:
  const Decimal value_;
  Decimal other_;  // keeps its capacity from cell to cell
};

}  // namespace

absl::StatusOr<std::unique_ptr<Comparator>> MakeComparator(const ComparatorSpec& spec, SearchLimits* limits) {
  using Type = ComparatorSpec::Type;
  switch (spec.type) {
    case Type::kBinary:
      return std::make_unique<BinaryComparator>(spec.bytes);
    case Type::kBinaryPrefix:
      return std::make_unique<BinaryPrefixComparator>(spec.bytes);
    case Type::kBinaryComponent:
      if (spec.offset < 0) return IllegalArgument("the offset of a BinaryComponentComparator must not be negative");
      return std::make_unique<BinaryComponentComparator>(spec.bytes, spec.offset);
    case Type::kRegex: {
      VAQUITA_ASSIGN_OR_RETURN(auto regex, JavaRegex::Compile(spec.bytes, spec.regex_flags, spec.charset));
      return std::make_unique<RegexComparator>(std::move(regex), limits == nullptr ? nullptr : &limits->regex_time);
    }
    case Type::kSubstring:
      return std::make_unique<SubstringComparator>(spec.bytes, limits);
    case Type::kNull:
      return std::make_unique<NullComparator>();
    case Type::kBit:
      return std::make_unique<BitComparator>(spec.bytes, spec.bit_op);
    case Type::kLong:
      if (spec.bytes.size() != sizeof(int64_t)) return IllegalArgument("a LongComparator takes 8 bytes");
      return std::make_unique<LongComparator>(static_cast<int64_t>(GetBigEndian<uint64_t>(spec.bytes.data())));
    case Type::kBigDecimal: {
      Decimal value;
      if (!value.Read(spec.bytes)) {
        return IllegalArgument(absl::StrCat("a BigDecimalComparator takes ", Decimal::kLeastBytes, " to ",
                                            Decimal::kMostBytes, " bytes, a scale of 4 and an unscaled value; not ",
                                            spec.bytes.size()));
      }
      return std::make_unique<BigDecimalComparator>(std::move(value));
    }
  }
  return IllegalArgument("unknown comparator");
}

bool IsFilteredOut(CompareOp op, int comparison) {
  if (comparison == kIncomparable) return true;
  switch (op) {
    case CompareOp::kLess:
      return comparison <= 0;
    case CompareOp::kLessOrEqual:
      return comparison < 0;
    case CompareOp::kEqual:
      return comparison != 0;
    case CompareOp::kNotEqual:
      return comparison == 0;
    case CompareOp::kGreaterOrEqual:
      return comparison > 0;
    case CompareOp::kGreater:
      return comparison >= 0;
    case CompareOp::kNoOp:
      return true;
  }
  return true;
}

}  // namespace vaquita
