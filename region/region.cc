#include "region/region.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/prefetch.h"
#include "base/status.h"
#include "engine/nonce_store.h"
#include "model/request_check.h"
#include "model/store_settings.h"
#include "region/read_plan.h"
#include "region/region_layout.h"
#include "region/row_scan.h"
#include "region/split_policy.h"

namespace vaquita {
namespace {

// Memstores of this size or less are flushed behind a shut gate (HBase: hbase.hregion.preclose.flush.size).
constexpr int64_t kSmallMemstoreBytes = 1 * kMiB;
constexpr int kMostFlushes = 4;

std::shared_ptr<KeyHeat> NewHeat(const StoreDb& db, const RegionInfo& info) {
  if (!db.options().key_heat || info.table.IsSystem()) return nullptr;
  return std::make_shared<KeyHeat>(info.start_key, info.end_key);
}

}  // namespace

Region::Region(StoreDb* db, std::shared_ptr<const RegionLayout> layout)
    : db_(db),
      info_(layout->info),
      earlier_until_ms_(db->nonces()->MayKnow() ? db->clock()->NowMs() + kNonceMs : 0),
      layout_(std::move(layout)),
      heat_(NewHeat(*db, info_)) {}

int64_t NewestTimestamp(const CellBlock& cells) {
  int64_t newest_ms = 0;
  for (size_t i = 0; i < cells.size(); ++i) newest_ms = std::max(newest_ms, cells[i].timestamp_ms);
  return newest_ms;
}

std::shared_ptr<const TableDescriptor> Region::table() const { return Layout()->table; }

std::shared_ptr<const RegionLayout> Region::Layout() const {
  std::lock_guard lock(layout_mu_);
  return layout_;
}

std::vector<std::shared_ptr<Store>> Region::Stores() const { return Layout()->stores; }

absl::Status Region::NotServing(const CallContext& context) const {
  if (context.short_waits && !gate_.closed()) return WouldWait();
  return Error(ErrorKind::kNotServingRegion, absl::StrCat(ToStringBinary(info_.Name()), " is closing"));
}

void Region::CountReads(int64_t read, int64_t filtered) {
  read_requests_.fetch_add(read, std::memory_order_relaxed);
  if (filtered > 0) filtered_read_requests_.fetch_add(filtered, std::memory_order_relaxed);
}

// Each step asks for what the one before has fetched, so that it waits for the first region at most.
void Region::Prefetch(std::span<const std::shared_ptr<Region>> regions) {
  using vaquita::Prefetch;
  for (const auto& region : regions) {
    if (region == nullptr) continue;
    Prefetch(&region->info_, sizeof(region->info_));
    Prefetch(&region->gate_, sizeof(region->gate_));
    Prefetch(&region->layout_mu_,
             reinterpret_cast<const char*>(region.get() + 1) - reinterpret_cast<const char*>(&region->layout_mu_));
  }
  std::vector<std::shared_ptr<const RegionLayout>> layouts;
  layouts.reserve(regions.size());
  for (const auto& region : regions) {
    if (region == nullptr) continue;
    Prefetch(layouts.emplace_back(region->Layout()).get(), sizeof(RegionLayout));
    Prefetch(region->info_.start_key.data(), region->info_.start_key.size());
    Prefetch(region->info_.end_key.data(), region->info_.end_key.size());
    if (region->heat_ != nullptr) Prefetch(region->heat_.get(), sizeof(KeyHeat));
  }
  std::erase_if(layouts, [](const auto& layout) { return layout->stores.empty(); });
  for (const auto& layout : layouts) {
    Prefetch(layout->families.data(), sizeof(std::string));
    Prefetch(layout->stores.data(), sizeof(layout->stores[0]));
  }
  // Most tables have one family.
  for (const auto& layout : layouts) Prefetch(layout->stores[0].get(), sizeof(Store));
  for (const auto& layout : layouts) layout->stores[0]->PrefetchParts();
  for (const auto& layout : layouts) layout->stores[0]->PrefetchSpec();
}

absl::Status Region::Get(const vaquita::Get& get, CellBlock* cells, const CallContext& context) {
  VAQUITA_RETURN_IF_ERROR(CheckRowLength(get.row));
  if (get.max_versions <= 0) return Error(ErrorKind::kDoNotRetryIO, "versions must be positive");
  if (get.closest_row_before) {
    return Error(ErrorKind::kUnknownProtocol,
                 "Is this a pre-hbase-1.0.0 or asynchbase client? Client is invoking getClosestRowBefore removed in "
                 "hbase-2.0.0 replaced by reverse Scan.");
  }
  GatePass pass(&gate_, context.short_waits);
  if (!pass.inside()) return NotServing(context);
  if (!info_.ContainsRow(get.row)) return RowOutOfRange(*layout_, get.row, "Get");
  const size_t cells_before = cells->size();
  const size_t bytes_before = cells->bytes().size();
  VAQUITA_RETURN_IF_ERROR(ReadRow(*db_, *layout_, get.row, get, get.existence_only, context.watch, cells));
  CountReads(1, cells->size() == cells_before ? 1 : 0);
  if (heat_ != nullptr) heat_->CountRead(get.row, static_cast<int64_t>(cells->bytes().size() - bytes_before));
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<RegionScanner>> Region::NewScanner(const Scan& scan, const CallContext& context) {
  GatePass pass(&gate_, context.short_waits);
  if (!pass.inside()) return NotServing(context);
  VAQUITA_ASSIGN_OR_RETURN(auto rows, RowScan::Open(*db_, *layout_, scan, heat_.get()));
  return std::make_unique<RegionScanner>(shared_from_this(), std::move(rows));
}

absl::Status Region::FlushFamilies(const std::vector<std::string>& families) {
  const auto layout = Layout();
  std::vector<std::shared_ptr<Store>> some;
  for (const std::string& family : families) {
    const int found = layout->Find(family);
    if (found < 0) return NoSuchFamily(*layout, family);
    some.push_back(layout->stores[found]);
  }
  const std::string name = ToStringBinary(info_.Name());
  TaskMonitor::Run task(db_->tasks(), "Flushing " + name, "Flushing stores of " + name);
  VAQUITA_RETURN_IF_ERROR(Annotate(db_->Flush(families.empty() ? layout->stores : some),
                                   StdText(absl::StrCat("flush region ", info_.EncodedName()))));
  task.Complete("Flush successful");
  return absl::OkStatus();
}

absl::Status Region::FlushToLittle() {
  for (int flush = 0; flush < kMostFlushes && Layout()->MemstoreBytes() > kSmallMemstoreBytes; ++flush) {
    VAQUITA_RETURN_IF_ERROR(Flush());
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> Region::Compact(CompactionKind kind, std::string_view family) {
  const auto layout = Layout();
  if (!family.empty() && layout->Find(family) < 0) return NoSuchFamily(*layout, family);
  if (!layout->table->compaction_enabled) return false;
  bool any = false;
  for (const auto& store : layout->stores) {
    if (!family.empty() && store->spec().family.name != family) continue;
    const std::string& name = store->spec().family.name;
    TaskMonitor::Run task(db_->tasks(), "Compacting " + name + " in " + ToStringBinary(info_.Name()),
                          "Compacting store " + name);
    VAQUITA_ASSIGN_OR_RETURN(const bool ran, db_->Compact(store, kind));
    ran ? task.Complete("Compaction complete") : task.Forget();
    any = any || ran;
  }
  return any;
}

void Region::HoldCompactions(bool hold) {
  for (const auto& store : Stores()) store->HoldCompactions(hold);
}

bool Region::NeedsFlush() const {
  const auto layout = Layout();
  if (layout->MemstoreBytes() > layout->flush_bytes) return true;
  return std::any_of(layout->stores.begin(), layout->stores.end(),
                     [](const std::shared_ptr<Store>& store) { return store->FlushSavesReads(); });
}

absl::StatusOr<std::string> Region::SplitPoint() const {
  const auto layout = Layout();
  if (closed() || layout->table->name.IsSystem()) return std::string();
  std::string row;
  int64_t largest = 0;
  for (const auto& store : layout->stores) {
    const int64_t bytes = store->Metrics().store_file_bytes;
    if (bytes <= largest || store->HasReferences()) continue;
    VAQUITA_ASSIGN_OR_RETURN(std::string midkey, store->Midkey());
    if (midkey.empty()) continue;
    row = std::move(midkey);
    largest = bytes;
  }
  if (row.empty()) return row;
  row = RestrictedSplitRow(*layout->table, PolicySplitRow(*layout->table, db_->options(), row));
  row.resize(std::min(row.size(), MaxStartKeyLength(info_.table)));
  // A prefix may lie before the region, or be its start.
  if (row <= info_.start_key || !info_.ContainsRow(row)) row.clear();
  return row;
}

bool Region::ShouldSplit(int table_regions_here) const {
  const auto layout = Layout();
  if (closed() || layout->table->name.IsSystem() || !layout->table->split_enabled || HasReferences()) return false;
  const int64_t size = SplitSize(*layout->table, db_->options(), info_, table_regions_here);
  if (size < 0) return false;
  for (const auto& store : layout->stores) {
    if (store->Metrics().store_file_bytes > size) return true;
  }
  return false;
}

absl::StatusOr<std::vector<StoreFileInfo>> Region::StoreFiles(std::string_view family) const {
  const auto layout = Layout();
  const int at = layout->Find(family);
  if (at < 0) return NoSuchFamily(*layout, family);
  return layout->stores[at]->Files();
}

bool Region::HasReferences() const {
  const auto layout = Layout();
  for (const auto& store : layout->stores) {
    if (store->HasReferences()) return true;
  }
  return false;
}

RegionMetrics Region::Metrics() const {
  const auto layout = Layout();
  RegionMetrics metrics;
  metrics.info = info_;
  metrics.read_requests = read_requests_.load(std::memory_order_relaxed);
  metrics.filtered_read_requests = filtered_read_requests_.load(std::memory_order_relaxed);
  metrics.write_requests = write_requests_.load(std::memory_order_relaxed);
  metrics.stores.reserve(layout->stores.size());
  for (size_t i = 0; i < layout->stores.size(); ++i) {
    const StoreMetrics store = layout->stores[i]->Metrics();
    metrics.store_files += store.store_files;
    metrics.store_file_bytes += store.store_file_bytes;
    metrics.memstore_bytes += store.memstore_bytes;
    metrics.has_references = metrics.has_references || layout->stores[i]->HasReferences();
    metrics.stores.push_back({layout->families[i], store});
  }
  return metrics;
}

absl::Status Region::Alter(std::shared_ptr<const TableDescriptor> table) {
  const auto old = Layout();
  VAQUITA_ASSIGN_OR_RETURN(auto altered, AlteredLayout(*old, std::move(table)));
  if (!gate_.Pause()) return NotServing();
  {
    std::lock_guard lock(layout_mu_);
    layout_ = altered;
  }
  gate_.Open();
  std::vector<std::string> dropped;
  for (const auto& store : old->stores) {
    const bool is_kept = std::find(altered->stores.begin(), altered->stores.end(), store) != altered->stores.end();
    if (!is_kept) dropped.push_back(store->spec().name);
  }
  return dropped.empty() ? absl::OkStatus() : db_->Drop(dropped);
}

absl::StatusOr<std::shared_ptr<const RegionLayout>> Region::AlteredLayout(
    const RegionLayout& old, std::shared_ptr<const TableDescriptor> table) {
  const std::string encoded_name = info_.EncodedName();
  // A family that was removed and added again has a new store.
  const auto store_of = [&](const FamilyDescriptor& family) -> std::shared_ptr<Store> {
    const int place = old.Find(family.name);
    const bool is_kept = place >= 0 && old.stores[place]->spec().name == StoreName(encoded_name, family);
    return is_kept ? old.stores[place] : db_->Find(StoreName(encoded_name, family));
  };
  std::vector<StoreSpec> added;
  for (StoreSpec& spec : StoreSpecs(info_, *table, db_->options())) {
    // The database has it if an Alter before this one failed later on.
    if (store_of(spec.family) == nullptr) added.push_back(std::move(spec));
  }
  if (!added.empty()) VAQUITA_RETURN_IF_ERROR(db_->Create(std::move(added)).status());
  auto layout = std::make_shared<RegionLayout>();
  layout->info = info_;
  layout->flush_bytes = FlushBytes(*table, db_->options());
  layout->blocking_bytes = BlockingMemstoreBytes(*table, db_->options());
  layout->max_cell_bytes = MaxCellBytes(*table, db_->options());
  for (const auto& [family, descriptor] : table->families) {
    std::shared_ptr<Store> store = store_of(descriptor);
    const FamilyDescriptor wanted = FamilyOfStores(*table, descriptor);
    if (!(store->spec().family == wanted)) VAQUITA_RETURN_IF_ERROR(store->Alter(wanted));
    layout->families.push_back(family);
    layout->stores.push_back(std::move(store));
  }
  layout->table = std::move(table);
  return layout;
}

absl::Status Region::Close() { return gate_.Close() ? absl::OkStatus() : NotServing(); }

}  // namespace vaquita
