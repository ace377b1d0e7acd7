#include "tools/shell/ruby_text.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "base/unicode.h"
#include "tools/shell/ruby_numbers.h"

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

char Wrapped(char c) { return c == 'z' ? 'a' : c == 'Z' ? 'A' : c == '9' ? '0' : '\0'; }
bool IsLetterAt(std::string_view text, size_t at) { return absl::ascii_isalpha(static_cast<unsigned char>(text[at])); }
bool IsDigitAt(std::string_view text, size_t at) { return absl::ascii_isdigit(static_cast<unsigned char>(text[at])); }

// Returns the character with the next code, or the byte after a byte that is none; empty if there is none.
std::string NextCode(std::string_view character) {
  if (Utf8Length(character) == 0) {
    const auto byte = static_cast<unsigned char>(character[0]);
    return byte == 0xff ? "" : std::string(1, static_cast<char>(byte + 1));
  }
  size_t offset = 0;
  char32_t code = NextCharacter(character, &offset) + 1;
  if (code == 0xd800) code = 0xe000;  // between them are no characters
  std::string next;
  if (IsCharacterCode(code)) AppendUtf8(code, &next);
  return next;
}

// The text after it in Ruby's order: the last letter or digit goes up, and carries to the one before it. What stands
// between them is passed over, unless it parts a letter from a digit. A text without any goes up at its end. A letter
// beyond ASCII has the next code after it.
std::string Successor(std::string text) {
  std::optional<size_t> wrapped;  // where the last letter or digit began anew
  bool passed = false;            // something else before it
  for (size_t i = text.size(); i-- > 0;) {
    const bool ascii = static_cast<unsigned char>(text[i]) < 0x80;
    if (ascii && !IsLetterAt(text, i) && !IsDigitAt(text, i)) {
      passed = true;
      continue;
    }
    if (wrapped && passed && (IsLetterAt(text, *wrapped) ? IsDigitAt(text, i) : IsLetterAt(text, i))) break;
    passed = false;
    if (!ascii) {
      while (i > 0 && ContinuesUtf8(text[i])) --i;
      const std::string_view character = FirstCharacter(std::string_view(text).substr(i));
      const std::string next = NextCode(character);
      if (next.empty()) break;
      return text.replace(i, character.size(), next);
    }
    if (Wrapped(text[i]) == '\0') {
      ++text[i];
      return text;
    }
    text[i] = Wrapped(text[i]);
    wrapped = i;
  }
  if (wrapped) {
    const char first = text[*wrapped];
    text.insert(*wrapped, 1, first == '0' ? '1' : first);
  } else if (!text.empty()) {
    text.back() = static_cast<char>(text.back() + 1);
  }
  return text;
}

