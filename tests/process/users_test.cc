// Users and their rights: who a client is on each port, what it may do, on one server and on a cluster.
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "base/durable_files.h"
#include "base/testing/raw_socket.h"
#include "base/tls/certificates.h"
#include "base/tls/tls_context.h"
#include "grpcpp/grpcpp.h"
#include "tests/process/process_harness.h"
#include "tests/process/query_driver.h"
#include "vaquita/v1/cluster.methods.h"

namespace vaquita {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using enum UserAction;

bool IsDenied(const absl::Status& status) { return IsError(status, ErrorKind::kAccessDenied); }

class UsersTest : public ProcessTest {
 protected:
  static std::vector<std::string> With(std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"-D", "hbase.security.authorization=true", "-D", "hbase.superuser=admin"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  std::shared_ptr<client::Connection> As(client::ConnectionOptions options) {
    options.address = options.address == "127.0.0.1:16040" ? server_->address() : options.address;
    options.retries = 10;
    auto connection = client::Connection::Open(options);
    EXPECT_TRUE(connection.ok()) << connection.status();
    return *connection;
  }
  void StartAsAdmin(const std::vector<std::string>& more = {}) {
    Start("", With(more));
    connection_ = As({.user = "admin"});
    admin_ = connection_->GetAdmin();
  }
  static UserPermission ToTable(std::string user, UserActions actions, std::string family = "") {
    return {std::move(user),
            {.scope = Permission::Scope::kTable, .table = Name("t"), .family = std::move(family), .actions = actions}};
  }
  static absl::Status PutAs(client::Connection& connection, const std::string& row) {
    return connection.GetTable(Name("t"))->Mutate(testing::MakePut(row, "f:q", "value of " + row)).status();
  }
  static absl::Status GetAs(client::Connection& connection, const std::string& row) {
    Get get;
    get.row = row;
    return connection.GetTable(Name("t"))->Get(get).status();
  }
  std::string Address(const std::string& service) const { return server_->Ready().at(service).get<std::string>(); }
  // The status line of a GET.
  std::string Status(const std::string& service, const std::string& path, const std::string& field = "") const {
    const std::string address = Address(service);
    testing::RawSocket socket(std::stoi(address.substr(address.rfind(':') + 1)));
    socket.Send("GET " + path + " HTTP/1.0\r\nHost: localhost\r\n" + field + "\r\n");
    const std::string answer = socket.ReadToEnd();
    return answer.substr(0, answer.find("\r\n"));
  }
  std::string ProcessToken() const {
    std::ifstream file(folder_.path() + "/data/process-token");
    std::string token;
    std::getline(file, token);
    return token;
  }
};

TEST_F(UsersTest, RightsHoldByBothProtocolsAndAfterARestart) {
  StartAsAdmin();
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t", {"f", "g"})).ok());
  for (const char* scheme : {"", "hbase-rpc://"}) {
    const std::string address = *scheme == '\0' ? server_->address() : scheme + Address("region_server");
    const auto bob = As({.address = address, .user = "bob"});
    EXPECT_TRUE(IsDenied(PutAs(*bob, "r"))) << scheme;
    EXPECT_TRUE(IsDenied(GetAs(*bob, "r"))) << scheme;
    EXPECT_TRUE(IsDenied(bob->GetAdmin()->CreateTable(Descriptor("b")))) << scheme;
    EXPECT_TRUE(IsDenied(bob->GetAdmin()->DisableTable(Name("t")))) << scheme;
    EXPECT_TRUE(IsDenied(bob->GetAdmin()->Grant(ToTable("bob", {kRead}), false))) << scheme;
    EXPECT_THAT(*bob->GetAdmin()->ListTableNames(), IsEmpty()) << scheme;
    ASSERT_TRUE(admin_->Grant(ToTable("bob", {kRead, kWrite}, "f"), false).ok());
    EXPECT_TRUE(PutAs(*bob, "r").ok()) << scheme;
    EXPECT_TRUE(GetAs(*bob, "r").ok()) << scheme;
    EXPECT_THAT(*bob->GetAdmin()->ListTableNames(), ElementsAre(Name("t"))) << scheme;
    ASSERT_TRUE(admin_->Revoke(ToTable("bob", {kWrite}, "f")).ok());
    EXPECT_TRUE(IsDenied(PutAs(*bob, "r"))) << scheme;
    EXPECT_TRUE(GetAs(*bob, "r").ok()) << scheme;
    if (*scheme == '\0') {
      ASSERT_TRUE(admin_->Revoke(ToTable("bob", {}, "f")).ok());
    }
  }
  server_->Signal(SIGKILL);
  server_->WaitForEnd();
  StartAsAdmin();
  const auto bob = As({.user = "bob"});
  EXPECT_TRUE(GetAs(*bob, "r").ok());
  EXPECT_TRUE(IsDenied(PutAs(*bob, "r")));
  const auto permissions = admin_->ListUserPermissions({.scope = Permission::Scope::kTable, .table = Name("t")});
  ASSERT_TRUE(permissions.ok()) << permissions.status();
  EXPECT_THAT(*permissions, ElementsAre(ToTable("admin", UserActions::All()), ToTable("bob", {kRead}, "f")));
  ASSERT_TRUE(admin_->DisableTable(Name("t")).ok());
  ASSERT_TRUE(admin_->DeleteTable(Name("t")).ok());
  EXPECT_THAT(*admin_->ListUserPermissions({.scope = Permission::Scope::kTable, .table = Name("t")}), IsEmpty());
}

TEST_F(UsersTest, WithoutAuthorizationNobodyIsAskedAndNothingIsKept) {
  Start();
  EXPECT_FALSE(*admin_->HasAuthorization());
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  EXPECT_TRUE(PutAs(*As({.user = "bob"}), "r").ok());
  EXPECT_TRUE(IsError(admin_->Grant(ToTable("bob", {kRead}), false), ErrorKind::kUnsupportedOperation));
  EXPECT_THAT(*admin_->ListTableNames("hbase:acl", /*system=*/true), IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(folder_.path() + "/data/process-token"));
}

TEST_F(UsersTest, NamesThatMeanSomethingElseAreRefused) {
  const std::string tokens = folder_.path() + "/tokens", certs = folder_.path() + "/certs";
  const Outcome token = Vaquita({"token", "--user", "#ops", "--file", tokens});
  EXPECT_EQ(token.code, 2);
  EXPECT_EQ(token.output, "");
  EXPECT_THAT(token.errors, HasSubstr("--user #ops: a line that begins with # is a comment"));
  EXPECT_EQ(Vaquita({"token", "--user", "a\tb", "--file", tokens}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(tokens));
  ASSERT_EQ(mkfifo(tokens.c_str(), 0600), 0);
  std::filesystem::permissions(tokens, std::filesystem::perms(0644));
  const Outcome to_pipe = Vaquita({"token", "--user", "ann", "--file", tokens});
  EXPECT_EQ(to_pipe.errors, "vaquita: --file " + tokens + ": it is no regular file\n");
  EXPECT_EQ(std::filesystem::status(tokens).permissions(), std::filesystem::perms(0644)) << "it is not ours";
  const std::string missing = folder_.path() + "/no/tokens";
  EXPECT_EQ(Vaquita({"token", "--user", "ann", "--file", missing}).errors,
            "vaquita: --file " + missing + ": No such file or directory\n");
  for (const std::string user : {"ca", "server", "client", "hbase", "truststore"}) {
    const Outcome made = Vaquita({"certs", "--out", certs, "--user", "bob", "--user", user});
    EXPECT_EQ(made.code, 2) << user;
    EXPECT_THAT(made.errors, HasSubstr("certs: --user " + user + ": certs makes a file of that name itself"));
  }
  EXPECT_FALSE(std::filesystem::exists(certs));
}

TEST_F(UsersTest, AFurtherUserLeavesTheServersHosts) {
  const std::string certs = folder_.path() + "/certs";
  const auto hosts = [&](const std::string& who) { return HostsOf(*ReadFile(certs + "/" + who + ".pem")); };
  ASSERT_EQ(Vaquita({"certs", "--out", certs}).code, 0);
  EXPECT_THAT(hosts("server"), ElementsAre("localhost", "127.0.0.1", "::1"));
  ASSERT_EQ(Vaquita({"certs", "--out", certs, "--host", "db.example.com", "--host", "10.1.2.3"}).code, 0);
  ASSERT_EQ(Vaquita({"certs", "--out", certs, "--user", "ada"}).code, 0);
  for (const char* who : {"server", "client", "ada"}) {
    EXPECT_THAT(hosts(who), ElementsAre("db.example.com", "10.1.2.3")) << who;
  }
}

// A new authority in the place of the old one would be trusted by none of the clients that the old one has made.
TEST_F(UsersTest, HalfAnAuthorityIsNotReplaced) {
  const std::string certs = folder_.path() + "/certs";
  ASSERT_EQ(Vaquita({"certs", "--out", certs}).code, 0);
  const auto bytes_of = [&](const std::string& name) { return *ReadFile(certs + name); };
  const std::string authority = bytes_of("/ca.pem"), key = bytes_of("/ca.key"), server = bytes_of("/server.pem");
  std::filesystem::rename(certs + "/ca.key", folder_.path() + "/ca.key");
  Outcome made = Vaquita({"certs", "--out", certs, "--user", "ada"});
  EXPECT_EQ(made.code, 2);
  EXPECT_THAT(made.errors, HasSubstr("--out " + certs + ": it has ca.pem and no ca.key"));
  EXPECT_EQ(bytes_of("/ca.pem"), authority);
  EXPECT_EQ(bytes_of("/server.pem"), server);
  EXPECT_FALSE(std::filesystem::exists(certs + "/ca.key"));
  EXPECT_FALSE(std::filesystem::exists(certs + "/ada.pem"));

  std::filesystem::rename(folder_.path() + "/ca.key", certs + "/ca.key");
  std::filesystem::remove(certs + "/ca.pem");
  made = Vaquita({"certs", "--out", certs});
  EXPECT_EQ(made.code, 2);
  EXPECT_THAT(made.errors, HasSubstr("it has ca.key and no ca.pem"));
  EXPECT_EQ(bytes_of("/ca.key"), key);
}

TEST_F(UsersTest, ATokenProvesWhereAWordIsNotBelieved) {
  const std::string tokens = folder_.path() + "/tokens";
  const auto token = [&](const std::string& user) {
    const Outcome made = Vaquita({"token", "--user", user, "--file", tokens});
    EXPECT_EQ(made.code, 0) << made.errors;
    return made.output.substr(0, made.output.find('\n'));
  };
  const std::string admins = token("admin");
  std::filesystem::resize_file(tokens, std::filesystem::file_size(tokens) - 1);  // some editors leave a line like that
  const std::string bobs = token("bob");
  struct stat file;
  ASSERT_EQ(stat(tokens.c_str(), &file), 0);
  EXPECT_EQ(file.st_mode & 0777, 0600u);
  server_ = std::make_unique<ServerProcess>(folder_.path(), [&] {
    std::vector<std::string> arguments = ServerProcess::OnFolder(folder_.path());
    for (const std::string& more : With({"-D", "vaquita.users.simple=false", "-D", "vaquita.users.tokens=" + tokens})) {
      arguments.push_back(more);
    }
    return arguments;
  }());
  ASSERT_TRUE(server_->WaitUntilReady()) << server_->Errors();
  const auto admin = As({.token = admins});
  ASSERT_TRUE(admin->GetAdmin()->CreateTable(Descriptor("t")).ok());
  ASSERT_TRUE(admin->GetAdmin()->Grant(ToTable("bob", {kRead}), false).ok());
  EXPECT_TRUE(GetAs(*As({.token = bobs}), "r").ok());
  EXPECT_TRUE(IsDenied(PutAs(*As({.token = bobs}), "r")));
  EXPECT_TRUE(IsDenied(GetAs(*As({.user = "admin"}), "r"))) << "a word";
  EXPECT_TRUE(IsDenied(GetAs(*As({.user = "admin", .token = "guess"}), "r")));
  // HTTP.
  EXPECT_THAT(Status("master_info", "/health"), HasSubstr("200"));
  EXPECT_THAT(Status("master_info", "/console/"), HasSubstr("401"));
  EXPECT_THAT(Status("master_info", "/console/", "Authorization: Bearer " + bobs + "\r\n"), HasSubstr("401"));
  EXPECT_THAT(Status("master_info", "/console/", "Authorization: Bearer " + admins + "\r\n"), HasSubstr("200"));
  Stop();
}

TEST_F(UsersTest, ACertificateProvesByEveryProtocol) {
  const std::string certs = folder_.path() + "/certs";
  ASSERT_EQ(Vaquita({"certs", "--out", certs, "--user", "admin", "--user", "bob"}).code, 0);
  std::vector<std::string> arguments = ServerProcess::OnFolder(folder_.path());
  for (const std::string& more : With({"--config", certs + "/server-site.xml", "-D", "vaquita.users.simple=false"})) {
    arguments.push_back(more);
  }
  server_ = std::make_unique<ServerProcess>(folder_.path(), arguments);
  ASSERT_TRUE(server_->WaitUntilReady()) << server_->Errors();
  const auto shell = [&](const std::string& user, const std::string& address, const std::string& commands) {
    const std::string script = folder_.path() + "/script";
    std::ofstream(script) << commands;
    const Outcome done =
        Vaquita({"shell", "-n", "--address", address, "--tls", certs + "/" + user + "-site.xml", script});
    return done.output + done.errors;
  };
  const std::string grpc = Address("grpc_address"), hbase = "hbase-rpc://" + Address("region_server");
  EXPECT_THAT(shell("admin", grpc, "create 't', 'f'\nput 't', 'r', 'f:q', 'v'\ngrant 'bob', 'R', 't'\n"),
              Not(HasSubstr("ERROR")));
  for (const std::string& address : {grpc, hbase}) {
    EXPECT_THAT(shell("bob", address, "get 't', 'r'\n"), HasSubstr("value=v")) << address;
    EXPECT_THAT(shell("bob", address, "put 't', 'r', 'f:q', 'w'\n"), HasSubstr("Insufficient permissions (user=bob"))
        << address;
    EXPECT_THAT(shell("client", address, "get 't', 'r'\n"), HasSubstr("Insufficient permissions for user 'client'"))
        << address;
  }
  EXPECT_THAT(shell("admin", grpc, "user_permission 't'\n"), HasSubstr("default,t,,: [Permission: actions=READ]"));
  Stop();
}

TEST_F(UsersTest, SqlRunsWithTheRightsOfTheDriversUser) {
  StartAsAdmin();
  const std::string address = Address("query_server");
  EXPECT_EQ(httplib::Client("http://" + address).Post("/", "", "application/octet-stream")->status, 401);
  httplib::Client guess("http://" + address);
  guess.set_basic_auth("admin", "guess");
  EXPECT_EQ(guess.Post("/", "", "application/octet-stream")->status, 401);
  Driver admin(address, "admins", "admin"), bob(address, "bobs", "bob");
  admin.UseTable();
  EXPECT_THAT(bob.Fail("SELECT ID, V FROM T"), HasSubstr("Insufficient permissions"));
  for (const char* table : {"T", "SYSTEM.CATALOG"}) {
    const Permission read{.scope = Permission::Scope::kTable, .table = Name(table), .actions = {kRead}};
    ASSERT_TRUE(admin_->Grant({"bob", read}, false).ok());
  }
  EXPECT_THAT(bob.Run("SELECT ID, V FROM T"), ElementsAre("k|v"));
  bob.SetAutoCommit(true);
  EXPECT_THAT(bob.Fail("UPSERT INTO T VALUES ('l', 'w')"), HasSubstr("Insufficient permissions"));
  EXPECT_THAT(admin.Run("SELECT ID FROM T"), ElementsAre("k"));
}

TEST_F(UsersTest, AnOpenScannerGoesOnForItsOwnerAlone) {
  StartAsAdmin();
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t")).ok());
  Fill("t", 300);
  ASSERT_TRUE(admin_->Grant(ToTable("bob", {kRead}), false).ok());
  const auto bob = As({.address = "hbase-rpc://" + Address("region_server"), .user = "bob"});
  Scan scan;
  scan.caching = 10;
  auto scanner = bob->GetTable(Name("t"))->GetScanner(scan);
  ASSERT_TRUE(scanner.ok() && (*scanner)->Next().ok());
  ASSERT_TRUE(admin_->Revoke(ToTable("bob", {kRead})).ok());
  int rows = 1;
  for (auto row = (*scanner)->Next(); row.ok() && row->has_value(); row = (*scanner)->Next()) ++rows;
  EXPECT_EQ(rows, 300);
  const auto again = bob->GetTable(Name("t"))->GetScanner(scan);
  EXPECT_TRUE(!again.ok() || IsDenied((*again)->Next().status()));
}

TEST_F(UsersTest, ARevokeHoldsOnEveryServerOfAClusterWhenItReturns) {
  StartCluster(2, With({"-D", "vaquita.regionserver.lease=1000"}));
  connection_ = As({.user = "admin"});
  admin_ = connection_->GetAdmin();
  ASSERT_TRUE(admin_->CreateTable(Descriptor("t"), {Row(100)}).ok());
  std::set<std::string> servers;
  const auto regions = admin_->GetRegions(Name("t"));
  ASSERT_TRUE(regions.ok()) << regions.status();
  for (const auto& region : *regions) servers.insert(region.server_name);
  ASSERT_THAT(servers, SizeIs(2));
  const auto bob = As({.user = "bob"});
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(admin_->Grant(ToTable("bob", {kWrite}), false).ok());
    for (const int row : {0, 150}) EXPECT_TRUE(PutAs(*bob, Row(row)).ok());
    ASSERT_TRUE(admin_->Revoke(ToTable("bob", {kWrite})).ok());
    for (const int row : {0, 150}) EXPECT_TRUE(IsDenied(PutAs(*bob, Row(row))));
  }
  // A server that begins a new life knows the rights before it serves.
  ASSERT_TRUE(admin_->Grant(ToTable("bob", {kWrite}), false).ok());
  kill(server_->Ready().at("region_servers").at(1).at("pid").get<pid_t>(), SIGKILL);
  for (int i = 0; i < 300; ++i) ASSERT_TRUE(PutAs(*bob, Row(i)).ok()) << i;
  // And so does a new master.
  kill(server_->Ready().at("master_pid").get<pid_t>(), SIGKILL);
  ASSERT_TRUE(Eventually([&] { return admin_->Revoke(ToTable("bob", {kWrite})).ok(); }));
  for (const int row : {0, 150}) EXPECT_TRUE(IsDenied(PutAs(*bob, Row(row))));
}

TEST_F(UsersTest, TheServicesAmongProcessesTakeNoWord) {
  StartCluster(1, With());
  const auto report = [&](const std::string& name, const std::string& value) {
    const std::string address = Address("grpc_address");
    const auto channel = grpc::CreateChannel(address, grpc::InsecureChannelCredentials());
    grpc::ClientContext context;
    if (!name.empty()) context.AddMetadata(name, value);
    v1::ReportAnswer answer;
    return CallGrpc(channel.get(), &context, {v1::MasterControlMethods::Report, {}, &answer}).error_code();
  };
  EXPECT_EQ(report("", ""), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(report("vaquita-user", "admin"), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(report("authorization", "Bearer guess"), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_NE(report("authorization", "Bearer " + ProcessToken()), grpc::StatusCode::PERMISSION_DENIED);
  struct stat file;
  ASSERT_EQ(stat((folder_.path() + "/data/process-token").c_str(), &file), 0);
  EXPECT_EQ(file.st_mode & 0777, 0600u);
}

TEST_F(UsersTest, TheTestControlIsRefused) {
  std::vector<std::string> arguments = ServerProcess::OnFolder(folder_.path());
  for (const std::string& more : With({"--test-control"})) arguments.push_back(more);
  ServerProcess server(folder_.path(), arguments);
  EXPECT_EQ(server.WaitForEnd(), 2);
  EXPECT_THAT(server.Errors(), HasSubstr("hbase.security.authorization"));
}

TEST_F(UsersTest, KerberosNeedsSettingsThatAreRight) {
  const std::string keytab = folder_.path() + "/keytab";
  std::ofstream(keytab) << "nonsense";
  const std::vector<std::string> own = {"hbase.regionserver.keytab.file=" + keytab,
                                        "hbase.regionserver.kerberos.principal=hbase/_HOST@EXAMPLE.COM"};
  const struct {
    std::vector<std::string> settings;
    std::string message;
  } kCases[] = {
      {{"hbase.security.authorization=false"}, "which needs hbase.security.authorization=true"},
      {{"hbase.security.authentication=ldap"}, "hbase.security.authentication is ldap; it is simple or kerberos"},
      {{}, "which needs hbase.regionserver.keytab.file and hbase.regionserver.kerberos.principal"},
      {own, "the keytab " + keytab + " cannot be used: Unsupported key table format version number"},
      {{own[0], own[1], "hbase.rpc.protection=strong"}, "strong is none of authentication, integrity and privacy"},
      {{own[0], own[1], "hadoop.security.auth_to_local=LOWER"}, "the rule LOWER is malformed"},
      {{own[0], own[1], "hbase.master.keytab.file=other"}, "a process that is both has one file"},
  };
  for (const auto& each : kCases) {
    std::vector<std::string> arguments = ServerProcess::OnFolder(folder_.path());
    for (const std::string& more : With({"-D", "hbase.security.authentication=kerberos"})) arguments.push_back(more);
    for (const std::string& setting : each.settings) arguments.insert(arguments.end(), {"-D", setting});
    ServerProcess server(folder_.path(), arguments);
    EXPECT_NE(server.WaitForEnd(), 0);
    EXPECT_THAT(server.Errors(), HasSubstr(each.message));
  }
}

}  // namespace
}  // namespace vaquita
