// Tests /health of the processes of a cluster, from their start to their end.
#include "server/info/info_pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "base/options.h"
#include "base/testing/temporary_folder.h"
#include "base/testing/wait_for.h"
#include "server/frontend/http/testing/raw_client.h"
#include "server/info/testing/prometheus_page.h"
#include "server/process/master_process.h"
#include "server/process/region_server_process.h"

namespace vaquita {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using testing::WaitFor;

class InfoPagesTest : public ::testing::Test {
 protected:
  InfoPagesTest() {
    UseFreePorts(&options_);
    options_.server_lease_ms = 500;
    std::filesystem::create_directories(root_.path() + "/master");
  }

  std::unique_ptr<MasterProcess> MakeMaster(const Options* options = nullptr) {
    auto master = MasterProcess::Create({.data_path = root_.path(), .options = options ? options : &options_});
    EXPECT_TRUE(master.ok()) << master.status();
    return *std::move(master);
  }
  std::unique_ptr<RegionServerProcess> MakeRegionServer() {
    auto server = RegionServerProcess::Start({.data_path = root_.path(), .options = &options_});
    EXPECT_TRUE(server.ok()) << server.status();
    return *std::move(server);
  }
  static std::string Ask(const std::string& address, const std::string& path) {
    http::testing::RawClient client(std::atoi(address.substr(address.rfind(':') + 1).c_str()));
    return client.Ask("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
  }
  static bool IsHealthy(const std::string& address) {
    return Ask(address, "/health").starts_with("HTTP/1.1 200 OK\r\n");
  }

  testing::TemporaryFolder root_;
  Options options_;
};

TEST_F(InfoPagesTest, ARegionServerIsHealthyWhileItHasALease) {
  const auto server = MakeRegionServer();
  EXPECT_THAT(Ask(server->info_address(), "/health"), StartsWith("HTTP/1.1 503 Service Unavailable\r\n"));
  WaitFor([&] {
    return Ask(server->info_address(), "/health").find("waits for a master, or opens its folder: ") !=
           std::string::npos;
  });
  EXPECT_THAT(Ask(server->info_address(), "/metrics"), StartsWith("HTTP/1.1 200 OK\r\n"));
  {
    const auto master = MakeMaster();
    ASSERT_TRUE(*master->TryToLead());
    WaitFor([&] { return IsHealthy(server->info_address()); });
    EXPECT_THAT(Ask(server->info_address(), "/health"), EndsWith(server->server_name() + " serves\n"));
    EXPECT_THAT(Ask(server->info_address(), "/"), HasSubstr(server->server_name()));
  }
  WaitFor([&] { return !IsHealthy(server->info_address()); });
  EXPECT_THAT(Ask(server->info_address(), "/health"), HasSubstr("the lease of " + server->server_name() + " is over"));
}

TEST_F(InfoPagesTest, AMasterIsHealthyWhenItHasItsServersOrWaitsToLead) {
  const auto master = MakeMaster();
  ASSERT_TRUE(*master->TryToLead());
  EXPECT_THAT(Ask(master->info_address(), "/health"), StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(Ask(master->info_address(), "/health"), HasSubstr("waits for the region servers"));
  const auto server = MakeRegionServer();
  WaitFor([&] { return IsHealthy(master->info_address()); });
  EXPECT_THAT(Ask(master->info_address(), "/health"),
              EndsWith("active master " + master->server_name() + ", epoch 1\n"));

  const auto backup = MakeMaster();
  ASSERT_FALSE(*backup->TryToLead());
  EXPECT_TRUE(IsHealthy(backup->info_address()));
  EXPECT_THAT(Ask(backup->info_address(), "/health"), EndsWith("backup master: waits to lead\n"));
  EXPECT_THAT(Ask(backup->info_address(), "/metrics"), HasSubstr("\nvaquita_master_active 0\n"));
  WaitFor([&] {
    return Ask(master->info_address(), "/metrics").find("vaquita_master_backup_masters 1\n") != std::string::npos;
  });

  master->Stop();
  ASSERT_TRUE(*backup->TryToLead());
  WaitFor([&] { return IsHealthy(backup->info_address()); });
  EXPECT_THAT(Ask(backup->info_address(), "/health"),
              HasSubstr("active master " + backup->server_name() + ", epoch 2"));
  EXPECT_THAT(Ask(backup->info_address(), "/metrics"), HasSubstr("\nvaquita_master_active 1\n"));
}

// On one machine both may be told the same ports.
TEST_F(InfoPagesTest, AMasterThatWaitsNeedsNoPortYet) {
  const auto master = MakeMaster();
  ASSERT_TRUE(*master->TryToLead());
  Options same = options_;
  same.master_info_port = std::atoi(master->info_address().substr(master->info_address().rfind(':') + 1).c_str());
  const auto backup = MakeMaster(&same);
  EXPECT_EQ(backup->info_address(), "");
  ASSERT_FALSE(*backup->TryToLead());
  master->Stop();
  ASSERT_TRUE(*backup->TryToLead());
  EXPECT_THAT(Ask(backup->info_address(), "/health"), HasSubstr("active master"));
}

TEST_F(InfoPagesTest, PagesOfEveryProcessAreInTheFormat) {
  const auto master = MakeMaster();
  ASSERT_TRUE(*master->TryToLead());
  const auto server = MakeRegionServer();
  WaitFor([&] { return IsHealthy(master->info_address()) && IsHealthy(server->info_address()); });
  for (const std::string& address : {master->info_address(), server->info_address()}) {
    for (const char* path : {"/metrics", "/metrics/regions"}) {
      const std::string answer = Ask(address, path);
      const testing::PrometheusPage page(answer.substr(answer.find("\r\n\r\n") + 4));
      EXPECT_EQ(page.error(), "") << path;
      EXPECT_FALSE(page.types().empty());
    }
  }
}

}  // namespace
}  // namespace vaquita
