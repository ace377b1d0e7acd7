#include "tools/console/shell_sessions.h"

#include <chrono>
#include <optional>

#include "base/json.h"
#include "base/status.h"
#include "tools/console/command_check.h"
#include "tools/console/request_json.h"
#include "tools/shell/bounded_output.h"
#include "tools/shell/completion.h"
#include "tools/shell/interpreter.h"
#include "tools/shell/session.h"

namespace vaquita {
namespace {

constexpr size_t kMostShellOutput = 1 << 20;
constexpr std::chrono::seconds kMostShellTime{60};
constexpr char kCut[] = "\n... the rest is not shown: a page gets at most a megabyte; LIMIT reads fewer rows\n";
constexpr size_t kMostText = 1 << 20;
constexpr size_t kMostSessionText = 4 << 20;
// The console's server holds the values of all sessions.
constexpr int64_t kMostSessionParts = 100'000;
constexpr int64_t kMostSessionValues = 4 << 20;
constexpr size_t kMostChoices = 200;

absl::StatusOr<std::string> SessionName(const Json& request) {
  VAQUITA_ASSIGN_OR_RETURN(std::string name, TextField(request, "session"));
  if (!name.empty() && name.size() <= 64) return name;
  return absl::InvalidArgumentError("field session: a text of 1 to 64 characters");
}

}  // namespace

class ShellSessions::Session {
 public:
  Session(const std::shared_ptr<client::Connection>& connection, const std::string& address, bool may_write)
      : interpreter_(connection, address, output_.stream(), 0, [this] { return Answer(); }) {
    interpreter_.SetCheck([may_write](const shell::Command& command, const shell::Arguments& arguments) {
      return CheckCommand(command, arguments, may_write);
    });
    interpreter_.SetCancelled([this] { return output_.IsFull(); });
    interpreter_.SetRoom(shell::ValueRoom(kMostSessionParts, kMostSessionValues));
  }

  absl::StatusOr<Json> Run(const std::string& text) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock()) return absl::UnavailableError("the session's last command still runs");
    text_bytes_ += text.size();
    if (text_bytes_ > kMostSessionText) {
      return absl::ResourceExhaustedError("a session reads 4 MB at most: load the page again for a new one");
    }
    const shell::ReadResult read = shell::ReadRuby(text);
    const bool incomplete = read.state == shell::ReadResult::State::kIncomplete;
    output_.Restart(kMostShellTime);
    if (!incomplete) interpreter_.Run(read);
    ++line_;
    Json answer = {{"version", 1},
                   {"output", output_.text() + (output_.is_cut() ? kCut : "")},
                   {"incomplete", incomplete},
                   {"prompt", shell::Prompt(line_, read)},
                   {"ended", interpreter_.exit_code().has_value()}};
    return answer;
  }

 private:
  // A page has no input between a command and its answer.
  std::optional<std::string> Answer() {
    *output_.stream() << "(the console answers no: name the tables one by one)\n";
    return std::nullopt;
  }

  std::mutex mutex_;
  shell::BoundedOutput output_{kMostShellOutput};
  shell::Interpreter interpreter_;
  int line_ = 1;
  size_t text_bytes_ = 0;  // that it read: a session keeps the methods in it
};

ShellSessions::ShellSessions(std::shared_ptr<ClusterLink> link, bool may_write)
    : link_(std::move(link)), may_write_(may_write) {}
ShellSessions::~ShellSessions() = default;

absl::StatusOr<std::shared_ptr<ShellSessions::Session>> ShellSessions::Find(const std::string& name) {
  VAQUITA_ASSIGN_OR_RETURN(const auto connection, link_->Open());
  const std::lock_guard lock(mutex_);
  for (auto at = sessions_.begin(); at != sessions_.end(); ++at) {
    if (at->first != name) continue;
    sessions_.splice(sessions_.begin(), sessions_, at);
    return at->second;
  }
  sessions_.emplace_front(name, std::make_shared<Session>(connection, link_->address(), may_write_));
  if (sessions_.size() > kMostSessions) sessions_.pop_back();
  return sessions_.front().second;
}

void ShellSessions::Remove(const std::string& name) {
  const std::lock_guard lock(mutex_);
  sessions_.remove_if([&](const auto& session) { return session.first == name; });
}

absl::StatusOr<std::string> ShellSessions::Run(std::string_view body) {
  VAQUITA_ASSIGN_OR_RETURN(const Json request, ParseRequestJson(body));
  VAQUITA_ASSIGN_OR_RETURN(const std::string name, SessionName(request));
  VAQUITA_ASSIGN_OR_RETURN(const std::string text, TextField(request, "text"));
  if (text.size() > kMostText) return absl::InvalidArgumentError("field text: at most a megabyte");
  VAQUITA_ASSIGN_OR_RETURN(const auto session, Find(name));
  VAQUITA_ASSIGN_OR_RETURN(const Json answer, session->Run(text));
  if (answer["ended"].get<bool>()) Remove(name);
  return JsonText(answer);
}

absl::StatusOr<std::string> ShellSessions::Complete(std::string_view body) {
  VAQUITA_ASSIGN_OR_RETURN(const Json request, ParseRequestJson(body));
  VAQUITA_ASSIGN_OR_RETURN(const std::string text, TextField(request, "text"));
  VAQUITA_ASSIGN_OR_RETURN(const auto connection, link_->Open());
  const auto admin = connection->GetAdmin();
  shell::Completion completion =
      shell::Complete(text, [&](bool quoted) { return shell::WordsToComplete(*admin, quoted); });
  if (completion.choices.size() > kMostChoices) completion.choices.resize(kMostChoices);
  return JsonText({{"version", 1}, {"insert", completion.insert}, {"choices", completion.choices}});
}

}  // namespace vaquita
