// This file has the engine's functions of texts: UPPER, LPAD, REGEXP_REPLACE and their like.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/java_regex.h"
#include "base/status.h"
#include "base/unicode.h"
#include "sql/encoding/like.h"
#include "sql/encoding/sql_error.h"
#include "sql/encoding/text.h"
#include "sql/encoding/value_text.h"
#include "sql/engine/function_tools.h"
#include "sql/engine/sqlite_value.h"

namespace vaquita::sql {
namespace {

constexpr int32_t kMostPaddedCharacters = 10 << 20;  // as many as HBase takes in a cell

// Returns where the character with this number begins, from 0; the text's size if it has no such character.
size_t PlaceOf(std::string_view text, size_t character) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (ContinuesUtf8(text[i])) continue;
    if (character == 0) return i;
    --character;
  }
  return text.size();
}

// Turkish has an i with and one without a dot, in both cases.
bool IsTurkish(int count, sqlite3_value** values) {
  if (count < 2 || IsNull(values[1])) return false;
  const std::string_view language = TextOf(values[1]).substr(0, 2);
  return SameIgnoringCase(language, "tr") || SameIgnoringCase(language, "az");
}

std::string Replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string result;
  for (size_t at = 0;;) {
    const size_t found = text.find(from, at);
    result += text.substr(at, found - at);
    if (found == std::string_view::npos) return result;
    result += to;
    at = found + from.size();
  }
}

void Upper(sqlite3_context* context, int count, sqlite3_value** values) {
  if (IsNull(values[0])) return sqlite3_result_null(context);
  std::string text(TextOf(values[0]));
  if (IsTurkish(count, values)) text = Replaced(text, "i", "\u0130");
  std::string upper;
  AppendUpperCase(text, &upper);
  SetResult(context, TypeId::kVarchar, Value(std::move(upper)));
}

void Lower(sqlite3_context* context, int count, sqlite3_value** values) {
  if (IsNull(values[0])) return sqlite3_result_null(context);
  std::string text(TextOf(values[0]));
  if (IsTurkish(count, values)) text = Replaced(Replaced(text, "I", "\u0131"), "\u0130", "i");
  std::string lower;
  AppendLowerCase(text, &lower);
  SetResult(context, TypeId::kVarchar, Value(std::move(lower)));
}

absl::StatusOr<Value> TextLength(int, sqlite3_value** values) {
  return Value(static_cast<int64_t>(Characters(TextOf(values[0]))));
}

// Adds the blanks that a CHAR(n) has in Phoenix.
absl::StatusOr<Value> Pad(int, sqlite3_value** values) {
  std::string text(TextOf(values[0]));
  text.resize(std::max(text.size(), static_cast<size_t>(sqlite3_value_int64(values[1]))), ' ');
  return Value(std::move(text));
}

// SUBSTR counts characters from 1; 0 is 1, too, and a negative position counts from the end.
absl::StatusOr<Value> Substring(int count, sqlite3_value** values) {
  const std::string_view text = TextOf(values[0]);
  const auto size = static_cast<int64_t>(Characters(text));
  VAQUITA_ASSIGN_OR_RETURN(int64_t from, SmallOf(values[1]));
  int64_t most = size;
  if (count > 2) {
    VAQUITA_ASSIGN_OR_RETURN(most, SmallOf(values[2]));
  }
  from = from < 0 ? from + size : std::max<int64_t>(from - 1, 0);
  if (from < 0 || from >= size || most <= 0) return Value();
  const size_t begin = PlaceOf(text, static_cast<size_t>(from));
  const std::string_view rest = text.substr(begin);
  return Value(std::string(rest.substr(0, PlaceOf(rest, static_cast<size_t>(most)))));
}

