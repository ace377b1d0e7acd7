#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>

#include "CLI/CLI.hpp"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status.h"
#include "lab/design/key_design.h"
#include "lab/design/key_storage.h"
#include "lab/records/bad_records.h"
#include "model/region_info.h"
#include "tools/lab/design_input.h"
#include "tools/lab/lab_command.h"
#include "tools/lab/verbs.h"

namespace vaquita {
namespace {

struct KeyOptions {
  std::string design;
  DesignInput records;
  uint64_t shown = 10;
  bool explain = false;
  std::optional<std::string> family;
  std::optional<uint64_t> cells;
  std::optional<uint64_t> qualifier_bytes;
  std::optional<uint64_t> value_bytes;
};

// Returns the cells that the options describe, else those of the example's design.
lab::CellShape ShapeOf(const KeyOptions& options, const RecordInput& records) {
  const lab::ExampleDesign* design = records.DesignOfExample(options.design);
  const lab::CellShape shape = design == nullptr ? lab::CellShape() : design->shape;
  return {.family = options.family.value_or(shape.family),
          .columns = options.cells.value_or(shape.columns),
          .qualifier_bytes = options.qualifier_bytes.value_or(shape.qualifier_bytes),
          .value_bytes = options.value_bytes.value_or(shape.value_bytes)};
}

std::string SizeText(uint64_t bytes) {
  const auto size = static_cast<double>(bytes);
  return bytes < 10'000           ? absl::StrFormat("%d bytes", bytes)
         : bytes < 10'000'000     ? absl::StrFormat("%.1f kB", size / 1e3)
         : bytes < 10'000'000'000 ? absl::StrFormat("%.1f MB", size / 1e6)
                                  : absl::StrFormat("%.1f GB", size / 1e9);
}

// The number of keys to compare for repeated ones: each takes 16 to 32 bytes of memory.
constexpr size_t kMostCompared = 2'000'000;

// The result of a pass over all records.
struct KeyRun {
  lab::StorageSum storage;
  lab::BadRecords repeated;
  uint64_t not_kept = 0;  // keys that later ones were not compared with
  lab::BadRecords skipped;
  std::string first_key;
  std::vector<lab::KeyPart> first_parts;
};

class KeyPrinter {
 public:
  KeyPrinter(const KeyOptions& options, const lab::CellShape& shape, const lab::KeyDesign& design)
      : options_(options), shape_(shape), design_(design) {}

  // `record` is the run's number `index`; in messages it is `place` with `number`: "record 7", "flights.csv:8".
  absl::Status Add(lab::Record record, uint64_t index, const std::string& place, uint64_t number) {
    key_.clear();
    const absl::Status made = design_.AppendKey(record, index, &key_);
    if (!made.ok()) return Skip(Annotate(made, absl::StrCat(place, number)));
    if (run_.storage.rows < options_.shown) std::printf("%s\n", ToStringBinary(key_).c_str());
    if (run_.storage.rows == 0) {
      run_.first_key = key_;
      VAQUITA_ASSIGN_OR_RETURN(run_.first_parts, design_.Explain(record, index));
    }
    run_.storage.Add(key_, shape_);
    return Compare(place, number);
  }

  absl::Status Skip(const absl::Status& error) {
    if (options_.records.stop_at_bad_row) return error;
    run_.skipped.Add(error);
    return absl::OkStatus();
  }

  const KeyRun& run() const { return run_; }

 private:
  // In HBase a later record with the same key would hide the earlier one. Keys are told apart by 64 bits of hash.
  absl::Status Compare(const std::string& place, uint64_t number) {
    const uint64_t hash = std::hash<std::string_view>()(key_);
    auto earlier = numbers_.find(hash);
    if (earlier == numbers_.end()) {
      if (numbers_.size() < kMostCompared) {
        numbers_.emplace(hash, number);
      } else {
        ++run_.not_kept;
      }
      return absl::OkStatus();
    }
    const absl::Status repeated = absl::InvalidArgumentError(
        absl::StrCat(place, number, ": the key '", ToStringBinary(key_), "' is also that of ", place, earlier->second));
    if (options_.records.stop_at_bad_row) return repeated;
    run_.repeated.Add(repeated);
    return absl::OkStatus();
  }

