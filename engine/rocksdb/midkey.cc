#include "engine/rocksdb/midkey.h"

#include <algorithm>
#include <memory>

#include "base/status.h"
#include "engine/cells/cell_key.h"
#include "engine/rocksdb/rocksdb_status.h"

namespace vaquita {
namespace {

// Enough steps to reach neighbours, whether the keys differ in their first bytes or deep inside.
constexpr int kMaxSteps = 512;

absl::StatusOr<std::string> RowOf(rocksdb::Slice key) {
  std::string scratch;
  CellKey parsed;
  VAQUITA_RETURN_IF_ERROR(ParseCellKey({key.data(), key.size()}, &scratch, &parsed));
  return std::string(parsed.row);
}

// Bytes of the store's files between two keys.
absl::StatusOr<uint64_t> BytesBetween(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* store, const std::string& from,
                                      const std::string& to) {
  rocksdb::SizeApproximationOptions files_only;
  const rocksdb::Range range(from, to);
  uint64_t bytes = 0;
  VAQUITA_RETURN_IF_ERROR(FromRocksDb(db->GetApproximateSizes(files_only, store, &range, 1, &bytes), "midkey"));
  return bytes;
}

// Returns the end of the block at half of the bytes between `first` and `last`; empty if both are in one block.
absl::StatusOr<std::string> Bisect(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* store, const std::string& first,
                                   const std::string& last) {
  VAQUITA_ASSIGN_OR_RETURN(const uint64_t all, BytesBetween(db, store, first, last));
  if (all == 0) return std::string();  // one block
  std::string low = first, high = last;
  for (int step = 0; step < kMaxSteps; ++step) {
    std::string middle = HalfwayBetween(low, high);
    if (middle == low || middle.size() > last.size() + first.size()) break;
    VAQUITA_ASSIGN_OR_RETURN(const uint64_t before, BytesBetween(db, store, first, middle));
    (before < all / 2 ? low : high) = std::move(middle);
  }
  return high;
}

}  // namespace

std::string HalfwayBetween(std::string_view low, std::string_view high) {
  const size_t size = std::max(low.size(), high.size()) + 1;
  const auto digit = [](std::string_view text, size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u;
  };
  // The sum needs one digit in front; halving takes it away again.
  std::string sum(size, '\0');
  unsigned carry = 0;
  for (size_t at = size; at-- > 0;) {
    const unsigned both = digit(low, at) + digit(high, at) + carry;
    sum[at] = static_cast<char>(both & 0xff);
    carry = both >> 8;
  }
  for (char& byte : sum) {
    const unsigned value = (carry << 8) | static_cast<unsigned char>(byte);
    byte = static_cast<char>(value >> 1);
    carry = value & 1;
  }
  while (!sum.empty() && sum.back() == '\0' && std::string_view(sum).substr(0, sum.size() - 1) > low) sum.pop_back();
  return sum;
}

absl::StatusOr<std::string> FindMidkey(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* store,
                                       const rocksdb::SstFileMetaData& file) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string first_row, RowOf(file.smallestkey));
  VAQUITA_ASSIGN_OR_RETURN(const std::string last_row, RowOf(file.largestkey));
  if (first_row == last_row) return std::string();
  VAQUITA_ASSIGN_OR_RETURN(const std::string middle, Bisect(db, store, file.smallestkey, file.largestkey));
  if (middle.empty()) return std::string();

  rocksdb::ReadOptions read;
  read.total_order_seek = true;
  const std::unique_ptr<rocksdb::Iterator> at(db->NewIterator(read, store));
  at->Seek(middle);
  VAQUITA_RETURN_IF_ERROR(FromRocksDb(at->status(), "midkey"));
  if (!at->Valid()) return std::string();
  VAQUITA_ASSIGN_OR_RETURN(std::string row, RowOf(at->key()));
  if (row <= first_row || row >= last_row) return std::string();
  return row;
}

}  // namespace vaquita
