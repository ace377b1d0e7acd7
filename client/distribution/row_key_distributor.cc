#include "client/distribution/row_key_distributor.h"

#include <algorithm>
#include <atomic>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "client/distribution/call_text.h"
#include "model/region_info.h"

namespace vaquita::client {
namespace {

absl::Status NotDistributed(std::string_view key, const RowKeyDistributor& by) {
  return Error(ErrorKind::kIllegalArgument,
               absl::StrCat("row '", ToStringBinary(key), "' was not distributed by ", by.ToText()));
}

// Distributed keys are one of `prefixes`, all of one length, and the original key.
class PrefixDistributor : public RowKeyDistributor {
 public:
  explicit PrefixDistributor(std::vector<std::string> prefixes) : prefixes_(std::move(prefixes)), sorted_(prefixes_) {
    std::sort(sorted_.begin(), sorted_.end());
  }

  absl::StatusOr<std::string> OriginalKey(std::string_view key) const override {
    const std::string_view prefix = key.substr(0, prefixes_.front().size());
    if (!std::binary_search(sorted_.begin(), sorted_.end(), prefix)) return NotDistributed(key, *this);
    return std::string(key.substr(prefix.size()));
  }
  const std::vector<std::string>& BucketPrefixes() const override { return prefixes_; }

 protected:
  static std::string Join(std::string_view prefix, std::string_view key) {
    return absl::StrCat(AbslText(prefix), AbslText(key));
  }

  const std::vector<std::string> prefixes_;

 private:
  std::vector<std::string> sorted_;
};

class Identity final : public PrefixDistributor {
 public:
  Identity() : PrefixDistributor({""}) {}
  std::string DistributedKey(std::string_view key) const override { return std::string(key); }
  std::vector<std::string> AllDistributedKeys(std::string_view key) const override { return {std::string(key)}; }
  bool IsComputable() const override { return true; }
  std::string ToText() const override { return "Identity()"; }
};

class OneBytePrefix final : public PrefixDistributor {
 public:
  OneBytePrefix(std::vector<std::string> prefixes, uint32_t first)
      : PrefixDistributor(std::move(prefixes)), next_(first) {}

  std::string DistributedKey(std::string_view key) const override {
    return Join(prefixes_[next_.fetch_add(1, std::memory_order_relaxed) % prefixes_.size()], key);
  }
  std::vector<std::string> AllDistributedKeys(std::string_view key) const override {
    std::vector<std::string> keys;
    for (const std::string& prefix : prefixes_) keys.push_back(Join(prefix, key));
    return keys;
  }
  bool IsComputable() const override { return prefixes_.size() == 1; }
  std::string ToText() const override { return absl::StrCat("OneBytePrefix(", prefixes_.size(), ")"); }

 private:
  mutable std::atomic<uint64_t> next_;  // 64 bits: a counter of 32 would wrap in the middle of a turn
};

class HashPrefix final : public PrefixDistributor {
 public:
  explicit HashPrefix(std::shared_ptr<const KeyHasher> hasher)
      : PrefixDistributor(hasher->AllPrefixes()), hasher_(std::move(hasher)) {}

  std::string DistributedKey(std::string_view key) const override { return Join(hasher_->PrefixOf(key), key); }
  std::vector<std::string> AllDistributedKeys(std::string_view key) const override { return {DistributedKey(key)}; }
  bool IsComputable() const override { return true; }
  std::string ToText() const override { return absl::StrCat("HashPrefix(", hasher_->ToText(), ")"); }

 private:
  const std::shared_ptr<const KeyHasher> hasher_;
};

uint8_t ReverseBits(uint8_t byte) {
  byte = static_cast<uint8_t>(byte >> 4 | byte << 4);
  byte = static_cast<uint8_t>((byte & 0xCC) >> 2 | (byte & 0x33) << 2);
  return static_cast<uint8_t>((byte & 0xAA) >> 1 | (byte & 0x55) << 1);
}

class BitReversal final : public RowKeyDistributor {
 public:
  std::string DistributedKey(std::string_view key) const override {
    std::string reversed(key.rbegin(), key.rend());
    for (char& byte : reversed) byte = static_cast<char>(ReverseBits(static_cast<uint8_t>(byte)));
    return reversed;
  }
  std::vector<std::string> AllDistributedKeys(std::string_view key) const override { return {DistributedKey(key)}; }
  absl::StatusOr<std::string> OriginalKey(std::string_view key) const override { return DistributedKey(key); }
  bool IsComputable() const override { return true; }
  const std::vector<std::string>& BucketPrefixes() const override { return none_; }
  std::string ToText() const override { return "BitReversal()"; }

