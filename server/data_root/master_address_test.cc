#include "server/data_root/master_address.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/testing/temporary_folder.h"

namespace vaquita {
namespace {

TEST(MasterAddressTest, IsReadAsItWasWrittenLast) {
  testing::TemporaryFolder root;
  std::filesystem::create_directory(root.path() + "/master");
  EXPECT_EQ(ReadMasterAddress(root.path()).status().code(), absl::StatusCode::kNotFound);
  MasterAddress address{.grpc_address = "[::1]:16041", .server_name = "h,16000,17", .epoch = 3, .cluster_id = "an-id"};
  ASSERT_TRUE(WriteMasterAddress(root.path(), address).ok());
  address.epoch = 4;
  ASSERT_TRUE(WriteMasterAddress(root.path(), address).ok());
  const auto read = ReadMasterAddress(root.path());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, address);
}

TEST(MasterAddressTest, AnythingElseIsRefused) {
  testing::TemporaryFolder root;
  std::filesystem::create_directory(root.path() + "/master");
  for (const char* text : {"", "grpc h:1\n", "grpc h:1\nname h,1,2\nepoch x\ncluster i\n"}) {
    std::ofstream(root.path() + "/master/address") << text;
    EXPECT_EQ(ReadMasterAddress(root.path()).status().code(), absl::StatusCode::kDataLoss) << text;
  }
}

}  // namespace
}  // namespace vaquita
