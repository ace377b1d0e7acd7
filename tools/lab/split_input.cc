#include "tools/lab/split_input.h"

#include <fstream>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "client/admin.h"
#include "client/table.h"
#include "lab/splits/design_splits.h"
#include "lab/splits/split_calculation.h"
#include "lab/splits/split_key_text.h"
#include "model/region_info.h"
#include "model/split_algorithm.h"

namespace vaquita {
namespace {

constexpr int kDefaultRegions = 10;
constexpr int kMostRegions = 1'000'000;

absl::StatusOr<lab::SplitKeys> SplitsOfTable(const SplitInput& input) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName name, TableName::Parse(input.table));
  VAQUITA_ASSIGN_OR_RETURN(const auto connection, input.live.Connect());
  VAQUITA_ASSIGN_OR_RETURN(const auto regions, connection->GetAdmin()->GetRegions(name));
  std::vector<std::string> keys;
  for (const client::RegionLocation& region : regions) {
    if (!region.info.start_key.empty()) keys.push_back(region.info.start_key);
  }
  return lab::SplitKeys::Make(std::move(keys));
}

absl::StatusOr<lab::SplitKeys> SplitsOfKeysFile(const SplitInput& input) {
  std::ifstream file(input.keys_file);
  if (!file) return absl::InvalidArgumentError(absl::StrCat("keys file ", input.keys_file, " cannot be opened"));
  lab::KeyReservoir reservoir(input.sample);
  std::string line;
  while (std::getline(file, line)) reservoir.Add(lab::KeyOfLine(line));
  if (file.bad()) return absl::UnavailableError(absl::StrCat("keys file ", input.keys_file, " cannot be read"));
  return lab::SplitsOfSample(std::move(reservoir).Take(), input.regions == 0 ? kDefaultRegions : input.regions);
}

absl::StatusOr<lab::SplitKeys> SplitsOfRecords(const SplitInput& input, const RecordInput& records,
                                               const lab::KeyDesign& design) {
  VAQUITA_ASSIGN_OR_RETURN(const auto set, records.Records(input.sample));
  if (input.method == "prefix") return lab::SplitsOfFirstPart(*set, design, input.regions);
  lab::BadRecords skipped;
  const lab::DesignSample sample{.keys = input.sample, .first = input.sample_first};
  auto splits =
      lab::SplitsOfDesignSample(*set, design, sample, input.regions == 0 ? kDefaultRegions : input.regions, &skipped);
  PrintSkipped(skipped);
  return splits;
}

absl::StatusOr<lab::SplitKeys> SplitsByAlgorithm(const std::string& name, int regions) {
  VAQUITA_ASSIGN_OR_RETURN(auto keys, SplitKeysByAlgorithm(name, regions));
  return lab::SplitKeys::Make(std::move(keys));
}

absl::Status SetWord(absl::string_view word, SplitInput* input) {
  const std::pair<absl::string_view, absl::string_view> sides = absl::StrSplit(word, absl::MaxSplits('=', 1));
  if (sides.first == "prefix") {
    input->prefix = std::string(sides.second);
  } else if (!absl::SimpleAtoi(sides.first == "digits" ? sides.second : word,
                               sides.first == "digits" ? &input->digits : &input->regions)) {
    return absl::InvalidArgumentError(absl::StrCat("splits: '", word, "' is not a number, digits= or prefix="));
  }
  return absl::OkStatus();
}

// Returns how a built-in example splits the table of `design`; empty if it does not say, or if the options do.
std::string SplitsOfExample(const SplitInput& input, const RecordInput* records, const lab::KeyDesign* design) {
  const bool is_asked_for = input.method != "sample" || input.regions != 0 || input.sample_first;
  if (is_asked_for || records == nullptr || records->example() == nullptr || design == nullptr) return "";
  for (const lab::ExampleDesign& named : records->example()->designs) {
    if (named.expression == design->expression()) return named.splits;
  }
  return "";
}

}  // namespace

