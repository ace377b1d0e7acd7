#include "base/host_name.h"

#include <gtest/gtest.h>

#include "base/options.h"

namespace vaquita {
namespace {

TEST(HostNameTest, KnowsTheMachinesOwnAddresses) {
  for (const char* address :
       {"127.0.0.1", "127.1", "127.9.8.7", "::1", "[::1]", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1", "localhost"}) {
    EXPECT_TRUE(IsLoopback(address)) << address;
  }
  for (const char* address : {"", "0.0.0.0", "::", "[::]", "10.0.0.1", "127.example.org", "127.", "::1.2.3.4", "::1:2",
                              "::ffff:10.0.0.1", "h"}) {
    EXPECT_FALSE(IsLoopback(address)) << address;
  }
}

TEST(HostNameTest, SaysWhichAddressesOthersReach) {
  Options options;
  EXPECT_EQ(ExposedAddresses(options), "");
  options.bind_address = "[::1]";
  EXPECT_EQ(ExposedAddresses(options), "");
  options.bind_address = "127.example.org";
  EXPECT_EQ(ExposedAddresses(options), "vaquita.bind.address is 127.example.org");
}

TEST(HostNameTest, OthersAreToldOneHost) {
  Options options;
  for (const char* bound : {"::1", "[::1]"}) {
    options.bind_address = bound;
    EXPECT_EQ(HostOf(options), "::1");
    EXPECT_EQ(HostOf(options, "[fe80::1]"), "fe80::1");
  }
  for (const char* bound : {"0.0.0.0", "0", "::", "[::]", "0:0:0:0:0:0:0:0", "::ffff:0.0.0.0"}) {
    options.bind_address = bound;
    EXPECT_EQ(HostOf(options), MachineName()) << bound;
  }
  options.host_name = "[fe80::2]";
  EXPECT_EQ(HostOf(options), "fe80::2");
}

}  // namespace
}  // namespace vaquita
