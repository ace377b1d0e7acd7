#include "tools/connection/open_for_tool.h"

#include <atomic>
#include <cstdlib>
#include <iostream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tools/connection/tool_tls.h"

namespace vaquita {
namespace {

std::string TimeText(int64_t ms) {
  return ms >= 120'000 ? absl::StrCat(ms / 60'000, " min") : absl::StrCat(ms / 1000, " s");
}

}  // namespace

std::string ToolToken() {
  const char* const token = std::getenv(kTokenVariable);
  return token == nullptr ? "" : token;
}

absl::StatusOr<std::shared_ptr<client::Connection>> OpenForTool(const std::string& address) {
  client::ConnectionOptions options;
  options.address = address;
  return OpenForTool(std::move(options));
}

absl::StatusOr<std::shared_ptr<client::Connection>> OpenForTool(client::ConnectionOptions options) {
  const auto open = std::make_shared<std::atomic<bool>>(false);
  options.tls = ToolTls();
  options.token = ToolToken();
  options.on_wait = [address = options.address, open](const absl::Status& error, int64_t most_ms) {
    const std::string why =
        open->load() ? absl::StrCat("waiting for the server at ", address, ": ", error.message())
                     : absl::StrCat("no server at ", address, " (", error.message(),
                                    "); start one with `vaquita standalone --data DIR`, or name it with --address");
    std::cerr << why << "; trying for " << TimeText(most_ms) << ", Ctrl-C ends" << std::endl;
  };
  auto connection = client::Connection::Open(options);
  open->store(connection.ok());
  return connection;
}

}  // namespace vaquita
