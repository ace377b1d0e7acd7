#include "sql/encoding/like.h"

#include "base/unicode.h"

namespace vaquita::sql {

bool MatchesLike(std::string_view text, std::string_view pattern) {
  size_t t = 0;
  size_t p = 0;
  size_t star = std::string_view::npos;  // behind the last %
  size_t resume = 0;
  while (t < text.size()) {
    const bool escaped = p + 1 < pattern.size() && pattern[p] == '\\';
    if (!escaped && p < pattern.size() && pattern[p] == '%') {
      star = ++p;
      resume = t;
    } else if (!escaped && p < pattern.size() && pattern[p] == '_') {
      ++p;
      do ++t;
      while (t < text.size() && ContinuesUtf8(text[t]));
    } else if (p < pattern.size() && pattern[p + (escaped ? 1 : 0)] == text[t]) {
      p += escaped ? 2 : 1;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '%') ++p;
  return p == pattern.size();
}

std::string LikePrefix(std::string_view pattern) {
  return std::string(pattern.substr(0, pattern.find_first_of("%_\\")));
}

}  // namespace vaquita::sql
