#include "server/frontend/hbase/gated_service.h"

#include <gmock/gmock.h>

#include <functional>
#include <memory>
#include <string>

#include "base/status.h"

namespace vaquita::hbase {
namespace {

class NamedService : public RpcService {
 public:
  explicit NamedService(std::string answer) : answer_(std::move(answer)) {}
  std::string_view name() const override { return "ClientService"; }
  absl::StatusOr<RpcResponse> Call(const RpcRequest&) override { return RpcResponse{.param = answer_, .cells = ""}; }
  bool MayBlock(std::string_view) const override { return false; }

 private:
  const std::string answer_;
};

// A gate in which a call finds what happens meanwhile.
class SlowGate : public net::CallGate {
 public:
  bool MayWait() const override { return true; }
  net::CallFate Enter(const net::GatedCall&) override {
    meanwhile();
    return {};
  }
  void Leave(const net::GatedCall&, const net::CallFate&, const net::CallEnd&) override { ++left; }
  bool Lasts(const net::CallFate&) const override { return true; }

  std::function<void()> meanwhile = [] {};
  int left = 0;
};

class GatedServiceTest : public ::testing::Test {
 protected:
  SlowGate gate_;
  GatedService service_{std::make_unique<NamedService>("old"), &gate_};
};

TEST_F(GatedServiceTest, TheServiceIsExchangedWhileACallWaitsAtTheGate) {
  gate_.meanwhile = [this] {
    service_.Pause();
    service_.Resume(std::make_unique<NamedService>("new"));
  };
  const auto answer = service_.Call({.method = "Get"});
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->param, "new");
  EXPECT_EQ(gate_.left, 1);
}

TEST_F(GatedServiceTest, ACallThatWaitsAtTheGateOfAServiceThatClosesIsRefused) {
  gate_.meanwhile = [this] {
    service_.Pause();
    service_.Close();
  };
  EXPECT_TRUE(IsError(service_.Call({.method = "Get"}).status(), ErrorKind::kServerNotRunningYet));
}

}  // namespace
}  // namespace vaquita::hbase
