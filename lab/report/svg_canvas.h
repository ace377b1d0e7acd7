// lab/report/svg_canvas.h: pictures as SVG, without scripts or outside references.
#pragma once

#include <string>

#include "lab/report/canvas.h"

namespace vaquita::lab {

class SvgCanvas final : public Canvas {
 public:
  // `title` names the picture for those who do not see it.
  SvgCanvas(double height, const std::string& title);

  void Area(double x, double y, double width, double height, const Ink& ink, const std::string& tip) override;
  void Frame(double x, double y, double width, double height) override;
  void Line(double x1, double y1, double x2, double y2, const Ink& ink, bool dashed) override;
  void Text(double x, double y, const std::string& text, const TextStyle& style) override;

  // Returns the document. Called once, at the end.
  std::string Document() &&;

 private:
  std::string svg_;
};

}  // namespace vaquita::lab
