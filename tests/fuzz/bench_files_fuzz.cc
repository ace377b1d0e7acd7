// tests/fuzz/bench_files_fuzz.cc: the files that `vaquita bench` reads: a workload's properties, and the results of
// runs. The first byte says which.
#include <string>

#include "tests/fuzz/fuzz_input.h"
#include "tools/bench/comparison.h"
#include "tools/bench/run_record.h"
#include "tools/bench/workload.h"

namespace vaquita::bench {
namespace {

void ReadWorkload(std::string_view text) {
  const auto workload = FindWorkload(fuzz::FileOf("workload", text));
  if (!workload.ok()) return;
  Workload again;
  for (const auto& [name, value] : workload->Properties()) {
    fuzz::Check(again.Set(name, value).ok(), "a workload's property can be set");
  }
  static_cast<void>(workload->Validate());
}

void ReadResults(std::string_view text) {
  const std::string path = fuzz::FileOf("run.json", text);
  const auto runs = ReadRuns(path);
  if (!runs.ok()) return;
  fuzz::Check(ReadRuns(fuzz::FileOf("again.json", ToJson(*runs))).ok(), "written runs can be read");
  const auto groups = ReadGroups({path});
  if (!groups.ok()) return;
  ComparisonText(*groups);
  DifferentSettings(*groups);
}

}  // namespace
}  // namespace vaquita::bench

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  vaquita::fuzz::SilenceLogs();
  vaquita::fuzz::Input input(data, size);
  if (input.Byte() % 2 == 0) {
    vaquita::bench::ReadWorkload(input.Rest());
  } else {
    vaquita::bench::ReadResults(input.Rest());
  }
  return 0;
}
