#include "engine/cells/stored_row.h"

#include <utility>

namespace vaquita {
namespace {

constexpr char kPart = '\x01';    // before each part
constexpr char kEscape = '\x02';  // before a byte of at most kEscape, which is then one larger

void AppendPart(std::string_view part, std::string* out) {
  out->push_back(kPart);
  for (const char byte : part) {
    if (static_cast<unsigned char>(byte) <= kEscape) {
      out->push_back(kEscape);
      out->push_back(static_cast<char>(byte + 1));
    } else {
      out->push_back(byte);
    }
  }
}

std::string StoredBound(RowOrder order, std::string row) {
  if (row.empty()) return row;
  std::string scratch;
  return std::string(StoredRow(order, row, &scratch));
}

}  // namespace

std::string_view StoredRow(RowOrder order, std::string_view row, std::string* scratch) {
  if (order == RowOrder::kBytes) return row;
  const MetaRowParts parts(row);
  scratch->clear();
  AppendPart(parts.table, scratch);
  if (parts.is_region) AppendPart(parts.start_key, scratch);
  if (parts.has_id) AppendPart(parts.id, scratch);
  return *scratch;
}

std::string_view RowOfStored(RowOrder order, std::string_view stored, std::string* scratch) {
  if (order == RowOrder::kBytes || stored.empty() || stored[0] != kPart) return stored;
  scratch->clear();
  for (size_t i = 1; i < stored.size(); ++i) {
    if (stored[i] == kPart) {
      scratch->push_back(',');
    } else if (stored[i] == kEscape && i + 1 < stored.size()) {
      scratch->push_back(static_cast<char>(stored[++i] - 1));
    } else {
      scratch->push_back(stored[i]);
    }
  }
  return *scratch;
}

RowRange StoredRange(RowOrder order, RowRange range) {
  if (order == RowOrder::kBytes) return range;
  range.start = StoredBound(order, std::move(range.start));
  range.stop = StoredBound(order, std::move(range.stop));
  return range;
}

}  // namespace vaquita
