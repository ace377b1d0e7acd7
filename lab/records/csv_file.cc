#include "lab/records/csv_file.h"

#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/status.h"
#include "base/unicode.h"
#include "model/region_info.h"

namespace vaquita::lab {
namespace {

constexpr char kSeparator = ',';
constexpr size_t kReadBytes = 256 << 10;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr size_t kShownValue = 60;  // bytes of a value in an error

// A value for an error message: "'Z\xFCrich'".
std::string Shown(std::string_view value) {
  const std::string text = ToStringBinary(value.substr(0, kShownValue));
  return absl::StrCat("'", text, value.size() > kShownValue ? "...'" : "'");
}

const char* Find(const char* begin, const char* end, char c) {
  return begin == end ? nullptr : static_cast<const char*>(std::memchr(begin, c, end - begin));
}

}  // namespace

// zlib reads what is not compressed as it is.
struct CsvReader::Input {
  explicit Input(gzFile opened) : file(opened) {}
  ~Input() { gzclose(file); }

  const gzFile file;
};

absl::StatusOr<std::unique_ptr<CsvReader>> CsvReader::Open(const std::string& path, const std::string& name) {
  const std::string& shown = name.empty() ? path : name;
  errno = 0;
  const gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(shown, ": ", errno == 0 ? "out of memory" : std::strerror(errno)));
  }
  return std::unique_ptr<CsvReader>(new CsvReader(shown, std::make_unique<Input>(file)));
}

absl::StatusOr<std::unique_ptr<CsvReader>> CsvReader::OfText(std::string_view text, const std::string& name) {
  const auto failed = [] { return absl::UnavailableError(absl::StrCat("keep the CSV text: ", std::strerror(errno))); };
  const int fd = memfd_create("csv", MFD_CLOEXEC);
  const gzFile file = fd < 0 ? nullptr : gzdopen(fd, "rb");
  if (file == nullptr) return failed();
  auto reader = std::unique_ptr<CsvReader>(new CsvReader(name, std::make_unique<Input>(file)));  // it closes `fd`
  while (!text.empty()) {
    const ssize_t wrote = write(fd, text.data(), text.size());
    if (wrote < 0) return failed();
    text.remove_prefix(static_cast<size_t>(wrote));
  }
  if (lseek(fd, 0, SEEK_SET) != 0) return failed();
  return reader;
}

CsvReader::CsvReader(std::string name, std::unique_ptr<Input> input)
    : name_(std::move(name)), input_(std::move(input)), buffer_(kReadBytes) {}

CsvReader::~CsvReader() = default;

std::string CsvReader::Place() const { return absl::StrCat(name_, ":", row_line_); }

absl::Status CsvReader::Error(std::string_view what) const {
  return absl::InvalidArgumentError(absl::StrCat(Place(), ": ", AbslText(what)));
}

absl::StatusOr<bool> CsvReader::Next(std::vector<std::string_view>* values) {
  values->clear();
  for (;;) {
    row_line_ = line_;
    size_t end;
    VAQUITA_ASSIGN_OR_RETURN(const bool found, FindRow(&end));
    if (!found) return false;
    char* const row = buffer_.data() + begin_;
    char* row_end = buffer_.data() + end;
    line_ += std::count(row, row_end, '\n') + 1;
    begin_ = std::min(end + 1, end_);
    if (row_end > row && row_end[-1] == '\r') --row_end;
    if (row == row_end) continue;
    if (Find(row, row_end, '"') != nullptr) {
      const absl::Status split = SplitQuoted(row, row_end, values);
      if (!split.ok()) GoOnAfterLine(row);
      VAQUITA_RETURN_IF_ERROR(split);
      return true;
    }
    const char* value = row;
    while (const char* separator = Find(value, row_end, kSeparator)) {
      values->emplace_back(value, separator - value);
      value = separator + 1;
    }
    values->emplace_back(value, row_end - value);
    return true;
  }
}

// Goes on after the first line of a malformed row, which may have swallowed later rows.
void CsvReader::GoOnAfterLine(const char* row) {
  const char* const data = buffer_.data();
  const char* line_end = Find(row, data + end_, '\n');
  begin_ = line_end == nullptr ? end_ : line_end + 1 - data;
  in_dropped_line_ = line_end == nullptr;
  line_ = row_line_ + 1;
}

// Drops the rest of a line that was too long to be held.
absl::Status CsvReader::DropLine() {
  while (in_dropped_line_) {
    const char* const data = buffer_.data();
    const char* const line_end = Find(data + begin_, data + end_, '\n');
    if (line_end != nullptr || at_end_) {
      begin_ = line_end == nullptr ? end_ : line_end + 1 - data;
      in_dropped_line_ = false;
    } else {
      begin_ = end_;
      VAQUITA_ASSIGN_OR_RETURN(at_end_, ReadMore());
    }
  }
  return absl::OkStatus();
}

// Finds the end of the row at begin_: its line feed, or the file's end. Returns false at the file's end.
absl::StatusOr<bool> CsvReader::FindRow(size_t* end) {
  VAQUITA_RETURN_IF_ERROR(DropLine());
  size_t looked = begin_;  // up to here
  bool in_quotes = false;
  for (;;) {
    const char* const data = buffer_.data();
    while (const char* line_end = Find(data + looked, data + end_, '\n')) {
      in_quotes ^= std::count(data + looked, line_end, '"') % 2 != 0;
      looked = line_end - data + 1;
      if (in_quotes) continue;
      *end = looked - 1;
      return true;
    }
    in_quotes ^= std::count(data + looked, data + end_, '"') % 2 != 0;
    looked = end_;
    const bool too_long = end_ - begin_ > kLongestRow;
    if ((at_end_ && in_quotes) || too_long) {
      GoOnAfterLine(data + begin_);
      return Error(in_quotes ? "a quote that opens in this row is not closed" : "the row is longer than 4 MiB");
    }
    if (at_end_) {
      *end = end_;
      return end_ > begin_;
    }
    const size_t before = begin_;
    VAQUITA_ASSIGN_OR_RETURN(at_end_, ReadMore());
    looked -= before - begin_;
  }
}

