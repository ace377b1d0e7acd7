#include "model/family_descriptor.h"

#include <algorithm>
#include <optional>
#include <span>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "base/absl_text.h"
#include "base/options.h"
#include "base/status.h"
#include "base/whole_number.h"
#include "model/cell.h"
#include "model/table_descriptor.h"

namespace vaquita {
namespace {

constexpr int64_t kMinuteSeconds = 60;
constexpr int64_t kHourSeconds = 60 * kMinuteSeconds;
constexpr int64_t kDaySeconds = 24 * kHourSeconds;
constexpr int32_t kLeastBlockSizeBytes = 1024;
constexpr int32_t kMostBlockSizeBytes = 16 * 1024 * 1024;

std::string Upper(std::string_view text) { return absl::AsciiStrToUpper(AbslText(text)); }

std::string Joined(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (std::string_view part : parts) text.append(part);
  return text;
}

std::optional<int64_t> ParseInteger(std::string_view text) {
  int64_t value = 0;
  return ReadWholeNumber(text, &value) ? std::optional(value) : std::nullopt;
}

absl::Status Malformed(std::string_view option, std::string_view value, std::string_view right) {
  return Error(ErrorKind::kIllegalArgument, Joined({option, " '", value, "' is not supported. Use ", right}));
}

// --- Values that HBase writes for people: "86400 SECONDS (1 DAY)", "65536 B (64KB)" (PrettyPrinter).

struct Unit {
  std::string_view name;
  int64_t factor;
};

// Units of one kind, largest first, and the letter that may follow each.
struct UnitKind {
  std::span<const Unit> units;
  char optional_letter;
};

constexpr Unit kTimeUnits[] = {{"DAY", kDaySeconds}, {"HOUR", kHourSeconds}, {"MINUTE", kMinuteSeconds}, {"SECOND", 1}};
constexpr Unit kSizeUnits[] = {{"T", 1024 * kGiB}, {"G", kGiB}, {"M", kMiB}, {"K", kKiB}, {"", 1}};
constexpr UnitKind kTime{kTimeUnits, 'S'};
constexpr UnitKind kSize{kSizeUnits, 'B'};

void SkipSpaces(std::string_view* text) {
  while (!text->empty() && text->front() == ' ') text->remove_prefix(1);
}

std::string_view TakeWhile(std::string_view* text, bool (*wanted)(char)) {
  const size_t length = std::find_if_not(text->begin(), text->end(), wanted) - text->begin();
  const std::string_view taken = text->substr(0, length);
  text->remove_prefix(length);
  return taken;
}

// The sum of "1 DAY 2 HOURS" or "1GB 20MB": upper case, each unit at most once and the larger first.
std::optional<int64_t> ParseUnits(std::string_view text, const UnitKind& kind) {
  int64_t sum = 0;
  size_t next_unit = 0;
  SkipSpaces(&text);
  if (text.empty()) return std::nullopt;
  while (!text.empty()) {
    const auto number = ParseInteger(TakeWhile(&text, [](char c) { return c >= '0' && c <= '9'; }));
    if (!number.has_value()) return std::nullopt;
    SkipSpaces(&text);
    std::string_view name = TakeWhile(&text, [](char c) { return c >= 'A' && c <= 'Z'; });
    if (!name.empty() && name.back() == kind.optional_letter) name.remove_suffix(1);
    while (next_unit < kind.units.size() && kind.units[next_unit].name != name) ++next_unit;
    if (next_unit == kind.units.size()) return std::nullopt;
    int64_t part = 0;
    if (__builtin_mul_overflow(*number, kind.units[next_unit++].factor, &part) ||
        __builtin_add_overflow(sum, part, &sum)) {
      return std::nullopt;
    }
    SkipSpaces(&text);
  }
  return sum;
}

// A plain number, a sum of units, or what HBase prints: the number with its unit, and the sum in parentheses, which
// must agree.
std::optional<int64_t> ParseHumanReadable(std::string_view value, const UnitKind& kind) {
  if (const auto number = ParseInteger(value); number.has_value()) return number;
  const std::string upper = Upper(value);
  const size_t open = upper.find('(');
  if (open == std::string::npos) return ParseUnits(upper, kind);
  std::string_view inside = std::string_view(upper).substr(open + 1);
  if (inside.empty() || inside.back() != ')') return std::nullopt;
  inside.remove_suffix(1);
  const auto whole = ParseUnits(std::string_view(upper).substr(0, open), kind);
  const auto sum = ParseUnits(inside, kind);
  return whole.has_value() && whole == sum ? sum : std::nullopt;
}

std::string TtlText(int32_t ttl_seconds) {
  if (ttl_seconds == kForeverSeconds) return "FOREVER";
  const std::string whole = std::to_string(ttl_seconds);
  if (ttl_seconds < kMinuteSeconds) return whole + (ttl_seconds == 1 ? " SECOND" : " SECONDS");

  std::string parts;
  int64_t rest = ttl_seconds;
  int64_t minutes = 0;
  for (const Unit& unit : kTimeUnits) {
    const int64_t count = rest / unit.factor;
    rest %= unit.factor;
    if (unit.factor == kMinuteSeconds) minutes = count;
    if (count == 0) continue;
    // HBase looks at the minutes for the plural of the seconds, and so do we: "61 SECONDS (1 MINUTE 1 SECOND)", but
    // also "62 SECONDS (1 MINUTE 2 SECOND)".
    const bool singular = (unit.factor == 1 ? minutes : count) == 1;
    if (!parts.empty()) parts += ' ';
    parts.append(std::to_string(count)).append(" ").append(unit.name).append(singular ? "" : "S");
  }
  return Joined({whole, " SECONDS (", parts, ")"});
}

// --- Enums, by their names in HBase.

template <typename Enum>
struct EnumName {
  std::string_view name;
  Enum value;
};

constexpr EnumName<KeepDeletedCells> kKeepDeletedCells[] = {
    {"FALSE", KeepDeletedCells::kFalse}, {"TRUE", KeepDeletedCells::kTrue}, {"TTL", KeepDeletedCells::kTtl}};
constexpr EnumName<Compression> kCompressions[] = {{"NONE", Compression::kNone},
                                                   {"SNAPPY", Compression::kSnappy},
                                                   {"LZ4", Compression::kLz4},
                                                   {"ZSTD", Compression::kZstd},
                                                   {"GZ", Compression::kGz}};
constexpr EnumName<BloomType> kBloomTypes[] = {
    {"NONE", BloomType::kNone}, {"ROW", BloomType::kRow}, {"ROWCOL", BloomType::kRowCol}};

template <typename Names>
std::string OneOf(const Names& names) {
  std::string text = "one of";
  for (const auto& name : names) text.append(" ").append(name.name);
  return text;
}

template <typename Enum, size_t N>
absl::Status SetEnum(std::string_view option, std::string_view value, const EnumName<Enum> (&names)[N], Enum* field) {
  const std::string upper = Upper(value);
  for (const auto& [name, candidate] : names) {
    if (name != upper) continue;
    *field = candidate;
    return absl::OkStatus();
  }
  return Malformed(option, value, OneOf(names));
}

template <typename Enum, size_t N>
std::string EnumText(Enum value, const EnumName<Enum> (&names)[N]) {
  for (const auto& name : names) {
    if (name.value == value) return std::string(name.name);
  }
  return {};
}

absl::Status SetBool(std::string_view option, std::string_view value, bool* field) {
  const std::string upper = Upper(value);
  if (upper != "TRUE" && upper != "FALSE") return Malformed(option, value, "true or false");
  *field = upper == "TRUE";
  return absl::OkStatus();
}

std::string BoolText(bool value) { return value ? "true" : "false"; }

absl::Status SetInteger(std::string_view option, std::string_view value, int32_t* field) {
  const auto number = ParseInteger(value);
  if (!number.has_value() || *number != static_cast<int32_t>(*number)) return Malformed(option, value, "an integer");
  *field = static_cast<int32_t>(*number);
  return absl::OkStatus();
}

absl::Status SetHumanReadable(std::string_view option, std::string_view value, const UnitKind& kind,
                              std::string_view right, int32_t* field) {
  const auto number = ParseHumanReadable(value, kind);
  if (!number.has_value() || *number != static_cast<int32_t>(*number)) return Malformed(option, value, right);
  *field = static_cast<int32_t>(*number);
  return absl::OkStatus();
}

// --- The options with a field of their own, in the order of HBase's `describe`.

using Family = FamilyDescriptor;

constexpr EnumName<int> kDataBlockEncodings[] = {
    {"NONE", 0}, {"PREFIX", 2}, {"DIFF", 3}, {"FAST_DIFF", 4}, {"ROW_INDEX_V1", 7}};

absl::Status SetVersions(Family* family, std::string_view value) {
  int32_t versions = 0;
  VAQUITA_RETURN_IF_ERROR(SetInteger("VERSIONS", value, &versions));
  if (versions <= 0) return Error(ErrorKind::kIllegalArgument, "Maximum versions must be positive");
  family->max_versions = versions;
  return absl::OkStatus();
}

absl::Status SetTtl(Family* family, std::string_view value) {
  if (Upper(value) == "FOREVER") {
    family->ttl_seconds = kForeverSeconds;
    return absl::OkStatus();
  }
  return SetHumanReadable("TTL", value, kTime, "seconds, FOREVER, or days to seconds as in '1 DAY 2 HOURS'",
                          &family->ttl_seconds);
}

absl::Status SetDataBlockEncoding(Family* family, std::string_view value) {
  int known = 0;
  VAQUITA_RETURN_IF_ERROR(SetEnum("DATA_BLOCK_ENCODING", value, kDataBlockEncodings, &known));
  family->data_block_encoding = Upper(value);
  return absl::OkStatus();
}

// An attribute that is only kept, and left out while it has HBase's default.
absl::Status SetUnlessDefault(Family* family, std::string_view option, std::string_view value,
                              std::string_view default_value, std::string_view other) {
  const std::string upper = Upper(value);
  if (upper != default_value && upper != other) return Malformed(option, value, Joined({default_value, " or ", other}));
  family->attributes.erase(std::string(option));
  if (upper != default_value) family->attributes[std::string(option)] = upper;
  return absl::OkStatus();
}

std::string AttributeOr(const Family& family, const std::string& option, std::string_view default_value) {
  const auto found = family.attributes.find(option);
  return found == family.attributes.end() ? std::string(default_value) : found->second;
}

struct FieldOption {
  std::string_view name;
  absl::Status (*set)(Family* family, std::string_view value);
  std::string (*text)(const Family& family);
};

const FieldOption kFieldOptions[] = {
    {"INDEX_BLOCK_ENCODING",
     [](Family* f, std::string_view v) {
       return SetUnlessDefault(f, "INDEX_BLOCK_ENCODING", v, "NONE", "PREFIX_TREE");
     },
     [](const Family& f) { return AttributeOr(f, "INDEX_BLOCK_ENCODING", "NONE"); }},
    {"VERSIONS", SetVersions, [](const Family& f) { return std::to_string(f.max_versions); }},
    {"KEEP_DELETED_CELLS",
     [](Family* f, std::string_view v) {
       return SetEnum("KEEP_DELETED_CELLS", v, kKeepDeletedCells, &f->keep_deleted_cells);
     },
     [](const Family& f) { return EnumText(f.keep_deleted_cells, kKeepDeletedCells); }},
    {"DATA_BLOCK_ENCODING", SetDataBlockEncoding, [](const Family& f) { return f.data_block_encoding; }},
    {"TTL", SetTtl, [](const Family& f) { return TtlText(f.ttl_seconds); }},
    {"MIN_VERSIONS", [](Family* f, std::string_view v) { return SetInteger("MIN_VERSIONS", v, &f->min_versions); },
     [](const Family& f) { return std::to_string(f.min_versions); }},
    {"REPLICATION_SCOPE",
     [](Family* f, std::string_view v) { return SetUnlessDefault(f, "REPLICATION_SCOPE", v, "0", "1"); },
     [](const Family& f) { return AttributeOr(f, "REPLICATION_SCOPE", "0"); }},
    {"BLOOMFILTER",
     [](Family* f, std::string_view v) { return SetEnum("BLOOMFILTER", v, kBloomTypes, &f->bloom_filter); },
     [](const Family& f) { return EnumText(f.bloom_filter, kBloomTypes); }},
    {"IN_MEMORY", [](Family* f, std::string_view v) { return SetBool("IN_MEMORY", v, &f->in_memory); },
     [](const Family& f) { return BoolText(f.in_memory); }},
    {"COMPRESSION",
     [](Family* f, std::string_view v) { return SetEnum("COMPRESSION", v, kCompressions, &f->compression); },
     [](const Family& f) { return EnumText(f.compression, kCompressions); }},
    {"BLOCKCACHE", [](Family* f, std::string_view v) { return SetBool("BLOCKCACHE", v, &f->block_cache); },
     [](const Family& f) { return BoolText(f.block_cache); }},
    {"BLOCKSIZE",
     [](Family* f, std::string_view v) {
       return SetHumanReadable("BLOCKSIZE", v, kSize, "bytes, or a size as in '64 KB'", &f->block_size_bytes);
     },
     [](const Family& f) { return PrettySize(f.block_size_bytes); }},
};

// --- The attributes that are kept and reported back, and what their values may be.

enum class AttributeForm { kBool, kInteger, kText, kRefused };

struct KeptAttribute {
  std::string_view name;
  AttributeForm form;
  bool in_metadata;              // `describe` prints it under METADATA
  std::string_view values = {};  // for kText: what it may be, between spaces; empty for anything
};

constexpr std::string_view kCompressionValues = " NONE SNAPPY LZ4 ZSTD GZ ";

constexpr KeptAttribute kKeptAttributes[] = {
    {"IS_MOB", AttributeForm::kBool, false},
    {"MOB_THRESHOLD", AttributeForm::kInteger, false},
    {"MOB_COMPACT_PARTITION_POLICY", AttributeForm::kText, false, " DAILY WEEKLY MONTHLY "},
    {"CACHE_DATA_ON_WRITE", AttributeForm::kBool, true},
    {"CACHE_INDEX_ON_WRITE", AttributeForm::kBool, true},
    {"CACHE_BLOOMS_ON_WRITE", AttributeForm::kBool, true},
    {"EVICT_BLOCKS_ON_CLOSE", AttributeForm::kBool, true},
    {"PREFETCH_BLOCKS_ON_OPEN", AttributeForm::kBool, true},
    {"COMPRESS_TAGS", AttributeForm::kBool, true},
    {"COMPRESSION_COMPACT", AttributeForm::kText, true, kCompressionValues},
    {"COMPRESSION_COMPACT_MAJOR", AttributeForm::kText, true, kCompressionValues},
    {"COMPRESSION_COMPACT_MINOR", AttributeForm::kText, true, kCompressionValues},
    {"IN_MEMORY_COMPACTION", AttributeForm::kText, true, " NONE BASIC EAGER ADAPTIVE "},
    {"DFS_REPLICATION", AttributeForm::kInteger, true},
    {"STORAGE_POLICY", AttributeForm::kText, true},
    {"NEW_VERSION_BEHAVIOR", AttributeForm::kBool, true},
    // Keeping these without doing what they say would answer reads wrongly, or leave in the open what should be secret.
    {"ENCRYPTION", AttributeForm::kRefused, false},
    {"ENCRYPTION_KEY", AttributeForm::kRefused, false},
};

const KeptAttribute* FindKeptAttribute(std::string_view name) {
  const auto* found = std::find_if(std::begin(kKeptAttributes), std::end(kKeptAttributes),
                                   [&](const KeptAttribute& attribute) { return attribute.name == name; });
  return found == std::end(kKeptAttributes) ? nullptr : found;
}

// Attributes that are not in the table come over the wire only, where HBase takes any.
bool PrintsUnderMetadata(const std::string& name) {
  const KeptAttribute* known = FindKeptAttribute(name);
  return known == nullptr || known->in_metadata;
}

bool IsFieldOption(std::string_view name) {
  return std::any_of(std::begin(kFieldOptions), std::end(kFieldOptions),
                     [&](const FieldOption& option) { return option.name == name; });
}

absl::Status CheckAttribute(const KeptAttribute& attribute, std::string_view value) {
  const std::string upper = Upper(value);
  switch (attribute.form) {
    case AttributeForm::kBool:
      if (upper == "TRUE" || upper == "FALSE") return absl::OkStatus();
      return Malformed(attribute.name, value, "true or false");
    case AttributeForm::kInteger:
      if (ParseInteger(value).has_value()) return absl::OkStatus();
      return Malformed(attribute.name, value, "an integer");
    case AttributeForm::kText:
      if (attribute.values.empty() || attribute.values.find(Joined({" ", upper, " "})) != std::string_view::npos) {
        return absl::OkStatus();
      }
      return Malformed(attribute.name, value,
                       Joined({"one of", attribute.values.substr(0, attribute.values.size() - 1)}));
    case AttributeForm::kRefused:
      break;
  }
  return Error(ErrorKind::kUnsupportedOperation,
               Joined({attribute.name, " '", value, "' is not supported by Vaquita"}));
}

absl::Status SetAttribute(Family* family, std::string_view name, std::string_view value) {
  const KeptAttribute* attribute = FindKeptAttribute(name);
  if (attribute == nullptr) {
    std::string known;
    for (const FieldOption& option : kFieldOptions) known.append(" ").append(option.name);
    for (const KeptAttribute& kept : kKeptAttributes) {
      if (kept.form != AttributeForm::kRefused) known.append(" ").append(kept.name);
    }
    return Error(ErrorKind::kIllegalArgument, Joined({"Unknown column family option '", name, "'. Use one of", known}));
  }
  if (value.empty()) {  // an empty text removes the value, as in HBase's setValue
    family->attributes.erase(std::string(name));
    return absl::OkStatus();
  }
  VAQUITA_RETURN_IF_ERROR(CheckAttribute(*attribute, value));
  family->attributes[std::string(name)] = value;
  return absl::OkStatus();
}

}  // namespace

absl::Status FamilyDescriptor::Set(std::string_view option, std::string_view value) {
  const std::string upper = Upper(option);
  for (const FieldOption& field : kFieldOptions) {
    if (field.name == upper) return field.set(this, value);
  }
  return SetAttribute(this, upper, value);
}

std::vector<std::pair<std::string, std::string>> FamilyDescriptor::Options() const {
  std::vector<std::pair<std::string, std::string>> options;
  for (const FieldOption& field : kFieldOptions) options.emplace_back(field.name, field.text(*this));
  for (const bool metadata : {false, true}) {
    for (const auto& [name, value] : attributes) {
      if (!IsFieldOption(name) && PrintsUnderMetadata(name) == metadata) options.emplace_back(name, value);
    }
  }
  return options;
}

std::string FamilyDescriptor::Describe() const {
  std::string text = Joined({"{NAME => '", name, "'"});
  std::string metadata;
  for (const auto& [option, value] : Options()) {
    if (!IsFieldOption(option) && PrintsUnderMetadata(option)) {
      metadata += Joined({metadata.empty() ? "" : ", ", "'", option, "' => '", value, "'"});
    } else {
      text += Joined({", ", option, " => '", value, "'"});
    }
  }
  if (!metadata.empty()) text += Joined({", METADATA => {", metadata, "}"});
  std::string configured;
  for (const auto& [key, value] : configuration) {
    configured += Joined({configured.empty() ? "" : ", ", "'", key, "' => '", value, "'"});
  }
  if (!configured.empty()) text += Joined({", CONFIGURATION => {", configured, "}"});
  return text + "}";
}

std::string FamilyDescriptor::StoreName() const {
  return generation.added_ms == 0 ? name : name + ":" + std::to_string(generation.added_ms);
}

FamilyDescriptor FamilyDescriptor::OfStore(std::string_view store_name) {
  FamilyDescriptor family;
  const size_t colon = store_name.find(':');  // no family has one in its name
  const bool is_added =
      colon != store_name.npos && ReadWholeNumber(store_name.substr(colon + 1), &family.generation.added_ms);
  family.name = is_added ? store_name.substr(0, colon) : store_name;
  return family;
}

bool FamilyDescriptor::NewVersionBehavior() const {
  static const std::string name = "NEW_VERSION_BEHAVIOR";  // asked for each cell that is written
  const auto it = attributes.find(name);
  return it != attributes.end() && absl::EqualsIgnoreCase(it->second, "true");
}

std::optional<int64_t> FamilyDescriptor::TtlMs() const {
  if (ttl_seconds == kForeverSeconds || ttl_seconds == -1) return std::nullopt;
  return int64_t{ttl_seconds} * 1000;
}

absl::Status FamilyDescriptor::Validate(bool sanity_checks) const {
  VAQUITA_RETURN_IF_ERROR(CheckFamilyName(name));
  if (max_versions <= 0) return Error(ErrorKind::kIllegalArgument, "Maximum versions must be positive");
  if (!sanity_checks) return absl::OkStatus();
  if (ttl_seconds <= 0) return SanityError(Joined({"TTL for column family ", name, " must be positive."}));
  if (block_size_bytes < kLeastBlockSizeBytes || block_size_bytes > kMostBlockSizeBytes) {
    return SanityError(Joined({"Block size for column family ", name, "  must be between 1K and 16MB."}));
  }
  if (min_versions < 0) {
    return SanityError(Joined({"Min versions for column family ", name, "  must be positive."}));
  }
  if (min_versions > max_versions) {
    return SanityError(Joined({"Min versions for column family ", name, " must be less than the Max versions."}));
  }
  if (const auto found = attributes.find("DFS_REPLICATION");
      found != attributes.end() && found->second.starts_with('-')) {
    return SanityError(Joined({"HFile Replication for column family ", name, "  must be greater than zero."}));
  }
  return absl::OkStatus();
}

bool IsFamilyOption(std::string_view name) { return IsFieldOption(name) || FindKeptAttribute(name) != nullptr; }

absl::Status CheckFamilyName(std::string_view name) {
  const auto illegal = [](std::initializer_list<std::string_view> message) {
    return Error(ErrorKind::kIllegalArgument, Joined(message));
  };
  if (name.empty()) return illegal({"Column Family name can not be empty"});
  if (name.front() == '.') return illegal({"Column Family names cannot start with a period: ", name});
  for (const char c : name) {
    const bool control = (c >= 0 && c < ' ') || c == 0x7f;
    if (!control && c != ':' && c != '\\' && c != '/') continue;
    return illegal({"Illegal character <", std::to_string(static_cast<int>(c)),
                    ">. Column Family names cannot contain control characters or colons: ", name});
  }
  if (name == "recovered.edits") return illegal({"Column Family name cannot be: recovered.edits"});
  if (name.size() > kMaxFamilyLength) return illegal({"Family > ", std::to_string(kMaxFamilyLength)});
  return absl::OkStatus();
}

}  // namespace vaquita
