#include "server/data_format.h"

#include <fstream>

namespace vaquita {

absl::Status CheckDataFormat(const std::string& folder) {
  const std::string path = folder + "/FORMAT";
  std::string found;
  if (std::ifstream file(path); file >> found) {
    if (found == std::to_string(kDataFormat)) return absl::OkStatus();
    return absl::FailedPreconditionError("data folder " + folder + " is in format " + found +
                                         ", this version of Vaquita reads format " + std::to_string(kDataFormat));
  }
  std::ofstream file(path);
  file << kDataFormat << "\n";
  if (!file.flush()) return absl::UnavailableError("write " + path);
  return absl::OkStatus();
}

}  // namespace vaquita
