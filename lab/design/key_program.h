// lab/design/key_program.h: the program of a key design: a flat list of operations that write a key, and the machine
// that runs it.
//
// The machine has the key so far (bytes), a stack of 64-bit numbers, and a stack of marks, which are places in the key.
// A text operation works on the bytes from the last mark to the key's end, in place: `md5_hex(phone)` is mark, append
// field, digest, hex. So bytes are not copied, and memory is allocated only for keys longer than KeyBytes' own buffer.
// Threads: any; a program does not change once it is compiled (lab/design/key_compiler.h), and each run has its own
// state.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "lab/records/lookup_table.h"
#include "lab/records/record.h"
#include "lab/records/time_text.h"

namespace vaquita::lab {

enum class KeyOpCode : uint8_t {
  // Push a number.
  kConstant,      // number
  kNumberField,   // a: field
  kRecordNumber,  // counted from the run's start
  kParseField,    // a: field of decimal digits
  kParseTimeField,
  kSalt,        // number: how many
  kRoundRobin,  // number: how many
  // Replace the last two numbers by one.
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kRemainder,
  // Replace the last number. The divisors are constants above zero.
  kRemainderBy,
  kFloorModulo,
  kFloorTo,
  kFloorDivide,
  kAbsolute,
  kLongHash,
  kToByte,
  kCheckBits,    // number: bits that it must fit into
  kReverseBits,  // number: how many of its low bits
  // Replace the bytes from the mark by a number on the stack.
  kParseNumber,
  kParseTime,     // ISO 8601, or milliseconds
  kParsePattern,  // a: pattern
  kStringHash,
  kBytesHash,
  kLookupNumber,  // a: table
  // Append to the key.
  kLiteral,       // a: place among the literals; number: its length
  kTextField,     // a: field
  kDigits,        // the last number, as it is
  kPaddedDigits,  // the last number; a: width; number: what it is filled with
  kBigEndian,     // the last number; a: bytes (1, 2, 4 or 8)
  kFormatTime,    // the last number; a: pattern
  // Change the bytes from the mark.
  kMark,      // begin them
  kDropMark,  // leave them as they are
  kDigest,    // a: DigestKind
  kHex,
  kUnhex,
  kPrefix,          // number: bytes
  kPrefixText,      // number: characters
  kSuffix,          // number: bytes
  kSuffixText,      // number: characters
  kPad,             // on the left; a: width; number: what with
  kPadRight,        // a: width; number: what with
  kFixed,           // a: width; number: what with
  kReverse,         // bytes
  kReverseText,     // characters
  kReverseDigits,   // bytes, which must be digits
  kReverseAllBits,  // bytes, and the bits in each
  kReverseParts,    // number: the character between them
  kPart,            // number: what separates them; b: which, from 1
  kInvert,          // each bit
  kLower,           // ASCII
  kUpper,
  kLookupText,  // a: table
};

struct KeyOp {
  KeyOpCode code;
  int32_t a = 0;
  int32_t b = 0;
  int64_t number = 0;
  size_t begin = 0;  // its place in the design's text
  size_t end = 0;
};

// A lookup's table, and the default for values that are not in it.
struct KeyLookup {
  std::string name;
  LookupTable table;
  bool has_default = false;
  std::string default_text;
  int64_t default_number = 0;
};

struct KeyProgram {
  std::vector<KeyOp> ops;
  std::string literals;
  std::vector<TimePattern> patterns;
  std::vector<KeyLookup> lookups;
  uint64_t seed = 0;
};

// The size of the stacks of numbers and of marks. ParseExpression() refuses more than 20 levels, each of which takes at
// most three numbers, as in reverse_time(2 - 3 * ...), or three marks, as in md5_hex(0 - md5_hex(...)).
inline constexpr int kDeepestStack = 64;

// The bytes of the key that is being written. An operation may work on more than a key's 32,767 bytes: on a field whose
// digest is the key.
class KeyBytes {
 public:
  static constexpr size_t kMostBytes = 1 << 20;

  KeyBytes() : begin_(within_), pos_(within_), limit_(within_ + sizeof(within_)) {}
  KeyBytes(const KeyBytes&) = delete;
  KeyBytes& operator=(const KeyBytes&) = delete;

  size_t size() const { return pos_ - begin_; }
  char* begin() { return begin_; }
  char* pos() { return pos_; }
  std::string_view from(size_t mark) const { return {begin_ + mark, size() - mark}; }
  void set_size(size_t size) { pos_ = begin_ + size; }
  void set_pos(char* pos) { pos_ = pos; }

  // Makes room for `bytes` more at pos(). Returns false if all together were more than kMostBytes.
  [[nodiscard]] bool Room(size_t bytes) {
    if (static_cast<size_t>(limit_ - pos_) >= bytes) [[likely]]
      return true;
    return Grow(bytes);
  }

  // REQUIRES: Room for them.
  void Append(std::string_view bytes) {
    char* to = pos_;
    const char* from = bytes.data();
    const size_t size = bytes.size();
    if (size > 16) {
      std::memcpy(to, from, size);
    } else if (size >= 8) {  // sizes that the compiler knows: two halves that may overlap
      std::memcpy(to, from, 8);
      std::memcpy(to + size - 8, from + size - 8, 8);
    } else {
      for (size_t i = 0; i < size; ++i) to[i] = from[i];
    }
    pos_ += size;
  }

 private:
  bool Grow(size_t bytes);

  char* begin_;
  char* pos_;
  char* limit_;
  std::unique_ptr<char[]> more_;
  char within_[512];
};

// Runs the operations [first, last) of `program`, which leave the stacks empty. Returns InvalidArgument, naming the
// part of `design` (the program's text) and the value, if a value does not fit its operation; and naming the part if
// the key gets longer than KeyBytes::kMostBytes.
absl::Status RunKeyProgram(const KeyProgram& program, size_t first, size_t last, Record record, uint64_t index,
                           std::string_view design, KeyBytes* key);

}  // namespace vaquita::lab