void AddSplitOptions(CLI::App* command, SplitInput* input) {
  command->add_option("--splits", input->file, "A file with a split key per line, as the shell's SPLITS_FILE");
  command
      ->add_option("--split-by", input->method,
                   "How to calculate splits: sample (of the design's keys), prefix (the values of the design's first "
                   "part), partitions "
                   "(8-byte longs), buckets and bytes (one byte), decimal and hex (--digits), HexStringSplit, "
                   "DecimalStringSplit, UniformSplit")
      ->check(CLI::IsMember({"sample", "prefix", "partitions", "buckets", "bytes", "decimal", "hex", "HexStringSplit",
                             "DecimalStringSplit", "UniformSplit"}))
      ->capture_default_str();
  command->add_option("--regions", input->regions,
                      "The number of regions (sample: 10, partitions: 20, bytes: 256, prefix: one per value)");
  command->add_option("--sample", input->sample, "The number of keys in a sample")->capture_default_str();
  command->add_flag("--sample-first", input->sample_first, "Sample the run's first records, not the whole run");
  command->add_option("--digits", input->digits, "The number of digits for decimal and hex");
  command->add_option("--prefix", input->prefix, "The text before the digits, as foo in foo0001");
  command->add_option("--values", input->values, "The number of values (all that the digits can express)");
  command->add_option("--keys", input->keys_file,
                      "A file with the sample: keys, one per line as Bytes.toStringBinary writes them");
  command->add_option("--table", input->table, "Take the splits of this table of a running cluster");
  AddLiveOptions(command, &input->live);
}

absl::StatusOr<SplitInput> ParseExampleSplits(std::string_view splits) {
  constexpr uint64_t kFirstKeys = 1000;
  SplitInput input;
  bool is_method = true;
  for (const absl::string_view word : absl::StrSplit(AbslText(splits), ' ', absl::SkipEmpty())) {
    if (is_method) {
      input.sample_first = word == "first-sample";
      if (input.sample_first) input.sample = kFirstKeys;
      input.method = input.sample_first ? "sample" : std::string(word);
      is_method = false;
    } else if (const absl::Status status = SetWord(word, &input); !status.ok()) {
      return status;
    }
  }
  return input;
}

absl::StatusOr<lab::SplitKeys> MakeSplits(const SplitInput& input, const RecordInput* records,
                                          const lab::KeyDesign* design) {
  if (input.regions > kMostRegions) {
    return absl::InvalidArgumentError(absl::StrCat("--regions ", input.regions, ": at most ", kMostRegions));
  }
  if (!input.file.empty()) return lab::ReadSplitsFile(input.file);
  if (!input.table.empty()) return SplitsOfTable(input);
  if (!input.keys_file.empty()) return SplitsOfKeysFile(input);
  if (const std::string splits = SplitsOfExample(input, records, design); !splits.empty()) {
    VAQUITA_ASSIGN_OR_RETURN(const SplitInput of_example, ParseExampleSplits(splits));
    return MakeSplits(of_example, records, design);
  }
  if (input.regions == 1) return lab::SplitKeys();
  const auto regions_or = [&](int by_itself) { return input.regions == 0 ? by_itself : input.regions; };
  if (input.method == "partitions") return lab::SplitsOfPartitions(regions_or(lab::kDefaultPartitions));
  if (input.method == "bytes") return lab::SplitsOfBytes(regions_or(256));
  if (input.method == "buckets") return lab::SplitsOfBuckets(regions_or(kDefaultRegions));
  if (input.method == "decimal" || input.method == "hex") {
    const int base = input.method == "hex" ? 16 : 10;
    return lab::SplitsOfNumbers({input.prefix, input.digits, base, input.values}, regions_or(kDefaultRegions));
  }
  if (input.method != "sample" && input.method != "prefix") {
    return SplitsByAlgorithm(input.method, regions_or(kDefaultRegions));
  }
  if (records == nullptr || design == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--split-by ", input.method, " needs a design and its records: DESIGN --generate FIELDS or --csv FILE"));
  }
  return SplitsOfRecords(input, *records, *design);
}

}  // namespace vaquita
