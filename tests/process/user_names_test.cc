// Users whose names are not ASCII, by every way to gRPC.
#include <gmock/gmock.h>

#include <string>

#include "base/status.h"
#include "client/connection.h"
#include "tests/process/process_harness.h"
#include "tests/process/query_driver.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using enum UserAction;

using UserNamesTest = ProcessTest;

TEST_F(UserNamesTest, NamesThatAreNotAsciiAreUsersAsOthers) {
  Start("", {"-D", "hbase.security.authorization=true", "-D", "hbase.superuser=admin"});
  const auto as = [&](const std::string& user) {
    auto connection = client::Connection::Open({.address = server_->address(), .user = user});
    EXPECT_TRUE(connection.ok()) << connection.status();
    return *connection;
  };
  const std::string address = server_->Ready().at("query_server").get<std::string>();
  Driver admin(address, "admins", "admin");
  admin.UseTable();
  const std::string mueller = "m\xC3\xBCller";
  Get get;
  get.row = "k";
  for (const std::string& name : {mueller, std::string("a\nb"), std::string("\x01")}) {
    Driver driver(address, "of " + name.substr(0, 1), name);
    EXPECT_THAT(driver.Fail("SELECT ID, V FROM T"), HasSubstr("Insufficient permissions"));
    EXPECT_TRUE(IsError(as(name)->GetTable(Name("T"))->Get(get).status(), ErrorKind::kAccessDenied));
  }
  for (const char* table : {"T", "SYSTEM.CATALOG"}) {
    const Permission read{.scope = Permission::Scope::kTable, .table = Name(table), .actions = {kRead}};
    ASSERT_TRUE(as("admin")->GetAdmin()->Grant({mueller, read}, false).ok());
  }
  EXPECT_TRUE(as(mueller)->GetTable(Name("T"))->Get(get).ok());
  EXPECT_THAT(Driver(address, "of M", mueller).Run("SELECT ID, V FROM T"), ElementsAre("k|v"));
  EXPECT_TRUE(IsError(client::Connection::Open({.address = server_->address(), .token = "guess\n"}).status(),
                      ErrorKind::kIllegalArgument));
}

}  // namespace
}  // namespace vaquita
