// base/tls/grpc/grpc_credentials.h: gRPC's credentials from our keys. gRPC has a TLS of its own.
//
// A server takes changed keys for each new connection, a client when it makes a channel. gRPC has no setting for
// versions, ciphers and the check of names: it speaks TLS 1.2 and 1.3, and always checks a server's name, never a
// client's. Threads: any.
#pragma once

#include <memory>
#include <string>

#include "base/tls/tls_context.h"
#include "grpcpp/channel.h"
#include "grpcpp/security/credentials.h"
#include "grpcpp/security/server_credentials.h"
#include "grpcpp/support/channel_arguments.h"

namespace vaquita {

// Null `tls`: without TLS.
std::shared_ptr<grpc::ChannelCredentials> GrpcChannelCredentials(TlsContext* tls);

// Makes a channel to a server of ours, past the proxy that the environment may name. Null `tls`: without TLS.
std::shared_ptr<grpc::Channel> MakeGrpcChannel(const std::string& address, TlsContext* tls,
                                               grpc::ChannelArguments arguments);

std::shared_ptr<grpc::ServerCredentials> GrpcServerCredentials(std::shared_ptr<TlsContext> tls);

}  // namespace vaquita
