#include "lab/report/heat_map.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "model/region_info.h"

namespace vaquita::lab {
namespace {

constexpr size_t kLabelWidth = 18;

// A shade's end, as a multiple of an even share; its block; its colour among the 256 of terminals. Hotter ones are
// fuller, and brighter on the dark ground of most terminals. Even has a shade of its own, wide enough for chance.
struct Shade {
  double end;
  const char* block;
  int color;
};

constexpr Shade kNothing = {0, "·", 238};

std::array<Shade, 4> Shades(double most) {
  const double hot = std::max(1.5, 1.2 * std::sqrt(most));
  return {{{0.5, "░", 24}, {1.5, "▒", 37}, {hot, "▓", 186}, {most + 1, "█", 231}}};
}

const Shade& ShadeOf(double value, const std::array<Shade, 4>& shades) {
  if (value <= 0) return kNothing;
  const auto found = std::find_if(shades.begin(), shades.end(), [value](const Shade& s) { return value < s.end; });
  return found == shades.end() ? shades.back() : *found;
}

std::string Painted(const Shade& shade, bool color) {
  return color ? absl::StrFormat("\033[38;5;%dm%s\033[0m", shade.color, shade.block) : shade.block;
}

std::string ShadesText(const std::array<Shade, 4>& shades, bool color) {
  std::string text = absl::StrCat("x an even share in a slice: ", Painted(kNothing, color), " nothing");
  double begin = 0;
  for (const Shade& shade : shades) {
    if (shade.end <= begin) continue;
    absl::StrAppend(&text, ", ", Painted(shade, color));
    absl::StrAppend(&text, &shade == &shades.back() ? absl::StrFormat(" from %.3g", begin)
                                                    : absl::StrFormat(" below %.3g", shade.end));
    begin = shade.end;
  }
  return text + "\n";
}

// Returns the whole words that all labels but the empty one begin with.
std::string CommonWords(const std::vector<std::string>& labels) {
  if (labels.size() < 3) return "";
  const std::string& a = labels[1];
  size_t common = a.size();
  for (size_t i = 2; i < labels.size(); ++i) {
    const std::string& b = labels[i];
    common = std::mismatch(a.begin(), a.begin() + std::min(common, b.size()), b.begin()).first - a.begin();
  }
  const size_t space = a.rfind(' ', common);
  return space == std::string::npos ? "" : a.substr(0, space + 1);
}

}  // namespace

HeatMap MakeHeatMap(const RequestCounts& counts, const SplitKeys& splits, const std::vector<std::string>& starts) {
  HeatMap map;
  map.columns = counts.slices();
  map.most = counts.regions();
  map.values.resize(static_cast<size_t>(counts.regions()) * counts.slices());
  map.requests.resize(map.values.size());
  std::vector<uint64_t> totals(counts.regions());
  for (int slice = 0; slice < counts.slices(); ++slice) {
    const double even = static_cast<double>(counts.OfSlice(slice)) / counts.regions();
    for (int region = 0; region < counts.regions(); ++region) {
      const uint64_t requests = counts.At(region, slice);
      totals[region] += requests;
      map.requests[static_cast<size_t>(region) * map.columns + slice] = requests;
      if (requests > 0)
        map.values[static_cast<size_t>(region) * map.columns + slice] = static_cast<double>(requests) / even;
    }
  }
  const double even = static_cast<double>(counts.Total()) / counts.regions();
  for (int region = 0; region < counts.regions(); ++region) {
    map.row_keys.push_back(ToStringBinary(splits.StartKey(region)));
    map.row_totals.push_back(totals[region] == 0 ? 0 : static_cast<double>(totals[region]) / even);
  }
  map.row_labels = starts.empty() ? map.row_keys : starts;
  // If labels are keys, it is taken from their bytes, so that \xNN stays whole.
  map.common_label =
      map.row_labels == map.row_keys ? ToStringBinary(splits.common_prefix()) : CommonWords(map.row_labels);
  return map;
}

void ShowTimes(const TimeAxis& axis, HeatMap* map) {
  map->first_column = axis.Text(axis.first_ms());
  map->last_column = axis.Text(axis.last_ms());
  map->column_axis = absl::StrCat("time (UTC), ", map->first_column, " to ", map->last_column);
  map->ticks = axis.Ticks();
  map->column_names.clear();
  for (int column = 0; column < map->columns; ++column) {
    map->column_names.push_back(axis.Text(axis.MsAt(static_cast<double>(column) / map->columns)));
  }
}

HeatMap WithFewerRows(const HeatMap& map, int rows) {
  if (map.rows() <= rows) return map;
  HeatMap fewer = map;
  fewer.row_labels.clear();
  fewer.row_keys.clear();
  fewer.row_totals.assign(rows, 0);
  fewer.values.assign(static_cast<size_t>(rows) * map.columns, 0);
  fewer.requests.assign(map.requests.empty() ? 0 : fewer.values.size(), 0);
  for (int64_t row = 0; row < map.rows(); ++row) {
    const auto to = static_cast<int>(row * rows / map.rows());
    if (to == static_cast<int>(fewer.row_labels.size())) {
      fewer.row_labels.push_back(map.row_labels[row]);
      if (!map.row_keys.empty()) fewer.row_keys.push_back(map.row_keys[row]);
    }
    fewer.row_totals[to] = std::max(fewer.row_totals[to], map.row_totals[row]);
    for (int column = 0; column < map.columns; ++column) {
      const size_t cell = static_cast<size_t>(to) * map.columns + column;
      fewer.values[cell] = std::max(fewer.values[cell], map.At(static_cast<int>(row), column));
      if (map.requests.empty()) continue;
      fewer.requests[cell] =
          std::max(fewer.requests[cell], map.requests[static_cast<size_t>(row) * map.columns + column]);
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
  const std::array<Shade, 4> shades = Shades(map.most);
  std::string text = map.title.empty() ? "" : map.title + "\n";
  if (!map.subtitle.empty()) absl::StrAppend(&text, map.subtitle, "\n");
  for (int row = 0; row < map.rows(); ++row) {
    absl::StrAppendFormat(&text, "%-*s ", static_cast<int>(kLabelWidth), ShortLabel(map, row, kLabelWidth));
    int color = -1;
    for (int column = 0; column < map.columns; ++column) {
      const Shade& shade = ShadeOf(map.At(row, column), shades);
      if (options.color && shade.color != color) absl::StrAppendFormat(&text, "\033[38;5;%dm", color = shade.color);
      absl::StrAppend(&text, shade.block);
    }
    absl::StrAppendFormat(&text, "%s %5.2f x\n", options.color ? "\033[0m" : "", map.row_totals[row]);
  }
  const int gap = map.columns - static_cast<int>(map.first_column.size() + map.last_column.size());
  absl::StrAppend(&text, std::string(kLabelWidth + 1, ' '), map.first_column, std::string(std::max(1, gap), ' '),
                  map.last_column, "\n");
  absl::StrAppend(&text, "down: ", map.row_axis, "; across: ", map.column_axis, "; right: x an even share\n");
  return text + ShadesText(shades, options.color);
}

}  // namespace vaquita::lab
