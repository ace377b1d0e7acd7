#include "tools/backup/tar_format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/durable_files.h"
#include "base/ephemeral_folder.h"
#include "tools/backup/archive.h"

namespace vaquita::backup {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

class ArchiveTest : public ::testing::Test {
 protected:
  ArchiveTest() : folder_(*EphemeralFolder::Make()) { std::filesystem::create_directory(Path("out")); }

  std::string Path(const std::string& name) const { return folder_->path() + "/" + name; }
  int Run(const std::string& command) const {
    return std::system(("cd '" + folder_->path() + "' && " + command).c_str());
  }
  // Writes two files and a text.
  void Write(const std::string& to) {
    ASSERT_TRUE(WriteFile(Path("source"), big_).ok());
    const auto archive = OpenArchiveWriter(Path(to));
    ASSERT_TRUE(archive.ok()) << archive.status();
    EXPECT_EQ(*(*archive)->AddFile("a/b", Path("source")), big_.size());
    ASSERT_TRUE(WriteFile(Path("source"), "").ok());
    EXPECT_EQ(*(*archive)->AddFile(long_, Path("source")), 0);
    ASSERT_TRUE((*archive)->AddText("text", "some text").ok());
    ASSERT_TRUE((*archive)->Finish().ok());
  }
  void ExpectContents(const std::string& folder) {
    EXPECT_EQ(*ReadFile(Path(folder) + "/a/b"), big_);
    EXPECT_EQ(*ReadFile(Path(folder) + "/" + long_), "");
    EXPECT_EQ(*ReadFile(Path(folder) + "/text"), "some text");
  }

