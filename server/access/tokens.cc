#include "server/access/tokens.h"

#include <openssl/sha.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <sstream>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/durable_files.h"
#include "base/log.h"
#include "base/status.h"

namespace vaquita {
namespace {

absl::Status BadLine(const std::string& path, int line, std::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("vaquita.users.tokens: ", path, ", line ", line, ": ", AbslText(why),
                   "; a line is a user, a blank, and the 64 hexadecimal digits that `vaquita token` writes"));
}

absl::Status Unreadable(const std::string& path, std::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("vaquita.users.tokens: ", path, " cannot be read: ", AbslText(why)));
}

}  // namespace

std::string Tokens::Hash(std::string_view token) {
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const unsigned char*>(token.data()), token.size(), digest);
  return absl::BytesToHexString({reinterpret_cast<const char*>(digest), sizeof digest});
}

std::string Tokens::UserOf(std::string_view hash) const {
  const auto it = users_.find(hash);
  return it == users_.end() ? "" : it->second;
}

absl::StatusOr<Tokens> Tokens::Read(const std::string& path) {
  Tokens tokens;
  if (path.empty()) return tokens;
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return Unreadable(path, std::strerror(errno));
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return absl::InvalidArgumentError("vaquita.users.tokens: others than the owner may read or write " + path +
                                      "; chmod 600 it");
  }
  const absl::StatusOr<std::string> text = ReadFile(path);
  if (!text.ok()) return Unreadable(path, StdText(text.status().message()));
  std::istringstream file(*text);
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    const size_t blank = line.rfind(' ');
    if (blank == std::string::npos || blank == 0) return BadLine(path, number, "it has no blank between two parts");
    if (line.find(' ') != blank) return BadLine(path, number, "it has more than two parts");
    const std::string hash = line.substr(blank + 1);
    if (hash.size() != 2 * SHA256_DIGEST_LENGTH || hash.find_first_not_of("0123456789abcdef") != std::string::npos) {
      return BadLine(path, number, "\"" + hash + "\" is no hash");
    }
    const std::string user = line.substr(0, blank);
    const auto [known, added] = tokens.users_.emplace(hash, user);
    if (!added && known->second != user) return BadLine(path, number, "its token is " + known->second + "'s already");
  }
  return tokens;
}

absl::StatusOr<std::unique_ptr<TokenFile>> TokenFile::Open(const std::string& path,
                                                           std::chrono::milliseconds try_again) {
  const FileMark mark = MarkOf(path);  // a later change shows
  VAQUITA_ASSIGN_OR_RETURN(Tokens tokens, Tokens::Read(path));
  return std::unique_ptr<TokenFile>(new TokenFile(path, try_again, mark, std::move(tokens)));
}

void TokenFile::ReadLocked() {
  const FileMark mark = MarkOf(path_);
  const bool changed = std::exchange(mark_, mark) != mark;
  const auto now = std::chrono::steady_clock::now();
  if (!changed && (file_is_used_ || now < next_try_)) return;
  absl::StatusOr<Tokens> tokens = Tokens::Read(path_);
  file_is_used_ = tokens.ok();
  next_try_ = now + try_again_;
  if (tokens.ok()) {
    tokens_ = *std::move(tokens);
    spdlog::info("users: tokens={} state=read", path_);
  } else if (changed) {  // once
    spdlog::error("users: tokens={} state=kept reason={}", path_, StdText(tokens.status().message()));
  }
}

std::string TokenFile::UserOf(std::string_view hash) {
  const std::lock_guard lock(mutex_);
  ReadLocked();
  return tokens_.UserOf(hash);
}

}  // namespace vaquita
