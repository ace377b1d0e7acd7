#include "model/store_settings.h"

#include <algorithm>
#include <functional>
#include <span>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/real_number.h"
#include "base/saturated.h"
#include "base/status.h"

namespace vaquita {
namespace {

constexpr const char* kOfStores[] = {"hbase.hstore.compaction.min",
                                     "hbase.hstore.compaction.max",
                                     "hbase.hstore.compaction.min.size",
                                     "hbase.hstore.compaction.max.size",
                                     "hbase.hstore.blockingStoreFiles",
                                     "hbase.hregion.majorcompaction",
                                     "hbase.regionserver.thread.compaction.throttle"};
constexpr const char* kRatiosOfStores[] = {"hbase.hstore.compaction.ratio", "hbase.hregion.majorcompaction.jitter"};
constexpr const char* kOfRegions[] = {"hbase.hregion.memstore.flush.size", "hbase.hregion.memstore.block.multiplier",
                                      "hbase.hregion.max.filesize", "hbase.regionserver.optionalcacheflushinterval"};

// Empty: the family does not set it. As in HBase, an attribute comes before the configuration.
std::string OfFamily(const FamilyDescriptor& family, const std::string& name) {
  for (const auto* settings : {&family.attributes, &family.configuration}) {
    if (const auto it = settings->find(name); it != settings->end()) return it->second;
  }
  return "";
}

template <typename Number>
absl::Status Check(const std::string& name, const std::string& value, bool (*parse)(std::string_view, Number*)) {
  if (Number number; value.empty() || parse(value, &number)) return absl::OkStatus();
  return Error(ErrorKind::kIllegalArgument, absl::StrCat(name, " takes a number, not '", value, "'"));
}

bool ParseLong(std::string_view text, int64_t* number) { return absl::SimpleAtoi(AbslText(text), number); }

absl::Status CheckAll(const std::function<std::string(const std::string&)>& value_of) {
  for (const auto& names : {std::span<const char* const>(kOfStores), std::span<const char* const>(kOfRegions)}) {
    for (const char* name : names) VAQUITA_RETURN_IF_ERROR(Check<int64_t>(name, value_of(name), &ParseLong));
  }
  for (const char* name : kRatiosOfStores) {
    VAQUITA_RETURN_IF_ERROR(Check<double>(name, value_of(name), &ReadRealNumber));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckSettings(const TableDescriptor& table) {
  VAQUITA_RETURN_IF_ERROR(CheckAll([&](const std::string& name) { return std::string(table.Setting(name)); }));
  for (const auto& [name, family] : table.families) {
    VAQUITA_RETURN_IF_ERROR(CheckAll([&f = family](const std::string& setting) { return OfFamily(f, setting); }));
  }
  return absl::OkStatus();
}

FamilyDescriptor FamilyOfStores(const TableDescriptor& table, const FamilyDescriptor& family) {
  FamilyDescriptor whole = family;
  for (const auto& names : {std::span<const char* const>(kOfStores), std::span<const char* const>(kRatiosOfStores)}) {
    for (const char* name : names) {
      if (!OfFamily(family, name).empty()) continue;
      if (const std::string_view value = table.Setting(name); !value.empty()) whole.configuration[name] = value;
    }
  }
  return whole;
}

int64_t StoreNumber(const FamilyDescriptor& family, const std::string& name, int64_t otherwise) {
  int64_t number = 0;
  return absl::SimpleAtoi(OfFamily(family, name), &number) ? number : otherwise;
}

double StoreRatio(const FamilyDescriptor& family, const std::string& name, double otherwise) {
  double number = 0;
  return ReadRealNumber(OfFamily(family, name), &number) ? number : otherwise;
}

int64_t FlushBytes(const TableDescriptor& table, const Options& options) {
  if (table.memstore_flush_bytes > 0) return table.memstore_flush_bytes;
  return std::max<int64_t>(0, table.Number("hbase.hregion.memstore.flush.size", options.memstore_flush_bytes));
}

int64_t BlockingMemstoreBytes(const TableDescriptor& table, const Options& options) {
  return SaturatedProduct(FlushBytes(table, options),
                          table.Number("hbase.hregion.memstore.block.multiplier", options.memstore_block_multiplier));
}

}  // namespace vaquita
