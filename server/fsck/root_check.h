// server/fsck/root_check.h: checks whether a data root has lost hbase:meta, which says which regions own the servers'
// data.
//
// A master with an empty hbase:meta would take all data for leftovers of crashes. Threads: any. REQUIRES: the root's
// lock.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "server/master/meta/meta_table.h"

namespace vaquita {

// Returns FailedPrecondition, in one line that names `vaquita fsck`, if the master's folder has no database, but other
// files of one, or if there are data of region servers.
absl::Status CheckMetaIsThere(const std::string& root);

// Returns whether `status`, from opening or reading the master's database, says that it is damaged. A full disk or one
// that cannot be read at the moment is no damage.
bool IsMetaDamage(const absl::Status& status);

// Returns `status`, from opening the master's database, with what helps if it is damage.
absl::Status MetaOpenError(const absl::Status& status, const std::string& root);

// Returns FailedPrecondition, in such a line, if hbase:meta has no region of a user's table, and a folder has data that
// it has never known. It knows data that deleted tables left.
absl::Status CheckMetaIsNotEmptied(const std::string& root, MetaTable& meta);

}  // namespace vaquita
