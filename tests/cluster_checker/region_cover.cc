#include "tests/cluster_checker/region_cover.h"

#include <string>

#include "absl/strings/str_cat.h"

namespace vaquita::checker {

absl::Status CheckCover(const std::vector<client::RegionLocation>& regions) {
  if (regions.empty()) return absl::DataLossError("there is none");
  std::string end;
  absl::Status status;
  for (size_t i = 0; i < regions.size(); ++i) {
    const RegionInfo& info = regions[i].info;
    if (i > 0 && end.empty()) return absl::DataLossError(absl::StrCat(info.Name(), " comes after the last one"));
    if (info.start_key != end) return absl::DataLossError(absl::StrCat("none begins at '", end, "'"));
    end = info.end_key;
    if (regions[i].server_name.empty()) status = absl::UnavailableError(absl::StrCat(info.Name(), " has no server"));
  }
  if (!end.empty()) return absl::DataLossError(absl::StrCat("none begins at '", end, "'"));
  return status;
}

}  // namespace vaquita::checker
