#include "lab/report/xml_text.h"

#include "base/unicode.h"

namespace vaquita::lab {
namespace {

// Returns whether XML 1.0 has the character (its production Char). UTF-8 has no surrogates.
bool IsXmlCharacter(char32_t c) {
  return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c != 0xFFFE && c != 0xFFFF);
}

}  // namespace

std::string XmlText(std::string_view text) {
  std::string xml;
  xml.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const char32_t c = NextCharacter(text, &at);
    switch (c) {
      case '&':
        xml += "&amp;";
        break;
      case '<':
        xml += "&lt;";
        break;
      case '>':
        xml += "&gt;";
        break;
      case '"':
        xml += "&quot;";
        break;
      default:
        AppendUtf8(IsXmlCharacter(c) ? c : U'\uFFFD', &xml);
    }
  }
  return xml;
}

}  // namespace vaquita::lab
