// A request that starts a procedure is repeated after a broken connection, and starts it once; its end is told once.
#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "client/testing/grpc_test_server.h"
#include "client/testing/test_cluster.h"
#include "grpcpp/grpcpp.h"
#include "proto/vaquita/status_codec.h"
#include "server/process/standalone.h"
#include "vaquita/v1/admin.methods.h"

namespace vaquita::client {
namespace {

using ::testing::Each;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using testing::TableOf;

std::string NonceIn(const grpc::ServerContext& context) {
  const auto found = context.client_metadata().find("vaquita-nonce");
  return found == context.client_metadata().end() ? "" : std::string(found->second.data(), found->second.size());
}

// Loses the answer to every other creation.
class ForgetfulMaster {
 public:
  grpc::Status CreateTable(grpc::ServerContext* context, const v1::CreateTableRequest*,
                           v1::ProcedureStarted* response) {
    std::lock_guard lock(mutex);
    nonces.push_back(NonceIn(*context));
    response->set_procedure_id(7);
    return nonces.size() % 2 == 1 ? grpc::Status(grpc::StatusCode::UNAVAILABLE, "Socket closed") : grpc::Status::OK;
  }
  std::mutex mutex;
  std::vector<std::string> nonces;
};

TEST(ProcedureNonceTest, ACreationIsRepeatedUnderItsFirstNonce) {
  ForgetfulMaster master;
  testing::GrpcTestServer server;
  server.Add(v1::AdminMethods::CreateTable, &master, &ForgetfulMaster::CreateTable);
  auto connection = Connection::Open({.address = server.Start(), .retries = 3, .pause_ms = 1});
  ASSERT_OK(connection.status());
  const auto admin = (*connection)->GetAdmin();
  for (const char* table : {"t", "u"}) {
    const auto id = admin->CreateTableAsync(TableOf(table), {});
    ASSERT_OK(id.status());
    EXPECT_EQ(*id, 7);
  }
  ASSERT_THAT(master.nonces, SizeIs(4));
  EXPECT_THAT(master.nonces, Each(Not(IsEmpty())));
  EXPECT_EQ(master.nonces[0], master.nonces[1]);
  EXPECT_EQ(master.nonces[2], master.nonces[3]);
  EXPECT_NE(master.nonces[0], master.nonces[2]);
}

// Its procedure fails with an error of a kind that passes, after the master has stopped once.
class FailingMaster {
 public:
  grpc::Status WaitForProcedure(grpc::ServerContext*, const v1::ProcedureRequest*, v1::Procedure*) {
    const bool stops = ++waits == 1;
    return ToGrpcStatus(stops ? Error(ErrorKind::kMasterNotRunning, "Master is stopping")
                              : Error(ErrorKind::kHBaseIO, "a,1,1 died"));
  }
  grpc::Status GetProcedure(grpc::ServerContext*, const v1::ProcedureRequest* request, v1::Procedure* response) {
    response->set_id(request->procedure_id());
    response->set_state(waits == 1 ? v1::Procedure::STATE_RUNNING : v1::Procedure::STATE_FAILED);
    return grpc::Status::OK;
  }
  std::atomic<int> waits = 0;
};

TEST(ProcedureWaitTest, TheErrorOfAProcedureIsTheEndOfTheWait) {
  FailingMaster master;
  testing::GrpcTestServer server;
  server.Add(v1::AdminMethods::WaitForProcedure, &master, &FailingMaster::WaitForProcedure);
  server.Add(v1::AdminMethods::GetProcedure, &master, &FailingMaster::GetProcedure);
  auto connection = Connection::Open({.address = server.Start(), .retries = 10, .pause_ms = 1});
  ASSERT_OK(connection.status());
  EXPECT_THAT((*connection)->GetAdmin()->WaitForProcedure(7), testing::HasKind(ErrorKind::kHBaseIO));
  EXPECT_EQ(master.waits, 2);
}

class ServersNonceTest : public testing::TestCluster {
 protected:
  grpc::Status Create(const std::string& nonce, int64_t* procedure) {
    const auto channel = grpc::CreateChannel(server_->grpc_address(), grpc::InsecureChannelCredentials());
    grpc::ClientContext context;
    if (!nonce.empty()) context.AddMetadata("vaquita-nonce", nonce);
    v1::CreateTableRequest request;
    request.mutable_table()->set_name("nonce");
    request.mutable_table()->add_families()->set_name("f");
    v1::ProcedureStarted response;
    const grpc::Status status = CallGrpc(channel.get(), &context, {v1::AdminMethods::CreateTable, request, &response});
    *procedure = response.procedure_id();
    return status;
  }
};

TEST_F(ServersNonceTest, AServerKnowsARepeatedRequest) {
  int64_t first = 0, again = 0;
  ASSERT_TRUE(Create("7 8", &first).ok());
  ASSERT_OK(admin()->WaitForProcedure(first));
  ASSERT_TRUE(Create("7 8", &again).ok());
  EXPECT_EQ(again, first);
  for (const char* other : {"7 9", ""}) {
    EXPECT_EQ(Create(other, &again).error_code(), grpc::StatusCode::ALREADY_EXISTS) << other;
  }
  for (const char* malformed : {"7", "x 8", "7 8 "}) {
    EXPECT_THAT(Create(malformed, &again).error_message(), ::testing::HasSubstr("vaquita-nonce")) << malformed;
  }
}

}  // namespace
}  // namespace vaquita::client
