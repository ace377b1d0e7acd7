#include "lab/design/digest.h"

#include <openssl/evp.h>

#include <cstdlib>
#include <memory>

namespace vaquita::lab {
namespace {

class DigestContext {
 public:
  explicit DigestContext(const EVP_MD* digest) : context_(EVP_MD_CTX_new()) {
    // OpenSSL in FIPS mode has no MD5, so a design with MD5 cannot run.
    if (context_ == nullptr || EVP_DigestInit_ex2(context_.get(), digest, nullptr) != 1) std::abort();
  }

  void Put(std::string_view bytes, char* to) {
    EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size());
    EVP_DigestFinal_ex(context_.get(), reinterpret_cast<unsigned char*>(to), nullptr);
    EVP_DigestInit_ex2(context_.get(), nullptr, nullptr);  // begins another digest of the same kind
  }

 private:
  struct Free {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  };
  std::unique_ptr<EVP_MD_CTX, Free> context_;
};

}  // namespace

void PutDigest(DigestKind kind, std::string_view bytes, char* to) {
  thread_local DigestContext md5(EVP_md5());
  thread_local DigestContext sha1(EVP_sha1());
  thread_local DigestContext sha256(EVP_sha256());
  switch (kind) {
    case DigestKind::kMd5:
      return md5.Put(bytes, to);
    case DigestKind::kSha1:
      return sha1.Put(bytes, to);
    case DigestKind::kSha256:
      return sha256.Put(bytes, to);
  }
}

}  // namespace vaquita::lab
