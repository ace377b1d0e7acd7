#include "server/test_control/control_json.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "base/json_value.h"
#include "base/status.h"

namespace vaquita {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

absl::Status Wrong(const std::string& path, std::string_view wanted) {
  return absl::InvalidArgumentError(absl::StrCat(path, ": must be ", std::string(wanted)));
}

std::string FieldNames(const Descriptor& type) {
  std::string names;
  for (int i = 0; i < type.field_count(); ++i) {
    absl::StrAppend(&names, names.empty() ? "" : ", ", type.field(i)->json_name());
  }
  return names.empty() ? "it has none" : names;
}

const FieldDescriptor* FindField(const Descriptor& type, const std::string& name) {
  for (int i = 0; i < type.field_count(); ++i) {
    if (type.field(i)->json_name() == name || type.field(i)->name() == name) return type.field(i);
  }
  return nullptr;
}

absl::Status ReadObject(const Json& json, const std::string& path, Message* message);

// Sets or, if the field is repeated, adds one value.
absl::Status ReadValue(const Json& json, const std::string& path, const FieldDescriptor& field, Message* message) {
  const Reflection& fields = *message->GetReflection();
  const bool adds = field.is_repeated();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING:
      if (!json.is_string()) return Wrong(path, "a string");
      adds ? fields.AddString(message, &field, json.get<std::string>())
           : fields.SetString(message, &field, json.get<std::string>());
      return absl::OkStatus();
    case FieldDescriptor::CPPTYPE_BOOL:
      if (!json.is_boolean()) return Wrong(path, "true or false");
      fields.SetBool(message, &field, json.get<bool>());
      return absl::OkStatus();
    case FieldDescriptor::CPPTYPE_INT32: {
      const auto number = TryIntegerOf(json, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max());
      if (!number) return Wrong(path, "a whole number");
      fields.SetInt32(message, &field, static_cast<int32_t>(*number));
      return absl::OkStatus();
    }
    case FieldDescriptor::CPPTYPE_INT64: {
      const auto number = TryIntegerOf(json);
      if (!number) return Wrong(path, "a whole number");
      fields.SetInt64(message, &field, *number);
      return absl::OkStatus();
    }
    case FieldDescriptor::CPPTYPE_DOUBLE:
      if (!json.is_number()) return Wrong(path, "a number");
      fields.SetDouble(message, &field, json.get<double>());
      return absl::OkStatus();
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return ReadObject(json, path, adds ? fields.AddMessage(message, &field) : fields.MutableMessage(message, &field));
    default:
      return absl::InternalError(path + ": a type of field that the control does not use");
  }
}

// Refuses a field of which another alternative is given, too.
absl::Status CheckAlternative(const Message& message, const std::string& path, const FieldDescriptor& field) {
  const auto* const alternatives = field.real_containing_oneof();
  if (alternatives == nullptr) return absl::OkStatus();
  const Reflection& fields = *message.GetReflection();
  const FieldDescriptor* const other = fields.GetOneofFieldDescriptor(message, alternatives);
  return other == nullptr ? absl::OkStatus()
                          : Wrong(path, absl::StrCat("alone; ", other->json_name(), " is given, too"));
}

absl::Status ReadObject(const Json& json, const std::string& path, Message* message) {
  if (!json.is_object()) return Wrong(path.empty() ? "the request" : path, "a JSON object");
  const Descriptor& type = *message->GetDescriptor();
  for (const auto& [name, value] : json.items()) {
    const std::string place = path.empty() ? name : absl::StrCat(path, ".", name);
    const FieldDescriptor* field = FindField(type, name);
    if (field == nullptr) return Wrong(place, absl::StrCat("one of the fields: ", FieldNames(type)));
    if (value.is_null()) continue;
    VAQUITA_RETURN_IF_ERROR(CheckAlternative(*message, place, *field));
    if (!field->is_repeated()) {
      VAQUITA_RETURN_IF_ERROR(ReadValue(value, place, *field, message));
      continue;
    }
    if (!value.is_array()) return Wrong(place, "a list");
    for (const Json& one : value) VAQUITA_RETURN_IF_ERROR(ReadValue(one, place, *field, message));
  }
  return absl::OkStatus();
}

// One value of the field; of a repeated one that at `index`.
Json WriteValue(const Message& message, const FieldDescriptor& field, int index) {
  const Reflection& fields = *message.GetReflection();
  const bool repeated = field.is_repeated();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING:
      return repeated ? fields.GetRepeatedString(message, &field, index) : fields.GetString(message, &field);
    case FieldDescriptor::CPPTYPE_BOOL:
      return fields.GetBool(message, &field);
    case FieldDescriptor::CPPTYPE_INT32:
      return fields.GetInt32(message, &field);
    case FieldDescriptor::CPPTYPE_INT64:
      return fields.GetInt64(message, &field);
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return fields.GetDouble(message, &field);
    default:
      return MessageToJson(repeated ? fields.GetRepeatedMessage(message, &field, index)
                                    : fields.GetMessage(message, &field));
  }
}

}  // namespace

absl::Status MessageFromJson(std::string_view text, Message* message) {
  message->Clear();
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return absl::OkStatus();
  const absl::StatusOr<Json> json = ParseJson(text);
  if (!json.ok()) return absl::InvalidArgumentError(absl::StrCat("the request is ", json.status().message()));
  return ReadObject(*json, "", message);
}

Json MessageToJson(const Message& message) {
  Json json = Json::object();
  const Descriptor& type = *message.GetDescriptor();
  const Reflection& fields = *message.GetReflection();
  for (int i = 0; i < type.field_count(); ++i) {
    const FieldDescriptor& field = *type.field(i);
    Json& value = json[field.json_name()];
    if (field.is_repeated()) {
      value = Json::array();
      for (int j = 0; j < fields.FieldSize(message, &field); ++j) value.push_back(WriteValue(message, field, j));
    } else if (field.has_presence() && !fields.HasField(message, &field)) {
      json.erase(field.json_name());
    } else {
      value = WriteValue(message, field, 0);
    }
  }
  return json;
}

}  // namespace vaquita
