// server/access/tokens.h: the tokens by which clients show who they are.
//
// A token is a random text that only the server's hash of it is kept of. The file has a line "USER HASH" for each,
// where HASH is the token's SHA-256 in hexadecimal digits; `vaquita token` writes it. A token is 256 random bits, so a
// plain hash of it cannot be searched. Threads: any; nothing changes after it was read.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace vaquita {

class Tokens {
 public:
  // Reads a file that only its owner may read; an empty path has no tokens. InvalidArgument, naming file and line.
  static absl::StatusOr<Tokens> Read(const std::string& path);

  void Add(std::string_view user, std::string_view token) { users_[Hash(token)] = user; }
  // Returns the token's user, or "".
  std::string UserOf(std::string_view token) const;

  static std::string Hash(std::string_view token);  // hexadecimal
  static std::string Make();                        // a new token

 private:
  std::map<std::string, std::string, std::less<>> users_;  // by hash
};

}  // namespace vaquita
