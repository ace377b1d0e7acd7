// lab/report/emulation_picture.h: an emulation's time line as a picture.
#pragma once

#include <string>

#include "lab/report/emulation_report.h"

namespace vaquita::lab {

// An SVG document of its own: one curve below the other over the load's time: regions, store files, data, flushes and
// compactions of each interval, and the hottest region's share of the writes.
std::string TimelineSvg(const EmulationReport& report);

// A page of its own with that picture, the servers' heat map, and the report's text.
std::string EmulationHtml(const EmulationReport& report);

}  // namespace vaquita::lab
