#include "lab/report/heat_map_picture.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "lab/report/canvas.h"
#include "lab/report/png_canvas.h"
#include "lab/report/simulation_report.h"
#include "lab/report/svg_canvas.h"
#include "lab/report/words.h"

namespace vaquita::lab {
namespace {

// From left to right: labels, plot, totals.
constexpr double kMargin = 10;
constexpr double kTextHeight = 21, kTitleHeight = 26;
constexpr double kGap = 8;
constexpr double kTotalsWidth = 116, kShareWidth = 68;
constexpr double kTotalsLeft = kCanvasWidth - kMargin - kTotalsWidth;
constexpr double kPlotRight = kTotalsLeft - 12;
constexpr double kLegendHeight = 66;
constexpr int kMostRows = 240;
constexpr size_t kLabelLetters = 18;
constexpr int kMostCellsWithTips = 8'000;

size_t LettersIn(double width, double size) { return static_cast<size_t>(width / (size * kUsualWidth)); }

int StepOf(double value, double most) { return static_cast<int>(std::lround(HeatOf(value, most) * kHeatSteps)); }

// One picture on its way.
class Drawing {
 public:
  explicit Drawing(const HeatMap& map)
      : map_(map),
        title_(Wrapped(map.title, LettersIn(kCanvasWidth - 2 * kMargin, kTitleSize * 1.08))),
        subtitle_(Wrapped(map.subtitle, LettersIn(kCanvasWidth - 2 * kMargin, kTextSize))),
        row_axis_(Wrapped(map.row_axis, LettersIn(kTotalsLeft - kMargin, kSmallSize))),
        row_height_(std::clamp(420.0 / std::max(1, map.rows()), 2.0, 30.0)) {
    size_t letters = 7;  // "(first)"
    for (int row = 0; row < map.rows(); ++row) letters = std::max(letters, ShortLabel(map, row, kLabelLetters).size());
    plot_left_ = kMargin + kMonoWidth * kTextSize * static_cast<double>(letters) + kGap;
    plot_top_ = 12 + kTitleHeight * static_cast<double>(title_.size()) +
                kTextHeight * static_cast<double>(subtitle_.size() + row_axis_.size()) + 2 * kGap;
  }

  double Height() const { return Bottom() + 2 * kTextHeight + kLegendHeight + 2 * kGap; }

  void DrawOn(Canvas* canvas) {
    canvas_ = canvas;
    Titles();
    Cells();
    RowLabels();
    Totals();
    ColumnAxis();
    Legend();
  }

 private:
  double Top(int row) const { return plot_top_ + row * row_height_; }
  double Bottom() const { return Top(map_.rows()); }
  double PlotWidth() const { return kPlotRight - plot_left_; }
  std::string Label(int row) const {
    return map_.row_labels[row].empty() ? "(first)" : ShortLabel(map_, row, kLabelLetters);
  }

  void Titles() {
    double y = 8;
    for (const std::string& line : title_)
      canvas_->Text(kMargin, y += kTitleHeight, line, {.size = kTitleSize, .bold = true});
    y += 4;
    for (const std::string& line : subtitle_) canvas_->Text(kMargin, y += kTextHeight, line, {.size = kTextSize});
    y = plot_top_ - kGap - kTextHeight * static_cast<double>(row_axis_.size());
    for (const std::string& line : row_axis_) {
      canvas_->Text(kMargin, y += kTextHeight, line, {.size = kSmallSize, .ink = {Ink::kQuiet}});
    }
  }

  // Runs of one colour are one area, unless each cell has something to say.
  void Cells() {
    const double width = PlotWidth() / std::max(1, map_.columns);
    const bool tips = map_.rows() * map_.columns <= kMostCellsWithTips;
    for (int row = 0; row < map_.rows(); ++row) {
      for (int column = 0; column < map_.columns;) {
        const double value = map_.At(row, column);
        int end = column + 1;
        while (!tips && end < map_.columns && Same(value, map_.At(row, end))) ++end;
        if (value > 0) {
          canvas_->Area(plot_left_ + column * width, Top(row), (end - column) * width, row_height_,
                        {Ink::kHeat, StepOf(value, map_.most)}, tips ? Tip(row, column) : "");
        }
        column = end;
      }
    }
    canvas_->Frame(plot_left_, plot_top_, PlotWidth(), Bottom() - plot_top_);
  }
  bool Same(double a, double b) const { return (a > 0) == (b > 0) && StepOf(a, map_.most) == StepOf(b, map_.most); }
  std::string Tip(int row, int column) const {
    const size_t cell = static_cast<size_t>(row) * map_.columns + column;
    std::string tip = map_.row_labels[row].empty() ? "first region" : "from " + map_.row_labels[row];
    if (!map_.row_keys.empty() && map_.row_keys[row] != map_.row_labels[row])
      absl::StrAppend(&tip, " (", map_.row_keys[row], ")");
    if (!map_.column_names.empty()) absl::StrAppend(&tip, ", at ", map_.column_names[column]);
    absl::StrAppend(&tip, ": ");
    if (!map_.requests.empty()) absl::StrAppend(&tip, WithCommas(map_.requests[cell]), " requests, ");
    absl::StrAppend(&tip, ShareText(map_.values[cell]), " an even share");
    return absl::StrCat(tip, " (slice ", column + 1, " of ", map_.columns, ")");
  }