 private:
  const std::vector<std::string> none_{};
};

absl::Status CheckPrefixes(const KeyHasher& hasher) {
  std::vector<std::string> prefixes = hasher.AllPrefixes();
  std::sort(prefixes.begin(), prefixes.end());
  const bool right =
      !prefixes.empty() && !prefixes[0].empty() &&
      std::adjacent_find(prefixes.begin(), prefixes.end()) == prefixes.end() &&
      std::all_of(prefixes.begin(), prefixes.end(), [&](const auto& p) { return p.size() == prefixes[0].size(); });
  if (right) return absl::OkStatus();
  return Error(ErrorKind::kIllegalArgument,
               absl::StrCat(hasher.ToText(), ": a hasher's prefixes must be distinct, and all of one length"));
}

}  // namespace

RowKeyDistributorPtr IdentityDistributor() { return std::make_shared<Identity>(); }

absl::StatusOr<RowKeyDistributorPtr> OneBytePrefixDistributor(int buckets, std::optional<uint32_t> first) {
  VAQUITA_ASSIGN_OR_RETURN(const std::shared_ptr<const KeyHasher> hasher, OneByteSimpleHash(buckets));
  return std::make_shared<OneBytePrefix>(hasher->AllPrefixes(), first ? *first : std::random_device{}());
}

absl::StatusOr<RowKeyDistributorPtr> HashPrefixDistributor(std::shared_ptr<const KeyHasher> hasher) {
  VAQUITA_RETURN_IF_ERROR(CheckPrefixes(*hasher));
  return std::make_shared<HashPrefix>(std::move(hasher));
}

RowKeyDistributorPtr BitReversalDistributor() { return std::make_shared<BitReversal>(); }

absl::StatusOr<RowKeyDistributorPtr> ParseRowKeyDistributor(std::string_view text, const KeyHasherParser& hashers) {
  if (text == "Identity()") return IdentityDistributor();
  if (text == "BitReversal()") return BitReversalDistributor();
  VAQUITA_ASSIGN_OR_RETURN(const CallText call, ParseCallText(text));
  if (call.name == "OneBytePrefix") {
    VAQUITA_ASSIGN_OR_RETURN(const int buckets, ParseBuckets(call));
    return OneBytePrefixDistributor(buckets);
  }
  if (call.name == "HashPrefix") {
    VAQUITA_ASSIGN_OR_RETURN(std::shared_ptr<const KeyHasher> hasher, hashers(call.argument));
    return HashPrefixDistributor(std::move(hasher));
  }
  return Error(ErrorKind::kIllegalArgument, absl::StrCat("unknown row key distributor '", AbslText(text),
                                                         "': use Identity(), OneBytePrefix(BUCKETS), "
                                                         "HashPrefix(HASHER) or BitReversal()"));
}

void StoreDistributor(const RowKeyDistributor& distributor, TableDescriptor* table) {
  table->attributes[std::string(kDistributorAttribute)] = distributor.ToText();
}

absl::StatusOr<RowKeyDistributorPtr> LoadDistributor(const TableDescriptor& table, const KeyHasherParser& hashers) {
  const auto found = table.attributes.find(std::string(kDistributorAttribute));
  if (found == table.attributes.end()) return IdentityDistributor();
  absl::StatusOr<RowKeyDistributorPtr> distributor = ParseRowKeyDistributor(found->second, hashers);
  if (distributor.ok()) return distributor;
  return Annotate(distributor.status(), absl::StrCat("table ", table.name.ToString()));
}

}  // namespace vaquita::client
