#include "engine/needed_logs.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/durable_files.h"
#include "base/status.h"
#include "base/varint.h"
#include "engine/log_reader.h"

namespace vaquita {
namespace {

// Tags of a record.
constexpr uint64_t kLogNumber = 2;
constexpr uint64_t kNewFile = 103;
constexpr uint64_t kColumnFamily = 200;
constexpr uint64_t kColumnFamilyDrop = 202;
constexpr uint64_t kMayBeIgnored = 1 << 13;  // one text follows
constexpr uint64_t kEndOfNewFile = 1;

// The fields behind a tag: n is a number, t a text.
struct TagFields {
  uint64_t tag;
  std::string_view fields;
};
constexpr std::array<TagFields, 14> kTags = {{
    {1, "t"},               // the comparator's name
    {kLogNumber, "n"},      // of a column family
    {3, "n"},               // the next file
    {4, "n"},               // the last sequence number
    {5, "nt"},              // where a compaction goes on
    {6, "nn"},              // a file that goes
    {9, "n"},               // the log before
    {10, "n"},              // the first log of all
    {kNewFile, "nnnttnn"},  // and attributes
    {kColumnFamily, "n"},
    {201, "t"},  // a new column family's name
    {kColumnFamilyDrop, ""},
    {203, "n"},  // the highest column family
    {300, "n"},  // records that belong together
}};

class RecordReader {
 public:
  explicit RecordReader(std::string_view bytes) : bytes_(bytes) {}

  bool at_end() const { return bytes_.empty(); }
  bool Number(uint64_t* number) { return TakeVarint(&bytes_, number); }
  bool Text() {
    uint64_t length = 0;
    if (!Number(&length) || length > bytes_.size()) return false;
    bytes_.remove_prefix(length);
    return true;
  }
  // Reads fields; `*last` is the last number among them.
  bool Fields(std::string_view fields, uint64_t* last) {
    return std::all_of(fields.begin(), fields.end(), [&](char field) { return field == 'n' ? Number(last) : Text(); });
  }
  // Reads the attributes of a new file.
  bool Attributes() {
    for (uint64_t tag = 0; Number(&tag);) {
      if (tag == kEndOfNewFile) return true;
      if (!Text()) return false;
    }
    return false;
  }

 private:
  std::string_view bytes_;
};

class ManifestRecords final : public LogVisitor {
 public:
  // RocksDB reads no record behind a bad one either.
  void Record(std::string_view record, int64_t) override {
    if (!is_bad_ && !ApplyManifestRecord(record, &needed_)) is_unknown_ = true;
  }
  void Bad(const LogDamagePlace&) override { is_bad_ = true; }
  NeededLogs Take() { return is_unknown_ ? NeededLogs() : std::move(needed_); }

 private:
  bool is_bad_ = false;
  bool is_unknown_ = false;
  NeededLogs needed_;
};

}  // namespace

bool ApplyManifestRecord(std::string_view record, NeededLogs* needed) {
  RecordReader reader(record);
  uint64_t column_family = 0;
  std::optional<uint64_t> log;
  bool is_drop = false;
  while (!reader.at_end()) {
    uint64_t tag = 0, last = 0;
    if (!reader.Number(&tag)) return false;
    const auto known = std::find_if(kTags.begin(), kTags.end(), [&](const TagFields& one) { return one.tag == tag; });
    if (known == kTags.end() && (tag & kMayBeIgnored) == 0) return false;
    if (!reader.Fields(known == kTags.end() ? "t" : known->fields, &last)) return false;
    if (tag == kNewFile && !reader.Attributes()) return false;
    if (tag == kLogNumber) log = last;
    if (tag == kColumnFamily) column_family = last;
    is_drop |= tag == kColumnFamilyDrop;
  }
  const auto id = static_cast<uint32_t>(column_family);
  if (is_drop) {
    needed->erase(id);
  } else if (log.has_value()) {
    uint64_t& first = (*needed)[id];
    first = std::max(first, *log);
  }
  return true;
}

absl::StatusOr<NeededLogs> ReadNeededLogs(const std::string& database) {
  VAQUITA_ASSIGN_OR_RETURN(std::string manifest, ReadFile(database + "/CURRENT"));
  while (manifest.ends_with('\n')) manifest.pop_back();
  ManifestRecords records;
  VAQUITA_RETURN_IF_ERROR(ReadLog(database + "/" + manifest, &records).status());
  return records.Take();
}

}  // namespace vaquita
