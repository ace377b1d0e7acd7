#include "base/tls/grpc/grpc_credentials.h"

#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "grpc/grpc.h"
#include "grpc/grpc_security.h"
#include "grpcpp/create_channel.h"

namespace vaquita {
namespace {

// The class of gRPC that takes them cannot take others later; its interface in C can.
class ReloadingCredentials final : public grpc::ServerCredentials {
 public:
  explicit ReloadingCredentials(std::shared_ptr<TlsContext> tls) : tls_(std::move(tls)) {
    const std::string mode = absl::AsciiStrToUpper(tls_->options().tls_client_auth);
    const auto wanted = mode == "NONE"   ? GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE
                        : mode == "WANT" ? GRPC_SSL_REQUEST_CLIENT_CERTIFICATE_AND_VERIFY
                                         : GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY;
    credentials_ = grpc_ssl_server_credentials_create_with_options(
        grpc_ssl_server_credentials_create_options_using_config_fetcher(wanted, &Fetch, this));
  }
  ~ReloadingCredentials() override { grpc_server_credentials_release(credentials_); }

  int AddPortToServer(const std::string& address, grpc_server* server) override {
    return grpc_server_add_http2_port(server, address.c_str(), credentials_);
  }
  void SetAuthMetadataProcessor(const std::shared_ptr<grpc::AuthMetadataProcessor>&) override {}

 private:
  // gRPC calls it for each new connection, one after the other.
  static grpc_ssl_certificate_config_reload_status Fetch(void* self, grpc_ssl_server_certificate_config** config) {
    auto& own = *static_cast<ReloadingCredentials*>(self);
    int version = 0;
    const TlsKeys keys = own.tls_->keys(&version);
    if (version == std::exchange(own.version_, version)) return GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_UNCHANGED;
    const grpc_ssl_pem_key_cert_pair pair = {keys.key.c_str(), keys.chain.c_str()};
    *config = grpc_ssl_server_certificate_config_create(keys.trust.empty() ? nullptr : keys.trust.c_str(), &pair, 1);
    return GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_NEW;
  }

  const std::shared_ptr<TlsContext> tls_;
  int version_ = 0;
  grpc_server_credentials* credentials_ = nullptr;
};

}  // namespace

std::shared_ptr<grpc::ChannelCredentials> GrpcChannelCredentials(TlsContext* tls) {
  if (tls == nullptr) return grpc::InsecureChannelCredentials();
  int version = 0;
  const TlsKeys keys = tls->keys(&version);
  return grpc::SslCredentials(
      {.pem_root_certs = keys.trust, .pem_private_key = keys.key, .pem_cert_chain = keys.chain});
}

std::shared_ptr<grpc::Channel> MakeGrpcChannel(const std::string& address, TlsContext* tls,
                                               grpc::ChannelArguments arguments) {
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  return grpc::CreateCustomChannel(address, GrpcChannelCredentials(tls), arguments);
}

std::shared_ptr<grpc::ServerCredentials> GrpcServerCredentials(std::shared_ptr<TlsContext> tls) {
  return std::make_shared<ReloadingCredentials>(std::move(tls));
}

}  // namespace vaquita
