// Rows that fit a pattern with free positions; the scan seeks from one candidate to the next.
// Source: FuzzyRowFilter (2.6), with its mask of version 2.

#include <algorithm>
#include <string>
#include <utility>

#include "base/status.h"
#include "model/region_info.h"
#include "region/filter/filter_makers.h"

namespace vaquita {
namespace {

// Fixed positions have mask '\xFF', free ones '\0' and a key byte of 0, so that a row fits if (row & mask) == key.
struct FuzzyKey {
  std::string key;
  std::string mask;

  bool IsFree(size_t i) const { return i >= mask.size() || mask[i] == 0; }
  // Compares up to the shorter length: a row shorter than the pattern fits if a fitting row can begin with it.
  bool Fits(std::string_view row) const {
    const size_t length = std::min(row.size(), key.size());
    for (size_t i = 0; i < length; ++i) {
      if ((row[i] & mask[i]) != key[i]) return false;
    }
    return true;
  }
};

unsigned char ByteAt(std::string_view row, size_t i) { return i < row.size() ? static_cast<unsigned char>(row[i]) : 0; }

// `start`, and behind it so many bytes 0xFF. A filter may have a hundred thousand keys and a row 32 KB, so these bytes
// would be much memory.
struct NextRow {
  std::string start;
  size_t last_bytes = 0;

  std::string Text() const { return start + std::string(last_bytes, '\xFF'); }
  size_t size() const { return start.size() + last_bytes; }
  unsigned char At(size_t i) const { return i < start.size() ? static_cast<unsigned char>(start[i]) : 0xFF; }
};

// Returns a negative number if `a` comes before `b`, 0 if they are the same row, else a positive number.
int Compare(const NextRow& a, const NextRow& b) {
  const size_t length = std::min(a.start.size(), b.start.size());
  const int order = std::string_view(a.start).substr(0, length).compare(std::string_view(b.start).substr(0, length));
  if (order != 0) return order;
  for (size_t i = length; i < std::min(a.size(), b.size()) && i < std::max(a.start.size(), b.start.size()); ++i) {
    if (a.At(i) != b.At(i)) return a.At(i) < b.At(i) ? -1 : 1;
  }
  return a.size() < b.size() ? -1 : a.size() > b.size();
}

int Compare(std::string_view row, const NextRow& next) {
  const int order = row.substr(0, next.start.size()).compare(next.start);
  if (order != 0 || row.size() < next.start.size()) return order;
  const std::string_view rest = row.substr(next.start.size());
  if (rest.substr(0, next.last_bytes).find_first_not_of('\xFF') != std::string_view::npos) return -1;
  return rest.size() < next.last_bytes ? -1 : rest.size() > next.last_bytes;
}

// Sets `*next_row` to the first row after `row`, in the scan's direction, that could fit `fuzzy`. Returns false if no
// row can.
bool FindNextRow(const FuzzyKey& fuzzy, std::string_view row, bool reversed, NextRow* next_row) {
  const unsigned char least = reversed ? 0xFF : 0;
  const unsigned char most = reversed ? 0 : 0xFF;
  std::string* const next = &next_row->start;
  next->assign(fuzzy.key);
  // A row that does not fit differs within the key, and bytes behind it do not count. In a reversed scan the next row
  // is then the last of its length.
  const size_t behind_key = row.size() > fuzzy.key.size() ? row.size() - fuzzy.key.size() : 0;
  const bool fits = fuzzy.Fits(row);
  if (fits) next->append(behind_key, static_cast<char>(least));
  next_row->last_bytes = reversed && !fits ? behind_key : 0;
  // Fixed positions take the pattern's bytes. If that alone moves the row on, it is done; else the last free byte that
  // can move on does.
  ptrdiff_t moved = -1;
  bool ahead = false;
  for (size_t i = 0; i < next->size(); ++i) {
    const unsigned char byte = ByteAt(row, i);
    if (fuzzy.IsFree(i)) {
      (*next)[i] = static_cast<char>(byte);
      if (byte != most) moved = static_cast<ptrdiff_t>(i);
    } else if (const auto fixed = static_cast<unsigned char>(fuzzy.key[i]); byte != fixed) {
      ahead = reversed ? byte > fixed : byte < fixed;
      break;
    }
  }
  if (!ahead) {
    if (moved < 0) return false;
    (*next)[moved] = static_cast<char>((*next)[moved] + (reversed ? -1 : 1));
    for (size_t i = moved + 1; i < next->size(); ++i) {
      if (fuzzy.IsFree(i)) (*next)[i] = static_cast<char>(least);
    }
  }
  if (reversed) return true;
  // Free bytes at the end would be zeros, and a row without them comes first.
  auto last = static_cast<ptrdiff_t>(std::min(fuzzy.mask.size(), next->size())) - 1;
  while (last >= 0 && fuzzy.IsFree(last)) --last;
  next->resize(std::max(last, moved) + 1);
  return true;
}

class FuzzyRowFilter : public Filter {
 public:
  explicit FuzzyRowFilter(std::vector<FuzzyKey> keys) : keys_(std::move(keys)), next_rows_(keys_.size()) {
    queue_.reserve(keys_.size());
  }

