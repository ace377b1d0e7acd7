// server/master/meta/own_server.h: gives the region server in the master's own process (`vaquita standalone`) the
// folder of an earlier life.
//
// A region server in a separate process finds its earlier life's folder by its address when it registers. One in the
// master's process may have another host and other ports each time. But it need not wait for a lease: on one machine a
// running server holds the lock of its database, so a folder that no process has locked belongs to an ended server. One
// such folder takes the new server's name, and becomes the home of its regions under that name, before anybody reads
// hbase:meta. Then the server registers as one that has its folder. Folders of other ended servers are recovered like
// those of any dead server. Threads: one, at the master's start.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace vaquita {

class MetaTable;

// Gives `server_name` the folder of the ended server that is the home of most regions, and these regions; also the
// regions whose home has no folder: they have a handoff, or their data are missing, which the server will find. After a
// crash at any point the next call completes the work.
absl::Status SucceedEndedServer(const std::string& root, std::string_view server_name, MetaTable* meta);

// Gives the folder of a standalone server of the first versions (OldStandaloneFolder) the name of a server, and makes
// that the home of all regions: the old server had them all, although hbase:meta may name other homes. `meta` null: it
// cannot be read, and only the folder changes. REQUIRES: the root's lock.
absl::Status NameOldStandaloneFolder(const std::string& root, MetaTable* meta);

}  // namespace vaquita