  const KeyOptions& options_;
  const lab::CellShape shape_;
  const lab::KeyDesign& design_;
  absl::flat_hash_map<uint64_t, uint64_t> numbers_;  // by a key's hash: the first record that has it
  std::string key_;
  KeyRun run_;
};

absl::Status AddGenerated(const RecordInput& records, KeyPrinter* printer) {
  lab::RecordBuffer buffer;
  for (uint64_t i = 0; i < records.rows(); ++i) {
    VAQUITA_RETURN_IF_ERROR(printer->Add(records.generator()->Generate(i, &buffer), i, "record ", i + 1));
  }
  return absl::OkStatus();
}

absl::Status AddFromFile(const RecordInput& records, KeyPrinter* printer) {
  VAQUITA_ASSIGN_OR_RETURN(const auto source, records.OpenSource());
  for (uint64_t i = 0;;) {
    const absl::StatusOr<std::optional<lab::Record>> record = source->Next();
    if (!record.ok()) {
      if (!lab::IsErrorOfOneRow(record.status())) return record.status();
      VAQUITA_RETURN_IF_ERROR(printer->Skip(record.status()));
      continue;
    }
    if (!record->has_value()) return absl::OkStatus();
    const std::string place = source->Place();  // "flights.csv:8"
    const size_t number = place.rfind(':') + 1;
    VAQUITA_RETURN_IF_ERROR(
        printer->Add(**record, i++, place.substr(0, number), std::strtoull(&place[number], nullptr, 10)));
  }
}

void PrintParts(const KeyRun& run) {
  size_t source_width = 4, value_width = 5;
  for (const lab::KeyPart& part : run.first_parts) {
    source_width = std::max(source_width, part.source.size());
    value_width = std::max(value_width, ToStringBinary(part.bytes).size());
  }
  absl::PrintF("\nThe first key, %s:\n", ToStringBinary(run.first_key));
  absl::PrintF("%6s %5s  %-*s  %-*s  %s\n", "offset", "bytes", source_width, "part", value_width, "value", "meaning");
  for (const lab::KeyPart& part : run.first_parts) {
    absl::PrintF("%6d %5d  %-*s  %-*s  %s\n", part.offset, part.bytes.size(), source_width, part.source, value_width,
                 ToStringBinary(part.bytes), part.meaning);
    if (!part.note.empty()) absl::PrintF("%14s beware: %s\n", "", part.note);
  }
}

void PrintStorage(const KeyRun& run, const lab::CellShape& shape) {
  const lab::StorageSum& sum = run.storage;
  absl::PrintF("\nKeys of %d", sum.shortest_key);
  if (sum.longest_key != sum.shortest_key) {
    absl::PrintF(" to %d bytes, %.1f on average", sum.longest_key, static_cast<double>(sum.key_bytes) / sum.rows);
  } else {
    absl::PrintF(" bytes");
  }
  absl::PrintF(". A cell of the first row, before compression and block encoding:\n%s",
               lab::CellBytesText(run.first_key, shape));
  absl::PrintF("%d rows, each of %d %s: %s in HBase (%.0f%% of it row keys), %s in Vaquita\n", sum.rows, shape.columns,
               shape.columns == 1 ? "cell" : "cells", SizeText(sum.hbase_bytes),
               100.0 * sum.key_bytes * shape.columns / sum.hbase_bytes, SizeText(sum.vaquita_bytes));
}

void PrintRepeated(const KeyRun& run) {
  std::fflush(stdout);
  if (run.not_kept > 0) {
    absl::FPrintF(stderr, "keys were compared with the first %d different ones only; keys that are none of these: %d\n",
                  kMostCompared, run.not_kept);
  }
  if (run.repeated.count == 0) return;
  absl::FPrintF(stderr, "the design gives the same key twice: %d records would hide an earlier one in HBase\n",
                run.repeated.count);
  for (const std::string& message : run.repeated.messages) absl::FPrintF(stderr, "  %s\n", message);
  if (run.repeated.count > run.repeated.messages.size()) absl::FPrintF(stderr, "  ...\n");
}

absl::Status PrintKeys(const KeyOptions& options) {
  VAQUITA_ASSIGN_OR_RETURN(const RecordInput records, RecordInput::Open(options.records));
  VAQUITA_ASSIGN_OR_RETURN(const lab::KeyDesign design, records.ParseDesign(options.design));
  const lab::CellShape shape = ShapeOf(options, records);
  KeyPrinter printer(options, shape, design);
  VAQUITA_RETURN_IF_ERROR(records.generator() != nullptr ? AddGenerated(records, &printer)
                                                         : AddFromFile(records, &printer));
  const KeyRun& run = printer.run();
  PrintSkipped(run.skipped);
  if (run.storage.rows == 0) return absl::InvalidArgumentError("no record has a key");
  if (run.storage.rows > options.shown) absl::PrintF("... %d more\n", run.storage.rows - options.shown);
  if (options.explain) {
    PrintParts(run);
    PrintStorage(run, shape);
  }
  PrintRepeated(run);
  return absl::OkStatus();
}

}  // namespace

void AddKeyCommand(LabCommand* lab) {
  auto options = std::make_shared<KeyOptions>();
  CLI::App* command = lab->AddVerb("key", "Print the row keys that a design makes, and explain them",
                                   [options] { return PrintKeys(*options); });
  AddDesignOption(command, &options->design)->required();
  AddRecordOptions(command, &options->records);
  command->add_option("--show", options->shown, "The number of keys to print")->capture_default_str();
  command->add_flag("--explain", options->explain, "Show the parts of the first key, and what keys cost in storage");
  command->add_option("--family", options->family, "For --explain: the cells' family (f)");
  command->add_option("--cells", options->cells, "For --explain: cells in a row (1)")
      ->check(CLI::Range(uint64_t{1}, uint64_t{1'000'000}));
  command
      ->add_option("--qualifier-bytes", options->qualifier_bytes, "For --explain: length of each cell's qualifier (1)")
      ->check(CLI::Range(uint64_t{0}, uint64_t{32'767}));
  command->add_option("--value-bytes", options->value_bytes, "For --explain: size of each cell's value (8)")
      ->check(CLI::Range(uint64_t{0}, uint64_t{1} << 31));
}

}  // namespace vaquita