  void Reset() override { out_ = false; }
  bool FilterAllRemaining() override { return done_; }
  bool FilterRowKey(std::string_view) override { return done_; }
  bool FilterRow() override { return out_; }

  // Neighbouring rows tend to fit the same key, so the last one that fit is tried first.
  FilterCode FilterCell(const CellView& cell) override {
    for (size_t i = 0; i < keys_.size(); ++i) {
      const size_t index = (last_fit_ + i) % keys_.size();
      if (!keys_[index].Fits(cell.row)) continue;
      last_fit_ = index;
      return FilterCode::kInclude;
    }
    last_fit_ = 0;
    out_ = true;
    return FilterCode::kSeekNextUsingHint;
  }

  bool GetNextCellHint(const CellView& cell, CellView* hint) override {
    if (!initialized_) {
      for (size_t i = 0; i < keys_.size(); ++i) Enqueue(i, cell.row);
      initialized_ = true;
    } else {
      while (!queue_.empty() && !IsAhead(next_rows_[queue_.front()], cell.row)) Enqueue(Dequeue(), cell.row);
    }
    if (queue_.empty()) {
      done_ = true;
      return false;
    }
    hint_ = next_rows_[queue_.front()].Text();
    *hint = {hint_, {}, {}, kLatestTimestamp, CellType::kDeleteFamily, {}};
    return true;
  }

 private:
  bool IsAhead(const NextRow& next, std::string_view row) const {
    return reversed_ ? Compare(row, next) > 0 : Compare(row, next) < 0;
  }

  // For std::*_heap, whose front is the greatest: the key with the nearest row is.
  auto Nearer() const {
    return [this](size_t a, size_t b) {
      const int order = Compare(next_rows_[a], next_rows_[b]);
      return reversed_ ? order < 0 : order > 0;
    };
  }
  void Enqueue(size_t key, std::string_view row) {
    if (!FindNextRow(keys_[key], row, reversed_, &next_rows_[key])) return;
    queue_.push_back(key);
    std::push_heap(queue_.begin(), queue_.end(), Nearer());
  }
  size_t Dequeue() {
    std::pop_heap(queue_.begin(), queue_.end(), Nearer());
    const size_t key = queue_.back();
    queue_.pop_back();
    return key;
  }

  const std::vector<FuzzyKey> keys_;
  std::vector<NextRow> next_rows_;  // per key in the queue, the next row that could fit it
  std::vector<size_t> queue_;       // heap of keys by their next row, the nearest in front
  std::string hint_;
  bool initialized_ = false;
  size_t last_fit_ = 0;
  bool out_ = false;   // the current row
  bool done_ = false;  // no row after this one can fit
};

}  // namespace

FilterOr MakeFilterOf(const FuzzyRowFilterSpec& spec, const FilterMaking&) {
  if (spec.fuzzy_keys.empty()) return Error(ErrorKind::kIllegalArgument, "a FuzzyRowFilter needs at least one key");
  std::vector<FuzzyKey> keys;
  for (const auto& [pattern, mask] : spec.fuzzy_keys) {
    if (pattern.size() != mask.size()) {
      return Error(ErrorKind::kIllegalArgument, "Fuzzy pair lengths do not match: {" + ToShortStringBinary(pattern) +
                                                    "," + ToShortStringBinary(mask) + "}");
    }
    FuzzyKey key{pattern, mask};
    for (size_t i = 0; i < mask.size(); ++i) {
      key.mask[i] = mask[i] == 1 || mask[i] == 2 ? '\0' : '\xFF';
      key.key[i] = static_cast<char>(pattern[i] & key.mask[i]);
    }
    keys.push_back(std::move(key));
  }
  return std::make_unique<FuzzyRowFilter>(std::move(keys));
}

}  // namespace vaquita
