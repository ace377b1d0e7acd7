// lab/records/record_generator.h: generates records by their number.
//
//   id=sequence(), ts=time(2026-01-01, 1ms), user=zipf(100000), host=choice('web1':3, 'web2', 'db')
//
// A record depends on its number and the seed alone (random numbers are a hash of seed, field and number), so any range
// of records can be made by itself, on any thread, and comes out the same each time. docs/lab.md has the table of
// generators. Threads: any; each brings its own RecordBuffer.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "lab/records/record.h"

namespace vaquita::lab {

// Holds a generated record until the next one replaces it. Reuse it: it allocates for its first record only.
class RecordBuffer {
 public:
  Record record() const { return values_; }

 private:
  friend class RecordGenerator;
  std::vector<FieldValue> values_;
  std::vector<char> text_;
};

class RecordGenerator {
 public:
  static constexpr uint64_t kDefaultSeed = 42;

  // Parses a description. An error points at its place in `text` with a caret.
  static absl::StatusOr<RecordGenerator> Parse(std::string_view text, uint64_t seed = kDefaultSeed);

  const Schema& schema() const;

  // Makes record `index` (from 0, below 2^63) in `*buffer`, and returns buffer->record().
  Record Generate(uint64_t index, RecordBuffer* buffer) const;

 private:
  struct Fields;  // not changed after Parse(), so copies share it
  explicit RecordGenerator(std::shared_ptr<const Fields> fields) : fields_(std::move(fields)) {}

  std::shared_ptr<const Fields> fields_;
};

}  // namespace vaquita::lab
