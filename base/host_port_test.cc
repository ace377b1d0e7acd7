#include "base/host_port.h"

#include <gtest/gtest.h>

namespace vaquita {
namespace {

TEST(HostPortTest, JoinsAndSplits) {
  const struct {
    const char* host;
    const char* address;
  } cases[] = {{"h", "h:16020"},
               {"127.0.0.1", "127.0.0.1:16020"},
               {"::1", "[::1]:16020"},
               {"::", "[::]:16020"},
               {"fe80::1%eth0", "[fe80::1%eth0]:16020"}};
  for (const auto& [host, address] : cases) {
    EXPECT_EQ(JoinHostPort(host, 16020), address);
    EXPECT_EQ(HostIn(address), host);
    EXPECT_EQ(PortIn(address), 16020);
    EXPECT_TRUE(CheckHostPort(address).ok()) << CheckHostPort(address);
  }
  EXPECT_EQ(JoinHostPort("[::1]", 1), "[::1]:1");
}

TEST(HostPortTest, AnAddressMayLackItsPort) {
  for (const char* address : {"h", "h:", "h:x", "h:0", "h:65536", "h:+1", "h:-1", "h: 1"}) {
    EXPECT_EQ(HostIn(address), "h") << address;
    EXPECT_EQ(PortIn(address), 0) << address;
  }
  EXPECT_EQ(HostIn("[::1]"), "::1");
  EXPECT_EQ(PortIn("[::1]"), 0);
  EXPECT_EQ(HostIn(""), "");
  EXPECT_EQ(PortIn(""), 0);
}

TEST(HostPortTest, ReadsAnIPv6AddressWithoutBracketsInOlderData) {
  EXPECT_EQ(HostIn("::1:16020"), "::1");
  EXPECT_EQ(PortIn("::1:16020"), 16020);
}

TEST(HostPortTest, RefusesWhatIsNoAddress) {
  for (const char* address : {"", "h", "h:", ":1", "h:0", "h:65536", "h:1x", "a,b:1", "a b:1", "::1:16020", "::1",
                              "[::1]", "[::1", "[]:1", "[h]:1", "[[::1]]:1", "http://h:1", "h/a:1"}) {
    const absl::Status status = CheckHostPort(address);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << address;
    EXPECT_EQ(status.message(),
              "\"" + std::string(address) + "\": must be HOST:PORT, such as localhost:49154, or [::1]:49154 for IPv6");
  }
}

TEST(HostPortTest, KnowsHosts) {
  for (const char* host : {"h", "h.example", "h_1", "127.0.0.1", "::", "::1", "[::1]", "fe80::1%eth0", "[fe80::1%lo]",
                           "::ffff:1.2.3.4", "xn--bcher-kva.example", "m\xC3\xBC"}) {
    EXPECT_TRUE(IsHost(host)) << host;
  }
  for (const char* host : {"", "h:1", "[h]", "[]", "a,b", "a b", "a/b", "../x", "a\nb", "::g", "[::1", "::1]",
                           "fe80::1%", "u@h", "fe80::1%a/b"}) {
    EXPECT_FALSE(IsHost(host)) << host;
  }
}

TEST(HostPortTest, TakesBracketsOff) {
  EXPECT_EQ(WithoutBrackets("[::1]"), "::1");
  EXPECT_EQ(WithoutBrackets("::1"), "::1");
  EXPECT_EQ(WithoutBrackets("h"), "h");
  EXPECT_EQ(WithoutBrackets("[h"), "[h");
}

}  // namespace
}  // namespace vaquita
