// The codecs of HBase's protocol against messages that hbase-client 2.6.0 made (testdata/README.md).

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "base/status.h"
#include "proto/hbase/data_codec.h"
#include "proto/hbase/filter_codec.h"
#include "proto/hbase/schema_codec.h"
#include "proto/hbase/status_codec.h"
#include "region/testdata/filter_text.h"

namespace vaquita {
namespace {

struct Case {
  std::string bytes;
  std::string name;
};

std::vector<Case> CasesOf(const std::string& kind) {
  std::ifstream file(std::filesystem::path(__FILE__).parent_path() / "testdata/message_cases.txt");
  std::vector<Case> found;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(kind + " ")) continue;
    const size_t bytes_begin = kind.size() + 1;
    const size_t bytes_end = line.find(' ', bytes_begin);
    found.push_back({cases::Bytes(line.substr(bytes_begin, bytes_end - bytes_begin)), line.substr(bytes_end + 1)});
  }
  EXPECT_FALSE(found.empty()) << kind;
  return found;
}

template <typename Message>
Message Parsed(const std::string& bytes) {
  Message message;
  EXPECT_TRUE(message.ParseFromString(bytes));
  return message;
}

std::string LongBytes(uint64_t value) {
  std::string bytes;
  for (int shift = 56; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>(value >> shift));
  return bytes;
}

TEST(HBaseMessageCasesTest, Comparators) {
  for (const auto& [bytes, text] : CasesOf("comparator")) {
    std::string_view rest = text;
    pb::Comparator ours;
    EncodeComparator(cases::ReadComparator(cases::TakeNode(&rest)), &ours);
    EXPECT_EQ(ours.SerializeAsString(), bytes) << text;

    ComparatorSpec decoded;
    ASSERT_TRUE(DecodeComparator(Parsed<pb::Comparator>(bytes), &decoded).ok()) << text;
    pb::Comparator again;
    EncodeComparator(decoded, &again);
    EXPECT_EQ(again.SerializeAsString(), bytes) << text;
  }
}

TEST(HBaseMessageCasesTest, Filters) {
  for (const auto& [bytes, text] : CasesOf("filter")) {
    pb::Filter ours;
    EncodeFilter(cases::ReadFilter(text), &ours);
    EXPECT_EQ(ours.SerializeAsString(), bytes) << text;

    FilterSpec decoded;
    ASSERT_TRUE(DecodeFilter(Parsed<pb::Filter>(bytes), &decoded).ok()) << text;
    pb::Filter again;
    EncodeFilter(decoded, &again);
    EXPECT_EQ(again.SerializeAsString(), bytes) << text;
  }
}

Get ExpectedGet(const std::string& name) {
  Get get;
  get.row = name == "plain" ? "r" : "row";
  if (name == "plain") return get;
  get.columns = {{"f", {"p", "q"}}, {"g", {}}};
  get.max_versions = 7;
  get.time_range = {5, 10};
  get.family_time_ranges = {{"f", {1, 2}}};
  get.filter = cases::ReadFilter("(KeyOnly false)");
  get.cache_blocks = false;
  get.store_limit = 3;
  get.store_offset = 2;
  get.existence_only = true;
  return get;
}

Scan ExpectedScan(const std::string& name) {
  Scan scan;
  if (name == "plain") return scan;
  scan.rows = {.start = "z", .stop = "a", .start_inclusive = false, .stop_inclusive = true};
  scan.reversed = true;
  scan.raw = true;
  scan.caching = 11;
  scan.batch = 4;
  scan.max_result_bytes = 1234;
  scan.max_versions = std::numeric_limits<int32_t>::max();
  scan.time_range = {0, 99};
  scan.allow_partial_results = true;
  scan.cache_blocks = false;
  scan.columns = {{"f", {}}, {"g", {"q"}}};
  scan.store_limit = 0;
  scan.store_offset = 6;
  scan.filter = cases::ReadFilter("(Prefix p)");
  scan.family_time_ranges = {{"g", {3, kMaxTimestamp}}};
  return scan;
}

void ExpectSameRead(const ReadOptions& read, const ReadOptions& expected) {
  EXPECT_EQ(read.columns, expected.columns);
  EXPECT_EQ(read.max_versions, expected.max_versions);
  EXPECT_EQ(read.time_range, expected.time_range);
  EXPECT_EQ(read.family_time_ranges, expected.family_time_ranges);
  EXPECT_EQ(read.filter.has_value(), expected.filter.has_value());
  EXPECT_EQ(read.store_limit, expected.store_limit);
  EXPECT_EQ(read.store_offset, expected.store_offset);
  EXPECT_EQ(read.cache_blocks, expected.cache_blocks);
}

