#include "lab/records/record_choice.h"

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "lab/records/random_number.h"

namespace vaquita::lab {

absl::StatusOr<ReadPattern> ParseReadPattern(std::string_view name) {
  if (name == "uniform") return ReadPattern::kUniform;
  if (name == "zipfian") return ReadPattern::kZipfian;
  if (name == "latest") return ReadPattern::kLatest;
  return absl::InvalidArgumentError(
      absl::StrCat("unknown read pattern '", AbslText(name), "'; use uniform, zipfian or latest"));
}

RecordChoice::RecordChoice(ReadPattern pattern, uint64_t records, uint64_t seed)
    : pattern_(pattern), ranks_(records), seed_(seed) {}

uint64_t RecordChoice::Choose(uint64_t draw) const {
  const uint64_t random = RandomNumber(seed_, draw);
  if (pattern_ == ReadPattern::kUniform) return RandomBelow(random, ranks_.size());
  const uint64_t rank = ranks_.Rank(RandomFraction(random));
  if (pattern_ == ReadPattern::kLatest) return ranks_.size() - 1 - rank;
  // Each rank has its place, but not beside the next one's.
  return RandomBelow(RandomNumber(seed_ + 1, rank), ranks_.size());
}

}  // namespace vaquita::lab
