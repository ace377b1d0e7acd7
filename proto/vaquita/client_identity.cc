#include "proto/vaquita/client_identity.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/status.h"

namespace vaquita {
namespace {

bool IsVisible(char c) { return absl::ascii_isgraph(static_cast<unsigned char>(c)); }

void AddName(const char* key, const std::string& name, grpc::ClientContext* context) {
  if (name.empty()) return;
  const bool is_visible = std::all_of(name.begin(), name.end(), IsVisible);
  context->AddMetadata(is_visible ? key : absl::StrCat(key, "-bin"), name);
}

}  // namespace

absl::Status CheckToken(std::string_view token) {
  const auto bad = std::find_if_not(token.begin(), token.end(), IsVisible);
  if (bad == token.end()) return absl::OkStatus();
  return IllegalArgument(absl::StrCat("byte ", bad - token.begin(), " of the token is 0x",
                                      absl::Hex(static_cast<unsigned char>(*bad), absl::kZeroPad2),
                                      "; a token has letters and digits, and no blank or end of a line"));
}

void AddIdentity(const ClientIdentity& identity, grpc::ClientContext* context) {
  if (!identity.token.empty()) context->AddMetadata("authorization", "Bearer " + identity.token);
  AddName("vaquita-user", identity.user, context);
  AddName("vaquita-acts-for", identity.acts_for, context);
}

}  // namespace vaquita
