// tests/fuzz/backup_fuzz.cc: a backup that somebody else may have made: its tar archive, and its index.
//
// The first byte says which. Nothing may be written outside the folder that the archive is unpacked to.
#include <filesystem>
#include <sstream>
#include <string>

#include "tests/fuzz/fuzz_input.h"
#include "tools/backup/archive.h"
#include "tools/backup/backup_index.h"
#include "tools/backup/tar_format.h"

namespace vaquita::backup {
namespace {

namespace fs = std::filesystem;

void ReadEntries(std::string_view bytes) {
  std::istringstream in{std::string(bytes)};
  tar::Reader reader(&in, "backup.tar");
  while (true) {
    const auto entry = reader.Next();
    if (!entry.ok() || !entry->has_value()) return;
    fuzz::Check((*entry)->size >= 0, "a size is not negative");
    in.ignore((*entry)->size);
  }
}

void Unpack(std::string_view bytes) {
  static const std::string around = fuzz::Folder() + "/around";
  const std::string archive = fuzz::FileOf("backup.tar", bytes);
  fs::create_directories(around + "/to");
  const auto files = ExtractArchive(archive, around + "/to");
  size_t outside = 0;
  for (const auto& entry : fs::directory_iterator(around)) outside += entry.path().filename() != "to" ? 1 : 0;
  fuzz::Check(outside == 0, "nothing is beside the folder");
  if (files.ok()) {
    for (const auto& [path, size] : *files) {
      fuzz::Check(fs::file_size(fs::path(around) / "to" / path) == static_cast<uintmax_t>(size), "a file has its size");
    }
  }
  fs::remove_all(around);
}

void ReadIndex(std::string_view json) {
  const auto index = ParseIndex(json);
  if (index.ok()) fuzz::Check(ParseIndex(ToJson(*index)).ok(), "a written index can be read");
}

}  // namespace
}  // namespace vaquita::backup

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace vaquita;
  fuzz::SilenceLogs();
  fuzz::Input input(data, size);
  switch (input.Byte() % 3) {
    case 0:
      backup::ReadEntries(input.Rest());
      break;
    case 1:
      backup::Unpack(input.Rest());
      break;
    default:
      backup::ReadIndex(input.Rest());
  }
  return 0;
}
