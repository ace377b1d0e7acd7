// tools/bench/chart_svg.h: a chart of lines as SVG for an HTML page, which gives it its colours.
//
// The page's style sheet has the classes `axis`, `grid` and `s0` to `s5`, for series. Threads: functions.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace vaquita::bench {

inline constexpr int kChartColours = 6;

struct ChartLine {
  int series = 0;  // its colour
  std::vector<std::pair<double, double>> points;
};

struct Tick {
  double at = 0;
  std::string text;
};

struct Chart {
  std::string title;  // for those who cannot see it
  std::string x_label;
  std::string y_label;
  std::vector<Tick> x_ticks;
  std::vector<Tick> y_ticks;
  bool log_y = false;
  double least_x = 0, most_x = 1, least_y = 0, most_y = 1;
  std::vector<ChartLine> lines;
};

std::string ChartSvg(const Chart& chart);

// Returns three to six round numbers from 0 to `most` or a little more, as ticks; the last one is the axis' end.
std::vector<Tick> EvenTicks(double most);

// Returns `text` with the characters that mean something to HTML as entities.
std::string HtmlText(const std::string& text);

}  // namespace vaquita::bench
