// The codecs of HBase's protocol among themselves: random structs there and back, and what they refuse.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "base/status.h"
#include "proto/hbase/cluster_codec.h"
#include "proto/hbase/data_codec.h"
#include "proto/hbase/filter_codec.h"
#include "proto/hbase/schema_codec.h"
#include "proto/hbase/status_codec.h"

namespace vaquita {
namespace {

using ::testing::HasSubstr;

class RandomOperations {
 public:
  explicit RandomOperations(int seed) : random_(seed) {}

  int64_t Below(int64_t limit) { return std::uniform_int_distribution<int64_t>(0, limit - 1)(random_); }
  bool Flag() { return Below(2) == 0; }
  std::string Bytes() {
    std::string bytes(Below(6), '\0');
    for (char& c : bytes) c = static_cast<char>(Below(256));
    return bytes;
  }
  TimeRange Range() { return {Below(5), 5 + Below(1'000'000'000'000)}; }

  ComparatorSpec Comparator() {
    ComparatorSpec c;
    c.type = static_cast<ComparatorSpec::Type>(Below(9));
    if (c.type != ComparatorSpec::Type::kNull) c.bytes = Bytes();
    if (c.type == ComparatorSpec::Type::kBinaryComponent) c.offset = static_cast<int32_t>(Below(100));
    if (c.type == ComparatorSpec::Type::kBit) c.bit_op = static_cast<ComparatorSpec::BitOp>(Below(3));
    if (c.type == ComparatorSpec::Type::kRegex) c.regex_flags = static_cast<int32_t>(Below(64));
    return c;
  }
  CompareOp Op() { return static_cast<CompareOp>(Below(6)); }

  FilterSpec Filter(int depth = 0) {
    switch (Below(depth > 3 ? 6 : 9)) {
      case 0:
        return {CompareFilterSpec{static_cast<CompareFilterSpec::What>(Below(4)), Op(), Comparator()}};
      case 1:
        return {SingleColumnValueFilterSpec{Bytes(), Bytes(), Op(), Comparator(), Flag(), Flag(), Flag()}};
      case 2:
        return {ColumnRangeFilterSpec{true, Flag(), true, Flag(), Bytes(), Bytes()}};
      case 3:
        return {RandomRowFilterSpec{0.25f * static_cast<float>(Below(4))}};
      case 4:
        return {TimestampsFilterSpec{{Below(100), Below(100)}, Flag()}};
      case 5:
        return {MultiRowRangeFilterSpec{{{Bytes(), Bytes(), Flag(), Flag()}}}};
      case 6:
        return {SkipFilterSpec{{Filter(depth + 1)}}};
      case 7:
        return {WhileMatchFilterSpec{{Filter(depth + 1)}}};
      default:
        return {
            FilterListSpec{static_cast<FilterListSpec::Operator>(Below(2)), {Filter(depth + 1), Filter(depth + 1)}}};
    }
  }

  void Fill(ReadOptions* read) {
    for (int i = 0; i < Below(3); ++i) read->columns[Bytes()] = {Bytes(), Bytes()};
    read->max_versions = 1 + static_cast<int32_t>(Below(10));
    read->time_range = Range();
    if (Flag()) read->family_time_ranges[Bytes()] = Range();
    if (Flag()) read->filter = Filter();
    read->store_limit = static_cast<int32_t>(Below(4)) - 1;
    read->store_offset = static_cast<int32_t>(Below(4));
    read->cache_blocks = Flag();
  }

  Mutation RandomMutation(const std::string& row) {
    Mutation m;
    m.type = static_cast<MutationType>(Below(4));
    m.row = row;
    m.timestamp_ms = Flag() ? kLatestTimestamp : Below(1000);
    m.ttl_ms = Flag() ? kNoTtl : 1 + Below(1000);
    m.durability = static_cast<Durability>(Below(5));
    m.return_results = Flag();
    if (m.type == MutationType::kIncrement || m.type == MutationType::kAppend) m.time_range = Range();
    for (int i = 0; i < Below(4); ++i) {
      Cell& cell = m.cells.emplace_back();
      cell.family = Bytes();
      cell.qualifier = Bytes();
      cell.timestamp_ms = Flag() ? kLatestTimestamp : Below(1000);
      if (m.type == MutationType::kDelete) {
        cell.type = Flag() ? CellType::kDelete : CellType::kDeleteColumn;
      } else {
        cell.value = Bytes();
      }
    }
    return m;
  }

