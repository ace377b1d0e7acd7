// A client of Heimdal's, with a ticket that the test makes by the server's key, as a key distribution centre would.
#include "base/sasl/kerberos/gssapi_server.h"

#include <gmock/gmock.h>
#include <gssapi/gssapi.h>
#include <gssapi/gssapi_krb5.h>
#include <gtest/gtest.h>

extern "C" {  // this header of Heimdal does not say so itself
#include <krb5_asn1.h>
}

#include <krb5.h>

#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "base/durable_files.h"
#include "base/testing/temporary_folder.h"

namespace vaquita {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kKey = "0123456789abcdef";
constexpr int kKeyNumber = 1;
// A keytab with this key, of hbase@A.
constexpr std::string_view kKeytab(
    "\x05\x02\x00\x00\x00\x29\x00\x01\x00\x01"
    "A\x00\x05hbase\x00\x00\x00\x01\x00\x00\x00\x00\x01\x00\x11\x00\x10"
    "0123456789abcdef",
    6 + 0x29);

// Returns the DER of an ASN.1 structure. The functions are its own, of Heimdal.
template <typename Structure>
std::string Encode(const Structure& structure, size_t length,
                   int (*encode)(unsigned char*, size_t, const Structure*, size_t*)) {
  std::string bytes(length, '\0');
  size_t size = 0;
  EXPECT_EQ(encode(reinterpret_cast<unsigned char*>(bytes.data()) + length - 1, length, &structure, &size), 0);
  return bytes;
}

krb5_data DataOf(std::string_view bytes) {
  krb5_data data;
  data.length = bytes.size();
  data.data = const_cast<char*>(bytes.data());  // the library only reads it
  return data;
}

// ada@A, with a ticket for hbase@A.
class Client {
 public:
  Client() {
    EXPECT_EQ(krb5_init_context(&krb5_), 0);
    EXPECT_EQ(krb5_cc_new_unique(krb5_, "MEMORY", nullptr, &cache_), 0);
    krb5_creds ticket = {};
    EXPECT_EQ(krb5_parse_name(krb5_, "ada@A", &ticket.client), 0);
    EXPECT_EQ(krb5_parse_name(krb5_, "hbase@A", &ticket.server), 0);
    EXPECT_EQ(krb5_generate_random_keyblock(krb5_, KRB5_ENCTYPE_AES128_CTS_HMAC_SHA1_96, &ticket.session), 0);
    ticket.times.authtime = std::time(nullptr);
    ticket.times.endtime = ticket.times.authtime + 3600;
    std::string bytes = Ticket(ticket);
    EXPECT_EQ(krb5_data_copy(&ticket.ticket, bytes.data(), bytes.size()), 0);
    EXPECT_EQ(krb5_cc_initialize(krb5_, cache_, ticket.client), 0);
    EXPECT_EQ(krb5_cc_store_cred(krb5_, cache_, &ticket), 0);
    krb5_free_cred_contents(krb5_, &ticket);
    OM_uint32 minor = 0;
    EXPECT_EQ(gss_krb5_import_cred(&minor, cache_, nullptr, nullptr, &credentials_), GSS_S_COMPLETE);
    gss_buffer_desc name = {.length = 7, .value = const_cast<char*>("hbase@A")};
    EXPECT_EQ(gss_import_name(&minor, &name, GSS_KRB5_NT_PRINCIPAL_NAME, &server_), GSS_S_COMPLETE);
  }
  ~Client() {
    OM_uint32 minor = 0;
    gss_delete_sec_context(&minor, &context_, GSS_C_NO_BUFFER);
    gss_release_name(&minor, &server_);
    gss_release_cred(&minor, &credentials_);
    krb5_cc_destroy(krb5_, cache_);
    krb5_free_context(krb5_);
  }
  Client(const Client&) = delete;

  // Exchanges tokens with the server until both are content.
  void LogIn(SaslServer* server, SaslProtection protection) {
    std::string token = Initiate("");
    absl::StatusOr<std::optional<std::string>> answer = server->Step(token);
    ASSERT_TRUE(answer.ok() && answer->has_value()) << answer.status();
    ASSERT_EQ(Initiate(**answer), "");
    answer = server->Step("");
    ASSERT_TRUE(answer.ok() && answer->has_value()) << answer.status();
    Unwrap(**answer);
    answer = server->Step(Wrap(std::string(1, static_cast<char>(protection)) + "\xff\xff\xff"));
    ASSERT_TRUE(answer.ok()) << answer.status();
    ASSERT_TRUE(server->complete());
  }

  std::string Wrap(std::string_view message) {
    gss_buffer_desc in = {.length = message.size(), .value = const_cast<char*>(message.data())};
    return Taken([&](OM_uint32* minor, gss_buffer_t out) {
      return gss_wrap(minor, context_, 1, GSS_C_QOP_DEFAULT, &in, nullptr, out);
    });
  }

