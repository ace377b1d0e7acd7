// Measures the time of a row key by design, with its record and without I/O, on one core.
#include <string>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "bench/suite.h"
#include "lab/design/key_design.h"
#include "lab/records/record_generator.h"

namespace vaquita::bench {
namespace {

constexpr int kKeyTurns = 5;

struct DesignRow {
  const char* generate;
  const char* design;
  double most_ns;
};

// Without MD5 a key may take 35 ns, and with it 200: then 100 million keys take less than 3 and 15 seconds on two
// cores, with their regions found and counted.
constexpr DesignRow kDesigns[] = {
    {"id=sequence()", "int64(id)", 35},
    {"id=sequence()", "pad(id, 12)", 35},
    {"id=sequence()", "'foo' + pad(id, 10)", 35},
    {"id=sequence()", "reverse_bits(int64(id))", 35},
    {"ts=time(2026-01-01, 1ms)", "bucket(long_hash(ts), 5) + int64(ts)", 35},
    {"id=uniform(1, 1000000000)", "reverse_digits(pad(id, 11))", 35},
    {"user=uniform(1, 100000), ts=time(2026-01-01, 1ms)", "pad(user, 6) + int64(MAX_LONG - ts)", 35},
    {"id=sequence()", "salt(16) + int64(id)", 35},
    {"phone=phone('49170', 7), ts=time(2026-01-01, 1ms)", "hash_prefix(md5_hex(phone), 3) + phone + int64(ts)", 200},
    {"id=sequence()", "md5(int64(id))", 200},
};

absl::Status MakeKeys(benchmark::State& state, const DesignRow& row) {
  VAQUITA_ASSIGN_OR_RETURN(const lab::RecordGenerator generator, lab::RecordGenerator::Parse(row.generate));
  VAQUITA_ASSIGN_OR_RETURN(const lab::KeyDesign design, lab::KeyDesign::Parse(row.design, generator.schema()));
  lab::RecordBuffer buffer;
  std::string key;
  uint64_t i = 0;
  for (auto _ : state) {
    key.clear();
    VAQUITA_RETURN_IF_ERROR(design.AppendKey(generator.Generate(i, &buffer), i, &key));
    ++i;
  }
  return absl::OkStatus();
}

}  // namespace

void AddKeys(Suite* suite) {
  for (const DesignRow& row : kDesigns) {
    const std::string name = absl::StrCat("keys/", row.design);
    suite->Add(name, [row](benchmark::State& state) { return MakeKeys(state, row); })
        ->MinTime(0.1)
        ->Repetitions(kKeyTurns)
        ->ReportAggregatesOnly();
    suite->Expect({row.design, name, kCpuTime, "ns/key", Goal::Kind::kAtMost, row.most_ns});
  }
}

}  // namespace vaquita::bench
