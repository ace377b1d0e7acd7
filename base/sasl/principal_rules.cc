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
  std::vector<std::string> components;  // one or two
  std::string realm;                    // empty: it has none
};

// Hadoop reads no other names than COMPONENT[/COMPONENT][@REALM], none of which has a / or an @, and names without @,
// which are a user's.
absl::StatusOr<Principal> Split(std::string_view name) {
  const size_t at = name.find('@');
  const std::string_view realm = at == std::string_view::npos ? std::string_view() : name.substr(at + 1);
  Principal split;
  split.components = absl::StrSplit(AbslText(name.substr(0, at)), '/');
  split.realm = realm;
  const bool parts_are_right =
      split.components.size() <= 2 && std::none_of(split.components.begin(), split.components.end(),
                                                   [](const std::string& component) { return component.empty(); });
  if (at == std::string_view::npos) {
    if (!parts_are_right) split.components = {std::string(name)};
    return split;
  }
  if (parts_are_right && !realm.empty() && realm.find_first_of("/@") == std::string_view::npos) return split;
  return Error(ErrorKind::kAccessDenied, absl::StrCat("Malformed Kerberos name: ", AbslText(name),
                                                      "; one is PRIMARY@REALM or PRIMARY/INSTANCE@REALM"));
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

// A text with numbered places to fill.
struct Piece {
  std::string text;
  std::optional<size_t> number;  // whose text comes behind
};

// One rule; all of it but the regular expressions is plain data.
struct Rule {
  std::string text;
  bool is_default = false;
  size_t components = 0;
  std::vector<Piece> format;         // number 0 is the realm, 1 the first component
  std::unique_ptr<JavaRegex> match;  // the formatted name has to match as a whole; null: any does
  std::unique_ptr<JavaRegex> from;   // null: nothing is replaced
  std::vector<Piece> to;             // its numbers are the expression's groups
  bool all = false;
  bool lower = false;
};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Reads a format: $ and all digits behind it are a part of the principal. Nothing if there is no such part.
std::optional<std::vector<Piece>> ParseFormat(std::string_view text, size_t components) {
  std::vector<Piece> pieces(1);
  for (size_t i = 0; i < text.size();) {
    if (text[i] != '$') {
      pieces.back().text += text[i++];
      continue;
    }
    const size_t begin = ++i;
    size_t number = 0;
    while (i < text.size() && IsDigit(text[i]) && number <= components) number = 10 * number + (text[i++] - '0');
    if (i == begin || number > components) return std::nullopt;
    pieces.back().number = number;
    pieces.emplace_back();
  }
  return pieces;
}

// Reads a replacement as Matcher.appendReplacement does: \x is x, and $ with digits a group: as many digits as there is
// such a group. Nothing if there is no such group, or a character is missing.
std::optional<std::vector<Piece>> ParseReplacement(std::string_view text, size_t groups) {
  std::vector<Piece> pieces(1);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      if (++i == text.size()) return std::nullopt;
      pieces.back().text += text[i];
    } else if (text[i] != '$') {
      pieces.back().text += text[i];
    } else {
      if (++i == text.size() || !IsDigit(text[i])) return std::nullopt;
      size_t number = text[i] - '0';
      if (number > groups) return std::nullopt;
      while (i + 1 < text.size() && IsDigit(text[i + 1]) && 10 * number + (text[i + 1] - '0') <= groups) {
        number = 10 * number + (text[++i] - '0');
      }
      pieces.back().number = number;
      pieces.emplace_back();
    }
  }
  return pieces;
}

absl::StatusOr<Rule> ParseRule(std::string_view text) {
  const std::string what = absl::StrCat("hadoop.security.auth_to_local: the rule ", AbslText(text), " ");
  const absl::Status malformed =
      absl::InvalidArgumentError(what + "is malformed; one is DEFAULT or RULE:[COMPONENTS:FORMAT](REGEX)s/FROM/TO/g/L");
  const auto bad_expression = [&what](const absl::Status& status) {
    return absl::InvalidArgumentError(absl::StrCat(what, "has a malformed expression: ", status.message()));
  };
  Rule rule;
  rule.text = text;
  if (text == "DEFAULT") {
    rule.is_default = true;
    return rule;
  }
  if (!Take(&text, "RULE:[")) return malformed;
  const auto count = TakeUntil(&text, ':');
  const auto format = count.has_value() ? TakeUntil(&text, ']') : std::nullopt;
  if (!format.has_value() || count->size() != 1 || (*count)[0] < '1' || (*count)[0] > '9') return malformed;
  rule.components = static_cast<size_t>((*count)[0] - '0');
  auto pieces = ParseFormat(*format, rule.components);
  if (!pieces.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat(what, "is malformed: its format has $0, the realm, and $1 to $",
                                                   rule.components, ", the components"));
  }
  rule.format = *std::move(pieces);
  if (Take(&text, "(")) {
    // The expression may have brackets of its own.
    const size_t end = std::min(text.find(")s/"), text.find(")/L"));
    const size_t close = end != std::string_view::npos ? end : text.rfind(')');
    if (close == std::string_view::npos) return malformed;
    auto match = JavaRegex::CompileForNames(text.substr(0, close));
    if (!match.ok()) return bad_expression(match.status());
    rule.match = *std::move(match);
    text.remove_prefix(close + 1);
  }
  if (Take(&text, "s/")) {
    const auto from = TakeUntil(&text, '/');
    const auto to = from.has_value() ? TakeUntil(&text, '/') : std::nullopt;
    if (!to.has_value()) return malformed;
    auto compiled = JavaRegex::Compile(*from, /*flags=*/0, "UTF-8");
    if (!compiled.ok()) return bad_expression(compiled.status());
    rule.from = *std::move(compiled);
    auto replacement = ParseReplacement(*to, rule.from->group_count());
    if (!replacement.has_value()) {
      return absl::InvalidArgumentError(absl::StrCat(what, "is malformed: ", *to, " may have $0 to $",
                                                     rule.from->group_count(), ", the groups of ", *from,
                                                     ", and \\ before any other $ or \\"));
    }
    rule.to = *std::move(replacement);
    rule.all = Take(&text, "g");
  }
  rule.lower = Take(&text, "/L");
  if (!text.empty()) return malformed;
  return rule;
}

