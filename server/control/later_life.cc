#include "server/control/later_life.h"

#include <string_view>

namespace vaquita {
namespace {

constexpr std::string_view kAfterName = " was at this address, and its start code is not earlier";

}  // namespace

absl::Status HadLaterLife(const std::string& latest) {
  return absl::AlreadyExistsError(latest + std::string(kAfterName));
}

std::optional<ServerName> NameAfterLaterLife(const absl::Status& status) {
  const std::string_view message(status.message().data(), status.message().size());
  if (!absl::IsAlreadyExists(status) || !message.ends_with(kAfterName)) return std::nullopt;
  auto name = ServerName::Parse(message.substr(0, message.size() - kAfterName.size()));
  if (!name.ok()) return std::nullopt;
  ++name->start_code;
  return *std::move(name);
}

}  // namespace vaquita
