// lab/records/time_text.h: times as text, by ISO 8601 or by a pattern of Java's SimpleDateFormat.
//
// A pattern's letters: yyyy or yy (the last two digits) year, MM month, dd day of month, DDD day of year, HH hour, mm
// minute, ss second, SSS millisecond, all filled with zeros; Java's other widths are refused, since their texts have
// several lengths. 'Quoted' text and all characters other than letters stand for themselves. Source:
// java.text.SimpleDateFormat. Units: milliseconds since 1970-01-01 UTC; years 0 to 9999. Threads: any; a pattern does
// not change after it is parsed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace vaquita::lab {

// Parses 2026-01-31, with T or a space 2026-01-31T10:30, :15, .250, and Z or +01:00 at the end (UTC without it).
// Returns false for other text.
bool ParseIsoTime(std::string_view text, int64_t* ms);

// Returns whether the year is one of 0 to 9999.
bool HasDate(int64_t ms);

enum class TimeUnit { kDay, kMinute, kSecond, kMillisecond };

// Returns the coarsest unit that is not longer than `ms`.
TimeUnit UnitWithin(int64_t ms);

// Returns "2026-01-31", "2026-01-31 10:30", "2026-01-31 10:30:15" or "2026-01-31 10:30:15.250" (UTC), cut, not rounded.
// The milliseconds' number if the year is not one of 0 to 9999.
std::string TimeText(int64_t ms, TimeUnit unit);

class TimePattern {
 public:
  // `zone` is empty for UTC, "+01:00", or a name of the zone database ("Europe/Berlin").
  static absl::StatusOr<TimePattern> Parse(std::string_view pattern, std::string_view zone);

  size_t width() const { return width_; }  // length of every text that it makes

  // Writes width() bytes. Returns false if the year is not one of 0 to 9999.
  bool Format(int64_t ms, char* to) const;

  // Parses text of exactly this form. Returns false for other text. Parts that the pattern leaves out are those of
  // 1970-01-01 00:00.
  bool Parse(std::string_view text, int64_t* ms) const;

 private:
  struct Piece {
    char letter;  // 0 for a literal
    int width;
    std::string literal;
  };

  std::vector<Piece> pieces_;
  size_t width_ = 0;
  std::optional<absl::TimeZone> zone_;  // absent: UTC
};

}  // namespace vaquita::lab
