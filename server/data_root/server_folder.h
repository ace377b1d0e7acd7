// server/data_root/server_folder.h: finds, passes on and fences the folders of region servers.
//
// root/server/<server name>/ belongs to one life. Renaming the folder fences the server: if its process was only
// asleep, it finds no file any more and can make none, because nobody uses the old name again. It can still write files
// that it has open, such as the log; so while it lives, others use a copy of the log. A later life on the same address
// takes a folder over by giving it the new name. Inside the folder it records the names of its earlier owners, so the
// folder is found by each name, also if that life dies before the master knows of it. Threads: any.
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

// Returns root/server/standalone, the folder of standalone servers of the first versions, whose names varied.
std::string OldStandaloneFolder(const std::string& root);

// Returns the servers that own or owned this folder, the last one first. `folder` is in root/server or root/recovering.
absl::StatusOr<std::vector<std::string>> OwnersOfFolder(const std::string& folder);

// Gives the folder of `earlier` to `server_name`, which may have it already. NotFound if `earlier` has no folder.
absl::Status AdoptServerFolder(const std::string& root, std::string_view earlier, std::string_view server_name,
                               bool has_regions);

// Returns whether a process has the database of this folder open; it may be asleep.
absl::StatusOr<bool> IsServerFolderOpen(const std::string& folder);

// Returns the encoded names of the regions that have a store in this folder; empty if its database cannot be read.
// FailedPrecondition, in one line, if a process has it open.
absl::StatusOr<std::set<std::string, std::less<>>> RegionsWithStores(const std::string& folder);

// Fences a dead server: renames its folder to root/recovering/<dead>@<recoverer>, which it returns. The folder may be
// that of an earlier recovery which did not finish. NotFound if the server has no folder.
absl::StatusOr<std::string> TakeDeadServerFolder(const std::string& root, std::string_view dead,
                                                 std::string_view recoverer, bool has_regions);

// Removes a folder that nobody has open or that is fenced, and leftovers of such removals. After this nobody finds the
// folder; the next call removes the files that this one could not remove.
absl::Status RemoveServerFolder(const std::string& root, const std::string& folder);

// Returns whether the folder of this name in root/recovering is what a removal left. Earlier releases gave such folders
// names that begin with "gone-", as the name of a host may. Where such a name does not tell which it is, this returns
// `if_old`.
bool IsLeftoverFolder(std::string_view name, bool if_old);

}  // namespace vaquita
