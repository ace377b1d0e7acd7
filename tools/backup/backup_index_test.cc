#include "tools/backup/backup_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_replace.h"

namespace vaquita::backup {
namespace {

BackupIndex Example() {
  return {.version = "1.0",
          .cluster_id = "c",
          .begun_ms = 1,
          .ended_ms = 2,
          .namespaces = {},
          .tables = {},
          .snapshots = {"s"},
          .switched_off = {},
          .missing = {{"table t", "it is damaged"}},
          .files = {{"snapshots/s/a", 5}}};
}

TEST(BackupIndexTest, IsReadAgain) {
  const auto read = ParseIndex(ToJson(Example()));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->files, Example().files);
  EXPECT_EQ(read->snapshots, Example().snapshots);
  EXPECT_EQ(read->ended_ms, 2);
  ASSERT_EQ(read->missing.size(), 1);
  EXPECT_EQ(read->missing[0].what + read->missing[0].why, "table tit is damaged");
}

TEST(BackupIndexTest, AFilesSizeIsAWholeNumber) {
  for (const char* size : {"-1", "5.5", "1e300", "18446744073709551615", "\"5\"", "null"}) {
    const std::string text = absl::StrReplaceAll(ToJson(Example()), {{": 5", std::string(": ") + size}});
    ASSERT_NE(text, ToJson(Example()));
    EXPECT_THAT(ParseIndex(text).status().message(), ::testing::HasSubstr("a whole number")) << size;
  }
}

}  // namespace
}  // namespace vaquita::backup
