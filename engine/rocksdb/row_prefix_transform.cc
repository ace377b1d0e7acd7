#include "engine/rocksdb/row_prefix_transform.h"

#include <cstring>

namespace vaquita {
namespace {

// Returns the length of the escaped row that `key` starts with, its terminator (0x00 0x01) included; 0 if the
// terminator is missing.
size_t RowLength(const rocksdb::Slice& key) {
  const char* const end = key.data() + key.size();
  for (const char* at = key.data(); at < end; at += 2) {
    at = static_cast<const char*>(std::memchr(at, 0x00, end - at));
    if (at == nullptr || at + 1 == end) return 0;
    if (at[1] == 0x01) return at + 2 - key.data();
  }
  return 0;
}

class RowPrefixSlices final : public rocksdb::SliceTransform {
 public:
  const char* Name() const override { return "vaquita.RowPrefix"; }
  rocksdb::Slice Transform(const rocksdb::Slice& key) const override {
    const size_t length = RowLength(key);
    return rocksdb::Slice(key.data(), length == 0 ? key.size() : length);
  }
  bool InDomain(const rocksdb::Slice& key) const override { return RowLength(key) != 0; }
};

}  // namespace

std::shared_ptr<const rocksdb::SliceTransform> RowPrefixTransform() {
  static const auto* const kTransform = new std::shared_ptr<const rocksdb::SliceTransform>(new RowPrefixSlices);
  return *kTransform;
}

}  // namespace vaquita
