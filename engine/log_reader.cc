#include "engine/log_reader.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "engine/crc32c.h"

namespace vaquita {
namespace {

constexpr size_t kBlockBytes = 32 * 1024;
constexpr size_t kBlocksPerRead = 32;
constexpr size_t kHeaderBytes = 7;  // checksum (4), length (2), type (1)

enum FragmentType : uint8_t { kZeroFragment = 0, kFull = 1, kFirst = 2, kMiddle = 3, kLast = 4 };

uint32_t LittleEndian32(const char* bytes) {
  uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = value << 8 | static_cast<uint8_t>(bytes[i]);
  return value;
}

// A stored checksum is masked, so that a log inside a log does not look like one (util/crc32c.h).
uint32_t Unmask(uint32_t masked) {
  const uint32_t rotated = masked - 0xa282ead8u;
  return rotated >> 17 | rotated << 15;
}

class File {
 public:
  explicit File(const std::string& path)
      : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)), open_error_(fd_ < 0 ? errno : 0) {}
  ~File() {
    if (fd_ >= 0) close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  // Reads until `bytes` are there or the file ends. Returns how many there are, or -1 with errno set.
  ssize_t Read(char* to, size_t bytes) const {
    if (fd_ < 0) errno = open_error_;
    if (fd_ < 0) return -1;
    size_t got = 0;
    while (got < bytes) {
      const ssize_t count = read(fd_, to + got, bytes - got);
      if (count == 0) break;
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return -1;
      got += static_cast<size_t>(count);
    }
    return static_cast<ssize_t>(got);
  }

 private:
  const int fd_;
  const int open_error_;
};

// Puts fragments together to records.
class Assembler {
 public:
  explicit Assembler(LogVisitor* visitor) : visitor_(visitor) {}

  // One block, which is the file's last if it is short or `last`.
  void Block(std::string_view block, int64_t offset, bool last) {
    size_t at = 0;
    while (at + kHeaderBytes <= block.size()) {
      const char* const header = block.data() + at;
      const size_t length = static_cast<uint8_t>(header[4]) | static_cast<size_t>(static_cast<uint8_t>(header[5])) << 8;
      const auto type = static_cast<uint8_t>(header[6]);
      const int64_t here = offset + static_cast<int64_t>(at);
      if (at + kHeaderBytes + length > block.size()) return Bad(here, "a record longer than its block", last);
      if (type == kZeroFragment && length == 0) return Zeros(block.substr(at), here, last);
      const std::string_view checked = block.substr(at + 6, length + 1);
      if (Crc32c(checked) != Unmask(LittleEndian32(header))) return Bad(here, "checksum mismatch", false);
      at += kHeaderBytes + length;
      Fragment(type, checked.substr(1), here, offset + static_cast<int64_t>(at));
    }
    const std::string_view rest = block.substr(at);
    // Fewer bytes than a header ends a block, as zeros.
    if (rest.empty()) return;
    const bool is_trailer = block.size() == kBlockBytes && rest.find_first_not_of('\0') == std::string_view::npos;
    if (!is_trailer) Bad(offset + static_cast<int64_t>(at), "a cut record header", last);
  }

  // The file is over.
  void End(int64_t size) {
    if (in_record_) visitor_->Bad({std::min(begin_, size), "a record without its end", /*torn=*/true});
  }

 private:
  void Bad(int64_t offset, std::string_view what, bool torn) {
    visitor_->Bad({in_record_ ? begin_ : offset, std::string(what), torn});
    in_record_ = false;
  }

  void Zeros(std::string_view rest, int64_t offset, bool last) {
    const bool all = rest.find_first_not_of('\0') == std::string_view::npos;
    Bad(offset, "zeros in place of a record", last && all);
  }

  void Fragment(uint8_t type, std::string_view bytes, int64_t begin, int64_t end) {
    const bool starts = type == kFull || type == kFirst;
    const bool known = starts || type == kMiddle || type == kLast;
    if (!known) return Bad(begin, absl::StrCat("a record of the unknown type ", type), false);
    if (starts == in_record_) {
      const bool was_in_record = in_record_;
      Bad(begin, was_in_record ? "a record without its end" : "a record without its start", false);
      if (!starts) return;
    }
    if (type == kFull) return visitor_->Record(bytes, end);
    if (type == kFirst) {
      in_record_ = true;
      begin_ = begin;
      record_.clear();
    }
    record_.append(bytes);
    if (type != kLast) return;
    in_record_ = false;
    visitor_->Record(record_, end);
  }

  LogVisitor* const visitor_;
  bool in_record_ = false;
  int64_t begin_ = 0;  // start of the unfinished record
  std::string record_;
};

}  // namespace

absl::StatusOr<int64_t> ReadLog(const std::string& path, LogVisitor* visitor) {
  const File file(path);
  const auto buffer = std::make_unique<char[]>(kBlockBytes * kBlocksPerRead);
  Assembler assembler(visitor);
  int64_t offset = 0;
  while (true) {
    const ssize_t got = file.Read(buffer.get(), kBlockBytes * kBlocksPerRead);
    if (got < 0) {
      const std::string message = absl::StrCat("read ", path, ": ", std::strerror(errno));
      return errno == ENOENT ? absl::NotFoundError(message) : absl::UnavailableError(message);
    }
    const bool last = static_cast<size_t>(got) < kBlockBytes * kBlocksPerRead;
    for (size_t at = 0; at < static_cast<size_t>(got); at += kBlockBytes) {
      const size_t bytes = std::min(kBlockBytes, static_cast<size_t>(got) - at);
      assembler.Block({buffer.get() + at, bytes}, offset + static_cast<int64_t>(at),
                      last && at + bytes == static_cast<size_t>(got));
    }
    offset += got;
    if (last) break;
  }
  assembler.End(offset);
  return offset;
}

}  // namespace vaquita
