#include "server/frontend/hbase/authentication_service.h"

#include <string>

#include "base/clock.h"
#include "base/status.h"
#include "hbase/Authentication.pb.h"
#include "server/access/access_control.h"

namespace vaquita::hbase {
namespace {

constexpr std::string_view kPackage = "org.apache.hadoop.hbase.protobuf.generated.AuthenticationProtos$";

EndpointAnswer AnswerOf(std::string_view message_class, const google::protobuf::MessageLite& message) {
  return {std::string(kPackage).append(message_class), message.SerializeAsString()};
}

// UserGroupInformation.AuthenticationMethod's names.
std::string_view NameOf(Caller::Proof proof) {
  switch (proof) {
    case Caller::Proof::kKerberos:
      return "KERBEROS";
    case Caller::Proof::kDelegation:
    case Caller::Proof::kToken:
      return "TOKEN";
    case Caller::Proof::kCertificate:
      return "CERTIFICATE";
    case Caller::Proof::kWord:
    case Caller::Proof::kProcess:
      break;
  }
  return "SIMPLE";
}

}  // namespace

bool IsAuthenticationService(const ClientCall& call, std::string_view service) {
  return (service == "hbase.pb.AuthenticationService" || service == "AuthenticationService") &&
         call.server.access() != nullptr && call.server.access()->delegation_tokens() != nullptr;
}

absl::StatusOr<EndpointAnswer> CallAuthenticationService(const ClientCall& call, std::string_view method) {
  const Caller* const caller = call.rpc.context.caller;
  if (caller == nullptr) return Error(ErrorKind::kAccessDenied, "the client is nobody");
  if (method == "WhoAmI") {
    pb::WhoAmIResponse response;
    response.set_username(caller->name);
    response.set_auth_method(std::string(NameOf(caller->proof)));
    return AnswerOf("WhoAmIResponse", response);
  }
  if (method != "GetAuthenticationToken") {
    return Error(ErrorKind::kUnknownProtocol,
                 "Unknown method " + std::string(method) + " called on AuthenticationService");
  }
  if (caller->proof != Caller::Proof::kKerberos && caller->proof != Caller::Proof::kCertificate) {
    return Error(ErrorKind::kAccessDenied, "Token generation only allowed for Kerberos authenticated clients");
  }
  const bool is_principal = !caller->principal.empty();
  const DelegationTokens::Token token = call.server.access()->delegation_tokens()->Make(
      {.name = is_principal ? caller->principal : caller->name, .is_principal = is_principal},
      Clock::System()->NowMs());
  pb::GetAuthenticationTokenResponse response;
  response.mutable_token()->set_identifier(token.identifier);
  response.mutable_token()->set_password(token.password);
  response.mutable_token()->set_service(std::string(call.rpc.cluster_id));
  return AnswerOf("GetAuthenticationTokenResponse", response);
}

}  // namespace vaquita::hbase
