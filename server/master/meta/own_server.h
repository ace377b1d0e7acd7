// server/master/meta/own_server.h: how the region server in the master's own process (`vaquita standalone`) comes to
// the folder of an earlier one.
//
// A region server in a process of its own finds its earlier life's folder by its address, when it registers. One in the
// master's process may have another host and other ports each time, but it need not wait for any lease: a folder that
// no process has open is of a server that has ended, for on one machine a running one holds the lock of its database.
// So before anybody reads hbase:meta one such folder takes the new server's name, and the regions that had their home
// there have it at the new server; it then registers as a server that has its folder already. Folders of other ended
// servers are recovered as any dead server's. Threads: one, at the master's start.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace vaquita {

class MetaTable;

// Gives `server_name` the folder of the ended server that most regions have as their home, and these regions; also the
// regions whose home has no folder: they have a handoff, or their data are missing, which the server will find. A crash
// anywhere leaves what the next call takes up.
absl::Status SucceedEndedServer(const std::string& root, std::string_view server_name, MetaTable* meta);

// Gives the folder of a standalone server of the first versions (OldStandaloneFolder), which had all regions whatever
// hbase:meta said of their homes, the name of a server, and makes that the home of its regions. `meta` null: it cannot
// be read, and only the folder changes. REQUIRES: the root's lock.
absl::Status NameOldStandaloneFolder(const std::string& root, MetaTable* meta);

}  // namespace vaquita
