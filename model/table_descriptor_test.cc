#include "model/table_descriptor.h"

#include <gtest/gtest.h>

#include <string>

#include "base/absl_text.h"
#include "base/status.h"

namespace vaquita {
namespace {

using Options = std::vector<std::pair<std::string, std::string>>;
constexpr char kBypass[] =
    " Set hbase.table.sanity.checks to false at conf or table descriptor if you want to bypass sanity checks";

TableDescriptor Table() {
  TableDescriptor table;
  table.name.qualifier = "t";
  table.families["f"].name = "f";
  return table;
}

std::string ErrorOf(const absl::Status& status) { return std::string(StdText(status.message())); }

TEST(TableDescriptorTest, OptionsAreWhatDiffersReservedOnesFirst) {
  TableDescriptor table = Table();
  EXPECT_TRUE(table.Options().empty());
  for (const auto& [name, value] :
       Options{{"MAX_FILESIZE", "10 GB"},
               {"DURABILITY", "ASYNC_WAL"},
               {"READONLY", "TRUE"},
               {"SPLIT_ENABLED", "false"},
               {"MERGE_ENABLED", "true"},
               {"PRIORITY", "5"},
               {"A", "1"},
               {"IS_META", "true"},
               {"SPLIT_POLICY", "org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy"}}) {
    EXPECT_TRUE(table.Set(name, value).ok()) << name;
  }
  EXPECT_EQ(table.Options(),
            (Options{{"DURABILITY", "ASYNC_WAL"},
                     {"MAX_FILESIZE", "10737418240"},
                     {"PRIORITY", "5"},
                     {"READONLY", "true"},
                     {"A", "1"},
                     {"SPLIT_ENABLED", "false"},
                     {"SPLIT_POLICY", "org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy"}}));
  TableDescriptor again = Table();
  for (const auto& [name, value] : table.Options()) EXPECT_TRUE(again.Set(name, value).ok());
  EXPECT_EQ(again, table);
}

TEST(TableDescriptorTest, AnEmptyValueRemovesAnAttribute) {
  TableDescriptor table = Table();
  for (const char* name : {"MAX_FILESIZE", "MEMSTORE_FLUSHSIZE", "A"}) {
    EXPECT_TRUE(table.Set(name, "5000000").ok());
    EXPECT_TRUE(table.Set(name, "").ok());
  }
  EXPECT_TRUE(table.Set("COMPACTION_ENABLED", "false").ok());
  EXPECT_TRUE(table.Set("COMPACTION_ENABLED", "").ok());
  EXPECT_EQ(table, Table());
}

TEST(TableDescriptorTest, SizesAreReadAsHBasePrintsThem) {
  for (const auto& [text, bytes] :
       std::vector<std::pair<std::string, int64_t>>{{"123", 123},
                                                    {"1 KB", 1024},
                                                    {"1kb 1b", 1025},
                                                    {"2GB 512M", 2684354560},
                                                    {"10763632640 B (10GB 25MB)", 10763632640},
                                                    {"7 B", 7}}) {
    TableDescriptor table = Table();
    EXPECT_TRUE(table.Set("MEMSTORE_FLUSHSIZE", text).ok()) << text;
    EXPECT_EQ(table.memstore_flush_bytes, bytes) << text;
  }
  for (const char* text : {"x", "1 MB 1 GB", "5 B (1KB)", "1 XB", "99999999999999999999", "9999999999 TB", " ", "(1KB)",
                           "1 KB (1 KB (1KB))"}) {
    TableDescriptor table = Table();
    const absl::Status status = table.Set("MAX_FILESIZE", text);
    EXPECT_TRUE(IsError(status, ErrorKind::kIllegalArgument)) << text;
    EXPECT_EQ(table, Table()) << text;
  }
}

TEST(TableDescriptorTest, ASizeOfMillionsOfParenthesesIsRefused) {
  constexpr size_t kMany = 10 << 20;
  TableDescriptor table = Table();
  const absl::Status status = table.Set("MAX_FILESIZE", std::string(kMany, '(') + std::string(kMany, ')'));
  EXPECT_TRUE(IsError(status, ErrorKind::kIllegalArgument));
}

TEST(TableDescriptorTest, ASizeThatIsNoneIsPrintedAsItIs) {
  TableDescriptor table = Table();
  table.attributes["MAX_FILESIZE"] = "x";
  EXPECT_EQ(AttributesText(table), ", {TABLE_ATTRIBUTES => {MAX_FILESIZE => 'x'}}");
}

TEST(TableDescriptorTest, RefusesAnUnknownDurability) {
  TableDescriptor table = Table();
  EXPECT_EQ(ErrorOf(table.Set("DURABILITY", "NONE")),
            "No enum constant org.apache.hadoop.hbase.client.Durability.NONE");
}

TEST(TableDescriptorTest, ANumberThatIsNoneIsRefusedAndNotTheDefault) {
  for (const char* property : {"hbase.server.keyvalue.maxsize", "hbase.hregion.max.filesize.limit",
                               "NORMALIZER_TARGET_REGION_COUNT", "REGION_REPLICATION"}) {
    TableDescriptor table = Table();
    table.configuration[property] = "10 MB";
    EXPECT_TRUE(IsError(table.Validate(false), ErrorKind::kIllegalArgument)) << property;
    EXPECT_EQ(ErrorOf(table.Validate()), std::string(property) + " takes a number, not '10 MB'");
    table.configuration[property] = "10";
    EXPECT_TRUE(table.Validate().ok()) << table.Validate();
  }
}

TEST(TableDescriptorTest, SanityChecksAreHBases) {
  EXPECT_TRUE(Table().Validate().ok());
  TableDescriptor table = Table();
  table.families.clear();
  EXPECT_TRUE(IsError(table.Validate(), ErrorKind::kDoNotRetryIO));
  EXPECT_EQ(ErrorOf(table.Validate()), std::string("Table should have at least one column family.") + kBypass);

  table = Table();
  table.max_file_bytes = 1024;
  EXPECT_EQ(ErrorOf(table.Validate()),
            std::string(
                "MAX_FILESIZE for table descriptor or \"hbase.hregion.max.filesize\" (1024) is too small, which might "
                "cause over splitting into unmanageable number of regions.") +
                kBypass);
  table.attributes["hbase.hregion.max.filesize.limit"] = "1000";
  EXPECT_TRUE(table.Validate().ok());

  table = Table();
  table.memstore_flush_bytes = 1024;
  EXPECT_EQ(
      ErrorOf(table.Validate()),
      std::string("MEMSTORE_FLUSHSIZE for table descriptor or \"hbase.hregion.memstore.flush.size\" (1024) is too "
                  "small, which might cause very frequent flushing.") +
          kBypass);
  table.configuration["hbase.table.sanity.checks"] = "false";
  EXPECT_TRUE(table.Validate().ok());

  table = Table();
  table.split_policy = "NoSuchPolicy";
  EXPECT_EQ(ErrorOf(table.Validate()),
            std::string("Unable to load configured region split policy 'NoSuchPolicy' for table 't'") + kBypass);
  table.split_policy = "ConstantSizeRegionSplitPolicy";
  EXPECT_TRUE(table.Validate().ok());
}

TEST(TableDescriptorTest, SanityChecksCanBeSwitchedOff) {
  TableDescriptor table = Table();
  table.families["f"].ttl_seconds = 0;
  table.max_file_bytes = 1;
  EXPECT_FALSE(table.Validate().ok());
  EXPECT_TRUE(table.Validate(/*sanity_checks=*/false).ok());
  table.attributes["hbase.table.sanity.checks"] = "true";  // the table's own word counts
  EXPECT_FALSE(table.Validate(/*sanity_checks=*/false).ok());
  table.attributes["hbase.table.sanity.checks"] = "false";
  EXPECT_TRUE(table.Validate().ok());
  table.families["f"].max_versions = 0;  // not one of them
  EXPECT_TRUE(IsError(table.Validate(), ErrorKind::kIllegalArgument));
}

TEST(TableDescriptorTest, FindsFamilies) {
  const TableDescriptor table = Table();
  ASSERT_NE(table.FindFamily("f"), nullptr);
  EXPECT_EQ(table.FindFamily("f")->name, "f");
  EXPECT_EQ(table.FindFamily("g"), nullptr);
}

TEST(TableDescriptorTest, AnAddedFamilyHasStoresOfItsOwn) {
  TableDescriptor table = Table();
  const TableDescriptor before = table;
  FamilyDescriptor& f = table.families["f"];
  EXPECT_EQ(f.StoreName(), "f");
  f.generation.added_ms = 17;
  EXPECT_EQ(f.StoreName(), "f:17");
  EXPECT_EQ(table.FindFamilyOfStore("f:17"), &f);
  for (const char* other : {"f", "f:18", "f:017", "f:", "g", "g:17", ""}) {
    EXPECT_EQ(table.FindFamilyOfStore(other), nullptr) << other;
  }
  EXPECT_EQ(table, before) << "clients do not see it";
  for (const char* name : {"f", "f:17", "f:x"}) EXPECT_EQ(FamilyDescriptor::OfStore(name).StoreName(), name);
  EXPECT_EQ(FamilyDescriptor::OfStore("f:17").name, "f");
}

}  // namespace
}  // namespace vaquita
