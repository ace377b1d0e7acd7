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

inline double OfKind(RequestKind kind, double reads, double writes) {
  return (kind == RequestKind::kWrites ? 0 : reads) + (kind == RequestKind::kReads ? 0 : writes);
}

struct RegionRate {
  RegionInfo info;
  std::string server;  // HBase's "host,port,startcode"; empty if it is not known
  double reads_per_s = 0;
  double writes_per_s = 0;
  double Of(RequestKind kind) const { return OfKind(kind, reads_per_s, writes_per_s); }
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
  // A region that one of the kept readings has.
  struct Known {
    uint32_t number = 0;  // its place in the order in which regions came
    int64_t looked = 0;   // the last reading that has it
    int64_t reads = 0;    // its counters then
    int64_t writes = 0;
  };
  // A region's rates in an earlier reading. There are regions x readings of them, so they are small.
  struct PastRate {
    uint32_t region;  // its number
    float reads_per_s;
    float writes_per_s;
    double Of(RequestKind kind) const { return OfKind(kind, reads_per_s, writes_per_s); }
  };
  struct PastReading {
    size_t regions = 0;
    std::vector<PastRate> rates;  // regions without requests have none
  };

  // Takes the region's counters, and sets its rates if the reading before has it. Returns its number.
  uint32_t TakeCounters(const RegionMetrics& region, double seconds, RegionRate* rate);
  void KeepReading();

  const int readings_;
  double time_ms_ = 0;
  int64_t looks_ = 0;
  uint32_t next_number_ = 0;
  std::map<std::string, Known> known_;  // by the region's encoded name
  std::vector<RegionRate> rates_;
  std::vector<uint32_t> numbers_;    // those of the regions of rates_
  std::deque<PastReading> history_;  // the oldest reading first
};

}  // namespace vaquita::lab
