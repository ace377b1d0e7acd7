// client/distribution/key_hasher.h: which of some prefixes a key's hash gives it (HashPrefix of row_key_distributor.h).
//
// Threads: any, at once.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace vaquita::client {

class KeyHasher {
 public:
  virtual ~KeyHasher() = default;
  // One of AllPrefixes(), the same for the same key in every program and for ever.
  virtual std::string PrefixOf(std::string_view original_key) const = 0;
  // Distinct, all of the same length, which is at least 1.
  virtual std::vector<std::string> AllPrefixes() const = 0;
  // Its name and parameters, e.g. "OneByteSimpleHash(32)": what a KeyHasherParser makes it of again.
  virtual std::string ToText() const = 0;
};

// Makes the hasher that a text describes; kIllegalArgument, naming the text, for one it does not know. A program with
// hashers of its own gives a parser that knows them to who reads distributors.
using KeyHasherParser = std::function<absl::StatusOr<std::shared_ptr<const KeyHasher>>(std::string_view text)>;

// The default: one byte, 0 to `buckets` - 1: |h| mod buckets, h being the 32-bit hash that java.util.Arrays.hashCode
// gives the key's (signed) bytes. So are the keys of HBaseWD's hasher of this name, but for the one hash without an
// absolute value in 32 bits, which that leaves out of its buckets. kIllegalArgument unless 1 <= buckets <= 256.
absl::StatusOr<std::shared_ptr<const KeyHasher>> OneByteSimpleHash(int buckets);

// Knows OneByteSimpleHash(N).
absl::StatusOr<std::shared_ptr<const KeyHasher>> ParseKeyHasher(std::string_view text);

}  // namespace vaquita::client
