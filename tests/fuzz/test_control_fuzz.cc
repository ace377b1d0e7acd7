// tests/fuzz/test_control_fuzz.cc: requests to the test control, as JSON or as a URL's parameters.
//
// An input is a line "METHOD operation?query", a line of bytes that a call of a client had for its user (empty: there
// was no call), and the body. Operations that replace the whole state, or the disk, are read, but not done: they would
// take a second each.
#include <memory>
#include <string>

#include "base/json_value.h"
#include "server/test_control/control_json.h"
#include "server/test_control/control_requests.h"
#include "server/test_control/test_control.h"
#include "tests/fuzz/fuzz_server.h"
#include "vaquita/v1/test.pb.h"

namespace vaquita {
namespace {

class Target {
 public:
  void Ask(fuzz::Input input) {
    if (server_.Begin()) {
      control_.Serve(&server_.process(), [](const v1::SeedRequest&) { return v1::SeedResponse(); });
    }
    const std::string_view method = input.Until(' ');
    fuzz::Input line = input;
    std::string_view name = line.Until('\n');
    const std::string_view user = line.Until('\n');
    const std::string_view body = line.Rest();
    const std::string_view query = name.substr(std::min(name.find('?'), name.size()));
    name.remove_suffix(query.size());
    if (!user.empty()) Note(user);
    if (name == "reset" || name == "save" || name == "restore" || name == "disk" || name == "powercut") {
      v1::RestoreRequest state;
      static_cast<void>(MessageFromJson(body, &state));
      v1::DiskFaults faults;
      static_cast<void>(MessageFromJson(body, &faults));
      return;
    }
    Read(RunControlRequest(
        &control_,
        {.method = method, .name = name, .query = query.substr(std::min<size_t>(1, query.size())), .body = body}));
    Read(RunControlCommand(&control_, "", name == "clock" ? "calls" : name, body));
    const std::string since = "since=" + std::to_string(noted_);
    Read(RunControlRequest(&control_, {.method = "GET", .name = "calls", .query = since, .body = ""}));
  }

 private:
  void Note(std::string_view user) {
    net::CallTarget target;
    target.row = std::string(user);
    target.has_row = true;
    const net::GatedCall call{.protocol = "hbase",
                              .service = "ClientService",
                              .method = "Get",
                              .client = "127.0.0.1:4711",
                              .user = user,
                              .targets = {target}};
    ++noted_;
    control_.Leave(call, {}, {.status = absl::NotFoundError(std::string(user))});
  }
  static void Read(const ControlAnswer& answer) {
    const absl::StatusOr<Json> json = ParseJson(answer.body);
    fuzz::Check(json.ok() && json->is_object(), "an answer is a JSON object");
    fuzz::Check(answer.status == 200 || !TextIn(*json, "error").empty(), "an error has a message");
  }

  int64_t noted_ = 0;
  TestControl control_{/*from_anywhere=*/false};
  fuzz::Server server_{{.serve = true, .control = &control_}};
};

}  // namespace
}  // namespace vaquita

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static auto* const target = new vaquita::Target;  // as long as the process
  target->Ask({data, size});
  return 0;
}
