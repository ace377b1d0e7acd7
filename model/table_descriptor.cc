#include "model/table_descriptor.h"

#include <algorithm>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/absl_text.h"
#include "base/class_names.h"
#include "base/options.h"
#include "base/status.h"
#include "model/cell.h"
#include "model/store_settings.h"

namespace vaquita {
namespace {

constexpr char kSanityChecks[] = "hbase.table.sanity.checks";

// TableDescriptorBuilder.RESERVED_KEYWORDS.
constexpr std::string_view kReserved[] = {"DURABILITY",   "ERASURE_CODING_POLICY", "IS_META",
                                          "MAX_FILESIZE", "MEMSTORE_FLUSHSIZE",    "PRIORITY",
                                          "READONLY",     "REGION_REPLICATION"};

constexpr const char* kRegionReplication = "REGION_REPLICATION";
constexpr int64_t kMostReplicas = 0x10000;  // CreateTableProcedure.MAX_REGION_REPLICATION

constexpr std::pair<std::string_view, Durability> kDurabilities[] = {{"USE_DEFAULT", Durability::kUseDefault},
                                                                     {"SKIP_WAL", Durability::kSkipWal},
                                                                     {"ASYNC_WAL", Durability::kAsyncWal},
                                                                     {"SYNC_WAL", Durability::kSyncWal},
                                                                     {"FSYNC_WAL", Durability::kFsyncWal}};

// Properties that Number is asked for. HBase reads such a one when a region opens, or later still, and fails then.
constexpr const char* kNumbers[] = {"hbase.hregion.max.filesize.limit",
                                    "hbase.hregion.memstore.flush.size.limit",
                                    "hbase.normalizer.merge.min.region.count",
                                    "hbase.normalizer.min.region.count",
                                    "hbase.server.keyvalue.maxsize",
                                    "NORMALIZER_TARGET_REGION_COUNT",
                                    "NORMALIZER_TARGET_REGION_SIZE",
                                    "NORMALIZER_TARGET_REGION_SIZE_MB",
                                    "REGION_REPLICATION"};

absl::Status CheckNumbers(const TableDescriptor& table) {
  for (const char* property : kNumbers) {
    const absl::string_view value = AbslText(table.Setting(property));
    if (int64_t number = 0; value.empty() || absl::SimpleAtoi(value, &number)) continue;
    return Error(ErrorKind::kIllegalArgument, absl::StrCat(property, " takes a number, not '", value, "'"));
  }
  return absl::OkStatus();
}

absl::Status SetDurability(std::string_view value, Durability* durability) {
  if (value.empty()) value = "USE_DEFAULT";
  for (const auto& [name, known] : kDurabilities) {
    if (value != name) continue;
    *durability = known;
    return absl::OkStatus();
  }
  return Error(ErrorKind::kIllegalArgument,
               "No enum constant org.apache.hadoop.hbase.client.Durability." + std::string(value));
}

std::string_view DurabilityName(Durability durability) {
  for (const auto& [name, known] : kDurabilities) {
    if (known == durability) return name;
  }
  return "";
}

// Boolean.valueOf: whatever is not "true" is false.
void SetBool(std::string_view value, bool default_value, bool* flag) {
  *flag = value.empty() ? default_value : absl::EqualsIgnoreCase(std::string(value), "true");
}

// Takes digits, blanks around them and a unit ("10 GB", "512mb", "7B", "7") off the front of `text`, which is not
// empty.
bool TakeAmount(std::string_view* text, std::string* digits, char* unit) {
  const auto skip_blanks = [&] {
    while (!text->empty() && absl::ascii_isspace(text->front())) text->remove_prefix(1);
  };
  digits->clear();
  while (!text->empty() && absl::ascii_isdigit(text->front())) {
    digits->push_back(text->front());
    text->remove_prefix(1);
  }
  skip_blanks();
  *unit = 'B';
  if (!text->empty()) {
    const char c = absl::ascii_toupper(text->front());
    if (c == 'T' || c == 'G' || c == 'M' || c == 'K') {
      *unit = c;
      text->remove_prefix(1);
    }
    if (!text->empty() && absl::ascii_toupper(text->front()) == 'B') text->remove_prefix(1);
  }
  skip_blanks();
  return !digits->empty();
}

// "1073741824" or "1 GB" or "1GB 25MB". Units go from the largest to the smallest.
std::optional<int64_t> ParseAmounts(std::string_view text) {
  int64_t bytes = 0;
  if (absl::SimpleAtoi(AbslText(text), &bytes)) return bytes;
  bytes = 0;
  constexpr std::string_view kUnits = "BKMGT";
  size_t least = kUnits.size();
  if (text.empty()) return std::nullopt;
  while (!text.empty()) {
    std::string digits;
    char unit = 0;
    int64_t amount = 0;
    if (!TakeAmount(&text, &digits, &unit) || !absl::SimpleAtoi(digits, &amount)) return std::nullopt;
    const size_t rank = kUnits.find(unit);
    if (rank >= least) return std::nullopt;
    least = rank;
    for (size_t i = 0; i < rank; ++i) {
      if (__builtin_mul_overflow(amount, kKiB, &amount)) return std::nullopt;
    }
    if (__builtin_add_overflow(bytes, amount, &bytes)) return std::nullopt;
  }
  return bytes;
}

// As above or, as PrettySize writes it, "1073741824 B (1GB)".
std::optional<int64_t> ParseSize(std::string_view text) {
  const size_t open = text.find('(');
  if (open == text.npos || !text.ends_with(')')) return ParseAmounts(text);
  const auto whole = ParseAmounts(text.substr(0, open));
  const auto parts = ParseAmounts(text.substr(open + 1, text.size() - open - 2));
  return whole == parts ? whole : std::nullopt;
}

absl::Status SetSize(std::string_view name, std::string_view value, int64_t* size) {
  const std::optional<int64_t> bytes = value.empty() ? -1 : ParseSize(value);
  if (!bytes) {
    return Error(ErrorKind::kIllegalArgument,
                 absl::StrCat(std::string(name), " takes a number of bytes or a size such as '10 GB', not '",
                              std::string(value), "'"));
  }
  *size = *bytes;
  return absl::OkStatus();
}

absl::Status CheckSizes(const TableDescriptor& table) {
  if (table.max_file_bytes != -1 && table.max_file_bytes < table.Number("hbase.hregion.max.filesize.limit", 2 * kMiB)) {
    return SanityError(
        absl::StrCat("MAX_FILESIZE for table descriptor or \"hbase.hregion.max.filesize\" (", table.max_file_bytes,
                     ") is too small, which might cause over splitting into unmanageable number of regions."));
  }
  if (table.memstore_flush_bytes != -1 &&
      table.memstore_flush_bytes < table.Number("hbase.hregion.memstore.flush.size.limit", kMiB)) {
    return SanityError(
        absl::StrCat("MEMSTORE_FLUSHSIZE for table descriptor or \"hbase.hregion.memstore.flush.size\" (",
                     table.memstore_flush_bytes, ") is too small, which might cause very frequent flushing."));
  }
  return absl::OkStatus();
}

absl::Status CheckSplitPolicy(const TableDescriptor& table) {
  const std::string_view configured = table.SplitPolicy();
  if (configured.empty() || SplitPolicyNames().Has(configured)) return absl::OkStatus();
  return SanityError(absl::StrCat("Unable to load configured region split policy '", AbslText(configured),
                                  "' for table '", table.name.ToString(), "'"));
}

absl::Status CheckFamilies(const TableDescriptor& table, bool sanity_checks) {
  for (const auto& [name, family] : table.families) {
    if (name.size() > kMaxFamilyLength) {
      return Error(ErrorKind::kIllegalArgument,
                   absl::StrCat("The length of family name is bigger than ", kMaxFamilyLength));
    }
    VAQUITA_RETURN_IF_ERROR(family.Validate(sanity_checks));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status SanityError(std::string_view message) {
  return Error(ErrorKind::kDoNotRetryIO,
               absl::StrCat(std::string(message), " Set ", kSanityChecks,
                            " to false at conf or table descriptor if you want to bypass sanity checks"));
}

bool IsReservedTableAttribute(std::string_view name) {
  return std::find(std::begin(kReserved), std::end(kReserved), name) != std::end(kReserved);
}

std::string PrettySize(int64_t bytes) {
  std::string text = absl::StrCat(bytes, " B");
  if (bytes < kKiB) return text;
  static constexpr std::pair<int64_t, const char*> kUnits[] = {
      {kMiB * kMiB, "TB"}, {kKiB * kMiB, "GB"}, {kMiB, "MB"}, {kKiB, "KB"}, {1, "B"}};
  const char* separator = " (";
  for (const auto& [size, name] : kUnits) {
    if (bytes < size) continue;
    absl::StrAppend(&text, separator, bytes / size, name);
    bytes %= size;
    separator = " ";
  }
  return text + ")";
}

absl::Status TableDescriptor::Set(std::string_view option, std::string_view value) {
  if (option == "MAX_FILESIZE") return SetSize(option, value, &max_file_bytes);
  if (option == "MEMSTORE_FLUSHSIZE") return SetSize(option, value, &memstore_flush_bytes);
  if (option == "DURABILITY") return SetDurability(value, &durability);
  if (option == "READONLY") {
    SetBool(value, false, &read_only);
  } else if (option == "COMPACTION_ENABLED") {
    SetBool(value, true, &compaction_enabled);
  } else if (option == "SPLIT_ENABLED") {
    SetBool(value, true, &split_enabled);
  } else if (option == "MERGE_ENABLED") {
    SetBool(value, true, &merge_enabled);
  } else if (option == "SPLIT_POLICY") {
    split_policy = value;
  } else if (option == "IS_META") {
    // Follows from the table's name, whatever a client sends.
  } else if (value.empty()) {
    attributes.erase(std::string(option));
  } else {
    attributes.insert_or_assign(std::string(option), std::string(value));
  }
  return absl::OkStatus();
}

std::vector<std::pair<std::string, std::string>> TableDescriptor::Options() const {
  std::map<std::string, std::string> options = attributes;
  if (name == kMetaTableName) options["IS_META"] = "true";
  if (max_file_bytes != -1) options["MAX_FILESIZE"] = absl::StrCat(max_file_bytes);
  if (memstore_flush_bytes != -1) options["MEMSTORE_FLUSHSIZE"] = absl::StrCat(memstore_flush_bytes);
  if (durability != Durability::kUseDefault) options["DURABILITY"] = std::string(DurabilityName(durability));
  if (read_only) options["READONLY"] = "true";
  if (!compaction_enabled) options["COMPACTION_ENABLED"] = "false";
  if (!split_enabled) options["SPLIT_ENABLED"] = "false";
  if (!merge_enabled) options["MERGE_ENABLED"] = "false";
  if (!split_policy.empty()) options["SPLIT_POLICY"] = split_policy;
  std::vector<std::pair<std::string, std::string>> ordered(options.begin(), options.end());
  std::stable_partition(ordered.begin(), ordered.end(),
                        [](const auto& option) { return IsReservedTableAttribute(option.first); });
  return ordered;
}

const FamilyDescriptor* TableDescriptor::FindFamily(std::string_view family) const {
  // One family per table is the common case, and this is asked per cell of a put.
  for (const auto& [name, descriptor] : families) {
    if (name == family) return &descriptor;
  }
  return nullptr;
}

const FamilyDescriptor* TableDescriptor::FindFamilyOfStore(std::string_view store_name) const {
  const FamilyDescriptor* const family = FindFamily(FamilyDescriptor::OfStore(store_name).name);
  return family != nullptr && family->StoreName() == store_name ? family : nullptr;
}

std::string_view TableDescriptor::Setting(const std::string& property) const {
  for (const auto* settings : {&attributes, &configuration}) {
    if (const auto it = settings->find(property); it != settings->end()) return it->second;
  }
  return {};
}

int64_t TableDescriptor::Number(const std::string& property, int64_t default_value) const {
  int64_t number = 0;
  return absl::SimpleAtoi(AbslText(Setting(property)), &number) ? number : default_value;
}

int32_t TableDescriptor::RegionReplication() const {
  return static_cast<int32_t>(std::clamp<int64_t>(Number(kRegionReplication, 1), 1, kMostReplicas));
}

std::string_view TableDescriptor::SplitPolicy() const {
  return split_policy.empty() ? Setting("hbase.regionserver.region.split.policy") : split_policy;
}

bool TableDescriptor::HasSanityChecks(bool by_default) const {
  const absl::string_view setting = AbslText(Setting(kSanityChecks));
  if (absl::EqualsIgnoreCase(setting, "false")) return false;
  return by_default || absl::EqualsIgnoreCase(setting, "true");
}

absl::Status TableDescriptor::Validate(bool sanity_checks) const {
  VAQUITA_RETURN_IF_ERROR(CheckNumbers(*this));
  VAQUITA_RETURN_IF_ERROR(CheckSettings(*this));
  sanity_checks = HasSanityChecks(sanity_checks);
  if (sanity_checks) {
    VAQUITA_RETURN_IF_ERROR(CheckSizes(*this));
    VAQUITA_RETURN_IF_ERROR(CheckSplitPolicy(*this));
    if (families.empty()) return SanityError("Table should have at least one column family.");
    if (Number(kRegionReplication, 1) < 1) return SanityError("Table region replication should be at least one.");
  }
  if (Number(kRegionReplication, 1) > kMostReplicas) {
    return Error(ErrorKind::kIllegalArgument, absl::StrCat("Region Replication cannot exceed ", kMostReplicas, "."));
  }
  if (read_only && name == kMetaTableName) return SanityError("Meta table can't be set as read only.");
  return CheckFamilies(*this, sanity_checks);
}

std::string AttributesText(const TableDescriptor& table) {
  std::vector<std::string> attributes;
  std::map<std::string, std::string> metadata = table.configuration;
  for (const auto& [name, value] : table.Options()) {
    if (!IsReservedTableAttribute(name)) {
      metadata[name] = value;
      continue;
    }
    int64_t bytes = 0;
    const bool is_size = (name == "MAX_FILESIZE" || name == "MEMSTORE_FLUSHSIZE") && absl::SimpleAtoi(value, &bytes);
    attributes.push_back(absl::StrCat(name, " => '", is_size ? PrettySize(bytes) : value, "'"));
  }
  if (!metadata.empty()) {
    const auto print = [](std::string* out, const auto& pair) {
      absl::StrAppend(out, "'", pair.first, "' => '", pair.second, "'");
    };
    attributes.push_back(absl::StrCat("METADATA => {", absl::StrJoin(metadata, ", ", print), "}"));
  }
  if (attributes.empty()) return "";
  return absl::StrCat(", {TABLE_ATTRIBUTES => {", absl::StrJoin(attributes, ", "), "}}");
}

}  // namespace vaquita
