// server/regionserver/failed_regions.h: the regions that a server could not open because their data are damaged or
// missing.
//
// Clients that ask for one get an exception at once that they do not retry; kNotServingRegion they would retry for
// minutes. Threads: any.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "base/status.h"
#include "model/region_info.h"

namespace vaquita {

// Returns whether `status` says that stored data are damaged or missing (kCorruptHFile, DataLoss), so that retries
// cannot help.
inline bool IsDamage(const absl::Status& status) { return absl::IsDataLoss(status); }

class FailedRegions {
 public:
  // Adds a region. Clients get the result from now on: kCorruptHFile with the region, `why`, and what helps.
  absl::Status Put(const RegionInfo& info, const absl::Status& why) {
    const absl::Status error = Error(ErrorKind::kCorruptHFile, "region " + ToStringBinary(info.Name()) +
                                                                   " is out of service: " + std::string(why.message()) +
                                                                   "; stop the server and run `vaquita fsck`");
    std::lock_guard lock(mutex_);
    regions_.insert_or_assign(info.EncodedName(), Failed{info.Name(), error});
    return error;
  }
  void Remove(std::string_view encoded_name) {
    std::lock_guard lock(mutex_);
    if (const auto found = regions_.find(encoded_name); found != regions_.end()) regions_.erase(found);
  }
  // Returns the error of the region of this encoded or full name; OK if it has not failed.
  absl::Status Find(std::string_view region) const {
    std::lock_guard lock(mutex_);
    for (const auto& [encoded_name, failed] : regions_) {
      if (encoded_name == region || failed.name == region) return failed.error;
    }
    return absl::OkStatus();
  }
  // Returns the errors by encoded name.
  std::map<std::string, absl::Status> All() const {
    std::lock_guard lock(mutex_);
    std::map<std::string, absl::Status> all;
    for (const auto& [encoded_name, failed] : regions_) all.emplace(encoded_name, failed.error);
    return all;
  }

 private:
  struct Failed {
    std::string name;
    absl::Status error;
  };
  mutable std::mutex mutex_;
  std::map<std::string, Failed, std::less<>> regions_;
};

}  // namespace vaquita
