#include "lab/report/emulation_picture.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "lab/report/heat_map_picture.h"
#include "lab/report/page.h"
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
std::string PercentText(double value) { return absl::StrFormat("%.1f%%", value * 100); }

std::vector<Panel> Panels(const Emulation& emulation) {
  std::vector<Panel> panels = {{"Regions", {}, CountText},
                               {"Store files", {}, CountText},
                               {"Data", {}, BytesText},
                               {"Flushes in each interval", {}, CountText},
                               {"Compactions in each interval", {}, CountText},
                               {"The hottest region's share of the writes", {}, PercentText}};
  EmulatedMoment before;
  for (const EmulatedMoment& moment : emulation.timeline) {
    panels[0].values.push_back(static_cast<double>(moment.regions));
    panels[1].values.push_back(static_cast<double>(moment.files));
    panels[2].values.push_back(moment.data_bytes);
    panels[3].values.push_back(static_cast<double>(moment.flushes - before.flushes));
    panels[4].values.push_back(static_cast<double>(moment.compactions - before.compactions));
    panels[5].values.push_back(moment.hottest_region_share);
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

}  // namespace

std::string TimelineSvg(const EmulationReport& report) {
  const std::vector<Panel> panels = Panels(report.emulation);
  const std::vector<std::string> title = Wrapped(report.design, 46);
  const double top = kLineHeight * static_cast<double>(title.size()) + kPanelGap + 14;
  const double bottom = top + static_cast<double>(panels.size()) * (kPanelHeight + kPanelGap) - kPanelGap;
  SvgCanvas canvas(bottom + 36, report.design);
  double y = 4;
  for (const std::string& line : title) canvas.Text(10, y += kLineHeight, line, {.size = kTitleSize, .bold = true});
  for (size_t i = 0; i < panels.size(); ++i) {
    DrawPanel(panels[i], top + static_cast<double>(i) * (kPanelHeight + kPanelGap), &canvas);
  }
  canvas.Text(kLeft, bottom + 22, "time: 0", {.size = kSmallSize});
  canvas.Text(kLeft + kWidth, bottom + 22, DurationInWords(report.load.duration_ms),
              {.size = kSmallSize, .anchor = TextStyle::kEnd});
  return std::move(canvas).Document();
}

std::string EmulationHtml(const EmulationReport& report) {
  return Page("What the cluster does",
              absl::StrCat("<p><code>", XmlText(report.design), "</code></p>\n<figure>", TimelineSvg(report),
                           "</figure>\n<figure>", HeatMapSvg(ServerHeatMap(report)), "</figure>\n<pre>",
                           XmlText(EmulationText(report)), "</pre>\n"));
}

}  // namespace vaquita::lab
