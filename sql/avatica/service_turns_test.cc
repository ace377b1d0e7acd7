// Requests of a connection that another request uses.
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "avatica/avatica.pb.h"
#include "client/testing/test_cluster.h"
#include "sql/avatica/open_connection.h"
#include "sql/avatica/service.h"
#include "sql/avatica/statement_cache.h"
#include "sql/catalog/sequences.h"
#include "sql/encoding/text.h"
#include "sql/engine/part_reader.h"
#include "sql/engine/query_limits.h"

namespace vaquita::sql {
namespace {

class ServiceTurnsTest : public client::testing::TestCluster {
 protected:
  void SetUp() override {
    TestCluster::SetUp();
    service_ = Service::Create(
        {.connect = [this] { return absl::StatusOr<std::shared_ptr<client::Connection>>(connection_); }});
  }

  template <typename Request>
  static std::string BodyOf(const Request& request) {
    const std::string type = request.GetTypeName();
    avatica::WireMessage wire;
    wire.set_name(
        Concat("org.apache.calcite.avatica.proto.Requests$", std::string_view(type).substr(type.rfind('.') + 1)));
    request.SerializeToString(wire.mutable_wrapped_message());
    return wire.SerializeAsString();
  }
  template <typename Request>
  static std::string BodyForConnection() {
    Request request;
    request.set_connection_id("c");
    return BodyOf(request);
  }
  static std::string Statement(const std::string& text, uint32_t id) {
    avatica::PrepareAndExecuteRequest request;
    request.set_connection_id("c");
    request.set_sql(text);
    request.set_statement_id(id);
    return BodyOf(request);
  }
  std::shared_ptr<OpenConnection> OpenOne(std::shared_ptr<QueryLimits> limits) {
    return std::make_shared<OpenConnection>(connection_, std::move(limits), std::make_shared<Sequences>(connection_),
                                            QueryThreads::OfMachine(), std::make_shared<StatementCache>());
  }
  uint32_t MakeStatement() {
    const ServiceAnswer made = service_->Handle(BodyForConnection<avatica::CreateStatementRequest>());
    avatica::WireMessage wire;
    avatica::CreateStatementResponse response;
    EXPECT_TRUE(wire.ParseFromString(made.body) && response.ParseFromString(wire.wrapped_message()));
    return response.statement_id();
  }

  std::unique_ptr<Service> service_;
};

// One that waited in a thread would keep it from all others.
TEST_F(ServiceTurnsTest, ARequestOfABusyConnectionIsAskedAgain) {
  ASSERT_TRUE(service_->Handle(BodyForConnection<avatica::OpenConnectionRequest>()).ok);
  const uint32_t id = MakeStatement();
  ASSERT_TRUE(service_->Handle(Statement("CREATE TABLE T (ID INTEGER PRIMARY KEY)", id)).ok);
  for (int i = 0; i < 12; ++i) {
    ASSERT_TRUE(service_->Handle(Statement(Concat("UPSERT INTO T VALUES (", i, ")"), id)).ok);
  }
  const std::string commit = BodyForConnection<avatica::CommitRequest>();
  ASSERT_TRUE(service_->Handle(commit).ok);
  std::atomic<int> asked_again = 0;
  const auto again = [&](const Turn&) { ++asked_again; };
  ServiceAnswer answer;
  std::thread runner([&] {
    const std::string query = Statement("SELECT COUNT(*) FROM T A, T B, T C, T D, T E, T F, T G, T H", id);
    do {  // a commit below may have its turn
      answer = service_->Handle(query, nullptr, [](const Turn&) {});
    } while (answer.waits);
  });
  while (!service_->Handle(commit, nullptr, again).waits) std::this_thread::yield();
  EXPECT_EQ(asked_again, 0);
  // The request that closes the statement waits, too, but has ended it.
  avatica::CloseStatementRequest close;
  close.set_connection_id("c");
  close.set_statement_id(id);
  EXPECT_TRUE(service_->Handle(BodyOf(close), nullptr, again).waits);
  runner.join();
  EXPECT_FALSE(answer.ok);
  EXPECT_EQ(asked_again, 2);
  for (const std::string& body : {commit, BodyOf(close)}) {
    answer = service_->Handle(body, nullptr, again);
    EXPECT_TRUE(answer.ok && !answer.waits);
  }
}

// Each goes on once, with a turn that is its own, so that a queue costs no more than its requests.
TEST_F(ServiceTurnsTest, TurnsAreGivenInTheOrderInWhichRequestsCame) {
  const auto open = OpenOne(std::make_shared<QueryLimits>());
  std::vector<std::pair<int, Turn>> given;
  Turn turn = open->TakeTurn(nullptr);
  ASSERT_NE(turn, nullptr);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(open->TakeTurn([&given, i](Turn next) { given.emplace_back(i, std::move(next)); }), nullptr);
  }
  EXPECT_TRUE(given.empty());
  turn.reset();
  for (size_t i = 0; i < 3; ++i) {
    ASSERT_EQ(given.size(), i + 1);
    EXPECT_EQ(given[i].first, i);
    const Turn ended = std::move(given[i].second);
  }
  EXPECT_NE(open->TakeTurn(nullptr), nullptr);
}

TEST_F(ServiceTurnsTest, AStatementThatIsClosedBeforeItBeginsEnds) {
  const auto limits = std::make_shared<QueryLimits>();
  const auto open = OpenOne(limits);
  const auto ends = [&](uint32_t statement) {
    const UsedConnection used(open, 0, statement);
    return limits->cancelled.load();
  };
  open->Cancel(5);
  Turn turn = open->TakeTurn(nullptr);
  ASSERT_NE(turn, nullptr);
  EXPECT_FALSE(ends(5));
  open->Cancel(5);
  EXPECT_FALSE(ends(6));
  EXPECT_TRUE(ends(5));
  turn.reset();
  EXPECT_FALSE(ends(5));
}

TEST_F(ServiceTurnsTest, WhatClosesIsToldFromOthers) {
  EXPECT_TRUE(Service::IsClose(BodyForConnection<avatica::CloseConnectionRequest>()));
  EXPECT_TRUE(Service::IsClose(BodyForConnection<avatica::CloseStatementRequest>()));
  EXPECT_FALSE(Service::IsClose(BodyForConnection<avatica::CommitRequest>()));
  EXPECT_FALSE(Service::IsClose(Statement("SELECT 1", 1)));
  EXPECT_FALSE(Service::IsClose(""));
}

}  // namespace
}  // namespace vaquita::sql
