#include "proto/hbase/quota_codec.h"

#include "base/status.h"
#include "google/protobuf/descriptor.h"
#include "hbase/Quota.pb.h"

namespace vaquita {
namespace {

const google::protobuf::FieldDescriptor* FieldOf(int type) {
  return pb::Throttle::descriptor()->FindFieldByNumber(type);
}

}  // namespace

std::string EncodeQuotas(const pb::Quotas& quotas) { return "PBUF" + quotas.SerializeAsString(); }

absl::Status DecodeQuotas(std::string_view value, pb::Quotas* quotas) {
  if (ParseMessageAfterMagic(value, quotas)) return absl::OkStatus();
  return Error(ErrorKind::kDeserialization, "not a message Quotas after the magic PBUF");
}

const pb::TimedQuota* FindThrottle(const pb::Throttle& throttle, int type) {
  const auto* reflection = pb::Throttle::GetReflection();
  if (!reflection->HasField(throttle, FieldOf(type))) return nullptr;
  return static_cast<const pb::TimedQuota*>(&reflection->GetMessage(throttle, FieldOf(type)));
}

pb::TimedQuota* AddThrottle(int type, pb::Throttle* throttle) {
  return static_cast<pb::TimedQuota*>(pb::Throttle::GetReflection()->MutableMessage(throttle, FieldOf(type)));
}

void ClearThrottle(int type, pb::Throttle* throttle) {
  pb::Throttle::GetReflection()->ClearField(throttle, FieldOf(type));
}

}  // namespace vaquita
