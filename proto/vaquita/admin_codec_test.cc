// Descriptors whose attributes name options; codec_test.cc has the rest.
#include "proto/vaquita/admin_codec.h"

#include <gmock/gmock.h>

#include <map>
#include <set>
#include <string>

#include "base/status.h"
#include "google/protobuf/descriptor.h"
#include "proto/vaquita/operations_codec.h"
#include "vaquita/v1/cluster.pb.h"

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
    ToProto({{name, value}}, table.mutable_attributes());
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
  ToProto({{"VERSIONS", "x"}}, family.mutable_attributes());
  ExpectMalformed(FromProto(family, &decoded), "VERSIONS 'x' is not supported");
  ToProto({{"VERSIONS", "5"}, {"any", "x"}}, family.mutable_attributes());
  decoded = {};
  EXPECT_TRUE(FromProto(family, &decoded).ok());
  EXPECT_EQ(decoded.max_versions, 5);
  EXPECT_EQ(decoded.attributes, (std::map<std::string, std::string>{{"any", "x"}}));
}

// Returns "message.field" of each field of text in messages of this type.
void CollectTexts(const google::protobuf::Descriptor& type, std::set<const google::protobuf::Descriptor*>* seen,
                  std::set<std::string>* texts) {
  if (!seen->insert(&type).second) return;
  for (int i = 0; i < type.field_count(); ++i) {
    const google::protobuf::FieldDescriptor& field = *type.field(i);
    if (field.type() == google::protobuf::FieldDescriptor::TYPE_STRING) texts->insert(field.full_name());
    if (field.message_type() != nullptr) CollectTexts(*field.message_type(), seen, texts);
  }
}

// A peer that cannot read a message is asked again for ever, and a report that cannot be read ends the cluster. A
// parser refuses a text that is not UTF-8, so each of these needs a reason why it always is.
TEST(AdminCodecTest, TextsInTheMessagesAmongProcesses) {
  std::set<const google::protobuf::Descriptor*> seen;
  std::set<std::string> texts;
  const google::protobuf::FileDescriptor& file = *v1::Command::descriptor()->file();
  for (int i = 0; i < file.message_type_count(); ++i) CollectTexts(*file.message_type(i), &seen, &texts);
  EXPECT_THAT(texts, ::testing::UnorderedElementsAre(
                         // Ours.
                         "vaquita.v1.HBaseError.exception_class", "vaquita.v1.RegionInfo.encoded_name",
                         "vaquita.v1.ServerMetrics.server_name", "vaquita.v1.ServerMetrics.grpc_address",
                         "vaquita.v1.UserPermission.actions",
                         // The encoder makes it UTF-8.
                         "vaquita.v1.HBaseError.message", "vaquita.v1.TableDescriptor.split_policy",
                         // Checked when they come from a client or from a table.
                         "vaquita.v1.RegionInfo.table", "vaquita.v1.TableDescriptor.name",
                         "vaquita.v1.FamilyDescriptor.data_block_encoding", "vaquita.v1.UserPermission.user",
                         "vaquita.v1.UserPermission.namespace", "vaquita.v1.UserPermission.table"));
}

TEST(AdminCodecTest, TextsThatAreNotUtf8) {
  v1::Procedure procedure;
  ToProto(Procedure{.description = "peerId=\xff", .lock = "caf\xC3\xA9"}, &procedure);
  EXPECT_EQ(procedure.description(), "peerId=\\xFF");
  EXPECT_EQ(procedure.lock(), "caf\xC3\xA9");
  v1::ReplicationPeer peer;
  ToProto(ReplicationPeer{.id = "\xff", .config = {.data = {{"\xfe", "\xff"}}}}, &peer);
  v1::ReplicationPeer read;
  ASSERT_TRUE(read.ParseFromString(peer.SerializeAsString()));
  EXPECT_EQ(FromProto(read)->config.data, (std::map<std::string, std::string>{{"\xfe", "\xff"}}));
}

}  // namespace
}  // namespace vaquita
