#include "lab/design/digest.h"

#include <openssl/evp.h>

#include <cstdlib>
#include <memory>

namespace vaquita::lab {
namespace {

const EVP_MD* DigestOf(DigestKind kind) {
  switch (kind) {
    case DigestKind::kMd5:
      return EVP_md5();
    case DigestKind::kSha1:
      return EVP_sha1();
    case DigestKind::kSha256:
      return EVP_sha256();
  }
  return nullptr;
}

class DigestContext {
 public:
  explicit DigestContext(DigestKind kind) : context_(EVP_MD_CTX_new()) {
    ready_ = context_ != nullptr && EVP_DigestInit_ex2(context_.get(), DigestOf(kind), nullptr) == 1;
  }

  bool ready() const { return ready_; }
  void Put(std::string_view bytes, char* to) {
    if (!ready_) std::abort();  // HasDigest() has said so
    EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size());
    EVP_DigestFinal_ex(context_.get(), reinterpret_cast<unsigned char*>(to), nullptr);
    EVP_DigestInit_ex2(context_.get(), nullptr, nullptr);  // begins another digest of the same kind
  }

 private:
  struct Free {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  };
  std::unique_ptr<EVP_MD_CTX, Free> context_;
  bool ready_ = false;
};

}  // namespace

bool HasDigest(DigestKind kind) { return DigestContext(kind).ready(); }

// Each kind is made at its first use: OpenSSL may not have the others.
void PutDigest(DigestKind kind, std::string_view bytes, char* to) {
  switch (kind) {
    case DigestKind::kMd5: {
      thread_local DigestContext md5(DigestKind::kMd5);
      return md5.Put(bytes, to);
    }
    case DigestKind::kSha1: {
      thread_local DigestContext sha1(DigestKind::kSha1);
      return sha1.Put(bytes, to);
    }
    case DigestKind::kSha256: {
      thread_local DigestContext sha256(DigestKind::kSha256);
      return sha256.Put(bytes, to);
    }
  }
}

}  // namespace vaquita::lab
