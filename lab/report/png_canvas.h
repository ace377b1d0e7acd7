// lab/report/png_canvas.h: pictures as PNG, 2,560 pixels wide: as wide as a projector, and sharp on paper.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/report/canvas.h"

namespace vaquita::lab {

class PngCanvas final : public Canvas {
 public:
  explicit PngCanvas(double height);

  void Area(double x, double y, double width, double height, const Ink& ink, const std::string& tip) override;
  void Frame(double x, double y, double width, double height) override;
  void Line(double x1, double y1, double x2, double y2, const Ink& ink, bool dashed) override;
  void Text(double x, double y, const std::string& text, const TextStyle& style) override;

  // Returns the file. Called once, at the end.
  std::string File() &&;

 private:
  void Blend(int x, int y, const Color& color, double part);
  void Fill(int x1, int y1, int x2, int y2, const Color& color);
  void Letter(int glyph, double x, double y, double width, const Color& color, bool bold);

  int width_, height_;
  std::vector<uint8_t> pixels_;  // red, green and blue, line by line
};

}  // namespace vaquita::lab
