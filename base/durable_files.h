// base/durable_files.h: files and folders that must be on the disk before the next step.
//
// Errors say what was being done to which path. Threads: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace vaquita {

// Returns false only if nothing is there. Returns true if that cannot be told: the next use of the path gives the
// error.
bool PathExists(const std::string& path);
// Returns the path from the root on, without "." and "..". If the current folder was removed, a relative path stays as
// it is, and its next use gives the error.
std::string AbsolutePath(const std::string& path);
absl::StatusOr<std::string> ReadFile(const std::string& path);  // NotFound
// Returns the names in a folder, in order; none if the folder is not there.
absl::StatusOr<std::vector<std::string>> ListFolder(const std::string& path);
absl::Status WriteFile(const std::string& path, std::string_view bytes);
// Replaces the file atomically: after a crash, even of the machine, it is either the old file or the new one.
absl::Status ReplaceFile(const std::string& path, std::string_view bytes);
// Files and folders that the process makes from now on can be read by its user alone.
void KeepFilesToUser();
// Writes a file, or the names in a folder, to the disk. The links made before go with them: file systems with a journal
// keep the order of such changes.
absl::Status SyncPath(const std::string& path);
// Writes the names in a folder and in all folders below it to the disk, the deepest first. The files' contents must be
// there already.
absl::Status SyncFolders(const std::string& path);
// Creates a folder and those above it, and syncs their names: synced files in a folder without a synced name are lost.
absl::Status CreateFolder(const std::string& path);
absl::Status RenamePath(const std::string& from, const std::string& to);
// Gives each of two paths the other's name, in one step. A file system that cannot do that, such as NFS, has `b` under
// the name `a`.exchanged for a moment.
absl::Status ExchangePaths(const std::string& a, const std::string& b);
absl::Status RemoveAll(const std::string& path);  // OK if it is not there

}  // namespace vaquita
