#include "tools/console/request_json.h"

namespace vaquita {

absl::StatusOr<Json> ParseRequestJson(std::string_view body) {
  absl::StatusOr<Json> request = ParseJson(body);
  if (!request.ok() || !request->is_object()) return absl::InvalidArgumentError("the body must be a JSON object");
  return request;
}

absl::StatusOr<std::string> TextField(const Json& request, const std::string& name) {
  const auto found = request.find(name);
  if (found != request.end() && found->is_string()) return found->get<std::string>();
  return absl::InvalidArgumentError("field " + name + (found == request.end() ? " is missing" : " must be text"));
}

absl::StatusOr<std::string> TextField(const Json& request, const std::string& name, std::string_view by_default) {
  if (!request.contains(name)) return std::string(by_default);
  return TextField(request, name);
}

absl::StatusOr<int64_t> NumberField(const Json& request, const std::string& name, int64_t least, int64_t most) {
  const auto found = request.find(name);
  if (found != request.end()) {
    if (const auto number = TryIntegerOf(*found, least, most)) return *number;
  }
  return absl::InvalidArgumentError("field " + name + (found == request.end() ? " is missing" : "") +
                                    ": a number from " + std::to_string(least) + " to " + std::to_string(most));
}

absl::StatusOr<int64_t> NumberField(const Json& request, const std::string& name, int64_t by_default, int64_t least,
                                    int64_t most) {
  if (!request.contains(name)) return by_default;
  return NumberField(request, name, least, most);
}

}  // namespace vaquita
