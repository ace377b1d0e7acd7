#include "tools/bench/chart_svg.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"

namespace vaquita::bench {
namespace {

constexpr double kWidth = 460;
constexpr double kHeight = 290;
constexpr double kLeft = 62;
constexpr double kRight = 14;
constexpr double kTop = 24;
constexpr double kBottom = 44;

double PlaceX(const Chart& chart, double x) {
  const double part = (x - chart.least_x) / std::max(1e-12, chart.most_x - chart.least_x);
  return kLeft + std::clamp(part, 0.0, 1.0) * (kWidth - kLeft - kRight);
}

double PlaceY(const Chart& chart, double y) {
  const auto scaled = [&](double value) { return chart.log_y ? std::log10(std::max(value, 1e-12)) : value; };
  const double part =
      (scaled(y) - scaled(chart.least_y)) / std::max(1e-12, scaled(chart.most_y) - scaled(chart.least_y));
  return kHeight - kBottom - std::clamp(part, 0.0, 1.0) * (kHeight - kTop - kBottom);
}

std::string TickNumber(double number) {
  if (number >= 1e6) return absl::StrFormat("%gM", number / 1e6);
  if (number >= 1e4) return absl::StrFormat("%gk", number / 1e3);
  return absl::StrFormat("%g", number);
}

}  // namespace

std::string HtmlText(const std::string& text) {
  return absl::StrReplaceAll(text, {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

std::vector<Tick> EvenTicks(double most) {
  most = std::max(most, 1e-9);
  const double magnitude = std::pow(10, std::floor(std::log10(most)));
  double step = magnitude;
  for (const double part : {0.2, 0.5, 1.0, 2.0}) {
    step = magnitude * part;
    if (most / step <= 5) break;
  }
  std::vector<Tick> ticks;
  for (int i = 0; i == 0 || ticks.back().at < most * (1 - 1e-9); ++i) ticks.push_back({i * step, TickNumber(i * step)});
  return ticks;
}

std::string ChartSvg(const Chart& chart) {
  std::string svg = absl::StrFormat("<svg viewBox=\"0 0 %g %g\" role=\"img\" aria-label=\"%s\">\n", kWidth, kHeight,
                                    HtmlText(chart.title));
  for (const Tick& tick : chart.y_ticks) {
    const double y = PlaceY(chart, tick.at);
    absl::StrAppendFormat(&svg,
                          "<line class=\"grid\" x1=\"%g\" x2=\"%g\" y1=\"%.1f\" y2=\"%.1f\"/>"
                          "<text class=\"axis\" x=\"%g\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
                          kLeft, kWidth - kRight, y, y, kLeft - 6, y + 4, HtmlText(tick.text));
  }
  for (const Tick& tick : chart.x_ticks) {
    const double x = PlaceX(chart, tick.at);
    absl::StrAppendFormat(&svg,
                          "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%g\" y2=\"%g\"/>"
                          "<text class=\"axis\" x=\"%.1f\" y=\"%g\" text-anchor=\"middle\">%s</text>\n",
                          x, x, kTop, kHeight - kBottom, x, kHeight - kBottom + 16, HtmlText(tick.text));
  }
  absl::StrAppendFormat(&svg,
                        "<text class=\"axis\" x=\"%g\" y=\"%g\" text-anchor=\"end\">%s</text>"
                        "<text class=\"axis\" x=\"4\" y=\"13\">%s</text>\n",
                        kWidth - kRight, kHeight - 8, HtmlText(chart.x_label), HtmlText(chart.y_label));
  for (const ChartLine& line : chart.lines) {
    if (line.points.empty()) continue;
    absl::StrAppendFormat(&svg, "<polyline class=\"s%d\" points=\"", line.series % kChartColours);
    for (const auto& [x, y] : line.points) {
      absl::StrAppendFormat(&svg, "%.1f,%.1f ", PlaceX(chart, x), PlaceY(chart, y));
    }
    svg += "\"/>\n";
  }
  return svg + "</svg>\n";
}

}  // namespace vaquita::bench
