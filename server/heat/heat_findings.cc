#include "server/heat/heat_findings.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "model/region_info.h"

namespace vaquita {
namespace {

// A region is hot if it takes at least this part of all, and this many times its share.
constexpr double kHotPart = 0.4;
constexpr double kHotTimes = 2;
// Load is even if no region takes more than this many times its share.
constexpr double kEvenTimes = 1.25;
// A row of the picture is a hot spot if it takes at least this part of all.
constexpr double kHotRow = 0.3;
// Fewer requests say nothing.
constexpr int64_t kFew = 20;

absl::string_view Noun(HeatMetric metric) {
  switch (metric) {
    case HeatMetric::kReads:
      return "reads";
    case HeatMetric::kWrites:
      return "writes";
    case HeatMetric::kBytes:
      break;
  }
  return "bytes";
}

// Returns a region's load as a multiple of an even share: "3.76 x an even share".
std::string ShareText(int64_t part, int64_t all, size_t regions) {
  return absl::StrFormat("%.2f x an even share",
                         static_cast<double>(part) * static_cast<double>(regions) / static_cast<double>(all));
}

// Returns what a region takes: "all writes (8.00 x an even share)" or "3.76 x an even share of the writes".
std::string TakenText(int64_t part, int64_t all, size_t regions, absl::string_view noun) {
  const double whole = static_cast<double>(part) / static_cast<double>(all);
  const std::string share = ShareText(part, all, regions);
  if (whole < 0.8) return absl::StrCat(share, " of the ", noun);
  return absl::StrCat(whole > 0.995 ? "all " : "nearly all ", noun, " (", share, ")");
}

std::string Place(size_t region, size_t regions) {
  if (region + 1 == regions) return absl::StrCat("The last of ", regions, " regions");
  if (region == 0) return absl::StrCat("The first of ", regions, " regions");
  return absl::StrCat("Region ", region + 1, " of ", regions);
}

std::string RowText(const HeatPicture& picture, size_t row) {
  const std::string& start = picture.rows[row].start;
  const bool last = row + 1 == picture.rows.size();
  if (last) return absl::StrCat("from ", ToStringBinary(start), " on");
  if (start.empty()) return absl::StrCat("before ", ToStringBinary(picture.rows[row + 1].start));
  return absl::StrCat("from ", ToStringBinary(start), " to ", ToStringBinary(picture.rows[row + 1].start));
}

struct Sums {
  std::vector<int64_t> regions;
  std::vector<int64_t> rows;
  int64_t all = 0;
};

Sums SumsOf(const HeatPicture& picture, HeatMetric metric) {
  Sums sums{std::vector<int64_t>(picture.regions.size()), std::vector<int64_t>(picture.rows.size())};
  for (const HeatPicture::Column& column : picture.columns) {
    for (size_t row = 0; row < picture.rows.size(); ++row) {
      const int64_t count = CountOf(column.counts[row], metric);
      sums.rows[row] += count;
      sums.all += count;
      if (picture.rows[row].regions == 1) sums.regions[picture.rows[row].first_region] += count;
    }
  }
  return sums;
}

// The place of what was counted among the rows, on average, in one half of the picture's columns.
double MeanRow(const HeatPicture& picture, HeatMetric metric, size_t first, size_t last) {
  double weighted = 0, sum = 0;
  for (size_t at = first; at < last; ++at) {
    for (size_t row = 0; row < picture.rows.size(); ++row) {
      const auto count = static_cast<double>(CountOf(picture.columns[at].counts[row], metric));
      weighted += count * static_cast<double>(row);
      sum += count;
    }
  }
  return sum == 0 ? 0 : weighted / sum;
}

bool Rises(const HeatPicture& picture, HeatMetric metric) {
  const size_t half = picture.columns.size() / 2;
  if (half < 4) return false;
  return MeanRow(picture, metric, half, picture.columns.size()) > MeanRow(picture, metric, 0, half) + 1;
}

}  // namespace

int64_t CountOf(const KeyCounts& counts, HeatMetric metric) {
  switch (metric) {
    case HeatMetric::kReads:
      return counts.reads;
    case HeatMetric::kWrites:
      return counts.writes;
    case HeatMetric::kBytes:
      break;
  }
  return counts.bytes;
}

std::vector<std::string> HeatFindings(const HeatPicture& picture, HeatMetric metric) {
  std::vector<std::string> findings;
  const Sums sums = SumsOf(picture, metric);
  if (sums.all < kFew) return findings;
  const size_t regions = sums.regions.size();
  const auto hottest = std::max_element(sums.regions.begin(), sums.regions.end());
  const auto share = static_cast<double>(sums.all) / static_cast<double>(regions);
  const auto most = static_cast<double>(*hottest);
  if (regions > 1 && most >= kHotPart * static_cast<double>(sums.all) && most >= kHotTimes * share) {
    const size_t region = hottest - sums.regions.begin();
    findings.push_back(absl::StrCat(Place(region, regions), " takes ",
                                    TakenText(*hottest, sums.all, regions, Noun(metric)),
                                    region + 1 == regions && Rises(picture, metric) ? ": keys rise with time." : "."));
  } else if (regions > 1 && most <= kEvenTimes * share) {
    findings.push_back(absl::StrCat("The ", Noun(metric), " are spread evenly: the busiest of ", regions,
                                    " regions takes ", ShareText(*hottest, sums.all, regions), "."));
  } else if (regions == 1) {
    findings.push_back(absl::StrCat("The table has one region, so one server does all ", Noun(metric), "."));
  }
  const size_t row = std::max_element(sums.rows.begin(), sums.rows.end()) - sums.rows.begin();
  if (sums.rows.size() > 2 && static_cast<double>(sums.rows[row]) >= kHotRow * static_cast<double>(sums.all)) {
    findings.push_back(absl::StrCat(sums.rows[row], " of ", sums.all, " ", Noun(metric), " go to the keys ",
                                    RowText(picture, row), "."));
  }
  return findings;
}

}  // namespace vaquita
