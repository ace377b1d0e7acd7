#include "server/data_root/backup_masters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/testing/temporary_folder.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(BackupMastersTest, AreThoseThatWait) {
  testing::TemporaryFolder root;
  EXPECT_THAT(ListBackupMasters(root.path()), IsEmpty());
  const auto b = BackupMaster::Announce(root.path(), "b,16000,2");
  ASSERT_TRUE(b.ok()) << b.status();
  {
    const auto a = BackupMaster::Announce(root.path(), "a,16000,1");
    ASSERT_TRUE(a.ok()) << a.status();
    EXPECT_THAT(ListBackupMasters(root.path()), ElementsAre("a,16000,1", "b,16000,2"));
  }
  EXPECT_THAT(ListBackupMasters(root.path()), ElementsAre("b,16000,2"));
}

TEST(BackupMastersTest, WhatAKilledOneLeftGoes) {
  testing::TemporaryFolder root;
  const std::string left = root.path() + "/backup-masters/a,16000,1";
  std::filesystem::create_directories(left);
  EXPECT_THAT(ListBackupMasters(root.path()), IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(left));
}

}  // namespace
}  // namespace vaquita
