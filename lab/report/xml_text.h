// lab/report/xml_text.h: escapes text within SVG and HTML.
#pragma once

#include <string>
#include <string_view>

namespace vaquita::lab {

// Escapes an element's text or an attribute's value. Malformed UTF-8, and characters that XML 1.0 forbids even if they
// are escaped (most control characters), become U+FFFD.
std::string XmlText(std::string_view text);

}  // namespace vaquita::lab