// Returns the format with the principal's parts in it.
std::string Format(const std::vector<Piece>& format, const Principal& principal) {
  std::string out;
  for (const Piece& piece : format) {
    out += piece.text;
    if (!piece.number.has_value()) continue;
    out += *piece.number == 0 ? principal.realm : principal.components[*piece.number - 1];
  }
  return out;
}

// Returns the name with the first match, or all matches, replaced (Matcher.replaceFirst, replaceAll).
absl::StatusOr<std::string> Replace(const Rule& rule, std::string_view name) {
  std::string out;
  size_t done = 0;  // bytes of the name that are in `out`, or replaced
  std::vector<JavaRegex::Group> groups;
  for (size_t from = 0; from <= name.size();) {
    VAQUITA_ASSIGN_OR_RETURN(const bool found, rule.from->FindGroups(name, from, &groups));
    if (!found) break;
    const JavaRegex::Group match = groups[0];
    out += name.substr(done, match.begin - done);
    for (const Piece& piece : rule.to) {
      out += piece.text;
      if (!piece.number.has_value()) continue;
      const JavaRegex::Group group = groups[*piece.number];
      if (group.begin != std::string_view::npos) out += name.substr(group.begin, group.end - group.begin);
    }
    done = from = match.end;
    if (!rule.all) break;
    if (match.begin < match.end) continue;
    do ++from;  // behind an empty match, a character further
    while (from < name.size() && ContinuesUtf8(name[from]));
  }
  out += name.substr(done);
  return out;
}

class PrincipalRulesImpl final : public PrincipalRules {
 public:
  PrincipalRulesImpl(std::vector<Rule> rules, std::string realm) : rules_(std::move(rules)), realm_(std::move(realm)) {}

  absl::StatusOr<std::string> UserOf(std::string_view principal) const override {
    std::string scratch;
    VAQUITA_ASSIGN_OR_RETURN(const Principal split, Split(Utf8AsJavaReads(principal, &scratch)));
    if (split.realm.empty() && split.components.size() == 1) return split.components[0];
    std::lock_guard lock(mutex_);
    for (const Rule& rule : rules_) {
      VAQUITA_ASSIGN_OR_RETURN(const std::optional<std::string> user, Apply(rule, split));
      if (!user.has_value()) continue;
      if (!user->empty() && user->find_first_of("/@") == std::string::npos) return *user;
      return Error(ErrorKind::kAccessDenied, absl::StrCat("Non-simple name \"", *user, "\" of ", AbslText(principal),
                                                          " after hadoop.security.auth_to_local's ", rule.text));
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
    std::string name = Format(rule.format, principal);
    if (rule.match != nullptr) {
      VAQUITA_ASSIGN_OR_RETURN(const bool fits, rule.match->IsFoundIn(name));
      if (!fits) return std::nullopt;
    }
    if (rule.from != nullptr) {
      VAQUITA_ASSIGN_OR_RETURN(name, Replace(rule, name));
    }
    if (rule.lower) absl::AsciiStrToLower(&name);
    return name;
  }

  const std::vector<Rule> rules_;
  const std::string realm_;
  mutable std::mutex mutex_;  // an expression serves one at a time
};

}  // namespace

absl::StatusOr<std::unique_ptr<PrincipalRules>> PrincipalRules::Parse(std::string_view rules,
                                                                      const std::string& realm) {
  std::string scratch;
  const std::string_view readable = Utf8AsJavaReads(rules, &scratch);  // a rule's text becomes part of a name
  std::vector<Rule> parsed;
  for (const absl::string_view text :
       absl::StrSplit(AbslText(readable), absl::ByAnyChar(" \t\r\n"), absl::SkipEmpty())) {
    VAQUITA_ASSIGN_OR_RETURN(parsed.emplace_back(), ParseRule(StdText(text)));
  }
  return std::make_unique<PrincipalRulesImpl>(std::move(parsed), realm);
}

}  // namespace vaquita
