#include "base/memory.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <new>
#include <vector>

#include "base/testing/temporary_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace vaquita {
namespace {

constexpr int64_t kGibibyte = int64_t{1} << 30;

class AllowedMemoryTest : public ::testing::Test {
 protected:
  void Write(const std::string& file, const std::string& text) {
    const std::filesystem::path path = folder_.path() + "/" + file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  int64_t Allowed() const { return AllowedMemoryBytes(folder_.path() + "/"); }

  testing::TemporaryFolder folder_;
};

TEST_F(AllowedMemoryTest, IsTheMachinesWithoutAnyLimit) {
  EXPECT_EQ(Allowed(), 0);
  Write("proc/meminfo", "MemTotal:       16777216 kB\nMemFree:        1 kB\n");
  EXPECT_EQ(Allowed(), 16 * kGibibyte);
  Write("proc/self/cgroup", "0::/user.slice\n");
  Write("sys/fs/cgroup/user.slice/memory.max", "max\n");
  EXPECT_EQ(Allowed(), 16 * kGibibyte);
}

TEST_F(AllowedMemoryTest, IsTheLeastLimitOfTheGroupsAroundIt) {
  Write("proc/meminfo", "MemTotal:       16777216 kB\n");
  Write("proc/self/cgroup", "0::/a/b\n");
  Write("sys/fs/cgroup/a/b/memory.max", "4294967296\n");
  EXPECT_EQ(Allowed(), 4 * kGibibyte);
  Write("sys/fs/cgroup/a/memory.max", "2147483648\n");
  EXPECT_EQ(Allowed(), 2 * kGibibyte);
}

TEST_F(AllowedMemoryTest, IsAContainersWhoseGroupsPathIsOutside) {
  Write("proc/meminfo", "MemTotal:       16777216 kB\n");
  Write("proc/self/cgroup", "0::/../../docker/x\n");
  Write("sys/fs/cgroup/memory.max", "1073741824\n");
  EXPECT_EQ(Allowed(), kGibibyte);
}

TEST_F(AllowedMemoryTest, KnowsTheFirstVersionOfControlGroups) {
  Write("proc/meminfo", "MemTotal:       16777216 kB\n");
  Write("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/docker/x\n0::/\n");
  Write("sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes", "3221225472\n");
  EXPECT_EQ(Allowed(), 3 * kGibibyte);
  Write("sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes", "9223372036854771712\n");  // the kernel's "none"
  EXPECT_EQ(Allowed(), 16 * kGibibyte);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // those keep freed memory for their checks
TEST(ReturnFreedMemoryTest, TheSystemHasItBack) {
  constexpr size_t kBlocks = 64 * 1024;
  std::vector<std::unique_ptr<char[]>> blocks;
  for (size_t i = 0; i < kBlocks; ++i) {
    blocks.push_back(std::make_unique<char[]>(1024));  // set to zero, so resident
  }
  const auto last = std::make_unique<char[]>(1024);  // keeps malloc from returning the end of its memory by itself
  const int64_t full = ResidentMemoryBytes();
  blocks.clear();
  ReturnFreedMemory(0);
  EXPECT_LT(ResidentMemoryBytes(), full - (48 << 20));
}
#endif

TEST(EndWhenMemoryRunsOutTest, SaysSo) {
  EndWhenMemoryRunsOut();
  EXPECT_EXIT(std::get_new_handler()(), ::testing::ExitedWithCode(1), "vaquita: out of memory; give the process more");
  std::set_new_handler(nullptr);
}

}  // namespace
}  // namespace vaquita
