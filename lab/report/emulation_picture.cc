#include "lab/report/emulation_picture.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "lab/report/heat_map_picture.h"
#include "lab/report/page.h"
#include "lab/report/png_canvas.h"
#include "lab/report/simulation_report.h"
#include "lab/report/svg_canvas.h"
#include "lab/report/words.h"
#include "lab/report/xml_text.h"

namespace vaquita::lab {
namespace {

constexpr double kLeft = 100, kWidth = kCanvasWidth - kLeft - 20, kPanelHeight = 80, kPanelGap = 36;
constexpr double kLineHeight = 26;

struct Panel {
  const char* title;
  std::vector<double> values;  // one a moment
  std::function<std::string(double)> text;
};

std::string CountText(double value) {
  return value == static_cast<int64_t>(value) ? CountInWords(value) : absl::StrFormat("%.1f", value);
}

std::vector<Panel> Panels(const Emulation& emulation) {
  std::vector<Panel> panels = {{"Regions", {}, CountText},
                               {"Store files", {}, CountText},
                               {"Data", {}, BytesText},
                               {"Flushes in each interval", {}, CountText},
                               {"Compactions in each interval", {}, CountText},
                               {"The hottest region's writes (1 x: an even share)", {}, ShareText}};
  EmulatedMoment before;
  for (const EmulatedMoment& moment : emulation.timeline) {
    panels[0].values.push_back(static_cast<double>(moment.regions));
    panels[1].values.push_back(static_cast<double>(moment.files));
    panels[2].values.push_back(moment.data_bytes);
    panels[3].values.push_back(static_cast<double>(moment.flushes - before.flushes));
    panels[4].values.push_back(static_cast<double>(moment.compactions - before.compactions));
    panels[5].values.push_back(HottestRatio(moment));
    before = moment;
  }
  return panels;
}

void DrawPanel(const Panel& panel, double top, Canvas* canvas) {
  const double bottom = top + kPanelHeight;
  const double most = std::max(1e-12, *std::max_element(panel.values.begin(), panel.values.end()));
  const TextStyle scale{.size = kSmallSize, .anchor = TextStyle::kEnd};
  canvas->Text(kLeft, top - 9, panel.title, {.size = kTextSize, .bold = true});
  canvas->Text(kLeft - 8, top + 5, panel.text(most), scale);
  canvas->Text(kLeft - 8, bottom + 4, "0", scale);
  canvas->Line(kLeft, top, kLeft + kWidth, top, {Ink::kFrame});
  canvas->Line(kLeft, bottom, kLeft + kWidth, bottom, {Ink::kFrame});
  const double step = kWidth / static_cast<double>(panel.values.size());
  for (size_t i = 0; i < panel.values.size(); ++i) {
    const double height = panel.values[i] / most * kPanelHeight;
    canvas->Area(kLeft + step * static_cast<double>(i), bottom - height, step, height, {Ink::kBar},
                 panel.text(panel.values[i]));
  }
}

// The panels, one below the other.
class Timeline {
 public:
  explicit Timeline(const EmulationReport& report)
      : panels_(Panels(report.emulation)),
        title_(Wrapped(report.design, 46)),
        duration_(DurationInWords(report.load.duration_ms)) {}

  double Height() const { return Bottom() + 36; }

  void DrawOn(Canvas* canvas) const {
    double y = 4;
    for (const std::string& line : title_) {
      canvas->Text(10, y += kLineHeight, line, {.size = kTitleSize, .bold = true});
    }
    y = Top();
    for (const Panel& panel : panels_) {
      DrawPanel(panel, y, canvas);
      y += kPanelHeight + kPanelGap;
    }
    canvas->Text(kLeft, Bottom() + 22, "time: 0", {.size = kSmallSize});
    canvas->Text(kLeft + kWidth, Bottom() + 22, duration_, {.size = kSmallSize, .anchor = TextStyle::kEnd});
  }

 private:
  double Top() const { return kLineHeight * static_cast<double>(title_.size()) + kPanelGap + 14; }
  double Bottom() const { return Top() + static_cast<double>(panels_.size()) * (kPanelHeight + kPanelGap) - kPanelGap; }

  const std::vector<Panel> panels_;
  const std::vector<std::string> title_;
  const std::string duration_;
};

}  // namespace

std::string TimelineSvg(const EmulationReport& report) {
  const Timeline timeline(report);
  SvgCanvas canvas(timeline.Height(), report.design);
  timeline.DrawOn(&canvas);
  return std::move(canvas).Document();
}

std::string TimelinePng(const EmulationReport& report) {
  const Timeline timeline(report);
  PngCanvas canvas(timeline.Height());
  timeline.DrawOn(&canvas);
  return std::move(canvas).File();
}

std::string EmulationHtml(const EmulationReport& report) {
  return Page("What the cluster does",
              absl::StrCat("<p><code>", XmlText(report.design), "</code></p>\n<figure>", TimelineSvg(report),
                           "</figure>\n<figure>", HeatMapSvg(ServerHeatMap(report)), "</figure>\n<pre>",
                           XmlText(EmulationText(report)), "</pre>\n"));
}

}  // namespace vaquita::lab
