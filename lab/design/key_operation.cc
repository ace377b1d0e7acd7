#include "lab/design/key_operation.h"

#include <algorithm>

#include "lab/design/digest.h"

namespace vaquita::lab {
namespace {

using Code = KeyOpCode;
using P = KeyParameter;
using R = KeyResult;

KeyOp Digest(DigestKind kind) { return {Code::kDigest, static_cast<int32_t>(kind)}; }
KeyOp Filled(Code code, char fill) { return {.code = code, .number = fill}; }
KeyOp Bits(Code code, int bits) { return {.code = code, .number = bits}; }

}  // namespace

const std::vector<KeyOperation>& KeyOperations() {
  static const auto* const operations = new std::vector<KeyOperation>{
      // Numbers and how they stand in a key.
      {"byte", "byte(number)", {P::kNumber}, 1, R::kByte, {{Code::kToByte}}, "Java's (byte) cast"},
      {"int16", "int16(number)", {P::kNumber}, 1, R::kInt16, {Bits(Code::kCheckBits, 16)}, "Bytes.toBytes(short)"},
      {"int32", "int32(number)", {P::kNumber}, 1, R::kInt32, {Bits(Code::kCheckBits, 32)}, "Bytes.toBytes(int)"},
      {"int64", "int64(number)", {P::kNumber}, 1, R::kInt64, {}, "Bytes.toBytes(long)"},
      {"number", "number(text)", {P::kNumber}, 1, R::kNumber, {}, "a number"},
      {"text", "text(value)", {P::kText}, 1, R::kText, {{Code::kDropMark}}, "a number's digits"},
      {"add", "add(a, b)", {P::kNumber, P::kNumber}, 2, R::kNumber, {{Code::kAdd}}, "a sum"},
      {"abs", "abs(number)", {P::kNumber}, 1, R::kNumber, {{Code::kAbsolute}}, "Math.abs"},
      {"floor_mod",
       "floor_mod(number, n)",
       {P::kNumber, P::kCount},
       2,
       R::kNumber,
       {{Code::kFloorModulo}},
       "Math.floorMod, never negative"},
      {"record_number", "record_number()", {}, 0, R::kNumber, {{Code::kRecordNumber}}, "the record's number, from 0"},
      // Salts and buckets.
      {"salt", "salt(n)", {P::kBuckets}, 1, R::kByte, {{Code::kSalt}}, "one of n salts, at random"},
      {"round_robin", "round_robin(n)", {P::kBuckets}, 1, R::kByte, {{Code::kRoundRobin}}, "one of n salts in turn"},
      {"bucket",
       "bucket(number, n)",
       {P::kNumber, P::kBuckets},
       2,
       R::kByte,
       {{Code::kRemainderBy}, {Code::kToByte}},
       "Java's (byte) (number % n)"},
      // Hashes.
      {"long_hash", "long_hash(number)", {P::kNumber}, 1, R::kNumber, {{Code::kLongHash}}, "Long.hashCode"},
      {"string_hash", "string_hash(text)", {P::kText}, 1, R::kNumber, {{Code::kStringHash}}, "String.hashCode"},
      {"bytes_hash", "bytes_hash(value)", {P::kBytes}, 1, R::kNumber, {{Code::kBytesHash}}, "Bytes.hashCode"},
      {"md5", "md5(value)", {P::kBytes}, 1, R::kBytes, {Digest(DigestKind::kMd5)}, "MD5"},
      {"md5_hex", "md5_hex(value)", {P::kBytes}, 1, R::kText, {Digest(DigestKind::kMd5), {Code::kHex}}, "MD5 in hex"},
      {"sha1", "sha1(value)", {P::kBytes}, 1, R::kBytes, {Digest(DigestKind::kSha1)}, "SHA-1"},
      {"sha1_hex",
       "sha1_hex(value)",
       {P::kBytes},
       1,
       R::kText,
       {Digest(DigestKind::kSha1), {Code::kHex}},
       "SHA-1 in hex"},
      {"sha256", "sha256(value)", {P::kBytes}, 1, R::kBytes, {Digest(DigestKind::kSha256)}, "SHA-256"},
      {"sha256_hex",
       "sha256_hex(value)",
       {P::kBytes},
       1,
       R::kText,
       {Digest(DigestKind::kSha256), {Code::kHex}},
       "SHA-256 in hex"},
      {"hash_prefix",
       "hash_prefix(hash, n)",
       {P::kBytes, P::kCount},
       2,
       R::kSame,
       {{Code::kPrefix}},
       "the first of a hash"},
      // Reversal.
      {"reverse_digits",
       "reverse_digits(digits)",
       {P::kText},
       1,
       R::kText,
       {{Code::kReverseDigits}},
       "digits from the last to the first"},
      {"reverse", "reverse(value)", {P::kBytes}, 1, R::kSame, {{Code::kReverseText}}, "from the last to the first"},
      {"reverse_bits",
       "reverse_bits(value)",
       {P::kBytes},
       1,
       R::kSame,
       {{Code::kReverseAllBits}},
       "bits from the last to the first"},
      {"reverse_parts",
       "reverse_parts(text, separator)",
       {P::kText, P::kCharacter},
       2,
       R::kText,
       {{Code::kReverseParts}},
       "parts from the last to the first"},
      {"reverse_time", "reverse_time(time)", {P::kTime}, 1, R::kInt64, {}, "Long.MAX_VALUE - time: the newest first"},
      {"invert", "invert(value)", {P::kBytes}, 1, R::kBytes, {{Code::kInvert}}, "each bit inverted: descending"},
      // Text.
      {"pad",
       "pad(value, width, [fill])",
       {P::kText, P::kWidth, P::kCharacter},
       2,
       R::kText,
       {Filled(Code::kPad, '0')},
       "filled on the left"},
      {"pad_right",
       "pad_right(value, width, [fill])",
       {P::kText, P::kWidth, P::kCharacter},
       2,
       R::kText,
       {Filled(Code::kPadRight, ' ')},
       "filled on the right"},
      {"fixed",
       "fixed(value, width, [fill])",
       {P::kText, P::kWidth, P::kCharacter},
       2,
       R::kText,
       {Filled(Code::kFixed, ' ')},
       "cut or filled on the right"},
      {"prefix", "prefix(value, n)", {P::kBytes, P::kCount}, 2, R::kSame, {{Code::kPrefixText}}, "its beginning"},
      {"suffix", "suffix(value, n)", {P::kBytes, P::kCount}, 2, R::kSame, {{Code::kSuffixText}}, "its end"},
      {"part",
       "part(text, separator, which)",
       {P::kText, P::kCharacter, P::kWhich},
       3,
       R::kText,
       {{Code::kPart}},
       "one of its parts"},
      {"lower", "lower(text)", {P::kText}, 1, R::kText, {{Code::kLower}}, "in lower case"},
      {"upper", "upper(text)", {P::kText}, 1, R::kText, {{Code::kUpper}}, "in upper case"},
      {"hex", "hex(value)", {P::kBytes}, 1, R::kText, {{Code::kHex}}, "its bytes in hex"},
      {"unhex", "unhex(text)", {P::kText}, 1, R::kBytes, {{Code::kUnhex}}, "the bytes that hex digits stand for"},
      {"lookup",
       "lookup(value, TABLE, [default])",
       {P::kText, P::kTable, P::kDefault},
       2,
       R::kByTable,
       {{Code::kLookupText}},
       "what stands for it in a table"},
      // Times.
      {"time",
       "time(text, [pattern], [zone])",
       {P::kText, P::kPattern, P::kZone},
       1,
       R::kTime,
       {{Code::kParseTime}},
       "a time in ms"},
      {"format_time",
       "format_time(time, pattern, [zone])",
       {P::kTime, P::kPattern, P::kZone},
       2,
       R::kText,
       {{Code::kFormatTime}},
       "a time as text"},
      {"time_bucket",
       "time_bucket(time, duration)",
       {P::kTime, P::kDuration},
       2,
       R::kTime,
       {{Code::kFloorTo}},
       "when its time range began"},
      {"time_offset",
       "time_offset(time, duration)",
       {P::kTime, P::kDuration},
       2,
       R::kNumber,
       {{Code::kFloorModulo}},
       "ms since its time range began"},
      {"seconds", "seconds(time)", {P::kTime}, 1, R::kNumber, {Bits(Code::kFloorDivide, 1000)}, "seconds since 1970"},
  };
  return *operations;
}

const KeyOperation* FindKeyOperation(std::string_view name) {
  const auto& operations = KeyOperations();
  const auto found =
      std::find_if(operations.begin(), operations.end(), [&](const KeyOperation& o) { return o.name == name; });
  return found == operations.end() ? nullptr : &*found;
}

}  // namespace vaquita::lab
