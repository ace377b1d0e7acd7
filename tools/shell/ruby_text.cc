#include "tools/shell/ruby_text.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "base/unicode.h"

namespace vaquita::shell {
namespace {

// The first character: a byte that is none counts as one.
std::string_view FirstCharacter(std::string_view text) {
  return text.substr(0, text.empty() ? 0 : std::max<size_t>(Utf8Length(text), 1));
}
size_t CharacterCount(std::string_view text) {
  size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(FirstCharacter(text).size());
  return count;
}
std::string_view Characters(std::string_view text, size_t from, size_t count) {
  for (; from > 0 && !text.empty(); --from) text.remove_prefix(FirstCharacter(text).size());
  std::string_view rest = text;
  for (; count > 0 && !rest.empty(); --count) rest.remove_prefix(FirstCharacter(rest).size());
  return text.substr(0, text.size() - rest.size());
}
std::string Reversed(std::string_view text) {
  std::string reversed(text.size(), '\0');
  size_t at = text.size();
  while (!text.empty()) {
    const std::string_view first = FirstCharacter(text);
    at -= first.size();
    reversed.replace(at, first.size(), first);
    text.remove_prefix(first.size());
  }
  return reversed;
}

// Appends `count` characters of `pad`, over and over.
void AppendPadding(std::string_view pad, size_t count, std::string* out) {
  if (pad.size() == 1) {
    out->append(count, pad[0]);
    return;
  }
  std::string_view rest;
  for (; count > 0; --count) {
    if (rest.empty()) rest = pad;
    const std::string_view first = FirstCharacter(rest);
    out->append(first);
    rest.remove_prefix(first.size());
  }
}

std::string Padded(const std::string& text, const Arguments& arguments, std::string_view method) {
  const auto width = static_cast<size_t>(std::clamp<int64_t>(IntegerOr(At(arguments, 0), 0), 0, 1'000'000));
  const std::string pad = arguments.size() > 1 ? arguments[1].ToText() : " ";
  const size_t length = CharacterCount(text);
  if (width <= length || pad.empty()) return text;
  const size_t missing = width - length;
  const size_t left = method == "rjust" ? missing : method == "center" ? missing / 2 : 0;
  std::string out;
  AppendPadding(pad, left, &out);
  out += text;
  AppendPadding(pad, missing - left, &out);
  return out;
}

// The longest prefix that is a number, as to_i reads it.
absl::StatusOr<int64_t> LeadingInteger(std::string_view text, int64_t base) {
  if (base < 2 || base > 36) return RubyError("ArgumentError", absl::StrCat("invalid radix ", base));
  std::string digits;
  for (const char c : absl::StripLeadingAsciiWhitespace(AbslText(text))) {
    if (c == '_' && !digits.empty()) continue;
    digits.push_back(c);
  }
  errno = 0;
  const int64_t number = std::strtoll(digits.c_str(), nullptr, static_cast<int>(base));
  if (errno == ERANGE) return TooLarge();
  return number;
}

// The text after it in Ruby's order: the last letter or digit goes up, and carries.
std::string Successor(std::string text) {
  for (size_t i = text.size(); i-- > 0;) {
    char& c = text[i];
    if (c == 'z' || c == 'Z' || c == '9') {
      const char first = c == 'z' ? 'a' : c == 'Z' ? 'A' : '0';
      c = first;
      const bool ends = i == 0 || !absl::ascii_isalnum(static_cast<unsigned char>(text[i - 1]));
      if (ends) {
        text.insert(i, 1, first == '0' ? '1' : first);
        return text;
      }
      continue;
    }
    ++c;
    return text;
  }
  return text;
}

// Returns the parts as an array.
template <typename Parts>
Answer ArrayOfTexts(const Parts& parts, std::string_view end = "") {
  Array array;
  for (const auto& part : parts) {
    if (static_cast<int64_t>(array.size()) == kMostParts) return TooManyElements();
    array.emplace_back(std::string(part.data(), part.size()).append(end));
  }
  return Value(std::move(array));
}

Answer CharactersOf(std::string_view text) {
  std::vector<std::string_view> characters;
  for (; !text.empty(); text.remove_prefix(characters.back().size())) {
    if (static_cast<int64_t>(characters.size()) == kMostParts) return TooManyElements();
    characters.push_back(FirstCharacter(text));
  }
  return ArrayOfTexts(characters);
}

Answer SplitText(const std::string& text, const Arguments& arguments) {
  if (arguments.empty() || arguments[0].IsNil() || arguments[0] == Value(" ")) {
    return ArrayOfTexts(absl::StrSplit(text, absl::ByAnyChar(" \t\n\r\f\v"), absl::SkipEmpty()));
  }
  const std::string separator = arguments[0].ToText();
  if (separator.empty()) return CharactersOf(text);
  VAQUITA_ASSIGN_OR_RETURN(auto split, ArrayOfTexts(absl::StrSplit(text, separator)));
  Array& parts = std::get<Array>(split->kind);
  while (!parts.empty() && parts.back() == Value("")) parts.pop_back();
  return split;
}

std::string Capitalized(std::string text) {
  for (size_t i = 0; i < text.size(); ++i)
    text[i] = i == 0 ? absl::ascii_toupper(text[i]) : absl::ascii_tolower(text[i]);
  return text;
}

Answer OperateOnText(const std::string& text, std::string_view op, const Arguments& arguments) {
  const Value& right = At(arguments, 0);
  if (op == "+") {
    if (right.AsString() == nullptr) return NotOf(right, "String");
    if (text.size() + right.AsString()->size() > kMostTextBytes) return TextTooLong();
    return Value(text + *right.AsString());
  }
  if (op == "*") {
    if (right.AsInteger() == nullptr) return NotOf(right, "Integer");
    if (*right.AsInteger() < 0) return RubyError("ArgumentError", "argument must be non-negative");
    if (!text.empty() && static_cast<size_t>(*right.AsInteger()) > kMostTextBytes / text.size()) return TextTooLong();
    std::string out;
    for (int64_t i = 0; !text.empty() && i < *right.AsInteger(); ++i) out += text;
    return Value(std::move(out));
  }
  if (op != "%") return std::nullopt;
  const Array* several = right.AsArray();
  VAQUITA_ASSIGN_OR_RETURN(std::string out, Format(text, several == nullptr ? Arguments{right} : *several));
  return Value(std::move(out));
}

Answer Replaced(const std::string& text, const std::string& what, const std::string& with) {
  size_t found = 0;
  for (size_t at = 0; !what.empty() && (at = text.find(what, at)) != text.npos; at += what.size()) ++found;
  if (found > 0 && with.size() > kMostTextBytes / found) return TextTooLong();
  return Value(absl::StrReplaceAll(text, {{what, with}}));
}

// Returns printf's text of the value.
template <typename T>
std::string PrintedBy(const std::string& spec, T value) {
  std::string text(static_cast<size_t>(std::snprintf(nullptr, 0, spec.c_str(), value)), '\0');
  std::snprintf(text.data(), text.size() + 1, spec.c_str(), value);
  return text;
}

}  // namespace

Answer CallOnText(Value* receiver, std::string_view method, const Arguments& arguments) {
  std::string& text = std::get<std::string>(receiver->kind);
  const auto argument = [&](size_t i) { return At(arguments, i).ToText(); };
  if (method == "<<" || method == "concat") {
    if (text.size() + argument(0).size() > kMostTextBytes) return TextTooLong();
    text += argument(0);
    return *receiver;
  }
  if (method == "length" || method == "size") return Value(static_cast<int64_t>(CharacterCount(text)));
  if (method == "bytesize") return Value(static_cast<int64_t>(text.size()));
  if (method == "upcase") return Value(absl::AsciiStrToUpper(text));
  if (method == "downcase") return Value(absl::AsciiStrToLower(text));
  if (method == "capitalize") return Value(Capitalized(text));
  if (method == "strip") return Value(std::string(absl::StripAsciiWhitespace(text)));
  if (method == "lstrip") return Value(std::string(absl::StripLeadingAsciiWhitespace(text)));
  if (method == "rstrip") return Value(std::string(absl::StripTrailingAsciiWhitespace(text)));
  if (method == "chomp") {
    const size_t end = text.ends_with("\r\n") ? 2 : text.ends_with("\n") ? 1 : 0;
    return Value(text.substr(0, text.size() - end));
  }
  if (method == "chop") {
    return Value(std::string(Characters(text, 0, std::max<size_t>(CharacterCount(text), 1) - 1)));
  }
  if (method == "reverse") return Value(Reversed(text));
  if (method == "to_i" || method == "hex") {
    VAQUITA_ASSIGN_OR_RETURN(const int64_t number,
                             LeadingInteger(text, method == "hex" ? 16 : IntegerOr(At(arguments, 0), 10)));
    return Value(number);
  }
  if (method == "to_f") return Value(std::strtod(text.c_str(), nullptr));
  if (method == "to_sym") return Value(Symbol{text});
  if (method == "message") return *receiver;  // a caught error is its text
  if (method == "empty?") return Value(text.empty());
  if (method == "include?") return Value(text.find(argument(0)) != text.npos);
  if (method == "start_with?") return Value(text.starts_with(argument(0)));
  if (method == "end_with?") return Value(text.ends_with(argument(0)));
  if (method == "index") {
    const size_t at = text.find(argument(0));
    return at == text.npos ? Value()
                           : Value(static_cast<int64_t>(CharacterCount(std::string_view(text).substr(0, at))));
  }
  if (method == "split") return SplitText(text, arguments);
  if (method == "lines") return ArrayOfTexts(absl::StrSplit(text, '\n', absl::SkipEmpty()), "\n");
  if (method == "rjust" || method == "ljust" || method == "center") return Value(Padded(text, arguments, method));
  if (method == "gsub") return Replaced(text, argument(0), argument(1));
  if (method == "sub") {
    const size_t at = text.find(argument(0));
    if (at == text.npos) return *receiver;
    if (text.size() + argument(1).size() > kMostTextBytes) return TextTooLong();
    return Value(std::string(text).replace(at, argument(0).size(), argument(1)));
  }
  if (method == "chars") return CharactersOf(text);
  if (method == "bytes") {
    if (text.size() > static_cast<size_t>(kMostParts)) return TooManyElements();
    Array bytes;
    for (const char c : text) bytes.emplace_back(int64_t{static_cast<unsigned char>(c)});
    return Value(std::move(bytes));
  }
  if (method == "ord" && !text.empty()) return Value(int64_t{static_cast<unsigned char>(text[0])});
  if (method == "succ" || method == "next") return Value(Successor(text));
  if (method == "[]") {
    if (const std::string* part = At(arguments, 0).AsString()) {
      return text.find(*part) == text.npos ? Value() : Value(*part);
    }
    const std::optional<Slice> slice = SliceOf(arguments, CharacterCount(text));
    return slice ? Value(std::string(Characters(text, slice->from, slice->count))) : Value();
  }
  return OperateOnText(text, method, arguments);
}

absl::StatusOr<std::string> Format(std::string_view format, const Arguments& arguments) {
  std::string out;
  size_t next = 0;
  for (size_t i = 0; i < format.size(); ++i) {
    if (out.size() > kMostTextBytes) return TextTooLong();
    if (format[i] != '%') {
      out.push_back(format[i]);
      continue;
    }
    size_t end = i + 1;
    while (end < format.size() && std::string_view("-+ 0123456789.#").find(format[end]) != std::string_view::npos)
      ++end;
    if (end == format.size())
      return RubyError("ArgumentError", "incomplete format specifier; use %% (double %) instead");
    const char kind = format[end];
    std::string flags(format.substr(i + 1, end - i - 1));
    i = end;
    if (kind == '%') {
      out.push_back('%');
      continue;
    }
    if (flags.size() > 8) return RubyError("ArgumentError", "a width of the format is too large");
    if (next >= arguments.size()) return RubyError("ArgumentError", "too few arguments");
    const Value& value = arguments[next++];
    if (kind == 's' || kind == 'p') {
      const std::string shown = kind == 's' ? value.ToText() : value.Inspect();
      const size_t width = std::strtoul(
          flags.substr(flags.find_first_not_of('-') == flags.npos ? flags.size() : flags.find_first_not_of('-'))
              .c_str(),
          nullptr, 10);
      out += Padded(shown, {Value(static_cast<int64_t>(std::min<size_t>(width, 100'000)))},
                    flags.starts_with('-') ? "ljust" : "rjust");
      continue;
    }
    const bool integer = std::string_view("dixXob").find(kind) != std::string_view::npos;
    const bool real = std::string_view("feEgG").find(kind) != std::string_view::npos;
    if (!integer && !real)
      return RubyError("ArgumentError", absl::StrCat("malformed format string - %", std::string(1, kind)));
    Value number = value;
    if (const std::string* digits = value.AsString()) {
      if (real) {
        number = Value(std::strtod(digits->c_str(), nullptr));
      } else {
        VAQUITA_ASSIGN_OR_RETURN(number, LeadingInteger(*digits, 10));
      }
    }
    if (!IsNumber(number))
      return RubyError("TypeError", absl::StrCat("can't convert ", AbslText(value.ClassName()), " into ",
                                                 integer ? "Integer" : "Float"));
    int64_t whole = 0;
    if (integer) {
      VAQUITA_ASSIGN_OR_RETURN(whole, number.AsInteger() != nullptr ? absl::StatusOr<int64_t>(*number.AsInteger())
                                                                    : IntegerOf(std::trunc(AsDouble(number))));
    }
    if (kind == 'b') {
      const size_t width = std::strtoul(flags.c_str() + (flags.starts_with('0') ? 1 : 0), nullptr, 10);
      out += Padded(
          InBase(whole, 2),
          {Value(static_cast<int64_t>(std::min<size_t>(width, 1000))), Value(flags.starts_with('0') ? "0" : " ")},
          "rjust");
    } else if (integer) {
      const std::string spec = absl::StrCat("%", flags, "ll", std::string(1, kind == 'i' ? 'd' : kind));
      out += PrintedBy(spec, static_cast<long long>(whole));
    } else {
      out += PrintedBy(absl::StrCat("%", flags, std::string(1, kind)), AsDouble(number));
    }
  }
  return out;
}

}  // namespace vaquita::shell