  void RowLabels() {
    const int step = static_cast<int>(std::ceil((kTextSize + 1) / row_height_));
    for (int row = 0; row < map_.rows(); row += step) {
      const double y = Top(row) + (step == 1 ? row_height_ / 2 : row_height_) + kTextSize * 0.35;
      canvas_->Text(plot_left_ - kGap, y, Label(row), {.size = kTextSize, .mono = true, .anchor = TextStyle::kEnd});
    }
  }

  // Over the whole run, each region as a bar, and an even share as a line.
  void Totals() {
    const double most = std::max(1.0, *std::max_element(map_.row_totals.begin(), map_.row_totals.end())) * 1.05;
    const bool with_text = row_height_ >= kSmallSize;
    const double width = with_text ? kTotalsWidth - kShareWidth : kTotalsWidth;
    const double gap = row_height_ >= 6 ? 2 : 0;
    canvas_->Text(kCanvasWidth - kMargin, plot_top_ - kGap, "whole run",
                  {.size = kSmallSize, .anchor = TextStyle::kEnd, .ink = {Ink::kQuiet}});
    for (int row = 0; row < map_.rows(); ++row) {
      canvas_->Area(kTotalsLeft, Top(row) + gap, width * map_.row_totals[row] / most, row_height_ - 2 * gap,
                    {Ink::kBar});
      if (!with_text) continue;
      canvas_->Text(kCanvasWidth - kMargin, Top(row) + row_height_ / 2 + kSmallSize * 0.35,
                    ShareText(map_.row_totals[row]), {.size = kSmallSize, .mono = true, .anchor = TextStyle::kEnd});
    }
    const double even = kTotalsLeft + width / most;
    canvas_->Line(even, plot_top_, even, Bottom() + 5, {Ink::kMark}, true);
    canvas_->Text(even, Bottom() + kTextHeight, "1", {.size = kSmallSize, .anchor = TextStyle::kMiddle});
  }

  void ColumnAxis() {
    const double y = Bottom() + kTextHeight;
    const TextStyle style{.size = kSmallSize};
    if (map_.ticks.empty()) {
      canvas_->Text(plot_left_, y, map_.first_column, style);
      canvas_->Text(kPlotRight, y, map_.last_column, {.size = kSmallSize, .anchor = TextStyle::kEnd});
    }
    double taken = 0;
    for (const AxisTick& tick : map_.ticks) {
      const double x = plot_left_ + tick.place * PlotWidth();
      const double half = kSmallSize * kUsualWidth * static_cast<double>(tick.text.size()) / 2;
      canvas_->Line(x, Bottom(), x, Bottom() + 5, {Ink::kFrame});
      if (x - half < taken || x + half > kTotalsLeft + 20) continue;
      taken = x + half + 6;
      canvas_->Text(x, y, tick.text, {.size = kSmallSize, .anchor = TextStyle::kMiddle});
    }
    canvas_->Text((plot_left_ + kPlotRight) / 2, y + kTextHeight, map_.column_axis,
                  {.size = kSmallSize, .anchor = TextStyle::kMiddle, .ink = {Ink::kQuiet}});
  }

  void Legend() {
    constexpr double kHeight = 16, kNone = 40, kLeft = kMargin + 64, kWidth = kCanvasWidth - kMargin - kLeft - 24;
    const double y = Bottom() + 2 * kTextHeight + 2 * kGap;
    const TextStyle middle{.size = kSmallSize, .anchor = TextStyle::kMiddle};
    canvas_->Frame(kMargin, y, kNone, kHeight);
    canvas_->Text(kMargin + kNone / 2, y + kHeight + 18, "none", middle);
    constexpr double kStep = kWidth / kHeatSteps;
    for (int i = 0; i < kHeatSteps; ++i) {
      canvas_->Area(kLeft + i * kStep, y, kStep, kHeight, {Ink::kHeat, i + 1});
    }
    canvas_->Frame(kLeft, y, kWidth, kHeight);
    double last = 0;
    for (const double tick : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, map_.most}) {
      const double x = kLeft + kWidth * HeatOf(tick, map_.most);
      const bool end = tick == map_.most;
      if (tick > map_.most || x - last < 40 || (!end && kLeft + kWidth - x < 40)) continue;
      last = x;
      canvas_->Line(x, y + kHeight, x, y + kHeight + 5, {Ink::kText});
      canvas_->Text(x, y + kHeight + 18, absl::StrCat(tick, " x"), middle);
    }
    canvas_->Text(kLeft, y + kHeight + 40,
                  map_.most > 1 ? absl::StrCat("1 x: an even share in a slice; ", map_.most, " x: one has everything")
                                : "1 x: an even share in a slice",
                  {.size = kSmallSize, .ink = {Ink::kQuiet}});
  }

  const HeatMap& map_;
  const std::vector<std::string> title_, subtitle_, row_axis_;
  const double row_height_;
  double plot_left_ = 0;
  double plot_top_ = 0;
  Canvas* canvas_ = nullptr;
};

}  // namespace

std::string HeatMapSvg(const HeatMap& map) {
  const HeatMap fewer = WithFewerRows(map, kMostRows);
  Drawing drawing(fewer);
  SvgCanvas canvas(drawing.Height(), map.title);
  drawing.DrawOn(&canvas);
  return std::move(canvas).Document();
}

std::string HeatMapPng(const HeatMap& map) {
  const HeatMap fewer = WithFewerRows(map, kMostRows);
  Drawing drawing(fewer);
  PngCanvas canvas(drawing.Height());
  drawing.DrawOn(&canvas);
  return std::move(canvas).File();
}

}  // namespace vaquita::lab
