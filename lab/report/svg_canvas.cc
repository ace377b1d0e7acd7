#include "lab/report/svg_canvas.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "lab/report/xml_text.h"

namespace vaquita::lab {
namespace {

constexpr Ink::Kind kInks[] = {Ink::kGround, Ink::kText, Ink::kQuiet, Ink::kFrame, Ink::kBar, Ink::kMark};

// An ink's class. Pictures within one page share the classes, and their colours.
std::string ClassOf(const Ink& ink) {
  static constexpr const char* kNames[] = {"vg", "vt", "vq", "vf", "vb", "vm"};
  return ink.kind == Ink::kHeat ? absl::StrCat("h", ink.heat) : kNames[ink.kind];
}

std::string Colors(bool dark) {
  std::string css;
  for (const Ink::Kind kind : kInks) {
    absl::StrAppend(&css, ".", ClassOf({kind}), "{fill:", ColorOf({kind}, dark).Text(), "}");
    absl::StrAppend(&css, ".s", ClassOf({kind}), "{stroke:", ColorOf({kind}, dark).Text(), ";fill:none}");
  }
  for (int heat = 0; heat <= kHeatSteps; ++heat) {
    const Ink ink{Ink::kHeat, heat};
    absl::StrAppend(&css, ".", ClassOf(ink), "{fill:", ColorOf(ink, dark).Text(), "}");
  }
  return css;
}

}  // namespace

SvgCanvas::SvgCanvas(double height, const std::string& title) {
  absl::StrAppendFormat(&svg_,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" role=\"img\" "
                        "font-family=\"'DejaVu Sans', Verdana, sans-serif\">\n<title>%s</title>\n"
                        "<style>%s.m{font-family:'DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre}\n"
                        "@media (prefers-color-scheme:dark){%s}</style>\n",
                        kCanvasWidth, height, XmlText(title), Colors(false), Colors(true));
  Area(0, 0, kCanvasWidth, height, {Ink::kGround}, "");
}

void SvgCanvas::Area(double x, double y, double width, double height, const Ink& ink, const std::string& tip) {
  absl::StrAppendFormat(&svg_, "<rect x=\"%.7g\" y=\"%.7g\" width=\"%.7g\" height=\"%.7g\" class=\"%s\"", x, y, width,
                        height, ClassOf(ink));
  if (ink.kind == Ink::kHeat || ink.kind == Ink::kBar) svg_ += " shape-rendering=\"crispEdges\"";
  svg_ += tip.empty() ? "/>\n" : absl::StrCat("><title>", XmlText(tip), "</title></rect>\n");
}

void SvgCanvas::Frame(double x, double y, double width, double height) {
  absl::StrAppendFormat(&svg_, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" class=\"svf\"/>\n", x, y, width,
                        height);
}

void SvgCanvas::Line(double x1, double y1, double x2, double y2, const Ink& ink, bool dashed) {
  absl::StrAppendFormat(&svg_, "<path d=\"M%.7g %.7gL%.7g %.7g\" class=\"s%s\"%s/>\n", x1, y1, x2, y2, ClassOf(ink),
                        dashed ? " stroke-width=\"1.5\" stroke-dasharray=\"4 3\"" : "");
}

void SvgCanvas::Text(double x, double y, const std::string& text, const TextStyle& style) {
  static constexpr const char* kAnchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  absl::StrAppendFormat(&svg_, "<text x=\"%.7g\" y=\"%.7g\" font-size=\"%g\" class=\"%s%s\"%s%s>%s</text>\n", x, y,
                        style.size, ClassOf(style.ink), style.mono ? " m" : "", kAnchors[style.anchor],
                        style.bold ? " font-weight=\"bold\"" : "", XmlText(text));
}

std::string SvgCanvas::Document() && { return std::move(svg_) + "</svg>\n"; }

}  // namespace vaquita::lab
