#include "tools/demo/flights.h"

#include <array>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "base/absl_text.h"
#include "base/durable_files.h"
#include "base/status.h"

namespace vaquita::demo {
namespace {

constexpr std::array<std::string_view, 19> kColumns = {
    "year",           "month",     "day",     "dep_time", "sched_dep_time", "dep_delay", "arr_time",
    "sched_arr_time", "arr_delay", "carrier", "flight",   "tailnum",        "origin",    "dest",
    "air_time",       "distance",  "hour",    "minute",   "time_hour"};
// Columns that the key does not hold.
constexpr std::array<size_t, 9> kStored = {3, 5, 6, 7, 8, 11, 13, 14, 15};

bool ToInt(std::string_view text, int* number) { return absl::SimpleAtoi(AbslText(text), number); }

absl::StatusOr<Flight> ParseLine(std::string_view line) {
  std::array<std::string_view, kColumns.size()> field;
  size_t n = 0;
  for (absl::string_view part : absl::StrSplit(AbslText(line), ',')) {
    if (n == field.size()) return absl::InvalidArgumentError("more than 19 columns");
    field[n++] = StdText(part);
  }
  if (n != field.size()) return absl::InvalidArgumentError(absl::StrCat(n, " columns instead of 19"));
  int month, day, time;
  if (!ToInt(field[1], &month) || !ToInt(field[2], &day) || !ToInt(field[4], &time)) {
    return absl::InvalidArgumentError("month, day or sched_dep_time is not a number");
  }
  Flight flight;
  flight.time_key =
      absl::StrFormat("%s%02d%02d%04d|%s|%s|%s", field[0], month, day, time, field[9], field[10], field[12]);
  for (size_t column : kStored) {
    if (field[column] != "NA" && !field[column].empty()) flight.fields.emplace_back(kColumns[column], field[column]);
  }
  return flight;
}

// FNV-1a: short, and known to everybody who has to compute the key again.
uint32_t Hash(std::string_view bytes) {
  uint32_t hash = 2166136261u;
  for (unsigned char byte : bytes) hash = (hash ^ byte) * 16777619u;
  return hash;
}

}  // namespace

absl::StatusOr<Flights> ReadFlights(const std::string& path) {
  Flights flights;
  VAQUITA_ASSIGN_OR_RETURN(flights.text, ReadFile(path));
  int64_t number = 0;
  for (absl::string_view part : absl::StrSplit(flights.text, '\n')) {
    const std::string_view line = StdText(part);
    ++number;
    if (number == 1 || line.empty()) continue;
    absl::StatusOr<Flight> flight = ParseLine(line);
    if (!flight.ok()) return Annotate(flight.status(), absl::StrCat(path, " line ", number));
    flights.cells += flight->fields.size();
    flights.rows.push_back(*std::move(flight));
  }
  return flights;
}

std::string TimeKey(const Flight& flight) { return flight.time_key; }

std::string HashedKey(const Flight& flight) {
  return absl::StrCat(Hash(flight.time_key) % kBuckets, "|", flight.time_key);
}

Mutation PutOf(const Flight& flight, std::string row) {
  Mutation put;
  put.row = std::move(row);
  put.cells.reserve(flight.fields.size());
  for (const auto& [name, value] : flight.fields) {
    Cell cell;
    cell.family = kFamily;
    cell.qualifier = name;
    cell.value = value;
    put.cells.push_back(std::move(cell));
  }
  return put;
}

}  // namespace vaquita::demo