// LPAD of a null text is all padding.
void PadLeft(sqlite3_context* context, int count, sqlite3_value** values) {
  if (IsNull(values[1]) || (count > 2 && IsNull(values[2]))) return sqlite3_result_null(context);
  const auto size = SmallOf(values[1]);
  if (!size.ok()) return Fail(context, size.status());
  if (*size <= 0) return sqlite3_result_null(context);
  if (*size > kMostPaddedCharacters) {
    return Fail(context, SqlError(ErrorCode::kIllegalData,
                                  Concat("LPAD makes at most ", kMostPaddedCharacters, " characters, not ", *size)));
  }
  // Each character has bytes of its own then, at most four.
  std::string text_scratch, fill_scratch;
  const std::string_view text = Utf8AsJavaReads(TextOf(values[0]), &text_scratch);
  const std::string_view fill = count > 2 ? Utf8AsJavaReads(TextOf(values[2]), &fill_scratch) : " ";
  if (fill.empty()) return sqlite3_result_null(context);
  const auto wanted = static_cast<size_t>(*size);
  const size_t has = Characters(text);
  std::string padded;
  if (has < wanted) {
    const size_t missing = wanted - has;
    const size_t width = Characters(fill);
    for (size_t i = 0; i < missing / width; ++i) padded += fill;
    padded += fill.substr(0, PlaceOf(fill, missing % width));
    padded += text;
  } else {
    padded = text.substr(0, PlaceOf(text, wanted));
  }
  SetResult(context, TypeId::kVarchar, Value(std::move(padded)));
}

absl::StatusOr<Value> FindText(int, sqlite3_value** values) {
  const std::string_view text = TextOf(values[0]);
  const size_t found = FindBytes(text, TextOf(values[1]));
  if (found == std::string_view::npos) return Value(int64_t{0});
  return Value(static_cast<int64_t>(Characters(text.substr(0, found))) + 1);
}

absl::StatusOr<Value> ReverseText(int, sqlite3_value** values) {
  const std::string_view text = TextOf(values[0]);
  std::string reversed;
  for (size_t end = text.size(); end > 0;) {
    size_t begin = end - 1;
    while (begin > 0 && ContinuesUtf8(text[begin])) --begin;
    reversed += text.substr(begin, end - begin);
    end = begin;
  }
  return Value(std::move(reversed));
}

// Returns any value as Java prints it. The second argument is the value's type.
void AsText(sqlite3_context* context, int, sqlite3_value** values) {
  if (IsNull(values[0])) return sqlite3_result_null(context);
  const SqlType type = TypeArgument(values[1]);
  const auto value = FromSqlite(values[0], type);
  if (!value.ok()) return Fail(context, value.status());
  SetResult(context, TypeId::kVarchar, value->is_null() ? Value() : Value(JavaText(type, *value)));
}

void FreeRegex(void* regex) { delete static_cast<JavaRegex*>(regex); }

// Returns the pattern of an argument, compiled. SQLite keeps it as long as the argument is the same constant. Returns
// null, and has failed, if it is malformed.
JavaRegex* RegexOf(sqlite3_context* context, sqlite3_value** values, int argument, std::unique_ptr<JavaRegex>* owned) {
  auto* kept = static_cast<JavaRegex*>(sqlite3_get_auxdata(context, argument));
  if (kept != nullptr) return kept;
  auto compiled = JavaRegex::Compile(TextOf(values[argument]), 0, "UTF-8");
  if (!compiled.ok()) {
    Fail(context, SqlError(ErrorCode::kIllegalData, StdText(compiled.status().message())));
    return nullptr;
  }
  sqlite3_set_auxdata(context, argument, compiled->release(), FreeRegex);
  kept = static_cast<JavaRegex*>(sqlite3_get_auxdata(context, argument));
  if (kept != nullptr) return kept;
  // SQLite keeps nothing for an argument that is no constant.
  auto again = JavaRegex::Compile(TextOf(values[argument]), 0, "UTF-8");
  if (!again.ok()) return nullptr;
  *owned = *std::move(again);
  return owned->get();
}

