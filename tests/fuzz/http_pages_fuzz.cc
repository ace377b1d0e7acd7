// tests/fuzz/http_pages_fuzz.cc: the bytes of an HTTP client's connection to the pages of a server: metrics, the
// console with its JSON, and Phoenix's query server.
//
// The first byte says which port. TOKEN in an input becomes the console's token, which no input can know.
#include <memory>
#include <string>

#include "absl/strings/str_replace.h"
#include "tests/fuzz/conversation.h"
#include "tests/fuzz/fuzz_server.h"
#include "tools/console/console_tools.h"

namespace vaquita {
namespace {

class Target {
 public:
  void Converse(fuzz::Input input) {
    if (server_.Begin()) LearnToken();
    const Standalone& process = server_.process();
    const int port = PortOf(input.Byte() % 2 == 0 ? process.master_info_address() : process.query_server_address());
    fuzz::Converse(port, absl::StrReplaceAll(std::string(input.Rest()), {{"TOKEN", token_}}));
  }

 private:
  static int PortOf(const std::string& address) { return std::atoi(address.substr(address.rfind(':') + 1).c_str()); }

  void LearnToken() {
    const std::string session = fuzz::Converse(PortOf(server_.process().master_info_address()),
                                               "GET /console/v1/session HTTP/1.1\r\nHost: localhost\r\n\r\n");
    constexpr std::string_view kField = "\"token\":\"";
    const size_t begin = session.find(kField);
    fuzz::Check(begin != std::string::npos, "the session has a token");
    token_ = session.substr(begin + kField.size());
    token_.resize(std::min(token_.find('"'), token_.size()));
  }

  fuzz::Server server_{{.serve = true, .console_works = MakeConsoleTools}};
  std::string token_;
};

}  // namespace
}  // namespace vaquita

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static auto* const target = new vaquita::Target;  // as long as the process
  target->Converse({data, size});
  return 0;
}
