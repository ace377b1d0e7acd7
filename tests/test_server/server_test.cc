#include "client/test_server/server.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "client/table.h"
#include "gmock/gmock.h"
#include "gtest/gtest-spi.h"

namespace vaquita::testing {
namespace {

TEST(TestServer, HasItsTables) {
  std::string process;
  {
    Server server({.tables = {{"t", {"f"}}}, .seed = "put 't', 'r', 'f:q', 'v'", .program = VAQUITA_PROGRAM});
    ASSERT_TRUE(server.ok());
    auto connection = server->Connect().value();
    Get get;
    get.row = "r";
    const auto result = connection->GetTable({"default", "t"})->Get(get);
    ASSERT_TRUE(result.ok()) << result.status();
    ASSERT_EQ(result->cells.size(), 1u);
    EXPECT_EQ(result->cells[0].value, "v");
    process = "/proc/" + std::to_string(server->pid());
    EXPECT_TRUE(std::filesystem::exists(process));
  }
  EXPECT_FALSE(std::filesystem::exists(process));
}

TEST(TestServer, IsControlled) {
  Server server({.tables = {{"t", {"f"}}}, .program = VAQUITA_PROGRAM});
  ASSERT_TRUE(server.ok());
  const int64_t fault =
      server->AddFault({.methods = {"Get"}, .table = "t", .times = 2, .exception_class = "RegionTooBusyException"})
          .value();
  auto connection = server->Connect().value();
  Get get;
  get.row = "r";
  EXPECT_TRUE(connection->GetTable({"default", "t"})->Get(get).ok());
  EXPECT_EQ(server->FaultHits(fault).value(), 2);
  std::vector<std::string> results;
  const std::vector<Call> calls = server->Calls().value();
  for (const Call& call : calls) {
    if (call.method == "Get") results.push_back(call.method + " " + call.result.substr(call.result.rfind('.') + 1));
  }
  EXPECT_THAT(results, ::testing::ElementsAre("Get RegionTooBusyException", "Get RegionTooBusyException", "Get OK"));

  EXPECT_EQ(server->FreezeTime(1'900'000'000'000).value(), 1'900'000'000'000);
  EXPECT_EQ(server->AdvanceTime(std::chrono::seconds(10)).value(), 1'900'000'010'000);
  EXPECT_TRUE(server->Save("one").ok());
  EXPECT_TRUE(server->Reset().ok());
  EXPECT_FALSE(absl::StrContains(server->Seed("list").value(), "\nt\n"));
  EXPECT_TRUE(server->Restore("one").ok());
  EXPECT_TRUE(absl::StrContains(server->Seed("list").value(), "\nt\n"));
  EXPECT_FALSE(server->Restore("nothing").ok());
}

TEST(TestServer, TakesLongAnswers) {
  Server server({.program = VAQUITA_PROGRAM});
  ASSERT_TRUE(server.ok());
  const auto output = server->Seed("5.times { puts 'x' * 1000000 }");
  ASSERT_TRUE(output.ok()) << output.status();
  EXPECT_GT(output->size(), 5'000'000u);
}

TEST(TestServer, ItsLogHasNoNameThatCouldStay) {
  const std::string folder = ::testing::TempDir() + "/test_server_log";
  std::filesystem::create_directories(folder);
  setenv("TMPDIR", folder.c_str(), /*overwrite=*/1);
  Server server({.properties = {{"no.such.property", "1"}}, .program = VAQUITA_PROGRAM});
  unsetenv("TMPDIR");
  ASSERT_TRUE(server.ok());
  for (const auto& entry : std::filesystem::directory_iterator(folder)) EXPECT_NE(entry.path().extension(), ".log");
  EXPECT_TRUE(absl::StrContains(server->LastLogLines(), "no.such.property")) << server->LastLogLines();
}

TEST(TestServer, SaysWhyItDidNotStart) {
  const auto refused =
      RunningServer::Start({.properties = {{"hbase.regionserver.handler.count", "many"}}, .program = VAQUITA_PROGRAM});
  EXPECT_TRUE(absl::StrContains(refused.status().message(), "exit code")) << refused.status();
  EXPECT_TRUE(absl::StrContains(refused.status().message(), "many")) << refused.status();
  EXPECT_TRUE(
      absl::StrContains(RunningServer::Start({.program = "/nothing/there"}).status().message(), "/nothing/there"));
  EXPECT_TRUE(absl::StrContains(RunningServer::Start({.tables = {{"t", {}}}}).status().message(), "t needs a family"));
}

TEST(TestServer, FailsTheTestIfItDoesNotStart) {
  EXPECT_NONFATAL_FAILURE(Server server({.program = "/nothing/there"}), "/nothing/there");
}

}  // namespace
}  // namespace vaquita::testing
