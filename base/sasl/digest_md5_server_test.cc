#include "base/sasl/digest_md5_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/status.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

// The example of RFC 2831, section 4.
constexpr char kRealm[] = "elwood.innosoft.com";
constexpr char kNonce[] = "OA6MG9tEQGm2hh";
constexpr char kResponse[] =
    "charset=utf-8,username=\"chris\",realm=\"elwood.innosoft.com\",nonce=\"OA6MG9tEQGm2hh\",nc=00000001,"
    "cnonce=\"OA6MHXh6VqTrRk\",digest-uri=\"imap/elwood.innosoft.com\","
    "response=d388dad90d4bbd760a152321f2143af7,qop=auth";

std::unique_ptr<SaslServer> NewServer(uint8_t protections = kSaslAuthentication) {
  return NewDigestMd5Server({.realm = kRealm,
                             .protections = protections,
                             .password_of = [](const std::string& user) -> absl::StatusOr<std::string> {
                               if (user == "chris") return "secret";
                               return Error(ErrorKind::kAccessDenied, "nobody is called " + user);
                             },
                             .nonce = kNonce});
}

std::string With(std::string response, const std::string& from, const std::string& to) {
  return response.replace(response.find(from), from.size(), to);
}

TEST(DigestMd5ServerTest, TheExampleOfItsRfc) {
  const auto server = NewServer();
  EXPECT_EQ(server->Step("")->value(),
            "realm=\"elwood.innosoft.com\",nonce=\"OA6MG9tEQGm2hh\",qop=\"auth\",charset=utf-8,algorithm=md5-sess");
  EXPECT_FALSE(server->complete());
  EXPECT_EQ(server->Step(kResponse)->value(), "rspauth=ea40f60335c427b5527b84dbabcdfffd");
  EXPECT_TRUE(server->complete());
  EXPECT_EQ(server->user(), "chris");
  EXPECT_FALSE(server->wraps());
  EXPECT_THAT(server->Step(kResponse).status().message(), HasSubstr("over"));
}

TEST(DigestMd5ServerTest, AWrongResponseIsRefused) {
  const struct {
    std::string response;
    std::string message;
  } kCases[] = {
      {With(kResponse, "d388", "d389"), "does not know the token's password"},
      {With(kResponse, "chris", "christ"), "nobody is called christ"},
      {With(kResponse, "OA6MG9tEQGm2hh", "OA6MG9tEQGm2hi"), "another challenge"},
      {With(kResponse, "nc=00000001", "nc=00000002"), "another challenge"},
      {With(kResponse, "qop=auth", "qop=auth-int"), "hbase.rpc.protection"},
      {std::string(kResponse) + ",authzid=\"admin\"", "may not act for others"},
      {std::string(kResponse) + ",nc=00000001", "malformed"},
      {"username=\"chris", "malformed"},
      {"", "another challenge"},
  };
  for (const auto& each : kCases) {
    const auto server = NewServer();
    ASSERT_TRUE(server->Step("").ok());
    EXPECT_THAT(server->Step(each.response).status().message(), HasSubstr(each.message)) << each.response;
    EXPECT_FALSE(server->complete());
  }
  EXPECT_THAT(NewServer()->Step("early").status().message(), HasSubstr("empty token"));
}

TEST(DigestMd5ServerTest, OffersWhatTheSettingHas) {
  EXPECT_THAT(NewServer(kSaslIntegrity | kSaslPrivacy)->Step("")->value(),
              HasSubstr("qop=\"auth-int,auth-conf\",cipher=\"3des\""));
}

TEST(DigestMd5ServerTest, Directives) {
  EXPECT_THAT(*ParseDigestDirectives(" a=1 , b=\"x,\\\"y\\\"\",,c= "),
              ElementsAre(Pair("a", "1"), Pair("b", "x,\"y\""), Pair("c", "")));
  EXPECT_FALSE(ParseDigestDirectives("a").ok());
  EXPECT_FALSE(ParseDigestDirectives("=1").ok());
}

}  // namespace
}  // namespace vaquita
