#include "client/distribution/key_hasher.h"

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "client/distribution/call_text.h"

namespace vaquita::client {
namespace {

class OneByteHasher final : public KeyHasher {
 public:
  explicit OneByteHasher(int buckets) : buckets_(buckets) {}

  std::string PrefixOf(std::string_view key) const override {
    uint32_t hash = 1;
    for (const char byte : key) hash = 31 * hash + static_cast<uint32_t>(static_cast<int8_t>(byte));
    const int64_t magnitude = std::llabs(static_cast<int32_t>(hash));
    return std::string(1, static_cast<char>(magnitude % buckets_));
  }

  std::vector<std::string> AllPrefixes() const override {
    std::vector<std::string> prefixes;
    for (int i = 0; i < buckets_; ++i) prefixes.emplace_back(1, static_cast<char>(i));
    return prefixes;
  }

  std::string ToText() const override { return absl::StrCat("OneByteSimpleHash(", buckets_, ")"); }

 private:
  const int buckets_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const KeyHasher>> OneByteSimpleHash(int buckets) {
  VAQUITA_RETURN_IF_ERROR(CheckOneByteBuckets(buckets));
  return std::make_shared<OneByteHasher>(buckets);
}

absl::StatusOr<std::shared_ptr<const KeyHasher>> ParseKeyHasher(std::string_view text) {
  VAQUITA_ASSIGN_OR_RETURN(const CallText call, ParseCallText(text));
  if (call.name != "OneByteSimpleHash") {
    return Error(ErrorKind::kIllegalArgument, absl::StrCat("unknown hasher '", AbslText(text),
                                                           "': use OneByteSimpleHash(BUCKETS), or a hasher that the "
                                                           "program's own parser knows"));
  }
  VAQUITA_ASSIGN_OR_RETURN(const int buckets, ParseBuckets(call));
  return OneByteSimpleHash(buckets);
}

}  // namespace vaquita::client
