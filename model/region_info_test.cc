// HBase's own classes have named the same tables and regions (region/testdata/name_cases.txt).
#include "model/region_info.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "base/absl_text.h"
#include "base/status.h"
#include "model/table_descriptor.h"
#include "model/table_name.h"
#include "region/testdata/case_text.h"

namespace vaquita {
namespace {

// A case's outcome in the words of the case file.
std::string Outcome(const std::vector<std::string>& words) {
  const std::string argument = cases::Bytes(words.at(1));
  if (words[0] == "binary") return "= " + cases::Token(FromStringBinary(argument));
  if (words[0] == "size") return "= " + cases::Token(PrettySize(std::stoll(argument)));
  const auto table = TableName::Parse(argument);
  if (!table.ok()) {
    EXPECT_TRUE(IsError(table.status(), ErrorKind::kIllegalArgument)) << table.status();
    return "! " + cases::Token(StdText(table.status().message()));
  }
  if (words[0] == "table")
    return "= " + cases::Token(table->ns) + " " + cases::Token(table->qualifier) + " " +
           cases::Token(table->ToString());
  RegionInfo region;
  region.table = *table;
  region.start_key = cases::Bytes(words.at(2));
  region.id = std::stoll(words.at(3));
  return "= " + cases::Token(region.Name()) + " " + region.EncodedName();
}

TEST(NamesTest, AreHBases) {
  for (const std::string& line : cases::Lines("name_cases.txt")) {
    const std::vector<std::string> words = cases::Words(line);
    const size_t arguments = words.at(0) == "region" ? 4 : 2;
    std::string expected;
    for (size_t i = arguments; i < words.size(); ++i) expected += (i == arguments ? "" : " ") + words[i];
    EXPECT_EQ(Outcome(words), expected) << line;
  }
}

TEST(NamesTest, NamespacesAreChecked) {
  EXPECT_TRUE(CheckNamespaceName("ns_1").ok());
  EXPECT_EQ(StdText(CheckNamespaceName("").message()), "Namespace name must not be empty");
  EXPECT_EQ(StdText(CheckNamespaceName("a-b").message()),
            "Illegal character <-> at 1. Namespaces may only contain 'alphanumeric characters' from any language and "
            "digits: a-b");
}

TEST(RegionInfoTest, HoldsItsRows) {
  RegionInfo region;
  region.start_key = "b";
  region.end_key = "d";
  EXPECT_FALSE(region.ContainsRow("a"));
  EXPECT_TRUE(region.ContainsRow("b"));
  EXPECT_TRUE(region.ContainsRow("czzz"));
  EXPECT_FALSE(region.ContainsRow("d"));
  region.end_key.clear();
  EXPECT_TRUE(region.ContainsRow("\xFF"));
}

TEST(RegionInfoTest, RegionsOverlapThatHaveRowsInCommon) {
  const auto region = [](const char* start, const char* end, const char* table = "t") {
    return RegionInfo{.table = {"default", table}, .start_key = start, .end_key = end, .id = 1};
  };
  EXPECT_TRUE(region("b", "d").Overlaps(region("c", "e")));
  EXPECT_TRUE(region("c", "e").Overlaps(region("b", "d")));
  EXPECT_TRUE(region("", "").Overlaps(region("b", "d")));
  EXPECT_TRUE(region("b", "").Overlaps(region("", "c")));
  EXPECT_FALSE(region("b", "c").Overlaps(region("c", "d"))) << "the end key is not in it";
  EXPECT_FALSE(region("c", "").Overlaps(region("", "c")));
  EXPECT_FALSE(region("b", "d").Overlaps(region("b", "d", "u")));
}

TEST(StringBinaryTest, AllBytesComeBack) {
  std::string all;
  for (int i = 0; i < 256; ++i) all.push_back(static_cast<char>(i));
  EXPECT_EQ(FromStringBinary(ToStringBinary(all)), all);
}

TEST(StringBinaryTest, AShortTextSaysThatThereIsMore) {
  EXPECT_EQ(ToShortStringBinary(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(ToShortStringBinary("abc", 3), "abc");
  EXPECT_EQ(ToShortStringBinary("abcd", 3), "abc...");
  EXPECT_LT(ToShortStringBinary(std::string(1 << 20, '\0')).capacity(), 8u << 10);
}

TEST(RegionInfoTest, AReplicaHasItsNumberInItsName) {
  const RegionInfo primary{.table = {"default", "t"}, .start_key = "a_0002,b", .id = 17};
  EXPECT_EQ(ReplicaIdInName(primary.Name()), 0);
  const RegionInfo replica = ReplicaOf(primary, 27);
  EXPECT_EQ(replica.NameWithoutHash(), "t,a_0002,b,17_001B");
  EXPECT_EQ(replica.Name(), "t,a_0002,b,17_001B." + replica.EncodedName() + ".");
  EXPECT_NE(replica.EncodedName(), primary.EncodedName());
  EXPECT_EQ(ReplicaIdInName(replica.Name()), 27);
  EXPECT_EQ(ReplicaOf(replica, 0), primary);
  EXPECT_EQ(ReplicaIdInName(replica.EncodedName()), 0);
  EXPECT_EQ(ReplicaIdInName(""), 0);
}

TEST(RegionInfoTest, FourCapitalHexDigitsAreAReplicasNumber) {
  const std::string hash(32, 'a');
  EXPECT_EQ(ReplicaIdInName("t,k,1_00FF." + hash + "."), 255);
  for (const char* id : {"1_-001", "1_+001", "1_00ff", "1_001", "1_ 001"}) {
    EXPECT_EQ(ReplicaIdInName("t,k," + std::string(id) + "." + hash + "."), 0) << id;
  }
}

TEST(RegionInfoTest, ANameIsNoLongerThanARow) {
  RegionInfo region{.table = {"ns", "table"}, .id = std::numeric_limits<int64_t>::max()};
  region.start_key.assign(MaxStartKeyLength(region.table), 'k');
  EXPECT_EQ(region.Name().size(), kMaxRowLength);
  EXPECT_TRUE(CheckStartKeyLength(region.table, region.start_key).ok());
  const absl::Status refused = CheckStartKeyLength(region.table, region.start_key + "k");
  EXPECT_TRUE(IsError(refused, ErrorKind::kIllegalArgument)) << refused;
  EXPECT_EQ(StdText(refused.message()),
            "a table's name of 8 bytes and a region's start key of 32705 bytes are too long for a row of hbase:meta: "
            "they may have 32712 bytes together");
  const TableName endless{"default", std::string(32713, 't')};
  EXPECT_EQ(MaxStartKeyLength(endless), 0u);
  EXPECT_FALSE(CheckStartKeyLength(endless, "").ok());
}

TEST(RegionInfoTest, ReplicasOfMetaHaveTheOldFormOfName) {
  const RegionInfo meta{.table = kMetaTableName, .id = 1};
  EXPECT_EQ(meta.EncodedName(), "1588230740");
  EXPECT_EQ(ReplicaOf(meta, 1).Name(), "hbase:meta,,1_0001");
  EXPECT_EQ(ReplicaOf(meta, 1).EncodedName(), "534574363");
}

}  // namespace
}  // namespace vaquita
