// tests/fuzz/shell_fuzz.cc: a script of the shell: its Ruby, the commands and their arguments, over a real server.
//
// The commands are those that the web console allows: they read none of this machine's files.
#include <chrono>
#include <memory>
#include <sstream>
#include <string>

#include "client/connection.h"
#include "tests/fuzz/fuzz_server.h"
#include "tools/console/command_check.h"
#include "tools/shell/completion.h"
#include "tools/shell/interpreter.h"
#include "tools/shell/ruby_reader.h"

namespace vaquita::shell {
namespace {

class Target {
 public:
  void Run(std::string_view text) {
    if (server_.Begin()) Connect();
    const ReadResult read = ReadRuby(text);
    if (read.state == ReadResult::State::kError) fuzz::Check(!read.error.empty(), "an error has a message");
    if (read.state == ReadResult::State::kIncomplete) return;
    std::ostringstream out;
    Interpreter interpreter(connection_, address_, &out, 80, [] { return std::optional<std::string>("y"); });
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
    interpreter.SetCancelled(
        [&] { return std::chrono::steady_clock::now() > end || out.tellp() > std::streamoff{1} << 20; });
    interpreter.SetCheck([](const Command& command, const Arguments& arguments) {
      return CheckCommand(command, arguments, /*may_write=*/true);
    });
    const bool ran = interpreter.Run(read);
    fuzz::Check(ran || out.tellp() > 0, "an error is printed");
  }

 private:
  void Connect() {
    address_ = server_.process().grpc_address();
    client::ConnectionOptions options;
    options.address = address_;
    options.retries = 1;
    options.pause_ms = 1;
    auto connection = client::Connection::Open(options);
    fuzz::Check(connection.ok(), "the server can be reached");
    connection_ = *std::move(connection);
  }

  fuzz::Server server_{{.serve = true}};
  std::shared_ptr<client::Connection> connection_;
  std::string address_;
};

}  // namespace
}  // namespace vaquita::shell

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static auto* const target = new vaquita::shell::Target;  // as long as the process
  target->Run(vaquita::fuzz::Input(data, size).Rest());
  return 0;
}
