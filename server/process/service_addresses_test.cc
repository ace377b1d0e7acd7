#include "server/process/service_addresses.h"

#include <gtest/gtest.h>

namespace vaquita {
namespace {

TEST(ServiceAddressesTest, AdvertisesInsteadOfWhereItListens) {
  Options options;
  options.advertised_zookeeper = "double.test:49154";
  options.advertised_master_info = "double.test:49155";
  const ServiceAddresses known =
      WithAdvertised({.zookeeper = "0.0.0.0:2181", .master = "0.0.0.0:16000"}, AdvertisedBy(options));
  EXPECT_EQ(known.zookeeper, "double.test:49154");
  EXPECT_EQ(known.master, "0.0.0.0:16000");
  EXPECT_EQ(known.master_info, "") << "nothing listens there";
}

TEST(ServiceAddressesTest, RefusesWhatIsNoAddress) {
  Options options;
  EXPECT_TRUE(CheckAdvertised(options).ok());
  for (const char* address : {"host", "host:", ":1", "host:0", "host:65536", "a,b:1", "host:1x", "a b:1"}) {
    options.advertised_region_server = address;
    const absl::Status status = CheckAdvertised(options);
    ASSERT_FALSE(status.ok()) << address;
    EXPECT_NE(status.message().find(address), absl::string_view::npos);
    EXPECT_NE(status.message().find("vaquita.advertised.regionserver"), absl::string_view::npos);
  }
  options.advertised_region_server = "[::1]:16020";
  EXPECT_TRUE(CheckAdvertised(options).ok());
}

TEST(ServiceAddressesTest, TheSiteFileNamesTheQuorum) {
  const std::string text = ClientSiteFile({.zookeeper = "h:21810", .master = "h:1", .region_server = "h:2"});
  EXPECT_NE(text.find("<name>hbase.zookeeper.quorum</name>\n    <value>h</value>"), std::string::npos) << text;
  EXPECT_NE(text.find("<value>21810</value>"), std::string::npos) << text;
  EXPECT_EQ(text.find("phoenix"), std::string::npos) << text;
  EXPECT_NE(ClientSiteFile({.query_server = "h:3"}).find("<name>phoenix.queryserver.http.port</name>\n    <value>3<"),
            std::string::npos);
}

TEST(ServiceAddressesTest, TheQuorumHasThePortOfAnIPv6Address) {
  EXPECT_EQ(QuorumOf("h:21810"), "h");
  EXPECT_EQ(QuorumOf("[::1]:21810"), "[::1]:21810");
  const std::string text = ClientSiteFile({.zookeeper = "[::1]:21810"});
  EXPECT_NE(text.find("<value>[::1]:21810</value>"), std::string::npos) << text;
  EXPECT_NE(text.find("<value>21810</value>"), std::string::npos) << text;
}

}  // namespace
}  // namespace vaquita
