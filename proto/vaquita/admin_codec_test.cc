// Descriptors whose attributes name options; codec_test.cc has the rest.
#include "proto/vaquita/admin_codec.h"

#include <gmock/gmock.h>

#include <map>
#include <string>

#include "base/status.h"

namespace vaquita {
namespace {

void ExpectMalformed(const absl::Status& status, const std::string& message) {
  EXPECT_TRUE(IsError(status, ErrorKind::kIllegalArgument)) << status;
  EXPECT_THAT(std::string(status.message()), ::testing::HasSubstr(message));
}

// Kept as they come, they would end the first server that prints or reads them.
TEST(AdminCodecTest, AttributesWhoseValuesAreMalformed) {
  const auto decode = [](const char* name, const char* value, TableDescriptor* out) {
    v1::TableDescriptor table;
    table.set_name("t");
    (*table.mutable_attributes())[name] = value;
    return FromProto(table, out);
  };
  TableDescriptor out;
  ExpectMalformed(decode("MAX_FILESIZE", "x", &out), "MAX_FILESIZE takes");
  ExpectMalformed(decode("MEMSTORE_FLUSHSIZE", "99999999999999999999", &out), "MEMSTORE_FLUSHSIZE takes");
  ExpectMalformed(decode("DURABILITY", "NONE", &out), "Durability.NONE");
  out = {};
  EXPECT_TRUE(decode("MAX_FILESIZE", "10 GB", &out).ok());
  EXPECT_EQ(out.max_file_bytes, int64_t{10} << 30);
  EXPECT_TRUE(out.attributes.empty());
  out = {};
  EXPECT_TRUE(decode("any", "x", &out).ok());
  EXPECT_EQ(out.attributes.at("any"), "x");

  v1::FamilyDescriptor family;
  FamilyDescriptor decoded;
  family.set_name("f");
  (*family.mutable_attributes())["VERSIONS"] = "x";
  ExpectMalformed(FromProto(family, &decoded), "VERSIONS 'x' is not supported");
  (*family.mutable_attributes())["VERSIONS"] = "5";
  (*family.mutable_attributes())["any"] = "x";
  decoded = {};
  EXPECT_TRUE(FromProto(family, &decoded).ok());
  EXPECT_EQ(decoded.max_versions, 5);
  EXPECT_EQ(decoded.attributes, (std::map<std::string, std::string>{{"any", "x"}}));
}

}  // namespace
}  // namespace vaquita
