#include "server/data_root/data_format.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "base/durable_files.h"
#include "base/status.h"

namespace vaquita {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFormerFormats[] = {
    "1",  // hbase:meta's rows were in the order of their bytes
    "2",  // each region had a store of its own for its nonces
    "3",  // stores of families that were added to their table had the family's name alone
};

}  // namespace

bool IsDataFolder(const std::string& folder) {
  constexpr const char* kParts[] = {"master", "server", "handoff", "recovering"};
  return std::any_of(std::begin(kParts), std::end(kParts),
                     [&](const char* part) { return PathExists(folder + "/" + part); });
}

absl::Status CheckRestored(const std::string& folder) {
  std::error_code error;
  const bool restoring = fs::exists(folder + kRestoringFolder, error);
  if (error) return absl::InvalidArgumentError("data folder " + folder + ": " + error.message());
  if (!restoring) return absl::OkStatus();
  return absl::FailedPreconditionError(folder + " has " + (kRestoringFolder + 1) +
                                       "/: a `vaquita restore` into it has not ended; if none runs, remove " + folder +
                                       ", and restore the backup again");
}

absl::Status CheckNotForeign(const std::string& folder) {
  constexpr size_t kMostNamed = 3;
  VAQUITA_RETURN_IF_ERROR(CheckRestored(folder));
  std::error_code error;
  if (PathExists(folder) && !fs::is_directory(folder, error)) {
    return absl::InvalidArgumentError("data folder " + folder + " is not a folder");
  }
  if (!PathExists(folder) || PathExists(folder + "/FORMAT") || IsDataFolder(folder)) return absl::OkStatus();
  VAQUITA_ASSIGN_OR_RETURN(std::vector<std::string> files, ListFolder(folder));
  // A file system has lost+found. A start that ended early leaves LOCK, or run/ if it was `vaquita cluster`'s.
  for (const char* const harmless : {"lost+found", "LOCK", "run"}) std::erase(files, harmless);
  if (files.empty()) return absl::OkStatus();
  std::sort(files.begin(), files.end());
  const std::string more = files.size() > kMostNamed ? ", ..." : "";
  files.resize(std::min(files.size(), kMostNamed));
  return absl::InvalidArgumentError(folder + " is not a data folder of Vaquita, and is not empty (" +
                                    absl::StrJoin(files, ", ") + more + "); name a new folder or an empty one");
}

absl::Status CheckDataFormat(const std::string& folder) {
  VAQUITA_RETURN_IF_ERROR(CheckRestored(folder));
  const std::string path = folder + "/FORMAT";
  const std::string known = std::to_string(kDataFormat);
  // In one step, because an empty file after a crash would count as damage.
  if (!PathExists(path)) return ReplaceFile(path, known + "\n");
  VAQUITA_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  const std::string found(absl::StripAsciiWhitespace(text));
  if (found == known) return absl::OkStatus();
  if (std::ranges::find(kFormerFormats, found) != std::end(kFormerFormats)) return ReplaceFile(path, known + "\n");
  if (found.empty() || found.size() > 9 || found.find_first_not_of("0123456789") != std::string::npos) {
    return absl::FailedPreconditionError(path + " is damaged: it must hold the number of its format, " + known +
                                         " for what this version of Vaquita writes");
  }
  return absl::FailedPreconditionError("data folder " + folder + " is in format " + found +
                                       ", this version of Vaquita reads format " + known);
}

}  // namespace vaquita
