// tools/backup/tar_format.h: the bytes of a tar archive, as POSIX describes them (pax), without its files' contents.
//
// Long paths and files of 8 GiB or more have an extended header. Owners, times and links are not kept. Source: POSIX
// pax(1), "ustar Interchange Format".
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace vaquita::backup::tar {

// Returns the bytes before a file's content.
std::string Header(const std::string& path, int64_t size);
// Returns the zeros after it.
std::string Padding(int64_t size);
// Returns the end of an archive.
std::string End();

struct Entry {
  std::string path;
  int64_t size = 0;
};

// Reads an archive from its begin. Errors name the archive. Threads: one.
class Reader {
 public:
  // `in` outlives it. `name`: for errors.
  Reader(std::istream* in, std::string name) : in_(in), name_(std::move(name)) {}

  // Returns the next file, whose content comes next: read `size` bytes of it before the next call. nullopt at the end.
  // An error for links, devices, and bytes that are no archive. Folders are passed over.
  absl::StatusOr<std::optional<Entry>> Next();

 private:
  absl::StatusOr<std::string> ReadBlocks(int64_t size);
  absl::Status Malformed(std::string_view why) const;

  std::istream* const in_;
  const std::string name_;
  int64_t unread_padding_ = 0;
};

}  // namespace vaquita::backup::tar
