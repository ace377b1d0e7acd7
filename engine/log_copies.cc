#include "engine/log_copies.h"

#include <filesystem>
#include <system_error>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/durable_files.h"
#include "base/status.h"
#include "engine/append_marks.h"

namespace vaquita {

namespace fs = std::filesystem;

absl::Status CopyLogsInPlace(const std::string& folder) {
  std::vector<fs::path> files;
  // First, so that the marks say no more than the copied logs have.
  const fs::path marks = fs::path(folder) / kMarksFile;
  if (PathExists(marks)) files.push_back(marks);
  std::error_code error;
  for (fs::directory_iterator file(folder, error), end; !error && file != end; file.increment(error)) {
    if (file->path().extension() == ".log") files.push_back(file->path());
  }
  for (const fs::path& file : files) {
    const std::string copy = file.string() + ".copy";
    if (!error) fs::copy_file(file, copy, fs::copy_options::overwrite_existing, error);
    if (error) break;
    VAQUITA_RETURN_IF_ERROR(SyncPath(copy));
    VAQUITA_RETURN_IF_ERROR(RenamePath(copy, file));
  }
  if (!error) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("copy the logs of ", folder, ": ", error.message()));
}

}  // namespace vaquita
