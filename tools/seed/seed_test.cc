#include "tools/seed/seed.h"

#include "client/testing/test_cluster.h"
#include "server/process/standalone.h"

namespace vaquita {
namespace {

using ::testing::HasSubstr;

class SeedTest : public client::testing::TestCluster {
 protected:
  absl::StatusOr<v1::SeedResponse> RunScript(const std::string& script) {
    v1::SeedRequest request;
    request.set_script(script);
    return Seed({.address = server_->grpc_address(), .user = "seeder", .given_up = nullptr}, request);
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

}  // namespace
}  // namespace vaquita
