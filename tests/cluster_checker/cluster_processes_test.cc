#include "tests/cluster_checker/cluster_processes.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "base/testing/temporary_folder.h"

namespace vaquita::checker {
namespace {

constexpr char kLog[] =
    "[12:00:00.000] [info] region server a,1,2 registered: epoch=1 adopts=\n"
    "[12:00:01.000] [error] region server a,1,2: ABORTED: the master took this server for dead\n";

TEST(ReasonOfEndTest, TheSignalThatWasSent) {
  EXPECT_EQ(ReasonOfEnd(-SIGKILL, SIGKILL, ""), "killed");
  EXPECT_EQ(ReasonOfEnd(-SIGTERM, SIGTERM, ""), "killed") << "before it handled it";
  EXPECT_EQ(ReasonOfEnd(0, SIGTERM, ""), "stopped");
  EXPECT_EQ(ReasonOfEnd(0, SIGINT, ""), "stopped");
  EXPECT_EQ(ReasonOfEnd(-SIGSEGV, SIGTERM, ""), "");
  EXPECT_EQ(ReasonOfEnd(-SIGABRT, 0, ""), "");
  EXPECT_EQ(ReasonOfEnd(0, 0, ""), "") << "nobody ordered it";
  EXPECT_EQ(ReasonOfEnd(66, SIGTERM, ""), "") << "a sanitizer's";
  EXPECT_EQ(ReasonOfEnd(-1000, SIGKILL, ""), "") << "it did not end";
}

TEST(ReasonOfEndTest, TheLossOfItsLease) {
  const std::string dead = std::string(kLog) + "vaquita: the master took this server for dead\n";
  const std::string late =
      std::string(kLog) + "vaquita: a,1,2 was declared dead, or a later server at its address has registered\n";
  for (const int signal : {0, SIGTERM}) {
    EXPECT_EQ(ReasonOfEnd(1, signal, dead), "lease lost");
    EXPECT_EQ(ReasonOfEnd(1, signal, late), "lease lost");
  }
  EXPECT_EQ(ReasonOfEnd(2, 0, dead), "");
  EXPECT_EQ(ReasonOfEnd(1, 0, std::string(kLog) + "vaquita: open the database: Corruption: bad block\n"), "");
  EXPECT_EQ(ReasonOfEnd(1, SIGTERM, "vaquita: open the database: Corruption: bad block\n"), "");
}

// Signals to a process that is not there would go to all processes of the machine.
TEST(ClusterProcessesTest, AProgramThatCannotBeRunFailsTheRun) {
  const testing::TemporaryFolder folder;
  checker::Run run(1);
  bool started = true;
  EXPECT_NONFATAL_FAILURE(
      {
        ClusterProcesses processes(&run, {.program = folder.path() + "/none", .folder = folder.path()});
        started = processes.Start();
        if (processes.Runs(0)) _exit(1);  // before its destructor kills what is not its own
      },
      "cannot run");
  EXPECT_FALSE(started);
  EXPECT_TRUE(run.failed());
}

}  // namespace
}  // namespace vaquita::checker
