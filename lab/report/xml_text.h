// lab/report/xml_text.h: escapes text within SVG and HTML.
#pragma once

#include <string>

#include "absl/strings/str_replace.h"

namespace vaquita::lab {

// Escapes an element's text or an attribute's value.
inline std::string XmlText(const std::string& text) {
  return absl::StrReplaceAll(text, {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

}  // namespace vaquita::lab
