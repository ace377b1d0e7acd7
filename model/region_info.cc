#include "model/region_info.h"

#include <openssl/evp.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdio>

#include "absl/strings/str_cat.h"
#include "base/status.h"

namespace vaquita {
namespace {

// A region's name around its table and start key: two commas, an id of any length, ".encoded.".
constexpr size_t kNameAroundKey = 2 + 19 + 34;

// hbase:meta's one region has HBase's old form of name, and this hash of it.
constexpr std::string_view kMetaEncodedName = "1588230740";

// Returns the hash by which HBase encodes names of the old form (JenkinsHash: Bob Jenkins' lookup3, hashlittle).
std::string JenkinsHash(std::string_view name) {
  uint32_t a = 0xdeadbeef + static_cast<uint32_t>(name.size()), b = a, c = a;
  const auto word = [&](size_t at) {  // bytes beyond the end are 0
    uint32_t value = 0;
    for (size_t i = 0; i < 4 && at + i < name.size(); ++i) {
      value |= static_cast<uint32_t>(static_cast<unsigned char>(name[at + i])) << (8 * i);
    }
    return value;
  };
  size_t at = 0;
  for (; name.size() - at > 12; at += 12) {
    a += word(at), b += word(at + 4), c += word(at + 8);
    a -= c, a ^= std::rotl(c, 4), c += b;
    b -= a, b ^= std::rotl(a, 6), a += c;
    c -= b, c ^= std::rotl(b, 8), b += a;
    a -= c, a ^= std::rotl(c, 16), c += b;
    b -= a, b ^= std::rotl(a, 19), a += c;
    c -= b, c ^= std::rotl(b, 4), b += a;
  }
  a += word(at), b += word(at + 4), c += word(at + 8);
  c ^= b, c -= std::rotl(b, 14);
  a ^= c, a -= std::rotl(c, 11);
  b ^= a, b -= std::rotl(a, 25);
  c ^= b, c -= std::rotl(b, 16);
  a ^= c, a -= std::rotl(c, 4);
  b ^= a, b -= std::rotl(a, 14);
  c ^= b, c -= std::rotl(b, 24);
  const auto hash = static_cast<int32_t>(c);
  return std::to_string(hash < 0 ? -static_cast<int64_t>(hash) : hash);
}

std::string Md5Hex(std::string_view bytes) {
  // OpenSSL would look EVP_md5() up for each digest, which costs more than the digest of a region's name.
  static const EVP_MD* const md5 = EVP_MD_fetch(nullptr, "MD5", nullptr);
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest, &length, md5, nullptr);
  static constexpr char kHex[] = "0123456789abcdef";
  std::string hex;
  hex.reserve(2 * length);
  for (unsigned int i = 0; i < length; ++i) {
    hex.push_back(kHex[digest[i] >> 4]);
    hex.push_back(kHex[digest[i] & 15]);
  }
  return hex;
}

// HBase writes its escapes with capital digits and reads no others.
int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::string RegionInfo::NameWithoutHash() const {
  std::string name = table.ToString();
  name.append(",").append(start_key).append(",").append(std::to_string(id)).append(ReplicaSuffix(replica_id));
  return name;
}

std::string RegionInfo::EncodedName() const {
  if (table == kMetaTableName) return replica_id == 0 ? std::string(kMetaEncodedName) : JenkinsHash(NameWithoutHash());
  return Md5Hex(NameWithoutHash());
}

std::string RegionInfo::Name() const {
  std::string name = NameWithoutHash();
  if (table == kMetaTableName) return name;
  const std::string encoded = Md5Hex(name);
  return name.append(".").append(encoded).append(".");
}

bool RegionInfo::Overlaps(const RegionInfo& other) const {
  return table == other.table && (end_key.empty() || other.start_key < end_key) &&
         (other.end_key.empty() || start_key < other.end_key);
}

RegionInfo ReplicaOf(const RegionInfo& region, int32_t id) {
  RegionInfo replica = region;
  replica.replica_id = id;
  return replica;
}

std::string ReplicaSuffix(int32_t id) {
  if (id == 0) return "";
  char text[16];
  std::snprintf(text, sizeof text, "_%04X", static_cast<unsigned>(id));
  return text;
}

int32_t ReplicaIdInName(std::string_view name) {
  constexpr size_t kHash = 34;  // ".encoded."
  constexpr size_t kDigits = 4;
  if (name.size() < kHash + kDigits + 1 || name.back() != '.' || name[name.size() - kHash] != '.') return 0;
  name.remove_suffix(kHash);
  const char* const end = name.data() + name.size();
  if (*(end - kDigits - 1) != '_') return 0;
  if (name.find_first_not_of("0123456789ABCDEF", name.size() - kDigits) != name.npos) return 0;  // e.g. a sign
  int32_t id = 0;
  std::from_chars(end - kDigits, end, id, 16);
  return id;
}

size_t MaxStartKeyLength(const TableName& table) {
  constexpr size_t kMost = kMaxRowLength - kNameAroundKey;
  return kMost - std::min(kMost, table.ToString().size());
}

absl::Status CheckStartKeyLength(const TableName& table, std::string_view start_key) {
  const size_t table_bytes = table.ToString().size();
  if (table_bytes + start_key.size() + kNameAroundKey <= kMaxRowLength) return absl::OkStatus();
  return Error(ErrorKind::kIllegalArgument,
               absl::StrCat("a table's name of ", table_bytes, " bytes and a region's start key of ", start_key.size(),
                            " bytes are too long for a row of hbase:meta: they may have ",
                            kMaxRowLength - kNameAroundKey, " bytes together"));
}

std::string ToStringBinary(std::string_view bytes) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string text;
  text.reserve(bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= ' ' && byte <= '~' && byte != '\\') {
      text.push_back(c);
    } else {
      text.append({'\\', 'x', kHex[byte >> 4], kHex[byte & 15]});
    }
  }
  return text;
}

std::string ToShortStringBinary(std::string_view bytes, size_t most) {
  return bytes.size() <= most ? ToStringBinary(bytes) : ToStringBinary(bytes.substr(0, most)) + "...";
}

std::string FromStringBinary(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 >= text.size() || text[i + 1] != 'x') {
      bytes.push_back(text[i]);
      continue;
    }
    const int high = i + 2 < text.size() ? HexDigit(text[i + 2]) : -1;
    const int low = i + 3 < text.size() ? HexDigit(text[i + 3]) : -1;
    if (high < 0 || low < 0) continue;  // not an escape: HBase drops the backslash alone
    bytes.push_back(static_cast<char>(high << 4 | low));
    i += 3;
  }
  return bytes;
}

}  // namespace vaquita
