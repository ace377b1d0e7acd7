// tests/fuzz/site_file_fuzz.cc: a file in hbase-site.xml's format, and its properties as settings: of a server, of a
// client, and of the laboratory's emulator.
#include <string>

#include "base/options.h"
#include "base/site_file.h"
#include "base/tls/tls_keys.h"
#include "lab/emulator/hbase_settings.h"
#include "tests/fuzz/fuzz_input.h"

namespace vaquita {
namespace {

void ReadSettings(const std::vector<SiteProperty>& properties) {
  Options options;
  for (const SiteProperty& property : properties) {
    const absl::Status set = SetOption(property.name, property.value, &options);
    fuzz::Check(set.ok() || !set.message().empty(), "an error has a message");
  }
  for (const OptionRow& row : OptionRows()) {
    Options again;
    fuzz::Check(SetOption(row.name, OptionText(row, options), &again).ok(), "a setting's text can be read");
  }
  lab::HBaseSettings emulated;
  static_cast<void>(lab::ApplySite(properties, &emulated));
}

}  // namespace
}  // namespace vaquita

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace vaquita;
  const std::string path = fuzz::FileOf("site.xml", fuzz::Input(data, size).Rest());
  static_cast<void>(ReadClientOptions(path));
  const auto properties = ReadSiteFile(path);
  if (!properties.ok()) return 0;
  ReadSettings(*properties);
  const auto again = ReadSiteFile(fuzz::FileOf("again.xml", WriteSiteFile(*properties)));
  fuzz::Check(again.ok() && again->size() == properties->size(), "a written file can be read");
  return 0;
}
