// lab/records/record_set.h: records by their number, in any order: a generator's, or a sample of a file's that is kept
// in memory.
//
// Threads: immutable once made; any, each with its own RecordBuffer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lab/records/random_number.h"
#include "lab/records/record.h"
#include "lab/records/record_generator.h"

namespace vaquita::lab {

class RecordSet {
 public:
  virtual ~RecordSet() = default;
  virtual const Schema& schema() const = 0;
  virtual uint64_t size() const = 0;
  // REQUIRES: index < size(). The record lives as long as the set, or until `buffer` is used again.
  virtual Record Get(uint64_t index, RecordBuffer* buffer) const = 0;
  // Returns the record's number in its run. salt() and round_robin() depend on it.
  virtual uint64_t RunIndex(uint64_t index) const = 0;
};

class GeneratedRecords final : public RecordSet {
 public:
  GeneratedRecords(RecordGenerator generator, uint64_t records) : generator_(std::move(generator)), records_(records) {}
  const Schema& schema() const override { return generator_.schema(); }
  uint64_t size() const override { return records_; }
  Record Get(uint64_t index, RecordBuffer* buffer) const override { return generator_.Generate(index, buffer); }
  uint64_t RunIndex(uint64_t index) const override { return index; }

 private:
  const RecordGenerator generator_;
  const uint64_t records_;
};

// The first records of another set.
class FirstRecords final : public RecordSet {
 public:
  FirstRecords(std::shared_ptr<const RecordSet> all, uint64_t most)
      : all_(std::move(all)), size_(std::min(all_->size(), most)) {}
  const Schema& schema() const override { return all_->schema(); }
  uint64_t size() const override { return size_; }
  Record Get(uint64_t index, RecordBuffer* buffer) const override { return all_->Get(index, buffer); }
  uint64_t RunIndex(uint64_t index) const override { return all_->RunIndex(index); }

 private:
  const std::shared_ptr<const RecordSet> all_;
  const uint64_t size_;
};

// Some records of another set, spread over the whole of it, in its order.
class SpreadRecords final : public RecordSet {
 public:
  SpreadRecords(std::shared_ptr<const RecordSet> all, uint64_t most)
      : all_(std::move(all)), size_(std::min(all_->size(), most)) {}
  const Schema& schema() const override { return all_->schema(); }
  uint64_t size() const override { return size_; }
  Record Get(uint64_t index, RecordBuffer* buffer) const override { return all_->Get(Place(index), buffer); }
  uint64_t RunIndex(uint64_t index) const override { return all_->RunIndex(Place(index)); }

 private:
  uint64_t Place(uint64_t index) const { return RandomRecordOfPart(index, size_, all_->size()); }

  const std::shared_ptr<const RecordSet> all_;
  const uint64_t size_;
};

// Keeps at most `capacity` of the added records, each as likely as any other, in their order (reservoir sampling).
class SampledRecords final : public RecordSet {
 public:
  SampledRecords(Schema schema, size_t capacity, uint64_t seed = 42)
      : schema_(std::move(schema)), capacity_(capacity), seed_(seed) {}

  void Add(Record record);
  // Called after the last Add and before the first Get.
  void Sort();
  uint64_t seen() const { return seen_; }

  const Schema& schema() const override { return schema_; }
  uint64_t size() const override { return records_.size(); }
  Record Get(uint64_t index, RecordBuffer*) const override { return records_[index].values; }
  uint64_t RunIndex(uint64_t index) const override { return records_[index].run_index; }

 private:
  struct Stored {
    uint64_t run_index = 0;
    std::unique_ptr<char[]> text;    // all values, one behind the other
    std::vector<FieldValue> values;  // their views point into `text`
  };
  static Stored Store(Record record, uint64_t run_index);

  Schema schema_;
  size_t capacity_;
  uint64_t seed_;
  uint64_t seen_ = 0;
  std::vector<Stored> records_;
};

}  // namespace vaquita::lab