  const std::unique_ptr<EphemeralFolder> folder_;
  const std::string big_ = std::string(3'000'001, 'x');
  const std::string long_ = "a/" + std::string(120, 'l') + "/" + std::string(200, 'm');
};

TEST_F(ArchiveTest, BothFormsGiveBackWhatTheyGot) {
  for (const std::string to : {"folder", "archive.tar"}) {
    SCOPED_TRACE(to);
    Write(to);
    const auto files = ExtractArchive(Path(to), Path("out/" + to));
    ASSERT_TRUE(files.ok()) << files.status();
    EXPECT_THAT(*files, ElementsAre(Pair("a/b", big_.size()), Pair(long_, 0), Pair("text", 9)));
    ExpectContents("out/" + to);
  }
}

TEST_F(ArchiveTest, TarReadsTheArchiveAndTheOtherWayRound) {
  Write("archive.tar");
  ASSERT_EQ(Run("tar -C out -xf archive.tar"), 0);
  ExpectContents("out");
  for (const std::string form : {"gnu", "pax", "ustar"}) {
    // ustar has no room for the long name.
    if (form == "ustar") std::filesystem::remove_all(Path("out/a/" + std::string(120, 'l')));
    ASSERT_EQ(Run("tar --format=" + form + " -C out -cf other.tar ."), 0);
    const auto files = ExtractArchive(Path("other.tar"), Path("from_" + form));
    ASSERT_TRUE(files.ok()) << form << ": " << files.status();
    EXPECT_EQ(files->size(), form == "ustar" ? 2 : 3);
    EXPECT_EQ(*ReadFile(Path("from_" + form) + "/a/b"), big_);
  }
}

TEST_F(ArchiveTest, NothingIsOverwritten) {
  Write("folder");
  Write("archive.tar");
  EXPECT_THAT(OpenArchiveWriter(Path("folder")).status().message(), HasSubstr("folder is not empty"));
  EXPECT_THAT(OpenArchiveWriter(Path("archive.tar")).status().message(), HasSubstr("archive.tar exists"));
}

TEST_F(ArchiveTest, WhatIsNotFinishedIsRemoved) {
  for (const std::string to : {"folder", "archive.tar"}) {
    auto archive = OpenArchiveWriter(Path(to));
    ASSERT_TRUE(archive.ok());
    ASSERT_TRUE((*archive)->AddText("text", "some text").ok());
    EXPECT_THAT((*archive)->AddFile("a", Path("none")).status().message(), HasSubstr(Path("none")));
    archive->reset();
    EXPECT_FALSE(PathExists(Path(to) + "/text"));
    EXPECT_FALSE(PathExists(Path(to) + ".part"));
  }
}

TEST_F(ArchiveTest, TwoWritersOfOnePlaceDoNotDisturbEachOther) {
  for (const char* const name : {"b", "b.tar"}) {
    const std::string to = Path(name);
    auto writer = OpenArchiveWriter(to);
    ASSERT_TRUE(writer.ok()) << writer.status();
    ASSERT_TRUE((*writer)->AddText("text", "text").ok());
    const auto other = OpenArchiveWriter(to);
    ASSERT_TRUE(absl::IsFailedPrecondition(other.status())) << other.status();
    EXPECT_EQ(other.status().message().substr(0, to.size()), to);
    ASSERT_TRUE((*writer)->Finish().ok());
    writer->reset();
    EXPECT_TRUE(absl::IsInvalidArgument(OpenArchiveWriter(to).status()));
    const auto sizes = ExtractArchive(to, Path(std::string("out/") + name));
    ASSERT_TRUE(sizes.ok()) << sizes.status();
    EXPECT_EQ(sizes->at("text"), 4);
  }
}

TEST_F(ArchiveTest, WhatAKilledBackupLeftOfAnArchiveIsWrittenAnew) {
  const std::string to = Path("b.tar");
  ASSERT_TRUE(WriteFile(to + ".part", std::string(100'000, 'x')).ok());
  auto writer = OpenArchiveWriter(to);
  ASSERT_TRUE(writer.ok()) << writer.status();
  ASSERT_TRUE((*writer)->AddText("a", "1").ok());
  ASSERT_TRUE((*writer)->Finish().ok());
  EXPECT_EQ(ExtractArchive(to, Path("out"))->size(), 1);
}

TEST_F(ArchiveTest, WhatIsNoBackupIsRefused) {
  const auto refusal = [&] { return std::string(ExtractArchive(Path("bad.tar"), Path("out")).status().message()); };
  EXPECT_THAT(refusal(), HasSubstr("bad.tar does not exist"));
  ASSERT_TRUE(WriteFile(Path("bad.tar"), std::string(2000, 'x')).ok());
  EXPECT_THAT(refusal(), HasSubstr("bad.tar is not a tar archive of a backup: a header's checksum is wrong"));
  ASSERT_TRUE(WriteFile(Path("bad.tar"), tar::Header("a", 5000) + "short").ok());
  EXPECT_THAT(refusal(), HasSubstr("is shorter than it should be"));
  ASSERT_TRUE(WriteFile(Path("bad.tar"), tar::Header("a", 0)).ok());
  EXPECT_THAT(refusal(), HasSubstr("it ends in the middle"));
  for (const char* path : {"../a", "/a", "b/../../a"}) {
    ASSERT_TRUE(WriteFile(Path("bad.tar"), tar::Header(path, 0) + tar::End()).ok());
    EXPECT_THAT(refusal(), HasSubstr("which is outside a backup")) << path;
  }
  ASSERT_EQ(Run("ln -s x link && tar -cf bad.tar link"), 0);
  EXPECT_THAT(refusal(), HasSubstr("link is not a file"));
}

// Eight GiB and more do not fit into a header's field.
TEST(TarFormatTest, LargeSizesAreKept) {
  const int64_t size = int64_t{20} << 30;
  std::istringstream bytes(tar::Header("a", size));
  const auto entry = tar::Reader(&bytes, "x").Next();
  ASSERT_TRUE(entry.ok()) << entry.status();
  EXPECT_EQ((*entry)->size, size);
  EXPECT_EQ((*entry)->path, "a");
}

TEST(TarFormatTest, ASizeBelowZeroIsRefused) {
  std::string header = tar::Header("a", int64_t{20} << 30);
  header.replace(header.find("=21474836480") + 1, 1, "-");
  std::istringstream bytes(header);
  EXPECT_THAT(std::string(tar::Reader(&bytes, "x").Next().status().message()),
              HasSubstr("an extended header is malformed"));
}

}  // namespace
}  // namespace vaquita::backup
