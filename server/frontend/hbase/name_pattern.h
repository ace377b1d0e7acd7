// server/frontend/hbase/name_pattern.h: a client's regular expression for names, of tables for example.
//
// All names of a call share the time of one search, so that a costly expression takes a thread no longer for more
// names. Threads: one at a time. Source: java.util.regex.Matcher.matches.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "base/call_context.h"
#include "base/java_regex.h"
#include "base/status.h"

namespace vaquita::hbase {

class NamePattern {
 public:
  // Returns WouldWait() on a connection's own thread, where searches would hold others up; kDoNotRetryIO if the
  // expression is malformed.
  static absl::StatusOr<NamePattern> Compile(const CallContext& context, std::string_view regex) {
    if (context.short_waits) return WouldWait();
    VAQUITA_ASSIGN_OR_RETURN(auto compiled, JavaRegex::CompileForNames(regex));
    return NamePattern(std::move(compiled));
  }
  // Returns whether the expression matches the whole name; kDoNotRetryIO if no time is left.
  absl::StatusOr<bool> Matches(std::string_view name) { return regex_->IsFoundIn(name, &left_); }

 private:
  explicit NamePattern(std::unique_ptr<JavaRegex> regex) : regex_(std::move(regex)) {}

  std::unique_ptr<JavaRegex> regex_;
  SearchTime left_;
};

}  // namespace vaquita::hbase