// Returns the parts as an array.
template <typename Parts>
Answer ArrayOfTexts(const Parts& parts) {
  Array array;
  for (const auto& part : parts) {
    if (static_cast<int64_t>(array.size()) == kMostParts) return TooManyElements();
    array.emplace_back(std::string(part.data(), part.size()));
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

// A line keeps its end.
Answer LinesOf(std::string_view text) {
  Array lines;
  while (!text.empty()) {
    if (static_cast<int64_t>(lines.size()) == kMostParts) return TooManyElements();
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.emplace_back(std::string(text.substr(0, end)));
    text.remove_prefix(end);
  }
  return Value(std::move(lines));
}

// Returns the first position of the space, from `from` on; the size if there is none.
size_t FindSpace(std::string_view text, size_t from) {
  return std::min(text.find_first_of(" \t\n\r\f\v", from), text.size());
}

// Splits at space, or, if it is not empty, at the separator: into at most `limit` parts if that is above 0.
std::vector<std::string_view> SplitPieces(std::string_view text, std::string_view separator, int64_t limit) {
  const bool at_space = separator.empty();
  std::vector<std::string_view> pieces;
  const auto skip_space = [&] {
    if (at_space) text.remove_prefix(std::min(text.find_first_not_of(" \t\n\r\f\v"), text.size()));
  };
  skip_space();
  while (static_cast<int64_t>(pieces.size()) + 1 != limit && static_cast<int64_t>(pieces.size()) <= kMostParts) {
    const size_t end = at_space ? FindSpace(text, 0) : std::min(text.find(separator), text.size());
    if (end == text.size()) break;
    pieces.push_back(text.substr(0, end));
    text.remove_prefix(end + (at_space ? 1 : separator.size()));
    skip_space();
  }
  pieces.push_back(text);
  return pieces;
}

// Empty parts at the end count only with a limit.
Answer SplitText(const std::string& text, const Arguments& arguments) {
  const Value& separator = At(arguments, 0);
  const int64_t limit = IntegerOr(At(arguments, 1), 0);
  if (text.empty()) return Value(Array());
  if (limit == 1) return Value(Array{Value(text)});
  const bool at_space = separator.IsNil() || separator == Value(" ");
  if (!at_space && separator.AsString()->empty()) {
    if (limit == 0) return CharactersOf(text);
    return RubyError("NotImplementedError", "split into characters takes no limit in this shell");
  }
  VAQUITA_ASSIGN_OR_RETURN(auto split, ArrayOfTexts(SplitPieces(text, at_space ? "" : *separator.AsString(), limit)));
  Array& parts = std::get<Array>(split->kind);
  while (limit == 0 && !parts.empty() && parts.back() == Value("")) parts.pop_back();
  return split;
}

// Returns the text without one line's end; without the suffix if there is one; as it is if that is nil. An empty suffix
// stands for all lines' ends.
std::string Chomped(std::string text, const Arguments& arguments) {
  const auto line_end = [&] {
    return text.ends_with("\r\n") ? size_t{2} : text.ends_with("\n") ? size_t{1} : size_t{0};
  };
  if (!arguments.empty() && arguments[0].IsNil()) return text;
  const std::string suffix = arguments.empty() ? "\n" : *arguments[0].AsString();
  if (suffix == "\n") {
    text.resize(text.size() - (text.ends_with("\r") ? 1 : line_end()));
  } else if (suffix.empty()) {
    while (line_end() > 0) text.resize(text.size() - line_end());
  } else if (text.ends_with(suffix)) {
    text.resize(text.size() - suffix.size());
  }
  return text;
}

// Returns where `part` is, in characters, from the character `from` on; below 0 it counts from the end.
Value IndexIn(std::string_view text, std::string_view part, int64_t from) {
  const auto length = static_cast<int64_t>(CharacterCount(text));
  if (from < 0) from += length;
  if (from < 0 || from > length) return Value();
  const size_t begin = Characters(text, 0, static_cast<size_t>(from)).size();
  const size_t at = text.find(part, begin);
  return at == text.npos ? Value() : Value(static_cast<int64_t>(CharacterCount(text.substr(0, at))));
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

// Returns what a replacement stands for where `part` was found: \0 and \& are the part, \` and \' the text before and
// after it, \1 to \9 nothing, because a part has no groups.
absl::StatusOr<std::string> Replacement(std::string_view with, std::string_view text, size_t at,
                                        std::string_view part) {
  std::string out;
  for (size_t i = 0; i < with.size() && out.size() <= kMostTextBytes; ++i) {
    const size_t backslash = std::min(with.find('\\', i), with.size() - 1);
    if (with[backslash] != '\\' || backslash + 1 == with.size()) {
      out.append(with.substr(i));
      break;
    }
    out.append(with.substr(i, backslash - i));
    i = backslash + 1;
    const char c = with[i];
    if (c == '0' || c == '&') {
      out.append(part);
    } else if (c == '`' || c == '\'') {
      out.append(c == '`' ? text.substr(0, at) : text.substr(at + part.size()));
    } else if (c == 'k' && i + 1 < with.size() && with[i + 1] == '<') {
      return RubyError("IndexError", absl::StrCat("undefined group name reference: ", AbslText(with.substr(i + 1))));
    } else if (!absl::ascii_isdigit(static_cast<unsigned char>(c))) {
      out.append(with.substr(c == '\\' ? i : i - 1, c == '\\' ? 1 : 2));
    }
  }
  if (out.size() > kMostTextBytes) return TextTooLong();
  return out;
}

// sub and gsub with two texts.
Answer ReplacedBy(std::string_view method, const std::string& text, const std::string& part, const std::string& with) {
  const auto replace = [&](size_t at) { return Replacement(with, text, at, part); };
  if (method == "gsub") {
    VAQUITA_ASSIGN_OR_RETURN(std::string out, Replaced(text, part, replace));
    return Value(std::move(out));
  }
  const size_t at = text.find(part);
  if (at == text.npos) return Value(text);
  VAQUITA_ASSIGN_OR_RETURN(const std::string replacement, replace(at));
  if (text.size() + replacement.size() > kMostTextBytes) return TextTooLong();
  return Value(std::string(text).replace(at, part.size(), replacement));
}

}  // namespace

absl::StatusOr<std::string> Replaced(std::string_view text, std::string_view part,
                                     const std::function<absl::StatusOr<std::string>(size_t at)>& replace) {
  std::string out;
  size_t done = 0;
  for (size_t found = text.find(part); found != text.npos; found = text.find(part, done)) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string with, replace(found));
    out.append(text.substr(done, found - done)).append(with);
    done = found + part.size();
    if (out.size() > kMostTextBytes) return TextTooLong();
    if (!part.empty()) continue;
    if (done == text.size()) return out;
    const std::string_view next = FirstCharacter(text.substr(done));
    out.append(next);
    done += next.size();
  }
  out.append(text.substr(done));
  if (out.size() > kMostTextBytes) return TextTooLong();
  return out;
}

