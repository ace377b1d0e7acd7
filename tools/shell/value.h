// tools/shell/value.h: a value of the shell's language: the Ruby objects that commands take and return.
//
// Threads: a value type, like std::string.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

namespace vaquita::shell {

struct Value;
struct HashEntry;

constexpr int64_t kMostParts = 1'000'000;  // of an array, with those of its parts
constexpr size_t kMostTextBytes = size_t{64} << 20;

struct Symbol {
  std::string name;
  friend bool operator==(const Symbol&, const Symbol&) = default;
};
// The result of `create` and `get_table`, with which `t.put ...` means `put 't', ...`.
struct TableReference {
  std::string table;
  friend bool operator==(const TableReference&, const TableReference&) = default;
};
// Whole numbers from `first` to `last`.
struct Range {
  int64_t first = 0;
  int64_t last = 0;
  bool exclusive = false;  // without `last`
  friend bool operator==(const Range&, const Range&) = default;
};

// A vector that also grows and shrinks at its beginning in the same time however long it is: the places before the
// first element are kept for a while.
class Array {
 public:
  using value_type = Value;

  // All but the templates in value.cc, because a Value is complete only below.
  Array();
  explicit Array(size_t size);
  Array(std::initializer_list<Value> values);
  template <typename It>
  Array(It first, It last) : values_(first, last) {}
  Array(const Array& other);
  Array(Array&& other) noexcept;
  Array& operator=(const Array& other);
  Array& operator=(Array&& other) noexcept;
  ~Array();

  bool empty() const { return size() == 0; }
  size_t size() const;
  Value* begin();
  Value* end();
  const Value* begin() const;
  const Value* end() const;
  auto rbegin() const { return std::make_reverse_iterator(end()); }
  auto rend() const { return std::make_reverse_iterator(begin()); }
  Value& operator[](size_t i);
  const Value& operator[](size_t i) const;
  Value& front() { return (*this)[0]; }
  const Value& front() const { return (*this)[0]; }
  Value& back() { return (*this)[size() - 1]; }
  const Value& back() const { return (*this)[size() - 1]; }

  void push_back(Value value);
  template <typename... Parts>
  Value& emplace_back(Parts&&... parts) {
    return values_.emplace_back(std::forward<Parts>(parts)...);
  }
  void pop_back();
  void resize(size_t size);
  void insert(const Value* before, Value value);
  void insert(const Value* before, const Value* first, const Value* last);
  void erase(const Value* first, const Value* last);

  friend bool operator==(const Array& a, const Array& b);

 private:
  std::vector<Value> values_;
  size_t first_ = 0;  // the place of the first element
};

// Entries in the order of insertion; keys are unique. A large one finds and removes a key in the same time however
// large it is: an index is made when it is first looked into, and what was removed is cleared away when it is next
// walked through. One thread at a time, also where it is const; a copy has neither.
class Hash {
 public:
  // All in value.cc, because a HashEntry is complete only below.
  Hash();
  Hash(std::initializer_list<HashEntry> entries);
  Hash(const Hash& other);
  Hash(Hash&& other) noexcept;
  Hash& operator=(const Hash& other);
  Hash& operator=(Hash&& other) noexcept;
  ~Hash();

  bool empty() const { return size() == 0; }
  size_t size() const;
  const HashEntry* begin() const;
  const HashEntry* end() const;
  const HashEntry& operator[](size_t i) const;
  void clear();

  // Return the value of the key, or null.
  const Value* Find(const Value& key) const;
  Value* Find(const Value& key);
  // Sets the value of the key, in its old place if it was there, and returns it.
  Value& Set(Value key, Value value);
  // Removes the key, and returns its value, or nil.
  Value Remove(const Value& key);

  friend bool operator==(const Hash& a, const Hash& b);

 private:
  struct Index;
  // Returns the place of the key; the number of places if it has none.
  size_t PlaceOf(const Value& key) const;
  void ClearAway() const;

  mutable std::vector<HashEntry> entries_;
  mutable std::unique_ptr<Index> index_;  // null for a small one
};

struct Value {
  std::variant<std::monostate, bool, int64_t, double, std::string, Symbol, Array, Hash, TableReference, Range>
      kind;  // monostate: nil

  // All in value.cc, because a HashEntry is complete only below.
  Value();
  Value(bool b);
  Value(int64_t i);
  Value(double d);
  Value(std::string s);
  Value(const char* s);
  Value(Symbol s);
  Value(Array a);
  Value(Hash h);
  Value(TableReference t);
  Value(Range r);
  Value(const Value& other);
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  ~Value();

  bool IsNil() const { return std::holds_alternative<std::monostate>(kind); }
  bool IsTruthy() const;  // everything but nil and false
  // These return the content if it has this type, or null.
  const std::string* AsString() const { return std::get_if<std::string>(&kind); }
  const int64_t* AsInteger() const { return std::get_if<int64_t>(&kind); }
  const bool* AsBool() const { return std::get_if<bool>(&kind); }
  const Array* AsArray() const { return std::get_if<Array>(&kind); }
  const Hash* AsHash() const { return std::get_if<Hash>(&kind); }
  Hash* AsHash() { return std::get_if<Hash>(&kind); }

  std::string ToText() const;   // Ruby's to_s, for commands that need text
  std::string Inspect() const;  // Ruby's inspect, which the shell echoes after "=> "
  std::string_view ClassName() const;
  // Returns whether this is an array or a hash.
  bool HasParts() const { return AsArray() != nullptr || AsHash() != nullptr; }
  // Returns whether it has no place in the room for one value.
  bool IsTooLarge() const;

  friend bool operator==(const Value& a, const Value& b);
};

struct HashEntry {
  Value key;
  Value value;
  friend bool operator==(const HashEntry&, const HashEntry&) = default;
};

// Room for values: at first for one value, of kMostParts and texts of kMostTextBytes. None may be nested in more than
// 100 levels, because the functions here are recursive.
class ValueRoom {
 public:
  ValueRoom() = default;
  // Returns the room for `values` of them.
  static ValueRoom For(int64_t values) {
    return ValueRoom(values * (kMostParts + 1), values * int64_t{kMostTextBytes});
  }
  // Every value is a part, and each text in it counts.
  ValueRoom(int64_t parts, int64_t text_bytes) : parts_(parts), text_bytes_(text_bytes) {}

  // Takes what a value needs, which is nested in at most `levels`. Returns false if it does not fit.
  bool Take(const Value& value, int levels = 100);

 private:
  int64_t parts_ = kMostParts + 1;  // with the value itself
  int64_t text_bytes_ = kMostTextBytes;
};

// Finds equal values in the same time however many there are.
struct ValueHash {
  size_t operator()(const Value& value) const;
};
using ValueSet = std::unordered_set<Value, ValueHash>;

// Returns the value under the string `key`, or null. A symbol of that name is another key, as in Ruby.
const Value* Find(const Hash& hash, std::string_view key);
// Removes the string `key` and returns its value, or nil.
Value Take(Hash& hash, std::string_view key);

}  // namespace vaquita::shell
