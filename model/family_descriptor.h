// model/family_descriptor.h: the options of a column family, with HBase's names, defaults and rules.
//
// Source: ColumnFamilyDescriptorBuilder (2.6) for names, defaults and value checks; hbase-shell for how they print.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace vaquita {

enum class KeepDeletedCells { kFalse, kTrue, kTtl };
enum class Compression { kNone, kSnappy, kLz4, kZstd, kGz };
enum class BloomType { kNone, kRow, kRowCol };

inline constexpr int32_t kForeverSeconds = std::numeric_limits<int32_t>::max();  // HConstants.FOREVER

// When a family was added to its table, in ms; 0: it came with the table. It tells a family from a removed one of the
// same name. The master sets it. It is no option that clients see, and makes no difference between two descriptors.
struct FamilyGeneration {
  int64_t added_ms = 0;
  friend bool operator==(FamilyGeneration, FamilyGeneration) { return true; }
};

struct FamilyDescriptor {
  std::string name;
  int32_t max_versions = 1;
  int32_t min_versions = 0;
  int32_t ttl_seconds = kForeverSeconds;
  KeepDeletedCells keep_deleted_cells = KeepDeletedCells::kFalse;
  Compression compression = Compression::kNone;
  BloomType bloom_filter = BloomType::kRow;
  int32_t block_size_bytes = 65536;
  bool in_memory = false;
  bool block_cache = true;
  // Kept as given and reported back; RocksDB always prefix-encodes its keys.
  std::string data_block_encoding = "NONE";
  // Other attributes that HBase knows and Vaquita stores without effect: REPLICATION_SCOPE, CACHE_DATA_ON_WRITE, ...,
  // and CONFIGURATION.
  std::map<std::string, std::string> attributes;
  std::map<std::string, std::string> configuration;
  FamilyGeneration generation;

  // Returns the family's part of its stores' names: "f", or "f:<added_ms>" if it was added to its table. So no family
  // gets the files of a removed one, which may lie with a server that is away, or in a handoff.
  std::string StoreName() const;
  // Returns the family of such a name, with its default options.
  static FamilyDescriptor OfStore(std::string_view store_name);

  // Sets the option HBase calls `name` (upper or lower case) from its text form, e.g. ("TTL", "1 DAY") or ("VERSIONS",
  // "3"). Returns kIllegalArgument, naming the option or the value and what would be right, if it is unknown or
  // malformed.
  absl::Status Set(std::string_view name, std::string_view value);

  // Returns all options in HBase's names and text forms, defaults included, in the order in which the HBase shell's
  // `describe` prints them. Set() reads each of them back. NAME and `configuration` are not among them.
  std::vector<std::pair<std::string, std::string>> Options() const;

  // Returns the family as the HBase shell's `describe` prints it: {NAME => 'f', INDEX_BLOCK_ENCODING => 'NONE', ...},
  // with METADATA for the attributes HBase does not count among its options, and CONFIGURATION.
  std::string Describe() const;

  // Returns how long cells live, in ms; nullopt means for ever, as does a TTL of -1 (HStore.determineTTLFromFamily).
  std::optional<int64_t> TtlMs() const;

  // Returns NEW_VERSION_BEHAVIOR: the order of writes counts, not their timestamps alone
  // (ColumnFamilyDescriptor.isNewVersionBehavior).
  bool NewVersionBehavior() const;

  // Checks that the name is legal and, unless sanity checks are off, that MIN_VERSIONS is at most VERSIONS, TTL is
  // positive and the block size is in bounds. Errors have HBase's words and exceptions: IllegalArgumentException for
  // the name, else TableDescriptorChecker's DoNotRetryIOException.
  absl::Status Validate(bool sanity_checks = true) const;

  friend bool operator==(const FamilyDescriptor&, const FamilyDescriptor&) = default;
};

// Returns whether Set() knows the option `name`, in upper case. Over HBase's protocol a family may carry others, which
// have no effect.
bool IsFamilyOption(std::string_view name);

// Checks a family's name by HBase's rule: not empty, no control character, ':' or '/', no leading '.', not
// "recovered.edits".
absl::Status CheckFamilyName(std::string_view name);

}  // namespace vaquita
