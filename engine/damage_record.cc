#include "engine/damage_record.h"

#include <algorithm>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "base/absl_text.h"
#include "base/durable_files.h"
#include "base/status.h"
#include "engine/crc32c.h"

namespace vaquita {
namespace {

std::string RecordPath(const std::string& database) { return DamageFolder(database) + "/RECORD"; }

using Fields = std::vector<std::string>;

std::string Line(const Fields& fields) {
  std::string line;
  for (const std::string& field : fields) absl::StrAppend(&line, line.empty() ? "" : "\t", absl::CEscape(field));
  return line + "\n";
}

bool ReadFields(absl::string_view line, Fields* fields) {
  for (const absl::string_view escaped : absl::StrSplit(line, '\t')) {
    if (!absl::CUnescape(escaped, &fields->emplace_back())) return false;
  }
  return true;
}

bool ReadGap(const Fields& fields, DamageRecord* record) {
  LogGap& gap = record->gaps.emplace_back();
  if (fields.size() != 8) return false;
  gap.foreign = fields[6] == "foreign";
  gap.what = fields[7];
  return absl::SimpleAtoi(fields[1], &gap.log) && absl::SimpleAtoi(fields[2], &gap.offset) &&
         absl::SimpleAtoi(fields[3], &gap.first_sequence) && absl::SimpleAtoi(fields[4], &gap.last_sequence) &&
         absl::SimpleAtoi(fields[5], &gap.since_ms);
}

bool ReadStore(const Fields& fields, DamageRecord* record) {
  if (fields.size() != 4) return false;
  record->stores[fields[1]] = {.why = fields[3], .set_apart = fields[2] == "set-apart", .files = {}};
  return true;
}

bool ReadStoreFile(const Fields& fields, DamageRecord* record) {
  if (fields.size() != 7) return false;
  ExportedFile& file = record->stores[fields[1]].files.emplace_back();
  file.name = fields[2];
  return absl::SimpleAtoi(fields[3], &file.level) && absl::SimpleAtoi(fields[4], &file.smallest_sequence) &&
         absl::SimpleAtoi(fields[5], &file.largest_sequence) && absl::SimpleAtoi(fields[6], &file.bytes);
}

bool ReadLine(absl::string_view line, DamageRecord* record) {
  Fields fields;
  if (!ReadFields(line, &fields)) return false;
  if (fields[0] == "gap") return ReadGap(fields, record);
  if (fields[0] == "store") return ReadStore(fields, record);
  return fields[0] == "file" && ReadStoreFile(fields, record);
}

std::string ChecksumLine(absl::string_view text) { return absl::StrCat("checksum\t", Crc32c(StdText(text)), "\n"); }

}  // namespace

std::string DamageFolder(const std::string& database) { return database + "/damage"; }

std::string DescribeGap(const LogGap& gap) {
  std::string text = gap.what;
  if (gap.last_sequence == LogGap::kNoEnd) {
    absl::StrAppend(&text, "; all cells that were written to the log");
  } else if (gap.last_sequence >= gap.first_sequence) {
    absl::StrAppend(&text, "; up to ", gap.last_sequence - gap.first_sequence + 1, " cells that were written");
  } else {
    absl::StrAppend(&text, "; what was written there");
  }
  if (gap.since_ms > 0) {
    absl::StrAppend(&text, " after ",
                    absl::FormatTime("%Y-%m-%dT%H:%M:%E3SZ", absl::FromUnixMillis(gap.since_ms), absl::UTCTimeZone()));
  }
  return text + " may be lost";
}

bool DamageRecord::Has(const LogGap& gap) const {
  return std::any_of(gaps.begin(), gaps.end(), [&](const LogGap& known) {
    return known.log == gap.log && known.offset == gap.offset && known.last_sequence >= gap.last_sequence;
  });
}

absl::StatusOr<DamageRecord> DamageRecord::Load(const std::string& database) {
  DamageRecord record;
  const auto bytes = ReadFile(RecordPath(database));
  if (absl::IsNotFound(bytes.status())) return record;
  VAQUITA_RETURN_IF_ERROR(bytes.status());
  const absl::Status unreadable = absl::DataLossError(
      absl::StrCat(RecordPath(database), " cannot be read; it says which stores of this database lost cells"));
  const absl::string_view text = *bytes;
  const size_t checksum = text.rfind("checksum\t");
  if (checksum == absl::string_view::npos || text.substr(checksum) != ChecksumLine(text.substr(0, checksum))) {
    return unreadable;
  }
  for (const absl::string_view line : absl::StrSplit(text.substr(0, checksum), '\n', absl::SkipEmpty())) {
    if (!ReadLine(line, &record)) return unreadable;
  }
  return record;
}

absl::Status DamageRecord::Save(const std::string& database) const {
  std::string text;
  for (const LogGap& gap : gaps) {
    text +=
        Line({"gap", absl::StrCat(gap.log), absl::StrCat(gap.offset), absl::StrCat(gap.first_sequence),
              absl::StrCat(gap.last_sequence), absl::StrCat(gap.since_ms), gap.foreign ? "foreign" : "own", gap.what});
  }
  for (const auto& [name, store] : stores) {
    text += Line({"store", name, store.set_apart ? "set-apart" : "in-place", store.why});
    for (const ExportedFile& file : store.files) {
      text += Line({"file", name, file.name, absl::StrCat(file.level), absl::StrCat(file.smallest_sequence),
                    absl::StrCat(file.largest_sequence), absl::StrCat(file.bytes)});
    }
  }
  VAQUITA_RETURN_IF_ERROR(CreateFolder(DamageFolder(database)));
  VAQUITA_RETURN_IF_ERROR(ReplaceFile(RecordPath(database), text + ChecksumLine(text)));
  return SyncPath(database);
}

}  // namespace vaquita