TEST(HBaseMessageCasesTest, Gets) {
  for (const auto& [bytes, name] : CasesOf("get")) {
    SCOPED_TRACE(name);
    const Get expected = ExpectedGet(name);
    pb::Get ours;
    EncodeGet(expected, &ours);
    EXPECT_EQ(ours.SerializeAsString(), bytes);

    const absl::StatusOr<Get> get = DecodeGet(Parsed<pb::Get>(bytes));
    ASSERT_TRUE(get.ok()) << get.status();
    EXPECT_EQ(get->row, expected.row);
    EXPECT_EQ(get->existence_only, expected.existence_only);
    ExpectSameRead(*get, expected);
  }
}

TEST(HBaseMessageCasesTest, Scans) {
  for (const auto& [bytes, name] : CasesOf("scan")) {
    SCOPED_TRACE(name);
    const Scan expected = ExpectedScan(name);
    pb::Scan ours;
    EncodeScan(expected, &ours);
    EXPECT_EQ(ours.SerializeAsString(), bytes);

    const absl::StatusOr<Scan> scan = DecodeScan(Parsed<pb::Scan>(bytes));
    ASSERT_TRUE(scan.ok()) << scan.status();
    EXPECT_EQ(scan->rows, expected.rows);
    EXPECT_EQ(scan->reversed, expected.reversed);
    EXPECT_EQ(scan->raw, expected.raw);
    EXPECT_EQ(scan->caching, expected.caching);
    EXPECT_EQ(scan->batch, expected.batch);
    EXPECT_EQ(scan->max_result_bytes, expected.max_result_bytes);
    EXPECT_EQ(scan->allow_partial_results, expected.allow_partial_results);
    ExpectSameRead(*scan, expected);
  }
}

Cell CellOf(std::string family, std::string qualifier, std::string value, int64_t timestamp_ms = kLatestTimestamp,
            CellType type = CellType::kPut) {
  Cell cell;
  cell.family = std::move(family);
  cell.qualifier = std::move(qualifier);
  cell.value = std::move(value);
  cell.timestamp_ms = timestamp_ms;
  cell.type = type;
  return cell;
}

Mutation ExpectedMutation(const std::string& name) {
  Mutation m;
  m.row = "r";
  if (name == "put") m.cells = {CellOf("f", "q", "v")};
  if (name == "put_all") {
    m.cells = {CellOf("f", "q", "v", 44), CellOf("f", "q", "old", 7), CellOf("g", "", "", 44)};
    m.timestamp_ms = 44;
    m.ttl_ms = 5000;
    m.durability = Durability::kSkipWal;
  }
  if (name.starts_with("delete")) m.type = MutationType::kDelete;
  if (name == "delete_row") m.timestamp_ms = 77;
  if (name == "delete") {
    m.cells = {CellOf("f", "a", "", kLatestTimestamp, CellType::kDelete),
               CellOf("f", "b", "", 3, CellType::kDelete),
               CellOf("f", "c", "", kLatestTimestamp, CellType::kDeleteColumn),
               CellOf("f", "d", "", 4, CellType::kDeleteColumn),
               CellOf("g", "", "", 9, CellType::kDeleteFamilyVersion),
               CellOf("h", "", "", kLatestTimestamp, CellType::kDeleteFamily),
               CellOf("i", "", "", 8, CellType::kDeleteFamily)};
    m.durability = Durability::kFsyncWal;
  }
  if (name.starts_with("increment")) m.type = MutationType::kIncrement;
  if (name == "increment") m.cells = {CellOf("f", "q", LongBytes(5))};
  if (name == "increment_all") {
    m.cells = {CellOf("f", "q", LongBytes(-1)), CellOf("g", "q", LongBytes(1))};
    m.time_range = {1, 9};
    m.return_results = false;
    m.durability = Durability::kAsyncWal;
  }
  if (name == "append") {
    m.type = MutationType::kAppend;
    m.cells = {CellOf("f", "q", "more")};
    m.durability = Durability::kSyncWal;
  }
  return m;
}

void ExpectSameMutation(const Mutation& mutation, const Mutation& expected) {
  EXPECT_EQ(mutation.type, expected.type);
  EXPECT_EQ(mutation.row, expected.row);
  EXPECT_EQ(mutation.timestamp_ms, expected.timestamp_ms);
  EXPECT_EQ(mutation.ttl_ms, expected.ttl_ms);
  EXPECT_EQ(mutation.durability, expected.durability);
  EXPECT_EQ(mutation.return_results, expected.return_results);
  EXPECT_EQ(mutation.time_range, expected.time_range);
  ASSERT_EQ(mutation.cells.size(), expected.cells.size());
  for (size_t i = 0; i < mutation.cells.size(); ++i) {
    EXPECT_EQ(mutation.cells[i].family, expected.cells[i].family) << i;
    EXPECT_EQ(mutation.cells[i].qualifier, expected.cells[i].qualifier) << i;
    EXPECT_EQ(mutation.cells[i].value, expected.cells[i].value) << i;
    EXPECT_EQ(mutation.cells[i].timestamp_ms, expected.cells[i].timestamp_ms) << i;
    EXPECT_EQ(mutation.cells[i].type, expected.cells[i].type) << i;
  }
}