std::string PaddedText(const std::string& text, std::string_view method, int64_t width, std::string_view pad) {
  const size_t length = CharacterCount(text);
  if (width <= static_cast<int64_t>(length) || pad.empty()) return text;
  const size_t missing = static_cast<size_t>(width) - length;
  const size_t left = method == "rjust" ? missing : method == "center" ? missing / 2 : 0;
  std::string out;
  AppendPadding(pad, left, &out);
  out += text;
  AppendPadding(pad, missing - left, &out);
  return out;
}

std::string FirstCharacters(std::string_view text, size_t count) { return std::string(Characters(text, 0, count)); }

absl::StatusOr<Array> TextsBetween(const std::string& first, const std::string& last, bool exclusive, ValueRoom room) {
  Array texts;
  const auto add = [&](std::string text) -> absl::Status {
    if (static_cast<int64_t>(texts.size()) == kMostParts) return TooManyElements();
    texts.emplace_back(std::move(text));
    if (room.Take(texts.back())) return absl::OkStatus();
    return RubyError("NoMemoryError", "the texts of the range are too large together");
  };
  const auto are_digits = [](const std::string& text) {
    return !text.empty() && text.size() <= 18 && text.find_first_not_of("0123456789") == text.npos;
  };
  // Texts of digits are counted as numbers, of the first one's width.
  if (are_digits(first) && are_digits(last)) {
    const int64_t end = std::strtoll(last.c_str(), nullptr, 10) - (exclusive ? 1 : 0);
    for (int64_t i = std::strtoll(first.c_str(), nullptr, 10); i <= end; ++i) {
      const std::string number = std::to_string(i);
      VAQUITA_RETURN_IF_ERROR(add(PaddedText(number, "rjust", static_cast<int64_t>(first.size()), "0")));
    }
    return texts;
  }
  const auto is_ascii = [](const std::string& text) {
    return text.size() == 1 && static_cast<unsigned char>(text[0]) < 0x80;
  };
  if (is_ascii(first) && is_ascii(last)) {
    const int past = static_cast<unsigned char>(last[0]) + (exclusive ? 0 : 1);
    for (int c = static_cast<unsigned char>(first[0]); c < past; ++c) {
      VAQUITA_RETURN_IF_ERROR(add(std::string(1, static_cast<char>(c))));
    }
    return texts;
  }
  if (first > last || (exclusive && first == last)) return texts;
  const std::string end = Successor(last);
  for (std::string text = first; text != end && text.size() <= last.size() && !text.empty(); text = Successor(text)) {
    if (exclusive && text == last) break;
    VAQUITA_RETURN_IF_ERROR(add(text));
    if (text == last) break;
  }
  return texts;
}

absl::StatusOr<bool> ChangeText(std::string* text, std::string_view method, const Arguments& arguments) {
  if (method != "<<" && method != "concat") return false;
  std::string added;
  for (const Value& argument : arguments) {
    if (const std::string* more = argument.AsString()) {
      added += *more;
    } else if (const int64_t* code = argument.AsInteger(); code != nullptr) {
      if (*code < 0 || *code > 0xffffffff) return RubyError("RangeError", absl::StrCat(*code, " out of char range"));
      if (!IsCharacterCode(*code)) {
        return RubyError("RangeError", absl::StrFormat("invalid codepoint 0x%X in UTF-8", *code));
      }
      AppendUtf8(static_cast<char32_t>(*code), &added);
    } else {
      return NotOf(argument, "String");
    }
    if (text->size() + added.size() > kMostTextBytes) return TextTooLong();
  }
  *text += added;
  return true;
}

