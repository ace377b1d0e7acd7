#include "tools/lab/read_input.h"

#include "CLI/CLI.hpp"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status.h"
#include "lab/records/expression.h"
#include "lab/report/simulation_report.h"
#include "tools/lab/design_input.h"

namespace vaquita {
namespace {

absl::StatusOr<int> FieldNamed(const std::string& name, const lab::Schema& schema, const char* option) {
  if (const auto field = schema.Find(name)) return *field;
  return absl::InvalidArgumentError(
      absl::StrCat(option, ": unknown field '", name, "'; the fields are ", schema.Names()));
}

}  // namespace

void AddReadOptions(CLI::App* command, ReadInput* input) {
  command->add_option("--reads", input->reads, "The number of reads to simulate after the writes");
  command->add_option("--pattern", input->pattern, "The records that they ask for: uniform, zipfian or latest")
      ->capture_default_str();
  command->add_option(
      "--scan", input->scan,
      "Each read is a scan of a field's range: ts=1h, id=1000; of a text field a share: name=1%. Without "
      "it, a get of one record");
  command->add_option("--known", input->known, "Fields whose values a scan also knows: --known user,host")
      ->delimiter(',');
}

absl::StatusOr<lab::ReadLoad> MakeReadLoad(const ReadInput& input, const lab::Schema& schema, uint64_t seed) {
  if (input.reads > kMostRunRows) {
    return absl::InvalidArgumentError(absl::StrCat("--reads ", input.reads, ": at most ", kMostRunRows));
  }
  lab::ReadLoad load{.reads = input.reads, .seed = seed};
  VAQUITA_ASSIGN_OR_RETURN(load.pattern, lab::ParseReadPattern(input.pattern));
  if (input.scan.empty()) return load;
  const size_t equals = input.scan.find('=');
  if (equals == std::string::npos) {
    return absl::InvalidArgumentError(absl::StrCat("--scan ", input.scan, " is not FIELD=LENGTH, as ts=1h"));
  }
  lab::ReadLoad::FieldScan scan;
  VAQUITA_ASSIGN_OR_RETURN(scan.field, FieldNamed(input.scan.substr(0, equals), schema, "--scan"));
  const std::string length = input.scan.substr(equals + 1);
  double percent = 0;
  if (schema.fields()[scan.field].kind == lab::FieldKind::kText) {
    const bool is_share = length.size() > 1 && length.back() == '%' &&
                          absl::SimpleAtod(length.substr(0, length.size() - 1), &percent) && percent > 0 &&
                          percent <= 100;
    if (!is_share) {
      return absl::InvalidArgumentError(
          absl::StrCat("--scan ", input.scan, ": the range of a text field is a share, as 1%"));
    }
    scan.share = percent / 100;
  } else {
    const auto number = lab::ParseExpression(length);
    if (!number.ok() || number->kind != lab::Expression::Kind::kNumber || number->number < 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("--scan ", input.scan, ": the length is a duration, as 1h, or a number, at least 1"));
    }
    scan.length = number->number;
  }
  for (const std::string& name : input.known) {
    VAQUITA_ASSIGN_OR_RETURN(const int field, FieldNamed(name, schema, "--known"));
    scan.known_fields.push_back(field);
  }
  load.scan = scan;
  return load;
}

std::string ScanName(const ReadInput& input) {
  if (input.scan.empty()) return {};
  const size_t equals = input.scan.find('=');
  return absl::StrCat("scan of ", input.scan.substr(equals + 1), " of ", input.scan.substr(0, equals),
                      input.known.empty() ? "" : " with the same ", absl::StrJoin(input.known, " and "));
}

std::string ReadDescription(const ReadInput& input) {
  const std::string name = input.scan.empty() ? "get" : ScanName(input);
  return absl::StrCat(lab::WithCommas(input.reads), " times a ", name, ", ", input.pattern);
}

}  // namespace vaquita
