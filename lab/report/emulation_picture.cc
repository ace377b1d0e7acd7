#include "lab/report/emulation_picture.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "lab/report/xml_text.h"

namespace vaquita::lab {
namespace {

constexpr double kLeft = 110, kWidth = 760, kPanelHeight = 90, kPanelGap = 34, kTop = 64;

struct Panel {
  const char* title;
  const char* color;
  std::vector<double> values;  // one a moment
  std::function<std::string(double)> text;
};

std::string CountText(double value) {
  return absl::StrFormat("%.*f", value == static_cast<int64_t>(value) ? 0 : 1, value);
}
std::string PercentText(double value) { return absl::StrFormat("%.1f%%", value * 100); }

std::vector<Panel> Panels(const Emulation& emulation) {
  std::vector<Panel> panels = {{"Regions", "#225ea8", {}, CountText},
                               {"Store files", "#1d91c0", {}, CountText},
                               {"Data", "#41b6c4", {}, BytesText},
                               {"Flushes in each interval", "#7fcdbb", {}, CountText},
                               {"Compactions in each interval", "#7fcdbb", {}, CountText},
                               {"The hottest region's share of the writes", "#c2410c", {}, PercentText}};
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

void AppendPanel(const Panel& panel, double top, std::string* svg) {
  const double bottom = top + kPanelHeight;
  const double most = std::max(1e-12, *std::max_element(panel.values.begin(), panel.values.end()));
  absl::StrAppendFormat(svg, "<text x=\"%g\" y=\"%g\" class=\"title\">%s</text>\n", kLeft, top - 8, panel.title);
  absl::StrAppendFormat(svg, "<text x=\"%g\" y=\"%g\" class=\"scale\">%s</text>\n", kLeft - 8, top + 5,
                        panel.text(most));
  absl::StrAppendFormat(svg, "<text x=\"%g\" y=\"%g\" class=\"scale\">0</text>\n", kLeft - 8, bottom + 4);
  absl::StrAppendFormat(svg, "<path class=\"grid\" d=\"M%g %gh%gM%g %gh%g\"/>\n", kLeft, top, kWidth, kLeft, bottom,
                        kWidth);
  absl::StrAppendFormat(svg, "<path fill=\"%s\" d=\"M%g %g", panel.color, kLeft, bottom);
  const double step = kWidth / static_cast<double>(panel.values.size());
  for (size_t i = 0; i < panel.values.size(); ++i) {
    absl::StrAppendFormat(svg, "V%.1fH%.1f", bottom - panel.values[i] / most * kPanelHeight,
                          kLeft + step * static_cast<double>(i + 1));
  }
  absl::StrAppendFormat(svg, "V%gZ\"/>\n", bottom);
}

}  // namespace

std::string TimelineSvg(const EmulationReport& report) {
  const std::vector<Panel> panels = Panels(report.emulation);
  const double height = kTop + static_cast<double>(panels.size()) * (kPanelHeight + kPanelGap) + 10;
  const double width = kLeft + kWidth + 30;
  std::string svg = absl::StrFormat(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<style>.title{font-weight:bold;fill:#333}.scale{text-anchor:end;fill:#555}.grid{stroke:#ccc;fill:none}</style>\n"
      "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
      "<text x=\"%g\" y=\"24\" font-size=\"16\" fill=\"#111\">%s</text>\n",
      width, height, kLeft, XmlText(report.design));
  for (size_t i = 0; i < panels.size(); ++i) {
    AppendPanel(panels[i], kTop + static_cast<double>(i) * (kPanelHeight + kPanelGap), &svg);
  }
  absl::StrAppendFormat(&svg, "<text x=\"%g\" y=\"%g\" fill=\"#555\">0</text>\n", kLeft, height - 14);
  absl::StrAppendFormat(&svg, "<text x=\"%g\" y=\"%g\" class=\"scale\">%s</text>\n</svg>\n", kLeft + kWidth,
                        height - 14, DurationText(report.load.duration_ms));
  return svg;
}

std::string EmulationHtml(const EmulationReport& report) {
  return absl::StrCat("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>",
                      XmlText(report.design),
                      "</title>\n<style>body{max-width:960px;margin:2em auto;font-family:sans-serif}"
                      "pre{overflow-x:auto;font-size:12px}svg{width:100%}</style></head><body>\n",
                      TimelineSvg(report), HeatMapSvg(ServerHeatMap(report)), "<pre>", XmlText(EmulationText(report)),
                      "</pre>\n</body></html>\n");
}

}  // namespace vaquita::lab
