#include "tools/libc/address_lookup.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace vaquita {
namespace {

using ::testing::ElementsAre;

struct LookUp {
  int code = 0;
  std::vector<std::string> addresses;  // as numbers, with the port
};

LookUp Ask(const char* host, const char* service, addrinfo hints = {.ai_socktype = SOCK_STREAM}) {
  LookUp answer;
  addrinfo* found = nullptr;
  answer.code = LookUpAddresses(host, service, &hints, &found);
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    char name[NI_MAXHOST];
    char port[NI_MAXSERV];
    EXPECT_EQ(getnameinfo(each->ai_addr, each->ai_addrlen, name, sizeof name, port, sizeof port,
                          NI_NUMERICHOST | NI_NUMERICSERV),
              0);
    answer.addresses.push_back(std::string(name) + " " + port + (each->ai_socktype == SOCK_DGRAM ? " udp" : ""));
  }
  FreeAddresses(found);
  return answer;
}

TEST(AddressLookupTest, ReadsNumericAddresses) {
  EXPECT_THAT(Ask("127.0.0.1", "16020").addresses, ElementsAre("127.0.0.1 16020"));
  EXPECT_THAT(Ask("127.1", "0").addresses, ElementsAre("127.0.0.1 0"));
  EXPECT_THAT(Ask("::1", "2181").addresses, ElementsAre("::1 2181"));
  EXPECT_THAT(Ask("fe80::1%lo", "1").addresses, ElementsAre("fe80::1%lo 1"));
  EXPECT_THAT(Ask("10.0.0.1", nullptr).addresses, ElementsAre("10.0.0.1 0"));
  EXPECT_THAT(Ask("10.0.0.1", "7", {}).addresses, ElementsAre("10.0.0.1 7", "10.0.0.1 7 udp"));
}

TEST(AddressLookupTest, KeepsToTheFamilyThatIsAskedFor) {
  EXPECT_EQ(Ask("::1", "1", {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}).code, EAI_NONAME);
  EXPECT_THAT(Ask("localhost", "1", {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}).addresses,
              ElementsAre("127.0.0.1 1"));
}

TEST(AddressLookupTest, WithoutAHostItIsThisMachine) {
  const addrinfo listen{.ai_flags = AI_PASSIVE, .ai_socktype = SOCK_STREAM};
  EXPECT_THAT(Ask(nullptr, "80", listen).addresses, ElementsAre("0.0.0.0 80", ":: 80"));
  EXPECT_THAT(Ask(nullptr, "80").addresses, ElementsAre("127.0.0.1 80", "::1 80"));
  EXPECT_EQ(Ask(nullptr, nullptr).code, EAI_NONAME);
}

TEST(AddressLookupTest, FindsLocalhost) {
  EXPECT_THAT(Ask("localhost", "1").addresses, ElementsAre("127.0.0.1 1", "::1 1"));
}

TEST(AddressLookupTest, DescribesAnAddressAsTheCLibraryDoes) {
  const addrinfo numeric{.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM};
  for (const char* host : {"127.0.0.1", "::1", "::ffff:1.2.3.4", "fe80::1%lo"}) {
    addrinfo* found = nullptr;
    ASSERT_EQ(LookUpAddresses(host, "16020", &numeric, &found), 0) << host;
    char name[NI_MAXHOST];
    char port[NI_MAXSERV];
    char expected[NI_MAXHOST];
    ASSERT_EQ(getnameinfo(found->ai_addr, found->ai_addrlen, expected, sizeof expected, nullptr, 0, NI_NUMERICHOST), 0);
    EXPECT_EQ(DescribeAddress(found->ai_addr, found->ai_addrlen, name, sizeof name, port, sizeof port, 0), 0);
    EXPECT_STREQ(name, expected);
    EXPECT_STREQ(port, "16020");
    EXPECT_EQ(DescribeAddress(found->ai_addr, found->ai_addrlen, name, 3, nullptr, 0, 0), EAI_OVERFLOW);
    EXPECT_EQ(DescribeAddress(found->ai_addr, found->ai_addrlen, name, sizeof name, nullptr, 0, NI_NAMEREQD),
              EAI_NONAME);
    EXPECT_EQ(DescribeAddress(found->ai_addr, 4, name, sizeof name, nullptr, 0, 0), EAI_FAMILY);
    FreeAddresses(found);
  }
}

TEST(AddressLookupTest, SaysWhatIsWrong) {
  EXPECT_EQ(Ask("localhost", "https").code, EAI_SERVICE);
  EXPECT_EQ(Ask("localhost", "65536").code, EAI_SERVICE);
  EXPECT_EQ(Ask("localhost", "80 ").code, EAI_SERVICE);
  EXPECT_EQ(Ask("no name", "80").code, EAI_NONAME);
  EXPECT_EQ(Ask("localhost", "80", {.ai_flags = AI_NUMERICHOST}).code, EAI_NONAME);
  EXPECT_EQ(Ask("fe80::1%nosuch", "1", {.ai_flags = AI_NUMERICHOST}).code, EAI_NONAME);
}

}  // namespace
}  // namespace vaquita
