#include "base/sasl/principal_rules.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/absl_text.h"
#include "base/java_regex.h"
#include "base/status.h"
#include "base/unicode.h"

namespace vaquita {
namespace {

struct Principal {
  std::vector<std::string> components;
  std::string realm;
};

Principal Split(std::string_view principal) {
  const size_t at = principal.rfind('@');
  Principal split;
  split.components = absl::StrSplit(AbslText(principal.substr(0, at)), '/');
  if (at != std::string_view::npos) split.realm = principal.substr(at + 1);
  return split;
}

// Takes the front of `*text` up to `end`, which goes, too. Nothing if there is no `end`.
std::optional<std::string> TakeUntil(std::string_view* text, char end) {
  const size_t at = text->find(end);
  if (at == std::string_view::npos) return std::nullopt;
  std::string part(text->substr(0, at));
  text->remove_prefix(at + 1);
  return part;
}

bool Take(std::string_view* text, std::string_view front) {
  if (!text->starts_with(front)) return false;
  text->remove_prefix(front.size());
  return true;
}

// One rule; all of it but the regular expressions is plain data.
struct Rule {
  bool is_default = false;
  size_t components = 0;
  std::string format;                // $0 is the realm, $1 the first component
  std::unique_ptr<JavaRegex> match;  // the formatted name has to match as a whole; null: any does
  std::unique_ptr<JavaRegex> from;   // null: nothing is replaced
  std::string to;
  bool all = false;
  bool lower = false;
};

absl::StatusOr<Rule> ParseRule(std::string_view text) {
  const absl::Status malformed = absl::InvalidArgumentError(
      absl::StrCat("hadoop.security.auth_to_local: the rule ", AbslText(text),
                   " is malformed; one is DEFAULT or RULE:[COMPONENTS:FORMAT](REGEX)s/FROM/TO/g/L"));
  Rule rule;
  if (text == "DEFAULT") {
    rule.is_default = true;
    return rule;
  }
  if (!Take(&text, "RULE:[")) return malformed;
  const auto count = TakeUntil(&text, ':');
  const auto format = count.has_value() ? TakeUntil(&text, ']') : std::nullopt;
  if (!format.has_value() || count->size() != 1 || (*count)[0] < '1' || (*count)[0] > '9') return malformed;
  rule.components = static_cast<size_t>((*count)[0] - '0');
  rule.format = *format;
  if (Take(&text, "(")) {
    // The expression may have brackets of its own.
    const size_t end = std::min(text.find(")s/"), text.find(")/L"));
    const size_t close = end != std::string_view::npos ? end : text.rfind(')');
    if (close == std::string_view::npos) return malformed;
    VAQUITA_ASSIGN_OR_RETURN(rule.match, JavaRegex::CompileForNames(text.substr(0, close)));
    text.remove_prefix(close + 1);
  }
  if (Take(&text, "s/")) {
    const auto from = TakeUntil(&text, '/');
    const auto to = from.has_value() ? TakeUntil(&text, '/') : std::nullopt;
    if (!to.has_value()) return malformed;
    VAQUITA_ASSIGN_OR_RETURN(rule.from, JavaRegex::Compile(*from, /*flags=*/0, "UTF-8"));
    rule.to = *to;
    rule.all = Take(&text, "g");
  }
  rule.lower = Take(&text, "/L");
  if (!text.empty()) return malformed;
  return rule;
}

// Returns the format with the principal's parts in it; nothing if it names one that is not there.
std::optional<std::string> Format(const std::string& format, const Principal& principal) {
  std::string out;
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '$') {
      out.push_back(format[i]);
      continue;
    }
    const size_t number = ++i < format.size() && format[i] >= '0' && format[i] <= '9' ? format[i] - '0' : 10;
    if (number > principal.components.size()) return std::nullopt;
    out += number == 0 ? principal.realm : principal.components[number - 1];
  }
  return out;
}

absl::StatusOr<std::string> Replace(const Rule& rule, std::string name) {
  size_t from = 0;
  std::vector<JavaRegex::Group> groups;
  do {
    VAQUITA_ASSIGN_OR_RETURN(const bool found, rule.from->FindGroups(name, from, &groups));
    if (!found) break;
    name.replace(groups[0].begin, groups[0].end - groups[0].begin, rule.to);
    from = groups[0].begin + rule.to.size();
    if (groups[0].begin < groups[0].end) continue;
    do ++from;  // behind an empty match, a character further
    while (from < name.size() && ContinuesUtf8(name[from]));
  } while (rule.all && from <= name.size());
  return name;
}

class PrincipalRulesImpl final : public PrincipalRules {
 public:
  PrincipalRulesImpl(std::vector<Rule> rules, std::string realm) : rules_(std::move(rules)), realm_(std::move(realm)) {}

  absl::StatusOr<std::string> UserOf(std::string_view principal) const override {
    std::string scratch;
    const Principal split = Split(Utf8AsJavaReads(principal, &scratch));
    if (split.realm.empty() && split.components.size() == 1) return split.components[0];
    std::lock_guard lock(mutex_);
    for (const Rule& rule : rules_) {
      VAQUITA_ASSIGN_OR_RETURN(const std::optional<std::string> user, Apply(rule, split));
      if (user.has_value() && !user->empty()) return *user;
    }
    return Error(ErrorKind::kAccessDenied, absl::StrCat("No rules applied to ", AbslText(principal),
                                                        "; hadoop.security.auth_to_local has the rules"));
  }

 private:
  absl::StatusOr<std::optional<std::string>> Apply(const Rule& rule, const Principal& principal) const {
    if (rule.is_default) {
      return principal.realm == realm_ ? std::optional(principal.components[0]) : std::nullopt;
    }
    if (principal.components.size() != rule.components) return std::nullopt;
    std::optional<std::string> name = Format(rule.format, principal);
    if (!name.has_value()) return std::nullopt;
    if (rule.match != nullptr) {
      VAQUITA_ASSIGN_OR_RETURN(const bool fits, rule.match->IsFoundIn(*name));
      if (!fits) return std::nullopt;
    }
    if (rule.from != nullptr) {
      VAQUITA_ASSIGN_OR_RETURN(name, Replace(rule, *std::move(name)));
    }
    if (rule.lower) absl::AsciiStrToLower(&*name);
    return name;
  }

  const std::vector<Rule> rules_;
  const std::string realm_;
  mutable std::mutex mutex_;  // an expression serves one at a time
};

}  // namespace

absl::StatusOr<std::unique_ptr<PrincipalRules>> PrincipalRules::Parse(std::string_view rules,
                                                                      const std::string& realm) {
  std::vector<Rule> parsed;
  for (const absl::string_view text : absl::StrSplit(AbslText(rules), absl::ByAnyChar(" \t\r\n"), absl::SkipEmpty())) {
    VAQUITA_ASSIGN_OR_RETURN(Rule rule, ParseRule(StdText(text)));
    parsed.push_back(std::move(rule));
  }
  return std::make_unique<PrincipalRulesImpl>(std::move(parsed), realm);
}

}  // namespace vaquita
