// Random requests and descriptors survive the way through their messages' bytes, field by field.
//
// The tests compare texts of all fields. Each Describe below takes its struct apart with a structured binding, so that
// a new field does not compile until it is listed here.
#include <map>
#include <optional>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/vaquita/admin_codec.h"
#include "proto/vaquita/data_codec.h"
#include "proto/vaquita/filter_codec.h"
#include "proto/vaquita/status_codec.h"

namespace vaquita {
namespace {

using ::testing::HasSubstr;

// ---- describing

// A class, so that each function sees all others.
struct Describer {
  static std::string Describe(const std::string& s) { return "'" + s + "'"; }
  template <typename T>
  requires std::is_arithmetic_v<T>
  static std::string Describe(T value) { return std::to_string(value); }
  template <typename T>
  requires std::is_enum_v<T>
  static std::string Describe(T value) { return std::to_string(static_cast<int64_t>(value)); }

  template <typename... Fields>
  static std::string All(const Fields&... fields) {
    return "{" + ((Describe(fields) + ",") + ... + "") + "}";
  }

  static std::string Describe(const TimeRange& v) {
    const auto& [min, max] = v;
    return All(min, max);
  }
  static std::string Describe(const RowRange& v) {
    const auto& [start, stop, start_inclusive, stop_inclusive] = v;
    return All(start, stop, start_inclusive, stop_inclusive);
  }
  static std::string Describe(const ComparatorSpec& v) {
    const auto& [type, bytes, offset, bit_op, charset, regex_flags] = v;
    return All(type, bytes, offset, bit_op, charset, regex_flags);
  }
  static std::string Describe(const FilterAllSpec& v) {
    const auto& [all] = v;
    return All(all);
  }
  static std::string Describe(const FilterListSpec& v) {
    const auto& [op, filters] = v;
    return All(op, filters);
  }
  static std::string Describe(const CompareFilterSpec& v) {
    const auto& [what, op, comparator] = v;
    return All(what, op, comparator);
  }
  static std::string Describe(const SingleColumnValueFilterSpec& v) {
    const auto& [family, qualifier, op, comparator, if_missing, latest, exclude] = v;
    return All(family, qualifier, op, comparator, if_missing, latest, exclude);
  }
  static std::string Describe(const DependentColumnFilterSpec& v) {
    const auto& [family, qualifier, drop, op, comparator] = v;
    return All(family, qualifier, drop, op, comparator);
  }
  static std::string Describe(const ColumnValueFilterSpec& v) {
    const auto& [family, qualifier, op, comparator] = v;
    return All(family, qualifier, op, comparator);
  }
  static std::string Describe(const ColumnPrefixFilterSpec& v) {
    const auto& [prefix] = v;
    return All(prefix);
  }
  static std::string Describe(const MultipleColumnPrefixFilterSpec& v) {
    const auto& [prefixes] = v;
    return All(prefixes);
  }
  static std::string Describe(const ColumnRangeFilterSpec& v) {
    const auto& [has_min, min_inclusive, has_max, max_inclusive, min, max] = v;
    return All(has_min, min_inclusive, has_max, max_inclusive, min, max);
  }
  static std::string Describe(const ColumnCountGetFilterSpec& v) {
    const auto& [limit] = v;
    return All(limit);
  }
  static std::string Describe(const ColumnPaginationFilterSpec& v) {
    const auto& [limit, offset, column_offset] = v;
    return All(limit, offset, column_offset);
  }
  static std::string Describe(const PageFilterSpec& v) {
    const auto& [page_size] = v;
    return All(page_size);
  }
  static std::string Describe(const PrefixFilterSpec& v) {
    const auto& [prefix] = v;
    return All(prefix);
  }
  static std::string Describe(const FirstKeyOnlyFilterSpec&) { return "{}"; }
  static std::string Describe(const FirstKeyValueMatchingQualifiersFilterSpec& v) {
    const auto& [qualifiers] = v;
    return All(qualifiers);
  }
  static std::string Describe(const KeyOnlyFilterSpec& v) {
    const auto& [length_as_value] = v;
    return All(length_as_value);
  }
  static std::string Describe(const InclusiveStopFilterSpec& v) {
    const auto& [stop_row] = v;
    return All(stop_row);
  }
  static std::string Describe(const FuzzyRowFilterSpec& v) {
    const auto& [keys] = v;
    return All(keys);
  }
  static std::string Describe(const MultiRowRangeFilterSpec& v) {
    const auto& [ranges] = v;
    return All(ranges);
  }
  static std::string Describe(const RandomRowFilterSpec& v) {
    const auto& [chance] = v;
    return All(chance);
  }
  static std::string Describe(const TimestampsFilterSpec& v) {
    const auto& [timestamps, can_hint] = v;
    return All(timestamps, can_hint);
  }
  static std::string Describe(const SparkSqlFilterSpec& v) {
    const auto& [expression, values, columns, encoder] = v;
    std::string text = All(expression, values, encoder);
    for (const auto& [family, qualifier, name] : columns) text += All(family, qualifier, name);
    return text;
  }
  static std::string Describe(const SkipFilterSpec& v) {
    const auto& [filter] = v;
    return All(filter);
  }
  static std::string Describe(const WhileMatchFilterSpec& v) {
    const auto& [filter] = v;
    return All(filter);
  }
  static std::string Describe(const FilterSpec& v) {
    const auto& [kind] = v;
    return std::to_string(kind.index()) + std::visit([](const auto& k) { return Describe(k); }, kind);
  }
  static std::string Describe(const ReadOptions& v) {
    const auto& [columns, max_versions, time_range, family_time_ranges, filter, store_limit, store_offset,
                 cache_blocks] = v;
    return All(columns, max_versions, time_range, family_time_ranges, filter, store_limit, store_offset, cache_blocks);
  }
  static std::string Describe(const Get& v) {
    return All(static_cast<const ReadOptions&>(v), v.row, v.existence_only, v.closest_row_before);
  }
  static std::string Describe(const Scan& v) {
    return All(static_cast<const ReadOptions&>(v), v.rows, v.reversed, v.raw, v.limit, v.batch, v.caching,
               v.max_result_bytes, v.allow_partial_results, v.load_families_on_demand);
  }
  static std::string Describe(const Cell& v) {
    return All(v.row, v.family, v.qualifier, v.timestamp_ms, v.type, v.value, v.ttl_ms);
  }
  static std::string Describe(const Mutation& v) {
    const auto& [type, row, cells, timestamp, ttl, durability, return_results, time_range] = v;
    return All(type, row, cells, timestamp, ttl, durability, return_results, time_range);
  }
  static std::string Describe(const RowMutations& v) {
    const auto& [row, mutations] = v;
    return All(row, mutations);
  }
  static std::string Describe(const CheckAndMutate& v) {
    const auto& [row, family, qualifier, op, comparator, filter, time_range, mutations] = v;
    return All(row, family, qualifier, op, comparator, filter, time_range, mutations);
  }
  static std::string Describe(const Action& v) {
    return std::to_string(v.index()) + std::visit([](const auto& kind) { return Describe(kind); }, v);
  }
  static std::string Describe(const FileWork& v) {
    const auto& [flushes, flushed, minor, major, failed, read, written] = v;
    return All(flushes, flushed, minor, major, failed, read, written);
  }
  static std::string Describe(const StoreMetrics& v) {
    return All(static_cast<const FileWork&>(v), v.store_files, v.store_file_bytes, v.memstore_bytes, v.memstore_cells,
               v.last_major_compaction_ms, v.compacting);
  }
  static std::string Describe(const RegionInfo& v) {
    const auto& [table, start, end, id, offline, split, replica] = v;
    return All(table.ToString(), start, end, id, offline, split, replica);
  }
  static std::string Describe(const RegionMetrics::NamedStore& v) {
    const auto& [family, metrics] = v;
    return All(family, metrics);
  }
  static std::string Describe(const RegionMetrics& v) {
    const auto& [info, reads, writes, filtered, files, file_bytes, memstore, stores, has_references] = v;
    return All(info, reads, writes, filtered, files, file_bytes, memstore, stores, has_references);
  }
  static std::string Describe(const ServerMetrics& v) {
    const auto& [name, address, info_port, start, requests, memory, regions] = v;
    return All(name, address, info_port, start, requests, memory, regions);
  }
  static std::string Describe(const ClusterStatus& v) {
    const auto& [version, id, master, backups, servers, dead, in_transition, balancer] = v;
    return All(version, id, master, backups, servers, dead, in_transition, balancer);
  }
  static std::string Describe(const Procedure& v) {
    const auto& [id, description, state, done, total, exception, error, lock, locked, submitted, updated] = v;
    return All(id, description, state, done, total, exception, error, lock, locked, submitted, updated);
  }
  static std::string Describe(const SnapshotDescription& v) {
    const auto& [name, table, type, created, ttl, file_bytes, version, owner] = v;
    return All(name, table.ToString(), type, created, ttl, file_bytes, version, owner);
  }

