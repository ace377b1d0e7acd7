#include "region/table_name.h"

#include <clocale>
#include <cwctype>

#include "absl/strings/str_cat.h"
#include "engine/status.h"

namespace vaquita {
namespace {

// ZooKeeper's own node, so HBase allows no table or namespace of that name.
constexpr char kDisallowedName[] = "zookeeper";

// A character of a name: its code, its bytes, and its place as Java counts, in UTF-16 units.
struct NameCharacter {
  char32_t code = 0;
  std::string_view bytes;
  size_t position = 0;
};

// The character of UTF-8 `text` at `offset`. Malformed bytes read as U+FFFD, one at a time, as Java decodes them.
NameCharacter CharacterAt(std::string_view text, size_t offset, size_t position) {
  static constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[offset + i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, text.substr(offset, 1), position};
  const size_t length = lead >= 0xF0 && lead <= 0xF4 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
  if (length == 0 || lead > 0xF4 || offset + length > text.size()) return {0xFFFD, kReplacement, position};
  char32_t code = lead & (0xFF >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {0xFFFD, kReplacement, position};
    code = code << 6 | (byte(i) & 0x3F);
  }
  return {code, text.substr(offset, length), position};
}

// A letter or digit of any language. Java looks at single UTF-16 units, so nothing beyond U+FFFF is one.
bool IsLetterOrDigit(char32_t code) {
  if (code < 0x80) return (code >= '0' && code <= '9') || (code >= 'A' && code <= 'Z') || (code >= 'a' && code <= 'z');
  if (code > 0xFFFF) return false;
  static const locale_t kUnicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  return kUnicode != nullptr && iswalnum_l(static_cast<wint_t>(code), kUnicode);
}

// Sets `*illegal` to the first character that is neither a letter, a digit nor in `also_legal`; false if there is none.
bool FindIllegal(std::string_view text, std::string_view also_legal, NameCharacter* illegal) {
  size_t position = 0;
  for (size_t offset = 0; offset < text.size();) {
    *illegal = CharacterAt(text, offset, position);
    const bool legal = IsLetterOrDigit(illegal->code) ||
                       (illegal->code < 0x80 && also_legal.find(static_cast<char>(illegal->code)) != also_legal.npos);
    if (!legal) return true;
    offset += illegal->bytes.size();
    ++position;
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
  NameCharacter c;
  if (!FindIllegal(qualifier, "_-.", &c)) return absl::OkStatus();
  // Java shows a character beyond U+FFFF as the first of its two units.
  const uint32_t code = c.code > 0xFFFF ? 0xD800 + ((c.code - 0x10000) >> 10) : c.code;
  return Illegal(absl::StrCat(
      "Illegal character code:", code, ", <", std::string(c.bytes), "> at ", c.position,
      ". User-space table qualifiers may only contain 'alphanumeric characters' and digits: ", std::string(qualifier)));
}

}  // namespace

absl::Status CheckNamespaceName(std::string_view name) {
  if (name.empty()) return Illegal("Namespace name must not be empty");
  if (name == kDisallowedName) return Illegal(absl::StrCat("Tables may not be named '", kDisallowedName, "'"));
  NameCharacter c;
  if (!FindIllegal(name, "_", &c)) return absl::OkStatus();
  return Illegal(absl::StrCat(
      "Illegal character <", std::string(c.bytes), "> at ", c.position,
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
