// Filters that can seek, against filters that choose the same cells by looking at each one.
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status.h"
#include "bench/bench_data.h"
#include "bench/region_setup.h"
#include "bench/suite.h"

namespace vaquita::bench {
namespace {

constexpr int kUsers = 20'000;
constexpr int kColumns = 50;
constexpr int kFilterTurns = 3;

// Rows "user_day" with 50 columns "c00" to "c49".
absl::Status Load(RegionSetup& setup) {
  for (int user = 0; user < kUsers; user += 500) {
    std::vector<Mutation> puts(500);
    std::vector<const Mutation*> batch;
    for (int i = 0; i < 500; ++i) {
      puts[i].row = absl::StrFormat("%06d_%02d", user + i, (user + i) % 31);
      for (int column = 0; column < kColumns; ++column) {
        Cell& cell = puts[i].cells.emplace_back();
        cell.family = "f";
        cell.qualifier = absl::StrFormat("c%02d", column);
        cell.value = "0123456789";
      }
      batch.push_back(&puts[i]);
    }
    for (const absl::Status& status : setup.region->MutateBatch(batch)) VAQUITA_RETURN_IF_ERROR(status);
  }
  VAQUITA_RETURN_IF_ERROR(setup.region->Flush());
  return setup.region->Compact(CompactionKind::kMajor, "").status();
}

absl::StatusOr<double> TimeScan(Region& region, const FilterSpec& filter, size_t* cells) {
  Stopwatch watch;
  Scan scan;
  scan.filter = filter;
  VAQUITA_ASSIGN_OR_RETURN(std::unique_ptr<RegionScanner> scanner, region.NewScanner(scan));
  ResultBatch batch;
  *cells = 0;
  for (bool more = true; more;) {
    batch.Clear();
    VAQUITA_ASSIGN_OR_RETURN(more, scanner->Next({.max_results = 1000}, &batch));
    *cells += batch.cells.size();
  }
  return watch.Seconds();
}

struct Pair {
  std::string what;
  FilterSpec seeking;
  FilterSpec looking;
};

CompareFilterSpec Compare(CompareFilterSpec::What what, CompareOp op, ComparatorSpec::Type type, std::string bytes) {
  return {what, op, {.type = type, .bytes = std::move(bytes)}};
}

FilterSpec Both(FilterSpec a, FilterSpec b, FilterListSpec::Operator op) {
  FilterListSpec list;
  list.op = op;
  list.filters = {std::move(a), std::move(b)};
  return {list};
}

std::vector<Pair> Pairs() {
  using What = CompareFilterSpec::What;
  using Type = ComparatorSpec::Type;
  std::vector<Pair> pairs;
  // Users ...x7 of a thousand: the mask leaves the first three and the last two digits of "uuuuuu_dd" open.
  FuzzyRowFilterSpec fuzzy;
  fuzzy.fuzzy_keys.emplace_back(std::string("000777_00"), std::string({0, 1, 1, 0, 0, 0, 0, 1, 1}));
  pairs.push_back({"FuzzyRowFilter", {fuzzy}, {Compare(What::kRow, CompareOp::kEqual, Type::kRegex, "^0..777_..$")}});
  MultiRowRangeFilterSpec ranges;
  ranges.ranges = {{"000100", "000110"}, {"015000", "015010"}};
  const auto row_from_to = [&](const RowRange& range) {
    return Both({Compare(What::kRow, CompareOp::kGreaterOrEqual, Type::kBinary, range.start)},
                {Compare(What::kRow, CompareOp::kLess, Type::kBinary, range.stop)},
                FilterListSpec::Operator::kMustPassAll);
  };
  pairs.push_back(
      {"MultiRowRangeFilter",
       {ranges},
       Both(row_from_to(ranges.ranges[0]), row_from_to(ranges.ranges[1]), FilterListSpec::Operator::kMustPassOne)});
  pairs.push_back({"ColumnPrefixFilter",
                   {ColumnPrefixFilterSpec{"c49"}},
                   {Compare(What::kQualifier, CompareOp::kEqual, Type::kBinaryPrefix, "c49")}});
  ColumnRangeFilterSpec range;
  range.has_min = range.has_max = true;
  range.min = "c40";
  range.max = "c42";
  pairs.push_back({"ColumnRangeFilter",
                   {range},
                   Both({Compare(What::kQualifier, CompareOp::kGreaterOrEqual, Type::kBinary, "c40")},
                        {Compare(What::kQualifier, CompareOp::kLess, Type::kBinary, "c42")},
                        FilterListSpec::Operator::kMustPassAll)});
  return pairs;
}

absl::Status BenchPair(benchmark::State& state, Region& region, const Pair& pair) {
  size_t seeking_cells = 0, looking_cells = 0;
  const auto rate = [&region](const FilterSpec& filter, size_t* cells) -> absl::StatusOr<double> {
    VAQUITA_ASSIGN_OR_RETURN(const double seconds, TimeScan(region, filter, cells));
    return 1 / seconds;
  };
  VAQUITA_RETURN_IF_ERROR(CompareInTurns(
      state, [&](int) { return rate(pair.looking, &looking_cells); },
      [&](int) { return rate(pair.seeking, &seeking_cells); }));
  if (seeking_cells == looking_cells && seeking_cells != 0) return absl::OkStatus();
  return absl::InternalError(
      absl::StrCat(pair.what, " gives ", seeking_cells, " cells, and the same without seeks ", looking_cells));
}

// A region with rows; it is destroyed before its folder.
struct FilledRegion {
  explicit FilledRegion(const std::string& path) : folder(path) {}
  ScratchFolder folder;
  std::unique_ptr<RegionSetup> setup;
};

absl::StatusOr<std::shared_ptr<FilledRegion>> Fill(const std::string& folder) {
  auto filled = std::make_shared<FilledRegion>(folder);
  VAQUITA_ASSIGN_OR_RETURN(filled->setup, OpenBenchRegion(folder + "/region"));
  VAQUITA_RETURN_IF_ERROR(Load(*filled->setup));
  return filled;
}

}  // namespace

void AddFilters(Suite* suite) {
  for (const Pair& pair : Pairs()) {
    const std::string name = "filters/" + pair.what;
    const auto bench = [suite, pair](benchmark::State& state) -> absl::Status {
      VAQUITA_ASSIGN_OR_RETURN(const auto filled,
                               suite->Shared<FilledRegion>([&] { return Fill(suite->options().folder + "/filters"); }));
      return BenchPair(state, *filled->setup->region, pair);
    };
    suite->Add(name, bench)->Iterations(kFilterTurns)->Unit(benchmark::kMillisecond);
    suite->Expect({pair.what + " seeks", name, kOurs, "by looking at each cell", Goal::Kind::kFaster});
  }
}

}  // namespace vaquita::bench
