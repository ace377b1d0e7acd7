#include "region/table_name.h"

#include "absl/strings/str_cat.h"
#include "engine/status.h"
#include "region/unicode.h"

namespace vaquita {
namespace {

// ZooKeeper's own node, so HBase allows no table or namespace of that name.
constexpr char kDisallowedName[] = "zookeeper";

// A character that a name may not have: its code, its bytes, and its place as Java counts.
struct IllegalCharacter {
  char32_t code = 0;
  std::string bytes;
  size_t position = 0;
};

// Finds the first character that is neither a letter, a digit nor in `also_legal`; false if there is none.
bool FindIllegal(std::string_view text, std::string_view also_legal, IllegalCharacter* illegal) {
  size_t position = 0;
  for (size_t offset = 0; offset < text.size(); ++position) {
    const char32_t code = NextCharacter(text, &offset);
    if (IsLetterOrDigit(code) || (code < 0x80 && also_legal.find(static_cast<char>(code)) != also_legal.npos)) continue;
    illegal->code = code;
    // Java looks at the first of two units beyond U+FFFF, which alone cannot be written.
    if (code > 0xFFFF) {
      illegal->bytes = "?";
    } else {
      AppendUtf8(code, &illegal->bytes);
    }
    illegal->position = position;
    return true;
  }
  return false;
}

absl::Status Illegal(std::string_view message) { return Error(ErrorKind::kIllegalArgument, message); }

absl::Status CheckQualifier(std::string_view qualifier) {
  if (qualifier.empty()) return Illegal("Table qualifier must not be empty");
  if (qualifier[0] == '.' || qualifier[0] == '-') {
    return Illegal(absl::StrCat("Illegal first character <", int{qualifier[0]},
                                "> at 0. User-space table qualifiers can only start with 'alphanumeric characters' "
                                "from any language: ",
                                std::string(qualifier)));
  }
  if (qualifier == kDisallowedName) return Illegal(absl::StrCat("Tables may not be named '", kDisallowedName, "'"));
  IllegalCharacter c;
  if (!FindIllegal(qualifier, "_-.", &c)) return absl::OkStatus();
  // Java shows a character beyond U+FFFF as the first of its two units.
  const uint32_t code = c.code > 0xFFFF ? 0xD800 + ((c.code - 0x10000) >> 10) : c.code;
  return Illegal(absl::StrCat(
      "Illegal character code:", code, ", <", c.bytes, "> at ", c.position,
      ". User-space table qualifiers may only contain 'alphanumeric characters' and digits: ", std::string(qualifier)));
}

}  // namespace

absl::Status CheckNamespaceName(std::string_view name) {
  if (name.empty()) return Illegal("Namespace name must not be empty");
  if (name == kDisallowedName) return Illegal(absl::StrCat("Tables may not be named '", kDisallowedName, "'"));
  IllegalCharacter c;
  if (!FindIllegal(name, "_", &c)) return absl::OkStatus();
  return Illegal(absl::StrCat(
      "Illegal character <", c.bytes, "> at ", c.position,
      ". Namespaces may only contain 'alphanumeric characters' from any language and digits: ", std::string(name)));
}

absl::StatusOr<TableName> TableName::Parse(std::string_view text) {
  TableName name;
  const size_t colon = text.find(':');
  if (colon == text.npos) {
    name.qualifier = text;
  } else {
    name.ns = text.substr(0, colon);
    name.qualifier = text.substr(colon + 1);
  }
  if (name.qualifier == "-ROOT-") return Illegal("-ROOT- has been deprecated.");
  if (name.qualifier == ".META.") {
    return Illegal(".META. no longer exists. The table has been renamed to hbase:meta");
  }
  VAQUITA_RETURN_IF_ERROR(CheckNamespaceName(name.ns));
  VAQUITA_RETURN_IF_ERROR(CheckQualifier(name.qualifier));
  return name;
}

}  // namespace vaquita
