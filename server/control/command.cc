#include "server/control/command.h"

namespace vaquita {
namespace {

constexpr absl::string_view kPayloadUrl = "vaquita/unanswered";

}  // namespace

const char* CommandName(CommandKind kind) {
  switch (kind) {
    case CommandKind::kOpen:
      return "open";
    case CommandKind::kServe:
      return "serve";
    case CommandKind::kClose:
      return "close";
    case CommandKind::kRelease:
      return "release";
    case CommandKind::kDrop:
      return "drop";
    case CommandKind::kRecover:
      return "recover";
    case CommandKind::kBeginSplit:
      return "begin-split";
    case CommandKind::kBeginMerge:
      return "begin-merge";
    case CommandKind::kEndTransition:
      return "end-transition";
  }
  return "";
}

bool NeedsTables(CommandKind kind) {
  return kind == CommandKind::kOpen || kind == CommandKind::kRelease || kind == CommandKind::kRecover;
}

bool AnswersForEachRegion(CommandKind kind) { return kind <= CommandKind::kRecover; }

CommandResult FailedCommand(const Command& command, const absl::Status& status) {
  CommandResult result{.id = command.id, .answered = !IsUnanswered(status)};
  if (AnswersForEachRegion(command.kind) && command.kind != CommandKind::kRecover) {
    result.regions.assign(command.regions.size(), status);
  } else {
    result.status = status;
  }
  return result;
}

absl::Status Unanswered(std::string_view message) {
  absl::Status status = absl::UnavailableError(absl::string_view(message.data(), message.size()));
  status.SetPayload(kPayloadUrl, absl::Cord());
  return status;
}

bool IsUnanswered(const absl::Status& status) { return status.GetPayload(kPayloadUrl).has_value(); }

}  // namespace vaquita