  template <typename T>
  static std::string Describe(const std::vector<T>& values) {
    std::string text = "[";
    for (const T& value : values) text += Describe(value) + ",";
    return text + "]";
  }
  template <typename T>
  static std::string Describe(const std::optional<T>& value) {
    return value ? Describe(*value) : "-";
  }
  template <typename K, typename V>
  static std::string Describe(const std::map<K, V>& values) {
    std::string text = "<";
    for (const auto& entry : values) text += Describe(entry) + ",";
    return text + ">";
  }
  template <typename A, typename B>
  static std::string Describe(const std::pair<A, B>& pair) {
    return Describe(pair.first) + ":" + Describe(pair.second);
  }
};

template <typename T>
std::string Describe(const T& value) {
  return Describer::Describe(value);
}

// ---- making

class Maker {
 public:
  explicit Maker(uint32_t seed) : random_(seed) {}

  int Below(int n) { return static_cast<int>(random_() % n); }
  bool Flip() { return Below(2) == 0; }
  std::string Bytes() {
    std::string bytes(Below(6), '\0');
    for (char& c : bytes) c = static_cast<char>(Flip() ? random_() : "\0\1ab\xff"[Below(5)]);
    return bytes;
  }
  std::string Text() { return std::string("text ") + static_cast<char>('a' + Below(26)); }
  int64_t Long() { return Flip() ? Below(3) - 1 : static_cast<int64_t>(random_() << 32 | random_()); }
  int64_t Count() { return Below(1 << 30); }
  int32_t Int() { return static_cast<int32_t>(Long()); }
  template <typename E>
  E Enum(E last) {
    return static_cast<E>(Below(static_cast<int>(last) + 1));
  }
  template <typename F>
  auto Several(F make) {
    std::vector<decltype(make())> values(Below(4));
    for (auto& value : values) value = make();
    return values;
  }
  std::vector<std::string> Strings() {
    return Several([this] { return Bytes(); });
  }
  std::map<std::string, std::string> BytesMap() {
    std::map<std::string, std::string> map;
    for (int i = Below(3); i > 0; --i) map["key " + Bytes()] = "value " + Bytes();
    return map;
  }

