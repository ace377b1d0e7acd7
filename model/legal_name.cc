#include "model/legal_name.h"

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "base/unicode.h"

namespace vaquita {
namespace {

const char* Owner(QualifierOf what) { return what == QualifierOf::kTable ? "User-space table" : "Snapshot"; }

}  // namespace

bool FindIllegal(std::string_view text, std::string_view also_legal, IllegalCharacter* illegal) {
  size_t position = 0;
  for (size_t offset = 0; offset < text.size(); ++position) {
    const char32_t code = NextCharacter(text, &offset);
    if (IsLetterOrDigit(code) || (code < 0x80 && also_legal.find(static_cast<char>(code)) != also_legal.npos)) continue;
    illegal->code = code;
    // Java looks at the first of two units beyond U+FFFF, which alone cannot be written.
    if (code > 0xFFFF) {
      illegal->bytes.push_back('?');
    } else {
      AppendUtf8(code, &illegal->bytes);
    }
    illegal->position = position;
    return true;
  }
  return false;
}

absl::Status CheckQualifier(std::string_view qualifier, QualifierOf what) {
  if (qualifier.empty())
    return IllegalArgument(
        absl::StrCat(what == QualifierOf::kTable ? "Table" : "Snapshot", " qualifier must not be empty"));
  if (qualifier[0] == '.' || qualifier[0] == '-') {
    return IllegalArgument(absl::StrCat(
        "Illegal first character <", int{qualifier[0]}, "> at 0. ", Owner(what),
        " qualifiers can only start with 'alphanumeric characters' from any language: ", std::string(qualifier)));
  }
  if (qualifier == kDisallowedName)
    return IllegalArgument(absl::StrCat("Tables may not be named '", kDisallowedName, "'"));
  IllegalCharacter c;
  if (!FindIllegal(qualifier, "_-.", &c)) return absl::OkStatus();
  // Java shows a character beyond U+FFFF as the first of its two units.
  const uint32_t code = c.code > 0xFFFF ? 0xD800 + ((c.code - 0x10000) >> 10) : c.code;
  return IllegalArgument(
      absl::StrCat("Illegal character code:", code, ", <", c.bytes, "> at ", c.position, ". ", Owner(what),
                   " qualifiers may only contain 'alphanumeric characters' and digits: ", std::string(qualifier)));
}

}  // namespace vaquita
