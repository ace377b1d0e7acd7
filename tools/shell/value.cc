#include "tools/shell/value.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "absl/hash/hash.h"
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

// The seed of absl::HashOf differs from process to process, so that nobody chooses keys that fall together.
size_t ValueHash::operator()(const Value& value) const {
  size_t hash = value.kind.index();
  const auto add = [&](size_t other) { hash = absl::HashOf(hash, other); };
  std::visit(Overloaded{
                 [](std::monostate) {},
                 [&](const Symbol& symbol) { add(absl::HashOf(symbol.name)); },
                 [&](const TableReference& reference) { add(absl::HashOf(reference.table)); },
                 [&](const Range& range) { add(absl::HashOf(range.first, range.last)); },
                 [&](const Array& array) {
                   for (const Value& each : array) add((*this)(each));
                 },
                 [&](const Hash& entries) {
                   for (const HashEntry& entry : entries) {
                     add((*this)(entry.key));
                     add((*this)(entry.value));
                   }
                 },
                 [&]<typename T>(const T& plain) { add(absl::HashOf(plain)); },
             },
             value.kind);
  return hash;
}

// --- Array

Array::Array() = default;
Array::Array(size_t size) : values_(size) {}
Array::Array(std::initializer_list<Value> values) : values_(values) {}
Array::Array(const Array& other) : values_(other.begin(), other.end()) {}
Array::Array(Array&& other) noexcept : values_(std::move(other.values_)), first_(std::exchange(other.first_, 0)) {
  other.values_.clear();
}
Array& Array::operator=(const Array& other) { return *this = Array(other); }
Array& Array::operator=(Array&& other) noexcept {
  values_ = std::move(other.values_);
  first_ = std::exchange(other.first_, 0);
  other.values_.clear();
  return *this;
}
Array::~Array() = default;

bool operator==(const Array& a, const Array& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

size_t Array::size() const { return values_.size() - first_; }
Value* Array::begin() { return values_.data() + first_; }
Value* Array::end() { return values_.data() + values_.size(); }
const Value* Array::begin() const { return values_.data() + first_; }
const Value* Array::end() const { return values_.data() + values_.size(); }
Value& Array::operator[](size_t i) { return values_[first_ + i]; }
const Value& Array::operator[](size_t i) const { return values_[first_ + i]; }

void Array::push_back(Value value) { values_.push_back(std::move(value)); }
void Array::pop_back() { values_.pop_back(); }
void Array::resize(size_t size) { values_.resize(first_ + size); }
void Array::insert(const Value* before, Value value) { insert(before, &value, &value + 1); }

// At the beginning it makes half as many places again as there are elements.
void Array::insert(const Value* before, const Value* first, const Value* last) {
  const auto count = static_cast<size_t>(last - first);
  if (before != begin() || empty()) {
    values_.insert(values_.begin() + (before - values_.data()), first, last);
    return;
  }
  if (first_ < count) {
    const size_t places = count + size() / 2;
    values_.insert(values_.begin(), places, Value());
    first_ += places;
  }
  first_ -= count;
  std::copy(first, last, begin());
}

void Array::erase(const Value* first, const Value* last) {
  if (first != begin() || last == end()) {
    values_.erase(values_.begin() + (first - values_.data()), values_.begin() + (last - values_.data()));
    return;
  }
  for (; first < last; ++first) values_[first_++] = Value();
  if (first_ > values_.size() / 2) {
    values_.erase(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }
}

// --- Hash

struct Hash::Index {
  std::unordered_multimap<size_t, size_t> places;  // by the hash of the key
  std::vector<size_t> removed;                     // places whose entries count no more
};

Hash::Hash() = default;
Hash::Hash(std::initializer_list<HashEntry> entries) {
  for (const HashEntry& entry : entries) Set(entry.key, entry.value);
}
Hash::Hash(const Hash& other) : entries_(other.begin(), other.end()) {}
Hash::Hash(Hash&& other) noexcept = default;
Hash& Hash::operator=(const Hash& other) { return *this = Hash(other); }
Hash& Hash::operator=(Hash&& other) noexcept = default;
Hash::~Hash() = default;

bool operator==(const Hash& a, const Hash& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

size_t Hash::size() const { return entries_.size() - (index_ == nullptr ? 0 : index_->removed.size()); }
const HashEntry* Hash::begin() const {
  ClearAway();
  return entries_.data();
}
const HashEntry* Hash::end() const {
  ClearAway();
  return entries_.data() + entries_.size();
}
const HashEntry& Hash::operator[](size_t i) const { return begin()[i]; }
void Hash::clear() { *this = Hash(); }

// The places change with that, so that the index is made anew when it is needed.
void Hash::ClearAway() const {
  if (index_ == nullptr || index_->removed.empty()) return;
  std::sort(index_->removed.begin(), index_->removed.end());
  size_t kept = 0;
  auto next = index_->removed.begin();
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (next != index_->removed.end() && *next == i) {
      ++next;
    } else {
      if (kept != i) entries_[kept] = std::move(entries_[i]);
      ++kept;
    }
  }
  entries_.resize(kept);
  index_.reset();
}

size_t Hash::PlaceOf(const Value& key) const {
  constexpr size_t kMostWithoutIndex = 32;
  if (index_ == nullptr && entries_.size() <= kMostWithoutIndex) {
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const HashEntry& e) { return e.key == key; });
    return static_cast<size_t>(found - entries_.begin());
  }
  if (index_ == nullptr) {
    index_ = std::make_unique<Index>();
    for (size_t i = 0; i < entries_.size(); ++i) index_->places.emplace(ValueHash()(entries_[i].key), i);
  }
  const auto [begin, end] = index_->places.equal_range(ValueHash()(key));
  const auto found = std::find_if(begin, end, [&](const auto& place) { return entries_[place.second].key == key; });
  return found == end ? entries_.size() : found->second;
}

const Value* Hash::Find(const Value& key) const {
  const size_t place = PlaceOf(key);
  return place == entries_.size() ? nullptr : &entries_[place].value;
}
Value* Hash::Find(const Value& key) { return const_cast<Value*>(std::as_const(*this).Find(key)); }

Value& Hash::Set(Value key, Value value) {
  const size_t place = PlaceOf(key);
  if (place == entries_.size()) {
    if (index_ != nullptr) index_->places.emplace(ValueHash()(key), place);
    entries_.push_back({std::move(key), std::move(value)});
  } else {
    entries_[place].value = std::move(value);
  }
  return entries_[place].value;
}

Value Hash::Remove(const Value& key) {
  const size_t place = PlaceOf(key);
  if (place == entries_.size()) return Value();
  Value value = std::move(entries_[place].value);
  if (index_ == nullptr) {
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(place));
    return value;
  }
  const auto [begin, end] = index_->places.equal_range(ValueHash()(key));
  index_->places.erase(std::find_if(begin, end, [&](const auto& each) { return each.second == place; }));
  index_->removed.push_back(place);
  entries_[place] = {};
  return value;
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

const Value* Find(const Hash& hash, std::string_view key) { return hash.Find(Value(std::string(key))); }

Value Take(Hash& hash, std::string_view key) { return hash.Remove(Value(std::string(key))); }

}  // namespace vaquita::shell
