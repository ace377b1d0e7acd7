#include "base/sasl/kerberos/gssapi_server.h"

#include <gssapi/gssapi.h>
#include <gssapi/gssapi_krb5.h>
#include <krb5.h>

#include <mutex>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/absl_text.h"
#include "base/status.h"

namespace vaquita {
namespace {

// A client may send messages of this size at most, once wrapped; the field has three bytes.
constexpr uint32_t kMostWrappedBytes = 0xffffff;

absl::Status Denied(std::string_view message) { return Error(ErrorKind::kAccessDenied, message); }

// Bytes that GSSAPI has allocated.
class GssBuffer {
 public:
  GssBuffer() = default;
  ~GssBuffer() {
    OM_uint32 ignored = 0;
    gss_release_buffer(&ignored, &buffer_);
  }
  GssBuffer(const GssBuffer&) = delete;
  gss_buffer_t get() { return &buffer_; }
  std::string text() const { return {static_cast<const char*>(buffer_.value), buffer_.length}; }

 private:
  gss_buffer_desc buffer_ = GSS_C_EMPTY_BUFFER;
};

gss_buffer_desc BufferOf(std::string_view bytes) {
  return {.length = bytes.size(), .value = const_cast<char*>(bytes.data())};  // the library only reads it
}

void AppendStatus(OM_uint32 code, int kind, std::string* text) {
  OM_uint32 more = 0;
  do {
    OM_uint32 minor = 0;
    GssBuffer line;
    if (GSS_ERROR(gss_display_status(&minor, code, kind, GSS_KRB5_MECHANISM, &more, line.get()))) return;
    absl::StrAppend(text, text->empty() ? "" : ": ", line.text());
  } while (more != 0);
}

// Returns what GSSAPI and Kerberos say of a failure.
std::string Describe(OM_uint32 major, OM_uint32 minor) {
  std::string text;
  AppendStatus(major, GSS_C_GSS_CODE, &text);
  if (minor != 0) AppendStatus(minor, GSS_C_MECH_CODE, &text);
  return text;
}

// As above, also of a message that came out of its turn.
std::string DescribeAll(OM_uint32 major, OM_uint32 minor) {
  if (GSS_ERROR(major)) return Describe(major, minor);
  const OM_uint32 supplementary = GSS_SUPPLEMENTARY_INFO(major);
  if ((supplementary & GSS_S_DUPLICATE_TOKEN) != 0) return "it came before";
  if ((supplementary & GSS_S_GAP_TOKEN) != 0) return "another is missing before it";
  return "it is late, or out of its turn";
}

struct FreeKrb5 {
  void operator()(krb5_context context) const { krb5_free_context(context); }
};
using Krb5 = std::unique_ptr<std::remove_pointer_t<krb5_context>, FreeKrb5>;

std::string Describe(krb5_context context, krb5_error_code code) {
  const char* const text = krb5_get_error_message(context, code);
  std::string copy = text != nullptr ? text : absl::StrCat("error ", code);
  krb5_free_error_message(context, text);
  return copy;
}

class GssapiServer final : public SaslServer {
 public:
  GssapiServer(gss_cred_id_t keys, uint8_t protections) : keys_(keys), protections_(protections) {}
  ~GssapiServer() override {
    OM_uint32 ignored = 0;
    gss_delete_sec_context(&ignored, &context_, GSS_C_NO_BUFFER);
  }

  absl::StatusOr<std::optional<std::string>> Step(std::string_view token) override {
    switch (stage_) {
      case Stage::kAccepting:
        return Accept(token);
      case Stage::kOffering:
        return Offer();
      case Stage::kChoosing:
        VAQUITA_RETURN_IF_ERROR(Choose(token));
        return std::nullopt;
      case Stage::kComplete:
        break;
    }
    return Denied("the exchange of tokens is over");
  }
  bool complete() const override { return stage_ == Stage::kComplete; }
  const std::string& user() const override { return user_; }
  bool wraps() const override { return protection_ != kSaslAuthentication; }

  absl::StatusOr<std::string> Wrap(std::string_view message) override {
    return WrapAs(message, protection_ == kSaslPrivacy);
  }
  absl::StatusOr<std::string> Unwrap(std::string_view wrapped) override {
    gss_buffer_desc in = BufferOf(wrapped);
    GssBuffer out;
    OM_uint32 minor = 0;
    int encrypted = 0;
    std::lock_guard lock(mutex_);
    const OM_uint32 major = gss_unwrap(&minor, context_, &in, out.get(), &encrypted, nullptr);
    // GSS_ERROR does not see that a message came twice, late, or after a gap. It may not be the client's then.
    if (major != GSS_S_COMPLETE) return Denied("a message's protection is broken: " + DescribeAll(major, minor));
    if (protection_ == kSaslPrivacy && encrypted == 0) return Denied("a message is not encrypted");
    return out.text();
  }

 private:
  enum class Stage { kAccepting, kOffering, kChoosing, kComplete };

  absl::StatusOr<std::optional<std::string>> Accept(std::string_view token) {
    gss_buffer_desc in = BufferOf(token);
    GssBuffer out;
    OM_uint32 minor = 0;
    gss_name_t client = GSS_C_NO_NAME;
    const OM_uint32 major = gss_accept_sec_context(&minor, &context_, keys_, &in, GSS_C_NO_CHANNEL_BINDINGS, &client,
                                                   nullptr, out.get(), nullptr, nullptr, nullptr);
    GssBuffer name;
    OM_uint32 ignored = 0;
    const bool named = !GSS_ERROR(major) && client != GSS_C_NO_NAME &&
                       !GSS_ERROR(gss_display_name(&ignored, client, name.get(), nullptr));
    gss_release_name(&ignored, &client);
    if (GSS_ERROR(major)) return Denied("the Kerberos ticket is not accepted: " + Describe(major, minor));
    if (major == GSS_S_CONTINUE_NEEDED) return out.text();
    if (!named) return Denied("the Kerberos ticket is of no user");
    user_ = name.text();
    stage_ = Stage::kOffering;
    if (out.text().empty()) return Offer();
    return out.text();
  }

