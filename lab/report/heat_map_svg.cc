#include <algorithm>
#include <array>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "lab/report/heat_map.h"
#include "lab/report/simulation_report.h"
#include "lab/report/xml_text.h"

namespace vaquita::lab {
namespace {

// Sizes in pixels. From left to right: axis name, labels, plot, totals.
constexpr int kPictureWidth = 1000;
constexpr int kPlotLeft = 210;
constexpr int kPlotWidth = 600;
constexpr int kTotalsLeft = kPlotLeft + kPlotWidth + 24;
constexpr int kTotalsWidth = 120;
constexpr int kPlotTop = 84;
constexpr int kMostRows = 240;
constexpr int kLabelHeight = 12;
constexpr size_t kLabelLetters = 24;
constexpr int kMostCellsWithTips = 4000;

struct Color {
  int red, green, blue;
};

// ColorBrewer YlGnBu, nine classes, with what lies between them.
Color ColorOf(double heat) {
  static constexpr std::array<Color, 9> kColors = {{{255, 255, 217},
                                                    {237, 248, 177},
                                                    {199, 233, 180},
                                                    {127, 205, 187},
                                                    {65, 182, 196},
                                                    {29, 145, 192},
                                                    {34, 94, 168},
                                                    {37, 52, 148},
                                                    {8, 29, 88}}};
  const double place = std::clamp(heat, 0.0, 1.0) * (kColors.size() - 1);
  const auto below = std::min<size_t>(static_cast<size_t>(place), kColors.size() - 2);
  const double part = place - static_cast<double>(below);
  const auto between = [part](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * part)); };
  const Color& a = kColors[below];
  const Color& b = kColors[below + 1];
  return {between(a.red, b.red), between(a.green, b.green), between(a.blue, b.blue)};
}

std::string ColorText(double value, double most) {
  // In 64 steps, so that neighbours of one colour can be drawn as one.
  const Color color = ColorOf(std::round(HeatOf(value, most) * 64) / 64);
  return absl::StrFormat("#%02x%02x%02x", color.red, color.green, color.blue);
}

// One picture on its way.
class Drawing {
 public:
  explicit Drawing(const HeatMap& map)
      : map_(map),
        row_height_(std::clamp(480.0 / std::max(1, map.rows()), 2.0, 22.0)),
        height_(row_height_ * map.rows()) {}

  std::string Draw() {
    Open();
    Cells();
    RowLabels();
    Totals();
    ColumnAxis();
    Legend();
    svg_ += "</svg>\n";
    return std::move(svg_);
  }

 private:
  double Top(int row) const { return kPlotTop + row * row_height_; }
  double Bottom() const { return kPlotTop + height_; }
  std::string Label(int row) const {
    return map_.row_labels[row].empty() ? "(first)" : XmlText(ShortLabel(map_, row, kLabelLetters));
  }
  void Text(double x, double y, const std::string& text, const std::string& more = "") {
    absl::StrAppendFormat(&svg_, "<text x=\"%g\" y=\"%g\"%s>%s</text>\n", x, y, more, text);
  }

  void Open() {
    const double height = Bottom() + 116;
    absl::StrAppendFormat(
        &svg_,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %g\" width=\"%d\" height=\"%g\" "
        "role=\"img\" font-family=\"DejaVu Sans, Verdana, sans-serif\" font-size=\"12\" fill=\"#222\">\n",
        kPictureWidth, height, kPictureWidth, height);
    absl::StrAppend(&svg_, "<title>", XmlText(map_.title),
                    "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    Text(20, 28, XmlText(map_.title), " font-size=\"17\" font-weight=\"bold\"");
    Text(20, 48, XmlText(map_.subtitle), " fill=\"#555\"");
    const double middle = kPlotTop + height_ / 2;
    absl::StrAppendFormat(&svg_, "<text transform=\"translate(20 %g) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
                          middle, XmlText(map_.row_axis));
  }

  // Runs of one colour are one rectangle, unless each cell has something to say.
  void Cells() {
    const double width = static_cast<double>(kPlotWidth) / std::max(1, map_.columns);
    const bool tips = map_.rows() * map_.columns <= kMostCellsWithTips;
    svg_ += "<g shape-rendering=\"crispEdges\">\n";
    for (int row = 0; row < map_.rows(); ++row) {
      for (int column = 0; column < map_.columns;) {
        const double value = map_.At(row, column);
        int end = column + 1;
        while (!tips && end < map_.columns && Same(value, map_.At(row, end))) ++end;
        if (value > 0) Cell(row, column, end, width, tips);
        column = end;
      }
    }
    absl::StrAppendFormat(&svg_,
                          "</g>\n<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%g\" fill=\"none\" stroke=\"#888\"/>\n",
                          kPlotLeft, kPlotTop, kPlotWidth, height_);
  }
  bool Same(double a, double b) const {
    return (a > 0) == (b > 0) && ColorText(a, map_.most) == ColorText(b, map_.most);
  }
  void Cell(int row, int column, int end, double width, bool tip) {
    const double value = map_.At(row, column);
    absl::StrAppendFormat(&svg_, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"",
                          kPlotLeft + column * width, Top(row), (end - column) * width, row_height_,
                          ColorText(value, map_.most));
    if (!tip) {
      svg_ += "/>\n";
      return;
    }
    const size_t cell = static_cast<size_t>(row) * map_.columns + column;
    absl::StrAppendFormat(&svg_, "><title>%s: %s%.2f x an even share (slice %d of %d)</title></rect>\n", Label(row),
                          map_.requests.empty() ? "" : WithCommas(map_.requests[cell]) + " requests, ", value,
                          column + 1, map_.columns);
  }

