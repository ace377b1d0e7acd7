// lab/report/simulation_report.h: writes the result of a simulation for people and for programs.
//
// People are told a region's load as a share, "1.20 x": its requests as a multiple of an even share, so 1.00 x is that
// of every region under an even load. The report for programs has the same number as a ratio, in lines of
// "start key:requests:(ratio)" for each region, and a total.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/design/key_design.h"
#include "lab/report/heat_map.h"
#include "lab/report/time_axis.h"
#include "lab/simulator/read_simulation.h"
#include "lab/simulator/write_simulation.h"
#include "lab/splits/split_keys.h"

namespace vaquita::lab {

struct SimulationReport {
  std::string design;
  SplitKeys splits;
  std::vector<std::string> starts;  // each region's start key, as people read it; empty: as it is
  std::optional<TimeAxis> times;    // when the records came
  WriteSimulation writes;
  std::optional<ReadSimulation> reads;
  std::string read_description;  // "100,000 scans of 1h of ts, latest"
};

// Returns each region's start key as people read it: the first region's is empty.
std::vector<std::string> ReadableStarts(const KeyDesign& design, const SplitKeys& splits);

// Measures how unevenly requests went to regions.
struct Spread {
  double hottest = 0;  // the run's hottest region, as a multiple of an even share
  double coldest = 0;  // likewise
  // The hottest region of a slice, on average over the requests; it shows moving hotspots. Slices are joined until
  // chance cannot be what makes a region hot.
  double hottest_slice = 0;
};
Spread SpreadOf(const RequestCounts& counts);

std::string ReportText(const SimulationReport& report);   // a table for people
std::string ReportLines(const SimulationReport& report);  // start key:requests:(ratio)
std::string ReportJson(const SimulationReport& report);
std::string ReportCsv(const SimulationReport& report);   // a line per region
std::string ReportHtml(const SimulationReport& report);  // a page with the heat maps

HeatMap WriteHeatMap(const SimulationReport& report);
HeatMap ReadHeatMap(const SimulationReport& report);  // REQUIRES: report.reads

// Returns "1.20 x", the one form in which people are told a share.
std::string ShareText(double ratio);
// Returns "1.0", "0.9983", "12.5".
std::string RatioText(double ratio);
// Returns "100,000,000".
std::string WithCommas(uint64_t number);
// Returns "computed: phone; every value: salt(16) (16); range: int64(ts)".
std::string PlanText(const std::vector<PartPlan>& plan);

}  // namespace vaquita::lab
