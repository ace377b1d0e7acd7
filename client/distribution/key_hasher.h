// client/distribution/key_hasher.h: chooses a key's prefix by its hash (HashPrefix of row_key_distributor.h).
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
  // Returns one of AllPrefixes(), always the same for a key, in every program.
  virtual std::string PrefixOf(std::string_view original_key) const = 0;
  // Returns distinct prefixes, all of the same length, which is at least 1.
  virtual std::vector<std::string> AllPrefixes() const = 0;
  // Returns its name and parameters, e.g. "OneByteSimpleHash(32)". A KeyHasherParser reads this.
  virtual std::string ToText() const = 0;
};

// Makes the hasher that a text describes. Returns kIllegalArgument, naming the text, if it does not know it. A program
// with its own hashers passes a parser that knows them.
using KeyHasherParser = std::function<absl::StatusOr<std::shared_ptr<const KeyHasher>>(std::string_view text)>;

// The default: one byte, |h| mod `buckets`, where h is the 32-bit hash that java.util.Arrays.hashCode gives the key's
// (signed) bytes. HBaseWD's hasher of this name gives the same, except for the one hash without an absolute value in 32
// bits, for which it leaves its buckets. Returns kIllegalArgument unless 1 <= buckets <= 256.
absl::StatusOr<std::shared_ptr<const KeyHasher>> OneByteSimpleHash(int buckets);

// Knows OneByteSimpleHash(N).
absl::StatusOr<std::shared_ptr<const KeyHasher>> ParseKeyHasher(std::string_view text);

}  // namespace vaquita::client
