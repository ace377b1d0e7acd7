#include "base/did_you_mean.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"

namespace vaquita {
namespace {

constexpr size_t kLongestName = 100;  // bytes; nobody mistypes a longer one, and the edits take their product in time

// Returns the number of bytes to change, add, drop or swap with their neighbours to turn `b` into `a`.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> edits(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        edits[i][j] = i + j;
        continue;
      }
      const size_t changed = edits[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      edits[i][j] = std::min({changed, edits[i - 1][j] + 1, edits[i][j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) edits[i][j] = std::min(edits[i][j], edits[i - 2][j - 2] + 1);
    }
  }
  return edits.back().back();
}

}  // namespace

std::string_view NearestName(std::string_view name, const std::vector<std::string_view>& candidates) {
  std::string_view nearest;
  if (name.size() > kLongestName) return nearest;
  size_t distance = (name.size() + 3) / 4 + 1;
  for (const std::string_view candidate : candidates) {
    const size_t least = std::max(name.size(), candidate.size()) - std::min(name.size(), candidate.size());
    if (least >= distance) continue;
    const size_t edits = EditDistance(name, candidate);
    if (edits >= distance) continue;
    distance = edits;
    nearest = candidate;
  }
  return nearest;
}

std::string DidYouMean(std::string_view name, const std::vector<std::string_view>& candidates) {
  const std::string_view nearest = NearestName(name, candidates);
  return nearest.empty() ? "" : absl::StrCat("; did you mean '", AbslText(nearest), "'?");
}

}  // namespace vaquita