  void RowLabels() {
    const int step = static_cast<int>(std::ceil(kLabelHeight / row_height_));
    svg_ += "<g font-family=\"DejaVu Sans Mono, monospace\" font-size=\"10\" text-anchor=\"end\">\n";
    for (int row = 0; row < map_.rows(); row += step) {
      Text(kPlotLeft - 6, Top(row) + (step == 1 ? row_height_ / 2 : row_height_) + 3.5, Label(row));
    }
    svg_ += "</g>\n";
  }

  // Bars: how much of the whole run each region got. The dashed line is an even share.
  void Totals() {
    double most = 2;
    for (const double total : map_.row_totals) most = std::max(most, total);
    const auto x = [&](double value) { return kTotalsLeft + kTotalsWidth * value / most; };
    Text(kTotalsLeft, kPlotTop - 22, "whole run,");
    Text(kTotalsLeft, kPlotTop - 8, "x an even share");
    svg_ += "<g shape-rendering=\"crispEdges\" fill=\"#225ea8\">\n";
    for (int row = 0; row < map_.rows(); ++row) {
      const double gap = row_height_ >= 6 ? 1.5 : 0;
      absl::StrAppendFormat(&svg_, "<rect x=\"%d\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>\n", kTotalsLeft,
                            Top(row) + gap, x(map_.row_totals[row]) - kTotalsLeft, row_height_ - 2 * gap);
    }
    svg_ += "</g>\n";
    if (row_height_ >= kLabelHeight) {
      for (int row = 0; row < map_.rows(); ++row) {
        Text(x(map_.row_totals[row]) + 4, Top(row) + row_height_ / 2 + 4,
             absl::StrFormat("%.2f x", map_.row_totals[row]), " font-size=\"10\"");
      }
    }
    absl::StrAppendFormat(&svg_,
                          "<line x1=\"%.2f\" x2=\"%.2f\" y1=\"%d\" y2=\"%g\" stroke=\"#d95f02\" stroke-width=\"1.5\" "
                          "stroke-dasharray=\"4 3\"/>\n",
                          x(1), x(1), kPlotTop, Bottom() + 4);
    Text(x(1), Bottom() + 18, "1", " text-anchor=\"middle\"");
  }

  void ColumnAxis() {
    Text(kPlotLeft, Bottom() + 18, XmlText(map_.first_column));
    Text(kPlotLeft + kPlotWidth, Bottom() + 18, XmlText(map_.last_column), " text-anchor=\"end\"");
    Text(kPlotLeft + kPlotWidth / 2.0, Bottom() + 36, XmlText(map_.column_axis), " text-anchor=\"middle\"");
  }

  void Legend() {
    const double y = Bottom() + 62;
    constexpr int kSteps = 64;
    constexpr double kLegendWidth = 320;
    constexpr double kStep = kLegendWidth / kSteps;
    constexpr double kLeft = kPlotLeft + 60;
    absl::StrAppendFormat(&svg_, "<rect x=\"%d\" y=\"%g\" width=\"24\" height=\"14\" fill=\"#fff\" stroke=\"#888\"/>\n",
                          kPlotLeft, y);
    Text(kPlotLeft + 12, y + 28, "none", " text-anchor=\"middle\"");
    svg_ += "<g shape-rendering=\"crispEdges\">\n";
    for (int i = 0; i < kSteps; ++i) {
      const double heat = (i + 0.5) / kSteps;
      absl::StrAppendFormat(&svg_, "<rect x=\"%.2f\" y=\"%g\" width=\"%.2f\" height=\"14\" fill=\"%s\"/>\n",
                            kLeft + i * kStep, y, kStep,
                            ColorText(std::expm1(heat * std::log1p(map_.most)), map_.most));
    }
    absl::StrAppendFormat(&svg_,
                          "</g>\n<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"14\" fill=\"none\" stroke=\"#888\"/>\n",
                          kLeft, y, kLegendWidth);
    double last = -1000;
    for (const double tick : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, map_.most}) {
      const double x = kLeft + kLegendWidth * HeatOf(tick, map_.most);
      const bool end = tick == map_.most;
      if (tick > map_.most || x - last < 22 || (!end && kLeft + kLegendWidth - x < 30)) continue;
      last = x;
      absl::StrAppendFormat(&svg_, "<line x1=\"%.2f\" x2=\"%.2f\" y1=\"%g\" y2=\"%g\" stroke=\"#222\"/>\n", x, x,
                            y + 14, y + 18);
      Text(x, y + 30, absl::StrCat(tick), " text-anchor=\"middle\"");
    }
    Text(kLeft + kLegendWidth + 14, y + 12, "requests in a slice, x an even share;");
    Text(kLeft + kLegendWidth + 14, y + 28, "1: even; at the right end: one region has all");
  }

  const HeatMap& map_;
  const double row_height_;
  const double height_;
  std::string svg_;
};

}  // namespace

std::string HeatMapSvg(const HeatMap& map) {
  const HeatMap fewer = WithFewerRows(map, kMostRows);
  return Drawing(fewer).Draw();
}

}  // namespace vaquita::lab
