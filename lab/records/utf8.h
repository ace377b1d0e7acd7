// lab/records/utf8.h: whether bytes are UTF-8.
#pragma once

#include <cstddef>
#include <string_view>

namespace vaquita::lab {

// The place of the first byte that is no UTF-8 (RFC 3629: no surrogates, nothing overlong, nothing above U+10FFFF);
// npos if there is none.
size_t FindNotUtf8(std::string_view bytes);

inline bool IsUtf8(std::string_view bytes) { return FindNotUtf8(bytes) == std::string_view::npos; }

}  // namespace vaquita::lab
