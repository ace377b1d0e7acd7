#include "server/data_root/process_token.h"

#include <fcntl.h>
#include <openssl/rand.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "absl/strings/escaping.h"

namespace vaquita {
namespace {

constexpr char kTokenName[] = "/process-token";
constexpr size_t kRandomBytes = 32;

absl::Status TokenError(const std::string& path) { return absl::InternalError(path + ": " + std::strerror(errno)); }

std::string NewToken() {
  unsigned char bytes[kRandomBytes];
  RAND_bytes(bytes, sizeof bytes);
  return absl::BytesToHexString({reinterpret_cast<const char*>(bytes), sizeof bytes});
}

// Appears whole or not at all, and the first of two processes wins.
absl::Status WriteToken(const std::string& path) {
  const std::string mine = path + "." + std::to_string(getpid());
  const int file = open(mine.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file < 0) return TokenError(mine);
  const std::string token = NewToken();
  const bool written =
      write(file, token.data(), token.size()) == static_cast<ssize_t>(token.size()) && fsync(file) == 0;
  absl::Status status = written ? absl::OkStatus() : TokenError(mine);
  close(file);
  if (status.ok() && link(mine.c_str(), path.c_str()) != 0 && errno != EEXIST) status = TokenError(path);
  unlink(mine.c_str());
  return status;
}

}  // namespace

absl::StatusOr<std::string> ProcessToken(const std::string& root) {
  const std::string path = root + kTokenName;
  if (access(path.c_str(), F_OK) != 0) {
    if (absl::Status written = WriteToken(path); !written.ok()) return written;
  }
  std::ifstream file(path);
  std::string token;
  if (!std::getline(file, token) || token.size() != 2 * kRandomBytes) {
    return absl::FailedPreconditionError(path + " has no token; remove it, and restart every process of the cluster");
  }
  return token;
}

}  // namespace vaquita