 private:
  std::string Ticket(const krb5_creds& of) {
    EncTicketPart part = {};
    part.key = of.session;
    part.crealm = of.client->realm;
    part.cname = of.client->name;
    part.authtime = of.times.authtime;
    part.endtime = of.times.endtime;
    std::string bytes = Encode(part, length_EncTicketPart(&part), encode_EncTicketPart);
    krb5_keyblock key = {};
    key.keytype = KRB5_ENCTYPE_AES128_CTS_HMAC_SHA1_96;
    key.keyvalue = DataOf(kKey);
    krb5_crypto crypto = nullptr;
    EXPECT_EQ(krb5_crypto_init(krb5_, &key, static_cast<krb5_enctype>(0), &crypto), 0);
    ::Ticket ticket = {};
    ticket.tkt_vno = 5;
    ticket.realm = of.server->realm;
    ticket.sname = of.server->name;
    EXPECT_EQ(krb5_encrypt_EncryptedData(krb5_, crypto, KRB5_KU_TICKET, bytes.data(), bytes.size(), kKeyNumber,
                                         &ticket.enc_part),
              0);
    krb5_crypto_destroy(krb5_, crypto);
    bytes = Encode(ticket, length_Ticket(&ticket), encode_Ticket);
    free_EncryptedData(&ticket.enc_part);
    return bytes;
  }

  std::string Initiate(std::string_view token) {
    gss_buffer_desc in = {.length = token.size(), .value = const_cast<char*>(token.data())};
    return Taken([&](OM_uint32* minor, gss_buffer_t out) {
      return gss_init_sec_context(
          minor, credentials_, &context_, server_, GSS_KRB5_MECHANISM,
          GSS_C_MUTUAL_FLAG | GSS_C_REPLAY_FLAG | GSS_C_SEQUENCE_FLAG | GSS_C_INTEG_FLAG | GSS_C_CONF_FLAG, 0,
          GSS_C_NO_CHANNEL_BINDINGS, &in, nullptr, out, nullptr, nullptr);
    });
  }

  std::string Unwrap(std::string_view message) {
    gss_buffer_desc in = {.length = message.size(), .value = const_cast<char*>(message.data())};
    return Taken(
        [&](OM_uint32* minor, gss_buffer_t out) { return gss_unwrap(minor, context_, &in, out, nullptr, nullptr); });
  }

  // Returns the bytes that a function of GSSAPI gives.
  template <typename Call>
  static std::string Taken(const Call& call) {
    OM_uint32 minor = 0;
    gss_buffer_desc out = GSS_C_EMPTY_BUFFER;
    const OM_uint32 major = call(&minor, &out);
    EXPECT_FALSE(GSS_ERROR(major)) << major << " " << minor;
    std::string bytes(static_cast<const char*>(out.value), out.length);
    gss_release_buffer(&minor, &out);
    return bytes;
  }

  krb5_context krb5_ = nullptr;
  krb5_ccache cache_ = nullptr;
  gss_cred_id_t credentials_ = GSS_C_NO_CREDENTIAL;
  gss_name_t server_ = GSS_C_NO_NAME;
  gss_ctx_id_t context_ = GSS_C_NO_CONTEXT;
};

class GssapiServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string path = folder_.path() + "/keytab";
    ASSERT_TRUE(WriteFile(path, kKeytab).ok());
    auto acceptor = KerberosAcceptor::Open(path, kSaslIntegrity | kSaslPrivacy);
    ASSERT_TRUE(acceptor.ok()) << acceptor.status();
    acceptor_ = *std::move(acceptor);
    LogIn();
  }
  // Begins a new connection.
  void LogIn() {
    client_ = std::make_unique<Client>();
    server_ = acceptor_->NewServer();
    client_->LogIn(server_.get(), kSaslPrivacy);
  }
  std::string Unwrapped(std::string_view message) {
    const auto plain = server_->Unwrap(message);
    return plain.ok() ? *plain : std::string(plain.status().message());
  }

  testing::TemporaryFolder folder_;
  std::unique_ptr<KerberosAcceptor> acceptor_;
  std::unique_ptr<Client> client_;
  std::unique_ptr<SaslServer> server_;
};

TEST_F(GssapiServerTest, AClientWithATicketIsItsUser) {
  EXPECT_EQ(server_->user(), "ada@A");
  EXPECT_TRUE(server_->wraps());
  EXPECT_EQ(Unwrapped(client_->Wrap("one")), "one");
  EXPECT_EQ(Unwrapped(client_->Wrap("two")), "two");
}

// The JDK's server ends a connection so, too (GssKrb5Base).
TEST_F(GssapiServerTest, AMessageOutOfItsTurnIsRefused) {
  const std::string first = client_->Wrap("one");
  EXPECT_EQ(Unwrapped(first), "one");
  EXPECT_THAT(Unwrapped(first), HasSubstr("a message's protection is broken: it came before"));
  LogIn();
  client_->Wrap("lost");
  EXPECT_THAT(Unwrapped(client_->Wrap("two")), HasSubstr("protection is broken: "));
}

// Heimdal looks at the number of a message first.
TEST_F(GssapiServerTest, AForgedMessageIsRefused) {
  EXPECT_EQ(Unwrapped(client_->Wrap("one")), "one");
  std::string forged = client_->Wrap("two").substr(0, 16);
  forged[15] = static_cast<char>(forged[15] + 5);
  EXPECT_THAT(Unwrapped(forged), HasSubstr("protection is broken: "));
}

}  // namespace
}  // namespace vaquita
