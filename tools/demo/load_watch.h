// tools/demo/load_watch.h: watches the writes of a table's regions during a load.
//
// A thread of its own asks the server for the regions' counters at a fixed interval, from construction to Stop.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "client/admin.h"

namespace vaquita::demo {

class LoadWatch {
 public:
  // `admin` outlives the watch.
  LoadWatch(client::Admin* admin, TableName table, int64_t interval_ms);
  ~LoadWatch() { Stop(); }
  void Stop();

  // Returns a heat map: one line per region, one column per interval, darker for a larger share of that interval's
  // writes; under it the hottest region's share. A region that splits goes on as the first of its daughters. Call after
  // Stop.
  std::string Picture() const;
  // Returns the hottest region's share of each interval's writes, averaged over the writes; 0 without writes.
  double HottestShare() const;
  absl::Status status() const { return status_; }

 private:
  struct Sample {
    std::map<std::string, int64_t> writes;  // by the region's start key, since the last sample
    int64_t total = 0;
    int64_t hottest = 0;
  };
  void Watch();
  void TakeSample();

  client::Admin* const admin_;
  const TableName table_;
  const int64_t interval_ms_;
  absl::Status status_;
  std::map<std::string, int64_t> last_;  // counters by the region's encoded name: a daughter begins at 0
  std::set<std::string> starts_;         // all that were seen
  std::vector<Sample> samples_;
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace vaquita::demo
