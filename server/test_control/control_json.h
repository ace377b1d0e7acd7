// server/test_control/control_json.h: the messages of TestService as JSON.
//
// proto3's mapping, but that 64-bit integers are numbers, and that fields at their default are written, too. Threads:
// any.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "google/protobuf/message.h"
#include "nlohmann/json_fwd.hpp"

namespace vaquita {

// Reads a JSON object; "" is the empty one. InvalidArgument names the wrong field and the message's fields.
absl::Status MessageFromJson(std::string_view text, google::protobuf::Message* message);

nlohmann::ordered_json MessageToJson(const google::protobuf::Message& message);

// Returns the text of an answer. Bytes that are not UTF-8, which clients' names may have, are replaced.
std::string ControlText(const nlohmann::ordered_json& json);

}  // namespace vaquita
