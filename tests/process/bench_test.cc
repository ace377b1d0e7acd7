// `vaquita bench` as its users run it: every named workload with its answers checked, what it writes, and what it says
// to bad input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "base/json_value.h"
#include "tests/process/process_harness.h"
#include "tools/bench/run_record.h"
#include "tools/bench/workload.h"

namespace vaquita {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class BenchTest : public ProcessTest {
 protected:
  Outcome Bench(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "bench");
    return Vaquita(std::move(arguments));
  }
  std::string Path(const std::string& name) { return commands_.path() + "/" + name; }
  std::string Info() { return server_->Ready().at("region_server_info"); }
  std::vector<bench::RunRecord> Runs(const std::string& name) {
    auto runs = bench::ReadRuns(Path(name));
    EXPECT_TRUE(runs.ok()) << runs.status();
    return *std::move(runs);
  }
};

TEST_F(BenchTest, EveryWorkloadGetsRightAnswers) {
  Start();
  const std::string quorum = "hbase://" + std::string(server_->Ready().at("zookeeper"));
  int number = 0;
  for (const bench::NamedWorkload& named : bench::NamedWorkloads()) {
    const Outcome run = Bench({"--address", ++number % 2 == 0 ? server_->address() : quorum, "--workload", named.name,
                               "--rows", "200", "--operations", "400", "-p", "batchsize=3", "-p", "regions=3",
                               "--threads", "4", "--verify", "--recreate", "--drop", "--output", Path("run.json")});
    EXPECT_EQ(run.code, 0) << named.name << ": " << run.output << run.errors;
    EXPECT_THAT(run.output, HasSubstr("answers checked: 0 wrong")) << named.name;
    const bench::RunRecord record = Runs("run.json").at(0);
    EXPECT_GE(record.All().latency.count(), 400 / 3) << named.name;
    EXPECT_EQ(record.All().failed, 0) << named.name;
    EXPECT_EQ(record.All().rows > 0, named.name != "filterScan") << named.name;
  }
}

TEST_F(BenchTest, RoundsTakeTurnsAndHaveFiguresOfRegionsAndServers) {
  Start();
  const Outcome run = Bench({"--address", "one=" + server_->address(), "--address",
                             "two=hbase://" + std::string(server_->Ready().at("zookeeper")), "--reuse", "--workload",
                             "a", "--rows", "500", "--operations", "500", "--rounds", "2", "--http", "one=" + Info(),
                             "--http", "two=" + Info(), "--output", Path("run.json")});
  // The first makes the table and loads it, and the second reuses it.
  ASSERT_EQ(run.code, 0) << run.output << run.errors;
  const std::vector<bench::RunRecord> runs = Runs("run.json");
  ASSERT_EQ(runs.size(), 4);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(runs[i].label, i % 2 == 0 ? "one" : "two");
    EXPECT_EQ(runs[i].round, static_cast<int>(i / 2) + 1);
    EXPECT_EQ(runs[i].regions, 16);
    EXPECT_GT(runs[i].hottest_share, 1.0 / 16);
    EXPECT_LT(runs[i].hottest_share, 0.5);
    ASSERT_TRUE(runs[i].server_figures.has_value()) << runs[i].no_server_figures;
    EXPECT_GT(runs[i].server_figures->cpu_s, 0);
    EXPECT_GT(runs[i].server_figures->log_bytes, runs[i].bytes_written / 2);
    EXPECT_GT(runs[i].server_figures->memory_bytes, 10 << 20);
    EXPECT_EQ(runs[i].operations.at("read").latency.count() + runs[i].operations.at("update").latency.count(), 500);
  }
  // A seed repeats the operations on any cluster, and each round has its own.
  EXPECT_EQ(runs[0].operations.at("read").latency.count(), runs[1].operations.at("read").latency.count());
  EXPECT_EQ(runs[0].bytes_written, runs[1].bytes_written);
}

