#include "engine/rocksdb/rocksdb_status.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/status.h"

namespace vaquita {

absl::Status FromRocksDb(const rocksdb::Status& status, std::string_view doing) {
  if (status.ok()) return absl::OkStatus();
  const std::string message = absl::StrCat(AbslText(doing), ": ", status.ToString());
  switch (status.code()) {
    case rocksdb::Status::kNotFound:
      return absl::NotFoundError(message);
    case rocksdb::Status::kCorruption:
      return Error(ErrorKind::kCorruptHFile, message);
    case rocksdb::Status::kInvalidArgument:
    case rocksdb::Status::kNotSupported:
      return absl::InvalidArgumentError(message);
    case rocksdb::Status::kAborted:
      return absl::AbortedError(message);
    case rocksdb::Status::kShutdownInProgress:
    case rocksdb::Status::kColumnFamilyDropped:
      return absl::CancelledError(message);
    case rocksdb::Status::kIOError:
      if (status.IsNoSpace()) return absl::ResourceExhaustedError(message);
      return absl::UnavailableError(message);
    default:
      return absl::InternalError(message);
  }
}

absl::Status FromRocksDbOpen(const rocksdb::Status& status, std::string_view path) {
  const std::string message = status.ToString();
  if (status.IsIOError() && (absl::StrContains(message, "lock file") || absl::StrContains(message, "lock hold"))) {
    return absl::FailedPreconditionError(absl::StrCat("data folder ", AbslText(path), " is in use by another process"));
  }
  return FromRocksDb(status, absl::StrCat("open ", AbslText(path)));
}

}  // namespace vaquita
