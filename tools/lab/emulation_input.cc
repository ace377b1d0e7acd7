#include "tools/lab/emulation_input.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

#include "CLI/CLI.hpp"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/site_file.h"
#include "base/status.h"
#include "lab/emulator/cell_sizes.h"
#include "lab/emulator/hbase_settings.h"
#include "lab/records/random_number.h"
#include "tools/lab/quantity.h"

namespace vaquita {
namespace {

constexpr double kMostValueBytes = 1 << 30;
constexpr double kMostRecords = 1e18;

// "d:19x12": family d, 19 columns, values of 12 bytes.
absl::StatusOr<lab::EmulatedFamily> ParseFamily(const std::string& text, double qualifier_bytes) {
  lab::EmulatedFamily family{.qualifier_bytes = qualifier_bytes};
  const size_t colon = text.find(':');
  const size_t times = text.find('x', colon == std::string::npos ? 0 : colon);
  family.name = text.substr(0, colon);
  if (colon == std::string::npos || times == std::string::npos || family.name.empty() ||
      !absl::SimpleAtoi(text.substr(colon + 1, times - colon - 1), &family.columns) ||
      !absl::SimpleAtod(text.substr(times + 1), &family.value_bytes) ||
      !(family.value_bytes >= 0 && family.value_bytes <= kMostValueBytes)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--family ", text, " is not NAME:COLUMNSxBYTES, as d:19x12 (19 columns with values of 12 bytes)"));
  }
  return family;
}

lab::EmulatedFamily FamilyOf(const lab::CellShape& shape) {
  return {.name = shape.family,
          .columns = std::max(1, static_cast<int>(shape.columns)),
          .qualifier_bytes = static_cast<double>(shape.qualifier_bytes),
          .value_bytes = static_cast<double>(shape.value_bytes)};
}

absl::StatusOr<std::vector<SiteProperty>> ParseAssignments(const std::vector<std::string>& assignments) {
  std::vector<SiteProperty> properties;
  for (const std::string& assignment : assignments) {
    const size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == assignment.size()) {
      return absl::InvalidArgumentError(absl::StrCat("-D ", assignment, ": must be NAME=VALUE"));
    }
    properties.push_back({assignment.substr(0, equals), assignment.substr(equals + 1)});
    if (!lab::IsHBaseSetting(properties.back().name)) {
      return absl::InvalidArgumentError(
          absl::StrCat("-D ", assignment,
                       ": the emulator does not use this property; docs/lab-emulator.md lists those that it uses"));
    }
  }
  return properties;
}

double FileBytesPerRecord(const lab::EmulatedLoad& load, const lab::EmulatedCluster& cluster, double mean_key_bytes) {
  double bytes = 0;
  for (const lab::EmulatedFamily& family : load.families) {
    bytes += lab::SizeOfRecord(cluster.system, cluster.heap_bytes, family, mean_key_bytes).file;
  }
  return bytes;
}

// Completes records, rate and duration: two of them determine the third.
absl::Status SetRecordsAndDuration(const EmulationInput& input, uint64_t rows, double record_bytes,
                                   lab::EmulatedLoad* load) {
  if (input.rate && !(*input.rate > 0)) return absl::InvalidArgumentError("--rate must be over 0");
  if (input.volume_bytes > 0 && input.rate && input.duration_ms > 0) {
    return absl::InvalidArgumentError("--volume, --rate and --duration: give two of them at most");
  }
  load->duration_ms = input.duration_ms;
  load->records = input.volume_bytes > 0                ? input.volume_bytes / record_bytes
                  : input.rate && input.duration_ms > 0 ? *input.rate * input.duration_ms / 1000
                                                        : static_cast<double>(rows);
  if (!(load->records <= kMostRecords)) {
    return absl::InvalidArgumentError(absl::StrCat("a load of ", load->records, " records; at most ", kMostRecords));
  }
  if (load->duration_ms <= 0 && input.rate) load->duration_ms = load->records / *input.rate * 1000;
  if (load->duration_ms <= 0)
    return absl::InvalidArgumentError(
        "the speed of the load is missing: give --duration 30d or --rate 10000 (records/s)");
  return absl::OkStatus();
}

}  // namespace

