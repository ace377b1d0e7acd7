#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <asio/buffer.hpp>
#include <asio/error.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <system_error>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/testing/temporary_folder.h"
#include "base/tls/certificates.h"
#include "base/tls/openssl.h"
#include "base/tls/tls_context.h"
#include "base/tls/tls_stream.h"

namespace vaquita {
namespace {

using Side = TlsContext::Side;
using ::testing::HasSubstr;

// An authority, and stores of a server and of a client in a folder.
class TlsTest : public ::testing::Test {
 protected:
  TlsTest() {
    Write("trust.pem", authority_.certificate);
    Write("server.pem", Pem(server_));
    options_.tls_key_store = Path("server.pem");
    options_.tls_trust_store = Path("trust.pem");
    options_.tls_client_auth = "NONE";
  }

  static std::string Pem(const Certified& certified) { return certified.key + certified.certificate; }
  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string Write(const std::string& name, const std::string& bytes) const {
    std::ofstream(Path(name), std::ios::binary | std::ios::trunc) << bytes;
    return Path(name);
  }
  Options Client() const {
    Options options;
    options.tls_trust_store = Path("trust.pem");
    return options;
  }
  std::string LoadError() const { return std::string(TlsContext::Create(options_, Side::kServer).status().message()); }

  testing::TemporaryFolder folder_;
  const Certified authority_ = *MakeAuthority({.name = "test authority"});
  const Certified server_ = *MakeCertificate({.name = "server", .hosts = {"localhost", "127.0.0.1"}}, authority_);
  Options options_;
};

// Returns a key of 1,024 bits and its certificate, which Debian's OpenSSL reads and then refuses.
std::string WeakPem() {
  const openssl::Key key(EVP_RSA_gen(1024));
  const openssl::Certificate certificate(X509_new());
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
  X509_set_pubkey(certificate.get(), key.get());
  X509_sign(certificate.get(), key.get(), EVP_sha256());
  const openssl::Bio bio(BIO_new(BIO_s_mem()));
  PEM_write_bio_PrivateKey(bio.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  PEM_write_bio_X509(bio.get(), certificate.get());
  return openssl::TextOf(bio);
}

// Two sessions over a pair of sockets.
class Pair {
 public:
  Pair(TlsContext* server, TlsContext* client, const std::string& host) {
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sockets_), 0);
    server_ = server->NewSession(sockets_[0], "");
    client_ = client->NewSession(sockets_[1], host);
  }
  ~Pair() {
    close(sockets_[0]);
    close(sockets_[1]);
  }

  // Returns the first error, with the side that has it; "" if both sides are content.
  std::string Handshake() {
    for (int turn = 0; turn < 20; ++turn) {
      if (!client_done_ && Fails(client_.get(), &client_done_)) return "client: " + client_->error();
      if (!server_done_ && Fails(server_.get(), &server_done_)) return "server: " + server_->error();
      if (client_done_ && server_done_) return "";
    }
    return "no end";
  }
  TlsSession& server() { return *server_; }
  TlsSession& client() { return *client_; }

 private:
  static bool Fails(TlsSession* session, bool* done) {
    const TlsSession::Step step = session->Handshake();
    *done = step == TlsSession::Step::kDone;
    return step == TlsSession::Step::kFailed;
  }