  // Says which protections there are, and the largest message.
  absl::StatusOr<std::optional<std::string>> Offer() {
    stage_ = Stage::kChoosing;
    const char offer[] = {static_cast<char>(protections_), static_cast<char>(kMostWrappedBytes >> 16),
                          static_cast<char>(kMostWrappedBytes >> 8), static_cast<char>(kMostWrappedBytes)};
    VAQUITA_ASSIGN_OR_RETURN(std::string wrapped, WrapAs({offer, sizeof offer}, /*encrypt=*/false));
    return std::optional<std::string>(std::move(wrapped));
  }

  // Reads the protection that the client has chosen, the size of its messages, and perhaps a user to act for.
  absl::Status Choose(std::string_view token) {
    VAQUITA_ASSIGN_OR_RETURN(const std::string choice, Unwrap(token));
    if (choice.size() < 4)
      return Denied("the client's choice of a protection has " + std::to_string(choice.size()) +
                    " bytes; it has 4 at least");
    const auto protection = static_cast<uint8_t>(choice[0]);
    if ((protection & protections_) == 0 || (protection & (protection - 1)) != 0) {
      return Denied("the client chose a protection that hbase.rpc.protection does not have");
    }
    const std::string_view acts_for = std::string_view(choice).substr(4);
    if (!acts_for.empty() && acts_for != user_) {
      return Denied(absl::StrCat(user_, " may not act for ", AbslText(acts_for)));
    }
    protection_ = static_cast<SaslProtection>(protection);
    stage_ = Stage::kComplete;
    return absl::OkStatus();
  }

  absl::StatusOr<std::string> WrapAs(std::string_view message, bool encrypt) {
    gss_buffer_desc in = BufferOf(message);
    GssBuffer out;
    OM_uint32 minor = 0;
    int encrypted = 0;
    std::lock_guard lock(mutex_);
    const OM_uint32 major = gss_wrap(&minor, context_, encrypt ? 1 : 0, GSS_C_QOP_DEFAULT, &in, &encrypted, out.get());
    if (GSS_ERROR(major)) return Denied("a message cannot be protected: " + Describe(major, minor));
    if (encrypt && encrypted == 0) return Denied("a message cannot be encrypted");
    return out.text();
  }

  const gss_cred_id_t keys_;
  const uint8_t protections_;
  std::mutex mutex_;  // Heimdal derives keys in a context without a lock of its own
  gss_ctx_id_t context_ = GSS_C_NO_CONTEXT;
  Stage stage_ = Stage::kAccepting;
  SaslProtection protection_ = kSaslAuthentication;
  std::string user_;
};

class KerberosAcceptorImpl final : public KerberosAcceptor {
 public:
  KerberosAcceptorImpl(gss_cred_id_t keys, uint8_t protections) : keys_(keys), protections_(protections) {}
  ~KerberosAcceptorImpl() override {
    OM_uint32 ignored = 0;
    gss_release_cred(&ignored, &keys_);
  }
  std::unique_ptr<SaslServer> NewServer() const override { return std::make_unique<GssapiServer>(keys_, protections_); }

 private:
  gss_cred_id_t keys_;
  const uint8_t protections_;
};

// Fails unless the keytab has a key.
absl::Status RequireKey(krb5_context context, krb5_keytab keys, const std::string& path) {
  krb5_kt_cursor cursor;
  krb5_error_code error = krb5_kt_start_seq_get(context, keys, &cursor);
  if (error == 0) {
    krb5_keytab_entry entry;
    error = krb5_kt_next_entry(context, keys, &entry, &cursor);
    if (error == 0) krb5_kt_free_entry(context, &entry);
    krb5_kt_end_seq_get(context, keys, &cursor);
  }
  if (error == 0) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("the keytab ", path, " cannot be used: ", Describe(context, error)));
}

}  // namespace

absl::StatusOr<std::unique_ptr<KerberosAcceptor>> KerberosAcceptor::Open(const std::string& keytab,
                                                                         uint8_t protections) {
  krb5_context made = nullptr;
  if (const krb5_error_code error = krb5_init_context(&made); error != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("Kerberos does not start; is there an error in /etc/krb5.conf? (error ", error, ")"));
  }
  const Krb5 context(made);
  krb5_keytab keys = nullptr;
  if (const krb5_error_code error = krb5_kt_resolve(context.get(), ("FILE:" + keytab).c_str(), &keys); error != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("the keytab ", keytab, " cannot be used: ", Describe(context.get(), error)));
  }
  absl::Status status = RequireKey(context.get(), keys, keytab);
  gss_cred_id_t accepted = GSS_C_NO_CREDENTIAL;
  if (status.ok()) {
    OM_uint32 minor = 0;
    const OM_uint32 major = gss_krb5_import_cred(&minor, nullptr, nullptr, keys, &accepted);
    if (GSS_ERROR(major)) {
      status =
          absl::InvalidArgumentError(absl::StrCat("the keytab ", keytab, " cannot be used: ", Describe(major, minor)));
    }
  }
  krb5_kt_close(context.get(), keys);
  if (!status.ok()) return status;
  return std::make_unique<KerberosAcceptorImpl>(accepted, protections);
}

}  // namespace vaquita
