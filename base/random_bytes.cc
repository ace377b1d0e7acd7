#include "base/random_bytes.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "absl/strings/escaping.h"
#include "base/log.h"

namespace vaquita {

std::string RandomBytes(size_t count) {
  std::string bytes(count, '\0');
  if (getentropy(bytes.data(), bytes.size()) != 0) {
    spdlog::critical("the operating system gives no random bytes: {}", std::strerror(errno));
    std::abort();
  }
  return bytes;
}

std::string RandomToken() { return absl::BytesToHexString(RandomBytes(kRandomTokenDigits / 2)); }

}  // namespace vaquita
