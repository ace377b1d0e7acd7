// server/frontend/hbase/rpc/call_group.h: calls of one connection that are answered together.
//
// A client with many threads sends several puts before it waits. A service may collect the changes of such calls, make
// them by one write, and so save most of each put's cost. The calls are answered after that. Threads: the connection's
// own.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "server/frontend/hbase/rpc/rpc_service.h"

namespace vaquita::hbase {

class CallGroup {
 public:
  // The changes that a service has collected.
  class Changes {
   public:
    virtual ~Changes() = default;
    // Makes them all, and has none then. An error is the answer to each of the calls.
    virtual absl::Status Commit() = 0;
  };
  using Answer = std::function<void(uint32_t call_id, absl::StatusOr<RpcResponse> response)>;

  explicit CallGroup(Answer answer) : answer_(std::move(answer)) {}

  // Returns the changes of the one service that the connection is for, made by `make` at first.
  template <typename ItsChanges, typename Make>
  ItsChanges* ChangesOf(const Make& make) {
    if (changes_ == nullptr) changes_ = make();
    return static_cast<ItsChanges*>(changes_.get());
  }

  bool empty() const { return calls_.empty(); }
  size_t size() const { return calls_.size(); }
  // Adds a call whose change is among the changes. Its answer is given once they are made.
  void Add(uint32_t call_id, RpcResponse response) { calls_.emplace_back(call_id, std::move(response)); }
  // Makes the changes, and answers the calls.
  void Commit() {
    if (empty()) return;
    const absl::Status status = CommitChanges();
    for (auto& [call_id, response] : std::exchange(calls_, {})) {
      answer_(call_id, status.ok() ? absl::StatusOr<RpcResponse>(std::move(response)) : status);
    }
  }

 private:
  // Services throw nothing, but memory may run out.
  absl::Status CommitChanges() {
    try {
      return changes_->Commit();
    } catch (const std::exception& e) {
      return Error(ErrorKind::kIO, absl::StrCat("the write: ", e.what()));
    }
  }

  const Answer answer_;
  std::unique_ptr<Changes> changes_;
  std::vector<std::pair<uint32_t, RpcResponse>> calls_;
};

}  // namespace vaquita::hbase
