// tests/fuzz/laboratory_files_fuzz.cc: the files and texts that the laboratory reads. The first byte says which.
#include <sstream>
#include <string>
#include <vector>

#include "lab/records/csv_file.h"
#include "lab/records/lookup_table.h"
#include "lab/records/time_text.h"
#include "lab/splits/split_key_text.h"
#include "tests/fuzz/fuzz_input.h"
#include "tools/console/laboratory_input.h"
#include "tools/console/request_json.h"

namespace vaquita {
namespace {

using fuzz::Check;

constexpr int64_t kMostRows = 50;

void ReadRows(std::string_view text) {
  const auto rows = lab::CsvReader::OfText(text, "rows.csv");
  if (!rows.ok()) return;
  const bool compressed = text.starts_with("\x1f\x8b");
  std::vector<std::string_view> values;
  for (uint64_t line = 0; true;) {
    const auto next = (*rows)->Next(&values);
    if (next.ok() && !*next) return;
    Check((*rows)->line() > line || text.size() > lab::CsvReader::kLongestRow, "each row is on a later line");
    line = (*rows)->line();
    size_t bytes = 0;
    if (next.ok()) {
      for (const std::string_view value : values) bytes += value.size();
    }
    Check(compressed || bytes <= text.size(), "values are parts of the text");
  }
}

void ReadRecords(std::string_view text) {
  const auto records = lab::CsvRecordsOfText(text, "records.csv");
  if (!records.ok()) return;
  while (true) {
    const auto next = (*records)->Next();
    if (next.ok() && !next->has_value()) return;
    if (next.ok()) Check((*next)->size() == (*records)->schema().fields().size(), "a record has all fields");
  }
}

// Plain, or compressed by gzip if the bytes are so.
void ReadFiles(std::string_view bytes) {
  const std::string path = fuzz::FileOf("table.csv", bytes);
  static_cast<void>(lab::ReadLookupTable(path));
  const auto records = lab::OpenCsvRecords(path);
  if (!records.ok()) return;
  for (int row = 0; row < kMostRows; ++row) {
    const auto next = (*records)->Next();
    if (next.ok() && !next->has_value()) return;
  }
}

void ReadSplits(std::string_view text) {
  std::istringstream in{std::string(text)};
  const auto splits = lab::ReadSplitsFile(in, "splits.txt");
  if (!splits.ok()) return;
  std::istringstream again(lab::SplitKeyText(*splits, lab::SplitKeyFormat::kSplitsFile));
  const auto read = lab::ReadSplitsFile(again, "again.txt");
  Check(read.ok() && read->keys() == splits->keys(), "written split keys are the same");
}

// The pattern, the zone, and a text.
void ReadTimes(fuzz::Input input) {
  const std::string_view pattern_text = input.Until('\n');
  const std::string_view zone = input.Until('\n');
  int64_t ms = 0;
  if (lab::ParseIsoTime(input.Rest(), &ms)) Check(!lab::TimeText(ms, lab::UnitWithin(ms)).empty(), "a time has a text");
  const auto pattern = lab::TimePattern::Parse(pattern_text, zone);
  if (!pattern.ok() || pattern->width() > 10'000) return;
  std::string formatted(pattern->width(), ' ');
  for (const int64_t each : {ms, int64_t{0}, INT64_MIN, INT64_MAX}) {
    if (pattern->Format(each, formatted.data())) static_cast<void>(pattern->Parse(formatted, &ms));
  }
  static_cast<void>(pattern->Parse(input.Rest(), &ms));
}

// A request of the laboratory's page. Runs are made small, because each input is to take no second.
void ReadRequest(std::string_view body) {
  auto request = ParseRequestJson(body);
  if (!request.ok()) return;
  (*request)["rows"] = kMostRows;
  static_cast<void>(ReadLaboratoryInput(*request, kMostRows));
}

}  // namespace
}  // namespace vaquita

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace vaquita;
  fuzz::SilenceLogs();
  fuzz::Input input(data, size);
  switch (input.Byte() % 6) {
    case 0:
      ReadRows(input.Rest());
      break;
    case 1:
      ReadRecords(input.Rest());
      break;
    case 2:
      ReadFiles(input.Rest());
      break;
    case 3:
      ReadSplits(input.Rest());
      break;
    case 4:
      ReadTimes(input);
      break;
    default:
      ReadRequest(input.Rest());
  }
  return 0;
}
