// tools/backup/archive.h: the two forms of a backup's files: a folder, and a tar archive.
//
// A path in an archive is relative: "snapshots/s/data.manifest". Errors name the file. Threads: one at a time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace vaquita::backup {

class ArchiveWriter {
 public:
  virtual ~ArchiveWriter() = default;  // removes what is not finished

  // Copies a file into the archive. Returns its size.
  virtual absl::StatusOr<int64_t> AddFile(const std::string& path, const std::string& source) = 0;
  virtual absl::Status AddText(const std::string& path, std::string_view text) = 0;
  // Writes everything to the disk, and makes it visible.
  virtual absl::Status Finish() = 0;
};

// Returns a writer of a tar archive if `to` ends in ".tar", else of a folder. Nothing may be there, or an empty folder.
// Returns FailedPrecondition if another writer has it.
absl::StatusOr<std::unique_ptr<ArchiveWriter>> OpenArchiveWriter(const std::string& to);

// Copies the files of an archive, a folder or a tar archive, below the folder `to`. They are on the disk when this
// returns. Returns their sizes by path. Archives of other programs are read, too, if they have only files and folders
// inside the archive.
absl::StatusOr<std::map<std::string, int64_t>> ExtractArchive(const std::string& from, const std::string& to);

}  // namespace vaquita::backup
