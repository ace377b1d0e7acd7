#include "server/data_root/process_token.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "base/durable_files.h"
#include "base/random_bytes.h"
#include "base/status.h"

namespace vaquita {
namespace {

constexpr char kTokenName[] = "/process-token";

absl::Status TokenError(const std::string& path) { return absl::InternalError(path + ": " + std::strerror(errno)); }

absl::Status WriteAndSync(int file, const std::string& token, const std::string& path) {
  const ssize_t written = write(file, token.data(), token.size());
  if (written < 0) return TokenError(path);
  if (written != static_cast<ssize_t>(token.size())) return absl::InternalError(path + ": only a part was written");
  return fsync(file) == 0 ? absl::OkStatus() : TokenError(path);
}

// Appears whole or not at all, and the first of two processes wins. They may be on two hosts that share the folder,
// where both may have one process id; so the file that becomes the token has a name that nobody else uses.
absl::Status WriteToken(const std::string& root, const std::string& path) {
  const std::string token = RandomToken();
  std::string mine = path + ".XXXXXX";
  const int file = mkostemp(mine.data(), O_CLOEXEC);  // for this user alone
  if (file < 0) return TokenError(mine);
  absl::Status status = WriteAndSync(file, token, mine);
  close(file);
  if (status.ok() && link(mine.c_str(), path.c_str()) != 0 && errno != EEXIST) status = TokenError(path);
  unlink(mine.c_str());
  VAQUITA_RETURN_IF_ERROR(status);
  return SyncPath(root);  // the name must not go after somebody has read the token
}

}  // namespace

absl::StatusOr<std::string> ProcessToken(const std::string& root) {
  const std::string path = root + kTokenName;
  if (access(path.c_str(), F_OK) != 0) VAQUITA_RETURN_IF_ERROR(WriteToken(root, path));
  std::ifstream file(path);
  std::string token;
  if (!std::getline(file, token) || token.size() != kRandomTokenDigits) {
    return absl::FailedPreconditionError(path + " has no token; remove it, and restart every process of the cluster");
  }
  return token;
}

}  // namespace vaquita
