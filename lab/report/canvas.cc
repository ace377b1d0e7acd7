#include "lab/report/canvas.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_format.h"

namespace vaquita::lab {
namespace {

// ColorBrewer's YlGnBu, nine classes, with what lies between them. People who do not see red or green can tell its
// colours apart, and it prints well in grey.
Color YellowToBlue(double place) {
  static constexpr std::array<Color, 9> kColors = {{{255, 255, 217},
                                                    {237, 248, 177},
                                                    {199, 233, 180},
                                                    {127, 205, 187},
                                                    {65, 182, 196},
                                                    {29, 145, 192},
                                                    {34, 94, 168},
                                                    {37, 52, 148},
                                                    {8, 29, 88}}};
  const double scaled = std::clamp(place, 0.0, 1.0) * (kColors.size() - 1);
  const auto below = std::min<size_t>(static_cast<size_t>(scaled), kColors.size() - 2);
  const double part = scaled - static_cast<double>(below);
  const auto between = [part](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * part)); };
  const Color& a = kColors[below];
  const Color& b = kColors[below + 1];
  return {between(a.red, b.red), between(a.green, b.green), between(a.blue, b.blue)};
}

// Hot stands out from the ground: it is dark on white, and bright on black. The ends next to the ground are left out.
Color HeatColor(int heat, bool dark) {
  const double part = static_cast<double>(heat) / kHeatSteps;
  return YellowToBlue(dark ? 0.86 * (1 - part) : 0.08 + 0.92 * part);
}

}  // namespace

std::string Color::Text() const { return absl::StrFormat("#%02x%02x%02x", red, green, blue); }

Color ColorOf(const Ink& ink, bool dark) {
  switch (ink.kind) {
    case Ink::kGround:
      return dark ? Color{20, 24, 28} : Color{255, 255, 255};
    case Ink::kText:
      return dark ? Color{240, 240, 240} : Color{26, 26, 26};
    case Ink::kQuiet:
      return dark ? Color{176, 184, 192} : Color{85, 85, 85};
    case Ink::kFrame:
      return dark ? Color{110, 118, 126} : Color{136, 136, 136};
    case Ink::kBar:
      return dark ? Color{65, 182, 196} : Color{34, 94, 168};
    case Ink::kMark:
      return dark ? Color{255, 160, 80} : Color{200, 80, 0};
    case Ink::kHeat:
      return HeatColor(ink.heat, dark);
  }
  return {};
}

}  // namespace vaquita::lab
