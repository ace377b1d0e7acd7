#include "base/zone_database.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "base/absl_text.h"

namespace vaquita {
namespace {

constexpr size_t kLongestZone = 64;  // bytes; the library keeps each name that it was asked for

bool IsOfZone(char c) { return absl::ascii_isalnum(c) || c == '_' || c == '+' || c == '-' || c == '/'; }

}  // namespace

bool FindZone(std::string_view name, absl::TimeZone* zone) {
  return !name.starts_with('/') && name.size() <= kLongestZone && std::all_of(name.begin(), name.end(), IsOfZone) &&
         absl::LoadTimeZone(AbslText(name), zone);
}

}  // namespace vaquita
