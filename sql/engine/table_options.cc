#include "sql/engine/table_options.h"

#include <algorithm>
#include <limits>

#include "base/status.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"

namespace vaquita::sql {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

// Phoenix's own options that would change how a table behaves. False or 0 is their default.
constexpr std::string_view kOtherOptions[] = {"MULTI_TENANT",
                                              "TRANSACTIONAL",
                                              "APPEND_ONLY_SCHEMA",
                                              "AUTO_PARTITION_SEQ",
                                              "CHANGE_DETECTION_ENABLED",
                                              "TRANSACTION_PROVIDER",
                                              "USE_STATS_FOR_PARALLELIZATION",
                                              "PHOENIX_TTL",
                                              "SCHEMA_VERSION",
                                              "STREAMING_TOPIC_NAME"};

constexpr std::string_view kAlikeInAllFamilies[] = {"TTL", "KEEP_DELETED_CELLS", "REPLICATION_SCOPE"};

absl::StatusOr<bool> FlagOption(const TableOption& option) {
  if (SameIgnoringCase(option.value, "true")) return true;
  if (SameIgnoringCase(option.value, "false")) return false;
  return SqlError(ErrorCode::kIllegalData, Concat(option.name, "=", option.value, ": true and false are possible"));
}

}  // namespace

absl::StatusOr<int64_t> NumberOption(const TableOption& option, int64_t least, int64_t most) {
  int64_t number = 0;
  if (ReadNumber(option.value, &number) && number >= least && number <= most) return number;
  return SqlError(ErrorCode::kIllegalData,
                  Concat(option.name, "=", option.value, ": a number from ", least, " to ", most, " is possible"));
}

absl::StatusOr<bool> SetOwnProperty(const TableOption& option, TableDef* def) {
  if (option.name == "IMMUTABLE_ROWS") {
    VAQUITA_ASSIGN_OR_RETURN(def->immutable, FlagOption(option));
  } else if (option.name == "STORE_NULLS") {
    VAQUITA_ASSIGN_OR_RETURN(def->store_nulls, FlagOption(option));
  } else if (option.name == "DISABLE_WAL") {
    VAQUITA_ASSIGN_OR_RETURN(def->skip_log, FlagOption(option));
  } else if (option.name == "UPDATE_CACHE_FREQUENCY") {
    const bool never = SameIgnoringCase(option.value, "NEVER");
    const bool always = SameIgnoringCase(option.value, "ALWAYS");
    VAQUITA_ASSIGN_OR_RETURN(def->cache_ms, never    ? kMost
                                            : always ? absl::StatusOr<int64_t>(0)
                                                     : NumberOption(option, 0, kMost));
  } else if (option.name == "GUIDE_POSTS_WIDTH") {
    if (SameIgnoringCase(option.value, "null")) {
      def->guide_posts_width.reset();
    } else {
      VAQUITA_ASSIGN_OR_RETURN(def->guide_posts_width, NumberOption(option, 0, kMost));
    }
  } else if (std::ranges::find(kOtherOptions, option.name) != std::end(kOtherOptions)) {
    if (!SameIgnoringCase(option.value, "false") && option.value != "0") {
      return NotSupported(Concat(option.name, "=", option.value));
    }
  } else {
    return false;
  }
  return true;
}

bool IsForAllFamilies(const TableOption& option) {
  return std::ranges::find(kAlikeInAllFamilies, option.name) != std::end(kAlikeInAllFamilies);
}

absl::Status SetHBaseOption(const TableOption& option, TableDescriptor* descriptor) {
  if (!IsFamilyOption(option.name)) return descriptor->Set(option.name, option.value);
  if (!option.family.empty() && !descriptor->families.contains(option.family)) {
    return SqlError(ErrorCode::kUndefinedFamily, Concat("familyName=", option.family));
  }
  for (auto& [name, family] : descriptor->families)
    if (option.family.empty() || option.family == name) VAQUITA_RETURN_IF_ERROR(family.Set(option.name, option.value));
  return absl::OkStatus();
}

FamilyDescriptor NewFamily(const std::string& name) {
  FamilyDescriptor family;
  family.name = name;
  family.data_block_encoding = "FAST_DIFF";
  return family;
}

}  // namespace vaquita::sql
