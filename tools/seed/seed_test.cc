#include "tools/seed/seed.h"

#include <atomic>
#include <chrono>
#include <future>
#include <thread>

#include "client/testing/test_cluster.h"
#include "server/process/standalone.h"

namespace vaquita {
namespace {

using ::testing::HasSubstr;

class SeedTest : public client::testing::TestCluster {
 protected:
  absl::StatusOr<v1::SeedResponse> RunScript(const std::string& script, std::function<bool()> given_up = nullptr) {
    v1::SeedRequest request;
    request.set_script(script);
    return Seed({.address = server_->grpc_address(), .user = "seeder", .given_up = std::move(given_up)}, request);
  }
};

TEST_F(SeedTest, AScriptThatPrintsTooMuchIsEnded) {
  const auto printed = RunScript("sleep 0\nputs 'x' * 1000000\n");
  ASSERT_TRUE(printed.ok()) << printed.status();
  EXPECT_THAT(printed->output(), HasSubstr(std::string(1'000'000, 'x')));
  const auto refused = RunScript("create 't', 'f'\nx = 'x' * 1000000\n100000.times { puts x }\ncreate 'u', 'f'\n");
  EXPECT_TRUE(absl::IsResourceExhausted(refused.status())) << refused.status();
  EXPECT_THAT(refused.status().message(), HasSubstr("script, line 3: the commands print more than 64 MB"));
  EXPECT_TRUE(*admin()->TableExists(*TableName::Parse("t")));
  EXPECT_FALSE(*admin()->TableExists(*TableName::Parse("u")));
}

TEST_F(SeedTest, AScriptEndsWithItsServer) {
  for (const char* script : {"sleep 3600\ncreate 't', 'f'\n", "3600.times { sleep 1 }\ncreate 't', 'f'\n",
                             "begin; sleep 3600; rescue; end\ncreate 't', 'f'\n"}) {
    std::atomic<bool> given_up = false;
    auto seeded = std::async(std::launch::async, [&] { return RunScript(script, [&] { return given_up.load(); }); });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // it sleeps by then, or will end before
    given_up = true;
    const auto refused = seeded.get();
    EXPECT_TRUE(absl::IsUnavailable(refused.status())) << script << refused.status();
    EXPECT_THAT(refused.status().message(), HasSubstr("the server is stopping")) << script;
    EXPECT_FALSE(*admin()->TableExists(*TableName::Parse("t"))) << script;
  }
}

TEST_F(SeedTest, AScriptThatExitsWithACodeHasFailed) {
  const auto refused = RunScript("puts 'no rows'\nexit 3\ncreate 't', 'f'\n");
  EXPECT_TRUE(absl::IsInvalidArgument(refused.status())) << refused.status();
  EXPECT_THAT(refused.status().message(), HasSubstr("script, line 2: no rows"));
  const auto ended = RunScript("puts 'enough'\nexit\ncreate 't', 'f'\n");
  ASSERT_TRUE(ended.ok()) << ended.status();
  EXPECT_THAT(ended->output(), HasSubstr("enough"));
}

}  // namespace
}  // namespace vaquita
