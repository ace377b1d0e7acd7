// server/heat/heat_recorder.h: keeps the heat of a region server's tables: takes the counts of its regions five times a
// second, and has their ranges divided and joined once a second.
//
// An idle region costs a look at one flag, and a server whose tables nobody asks for is looked at once a second.
// Threads: Picture and Tables from any; the counts are taken on a thread of its own between Start and Stop, or by Tick
// in a test.
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
  // How many ranges a table has at most, unless it has more regions.
  static constexpr size_t kMostRanges = 512;
  // A range is divided if it took more than this part of its table's requests of a second.
  static constexpr int64_t kHotPart = 64;

  // `server` lives until Stop, `clock` longer than the recorder.
  HeatRecorder(const RegionServer* server, Clock* clock);
  ~HeatRecorder();
  void Start();
  // After it the region server is not asked any more; what was recorded can still be read.
  void Stop();

  // The tables of which there is something to show, by name.
  std::vector<TableName> Tables() const;
  // NotFound if nothing was counted of the table lately.
  absl::StatusOr<HeatPicture> Picture(const TableName& table, const HeatQuery& query) const;
  size_t memory_bytes() const;

  // Takes what was counted. Returns whether there was anything.
  bool Tick();

 private:
  struct CountedRegion {
    RegionInfo info;
    std::shared_ptr<KeyHeat> heat;
    int adaptations = 0;  // how often its ranges still change if nobody asks for it
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