// Reads more bytes behind those in the buffer. Returns true at the end of the file.
absl::StatusOr<bool> CsvReader::ReadMore() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (buffer_.size() - end_ < kReadBytes) buffer_.resize(2 * buffer_.size());
  const int bytes = gzread(input_->file, buffer_.data() + end_, kReadBytes);
  if (bytes <= 0) {
    int code = Z_OK;
    const char* const message = gzerror(input_->file, &code);  // also for a compressed file that was cut off
    if (bytes < 0 || code < 0) {
      at_end_ = true;
      begin_ = end_;  // nothing follows
      return absl::DataLossError(absl::StrCat(Place(), ": ", code == Z_ERRNO ? std::strerror(errno) : message));
    }
  }
  const bool is_first = line_ == 1 && end_ == 0;
  end_ += bytes;
  if (is_first && std::string_view(buffer_.data(), end_).starts_with(kByteOrderMark)) begin_ = kByteOrderMark.size();
  return bytes == 0;
}

// Splits a row with quotes; doubled ones become one, in place.
absl::Status CsvReader::SplitQuoted(char* row, char* end, std::vector<std::string_view>* values) {
  char* at = row;
  for (;;) {
    char* const begin = at;
    char* to = at;
    if (at < end && *at == '"') {
      for (++at; at < end; ++at) {
        if (*at == '"' && !(at + 1 < end && at[1] == '"')) break;
        if (*at == '"') ++at;
        *to++ = *at;
      }
      ++at;  // the closing quote, which is there: FindRow() counted
      if (at < end && *at != kSeparator)
        return Error(absl::StrCat("text after the closing quote of ", Shown({begin, size_t(to - begin)})));
    } else {
      at = std::find(at, end, kSeparator);
      to = at;
      if (std::find(begin, to, '"') != to)
        return Error(
            absl::StrCat("a quote within ", Shown({begin, size_t(to - begin)}), ", which does not begin with one"));
    }
    values->emplace_back(begin, to - begin);
    if (at >= end) return absl::OkStatus();
    ++at;
  }
}

namespace {

class CsvRecords : public RecordSource {
 public:
  CsvRecords(std::unique_ptr<CsvReader> reader, Schema schema)
      : reader_(std::move(reader)), schema_(std::move(schema)) {
    values_.resize(schema_.fields().size());
  }

  const Schema& schema() const override { return schema_; }

  absl::StatusOr<std::optional<Record>> Next() override {
    VAQUITA_ASSIGN_OR_RETURN(const bool found, reader_->Next(&row_));
    if (!found) return std::nullopt;
    if (row_.size() != values_.size()) {
      return reader_->Error(absl::StrCat(row_.size(), row_.size() == 1 ? " value" : " values", " beginning with ",
                                         Shown(row_[0]), ", but the header names ", values_.size()));
    }
    for (size_t i = 0; i < row_.size(); ++i) {
      if (!IsUtf8(row_[i])) {
        return reader_->Error(absl::StrCat(schema_.fields()[i].name, " ", Shown(row_[i]), " is not UTF-8"));
      }
      values_[i].text = row_[i];
    }
    return Record(values_);
  }

  std::string Place() const override { return reader_->Place(); }

 private:
  const std::unique_ptr<CsvReader> reader_;
  const Schema schema_;
  std::vector<std::string_view> row_;
  std::vector<FieldValue> values_;
};

absl::StatusOr<std::unique_ptr<RecordSource>> RecordsOf(std::unique_ptr<CsvReader> reader) {
  std::vector<std::string_view> names;
  VAQUITA_ASSIGN_OR_RETURN(const bool found, reader->Next(&names));
  if (!found) return reader->Error("the file is empty; its first row names the fields");
  if (names.size() > kMostCsvFields)
    return reader->Error(absl::StrCat("the first row names ", names.size(), " fields; at most ", kMostCsvFields));
  std::vector<Field> fields;
  std::set<std::string_view> seen;
  for (const std::string_view name : names) {
    if (name.empty()) return reader->Error("a field without a name; the first row names the fields");
    if (!IsUtf8(name)) return reader->Error(absl::StrCat("the field's name ", Shown(name), " is not UTF-8"));
    if (name.size() > kLongestCsvField) {
      return reader->Error(
          absl::StrCat("the field's name ", Shown(name), " has ", name.size(), " bytes; at most ", kLongestCsvField));
    }
    if (!seen.insert(name).second) return reader->Error(absl::StrCat("duplicate field ", Shown(name)));
    fields.push_back({std::string(name)});
  }
  return std::make_unique<CsvRecords>(std::move(reader), Schema(std::move(fields)));
}

}  // namespace

absl::StatusOr<std::unique_ptr<RecordSource>> OpenCsvRecords(const std::string& path, const std::string& name) {
  VAQUITA_ASSIGN_OR_RETURN(std::unique_ptr<CsvReader> reader, CsvReader::Open(path, name));
  return RecordsOf(std::move(reader));
}

absl::StatusOr<std::unique_ptr<RecordSource>> CsvRecordsOfText(std::string_view text, const std::string& name) {
  VAQUITA_ASSIGN_OR_RETURN(std::unique_ptr<CsvReader> reader, CsvReader::OfText(text, name));
  return RecordsOf(std::move(reader));
}

}  // namespace vaquita::lab
