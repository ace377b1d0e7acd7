// server/info/html_text.h: escapes text for pages.
#pragma once

#include <string>
#include <string_view>

#include "absl/strings/str_replace.h"
#include "base/absl_text.h"

namespace vaquita {

// Returns `text` as an element's content.
inline std::string EscapedHtml(std::string_view text) {
  return absl::StrReplaceAll(AbslText(text), {{"&", "&amp;"}, {"<", "&lt;"}});
}

}  // namespace vaquita
