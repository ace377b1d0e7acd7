// lab/report/emulation_report.h: writes the result of an emulation for people and for programs.
#pragma once

#include <string>

#include "lab/emulator/emulation.h"
#include "lab/report/heat_map.h"

namespace vaquita::lab {

struct EmulationReport {
  std::string design;
  EmulatedCluster cluster;
  EmulatedLoad load;
  double mean_key_bytes = 0;
  Emulation emulation;
};

// `most_regions` limits the list to the most written regions; the JSON and CSV forms have all.
std::string EmulationText(const EmulationReport& report, int most_regions = 20);
std::string EmulationJson(const EmulationReport& report);
std::string EmulationRegionsCsv(const EmulationReport& report);
std::string EmulationServersCsv(const EmulationReport& report);
std::string EmulationTimelineCsv(const EmulationReport& report);

// Regions that take no more writes, as sequential keys leave them behind.
struct RegionsLeftBehind {
  int64_t regions = 0;
  double data_bytes = 0;
};
RegionsLeftBehind FindLeftBehind(const EmulationReport& report);

// Returns the writes of a moment's hottest region as a multiple of an even share.
double HottestRatio(const EmulatedMoment& moment);

// The servers' shares of the writes over time.
HeatMap ServerHeatMap(const EmulationReport& report);

// Returns "45.0 TB"; powers of 1,000.
std::string BytesText(double bytes);
// Returns "30 d", "2.5 h", "90 s".
std::string DurationText(double ms);

}  // namespace vaquita::lab
