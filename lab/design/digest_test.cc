#include "lab/design/digest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <string>
#include <thread>

#include "lab/design/key_design.h"
#include "lab/records/record_generator.h"

namespace vaquita::lab {
namespace {

using ::testing::HasSubstr;

// Has only digests of a provider that is not there, until its end.
class WithoutDigests {
 public:
  WithoutDigests() { EVP_set_default_properties(nullptr, "provider=nosuch"); }
  ~WithoutDigests() { EVP_set_default_properties(nullptr, ""); }
};

TEST(DigestTest, ADigestThatOpenSslDoesNotHaveIsAnErrorOfTheDesign) {
  const auto generator = RecordGenerator::Parse("id=sequence()");
  ASSERT_TRUE(generator.ok()) << generator.status();
  {
    const WithoutDigests without;
    EXPECT_FALSE(HasDigest(DigestKind::kMd5));
    const auto design = KeyDesign::Parse("md5_hex(int64(id))", generator->schema());
    EXPECT_THAT(std::string(design.status().message()), HasSubstr("md5_hex(value): OpenSSL does not have this digest"));
  }
  EXPECT_TRUE(HasDigest(DigestKind::kMd5));
  EXPECT_TRUE(KeyDesign::Parse("md5_hex(int64(id))", generator->schema()).ok());
}

// A thread makes only the digest that it needs.
TEST(DigestTest, ADigestDoesNotNeedTheOthers) {
  char digest[kLongestDigest] = {};
  std::thread([&] {
    PutDigest(DigestKind::kSha256, "", digest);
    const WithoutDigests without;
    PutDigest(DigestKind::kSha256, "", digest);
  }).join();
  EXPECT_EQ(static_cast<unsigned char>(digest[0]), 0xe3);
  EXPECT_EQ(static_cast<unsigned char>(digest[31]), 0x55);
}

}  // namespace
}  // namespace vaquita::lab
