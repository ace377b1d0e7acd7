#include "tools/backup/tar_format.h"

#include <algorithm>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/absl_text.h"
#include "base/status.h"

namespace vaquita::backup::tar {
namespace {

constexpr int64_t kBlockBytes = 512;
constexpr int64_t kMostOctal = (int64_t{1} << 33) - 1;  // eleven digits
constexpr int64_t kMostHeaderBytes = 1 << 20;           // an extended header's

// A header's fields: offset and length.
struct Field {
  size_t at;
  size_t length;
};
constexpr Field kName{0, 100}, kMode{100, 8}, kUser{108, 8}, kGroup{116, 8}, kSize{124, 12}, kTime{136, 12},
    kChecksum{148, 8}, kType{156, 1}, kMagic{257, 8}, kPrefix{345, 155};

int64_t PaddingBytes(int64_t size) { return (kBlockBytes - size % kBlockBytes) % kBlockBytes; }

std::string TextOf(const std::string& block, Field field) {
  const std::string text = block.substr(field.at, field.length);
  return text.substr(0, text.find('\0'));
}

// The sum of the header's bytes, its own field as blanks.
int64_t Checksum(const std::string& block) {
  int64_t sum = 0;
  for (size_t i = 0; i < block.size(); ++i) {
    const bool own = i >= kChecksum.at && i < kChecksum.at + kChecksum.length;
    sum += own ? ' ' : static_cast<unsigned char>(block[i]);
  }
  return sum;
}

std::string OneHeader(const std::string& name, int64_t size, char type) {
  std::string block(kBlockBytes, '\0');
  const auto put = [&block](Field field, std::string_view text) {
    block.replace(field.at, std::min(field.length, text.size()), text.substr(0, field.length));
  };
  put(kName, name);
  put(kMode, "0000600");
  put(kUser, "0000000");
  put(kGroup, "0000000");
  put(kSize, absl::StrFormat("%011o", std::min(size, kMostOctal)));
  put(kTime, "00000000000");
  put(kType, std::string_view(&type, 1));
  put(kMagic, std::string_view("ustar\00000", 8));
  put(kChecksum, absl::StrFormat("%06o", Checksum(block)) + std::string("\0 ", 2));
  return block;
}

// An extended header's line: its length, with the length's own digits, a blank, and "KEY=VALUE\n".
std::string PaxRecord(const std::string& key, const std::string& value) {
  const std::string rest = " " + key + "=" + value + "\n";
  size_t length = rest.size();
  while (absl::StrCat(length).size() + rest.size() != length) length = absl::StrCat(length).size() + rest.size();
  return absl::StrCat(length, rest);
}

// Reads the lines' `path` and `size` into `entry`. Returns whether they are well-formed.
bool ReadPaxRecords(std::string_view records, Entry* entry) {
  while (!records.empty()) {
    const size_t blank = records.find(' ');
    int64_t length = 0;
    if (blank == std::string_view::npos || !absl::SimpleAtoi(AbslText(records.substr(0, blank)), &length) ||
        length <= static_cast<int64_t>(blank) + 1 || length > static_cast<int64_t>(records.size())) {
      return false;
    }
    const std::string_view line = records.substr(blank + 1, static_cast<size_t>(length) - blank - 2);
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos) return false;
    const std::string_view key = line.substr(0, equals), value = line.substr(equals + 1);
    if (key == "path") entry->path = value;
    if (key == "size" && (!absl::SimpleAtoi(AbslText(value), &entry->size) || entry->size < 0)) return false;
    records.remove_prefix(static_cast<size_t>(length));
  }
  return true;
}

std::optional<int64_t> ReadOctal(const std::string& text) {
  int64_t value = 0;
  bool any = false;
  for (const char c : text) {
    if (c == ' ' && !any) continue;
    if (c == ' ') break;
    if (c < '0' || c > '7') return std::nullopt;
    value = value * 8 + (c - '0');
    any = true;
  }
  return any ? std::optional(value) : std::nullopt;
}

}  // namespace

std::string Header(const std::string& path, int64_t size) {
  std::string records;
  if (path.size() > kName.length) records += PaxRecord("path", path);
  if (size > kMostOctal) records += PaxRecord("size", absl::StrCat(size));
  std::string header;
  if (!records.empty()) {
    const auto bytes = static_cast<int64_t>(records.size());
    header = OneHeader("PaxHeaders/x", bytes, 'x') + records + Padding(bytes);
  }
  return header + OneHeader(path, size, '0');
}

std::string Padding(int64_t size) { return std::string(static_cast<size_t>(PaddingBytes(size)), '\0'); }

std::string End() { return std::string(2 * kBlockBytes, '\0'); }

absl::Status Reader::Malformed(std::string_view why) const {
  return absl::InvalidArgumentError(absl::StrCat(name_, " is not a tar archive of a backup: ", AbslText(why)));
}

absl::StatusOr<std::string> Reader::ReadBlocks(int64_t size) {
  std::string bytes(static_cast<size_t>(size + PaddingBytes(size)), '\0');
  if (!in_->read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) {
    return Malformed("it ends in the middle");
  }
  bytes.resize(static_cast<size_t>(size));
  return bytes;
}

absl::StatusOr<std::optional<Entry>> Reader::Next() {
  in_->ignore(unread_padding_);
  Entry extended;
  extended.size = -1;
  while (true) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string block, ReadBlocks(kBlockBytes));
    if (block.find_first_not_of('\0') == std::string::npos) return std::nullopt;
    const auto size = ReadOctal(TextOf(block, kSize));
    if (ReadOctal(TextOf(block, kChecksum)) != Checksum(block)) return Malformed("a header's checksum is wrong");
    if (!size.has_value()) return Malformed("a header has no size");
    const char type = block[kType.at];
    if (type == 'x' || type == 'g' || type == 'L') {
      if (*size > kMostHeaderBytes) return Malformed("an extended header is too long");
      VAQUITA_ASSIGN_OR_RETURN(const std::string records, ReadBlocks(*size));
      if (type == 'L') extended.path = records.substr(0, records.find('\0'));
      if (type == 'x' && !ReadPaxRecords(records, &extended)) return Malformed("an extended header is malformed");
      continue;
    }
    if (type == '5') {
      extended = Entry{.path = "", .size = -1};
      continue;
    }
    Entry entry = extended;
    if (entry.size < 0) entry.size = *size;
    if (entry.path.empty()) {
      const std::string prefix = TextOf(block, kPrefix);
      entry.path = (prefix.empty() ? "" : prefix + "/") + TextOf(block, kName);
    }
    if (type != '0' && type != '\0') return Malformed(entry.path + " is not a file");
    unread_padding_ = PaddingBytes(entry.size);
    return entry;
  }
}

}  // namespace vaquita::backup::tar
