#include "server/access/delegation_tokens.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/big_endian.h"
#include "base/status.h"
#include "hbase/Authentication.pb.h"
#include "proto/hbase/pb.h"

namespace vaquita {
namespace {

// The secret serves for nothing else than these tokens and the processes' own.
constexpr std::string_view kPurpose = "delegation token:";
// There is one key; its number says what the token's name is. Clients do not look at it.
constexpr int32_t kOfPrincipal = 1;
constexpr int32_t kOfUser = 2;

// Hadoop's Writable of a token is the length of the message, and the message. `*bytes` becomes all of it.
absl::StatusOr<pb::TokenIdentifier> Decode(std::string_view name, std::string* bytes) {
  const absl::Status malformed = Error(ErrorKind::kAccessDenied, "the client's token is not one of HBase's");
  if (!absl::Base64Unescape(AbslText(name), bytes) || bytes->size() < 4) return malformed;
  pb::TokenIdentifier identifier;
  const std::string_view message = std::string_view(*bytes).substr(4);
  if (GetBigEndian<uint32_t>(bytes->data()) != message.size() || !ParseMessage(message, &identifier)) {
    return malformed;
  }
  return identifier;
}

}  // namespace

DelegationTokens::Token DelegationTokens::Make(const Holder& holder, int64_t now_ms) {
  pb::TokenIdentifier message;
  message.set_kind(pb::TokenIdentifier::HBASE_AUTH_TOKEN);
  message.set_username(holder.name);
  message.set_key_id(holder.is_principal ? kOfPrincipal : kOfUser);
  message.set_issue_date(now_ms);
  message.set_expiration_date(now_ms + lifetime_ms_);
  message.set_sequence_number(++made_);
  const std::string bytes = message.SerializeAsString();
  Token token;
  AppendBigEndian<uint32_t>(static_cast<uint32_t>(bytes.size()), &token.identifier);
  token.identifier += bytes;
  token.password = Password(token.identifier);
  return token;
}

absl::StatusOr<std::string> DelegationTokens::PasswordOf(std::string_view name, int64_t now_ms) const {
  std::string bytes;
  VAQUITA_ASSIGN_OR_RETURN(const pb::TokenIdentifier identifier, Decode(name, &bytes));
  if (identifier.expiration_date() < now_ms) {
    return Error(ErrorKind::kAccessDenied,
                 absl::StrCat("the token of ", identifier.username(), " has expired; get another one"));
  }
  return absl::Base64Escape(Password(bytes));
}

absl::StatusOr<DelegationTokens::Holder> DelegationTokens::HolderOf(std::string_view name) {
  std::string bytes;
  VAQUITA_ASSIGN_OR_RETURN(const pb::TokenIdentifier identifier, Decode(name, &bytes));
  return Holder{.name = identifier.username(), .is_principal = identifier.key_id() != kOfUser};
}

std::string DelegationTokens::Password(std::string_view identifier) const {
  uint8_t mac[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  const std::string message = absl::StrCat(AbslText(kPurpose), AbslText(identifier));
  HMAC(EVP_sha256(), secret_.data(), static_cast<int>(secret_.size()), reinterpret_cast<const uint8_t*>(message.data()),
       message.size(), mac, &size);
  return {reinterpret_cast<const char*>(mac), size};
}

}  // namespace vaquita