TEST(HBaseMessageCasesTest, MutationsWithTheirCells) {
  for (const auto& [bytes, name] : CasesOf("mutation")) {
    SCOPED_TRACE(name);
    pb::MutationProto ours;
    EncodeMutation(ExpectedMutation(name), nullptr, &ours);
    EXPECT_EQ(ours.SerializeAsString(), bytes);

    auto message = Parsed<pb::MutationProto>(bytes);
    Mutation mutation;
    ASSERT_TRUE(DecodeMutation(&message, nullptr, &mutation).ok());
    ExpectSameMutation(mutation, ExpectedMutation(name));
  }
}

TEST(HBaseMessageCasesTest, MutationsWithCellsBeside) {
  for (const auto& [bytes, name_and_block] : CasesOf("mutation_beside")) {
    SCOPED_TRACE(name_and_block);
    const size_t name_end = name_and_block.find(' ');
    const std::string name = name_and_block.substr(0, name_end);
    const std::string block = cases::Bytes(name_and_block.substr(name_end + 1));
    pb::MutationProto ours;
    CellBlock cells;
    EncodeMutation(ExpectedMutation(name), &cells, &ours);
    EXPECT_EQ(ours.SerializeAsString(), bytes);
    EXPECT_EQ(cells.bytes(), block);

    auto message = Parsed<pb::MutationProto>(bytes);
    CellBlockReader reader(block);
    Mutation mutation;
    ASSERT_TRUE(DecodeMutation(&message, &reader, &mutation).ok());
    ExpectSameMutation(mutation, ExpectedMutation(name));
    CellView none;
    EXPECT_FALSE(reader.Next(&none));
    EXPECT_FALSE(reader.failed());
  }
}

TEST(HBaseMessageCasesTest, Conditions) {
  for (const auto& [bytes, name] : CasesOf("condition")) {
    SCOPED_TRACE(name);
    CheckAndMutate check;
    ASSERT_TRUE(DecodeCondition(Parsed<pb::Condition>(bytes), &check).ok());
    EXPECT_EQ(check.row, "r");
    EXPECT_EQ(check.filter.has_value(), name == "filter");
    EXPECT_EQ(check.comparator.has_value(), name == "less");
    if (name == "less") {
      EXPECT_EQ(check.qualifier, "q");
      EXPECT_EQ(check.op, CompareOp::kLess);
      EXPECT_EQ(check.comparator->bytes, "v");
      EXPECT_EQ(check.time_range, (TimeRange{2, 3}));
    }
    pb::Condition ours;
    EncodeCondition(check, &ours);
    // Java leaves out the bytes of a value that is null; ours are there, and empty.
    if (name != "absent") {
      EXPECT_EQ(ours.SerializeAsString(), bytes);
    }
    CheckAndMutate again;
    ASSERT_TRUE(DecodeCondition(ours, &again).ok());
    EXPECT_EQ(again.comparator.has_value(), check.comparator.has_value());
  }
}

TEST(HBaseMessageCasesTest, Results) {
  const auto found = CasesOf("result");
  std::vector<Cell> cells;
  ASSERT_TRUE(DecodeResult(Parsed<pb::Result>(found.at(0).bytes), nullptr, &cells).ok());
  ASSERT_EQ(cells.size(), 2u);
  EXPECT_EQ(cells[0].value, "v");
  EXPECT_EQ(cells[1].qualifier, "q2");
  EXPECT_EQ(cells[1].type, CellType::kDeleteColumn);

  CellBlock block;
  for (const Cell& cell : cells) block.Append(cell.view());
  pb::Result ours;
  EncodeResult(block, {.first = 0, .count = 2, .partial = true}, &ours);
  ours.set_stale(false);  // Java writes it
  EXPECT_EQ(ours.SerializeAsString(), found.at(0).bytes);
}

FamilyDescriptor ExpectedFamily() {
  FamilyDescriptor family;
  family.name = "g";
  family.max_versions = 3;
  family.min_versions = 1;
  family.ttl_seconds = 86400;
  family.keep_deleted_cells = KeepDeletedCells::kTtl;
  family.compression = Compression::kSnappy;
  family.bloom_filter = BloomType::kRowCol;
  family.block_size_bytes = 8192;
  family.in_memory = true;
  family.block_cache = false;
  family.configuration = {{"k", "v"}};
  family.attributes = {{"OWN", "kept"}};
  return family;
}