// A search in one text. It fails the function if the search does.
class Search {
 public:
  Search(sqlite3_context* context, sqlite3_value** values, int pattern) : context_(context) {
    regex_ = RegexOf(context, values, pattern, &owned_);
    text_ = Utf8AsJavaReads(TextOf(values[0]), &scratch_);
  }

  std::string_view text() const { return text_; }
  std::string_view Part(size_t group) const {
    if (group >= groups_.size() || groups_[group].begin == std::string_view::npos) return {};
    return text_.substr(groups_[group].begin, groups_[group].end - groups_[group].begin);
  }
  const JavaRegex::Group& match() const { return groups_[0]; }
  size_t groups() const { return groups_.size(); }
  bool failed() const { return regex_ == nullptr || failed_; }

  // Finds the next match that begins at `from` or behind it.
  bool Next(size_t from) {
    if (failed() || from > text_.size()) return false;
    if (HasToEnd(context_)) return !(failed_ = true);
    const auto found = regex_->FindGroups(text_, from, &groups_);
    if (found.ok()) return *found;
    Fail(context_, SqlError(ErrorCode::kIllegalData, StdText(found.status().message())));
    failed_ = true;
    return false;
  }

  // Returns where the search goes on behind a match: behind an empty one, a character further.
  size_t Behind() const {
    const JavaRegex::Group& match = groups_[0];
    if (match.end > match.begin) return match.end;
    size_t next = match.end + 1;
    while (next < text_.size() && ContinuesUtf8(text_[next])) ++next;
    return next;
  }

 private:
  sqlite3_context* context_;
  std::unique_ptr<JavaRegex> owned_;
  JavaRegex* regex_ = nullptr;
  std::string scratch_;
  std::string_view text_;
  std::vector<JavaRegex::Group> groups_;
  bool failed_ = false;
};

void RegexpSubstring(sqlite3_context* context, int count, sqlite3_value** values) {
  if (AnyNull(count, values)) return sqlite3_result_null(context);
  const absl::StatusOr<int32_t> place = count > 2 ? SmallOf(values[2]) : absl::StatusOr<int32_t>(1);
  if (!place.ok()) return Fail(context, place.status());
  Search search(context, values, 1);
  if (search.failed()) return;
  const auto size = static_cast<int64_t>(Characters(search.text()));
  const int64_t from = *place < 0 ? *place + size : std::max<int64_t>(*place - 1, 0);
  const bool found = from >= 0 && from < size && search.Next(PlaceOf(search.text(), static_cast<size_t>(from)));
  if (search.failed()) return;
  SetResult(context, TypeId::kVarchar, found ? Value(std::string(search.Part(0))) : Value());
}

// Appends a replacement, in which $1 is the text of a group and \ takes the next character as it is. Returns false,
// and has failed, if it is malformed or the text becomes too long.
bool AppendReplacement(sqlite3_context* context, const Search& search, std::string_view replacement, ResultText* out) {
  const auto fail = [&](std::string_view why) {
    Fail(context, SqlError(ErrorCode::kIllegalData, why));
    return false;
  };
  for (size_t i = 0; i < replacement.size(); ++i) {
    if (replacement[i] == '\\') {
      if (++i == replacement.size()) return fail("character to be escaped is missing");
      if (!out->Append(replacement.substr(i, 1))) return false;
    } else if (replacement[i] == '$') {
      if (i + 1 == replacement.size()) return fail("Illegal group reference: group index is missing");
      if (!IsDigit(replacement[i + 1])) return fail("Illegal group reference");
      auto group = static_cast<size_t>(replacement[++i] - '0');
      if (group >= search.groups()) return fail(Concat("No group ", group));
      // More digits count as long as there is such a group.
      while (i + 1 < replacement.size() && IsDigit(replacement[i + 1])) {
        const size_t longer = group * 10 + static_cast<size_t>(replacement[i + 1] - '0');
        if (longer >= search.groups()) break;
        group = longer;
        ++i;
      }
      if (!out->Append(search.Part(group))) return false;
    } else if (!out->Append(replacement.substr(i, 1))) {
      return false;
    }
  }
  return true;
}