  TimeRange Range() { return Flip() ? TimeRange{} : TimeRange{Long(), Long()}; }
  RowRange Rows() { return {Bytes(), Bytes(), Flip(), Flip()}; }
  CompareOp Op() { return Enum(CompareOp::kNoOp); }
  ComparatorSpec Comparator() {
    return {Enum(ComparatorSpec::Type::kBigDecimal), Bytes(), Int(), Enum(ComparatorSpec::BitOp::kXor), Text(), Int()};
  }
  FilterSpec Filter(int depth = 0);
  void Options(ReadOptions* options) {
    for (int i = Below(3); i > 0; --i) options->columns[Bytes()] = Strings();
    options->max_versions = Int();
    options->time_range = Range();
    for (int i = Below(3); i > 0; --i) options->family_time_ranges[Bytes()] = Range();
    if (Flip()) options->filter = Filter();
    options->store_limit = Int();
    options->store_offset = Int();
    options->cache_blocks = Flip();
  }
  vaquita::Get Get() {
    vaquita::Get get;
    Options(&get);
    get.row = Bytes();
    get.existence_only = Flip();
    get.closest_row_before = Flip();
    return get;
  }
  vaquita::Scan Scan() {
    vaquita::Scan scan;
    Options(&scan);
    scan.rows = Rows();
    scan.reversed = Flip();
    scan.raw = Flip();
    scan.limit = Int();
    scan.batch = Int();
    scan.caching = Int();
    scan.max_result_bytes = Long();
    scan.allow_partial_results = Flip();
    scan.load_families_on_demand = Flip();
    return scan;
  }
  vaquita::Cell Cell(bool with_ttl) {
    static constexpr CellType kTypes[] = {CellType::kPut, CellType::kDelete, CellType::kDeleteFamilyVersion,
                                          CellType::kDeleteColumn, CellType::kDeleteFamily};
    vaquita::Cell cell;
    cell.family = Bytes();
    cell.qualifier = Bytes();
    cell.timestamp_ms = Long();
    cell.type = kTypes[Below(5)];
    cell.value = Bytes();
    if (with_ttl) cell.ttl_ms = Below(100);
    return cell;
  }
  vaquita::Mutation Mutation() {
    vaquita::Mutation mutation;
    mutation.type = Enum(MutationType::kAppend);
    mutation.row = Bytes();
    const bool with_ttl = Flip();
    mutation.cells = Several([&] { return Cell(with_ttl && Flip()); });
    mutation.timestamp_ms = Flip() ? kLatestTimestamp : Long();
    mutation.ttl_ms = Long();
    mutation.durability = Enum(Durability::kFsyncWal);
    mutation.return_results = Flip();
    mutation.time_range = Range();
    return mutation;
  }
  std::vector<vaquita::Mutation> Mutations() {
    return Several([this] { return Mutation(); });
  }
  vaquita::CheckAndMutate Check() {
    vaquita::CheckAndMutate check{Bytes(), Bytes(), Bytes(), Op()};
    if (Flip()) check.comparator = Comparator();
    if (Flip()) check.filter = Filter();
    check.time_range = Range();
    check.mutations = Mutations();
    return check;
  }
  vaquita::Action Action() {
    switch (Below(4)) {
      case 0:
        return Get();
      case 1:
        return Mutation();
      case 2:
        return RowMutations{Bytes(), Mutations()};
      default:
        return Check();
    }
  }
  FamilyDescriptor Family() {
    return {.name = Bytes(),
            .max_versions = Int(),
            .min_versions = Int(),
            .ttl_seconds = Int(),
            .keep_deleted_cells = Enum(KeepDeletedCells::kTtl),
            .compression = Enum(Compression::kGz),
            .bloom_filter = Enum(BloomType::kRowCol),
            .block_size_bytes = Int(),
            .in_memory = Flip(),
            .block_cache = Flip(),
            .data_block_encoding = Text(),
            .attributes = BytesMap(),
            .configuration = BytesMap()};
  }
  TableDescriptor Table() {
    TableDescriptor table{.name = {Flip() ? "default" : "ns", "t"}};
    for (const FamilyDescriptor& family : Several([this] { return Family(); })) table.families[family.name] = family;
    table.max_file_bytes = Long();
    table.memstore_flush_bytes = Long();
    table.durability = Enum(Durability::kFsyncWal);
    table.read_only = Flip();
    table.compaction_enabled = Flip();
    table.split_enabled = Flip();
    table.merge_enabled = Flip();
    table.split_policy = Flip() ? Text() : Bytes();
    table.attributes = BytesMap();
    table.configuration = BytesMap();
    return table;
  }
  RegionInfo Info() { return {{Flip() ? "default" : "ns", "t"}, Bytes(), Bytes(), Long(), Flip(), Flip()}; }
  StoreMetrics Store() {
    const FileWork work{Count(), Count(), Count(), Count(), Count(), Count(), Count()};
    return {work, Count(), Count(), Count(), Count(), Count(), Flip()};
  }
  RegionMetrics Metrics() {
    RegionMetrics metrics{Info(), Long(), Long(), Long(), Long(), Long(), Long()};
    metrics.stores = Several([this] { return RegionMetrics::NamedStore{Bytes(), Store()}; });
    metrics.has_references = Flip();
    return metrics;
  }
  ClusterStatus Status() {
    ClusterStatus status{Text(), Text(), Text()};
    status.servers = Several([this] {
      return ServerMetrics{
          Text(), Text(), Long() & 0xffff, Long(), Long(), Long(), Several([this] { return Metrics(); })};
    });
    status.backup_masters = Several([this] { return Text(); });
    status.dead_servers = Several([this] { return Text(); });
    status.regions_in_transition = Long();
    status.balancer_on = Flip();
    return status;
  }

