#include "engine/verify_files.h"

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "engine/find_damage.h"
#include "engine/tolerant_open.h"
#include "rocksdb/sst_file_reader.h"

namespace vaquita {

absl::Status VerifyStoreFile(const std::string& path) {
  rocksdb::SstFileReader reader{rocksdb::Options()};
  rocksdb::Status read = reader.Open(path);
  if (read.ok()) read = reader.VerifyChecksum();
  if (read.ok()) return absl::OkStatus();
  if (read.IsIOError()) {
    return absl::UnavailableError(absl::StrCat("store file ", path, " cannot be read: ", read.ToString()));
  }
  return absl::DataLossError(absl::StrCat("store file ", path, " is damaged: ", read.ToString()));
}

absl::StatusOr<std::vector<BadFile>> VerifyDatabase(const std::string& database) {
  std::vector<BadFile> bad;
  if (!HasDatabase(database)) return bad;
  VAQUITA_ASSIGN_OR_RETURN(const LogCheck logs, CheckLogs(database));
  VAQUITA_RETURN_IF_ERROR(ManifestError(database, logs.manifest));
  for (const LogGap& gap : logs.gaps) bad.push_back({AppendedFileName({false, gap.log}), "", DescribeGap(gap)});
  VAQUITA_ASSIGN_OR_RETURN(const OpenDatabase open, OpenToLook(database));
  for (rocksdb::ColumnFamilyHandle* handle : open.handles) {
    ForEachLiveFile(open.db.get(), handle, [&](const rocksdb::SstFileMetaData& file, int32_t) {
      uint64_t inode = 0;
      absl::Status checked = CheckStoreFile(file, &inode);
      if (checked.ok()) checked = VerifyStoreFile(absl::StrCat(file.directory, "/", file.relative_filename));
      if (checked.ok()) return;
      // Nobody should give up a file that the disk does not give now: it is told as no store's.
      const std::string store = absl::IsUnavailable(checked) ? "" : handle->GetName();
      bad.push_back({file.relative_filename, store, std::string(checked.message())});
    });
  }
  return bad;
}

}  // namespace vaquita
