#include "proto/wire/message_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "google/protobuf/descriptor.pb.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "hbase/Client.pb.h"
#include "hbase/Filter.pb.h"
#include "vaquita/v1/types.pb.h"

namespace vaquita {
namespace {

using ::google::protobuf::DescriptorProto;
using ::testing::AllOf;
using ::testing::Ge;
using ::testing::Le;

constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();

template <typename Message>
int64_t CostOf(const std::string& bytes, int64_t most = kNoLimit) {
  return CostOfParts(bytes, *Message::descriptor(), most);
}

std::string Repeated(std::string_view part, int times) {
  std::string bytes;
  for (int i = 0; i < times; ++i) bytes += part;
  return bytes;
}

TEST(MessagePartsTest, EmptyPartsCostWhatTheyTake) {
  hbase::pb::MultiRequest multi;
  hbase::pb::RegionAction* region = multi.add_regionaction();
  region->mutable_region();
  for (int i = 0; i < 1000; ++i) region->add_action();
  EXPECT_THAT(CostOf<hbase::pb::MultiRequest>(multi.SerializePartialAsString()), AllOf(Ge(250'000), Le(270'000)));
}

TEST(MessagePartsTest, BytesOfTextsCostNothing) {
  hbase::pb::GetRequest get;
  get.mutable_region()->set_value("r");
  get.mutable_get()->set_row(std::string(1'000'000, '\x0a'));
  EXPECT_LT(CostOf<hbase::pb::GetRequest>(get.SerializePartialAsString()), 2000);
}

TEST(MessagePartsTest, TextsNumbersAndUnknownFieldsCount) {
  const std::string qualifiers = Repeated(std::string("\x12\0", 2), 1000);
  EXPECT_GE(CostOf<hbase::pb::Column>(qualifiers), 64'000);
  hbase::pb::TimestampsFilter packed;
  for (int i = 0; i < 1000; ++i) packed.add_timestamps(1);
  EXPECT_GE(CostOf<hbase::pb::TimestampsFilter>(packed.SerializeAsString()), 8000);
  EXPECT_GE(CostOf<hbase::pb::TimestampsFilter>(Repeated("\x08\x01", 1000)), 8000);
  EXPECT_GE(CostOf<hbase::pb::Get>(Repeated(std::string("\xaa\x7d\0", 3), 1000)), 64'000) << "unknown texts";
  EXPECT_GE(CostOf<hbase::pb::Get>(Repeated("\xab\x7d\xac\x7d", 1000)), 64'000) << "unknown groups";
}

TEST(MessagePartsTest, FiltersInBytesCountAsIfTheyWereAllParts) {
  hbase::pb::Filter filter;
  filter.set_name("f");
  filter.set_serialized_filter(std::string(1000, 'x'));
  EXPECT_GE(CostOf<hbase::pb::Filter>(filter.SerializeAsString()), 32'000);
}

TEST(MessagePartsTest, CountingEndsAtTheLimit) {
  const std::string actions = Repeated(std::string("\x1a\0", 2), 1'000'000);
  EXPECT_THAT(CostOf<hbase::pb::RegionAction>(actions, 10'000), AllOf(Ge(10'001), Le(10'300)));
}

TEST(MessagePartsTest, CellsCostMoreThanTheirBytes) {
  const std::string cells = Repeated(std::string("\0\0\0\x02xy", 6), 1000);
  EXPECT_EQ(CostOfCells(cells, kNoLimit), 256'000);
  EXPECT_THAT(CostOfCells(cells, 10'000), AllOf(Ge(10'001), Le(10'300)));
  EXPECT_EQ(CostOfCells(cells + std::string("\0\0\0\x7fx", 5), kNoLimit), 256'000) << "cut";
  EXPECT_EQ(CostOfCells(std::string(4000, '\0'), kNoLimit), 256'000) << "empty cells";
  vaquita::v1::Result result;
  result.set_cell_block(cells);
  EXPECT_THAT(CostOf<vaquita::v1::Result>(result.SerializeAsString()), AllOf(Ge(256'000), Le(257'000)));
}

TEST(MessagePartsTest, WhatIsNoMessageEndsTheCounting) {
  for (const std::string& bytes : {std::string(1000, '\xff'), std::string("\x12\x7f", 2), std::string("\x0f", 1),
                                   std::string("\x12", 1), std::string("\x09", 1)}) {
    EXPECT_LE(CostOf<hbase::pb::RegionAction>(bytes), 256);
  }
}

TEST(MessagePartsTest, CountingGoesNoDeeperThanAParser) {
  std::string nested;
  for (int i = 0; i < 300; ++i) {
    std::string outer;
    {
      google::protobuf::io::StringOutputStream stream(&outer);
      google::protobuf::io::CodedOutputStream out(&stream);
      out.WriteTag(DescriptorProto::kNestedTypeFieldNumber << 3 | 2);
      out.WriteVarint32(static_cast<uint32_t>(nested.size()));
      out.WriteString(nested);
    }
    nested = outer;
  }
  EXPECT_LE(CostOf<DescriptorProto>(nested), 100 * 256);
}

}  // namespace
}  // namespace vaquita