Answer CallOnText(const std::string& text, std::string_view method, const Arguments& arguments) {
  const auto argument = [&](size_t i) { return At(arguments, i).ToText(); };
  if (method == "length" || method == "size") return Value(static_cast<int64_t>(CharacterCount(text)));
  if (method == "bytesize") return Value(static_cast<int64_t>(text.size()));
  if (method == "upcase") return Value(absl::AsciiStrToUpper(text));
  if (method == "downcase") return Value(absl::AsciiStrToLower(text));
  if (method == "capitalize") return Value(Capitalized(text));
  if (method == "strip") return Value(std::string(absl::StripAsciiWhitespace(text)));
  if (method == "lstrip") return Value(std::string(absl::StripLeadingAsciiWhitespace(text)));
  if (method == "rstrip") return Value(std::string(absl::StripTrailingAsciiWhitespace(text)));
  if (method == "chomp") return Value(Chomped(text, arguments));
  if (method == "chop") return Value(FirstCharacters(text, std::max<size_t>(CharacterCount(text), 1) - 1));
  if (method == "reverse") return Value(Reversed(text));
  if (method == "to_i" || method == "hex") {
    VAQUITA_ASSIGN_OR_RETURN(const int64_t number,
                             LeadingInteger(text, method == "hex" ? 16 : IntegerOr(At(arguments, 0), 10)));
    return Value(number);
  }
  if (method == "to_f") return Value(LeadingFloat(text));
  if (method == "to_sym") return Value(Symbol{text});
  if (method == "message") return Value(text);  // a caught error is its text
  if (method == "empty?") return Value(text.empty());
  if (method == "include?") return Value(text.find(argument(0)) != text.npos);
  if (method == "start_with?" || method == "end_with?") {
    return Value(std::any_of(arguments.begin(), arguments.end(), [&](const Value& part) {
      return method == "end_with?" ? text.ends_with(*part.AsString()) : text.starts_with(*part.AsString());
    }));
  }
  if (method == "index") return IndexIn(text, argument(0), IntegerOr(At(arguments, 1), 0));
  if (method == "split") return SplitText(text, arguments);
  if (method == "lines") return LinesOf(text);
  if (method == "rjust" || method == "ljust" || method == "center") {
    const std::string pad = arguments.size() > 1 ? argument(1) : " ";
    if (pad.empty()) return RubyError("ArgumentError", "zero width padding");
    const int64_t width = IntegerOr(arguments[0], 0);
    if (width > static_cast<int64_t>(kMostTextBytes / pad.size())) return TextTooLong();
    return Value(PaddedText(text, method, width, pad));
  }
  if (method == "sub" || method == "gsub") return ReplacedBy(method, text, argument(0), argument(1));
  if (method == "chars") return CharactersOf(text);
  if (method == "bytes") {
    if (text.size() > static_cast<size_t>(kMostParts)) return TooManyElements();
    Array bytes;
    for (const char c : text) bytes.emplace_back(int64_t{static_cast<unsigned char>(c)});
    return Value(std::move(bytes));
  }
  if (method == "ord") {
    if (text.empty()) return RubyError("ArgumentError", "empty string");
    size_t offset = 0;
    if (Utf8Length(text) == 0) return RubyError("ArgumentError", "invalid byte sequence in UTF-8");
    return Value(static_cast<int64_t>(NextCharacter(text, &offset)));
  }
  if (method == "succ" || method == "next") return Value(Successor(text));
  if (method == "[]") {
    if (const std::string* part = At(arguments, 0).AsString()) {
      return text.find(*part) == text.npos ? Value() : Value(*part);
    }
    VAQUITA_RETURN_IF_ERROR(CheckIndex(arguments));
    const std::optional<Slice> slice = SliceOf(arguments, CharacterCount(text));
    return slice ? Value(std::string(Characters(text, slice->from, slice->count))) : Value();
  }
  return OperateOnText(text, method, arguments);
}

}  // namespace vaquita::shell
