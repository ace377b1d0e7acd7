#include "server/frontend/http/url_query.h"

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/absl_text.h"
#include "base/status.h"

namespace vaquita::http {
namespace {

absl::StatusOr<std::string> PercentDecoded(std::string_view text) {
  std::string decoded;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '+') {
      decoded += ' ';
    } else if (text[at] != '%') {
      decoded += text[at];
    } else {
      const std::string_view digits = text.substr(at + 1, 2);
      if (digits.size() < 2 || !absl::ascii_isxdigit(digits[0]) || !absl::ascii_isxdigit(digits[1])) {
        return absl::InvalidArgumentError(
            absl::StrCat("\"", AbslText(text), "\": a % is followed by two hexadecimal digits"));
      }
      decoded += absl::HexStringToBytes(AbslText(digits));
      at += 2;
    }
  }
  return decoded;
}

}  // namespace

absl::StatusOr<std::map<std::string, std::string>> ParseUrlQuery(std::string_view query) {
  std::map<std::string, std::string> parameters;
  for (const absl::string_view part : absl::StrSplit(AbslText(query), '&')) {
    if (part.empty()) continue;
    const std::pair<absl::string_view, absl::string_view> pair = absl::StrSplit(part, absl::MaxSplits('=', 1));
    VAQUITA_ASSIGN_OR_RETURN(std::string name, PercentDecoded(StdText(pair.first)));
    VAQUITA_ASSIGN_OR_RETURN(std::string value, PercentDecoded(StdText(pair.second)));
    if (!parameters.emplace(name, std::move(value)).second) {
      return absl::InvalidArgumentError("parameter \"" + name + "\" is given twice");
    }
  }
  return parameters;
}

}  // namespace vaquita::http
