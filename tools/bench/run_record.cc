#include "tools/bench/run_record.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "base/durable_files.h"
#include "base/json_value.h"
#include "tools/bench/workload.h"

namespace vaquita::bench {
namespace {

constexpr char kFormat[] = "vaquita bench 1";
constexpr size_t kMostRuns = 1000;
constexpr double kPercentiles[] = {50, 90, 95, 99, 99.9, 99.99};

double Microseconds(double ns) { return ns / 1000; }

Json HistogramJson(const LatencyHistogram& histogram) {
  Json buckets = Json::array();
  for (const auto& [ns, count] : histogram.Buckets()) buckets.push_back({ns, count});
  return buckets;
}

// Sums of a million stay in 64 bits.
uint64_t TallyOf(const Json& value) { return static_cast<uint64_t>(IntegerOf(value, 0, int64_t{1} << 40)); }

LatencyHistogram HistogramFrom(const Json& buckets) {
  LatencyHistogram histogram;
  for (const Json& bucket : buckets) histogram.Record(IntegerOf(bucket.at(0)), TallyOf(bucket.at(1)));
  return histogram;
}

Json OperationJson(const OperationRecord& record) {
  Json json = {{"calls", record.latency.count()},
               {"rows", record.rows},
               {"failed", record.failed},
               {"mean_us", Microseconds(record.latency.MeanNs())},
               {"max_us", Microseconds(static_cast<double>(record.latency.max_ns()))},
               {"histogram_ns", HistogramJson(record.latency)}};
  for (const double percent : kPercentiles) {
    json[absl::StrCat("p", percent, "_us")] = Microseconds(static_cast<double>(record.latency.AtPercent(percent)));
  }
  return json;
}

Json RunJson(const RunRecord& run) {
  Json json = {{"label", run.label},
               {"address", run.address},
               {"started", run.started},
               {"version", run.version},
               {"server_version", run.server},
               {"round", run.round},
               {"workload", run.workload},
               {"properties", Json::object()},
               {"seed", run.seed},
               {"threads", run.threads},
               {"connections", run.connections},
               {"rate", run.rate},
               {"warmup_s", run.warmup_s},
               {"verified", run.verified},
               {"seconds", run.seconds},
               {"calls_per_second", run.CallsPerSecond()},
               {"rows_per_second", run.RowsPerSecond()},
               {"all", OperationJson(run.All())},
               {"operations", Json::object()},
               {"service_histogram_ns", HistogramJson(run.service)},
               {"per_second", Json::array()},
               {"wrong", run.wrong},
               {"not_started", run.not_started},
               {"errors", run.errors},
               {"regions", run.regions},
               {"hottest_share", run.hottest_share},
               {"hottest_start", run.hottest_start},
               {"bytes_written", run.bytes_written},
               {"client_cpu_s", run.client_cpu_s}};
  for (const auto& [name, value] : run.properties) json["properties"][name] = value;
  for (const auto& [name, record] : run.operations) json["operations"][name] = OperationJson(record);
  for (const SecondRecord& second : run.per_second) {
    json["per_second"].push_back({{"calls", second.calls},
                                  {"rows", second.rows},
                                  {"mean_us", second.mean_us},
                                  {"max_us", second.max_us},
                                  {"hottest_share", second.hottest_share}});
  }
  if (run.server_figures) {
    const ServerRecord& server = *run.server_figures;
    json["server"] = {{"cpu_s", server.cpu_s},
                      {"memory_bytes", server.memory_bytes},
                      {"memory_is", server.memory_is_resident ? "resident" : "heap"},
                      {"log_bytes", server.log_bytes},
                      {"flushed_bytes", server.flushed_bytes},
                      {"compacted_bytes", server.compacted_bytes},
                      {"write_amplification", run.WriteAmplification()}};
  } else {
    json["no_server"] = run.no_server_figures;
  }
  return json;
}

// The value may be seconds, microseconds or calls a second.
double FigureOf(const Json& value) {
  constexpr double kMost = 1e18;
  const double figure = value.get<double>();
  if (figure >= 0 && figure <= kMost) return figure;
  throw Json::other_error::create(501, absl::StrCat("a number from 0 to ", kMost, " belongs here, not ", figure),
                                  &value);
}

// Sums of a few stay in 64 bits.
int64_t BytesOf(const Json& value) { return IntegerOf(value, 0, int64_t{1} << 60); }

int CountOf(const Json& value) { return static_cast<int>(IntegerOf(value, 0, std::numeric_limits<int>::max())); }

// A histogram takes up to 270 KB, however short its text is, so a run has no more of them than there are operations.
void CheckOperation(const std::string& name, const Json& run) {
  for (size_t kind = 0; kind < kOperationKinds; ++kind) {
    if (name == NameOf(static_cast<OperationKind>(kind))) return;
  }
  throw Json::other_error::create(501, absl::StrCat("there is no operation '", name, "'"), &run);
}

RunRecord RunFrom(const Json& json) {
  RunRecord run;
  json.at("label").get_to(run.label);
  json.at("address").get_to(run.address);
  json.at("started").get_to(run.started);
  json.at("version").get_to(run.version);
  json.at("server_version").get_to(run.server);
  run.round = CountOf(json.at("round"));
  json.at("workload").get_to(run.workload);
  for (const auto& [name, value] : json.at("properties").items()) run.properties.emplace_back(name, value);
  run.seed = UnsignedOf(json.at("seed"));
  run.threads = CountOf(json.at("threads"));
  run.connections = CountOf(json.at("connections"));
  run.rate = FigureOf(json.at("rate"));
  run.warmup_s = FigureOf(json.at("warmup_s"));
  json.at("verified").get_to(run.verified);
  run.seconds = FigureOf(json.at("seconds"));
  for (const auto& [name, from] : json.at("operations").items()) {
    CheckOperation(name, json);
    run.operations[name] = {.latency = HistogramFrom(from.at("histogram_ns")),
                            .rows = TallyOf(from.at("rows")),
                            .failed = TallyOf(from.at("failed"))};
  }
  run.service = HistogramFrom(json.at("service_histogram_ns"));
  for (const Json& second : json.at("per_second")) {
    run.per_second.push_back({.calls = TallyOf(second.at("calls")),
                              .rows = TallyOf(second.at("rows")),
                              .mean_us = FigureOf(second.at("mean_us")),
                              .max_us = FigureOf(second.at("max_us")),
                              .hottest_share = FigureOf(second.at("hottest_share"))});
  }
  run.wrong = TallyOf(json.at("wrong"));
  run.not_started = TallyOf(json.at("not_started"));
  json.at("errors").get_to(run.errors);
  run.regions = TallyOf(json.at("regions"));
  run.hottest_share = FigureOf(json.at("hottest_share"));
  json.at("hottest_start").get_to(run.hottest_start);
  run.bytes_written = static_cast<uint64_t>(BytesOf(json.at("bytes_written")));
  run.client_cpu_s = FigureOf(json.at("client_cpu_s"));
  if (const auto server = json.find("server"); server != json.end()) {
    run.server_figures = ServerRecord{.cpu_s = FigureOf(server->at("cpu_s")),
                                      .memory_bytes = BytesOf(server->at("memory_bytes")),
                                      .memory_is_resident = server->at("memory_is") == "resident",
                                      .log_bytes = BytesOf(server->at("log_bytes")),
                                      .flushed_bytes = BytesOf(server->at("flushed_bytes")),
                                      .compacted_bytes = BytesOf(server->at("compacted_bytes"))};
  } else {
    run.no_server_figures = json.value("no_server", "");
  }
  return run;
}

}  // namespace

OperationRecord RunRecord::All() const {
  OperationRecord all;
  for (const auto& [name, record] : operations) {
    all.latency.Add(record.latency);
    all.rows += record.rows;
    all.failed += record.failed;
  }
  return all;
}

double RunRecord::CallsPerSecond() const {
  double calls = 0;
  for (const auto& [name, record] : operations) calls += static_cast<double>(record.latency.count());
  return seconds > 0 ? calls / seconds : 0;
}

double RunRecord::RowsPerSecond() const {
  double rows = 0;
  for (const auto& [name, record] : operations) rows += static_cast<double>(record.rows);
  return seconds > 0 ? rows / seconds : 0;
}

double RunRecord::WriteAmplification() const {
  if (!server_figures || bytes_written == 0) return 0;
  return static_cast<double>(server_figures->written_bytes()) / static_cast<double>(bytes_written);
}

std::string ToJson(const std::vector<RunRecord>& runs) {
  Json json = {{"format", kFormat}, {"runs", Json::array()}};
  for (const RunRecord& run : runs) json["runs"].push_back(RunJson(run));
  // Keys are bytes; text of servers may be anything.
  return JsonText(json) + "\n";
}

absl::StatusOr<std::vector<RunRecord>> ReadRuns(const std::string& path) {
  const absl::StatusOr<std::string> text = ReadFile(path);
  if (!text.ok()) return absl::InvalidArgumentError(absl::StrCat(path, " cannot be read: ", text.status().message()));
  const absl::StatusOr<Json> json = ParseJson(*text);
  if (!json.ok() || !json->is_object() || json->value("format", Json()) != kFormat) {
    return absl::InvalidArgumentError(absl::StrCat(
        path, " is not a file that `vaquita bench --output` wrote: it lacks \"format\": \"", kFormat, "\""));
  }
  std::vector<RunRecord> runs;
  try {
    const Json& all = json->at("runs");
    if (all.size() > kMostRuns) {
      return absl::InvalidArgumentError(
          absl::StrCat(path, " has ", all.size(), " runs, and at most ", kMostRuns, " are compared"));
    }
    for (const Json& run : all) runs.push_back(RunFrom(run));
  } catch (const Json::exception& error) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": ", error.what()));
  }
  if (runs.empty()) return absl::InvalidArgumentError(path + " has no runs");
  return runs;
}

}  // namespace vaquita::bench
