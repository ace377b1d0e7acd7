#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "base/random_bytes.h"
#include "server/access/tokens.h"
#include "tools/commands.h"

namespace vaquita {
namespace {

absl::Status AddToken(const TokenArguments& arguments, const std::string& token) {
  if (arguments.user.empty() || arguments.user.find_first_of(" ,\n") != std::string::npos) {
    return absl::InvalidArgumentError(absl::StrCat("--user \"", arguments.user,
                                                   "\": a user's name has no blank and no "
                                                   "comma"));
  }
  const int file = open(arguments.file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
  const std::string line = absl::StrCat(arguments.user, " ", Tokens::Hash(token), "\n");
  const bool written = file >= 0 && fchmod(file, S_IRUSR | S_IWUSR) == 0 &&
                       write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  const std::string why = std::strerror(errno);
  if (file >= 0) close(file);
  if (written) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("--file ", arguments.file, ": ", why));
}

}  // namespace

int RunToken(const TokenArguments& arguments) {
  const std::string token = RandomToken();
  if (const absl::Status added = AddToken(arguments, token); !added.ok()) {
    std::fprintf(stderr, "vaquita: %s\n", std::string(added.message()).c_str());
    return 1;
  }
  std::printf("%s\n", token.c_str());
  return 0;
}

}  // namespace vaquita