void AddEmulationOptions(CLI::App* command, EmulationInput* input) {
  command->add_option("--site", input->site, "The cluster's hbase-site.xml (HBase's defaults)");
  command->add_option("-D", input->assignments, "Set a property: -D name=value, over the site's")
      ->allow_extra_args(false);
  command->add_option("--system", input->system, "The system to emulate: hbase or vaquita")
      ->check(CLI::IsMember({"hbase", "vaquita"}))
      ->capture_default_str();
  command->add_option("--servers", input->servers, "The number of region servers")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  AddBytesOption(command, "--heap", &input->heap_bytes, "The heap of each server (30GiB)");
  AddBytesOption(command, "--disk", &input->disk_bytes_per_s,
                 "The bytes that a server's disk writes in a second (200MB)");

  command
      ->add_option(
          "--family", input->families,
          "A family of the table: NAME:COLUMNSxBYTES, as d:19x12; every record writes all its columns. Without "
          "it, the example's, or f:1x100")
      ->allow_extra_args(false);
  command->add_option("--qualifier-bytes", input->qualifier_bytes, "The length of a column's name")
      ->capture_default_str();
  command->add_option("--compression", input->compressed_share, "A file's size after compression / before, as 0.4")
      ->capture_default_str();
  AddDurationOption(command, "--ttl", &input->ttl_ms, "TTL of all families");
  AddBytesOption(command, "--flush-size", &input->table_flush_bytes, "The table's MEMSTORE_FLUSHSIZE");
  AddBytesOption(command, "--max-file-size", &input->table_max_file_bytes, "The table's MAX_FILESIZE");

  command->add_option("--rate", input->rate, "Records a second, by all clients");
  AddBytesOption(command, "--volume", &input->volume_bytes, "The size of all data, as files before compression: 45TB");
  AddDurationOption(command, "--duration", &input->duration_ms, "The duration of the load: 30d");
  command->add_option("--reads", input->reads, "The records that readers ask for: uniform, zipfian or latest")
      ->capture_default_str();
  command->add_option("--points", input->points, "The number of keys that represent the load")
      ->check(CLI::Range(uint64_t{1}, uint64_t{1} << 31))
      ->capture_default_str();
}

absl::StatusOr<lab::EmulatedCluster> MakeCluster(const EmulationInput& input) {
  lab::EmulatedCluster cluster;
  if (!input.site.empty()) {
    VAQUITA_ASSIGN_OR_RETURN(const std::vector<SiteProperty> properties, ReadSiteFile(input.site));
    const absl::StatusOr<int> taken = lab::ApplySite(properties, &cluster.settings);
    if (!taken.ok()) return Annotate(taken.status(), input.site);
    std::fprintf(stderr, "%s: the emulator uses %d of its %zu properties\n", input.site.c_str(), *taken,
                 properties.size());
  }
  VAQUITA_ASSIGN_OR_RETURN(const std::vector<SiteProperty> assigned, ParseAssignments(input.assignments));
  VAQUITA_RETURN_IF_ERROR(lab::ApplySite(assigned, &cluster.settings).status());
  cluster.system = input.system == "vaquita" ? lab::EmulatedSystem::kVaquita : lab::EmulatedSystem::kHBase;
  if (cluster.system == lab::EmulatedSystem::kVaquita) cluster.split_ms = cluster.move_ms = 50;
  cluster.servers = input.servers;
  cluster.heap_bytes = static_cast<int64_t>(input.heap_bytes);
  cluster.disk_bytes_per_s = input.disk_bytes_per_s;
  return cluster;
}

