#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/exit_code.h"
#include "base/random_bytes.h"
#include "server/access/tokens.h"
#include "tools/commands.h"

namespace vaquita {
namespace {

// Appends a line to a file of `size` bytes, whose last line may lack its end. What is written of it in vain goes again.
bool Append(int file, off_t size, std::string line) {
  char last = '\n';
  if (size > 0 && pread(file, &last, 1, size - 1) != 1) return false;
  if (last != '\n') line.insert(0, 1, '\n');
  const ssize_t written = write(file, line.data(), line.size());
  if (written == static_cast<ssize_t>(line.size())) return fsync(file) == 0;
  const int error = written < 0 ? errno : 0;
  if (written > 0 && ftruncate(file, size) != 0) return false;
  errno = error;
  return false;
}

absl::Status AddToken(const TokenArguments& arguments, const std::string& token) {
  const auto is_separator = [](unsigned char c) { return c <= ' ' || c == ','; };
  if (arguments.user.empty() || std::ranges::any_of(arguments.user, is_separator)) {
    return absl::InvalidArgumentError(absl::StrCat("--user \"", arguments.user,
                                                   "\": a user's name has no blank and no "
                                                   "comma"));
  }
  if (arguments.user.starts_with('#')) {
    return absl::InvalidArgumentError(
        absl::StrCat("--user ", arguments.user, ": a line that begins with # is a comment, so no user's name does"));
  }
  errno = 0;
  const int file = open(arguments.file.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
  struct stat before;
  const bool opened = file >= 0 && fstat(file, &before) == 0;
  if (opened && !S_ISREG(before.st_mode)) {  // a device would get the rights of the file
    close(file);
    return absl::InvalidArgumentError(absl::StrCat("--file ", arguments.file, ": it is no regular file"));
  }
  if (opened) errno = 0;
  const bool appended = opened && fchmod(file, S_IRUSR | S_IWUSR) == 0 &&
                        Append(file, before.st_size, absl::StrCat(arguments.user, " ", Tokens::Hash(token), "\n"));
  const std::string why = errno == 0 ? "the disk is full" : std::strerror(errno);
  if (file >= 0) close(file);
  if (appended) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("--file ", arguments.file, ": ", why));
}

}  // namespace

int RunToken(const TokenArguments& arguments) {
  const std::string token = RandomToken();
  const absl::Status added = AddToken(arguments, token);
  if (added.ok()) std::printf("%s\n", token.c_str());
  return EndCommand("vaquita", added);
}

}  // namespace vaquita
