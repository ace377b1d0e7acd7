#include "tools/shell/value.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <unordered_map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/unicode.h"

namespace vaquita::shell {
namespace {

// Ruby's shortest text that reads back as `d`: 1.5, 1000.0, 1.0e+16.
std::string FloatText(double d) {
  if (std::isnan(d)) return "NaN";
  if (std::isinf(d)) return d < 0 ? "-Infinity" : "Infinity";
  const double size = std::fabs(d);
  const bool scientific = d != 0 && (size >= 1e16 || size < 1e-4);
  char buffer[64];
  const auto format = scientific ? std::chars_format::scientific : std::chars_format::fixed;
  std::string text(buffer, std::to_chars(buffer, buffer + sizeof(buffer), d, format).ptr);
  const size_t mantissa_end = std::min(text.find('e'), text.size());
  if (text.find('.') == std::string::npos) text.insert(mantissa_end, ".0");
  return text;
}

void AppendInspectedAscii(char c, char next, bool valid_utf8, std::string* out) {
  static constexpr std::string_view kEscaped = "\"\\\n\t\r\x1B\a\b\v\f";
  static constexpr std::string_view kLetters = "\"\\ntreabvf";
  if (const size_t at = kEscaped.find(c); at != std::string_view::npos) {
    out->append({'\\', kLetters[at]});
  } else if (c == '#' && (next == '{' || next == '$' || next == '@')) {
    out->append("\\#");
  } else if (c < ' ' || c == 0x7F) {
    // Ruby writes a control character as a code point unless the string is not text at all.
    const auto code = static_cast<unsigned char>(c);
    valid_utf8 ? absl::StrAppendFormat(out, "\\u%04X", code) : absl::StrAppendFormat(out, "\\x%02X", code);
  } else {
    out->push_back(c);
  }
}

std::string InspectString(std::string_view text) {
  const bool valid_utf8 = IsUtf8(text);
  std::string out = "\"";
  while (!text.empty()) {
    const size_t length = Utf8Length(text);
    if (length == 0) {
      absl::StrAppendFormat(&out, "\\x%02X", static_cast<unsigned char>(text[0]));
    } else if (length == 1) {
      AppendInspectedAscii(text[0], text.size() > 1 ? text[1] : '\0', valid_utf8, &out);
    } else {
      out.append(text.substr(0, length));
    }
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return out + "\"";
}

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;  // clang needs the guide

}  // namespace

Value::Value() = default;
Value::Value(bool b) : kind(b) {}
Value::Value(int64_t i) : kind(i) {}
Value::Value(double d) : kind(d) {}
Value::Value(std::string s) : kind(std::move(s)) {}
Value::Value(const char* s) : kind(std::string(s)) {}
Value::Value(Symbol s) : kind(std::move(s)) {}
Value::Value(Array a) : kind(std::move(a)) {}
Value::Value(Hash h) : kind(std::move(h)) {}
Value::Value(TableReference t) : kind(std::move(t)) {}
Value::Value(Range r) : kind(r) {}
Value::Value(const Value& other) = default;
Value::Value(Value&& other) noexcept = default;
Value& Value::operator=(const Value& other) = default;
Value& Value::operator=(Value&& other) noexcept = default;
Value::~Value() = default;

bool operator==(const Value& a, const Value& b) { return a.kind == b.kind; }

bool Value::IsTooLarge() const { return !ValueRoom().Take(*this); }

bool ValueRoom::Take(const Value& value, int levels) {
  const std::string* text = value.AsString();
  if (const Symbol* symbol = std::get_if<Symbol>(&value.kind)) text = &symbol->name;
  if (const TableReference* reference = std::get_if<TableReference>(&value.kind)) text = &reference->table;
  parts_ -= 1;
  text_bytes_ -= text == nullptr ? 0 : static_cast<int64_t>(text->size());
  if (parts_ < 0 || text_bytes_ < 0 || (value.HasParts() && levels == 0)) return false;
  const auto take = [&](const Value& part) { return Take(part, levels - 1); };
  if (const Array* array = value.AsArray()) return std::all_of(array->begin(), array->end(), take);
  if (const Hash* hash = value.AsHash()) {
    return std::all_of(hash->begin(), hash->end(), [&](const HashEntry& e) { return take(e.key) && take(e.value); });
  }
  return true;
}

size_t ValueHash::operator()(const Value& value) const {
  size_t hash = value.kind.index();
  const auto add = [&](size_t other) { hash = hash * 0x9E3779B97F4A7C15 + other; };
  std::visit(Overloaded{
                 [](std::monostate) {},
                 [&](const Symbol& symbol) { add(std::hash<std::string>()(symbol.name)); },
                 [&](const TableReference& reference) { add(std::hash<std::string>()(reference.table)); },
                 [&](const Range& range) {
                   add(std::hash<int64_t>()(range.first));
                   add(std::hash<int64_t>()(range.last));
                 },
                 [&](const Array& array) {
                   for (const Value& each : array) add((*this)(each));
                 },
                 [&](const Hash& entries) {
                   for (const HashEntry& entry : entries) {
                     add((*this)(entry.key));
                     add((*this)(entry.value));
                   }
                 },
                 [&]<typename T>(const T& plain) { add(std::hash<T>()(plain)); },
             },
             value.kind);
  return hash;
}

bool Value::IsTruthy() const {
  const bool* flag = AsBool();
  return !IsNil() && (flag == nullptr || *flag);
}

std::string Value::ToText() const {
  if (const std::string* text = AsString()) return *text;
  if (const Symbol* symbol = std::get_if<Symbol>(&kind)) return symbol->name;
  return IsNil() ? "" : Inspect();
}

std::string Value::Inspect() const {
  const auto inspect = [](std::string* out, const auto& item) { out->append(item.Inspect()); };
  const auto inspect_entry = [](std::string* out, const HashEntry& entry) {
    absl::StrAppend(out, entry.key.Inspect(), "=>", entry.value.Inspect());
  };
  return std::visit(Overloaded{
                        [](std::monostate) -> std::string { return "nil"; },
                        [](bool b) -> std::string { return b ? "true" : "false"; },
                        [](int64_t i) -> std::string { return absl::StrCat(i); },
                        [](double d) -> std::string { return FloatText(d); },
                        [](const std::string& s) { return InspectString(s); },
                        [](const Symbol& s) { return absl::StrCat(":", s.name); },
                        [&](const Array& a) { return absl::StrCat("[", absl::StrJoin(a, ", ", inspect), "]"); },
                        [&](const Hash& h) { return absl::StrCat("{", absl::StrJoin(h, ", ", inspect_entry), "}"); },
                        [](const TableReference& t) { return absl::StrCat("Hbase::Table - ", t.table); },
                        [](const Range& r) { return absl::StrCat(r.first, r.exclusive ? "..." : "..", r.last); },
                    },
                    kind);
}

std::string_view Value::ClassName() const {
  static constexpr std::string_view kNames[] = {"NilClass", "",      "Integer", "Float",        "String",
                                                "Symbol",   "Array", "Hash",    "Hbase::Table", "Range"};
  if (const bool* flag = AsBool()) return *flag ? "TrueClass" : "FalseClass";
  return kNames[kind.index()];
}

const Value* Find(const Hash& hash, std::string_view key) {
  const auto found = std::find_if(hash.begin(), hash.end(), [&](const HashEntry& entry) {
    const std::string* text = entry.key.AsString();
    return text != nullptr && *text == key;
  });
  return found == hash.end() ? nullptr : &found->value;
}

void Assign(Hash& hash, Value key, Value value) {
  for (HashEntry& entry : hash) {
    if (entry.key == key) {
      entry.value = std::move(value);
      return;
    }
  }
  hash.push_back({std::move(key), std::move(value)});
}

Hash HashOf(Hash entries) {
  std::unordered_map<Value, size_t, ValueHash> places;
  Hash hash;
  for (HashEntry& entry : entries) {
    const auto [found, is_new] = places.try_emplace(entry.key, hash.size());
    if (is_new) {
      hash.push_back(std::move(entry));
    } else {
      hash[found->second].value = std::move(entry.value);
    }
  }
  return hash;
}

Value Take(Hash& hash, std::string_view key) {
  const Value* found = Find(hash, key);
  if (found == nullptr) return Value();
  Value value = *found;
  std::erase_if(hash, [&](const HashEntry& entry) { return &entry.value == found; });
  return value;
}

}  // namespace vaquita::shell
