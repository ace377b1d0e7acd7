// proto/zookeeper/jute.h: jute, the encoding of ZooKeeper's messages: big-endian numbers, and bytes after their
// length.
//
// A message has no field names or tags: it is read in the order in which it was written. A length or count of -1 stands
// for null, which reads as empty here.
// Source: org.apache.jute.BinaryInputArchive, BinaryOutputArchive.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vaquita::zookeeper {

// Reads from `bytes`, which must outlive the reader and the views that it returned. After the first missing value, all
// values are zero or empty, and ok() is false.
class JuteReader {
 public:
  explicit JuteReader(std::string_view bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  bool AtEnd() const { return rest_.empty(); }

  bool Bool();
  int32_t Int();
  int64_t Long();
  std::string_view Buffer();
  std::string_view String() { return Buffer(); }
  std::vector<std::string_view> Strings();

 private:
  uint64_t BigEndian(size_t bytes);

  std::string_view rest_;
  bool ok_ = true;
};

// Appends to `*out`, which must outlive the writer.
class JuteWriter {
 public:
  explicit JuteWriter(std::string* out) : out_(out) {}

  JuteWriter& Bool(bool value);
  JuteWriter& Int(int32_t value);
  JuteWriter& Long(int64_t value);
  JuteWriter& Buffer(std::string_view bytes);
  JuteWriter& String(std::string_view text) { return Buffer(text); }
  template <typename Container>
  JuteWriter& Strings(const Container& texts) {
    Int(static_cast<int32_t>(texts.size()));
    for (const auto& text : texts) String(text);
    return *this;
  }

 private:
  void BigEndian(uint64_t value, size_t bytes);

  std::string* const out_;
};

}  // namespace vaquita::zookeeper
