#include "server/master/balancer/normalizer_plan.h"

#include <algorithm>
#include <numeric>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/absl_text.h"
#include "base/saturated.h"
#include "server/master/balancer/dice.h"

namespace vaquita::balancer {
namespace {

constexpr int64_t kDayMs = 24LL * 60 * 60 * 1000;

// Java's Boolean.parseBoolean.
bool IsTrue(std::string_view text) { return absl::EqualsIgnoreCase(AbslText(text), "true"); }

bool Flag(const TableDescriptor& table, const std::string& name, bool default_value) {
  const std::string_view value = table.Setting(name);
  return value.empty() ? default_value : IsTrue(value);
}

// A table's value of a setting; one below `least` means the default.
int64_t AtLeast(const TableDescriptor& table, const std::string& name, int64_t least, int64_t default_value) {
  const int64_t value = table.Number(name, default_value);
  return value < least ? default_value : value;
}

int64_t MergeMinRegionCount(const TableDescriptor& table, const NormalizerSettings& settings) {
  const int64_t deprecated = AtLeast(table, "hbase.normalizer.min.region.count", 1, settings.merge_min_region_count);
  return AtLeast(table, "hbase.normalizer.merge.min.region.count", 1, deprecated);
}

double AverageSizeMb(const TableDescriptor& table, const std::vector<SizedRegion>& regions) {
  const int64_t deprecated = table.Number("NORMALIZER_TARGET_REGION_SIZE", -1);
  const int64_t target_size = table.Number("NORMALIZER_TARGET_REGION_SIZE_MB", deprecated);
  if (target_size > 0) return static_cast<double>(target_size);
  const int64_t total = std::accumulate(regions.begin(), regions.end(), int64_t{0},
                                        [](int64_t sum, const SizedRegion& region) { return sum + region.size_mb; });
  const int64_t target_count = table.Number("NORMALIZER_TARGET_REGION_COUNT", -1);
  return static_cast<double>(total) / static_cast<double>(target_count > 0 ? target_count : regions.size());
}

void AddSplits(const std::vector<SizedRegion>& regions, double average_mb, std::vector<Normalization>* plan) {
  for (size_t i = 0; i < regions.size(); ++i) {
    const SizedRegion& region = regions[i];
    if (!region.open || static_cast<double>(region.size_mb) <= 2 * average_mb) continue;
    plan->push_back({Normalization::Kind::kSplit,
                     {i},
                     region.size_mb,
                     absl::StrFormat("%d MB, more than twice the average of %.1f MB", region.size_mb, average_mb)});
  }
}

// Finds runs of neighbours to merge.
class MergeFinder {
 public:
  MergeFinder(const TableDescriptor& table, const std::vector<SizedRegion>& regions, const NormalizerSettings& settings,
              double average_mb, int64_t now_ms)
      : regions_(regions),
        average_mb_(SaturatedInteger(average_mb)),
        least_regions_(MergeMinRegionCount(table, settings)),
        most_regions_(static_cast<size_t>(std::max<int64_t>(2, settings.merge_most_regions))),
        least_mb_(AtLeast(table, "hbase.normalizer.merge.min_region_size.mb", 0, settings.merge_min_region_size_mb)),
        newest_ms_(now_ms - SaturatedProduct(kDayMs, AtLeast(table, "hbase.normalizer.merge.min_region_age.days", 0,
                                                             settings.merge_min_region_age_days))) {}

  void AddMerges(std::vector<Normalization>* plan) {
    if (static_cast<int64_t>(regions_.size()) < least_regions_ || average_mb_ < least_mb_) return;
    for (size_t i = 0; i < regions_.size(); ++i) {
      if (!CanMerge(regions_[i])) {
        Close(plan);
        continue;
      }
      if (!Fits(i)) Close(plan);
      run_.push_back(i);
      run_mb_ += regions_[i].size_mb;
    }
    Close(plan);
  }

 private:
  bool CanMerge(const SizedRegion& region) const {
    return region.open && region.info.id < newest_ms_ && region.size_mb >= least_mb_;
  }

  // An empty region is merged with any region before it, and the region after an empty first one may have any size.
  bool Fits(size_t i) const {
    if (run_.empty()) return true;
    if (regions_[run_.back()].info.end_key != regions_[i].info.start_key) return false;  // a hole in the table
    if (run_.size() == 1 && run_mb_ == 0) return true;
    if (run_.size() >= most_regions_) return false;
    return regions_[i].size_mb == 0 || run_mb_ + regions_[i].size_mb <= average_mb_;
  }

  void Close(std::vector<Normalization>* plan) {
    if (run_.size() > 1) {
      plan->push_back(
          {Normalization::Kind::kMerge, run_, run_mb_,
           absl::StrFormat("%d regions of %d MB together, the average is %d MB", run_.size(), run_mb_, average_mb_)});
    }
    run_.clear();
    run_mb_ = 0;
  }

  const std::vector<SizedRegion>& regions_;
  const int64_t average_mb_;  // whole MB, as HBase compares
  const int64_t least_regions_;
  const size_t most_regions_;
  const int64_t least_mb_;
  const int64_t newest_ms_;  // a younger region is not merged
  std::vector<size_t> run_;
  int64_t run_mb_ = 0;
};

void CutToSize(int64_t limit_mb, uint64_t seed, std::vector<Normalization>* plan) {
  if (limit_mb == std::numeric_limits<int64_t>::max()) return;
  Dice(seed).Shuffle(plan);
  int64_t total_mb = 0;
  std::erase_if(*plan, [&](const Normalization& one) { return (total_mb += one.size_mb) > limit_mb; });
}

}  // namespace

bool IsNormalized(const TableDescriptor& table, const NormalizerSettings& settings) {
  return !table.name.IsSystem() && Flag(table, "NORMALIZATION_ENABLED", settings.enabled_by_default);
}

std::vector<Normalization> MakeNormalizerPlan(const TableDescriptor& table, const std::vector<SizedRegion>& regions,
                                              const NormalizerSettings& settings, SplitMergeSwitches switches,
                                              int64_t now_ms, uint64_t seed) {
  std::vector<Normalization> plan;
  if (table.name.IsSystem() || regions.empty()) return plan;
  const double average_mb = AverageSizeMb(table, regions);
  if (switches.split && Flag(table, "hbase.normalizer.split.enabled", settings.split_enabled)) {
    AddSplits(regions, average_mb, &plan);
  }
  if (switches.merge && Flag(table, "hbase.normalizer.merge.enabled", settings.merge_enabled)) {
    MergeFinder(table, regions, settings, average_mb, now_ms).AddMerges(&plan);
  }
  CutToSize(settings.plans_size_limit_mb, seed, &plan);
  return plan;
}

std::string NormalizerPlanText(const std::vector<SizedRegion>& regions, const std::vector<Normalization>& plan) {
  std::string text;
  for (const Normalization& one : plan) {
    text += one.kind == Normalization::Kind::kSplit ? "split" : "merge";
    for (const size_t region : one.regions) {
      absl::StrAppend(&text, " ", ToStringBinary(regions[region].info.Name()), " (", regions[region].size_mb, " MB)");
    }
    absl::StrAppend(&text, ": ", one.reason, "\n");
  }
  return text;
}

}  // namespace vaquita::balancer
