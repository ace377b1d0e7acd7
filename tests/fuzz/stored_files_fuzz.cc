// tests/fuzz/stored_files_fuzz.cc: the files and values that a server reads from its own folder, which a disk or a
// person may have damaged.
//
// The first byte says what. Bytes that stand under a checksum get the right one, so that their parsers see them.
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "absl/strings/str_cat.h"
#include "engine/append_marks.h"
#include "engine/cells/cell_key.h"
#include "engine/cells/stored_row.h"
#include "engine/crc32c.h"
#include "engine/damage_record.h"
#include "engine/needed_logs.h"
#include "engine/rocksdb/store_file_properties.h"
#include "proto/hbase/stored_values.h"
#include "rocksdb/table_properties.h"
#include "server/data_root/checked_bytes.h"
#include "server/data_root/data_format.h"
#include "server/data_root/master_address.h"
#include "server/data_root/region_notes.h"
#include "server/data_root/server_folder.h"
#include "server/data_root/snapshot_manifest.h"
#include "tests/fuzz/fuzz_input.h"

namespace vaquita {
namespace {

using fuzz::Check;
using fuzz::FileOf;
using fuzz::Folder;

// The notes of a database, by name.
void ReadDatabaseNotes(std::string_view bytes) {
  for (const std::string& value : {std::string(bytes), WithChecksum(bytes)}) {
    ReadNotes({{"region/0123456789abcdef0123456789abcdef", value}, {"table/t", value}, {"cluster", value}});
  }
}

void ReadManifests(std::string_view bytes) {
  NeededLogs needed;
  static_cast<void>(ApplyManifestRecord(bytes, &needed));
  for (const std::string& value : {std::string(bytes), WithChecksum(bytes)}) {
    if (const auto region = DecodeSnapshotRegion(value); region.ok()) {
      Check(DecodeSnapshotRegion(EncodeSnapshotRegion(*region)).ok(), "a written region can be read");
    }
    auto description = DecodeSnapshotDescription(value);
    if (description.ok()) {
      Check(DecodeSnapshotDescription(EncodeSnapshotDescription(*description)).ok(), "a description can be read");
    }
    SnapshotDescription of_t;
    of_t.table = {"default", "t"};
    const auto manifest = DecodeSnapshotManifest(of_t, value);
    if (!manifest.ok()) continue;
    Check(DecodeSnapshotManifest(of_t, EncodeSnapshotManifest(*manifest)).ok(), "a manifest can be read");
  }
}

// The values of hbase:meta and hbase:namespace.
void ReadStoredValues(std::string_view bytes) {
  for (const std::string& value : {std::string(bytes), absl::StrCat("PBUF", std::string(bytes))}) {
    if (const auto info = DecodeRegionInfo(value); info.ok()) {
      Check(DecodeRegionInfo(EncodeRegionInfo(*info)).ok(), "a region's info can be read");
    }
    if (const auto table = DecodeTableDescriptor(value); table.ok()) {
      Check(DecodeTableDescriptor(EncodeTableDescriptor(*table)).ok(), "a descriptor can be read");
    }
    if (const auto ns = DecodeNamespace(value); ns.ok()) {
      Check(DecodeNamespace(EncodeNamespace(*ns)).ok(), "a namespace can be read");
    }
    static_cast<void>(DecodeTableState(value));
    static_cast<void>(DecodeLong(value));
  }
}

// MARKS as a server of this boot has written it, but for some bytes: their place, and what stands there.
void ReadMarks(fuzz::Input input) {
  const size_t place = (size_t{input.Byte()} << 8 | input.Byte()) * 8;
  static const std::string whole = [] {
    AppendMarks marks;
    Check(marks.Start(Folder(), {}).ok(), "marks can be kept");
    marks.AddStore(1, "region/f", 7);
    std::string bytes(std::filesystem::file_size(absl::StrCat(Folder(), "/MARKS")), '\0');
    std::FILE* const file = std::fopen(absl::StrCat(Folder(), "/MARKS").c_str(), "rb");
    Check(std::fread(bytes.data(), 1, bytes.size(), file) == bytes.size(), "MARKS is read");
    std::fclose(file);
    return bytes;
  }();
  std::string bytes = whole;
  bytes.replace(std::min(place, bytes.size()), input.Rest().size(), input.Rest());
  bytes.resize(whole.size());
  FileOf("MARKS", bytes);
  const std::string log = FileOf("000012.log", input.Rest());
  const FoundMarks found = AppendMarks::Read(Folder());
  for (const auto& [file, mark] : found.files) {
    AppendedFile again;
    Check(ParseAppendedFile(AppendedFileName(file), &again) && again == file, "a file's name can be read");
    HeadFits(log, mark);
    TailFits(log, mark);
  }
  AppendMarks marks;
  Check(marks.Start(Folder(), found).ok(), "marks that were found can be kept");
}

void ReadDamageRecord(std::string_view text) {
  static const bool made = mkdir(DamageFolder(Folder()).c_str(), 0700) == 0;
  Check(made, "damage/ is made");
  FileOf("damage/RECORD", absl::StrCat(std::string(text), "checksum\t", Crc32c(text), "\n"));
  const auto record = DamageRecord::Load(Folder());
  if (!record.ok()) return;
  for (const LogGap& gap : record->gaps) Check(!DescribeGap(gap).empty(), "a gap is described");
}

// Small files of text in a data root.
void ReadTextFiles(std::string_view text) {
  static const bool made = mkdir((Folder() + "/master").c_str(), 0700) == 0;
  Check(made, "master/ is made");
  const std::string bytes(text);
  for (const std::string& file : {bytes, absl::StrCat(bytes, "check ", Crc32(bytes), "\n")}) {
    FileOf("master/address", file);
    static_cast<void>(ReadMasterAddress(Folder()));
  }
  FileOf("FORMAT", text);
  static_cast<void>(CheckDataFormat(Folder()));
  FileOf("EARLIER_SERVERS", text);
  static_cast<void>(OwnersOfFolder(Folder()));
}

void ReadCells(fuzz::Input input) {
  const std::string_view encoded = input.Sized();
  std::string scratch;
  CellKey key;
  if (ParseCellKey(encoded, &scratch, &key).ok()) {
    std::string again;
    AppendCellKey(key, &again);
    Check(again == encoded, "a key has one encoding");
  }
  KeyLayout layout;
  if (ReadKeyLayout(encoded, &layout)) {
    Check(layout.row_length <= layout.column_length && layout.column_length <= encoded.size(), "parts are in the key");
    KeyLayout column = layout;
    Check(ReadColumnLayout(encoded, &column) && column.column_length == layout.column_length, "both ways are the same");
    KeyRow(encoded, layout, &scratch);
    std::string qualifier;
    KeyQualifier(encoded, layout, &qualifier);
  }
  std::string_view value;
  int64_t ttl_ms = 0;
  if (ParseStoredValue(input.Rest(), &value, &ttl_ms)) {
    Check(value.size() <= input.Rest().size(), "a value is a part of what is stored");
    StoredWriteNumber(input.Rest());
  }
  std::string row_scratch, stored_scratch;
  for (const RowOrder order : {RowOrder::kBytes, RowOrder::kMeta}) {
    StoredRow(order, RowOfStored(order, input.Rest(), &row_scratch), &stored_scratch);
  }
}

// A line "name=value" each.
void ReadFileProperties(fuzz::Input input) {
  rocksdb::TableProperties properties;
  while (!input.Rest().empty()) {
    const std::string_view text = input.Until('\n');
    const size_t equals = std::min(text.find('='), text.size());
    properties.user_collected_properties[std::string(text.substr(0, equals))] =
        std::string(text.substr(std::min(equals + 1, text.size())));
  }
  ReadStoreFileProperties(properties);
}

}  // namespace
}  // namespace vaquita

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace vaquita;
  fuzz::SilenceLogs();
  fuzz::Input input(data, size);
  switch (input.Byte() % 8) {
    case 0:
      ReadDatabaseNotes(input.Rest());
      break;
    case 1:
      ReadManifests(input.Rest());
      break;
    case 2:
      ReadStoredValues(input.Rest());
      break;
    case 3:
      ReadMarks(input);
      break;
    case 4:
      ReadDamageRecord(input.Rest());
      break;
    case 5:
      ReadTextFiles(input.Rest());
      break;
    case 6:
      ReadCells(input);
      break;
    default:
      ReadFileProperties(input);
  }
  return 0;
}