TEST_F(BenchTest, AWorkloadOfOnesOwn) {
  Start();
  std::ofstream(Path("mine"))
      << "# requests of a log\nrecordcount=600\noperationcount=600\nkey=bucket(id, 4) + int64(id)\n"
         "records=id=sequence()\nfieldcount=2\nfieldlength=60\nfieldlengthdistribution=uniform\n"
         "compressible=0.5\nreadproportion=1\nupdateproportion=1\ninsertproportion=1\n"
         "scanproportion=1\ndeleteproportion=0.2\nincrementproportion=1\nappendproportion=1\n"
         "maxscanlength=10\nrequestdistribution=latest\ndurability=SKIP_WAL\nregions=4\n"
         "compression=SNAPPY\n";
  const Outcome run =
      Bench({"--address", server_->address(), "--workload", Path("mine"), "--verify", "--output", Path("run.json")});
  ASSERT_EQ(run.code, 0) << run.output << run.errors;
  const bench::RunRecord record = Runs("run.json").at(0);
  EXPECT_EQ(record.operations.size(), 7);
  EXPECT_EQ(record.regions, 4);
  const Outcome filtered =
      Bench({"--address", server_->address(), "--workload", "c", "-p", "table=filtered", "--rows", "100",
             "--operations", "100", "-p", "filter=ColumnPrefixFilter('field1')", "--verify"});
  EXPECT_EQ(filtered.code, 0) << filtered.output << filtered.errors;
}

