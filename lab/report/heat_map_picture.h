// lab/report/heat_map_picture.h: draws a heat map.
#pragma once

#include <string>

#include "lab/report/heat_map.h"

namespace vaquita::lab {

// Returns an SVG document without scripts or outside references. A cell shows its requests when pointed at.
std::string HeatMapSvg(const HeatMap& map);
// Returns a PNG file.
std::string HeatMapPng(const HeatMap& map);

}  // namespace vaquita::lab
