#include "proto/vaquita/client_identity.h"

#include <chrono>
#include <string>

#include "base/status.h"
#include "gmock/gmock.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/security/credentials.h"
#include "gtest/gtest.h"
#include "proto/vaquita/grpc_method.h"
#include "vaquita/v1/admin.methods.h"

namespace vaquita {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// gRPC checks a call's metadata, and aborts the process, before it looks for a server.
TEST(ClientIdentityTest, ANameMayHaveAnyBytes) {
  const auto channel = grpc::CreateChannel("unix:/nobody/listens/here", grpc::InsecureChannelCredentials());
  for (const char* name : {"ada", "m\xC3\xBCller", "a\nb", " ada ", "\xff"}) {
    grpc::ClientContext context;
    AddIdentity({.token = "secret", .user = name, .acts_for = name}, &context);
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(30));
    v1::CheckConsistencyResponse response;
    EXPECT_EQ(CallGrpc(channel.get(), &context, {v1::AdminMethods::CheckConsistency, {}, &response}).error_code(),
              grpc::StatusCode::UNAVAILABLE)
        << name;
  }
}

TEST(ClientIdentityTest, ATokenIsVisibleAscii) {
  EXPECT_TRUE(CheckToken("").ok());
  EXPECT_TRUE(CheckToken("0123456789abcdef").ok());
  for (const char* token : {"secret\n", "a secret", "m\xC3\xBCller", "\x7f"}) {
    EXPECT_TRUE(IsError(CheckToken(token), ErrorKind::kIllegalArgument)) << token;
    EXPECT_THAT(std::string(CheckToken(token).message()), Not(HasSubstr(token)));
  }
  EXPECT_THAT(std::string(CheckToken("secret\n").message()), HasSubstr("byte 6 of the token is 0x0a"));
}

}  // namespace
}  // namespace vaquita
