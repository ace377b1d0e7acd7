// lab/report/canvas.h: the surface of the laboratory's pictures: SVG, which follows the reader's choice of light or
// dark, and PNG.
//
// A picture is kCanvasWidth wide, whatever its size in pixels: its smallest text is to be read on a telephone of 400
// pixels, and from the back of a room. Threads: one at a time.
#pragma once

#include <array>
#include <string>

namespace vaquita::lab {

inline constexpr double kCanvasWidth = 640;
inline constexpr int kHeatSteps = 64;  // the scale of colours has so many

struct Color {
  int red = 0, green = 0, blue = 0;
  std::string Text() const;  // "#1d91c0"
};

// The colour of text, lines and areas by its purpose, because it differs in light and dark pictures.
struct Ink {
  enum Kind { kGround, kText, kQuiet, kFrame, kBar, kMark, kHeat };
  Kind kind = kText;
  int heat = 0;  // for kHeat: 0 to kHeatSteps
};
Color ColorOf(const Ink& ink, bool dark);

struct TextStyle {
  double size = 16;
  bool bold = false;
  bool mono = false;  // each character is kMonoWidth * size wide
  enum Anchor { kStart, kMiddle, kEnd } anchor = kStart;
  Ink ink = {};
};
inline constexpr double kTitleSize = 20, kTextSize = 16, kSmallSize = 15;  // the heights of letters
inline constexpr double kMonoWidth = 0.602;
inline constexpr double kUsualWidth = 0.6;  // likewise for other text, on average

class Canvas {
 public:
  virtual ~Canvas() = default;
  // An area, with a tip that is shown when the reader points at it, where that can be.
  virtual void Area(double x, double y, double width, double height, const Ink& ink, const std::string& tip = "") = 0;
  virtual void Frame(double x, double y, double width, double height) = 0;
  virtual void Line(double x1, double y1, double x2, double y2, const Ink& ink, bool dashed = false) = 0;
  // `y` is that of the letters' foot.
  virtual void Text(double x, double y, const std::string& text, const TextStyle& style = {}) = 0;
};

}  // namespace vaquita::lab