 private:
  std::mt19937_64 random_;
};

FilterSpec Maker::Filter(int depth) {
  using What = CompareFilterSpec::What;
  const auto nested = [&] { return Filter(depth + 1); };
  switch (Below(depth < 3 ? 24 : 20)) {
    case 0:
      return {FilterAllSpec{}};
    case 1:
      return {CompareFilterSpec{Enum(What::kValue), Op(), Comparator()}};
    case 2:
      return {SingleColumnValueFilterSpec{Bytes(), Bytes(), Op(), Comparator(), Flip(), Flip(), Flip()}};
    case 3: {
      DependentColumnFilterSpec spec{Bytes(), Bytes(), Flip(), Op()};
      if (Flip()) spec.comparator.push_back(Comparator());
      return {spec};
    }
    case 4:
      return {ColumnValueFilterSpec{Bytes(), Bytes(), Op(), Comparator()}};
    case 5:
      return {ColumnPrefixFilterSpec{Bytes()}};
    case 6:
      return {MultipleColumnPrefixFilterSpec{Strings()}};
    case 7: {
      ColumnRangeFilterSpec spec{Flip(), Flip(), Flip(), Flip()};
      if (spec.has_min) spec.min = Bytes();
      if (spec.has_max) spec.max = Bytes();
      return {spec};
    }
    case 8:
      return {ColumnCountGetFilterSpec{Int()}};
    case 9: {
      ColumnPaginationFilterSpec spec{Int(), Int()};
      if (Flip()) spec.column_offset.push_back(Bytes());
      return {spec};
    }
    case 10:
      return {PageFilterSpec{Long()}};
    case 11:
      return {PrefixFilterSpec{Bytes()}};
    case 12:
      return {FirstKeyOnlyFilterSpec{}};
    case 13:
      return {FirstKeyValueMatchingQualifiersFilterSpec{Strings()}};
    case 14:
      return {KeyOnlyFilterSpec{Flip()}};
    case 15:
      return {InclusiveStopFilterSpec{Bytes()}};
    case 16:
      return {FuzzyRowFilterSpec{Several([this] { return std::pair(Bytes(), Bytes()); })}};
    case 17:
      return {MultiRowRangeFilterSpec{Several([this] { return Rows(); })}};
    case 18:
      return {RandomRowFilterSpec{0.125f * static_cast<float>(Below(9))}};
    case 19:
      return {TimestampsFilterSpec{Several([this] { return Long(); }), Flip()}};
    case 20:
      return {SkipFilterSpec{{nested()}}};
    case 21:
      return {WhileMatchFilterSpec{{nested()}}};
    case 22:
      return {SparkSqlFilterSpec{Text(), Several([this] { return Bytes(); }), Several([this] {
                                   return SparkSqlFilterSpec::Column{Bytes(), Bytes(), Text()};
                                 }),
                                 Text()}};
    default:
      return {FilterListSpec{Enum(FilterListSpec::Operator::kMustPassOne), Several(nested)}};
  }
}

// ---- the round trips

template <typename Message, typename Plain>
absl::Status ThroughBytes(const Plain& plain, Plain* out) {
  Message message, received;
  ToProto(plain, &message);
  EXPECT_TRUE(received.ParseFromString(message.SerializeAsString()));
  return FromProto(received, out);
}

template <typename Message, typename Plain>
void ExpectRoundTrip(const Plain& plain) {
  Plain back;
  const absl::Status status = ThroughBytes<Message>(plain, &back);
  ASSERT_TRUE(status.ok()) << status << "\n" << Describe(plain);
  ASSERT_EQ(Describe(plain), Describe(back));
}

class CodecTest : public ::testing::TestWithParam<int> {
 protected:
  Maker make_{static_cast<uint32_t>(GetParam())};
};

TEST_P(CodecTest, RequestsSurvive) {
  for (int i = 0; i < 200; ++i) {
    ExpectRoundTrip<v1::Get>(make_.Get());
    ExpectRoundTrip<v1::Scan>(make_.Scan());
    ExpectRoundTrip<v1::Mutation>(make_.Mutation());
    ExpectRoundTrip<v1::RowMutations>(RowMutations{make_.Bytes(), make_.Mutations()});
    ExpectRoundTrip<v1::CheckAndMutate>(make_.Check());
    ExpectRoundTrip<v1::Action>(make_.Action());
    ExpectRoundTrip<v1::Filter>(make_.Filter());
  }
}

TEST_P(CodecTest, DescriptorsSurvive) {
  for (int i = 0; i < 200; ++i) {
    const TableDescriptor table = make_.Table();
    TableDescriptor back;
    ASSERT_TRUE(ThroughBytes<v1::TableDescriptor>(table, &back).ok());
    ASSERT_EQ(table, back);
    const NamespaceDescriptor ns{make_.Text(), make_.BytesMap()};
    v1::NamespaceDescriptor message;
    ToProto(ns, &message);
    ASSERT_EQ(FromProto(message), ns);
    ExpectRoundTrip<v1::RegionInfo>(make_.Info());
  }
}

TEST_P(CodecTest, ReportsSurvive) {
  for (int i = 0; i < 50; ++i) {
    ExpectRoundTrip<v1::ClusterStatus>(make_.Status());
    ExpectRoundTrip<v1::Procedure>(Procedure{make_.Long(), make_.Text(), make_.Enum(Procedure::State::kFailed),
                                             make_.Long(), make_.Long(), make_.Text(), make_.Text(), make_.Text(),
                                             make_.Flip(), make_.Long(), make_.Long()});
    const RegionInTransition region{make_.Info(), make_.Enum(RegionState::kMergingNew), make_.Text(), make_.Long()};
    RegionInTransition back;
    ASSERT_TRUE(ThroughBytes<WireRegionInTransition>(region, &back).ok());
    EXPECT_EQ(back.info, region.info);
    EXPECT_EQ(back.state, region.state);
    EXPECT_EQ(back.server_name, region.server_name);
    EXPECT_EQ(back.since_ms, region.since_ms);
    ExpectRoundTrip<v1::SnapshotDescription>(
        SnapshotDescription{make_.Text(), make_.Info().table, make_.Enum(SnapshotType::kSkipFlush), make_.Long(),
                            make_.Long(), make_.Long(), make_.Int() | 1, make_.Text()});
  }
}

TEST(SwitchCodecTest, EverySwitchSurvivesAndNoneIsRefused) {
  for (int i = 0; i <= static_cast<int>(MasterSwitch::kPeerModification); ++i) {
    MasterSwitch back;
    ASSERT_TRUE(FromProto(ToProto(static_cast<MasterSwitch>(i)), &back).ok());
    EXPECT_EQ(static_cast<int>(back), i);
  }
  MasterSwitch none;
  EXPECT_TRUE(IsError(FromProto(v1::MASTER_SWITCH_UNSPECIFIED, &none), ErrorKind::kIllegalArgument));
  EXPECT_TRUE(IsError(FromProto(static_cast<v1::MasterSwitch>(99), &none), ErrorKind::kIllegalArgument));
}

INSTANTIATE_TEST_SUITE_P(Seeds, CodecTest, ::testing::Range(1, 5));

// ---- results

TEST(ResultCodecTest, BothFormsGiveTheSameCells) {
  CellBlock block;
  block.Append({"other", "f", "q", 1, CellType::kPut, "x"});
  block.Append({"row", "f", "", 7, CellType::kPut, std::string("\0v", 2)});
  block.Append({"row", "f", "q", kLatestTimestamp - 1, CellType::kDeleteColumn, ""});
  for (const bool as_block : {false, true}) {
    v1::Result message;
    ToProto(block, {.first = 1, .count = 2, .partial = true}, as_block, &message);
    EXPECT_EQ(message.cells().empty(), as_block);
    EXPECT_TRUE(message.partial());
    EXPECT_TRUE(message.exists());
    std::vector<Cell> cells;
    ASSERT_TRUE(FromProto(message, &cells).ok());
    EXPECT_EQ(Describe(cells), Describe(std::vector{Cell(block[1]), Cell(block[2])}));
  }
}

TEST(ResultCodecTest, AnEmptyResultHasNoCells) {
  v1::Result message;
  ToProto(CellBlock(), {}, true, &message);
  EXPECT_FALSE(message.exists());
  std::vector<Cell> cells;
  ASSERT_TRUE(FromProto(message, &cells).ok());
  EXPECT_TRUE(cells.empty());
}

// ---- results of a scan in one block

ResultBatch TwoResults() {
  ResultBatch batch;
  const auto add = [&](const std::string& row, const std::string& value) {
    batch.cells.Append({.row = row, .family = "f", .qualifier = value, .timestamp_ms = 7, .value = value});
  };
  add("a", "1");
  add("a", "2");
  add("b", "3");
  batch.results = {{.first = 0, .count = 2}, {.first = 2, .count = 1, .partial = true}};
  return batch;
}

TEST(ScanResponseCodecTest, ResultsSurvive) {
  ResultBatch batch = TwoResults();
  v1::ScanResponse message;
  ToProto(&batch, &message);
  EXPECT_TRUE(batch.results.empty());
  std::vector<ScannedResult> results;
  ASSERT_TRUE(FromProto(message, &results).ok());
  ASSERT_EQ(results.size(), 2U);
  ASSERT_EQ(results[0].cells.size(), 2U);
  EXPECT_FALSE(results[0].partial);
  EXPECT_EQ(results[0].cells[1].row, "a");
  EXPECT_EQ(results[0].cells[1].value, "2");
  ASSERT_EQ(results[1].cells.size(), 1U);
  EXPECT_TRUE(results[1].partial);
  EXPECT_EQ(results[1].cells[0].row, "b");
  EXPECT_EQ(results[1].cells[0].timestamp_ms, 7);
}

TEST(ScanResponseCodecTest, CountsThatDoNotFitAreRefused) {
  ResultBatch batch = TwoResults();
  v1::ScanResponse message;
  ToProto(&batch, &message);
  const auto decode = [](const v1::ScanResponse& of) {
    std::vector<ScannedResult> results;
    return std::string(FromProto(of, &results).message());
  };
  v1::ScanResponse other = message;
  other.set_cells_per_result(1, 4'000'000'000);
  EXPECT_THAT(decode(other), HasSubstr("fewer cells"));
  other = message;
  other.set_cells_per_result(0, 1);
  EXPECT_THAT(decode(other), HasSubstr("more than"));
  other = message;
  other.set_partial_results(0, 2);
  EXPECT_THAT(decode(other), HasSubstr("partial_results"));
  other = message;
  other.set_cell_block("garbage");
  EXPECT_THAT(decode(other), HasSubstr("cell_block"));
}

// ---- what is refused

absl::Status Decode(const v1::Mutation& message) {
  Mutation out;
  return FromProto(message, &out);
}

void ExpectRefused(const absl::Status& status, const std::string& field) {
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(field));
}

TEST(RefusalTest, AMutationWithoutAKnownType) {
  v1::Mutation mutation;
  ExpectRefused(Decode(mutation), "mutation.type");
  mutation.set_type(static_cast<v1::Mutation::Type>(99));
  ExpectRefused(Decode(mutation), "mutation.type");
  mutation.set_type(v1::Mutation::TYPE_PUT);
  mutation.set_durability(static_cast<v1::Durability>(99));
  ExpectRefused(Decode(mutation), "mutation.durability");
}

TEST(RefusalTest, ACellWithoutAKnownType) {
  v1::Mutation mutation;
  mutation.set_type(v1::Mutation::TYPE_DELETE);
  mutation.add_cells()->set_family("f");
  ExpectRefused(Decode(mutation), "cell.type");
  mutation.mutable_cells(0)->set_type(static_cast<v1::CellType>(5));
  ExpectRefused(Decode(mutation), "cell.type");
  mutation.mutable_cells(0)->set_type(v1::CELL_TYPE_DELETE_COLUMN);
  EXPECT_TRUE(Decode(mutation).ok());
}

TEST(RefusalTest, AGarbledCellBlock) {
  v1::Mutation mutation;
  mutation.set_type(v1::Mutation::TYPE_PUT);
  mutation.set_cell_block("garbage");
  ExpectRefused(Decode(mutation), "cell_block");
}

TEST(RefusalTest, FiltersWithoutKindComparatorOrEnd) {
  FilterSpec out;
  v1::Filter filter;
  ExpectRefused(FromProto(filter, &out), "filter.kind");
  filter.mutable_row();
  ExpectRefused(FromProto(filter, &out), "filter.comparator");
  filter.mutable_row()->mutable_comparator()->set_type(static_cast<v1::Comparator::Type>(99));
  ExpectRefused(FromProto(filter, &out), "comparator.type");
  v1::Filter deep;
  v1::Filter* inner = &deep;
  for (int depth = 0; depth < 200; ++depth) inner = inner->mutable_skip();
  inner->mutable_filter_all();
  ExpectRefused(FromProto(deep, &out), "nested");
}

TEST(RefusalTest, TablesWithAFamilyTwiceOrABadName) {
  v1::TableDescriptor table;
  TableDescriptor out;
  table.set_name("a:b:c");
  EXPECT_EQ(FromProto(table, &out).code(), absl::StatusCode::kInvalidArgument);
  table.set_name("t");
  table.add_families()->set_name("f");
  table.add_families()->set_name("f");
  ExpectRefused(FromProto(table, &out), "'f' already exists");
}

// ---- errors

TEST(StatusCodecTest, EveryKindOfErrorSurvives) {
  for (int i = 0; i <= static_cast<int>(ErrorKind::kDeserialization); ++i) {
    const auto kind = static_cast<ErrorKind>(i);
    const absl::Status status = Error(kind, "the message");
    const absl::Status back = FromGrpcStatus(ToGrpcStatus(status));
    EXPECT_TRUE(IsError(back, kind)) << back;
    EXPECT_EQ(back.code(), status.code());
    EXPECT_EQ(back.message(), "the message");
    v1::HBaseError error;
    ToProto(status, &error);
    EXPECT_EQ(error.exception_class(), ExceptionClass(status));
    EXPECT_EQ(error.retryable(), IsRetryable(status));
    EXPECT_EQ(FromProto(error), status);
  }
}

TEST(StatusCodecTest, OtherErrorsKeepTheirCode) {
  EXPECT_EQ(FromGrpcStatus(ToGrpcStatus(absl::DataLossError("bad block"))), absl::DataLossError("bad block"));
  EXPECT_TRUE(FromGrpcStatus(ToGrpcStatus(absl::OkStatus())).ok());
  EXPECT_EQ(FromGrpcStatus(grpc::Status(grpc::StatusCode::UNAVAILABLE, "gone", "not a StatusDetails")),
            absl::UnavailableError("gone"));
}

TEST(StatusCodecTest, AMessageThatQuotesBytesIsText) {
  const absl::Status status = Error(ErrorKind::kNoSuchColumnFamily, "family \xff\xc3 of \\x00");
  v1::HBaseError error, received;
  ToProto(status, &error);
  ASSERT_TRUE(received.ParseFromString(error.SerializeAsString()));
  EXPECT_EQ(received.message(), "family \\xFF\\xC3 of \\x00");
  EXPECT_TRUE(IsError(FromGrpcStatus(ToGrpcStatus(status)), ErrorKind::kNoSuchColumnFamily));
}

TEST(StatusCodecTest, AMessageThatIsOnlyANameSaysMoreToPeople) {
  const absl::Status exists = Error(ErrorKind::kTableExists, "t");
  EXPECT_EQ(ToGrpcStatus(exists).error_message(), "table t exists");
  EXPECT_EQ(FromGrpcStatus(ToGrpcStatus(exists)).message(), "t");  // HBase's own
  EXPECT_EQ(ToGrpcStatus(Error(ErrorKind::kNotServingRegion, "")).error_message(), "NotServingRegionException");
  EXPECT_EQ(ToGrpcStatus(Error(ErrorKind::kTableExists, "")).error_message(), "TableExistsException");
  EXPECT_EQ(ToGrpcStatus(Error(ErrorKind::kUnknownScanner, "7")).error_message(), "UnknownScannerException: 7");
  EXPECT_EQ(ToGrpcStatus(absl::UnimplementedError("")).error_message(), "UNIMPLEMENTED");
  EXPECT_EQ(ToGrpcStatus(Error(ErrorKind::kTableExists, "table 7 is there")).error_message(), "table 7 is there");
}

TEST(StatusCodecTest, ALongMessageFitsTheTrailers) {
  const grpc::Status status = ToGrpcStatus(Error(ErrorKind::kWrongRegion, std::string(100'000, '\xff')));
  EXPECT_LT(3 * status.error_message().size() + status.error_details().size() * 4 / 3, 8000u);
  EXPECT_TRUE(IsError(FromGrpcStatus(status), ErrorKind::kWrongRegion));
}

TEST(StatusCodecTest, AnErrorIsNeverTakenForASuccess) {
  v1::HBaseError error;
  error.set_message("m");
  EXPECT_FALSE(FromProto(error).ok());
}

}  // namespace
}  // namespace vaquita
