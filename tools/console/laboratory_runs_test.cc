#include "tools/console/laboratory_runs.h"

#include <gmock/gmock.h>

#include <memory>

#include "base/testing/json_of.h"
#include "base/testing/wait_for.h"
#include "client/testing/test_cluster.h"
#include "server/process/standalone.h"

namespace vaquita {
namespace {

class LaboratoryRunsTest : public client::testing::TestCluster {
 protected:
  static Json Answered(const absl::StatusOr<std::string>& answer) {
    EXPECT_TRUE(answer.ok()) << answer.status();
    return answer.ok() ? *ParseJson(*answer) : Json();
  }
  LaboratoryRuns runs_{std::make_shared<ClusterLink>([this] { return server_->grpc_address(); })};
};

TEST_F(LaboratoryRunsTest, StopsBetweenRowsThatTakeLong) {
  constexpr int kRows = 20'000;
  // The digest of a megabyte takes a millisecond: a thousand rows are due after the first.
  const Json request = {
      {"records", "id=sequence()"},
      {"rows", kRows},
      {"rate", 20'000},
      {"splits", "none"},
      {"designs",
       {{{"name", "slow"}, {"expression", "md5_hex(hex(hex(hex(hex(hex(pad(id, 32767))))))) + pad(id, 10)"}}}}};
  Answered(runs_.Start(JsonText(request)));
  const auto written = [](const Json& status) { return status["designs"][0]["written"].get<int>(); };
  testing::WaitFor([&] { return written(Answered(runs_.Status())) >= 2; });
  const Json stopped = Answered(runs_.Stop());
  EXPECT_EQ(stopped["running"], false);
  EXPECT_EQ(stopped["error"], "");
  EXPECT_LT(written(stopped), 500);
}

}  // namespace
}  // namespace vaquita
