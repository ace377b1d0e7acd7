#include "proto/zookeeper/jute.h"

namespace vaquita::zookeeper {

uint64_t JuteReader::BigEndian(size_t bytes) {
  if (!ok_ || rest_.size() < bytes) {
    ok_ = false;
    return 0;
  }
  uint64_t value = 0;
  for (size_t i = 0; i < bytes; ++i) value = value << 8 | static_cast<uint8_t>(rest_[i]);
  rest_.remove_prefix(bytes);
  return value;
}

bool JuteReader::Bool() { return BigEndian(1) != 0; }
int32_t JuteReader::Int() { return static_cast<int32_t>(BigEndian(4)); }
int64_t JuteReader::Long() { return static_cast<int64_t>(BigEndian(8)); }

std::string_view JuteReader::Buffer() {
  const int32_t length = Int();
  if (length == -1) return {};
  if (length < 0 || rest_.size() < static_cast<size_t>(length)) {
    ok_ = false;
    return {};
  }
  const std::string_view bytes = rest_.substr(0, length);
  rest_.remove_prefix(length);
  return bytes;
}

std::vector<std::string_view> JuteReader::Strings() {
  const int32_t count = Int();
  std::vector<std::string_view> texts;
  for (int32_t i = 0; i < count && ok_; ++i) texts.push_back(String());  // a wrong count ends with the bytes
  if (count < -1) ok_ = false;
  if (!ok_) texts.clear();
  return texts;
}

void JuteWriter::BigEndian(uint64_t value, size_t bytes) {
  for (size_t i = bytes; i-- > 0;) out_->push_back(static_cast<char>(value >> (8 * i)));
}

JuteWriter& JuteWriter::Bool(bool value) {
  BigEndian(value ? 1 : 0, 1);
  return *this;
}

JuteWriter& JuteWriter::Int(int32_t value) {
  BigEndian(static_cast<uint32_t>(value), 4);
  return *this;
}

JuteWriter& JuteWriter::Long(int64_t value) {
  BigEndian(static_cast<uint64_t>(value), 8);
  return *this;
}

JuteWriter& JuteWriter::Buffer(std::string_view bytes) {
  Int(static_cast<int32_t>(bytes.size()));
  out_->append(bytes);
  return *this;
}

}  // namespace vaquita::zookeeper
