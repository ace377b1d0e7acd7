// server/info/html_text.h: escapes text for pages.
#pragma once

#include <string>
#include <string_view>

namespace vaquita {

// Returns `text` as an element's content.
inline std::string EscapedHtml(std::string_view text) {
  std::string html;
  for (const char c : text) {
    if (c == '<') {
      html += "&lt;";
    } else if (c == '&') {
      html += "&amp;";
    } else {
      html += c;
    }
  }
  return html;
}

}  // namespace vaquita
