#include "tools/bench/bench_command.h"

#include <cstdio>

#include "CLI/CLI.hpp"
#include "absl/strings/str_format.h"
#include "base/exit_code.h"
#include "tools/bench/workload.h"
#include "tools/connection/open_for_tool.h"

namespace vaquita::bench {
namespace {

absl::Status PrintList() {
  std::string text = "workloads:\n";
  for (const NamedWorkload& workload : NamedWorkloads()) {
    absl::StrAppendFormat(&text, "  %-26s %s\n", workload.name, workload.meaning);
  }
  text += "properties, as YCSB's files and -p have them, with their defaults:\n";
  for (const PropertyRow& row : PropertyRows()) {
    absl::StrAppendFormat(&text, "  %-26s %s%s\n", std::string(row.name), std::string(row.meaning),
                          row.usual.empty() ? "" : " (" + row.usual + ")");
  }
  std::fputs(text.c_str(), stdout);
  return absl::OkStatus();
}

}  // namespace

BenchCommand::BenchCommand(CLI::App* app)
    : bench_(app->add_subcommand("bench", "Put a workload on clusters of Vaquita or HBase, and compare them")),
      arguments_(std::make_shared<BenchArguments>()) {
  bench_->require_subcommand(0, 1);
  AddRun();
  AddCompare();
  AddList();
}

void BenchCommand::AddRun() {
  BenchArguments* const run = arguments_.get();
  bench_
      ->add_option("--address", run->addresses,
                   "[NAME=]ADDRESS of a cluster: host:port of its gRPC, hbase-rpc://SERVER:16020 or "
                   "hbase://QUORUM:2181; several take turns")
      ->allow_extra_args(false)
      ->envname(kAddressVariable);
  bench_->add_option(
      "--workload", run->workload,
      "YCSB's a to f, a command of PerformanceEvaluation, or a file of properties; `vaquita bench list`");
  bench_->add_option("-p", run->properties, "NAME=VALUE: a property of the workload")->allow_extra_args(false);
  bench_->add_option("--rows", run->rows, "The rows that are loaded (recordcount)")->check(CLI::PositiveNumber);
  bench_->add_option("--operations", run->operations, "The operations of a round (operationcount)")
      ->check(CLI::PositiveNumber);
  bench_->add_option("--duration", run->duration,
                     "The time of a round (maxexecutiontime), 30s if no other end is given");
  bench_->add_option("--warmup", run->warmup, "The time before the round; its operations do not count");
  bench_->add_option("--threads", run->threads, "Threads (threadcount), 8")->check(CLI::Range(1, 10'000));
  bench_
      ->add_option("--connections", run->connections,
                   "Connections to each server, shared by the threads; without it as many as cost the client least")
      ->check(CLI::Range(1, 1000));
  bench_
      ->add_option("--rate", run->rate,
                   "An open loop: so many calls per second (target), each counted from the time when it was due")
      ->check(CLI::PositiveNumber);
  bench_->add_option("--rounds", run->rounds, "Runs on each address, in turns")
      ->check(CLI::Range(1, 10'000))
      ->capture_default_str();
  bench_->add_option("--seed", run->seed, "The same seed makes the same operations")->capture_default_str();
  bench_->add_flag("--verify", run->verify, "Check every answer; operations on one row take turns");
  auto* reuse = bench_->add_flag("--reuse", run->reuse, "Run on the rows of an existing table, without a load");
  bench_->add_flag("--recreate", run->recreate, "Drop a table of that name first")->excludes(reuse);
  bench_->add_flag("--drop", run->drop, "Drop the table at the end");
  bench_
      ->add_option("--http", run->https,
                   "[NAME=]HOST:PORT of a region server's web pages, for its CPU time, memory and bytes written; "
                   "without it, port 16030 of each server")
      ->allow_extra_args(false);
  bench_->add_option("--output", run->output, "Write the results to this file, as JSON");
}

void BenchCommand::AddCompare() {
  CLI::App* const verb = bench_->add_subcommand("compare", "Compare the runs that files have, made with --output");
  auto files = std::make_shared<std::vector<std::string>>();
  auto output = std::make_shared<std::string>();
  verb->add_option("files", *files, "Files of runs; differences are those from the first one's first cluster")
      ->required();
  verb->add_option("--output", *output, "Write a page with the table and plots to this file, as HTML");
  verbs_.emplace_back(verb, [=] { return CompareRuns(*files, *output); });
}

void BenchCommand::AddList() {
  verbs_.emplace_back(bench_->add_subcommand("list", "Print the workloads and the properties"), PrintList);
}

bool BenchCommand::IsChosen() const { return bench_->parsed(); }

int BenchCommand::Run() const {
  std::string name = "vaquita bench";
  std::function<absl::Status()> run = [this] { return RunBench(*arguments_); };
  for (const auto& [verb, function] : verbs_) {
    if (!verb->parsed()) continue;
    name += " " + verb->get_name();
    run = function;
  }
  return EndCommand(name, run());
}

}  // namespace vaquita::bench