void RegexpReplace(sqlite3_context* context, int count, sqlite3_value** values) {
  if (AnyNull(2, values)) return sqlite3_result_null(context);
  Search search(context, values, 1);
  const std::string_view replacement = count > 2 ? TextOf(values[2]) : "";
  ResultText result(context);
  size_t copied = 0;
  for (size_t from = 0; search.Next(from); from = search.Behind()) {
    if (!result.Append(search.text().substr(copied, search.match().begin - copied))) return;
    if (!AppendReplacement(context, search, replacement, &result)) return;
    copied = search.match().end;
  }
  if (search.failed()) return;
  if (!result.Append(search.text().substr(copied))) return;
  SetResult(context, TypeId::kVarchar, Value(std::move(result).Take()));
}

// An empty part is null.
Value PartValue(std::string_view part) { return part.empty() ? Value() : Value(std::string(part)); }

SqlType TextArray() {
  SqlType type = TypeId::kVarchar;
  type.array = true;
  return type;
}

void RegexpSplit(sqlite3_context* context, int count, sqlite3_value** values) {
  if (AnyNull(count, values)) return sqlite3_result_null(context);
  Search search(context, values, 1);
  ValueList parts;
  size_t begin = 0;
  for (size_t from = 0; search.Next(from); from = search.Behind()) {
    if (search.match().end == search.match().begin) continue;
    if (parts.size() == kMostElements) return FailTooManyElements(context);
    parts.push_back(PartValue(search.text().substr(begin, search.match().begin - begin)));
    begin = search.match().end;
  }
  if (search.failed()) return;
  parts.push_back(PartValue(search.text().substr(begin)));
  SetResult(context, TextArray(), Value(std::move(parts)));
}

// Empty texts at the end are left out, as by String.split.
void StringToArray(sqlite3_context* context, int count, sqlite3_value** values) {
  if (AnyNull(2, values)) return sqlite3_result_null(context);
  const std::string_view text = TextOf(values[0]);
  const std::string_view delimiter = TextOf(values[1]);
  if (delimiter.empty()) return sqlite3_result_null(context);
  const bool has_null = count > 2 && !IsNull(values[2]);
  std::vector<std::string_view> texts;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(FindBytes(text, delimiter, at), text.size());
    if (texts.size() == kMostElements) return FailTooManyElements(context);
    texts.push_back(text.substr(at, end - at));
    if (end == text.size()) break;
    at = end + delimiter.size();
  }
  while (texts.size() > 1 && texts.back().empty()) texts.pop_back();
  ValueList parts;
  for (const std::string_view part : texts) {
    parts.push_back(has_null && part == TextOf(values[2]) ? Value() : PartValue(part));
  }
  SetResult(context, TextArray(), Value(std::move(parts)));
}

constexpr NamedFunction kTextFunctions[] = {
    {"px_upper", -1, Upper},
    {"px_lower", -1, Lower},
    {"px_length", 1, Call<TextLength, TypeId::kInteger>},
    {"px_pad", 2, Call<Pad, TypeId::kVarchar>},
    {"px_substr", -1, Call<Substring, TypeId::kVarchar>},
    {"px_lpad", -1, PadLeft},
    {"px_instr", 2, Call<FindText, TypeId::kInteger>},
    {"px_reverse", 1, Call<ReverseText, TypeId::kVarchar>},
    {"px_java_text", 2, AsText},
    {"px_regexp_substr", -1, RegexpSubstring},
    {"px_regexp_replace", -1, RegexpReplace},
    {"px_regexp_split", 2, RegexpSplit},
    {"px_string_to_array", -1, StringToArray},
};

}  // namespace

std::span<const NamedFunction> TextFunctions() { return kTextFunctions; }

}  // namespace vaquita::sql
