// lab/report/emulation_picture.h: draws an emulation's time line.
#pragma once

#include <string>

#include "lab/report/emulation_report.h"

namespace vaquita::lab {

// Returns an SVG document with curves over the load's time, one below the other: regions, store files, data, flushes
// and compactions of each interval, and the hottest region's share of the writes.
std::string TimelineSvg(const EmulationReport& report);
std::string TimelinePng(const EmulationReport& report);  // likewise, a PNG file

// Returns a page with that picture, the servers' heat map, and the report's text.
std::string EmulationHtml(const EmulationReport& report);

}  // namespace vaquita::lab
