#include "tests/cluster_checker/history.h"

#include <algorithm>
#include <chrono>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace vaquita::checker {
namespace {

std::string ToText(const Register& value) { return value ? absl::StrCat(*value) : "absent"; }

}  // namespace

int64_t MonotonicNs() { return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1); }

std::string ToText(const Operation& operation) {
  const bool known = operation.known();
  switch (operation.kind) {
    case Operation::Kind::kRead:
      return absl::StrCat("read -> ", known ? ToText(operation.result) : "?");
    case Operation::Kind::kPut:
      return absl::StrCat("put ", operation.argument, known ? " -> ok" : " -> ?");
    case Operation::Kind::kAdd:
      return absl::StrCat("add ", operation.argument, " -> ", known ? ToText(operation.result) : "?");
    case Operation::Kind::kCompareAndSet:
      break;
  }
  return absl::StrCat("set ", operation.argument, " if ", ToText(operation.expected), " -> ",
                      !known ? "?" : (operation.succeeded ? "set" : "not set"));
}

std::string ToText(History history) {
  std::stable_sort(history.begin(), history.end(),
                   [](const Operation& a, const Operation& b) { return a.invoked_ns < b.invoked_ns; });
  const int64_t zero_ns = history.empty() ? 0 : history.front().invoked_ns;
  const auto ms = [zero_ns](int64_t ns) { return static_cast<double>(ns - zero_ns) / 1e6; };
  std::string text;
  for (const Operation& operation : history) {
    const std::string end = operation.known() ? absl::StrFormat("%.3f", ms(operation.returned_ns)) : "?";
    absl::StrAppendFormat(&text, "%10.3f to %10s  client %-2d  %s\n", ms(operation.invoked_ns), end, operation.client,
                          ToText(operation));
  }
  return text;
}

}  // namespace vaquita::checker
