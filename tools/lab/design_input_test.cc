#include "tools/lab/design_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tools/lab/emulation_input.h"

namespace vaquita {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class DesignInputTest : public ::testing::Test {
 protected:
  DesignInputTest() { fs::create_directories(folder_); }
  ~DesignInputTest() override { fs::remove_all(folder_); }
  std::string Path(const std::string& name) const { return (folder_ / name).string(); }

  const fs::path folder_ = fs::temp_directory_path() / ("vaquita_design_input_" + std::to_string(getpid()));
};

TEST_F(DesignInputTest, ALoadKnowsTheShareOfItsRecordsThatHaveAKey) {
  const auto input = RecordInput::Open({.generate = "id=sequence()", .rows = 10'000});
  ASSERT_TRUE(input.ok()) << input.status();
  auto keys = LoadKeys::Open(*input, *input->ParseDesign("pad(10 / (id % 4), 2) + pad(id, 10)"));
  ASSERT_TRUE(keys.ok()) << keys.status();
  EXPECT_EQ(keys->Sample(1'000'000, 10'000, false)->size(), 7'500u);
  EXPECT_DOUBLE_EQ(keys->share_with_key(), 0.75);
}

TEST_F(DesignInputTest, AFileThatIsCutOffIsAnError) {
  const std::string path = Path("cut.csv.gz");
  const gzFile file = gzopen(path.c_str(), "wb");
  gzputs(file, "id\n");
  for (int i = 0; i < 200'000; ++i) gzprintf(file, "%d\n", i * 7919 % 1'000'003);
  gzclose(file);
  fs::resize_file(path, fs::file_size(path) / 2);
  const auto input = RecordInput::Open({.csv = path});
  ASSERT_TRUE(input.ok()) << input.status();
  const auto records = input->Records();
  EXPECT_TRUE(absl::IsDataLoss(records.status())) << records.status();
  EXPECT_THAT(std::string(records.status().message()), HasSubstr("cut.csv.gz:"));
}

TEST_F(DesignInputTest, RowsThatDoNotFitAreNamedOnce) {
  std::ofstream(Path("bad.csv")) << "id,n\n1,2\n3\n4,5\n";
  const auto input = RecordInput::Open({.csv = Path("bad.csv")});
  ASSERT_TRUE(input.ok()) << input.status();
  ::testing::internal::CaptureStderr();
  const auto records = input->Records();
  ASSERT_TRUE(records.ok()) << records.status();
  EXPECT_EQ((*records)->size(), 2);
  const std::string told = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(told, HasSubstr("skipped 1 records that do not fit:\n"));
  EXPECT_THAT(told, HasSubstr("bad.csv:3: 1 value beginning with '3', but the header names 2\n"));
  ::testing::internal::CaptureStderr();
  EXPECT_TRUE(input->Records().ok());
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace vaquita
