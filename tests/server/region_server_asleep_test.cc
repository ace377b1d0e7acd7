// A region server that sleeps past its lease, as one does on a machine that swaps or whose virtual machine is moved: it
// wakes after its regions opened elsewhere, and does no harm.
#include <fcntl.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <set>
#include <thread>

#include "base/durable_files.h"
#include "base/testing/wait_for.h"
#include "server/control/server_lease.h"
#include "server/data_root/handoff.h"
#include "tests/server/region_servers_harness.h"

namespace vaquita {
namespace {

using ::testing::IsEmpty;
using testing::kA;
using testing::kB;
using testing::WaitFor;

constexpr const char* kChildRoot = "VAQUITA_TEST_CHILD_ROOT";
constexpr int64_t kLeaseMs = 300;
constexpr int kWriters = 2;

// Lines of a file that another process appends to.
std::set<std::string> Lines(const std::string& path) {
  std::ifstream file(path);
  std::set<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.insert(line);
  return lines;
}

class AsleepFixture : public testing::RegionServersHarness {
 protected:
  std::string AliveFile() const { return root() + "/alive"; }  // while it is there a master would renew the lease
  std::string AckedFile() const { return root() + "/acked"; }
  std::string RefusedFile() const { return root() + "/refused"; }
  const RegionOfTable low_ = Region("", "m");
  const RegionOfTable high_ = Region("m", "");
};

class AsleepChild : public AsleepFixture {
 protected:
  void SetUp() override { root_override_ = std::getenv(kChildRoot); }

  // Rows of its own; each is noted once it is acknowledged.
  void Write(RegionServer* server, int writer) {
    const int acked = open(AckedFile().c_str(), O_WRONLY | O_APPEND | O_CREAT, 0644);
    const int refused = open(RefusedFile().c_str(), O_WRONLY | O_APPEND | O_CREAT, 0644);
    for (int i = 0;; ++i) {
      const std::string row = "k" + std::to_string(writer) + "-" + std::to_string(i);
      const absl::Status status = Put(*server, low_, row);
      const std::string line = row + "\n";
      ASSERT_EQ(write(status.ok() ? acked : refused, line.data(), line.size()), static_cast<ssize_t>(line.size()));
    }
  }
};

// Until it is killed.
TEST_F(AsleepChild, DISABLED_Serves) {
  ServerLease lease;
  lease.Renew(lease.now_ns(), kLeaseMs);
  std::vector<std::thread> threads;
  threads.emplace_back([&] {
    for (;; std::this_thread::yield()) {
      const int64_t sent_ns = lease.now_ns();
      if (PathExists(AliveFile())) lease.Renew(sent_ns, kLeaseMs);
    }
  });
  auto server = Open(kA, {}, &lease);
  Create(*server, {low_, high_});
  ASSERT_TRUE(Put(*server, high_, "z").ok());
  for (int i = 0; i < kWriters; ++i) threads.emplace_back([&, i] { Write(server.get(), i); });
  threads.emplace_back([&] {
    for (;;) server->FlushRegion(NameOf(low_)).IgnoreError();
  });
  // The master's commands go on to come in, too.
  threads.emplace_back([&] {
    for (;;) {
      server->CloseRegions({NameOf(high_)}, "");
      if (!PathExists(AliveFile())) server->ReleaseRegions({high_});
      server->OpenRegions({high_});
    }
  });
  for (std::thread& thread : threads) thread.join();
}

using RegionServerAsleepTest = AsleepFixture;

TEST_F(RegionServerAsleepTest, AcknowledgesNothingAndMakesNoFileAfterItsLease) {
  ASSERT_TRUE(WriteFile(AliveFile(), "").ok());
  const pid_t child = testing::StartChild("AsleepChild.DISABLED_Serves", {{kChildRoot, root()}});
  WaitFor([&] { return Lines(AckedFile()).size() > 1000; });

  ASSERT_EQ(kill(child, SIGSTOP), 0);
  const int64_t stopped_ns = ServerLease::MonotonicNs();
  ASSERT_TRUE(RemoveAll(AliveFile()).ok());
  WaitFor([&] { return ServerLease::MonotonicNs() - stopped_ns > kLeaseMs * 1'000'000; });
  auto b = Open(kB);
  const auto recovered = b->RecoverServer(kA, {low_, high_});
  ASSERT_TRUE(recovered.ok()) << recovered.status();
  EXPECT_TRUE(FirstError(*recovered).ok()) << FirstError(*recovered);
  OpenAndServe(*b, low_);
  OpenAndServe(*b, high_);
  const auto acked_before = Lines(AckedFile());
  const auto refused_before = Lines(RefusedFile());

  ASSERT_EQ(kill(child, SIGCONT), 0);
  WaitFor([&] { return Lines(RefusedFile()).size() > refused_before.size() + 1000; });
  ASSERT_EQ(kill(child, SIGKILL), 0);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);

  // Each writer may have recorded one more write: one that was done before, but was answered later.
  const auto acked = Lines(AckedFile());
  EXPECT_LE(acked.size(), acked_before.size() + kWriters);
  std::set<std::string> there;
  for (const std::string& row : Rows(*b, low_)) there.insert(row.substr(0, row.find('=')));
  for (const std::string& row : acked) EXPECT_TRUE(there.contains(row)) << row << " was acknowledged, and is lost";
  EXPECT_THAT(Rows(*b, high_), ::testing::ElementsAre("z=v"));
  EXPECT_FALSE(PathExists(ServerFolder(root(), kA)));
  EXPECT_THAT(FilesBelow(root() + "/recovering"), IsEmpty());
  EXPECT_THAT(*ListHandoffs(root()), IsEmpty());
}

}  // namespace
}  // namespace vaquita
