#include "model/family_descriptor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/status.h"

namespace vaquita {
namespace {

using ::testing::HasSubstr;
using std::string_literals::operator""s;

FamilyDescriptor FamilyNamed(std::string name = "f") {
  FamilyDescriptor family;
  family.name = std::move(name);
  return family;
}

std::string Option(const FamilyDescriptor& family, std::string_view name) {
  for (const auto& [option, value] : family.Options()) {
    if (option == name) return value;
  }
  return "(missing)";
}

std::string Message(const absl::Status& status) { return std::string(status.message()); }

TEST(FamilyDescriptorTest, DefaultsPrintAsHBasesShellDescribesThem) {
  EXPECT_EQ(FamilyNamed().Describe(),
            "{NAME => 'f', INDEX_BLOCK_ENCODING => 'NONE', VERSIONS => '1', KEEP_DELETED_CELLS => 'FALSE', "
            "DATA_BLOCK_ENCODING => 'NONE', TTL => 'FOREVER', MIN_VERSIONS => '0', REPLICATION_SCOPE => '0', "
            "BLOOMFILTER => 'ROW', IN_MEMORY => 'false', COMPRESSION => 'NONE', BLOCKCACHE => 'true', "
            "BLOCKSIZE => '65536 B (64KB)'}");
}

TEST(FamilyDescriptorTest, MetadataAndConfigurationPrintLast) {
  FamilyDescriptor family = FamilyNamed();
  ASSERT_TRUE(family.Set("cache_data_on_write", "true").ok());
  ASSERT_TRUE(family.Set("STORAGE_POLICY", "HOT").ok());
  ASSERT_TRUE(family.Set("IS_MOB", "true").ok());
  family.configuration["hbase.hstore.blockingStoreFiles"] = "20";
  EXPECT_THAT(family.Describe(), HasSubstr("BLOCKSIZE => '65536 B (64KB)', IS_MOB => 'true', "
                                           "METADATA => {'CACHE_DATA_ON_WRITE' => 'true', 'STORAGE_POLICY' => 'HOT'}, "
                                           "CONFIGURATION => {'hbase.hstore.blockingStoreFiles' => '20'}}"));
}

TEST(FamilyDescriptorTest, TtlInAllItsForms) {
  const struct {
    std::string text;
    int32_t seconds;
    std::string printed;
  } cases[] = {
      {"FOREVER", kForeverSeconds, "FOREVER"},
      {"forever", kForeverSeconds, "FOREVER"},
      {"2147483647", kForeverSeconds, "FOREVER"},
      {"1", 1, "1 SECOND"},
      {"59", 59, "59 SECONDS"},
      {"60", 60, "60 SECONDS (1 MINUTE)"},
      {"1 DAY", 86400, "86400 SECONDS (1 DAY)"},
      {"1 day 2 hours", 93600, "93600 SECONDS (1 DAY 2 HOURS)"},
      {"2DAYS30MINUTES", 174600, "174600 SECONDS (2 DAYS 30 MINUTES)"},
      {"61", 61, "61 SECONDS (1 MINUTE 1 SECOND)"},
      {"121", 121, "121 SECONDS (2 MINUTES 1 SECONDS)"},  // HBase's plural, kept
      {"86400 SECONDS (1 DAY)", 86400, "86400 SECONDS (1 DAY)"},
  };
  for (const auto& c : cases) {
    FamilyDescriptor family = FamilyNamed();
    ASSERT_TRUE(family.Set("TTL", c.text).ok()) << c.text;
    EXPECT_EQ(family.ttl_seconds, c.seconds) << c.text;
    EXPECT_EQ(Option(family, "TTL"), c.printed);
  }
  for (const std::string bad : {"", "soon", "1 FORTNIGHT", "2 HOURS 1 DAY", "1 DAY 1 DAY", "10 SECONDS (1 DAY)",
                                "86400 SECONDS (1 DAY", "3000000000", "99999999999999999999 DAYS", "-"}) {
    FamilyDescriptor family = FamilyNamed();
    const absl::Status status = family.Set("TTL", bad);
    EXPECT_TRUE(IsError(status, ErrorKind::kIllegalArgument)) << bad;
    EXPECT_THAT(Message(status), HasSubstr("TTL '" + bad + "'"));
    EXPECT_EQ(family, FamilyNamed()) << "a refused value changed something";
  }
}

TEST(FamilyDescriptorTest, BlockSizeInAllItsForms) {
  const struct {
    std::string text;
    int32_t bytes;
    std::string printed;
  } cases[] = {
      {"65536", 65536, "65536 B (64KB)"}, {"64 KB", 65536, "65536 B (64KB)"},
      {"64k", 65536, "65536 B (64KB)"},   {"1MB 512KB", 1572864, "1572864 B (1MB 512KB)"},
      {"1000 B", 1000, "1000 B"},         {"65537 B (64KB 1B)", 65537, "65537 B (64KB 1B)"},
  };
  for (const auto& c : cases) {
    FamilyDescriptor family = FamilyNamed();
    ASSERT_TRUE(family.Set("BLOCKSIZE", c.text).ok()) << c.text;
    EXPECT_EQ(family.block_size_bytes, c.bytes) << c.text;
    EXPECT_EQ(Option(family, "BLOCKSIZE"), c.printed);
  }
  for (const char* bad : {"", "big", "64 XB", "1KB 1MB", "4GB", "65536 B (1KB)"}) {
    FamilyDescriptor family = FamilyNamed();
    EXPECT_TRUE(IsError(family.Set("BLOCKSIZE", bad), ErrorKind::kIllegalArgument)) << bad;
  }
}

TEST(FamilyDescriptorTest, WhatOptionsPrintsSetReadsBack) {
  FamilyDescriptor family = FamilyNamed();
  for (const auto& [option, value] :
       std::vector<std::pair<std::string, std::string>>{{"versions", "5"},
                                                        {"MIN_VERSIONS", "2"},
                                                        {"TTL", "90061"},
                                                        {"KEEP_DELETED_CELLS", "ttl"},
                                                        {"COMPRESSION", "zstd"},
                                                        {"BLOCKSIZE", "128 KB"},
                                                        {"BLOOMFILTER", "ROWCOL"},
                                                        {"IN_MEMORY", "TRUE"},
                                                        {"BLOCKCACHE", "false"},
                                                        {"DATA_BLOCK_ENCODING", "fast_diff"},
                                                        {"REPLICATION_SCOPE", "1"},
                                                        {"INDEX_BLOCK_ENCODING", "NONE"},
                                                        {"COMPRESS_TAGS", "false"},
                                                        {"DFS_REPLICATION", "2"},
                                                        {"IN_MEMORY_COMPACTION", "BASIC"},
                                                        {"COMPRESSION_COMPACT_MAJOR", "GZ"},
                                                        {"NEW_VERSION_BEHAVIOR", "false"}}) {
    ASSERT_TRUE(family.Set(option, value).ok()) << option;
  }
  EXPECT_EQ(family.max_versions, 5);
  EXPECT_EQ(family.keep_deleted_cells, KeepDeletedCells::kTtl);
  EXPECT_EQ(family.compression, Compression::kZstd);
  EXPECT_EQ(family.bloom_filter, BloomType::kRowCol);
  EXPECT_EQ(family.data_block_encoding, "FAST_DIFF");
  FamilyDescriptor copy = FamilyNamed();
  for (const auto& [option, value] : family.Options()) ASSERT_TRUE(copy.Set(option, value).ok()) << option;
  EXPECT_EQ(copy, family);
}

TEST(FamilyDescriptorTest, DefaultsOfKeptOptionsLeaveNoTrace) {
  FamilyDescriptor family = FamilyNamed();
  ASSERT_TRUE(family.Set("REPLICATION_SCOPE", "1").ok());
  ASSERT_TRUE(family.Set("REPLICATION_SCOPE", "0").ok());
  ASSERT_TRUE(family.Set("STORAGE_POLICY", "HOT").ok());
  ASSERT_TRUE(family.Set("STORAGE_POLICY", "").ok());
  EXPECT_EQ(family, FamilyNamed());
}

TEST(FamilyDescriptorTest, TheUnknownIsRefusedByName) {
  const struct {
    std::string option, value, message;
    ErrorKind kind = ErrorKind::kIllegalArgument;
  } cases[] = {
      {"VERSIONZ", "3", "Unknown column family option 'VERSIONZ'. Use one of INDEX_BLOCK_ENCODING VERSIONS"},
      {"VERSIONS", "three", "VERSIONS 'three' is not supported. Use an integer"},
      {"VERSIONS", "0", "Maximum versions must be positive"},
      {"VERSIONS", "4294967297", "VERSIONS '4294967297'"},
      {"BLOOMFILTER", "ROWS", "BLOOMFILTER 'ROWS' is not supported. Use one of NONE ROW ROWCOL"},
      {"COMPRESSION", "LZO", "COMPRESSION 'LZO' is not supported. Use one of NONE SNAPPY LZ4 ZSTD GZ"},
      {"KEEP_DELETED_CELLS", "YES", "Use one of FALSE TRUE TTL"},
      {"DATA_BLOCK_ENCODING", "TRIE", "Use one of NONE PREFIX DIFF FAST_DIFF ROW_INDEX_V1"},
      {"IN_MEMORY", "1", "IN_MEMORY '1' is not supported. Use true or false"},
      {"CACHE_DATA_ON_WRITE", "maybe", "Use true or false"},
      {"IN_MEMORY_COMPACTION", "LAZY", "Use one of NONE BASIC EAGER ADAPTIVE"},
      {"REPLICATION_SCOPE", "2", "Use 0 or 1"},
      {"NEW_VERSION_BEHAVIOR", "perhaps", "Use true or false"},
      {"ENCRYPTION", "AES", "not supported by Vaquita", ErrorKind::kUnsupportedOperation},
  };
  for (const auto& c : cases) {
    FamilyDescriptor family = FamilyNamed();
    const absl::Status status = family.Set(c.option, c.value);
    EXPECT_TRUE(IsError(status, c.kind)) << c.option << ": " << status;
    EXPECT_THAT(Message(status), HasSubstr(c.message));
    EXPECT_EQ(family, FamilyNamed());
  }
}

TEST(FamilyDescriptorTest, ValidateSaysWhatHBaseSays) {
  const std::string bypass =
      " Set hbase.table.sanity.checks to false at conf or table descriptor if you want to bypass sanity checks";
  FamilyDescriptor family = FamilyNamed();
  EXPECT_TRUE(family.Validate().ok());

  family.min_versions = 2;
  EXPECT_EQ(Message(family.Validate()),
            "Min versions for column family f must be less than the Max versions." + bypass);
  EXPECT_TRUE(IsError(family.Validate(), ErrorKind::kDoNotRetryIO));
  family.max_versions = 2;
  EXPECT_TRUE(family.Validate().ok());
  family.min_versions = -1;
  EXPECT_EQ(Message(family.Validate()), "Min versions for column family f  must be positive." + bypass);

  family = FamilyNamed();
  ASSERT_TRUE(family.Set("DFS_REPLICATION", "-1").ok());
  EXPECT_EQ(Message(family.Validate()), "HFile Replication for column family f  must be greater than zero." + bypass);
  family = FamilyNamed();
  family.ttl_seconds = 0;
  EXPECT_EQ(Message(family.Validate()), "TTL for column family f must be positive." + bypass);
  family = FamilyNamed();
  family.block_size_bytes = 1023;
  EXPECT_EQ(Message(family.Validate()), "Block size for column family f  must be between 1K and 16MB." + bypass);
  family = FamilyNamed();
  family.max_versions = 0;
  EXPECT_TRUE(IsError(family.Validate(), ErrorKind::kIllegalArgument));
}

TEST(FamilyDescriptorTest, FamilyNames) {
  for (const std::string& good : {"f"s, "_"s, "a.b"s, "caf\xc3\xa9"s, std::string(127, 'x')}) {
    EXPECT_TRUE(CheckFamilyName(good).ok()) << good;
  }
  EXPECT_EQ(Message(CheckFamilyName("")), "Column Family name can not be empty");
  EXPECT_EQ(Message(CheckFamilyName(".f")), "Column Family names cannot start with a period: .f");
  EXPECT_EQ(Message(CheckFamilyName("a:b")),
            "Illegal character <58>. Column Family names cannot contain control characters or colons: a:b");
  for (const std::string& bad : {"a/b"s, "a\\b"s, "a\nb"s, "a\0b"s, "a\x7f"s}) EXPECT_FALSE(CheckFamilyName(bad).ok());
  EXPECT_EQ(Message(CheckFamilyName("recovered.edits")), "Column Family name cannot be: recovered.edits");
  EXPECT_EQ(Message(CheckFamilyName(std::string(128, 'x'))), "Family > 127");
  EXPECT_TRUE(IsError(FamilyNamed("a:b").Validate(), ErrorKind::kIllegalArgument));
}

}  // namespace
}  // namespace vaquita
