#include "tools/shell/gson_object.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/absl_text.h"

namespace vaquita::shell {

std::string GsonObject::Quoted(std::string_view text) const {
  constexpr std::string_view kHtml = "<>&='";
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < ' ' || (escape_html_ && kHtml.find(c) != kHtml.npos)) {
      absl::StrAppendFormat(&out, "\\u%04x", c);
    } else {
      out.push_back(c);
    }
  }
  return out + "\"";
}

GsonObject& GsonObject::AddValue(std::string_view name, const std::string& value) {
  fields_.push_back(absl::StrCat("  \"", AbslText(name), "\": ", value));
  return *this;
}

GsonObject& GsonObject::Add(std::string_view name, std::string_view text) { return AddValue(name, Quoted(text)); }

GsonObject& GsonObject::Add(std::string_view name, int64_t number) { return AddValue(name, absl::StrCat(number)); }

// A whole number has ".0" in Java.
GsonObject& GsonObject::Add(std::string_view name, double number) {
  std::string text = absl::StrCat(number);
  if (text.find_first_not_of("-0123456789") == text.npos) text += ".0";
  return AddValue(name, text);
}

GsonObject& GsonObject::Add(std::string_view name, const std::vector<std::string>& texts) {
  if (texts.empty()) return AddValue(name, "[]");
  std::vector<std::string> lines;
  for (const std::string& text : texts) lines.push_back(absl::StrCat("    ", Quoted(text)));
  return AddValue(name, absl::StrCat("[\n", absl::StrJoin(lines, ",\n"), "\n  ]"));
}

std::string GsonObject::ToString() const { return absl::StrCat("{\n", absl::StrJoin(fields_, ",\n"), "\n}"); }

}  // namespace vaquita::shell
