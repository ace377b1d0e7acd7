// lab/records/csv_file.h: reads records from a CSV file (RFC 4180) row by row, in memory that does not grow with the
// file.
//
// Rows end with CRLF or LF; values may stand in "quotes", where "" is one quote and row ends are text. The file is
// UTF-8, with or without a byte order mark, plain or compressed by gzip. Empty lines are skipped. Threads: one at a
// time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lab/records/record.h"

namespace vaquita::lab {

// The rows of a file, as they are: no header, any number of values.
class CsvReader {
 public:
  static constexpr size_t kLongestRow = 4 << 20;  // bytes; a longer row probably has a quote that is not closed

  // `name` is the file's name in messages; empty: its path.
  static absl::StatusOr<std::unique_ptr<CsvReader>> Open(const std::string& path, const std::string& name = "");
  // Reads a text, which is copied, as a file called `name`.
  static absl::StatusOr<std::unique_ptr<CsvReader>> OfText(std::string_view text, const std::string& name);
  ~CsvReader();

  // Reads the next row into `*values`, which point into the reader until the next call; false at the end. After an
  // error, which names file and line, the next call goes on with the line after the one where the row began.
  absl::StatusOr<bool> Next(std::vector<std::string_view>* values);

  uint64_t line() const { return row_line_; }  // the line at which the last row began, from 1
  std::string Place() const;                   // "flights.csv:17"
  // Returns InvalidArgument with the place of the last row and `what`.
  absl::Status Error(std::string_view what) const;

 private:
  struct Input;
  CsvReader(std::string name, std::unique_ptr<Input> input);

  absl::StatusOr<bool> FindRow(size_t* end);
  absl::StatusOr<bool> ReadMore();
  void GoOnAfterLine(const char* row);
  absl::Status DropLine();
  absl::Status SplitQuoted(char* row, char* end, std::vector<std::string_view>* values);

  const std::string name_;
  const std::unique_ptr<Input> input_;
  std::vector<char> buffer_;
  size_t begin_ = 0;  // the first unread byte in the buffer
  size_t end_ = 0;
  bool at_end_ = false;           // the buffer holds the rest of the file
  bool in_dropped_line_ = false;  // begin_ is within a line that is not read on
  uint64_t line_ = 1;             // the line of begin_
  uint64_t row_line_ = 0;
};

inline constexpr size_t kMostCsvFields = 4096;
inline constexpr size_t kLongestCsvField = 256;  // bytes of its name

// Records whose fields are named by the file's first row. Rows with more or fewer values, and values that are not
// UTF-8, are errors that name file, line and value.
absl::StatusOr<std::unique_ptr<RecordSource>> OpenCsvRecords(const std::string& path, const std::string& name = "");
absl::StatusOr<std::unique_ptr<RecordSource>> CsvRecordsOfText(std::string_view text, const std::string& name);

}  // namespace vaquita::lab