// Both threads find that their next answer takes a second.
TEST_F(BenchTest, AnOpenLoopShowsAStallInEveryCallThatWasDue) {
  Start("", {"--test-control"});
  ASSERT_EQ(Bench({"--address", server_->address(), "--workload", "c", "--rows", "100", "--operations", "1"}).code, 0);
  ASSERT_EQ(
      Vaquita({"control", "--address", server_->address(), "faults",
               R"({"match": {"methods": ["Get"], "table": "usertable"}, "skip": 300, "times": 2, "delay": "1s"})"})
          .code,
      0);
  const Outcome run = Bench({"--address", server_->address(), "--workload", "c", "--rows", "100", "--reuse", "--rate",
                             "200", "--duration", "5s", "--threads", "2", "--output", Path("run.json")});
  ASSERT_EQ(run.code, 0) << run.output << run.errors;
  const bench::RunRecord record = Runs("run.json").at(0);
  const bench::LatencyHistogram latency = record.All().latency;
  EXPECT_EQ(latency.count(), 1000);
  EXPECT_EQ(record.not_started, 0);
  // 200 calls were due during the stall, and waited from 1 s to nothing; on a busy machine they need time to catch up.
  EXPECT_GE(latency.CountFrom(750'000'000), 45);
  EXPECT_GE(latency.CountFrom(500'000'000), 95);
  EXPECT_GE(latency.CountFrom(250'000'000), 145);
  EXPECT_LE(latency.CountFrom(250'000'000), 400);
  EXPECT_GE(latency.max_ns(), 1'000'000'000);
  // A closed loop would have seen two slow calls.
  EXPECT_EQ(record.service.CountFrom(750'000'000), 2);
}

TEST_F(BenchTest, ComparesRunsInATableAndAPage) {
  Start();
  const std::string quorum = "hbase://" + std::string(server_->Ready().at("zookeeper"));
  for (const char* const name : {"one", "two"}) {
    const Outcome run = Bench({"--address", "grpc=" + server_->address(), "--address", "rpc=" + quorum, "--workload",
                               "a", "--rows", "200", "--operations", "300", "--rounds", "3", "-p",
                               "table=" + std::string(name), "--reuse", "--output", Path(std::string(name) + ".json")});
    ASSERT_EQ(run.code, 0) << run.output << run.errors;
  }
  const Outcome compared = Bench({"compare", Path("one.json"), Path("two.json"), "--output", Path("page.html")});
  ASSERT_EQ(compared.code, 0) << compared.errors;
  EXPECT_THAT(compared.output, HasSubstr("one grpc, 3 runs"));
  EXPECT_THAT(compared.output, HasSubstr("two rpc, 3 runs"));
  EXPECT_THAT(compared.output, HasSubstr("not the same: table: one grpc one, one rpc one, two grpc two, two rpc two"));
  std::ifstream file(Path("page.html"));
  const std::string page((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_THAT(page, HasSubstr("Workload a: one grpc, one rpc, two grpc, two rpc"));
  EXPECT_THAT(page, ::testing::EndsWith("</html>\n"));

  const Outcome none = Bench({"compare", Path("none.json")});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.errors, HasSubstr("none.json cannot be read"));
}

TEST_F(BenchTest, BadInputIsNamed) {
  Start();
  const auto refusal = [&](std::vector<std::string> arguments) {
    const Outcome run = Bench(std::move(arguments));
    EXPECT_EQ(run.code, 2) << run.output << run.errors;
    return run.errors;
  };
  const std::string address = server_->address();
  EXPECT_THAT(refusal({"--workload", "a"}), HasSubstr("no cluster: give --address"));
  EXPECT_THAT(refusal({"--address", address}), HasSubstr("no workload: give --workload a"));
  EXPECT_THAT(refusal({"--address", address, "--workload", "g"}), HasSubstr("'g' is neither a workload nor a file"));
  EXPECT_THAT(refusal({"--address", address, "--workload", "a", "-p", "fieldcount"}), HasSubstr("must be NAME=VALUE"));
  EXPECT_THAT(refusal({"--address", address, "--workload", "a", "--duration", "soon"}), HasSubstr("--duration: "));
  EXPECT_THAT(refusal({"--address", address, "--address", address, "--workload", "a"}), HasSubstr("name them"));
  EXPECT_THAT(refusal({"--address", address, "--workload", "a", "--http", "x=1:2"}), HasSubstr("NAME=HOST:PORT"));
  for (const char* const option : {"--rows", "--operations", "--rate"}) {
    EXPECT_THAT(refusal({"--address", address, "--workload", "a", option, "0"}), HasSubstr(option));
  }
  ASSERT_TRUE(admin_->CreateTable(Descriptor("usertable")).ok());
  EXPECT_THAT(refusal({"--address", address, "--workload", "a"}), HasSubstr("table usertable exists"));
  // Another server's web pages are not taken for the cluster's.
  const Outcome other = Bench(
      {"--address", address, "--workload", "a", "--rows", "10", "--operations", "10", "--recreate", "--http", address});
  EXPECT_EQ(other.code, 0) << other.errors;
  EXPECT_THAT(other.output, HasSubstr("servers: no figures: "));
}

TEST_F(BenchTest, FailedOperationsAreCountedAndEndWithCodeOne) {
  Start("", {"--test-control"});
  ASSERT_EQ(Bench({"--address", server_->address(), "--workload", "c", "--rows", "50", "--operations", "1"}).code, 0);
  const std::string faults =
      R"({"match": {"methods": ["Get"], "table": "usertable"}, "skip": 10, "times": 3, "exception": )"
      R"({"class": "DoNotRetryIOException", "message": "as ordered", "doNotRetry": true}})";
  ASSERT_EQ(Vaquita({"control", "--address", server_->address(), "faults", faults}).code, 0);
  const Outcome run = Bench({"--address", server_->address(), "--workload", "c", "--rows", "50", "--reuse",
                             "--operations", "100", "--output", Path("run.json")});
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.errors, HasSubstr("3 operations failed, 0 answers were wrong"));
  EXPECT_THAT(run.output, HasSubstr("as ordered"));
  EXPECT_EQ(Runs("run.json").at(0).All().failed, 3);
}

TEST_F(BenchTest, TheListHasWorkloadsAndProperties) {
  const Outcome list = Bench({"list"});
  EXPECT_EQ(list.code, 0);
  for (const bench::NamedWorkload& named : bench::NamedWorkloads()) EXPECT_THAT(list.output, HasSubstr(named.name));
  for (const bench::PropertyRow& row : bench::PropertyRows())
    EXPECT_THAT(list.output, HasSubstr(std::string(row.name)));
  EXPECT_THAT(list.output, Not(HasSubstr("workloade ")));
}

}  // namespace
}  // namespace vaquita
