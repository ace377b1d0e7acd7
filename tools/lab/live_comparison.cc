#include "tools/lab/live_comparison.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/json_value.h"
#include "base/status.h"
#include "client/admin.h"
#include "client/table.h"
#include "lab/design/key_plan.h"
#include "lab/records/record_choice.h"
#include "lab/report/simulation_report.h"
#include "lab/report/table_text.h"
#include "lab/simulator/read_simulation.h"
#include "model/operations.h"
#include "model/table_descriptor.h"
#include "tools/lab/range_reads.h"

namespace vaquita {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr const char* kFamily = "f";
constexpr uint64_t kProgressStep = 10'000;
// Servers of HBase report their regions' counters to the master every three seconds.
constexpr std::chrono::seconds kPatienceForCounters{15};
constexpr std::chrono::milliseconds kCounterPeriod{200};

double SecondsSince(SteadyClock::time_point start) {
  return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

absl::StatusOr<TableName> CreateTable(client::Admin* admin, const std::string& design, const lab::SplitKeys& splits) {
  TableDescriptor table;
  VAQUITA_ASSIGN_OR_RETURN(table.name, TableName::Parse(absl::StrCat("vaquita_lab_compare_", getpid(), "_", design)));
  table.families[kFamily].name = kFamily;
  table.split_enabled = false;  // the comparison needs the same regions to the end
  VAQUITA_RETURN_IF_ERROR(admin->CreateTable(table, splits.keys()));
  return table.name;
}

void DropTable(client::Admin* admin, const TableName& table) {
  absl::Status dropped = admin->DisableTable(table);
  if (dropped.ok()) dropped = admin->DeleteTable(table);
  if (dropped.ok()) return;
  std::fprintf(stderr, "table %s could not be dropped: %s\n", table.ToString().c_str(),
               std::string(dropped.message()).c_str());
}

Mutation PutOf(const std::string& row, const std::string& value) {
  Mutation put;
  put.row = row;
  Cell cell;
  cell.row = row;
  cell.family = kFamily;
  cell.qualifier = "q";
  cell.value = value;
  put.cells.push_back(std::move(cell));
  return put;
}

absl::Status Load(client::Connection* connection, const TableName& table, const lab::KeyDesign& design,
                  const lab::RecordSet& records, const LiveLoad& load, const std::function<void(uint64_t)>& on_progress,
                  LiveFigures* figures) {
  const auto start = SteadyClock::now();
  const auto mutator = connection->GetBufferedMutator(table, {});
  const std::string value(load.value_bytes, 'v');
  lab::RecordBuffer buffer;
  std::string key;
  for (uint64_t i = 0; i < records.size(); ++i) {
    key.clear();
    if (!design.AppendKey(records.Get(i, &buffer), records.RunIndex(i), &key).ok()) continue;
    VAQUITA_RETURN_IF_ERROR(mutator->Mutate(PutOf(key, value)));
    ++figures->rows;
    if (on_progress && i % kProgressStep == 0) on_progress(i);
  }
  VAQUITA_RETURN_IF_ERROR(mutator->Close());
  figures->rows_per_second = static_cast<double>(figures->rows) / SecondsSince(start);
  return absl::OkStatus();
}

// The regions' own counters, once all writes have been counted and reported.
absl::Status CountWrites(client::Admin* admin, const TableName& table, LiveFigures* figures) {
  const auto start = SteadyClock::now();
  for (;;) {
    VAQUITA_ASSIGN_OR_RETURN(const auto regions, admin->GetRegionMetrics(table));
    uint64_t total = 0, hottest = 0;
    for (const RegionMetrics& region : regions) {
      const auto writes = static_cast<uint64_t>(region.write_requests);
      total += writes;
      hottest = std::max(hottest, writes);
    }
    figures->counted_writes = total;
    figures->hottest_region =
        total == 0 ? 0 : static_cast<double>(hottest * regions.size()) / static_cast<double>(total);
    if (total >= figures->rows || SteadyClock::now() - start > kPatienceForCounters) return absl::OkStatus();
    std::this_thread::sleep_for(kCounterPeriod);
  }
}

// A get of each of the rows that may be the record's.
absl::Status GetRows(client::Table* table, const std::vector<RowRange>& ranges) {
  std::vector<Action> gets;
  for (const RowRange& range : ranges) {
    Get get;
    get.row = range.start;
    gets.emplace_back(std::move(get));
  }
  for (const client::ActionResult& result : table->Batch(gets)) VAQUITA_RETURN_IF_ERROR(result.status);
  return absl::OkStatus();
}

absl::Status MeasureGets(client::Table* table, const lab::KeyDesign& design, const lab::LookupTables& tables,
                         const lab::RecordSet& records, const LiveLoad& load, LiveFigures* figures) {
  const lab::Question question = lab::QuestionOf(records.schema(), std::nullopt);
  VAQUITA_ASSIGN_OR_RETURN(const auto plan, lab::KeyPlan::Make(design, tables, records, question));
  const lab::RecordChoice choice(load.pattern, records.size(), load.seed);
  lab::RecordBuffer buffer;
  std::vector<RowRange> ranges;
  const auto start = SteadyClock::now();
  for (uint64_t read = 0; read < load.gets; ++read) {
    const uint64_t index = choice.Choose(read);
    ranges.clear();
    if (!plan.AppendRanges(records.Get(index, &buffer), records.RunIndex(index), nullptr, &ranges).ok()) continue;
    // A part of the record cannot be computed and has too many values, so all rows with the computed prefix are read.
    if (ranges[0].stop_inclusive) {
      VAQUITA_RETURN_IF_ERROR(GetRows(table, ranges));
    } else {
      VAQUITA_RETURN_IF_ERROR(CountRowsInTurn(table, ranges).status());
    }
  }
  figures->get_ms = 1e3 * SecondsSince(start) / static_cast<double>(std::max<uint64_t>(1, load.gets));
  return absl::OkStatus();
}

absl::Status MeasureScans(client::Table* table, const lab::KeyDesign& design, const lab::LookupTables& tables,
                          const lab::RecordSet& records, const LiveLoad& load, LiveFigures* figures) {
  const lab::Question question = lab::QuestionOf(records.schema(), load.scan);
  VAQUITA_ASSIGN_OR_RETURN(const auto plan, lab::KeyPlan::Make(design, tables, records, question));
  const lab::RecordChoice choice(load.pattern, records.size(), load.seed);
  lab::RecordBuffer buffer;
  int64_t least = std::numeric_limits<int64_t>::max();
  for (uint64_t i = 0; i < records.size(); ++i) {
    least = std::min(least, records.Get(i, &buffer)[load.scan->field].number);
  }
  std::vector<RowRange> ranges;
  uint64_t rows = 0, all_ranges = 0;
  double in_turn_seconds = 0, at_once_seconds = 0;
  for (uint64_t read = 0; read < load.scans; ++read) {
    const uint64_t index = choice.Choose(read);
    const lab::Record record = records.Get(index, &buffer);
    const lab::FieldRange range = lab::RangeUpTo(record[load.scan->field], load.scan->length, least);
    ranges.clear();
    if (!plan.AppendRanges(record, records.RunIndex(index), &range, &ranges).ok()) continue;
    all_ranges += ranges.size();
    // Every other scan begins with the other way, as the first one loads the blocks that both read.
    for (const bool at_once : {read % 2 == 1, read % 2 == 0}) {
      const auto start = SteadyClock::now();
      VAQUITA_ASSIGN_OR_RETURN(const uint64_t read_rows,
                               at_once ? CountRowsAtOnce(table, ranges) : CountRowsInTurn(table, ranges));
      (at_once ? at_once_seconds : in_turn_seconds) += SecondsSince(start);
      rows += read_rows;
    }
  }
  const auto scans = static_cast<double>(std::max<uint64_t>(1, load.scans));
  figures->scan_in_turn_ms = 1e3 * in_turn_seconds / scans;
  figures->scan_at_once_ms = 1e3 * at_once_seconds / scans;
  figures->rows_per_scan = static_cast<double>(rows) / (2 * scans);  // each was read twice
  figures->ranges_per_scan = static_cast<double>(all_ranges) / scans;
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<LiveFigures> MeasureDesign(client::Connection* connection, const std::string& name,
                                          const lab::KeyDesign& design, const lab::LookupTables& tables,
                                          const lab::RecordSet& records, const lab::SplitKeys& splits,
                                          const LiveLoad& load, const std::function<void(uint64_t)>& on_progress) {
  if (load.scan && records.schema().fields()[load.scan->field].kind == lab::FieldKind::kText) {
    return absl::InvalidArgumentError("--scan on a running cluster needs a field that is a number or a time");
  }
  const auto admin = connection->GetAdmin();
  VAQUITA_ASSIGN_OR_RETURN(const TableName table_name, CreateTable(admin.get(), name, splits));
  const absl::Cleanup drop = [&] { DropTable(admin.get(), table_name); };
  LiveFigures figures{.name = name};
  VAQUITA_RETURN_IF_ERROR(Load(connection, table_name, design, records, load, on_progress, &figures));
  VAQUITA_RETURN_IF_ERROR(CountWrites(admin.get(), table_name, &figures));
  const auto table = connection->GetTable(table_name);
  VAQUITA_RETURN_IF_ERROR(MeasureGets(table.get(), design, tables, records, load, &figures));
  if (load.scan) VAQUITA_RETURN_IF_ERROR(MeasureScans(table.get(), design, tables, records, load, &figures));
  return figures;
}

LiveFigures MedianOf(const std::vector<LiveFigures>& rounds) {
  LiveFigures median = rounds.front();  // its counts are every round's
  for (double LiveFigures::*figure : {&LiveFigures::rows_per_second, &LiveFigures::hottest_region, &LiveFigures::get_ms,
                                      &LiveFigures::scan_in_turn_ms, &LiveFigures::scan_at_once_ms}) {
    std::vector<double> values;
    for (const LiveFigures& round : rounds) values.push_back(round.*figure);
    std::sort(values.begin(), values.end());
    median.*figure = (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
  }
  return median;
}

Json LiveJson(const LiveFigures& figures, bool with_scans) {
  Json json{{"rows", figures.rows},
            {"rows_per_second", figures.rows_per_second},
            {"counted_writes", figures.counted_writes},
            {"writes_hottest", figures.hottest_region},
            {"get_ms", figures.get_ms}};
  if (with_scans) {
    json["scan"] = {{"ranges", figures.ranges_per_scan},
                    {"rows", figures.rows_per_scan},
                    {"in_turn_ms", figures.scan_in_turn_ms},
                    {"at_once_ms", figures.scan_at_once_ms}};
  }
  return json;
}

std::string LiveText(const std::vector<LiveFigures>& designs, bool with_scans) {
  std::vector<std::vector<std::string>> rows;
  const auto row = [&](const std::string& name, auto value) {
    rows.push_back({name});
    for (const LiveFigures& figures : designs) rows.back().push_back(value(figures));
  };
  using F = LiveFigures;
  row("measured", [](const F& f) { return f.name; });
  row("rows written", [](const F& f) { return lab::WithCommas(f.rows); });
  row("rows written a second", [](const F& f) { return lab::WithCommas(static_cast<uint64_t>(f.rows_per_second)); });
  row("writes counted by the regions", [](const F& f) { return lab::WithCommas(f.counted_writes); });
  row("writes: hottest region, whole run", [](const F& f) { return absl::StrFormat("%.2f x", f.hottest_region); });
  row("get: ms", [](const F& f) { return absl::StrFormat("%.3f", f.get_ms); });
  if (with_scans) {
    row("scan: ranges", [](const F& f) { return absl::StrFormat("%.2f", f.ranges_per_scan); });
    row("scan: rows", [](const F& f) { return absl::StrFormat("%.1f", f.rows_per_scan); });
    row("scan: ms, its ranges one after the other",
        [](const F& f) { return absl::StrFormat("%.3f", f.scan_in_turn_ms); });
    row("scan: ms, its ranges at once", [](const F& f) { return absl::StrFormat("%.3f", f.scan_at_once_ms); });
  }
  return lab::TableText(rows);
}

}  // namespace vaquita