TableDescriptor ExpectedTable(const std::string& name) {
  TableDescriptor table;
  if (name == "plain") {
    table.name = {"default", "t"};
    table.families["f"].name = "f";
    return table;
  }
  table.name = {"ns", "t"};
  table.families["g"] = ExpectedFamily();
  table.max_file_bytes = 1 << 30;
  table.memstore_flush_bytes = 1 << 27;
  table.read_only = true;
  table.durability = Durability::kAsyncWal;
  table.compaction_enabled = false;
  table.split_enabled = false;
  table.merge_enabled = false;
  table.split_policy = "org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy";
  table.attributes = {{"OWN", "kept"}};
  return table;
}

// The attributes of a table or a family, which HBase writes in no order.
template <typename Schema>
std::map<std::string, std::string> Attributes(const Schema& schema) {
  std::map<std::string, std::string> attributes;
  for (const pb::BytesBytesPair& pair : schema.attributes()) attributes[pair.first()] = pair.second();
  attributes.erase("IS_META");  // follows from the name
  return attributes;
}

TEST(HBaseMessageCasesTest, Tables) {
  for (const auto& [bytes, name] : CasesOf("table")) {
    SCOPED_TRACE(name);
    const auto theirs = Parsed<pb::TableSchema>(bytes);
    const absl::StatusOr<TableDescriptor> table = DecodeTable(theirs);
    ASSERT_TRUE(table.ok()) << table.status();
    EXPECT_TRUE(*table == ExpectedTable(name));

    pb::TableSchema ours;
    EncodeTable(ExpectedTable(name), &ours);
    EXPECT_EQ(Attributes(ours), Attributes(theirs));
    EXPECT_EQ(ours.table_name().SerializeAsString(), theirs.table_name().SerializeAsString());
    ASSERT_EQ(ours.column_families_size(), 1);
    EXPECT_EQ(Attributes(ours.column_families(0)), Attributes(theirs.column_families(0)));
    EXPECT_EQ(ours.column_families(0).configuration_size(), theirs.column_families(0).configuration_size());
  }
}

TEST(HBaseMessageCasesTest, Regions) {
  for (const auto& [bytes, name] : CasesOf("region")) {
    RegionInfo expected{.table = kMetaTableName, .id = 1};
    if (name == "all") {
      expected = {.table = {"ns", "t"}, .start_key = "a", .end_key = "b", .id = 5, .offline = true, .split = true};
    }
    const absl::StatusOr<RegionInfo> info = DecodeRegionInfo(Parsed<pb::RegionInfo>(bytes));
    ASSERT_TRUE(info.ok()) << info.status();
    EXPECT_EQ(*info, expected) << name;
    pb::RegionInfo ours;
    EncodeRegionInfo(expected, &ours);
    EXPECT_EQ(ours.SerializeAsString(), bytes) << name;
  }
}

TEST(HBaseMessageCasesTest, ServersAndNamespaces) {
  for (const auto& [bytes, text] : CasesOf("server")) {
    EXPECT_EQ(DecodeServerName(Parsed<pb::ServerName>(bytes)), text);
    pb::ServerName ours;
    EncodeServerName(text, &ours);
    EXPECT_EQ(ours.SerializeAsString(), bytes) << text;
  }
  for (const auto& [bytes, name] : CasesOf("namespace")) {
    const NamespaceDescriptor ns{"ns", {{"k", "v"}}};
    EXPECT_EQ(DecodeNamespace(Parsed<pb::NamespaceDescriptor>(bytes)), ns);
    pb::NamespaceDescriptor ours;
    EncodeNamespace(ns, &ours);
    EXPECT_EQ(ours.SerializeAsString(), bytes) << name;
  }
}

TEST(HBaseMessageCasesTest, Exceptions) {
  const std::map<std::string, absl::Status> expected = {
      {"not_serving", Error(ErrorKind::kNotServingRegion, "t,,1.x. is closing")},
      {"moved", RegionMoved({.host = "other", .port = 16020, .start_code = 99, .sequence_number = 7})},
      {"wrapped", Error(ErrorKind::kIllegalArgument, "two\nlines")},
      {"io", Error(ErrorKind::kIO, "java.lang.IllegalStateException")},
      {"unknown", Error(ErrorKind::kIO, "java.io.FileNotFoundException: f")},
  };
  for (const auto& [bytes, name] : CasesOf("exception")) {
    const auto theirs = Parsed<pb::NameBytesPair>(bytes);
    EXPECT_EQ(DecodeStatus(theirs), expected.at(name)) << name;
    if (name == "unknown") continue;  // ours is an IOException
    pb::NameBytesPair ours;
    EncodeStatus(expected.at(name), &ours);
    EXPECT_EQ(ours.name(), theirs.name()) << name;
    EXPECT_TRUE(theirs.value().starts_with(ours.value())) << name;  // theirs ends with a stack trace
  }
}

}  // namespace
}  // namespace vaquita
