// replay COMMANDS ANSWERS SCRIPT...: replays scripts over the client library and HBase's RPC against a real HBase,
// which confirm/src/Serve.java keeps at the other end of two pipes, and prints each line that differs (confirm/run
// --rpc).
#include <algorithm>
#include <cstdint>
#include <exception>
#include <fstream>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "client/connection.h"
#include "tests/semantics/driver.h"
#include "tests/semantics/script.h"
#include "tests/semantics/session.h"

namespace vaquita::semantics {
namespace {

// Asks the process that runs the cluster for actions that clients cannot take.
class Control {
 public:
  Control(const char* commands, const char* answers) : commands_(commands), answers_(answers) {}

  // ZooKeeper's port, once the cluster is up.
  absl::StatusOr<std::string> Ready() {
    std::string word, port;
    if (answers_ >> word >> port && word == "ready") return port;
    return absl::UnavailableError("HBase did not start");
  }
  absl::Status Send(const std::string& command) {
    commands_ << command << std::endl;
    std::string answer;
    while (answer.empty() && std::getline(answers_, answer)) {
    }
    return answer == "done" ? absl::OkStatus() : absl::InternalError(command + ": " + answer);
  }

 private:
  std::ofstream commands_;
  std::ifstream answers_;
};

class RealHBase final : public Driver {
 public:
  RealHBase(Control* control, std::shared_ptr<client::Connection> connection)
      : control_(control), connection_(std::move(connection)), admin_(connection_->GetAdmin()) {}

  std::unique_ptr<client::Table> GetTable(const TableName& name) override { return connection_->GetTable(name); }
  client::Admin* admin() override { return admin_.get(); }
  void Advance(int64_t ms) override { Send("advance " + std::to_string(ms)); }
  absl::Status Restart() override { return absl::OkStatus(); }  // restarts test Vaquita alone

  void Send(const std::string& command) {
    if (const absl::Status done = control_->Send(command); !done.ok()) throw std::runtime_error(done.ToString());
  }

 private:
  Control* const control_;
  const std::shared_ptr<client::Connection> connection_;
  const std::unique_ptr<client::Admin> admin_;
};

void Print(const Block& block, const std::vector<std::string>& got) {
  for (const std::string& line : block.commands) std::cout << "    " << line << "\n";
  for (size_t i = 0; i < std::max(got.size(), block.expected.size()); ++i) {
    const std::string* expected = i < block.expected.size() ? &block.expected[i] : nullptr;
    const std::string* actual = i < got.size() ? &got[i] : nullptr;
    if (expected != nullptr && actual != nullptr && *expected == *actual) {
      std::cout << "  " << *actual << "\n";
      continue;
    }
    if (expected != nullptr) std::cout << "- " << *expected << "\n";
    if (actual != nullptr) std::cout << "+ " << *actual << "\n";
  }
}

// Returns whether HBase answers as the script says.
bool Replay(RealHBase* hbase, const std::string& path) {
  bool same = true;
  {
    // Compactions after a split or a merge are left to HBase's own threads; a script's next line must find them done.
    Session session(hbase, [hbase] { hbase->Send("settle"); });
    for (const Block& block : ReadScript(path).blocks) {
      const std::vector<std::string> got = session.Run(ParseLines(block.commands));
      if (got == block.expected) continue;
      if (same) std::cout << "--- " << path << "\n";
      same = false;
      Print(block, got);
    }
  }
  hbase->Send("clear");
  std::cout << (same ? "same    " : "DIFFERS ") << path << std::endl;
  return same;
}

absl::StatusOr<int> ReplayAll(Control* control, const std::vector<std::string>& paths) {
  VAQUITA_ASSIGN_OR_RETURN(const std::string port, control->Ready());
  client::ConnectionOptions options;
  options.address = "hbase://127.0.0.1:" + port;
  // Permanent refusals must come back soon.
  options.retries = 3;
  options.pause_ms = 20;
  VAQUITA_ASSIGN_OR_RETURN(auto connection, client::Connection::Open(options));
  RealHBase hbase(control, std::move(connection));
  int differing = 0;
  for (const std::string& path : paths) differing += Replay(&hbase, path) ? 0 : 1;
  std::cout << paths.size() << " scripts, " << differing << " differ" << std::endl;
  return differing;
}

}  // namespace
}  // namespace vaquita::semantics

int main(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "usage: replay COMMANDS ANSWERS SCRIPT...\n";
    return 2;
  }
  try {
    vaquita::semantics::Control control(argv[1], argv[2]);
    const auto differing = vaquita::semantics::ReplayAll(&control, {argv + 3, argv + argc});
    if (differing.ok()) return *differing == 0 ? 0 : 1;
    std::cerr << differing.status() << "\n";
  } catch (const std::exception& e) {
    std::cerr << e.what() << "\n";
  }
  return 2;
}