 private:
  std::mt19937_64 random_;
};

void ExpectSame(const Mutation& left, const Mutation& right) {
  pb::MutationProto left_message;
  EncodeMutation(left, nullptr, &left_message);
  pb::MutationProto right_message;
  EncodeMutation(right, nullptr, &right_message);
  EXPECT_EQ(left_message.SerializeAsString(), right_message.SerializeAsString());
}

TEST(HBaseCodecTest, RandomReadsComeBack) {
  RandomOperations random(1);
  for (int i = 0; i < 2000; ++i) {
    Get get;
    random.Fill(&get);
    get.row = random.Bytes();
    get.existence_only = random.Flag();
    pb::Get message;
    EncodeGet(get, &message);
    const absl::StatusOr<Get> decoded = DecodeGet(message);
    ASSERT_TRUE(decoded.ok()) << decoded.status();
    pb::Get again;
    EncodeGet(*decoded, &again);
    ASSERT_EQ(again.SerializeAsString(), message.SerializeAsString());
    EXPECT_EQ(decoded->columns, get.columns);
    EXPECT_EQ(decoded->store_limit, get.store_limit);
  }
}

TEST(HBaseCodecTest, RandomScansComeBack) {
  RandomOperations random(2);
  for (int i = 0; i < 2000; ++i) {
    Scan scan;
    random.Fill(&scan);
    scan.rows = {random.Bytes(), random.Bytes(), random.Flag(), random.Flag()};
    scan.reversed = random.Flag();
    scan.raw = random.Flag();
    scan.batch = random.Flag() ? -1 : 1 + static_cast<int32_t>(random.Below(9));
    scan.caching = random.Flag() ? -1 : 1 + static_cast<int32_t>(random.Below(9));
    pb::Scan message;
    EncodeScan(scan, &message);
    const absl::StatusOr<Scan> decoded = DecodeScan(message);
    ASSERT_TRUE(decoded.ok()) << decoded.status();
    EXPECT_EQ(decoded->rows, scan.rows);
    EXPECT_EQ(decoded->raw, scan.raw);
    EXPECT_EQ(decoded->batch, scan.batch);
    pb::Scan again;
    EncodeScan(*decoded, &again);
    ASSERT_EQ(again.SerializeAsString(), message.SerializeAsString());
  }
}

TEST(HBaseCodecTest, RandomMutationsComeBackFromOneBlock) {
  RandomOperations random(3);
  std::vector<Mutation> mutations;
  std::vector<pb::MutationProto> messages;
  CellBlock block;
  for (int i = 0; i < 2000; ++i) {
    mutations.push_back(random.RandomMutation("row"));
    EncodeMutation(mutations.back(), random.Flag() ? &block : nullptr, &messages.emplace_back());
  }
  CellBlockReader reader(block.bytes());
  for (int i = 0; i < 2000; ++i) {
    Mutation decoded;
    const absl::Status status = DecodeMutation(&messages[i], &reader, &decoded);
    ASSERT_TRUE(status.ok()) << status;
    ExpectSame(decoded, mutations[i]);
  }
}

TEST(HBaseCodecTest, ACellsOwnTimeToLiveGoesAsATag) {
  Mutation put;
  put.row = "r";
  put.cells.emplace_back().ttl_ms = 1234;
  pb::MutationProto message;
  EncodeMutation(put, nullptr, &message);
  Mutation decoded;
  ASSERT_TRUE(DecodeMutation(&message, nullptr, &decoded).ok());
  EXPECT_EQ(decoded.cells.at(0).ttl_ms, 1234);
}

TEST(HBaseCodecTest, GarbledTagsAreRefused) {
  for (const std::string& tags : {std::string("\0", 1), std::string("\0\0\0", 3), std::string("\0\x09\x08", 3),
                                  std::string("\0\x02\x08\x01", 4)}) {
    pb::MutationProto message;
    message.set_row("r");
    message.set_mutate_type(pb::MutationProto::PUT);
    auto* column = message.add_column_value();
    column->set_family("f");
    auto* value = column->add_qualifier_value();
    value->set_value("v");
    value->set_tags(tags);
    Mutation decoded;
    EXPECT_FALSE(DecodeMutation(&message, nullptr, &decoded).ok());
  }
}

TEST(HBaseCodecTest, ARowOfAnotherMutationIsRefusedAndTheNextFindsItsCells) {
  Mutation first;
  first.row = "other";
  first.cells.resize(2);
  Mutation second;
  second.row = "second";
  second.cells.emplace_back().value = "kept";
  CellBlock block;
  pb::MutationProto first_message;
  EncodeMutation(first, &block, &first_message);
  first_message.set_row("first");
  pb::MutationProto second_message;
  EncodeMutation(second, &block, &second_message);

  CellBlockReader reader(block.bytes());
  Mutation decoded;
  const absl::Status status = DecodeMutation(&first_message, &reader, &decoded);
  EXPECT_TRUE(IsError(status, ErrorKind::kDoNotRetryIO)) << status;
  Mutation decoded_second;
  ASSERT_TRUE(DecodeMutation(&second_message, &reader, &decoded_second).ok());
  EXPECT_EQ(decoded_second.cells.at(0).value, "kept");
}

TEST(HBaseCodecTest, ABlockThatEndsEarlyIsRefused) {
  pb::MutationProto message;
  message.set_row("r");
  message.set_mutate_type(pb::MutationProto::PUT);
  message.set_associated_cell_count(std::numeric_limits<int32_t>::max());
  Mutation decoded;
  CellBlockReader empty("");
  EXPECT_THAT(DecodeMutation(&message, &empty, &decoded).ToString(),
              HasSubstr("Cell count of 2147483647 but at index 0 no cell returned: row=r, type=PUT"));
  EXPECT_THAT(DecodeMutation(&message, nullptr, &decoded).ToString(), HasSubstr("but no cellScanner"));
}

TEST(HBaseCodecTest, ADeletedFamilyTakesThePlaceOfItsColumns) {
  pb::MutationProto message;
  message.set_row("r");
  message.set_mutate_type(pb::MutationProto::DELETE);
  auto* column = message.add_column_value();
  column->set_family("f");
  column->add_qualifier_value()->set_qualifier("q");
  column->add_qualifier_value()->set_delete_type(pb::MutationProto::DELETE_FAMILY);
  Mutation decoded;
  ASSERT_TRUE(DecodeMutation(&message, nullptr, &decoded).ok());
  ASSERT_EQ(decoded.cells.size(), 1u);
  EXPECT_EQ(decoded.cells[0].type, CellType::kDeleteFamily);
}

TEST(HBaseCodecTest, ADeletedFamilyTakesThePlaceOfNothingElse) {
  pb::MutationProto message;
  message.set_row("r");
  message.set_mutate_type(pb::MutationProto::DELETE);
  const auto add = [&](const char* family, const char* qualifier) {
    auto* column = message.add_column_value();
    column->set_family(family);
    auto* value = column->add_qualifier_value();
    value->set_qualifier(qualifier);
    if (*qualifier == '\0') value->set_delete_type(pb::MutationProto::DELETE_FAMILY);
  };
  for (const char* qualifier : {"a", "", "b", "", "c"}) {
    add("f", qualifier);
    add("g", *qualifier == '\0' ? "kept" : qualifier);
  }
  Mutation decoded;
  ASSERT_TRUE(DecodeMutation(&message, nullptr, &decoded).ok());
  std::vector<std::string> columns;
  for (const Cell& cell : decoded.cells) columns.push_back(cell.family + ":" + cell.qualifier);
  EXPECT_THAT(columns, ::testing::ElementsAre("g:a", "g:kept", "g:b", "f:", "g:kept", "f:c", "g:c"));
}

// Each of the two loops would take minutes if a value cost as much as there are cells.
TEST(HBaseCodecTest, TheCostOfAMessagesDeletesGrowsWithTheirNumber) {
  constexpr int kMany = 200'000;
  pb::MutationProto message;
  message.set_row("r");
  message.set_mutate_type(pb::MutationProto::DELETE);
  for (int i = 0; i < kMany; ++i) {
    auto* column = message.add_column_value();
    column->set_family("f");
    column->add_qualifier_value()->set_qualifier("q");
  }
  auto* others = message.add_column_value();
  others->set_family("g");
  for (int i = 0; i < kMany; ++i) others->add_qualifier_value()->set_delete_type(pb::MutationProto::DELETE_FAMILY);
  Mutation decoded;
  ASSERT_TRUE(DecodeMutation(&message, nullptr, &decoded).ok());
  EXPECT_EQ(decoded.cells.size(), kMany + 1u);
}

TEST(HBaseCodecTest, AFamilyAndItsColumnsReplaceEachOtherInTheirOrder) {
  pb::Get message;
  message.set_row("r");
  message.add_column()->set_family("f");
  auto* column = message.add_column();
  column->set_family("f");
  column->add_qualifier("q");
  EXPECT_EQ(DecodeGet(message)->columns, (ColumnSelection{{"f", {"q"}}}));
  message.add_column()->set_family("f");
  EXPECT_EQ(DecodeGet(message)->columns, (ColumnSelection{{"f", {}}}));
}

TEST(HBaseCodecTest, AnOldScanFromARowToItselfIncludesIt) {
  pb::Scan message;
  message.set_start_row("r");
  message.set_stop_row("r");
  EXPECT_TRUE(DecodeScan(message)->rows.stop_inclusive);
  message.set_include_stop_row(false);
  EXPECT_FALSE(DecodeScan(message)->rows.stop_inclusive);
}

TEST(HBaseCodecTest, AScansRowsAreNoLongerThanRowsAre) {
  pb::Scan message;
  message.set_start_row(std::string(kMaxRowLength, '\0'));
  message.set_stop_row(std::string(kMaxRowLength, 's'));
  EXPECT_TRUE(DecodeScan(message).ok());
  message.set_stop_row(std::string(kMaxRowLength + 1, 's'));
  absl::Status refused = DecodeScan(message).status();
  EXPECT_TRUE(IsError(refused, ErrorKind::kIllegalArgument)) << refused;
  EXPECT_EQ(refused.message(),
            "stopRow's length must be less than or equal to 32767 to meet the criteria for a row key.");
  message.set_start_row(std::string(kMaxRowLength + 1, '\0'));
  refused = DecodeScan(message).status();
  EXPECT_EQ(refused.message(),
            "startRow's length must be less than or equal to 32767 to meet the criteria for a row key.");
}

TEST(HBaseCodecTest, ARefusalQuotesTheBeginningOfARow) {
  pb::RegionAction message;
  for (const char letter : {'a', 'b'}) {
    Mutation put;
    put.row = std::string(100'000, letter);
    EncodeMutation(put, nullptr, message.add_action()->mutable_mutation());
  }
  RowMutations decoded;
  const std::string text(DecodeRowMutations(&message, nullptr, &decoded).message());
  EXPECT_TRUE(text.starts_with("The row in the recently added Mutation bbb")) << text;
  EXPECT_TRUE(text.ends_with("aaa...")) << text;
  EXPECT_NE(text.find("bbb... doesn't match the original one aaa"), text.npos) << text;
}

TEST(HBaseCodecTest, RowMutationsAreOfOneRowAndOnlyMutations) {
  RandomOperations random(4);
  std::vector<Mutation> mutations;
  for (int i = 0; i < 20; ++i) mutations.push_back(random.RandomMutation("r"));
  CellBlock block;
  pb::RegionAction message;
  for (const Mutation& each : mutations) EncodeMutation(each, &block, message.add_action()->mutable_mutation());
  pb::RegionAction with_get = message;
  with_get.add_action()->mutable_get()->set_row("r");
  pb::RegionAction with_other_row = message;
  auto* other = with_other_row.add_action()->mutable_mutation();
  other->set_row("s");
  other->set_mutate_type(pb::MutationProto::DELETE);

  CellBlockReader reader(block.bytes());
  RowMutations decoded;
  ASSERT_TRUE(DecodeRowMutations(&message, &reader, &decoded).ok());
  EXPECT_EQ(decoded.row, "r");
  ASSERT_EQ(decoded.mutations.size(), 20u);
  for (int i = 0; i < 20; ++i) ExpectSame(decoded.mutations[i], mutations[i]);
  CellBlockReader second_reader(block.bytes());
  EXPECT_TRUE(IsError(DecodeRowMutations(&with_get, &second_reader, &decoded), ErrorKind::kDoNotRetryIO));
  CellBlockReader third_reader(block.bytes());
  RowMutations third;
  EXPECT_THAT(DecodeRowMutations(&with_other_row, &third_reader, &third).ToString(),
              HasSubstr("doesn't match the original one r"));
}

TEST(HBaseCodecTest, ClassesThatAreNotHBasesAreRefusedByName) {
  pb::Filter filter;
  filter.set_name("com.example.MyFilter");
  FilterSpec spec;
  const absl::Status status = DecodeFilter(filter, &spec);
  EXPECT_TRUE(IsError(status, ErrorKind::kDoNotRetryIO));
  EXPECT_EQ(status.message(), "java.lang.ClassNotFoundException: com.example.MyFilter");
  filter.set_name("org.apache.hadoop.hbase.filter.NoSuchFilter");
  EXPECT_THAT(DecodeFilter(filter, &spec).ToString(), HasSubstr("NoSuchFilter"));
  pb::Comparator comparator;
  comparator.set_name("com.example.MyComparator");
  ComparatorSpec comparator_spec;
  EXPECT_THAT(DecodeComparator(comparator, &comparator_spec).ToString(), HasSubstr("MyComparator"));
}

TEST(HBaseCodecTest, FiltersNestedTooDeepAreRefused) {
  FilterSpec filter{KeyOnlyFilterSpec{}};
  for (int i = 0; i < kMaxFilterDepth; ++i) filter = {SkipFilterSpec{{std::move(filter)}}};
  pb::Filter message;
  EncodeFilter(filter, &message);
  FilterSpec decoded;
  EXPECT_TRUE(DecodeFilter(message, &decoded).ok());
  EncodeFilter({SkipFilterSpec{{std::move(filter)}}}, &message);
  EXPECT_THAT(DecodeFilter(message, &decoded).ToString(), HasSubstr("nested deeper"));
}

TEST(HBaseCodecTest, OldFuzzyMasksAreRead) {
  const auto decoded_mask = [](const std::string& mask, bool is_v2) {
    pb::FuzzyRowFilter fuzzy;
    auto* pair = fuzzy.add_fuzzy_keys_data();
    pair->set_first(std::string(mask.size(), 'k'));
    pair->set_second(mask);
    if (is_v2) fuzzy.set_is_mask_v2(true);
    pb::Filter filter;
    filter.set_name("org.apache.hadoop.hbase.filter.FuzzyRowFilter");
    filter.set_serialized_filter(fuzzy.SerializeAsString());
    FilterSpec spec;
    EXPECT_TRUE(DecodeFilter(filter, &spec).ok());
    return std::get<FuzzyRowFilterSpec>(spec.kind).fuzzy_keys.at(0).second;
  };
  EXPECT_EQ(decoded_mask("\xFF\x02", true), std::string("\0\1", 2));
  EXPECT_EQ(decoded_mask(std::string("\xFF\0", 2), false), std::string("\0\1", 2));
  EXPECT_EQ(decoded_mask(std::string("\0\1", 2), false), std::string("\0\1", 2));
  EXPECT_EQ(decoded_mask(std::string("\0\1", 2), true), std::string("\0\1", 2));
}

// Any bytes: an error or a struct, but no crash.
TEST(HBaseCodecTest, ChangedBytesNeverCrash) {
  RandomOperations random(5);
  for (int i = 0; i < 3000; ++i) {
    pb::Filter filter;
    EncodeFilter(random.Filter(), &filter);
    std::string bytes = filter.serialized_filter();
    if (!bytes.empty()) bytes[random.Below(static_cast<int64_t>(bytes.size()))] = static_cast<char>(random.Below(256));
    filter.set_serialized_filter(bytes.substr(0, random.Below(static_cast<int64_t>(bytes.size()) + 1)));
    FilterSpec spec;
    DecodeFilter(filter, &spec).IgnoreError();

    CellBlock block;
    pb::MutationProto message;
    EncodeMutation(random.RandomMutation("row"), &block, &message);
    std::string cells(block.bytes());
    if (!cells.empty()) cells[random.Below(static_cast<int64_t>(cells.size()))] = static_cast<char>(random.Below(256));
    CellBlockReader reader(cells);
    Mutation mutation;
    DecodeMutation(&message, &reader, &mutation).IgnoreError();
  }
}

TEST(HBaseCodecTest, ResultsByCountTakeTheirCellsFromTheBlock) {
  CellBlock block;
  for (const char* qualifier : {"a", "b", "c"}) {
    block.Append({.row = "r", .family = "f", .qualifier = qualifier, .timestamp_ms = 1, .value = "v"});
  }
  pb::Result first;
  EncodeResultByCount({.first = 0, .count = 2}, &first);
  pb::Result second;
  EncodeResultByCount({.first = 2, .count = 1}, &second);
  CellBlockReader reader(block.bytes());
  std::vector<Cell> cells;
  ASSERT_TRUE(DecodeResult(first, &reader, &cells).ok());
  ASSERT_EQ(cells.size(), 2u);
  ASSERT_TRUE(DecodeResult(second, &reader, &cells).ok());
  EXPECT_EQ(cells.at(2).qualifier, "c");
  EXPECT_TRUE(IsError(DecodeResult(second, &reader, &cells), ErrorKind::kDeserialization));
}

TEST(HBaseCodecTest, EveryErrorComesBack) {
  for (int i = 0; i <= static_cast<int>(ErrorKind::kDeserialization); ++i) {
    const absl::Status status = Error(static_cast<ErrorKind>(i), "what happened: here");
    pb::ExceptionResponse response;
    EncodeStatus(status, &response);
    EXPECT_EQ(DecodeStatus(response), status);
    EXPECT_EQ(response.do_not_retry(), !IsRetryable(status)) << status;
    pb::NameBytesPair pair;
    EncodeStatus(status, &pair);
    EXPECT_EQ(DecodeStatus(pair), status);
    pb::ForeignExceptionMessage foreign;
    EncodeStatus(status, &foreign);
    EXPECT_EQ(DecodeStatus(foreign), status);
  }
}

TEST(HBaseCodecTest, AnErrorsTextIsUtf8) {
  const absl::Status status = Error(ErrorKind::kTableNotFound, "t\xff\xC3\xA9");
  pb::ExceptionResponse response;
  EncodeStatus(status, &response);
  EXPECT_EQ(response.stack_trace(), "org.apache.hadoop.hbase.TableNotFoundException: t\xEF\xBF\xBD\xC3\xA9");
  pb::ForeignExceptionMessage foreign;
  EncodeStatus(status, &foreign);
  EXPECT_EQ(foreign.generic_exception().message(), "t\xEF\xBF\xBD\xC3\xA9");
}

TEST(HBaseCodecTest, WhatCannotBeThrownToAClientIsWrapped) {
  pb::ExceptionResponse response;
  EncodeStatus(Error(ErrorKind::kUnsupportedOperation, "not here"), &response);
  EXPECT_EQ(response.exception_class_name(), "org.apache.hadoop.hbase.DoNotRetryIOException");
  EXPECT_EQ(response.stack_trace(),
            "org.apache.hadoop.hbase.DoNotRetryIOException: java.lang.UnsupportedOperationException: not here");
  EXPECT_TRUE(response.do_not_retry());
}

TEST(HBaseCodecTest, AMovedRegionNamesItsPlace) {
  pb::ExceptionResponse response;
  EncodeStatus(RegionMoved({.host = "there", .port = 5, .start_code = 6, .sequence_number = 7}), &response);
  EXPECT_EQ(response.hostname(), "there");
  EXPECT_EQ(response.port(), 5);
  EXPECT_FALSE(response.do_not_retry());
  RegionMove move;
  ASSERT_TRUE(ParseRegionMove(response.stack_trace(), &move));
  EXPECT_EQ(move.sequence_number, 7);
  EXPECT_FALSE(ParseRegionMove("Region moved", &move));
}

TEST(HBaseCodecTest, RegionNamesSayTableStartKeyAndId) {
  const RegionInfo info{.table = {"ns", "t"}, .start_key = "a,b\xFF", .end_key = "c", .id = 1234};
  const absl::StatusOr<RegionInfo> parsed = ParseRegionName(info.Name());
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(parsed->table, info.table);
  EXPECT_EQ(parsed->start_key, info.start_key);
  EXPECT_EQ(parsed->id, info.id);
  EXPECT_EQ(ParseRegionName("hbase:meta,,1")->table, kMetaTableName);
  for (const char* wrong : {"", "t", "t,1", "t,,x", "t,,1.short."}) EXPECT_FALSE(ParseRegionName(wrong).ok()) << wrong;
}

TEST(HBaseCodecTest, IllegalTableNamesAreRefused) {
  pb::TableName name;
  name.set_namespace_("default");
  name.set_qualifier("a:b");
  EXPECT_TRUE(IsError(DecodeTableName(name).status(), ErrorKind::kIllegalArgument));
}

TEST(HBaseCodecTest, RegionsInTransitionComeBackInEveryStateWithoutTheirServers) {
  std::vector<RegionInTransition> regions;
  for (int i = 0; i <= static_cast<int>(RegionState::kMergingNew); ++i) {
    regions.push_back({{{"default", "t"}, "a", "b", 1000 + i}, static_cast<RegionState>(i), "host,1,2", 50 + i});
  }
  pb::ClusterStatus message;
  EncodeRegionsInTransition(regions, &message);
  const auto decoded = DecodeRegionsInTransition(message);
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  ASSERT_EQ(decoded->size(), regions.size());
  for (size_t i = 0; i < regions.size(); ++i) {
    EXPECT_EQ(decoded->at(i).info, regions[i].info);
    EXPECT_EQ(decoded->at(i).state, regions[i].state);
    EXPECT_EQ(decoded->at(i).since_ms, regions[i].since_ms);
    EXPECT_EQ(decoded->at(i).server_name, "");
  }
}

TEST(HBaseCodecTest, StatesThatOnlyHBaseHasAreTheNearestOnes) {
  EXPECT_EQ(DecodeRegionState(pb::RegionState::PENDING_OPEN), RegionState::kOpening);
  EXPECT_EQ(DecodeRegionState(pb::RegionState::PENDING_CLOSE), RegionState::kClosing);
  EXPECT_EQ(DecodeRegionState(pb::RegionState::ABNORMALLY_CLOSED), RegionState::kOffline);
}

TEST(HBaseCodecTest, ClusterStatusComesBackInMegabytes) {
  ClusterStatus status{.version = "2.6.0", .cluster_id = "id", .master = "host,1,2", .backup_masters = {"host,7,8"}};
  ServerMetrics& server = status.servers.emplace_back();
  server.server_name = "host,3,4";
  server.requests = 5;
  server.memory_bytes = 6 << 20;
  RegionMetrics& region = server.regions.emplace_back();
  region.info = {.table = {"default", "t"}, .start_key = "a", .id = 9};
  region.store_files = 2;
  region.store_file_bytes = 7 << 20;
  region.read_requests = 8;

  pb::ClusterStatus message;
  EncodeClusterStatus(status, {}, 100, &message);
  EXPECT_EQ(message.table_region_states_count(0).region_states_count().open_regions(), 1u);
  const absl::StatusOr<ClusterStatus> decoded = DecodeClusterStatus(message);
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  EXPECT_EQ(decoded->master, "host,1,2");
  EXPECT_EQ(decoded->backup_masters, status.backup_masters);
  ASSERT_EQ(decoded->servers.size(), 1u);
  EXPECT_EQ(decoded->servers[0].server_name, "host,3,4");
  EXPECT_EQ(decoded->servers[0].requests, 5);
  EXPECT_EQ(decoded->servers[0].memory_bytes, 6 << 20);
  ASSERT_EQ(decoded->servers[0].regions.size(), 1u);
  EXPECT_EQ(decoded->servers[0].regions[0].info.start_key, "a");
  EXPECT_EQ(decoded->servers[0].regions[0].store_file_bytes, 7 << 20);
  EXPECT_EQ(decoded->servers[0].regions[0].read_requests, 8);

  pb::ClusterStatus only_master;
  const int options[] = {pb::MASTER};
  EncodeClusterStatus(status, options, 100, &only_master);
  EXPECT_TRUE(only_master.has_master());
  EXPECT_EQ(only_master.live_servers_size(), 0);
  EXPECT_EQ(only_master.backup_masters_size(), 0);
  EXPECT_FALSE(only_master.has_hbase_version());
}

}  // namespace
}  // namespace vaquita
