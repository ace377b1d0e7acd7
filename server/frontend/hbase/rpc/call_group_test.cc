// Calls that a connection's group answers together.
#include "server/frontend/hbase/rpc/call_group.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/status.h"
#include "server/frontend/hbase/rpc/rpc_server.h"
#include "server/frontend/hbase/rpc/testing/raw_client.h"

namespace vaquita::hbase {
namespace {

using ::testing::ElementsAre;
using testing::RawClient;
using testing::RawResponse;

// "Put" joins the group, if there is one; "Count" returns what was committed; "Increment" commits first, as changes
// that stand alone do.
class PutService : public RpcService {
 public:
  std::string_view name() const override { return "ClientService"; }
  bool MayBlock(std::string_view) const override { return false; }
  absl::StatusOr<RpcResponse> Call(const RpcRequest& request) override {
    if (request.method == "Put" && request.group != nullptr) {
      request.group->ChangesOf<Puts>([&] { return std::make_unique<Puts>(this); })->puts.emplace_back(request.param);
      RpcResponse response{"put", ""};
      response.in_group = true;
      return response;
    }
    if (request.method == "Put")
      return Write({std::string(request.param)}).ok() ? RpcResponse{"alone", ""} : RpcResponse();
    if (request.method == "Increment" && request.group != nullptr) request.group->Commit();
    return RpcResponse{absl::StrCat(writes().size()), ""};
  }

  // The puts that were written together.
  std::vector<std::vector<std::string>> writes() {
    const std::lock_guard lock(mutex_);
    return writes_;
  }
  void FailWith(absl::Status status) {
    const std::lock_guard lock(mutex_);
    status_ = std::move(status);
  }

 private:
  struct Puts : CallGroup::Changes {
    explicit Puts(PutService* its_service) : service(*its_service) {}
    absl::Status Commit() override { return service.Write(std::exchange(puts, {})); }
    PutService& service;
    std::vector<std::string> puts;
  };

  absl::Status Write(std::vector<std::string> puts) {
    const std::lock_guard lock(mutex_);
    if (status_.ok()) writes_.push_back(std::move(puts));
    return status_;
  }

  std::mutex mutex_;
  std::vector<std::vector<std::string>> writes_;
  absl::Status status_;
};

class CallGroupTest : public ::testing::Test {
 protected:
  void SetUp() override {
    options_.clock = Clock::System();
    server_ = RpcServer::Create(options_);
    const absl::StatusOr<int> port = server_->Listen("127.0.0.1", 0);
    ASSERT_TRUE(port.ok()) << port.status();
    server_->Serve({&service_}, "the-cluster");
    client_ = std::make_unique<RawClient>(*port);
    client_->SendHeader(RawClient::Header("ClientService"));
    // Later requests are read apart from the header.
    client_->Call(0, "Count", "");
    EXPECT_EQ(client_->ReceiveResponse().param, "0");
  }
  void TearDown() override { server_->Stop(); }

  // Sends the calls at once, and returns their answers in order of the calls: what was returned, or the error.
  std::vector<std::string> Send(const std::vector<std::pair<std::string, std::string>>& calls) {
    std::string bytes;
    uint32_t id = 0;
    for (const auto& [method, param] : calls) bytes += RawClient::Request(++id, method, param);
    EXPECT_TRUE(client_->Send(bytes));
    std::vector<std::string> answers(calls.size());
    for (size_t i = 0; i < calls.size(); ++i) {
      const RawResponse response = client_->ReceiveResponse();
      answers.at(response.header.call_id() - 1) =
          response.header.has_exception() ? response.header.exception().exception_class_name() : response.param;
    }
    return answers;
  }

  RpcServerOptions options_;
  PutService service_;
  std::unique_ptr<RpcServer> server_;
  std::unique_ptr<RawClient> client_;
};

TEST_F(CallGroupTest, CallsThatComeTogetherAreCommittedTogether) {
  EXPECT_THAT(Send({{"Put", "a"}, {"Put", "b"}, {"Put", "c"}}), ElementsAre("put", "put", "put"));
  EXPECT_THAT(service_.writes(), ElementsAre(ElementsAre("a", "b", "c")));
}

TEST_F(CallGroupTest, ACallThatComesAloneHasNoGroup) {
  EXPECT_THAT(Send({{"Put", "a"}}), ElementsAre("alone"));
  EXPECT_THAT(Send({{"Put", "b"}}), ElementsAre("alone"));
  EXPECT_THAT(service_.writes(), ElementsAre(ElementsAre("a"), ElementsAre("b")));
}

TEST_F(CallGroupTest, ACallSeesTheChangesOfThoseBeforeIt) {
  EXPECT_THAT(Send({{"Put", "a"}, {"Put", "b"}, {"Count", ""}, {"Put", "c"}}), ElementsAre("put", "put", "1", "alone"));
  EXPECT_THAT(Send({{"Put", "d"}, {"Increment", ""}}), ElementsAre("put", "3"));
  EXPECT_THAT(service_.writes(), ElementsAre(ElementsAre("a", "b"), ElementsAre("c"), ElementsAre("d")));
}

TEST_F(CallGroupTest, EachCallGetsTheErrorOfTheCommit) {
  service_.FailWith(Error(ErrorKind::kRegionTooBusy, "the disk is full"));
  EXPECT_THAT(Send({{"Put", "a"}, {"Put", "b"}, {"Count", ""}}),
              ElementsAre("org.apache.hadoop.hbase.RegionTooBusyException",
                          "org.apache.hadoop.hbase.RegionTooBusyException", "0"));
  service_.FailWith(absl::OkStatus());
  EXPECT_THAT(Send({{"Put", "c"}, {"Put", "d"}}), ElementsAre("put", "put"));
  EXPECT_THAT(service_.writes(), ElementsAre(ElementsAre("c", "d")));
}

TEST_F(CallGroupTest, WhatAClientSentBeforeItWentIsCommitted) {
  EXPECT_TRUE(client_->Send(RawClient::Request(1, "Put", "a") + RawClient::Request(2, "Put", "b") +
                            RawClient::Frame("no request header")));
  while (!client_->Read(1).empty()) {
  }
  EXPECT_THAT(service_.writes(), ElementsAre(ElementsAre("a", "b")));
}

}  // namespace
}  // namespace vaquita::hbase
