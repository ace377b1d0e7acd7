#include "tools/console/laboratory.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/status.h"
#include "lab/design/duplicate_keys.h"
#include "lab/design/example.h"
#include "lab/design/key_statistics.h"
#include "lab/report/advice.h"
#include "lab/report/simulation_report.h"
#include "model/region_info.h"
#include "tools/console/laboratory_input.h"

namespace vaquita {
namespace {

constexpr int kSlices = 60;
constexpr uint64_t kShownKeys = 6;
constexpr uint64_t kExaminedKeys = 20'000;

std::vector<std::string> FirstKeys(const lab::RecordSet& records, const lab::KeyDesign& design, uint64_t most) {
  std::vector<std::string> keys;
  lab::RecordBuffer buffer;
  uint64_t bytes = 0;  // the records that the rows were measured by may have shorter keys than these
  for (uint64_t index = 0; index < std::min(most, records.size()) && bytes < LaboratoryInput::kMostKeyBytes; ++index) {
    std::string key;
    if (!design.AppendKey(records.Get(index, &buffer), index, &key).ok()) continue;
    bytes += key.size();
    keys.push_back(std::move(key));
  }
  return keys;
}

Json PartsJson(const lab::RecordSet& records, const lab::KeyDesign& design) {
  Json json = Json::array();
  lab::RecordBuffer buffer;
  const auto parts = design.Explain(records.Get(0, &buffer), 0);
  if (!parts.ok()) return json;
  for (const lab::KeyPart& part : *parts) {
    json.push_back({{"source", part.source},
                    {"bytes", ToStringBinary(part.bytes)},
                    {"meaning", part.meaning},
                    {"note", part.note}});
  }
  return json;
}

void AddAdvice(const lab::ExaminedKey& key, Json* json) {
  const std::vector<lab::Finding> findings = lab::FindProblems(key);
  (*json)["findings"] = Json::array();
  for (const lab::Finding& finding : findings) (*json)["findings"].push_back(finding.text);
  (*json)["proposals"] = Json::array();
  for (const lab::Proposal& proposal : lab::ProposeDesigns(key, findings)) {
    (*json)["proposals"].push_back({{"design", proposal.design}, {"reason", proposal.reason}});
  }
}

absl::StatusOr<Json> DesignJson(const LaboratoryInput& input, const LaboratoryDesign& named) {
  const lab::KeyDesign& design = *named.design;
  const lab::FirstRecords records(input.records, named.rows);
  VAQUITA_ASSIGN_OR_RETURN(lab::WriteSimulation writes,
                           lab::SimulateWrites(records, design, named.splits, {.slices = kSlices, .threads = 1}));
  const lab::SimulationReport report{.design = design.expression(),
                                     .splits = named.splits,
                                     .starts = lab::ReadableStarts(design, named.splits),
                                     .times = std::nullopt,
                                     .writes = std::move(writes)};
  Json json = {{"name", named.name}, {"rows", named.rows}};
  json.update(Json::parse(lab::ReportJson(report)));
  json["keys"] = Json::array();
  for (const std::string& key : FirstKeys(records, design, kShownKeys)) json["keys"].push_back(ToStringBinary(key));
  json["parts"] = PartsJson(records, design);
  json["repeated"] = lab::FindDuplicateKeys(records, design, kExaminedKeys).Text();
  const lab::KeyStatistics statistics = lab::DescribeKeys(FirstKeys(records, design, kExaminedKeys));
  AddAdvice({.design = design,
             .tables = input.tables,
             .records = records,
             .statistics = statistics,
             .writes = lab::SpreadOf(report.writes.counts),
             .regions = named.splits.regions()},
            &json);
  return json;
}

}  // namespace

absl::StatusOr<std::string> SimulateForPage(std::string_view body) {
  VAQUITA_ASSIGN_OR_RETURN(const Json request, ParseRequestJson(body));
  VAQUITA_ASSIGN_OR_RETURN(const LaboratoryInput input, ReadLaboratoryInput(request, LaboratoryInput::kMostRows));
  Json answer = {{"version", 1}, {"designs", Json::array()}};
  for (const LaboratoryDesign& design : input.designs) {
    absl::StatusOr<Json> json =
        design.error.empty() ? DesignJson(input, design) : absl::InvalidArgumentError(design.error);
    answer["designs"].push_back(
        json.ok() ? *std::move(json) : Json{{"name", design.name}, {"error", std::string(json.status().message())}});
  }
  return JsonText(answer);
}

absl::StatusOr<std::string> ExamplesForPage(std::string_view) {
  Json examples = Json::array();
  for (const std::string_view name : lab::ExampleNames()) {
    VAQUITA_ASSIGN_OR_RETURN(const lab::Example example, lab::FindExample(name));
    Json designs = Json::array();
    for (const lab::ExampleDesign& design : example.designs) {
      designs.push_back({{"name", design.name}, {"expression", design.expression}});
    }
    examples.push_back({{"name", example.name},
                        {"question", example.question},
                        {"about", example.about},
                        {"records", example.records},
                        {"designs", std::move(designs)}});
  }
  return JsonText({{"version", 1}, {"examples", std::move(examples)}});
}

}  // namespace vaquita
