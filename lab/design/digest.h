// lab/design/digest.h: MD5, SHA-1 and SHA-256 of short texts, many times over.
//
// OpenSSL looks a digest up by name each time, which takes longer than the digest of a row key. So each thread keeps
// one context per digest. Threads: any.
#pragma once

#include <cstddef>
#include <string_view>

namespace vaquita::lab {

enum class DigestKind { kMd5, kSha1, kSha256 };

inline constexpr size_t kLongestDigest = 32;
constexpr size_t DigestBytes(DigestKind kind) {
  return kind == DigestKind::kMd5 ? 16 : kind == DigestKind::kSha1 ? 20 : 32;
}

// Returns whether this machine's OpenSSL has the digest: in FIPS mode it has no MD5.
bool HasDigest(DigestKind kind);

// Writes DigestBytes(kind) bytes. REQUIRES: HasDigest(kind).
void PutDigest(DigestKind kind, std::string_view bytes, char* to);

}  // namespace vaquita::lab
