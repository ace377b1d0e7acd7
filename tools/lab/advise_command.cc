#include <algorithm>
#include <fstream>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/json_value.h"
#include "base/status.h"
#include "lab/report/advice.h"
#include "lab/report/design_comparison.h"
#include "lab/report/xml_text.h"
#include "lab/splits/design_splits.h"
#include "lab/splits/split_key_text.h"
#include "model/region_info.h"
#include "tools/lab/design_input.h"
#include "tools/lab/lab_command.h"
#include "tools/lab/live_cluster.h"
#include "tools/lab/live_sample.h"
#include "tools/lab/output_file.h"
#include "tools/lab/read_input.h"
#include "tools/lab/verbs.h"
#include "tools/progress/long_work.h"

namespace vaquita {
namespace {

struct AdviseOptions {
  std::string design;
  DesignInput records;
  std::string keys_file;
  std::string table;
  LiveCluster live;
  ReadInput reads;
  uint64_t sample = 200'000;
  bool sorted = false;
  int regions = 10;
  std::string format = "text";
  std::vector<std::string> outputs;
};

// The subject of the advice: records, and the design of their keys.
struct Examined {
  std::unique_ptr<lab::RecordSet> records;
  lab::LookupTables tables;
  std::optional<lab::KeyDesign> design;
  uint64_t run_records = 0;  // all those of which the records are a sample; 0: it is not known
  bool in_order_of_arrival = true;
  std::vector<std::string> notes;
};

constexpr const char* kKeyField = "key";

// Examines existing keys as records of one field.
absl::StatusOr<Examined> ExamineKeys(const std::vector<std::string>& keys, const std::string& where) {
  if (keys.empty()) return absl::InvalidArgumentError(where + " has no keys");
  auto records = std::make_unique<lab::SampledRecords>(lab::Schema({{kKeyField, lab::FieldKind::kText}}), keys.size());
  for (const std::string& key : keys) {
    const lab::FieldValue value{key, 0};
    records->Add({&value, 1});
  }
  Examined examined;
  VAQUITA_ASSIGN_OR_RETURN(examined.design, lab::KeyDesign::Parse(kKeyField, records->schema()));
  examined.records = std::move(records);
  return examined;
}

absl::StatusOr<Examined> ExamineKeysFile(const AdviseOptions& options) {
  std::ifstream file(options.keys_file);
  if (!file) return absl::InvalidArgumentError(absl::StrCat("keys file ", options.keys_file, " cannot be opened"));
  std::vector<std::string> keys;
  std::string line;
  while (keys.size() < options.sample && std::getline(file, line)) keys.push_back(lab::KeyOfLine(line));
  if (file.bad()) return absl::UnavailableError(absl::StrCat("keys file ", options.keys_file, " cannot be read"));
  return ExamineKeys(keys, options.keys_file);
}

absl::StatusOr<Examined> ExamineTable(const AdviseOptions& options) {
  VAQUITA_ASSIGN_OR_RETURN(const TableName name, TableName::Parse(options.table));
  VAQUITA_ASSIGN_OR_RETURN(const auto connection, options.live.Connect());
  VAQUITA_ASSIGN_OR_RETURN(const LiveSample sample, SampleTable(connection.get(), name, options.sample));
  VAQUITA_ASSIGN_OR_RETURN(Examined examined, ExamineKeys(sample.keys, "table " + options.table));
  examined.in_order_of_arrival = sample.in_order_of_arrival;
  const auto note = [&](const char* what, const std::vector<uint64_t>& requests) {
    uint64_t total = 0;
    for (const uint64_t count : requests) total += count;
    if (total == 0 || requests.size() < 2) return;
    const auto hottest = std::max_element(requests.begin(), requests.end()) - requests.begin();
    examined.notes.push_back(absl::StrFormat(
        "Measured: of %s %s since its %d regions were opened, the region that begins with '%s' got %s, as a multiple "
        "of "
        "an even share.",
        lab::WithCommas(total), what, requests.size(), ToStringBinary(sample.region_starts[hottest]),
        lab::ShareText(static_cast<double>(requests[hottest] * requests.size()) / static_cast<double>(total))));
  };
  note("writes", sample.region_writes);
  note("reads", sample.region_reads);
  return examined;
}

absl::StatusOr<Examined> ExamineRecords(const AdviseOptions& options) {
  if (options.design.empty()) {
    return absl::InvalidArgumentError(
        "nothing to examine: give DESIGN with --csv FILE or --generate FIELDS, or --keys FILE, or --table NAME "
        "--address "
        "...");
  }
  VAQUITA_ASSIGN_OR_RETURN(const RecordInput input, RecordInput::Open(options.records));
  Examined examined;
  VAQUITA_ASSIGN_OR_RETURN(examined.design, input.ParseDesign(options.design));
  VAQUITA_ASSIGN_OR_RETURN(examined.records, input.Records(options.sample));
  if (input.generator() != nullptr) {
    examined.records = std::make_unique<lab::SpreadRecords>(std::move(examined.records), options.sample);
  }
  examined.run_records = input.rows();
  examined.tables = input.lookups();
  return examined;
}

absl::StatusOr<Examined> Open(const AdviseOptions& options) {
  if (!options.keys_file.empty()) return ExamineKeysFile(options);
  if (!options.table.empty()) return ExamineTable(options);
  return ExamineRecords(options);
}

std::vector<std::string> KeysOf(const Examined& examined) {
  std::vector<std::string> keys;
  lab::RecordBuffer buffer;
  std::string key;
  for (uint64_t i = 0; i < examined.records->size(); ++i) {
    key.clear();
    const lab::Record record = examined.records->Get(i, &buffer);
    if (examined.design->AppendKey(record, examined.records->RunIndex(i), &key).ok()) keys.push_back(key);
  }
  return keys;
}

// The scan that is compared: the one asked for; of keys alone, a hundredth of them in a row.
absl::StatusOr<lab::ComparedLoad> LoadOf(const AdviseOptions& options, const Examined& examined) {
  ReadInput reads = options.reads;
  const lab::Schema& schema = examined.records->schema();
  if (reads.scan.empty() && schema.fields().size() == 1 && schema.fields()[0].kind == lab::FieldKind::kText) {
    reads.scan = schema.fields()[0].name + "=1%";
  }
  VAQUITA_ASSIGN_OR_RETURN(const lab::ReadLoad load, MakeReadLoad(reads, schema, options.records.seed));
  lab::ComparedLoad compared{
      .pattern = load.pattern, .scan = load.scan, .scan_name = ScanName(reads), .run_records = examined.run_records};
  if (reads.reads > 0) compared.gets = compared.scans = reads.reads;
  return compared;
}

// A table for the design; one region if it has too few keys for more.
lab::SplitKeys SplitsFor(const Examined& examined, const lab::KeyDesign& design, int regions) {
  auto splits = lab::SplitsOfDesign(*examined.records, design, regions);
  return splits.ok() ? *std::move(splits) : lab::SplitKeys();
}

struct Advice {
  std::vector<std::string> notes;
  std::vector<lab::Finding> findings;
  std::vector<lab::Proposal> proposals;
  std::vector<lab::DesignFigures> figures;  // the key's, followed by the proposals'
  lab::ComparedLoad load;
};

absl::StatusOr<Advice> Advise(const AdviseOptions& options) {
  VAQUITA_ASSIGN_OR_RETURN(Examined examined, Open(options));
  if (options.sorted) examined.in_order_of_arrival = false;
  Advice advice{.notes = examined.notes, .findings = {}, .proposals = {}, .figures = {}, .load = {}};
  VAQUITA_ASSIGN_OR_RETURN(advice.load, LoadOf(options, examined));
  const lab::KeyStatistics statistics = lab::DescribeKeys(KeysOf(examined));
  advice.notes.insert(advice.notes.begin(),
                      absl::StrFormat("Examined: %s keys, %s different, %.1f bytes on average (%d to %d).",
                                      lab::WithCommas(statistics.keys), lab::WithCommas(statistics.distinct),
                                      statistics.mean_bytes, statistics.shortest, statistics.longest));
  if (!examined.in_order_of_arrival) {
    advice.notes.emplace_back("The order in which the keys arrived is not known, so rising keys cannot be found.");
  }
  const auto simulate = [&](const std::string& name, const lab::KeyDesign& design) {
    return lab::SimulateDesign(name, design, examined.tables, *examined.records,
                               SplitsFor(examined, design, options.regions), advice.load);
  };
  VAQUITA_ASSIGN_OR_RETURN(lab::DesignFigures now, simulate("now", *examined.design));
  const lab::ExaminedKey key{.design = *examined.design,
                             .tables = examined.tables,
                             .records = *examined.records,
                             .statistics = statistics,
                             .writes = now.writes,
                             .regions = now.splits.regions(),
                             .in_order_of_arrival = examined.in_order_of_arrival};
  advice.figures.push_back(std::move(now));
  advice.findings = lab::FindProblems(key);
  for (const lab::Proposal& proposal : lab::ProposeDesigns(key, advice.findings)) {
    VAQUITA_ASSIGN_OR_RETURN(const auto design,
                             lab::KeyDesign::Parse(proposal.design, examined.records->schema(), examined.tables));
    const std::string name(1, static_cast<char>('A' + advice.proposals.size()));
    auto figures = simulate(name, design);
    if (!figures.ok()) continue;  // the design makes no key for these records
    advice.proposals.push_back(proposal);
    advice.figures.push_back(*std::move(figures));
  }
  return advice;
}

std::string SplitsLine(const lab::SplitKeys& splits) {
  std::string text;
  for (const std::string& key : splits.keys())
    absl::StrAppend(&text, text.empty() ? "'" : " '", ToStringBinary(key), "'");
  return text;
}

std::string AdviceText(const Advice& advice) {
  std::string text;
  for (const std::string& note : advice.notes) absl::StrAppend(&text, note, "\n");
  if (advice.findings.empty()) text += "No problem was found with this key.\n";
  for (const lab::Finding& finding : advice.findings) absl::StrAppend(&text, finding.text, "\n");
  for (size_t i = 0; i < advice.proposals.size(); ++i) {
    const lab::DesignFigures& figures = advice.figures[i + 1];
    absl::StrAppend(&text, "\nProposal ", figures.name, ": ", advice.proposals[i].design, "\n  ",
                    advice.proposals[i].reason, "\n  splits: ", SplitsLine(figures.splits), "\n");
  }
  return text + "\n" + lab::ComparisonText(advice.figures, advice.load);
}

std::string AdviceJson(const Advice& advice) {
  Json json{{"notes", advice.notes},
            {"findings", Json::array()},
            {"proposals", Json::array()},
            {"figures", lab::ComparisonJson(advice.figures, advice.load)}};
  for (const lab::Finding& finding : advice.findings) json["findings"].push_back(finding.text);
  for (const lab::Proposal& proposal : advice.proposals) {
    json["proposals"].push_back({{"design", proposal.design}, {"reason", proposal.reason}});
  }
  return IndentedJsonText(json) + "\n";
}

std::string AdviceHtml(const Advice& advice) {
  const auto list = [](const std::vector<std::string>& items) {
    return items.empty() ? "" : absl::StrCat("<ul><li>", absl::StrJoin(items, "</li>\n<li>"), "</li></ul>\n");
  };
  std::vector<std::string> notes, findings, proposals;
  for (const std::string& note : advice.notes) notes.push_back(lab::XmlText(note));
  for (const lab::Finding& finding : advice.findings) findings.push_back(lab::XmlText(finding.text));
  for (size_t i = 0; i < advice.proposals.size(); ++i) {
    const lab::DesignFigures& figures = advice.figures[i + 1];
    proposals.push_back(absl::StrCat("<b>", figures.name, "</b>: <code>", lab::XmlText(advice.proposals[i].design),
                                     "</code><br>", lab::XmlText(advice.proposals[i].reason),
                                     "<details><summary>splits</summary><code>",
                                     lab::XmlText(SplitsLine(figures.splits)), "</code></details>"));
  }
  const std::string intro =
      absl::StrCat("<div class=\"quiet\">", list(notes), "</div>\n<h2>Problems</h2>\n",
                   findings.empty() ? "<p>No problem was found with this key.</p>\n" : list(findings),
                   proposals.empty() ? "" : "<h2>Proposals</h2>\n", list(proposals));
  return lab::ComparisonHtml("Advice on a row key", intro, advice.figures, advice.load, "");
}

std::string Formatted(const Advice& advice, const std::string& format) {
  return format == "json" ? AdviceJson(advice) : format == "html" ? AdviceHtml(advice) : AdviceText(advice);
}

absl::Status PrintAdvice(const AdviseOptions& options) {
  auto work = std::make_optional<LongWork>("looking for better keys");
  VAQUITA_ASSIGN_OR_RETURN(const Advice advice, Advise(options));
  work.reset();
  VAQUITA_RETURN_IF_ERROR(WriteOutput("", Formatted(advice, options.format)));
  return WriteOutputs(options.outputs, [&](const std::string& format) { return Formatted(advice, format); });
}

}  // namespace

void AddAdviseCommand(LabCommand* lab) {
  auto options = std::make_shared<AdviseOptions>();
  CLI::App* command = lab->AddVerb("advise", "Find problems of a row key, and propose other designs",
                                   [options] { return PrintAdvice(*options); });
  command->add_option("design", options->design,
                      "The present key: an expression, a CSV file's column, or the name of an example's design");
  AddRecordOptions(command, &options->records);
  command->add_option("--keys", options->keys_file,
                      "A file of keys in the order they arrived, one per line as Bytes.toStringBinary writes them");
  command->add_flag("--sorted", options->sorted, "The keys are in key order, not in the order they arrived");
  command->add_option("--table", options->table, "A sample of this table of a running cluster");
  AddLiveOptions(command, &options->live);
  AddReadOptions(command, &options->reads);
  command->add_option("--sample", options->sample, "The number of keys to examine")->capture_default_str();
  command->add_option("--regions", options->regions, "The number of regions of the simulated table")
      ->check(CLI::Range(2, 10'000))
      ->capture_default_str();
  AddFormatOptions(command, &options->format, &options->outputs);
}

}  // namespace vaquita
