// server/access/tokens.h: the tokens by which clients show who they are.
//
// A token is a random text that only the server's hash of it is kept of. The file has a line "USER HASH" for each,
// where HASH is the token's SHA-256 in hexadecimal digits; `vaquita token` writes it. A token is a RandomToken, so a
// plain hash of it cannot be searched.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "base/file_mark.h"

namespace vaquita {

// Threads: any; nothing changes after it was read.
class Tokens {
 public:
  // Reads a file that only its owner may read; an empty path has no tokens. InvalidArgument, naming file and line.
  static absl::StatusOr<Tokens> Read(const std::string& path);

  // Returns the user of the token with this hash, or "".
  std::string UserOf(std::string_view hash) const;

  static std::string Hash(std::string_view token);  // hexadecimal

 private:
  std::map<std::string, std::string, std::less<>> users_;  // by hash
};

// The tokens of a file, which is read again when it has changed. A file that cannot be used then changes nothing, as a
// line in the log says, and is tried again some seconds later: the error may have been the moment's. Threads: any.
class TokenFile {
 public:
  // Returns Tokens::Read's errors. `try_again`: the time after which a changed file that could not be used is read
  // again.
  static absl::StatusOr<std::unique_ptr<TokenFile>> Open(const std::string& path,
                                                         std::chrono::milliseconds try_again = std::chrono::seconds(5));
  // Returns the user of the token with this hash, or "".
  std::string UserOf(std::string_view hash);

 private:
  TokenFile(std::string path, std::chrono::milliseconds try_again, FileMark mark, Tokens tokens)
      : path_(std::move(path)), try_again_(try_again), mark_(mark), tokens_(std::move(tokens)) {}
  void ReadLocked();

  const std::string path_;
  const std::chrono::milliseconds try_again_;
  std::mutex mutex_;
  FileMark mark_;
  bool file_is_used_ = true;
  std::chrono::steady_clock::time_point next_try_;  // if it is not
  Tokens tokens_;
};

}  // namespace vaquita