absl::StatusOr<lab::EmulatedLoad> MakeLoad(const EmulationInput& input, const lab::EmulatedCluster& cluster,
                                           uint64_t rows, double mean_key_bytes, const lab::ExampleDesign* example) {
  lab::EmulatedLoad load;
  if (!input.families.empty()) {
    load.families.clear();
  } else if (example != nullptr) {
    load.families = {FamilyOf(example->shape)};
  }
  for (const std::string& text : input.families) {
    VAQUITA_ASSIGN_OR_RETURN(const lab::EmulatedFamily family, ParseFamily(text, input.qualifier_bytes));
    load.families.push_back(family);
  }
  load.compressed_share = input.compressed_share;
  load.ttl_ms = static_cast<int64_t>(input.ttl_ms);
  load.table_flush_bytes = static_cast<int64_t>(input.table_flush_bytes);
  load.table_max_file_bytes = static_cast<int64_t>(input.table_max_file_bytes);
  VAQUITA_ASSIGN_OR_RETURN(load.reads, lab::ParseReadPattern(input.reads));
  VAQUITA_RETURN_IF_ERROR(SetRecordsAndDuration(input, rows, FileBytesPerRecord(load, cluster, mean_key_bytes), &load));
  return load;
}

LoadKeys::LoadKeys(const RecordInput& input, lab::KeyDesign design, std::unique_ptr<lab::RecordSet> file_records)
    : generator_(input.generator()), design_(std::move(design)), file_records_(std::move(file_records)) {}

absl::StatusOr<LoadKeys> LoadKeys::Open(const RecordInput& input, const lab::KeyDesign& design) {
  std::unique_ptr<lab::RecordSet> file_records;
  if (input.generator() == nullptr) {
    VAQUITA_ASSIGN_OR_RETURN(file_records, input.Records(kMostFileRecords));
  }
  return LoadKeys(input, design, std::move(file_records));
}

uint64_t LoadKeys::Distinct(double run) const {
  const double most = generator_ != nullptr ? run : static_cast<double>(file_records_->size());
  return static_cast<uint64_t>(std::max(1.0, std::min(most, run)));
}

absl::Status LoadKeys::AppendKey(uint64_t n, uint64_t points, double run, std::string* key) {
  if (generator_ != nullptr) {
    const uint64_t index = lab::RandomRecordOfPart(n, points, static_cast<uint64_t>(run));
    return design_.AppendKey(generator_->Generate(index, &buffer_), index, key);
  }
  const uint64_t index = lab::RandomRecordOfPart(n, points, file_records_->size());
  return design_.AppendKey(file_records_->Get(index, &buffer_), file_records_->RunIndex(index), key);
}

absl::StatusOr<double> LoadKeys::MeanKeyBytes(double run) {
  constexpr uint64_t kKeys = 1000;
  const uint64_t points = std::min(kKeys, Distinct(run));
  std::string keys;
  uint64_t made = 0;
  absl::Status error;
  for (uint64_t n = 0; n < points; ++n) {
    const absl::Status status = AppendKey(n, points, run, &keys);
    if (status.ok()) ++made;
    error.Update(status);
  }
  if (made == 0) return error;
  return static_cast<double>(keys.size()) / static_cast<double>(made);
}

absl::StatusOr<lab::KeySample> LoadKeys::Sample(uint64_t most_points, double run, bool stop_at_bad_record) {
  const uint64_t points = std::min(most_points, Distinct(run));
  lab::BadRecords skipped;
  auto sample = lab::KeySample::Make(points, [&](uint64_t n, std::string* key) {
    const absl::Status made = AppendKey(n, points, run, key);
    if (made.ok() || stop_at_bad_record) return made;
    skipped.Add(made);
    return absl::OkStatus();
  });
  PrintSkipped(skipped);
  share_with_key_ = 1 - static_cast<double>(skipped.count) / static_cast<double>(points);
  return sample;
}

}  // namespace vaquita
