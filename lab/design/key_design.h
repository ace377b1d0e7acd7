// lab/design/key_design.h: a row key design: an expression that makes a row key from a record.
//
//   hash_prefix(md5_hex(phone), 3) + phone + start_time
//   bucket(long_hash(ts), 5) + int64(ts)
//   user + ':' + pad(id, 10)
//
// The language is in docs/lab.md. A design is parsed and typed once, into a flat program; making a key allocates
// nothing once the string it is appended to is large enough. Threads: any; a design does not change after Parse().
// Copies are cheap.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "lab/records/lookup_table.h"
#include "lab/records/record.h"

namespace vaquita::lab {

// One part of a key: an operand of the design's joining +.
struct KeyPart {
  std::string source;   // text in the design: "pad(id, 10)"
  size_t offset = 0;    // in the key
  std::string bytes;    // its share of the key
  std::string meaning;  // "filled on the left, 10 bytes"
  std::string note;     // a warning, or empty
};

class KeyDesign {
 public:
  // Parses `expression` over the fields of `schema` and the given tables. An error points at its place with a caret.
  // salt() draws from `seed` and the record's number.
  static absl::StatusOr<KeyDesign> Parse(std::string_view expression, const Schema& schema,
                                         const LookupTables& tables = {}, uint64_t seed = 42);

  const std::string& expression() const;

  // Appends the key of `record`, number `index` (from 0) of its run. salt() and round_robin() depend on that number
  // alone, so ranges of records can be made in parallel, with the same result. Returns InvalidArgument, naming the
  // field and the value, and leaves `*key` as it was, if a value does not fit the design.
  absl::Status AppendKey(Record record, uint64_t index, std::string* key) const;

  // Likewise for a design that is a part of a key, and may be empty in some.
  absl::Status AppendPart(Record record, uint64_t index, std::string* part) const;

  // Appends the key's first part, with the errors of AppendKey and in its time.
  absl::Status AppendFirstPart(Record record, uint64_t index, std::string* part) const;

  absl::StatusOr<std::vector<KeyPart>> Explain(Record record, uint64_t index) const;

  // Returns keys or split keys of this design, which are in their order, as people read them (readable_keys.h).
  std::vector<std::string> ReadableKeys(const std::vector<std::string>& keys) const;

 private:
  struct Compiled;  // not changed after Parse(), so copies share it
  explicit KeyDesign(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}

  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace vaquita::lab
