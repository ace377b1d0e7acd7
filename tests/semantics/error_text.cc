#include "tests/semantics/error_text.h"

#include <cstdio>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "re2/re2.h"

namespace vaquita::semantics {
namespace {

struct Replacement {
  const RE2 what;
  const char* with;
};

std::string Normalize(std::string text) {
  // Latin-1: any byte may be in a row key.
  static const Replacement kReplacements[] = {
      {RE2("[\\w:.-]+,[^, ]*,\\d{13}\\.[0-9a-f]{32}\\.?", RE2::Latin1), "<region>"},
      {RE2("\\b[0-9a-f]{32}\\b", RE2::Latin1), "<encoded>"},
      {RE2("[\\w.-]+,\\d+,\\d{13}", RE2::Latin1), "<server>"},
      {RE2("('[\\w:.-]+'), \\{.*(\\}|\\.\\.\\.)", RE2::Latin1), "\\1, <descriptor>"}};
  for (const Replacement& r : kReplacements) RE2::GlobalReplace(&text, r.what, r.with);
  return text;
}

}  // namespace

std::string PrintError(const absl::Status& status) {
  const std::string message(status.message());
  std::string text =
      "! " + std::string(SimpleName(ExceptionClass(status))) + ": " + Normalize(message.substr(0, message.find('\n')));
  while (text.ends_with(' ')) text.pop_back();
  std::string out;
  for (const char c : text) {
    char escaped[5];
    std::snprintf(escaped, sizeof escaped, "\\x%02X", static_cast<unsigned char>(c));
    out += c >= 0x20 && c < 0x7f ? std::string(1, c) : std::string(escaped);
  }
  return out;
}

}  // namespace vaquita::semantics
