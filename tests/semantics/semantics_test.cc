// Runs every script of the corpus (README.md) by each driver, and once more by the first one with flushes, minor
// compactions and restarts slipped between its lines.
//
// On a disk that loses power (base/test_disk.h), a seed chooses a script, and the restarts are power cuts. The
// seeds begin at VAQUITA_DISK_SEED and are VAQUITA_DISK_SEEDS.
//
// VAQUITA_REWRITE=1 writes what the in-process driver prints into the scripts; the difference is then read line by
// line. VAQUITA_SHAKE_SEED=N repeats a shaken run.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <ostream>
#include <random>
#include <string>
#include <system_error>
#include <vector>

#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "tests/semantics/driver.h"
#include "tests/semantics/script.h"
#include "tests/semantics/session.h"
#include "tests/semantics/shaker.h"

namespace vaquita::semantics {
namespace {

enum class Way { kInProcess, kShaken, kGrpc, kHBaseRpc };

struct Case {
  std::string path;  // below the corpus
  Way way;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.path; }

std::string FullPath(const Case& c) { return std::string(VAQUITA_CORPUS) + "/" + c.path; }

std::vector<std::string> FindScripts() {
  namespace fs = std::filesystem;
  std::vector<std::string> paths;
  std::error_code error;
  const fs::recursive_directory_iterator entries(VAQUITA_CORPUS, error);
  // No exception: without tests GoogleTest fails, and its summary stays.
  if (error) std::cerr << "cannot read the scripts in " << VAQUITA_CORPUS << ": " << error.message() << "\n";
  for (const auto& entry : entries) {
    const fs::path path = fs::relative(entry.path(), VAQUITA_CORPUS);
    if (path.extension() == ".txt" && path.has_parent_path()) paths.push_back(path.string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<Case> AllCases() {
  std::vector<Case> cases;
  for (const std::string& path : FindScripts()) {
    cases.push_back({path, Way::kInProcess});
    cases.push_back({path, Way::kGrpc});
    cases.push_back({path, Way::kHBaseRpc});
    if (ReadScript(FullPath({path, Way::kShaken})).MayShake()) cases.push_back({path, Way::kShaken});
  }
  return cases;
}

std::string CaseName(const ::testing::TestParamInfo<Case>& info) {
  std::string name = info.param.path.substr(0, info.param.path.find('.'));
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  static constexpr const char* kWays[] = {"in_process", "shaken", "grpc", "hbase_rpc"};
  return name + "__" + kWays[static_cast<int>(info.param.way)];
}

uint32_t ShakeSeed() {
  const char* seed = std::getenv("VAQUITA_SHAKE_SEED");
  return seed != nullptr ? static_cast<uint32_t>(std::strtoul(seed, nullptr, 10)) : std::random_device()();
}

std::string Lines(const std::vector<std::string>& lines) { return absl::StrJoin(lines, "\n"); }

absl::StatusOr<std::unique_ptr<Driver>> StartDriver(Way way) {
  switch (way) {
    case Way::kInProcess:
    case Way::kShaken:
      break;
    case Way::kGrpc:
      return StartGrpcDriver();
    case Way::kHBaseRpc:
      return StartHBaseRpcDriver();
  }
  return StartInProcessDriver();
}

class SemanticsTest : public ::testing::TestWithParam<Case> {
 protected:
  // Runs the script and compares, or takes over, what it prints.
  void Run(Driver* driver, const std::function<void()>& before_each) {
    Script script = ReadScript(FullPath(GetParam()));
    const bool rewrite = GetParam().way == Way::kInProcess && std::getenv("VAQUITA_REWRITE") != nullptr;
    Session session(driver, before_each);
    for (Block& block : script.blocks) {
      const std::vector<std::string> got = session.Run(ParseLines(block.commands));
      if (rewrite) block.expected = got;
      EXPECT_EQ(Lines(block.expected), Lines(got)) << GetParam().path << ":\n" << Lines(block.commands);
    }
    if (rewrite) WriteScript(FullPath(GetParam()), script);
  }
};

TEST_P(SemanticsTest, AnswersAsHBaseDoes) {
  absl::StatusOr<std::unique_ptr<Driver>> driver = StartDriver(GetParam().way);
  ASSERT_TRUE(driver.ok()) << driver.status();
  if (GetParam().way != Way::kShaken) return Run(driver->get(), [] {});
  const uint32_t seed = ShakeSeed();
  SCOPED_TRACE("VAQUITA_SHAKE_SEED=" + std::to_string(seed));
  Shaker shaker(driver->get(), seed);
  Run(driver->get(), [&] {
    const absl::Status status = shaker.Shake();
    EXPECT_TRUE(status.ok()) << status;
  });
}

INSTANTIATE_TEST_SUITE_P(Corpus, SemanticsTest, ::testing::ValuesIn(AllCases()), CaseName);

int64_t FromEnvironment(const char* name, int64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoll(text, nullptr, 10);
}

void RunWithPowerCuts(const std::string& path, uint64_t seed) {
  const Script script = ReadScript(FullPath({path, Way::kShaken}));
  const absl::StatusOr<std::unique_ptr<Driver>> driver = StartPowerCutDriver(seed);
  ASSERT_TRUE(driver.ok()) << driver.status();
  Shaker shaker(driver->get(), static_cast<uint32_t>(seed));
  Session session(driver->get(), [&] {
    const absl::Status status = shaker.Shake();
    EXPECT_TRUE(status.ok()) << status;
  });
  for (const Block& block : script.blocks) {
    EXPECT_EQ(Lines(block.expected), Lines(session.Run(ParseLines(block.commands)))) << Lines(block.commands);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(PowerCutTest, WhatWasSyncedIsAnsweredAsBefore) {
  std::vector<std::string> scripts = FindScripts();
  std::erase_if(scripts, [](const auto& path) { return !ReadScript(FullPath({path, Way::kShaken})).MayShake(); });
  const int64_t first = FromEnvironment("VAQUITA_DISK_SEED", 1);
  const int64_t count = FromEnvironment("VAQUITA_DISK_SEEDS", 5);
  for (int64_t seed = first; seed < first + count && !HasFailure(); ++seed) {
    const std::string& path = scripts[static_cast<size_t>(seed) * 7919 % scripts.size()];
    SCOPED_TRACE("VAQUITA_DISK_SEED=" + std::to_string(seed) + " " + path);
    RunWithPowerCuts(path, static_cast<uint64_t>(seed));
  }
}

}  // namespace
}  // namespace vaquita::semantics
