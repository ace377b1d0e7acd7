#include "tools/console/laboratory_input.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_split.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "lab/design/example.h"
#include "lab/records/csv_file.h"
#include "lab/splits/design_splits.h"
#include "model/region_info.h"

namespace vaquita {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr size_t kMostExpression = 4096;  // bytes
// Splits, simulation and advice make each key some more times.
constexpr std::chrono::milliseconds kDesignTime{600};

struct LaboratoryRecords {
  std::shared_ptr<const lab::RecordSet> set;  // as many as the request asks for, if there are so many
  lab::LookupTables tables;
  std::optional<lab::Example> example;
};

absl::StatusOr<std::shared_ptr<const lab::RecordSet>> RecordsOfCsv(const std::string& text) {
  if (text.size() > LaboratoryInput::kMostCsvBytes) {
    return absl::InvalidArgumentError("field csv: at most 4 MiB, and this text has " + std::to_string(text.size()) +
                                      " bytes: take a part of its rows");
  }
  VAQUITA_ASSIGN_OR_RETURN(const auto source, lab::CsvRecordsOfText(text, "csv"));
  auto records = std::make_shared<lab::SampledRecords>(source->schema(), LaboratoryInput::kMostCsvRows);
  while (true) {
    VAQUITA_ASSIGN_OR_RETURN(const std::optional<lab::Record> record, source->Next());
    if (!record.has_value()) break;
    if (records->seen() == LaboratoryInput::kMostCsvRows) {
      return absl::InvalidArgumentError("field csv: at most 100,000 rows: take a part of them");
    }
    if ((records->seen() + 1) * record->size() > LaboratoryInput::kMostCsvValues) {
      return absl::InvalidArgumentError("field csv: at most 1,000,000 values: take a part of its rows");
    }
    records->Add(*record);
  }
  if (records->size() == 0) {
    return absl::InvalidArgumentError("field csv: there is no row after the first, which names the fields " +
                                      source->schema().Names());
  }
  return records;
}

absl::StatusOr<LaboratoryRecords> ReadRecords(const Json& request, uint64_t rows) {
  LaboratoryRecords records;
  VAQUITA_ASSIGN_OR_RETURN(const std::string csv, TextField(request, "csv", ""));
  if (!csv.empty()) {
    VAQUITA_ASSIGN_OR_RETURN(std::shared_ptr<const lab::RecordSet> all, RecordsOfCsv(csv));
    records.set = std::make_shared<lab::FirstRecords>(std::move(all), rows);
    return records;
  }
  VAQUITA_ASSIGN_OR_RETURN(const std::string example, TextField(request, "example", ""));
  VAQUITA_ASSIGN_OR_RETURN(std::string text, TextField(request, "records", ""));
  if (!example.empty()) {
    VAQUITA_ASSIGN_OR_RETURN(records.example, lab::FindExample(example));
    records.tables = records.example->tables;
    if (text.empty()) text = records.example->records;
  }
  if (text.empty()) {
    return absl::InvalidArgumentError("field records is missing: fields and their generators, as id=sequence()");
  }
  if (text.size() > kMostExpression) return absl::InvalidArgumentError("field records: at most 4,096 bytes");
  VAQUITA_ASSIGN_OR_RETURN(lab::RecordGenerator generator, lab::RecordGenerator::Parse(text));
  records.set = std::make_shared<lab::GeneratedRecords>(std::move(generator), rows);
  return records;
}

absl::StatusOr<lab::SplitKeys> SplitsFromText(std::string_view text) {
  std::vector<std::string> keys;
  for (const absl::string_view key : absl::StrSplit(AbslText(text), ',', absl::SkipWhitespace())) {
    keys.push_back(FromStringBinary(StdText(absl::StripAsciiWhitespace(key))));
  }
  if (keys.size() >= static_cast<size_t>(LaboratoryInput::kMostRegions)) {
    return absl::InvalidArgumentError("field splits: at most " + std::to_string(LaboratoryInput::kMostRegions - 1) +
                                      " keys");
  }
  return lab::SplitKeys::Make(std::move(keys));
}

// A design that was simulated before has its splits, so that its table gets the same regions.
absl::StatusOr<lab::SplitKeys> GivenSplits(const Json& json) {
  std::vector<std::string> keys;
  for (const Json& key : json) {
    if (!key.is_string()) return absl::InvalidArgumentError("field splits of a design: an array of texts");
    keys.push_back(FromStringBinary(key.get<std::string>()));
  }
  if (keys.size() >= static_cast<size_t>(LaboratoryInput::kMostRegions)) {
    return absl::InvalidArgumentError("field splits of a design: at most 63 keys");
  }
  return lab::SplitKeys::Make(std::move(keys));
}

absl::StatusOr<lab::SplitKeys> MakeLaboratorySplits(const lab::RecordSet& records, const lab::KeyDesign& design,
                                                    std::string_view how, int regions) {
  if (how == "none" || (regions == 1 && (how == "design" || how == "first"))) return lab::SplitKeys();
  if (how == "design") return lab::SplitsOfDesign(records, design, regions);
  if (how != "first") return SplitsFromText(how);
  lab::BadRecords skipped;
  return lab::SplitsOfDesignSample(records, design, {.keys = std::max<uint64_t>(records.size() / 10, 1), .first = true},
                                   regions, &skipped);
}

// Returns for how many rows of the run the design makes keys in the time and the memory of a request. An error if it
// makes none. It makes each key: those of the first rows do not say how long the later ones take.
absl::StatusOr<uint64_t> RowsInTime(const lab::RecordSet& records, const lab::KeyDesign& design) {
  lab::RecordBuffer buffer;
  std::string key;
  absl::Status error;
  uint64_t rows = 0;
  uint64_t made = 0;
  uint64_t bytes = 0;
  const auto end = SteadyClock::now() + kDesignTime;
  for (; rows < records.size() && SteadyClock::now() < end; ++rows) {
    key.clear();
    const absl::Status status = design.AppendKey(records.Get(rows, &buffer), records.RunIndex(rows), &key);
    bytes += key.size();
    if (bytes > LaboratoryInput::kMostKeyBytes) break;
    if (status.ok()) ++made;
    if (!status.ok() && error.ok()) error = status;
  }
  if (made == 0) return error.ok() ? absl::InvalidArgumentError("field records: at least one record") : error;
  return rows;
}

absl::Status ReadDesign(const Json& json, const LaboratoryRecords& from, const LaboratoryInput& input,
                        std::string_view how, int regions, LaboratoryDesign* design) {
  VAQUITA_ASSIGN_OR_RETURN(std::string expression, TextField(json, "expression"));
  if (expression.size() > kMostExpression)
    return absl::InvalidArgumentError("field expression of a design: at most 4,096 bytes");
  if (from.example) {
    if (const lab::ExampleDesign* named = from.example->FindDesign(expression)) expression = named->expression;
  }
  VAQUITA_ASSIGN_OR_RETURN(lab::KeyDesign parsed,
                           lab::KeyDesign::Parse(expression, input.records->schema(), input.tables));
  VAQUITA_ASSIGN_OR_RETURN(design->rows, RowsInTime(*input.records, parsed));
  const lab::FirstRecords records(input.records, design->rows);
  if (json.contains("splits")) {
    VAQUITA_ASSIGN_OR_RETURN(design->splits, GivenSplits(json["splits"]));
  } else {
    VAQUITA_ASSIGN_OR_RETURN(design->splits, MakeLaboratorySplits(records, parsed, how, regions));
  }
  design->design = std::move(parsed);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<LaboratoryInput> ReadLaboratoryInput(const Json& request, int64_t most_rows) {
  VAQUITA_ASSIGN_OR_RETURN(const int64_t rows, NumberField(request, "rows", 100'000, 1, most_rows));
  VAQUITA_ASSIGN_OR_RETURN(LaboratoryRecords records, ReadRecords(request, static_cast<uint64_t>(rows)));
  LaboratoryInput input{.records = records.set, .tables = records.tables};
  VAQUITA_ASSIGN_OR_RETURN(const int64_t regions, NumberField(request, "regions", 8, 1, LaboratoryInput::kMostRegions));
  VAQUITA_ASSIGN_OR_RETURN(const std::string how, TextField(request, "splits", "design"));
  const auto designs = request.find("designs");
  if (designs == request.end() || !designs->is_array() || designs->empty() ||
      designs->size() > LaboratoryInput::kMostDesigns) {
    return absl::InvalidArgumentError("field designs: an array of 1 to " +
                                      std::to_string(LaboratoryInput::kMostDesigns) + " objects");
  }
  for (const Json& json : *designs) {
    LaboratoryDesign design;
    VAQUITA_ASSIGN_OR_RETURN(design.name, TextField(json, "name"));
    const absl::Status status = ReadDesign(json, records, input, how, static_cast<int>(regions), &design);
    if (!status.ok()) design.error = std::string(status.message());
    input.designs.push_back(std::move(design));
  }
  return input;
}

}  // namespace vaquita
