#include "lab/heat_map.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "region/region_info.h"

namespace vaquita::lab {
namespace {

constexpr size_t kLabelWidth = 18;

// Of the keys as bytes, so that no \xNN is cut.
std::string CommonLabel(const SplitKeys& splits) {
  if (splits.keys().size() < 2) return {};
  const std::string& first = splits.keys().front();
  const std::string& last = splits.keys().back();
  const auto end = std::mismatch(first.begin(), first.end(), last.begin(), last.end()).first;
  return ToStringBinary(std::string_view(first).substr(0, static_cast<size_t>(end - first.begin())));
}

// Block and colour (of the 256 that terminals have) of a heat; darker shades are hotter, and so are the colours on the
// dark ground of most terminals brighter.
struct Shade {
  const char* block;
  int color;
};

Shade ShadeOf(double value, double most) {
  static constexpr Shade kShades[] = {{"░", 24},  {"░", 31},  {"▒", 37},  {"▒", 79},
                                      {"▓", 150}, {"▓", 186}, {"█", 227}, {"█", 231}};
  if (value <= 0) return {"·", 238};
  return kShades[std::min<int>(7, static_cast<int>(HeatOf(value, most) * 8))];
}

}  // namespace

HeatMap MakeHeatMap(const RequestCounts& counts, const SplitKeys& splits) {
  HeatMap map;
  map.columns = counts.slices();
  map.most = counts.regions();
  map.values.resize(static_cast<size_t>(counts.regions()) * counts.slices());
  std::vector<uint64_t> totals(counts.regions());
  for (int slice = 0; slice < counts.slices(); ++slice) {
    const double even = static_cast<double>(counts.OfSlice(slice)) / counts.regions();
    for (int region = 0; region < counts.regions(); ++region) {
      const uint64_t requests = counts.At(region, slice);
      totals[region] += requests;
      if (requests > 0)
        map.values[static_cast<size_t>(region) * map.columns + slice] = static_cast<double>(requests) / even;
    }
  }
  const double even = static_cast<double>(counts.Total()) / counts.regions();
  map.common_label = CommonLabel(splits);
  for (int region = 0; region < counts.regions(); ++region) {
    map.row_labels.push_back(ToStringBinary(splits.StartKey(region)));
    map.row_totals.push_back(totals[region] == 0 ? 0 : static_cast<double>(totals[region]) / even);
  }
  return map;
}

HeatMap WithFewerRows(const HeatMap& map, int rows) {
  if (map.rows() <= rows) return map;
  HeatMap fewer = map;
  fewer.row_labels.clear();
  fewer.row_totals.assign(rows, 0);
  fewer.values.assign(static_cast<size_t>(rows) * map.columns, 0);
  for (int64_t row = 0; row < map.rows(); ++row) {
    const auto to = static_cast<int>(row * rows / map.rows());
    if (to == static_cast<int>(fewer.row_labels.size())) fewer.row_labels.push_back(map.row_labels[row]);
    fewer.row_totals[to] = std::max(fewer.row_totals[to], map.row_totals[row]);
    for (int column = 0; column < map.columns; ++column) {
      double& value = fewer.values[static_cast<size_t>(to) * map.columns + column];
      value = std::max(value, map.At(static_cast<int>(row), column));
    }
  }
  fewer.row_axis += absl::StrFormat(" (%d in %d rows; the hottest of each)", map.rows(), rows);
  return fewer;
}

std::string ShortLabel(const HeatMap& map, int row, size_t width) {
  std::string label = map.row_labels[row];
  if (label.size() > width && map.common_label.size() > 2 && label.starts_with(map.common_label)) {
    label = ".." + label.substr(map.common_label.size());
  }
  return label.size() <= width ? label : label.substr(0, width - 2) + "..";
}

double HeatOf(double value, double most) {
  return most <= 0 ? 0 : std::clamp(std::log1p(value) / std::log1p(most), 0.0, 1.0);
}

std::string HeatMapText(const HeatMap& whole, const HeatMapTextOptions& options) {
  const HeatMap map = WithFewerRows(whole, options.rows);
  std::string text = map.title.empty() ? "" : map.title + "\n";
  if (!map.subtitle.empty()) absl::StrAppend(&text, map.subtitle, "\n");
  for (int row = 0; row < map.rows(); ++row) {
    absl::StrAppendFormat(&text, "%-*s ", static_cast<int>(kLabelWidth), ShortLabel(map, row, kLabelWidth));
    int color = -1;
    for (int column = 0; column < map.columns; ++column) {
      const Shade shade = ShadeOf(map.At(row, column), map.most);
      if (options.color && shade.color != color) absl::StrAppendFormat(&text, "\033[38;5;%dm", color = shade.color);
      absl::StrAppend(&text, shade.block);
    }
    absl::StrAppendFormat(&text, "%s %5.2f\n", options.color ? "\033[0m" : "", map.row_totals[row]);
  }
  const int gap = map.columns - static_cast<int>(map.first_column.size() + map.last_column.size());
  absl::StrAppend(&text, std::string(kLabelWidth + 1, ' '), map.first_column, std::string(std::max(1, gap), ' '),
                  map.last_column, "\n");
  absl::StrAppend(&text, "down: ", map.row_axis, "; across: ", map.column_axis, "; right: times an even share\n");
  text += "times an even share in a slice:";
  std::vector<double> ticks = {0, 0.5, 1};
  for (const double tick : {2.0, 5.0, 10.0, 50.0, 200.0}) {
    if (tick < map.most * 0.7) ticks.push_back(tick);
  }
  if (map.most > 1) ticks.push_back(map.most);
  for (const double tick : ticks) {
    const Shade shade = ShadeOf(tick, map.most);
    absl::StrAppend(&text, " ", options.color ? absl::StrFormat("\033[38;5;%dm", shade.color) : "", shade.block,
                    options.color ? "\033[0m" : "", " ", tick);
  }
  return text + "\n";
}

}  // namespace vaquita::lab