  int sockets_[2] = {};
  std::unique_ptr<TlsSession> server_, client_;
  bool server_done_ = false;
  bool client_done_ = false;
};

std::string HandshakeOf(const Options& server, const Options& client, const std::string& host = "localhost") {
  const auto server_tls = TlsContext::Create(server, Side::kServer);
  const auto client_tls = TlsContext::Create(client, Side::kClient);
  if (!server_tls.ok()) return std::string(server_tls.status().message());
  if (!client_tls.ok()) return std::string(client_tls.status().message());
  return Pair(server_tls->get(), client_tls->get(), host).Handshake();
}

TEST_F(TlsTest, CarriesBytesBothWays) {
  const auto server = TlsContext::Create(options_, Side::kServer);
  const auto client = TlsContext::Create(Client(), Side::kClient);
  ASSERT_TRUE(server.ok()) << server.status();
  ASSERT_TRUE(client.ok()) << client.status();
  Pair pair(server->get(), client->get(), "127.0.0.1");
  ASSERT_EQ(pair.Handshake(), "");
  const std::string sent(100'000, 'x');
  std::string received;
  char bytes[30'000];
  size_t written = 0;
  while (received.size() < sent.size()) {
    if (written < sent.size()) {
      const ssize_t more = pair.client().Send(sent.data() + written, sent.size() - written);
      if (more > 0) written += static_cast<size_t>(more);
    }
    const ssize_t got = pair.server().Receive(bytes, sizeof bytes);
    if (got > 0) received.append(bytes, static_cast<size_t>(got));
    ASSERT_TRUE(got > 0 || errno == EAGAIN);
  }
  EXPECT_EQ(received, sent);
  EXPECT_EQ(pair.server().Receive(bytes, sizeof bytes), -1);
  EXPECT_EQ(errno, EAGAIN);
  pair.client().EndOutput();
  EXPECT_EQ(pair.server().Receive(bytes, sizeof bytes), 0);
}

// A reader with little room must not wait for a socket that has nothing more to show.
TEST_F(TlsTest, TellsOfBytesThatTheSocketDoesNotShow) {
  const auto server = TlsContext::Create(options_, Side::kServer);
  const auto client = TlsContext::Create(Client(), Side::kClient);
  Pair pair(server->get(), client->get(), "localhost");
  ASSERT_EQ(pair.Handshake(), "");
  ASSERT_EQ(pair.client().Send("hello", 5), 5);
  char bytes[3];
  ASSERT_EQ(pair.server().Receive(bytes, 3), 3);
  EXPECT_TRUE(pair.server().HasInput());
  ASSERT_EQ(pair.server().Receive(bytes, 3), 2);
  EXPECT_FALSE(pair.server().HasInput());
}

TEST_F(TlsTest, ChecksTheServersNameAndAuthority) {
  EXPECT_EQ(HandshakeOf(options_, Client(), "localhost"), "");
  EXPECT_EQ(HandshakeOf(options_, Client(), "127.0.0.1"), "");
  EXPECT_EQ(HandshakeOf(options_, Client(), "elsewhere"), "client: the certificate is not for elsewhere");
  Options careless = Client();
  careless.tls_verify_server_host = false;
  EXPECT_EQ(HandshakeOf(options_, careless, "elsewhere"), "");
  Write("trust.pem", MakeAuthority({.name = "another"})->certificate);
  EXPECT_THAT(HandshakeOf(options_, Client()), HasSubstr("client: the certificate is refused: "));
}

TEST_F(TlsTest, AsksForAClientsCertificate) {
  options_.tls_client_auth = "NEED";
  Options client = Client();
  client.tls_protocols = "TLSv1.2";  // in 1.3 a client has done its part before the server refuses it
  EXPECT_EQ(HandshakeOf(options_, client),
            "server: the client has no certificate, and hbase.server.netty.tls.client.auth.mode is NEED");
  client.tls_key_store = Write("client.pem", Pem(*MakeCertificate({.name = "client"}, authority_)));
  EXPECT_EQ(HandshakeOf(options_, client), "");
  client.tls_key_store = Write("stranger.pem", Pem(*MakeCertificate({.name = "x"}, *MakeAuthority({.name = "y"}))));
  EXPECT_THAT(HandshakeOf(options_, client), HasSubstr("server: the certificate is refused: "));
  options_.tls_client_auth = "want";
  EXPECT_EQ(HandshakeOf(options_, Client()), "");
}

TEST_F(TlsTest, HoldsAClientsCertificateAgainstItsAddress) {
  options_.tls_client_auth = "NEED";
  Options client = Client();
  client.tls_key_store =
      Write("client.pem", Pem(*MakeCertificate({.name = "c", .hosts = {"10.1.2.3", "c.test"}}, authority_)));
  const auto server_tls = TlsContext::Create(options_, Side::kServer);
  const auto client_tls = TlsContext::Create(client, Side::kClient);
  Pair pair(server_tls->get(), client_tls->get(), "localhost");
  ASSERT_EQ(pair.Handshake(), "");
  EXPECT_TRUE(pair.server().IsPeerAt("10.1.2.3"));
  EXPECT_FALSE(pair.server().IsPeerAt("10.1.2.4"));
  EXPECT_TRUE(pair.server().IsPeerAt("c.test"));
  EXPECT_FALSE(pair.server().IsPeerAt("d.test"));
  EXPECT_FALSE(pair.server().IsPeerAt(""));
}

TEST_F(TlsTest, HasVersionsAndCiphers) {
  options_.tls_protocols = "TLSv1.2";
  options_.tls_ciphers = "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256";
  EXPECT_EQ(HandshakeOf(options_, Client()), "");
  Options client = Client();
  client.tls_protocols = "TLSv1.3";
  EXPECT_EQ(HandshakeOf(options_, client), "server: no version of TLS in common; see hbase.rpc.tls.enabledProtocols");
  options_.tls_protocols = "SSLv3";
  EXPECT_EQ(LoadError(), "hbase.rpc.tls.enabledProtocols takes TLSv1.2 and TLSv1.3, not SSLv3");
  options_.tls_protocols = "";
  options_.tls_ciphers = "TLS_NONSENSE";
  const std::string unknown =
      "hbase.rpc.tls.ciphersuites: OpenSSL has no cipher TLS_NONSENSE; see `openssl ciphers -stdname`";
  EXPECT_EQ(LoadError(), unknown);
  options_.tls_ciphers = "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,TLS_NONSENSE";
  EXPECT_EQ(LoadError(), unknown);
  options_.tls_ciphers = "TLS_AES_NONSENSE,TLS_AES_128_GCM_SHA256";
  EXPECT_THAT(LoadError(), HasSubstr("has no cipher TLS_AES_NONSENSE;"));
}

// As in Java, where the list is all.
TEST_F(TlsTest, CiphersThatAreNotNamedAreNotUsed) {
  Options newer = Client(), older = Client();
  newer.tls_protocols = "TLSv1.3";
  older.tls_protocols = "TLSv1.2";
  const std::string none = "server: no version of TLS in common; see hbase.rpc.tls.enabledProtocols";
  options_.tls_ciphers = "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,TLS_EMPTY_RENEGOTIATION_INFO_SCSV";
  EXPECT_EQ(HandshakeOf(options_, older), "");
  EXPECT_EQ(HandshakeOf(options_, newer), none);
  options_.tls_ciphers = "TLS_AES_256_GCM_SHA384";
  EXPECT_EQ(HandshakeOf(options_, older), none);
  EXPECT_EQ(HandshakeOf(options_, newer), "");
  newer.tls_ciphers = "TLS_AES_128_GCM_SHA256";
  EXPECT_THAT(HandshakeOf(options_, newer), HasSubstr("server: ")) << "no cipher in common";
  options_.tls_ciphers = "TLS_AES_256_GCM_SHA384,TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256";
  EXPECT_EQ(HandshakeOf(options_, older), "");
  options_.tls_protocols = "TLSv1.2";
  options_.tls_ciphers = "TLS_AES_256_GCM_SHA384";
  EXPECT_EQ(LoadError(),
            "hbase.rpc.tls.ciphersuites: TLS_AES_256_GCM_SHA384 has no cipher of the version that "
            "hbase.rpc.tls.enabledProtocols has");
}

TEST_F(TlsTest, ReadsPkcs12) {
  options_.tls_key_store = Write("server.p12", MakePkcs12(server_, authority_, "secret"));
  options_.tls_key_store_password = "secret";
  options_.tls_trust_store = Write("trust.p12", MakePkcs12({}, authority_, "secret"));
  options_.tls_trust_store_password = "secret";
  EXPECT_EQ(HandshakeOf(options_, Client()), "");
  options_.tls_key_store_password = "guess";
  EXPECT_EQ(LoadError(), "hbase.rpc.tls.keystore.location " + Path("server.p12") +
                             ": its password is another; set hbase.rpc.tls.keystore.password");
  options_.tls_key_store = Write("cut.p12", MakePkcs12(server_, authority_, "secret").substr(0, 100));
  EXPECT_EQ(LoadError(), "hbase.rpc.tls.keystore.location " + Path("cut.p12") + ": it is not a PKCS12 file");
}

TEST_F(TlsTest, ACertificateHasAllThatWasAskedFor) {
  EXPECT_TRUE(MakeCertificate({.name = std::string(64, 'a')}, authority_).ok());
  for (const CertificateRequest& request :
       {CertificateRequest{.name = std::string(65, 'a')}, CertificateRequest{.name = ""},
        CertificateRequest{.name = "a", .hosts = {"b,c"}}, CertificateRequest{.name = "a", .hosts = {"b", ""}}}) {
    EXPECT_EQ(MakeCertificate(request, authority_).status().code(), absl::StatusCode::kInvalidArgument) << request.name;
  }
  EXPECT_FALSE(MakeCertificate({.name = "a"}, {.key = "nonsense", .certificate = authority_.certificate}).ok());
  EXPECT_FALSE(MakeCertificate({.name = "a"}, {.key = authority_.key, .certificate = "nonsense"}).ok());
}

TEST_F(TlsTest, ACertificateTellsItsHosts) {
  const Certified made = *MakeCertificate({.name = "n", .hosts = {"a.example.com", "::1", "10.1.2.3"}}, authority_);
  EXPECT_THAT(HostsOf(Pem(made)), ::testing::ElementsAre("a.example.com", "::1", "10.1.2.3"));
  EXPECT_THAT(HostsOf(authority_.certificate), ::testing::IsEmpty());
  EXPECT_THAT(HostsOf("garbage"), ::testing::IsEmpty());
}

TEST_F(TlsTest, AnAuthoritySignsWithItsOwnKey) {
  const Certified mixed{.key = server_.key, .certificate = authority_.certificate};
  EXPECT_EQ(std::string(MakeCertificate({.name = "ada"}, mixed).status().message()),
            "the authority's key is not that of its certificate");
}

TEST_F(TlsTest, RefusesBadStores) {
  const auto error = [this](const std::string& path) {
    options_.tls_key_store = path;
    return LoadError();
  };
  const auto at = [this](const std::string& name) { return "hbase.rpc.tls.keystore.location " + Path(name) + ": "; };
  const std::string read = "hbase.rpc.tls.keystore.location: read ";
  EXPECT_EQ(error(Path("none.pem")), read + Path("none.pem") + ": No such file or directory");
  options_.tls_key_store_type = "PEM";
  EXPECT_EQ(error(folder_.path()), read + folder_.path() + ": Is a directory");
  options_.tls_key_store_type = "";
  EXPECT_THAT(error(""), HasSubstr("TLS needs a key: set hbase.rpc.tls.keystore.location"));
  EXPECT_EQ(error(Write("empty.pem", "")), at("empty.pem") + "it has no certificate");
  EXPECT_EQ(error(Write("alone.pem", server_.certificate)), at("alone.pem") + "it has no private key");
  EXPECT_EQ(error(Write("other.pem", authority_.key + server_.certificate)),
            at("other.pem") + "its private key is not that of its first certificate");
  EXPECT_THAT(
      error(Write("cut.pem", server_.key + server_.certificate.substr(0, 200) + "\n-----END CERTIFICATE-----\n")),
      HasSubstr(at("cut.pem") + "a certificate in it is malformed"));
  EXPECT_THAT(
      error(Write("old.pem", Pem(*MakeCertificate({.name = "s", .first_day = -9, .last_day = -1}, authority_)))),
      HasSubstr(at("old.pem") + "its certificate has expired on "));
  EXPECT_THAT(error(Write("new.pem", Pem(*MakeCertificate({.name = "s", .first_day = 2}, authority_)))),
              HasSubstr(at("new.pem") + "its certificate is not valid before "));
  EXPECT_EQ(error(Write("weak.pem", WeakPem())), at("weak.pem") + "OpenSSL refuses it: ee key too small");
  EXPECT_EQ(error(Write("chain.pem", Pem(server_) + WeakPem())),
            at("chain.pem") + "OpenSSL refuses it: ca key too small");
  EXPECT_THAT(error(Write("java.jks", "x")), HasSubstr("convert it: keytool -importkeystore -srckeystore "));
  EXPECT_THAT(error(Write("nameless", "x")), HasSubstr("set hbase.rpc.tls.keystore.type to PEM or PKCS12"));
  options_.tls_key_store = Path("server.pem");
  options_.tls_trust_store = "";
  options_.tls_client_auth = "NEED";
  EXPECT_THAT(LoadError(), HasSubstr("set hbase.rpc.tls.truststore.location"));
  options_.tls_client_auth = "MAYBE";
  EXPECT_EQ(LoadError(), "hbase.server.netty.tls.client.auth.mode takes NEED, WANT or NONE, not MAYBE");
}

TEST_F(TlsTest, WarnsOfACertificateThatExpiresSoon) {
  Write("server.pem", Pem(*MakeCertificate({.name = "s", .last_day = 10}, authority_)));
  const TlsKeys keys = *ReadTlsKeys(options_);
  const absl::Time now = absl::Now();
  EXPECT_EQ(ExpiryWarning(keys, now + absl::Hours(2 * 24)), "");
  EXPECT_LT(absl::AbsDuration(keys.expires - (now + absl::Hours(10 * 24))), absl::Minutes(5));
  const std::string date = absl::FormatTime("%Y-%m-%d at %H:%M:%S UTC", keys.expires, absl::UTCTimeZone());
  EXPECT_THAT(ExpiryWarning(keys, now + absl::Hours(4 * 24)), HasSubstr("the own certificate expires on " + date));
  EXPECT_THAT(ExpiryWarning(keys, now + absl::Hours(11 * 24)), HasSubstr("certificate has expired on " + date));
  options_.tls_key_store = "";
  EXPECT_EQ(ExpiryWarning(*ReadTlsKeys(options_), now + absl::Hours(100 * 24)), "");
}

TEST_F(TlsTest, ReadsChangedKeysAgain) {
  options_.tls_reload = true;
  const auto server = TlsContext::Create(options_, Side::kServer);
  const auto client = TlsContext::Create(Client(), Side::kClient);
  EXPECT_EQ(Pair(server->get(), client->get(), "localhost").Handshake(), "");
  Write("server.pem", "nonsense");  // the old key stays
  EXPECT_EQ(Pair(server->get(), client->get(), "localhost").Handshake(), "");
  Write("server.pem", Pem(*MakeCertificate({.name = "s", .hosts = {"elsewhere"}}, authority_)));
  EXPECT_EQ(Pair(server->get(), client->get(), "localhost").Handshake(),
            "client: the certificate is not for localhost");
  EXPECT_EQ(Pair(server->get(), client->get(), "elsewhere").Handshake(), "");
  int version = 0;
  EXPECT_THAT((*server)->keys(&version).chain, HasSubstr("BEGIN CERTIFICATE"));
  EXPECT_EQ(version, 2);
}

// Files that cannot be opened at one moment have the same marks at the next.
TEST_F(TlsTest, TriesChangedKeysAgain) {
  options_.tls_reload = true;
  const auto server = TlsContext::Create(options_, Side::kServer, std::chrono::milliseconds(0));
  int version = 0;
  // It fails once with descriptors: UBSan needs some when it meets the classes of errors and of the log.
  std::filesystem::remove(folder_.path() + "/server.pem");
  (*server)->keys(&version);
  Write("server.pem", Pem(*MakeCertificate({.name = "s", .hosts = {"elsewhere"}}, authority_)));
  rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  const rlimit none = {0, files.rlim_max};
  setrlimit(RLIMIT_NOFILE, &none);
  (*server)->keys(&version);
  setrlimit(RLIMIT_NOFILE, &files);
  EXPECT_EQ(version, 1);
  (*server)->keys(&version);
  EXPECT_EQ(version, 2);
  (*server)->keys(&version);
  EXPECT_EQ(version, 2);
}

// The number of a closed connection's descriptor is another's at once.
TEST_F(TlsTest, AStreamLeavesAClosedSocketsNumberAlone) {
  const auto server = TlsContext::Create(options_, Side::kServer);
  const auto client = TlsContext::Create(Client(), Side::kClient);
  asio::io_context context;
  int ends[2], others[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
  const int number = ends[0];
  std::shared_ptr<TlsSession> session = (*server)->NewSession(number, "");
  const auto other_side = (*client)->NewSession(ends[1], "localhost");
  for (int turn = 0; turn < 5; ++turn) other_side->Handshake(), session->Handshake();
  TlsStream stream(asio::ip::tcp::socket(context, asio::ip::tcp::v4(), number), session);
  std::error_code received, sent;
  char bytes[10];
  stream.socket().close();
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, others), 0);
  ASSERT_EQ(others[0], number);
  ASSERT_EQ(write(others[1], "hello", 5), 5);
  stream.async_read_some(asio::buffer(bytes), [&](const std::error_code& error, size_t) { received = error; });
  stream.async_write_some(asio::buffer("x", 1), [&](const std::error_code& error, size_t) { sent = error; });
  stream.ShutDownOutput();
  context.run();
  EXPECT_EQ(received, asio::error::bad_descriptor);
  EXPECT_EQ(sent, asio::error::bad_descriptor);
  EXPECT_EQ(read(others[0], bytes, sizeof bytes), 5);
  EXPECT_EQ(read(others[1], bytes, sizeof bytes), -1);
  for (const int socket : {ends[1], others[0], others[1]}) close(socket);
}

TEST_F(TlsTest, SaysThatTheOtherSideHasNoTls) {
  const auto client = TlsContext::Create(Client(), Side::kClient);
  int sockets[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sockets), 0);
  const auto session = (*client)->NewSession(sockets[0], "localhost");
  EXPECT_EQ(session->Handshake(), TlsSession::Step::kReads);
  ASSERT_EQ(write(sockets[1], "HTTP/1.1 400 Bad Request\r\n", 26), 26);
  EXPECT_EQ(session->Handshake(), TlsSession::Step::kFailed);
  EXPECT_EQ(session->error(), "the other side does not speak TLS");
  close(sockets[0]);
  close(sockets[1]);
}

}  // namespace
}  // namespace vaquita
