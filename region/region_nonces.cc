#include "region/region_nonces.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/big_endian.h"
#include "base/status.h"
#include "engine/scanner_group.h"
#include "region/region.h"

namespace vaquita {
namespace {

std::string QualifierOf(const Nonce& nonce) {
  std::string qualifier;
  AppendBigEndian(nonce.group, &qualifier);
  AppendBigEndian(nonce.value, &qualifier);
  return qualifier;
}

}  // namespace

StoreSpec RegionNonces::Spec(const RegionInfo& info, int64_t memstore_flush_bytes) {
  FamilyDescriptor family;
  family.name = kFamily;
  family.ttl_seconds = static_cast<int32_t>(kNonceMs / 1000);
  return {Region::StoreName(info.EncodedName(), kFamily), std::move(family), info.range(), memstore_flush_bytes};
}

RegionNonces::RegionNonces(StoreDb* db, StoreSpec spec)
    : db_(db), spec_(std::move(spec)), store_(db->Find(spec_.name)) {
  ready_ = store_ != nullptr;
  if (ready_) earlier_until_ms_ = db->clock()->NowMs() + kNonceMs;
}

absl::Status RegionNonces::Ready(const CallContext& context) {
  if (ready_.load(std::memory_order_acquire)) return absl::OkStatus();
  if (context.short_waits) return WouldWait();
  std::lock_guard lock(making_);
  if (ready_) return absl::OkStatus();
  VAQUITA_ASSIGN_OR_RETURN(auto made, db_->Create({spec_}));
  std::lock_guard publish(mutex_);
  store_ = std::move(made.front());
  ready_.store(true, std::memory_order_release);
  return absl::OkStatus();
}

void RegionNonces::Add(const Nonce& nonce, std::string_view row, int64_t now_ms, int64_t newest_ms,
                       StoreBatch* batch) const {
  std::string value;
  AppendBigEndian(static_cast<uint64_t>(newest_ms), &value);
  batch->Add(*store_, row, QualifierOf(nonce), now_ms, CellType::kPut, value);
}

absl::StatusOr<std::optional<int64_t>> RegionNonces::Find(const Nonce& nonce, std::string_view row) const {
  const int64_t now_ms = db_->clock()->NowMs();
  if (now_ms >= earlier_until_ms_) return std::nullopt;
  StoreScanOptions read;
  read.query.qualifiers = {QualifierOf(nonce)};
  read.now_ms = now_ms;
  ScannerGroup scanners;
  VAQUITA_RETURN_IF_ERROR(scanners.Open(*db_, {&store_, 1}, BoundsOfRow(spec_.row_order, row), {std::move(read)}));
  CellView cell;
  if (!scanners[0].Valid() || !scanners[0].NextCell(&cell)) {
    VAQUITA_RETURN_IF_ERROR(scanners.status());
    return std::nullopt;
  }
  if (cell.value.size() != sizeof(uint64_t)) {
    return Error(ErrorKind::kCorruptHFile, absl::StrCat("read store ", spec_.name, ": a nonce has ", cell.value.size(),
                                                        " bytes instead of ", sizeof(uint64_t)));
  }
  return static_cast<int64_t>(GetBigEndian<uint64_t>(cell.value.data()));
}

std::shared_ptr<Store> RegionNonces::store() const {
  std::lock_guard lock(mutex_);
  return store_;
}

void RegionNonces::AppendTo(std::vector<std::shared_ptr<Store>>* stores) const {
  if (auto found = store()) stores->push_back(std::move(found));
}

int64_t RegionNonces::MemstoreBytes() const {
  return ready_.load(std::memory_order_acquire) ? store_->MemstoreBytes() : 0;
}

int64_t NewestTimestamp(const CellBlock& cells) {
  int64_t newest_ms = 0;
  for (size_t i = 0; i < cells.size(); ++i) newest_ms = std::max(newest_ms, cells[i].timestamp_ms);
  return newest_ms;
}

}  // namespace vaquita
