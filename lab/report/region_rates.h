// lab/report/region_rates.h: the request rates of a running cluster's regions, from counters that are read again and
// again.
//
// A region's counters begin at zero when it moves or is opened again. A rate needs two readings. Threads: one at a
// time.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "lab/report/heat_map.h"
#include "model/cluster_status.h"

namespace vaquita::lab {

enum class RequestKind { kAll, kReads, kWrites };

struct RegionRate {
  RegionInfo info;
  std::string server;  // HBase's "host,port,startcode"; empty if it is not known
  double reads_per_s = 0;
  double writes_per_s = 0;
  double Of(RequestKind kind) const {
    return (kind == RequestKind::kWrites ? 0 : reads_per_s) + (kind == RequestKind::kReads ? 0 : writes_per_s);
  }
};

class RegionRates {
 public:
  // Keeps the rates of `readings` readings.
  explicit RegionRates(int readings) : readings_(readings) {}

  // Takes the regions' counters at `time_ms`, by any clock that moves on.
  void AddSample(double time_ms, const std::vector<ServerMetrics>& servers);

  // Returns the rates since the reading before, in the order of tables and keys. Empty before the second reading.
  const std::vector<RegionRate>& rates() const { return rates_; }
  double Total(RequestKind kind) const;

  // Returns a picture with a row for each present region and a column for each of the last `columns` readings, the
  // newest on the right. A cell is a multiple of an even share of that reading's requests.
  HeatMap Picture(RequestKind kind, int columns) const;

 private:
  struct Counters {
    int64_t reads = 0;
    int64_t writes = 0;
  };

  const int readings_;
  double time_ms_ = 0;
  bool looked_ = false;
  std::map<std::string, Counters> counters_;  // by the region's encoded name
  std::vector<RegionRate> rates_;
  std::deque<std::map<std::string, RegionRate>> history_;  // the oldest reading first; by the region's encoded name
};

}  // namespace vaquita::lab
