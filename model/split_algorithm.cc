#include "model/split_algorithm.h"

#include <openssl/bn.h>

#include <algorithm>
#include <cstdint>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status.h"
#include "model/region_info.h"

namespace vaquita {
namespace {

using Keys = std::vector<std::string>;

struct BignumFree {
  void operator()(BIGNUM* n) const { BN_free(n); }
};
using Bignum = std::unique_ptr<BIGNUM, BignumFree>;

Bignum ToBignum(std::string_view bytes) {
  return Bignum(
      BN_bin2bn(reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()), nullptr));
}

std::string ToBytes(const BIGNUM& n, size_t width) {
  std::string bytes(width, '\0');
  BN_bn2binpad(&n, reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(width));
  return bytes;
}

std::string PadTail(std::string_view bytes, size_t width) {
  std::string padded(bytes);
  padded.resize(width, '\0');
  return padded;
}

// Bytes.split: `a`, then `count` keys evenly spaced between it and `b`, then `b`. With `inclusive`, `b` itself belongs
// to the last part.
absl::StatusOr<Keys> SplitBytes(std::string a, std::string b, bool inclusive, int count) {
  const size_t width = std::max(a.size(), b.size());
  const std::string start = PadTail(a, width);
  const std::string stop = PadTail(b, width);
  if (start >= stop) return IllegalArgument("b <= a");
  if (count <= 0) return IllegalArgument("num cannot be <= 0");

  const Bignum first = ToBignum(start);
  const Bignum interval = ToBignum(stop);
  BN_sub(interval.get(), interval.get(), first.get());
  if (inclusive) BN_add_word(interval.get(), 1);
  const BN_ULONG parts = static_cast<BN_ULONG>(count) + 1;
  BN_div_word(interval.get(), parts);
  // Keys too close to have that many between them become one byte longer, the ends too.
  if (BN_is_zero(interval.get()))
    return SplitBytes(PadTail(start, width + 1), PadTail(stop, width + 1), inclusive, count);

  Keys keys = {std::move(a)};
  const Bignum key(BN_dup(first.get()));
  for (int i = 0; i < count; ++i) {
    BN_add(key.get(), key.get(), interval.get());
    keys.push_back(ToBytes(*key, width));
  }
  keys.push_back(std::move(b));
  return keys;
}

// Splits `range` keys that are numbers of eight digits.
absl::StatusOr<Keys> SplitNumbers(int64_t range, bool hex, int regions) {
  if (range < regions) {
    return IllegalArgument(absl::StrCat("split granularity (", regions, ") is greater than the range (", range, ")"));
  }
  const int64_t step = range / regions;
  Keys keys;
  for (int64_t i = 1; i < regions; ++i) {
    keys.push_back(hex ? absl::StrFormat("%08x", step * i) : absl::StrFormat("%08d", step * i));
  }
  return keys;
}

absl::StatusOr<Keys> SplitUniformly(int regions) {
  VAQUITA_ASSIGN_OR_RETURN(Keys keys, SplitBytes("", std::string(8, '\xFF'), true, regions - 1));
  return Keys(keys.begin() + 1, keys.end() - 1);
}

}  // namespace

absl::StatusOr<Keys> SplitKeysByAlgorithm(std::string_view name, int regions) {
  const bool known = name == "HexStringSplit" || name == "DecimalStringSplit" || name == "UniformSplit";
  if (!known) {
    return IllegalArgument(absl::StrCat("Couldn't load split class ", std::string(name),
                                        "; use HexStringSplit, DecimalStringSplit or UniformSplit"));
  }
  if (regions < 2) return IllegalArgument("Split count must be > 1");
  if (name == "HexStringSplit") return SplitNumbers(int64_t{1} << 32, true, regions);
  if (name == "DecimalStringSplit") return SplitNumbers(100'000'000, false, regions);
  return SplitUniformly(regions);
}

absl::StatusOr<Keys> SplitKeysOfRange(std::string_view start, std::string_view end, int regions) {
  if (regions < 3) return IllegalArgument("Must create at least three regions");
  if (start >= end) return IllegalArgument("Start key must be smaller than end key");
  if (regions == 3) return Keys{std::string(start), std::string(end)};
  return SplitBytes(std::string(start), std::string(end), false, regions - 3);
}

absl::StatusOr<Keys> CheckSplitKeys(Keys keys) {
  std::sort(keys.begin(), keys.end());
  for (size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].empty()) return IllegalArgument("Empty split key must not be passed in the split keys.");
    if (i > 0 && keys[i] == keys[i - 1]) {
      const std::string key = ToStringBinary(keys[i]);
      return IllegalArgument(absl::StrCat("All split keys must be unique, found duplicate: ", key, ", ", key));
    }
  }
  return keys;
}

}  // namespace vaquita
