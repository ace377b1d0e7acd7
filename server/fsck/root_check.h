// server/fsck/root_check.h: whether a data root has lost hbase:meta, which says whose the servers' data are.
//
// A master that began with an empty hbase:meta would take all data for what crashes leave. Threads: any. REQUIRES: the
// root's lock.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "server/master/meta/meta_table.h"

namespace vaquita {

// FailedPrecondition, in one line that names `vaquita fsck`: the master's folder has no database, and there are data of
// region servers, or what else a database leaves.
absl::Status CheckMetaIsThere(const std::string& root);

// `status` of an opening of the master's database, with what helps.
absl::Status MetaOpenError(const absl::Status& status, const std::string& root);

// FailedPrecondition, likewise: hbase:meta has no region of a user's, and a folder has data of which it never heard.
// It has heard of data that deleted tables left.
absl::Status CheckMetaIsNotEmptied(const std::string& root, MetaTable& meta);

}  // namespace vaquita
