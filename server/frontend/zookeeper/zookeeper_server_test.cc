#include "server/frontend/zookeeper/zookeeper_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "server/frontend/zookeeper/testing/raw_client.h"
#include "server/frontend/zookeeper/znode_tree.h"

namespace vaquita::zookeeper {
namespace {

using ::testing::ElementsAre;
using testing::Event;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::RawClient;
using testing::Reply;
using testing::SessionTicket;
using ::testing::StartsWith;

class ZooKeeperServerTest : public ::testing::Test {
 protected:
  ZooKeeperServerTest() {
    options_.port = 0;
    options_.clock = &clock_;
  }
  void Start() {
    auto server = ZooKeeperServer::Start(options_);
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
    server_->SetNode("/hbase/hbaseid", "id");
    server_->SetNode("/hbase/master", "m");
  }
  std::unique_ptr<RawClient> Client() { return std::make_unique<RawClient>(server_->port()); }
  std::unique_ptr<RawClient> Connected() {
    auto client = Client();
    client->Connect();
    return client;
  }
  std::unique_ptr<RawClient> StartAndConnect() {
    Start();
    return Connected();
  }
  static std::string Path(std::string_view path) {
    std::string body;
    JuteWriter(&body).String(path);
    return body;
  }

  ManualClock clock_{1'700'000'000'000};
  ZooKeeperOptions options_;
  std::unique_ptr<ZooKeeperServer> server_;
};

// Reads the end of the answers to getData, exists and getChildren2.
struct Stat {
  explicit Stat(JuteReader& in)
      : created_zxid(in.Long()),
        modified_zxid(in.Long()),
        created_ms(in.Long()),
        modified_ms(in.Long()),
        version(in.Int()),
        children_version(in.Int()),
        acl_version(in.Int()),
        owner(in.Long()),
        data_length(in.Int()),
        children(in.Int()),
        children_zxid(in.Long()) {
    EXPECT_TRUE(in.ok() && in.AtEnd());
  }
  int64_t created_zxid, modified_zxid, created_ms, modified_ms;
  int32_t version, children_version, acl_version;
  int64_t owner;
  int32_t data_length, children;
  int64_t children_zxid;
};

TEST_F(ZooKeeperServerTest, ReadsANodeAndItsStat) {
  auto client = StartAndConnect();
  const Reply reply = client->Call(OpCode::kGetData, "/hbase/master", false);
  EXPECT_EQ(reply.error, ErrorCode::kOk);
  JuteReader in(reply.body);
  EXPECT_EQ(in.Buffer(), "m");
  const Stat stat(in);
  EXPECT_EQ(stat.data_length, 1);
  EXPECT_EQ(stat.children, 0);
  EXPECT_EQ(stat.created_ms, 1'700'000'000'000);
  EXPECT_EQ(stat.created_zxid, reply.zxid);
  EXPECT_EQ(stat.owner, 0);
}

TEST_F(ZooKeeperServerTest, ListsChildren) {
  auto client = StartAndConnect();
  const Reply first = client->Call(OpCode::kGetChildren, "/hbase", false);
  JuteReader in(first.body);
  EXPECT_THAT(in.Strings(), ElementsAre("hbaseid", "master"));
  EXPECT_TRUE(in.AtEnd());
  const Reply second = client->Call(OpCode::kGetChildren2, "/hbase", false);
  JuteReader in2(second.body);
  EXPECT_THAT(in2.Strings(), ElementsAre("hbaseid", "master"));
  EXPECT_EQ(Stat(in2).children, 2);
  const Reply all = client->Call(OpCode::kGetAllChildrenNumber, Path("/"));
  EXPECT_EQ(JuteReader(all.body).Int(), 3);
}

TEST_F(ZooKeeperServerTest, SaysWhatIsMissingOrWrong) {
  auto client = StartAndConnect();
  for (const OpCode op : {OpCode::kGetData, OpCode::kExists, OpCode::kGetChildren, OpCode::kGetChildren2}) {
    const Reply missing = client->Call(op, "/nothing", false);
    EXPECT_EQ(missing.error, ErrorCode::kNoNode);
    EXPECT_EQ(missing.body, "");
    EXPECT_EQ(client->Call(op, "no/path", false).error, ErrorCode::kBadArguments);
    EXPECT_EQ(client->Call(op, "cut").error, ErrorCode::kMarshallingError);
  }
  EXPECT_EQ(client->Call(static_cast<OpCode>(106)).error, ErrorCode::kUnimplemented);  // addWatch
  EXPECT_EQ(client->Call(static_cast<OpCode>(102)).error, ErrorCode::kUnimplemented);  // sasl
  EXPECT_EQ(client->Call(static_cast<OpCode>(4711)).error, ErrorCode::kUnimplemented);
  EXPECT_EQ(client->Call(OpCode::kGetData, "/hbase/master", false).error, ErrorCode::kOk);  // nothing of it hurt
}

TEST_F(ZooKeeperServerTest, AnswersPingAuthSyncAndEphemerals) {
  auto client = StartAndConnect();
  client->Send(-2, OpCode::kPing);
  EXPECT_EQ(client->Receive().xid, -2);
  std::string digest;
  JuteWriter(&digest).Int(0).String("digest").Buffer("user:password");
  client->Send(-4, OpCode::kAuth, digest);
  const Reply auth = client->Receive();
  EXPECT_EQ(auth.xid, -4);
  EXPECT_EQ(auth.error, ErrorCode::kOk);
  EXPECT_EQ(client->Call(OpCode::kSync, Path("/hbase")).body, Path("/hbase"));
  EXPECT_EQ(client->Call(OpCode::kGetEphemerals, Path("/")).body, std::string(4, '\0'));
}

TEST_F(ZooKeeperServerTest, TheWorldMayOnlyRead) {
  auto client = StartAndConnect();
  const Reply acl = client->Call(OpCode::kGetAcl, Path("/hbase"));
  JuteReader in(acl.body);
  EXPECT_EQ(in.Int(), 1);
  EXPECT_EQ(in.Int(), kPermissionRead);
  EXPECT_EQ(in.String(), "world");
  EXPECT_EQ(in.String(), "anyone");
  EXPECT_EQ(Stat(in).children, 2);

  const auto create = [](std::string_view path, bool with_ttl) {
    std::string body;
    JuteWriter(&body).String(path).Buffer("data").Int(1).Int(31).String("world").String("anyone").Int(0);
    if (with_ttl) JuteWriter(&body).Long(5);
    return body;
  };
  for (const OpCode op : {OpCode::kCreate, OpCode::kCreate2, OpCode::kCreateContainer, OpCode::kCreateTtl}) {
    EXPECT_EQ(client->Call(op, create("/hbase/new", op == OpCode::kCreateTtl)).error, ErrorCode::kNoAuth);
    EXPECT_EQ(client->Call(op, create("/no/parent", op == OpCode::kCreateTtl)).error, ErrorCode::kNoNode);
    EXPECT_EQ(client->Call(op, "cut").error, ErrorCode::kMarshallingError);
  }
  std::string set_data, remove, set_acl;
  JuteWriter(&set_data).String("/hbase/master").Buffer("x").Int(-1);
  JuteWriter(&remove).String("/hbase/master").Int(-1);
  JuteWriter(&set_acl).String("/hbase/master").Int(0).Int(-1);
  EXPECT_EQ(client->Call(OpCode::kSetData, set_data).error, ErrorCode::kNoAuth);
  EXPECT_EQ(client->Call(OpCode::kDelete, remove).error, ErrorCode::kNoAuth);
  EXPECT_EQ(client->Call(OpCode::kSetAcl, set_acl).error, ErrorCode::kNoAuth);
  EXPECT_EQ(client->Call(OpCode::kExists, "/hbase/new", false).error, ErrorCode::kNoNode);
}

void AppendOperation(OpCode op, std::string_view body, std::string* multi) {
  JuteWriter(multi).Int(static_cast<int32_t>(op)).Bool(false).Int(-1);
  multi->append(body);
}
void AppendEnd(std::string* multi) { JuteWriter(multi).Int(-1).Bool(true).Int(-1); }

std::string CheckBody(std::string_view path, int32_t version) {
  std::string body;
  JuteWriter(&body).String(path).Int(version);
  return body;
}

TEST_F(ZooKeeperServerTest, AMultiWithAWriteFailsAsAWhole) {
  auto client = StartAndConnect();
  std::string multi;
  AppendOperation(OpCode::kCheck, CheckBody("/hbase", -1), &multi);
  AppendOperation(OpCode::kDelete, CheckBody("/hbase/master", -1), &multi);  // the same fields
  AppendOperation(OpCode::kCheck, CheckBody("/hbase", -1), &multi);
  AppendEnd(&multi);
  const Reply reply = client->Call(OpCode::kMulti, multi);
  EXPECT_EQ(reply.error, ErrorCode::kOk);
  JuteReader in(reply.body);
  for (const ErrorCode error : {ErrorCode::kOk, ErrorCode::kNoAuth, ErrorCode::kRuntimeInconsistency}) {
    EXPECT_EQ(in.Int(), -1);
    EXPECT_FALSE(in.Bool());
    EXPECT_EQ(static_cast<ErrorCode>(in.Int()), error);
    EXPECT_EQ(static_cast<ErrorCode>(in.Int()), error);
  }
  in.Int();
  EXPECT_TRUE(in.Bool());
}

TEST_F(ZooKeeperServerTest, AMultiOfChecksSucceeds) {
  auto client = StartAndConnect();
  std::string multi;
  AppendOperation(OpCode::kCheck, CheckBody("/hbase/master", 0), &multi);
  AppendEnd(&multi);
  const Reply reply = client->Call(OpCode::kMulti, multi);
  JuteReader checked(reply.body);
  EXPECT_EQ(static_cast<OpCode>(checked.Int()), OpCode::kCheck);
  EXPECT_FALSE(checked.Bool());
  EXPECT_EQ(checked.Int(), 0);
  EXPECT_EQ(checked.Int(), -1);
  EXPECT_TRUE(checked.Bool());

  std::string other;
  AppendOperation(OpCode::kCheck, CheckBody("/hbase/master", 7), &other);
  AppendEnd(&other);
  const Reply refused = client->Call(OpCode::kMulti, other);
  JuteReader in2(refused.body);
  EXPECT_EQ(in2.Int(), -1);
  in2.Bool();
  EXPECT_EQ(static_cast<ErrorCode>(in2.Int()), ErrorCode::kBadVersion);
}

TEST_F(ZooKeeperServerTest, ReadsManyAtOnce) {
  auto client = StartAndConnect();
  const auto read = [](std::string_view path) {
    std::string body;
    JuteWriter(&body).String(path).Bool(false);
    return body;
  };
  std::string multi;
  AppendOperation(OpCode::kGetData, read("/hbase/master"), &multi);
  AppendOperation(OpCode::kGetData, read("/nothing"), &multi);
  AppendOperation(OpCode::kGetChildren, read("/"), &multi);
  AppendEnd(&multi);
  const Reply reply = client->Call(OpCode::kMultiRead, multi);
  JuteReader in(reply.body);
  EXPECT_EQ(static_cast<OpCode>(in.Int()), OpCode::kGetData);
  in.Bool(), in.Int();
  EXPECT_EQ(in.Buffer(), "m");
  in.Long(), in.Long(), in.Long(), in.Long(), in.Int(), in.Int(), in.Int(), in.Long(), in.Int(), in.Int(), in.Long();
  EXPECT_EQ(in.Int(), -1);
  in.Bool();
  EXPECT_EQ(static_cast<ErrorCode>(in.Int()), ErrorCode::kNoNode);
  in.Int();
  EXPECT_EQ(static_cast<OpCode>(in.Int()), OpCode::kGetChildren);
  in.Bool(), in.Int();
  EXPECT_THAT(in.Strings(), ElementsAre("hbase"));
  EXPECT_EQ(in.Int(), -1);
  EXPECT_TRUE(in.Bool());
}

TEST_F(ZooKeeperServerTest, AnAnswerOfManyReadsIsLimited) {
  Start();
  server_->SetNode("/big", std::string(500'000, 'x'));
  auto client = Connected();
  std::string read, multi;
  JuteWriter(&read).String("/big").Bool(false);
  for (int i = 0; i < 20; ++i) AppendOperation(OpCode::kGetData, read, &multi);
  AppendEnd(&multi);
  EXPECT_EQ(client->Call(OpCode::kMultiRead, multi).error, ErrorCode::kSystemError);
}

// Watches.

TEST_F(ZooKeeperServerTest, ADataWatchFiresOnce) {
  auto client = StartAndConnect();
  client->Call(OpCode::kGetData, "/hbase/master", true);
  server_->SetNode("/hbase/master", "n");
  EXPECT_EQ(client->NextEvent(), (Event{EventType::kDataChanged, "/hbase/master"}));
  server_->SetNode("/hbase/master", "o");
  EXPECT_THAT(client->EventsSoFar(), IsEmpty());
}

TEST_F(ZooKeeperServerTest, TheSameWatchTwiceIsOne) {
  auto client = StartAndConnect();
  client->Call(OpCode::kGetData, "/hbase/master", true);
  client->Call(OpCode::kExists, "/hbase/master", true);
  server_->SetNode("/hbase/master", "n");
  EXPECT_THAT(client->EventsSoFar(), ElementsAre(Event{EventType::kDataChanged, "/hbase/master"}));
}

TEST_F(ZooKeeperServerTest, ExistsWaitsForANodeToCome) {
  auto client = StartAndConnect();
  EXPECT_EQ(client->Call(OpCode::kExists, "/hbase/later", true).error, ErrorCode::kNoNode);
  EXPECT_EQ(client->Call(OpCode::kGetData, "/hbase/never", true).error, ErrorCode::kNoNode);  // leaves no watch
  server_->SetNode("/hbase/later", "");
  server_->SetNode("/hbase/never", "");
  EXPECT_THAT(client->EventsSoFar(), ElementsAre(Event{EventType::kCreated, "/hbase/later"}));
}

TEST_F(ZooKeeperServerTest, AChildWatchTellsOfChildrenNotOfData) {
  auto client = StartAndConnect();
  client->Call(OpCode::kGetChildren, "/hbase", true);
  server_->SetNode("/hbase", "data");
  server_->SetNode("/hbase/master", "data of a child");
  EXPECT_THAT(client->EventsSoFar(), IsEmpty());
  server_->SetNode("/hbase/new", "");
  EXPECT_THAT(client->EventsSoFar(), ElementsAre(Event{EventType::kChildrenChanged, "/hbase"}));
}

TEST_F(ZooKeeperServerTest, ARemovalIsToldOnceToWhoWatchesDataAndChildren) {
  auto client = StartAndConnect();
  client->Call(OpCode::kGetData, "/hbase/master", true);
  client->Call(OpCode::kGetChildren2, "/hbase/master", true);
  client->Call(OpCode::kGetChildren, "/hbase", true);
  server_->RemoveNode("/hbase/master");
  EXPECT_THAT(client->EventsSoFar(),
              ElementsAre(Event{EventType::kDeleted, "/hbase/master"}, Event{EventType::kChildrenChanged, "/hbase"}));
}

TEST_F(ZooKeeperServerTest, EveryWatcherIsToldAndWhoIsGoneHarmsNobody) {
  Start();
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 20; ++i) {
    clients.push_back(Connected());
    clients.back()->Call(OpCode::kGetData, "/hbase/master", true);
  }
  clients[3]->Close();
  server_->SetNode("/hbase/master", "n");
  for (int i = 0; i < 20; ++i) {
    if (i == 3) continue;
    EXPECT_EQ(clients[i]->NextEvent(), (Event{EventType::kDataChanged, "/hbase/master"})) << i;
  }
}

TEST_F(ZooKeeperServerTest, AWatchCanBeCheckedAndRemoved) {
  auto client = StartAndConnect();
  client->Call(OpCode::kGetData, "/hbase/master", true);
  const auto request = [](int32_t type) {
    std::string body;
    JuteWriter(&body).String("/hbase/master").Int(type);
    return body;
  };
  EXPECT_EQ(client->Call(OpCode::kCheckWatches, request(2)).error, ErrorCode::kOk);
  EXPECT_EQ(client->Call(OpCode::kCheckWatches, request(1)).error, ErrorCode::kNoWatcher);
  EXPECT_EQ(client->Call(OpCode::kRemoveWatches, request(3)).error, ErrorCode::kOk);
  EXPECT_EQ(client->Call(OpCode::kRemoveWatches, request(3)).error, ErrorCode::kNoWatcher);
  EXPECT_EQ(client->Call(OpCode::kRemoveWatches, request(9)).error, ErrorCode::kBadArguments);
  server_->SetNode("/hbase/master", "n");
  EXPECT_THAT(client->EventsSoFar(), IsEmpty());
}

TEST_F(ZooKeeperServerTest, WatchesAreLimited) {
  options_.max_watch_bytes = 1000;
  auto client = StartAndConnect();
  ErrorCode error = ErrorCode::kNoNode;
  int set = 0;
  while (error == ErrorCode::kNoNode && set < 100) {
    error = client->Call(OpCode::kExists, "/n" + std::to_string(set++), true).error;
  }
  EXPECT_EQ(error, ErrorCode::kSystemError);
  EXPECT_EQ(client->Call(OpCode::kExists, "/n0", true).error, ErrorCode::kNoNode);  // that one is there already
  client->Close();
  auto next = Connected();  // the other's memory is free again
  while (next->Call(OpCode::kExists, "/other", true).error != ErrorCode::kNoNode) {
  }
}

std::string WatchesOf(int64_t since_zxid, const std::vector<std::string>& data, const std::vector<std::string>& exist,
                      const std::vector<std::string>& children) {
  std::string body;
  JuteWriter(&body).Long(since_zxid).Strings(data).Strings(exist).Strings(children);
  return body;
}

TEST_F(ZooKeeperServerTest, WatchesSetAgainTellWhatWasMissed) {
  Start();
  server_->SetNode("/changed", "1");
  server_->SetNode("/kept", "1");
  server_->SetNode("/gone", "1");
  auto client = Connected();
  const int64_t seen = client->Call(OpCode::kPing).zxid;
  server_->SetNode("/changed", "2");
  server_->RemoveNode("/gone");
  server_->SetNode("/came", "");
  server_->SetNode("/hbase/child", "");
  const Reply reply = client->Call(
      OpCode::kSetWatches, WatchesOf(seen, {"/changed", "/kept", "/gone"}, {"/came", "/not-yet"}, {"/hbase", "/kept"}));
  EXPECT_EQ(reply.error, ErrorCode::kOk);
  EXPECT_THAT(client->EventsSoFar(),
              ElementsAre(Event{EventType::kDataChanged, "/changed"}, Event{EventType::kDeleted, "/gone"},
                          Event{EventType::kCreated, "/came"}, Event{EventType::kChildrenChanged, "/hbase"}));
  server_->SetNode("/kept", "2");
  server_->SetNode("/not-yet", "");
  server_->SetNode("/kept/child", "");
  server_->SetNode("/changed", "3");  // was told already
  EXPECT_THAT(client->EventsSoFar(),
              ElementsAre(Event{EventType::kDataChanged, "/kept"}, Event{EventType::kCreated, "/not-yet"},
                          Event{EventType::kChildrenChanged, "/kept"}));
}

TEST_F(ZooKeeperServerTest, SetWatches2IsReadWithoutPersistentOnes) {
  auto client = StartAndConnect();
  std::string body = WatchesOf(client->Call(OpCode::kPing).zxid, {"/hbase/master"}, {}, {});
  std::string none = body, some = body;
  JuteWriter(&none).Int(0).Int(0);
  JuteWriter(&some).Int(0).Strings(std::vector<std::string>{"/hbase"});
  EXPECT_EQ(client->Call(OpCode::kSetWatches2, some).error, ErrorCode::kUnimplemented);
  EXPECT_EQ(client->Call(OpCode::kSetWatches2, body).error, ErrorCode::kMarshallingError);
  EXPECT_EQ(client->Call(OpCode::kSetWatches2, none).error, ErrorCode::kOk);
  server_->SetNode("/hbase/master", "n");
  EXPECT_THAT(client->EventsSoFar(), ElementsAre(Event{EventType::kDataChanged, "/hbase/master"}));
}

TEST_F(ZooKeeperServerTest, AMirroredNodeIsReadFreshAndFiresItsWatches) {
  std::atomic<int> value = 1;
  options_.refresh = [&](std::string_view path, ZnodeTree* tree) {
    if (path == "/mirror") tree->Set(path, std::to_string(value.load()));
  };
  options_.watch_check_ms = 5;
  auto client = StartAndConnect();
  const auto read = [&] {
    const Reply reply = client->Call(OpCode::kGetData, "/mirror", true);
    return std::string(JuteReader(reply.body).Buffer());
  };
  EXPECT_EQ(read(), "1");
  value = 2;
  EXPECT_EQ(client->NextEvent(), (Event{EventType::kDataChanged, "/mirror"}));  // nobody asked for it
  EXPECT_EQ(read(), "2");
}

// Sessions.

TEST_F(ZooKeeperServerTest, TheTimeoutIsNegotiated) {
  options_.min_session_timeout_ms = 4000;
  options_.max_session_timeout_ms = 40'000;
  Start();
  EXPECT_EQ(Client()->Connect(1).timeout_ms, 4000);
  EXPECT_EQ(Client()->Connect(-5).timeout_ms, 4000);
  EXPECT_EQ(Client()->Connect(10'000).timeout_ms, 10'000);
  EXPECT_EQ(Client()->Connect(90'000).timeout_ms, 40'000);
}

TEST_F(ZooKeeperServerTest, SessionsHaveIdsAndPasswordsOfTheirOwn) {
  Start();
  const SessionTicket a = Client()->Connect();
  const SessionTicket b = Client()->Connect();
  EXPECT_NE(a.id, 0);
  EXPECT_NE(a.id, b.id);
  EXPECT_NE(a.password, b.password);
  EXPECT_EQ(a.password.size(), 16);
}

TEST_F(ZooKeeperServerTest, AClientComesBackToItsSession) {
  Start();
  auto first = Client();
  const SessionTicket ticket = first->Connect();
  first->Close();
  auto second = Client();
  const SessionTicket again = second->Connect(10'000, ticket);
  EXPECT_EQ(again.id, ticket.id);
  EXPECT_EQ(again.password, ticket.password);
  EXPECT_EQ(second->Call(OpCode::kExists, "/hbase", false).error, ErrorCode::kOk);
}

TEST_F(ZooKeeperServerTest, ASessionMovesToItsNewConnection) {
  Start();
  auto first = Client();
  const SessionTicket ticket = first->Connect();
  auto second = Client();
  EXPECT_EQ(second->Connect(10'000, ticket).id, ticket.id);
  EXPECT_EQ(first->ReadToEnd(), "");
  EXPECT_EQ(second->Call(OpCode::kPing).error, ErrorCode::kOk);  // the end of the first did not end the session
}

TEST_F(ZooKeeperServerTest, AnUnknownSessionOrWrongPasswordIsAnsweredAsExpired) {
  Start();
  auto owner = Client();
  SessionTicket ticket = owner->Connect();
  for (const SessionTicket& wrong : {SessionTicket{.id = 4711}, SessionTicket{.id = ticket.id}}) {
    auto client = Client();
    const SessionTicket answer = client->Connect(10'000, wrong);
    EXPECT_EQ(answer.id, 0);
    EXPECT_EQ(answer.timeout_ms, 0);
    EXPECT_EQ(answer.password, std::string(16, '\0'));
    EXPECT_EQ(client->ReadToEnd(), "");
  }
  EXPECT_EQ(owner->Call(OpCode::kPing).error, ErrorCode::kOk);
}

TEST_F(ZooKeeperServerTest, ClosingASessionEndsIt) {
  Start();
  auto client = Client();
  const SessionTicket ticket = client->Connect();
  EXPECT_EQ(client->Call(OpCode::kCloseSession).error, ErrorCode::kOk);
  EXPECT_EQ(client->ReadToEnd(), "");
  EXPECT_EQ(Client()->Connect(10'000, ticket).id, 0);
}

TEST_F(ZooKeeperServerTest, ASilentSessionExpires) {
  options_.min_session_timeout_ms = 50;
  Start();
  auto client = Client();
  const SessionTicket ticket = client->Connect(50);
  EXPECT_EQ(client->ReadToEnd(), "");  // the server closes it
  EXPECT_EQ(Client()->Connect(50, ticket).id, 0);
}

TEST_F(ZooKeeperServerTest, ASessionWithoutConnectionExpiresToo) {
  options_.min_session_timeout_ms = 50;
  Start();
  const SessionTicket ticket = Client()->Connect(50);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(Client()->Connect(50, ticket).id, 0);
}

TEST_F(ZooKeeperServerTest, PingsKeepASessionAlive) {
  options_.min_session_timeout_ms = 300;
  Start();
  auto pinging = Client();
  pinging->Connect(300);
  auto silent = Client();
  silent->Connect(300);
  // For as long as the silent one lives, and once more.
  while (recv(silent->handle(), std::string(1, '\0').data(), 1, MSG_DONTWAIT) < 0) {
    ASSERT_EQ(pinging->Call(OpCode::kPing).error, ErrorCode::kOk);
  }
  EXPECT_EQ(pinging->Call(OpCode::kPing).error, ErrorCode::kOk);
}

TEST_F(ZooKeeperServerTest, ManySessionsAtOnce) {
  Start();
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 300; ++i) clients.push_back(Connected());
  for (const auto& client : clients) {
    EXPECT_EQ(client->Call(OpCode::kGetData, "/hbase/hbaseid", false).error, ErrorCode::kOk);
  }
}

TEST_F(ZooKeeperServerTest, AnOldClientsHandshakeHasNoReadOnlyFlag) {
  Start();
  auto client = Client();
  std::string request = RawClient::ConnectRequest(10'000);
  request.pop_back();
  client->SendFrame(request);
  EXPECT_EQ(client->ReadFrame()->size(), 4 + 4 + 8 + 4 + 16);
  EXPECT_EQ(client->Call(OpCode::kPing).error, ErrorCode::kOk);
}

TEST_F(ZooKeeperServerTest, RequestsInOneGoAreAnsweredInOrder) {
  auto client = StartAndConnect();
  std::string body;
  JuteWriter(&body).String("/hbase").Bool(false);
  for (int xid = 1; xid <= 100; ++xid) client->Send(xid, OpCode::kExists, body);
  for (int xid = 1; xid <= 100; ++xid) EXPECT_EQ(client->Receive().xid, xid);
}

// Clients that misbehave.

TEST_F(ZooKeeperServerTest, AConnectionThatSaysNothingIsClosed) {
  options_.handshake_timeout_ms = 50;
  Start();
  EXPECT_EQ(Client()->ReadToEnd(), "");
}

TEST_F(ZooKeeperServerTest, HalfAHandshakeIsClosed) {
  options_.handshake_timeout_ms = 50;
  Start();
  auto client = Client();
  client->SendBytes(std::string_view("\0\0\0\x2d\0\0", 6));
  EXPECT_EQ(client->ReadToEnd(), "");
}

TEST_F(ZooKeeperServerTest, HalfARequestDoesNotKeepASession) {
  options_.min_session_timeout_ms = 50;
  Start();
  auto client = Client();
  client->Connect(50);
  client->SendBytes(std::string_view("\0\0\1\0\0\0", 6));
  EXPECT_EQ(client->ReadToEnd(), "");
}

TEST_F(ZooKeeperServerTest, AFrameOverTheLimitClosesTheConnection) {
  Start();
  for (const int32_t length : {0x100000, 0x7fffffff, -1}) {
    auto client = Connected();
    std::string bytes;
    JuteWriter(&bytes).Int(length);
    client->SendBytes(bytes);
    EXPECT_EQ(client->ReadToEnd(), "") << length;
  }
  auto client = Connected();
  std::string body;
  JuteWriter(&body).String("/" + std::string(1'000'000, 'x')).Bool(false);
  EXPECT_EQ(client->Call(OpCode::kExists, body).error, ErrorCode::kNoNode);  // long, but in order
}

TEST_F(ZooKeeperServerTest, UnfinishedFramesOfAllConnectionsAreBounded) {
  options_.max_unfinished_bytes = 300'000;
  Start();
  const auto send_half = [](RawClient* client, int32_t length, size_t size) {
    std::string begin;
    JuteWriter(&begin).Int(length);
    client->SendBytes(begin + std::string(size, 'x'));
  };
  auto first = Connected();
  send_half(first.get(), 900'000, 200'000);
  auto second = Connected();
  send_half(second.get(), 900'000, 200'000);
  // One of them has gone; requests as real clients send them are answered.
  auto client = Connected();
  EXPECT_EQ(client->Call(OpCode::kGetData, "/hbase/master", false).error, ErrorCode::kOk);
  pollfd both[] = {{first->handle(), POLLIN, 0}, {second->handle(), POLLIN, 0}};
  EXPECT_EQ(poll(both, 2, 20'000), 1) << "one is closed, whichever was read last";
  // Its bytes have gone with it.
  first.reset();
  second.reset();
  auto third = Connected();
  send_half(third.get(), 900'000, 200'000);
  EXPECT_EQ(client->Call(OpCode::kGetData, "/hbase/master", false).error, ErrorCode::kOk);
}

TEST_F(ZooKeeperServerTest, AStrangersFirstFrameIsSmall) {
  Start();
  auto client = Client();
  std::string bytes;
  JuteWriter(&bytes).Int(10'000);
  client->SendBytes(bytes);
  EXPECT_EQ(client->ReadToEnd(), "");
}

TEST_F(ZooKeeperServerTest, WhatIsNoHandshakeOrNoRequestClosesTheConnection) {
  Start();
  auto web = Client();
  web->SendBytes("GET / HTTP/1.1\r\n\r\n");
  EXPECT_EQ(web->ReadToEnd(), "");
  auto cut = Client();
  cut->SendFrame("short");
  EXPECT_EQ(cut->ReadToEnd(), "");
  auto client = Connected();
  client->SendFrame("1234567");  // a header has eight bytes
  EXPECT_EQ(client->ReadToEnd(), "");
}

TEST_F(ZooKeeperServerTest, AClientThatDoesNotReadIsDropped) {
  options_.min_session_timeout_ms = 200;
  options_.max_watch_bytes = 1 << 30;
  Start();
  server_->SetNode("/big", std::string(900'000, 'x'));
  auto slow = Client();
  slow->Connect(200);
  std::string body;
  JuteWriter(&body).String("/big").Bool(false);
  for (int i = 1; i <= 100; ++i) slow->Send(i, OpCode::kGetData, body);  // 90 MB, were all of them answered
  auto other = Client();
  other->Connect();
  // It is not served on: its session goes, while others are served.
  const auto connections = [&] {
    auto asking = Client();
    asking->SendBytes("srvr");
    return asking->ReadToEnd();
  };
  while (connections().find("Connections: 2\n") == std::string::npos) {
    ASSERT_EQ(other->Call(OpCode::kPing).error, ErrorCode::kOk);
  }
  EXPECT_LT(slow->ReadToEnd().size(), 20'000'000);
}

TEST_F(ZooKeeperServerTest, RepliesThatNobodyReadsAreBounded) {
  options_.max_unsent_bytes = 1'500'000;
  Start();
  server_->SetNode("/big", std::string(900'000, 'x'));
  std::string body;
  JuteWriter(&body).String("/big").Bool(false);
  // The sockets take some of the replies, and one waits behind them.
  std::unique_ptr<RawClient> slow[] = {Connected(), Connected()};
  for (const auto& client : slow) {
    for (int i = 1; i <= 50; ++i) client->Send(i, OpCode::kGetData, body);
  }
  auto other = Connected();
  const auto connections = [&] {
    auto asking = Client();
    asking->SendBytes("srvr");
    const std::string report = asking->ReadToEnd();
    const size_t at = report.find("Connections: ");
    return report.substr(at, report.find('\n', at) - at);
  };
  while (connections() == "Connections: 4") ASSERT_EQ(other->Call(OpCode::kPing).error, ErrorCode::kOk);
  EXPECT_EQ(connections(), "Connections: 3") << "one of the two is closed";
  EXPECT_EQ(other->Call(OpCode::kPing).error, ErrorCode::kOk);
}

TEST_F(ZooKeeperServerTest, ConnectionsAreLimited) {
  options_.max_connections = 2;
  Start();
  auto first = Connected();
  auto second = Connected();
  EXPECT_EQ(Client()->ReadToEnd(), "");
  second->Close();
  for (;;) {  // once the server has seen that, there is room
    auto third = Client();
    third->SendFrame(RawClient::ConnectRequest(10'000));
    if (third->ReadFrame().has_value()) break;
  }
  EXPECT_EQ(first->Call(OpCode::kPing).error, ErrorCode::kOk);
}

// Words, starts and stops.

TEST_F(ZooKeeperServerTest, AnswersAdministratorsWords) {
  auto client = StartAndConnect();
  const auto ask = [&](std::string_view word) {
    auto asking = Client();
    asking->SendBytes(word);
    return asking->ReadToEnd();
  };
  EXPECT_EQ(ask("ruok"), "imok");
  EXPECT_EQ(ask("ruok\n"), "imok");
  EXPECT_EQ(ask("isro"), "rw");
  EXPECT_THAT(ask("envi"), HasSubstr("\nzookeeper.version=3."));
  EXPECT_THAT(ask("srvr"), StartsWith("Zookeeper version: "));
  EXPECT_THAT(ask("srvr"), HasSubstr("\nMode: standalone\nNode count: 4\n"));
  EXPECT_THAT(ask("stat"), HasSubstr("Clients:\n /127.0.0.1:"));
  EXPECT_EQ(ask("what"), "");
}

TEST_F(ZooKeeperServerTest, AStopClosesConnectionsAndFreesThePort) {
  auto client = StartAndConnect();
  const uint16_t port = server_->port();
  server_->Stop();
  EXPECT_EQ(client->ReadToEnd(), "");
  options_.port = port;
  Start();
  EXPECT_EQ(Connected()->Call(OpCode::kPing).error, ErrorCode::kOk);
}

TEST_F(ZooKeeperServerTest, APortThatIsTakenIsNamed) {
  Start();
  options_.port = server_->port();
  const auto second = ZooKeeperServer::Start(options_);
  EXPECT_EQ(second.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(second.status().message()), HasSubstr("127.0.0.1:" + std::to_string(options_.port)));
  options_.address = "no such host";
  EXPECT_EQ(ZooKeeperServer::Start(options_).status().code(), absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace vaquita::zookeeper
