// server/data_root/server_folder.h: the folders of region servers, and taking one away from its server.
//
// root/server/<server name>/ is one life's. A folder is taken away by renaming it, which is the fence: the process that
// had it, should it only have been asleep, finds no file any more and can make none, for nobody makes the old name
// again. What it had open it could still write, which matters for the log: if it lives, the others go on with a copy.
// A later life on the same address that takes a folder over gives it its own name, and writes down, inside, whose it
// was: so it is found by each of these names, also if that life dies before the master knows of it. Threads: any.
// Source: RecoverLeaseFSUtils (2.6), which has HDFS close the log of a server that may still write it.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace vaquita {

std::string ServerFolder(const std::string& root, std::string_view server_name);

// root/server/standalone, which standalone servers of the first versions had, whatever their names were.
std::string OldStandaloneFolder(const std::string& root);

// The servers whose folder this is, or was: the last one first. The path is of one in root/server or root/recovering.
absl::StatusOr<std::vector<std::string>> OwnersOfFolder(const std::string& folder);

// Gives the folder of `earlier`, which may be `server_name`'s already, to `server_name`. NotFound: there is none.
absl::Status AdoptServerFolder(const std::string& root, std::string_view earlier, std::string_view server_name,
                               bool has_regions);

// Returns whether a process has the database of this folder open, as one that is only asleep has.
absl::StatusOr<bool> IsServerFolderOpen(const std::string& folder);

// Returns the encoded names of the regions that have a store in this folder, none if its database cannot be read.
// FailedPrecondition, in one line, if a process has it open.
absl::StatusOr<std::set<std::string, std::less<>>> RegionsWithStores(const std::string& folder);

// Takes the folder of a dead server away, also from whoever took it before and did not finish:
// root/recovering/<dead>@<recoverer>, which is returned. NotFound: there is none.
absl::StatusOr<std::string> TakeDeadServerFolder(const std::string& root, std::string_view dead,
                                                 std::string_view recoverer, bool has_regions);

// Removes a folder that was taken away, and what crashes left of such removals. Once this returns it is not found any
// more; what could not be removed is with the next.
absl::Status RemoveTakenFolder(const std::string& root, const std::string& folder);

}  // namespace vaquita
