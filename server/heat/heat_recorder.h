// server/heat/heat_recorder.h: records the heat of a region server's tables. Five times a second it takes the counts of
// the server's regions, and once a second it divides and joins their ranges.
//
// An idle region costs the reading of one flag. If nobody asks for a server's tables, it reads the flags once a second.
// Threads: Picture and Tables from any; the recorder's own thread takes the counts between Start and Stop, in a test
// Tick does.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/chore.h"
#include "base/clock.h"
#include "model/region_info.h"
#include "model/table_name.h"
#include "server/heat/heat_history.h"

namespace vaquita {

class RegionServer;

class HeatRecorder {
 public:
  // The most ranges of a table, unless it has more regions.
  static constexpr size_t kMostRanges = 512;
  // A range is divided if it took more than this part of its table's requests of a second.
  static constexpr int64_t kHotPart = 64;

  // `server` lives until Stop, `clock` longer than the recorder.
  HeatRecorder(const RegionServer* server, Clock* clock);
  ~HeatRecorder();
  void Start();
  // After this the recorder no longer uses the region server; its record can still be read.
  void Stop();

  // Returns the tables with counts, by name.
  std::vector<TableName> Tables() const;
  // NotFound if the table has no recent counts.
  absl::StatusOr<HeatPicture> Picture(const TableName& table, const HeatQuery& query) const;
  size_t memory_bytes() const;

  // Takes the counts. Returns whether there were any.
  bool Tick();

 private:
  struct CountedRegion {
    RegionInfo info;
    std::shared_ptr<KeyHeat> heat;
    int adaptations = 0;  // so often its ranges still change if nobody asks for it
  };
  using Regions = std::vector<CountedRegion>;  // those of one table, by start key
  struct Part {
    std::shared_ptr<const KeyHeat> heat;
    int64_t version;
  };
  struct Table {
    HeatHistory history;
    std::shared_ptr<const HeatAxis> axis;
    std::vector<Part> parts;  // the axis is made of these
    int64_t requests = 0;     // since the ranges were adapted
  };

  void FindRegions();
  void TakeTable(const TableName& name, int64_t now_ms, Regions* regions);
  static void AdaptTable(Regions* regions, Table* table);
  static void UpdateAxis(const Regions& regions, const std::string& server, Table* table);

  const RegionServer* const server_;
  Clock* const clock_;
  mutable std::mutex mutex_;
  std::map<TableName, Table> tables_;
  std::map<TableName, Regions> regions_;  // those that are counted, as they were at regions_version_
  int64_t regions_version_ = -1;
  int64_t adapted_ms_ = 0;
  int idle_ticks_ = 0;  // the chore's own thread has it
  std::unique_ptr<Chore> chore_;
};

}  // namespace vaquita
