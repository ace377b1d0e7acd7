#include "tools/shell/table_arguments.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "model/region_info.h"
#include "model/split_algorithm.h"

namespace vaquita::shell {
namespace {

constexpr std::string_view kFamilyOptions[] = {
    "BLOCKCACHE",
    "REPLICATION_SCOPE",
    "CACHE_DATA_ON_WRITE",
    "CACHE_INDEX_ON_WRITE",
    "CACHE_BLOOMS_ON_WRITE",
    "EVICT_BLOCKS_ON_CLOSE",
    "IN_MEMORY",
    "IN_MEMORY_COMPACTION",
    "TTL",
    "DATA_BLOCK_ENCODING",
    "INDEX_BLOCK_ENCODING",
    "BLOCKSIZE",
    "VERSIONS",
    "MIN_VERSIONS",
    "KEEP_DELETED_CELLS",
    "COMPRESS_TAGS",
    "PREFETCH_BLOCKS_ON_OPEN",
    "IS_MOB",
    "MOB_THRESHOLD",
    "NEW_VERSION_BEHAVIOR",
    "BLOOMFILTER",
    "COMPRESSION",
    "ENCRYPTION",
    "COMPRESSION_COMPACT",
    "COMPRESSION_COMPACT_MAJOR",
    "COMPRESSION_COMPACT_MINOR",
    "STORAGE_POLICY",
    "MOB_COMPACT_PARTITION_POLICY",
    "DFS_REPLICATION",
};

constexpr std::string_view kTableAttributes[] = {
    "ERASURE_CODING_POLICY",
    "OWNER",
    "MAX_FILESIZE",
    "READONLY",
    "COMPACTION_ENABLED",
    "SPLIT_ENABLED",
    "MERGE_ENABLED",
    "NORMALIZATION_ENABLED",
    "NORMALIZER_TARGET_REGION_COUNT",
    "NORMALIZER_TARGET_REGION_SIZE",
    "NORMALIZER_TARGET_REGION_SIZE_MB",
    "MEMSTORE_FLUSHSIZE",
    "DURABILITY",
    "PRIORITY",
    "FLUSH_POLICY",
    "REGION_MEMSTORE_REPLICATION",
    "SPLIT_POLICY",
    "REGION_REPLICATION",
};

// A boolean attribute, as HBase writes back what Boolean.valueOf read.
bool IsFlag(std::string_view attribute) {
  return attribute == "NORMALIZATION_ENABLED" || attribute == "REGION_MEMSTORE_REPLICATION";
}

// Sets each pair of the hash `name` of `options` in `*settings`; nil removes.
absl::Status TakeSettings(Hash& options, std::string_view name, std::map<std::string, std::string>* settings) {
  const Value taken = Take(options, name);
  if (!taken.IsTruthy()) return absl::OkStatus();
  const Hash* pairs = taken.AsHash();
  if (pairs == nullptr) return ShellError(absl::StrCat(AbslText(name), " must be a Hash type"));
  for (const HashEntry& pair : *pairs) {
    if (pair.value.IsNil()) {
      settings->erase(pair.key.ToText());
    } else {
      (*settings)[pair.key.ToText()] = pair.value.ToText();
    }
  }
  return absl::OkStatus();
}

// These two are checked by the HBase shell itself, in words of its own.
absl::Status CheckChoice(std::string_view option, const std::string& value) {
  static constexpr std::string_view kBlooms[] = {"NONE", "ROW", "ROWCOL"};
  static constexpr std::string_view kCompressions[] = {"NONE", "SNAPPY", "LZ4", "ZSTD", "GZ"};
  if (option == "BLOOMFILTER" && std::find(std::begin(kBlooms), std::end(kBlooms), value) == std::end(kBlooms)) {
    return ShellError(absl::StrCat("BloomFilter type ", value, " is not supported. Use one of NONE ROW ROWCOL"));
  }
  if (option == "COMPRESSION" &&
      std::find(std::begin(kCompressions), std::end(kCompressions), value) == std::end(kCompressions)) {
    return ShellError(absl::StrCat("Compression ", value, " is not supported. Use one of NONE SNAPPY LZ4 ZSTD GZ"));
  }
  return absl::OkStatus();
}

absl::Status SetFamilyOptions(Hash& options, FamilyDescriptor* family) {
  for (const std::string_view option : kFamilyOptions) {
    if (Find(options, option) == nullptr) continue;
    std::string value = Take(options, option).ToText();
    if (option == "BLOOMFILTER" || option == "COMPRESSION" || option == "KEEP_DELETED_CELLS") {
      absl::AsciiStrToUpper(&value);
    }
    VAQUITA_RETURN_IF_ERROR(CheckChoice(option, value));
    VAQUITA_RETURN_IF_ERROR(family->Set(option, value));
  }
  VAQUITA_RETURN_IF_ERROR(TakeSettings(options, "METADATA", &family->attributes));
  return TakeSettings(options, "CONFIGURATION", &family->configuration);
}

absl::Status ReadSplitsFile(Hash& options, TableDescriptor* table) {
  if (Find(options, "SPLITS_FILE") == nullptr) return absl::OkStatus();
  const std::string path = Take(options, "SPLITS_FILE").ToText();
  std::ifstream file(path);
  if (!file) return ShellError(absl::StrCat("Splits file ", path, " doesn't exist"));
  Array keys;
  for (std::string line; std::getline(file, line);) {
    if (line.ends_with('\r')) line.pop_back();
    keys.emplace_back(line);
  }
  if (file.bad()) return ShellError(absl::StrCat("Splits file ", path, " cannot be read"));
  options.Set("SPLITS", Value(std::move(keys)));
  return table->Set("SPLITS_FILE", path);
}

absl::StatusOr<std::vector<std::string>> ReadSplitAlgorithm(Hash& options) {
  const Value regions = Take(options, "NUMREGIONS");
  const Value algorithm = Take(options, "SPLITALGO");
  if (regions.IsNil()) return ShellError("Number of regions must be specified");
  if (algorithm.IsNil()) return ShellError("Split algorithm must be specified");
  const int64_t* number = regions.AsInteger();
  if (number == nullptr) return ShellError(absl::StrCat("Number of regions must be a number, not ", regions.Inspect()));
  if (*number <= 1) return ShellError("Number of regions must be greater than 1");
  return SplitKeysByAlgorithm(algorithm.ToText(), static_cast<int>(std::min<int64_t>(*number, 1'000'000)));
}

absl::Status ReadSplits(Hash& options, NewTable* table) {
  VAQUITA_RETURN_IF_ERROR(ReadSplitsFile(options, &table->descriptor));
  if (Find(options, "SPLITS") != nullptr) {
    const Value splits = Take(options, "SPLITS");
    if (splits.AsArray() == nullptr) return ShellError(absl::StrCat("SPLITS must be an Array, not ", splits.Inspect()));
    table->split_keys.clear();
    for (const Value& key : *splits.AsArray()) table->split_keys.push_back(FromStringBinary(key.ToText()));
  } else if (Find(options, "NUMREGIONS") != nullptr || Find(options, "SPLITALGO") != nullptr) {
    VAQUITA_ASSIGN_OR_RETURN(table->split_keys, ReadSplitAlgorithm(options));
  }
  return absl::OkStatus();
}

absl::Status AddFamily(const Value& argument, std::ostream& out, TableDescriptor* table) {
  FamilyDescriptor family;
  VAQUITA_RETURN_IF_ERROR(ReadFamily(argument, {}, out, &family));
  if (table->families.contains(family.name)) {
    out << "Family '" << family.name << "' already exists, the old one will be replaced\n";
  }
  table->families[family.name] = std::move(family);
  return absl::OkStatus();
}

}  // namespace

absl::Status ReadFamily(const Value& argument, const TableDescriptor& table, std::ostream& out,
                        FamilyDescriptor* family) {
  Hash options = argument.AsHash() != nullptr ? *argument.AsHash() : Hash();
  const std::string name = argument.AsHash() != nullptr ? Take(options, "NAME").ToText() : argument.ToText();
  if (const FamilyDescriptor* old = table.FindFamily(name)) *family = *old;
  family->name = name;
  VAQUITA_RETURN_IF_ERROR(CheckFamilyName(name));
  VAQUITA_RETURN_IF_ERROR(SetFamilyOptions(options, family));
  for (const HashEntry& unknown : options) {
    out << "Unknown argument ignored for column family " << name << ": " << unknown.key.ToText() << "\n";
  }
  return absl::OkStatus();
}

absl::Status ReadTableAttributes(Hash& options, TableDescriptor* table) {
  for (const std::string_view attribute : kTableAttributes) {
    if (Find(options, attribute) == nullptr) continue;
    std::string value = Take(options, attribute).ToText();
    if (IsFlag(attribute)) absl::AsciiStrToLower(&value);
    VAQUITA_RETURN_IF_ERROR(table->Set(attribute, value));
  }
  VAQUITA_RETURN_IF_ERROR(TakeSettings(options, "METADATA", &table->attributes));
  return TakeSettings(options, "CONFIGURATION", &table->configuration);
}

absl::StatusOr<NewTable> ReadNewTable(const Arguments& arguments, std::ostream& out) {
  NewTable table;
  VAQUITA_ASSIGN_OR_RETURN(table.descriptor.name, TableArgument(arguments[0]));
  for (Value& argument : Flatten(arguments, 1)) {
    Hash* options = argument.AsHash();
    if (argument.AsString() == nullptr && options == nullptr) return NotOfType(argument, "Hash or String");
    if (options == nullptr || Find(*options, "NAME") != nullptr) {
      VAQUITA_RETURN_IF_ERROR(AddFamily(argument, out, &table.descriptor));
      continue;
    }
    const Value method = Take(*options, "METHOD");
    if (method.IsTruthy() && method != Value("table_att")) {
      return ShellError("table_att is currently the only supported method");
    }
    VAQUITA_RETURN_IF_ERROR(ReadSplits(*options, &table));
    VAQUITA_RETURN_IF_ERROR(ReadTableAttributes(*options, &table.descriptor));
    for (const HashEntry& ignored : *options) {
      out << "An argument ignored (unknown or overridden): " << ignored.key.ToText() << "\n";
    }
  }
  if (table.descriptor.families.empty()) return ShellError("Table must have at least one column family");
  return table;
}

}  // namespace vaquita::shell
